"""Initiative: who acts when, and the kinds of rolling for it. Data only; `battle.turns.turn_order` rolls."""

from __future__ import annotations

from typing import ClassVar

from msgspec import Struct

from engine.dice.dice_expressions import Dice
from engine.rules.expressions import Expression
from engine.rules.origin import Origin

EVERY = ("battle", "round")


class Initiative(Struct, frozen=True):
    """Who acts when: `dice` plus `bonus` for each of those who roll.

    High goes first; ties go by `ties`, then by a roll of `tie_dice`, then by the order of the units on the map.
    """

    kind: ClassVar[str] = ""
    rolled_for: ClassVar[str] = ""
    """What there is a roll for each of."""
    is_by_side: ClassVar[bool] = False
    """Whether a side acts as one: its members come one after the other, and none has a place elsewhere."""

    dice: Dice
    bonus: Expression
    origin: Origin
    every: str = "battle"
    """One of EVERY: whether the order stays, or is rolled again each round."""
    score: Expression | None = None
    """Formula of the score, over INITIATIVE_FACTS besides the unit's; None adds the bonus to the dice."""
    ties: Expression | None = None
    """None: the bonus."""
    tie_dice: Dice | None = None
    declares: bool = False
    """Whether units declare what they will do: its facts are then known, `action.` and the `weapon.` for it."""

    def contender(self, side: str, group: str) -> str:
        """Who rolls for a unit of this side and this group, which is itself where it has no other."""
        raise NotImplementedError


class EachInitiative(Initiative, frozen=True):
    """Every unit rolls; a group rolls once."""

    kind: ClassVar[str] = "each"
    rolled_for: ClassVar[str] = "unit"

    def contender(self, side: str, group: str) -> str:
        return group


class SidesInitiative(Initiative, frozen=True):
    """Each side rolls once, adding its best bonus."""

    kind: ClassVar[str] = "sides"
    rolled_for: ClassVar[str] = "side"
    is_by_side: ClassVar[bool] = True

    def contender(self, side: str, group: str) -> str:
        return side


INITIATIVES: tuple[type[Initiative], ...] = (EachInitiative, SidesInitiative)
"""Every kind of initiative, in the order in which messages name them."""
