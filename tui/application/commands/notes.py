"""Commands for notes and free dice."""

from __future__ import annotations

from engine.battle.command import Command
from engine.battle.commands.note_commands import SetNote, ThrowDice
from engine.battle.state.battle import Battle
from engine.geometry.squares import Square
from engine.text import clean
from tui.application.commands.amounts import MOST_TYPED
from tui.application.commands.forms import Form, MenuLine
from tui.application.commands.naming import Words, no_more, take, take_unit_or_square, unit_names
from tui.application.commands.results import Setting, TextResult

ALL = "all:"
"""Prefix of a note on the battle, if its first word could be a name."""


def parse_note(text: str, here: Square, battle: Battle) -> SetNote:
    """Parses a note on the unit on a square, else on the square; after "all:", on the battle.

    Raises:
        Illegal: nothing is typed.
    """
    text = clean(text, MOST_TYPED)
    if text.casefold().startswith("all:"):
        return SetNote(text[4:].strip())
    unit = battle.at(here)
    return SetNote(text, None if unit else here, unit.id if unit else "")


def read_note(words: Words, setting: Setting) -> Command:
    """ "note D4 a trap", "note bandit has the key", "note rain from round 4", "note all: rain", "note clear note-1"."""
    battle, names = setting.battle, unit_names(setting.battle)
    if len(words) == 2 and words[0].casefold() == "clear":
        return SetNote("", note=words[1])
    before, _, after = " ".join(words).partition(":")
    whom = before.split()
    named = take_unit_or_square(whom, names, battle) or take(whom, names)
    if after and named and not named[1]:  # "note lurker: will flank", as "note all: rain"
        words = [*whom, *after.split()]
    if found := take_unit_or_square(words, names, battle) or take(words, names):
        on, text = found[0], " ".join(found[1])
        return SetNote(text, on) if isinstance(on, Square) else SetNote(text, unit=on)
    text = " ".join(words)
    return SetNote(text[len(ALL) :].strip() if text.casefold().startswith(ALL) else text)


def read_notes(words: Words, setting: Setting) -> TextResult:
    """ "notes": all of them, with their ids."""
    no_more(words)
    battle = setting.battle
    listed = []
    for note in battle.gm.notes:
        place = battle.unit(note.unit).name if note.unit else note.at.name if note.at else "the battle"
        listed.append(f"{note.id}, {place}: {note.text}")
    return TextResult("Notes", tuple(listed) or ("There are no notes.",), is_list=True)


def write_note(note: SetNote, setting: Setting) -> str:
    if note.note:
        return "" if note.text else f"note clear {note.note}"
    return f"note {note.at.name if note.at else note.unit or ALL} {note.text}"


FORMS = (
    Form("note [UNIT|SQUARE|all:] TEXT | clear NOTE", "add a note that players do not see", (SetNote,), read_note,
         write_note,
         menu=MenuLine("N", "notes", "on the unit under the cursor, on the square, or on the battle",
                       key="battle.note")),
    Form("notes", "list all notes", read=read_notes),
    Form("roll DICE [PURPOSE]", "roll any dice: roll 3d6+2 wolves", (ThrowDice,), rolls=True,
         asks={"dice": "Type dice such as 3d6+2, then a purpose."},
         menu=MenuLine("D", "roll dice", "any dice: `3d6+2 wolves`", key="battle.throw")),
)  # fmt: skip
