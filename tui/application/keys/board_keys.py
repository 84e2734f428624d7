"""The board's keys. Data only; a keymap changes them by id."""

from __future__ import annotations

from engine.values import replace
from tui.application.keys.key import Key

FAR = 5
PAGE = 15
END = 500
"""More squares than a map can have: to the edge."""

ARROWS = (
    ("left", "W", "left,h", "shift+left,H"),
    ("down", "S", "down,j", "shift+down,J"),
    ("up", "N", "up,k", "shift+up,K"),
    ("right", "E", "right,l", "shift+right,L"),
)
ENDS = (
    ("first-column", "W", END, "home"),
    ("last-column", "E", END, "end"),
    ("page-up", "N", PAGE, "pageup"),
    ("page-down", "S", PAGE, "pagedown"),
)
UNBOUND = "unbound-"
"""The start of the key of an action that ships without one: no terminal sends it. `keys.toml` gives it a key."""
DIAGONALS = (("up-left", "NW"), ("up-right", "NE"), ("down-left", "SW"), ("down-right", "SE"))

_KEYS = [
    *(
        Key(keys, f"step('{to}')", name, show=False, id=f"board.{name}", tooltip="move the cursor")
        for name, to, keys, _ in ARROWS
    ),
    *(
        Key(
            f"{UNBOUND}{name}",
            f"step('{to}')",
            name,
            show=False,
            id=f"board.{name}",
            tooltip="move the cursor diagonally",
        )
        for name, to in DIAGONALS
    ),
    *(
        Key(
            keys,
            f"step('{to}', {FAR})",
            f"five {name}",
            show=False,
            id=f"board.far-{name}",
            tooltip="move the cursor five squares",
        )
        for name, to, _, keys in ARROWS
    ),
    *(
        Key(
            keys,
            f"step('{to}', {squares})",
            name.replace("-", " "),
            show=False,
            id=f"board.{name}",
            tooltip="move the cursor to the map's edge" if squares == END else f"move the cursor {squares} squares",
        )
        for name, to, squares, keys in ENDS
    ),
    Key("enter", "choose", "choose", id="board.choose", tooltip="choose the square under the cursor"),
    Key("z", "zoom(1)", "zoom", id="board.zoom", tooltip="zoom in; after the largest squares, the smallest"),
    Key("Z", "zoom(-1)", "zoom out", show=False, id="board.zoom-back", tooltip="zoom out"),
    Key("c", "centre", "centre", id="board.centre", tooltip="centre the board on the cursor"),
]

BOARD_KEYS = [replace(binding, priority=True) for binding in _KEYS]
"""Priority bindings: the app handles each key before it reads the next, so that keys in a burst keep their order."""
