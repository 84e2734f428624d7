"""Completion of the typed word: only words that the command accepts there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from engine.errors import BattleboardError
from tui.commands.forms import Form
from tui.commands.naming import Missing
from tui.commands.registry import BY_NAME, BY_WORD, hear
from tui.commands.results import Setting
from tui.commands.vocabulary import known

WORD = re.compile(r"[A-Z]+|[a-z]+:?")


def completions(text: str, setting: Setting) -> list[str]:
    """Completions of the last word, sorted; those that match after a hyphen last.

    For an empty word, all words that fit.
    """
    words = text.removeprefix(":").split(" ")
    begun = words[-1].casefold()
    if len(words) == 1:
        return [name for name in BY_NAME if name.startswith(begun)]
    form = BY_WORD.get(words[0].casefold())
    if form is None:
        return []
    before = " ".join(words[:-1])
    fitting = {word for word in _words_of(form, setting) if f"-{begun}" in f"-{word.casefold()}"}
    found = sorted(word for word in fitting if _may_follow(before, word, setting))
    return sorted(found, key=lambda word: not word.casefold().startswith(begun))


def completed(text: str, setting: Setting) -> str:
    """Completes the last word to the common prefix, with a blank if only one word fits."""
    begun = text.rpartition(" ")[2].removeprefix(":")
    fitting = completions(text, setting)
    found = [word for word in fitting if word.casefold().startswith(begun.casefold())]
    if not found and len(fitting) == 1:
        found = fitting
    if not found:
        return text
    head = text[: len(text) - len(begun)]
    return f"{head}{found[0]} " if len(found) == 1 else f"{head}{_shared(found)}"


def suggested(text: str, setting: Setting) -> str:
    """The line with the first completion of its last word; "" where that is not begun, or nothing fits."""
    head, _, begun = text.rpartition(" ")
    begun = begun.removeprefix(":").casefold()
    if not begun:
        return ""
    if not head:
        found = next((name for name in BY_NAME if name.startswith(begun)), "")
    else:
        form = BY_WORD.get(head.removeprefix(":").split(" ")[0].casefold())
        fitting = sorted(
            {word for word in _words_of(form, setting) if word.casefold().startswith(begun)} if form else ()
        )
        found = next((word for word in fitting if _may_follow(head.removeprefix(":"), word, setting)), "")
    return f"{text}{found[len(begun) :]}" if found else ""


def usage(text: str, setting: Setting) -> str:
    """Usage of a command without completions: "correct DICE: correct the last roll …"."""
    form = BY_WORD.get(text.removeprefix(":").partition(" ")[0].casefold())
    return f"{form.line}: {form.explained(setting)}." if form else "No command starts like this: “help” lists them."


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


def _may_follow(before: str, word: str, setting: Setting) -> bool:
    """Whether a line with this word is valid, or can become so."""
    try:
        hear(f"{before} {word}", setting)
    except Missing:
        return True
    except BattleboardError:
        return False
    return True


def _shared(words: Sequence[str]) -> str:
    """The common prefix of words."""
    first, last = min(words), max(words)
    same = (place for place, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1])
    return first[: next(same, min(len(first), len(last)))]
