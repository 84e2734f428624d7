"""Events of turns: start of battle, initiative, rounds, turns, actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from engine.battle.state.battle import HeldCommand
from engine.battle.state.units import Unit
from engine.bounds import MANY, SOME, Amount, Count, Id, ListOf, Position, Text
from engine.dice.sources import Roll
from engine.values import Stored


class BattleBegan(Stored, frozen=True, tag="battle-began"):
    """The units as the ruleset's sheets made them, and the seed of the dice."""

    units: ListOf[Unit]
    seed: Text
    party: Text = ""
    """Id of the party that it is for; "" for none."""
    encounter: Text = ""
    """The name of the encounter's file; "" for none."""


class InitiativeRolled(Stored, frozen=True, tag="initiative-rolled"):
    """One roll for initiative. `who` is a unit id or a side; `total` the score; `declared` the label of its action."""

    who: Id
    roll: Roll
    bonus: Amount
    total: Amount
    declared: Text = ""


class TieRolled(Stored, frozen=True, tag="tie-rolled"):
    """One roll more between those who are tied for initiative. `who` as for `InitiativeRolled`."""

    who: Id
    roll: Roll


class OrderSet(Stored, frozen=True, tag="order-set"):
    """Who acts in which order from now on; `scores` by unit id."""

    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]
    by_gm: bool = False


class PlaceTaken(Stored, frozen=True, tag="place-taken"):
    """A unit, with its group, has another place in the order: after another, or first."""

    unit: Id
    after: Text
    """"" for first."""
    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]
    is_delay: bool = False
    """Whether it waits; else the GM says so."""


class TurnDelayed(Stored, frozen=True, tag="turn-delayed"):
    """The active unit delays its turn before it has done anything; its budgets are kept."""

    unit: Id


class TurnTakenUp(Stored, frozen=True, tag="turn-taken-up"):
    """A turn that was put off is taken now."""

    unit: Id


class LastTurnCame(Stored, frozen=True, tag="last-turn-came"):
    """The turn that begins is the round's last, and these have waited and may still act before the round is over."""

    waiting: ListOf[Id]


class GroupFormed(Stored, frozen=True, tag="group-formed"):
    """Several units share one place in the order, and one roll for it. `order` is empty where none is rolled yet."""

    members: ListOf[Id]
    order: ListOf[Id]
    scores: Annotated[Mapping[Id, Amount], MANY]


class GroupDissolved(Stored, frozen=True, tag="group-dissolved"):
    members: ListOf[Id]


class UnitsSurprised(Stored, frozen=True, tag="units-surprised"):
    """They lose their turn in this round."""

    units: ListOf[Id]


class RoundBegan(Stored, frozen=True, tag="round-began"):
    """`budgets`: budgets at the start of the round of the units for which they change."""

    round: Count
    budgets: Annotated[Mapping[Id, Annotated[Mapping[Id, Amount], MANY]], MANY] = {}


class TurnBegan(Stored, frozen=True, tag="turn-began"):
    """A unit's turn begins with a full budget. An extra one interrupts the active unit's."""

    unit: Id
    budget: Annotated[Mapping[Id, Amount], MANY]
    is_extra: bool = False


class TurnGiven(Stored, frozen=True, tag="turn-given"):
    """The GM sets whose turn it is: interrupted turns end, and the turn order continues from that unit."""

    unit: Id


class TurnEnded(Stored, frozen=True, tag="turn-ended"):
    unit: Id


class CommandHeld(Stored, frozen=True, tag="command-held"):
    """A command has drawn reactions and waits for them."""

    held: HeldCommand


class TurnWaits(Stored, frozen=True, tag="turn-waits"):
    """An extra turn of the active unit comes when its present one is over."""

    unit: Id


class TurnDropped(Stored, frozen=True, tag="turn-dropped"):
    """A turn waits no longer: it begins now, or its unit is out of the fight."""

    unit: Id


class TurnResumed(Stored, frozen=True, tag="turn-resumed"):
    """An interrupted turn continues with what was left of it."""

    unit: Id


class ClosingBegan(Stored, frozen=True, tag="closing-began"):
    """All have walked: the first of `units` may make the attack joined to its move now, the others after it."""

    units: Annotated[tuple[Id, ...], SOME]


class ActionTaken(Stored, frozen=True, tag="action-taken"):
    """A unit pays for an action. `budget` is what it has left afterwards; `target` the unit or square it acts on."""

    unit: Id
    action: Id
    label: Text
    spent: Annotated[Mapping[Id, Amount], MANY]
    budget: Annotated[Mapping[Id, Amount], MANY]
    target: Id = ""
    goes_on: bool = False
    """Whether it is an act that enemies have reacted to: who of them has not attacked by now may no longer."""


class DiceDrawn(Stored, frozen=True, tag="dice-drawn"):
    """The seed's dice have been drawn up to `position`."""

    position: Position
