"""Firing positions: conditions of `[sight] positions`, in which a unit leans out or rises, and whom they open to.

A position that opens to nobody is refused: it would be paid for, and every line would be as blocked as before.
"""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.attacks.resolve_effects import act
from engine.battle.distances import carried_to
from engine.battle.event_builder import EventBuilder
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.dice.sources import SeededSource
from engine.errors import Illegal
from engine.geometry.los.sight import trace
from engine.rules.model import Action, Ruleset
from engine.values import replace


def refuse_if_closed(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> None:
    """Raises Illegal when an action takes a firing position from which the unit would see no enemy.

    One that is taken at the end of a declared move is tried where that ends, with everybody else as they stand.
    """
    positions = battle.field.sight.positions
    if not any(effect.begins in positions and effect.whom == "attacker" for effect in action.effects):
        return
    move = next((one for one in battle.turns.declared if one.unit == unit.id), None)
    there = unit if move is None else carried_to(battle.field, unit, move.path[-1])
    left = tuple(one for one in battle.turns.declared if one is not move)
    draft = EventBuilder(replace(battle.with_unit(there), turns=replace(battle.turns, declared=left)), rules)
    act(draft, unit.id, action, SeededSource("", 0))
    if not enemies_in_view(draft.battle, draft.battle.unit(unit.id)):
        why = f"no enemy is in view from there{f', {there.at.name}' if move else ''}"
        said = f"{unit.name} cannot take “{action.label}”: {why}. With “free” it takes it all the same."
        raise Illegal("position", said, why)


def tell_positions(draft: EventBuilder, since: int) -> None:
    """Adds whom the firing positions open to that units have taken with the draft's events from that one on."""
    positions = draft.battle.field.sight.positions
    for event in draft.events[since:] if positions else ():
        if isinstance(event, ev.ConditionBegan) and event.condition in positions:
            opened = enemies_in_view(draft.battle, draft.battle.unit(event.unit))
            if seen := tuple(foe.id for foe in opened if not foe.is_hidden):
                draft.add(ev.PositionOpened(event.unit, seen))


def enemies_in_view(battle: Battle, unit: Unit) -> list[Unit]:
    """The enemies in the fight to whom a unit has a line of sight."""
    eye = unit.body(battle.field)
    return [foe for foe in battle.foes(unit) if trace(battle.field, eye, foe.body(battle.field)).can_see]
