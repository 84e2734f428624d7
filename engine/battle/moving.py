"""Moves: how far a unit may go with which action, and walking a path.

A move action buys a stride of so many squares. What is left of the stride may be walked later in the turn, before
another action is paid for.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import Move
from engine.battle.draft import Draft, refuse_unless_affordable, refuse_unless_turn, unmet
from engine.battle.situation import action_facts, in_squares
from engine.battle.units import Unit
from engine.dice.sources import DiceSource
from engine.errors import Illegal, Unknown
from engine.field.movement import MoveRules, Reach, path_cost, reach
from engine.field.squares import Direction, Square
from engine.rules.model import Action, Ruleset


@dataclass(frozen=True, slots=True)
class Stride:
    """One way to move now: an action, how many squares it gives, and whether it is paid already."""

    action: Action
    squares: Fraction
    is_paid: bool


@dataclass(frozen=True, slots=True)
class Range:
    """Everywhere a unit can go now, by the first stride that leads there; later strides reach further or cost more."""

    start: Square
    strides: tuple[Stride, ...]
    reaches: tuple[Reach, ...]

    def stride_to(self, square: Square) -> int | None:
        """Index of the first stride that reaches a square; None when none does."""
        return next((index for index, found in enumerate(self.reaches) if square in found), None)

    def path(self, square: Square) -> tuple[Square, ...]:
        """The cheapest way there.

        Raises:
            Illegal: no move reaches it.
        """
        index = self.stride_to(square)
        if index is None:
            raise Illegal("reach", f"{square.name} is out of reach this turn.")
        return self.reaches[index].path(square)


def strides(battle: Battle, rules: Ruleset, unit: Unit) -> tuple[Stride, ...]:
    """Moves that the unit could make now, what is paid for first, then the ruleset's order."""
    found = []
    paid = rules.actions.get(unit.stride_action)
    if unit.stride > 0 and paid is not None and not unmet(paid, action_facts(battle, rules, unit, paid)):
        found.append(Stride(paid, min(unit.stride, _allowance(battle, rules, unit, paid)), True))
    for action in rules.actions.values():
        if action.kind != "move" or action.distance is None:
            continue
        facts = action_facts(battle, rules, unit, action)
        try:
            refuse_unless_affordable(unit, action, facts, rules)
        except Illegal:
            continue
        found.append(Stride(action, _allowance(battle, rules, unit, action), False))
    return tuple(found)


def _allowance(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> Fraction:
    """Squares that a move action gives the unit as it is now."""
    if action.distance is None:
        return Fraction(0)
    distance = action.distance.evaluate(action_facts(battle, rules, unit, action))
    return Fraction(in_squares(distance, battle.field, rules))


def movement_range(battle: Battle, rules: Ruleset, unit: Unit) -> Range:
    """Everywhere the unit can go now, for the board to shade."""
    ways = strides(battle, rules, unit)
    how = move_rules(battle, rules, unit)
    return Range(unit.at, ways, tuple(reach(battle.field, unit.at, way.squares, how) for way in ways))


def decide_move(battle: Battle, rules: Ruleset, wish: Move, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Walks a path with the stride that is paid for, else with the action named or the first that goes far enough."""
    unit = battle.unit(wish.unit)
    refuse_unless_turn(battle, unit, rules)
    if not wish.path or wish.path[0] != unit.at:
        raise Illegal("path", f"The path must begin where {unit.name} stands, at {unit.at.name}.")
    if len(wish.path) < 2:
        raise Illegal("path", f"{unit.name} stands on {unit.at.name} already.")
    cost = path_cost(battle.field, wish.path, move_rules(battle, rules, unit))
    stride = _stride_for(battle, rules, unit, wish, cost)
    draft = Draft(battle, rules)
    if not stride.is_paid:
        draft.pay(unit, stride.action, action_facts(battle, rules, unit, stride.action))
    facing = Direction.towards(wish.path[-2], wish.path[-1])
    draft.add(ev.UnitMoved(unit.id, stride.action.id, wish.path, cost, stride.squares - cost, facing))
    if not stride.is_paid:
        draft.act(unit.id, stride.action, dice)
    return draft.events


def move_rules(battle: Battle, rules: Ruleset, unit: Unit) -> MoveRules:
    """How the unit moves and who is in its way."""
    occupied = {
        square: other.side != unit.side
        for other in battle.units.values()
        if other.id != unit.id and not other.is_defeated and other.altitude == unit.altitude
        for square in other.squares
    }
    return MoveRules(
        metric=rules.metric,
        occupied=MappingProxyType(occupied),
        size=unit.size,
        flies=unit.altitude > 0,
        altitude=unit.altitude,
    )


def _stride_for(battle: Battle, rules: Ruleset, unit: Unit, wish: Move, cost: Fraction) -> Stride:
    if wish.action:
        action = rules.actions.get(wish.action)
        if action is None or action.kind != "move":
            raise Unknown("move", wish.action, (known.id for known in rules.actions.values() if known.kind == "move"))
        if unit.stride_action != action.id or unit.stride < cost:
            refuse_unless_affordable(unit, action, action_facts(battle, rules, unit, action), rules)
    ways = [way for way in strides(battle, rules, unit) if wish.action in ("", way.action.id)]
    fitting = [way for way in ways if way.squares >= cost]
    if fitting:
        return fitting[0]
    most = max((way.squares for way in ways), default=Fraction(0))
    if not ways:
        raise Illegal("budget", f"{unit.name} has no move left this turn.")
    raise Illegal(
        "reach",
        f"{unit.name} cannot move to {wish.path[-1].name}: {_told(cost)} squares needed, {_told(most)} left this turn.",
    )


def _told(number: Fraction) -> str:
    return f"{float(number):g}"
