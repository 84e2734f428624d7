"""The card of those who may act now, in words: where a side acts together, and after simultaneous moves."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.events import ClosingBegan, Event, TurnBegan, TurnResumed, TurnTakenUp
from engine.battle.state.battle import Battle
from engine.battle.turns.turn_order import may_be_next
from engine.rules.model import Ruleset
from engine.text import side_name

TURN_COMES = TurnBegan | TurnTakenUp | TurnResumed | ClosingBegan
"""Events with which somebody may act who could not before."""


def is_choice(events: Sequence[Event], battle: Battle, rules: Ruleset) -> bool:
    """Whether a turn begins or continues with these events, and the Game Master may choose another in its place."""
    return any(isinstance(event, TURN_COMES) for event in events) and bool(may_be_next(battle, rules))


def choice_title(battle: Battle) -> str:
    """What the card asks: "Who of the law acts now?" """
    if battle.turns.closing:
        return "All moves are done. Who acts now?"
    return f"Who of {side_name(battle.units[battle.turns.active].side)} acts now?"


def choice_words(battle: Battle, rules: Ruleset) -> str:
    """The card in one line; "" where there is nobody to choose."""
    if not (choices := may_be_next(battle, rules)):
        return ""
    named = (f"{number} {battle.units[one].name}" for number, one in enumerate(choices, 1))
    return f"{choice_title(battle)} {', '.join(named)}. A number chooses; {battle.units[choices[0]].name} has the turn."
