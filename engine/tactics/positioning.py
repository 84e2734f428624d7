"""Positioning: for a square, the enemies' chances to hit a unit there, and its own best attack."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import prod

from msgspec import Struct

from engine.battle.command import Attack
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.tactics.after_move import walked
from engine.tactics.options import attack_option

LATTICES = (4, 2, 1)
"""Squares are looked at coarsely first: every fourth, then every second, then all."""


class PositionOdds(Struct, frozen=True):
    """A unit on a square, after the path there."""

    square: Square
    threats: tuple[tuple[str, Fraction], ...]
    """Ids of enemies that could hit it there with the usual attack of what they hold, and the chance; the greatest
    first, those that cannot left out."""
    best: Fraction
    """The chance of its own best attack from there."""
    target: str
    """Id of whom that attack is on; "" where there is none."""

    @property
    def exposure(self) -> Fraction:
        """The chance to be hit at all when each enemy attacks it once."""
        return 1 - prod((1 - chance for _, chance in self.threats), start=Fraction(1))

    @property
    def balance(self) -> Fraction:
        """Its own best chance less the exposure."""
        return self.best - self.exposure


def evaluate_square(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    way: Sequence[Square],
    weapon: str = "",
    action: str = "",
    move: str = "",
) -> PositionOdds:
    """Evaluation of a square for a unit.

    Until the unit has attacked in its turn, own attacks count that it could make there now; afterwards, any. Enemies
    that the GM alone sees are not known, and count neither way.

    Args:
        battle: now; it is not changed.
        rules: the ruleset.
        unit: who would stand there, in its posture and at its altitude.
        way: there, where it is now first; the north-west squares of a large unit. What going does to it counts.
        weapon, action: with which it would attack; "" for the one in hand, and the first that fits it.
        move: id of the move by which it goes; "" for the plain ones.
    """
    there = walked(battle, rules, unit.id, way, move)
    enemies = [foe for foe in battle.foes(unit) if not foe.is_hidden]
    threats = [
        (enemy.id, attack_option(there, rules, Attack(enemy.id, unit.id), in_any_turn=True).hit) for enemy in enemies
    ]
    threats.sort(key=lambda threat: (-threat[1], threat[0]))
    own, has_attacked = [Attack(unit.id, enemy.id, weapon, action) for enemy in enemies], unit.turn.attacks > 0
    shots = [(attack_option(there, rules, attack, in_any_turn=has_attacked).hit, attack.target) for attack in own]
    best, target = max(shots, key=lambda shot: shot[0], default=(Fraction(0), ""))
    return PositionOdds(way[-1], tuple((id, chance) for id, chance in threats if chance), best, target if best else "")


def coarse_first(squares: Iterable[Square]) -> list[Square]:
    """The squares in the order in which to look at them: those of the widest lattice first."""

    def rank(square: Square) -> tuple[int, int, int]:
        return LATTICES.index(lattice(square)), square.row, square.column

    return sorted(squares, key=rank)


def lattice(square: Square) -> int:
    """The widest of the lattices that a square is of."""
    return next(step for step in LATTICES if not square.column % step and not square.row % step)


def stand_in(square: Square, step: int) -> Square:
    """The lattice square that represents this one until it is computed itself."""
    return Square(square.column - square.column % step, square.row - square.row % step)
