"""What a ruleset says of sight and of heights above the ground: whether bodies cover, and its altitude bands."""

from __future__ import annotations

from engine.rules.model import Number
from engine.rules.space_rules import AltitudeBand, SightRule
from engine.smoke_opacity import SmokeOpacity
from engine.toml_reader import Reader
from rulesets import value_readers


def read_sight(root: Reader) -> SightRule | None:
    """`[sight]`: whether units in the line cover those behind them, and how smoke obscures; None without the table."""
    if not root.has("sight"):
        return None
    entry = root.table("sight")
    found = SightRule(entry.flag("units_cover", False), value_readers.origin(entry), _smoke(entry))
    entry.finish()
    return found


def _smoke(entry: Reader) -> SmokeOpacity:
    """`smoke_ends_sight`: squares of smoke beyond which nothing is seen; without it smoke hides nothing."""
    return SmokeOpacity(entry.number("smoke_ends_sight", least=0) if entry.has("smoke_ends_sight") else None)


def read_altitudes(root: Reader) -> tuple[AltitudeBand, ...]:
    """`[[altitude]]`: bands of heights above the ground, lowest first. Each begins where the one before it ends.

    `from` may say otherwise, higher: heights between two bands are in none. Only the last may leave `to` out.
    """
    found: list[AltitudeBand] = []
    taken: set[str] = set()
    entries = root.tables("altitude")
    end: Number = 0
    for entry in entries:
        name = value_readers.hyphened(entry, "id", taken, "the altitude band")
        taken.add(name)
        start = entry.number("from", end, least=0)
        if start < end:
            entry.problem("from", f"from = {float(start):g} overlaps the band before it, which ends at {float(end):g}")
        upto: Number | None = None
        if entry.has("to"):
            upto = end = entry.number("to", least=0)
            if upto < start:
                entry.problem("to", f"to = {float(upto):g} is below the start of the band at {float(start):g}")
        elif entry is not entries[-1]:
            entry.problem(None, "this altitude band has no 'to'; only the last band may have no end")
        found.append(AltitudeBand(name, value_readers.label(entry), start, upto, value_readers.origin(entry)))
        entry.finish()
    return tuple(found)
