"""Events of the table: doors, the GM's changes to the ledger, her notes and dice, smoke and wind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from engine.battle.events.event import Event, LogEvent
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import OFF, CoverRuling, Note, Policy
from engine.bounds import SOME, Id, ListOf, Text, Whole
from engine.dice.sources import Roll
from engine.geometry.blast.smoke_clouds import Cloud, Wind
from engine.geometry.squares import Edge
from engine.rules.ledger import Adjustment
from engine.values import replace

__all__ = [
    "Adjusted",
    "AdjustmentsCleared",
    "BarrierChanged",
    "CloudCleared",
    "CloudSet",
    "CloudsDrifted",
    "CoverRuled",
    "CoverRulingEnded",
    "DiceThrown",
    "NoteCleared",
    "NoteSet",
    "PolicyEnded",
    "PolicySet",
    "RollCorrected",
    "RulingSet",
    "WindSet",
]


class BarrierChanged(Event, frozen=True, tag="barrier-changed"):
    """A door or its like was opened, closed, locked or broken."""

    edge: Edge
    kind: Id
    before: Text
    after: Text

    def apply(self, battle: Battle) -> Battle:
        battle = replace(battle, field=battle.field.with_state(self.edge, self.after))
        return battle.with_clouds(battle.scene.clouds)


class RulingSet(Event, frozen=True, tag="ruling-set"):
    """The GM changes one of the ruleset's rulings for this battle."""

    ruling: Id
    label: Text
    before: bool | Whole | Text
    after: bool | Whole | Text

    def apply(self, battle: Battle) -> Battle:
        gm = replace(battle.gm, rulings={**battle.gm.rulings, self.ruling: self.after})
        sight = battle.field.sight.ruled(self.ruling, self.after)
        if sight is battle.field.sight:
            return replace(battle, gm=gm)
        return replace(battle, gm=gm, field=replace(battle.field, sight=sight))


class Adjusted(Event, frozen=True, tag="adjusted"):
    """The GM changed the ledger of the next attack."""

    adjustment: Adjustment

    def apply(self, battle: Battle) -> Battle:
        """The battle with the GM's modifier; without a value it keeps the earlier value for that entry."""
        new, held = self.adjustment, battle.gm.adjustments
        before = next((item for item in held if item.entry == new.entry), None)
        if before is not None and new.value is None:
            new = replace(new, value=before.value, label=before.label, note=new.note or before.note)
        others = (item for item in held if item.entry != new.entry)
        return replace(battle, gm=replace(battle.gm, adjustments=(*others, new)))

    def redacted(self, hidden: frozenset[str], before: Battle) -> Event | None:
        """In the turn of somebody whom players do not know it is about that unit's attack."""
        return None if before.turns.active in hidden else self


class AdjustmentsCleared(Event, frozen=True, tag="adjustments-cleared"):
    """Changes that held for one attack are spent."""

    entries: ListOf[Id]

    def apply(self, battle: Battle) -> Battle:
        held = tuple(item for item in battle.gm.adjustments if item.entry not in self.entries)
        return replace(battle, gm=replace(battle.gm, adjustments=held))

    def redacted(self, hidden: frozenset[str], before: Battle) -> Event | None:
        return None if before.turns.active in hidden else self


class CloudSet(Event, frozen=True, tag="cloud-set"):
    """A cloud of smoke lies there now, in place of one of the same id: of the weapon of that label; "" is the GM's."""

    cloud: Cloud
    weapon: Id = ""

    def apply(self, battle: Battle) -> Battle:
        other_clouds = (held for held in battle.scene.clouds if held.id != self.cloud.id)
        return battle.with_clouds((*other_clouds, self.cloud))


class CloudCleared(Event, frozen=True, tag="cloud-cleared"):
    """The GM took a cloud away."""

    cloud: Cloud

    def apply(self, battle: Battle) -> Battle:
        return battle.with_clouds(tuple(held for held in battle.scene.clouds if held.id != self.cloud.id))


class WindSet(Event, frozen=True, tag="wind-set"):
    """Where to the wind blows; None for no wind."""

    wind: Wind | None

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, scene=replace(battle.scene, wind=self.wind))


class CloudsDrifted(Event, frozen=True, tag="clouds-drifted"):
    """A round has gone over all clouds; those that are no longer there are gone."""

    before: ListOf[Cloud]
    after: ListOf[Cloud]

    def apply(self, battle: Battle) -> Battle:
        return battle.with_clouds(self.after)


class CoverRuled(Event, frozen=True, tag="cover-ruled"):
    """The GM sets the cover of a unit against an attacker."""

    ruling: CoverRuling

    def apply(self, battle: Battle) -> Battle:
        others = (held for held in battle.gm.covers if held.pair != self.ruling.pair)
        return replace(battle, gm=replace(battle.gm, covers=(*others, self.ruling)))


class CoverRulingEnded(Event, frozen=True, tag="cover-ruling-ended"):
    """Line of sight decides cover again; `is_spent` when the ruling held for one attack, which is made."""

    attacker: Text
    target: Id
    is_spent: bool = False

    def apply(self, battle: Battle) -> Battle:
        left = tuple(held for held in battle.gm.covers if held.pair != (self.attacker, self.target))
        return replace(battle, gm=replace(battle.gm, covers=left))


class PolicySet(Event, frozen=True, tag="policy-set"):
    """The GM sets the policy of a kind of reaction or defence; `label` is its name, "" for all.

    There is a policy for each of the kind's ids; but for these they are alike.
    """

    is_for_gm = True
    policies: Annotated[tuple[Policy, ...], SOME]
    label: Text = ""

    def apply(self, battle: Battle) -> Battle:
        return _with_policies(battle, (*_policies_but(battle, self.policies), *self.policies))


class PolicyEnded(Event, frozen=True, tag="policy-ended"):
    """A policy is cleared."""

    is_for_gm = True
    policies: Annotated[tuple[Policy, ...], SOME]
    label: Text = ""

    def apply(self, battle: Battle) -> Battle:
        return _with_policies(battle, _policies_but(battle, self.policies))


class NoteSet(Event, frozen=True, tag="note-set"):
    """A note stands there now, in place of one of the same id."""

    is_for_gm = True
    note: Note

    def apply(self, battle: Battle) -> Battle:
        known = {held.id: held for held in battle.gm.notes} | {self.note.id: self.note}
        return replace(battle, gm=replace(battle.gm, notes=tuple(known.values())))


class NoteCleared(Event, frozen=True, tag="note-cleared"):
    is_for_gm = True
    note: Note

    def apply(self, battle: Battle) -> Battle:
        left = tuple(held for held in battle.gm.notes if held.id != self.note.id)
        return replace(battle, gm=replace(battle.gm, notes=left))


class DiceThrown(LogEvent, frozen=True, tag="dice-thrown"):
    """Dice that were rolled for nothing that the rules ask for."""

    is_for_gm = True
    roll: Roll
    purpose: Text = ""


class RollCorrected(LogEvent, frozen=True, tag="roll-corrected"):
    """The last command is undone and decided again with other dice: the old dice of a roll, and the new ones."""

    is_for_gm = True
    before: ListOf[Whole]
    after: ListOf[Whole]
    purpose: Text = ""
    """What the roll is for; "" where that is not known."""


def _policies_but(battle: Battle, others: Iterable[Policy]) -> tuple[Policy, ...]:
    about = {policy.about for policy in others}
    return tuple(held for held in battle.gm.policies if held.about not in about)


def _with_policies(battle: Battle, policies: tuple[Policy, ...]) -> Battle:
    """With other policies; a right to attack at once that is never taken any more is gone."""
    changed = replace(battle, gm=replace(battle.gm, policies=policies))
    left = (held for held in battle.openings if changed.gm.policy(battle.units[held.unit], held.reaction) != OFF)
    return replace(changed, openings=tuple(left))
