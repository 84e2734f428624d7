"""Simultaneous moves: declared in turns and made at the end of the round, step by step.

If two units move to one square, the earlier in the turn order gets it and the other stops before it. A unit that does
not move blocks enemies; allies are passed as in any move. These moves provoke reactions when they are declared.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import is_allowed
from engine.battle.attacks.explosives import trodden
from engine.battle.command import Attack
from engine.battle.distances import carried_to, feet, new_altitude
from engine.battle.event_builder import EventBuilder, acts_any_time, refuse_unless_met
from engine.battle.facts import action_facts
from engine.battle.gear import weapon_in_hand
from engine.battle.moves.movement_modes import move_rules
from engine.battle.state.battle import Battle, Declared
from engine.battle.state.reasons import Because, Reason
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield
from engine.geometry.movement.paths import doors_opened, path_cost
from engine.geometry.movement.steps import MoveRules, lift_cost, refusal
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset
from engine.text import clause
from engine.values import replace


class Walker(Struct):
    """A unit during simultaneous moves; local to one decision."""

    unit: Unit
    declared: Declared
    how: MoveRules
    walked: list[Square] = []
    because: Because = ""
    """Why it stops before its goal."""

    @property
    def is_moving(self) -> bool:
        return not self.because and len(self.walked) < len(self.declared.path)


def walk_all(draft: EventBuilder) -> tuple[str, ...]:
    """Carries out all declared moves; returns the units that moved, in order."""
    battle, rules = draft.battle, draft.rules
    place = {unit_id: number for number, unit_id in enumerate(battle.turns.order)}
    walkers: dict[str, Walker] = {}
    for declared in sorted(battle.turns.declared, key=lambda declared: place.get(declared.unit, len(place))):
        unit = battle.unit(declared.unit)
        why = _stays(battle, rules, unit, declared)
        if why:
            draft.add(ev.PathEnded(unit.id, why))
            continue
        if declared.altitude is not None:
            unit = replace(unit, altitude=declared.altitude)
        how = replace(move_rules(battle, rules, unit), occupied={})
        walkers[unit.id] = Walker(unit, declared, how, [unit.at])
    crowd = _Crowd(battle, rules, walkers)
    while any(walker.is_moving for walker in walkers.values()):
        crowd.step()
    for walker in walkers.values():
        _arrive(draft, walker, crowd.altitude_of(walker))
    return tuple(walkers)


def closers(draft: EventBuilder, unit_ids: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the units that could make an attack joined to their move now, or that wait and may answer the moves."""
    battle, rules = draft.battle, draft.rules
    return tuple(
        unit_id
        for unit_id in unit_ids
        if acts_any_time(battle.unit(unit_id), rules) or _can_close(battle, rules, unit_id)
    )


def waiters(battle: Battle, rules: Ruleset) -> tuple[str, ...]:
    """Units that may act at any time, in the turn order."""
    return tuple(unit_id for unit_id in battle.turns.order if acts_any_time(battle.unit(unit_id), rules))


def _can_close(battle: Battle, rules: Ruleset, unit_id: str) -> bool:
    unit = battle.unit(unit_id)
    weapon = weapon_in_hand(rules, unit)
    if unit.is_defeated or weapon is None:
        return False
    its_part = replace(battle, turns=replace(battle.turns, active=unit_id, closing=(unit_id,)))
    foes = battle.foes(unit)
    closing = [action.id for action in attack_actions(rules, weapon) if action.after_moves]
    return any(
        is_allowed(its_part, rules, Attack(unit_id, foe.id, action=action)) for action in closing for foe in foes
    )


def _stays(battle: Battle, rules: Ruleset, unit: Unit, declared: Declared) -> Because:
    """Why a unit does not set out at all; "" when it does."""
    if unit.is_defeated:
        return Reason("is-out")
    if unit.at != declared.path[0]:
        return Reason("is-elsewhere", at=declared.path[0])
    undeclared = replace(battle, turns=replace(battle.turns, declared=()))
    try:
        action = rules.actions[declared.action]
        refuse_unless_met(unit, action, action_facts(undeclared, rules, unit, action))
    except Illegal as reason:
        return reason.brief
    return ""


class _Crowd:
    """Where everybody is while all walk; local to one decision."""

    def __init__(self, battle: Battle, rules: Ruleset, walkers: Mapping[str, Walker]) -> None:
        self.battle, self.rules, self.field = battle, rules, battle.field
        self.walkers = walkers
        standing = {unit.id: unit for unit in battle.units.values() if not unit.is_defeated}
        self.units = standing | {walker.unit.id: walker.unit for walker in walkers.values()}

    def step(self) -> None:
        """One step of everybody who is still going."""
        wants: dict[str, tuple[Square, ...]] = {}
        for unit_id, walker in self.walkers.items():
            if walker.is_moving:
                wants[unit_id] = self._next(walker)
                if not walker.because:
                    walker.because = _barred(self.field, walker, wants[unit_id])
        wants = {unit_id: steps for unit_id, steps in wants.items() if self.walkers[unit_id].is_moving}
        goals = {unit_id: self._carried(unit_id, steps[-1]) for unit_id, steps in wants.items()}
        while goals:
            stopped = {unit_id: why for unit_id in goals if (why := self._obstacle(unit_id, goals))}
            if not stopped:
                break
            for unit_id, why in stopped.items():
                self.walkers[unit_id].because = why
                del goals[unit_id]
        for unit_id in goals:
            walker, steps = self.walkers[unit_id], wants[unit_id]
            first, laid = trodden(self.battle, self.rules, walker.unit, (walker.walked[-1], *steps))
            if laid:
                walker.because = Reason("charge-goes-off")
            walker.walked += steps[:first]
            self.units[unit_id] = self._carried(unit_id, walker.walked[-1])

    def _carried(self, unit_id: str, square: Square) -> Unit:
        return carried_to(self.field, self.walkers[unit_id].unit, square)

    def _next(self, walker: Walker) -> tuple[Square, ...]:
        """The next step of a moving unit, with those over friends in its way."""
        path, first = walker.declared.path, len(walker.walked)
        for last in range(first, len(path)):
            there = self._carried(walker.unit.id, path[last])
            in_the_way = [
                other
                for other in self.units.values()
                if _touch(there, other) and other.id != walker.unit.id and not self._is_moving(other.id)
            ]
            if not in_the_way or any(other.is_enemy_of(walker.unit) for other in in_the_way):
                return path[first : last + 1]
        walker.because = Reason("in-the-way", in_the_way[0].id)
        return ()

    def _obstacle(self, unit_id: str, goals: Mapping[str, Unit]) -> Because:
        """Why a unit cannot take its step, seeing where the others go; "" when it can."""
        there, order = goals[unit_id], list(self.walkers)
        for other_id, other in self.units.items():
            if other_id == unit_id:
                continue
            if other_id not in goals:
                if _touch(there, other):
                    return Reason("in-the-way", other_id)
            elif _touch(there, goals[other_id]) and order.index(other_id) < order.index(unit_id):
                return Reason("there-first", other_id)
            elif other.is_enemy_of(there) and _touch(there, other) and _touch(goals[other_id], self.units[unit_id]):
                return Reason("comes-towards", other_id)
        return ""

    def altitude_of(self, walker: Walker) -> int:
        """Where a unit ends: one that stays on its square does not climb or sink into another."""
        is_free = len(walker.walked) > 1 or not any(
            _touch(walker.unit, other) for other in self.units.values() if other.id != walker.unit.id
        )
        return walker.unit.altitude if is_free else self.battle.unit(walker.unit.id).altitude

    def _is_moving(self, unit_id: str) -> bool:
        return unit_id in self.walkers and self.walkers[unit_id].is_moving


def _touch(one: Unit, other: Unit) -> bool:
    """Whether two bodies would be in one square, at the same height."""
    return one.altitude == other.altitude and not set(one.squares).isdisjoint(other.squares)


def _barred(battlefield: Battlefield, walker: Walker, steps: tuple[Square, ...]) -> str:
    """Why the ground does not let a walker go there any more; "" when it does."""
    here = walker.walked[-1]
    for there in steps:
        refused = refusal(battlefield, here, Direction.towards(here, there), walker.how)
        if refused:
            return clause(str(refused))
        here = there
    return ""


def _arrive(draft: EventBuilder, walker: Walker, altitude: int) -> None:
    """Adds the events of a finished move that ends at an altitude."""
    battle, unit_id, path = draft.battle, walker.unit.id, tuple(walker.walked)
    cost = path_cost(battle.field, path, walker.how, walker.unit.turn.odd_diagonals)
    before = battle.unit(unit_id).altitude
    draft.open_doors(doors_opened(battle.field, path, walker.how))
    if altitude != before:
        from_here = replace(walker.how, feet=feet(battle.field, battle.unit(unit_id)))
        cost += lift_cost(battle.field, path[0], from_here, walker.how.feet)
        draft.add(ev.AltitudeChanged(unit_id, before, altitude))
    if len(path) > 1:
        action = draft.rules.actions[walker.declared.action]
        facts = action_facts(battle, draft.rules, battle.unit(unit_id), action)
        keeps = action.keeps_facing is not None and bool(action.keeps_facing.evaluate(facts))
        facing = walker.unit.facing if keeps else Direction.towards(path[-2], path[-1])
        ends_at = new_altitude(battle.field, walker.unit, path)
        draft.add(ev.UnitMoved(unit_id, walker.declared.action, path, cost, cost - cost, facing, True, ends_at))
    draft.add(ev.PathEnded(unit_id, walker.because))
