"""Events of the table: doors, the GM's changes to the ledger, her notes and dice, smoke and wind."""

from __future__ import annotations

from typing import Annotated

from engine.battle.state.gm_overrides import CoverRuling, Note, Policy
from engine.bounds import SOME, Id, ListOf, Text, Whole
from engine.dice.sources import Roll
from engine.geometry.blast.smoke_clouds import Cloud, Wind
from engine.geometry.squares import Edge
from engine.rules.ledger import Adjustment
from engine.values import Stored


class BarrierChanged(Stored, frozen=True, tag="barrier-changed"):
    """A door or its like was opened, closed, locked or broken."""

    edge: Edge
    kind: Id
    before: Text
    after: Text


class RulingSet(Stored, frozen=True, tag="ruling-set"):
    """The GM changes one of the ruleset's rulings for this battle."""

    ruling: Id
    label: Text
    before: bool | Whole | Text
    after: bool | Whole | Text


class Adjusted(Stored, frozen=True, tag="adjusted"):
    """The GM changed the ledger of the next attack."""

    adjustment: Adjustment


class AdjustmentsCleared(Stored, frozen=True, tag="adjustments-cleared"):
    """Changes that held for one attack are spent."""

    entries: ListOf[Id]


class CloudSet(Stored, frozen=True, tag="cloud-set"):
    """A cloud of smoke lies there now, in place of one of the same id: of the weapon of that label; "" is the GM's."""

    cloud: Cloud
    weapon: Id = ""


class CloudCleared(Stored, frozen=True, tag="cloud-cleared"):
    """The GM took a cloud away."""

    cloud: Cloud


class WindSet(Stored, frozen=True, tag="wind-set"):
    """Where to the wind blows; None for no wind."""

    wind: Wind | None


class CloudsDrifted(Stored, frozen=True, tag="clouds-drifted"):
    """A round has gone over all clouds; those that are no longer there are gone."""

    before: ListOf[Cloud]
    after: ListOf[Cloud]


class CoverRuled(Stored, frozen=True, tag="cover-ruled"):
    """The GM sets the cover of a unit against an attacker."""

    ruling: CoverRuling


class CoverRulingEnded(Stored, frozen=True, tag="cover-ruling-ended"):
    """Line of sight decides cover again; `is_spent` when the ruling held for one attack, which is made."""

    attacker: Text
    target: Id
    is_spent: bool = False


class PolicySet(Stored, frozen=True, tag="policy-set"):
    """The GM sets the policy of a kind of reaction or defence; `label` is its name, "" for all.

    There is a policy for each of the kind's ids; but for these they are alike.
    """

    policies: Annotated[tuple[Policy, ...], SOME]
    label: Text = ""


class PolicyEnded(Stored, frozen=True, tag="policy-ended"):
    """A policy is cleared."""

    policies: Annotated[tuple[Policy, ...], SOME]
    label: Text = ""


class NoteSet(Stored, frozen=True, tag="note-set"):
    """A note stands there now, in place of one of the same id."""

    note: Note


class NoteCleared(Stored, frozen=True, tag="note-cleared"):
    note: Note


class DiceThrown(Stored, frozen=True, tag="dice-thrown"):
    """Dice that were rolled for nothing that the rules ask for."""

    roll: Roll
    purpose: Text = ""


class RollCorrected(Stored, frozen=True, tag="roll-corrected"):
    """The last command is undone and decided again with other dice: the old dice of a roll, and the new ones."""

    before: ListOf[Whole]
    after: ListOf[Whole]
    purpose: Text = ""
    """What the roll is for; "" where that is not known."""
