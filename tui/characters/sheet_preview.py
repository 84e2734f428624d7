"""What a sheet makes: pools, derived numbers, chances of its weapons. Worked out a piece at a time, between keys."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.battle.views.view import derived_numbers
from engine.context import Cache
from engine.dice.dice_text import number, percent
from engine.rules.expressions import shown
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.tactics.duel import ATTACKER, Round, duel, round_between
from engine.values import replace
from tui.characters.sheet_fields import numbers, unit_of

METRES, FEET = "metres", "feet"
SQUARE = {METRES: 150, FEET: 500}
"""Side of a square in hundredths of the unit, where the ruleset does not say."""
FAR = 16
"""Squares at which a shot is weighed, or fewer where it does not reach so far."""
COVERS = (
    ("in the open", Fraction(0), ""),
    ("in light cover", Fraction(1, 2), "light"),
    ("in heavy cover", Fraction(1, 2), "heavy"),
)
MOST_WEAPONS = 4
ROUNDS: Cache[Round | None] = Cache(128)


class WeaponOdds(Struct, frozen=True):
    """A weapon with its best attack, and its chances at a distance."""

    label: str
    numbers: str
    at: str
    """The distance and the attack: "24 m, semi-auto"."""
    rows: tuple[tuple[str, Fraction, str], ...]
    """Where the target is, the chance to hit, the damage of a round in words."""


class SheetPreview(Struct, frozen=True):
    """What a sheet makes."""

    numbers: tuple[tuple[str, str], ...]
    """Pools and derived numbers, with their values."""
    weapons: tuple[WeaponOdds, ...]
    is_whole: bool = True
    """Whether nothing is left to work out."""


def previews(own: Character, rules: Ruleset) -> Iterator[SheetPreview]:
    """What a sheet makes, ever more of it; the last is whole. Wounds and empty magazines of now do not count."""
    own = replace(own, pools=(), rounds=(), conditions=())
    unit = unit_of(own, rules)
    unit_name, square = _scale(rules)
    fight = duel(rules, unit, unit, FAR, unit_name, square)
    pools = [(pool.label, number(pools_of(rules, unit)[pool.id])) for pool in rules.units.pools.values()]
    derived = [(label, shown(value)) for label, value in derived_numbers(fight, rules, fight.unit(ATTACKER))]
    rows = tuple((label, value) for label, value in (*pools, *derived) if value != "0")
    found: tuple[WeaponOdds, ...] = ()
    yield SheetPreview(rows, found, is_whole=not own.weapons)
    for place, weapon in enumerate(own.weapons[:MOST_WEAPONS]):
        for odds in _weapon_odds(own, rules, weapon):
            found = (*found[:place], odds)
            yield SheetPreview(rows, found, is_whole=False)
    yield SheetPreview(rows, found)


def _weapon_odds(own: Character, rules: Ruleset, weapon: str) -> Iterator[WeaponOdds]:
    """A weapon's chances against one's own like, row by row."""
    known = rules.gear.weapons[weapon]
    unit_name, square = _scale(rules)
    far = next((squares for squares in (FAR, FAR // 2, 4, 1) if _round(own, rules, weapon, squares, 0)), 0)
    rows: list[tuple[str, Fraction, str]] = []
    told = numbers(known, rules)
    yield WeaponOdds(known.label, told, "", ())
    for place, (where, _, _) in enumerate(COVERS if far > 1 else COVERS[:1]):
        if far and (found := _round(own, rules, weapon, far, place)):
            at = f"{number(Fraction(far * square, 100))} {UNIT_SIGNS[unit_name]}" if far > 1 else "adjacent"
            rows.append((where, found.attack.odds.hit, f"{float(found.damage):.1f}"))
            yield WeaponOdds(known.label, told, f"{at}, {found.attack.situation.action.label.lower()}", tuple(rows))


def _round(own: Character, rules: Ruleset, weapon: str, squares: int, cover: int) -> Round | None:
    """The best attack with a weapon, on one's own like at a distance behind a cover."""

    def work_out() -> Round | None:
        unit, (_, covered, material) = unit_of(own, rules), COVERS[cover]
        return round_between(
            rules, unit, unit, squares, *_scale(rules), covered=covered, material=material, weapons=(weapon,)
        )

    return ROUNDS.get((rules,), (own, weapon, squares, cover), work_out)


def _scale(rules: Ruleset) -> tuple[str, int]:
    """The unit of the map on which the chances are weighed, and the side of its squares in hundredths."""
    unit = rules.distance.ranges if rules.distance.ranges in SQUARE else rules.distance.unit
    unit = unit if unit in SQUARE else METRES
    return unit, SQUARE[unit]


def chance_words(chance: Fraction) -> str:
    """A chance in whole percents."""
    return percent(Fraction(round(chance * 100), 100))
