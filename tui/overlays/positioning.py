"""Where to stand: the squares within reach by exposure, by the unit's own best attack, and by the difference.

Many attacks have to be weighed, so it is done a little at a time between keys, coarsely first (see `PositionScores`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial

from msgspec import Struct

from engine.battle.apply import apply_all
from engine.battle.events import TurnBegan
from engine.battle.moves.moves import Range, movement_range
from engine.battle.setup import full_budget
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import percent, signed
from engine.errors import Illegal
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.tactics.positioning import LATTICES, PositionOdds, coarse_first, stand_in, standing
from tui.board.overlay import SCALE
from tui.focus.focus import Focus
from tui.focus.square_text import path_words
from tui.keys.battle_keys import with_keys
from tui.overlays.shading import Shading

STEPS = (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(3, 5))
"""Chances from which the next shade of the scale begins."""
BALANCES = (Fraction(-3, 10), Fraction(-1, 10), Fraction(1, 10), Fraction(3, 10))
MOST_NAMED = 3


class PositionScores:
    """What is known so far of where a unit could stand: its reach, and the squares that were looked at."""

    def __init__(self, focus: Focus, battle: Battle, rules: Ruleset) -> None:
        found, own = _within_reach(focus, battle, rules)
        unit = own.units[focus.unit]
        self._look = partial(standing, own, rules, unit, weapon=focus.weapon, action=focus.action, move=focus.move)
        self._range = found
        self.reach = found if own is battle else None
        squares = {unit.at, *(square for one in found.reaches for square in one.costs)} if found else {unit.at}
        self._pending = coarse_first(squares)[::-1]
        self.squares = frozenset(squares)
        self.known: dict[Square, PositionOdds] = {}

    @property
    def is_whole(self) -> bool:
        return not self._pending

    @property
    def share(self) -> Fraction:
        """Of the squares, how many were looked at."""
        return Fraction(len(self.known), max(1, len(self.squares)))

    def look_on(self) -> None:
        """Looks at one more square."""
        square = self._pending.pop()
        self.known[square] = self._look(self._way(square))

    def at(self, square: Square) -> PositionOdds:
        """What standing there means, worked out at once if need be."""
        if square not in self.known:
            self.known[square] = self._look(self._way(square))
            self._pending.remove(square)
        return self.known[square]

    def _way(self, square: Square) -> tuple[Square, ...]:
        found = self._range
        return (square,) if found is None or found.stride_to(square) is None else found.path(square)

    def guess(self, square: Square) -> PositionOdds | None:
        """What is known of a square, else of the one that stands for it."""
        for step in reversed(LATTICES):
            if found := self.known.get(stand_in(square, step)):
                return found
        return None


_PROSPECTS: Cache[PositionScores] = Cache(1)


def prospects(focus: Focus, battle: Battle, rules: Ruleset) -> PositionScores:
    """What is known for a focus; the same as long as nothing but the cursor changes."""
    key = focus.unit, focus.weapon, focus.action, focus.move, focus.altitude
    return _PROSPECTS.get((battle, rules), key, lambda: PositionScores(focus, battle, rules))


class Measure(Struct, frozen=True):
    """One way to look at the squares: what it is the chance of, from where its shades begin, how it is read."""

    words: str
    steps: tuple[Fraction, ...]
    value: Callable[[PositionOdds], Fraction]


MEASURES = {
    "exposure": Measure("to be hit there by an enemy one knows of", STEPS, lambda found: found.exposure),
    "shot": Measure("of its own best attack from there", STEPS, lambda found: found.best),
    "balance": Measure("of its own best attack less that to be hit there", BALANCES, lambda found: found.balance),
}
"""By the word that the focus keeps, in the order in which one key goes through them."""


def stand(measure: str, focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> Shading:
    """The squares within reach by one of MEASURES, as far as they are known."""
    found, by = prospects(focus, battle, rules), MEASURES[measure]
    tints: dict[Square, str] = {}
    for square in found.squares:
        known = found.guess(square)
        if known is not None:
            tints[square] = SCALE[sum(by.value(known) >= step for step in by.steps)]
    told = _here(focus, battle, rules, found) if focus.cursor in found.squares else legend(measure, signs)
    return Shading(tints, told, found.reach)


def legend(measure: str, signs: Mapping[str, str]) -> str:
    """What the shades of a measure mean, in one sentence."""
    by = MEASURES[measure]
    edges = ["less", *(f"from {_points(step)}" for step in by.steps)]
    scale = ", ".join(f"{signs[tint].strip() or 'plain'} {edge}" for tint, edge in zip(SCALE, edges, strict=True))
    return (
        f"Chance {by.words}: {scale}. {with_keys('{battle.stand} goes on, {battle.move} draws the way to the cursor.')}"
    )


def _here(focus: Focus, battle: Battle, rules: Ruleset, prospects: PositionScores) -> str:
    """The cursor's square in words: who could hit there, the own best attack, the way."""
    found = prospects.at(focus.cursor)
    named = [f"{battle.units[id].name} {percent(chance)}" for id, chance in found.threats[:MOST_NAMED]]
    more = len(found.threats) - len(named)
    who = f" ({', '.join(named)}{f' and {more} more' if more else ''})" if named else ""
    own = f"{percent(found.best)} on {battle.units[found.target].name}" if found.target else "none"
    points = signed(round(found.balance * 100))
    hit = f"hit by a known enemy {percent(found.exposure)}{who}"
    told = f"{focus.cursor.name}: {hit}; own best {own}; balance {points}."
    reach = prospects.reach if focus.cursor != battle.units[focus.unit].at else None
    if reach is not None and reach.stride_to(focus.cursor) is not None:
        told += f" {path_words(reach, reach.path(focus.cursor), focus, battle, rules)}"
    return told


def _within_reach(focus: Focus, battle: Battle, rules: Ruleset) -> tuple[Range | None, Battle]:
    """Where the unit can go, or could in a turn of its own; and the battle, or that in which it has its own turn."""
    unit = battle.units[focus.unit]
    if found := _range(battle, rules, unit, focus.move):
        return found, battle
    own = apply_all(battle, [TurnBegan(unit.id, full_budget(battle, rules, unit))])
    return _range(own, rules, own.units[unit.id], focus.move), own


def _range(battle: Battle, rules: Ruleset, unit: Unit, move: str) -> Range | None:
    """Where the unit can go now; None where it may not."""
    try:
        return movement_range(battle, rules, unit, move)
    except Illegal:
        return None


def _points(step: Fraction) -> str:
    return f"−{percent(-step)}" if step < 0 else percent(step)
