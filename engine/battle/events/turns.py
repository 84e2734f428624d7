"""Events of the order: the battle's beginning, rounds, turns, what is paid in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

from engine.battle.units import Unit
from engine.bounds import MOST_NUMBER, Amount, Count
from engine.dice.sources import Roll
from engine.values import Stored


class BattleBegan(Stored, frozen=True):
    """The units as the ruleset's sheets made them, and the seed of the dice."""

    units: tuple[Unit, ...]
    seed: str


class InitiativeRolled(Stored, frozen=True):
    """One roll for initiative. `who` is a unit id or a side; `total` the score; `declared` the label of its action."""

    who: str
    roll: Roll
    bonus: Amount
    total: Amount
    declared: str = ""


class OrderSet(Stored, frozen=True):
    """Who acts in which order from now on; `scores` by unit id."""

    order: tuple[str, ...]
    scores: Mapping[str, Amount]
    by_gm: bool = False


class PlaceTaken(Stored, frozen=True):
    """A unit, with its group, has another place in the order: after another, or first."""

    unit: str
    after: str
    """"" for first."""
    order: tuple[str, ...]
    scores: Mapping[str, Amount]
    is_delay: bool = False
    """Whether it waits; else the GM says so."""


class TurnDelayed(Stored, frozen=True):
    """The active unit's turn is put off before it has done anything; what it has to spend is kept."""

    unit: str


class TurnTakenUp(Stored, frozen=True):
    """A turn that was put off is taken now."""

    unit: str


class LastTurnCame(Stored, frozen=True):
    """The turn that begins is the round's last, and these have waited and may still act before the round is over."""

    waiting: tuple[str, ...]


class GroupFormed(Stored, frozen=True):
    """Several units share one place in the order, and one roll for it. `order` is empty where none is rolled yet."""

    members: tuple[str, ...]
    order: tuple[str, ...]
    scores: Mapping[str, Amount]


class GroupDissolved(Stored, frozen=True):
    members: tuple[str, ...]


class UnitsSurprised(Stored, frozen=True):
    """They lose their turn in this round."""

    units: tuple[str, ...]


class RoundBegan(Stored, frozen=True):
    """`budgets`: what those units have left to spend then for whom that changes."""

    round: Count
    budgets: Mapping[str, Mapping[str, Amount]] = {}


class TurnBegan(Stored, frozen=True):
    """A unit's turn begins with a full budget. An extra one interrupts the active unit's."""

    unit: str
    budget: Mapping[str, Amount]
    is_extra: bool = False


class TurnGiven(Stored, frozen=True):
    """The GM says whose turn it is: nothing that was interrupted goes on, and the order goes on from that unit."""

    unit: str


class TurnEnded(Stored, frozen=True):
    unit: str


class TurnWaits(Stored, frozen=True):
    """An extra turn of the active unit comes when its present one is over."""

    unit: str


class TurnDropped(Stored, frozen=True):
    """A turn waits no longer: it begins now, or its unit is out of the fight."""

    unit: str


class TurnResumed(Stored, frozen=True):
    """A turn that was interrupted goes on with what was left of it."""

    unit: str


class ClosingBegan(Stored, frozen=True):
    """All have walked: the first of `units` may make the attack joined to its move now, the others after it."""

    units: tuple[str, ...]


class ActionTaken(Stored, frozen=True):
    """A unit pays for an action. `budget` is what it has left afterwards; `target` whom or where it acts on."""

    unit: str
    action: str
    label: str
    spent: Mapping[str, Amount]
    budget: Mapping[str, Amount]
    target: str = ""
    goes_on: bool = False
    """Whether it is an act that enemies have reacted to: who of them has not attacked by now may no longer."""


class DiceDrawn(Stored, frozen=True):
    """The seed's dice have been drawn up to `position`."""

    position: Annotated[int, Meta(ge=0, le=MOST_NUMBER)]
