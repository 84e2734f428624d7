"""Names of keys, as Textual has them; a test compares the two."""

from __future__ import annotations

import unicodedata

_MOVES = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete")
_SHIFTED = tuple(f"shift+{name}" for name in _MOVES)
_WITH_CTRL = (
    *"abcdefghijklmnopqrstuvwxyz0123456789@",
    *("backslash", "circumflex_accent", "right_square_bracket", "underscore"),
    *_MOVES,
    *(f"f{number}" for number in range(1, 25)),
)
NAMED = frozenset(
    [
        *("backspace", "enter", "return", "escape", "shift+escape", "space", "tab", "shift+tab", "ctrl-at"),
        *_MOVES,
        *_SHIFTED,
        *(f"f{number}" for number in range(1, 25)),
        *(f"ctrl+{name}" for name in _WITH_CTRL),
        *(f"ctrl+{name}" for name in _SHIFTED),
        *(f"ctrl+shift+{digit}" for digit in range(10)),
    ]
)
"""The keys that have a name, beside those of characters."""
SHORTER = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Names of characters that Unicode calls otherwise."""


def key_of(character: str) -> str:
    """The name of the key of a printable character.

    >>> key_of("f"), key_of(","), key_of("/")
    ('f', 'comma', 'slash')
    """
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return SHORTER.get(name, name)
