"""Reactions that wait for an answer: which were let pass, what they have stopped, and the focus before them."""

from __future__ import annotations

from collections.abc import Callable

from engine.battle.state.battle import Battle, Opening
from tui.focus.focus import Focus


class Reactions:
    """The rights to attack out of turn that the Game Master is asked about: each needs an answer."""

    def __init__(self) -> None:
        self.interrupted: Focus | None = None
        """The focus before somebody attacked out of turn."""
        self.stopped: Callable[[], None] | None = None
        """Does what has drawn reactions and waits for the answers; None where nothing waits."""
        self._passed: list[Opening] = []

    def unanswered(self, battle: Battle) -> list[Opening]:
        """The rights to attack at once that were neither used nor let pass, the first given first."""
        return [held for held in battle.openings if held not in self._passed]

    def awaits(self, battle: Battle, unit: str) -> bool:
        """Whether somebody may still react to what a unit is about to do."""
        return any(held.reaction and held.against == unit for held in self.unanswered(battle))

    def let_pass(self, held: Opening) -> None:
        """Nobody is asked about it again."""
        self._passed.append(held)

    def forget_used(self, battle: Battle) -> None:
        """Forgets answers about rights that are gone."""
        self._passed = [held for held in self._passed if held in battle.openings]

    def forget(self) -> None:
        """Forgets every answer, and what waits for one: after undo and redo."""
        self.interrupted, self.stopped, self._passed = None, None, []
