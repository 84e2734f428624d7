"""What is placed with the cursor before it is done: a move, the aim of an attack on an area, that of an act."""

from __future__ import annotations

from msgspec import Struct

from engine.battle.state.battle import Battle
from tui.application.focus.focus import Focus

MOVES, FIRES, ACTS = "move", "fire", "act"
"""Actions of the keys that do what is placed."""


class Placing(Struct, frozen=True):
    """What is placed, until it is done, left, or anything happens in the battle."""

    battle: Battle
    unit: str
    key: str = MOVES
    """MOVES, FIRES or ACTS."""
    weapon: str = ""
    """Of an attack, as in focus."""
    action: str = ""
    """Id of the act or, as in focus, of the attack; "" for a move."""
    before: Focus | None = None
    """The focus to which leaving an aim goes back."""
