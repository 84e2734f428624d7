"""Colours and attributes: an ink on a paper becomes a style. Two forms, full colour and none at all.

A paper is what a cell's background says of its square; an ink is a role, perhaps followed by `reverse` or `underline`.
Ground is dark and quiet, tints colour it at a third of their strength; only units, lines and blockers are bright.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rich.style import Style
from textual.color import Color

from tui.themes import GAME_COLOURS

TINT_STRENGTH = (0.18, 0.25, 1 / 3)
"""Share of a tint in the ground in darkness, dim and bright light."""
CHECKER = 0.025
BODY = 0.3
"""How strongly a large unit colours its squares."""
WHITE = Color(255, 255, 255)
BLACK = Color(0, 0, 0)

QUIET = {"mark": 0.2, "terrain": 0.34, "smoke": 0.17, "dark": 0.13, "ledge": 0.36, "label": 0.5}
"""Inks that are the paper's own colour with some light added, and how much."""

SHADED = ("object", "stone", "leaf", "wall", "door", "window", "low", "solid")
"""Inks that darkness takes a share of."""

LIGHT_LEFT = (0.5, 0.78, 1.0)
"""Share of a shaded ink that is left in darkness, dim and bright light."""

NIGHT = (0.72, 0.36, 0.0)
"""Share of night in the ground in darkness, dim and bright light."""

HEIGHT, DEPTH = (0.2, 0.4), (0.55, 0.35)
"""Light added to high ground and taken from low: the most there can be, and how fast levels come near to it."""

HAZE = (0.0, 0.12, 0.24)
"""Share of smoke in the ground in clear air, thin and thick smoke."""

STRENGTHS = {"light": 0.62, "down": 0.5, "name": 0.72}
"""Flags that let the paper through, and how much of the ink is left."""

BOLD = ("door", "line", "stop", "path", "cursor", "block")

ATTRIBUTES = {
    "mark": Style(dim=True),
    "terrain": Style(dim=True),
    "smoke": Style(dim=True),
    "dark": Style(dim=True),
    "ledge": Style(dim=True),
    "solid": Style(dim=True),
    "ruler": Style(dim=True),
    "stop": Style(reverse=True),
    "block": Style(reverse=True, bold=True, underline=True),
    "ruler-cursor": Style(reverse=True, bold=True),
    "light": Style(dim=True),
    "heavy": Style(bold=True),
    "down": Style(dim=True),
    "reverse": Style(reverse=True),
    "underline": Style(underline=True),
}
"""What roles and flags are without colour, besides the bold ones; the others are plain."""


class Paper(NamedTuple):
    """What the ground of a cell says."""

    hue: str
    is_odd: bool = False
    """Which of the checker's two shades."""
    level: int = 0
    light: int = 2
    smoke: int = 0
    tint: str = ""


VOID = Paper("void")


class Palette:
    """Styles for one theme, worked out once for each pair of ink and paper."""

    def __init__(self, colours: Mapping[str, str] | None) -> None:
        """Colours by the names in `GAME_COLOURS`, those missing as there; None for attributes only."""
        self.is_mono = colours is None
        self._named = _named(colours)
        self._colours = {name: Color.parse(colour) for name, colour in self._named.items()}
        self._styles: dict[tuple[str, Paper], Style] = {}
        self._distinct: dict[Style, Style] = {}
        self._papers: dict[Paper, Color] = {}

    def suits(self, colours: Mapping[str, str] | None) -> bool:
        """Whether a palette of these colours would be the same."""
        return self.is_mono == (colours is None) and self._named == _named(colours)

    def style(self, ink: str, paper: Paper) -> Style:
        """The style of an ink such as "wall" or "side-0 reverse" on a paper. Equal styles are the same object."""
        found = self._styles.get((ink, paper))
        if found is None:
            made = _attributes(ink) if self.is_mono else self._coloured(ink, paper)
            found = self._styles[ink, paper] = self._distinct.setdefault(made, made)
        return found

    def _coloured(self, ink: str, paper: Paper) -> Style:
        role, *flags = ink.split()
        back = self.ground(paper)
        front = self._ink(role, paper)
        for flag in flags:
            front = back.blend(front, STRENGTHS.get(flag, 1.0))
        if "body" in flags:
            back = back.blend(front, BODY)
        if role == "solid":
            back = front
        elif role == "stop":
            front, back = WHITE, front
        elif "block" in flags:
            front, back = front.blend(self._colours["night"], 0.45), self._colours["cursor"]
        elif role == "block" or "reverse" in flags:
            front, back = self._colours["night"], front
        return Style(
            color=front.rich_color,
            bgcolor=back.rich_color,
            bold=_is_bold(role, flags) or None,
            underline="underline" in flags or None,
        )

    def _ink(self, role: str, paper: Paper) -> Color:
        ground = self.ground(paper)
        if role == "terrain" and f"mark-{paper.hue}" in self._colours:
            return ground.blend(self._colours[f"mark-{paper.hue}"], 0.5)
        if role == "tint":
            return ground.blend(self._colours[f"tint-{paper.tint}"], 0.5).blend(WHITE, 0.14)
        if role in QUIET:
            return ground.blend(WHITE, QUIET[role])
        colour = self._colours["cursor" if role == "block" else role]
        return ground.blend(colour, LIGHT_LEFT[paper.light]) if role in SHADED else colour

    def ground(self, paper: Paper) -> Color:
        """The background of a paper."""
        found = self._papers.get(paper)
        if found is None:
            found = self._papers[paper] = self._mixed(paper)
        return found

    def _mixed(self, paper: Paper) -> Color:
        if paper.hue == "void":
            return self._colours["void"]
        colour = self._colours[f"ground-{paper.hue}"]
        if paper.level:
            most, rise = HEIGHT if paper.level > 0 else DEPTH
            steps = rise * abs(paper.level)
            colour = colour.blend(WHITE if paper.level > 0 else BLACK, most * steps / (1 + steps))
        if paper.is_odd:
            colour = colour.blend(WHITE, CHECKER)
        colour = colour.blend(self._colours["smoke"], HAZE[min(paper.smoke, 2)])
        colour = colour.blend(self._colours["night"], NIGHT[paper.light])
        if paper.tint:
            colour = colour.blend(self._colours[f"tint-{paper.tint}"], TINT_STRENGTH[paper.light])
        return colour


def _named(colours: Mapping[str, str] | None) -> dict[str, str]:
    return {name: (colours or {}).get(name, usual) for name, usual in GAME_COLOURS.items()}


def _is_bold(role: str, flags: list[str]) -> bool:
    if "heavy" in flags or role in BOLD:
        return True
    return role.startswith("side-") and not {"name", "down", "mark"} & set(flags)


def _attributes(ink: str) -> Style:
    role, *flags = ink.split()
    style = Style(bold=True) if _is_bold(role, flags) else Style()
    for part in (role, *flags):
        style += ATTRIBUTES.get(part, Style())
    return style


MONO = Palette(None)
