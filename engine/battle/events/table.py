"""Events of the table: doors, the GM's changes to the ledger, her notes and dice, smoke and wind."""

from __future__ import annotations

from engine.battle.pinned import CoverRuling, Note, Policy
from engine.dice.sources import Roll
from engine.field.burst.clouds import Cloud, Wind
from engine.field.squares import Edge
from engine.frozen import dataclass
from engine.rules.ledger import Adjustment


@dataclass(frozen=True, slots=True)
class BarrierChanged:
    """A door or its like was opened, closed, locked or broken."""

    edge: Edge
    kind: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class RulingSet:
    """The GM decides one of the ruleset's rulings otherwise, for this battle."""

    ruling: str
    label: str
    before: bool | int | str
    after: bool | int | str


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The GM changed the ledger of the next attack."""

    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class AdjustmentsCleared:
    """Changes that held for one attack are spent."""

    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CloudSet:
    """A cloud of smoke lies there now, in place of one of the same id: of the weapon of that label; "" is the GM's."""

    cloud: Cloud
    weapon: str = ""


@dataclass(frozen=True, slots=True)
class CloudCleared:
    """The GM took a cloud away."""

    cloud: Cloud


@dataclass(frozen=True, slots=True)
class WindSet:
    """Where to the wind blows; None for no wind."""

    wind: Wind | None


@dataclass(frozen=True, slots=True)
class CloudsDrifted:
    """A round has gone over all clouds; those that are no longer there are gone."""

    before: tuple[Cloud, ...]
    after: tuple[Cloud, ...]


@dataclass(frozen=True, slots=True)
class CoverRuled:
    """The GM says how well somebody is covered from somebody."""

    ruling: CoverRuling


@dataclass(frozen=True, slots=True)
class CoverRulingEnded:
    """What is seen counts again; `is_spent` when it held for one attack, which is made."""

    attacker: str
    target: str
    is_spent: bool = False


@dataclass(frozen=True, slots=True)
class PolicySet:
    """The GM says whether a kind of reaction or defence is asked for; `label` is what that is called, "" for all.

    There is a policy for each of the kind's ids; but for these they are alike.
    """

    policies: tuple[Policy, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class PolicyEnded:
    """As if nothing had been said about it."""

    policies: tuple[Policy, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class NoteSet:
    """A note stands there now, in place of one of the same id."""

    note: Note


@dataclass(frozen=True, slots=True)
class NoteCleared:
    note: Note


@dataclass(frozen=True, slots=True)
class DiceThrown:
    """Dice that were rolled for nothing that the rules ask for."""

    roll: Roll
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class RollCorrected:
    """The last command was taken back and is done again with other dice: what was rolled, and what counts instead."""

    before: tuple[int, ...]
    after: tuple[int, ...]
