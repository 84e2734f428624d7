"""Player input in one channel: a list of answers, each with its question; and the question that is still open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from engine.bounds import Id, ListOf, Text, Whole
from engine.values import Stored


class GivenAnswer(Stored, frozen=True):
    """One answer: typed dice, none where the seed was to roll; or a choice."""

    q: Text
    """What was asked, as "Damage: 2d6"; "" for the next roll, whatever it is for."""
    dice: ListOf[Whole] | None = None
    choose: Id | None = None
    """The id of what was chosen; "" for none of what is offered."""
    by_seed: bool = False
    """Whether the seed rolled these dice, which are a record: decided again, the seed rolls."""


Given = ListOf[GivenAnswer]
"""Answers in the order in which their questions come up."""


def typed_dice(groups: Iterable[tuple[int, ...]]) -> Given:
    """Dice for the next rolls, one group of numbers each; an empty group lets the seed roll."""
    return tuple(GivenAnswer("", group) for group in groups)


class Ask(Struct, frozen=True):
    """A question; its kinds define the possible answers."""

    q: str
    """By which its answer is known."""

    @property
    def owner(self) -> str:
        """Id of the unit whose player answers it; "" for that of the unit which the command orders."""
        return ""


class Needs(Exception):
    """A question that nobody has answered yet.

    Not an error of the user's: a screen catches it, puts the question, and decides the command again with `answered`.
    """

    def __init__(self, ask: Ask) -> None:
        self.ask = ask
        self.asked: Given = ()
        """The answers to all questions of the command before this one."""
        self.left: Given = ()
        """Answers that no question has taken yet."""
        self.rolled: tuple[Any, ...] = ()
        """The rolls that effects have made before this one and that are no events yet."""
        self.happened: tuple[Any, ...] = ()
        """The events of an attack or action so far."""
        self.battle: Any = None
        """The battle after these; None where nothing has happened."""
        super().__init__(ask.q)

    def answered(self, *answers: GivenAnswer) -> Given:
        """All answers, the new ones included."""
        return (*self.asked, *answers, *self.left)
