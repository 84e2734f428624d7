"""Completion of the typed word: only words that the command accepts there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from engine.errors import BattleboardError
from engine.rules.model import Ruleset
from engine.tactics.options import is_listed
from tui.application.commands.forms import Form
from tui.application.commands.naming import Missing, shared_start
from tui.application.commands.registry import BY_NAME, BY_WORD, hear
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.commands.vocabulary import known

WORD = re.compile(r"[A-Z]+|[a-z]+:?")


def completions(text: str, setting: Setting, but: Collection[str] = ()) -> list[str]:
    """Completions of the last word without those in `but`, sorted; those that match after a hyphen last.

    For an empty word, all words that fit.
    """
    return [word for word in _fitting(text, setting) if word not in but]


def completed(text: str, setting: Setting, but: Collection[str] = ()) -> str:
    """Completes the last word to the common prefix, with a blank if only one word fits."""
    begun = text.rpartition(" ")[2].removeprefix(":")
    fitting = completions(text, setting, but)
    found = [word for word in fitting if word.casefold().startswith(begun.casefold())]
    if not found and len(fitting) == 1:
        found = fitting
    if not found:
        return text
    head = text[: len(text) - len(begun)]
    return f"{head}{found[0]} " if len(found) == 1 else f"{head}{shared_start(found)}"


def suggested(text: str, setting: Setting) -> str:
    """The line with the first completion of its last word; "" where that is not begun, or nothing fits."""
    begun = text.rpartition(" ")[2].removeprefix(":").casefold()
    found = next(_fitting(text, setting), "") if begun else ""
    return f"{text}{found[len(begun) :]}" if found.casefold().startswith(begun) and found else ""


def usage(text: str, setting: Setting) -> str:
    """Usage of a command without completions: "correct DICE: correct the last roll …"."""
    form = BY_WORD.get(text.removeprefix(":").partition(" ")[0].casefold())
    return f"{form.line}: {form.explained(setting)}." if form else "No command starts with that: “help” lists them."


def _fitting(text: str, setting: Setting) -> Iterator[str]:
    """The completions, each checked when it is asked for."""
    before, _, last = text.removeprefix(":").rpartition(" ")
    begun = last.casefold()
    if not before:
        yield from (name for name in BY_NAME if name.startswith(begun))
    elif form := BY_WORD.get(before.split(" ")[0].casefold()):
        words = {word for word in _words_of(form, setting) if f"-{begun}" in f"-{word.casefold()}"}
        words = {word for word in words if _is_shown(word, setting.rules)}
        in_order = sorted(words, key=lambda word: (not word.casefold().startswith(begun), word))
        if form.takes_any and " " not in before:
            yield from in_order
            return
        yield from (word for word in in_order if _may_follow(before, word, setting))


def _words_of(form: Form, setting: Setting) -> Iterable[str]:
    """All words of a form."""
    for word in WORD.findall(form.line.partition(" ")[2]):
        if word == "COMMAND":
            yield from BY_NAME
        elif not word.isupper():
            yield word
        else:
            with suppress(BattleboardError):  # the user's own groups may be unreadable
                yield from known(word, setting) or ()


def _is_shown(word: str, rules: Ruleset) -> bool:
    """Whether a word may be offered: the rules' own bookkeeping is not, though the GM may type it."""
    tables = rules.units.budgets, rules.units.conditions
    return not any(word in table and table[word].internal for table in tables)


def _may_follow(before: str, word: str, setting: Setting) -> bool:
    """Whether a line with this word is valid, or can become so."""
    try:
        heard = hear(f"{before} {word}", setting)
    except Missing:
        return True
    except BattleboardError:
        return False
    return not isinstance(heard, SubmitCommand) or is_listed(setting.battle, setting.rules, heard.command)
