"""Orders of players: refused by what their side knows of the battle, and carried out on the battle as it is.

So a refusal says nothing that the side does not know: a unit that it does not know, one that is hidden and one that is
not there give the same words, and a square that looks free is free until somebody walks into it. What an order that is
carried out may reveal is listed in the engine's README.
"""

from __future__ import annotations

from engine.answers import Given
from engine.battle.command import Command, Move
from engine.battle.commands.decide import Decision, decided
from engine.battle.seats import Seat
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError, Illegal
from engine.geometry.body import Body
from engine.rules.model import Ruleset
from engine.values import replace

UNKNOWN_REASON = "That cannot be done now, for a reason that your side does not know."
WRONG_ANSWERS = "The answers do not fit what is asked."
OF_ANSWERS = ("typed-dice", "dice", "answer")
"""Reasons of refusals that are about the answers to a command."""


def ordered(
    battle: Battle,
    known: Battle,
    command: Command,
    rules: Ruleset,
    answers: Given = (),
    *,
    seat: Seat,
    asks: bool = False,
    asks_dice: bool = False,
) -> tuple[Command, Decision]:
    """Decides a player's order: the command that is carried out, and its events.

    A move into somebody whom the side does not know ends on the square before.

    Args:
        battle: now, whole.
        known: the same as the side of the seat knows it (`known_battle`).
        command: the order.
        rules: the ruleset of the battle.
        answers, asks, asks_dice: as for `decided`.
        seat: who gives it.

    Raises:
        Illegal, Unknown, OffMap: refused by what the side knows; or, in words that are always the same, by something
            that it does not know.
        Needs: a question came up that is to be asked.
    """
    decided(known, command, rules, seat=seat)
    try:
        return command, decided(battle, command, rules, answers, seat=seat, asks=asks, asks_dice=asks_dice)
    except BattleboardError as refused:
        reason = refused.reason if isinstance(refused, Illegal) else ""
    if reason in OF_ANSWERS:
        raise Illegal(reason, WRONG_ANSWERS)
    shorter = _up_to_unknown(battle, known, command) if isinstance(command, Move) else command
    if shorter == command:
        raise Illegal("unknown", UNKNOWN_REASON)
    try:
        decided(known, shorter, rules, seat=seat)
        return shorter, decided(battle, shorter, rules, answers, seat=seat, asks=asks, asks_dice=asks_dice)
    except BattleboardError:
        raise Illegal("unknown", UNKNOWN_REASON) from None


def _up_to_unknown(battle: Battle, known: Battle, move: Move) -> Move:
    """The part of a move before the first unit in its way that the side does not know.

    The whole move where there is none, where it could not begin, and where the Game Master has hidden that unit: then
    it is hers to say what happens.
    """
    size = battle.unit(move.unit).size
    for place, square in enumerate(move.path):
        there = set(Body(square, size).squares)
        met = [one for one in battle.units.values() if one.id not in known.units and not there.isdisjoint(one.squares)]
        if met:
            is_secret = place < 2 or any(one.is_hidden for one in met)
            return move if is_secret else replace(move, path=move.path[:place])
    return move
