"""Commands for undo, redo, the correction of rolls, panels and the tour."""

from __future__ import annotations

from engine.battle.commands.order_commands import FinishBattle
from engine.dice.sources import parse_typed
from engine.errors import Illegal
from tui.commands.forms import Form, MenuLine
from tui.commands.naming import Missing, Words, expect, names_of, no_more
from tui.commands.results import Correction, Finish, Setting, ShowPanel, StartTour, UndoRedo
from tui.settings.settings import TITLES

MOST_STEPS = 10_000


def read_undo(words: Words, setting: Setting) -> UndoRedo:
    """ "undo", "undo 3"."""
    return UndoRedo(_times(words))


def read_redo(words: Words, setting: Setting) -> UndoRedo:
    """ "redo", "redo 3"."""
    return UndoRedo(-_times(words))


def read_panel(words: Words, setting: Setting) -> ShowPanel:
    """ "panel log off", "panel log on"."""
    name, words = expect("panel", words, names_of((name, title.removeprefix("the ")) for name, title in TITLES.items()))
    said, words = expect("state", words, names_of((said, said) for said in ("on", "off")))
    no_more(words)
    return ShowPanel(name, said == "on")


def read_tour(words: Words, setting: Setting) -> StartTour:
    """ "tour"."""
    no_more(words)
    return StartTour()


def read_finish(words: Words, setting: Setting) -> Finish:
    """ "finish", "finish all", "finish none", "finish anna"."""
    if not words:
        return Finish(None)
    own = {unit.id: unit.name for unit in setting.battle.units.values() if unit.character and unit.character.file}
    if len(words) == 1 and words[0].casefold() in ("all", "none"):
        return Finish(tuple(own) if words[0].casefold() == "all" else ())
    found: list[str] = []
    while words:
        one, words = expect("character", words, names_of(own.items()))
        found.append(one)
    return Finish(tuple(found))


def _times(words: Words) -> int:
    if not words:
        return 1
    if len(words) > 1 or not (words[0].isascii() and words[0].isdecimal()) or not 0 < int(words[0][:6]) <= MOST_STEPS:
        raise Illegal("words", f"Type a number of commands from 1 to {MOST_STEPS}: undo 3.")
    return int(words[0])


def read_correct(words: Words, setting: Setting) -> Correction:
    """ "correct 45 / 4 6": the last command done again with these dice."""
    typed = parse_typed(" ".join(words))
    if not typed:
        raise Missing("words", "Type the correct dice: correct 45 / 4 6.")
    return Correction(typed)


FORMS = (
    Form("undo [NUMBER]", "undo the last command, or the last few", read=read_undo, also=("u",)),
    Form("redo [NUMBER]", "redo what was undone", read=read_redo),
    Form("correct DICE", "correct the last roll: correct 45 / 4 6", read=read_correct,
         menu=MenuLine("o", "correct the last roll",
                       "undoes the last command and repeats it with the dice you type; the log says so")),
    Form("panel PANEL on|off", "show or hide a panel, and remember it", read=read_panel),
    Form("finish [all|none|UNITS]",
         "end the battle and show what it has changed of characters; all, some or none of it goes into their files",
         (FinishBattle,), read_finish, lambda command, setting: "finish",
         menu=MenuLine("F", "finish the battle",
                       "ends the battle; then choose which wounds, rounds and gear the characters' files keep")),
    Form("tour", "start the tour of the screen", read=read_tour),
)  # fmt: skip
