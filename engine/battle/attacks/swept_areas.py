"""Area attacks: the cone of an attack, and the units in it."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from engine.battle.distances import gap, radius_squares, range_between
from engine.battle.facts import Situation, sees
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.blast.cone import cone
from engine.geometry.blast.square_set import Zone
from engine.geometry.facings import is_within
from engine.geometry.squares import Square
from engine.rules.formula_values import number
from engine.rules.model import Ruleset
from engine.rules.space_rules import Cone


def swept(battle: Battle, rules: Ruleset, situation: Situation) -> tuple[Unit, ...] | None:
    """Units in the cone of an attack that the attacker sees, friend and foe, the nearest first.

    Returns:
        None for an attack that strikes its target alone.

    Raises:
        Illegal: the attacker aims at its own square.
    """
    area, attacker = situation.action.cone, situation.attacker
    if area is None:
        return None
    length, axis = number(area.length, situation.facts), _axis(situation)
    reach = floor(radius_squares(battle.field, rules, Fraction(length)))
    found = []
    for unit in battle.units.values():
        if unit.id == attacker.id or unit.is_defeated or max(gap(attacker, unit)) > reach:  # no metric counts less
            continue
        if not _is_in_arc(axis, area, unit):
            continue
        far = range_between(battle.field, rules, attacker, unit)
        if far <= length and sees(battle, attacker, unit):
            found.append((far, unit))
    return tuple(unit for _, unit in sorted(found, key=lambda one: one[0]))


def squares_swept(battle: Battle, rules: Ruleset, situation: Situation, area: Cone) -> Zone:
    """The squares of the cone on level ground, whether the attacker sees them or not.

    Raises:
        Illegal: the attacker aims at its own square.
    """
    start, aim = _axis(situation)
    length = radius_squares(battle.field, rules, Fraction(number(area.length, situation.facts)))
    return cone(battle.field, start, aim, area.arc, length, metric=rules.distance.metric, is_sheltered=False)


def _is_in_arc(axis: tuple[Square, Square], area: Cone, unit: Unit) -> bool:
    (column, row), (aim_column, aim_row) = axis
    across, down = aim_column - column, aim_row - row
    for square in unit.squares:
        dx, dy = square.column - column, square.row - row
        if (dx or dy) and is_within(dx * across + dy * down, abs(dx * down - dy * across), area.arc):
            return True
    return False


def _axis(situation: Situation) -> tuple[Square, Square]:
    """The square that the cone starts from, and the one that its axis runs through."""
    start, aim = (
        Square(unit.at.column + unit.size // 2, unit.at.row + unit.size // 2)
        for unit in (situation.attacker, situation.target)
    )
    if start == aim:
        raise Illegal("target", f"{situation.attacker.name} stands on {aim.name}: aim the cone at another square.")
    return start, aim
