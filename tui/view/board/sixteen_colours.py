"""The board on a terminal that has sixteen colours: each ink is one of them, on black; nothing is mixed.

Mixed colours would be rounded to the nearest of the sixteen, and ink and paper often to the same one. These are true
colours that Rich rounds to the one that is meant; Textual has its own true colours for their names. Nothing else on the
board has a side's colour, nor, in bold, its dark twin, which many terminals then show bright.
"""

from __future__ import annotations

from rich.console import Console
from rich.style import Style

from tui.view.board.themes import COLOURS_OF_SIXTEEN

SIDES = {"side-0": "bright_cyan", "side-1": "bright_red", "side-2": "bright_yellow", "side-3": "bright_magenta"}
INKS = {
    **SIDES,
    "line": "bright_white",
    "hit": "bright_green",
    "miss": "white",
    "landed": "bright_white",
    "blast": "yellow",
    "barred": "red",
    "stop": "bright_white",
    "bar-good": "green",
    "bar-warn": "yellow",
    "bar-bad": "red",
    "bar-rest": "bright_black",
    "path": "bright_white",
    "cursor": "bright_white",
    "block": "bright_white",
    "ruler-cursor": "bright_white",
    "door": "yellow",
    "object": "yellow",
    "window": "bright_blue",
    "leaf": "green",
    "smoke": "bright_black",
    "smoke-thick": "white",
    "mark-feet": "bright_black",
    "dark": "bright_black",
    "mark": "bright_black",
    "terrain": "green",
}
"""Colours by role; the others are white."""

TINTS = {
    "band-0": "bright_green",
    "band-1": "green",
    "band-2": "yellow",
    "band-3": "bright_blue",
    "band-4": "white",
    "scale-0": "bright_black",
    "scale-1": "bright_blue",
    "scale-2": "white",
    "scale-3": "bright_green",
    "scale-4": "bright_white",
    "reach-1": "bright_green",
    "reach-2": "bright_blue",
    "seen": "bright_green",
    "part": "yellow",
    "little": "white",
    "unseen": "bright_black",
    "burst-0": "yellow",
    "burst-1": "yellow",
    "burst-2": "yellow",
    "blast": "yellow",
    "edge": "yellow",
    "blocked": "white",
}
"""Colours of the signs that tint a square."""

DARK_TWINS = {colour.removeprefix("bright_") for colour in SIDES.values()}


def sixteen_colours(ink: str, tint: str) -> Style:
    """The colours of an ink on a square that is shaded with a tint, "" for none."""
    role = ink.split()[0]
    colour = TINTS.get(tint, "white") if role == "tint" else INKS.get(role, "white")
    is_twin = colour in DARK_TWINS
    return Style(
        color=COLOURS_OF_SIXTEEN[colour],
        bgcolor=COLOURS_OF_SIXTEEN["black"],
        dim=False,
        bold=False if is_twin else None,
    )


FEW = ("standard", "windows")
"""Rich's names of sixteen colours."""


def has_sixteen_colours(console: Console) -> bool:
    """Whether the terminal was taken for one with no more than sixteen colours."""
    return console.color_system in FEW
