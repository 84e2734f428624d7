"""The GM's edits of several units as one command, so that one undo takes all of them back."""

from __future__ import annotations

from engine.battle.command import Command, Deciding, Events
from engine.battle.commands.gear_commands import Give, SetAmmunition, SetCharacter, SetStat, TakeAway
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.references import check_references
from engine.battle.commands.roster_commands import SetHidden, SetOut, SetSide
from engine.battle.commands.unit_edits import Place, SetAltitude, SetBudget, SetCondition, SetPool, SetPosture
from engine.errors import BattleboardError, Illegal
from engine.values import replace

UnitEdit = (
    SetPool
    | SetBudget
    | SetCondition
    | SetPosture
    | SetInitiative
    | SetAltitude
    | SetOut
    | SetStat
    | SetHidden
    | SetSide
    | Place
    | Give
    | TakeAway
    | SetAmmunition
    | SetCharacter
)


class EditUnits(Command, frozen=True, tag="edit-units"):
    """The GM edits several units, one after the other; what is refused for some of them is left out."""

    version = 3
    edits: tuple[UnitEdit, ...]

    def decide(self, now: Deciding) -> Events:
        draft, refused = now.draft(), list[BattleboardError]()
        for edit in self.edits:
            here = replace(now, battle=draft.battle)
            try:
                check_references(here.battle, here.rules, edit)
                found = edit.decide(here)
            except BattleboardError as reason:
                refused.append(reason)
            else:
                for event in found:
                    draft.add(event)
        if not draft.events:
            raise refused[0] if refused else Illegal("units", "Name the units and what changes.")
        return draft.events


KINDS = (EditUnits,)
