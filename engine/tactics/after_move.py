"""Look-ahead: the battle as a move would leave it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from engine.answers import Needs
from engine.battle.apply import apply_all
from engine.battle.command import Deciding, Move
from engine.battle.commands.unit_actions import RESOLVERS
from engine.battle.distances import carried_to
from engine.battle.event_builder import EventBuilder
from engine.battle.moves.simultaneous_moves import walk_all
from engine.battle.state.battle import Battle
from engine.dice.sources import TableSource
from engine.errors import Illegal
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import replace


def walked(
    battle: Battle, rules: Ruleset, unit: str, path: Sequence[Square], move: str = "", altitude: Height | None = None
) -> Battle:
    """The battle with a unit at the end of a path, with the facing and conditions that the move gives it.

    No reactions are made. A move at the end of the round is made while all others stand still: the result is the
    unit's turn after all moves. Where the move is not allowed now or needs dice, the unit is just placed there.

    Args:
        battle: now; it is not changed.
        rules: the ruleset.
        unit: id of the unit that moves.
        path: the start first.
        move: id of the move; "" for the plain ones.
        altitude: altitude that a flyer climbs or descends to first; None for its own.
    """
    mover = battle.unit(unit)
    mover = replace(mover, altitude=mover.altitude if altitude is None else altitude)
    command, undisturbed = (
        Move(unit, tuple(path), move, altitude),
        replace(rules, turns=replace(rules.turns, reactions=())),
    )
    with suppress(Illegal, Needs):
        now = Deciding(battle, undisturbed, TableSource(asks=True), RESOLVERS, tells=False)
        battle = apply_all(battle, command.decide(now))
        battle = _after_all_moves(battle, undisturbed, unit)
    goal, there = carried_to(battle.field, mover, path[-1]), battle.unit(unit)
    return battle.with_unit(replace(there, at=goal.at, altitude=goal.altitude))


def _after_all_moves(battle: Battle, rules: Ruleset, unit: str) -> Battle:
    """The battle with the unit's declared path walked and its part come; as it is where it has declared none."""
    own = tuple(move for move in battle.turns.declared if move.unit == unit)
    if not own:
        return battle
    draft = EventBuilder(replace(battle, turns=replace(battle.turns, declared=own)), rules)
    walk_all(draft)
    return replace(draft.battle, turns=replace(draft.battle.turns, active=unit, closing=(unit,)))
