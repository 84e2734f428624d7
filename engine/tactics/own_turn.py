"""A unit's own turn, begun for a question about it: what it could do, and where it could stand."""

from __future__ import annotations

from engine.battle.apply import apply_all
from engine.battle.events import Event, OrderSet, RoundBegan, TurnBegan
from engine.battle.setup import full_budget
from engine.battle.state.battle import Battle
from engine.rules.model import Ruleset
from engine.values import replace


def in_own_turn(battle: Battle, rules: Ruleset, unit_id: str) -> Battle:
    """The battle as a turn of the unit begins.

    Before initiative it is the first turn of round 1, in which the others follow in the map's order; after the end of
    the battle it is one more turn.

    Args:
        battle: now; it is not changed.
        rules: its ruleset.
        unit_id: whose turn.
    """
    begun = replace(battle, is_finished=False)
    opening: list[Event] = []
    if battle.is_set_up:
        for other in battle.units.values():
            budget = full_budget(begun, rules, other)
            begun = begun.with_unit(replace(other, turn=replace(other.turn, budget=budget)))
        opening = [OrderSet((unit_id, *(other for other in battle.units if other != unit_id)), {}), RoundBegan(1)]
    return apply_all(begun, [*opening, TurnBegan(unit_id, full_budget(battle, rules, battle.unit(unit_id)))])
