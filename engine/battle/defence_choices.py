"""Choices of people while a command is decided: who defends against an attack."""

from __future__ import annotations

from msgspec import Struct

from engine.answers import Given
from engine.dice.sources import TableSource


def defence_question(struck: str, drawn: str = "", *, is_one_of_several: bool = False) -> str:
    """Question for the unit that an attack hits: the command's own attack, or one of a reaction.

    Whom a throw is aimed at may defend against it, and once more, as one of several, against what bursts.
    """
    whose = f"{struck} as one of several" if is_one_of_several else struck
    return f"defence of {whose}{f' against {drawn}' if drawn else ''}"


def screen_question(struck: str, drawn: str = "") -> str:
    """Question before the roll of an attack on a unit: whether an ally takes it."""
    return f"{defence_question(struck, drawn)}, before the roll"


class Choices(Struct, frozen=True):
    """Source of defence choices: what people have chosen, and whether to ask the others."""

    table: TableSource | None
    """None where nobody has said anything."""
    asks: bool
    drawn: str = ""
    """Name of the attack, where it is an automatic reaction and not the command's own attack."""

    def take(self, q: str) -> str | None:
        """What was chosen when that was asked; None where nobody has answered it."""
        return self.table.choice(q) if self.table else None

    def is_declined(self, struck: str) -> bool:
        """Whether it was said in advance that nobody defends a unit."""
        q = defence_question(struck, self.drawn)
        return any(one.q == q and one.choose in ("", "none") for one in self.left)

    @property
    def left(self) -> Given:
        """The answers that no question has taken."""
        return self.table.left if self.table else ()


NOBODY_ASKED = Choices(None, False)
