"""The board on a terminal that has sixteen colours: each ink is one of them, on black; nothing is mixed.

Mixed colours would be rounded to the nearest of the sixteen, and ink and paper often to the same one.
"""

from __future__ import annotations

from rich.console import Console
from rich.style import Style

INKS = {
    "side-0": "bright_cyan",
    "side-1": "bright_red",
    "side-2": "bright_yellow",
    "side-3": "bright_magenta",
    "line": "bright_white",
    "stop": "bright_red",
    "path": "bright_cyan",
    "cursor": "bright_yellow",
    "block": "bright_yellow",
    "ruler-cursor": "bright_yellow",
    "door": "yellow",
    "object": "yellow",
    "window": "cyan",
    "leaf": "green",
    "smoke": "bright_black",
    "dark": "bright_black",
    "mark": "bright_black",
    "terrain": "green",
}
"""Colours by role; the others are white."""

TINTS = {
    "band-0": "bright_green",
    "band-1": "green",
    "band-2": "yellow",
    "band-3": "red",
    "band-4": "magenta",
    "scale-0": "blue",
    "scale-1": "cyan",
    "scale-2": "yellow",
    "scale-3": "bright_yellow",
    "scale-4": "bright_red",
    "reach-1": "bright_cyan",
    "reach-2": "magenta",
    "seen": "bright_green",
    "part": "yellow",
    "little": "red",
    "unseen": "bright_black",
    "blast": "bright_red",
    "edge": "red",
    "blocked": "red",
}
"""Colours of the signs that shade a square."""


def sixteen_colours(ink: str, tint: str) -> Style:
    """The colours of an ink on a square that is shaded with a tint, "" for none."""
    role = ink.split()[0]
    colour = TINTS.get(tint, "white") if role == "tint" else INKS.get(role, "white")
    return Style(color=colour, bgcolor="black", dim=False)


def has_sixteen_colours(console: Console) -> bool:
    """Whether the terminal was taken for one with no more than sixteen colours."""
    return console.color_system in ("standard", "windows")
