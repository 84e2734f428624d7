"""Held commands and open reactions: how several events end them. A reaction that was not used in time expires."""

from __future__ import annotations

from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.values import replace


def without_held_command(battle: Battle, unit_id: str) -> Battle:
    """A unit's command waits no more."""
    if battle.turns.held_by(unit_id) is None:
        return battle
    held = tuple(one for one in battle.turns.held if one.unit != unit_id)
    return replace(battle, turns=replace(battle.turns, held=held))


def resumed(battle: Battle, unit_id: str) -> Battle:
    """A unit resumes its interrupted command: reactions to it that were not used by then expire."""
    battle = without_held_command(battle, unit_id)
    held = tuple(one for one in battle.openings if not one.reaction or one.against != unit_id)
    return battle if held == battle.openings else replace(battle, openings=held)


def with_affordable_reactions(battle: Battle, unit: Unit) -> Battle:
    """Without the rights to react for which a unit has too little left."""
    budget = unit.turn.budget
    held = tuple(
        one
        for one in battle.openings
        if one.unit != unit.id or all(budget.get(name, 0) >= amount for name, amount in one.cost.items())
    )
    return battle if held == battle.openings else replace(battle, openings=held)
