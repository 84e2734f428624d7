"""The user's key bindings: `keys.toml` in the data folder, parsed and checked against all bindings.

A bad entry is refused with its line, and that key stays the default; the other entries apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from engine.errors import BattleboardError, Unreadable, near_miss
from engine.toml_reader import Document, described, parse, quoted
from tui.application.keys.battle_keys import BATTLE_KEYS, KEY_NAMES, TERRAIN_KEYS, key_name
from tui.application.keys.bindings import (
    CARRY_KEYS,
    ENCOUNTER_KEYS,
    END_KEYS,
    FORM_KEYS,
    LIBRARY_KEYS,
    PARTY_KEYS,
    REACTION_KEYS,
    REPLAY_KEYS,
    SHEET_KEYS,
    WATCH_KEYS,
)
from tui.application.keys.board_keys import BOARD_KEYS, UNBOUND
from tui.application.keys.key import Key
from tui.application.keys.key_names import NAMED, key_of
from tui.application.settings.settings import MOST_BYTES, read_own

Keymap = Mapping[str, tuple[str, ...]]
"""Textual's key names by binding id."""

SCREENS: Mapping[str, tuple[Key, ...]] = {
    "battle": (*BATTLE_KEYS, *BOARD_KEYS),
    "reaction": tuple(REACTION_KEYS),
    "terrain editor": (*TERRAIN_KEYS, *BOARD_KEYS),
    "replay": (*REPLAY_KEYS, *BOARD_KEYS),
    "watch": (*WATCH_KEYS, *BOARD_KEYS),
    "library": tuple(LIBRARY_KEYS),
    "new encounter": tuple(ENCOUNTER_KEYS),
    "party": tuple(PARTY_KEYS),
    "sheet": tuple(SHEET_KEYS),
    "form": tuple(FORM_KEYS),
    "end card": tuple(END_KEYS),
    "carry over": tuple(CARRY_KEYS),
}
"""The bindings that are active together, by screen."""

WRITTEN = {
    **{shown.lower(): key for key, shown in KEY_NAMES.items()},
    "esc": "escape",
    "page up": "pageup",
    "page down": "pagedown",
}
"""Further spellings of a key besides Textual's name and the character."""

OURS = ("ctrl+c", "ctrl+q", "ctrl+p", "ctrl+l")
"""Reserved keys of the program."""

ELSEWHERE = {
    "ctrl+h": "Backspace",
    "ctrl+i": "Tab",
    "ctrl+j": "Enter",
    "ctrl+m": "Enter",
    "ctrl+left_square_bracket": "Esc",
}
"""Keys that terminals send as another key."""

RENAMED = {"battle.shade": "battle.overlay"}
"""Ids that key actions had in earlier versions, with those of today; a file may have either."""


class KeyAction(Struct, frozen=True):
    """An action with its keys."""

    id: str
    keys: tuple[str, ...]
    """The defaults, as Textual's key names; none for an action that ships without a key."""
    name: str
    meaning: str


def key_action_ids() -> dict[str, KeyAction]:
    """Key actions by id, in the order of the help, each once even if several screens have it."""
    found: dict[str, KeyAction] = {}
    for bindings in SCREENS.values():
        for one in bindings:
            if one.id not in found:
                keys = tuple(key.strip() for key in one.key.split(",") if not key.startswith(UNBOUND))
                found[one.id] = KeyAction(one.id, keys, one.description, one.tooltip or one.description)
    return found


def shown_key(key: str) -> str:
    """The display name of a key."""
    return key_name(key)


def read_keymap(path: Path) -> tuple[Keymap, BattleboardError | None]:
    """Reads a keymap file: the changed keys, and an error with the refused entries. No file means no changes."""
    try:
        return parse_keymap(read_own(path), path.name)
    except FileNotFoundError:
        return {}, None
    except BattleboardError as error:
        return {}, error


def refused_words(error: BattleboardError) -> str:
    """Describes the refused entries in one short sentence."""
    if not isinstance(error, Unreadable):
        return f"{error} All keys use their defaults."
    more = f" {len(error.problems) - 1} more: “battleboard keys” lists them." if len(error.problems) > 1 else ""
    problem = error.problems[0]
    return f"{error.file}:{problem.line}:{problem.column}: {problem.message}.{more}"


def parse_keymap(text: str, file: str) -> tuple[Keymap, Unreadable | None]:
    """Parses a keymap: the changed keys, and an error with every refused entry.

    Raises:
        Unreadable: it is not TOML.
    """
    document = parse(text, file, MOST_BYTES)
    known = key_action_ids()
    wanted: dict[str, tuple[str, ...]] = {}
    places: dict[str, tuple[str | int, ...]] = {}
    for written, place, value in _entries(document):
        name = RENAMED.get(written, written)
        if name not in known:
            hint = near_miss(name, known)
            document.note(
                place,
                f"there is no key action {quoted(name)}; "
                + (f"did you mean {hint!r}?" if hint else "“battleboard keys” lists the names"),
                at_key=True,
            )
        elif value == [] and not known[name].keys:
            continue
        elif keys := _keys(document, place, value):
            wanted[name], places[name] = keys, place
    while clash := next(_clashes(wanted, known), None):
        name, key, other = clash
        what = f"{quoted(shown_key(key))} already belongs to {other} ({known[other].name})"
        document.note(places[name], f"{what}; {name} keeps {' '.join(map(shown_key, known[name].keys))}")
        del wanted[name]
    return wanted, Unreadable(file, document.problems) if document.problems else None


def _entries(document: Document) -> Iterator[tuple[str, tuple[str | int, ...], object]]:
    """Yields each id with its place in the file and its raw value: as "battle.fire" = "f", or under [battle]."""
    for key in document.root:
        value = document.root.raw(key)
        if isinstance(value, dict):
            for inner, found in value.items():
                yield f"{key}.{inner}", (key, inner), found
        else:
            yield key, (key,), value


def _keys(document: Document, place: tuple[str | int, ...], value: object) -> tuple[str, ...]:
    """Parses the keys of one action; notes a problem and returns none if one is wrong."""
    listed = value if isinstance(value, list) else [value]
    if not listed:
        document.note(place, 'the list is empty; expected a key such as "f", or several such as ["f", "F5"]')
        return ()
    found = []
    for one in listed:
        if not isinstance(one, str):
            document.note(
                place, f'{described(one)} is not a key; expected one such as "f", or several such as ["f", "F5"]'
            )
            return ()
        key = key_called(one)
        refusal = _refusal(one, key)
        if refusal:
            document.note(place, refusal)
            return ()
        found.append(key)
    return tuple(dict.fromkeys(found))


def key_called(text: str) -> str:
    """Textual's name of a key; "" for a text that is no key.

    >>> key_called("f"), key_called(","), key_called("Esc"), key_called("Ctrl+S"), key_called("hop")
    ('f', 'comma', 'escape', 'ctrl+s', '')
    """
    if len(text) == 1 and text not in WRITTEN:
        return "space" if text == " " else key_of(text) if text.isprintable() else ""
    lowered = text.strip().lower()
    lowered = WRITTEN.get(lowered, lowered)
    return lowered if lowered in NAMED or lowered in KEY_NAMES else ""


def _refusal(written: str, key: str) -> str:
    """Why a key cannot be used; "" when it can."""
    if not key:
        return f'{quoted(written)} is not a key; expected one such as "f", "F", "?", "F5", "ctrl+s", "Enter"'
    if key in OURS:
        return f"{quoted(written)} is reserved by the program; expected another key"
    if key in ELSEWHERE:
        return f"terminals send {quoted(written)} as {ELSEWHERE[key]}; expected another key"
    return ""


def _clashes(wanted: Keymap, known: Mapping[str, KeyAction]) -> Iterator[tuple[str, str, str]]:
    """Yields entries whose key another action has: entry, key, other action. Later entries give way first."""
    order = {name: place for place, name in enumerate(wanted)}
    for bindings in SCREENS.values():
        holders: dict[str, str] = {}
        names = dict.fromkeys(one.id for one in bindings)
        for name in sorted(names, key=lambda name: order.get(name, -1)):
            for key in wanted.get(name, known[name].keys):
                other = holders.setdefault(key, name)
                if other != name and name in wanted:
                    yield name, key, other
