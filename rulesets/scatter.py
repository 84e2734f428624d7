"""Scatter tables and the rings of bursts, read from `ruleset.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.dice.dice_expressions import Dice
from engine.rules.expressions import Expression, constant
from engine.rules.model import Grade
from engine.rules.space_rules import AGAIN, LANDS_AT, RINGS, STAYS, BlastZone, BurstRule, Scatter
from engine.toml_reader import Reader, described, quoted
from rulesets import value_readers
from rulesets.effects import read_grade_words
from rulesets.vocabulary import Vocabulary

RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?")
ONLY_WITH_DICE = ("towards", "distance", "again_distance", "plus", "squares", "lost_off_map")


def read_scatters(root: Reader, words: Vocabulary, grades: tuple[Grade, ...]) -> tuple[Scatter, ...]:
    """`[[scatter]]`: where things come down that miss, the first that fits."""
    found: list[Scatter] = []
    for entry in root.tables("scatter"):
        found.append(_read_scatter(entry, {scatter.id for scatter in found}, words, grades))
        entry.finish()
    return tuple(found)


def read_zones(root: Reader, words: Vocabulary) -> tuple[BlastZone, ...]:
    """`[[zone]]`: the rings of a burst, the innermost first."""
    found: list[BlastZone] = []
    for entry in root.tables("zone"):
        found.append(
            BlastZone(
                value_readers.hyphened(entry, "id", {zone.id for zone in found}, "the zone"),
                value_readers.label(entry),
                value_readers.amount(entry, "radius", words.attack),
                value_readers.amount(entry, "share", words.attack, 1),
                value_readers.origin(entry),
            )
        )
        entry.finish()
    return tuple(found)


def read_burst(root: Reader, words: Vocabulary, grades: tuple[Grade, ...], has_zones: bool) -> BurstRule | None:
    """`[burst]`: how those are struck whom a burst catches; without it, nothing bursts."""
    if not has_zones:
        if root.has("burst"):
            root.problem("burst", "[burst] needs [[zone]]: the rings of the blast")
        return None
    if not root.has("burst"):
        return None
    entry = root.table("burst")
    found = BurstRule(
        entry.text("grade", choices=[grade.id for grade in grades]),
        value_readers.origin(entry),
        value_readers.amount(entry, "smoke", words.attack, 0),
        value_readers.amount(entry, "smoke_rounds", words.attack, 0),
        value_readers.condition(entry, "aimed_keeps_grade", words.attack, False),
        value_readers.condition(entry, "occupied", words.attack, False),
    )
    if entry.has("smoke_rounds") and not entry.has("smoke"):
        entry.problem("smoke_rounds", "smoke_rounds needs the radius: add smoke = …")
    entry.finish()
    return found


def _read_scatter(entry: Reader, taken: set[str], words: Vocabulary, grades: tuple[Grade, ...]) -> Scatter:
    name = value_readers.hyphened(entry, "id", taken, "the scatter table")
    dice = value_readers.dice(entry, "dice") if entry.has("dice") else None
    if dice is None:
        for key in ONLY_WITH_DICE:
            if entry.has(key):
                entry.problem(key, f"{key} needs 'dice' in the same table")
    towards = _towards(entry, dice) if dice else {}
    if entry.has("again_distance") and dice and AGAIN not in towards.values():
        entry.problem("again_distance", f"again_distance needs a direction {AGAIN!r}")
    return Scatter(
        name,
        value_readers.label(entry),
        read_grade_words(entry, grades),
        value_readers.condition(entry, "when", words.attack),
        entry.text("at", LANDS_AT[0], choices=LANDS_AT),
        dice,
        towards,
        value_readers.dice_formula(entry, "distance", words.rolled) if dice else constant(0),
        _again_distance(entry, words) if dice else None,
        value_readers.amount(entry, "plus", words.rolled, 0),
        entry.flag("squares", False),
        value_readers.condition(entry, "lost_off_map", words.rolled, False),
        value_readers.origin(entry),
    )


def _again_distance(entry: Reader, words: Vocabulary) -> Expression | None:
    return value_readers.dice_formula(entry, "again_distance", words.rolled) if entry.has("again_distance") else None


def _towards(entry: Reader, dice: Dice) -> Mapping[int, str]:
    """What each total of the direction's dice means; every total once, and some of them not AGAIN."""
    table = entry.table("towards")
    if not entry.has("towards"):
        entry.problem(None, f"dice = {quoted(dice.text)} has no 'towards'; expected N = 1, NE = 2 and so on")
        return {}
    found: dict[int, str] = {}
    before = len(entry.document.problems)
    names = list(table.keys())
    for name in names:
        if name not in (STAYS, AGAIN) and not any(name in ring.steps for ring in RINGS):
            choices = "; ".join([*(", ".join(ring.steps) for ring in RINGS), STAYS, AGAIN])
            table.problem(name, f"{quoted(name)} is not a direction; expected one of {choices}")
        for total in _totals(table, name):
            if not dice.lowest <= total <= dice.highest:
                table.problem(name, f"{dice.text} cannot roll {total}; it rolls {dice.lowest} to {dice.highest}")
                break
            if total in found:
                table.problem(name, f"{total} is already {found[total]}; each total has one direction")
                break
            found[total] = name
    table.finish()
    mixed = [ring.label for ring in RINGS if not ring.steps.keys().isdisjoint(names)]
    if len(mixed) > 1:
        entry.problem("towards", f"towards mixes {' and '.join(mixed)}; expected directions of one kind")
    missing = [total for total in range(dice.lowest, dice.highest + 1) if total not in found]
    if missing and len(entry.document.problems) == before:
        entry.problem("towards", f"no direction for {', '.join(map(str, missing[:8]))} of {dice.text}")
    if found and set(found.values()) == {AGAIN}:
        entry.problem("towards", "every total rolls again; expected at least one direction")
    return found


def _totals(table: Reader, name: str) -> list[int]:
    """The totals that a value names: 3, "3", "6-7" or "1, 8-9"."""
    value = table.raw(name)
    if isinstance(value, int) and not isinstance(value, bool):
        return [table.whole(name)]
    if not isinstance(value, str):
        table.problem(name, f"{name} is {described(value)}; expected totals such as 3 or '6-7'")
        return []
    found: list[int] = []
    for part in value.split(","):
        match = RANGE.fullmatch(part)
        if match is None or int(match[2] or match[1]) < int(match[1]) or int(match[2] or match[1]) > 10**5:
            table.problem(name, f"{quoted(value)} is not a list of totals; expected '6-7' or '1, 8-9'")
            return []
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found
