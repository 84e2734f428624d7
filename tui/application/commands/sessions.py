"""Commands for undo, redo, the correction of rolls, encounters, panels and the tour."""

from __future__ import annotations

from engine.answers import Given
from engine.battle.commands.order_commands import FinishBattle
from engine.dice.sources import parse_typed, purpose_of
from engine.errors import Illegal
from engine.journal.session import Session
from engine.text import count
from tui.application.commands.forms import Form, MenuLine, MenuState
from tui.application.commands.naming import Missing, Words, expect, names_of, no_more, skip
from tui.application.commands.results import (
    Correction,
    Finish,
    NewEncounter,
    SaveEncounter,
    Setting,
    ShowPanel,
    StartTour,
    UndoRedo,
)
from tui.application.settings.settings import TITLES

MOST_STEPS = 10_000


def read_undo(words: Words, setting: Setting) -> UndoRedo:
    """ "undo", "undo 3"."""
    return UndoRedo(_times(words))


def read_redo(words: Words, setting: Setting) -> UndoRedo:
    """ "redo", "redo 3"."""
    return UndoRedo(-_times(words))


def read_panel(words: Words, setting: Setting) -> ShowPanel:
    """ "panel log off", "panel log on"."""
    name, words = expect("panel", words, names_of(TITLES.items()))
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


def read_save(words: Words, setting: Setting) -> SaveEncounter:
    """ "save ambush", "save encounter Ambush at dawn", "save ambush replace" where there is one of that name."""
    words = skip(words, "encounter")
    is_sure = len(words) > 1 and words[-1].casefold() == "replace"
    words = words[:-1] if is_sure else words
    if not words:
        raise Missing("words", "Type a name for the encounter: save ambush.")
    return SaveEncounter(" ".join(words), is_sure)


def read_new(words: Words, setting: Setting) -> NewEncounter:
    """ "new encounter warehouse party lantern", "new encounter warehouse ruleset cwn", "new encounter warehouse".

    Without a party or a ruleset the battle has the rules of the present one.
    """
    words = skip(words, "encounter")
    if not words:
        raise Missing("words", "Type the map: new encounter warehouse party lantern.")
    found, words = NewEncounter(words[0], ruleset=setting.rules.id), words[1:]
    if words and words[0].casefold() in ("party", "ruleset"):
        if len(words) < 2:
            raise Missing("words", f"Type the {words[0].casefold()} too: new encounter {found.map} {words[0]} NAME.")
        is_party = words[0].casefold() == "party"
        found = NewEncounter(found.map, words[1] if is_party else "", "" if is_party else words[1])
        words = words[2:]
    no_more(words)
    return found


def rolls_shown(rolls: Given, named: int = 0) -> str:
    """Rolls in turn as they are typed, "45 / 4 6"; so many of them, the first first, with what they are for."""
    shown = [" ".join(map(str, roll.dice or ())) for roll in rolls]
    names = [f" ({purpose_of(roll.q)})" for roll in rolls[:named]] + [""] * len(rolls[named:])
    return " / ".join(f"{dice}{name}" for dice, name in zip(shown, names, strict=True))


def dropped_words(session: Session) -> str:
    """What a correction drops: "this drops the 3 undone commands after it"; "" for nothing."""
    undone = len(session.history.steps_undone())
    return f"this drops the {count(undone, 'undone command')} after it" if undone else ""


def last_roll_state(session: Session, unit: str) -> MenuState:
    """The dice that can be corrected, or why there are none."""
    try:
        _, rolls = session.correctable
    except Illegal as reason:
        return MenuState(reason=reason.brief)
    was = f"it was {rolls_shown(rolls[:3])}{' / …' if len(rolls) > 3 else ''}"
    return MenuState(note="; ".join(filter(None, (was, dropped_words(session)))))


FORMS = (
    Form("undo [NUMBER]", "undo the last command, or the last few", read=read_undo, also=("u",)),
    Form("redo [NUMBER]", "redo what was undone", read=read_redo),
    Form("correct DICE", "correct the last roll: correct 45 / 4 6", read=read_correct,
         menu=MenuLine("o", "correct the last roll",
                       "undoes the last command and repeats it with the dice you type; the log says so",
                       state=last_roll_state)),
    Form("panel PANEL on|off", "show or hide a panel, and remember it", read=read_panel,
         like=("show", "toggle", "display")),
    Form("finish [all|none|UNITS]",
         "end the battle and list its changes to your characters; you choose what their files keep",
         (FinishBattle,), read_finish, lambda command, setting: "finish", like=("over", "win"),
         menu=MenuLine("F", "finish the battle",
                       "the end card: who stands, who did what; then carry over, export or keep playing")),
    Form("new encounter MAP [party PARTY | ruleset RULESET]",
         "start a new battle, in its set-up phase, on a map without its own units", read=read_new),
    Form("save [encounter] NAME [replace]",
         "write the units as they stand, the notes, light and wind as an encounter that you can start again",
         read=read_save),
    Form("tour", "start the tour of the screen", read=read_tour),
)  # fmt: skip
