"""Open reactions: which were let pass, the command that they stopped, and the focus before them."""

from __future__ import annotations

from collections.abc import Callable

from engine.battle.state.battle import Battle, Opening
from tui.application.focus.focus import Focus


class Reactions:
    """Rights to attack out of turn that need an answer."""

    def __init__(self) -> None:
        self.interrupted: Focus | None = None
        """The focus before an attack out of turn."""
        self.looked_from: Focus | None = None
        """The focus before the question about a reaction; None while none is asked."""
        self.stopped: Callable[[], None] | None = None
        """Continues the command that waits for the answers; None if none waits."""
        self._passed: list[Opening] = []

    def unanswered(self, battle: Battle) -> list[Opening]:
        """The rights to attack out of turn that were neither used nor let pass, in order."""
        return [held for held in battle.openings if held not in self._passed]

    def awaits(self, battle: Battle, unit: str) -> bool:
        """Whether a unit's next act has an open reaction."""
        return any(held.reaction and held.against == unit for held in self.unanswered(battle))

    def let_pass(self, held: Opening) -> None:
        """Marks a right as let pass."""
        self._passed.append(held)

    def forget_used(self, battle: Battle) -> None:
        """Forgets the answers to expired rights."""
        self._passed = [held for held in self._passed if held in battle.openings]

    def forget(self) -> None:
        """Forgets all answers and the waiting command, after undo and redo."""
        self.interrupted, self.looked_from, self.stopped, self._passed = None, None, None, []
