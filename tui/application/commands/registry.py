"""Registry of all typed commands, for the board, the plain form and scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.battle.command import Command
from engine.errors import Illegal, Unknown
from engine.text import clean
from tui.application.commands import (
    actions,
    gear,
    notes,
    order,
    questions,
    roster,
    rulings,
    scene,
    sessions,
    sharing,
    terrain,
    unit_edits,
)
from tui.application.commands.forms import Form
from tui.application.commands.naming import LEAST_BEGINNING, Words, take_sign, take_whole, unit_names
from tui.application.commands.results import Setting, Spoken, TextResult, did_you_mean, suggestion
from tui.application.commands.vocabulary import action_names

MOST_CHARACTERS = 400
NOTES = (
    "Type a UNIT, WEAPON, MOVE, ATTACK, ACTION, CONDITION or RULING by its id or name; capitals do not matter. Two "
    "letters of it, or of a word in it, are enough if they are unambiguous. A SQUARE is a column and a row: D4. "
    "Without a unit a command applies to the unit in focus, else to the acting unit. UNITS are several units, or a "
    "whole side by its name.",
    "“dice 45 / 4 6” at the end gives the dice you rolled, one group for each roll; “dice” alone asks for each.",
    "If a unit may attack out of turn, “shoot” with both units named makes that attack; repeat the interrupted "
    "command to continue it.",
)


def read_help(words: Words, setting: Setting) -> TextResult:
    """ "help", "help move"."""
    if words:
        form = find_form(words[0], setting)
        return TextResult(form.name, (form.line, f"{form.explained(setting)}.", *_others(form)))
    listed = [line for form in FORMS for line in (form.line, f"    {form.explained(setting)}")]
    return TextResult("Commands", (*listed, "", *NOTES))


FORMS = (
    *actions.FORMS,
    *roster.FORMS,
    *unit_edits.FORMS,
    *gear.FORMS,
    *order.FORMS,
    *terrain.FORMS,
    *scene.FORMS,
    *rulings.FORMS,
    *notes.FORMS,
    *sessions.FORMS,
    *sharing.FORMS,
    *questions.FORMS,
    Form("help [COMMAND]", "list all commands, or explain one", read=read_help, also=("?",)),
)
BY_NAME: Mapping[str, Form] = {form.name: form for form in FORMS}
BY_WORD: Mapping[str, Form] = {word: form for form in FORMS for word in (form.name, *form.also)}


ELSEWHERE: Mapping[str, str] = {
    "replay": "The library{battle.library} replays a battle, and so does “battleboard replay”."
}
"""Words for what no command does, and what does it."""


def hear(text: str, setting: Setting) -> Spoken:
    """Parses a typed line.

    Raises:
        Illegal: it is not a valid command; Missing: it is incomplete.
        Unknown, OffMap: a name is unknown; the message gives the nearest.
    """
    words = clean(text, MOST_CHARACTERS).removeprefix(":").split()
    if words and words[0].startswith("=") and len(words[0]) > 1:
        words = ["=", words[0][1:], *words[1:]]
    if not words:
        raise Illegal("words", "Type a command: “help” lists them.")
    if chosen := order.read_choice(words, setting):
        return chosen
    form, rest = _form_by_name(words, setting) or (find_form(words[0], setting), words[1:])
    return form.hear(rest, setting)


def line_of(command: Command, setting: Setting) -> str:
    """Formats a command as a typed line; "" if no line expresses all of it."""
    for form in FORMS:
        if type(command) in form.makes and (line := form.print(command, setting)):
            return line
    return ""


def find_form(word: str, setting: Setting) -> Form:
    """Finds the form by the first word of a line.

    Raises:
        Unknown: there is none; the message gives the nearest.
        Illegal: the word means another command or an action of the ruleset, which the message gives.
    """
    word = word.casefold()
    if word in BY_WORD:
        return BY_WORD[word]
    meant = actions.suggested_actions(word, setting)
    meant += [suggestion(form.brief, _key(form), setting) for form in FORMS if word in form.like]
    if meant:
        raise Illegal("words", f"{word!r} is not a command. {did_you_mean(meant)}")
    if verb := actions.verb_of(word):
        lacking = f"{setting.rules.name} has no {verb}; “actions” lists what a unit may do."
        raise Illegal("words", f"{word!r} is not a command. {lacking}")
    if word in ELSEWHERE:
        raise Illegal("words", f"{word!r} is not a command. {_elsewhere(word, setting)}")
    begun = {BY_WORD[name].name for name in BY_WORD if len(word) >= LEAST_BEGINNING and name.startswith(word)}
    if len(begun) != 1:
        if usages := [f"“{form.line}”" for form in FORMS if word in re.findall("[a-z]+", form.line)]:
            raise Illegal("words", f"{word!r} is not a command, but part of {' or of '.join(usages[:2])}.")
        raise Unknown("command", word, BY_NAME)
    return BY_NAME[begun.pop()]


def _elsewhere(word: str, setting: Setting) -> str:
    """What does it, with the board's key for the library."""
    key = f" ({setting.name_keys('{battle.library}')})" if setting.name_keys else ""
    return ELSEWHERE[word].replace("{battle.library}", key)


def _key(form: Form) -> str:
    """The board's key for a form, or its letter among the GM tools."""
    return f"{{{form.key}}}" if form.key else f"{{battle.table}} {form.menu.letter}" if form.menu else ""


def _form_by_name(words: Words, setting: Setting) -> tuple[Form, Words] | None:
    """The form of a line and the words for it. Its name stands first, or after a unit; without one an action is an act.

    So is a line that is an action's whole name and begins as another, as "take cover".
    """
    names = unit_names(setting.battle)
    named = take_whole(words, names) or (None if words[0].casefold() in BY_WORD else take_sign(words, names))
    rest = named[1] if named else words
    act = take_whole(rest, action_names(setting.rules))
    if act and setting.rules.actions[act[0]].kind != "other":
        act = None
    if act and len(rest) > 1 and not act[1]:
        return BY_WORD["act"], words
    if words[0].casefold() in BY_WORD:
        return BY_WORD[words[0].casefold()], words[1:]
    if named and rest and not act:
        return find_form(rest[0], setting), [*words[: len(words) - len(rest)], *rest[1:]]
    if act and not setting.rules.actions[act[0]].target and (unit := take_whole(act[1], names)):
        return BY_WORD["act"], [unit[0], act[0], *unit[1]]  # “reload todd”: who does it may stand behind
    return (BY_WORD["act"], words) if act else None


def _others(form: Form) -> tuple[str, ...]:
    return (f"Also: {', '.join(form.also)}.",) if form.also else ()
