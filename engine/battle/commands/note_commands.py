"""GM notes and free dice."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.command import Command, Deciding, Events
from engine.battle.event_builder import refuse_if_full
from engine.battle.parameters import NoteId, UnitId
from engine.battle.state.battle import free_id
from engine.battle.state.gm_overrides import Note
from engine.dice.dice_expressions import parse_dice
from engine.dice.sources import roll
from engine.errors import Illegal
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import Square
from engine.text import clean

MOST_NOTES = 500
MOST_NOTE = 400
MOST_PURPOSE = 60


class SetNote(Command, frozen=True, tag="set-note"):
    """The GM pins a note where no player sees it; with the id of one, changes that. Without text, it is taken away."""

    text: str
    at: Square | None = None
    unit: UnitId = ""
    note: NoteId = ""

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        known = {note.id: note for note in battle.gm.notes}
        held = known.get(self.note)
        text = clean(self.text, MOST_NOTE).strip()
        if not text:
            if held is None:
                raise Illegal("note", "The note has no text.")
            return (ev.NoteCleared(held),)
        if self.at is not None and self.unit:
            raise Illegal("note", "A note goes on a unit or a square, not both.")
        if self.at is not None and self.at not in battle.field:
            raise OffMap(self.at, battle.field)
        if held is None:
            refuse_if_full(len(known), MOST_NOTES, "notes")
        note = Note(self.note or free_id("note", known), text, self.at, self.unit)
        if note == held:
            raise Illegal("note", "The note already says that.")
        return (ev.NoteSet(note),)


class ThrowDice(Command, frozen=True, tag="throw-dice"):
    """Free dice: "3d6+2"."""

    dice: str
    purpose: str = ""

    def decide(self, now: Deciding) -> Events:
        dice = now.dice
        rolled = roll(parse_dice(self.dice), dice, clean(self.purpose, MOST_PURPOSE) or self.dice)
        return (ev.DiceThrown(rolled, clean(self.purpose, MOST_PURPOSE)),)


KINDS = (SetNote, ThrowDice)
