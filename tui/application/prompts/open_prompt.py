"""Prompts of one line that stay open until their answer is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from engine.errors import BattleboardError, first_line

NOTHING_TYPED = "Nothing was typed: nothing has changed."


class Prompting(Protocol):
    """A screen, or its prompt bar."""

    @property
    def ask(self) -> Callable[..., None]:
        """Takes a label, what Enter calls with the typed text, and what stands in the line at first."""


def ask_until_taken(
    screen: Prompting,
    say: Callable[[str], None],
    label: str,
    answered: Callable[[str], None],
    value: str = "",
    *,
    takes_nothing: bool = False,
    **more: Any,
) -> None:
    """Asks for a line; where `answered` raises, the reason is said and the prompt stays with what was typed.

    An empty line closes the prompt and says so, unless it `takes_nothing`: then it is an answer as any other.

    Args:
        screen: asks.
        say: shows why an answer is refused.
        label: the question.
        answered: gets the typed text; raises BattleboardError for an answer that it does not take.
        value: what stands in the line at first.
        takes_nothing: whether an empty line is an answer.
        more: further arguments of the screen's `ask`.
    """

    def heard(text: str) -> None:
        if not text and not takes_nothing:
            say(NOTHING_TYPED)
            return
        try:
            answered(text)
        except BattleboardError as reason:
            say(first_line(reason))
            if not text:
                return
            ask_until_taken(screen, say, label, answered, text, takes_nothing=takes_nothing, **more)

    screen.ask(label, heard, value, **more)
