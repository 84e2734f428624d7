"""What a ruleset says of sight and of heights above the ground: who sees whom, and its altitude bands."""

from __future__ import annotations

from collections.abc import Mapping

from engine.rules.model import Number
from engine.rules.origin import Origin
from engine.rules.rulings import Ruling
from engine.rules.space_rules import AltitudeBand, SightRule
from engine.sight_model import OWN_COVER, PLAIN, RULINGS, SightModel
from engine.smoke_opacity import SmokeOpacity
from engine.toml_reader import Reader
from engine.values import replace
from rulesets import value_readers

LABELS: Mapping[str, tuple[str, tuple[int | str, ...], str, str]] = {
    "lean": (
        "Units lean out of cover",
        (),
        "yes: eyes at five points of the body; no: only at the centre",
        "Decides whether a unit at a corner leans out to look and shoot past it, and so shows a part of itself.",
    ),
    "own_cover": (
        "A unit behind adjacent low cover",
        OWN_COVER,
        "rise: it sees over what is lower than its standing eye; look: than its eye; off: the cover blocks its view",
        "Decides whether low cover beside a unit blocks its view, or the unit looks over it or even rises to do so.",
    ),
    "soft": (
        "Vegetation conceals units in it",
        (),
        "reeds, bushes and hedges stop no shots",
        "Reeds, bushes and hedges hide who stands in them, and stop no bullet.",
    ),
    "bodies": (
        "Smallest unit size that blocks the line",
        (0, 1, 2, 3, 4),
        "0: bodies never block",
        "Bodies from this size on stand in the way of sight and shots, and smaller ones never do.",
    ),
    "head": (
        "Minimum visible part of a valid target (%)",
        (0, 5, 10, 15, 20, 25),
        "a unit that can see shows its head",
        "A unit that looks out of cover shows at least its head, so a tenth of the body can be hit.",
    ),
    "least": (
        "Invisible below (% of the body)",
        (0, 5, 10, 15, 20, 25),
        "default 5: half a head",
        "A sliver of a body smaller than this counts as unseen, and nothing hits it.",
    ),
    "mutual": (
        "A unit that can be attacked can attack back",
        (),
        "sight works both ways, except through one-way glass",
        "Anybody who can shoot at you can be shot at in return, one-way glass aside.",
    ),
}
"""The keys of `[sight]` that are rulings: label, choices, meaning and sentence of each."""

ORIGIN = Origin("Sight explained: who sees whom", "The rules have no line-of-sight rule this exact.")


def read_sight(root: Reader) -> SightRule | None:
    """`[sight]`: who sees whom, and how smoke obscures; None without the table."""
    if not root.has("sight"):
        return None
    entry = root.table("sight")
    model = SightModel(
        lean=entry.flag("lean", PLAIN.lean),
        own_cover=entry.text("own_cover", PLAIN.own_cover, choices=OWN_COVER),
        soft=entry.flag("soft", PLAIN.soft),
        bodies=_bodies(entry),
        head=entry.whole("head", PLAIN.head, least=0, most=100),
        least=entry.whole("least", PLAIN.least, least=0, most=100),
        mutual=entry.flag("mutual", PLAIN.mutual),
        positions=entry.texts("positions") if entry.has("positions") else (),
    )
    found = SightRule(value_readers.origin(entry), _smoke(entry), model)
    entry.finish()
    return found


def sight_rulings(sight: SightRule | None) -> dict[str, Ruling]:
    """The keys of `[sight]` as rulings, which the GM changes for one battle: `ruling.sight_lean`.

    What the ruleset decides in its own way has its source; for the rest the system has none.
    """
    model = sight.model if sight else PLAIN
    found = {}
    for key, (label, choices, because, say) in LABELS.items():
        value = getattr(model, key)
        allowed = choices if not choices or value in choices else (*choices, value)
        origin = sight.origin if sight and value != getattr(PLAIN, key) else ORIGIN
        found[RULINGS + key] = Ruling(RULINGS + key, label, value, allowed, because, replace(origin, say=say))
    return found


def _bodies(entry: Reader) -> int:
    """`bodies`: a size; true is everybody, false nobody."""
    if entry.has("bodies") and isinstance(entry.raw("bodies"), bool):
        return int(entry.flag("bodies"))
    return entry.whole("bodies", PLAIN.bodies, least=0, most=4)


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
