"""Positioning overlay: the squares in reach by risk of being hit, by own best attack, and by net.

It evaluates many attacks, so it runs in slices between keys, coarse squares first (see `PositionScores`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from msgspec import Struct

from engine.battle.moves.moves import Range, movement_range
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import percent, percent_points, signed
from engine.errors import Illegal
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.tactics.own_turn import in_own_turn
from engine.tactics.positioning import LATTICES, PositionOdds, coarse_first, evaluate_square, stand_in
from tui.application.focus.focus import Focus
from tui.application.focus.square_text import path_words
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.markings import SCALE
from tui.application.overlays.overlay_tints import OverlayTints

STEPS = (Fraction(1, 20), Fraction(1, 5), Fraction(2, 5), Fraction(3, 5))
"""Lower bounds of the tints of the scale."""
BALANCES = (Fraction(-3, 10), Fraction(-1, 10), Fraction(1, 10), Fraction(3, 10))
MOST_NAMED = 3
MOST_NUMBERED = 3
"""Squares that are numbered as the best."""


class PositionScores:
    """Positions evaluated so far: the reach of a unit, and the squares done."""

    def __init__(self, focus: Focus, battle: Battle, rules: Ruleset) -> None:
        found, own = _within_reach(focus, battle, rules)
        unit = own.units[focus.unit]
        self._evaluate = partial(
            evaluate_square, own, rules, unit, weapon=focus.weapon, action=focus.action, move=focus.move
        )
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
        """Share of the squares that are done."""
        return Fraction(len(self.known), max(1, len(self.squares)))

    def evaluate_next(self) -> None:
        """Evaluates one more square."""
        square = self._pending.pop()
        self.known[square] = self._evaluate(self._path_to(square))

    def at(self, square: Square) -> PositionOdds:
        """The evaluation of a square, computed now if it is not done."""
        if square not in self.known:
            self.known[square] = self._evaluate(self._path_to(square))
            self._pending.remove(square)
        return self.known[square]

    def _path_to(self, square: Square) -> tuple[Square, ...]:
        found = self._range
        return (square,) if found is None or found.stride_to(square) is None else found.path(square)

    def guess(self, square: Square) -> PositionOdds | None:
        """The evaluation of a square, else of the coarse square that represents it."""
        for step in reversed(LATTICES):
            if found := self.known.get(stand_in(square, step)):
                return found
        return None


_PROSPECTS: Cache[PositionScores] = Cache(1)


def prospects(focus: Focus, battle: Battle, rules: Ruleset) -> PositionScores:
    """The evaluated positions of a focus, cached while only the cursor moves."""
    key = focus.unit, focus.weapon, focus.action, focus.move, focus.altitude
    return _PROSPECTS.get((battle, rules), key, lambda: PositionScores(focus, battle, rules))


class Measure(Struct, frozen=True):
    """A measure of positions: its label, what its highest shade means, the lower bounds of its tints, its value."""

    words: str
    highest: str
    steps: tuple[Fraction, ...]
    value: Callable[[PositionOdds], Fraction]
    is_better_low: bool = False


MEASURES = {
    "exposure": Measure(
        "Risk of being hit by known enemies", "dangerous", STEPS, lambda found: found.exposure, is_better_low=True
    ),
    "shot": Measure("Chance to hit with the unit's best attack", "good shot", STEPS, lambda found: found.best),
    "balance": Measure("Net: own hit chance minus risk", "good place", BALANCES, lambda found: found.balance),
}
"""By the `overlay` of the focus, in the order of the key."""


def stand(measure: str, focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints the squares in reach by one of MEASURES, as far as they are done."""
    found, by = prospects(focus, battle, rules), MEASURES[measure]
    tints: dict[Square, str] = {}
    for square in found.squares:
        known = found.guess(square)
        if known is not None:
            tints[square] = SCALE[sum(by.value(known) >= step for step in by.steps)]
    legend_text = (
        _here(focus, battle, rules, found, _high(by, signs))
        if focus.cursor in found.squares
        else legend(measure, signs)
    )
    best = _best(by, found)
    return OverlayTints(tints, f"{legend_text}{_best_words(by, found, best)}", found.reach, best)


def _best(by: Measure, prospects: PositionScores) -> tuple[Square, ...]:
    """The best squares that are done, the best first; of equal ones those nearest to the top and to the left."""
    sign = 1 if by.is_better_low else -1
    ranked = sorted(
        (sign * by.value(found), square.row, square.column, square) for square, found in prospects.known.items()
    )
    return tuple(square for *_, square in ranked[:MOST_NUMBERED])


def _best_words(by: Measure, prospects: PositionScores, best: Sequence[Square]) -> str:
    """The numbered squares with their values: " Best: 1 H3 5 %, 2 I3 7 %."; "" for none."""
    named = [
        f"{rank} {square.name} {percent_points(by.value(prospects.known[square]))}"
        for rank, square in enumerate(best, 1)
    ]
    return f" Best: {', '.join(named)}." if named else ""


def legend(measure: str, signs: Mapping[str, str]) -> str:
    """Legend of a measure in one sentence."""
    by = MEASURES[measure]
    edges = [f"under {percent_points(by.steps[0])}", *(f"from {percent_points(step)}" for step in by.steps)]
    scale = ", ".join(f"{signs[tint].strip() or 'plain'} {edge}" for tint, edge in zip(SCALE, edges, strict=True))
    scale += f" ({by.highest}); {', '.join(map(str, range(1, MOST_NUMBERED + 1)))} the best squares"
    return (
        f"{by.words}: {scale}. {with_keys('{battle.stand} shows the next view, {battle.move} the path to the cursor.')}"
    )


def _high(by: Measure, signs: Mapping[str, str]) -> str:
    """What the sign of the highest shade means: "▇ = dangerous."; "" where shades have no sign."""
    sign = signs[SCALE[-1]].strip()
    return f" {sign} = {by.highest}." if sign else ""


def _here(focus: Focus, battle: Battle, rules: Ruleset, prospects: PositionScores, high: str) -> str:
    """Describes the cursor's square: risk, own best attack, what `high` says of the shades, path."""
    found = prospects.at(focus.cursor)
    named = [f"{battle.units[id].name} {percent(chance)}" for id, chance in found.threats[:MOST_NAMED]]
    more = len(found.threats) - len(named)
    who = f" ({', '.join(named)}{f' and {more} more' if more else ''})" if named else ""
    own = f"{percent(found.best)} on {battle.units[found.target].name}" if found.target else "none"
    points = signed(round(found.balance * 100))
    hit = f"risk {percent(found.exposure)}{who}"
    sentence = f"{focus.cursor.name}: {hit}; best attack {own}; net {points}."
    sentence += high
    reach = prospects.reach if focus.cursor != battle.units[focus.unit].at else None
    if reach is not None and reach.stride_to(focus.cursor) is not None:
        sentence += f" {path_words(reach, reach.path(focus.cursor), focus, battle, rules)}"
    return sentence


def _within_reach(focus: Focus, battle: Battle, rules: Ruleset) -> tuple[Range | None, Battle]:
    """The movement range of the unit now or in its own turn, and the battle for that."""
    unit = battle.units[focus.unit]
    if found := _range(battle, rules, unit, focus.move):
        return found, battle
    own = in_own_turn(battle, rules, unit.id)
    return _range(own, rules, own.units[unit.id], focus.move), own


def _range(battle: Battle, rules: Ruleset, unit: Unit, move: str) -> Range | None:
    """The movement range of the unit now; None if it may not move."""
    try:
        return movement_range(battle, rules, unit, move)
    except Illegal:
        return None
