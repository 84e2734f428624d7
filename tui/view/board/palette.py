"""Colours and attributes: an ink on a paper becomes a style, in full colour, in 256 or sixteen colours or in none.

A paper is what a cell's background says of its square; an ink is a role, perhaps followed by `reverse` or `underline`.
Ground is dark and quiet, tints colour it at a third of their strength; only units, lines and blockers are bright.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from rich.style import Style
from textual.color import Color

from tui.application.overlays.markings import BANDS
from tui.view.board.colours_256 import GLARE, is_grey, rounded
from tui.view.board.sixteen_colours import FEW, sixteen_colours
from tui.view.board.themes import GAME_COLOURS

if TYPE_CHECKING:
    from textual.app import App

TINT_STRENGTH = 1 / 3
"""Share of a tint in the ground."""
BURST_STRENGTHS = {"burst-0": 0.62, "burst-1": 0.44, "burst-2": 0.26}
"""The same for the rings of a blast that went off."""
CHECKER = 0.035
BODY = 0.16
"""How strongly a hidden unit colours its squares."""
PALE = 0.35
"""White in a side's colour where it writes a name."""
WHITE = Color(255, 255, 255)
BLACK = Color(0, 0, 0)

QUIET = {"terrain": 0.34, "dark": 0.13, "label": 0.5, "blast": 0.5}
"""Inks that are the paper's own colour with some light added, and how much."""

SHADED = ("object", "metal", "stone", "leaf", "wall", "door", "window", "low", "solid")
"""Inks that darkness takes a share of."""

LIGHT_LEFT = (0.55, 0.9, 1.0, 0.75)
"""Share of a shaded ink that is left in darkness, in light that changes nothing, in bright and in dim light."""

NIGHT = (0.5, 0.0, 0.0, 0.25)
"""Share of night in the ground, by the same steps of light."""
GLOW = (0.0, 0.0, 0.3, 0.0)
"""Share of the light of lamps in it."""

RISE, MOST_RISE, FIRST_RISE = 0.115, 0.44, 0.03
"""Share of the colour of height in high ground, for each level, at most, and at once."""
FALL, MOST_FALL = 0.24, 0.55
"""Share of black in low ground, for each level, and at most."""
FOOT = 0.38
"""Share of black at the foot of a step that nobody walks up."""

FILL_SHARES = {"medium": 0.34, "heavy": 0.46}
"""Share of its ink in the frame of an object."""

HIGH_SHARE = 0.12
"""What is left of all these where contrast is to be high: ground stays near black."""

TINT_SHARES, SIGN_STRENGTHS = (1.0, 0.57), (0.5, 0.9)
"""What is left of a tint, but of a range band's, and how much of it is in its sign; usually, where contrast is high."""

STRENGTHS = {"light": 0.55, "down": 0.5, "name": 0.72}
"""Flags that let the paper through, and how much of the ink is left."""

TEXTS = (
    *("label", "line", "hit", "miss", "landed", "blast", "barred", "path", "cursor", "ruler", "ruler-cursor"),
    *("block", "stop", "bar-good", "bar-warn", "bar-bad"),
)
"""Inks that are read, besides the sides'."""

USUAL_LEAST, HIGH_LEAST = (4.5, 1.0), (7.0, 3.0)
"""Least contrast, as WCAG counts it, of what is read and of what only stands there."""
STEPS = 12
"""Steps on the way to black or white in which an ink is made legible."""

BOLD = ("line", "hit", "landed", "barred", "stop", "path", "cursor", "block")

ATTRIBUTES = {
    "mark": Style(dim=True),
    "mark-feet": Style(dim=True),
    "terrain": Style(dim=True),
    "smoke": Style(dim=True),
    "smoke-thick": Style(dim=True),
    "bar-rest": Style(dim=True),
    "side-2": Style(italic=True),
    "side-3": Style(italic=True, dim=True),
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
    light: int = 1
    """An index into NIGHT and GLOW."""
    thing: str = ""
    """The ink and the weight of what fills it, as "object medium"; "" for nothing."""
    tint: str = ""
    is_foot: bool = False
    """Whether it lies at the foot of a step that nobody walks up."""


VOID = Paper("void")


class Palette:
    """Styles for one theme, worked out once for each pair of ink and paper."""

    def __init__(self, colours: Mapping[str, str] | None, system: str | None = None) -> None:
        """Colours by the names in `GAME_COLOURS`, those missing as there; None for attributes only.

        Args:
            colours: by name.
            system: Rich's name of the colours that the terminal has. Of 256, the nearest to each mixed one are used; of
                sixteen, the terminal's own, and nothing is mixed.
        """
        self.is_mono = colours is None
        self._system = system
        self.is_sixteen = system in FEW
        self._is_rounded = system == "256"
        self._is_high = _is_high(colours)
        self._named = _named(colours)
        self._colours = {name: Color.parse(colour) for name, colour in self._named.items()}
        self._styles: dict[tuple[str, Paper], Style] = {}
        self._distinct: dict[Style, Style] = {}
        self._papers: dict[Paper, Color] = {}

    def fitting(self, app: App[object]) -> Palette:
        """This palette, or another one where the app's colours are others by now."""
        colours, system = None if app.native_ansi_color else app.theme_variables, app.console.color_system
        is_alike = self.is_mono == (colours is None) and self._system == system
        is_alike = is_alike and self._is_high == _is_high(colours) and self._named == _named(colours)
        return self if is_alike else Palette(colours, system)

    @property
    def has_no_papers(self) -> bool:
        """Whether backgrounds say nothing of the ground: without colour, and where there are sixteen."""
        return self.is_mono or self.is_sixteen

    @property
    def has_tint_signs(self) -> bool:
        """Whether tints have signs of their own colour besides the background."""
        return self.has_no_papers or self._is_high or self._is_rounded

    def style(self, ink: str, paper: Paper) -> Style:
        """The style of an ink such as "wall" or "side-0 reverse" on a paper. Equal styles are the same object."""
        found = self._styles.get((ink, paper))
        if found is None:
            made = self._made(ink, paper)
            found = self._styles[ink, paper] = self._distinct.setdefault(made, made)
        return found

    def _made(self, ink: str, paper: Paper) -> Style:
        if self.is_mono:
            return _attributes(ink)
        return _attributes(ink) + sixteen_colours(ink, paper.tint) if self.is_sixteen else self._coloured(ink, paper)

    def _coloured(self, ink: str, paper: Paper) -> Style:
        role, *flags = ink.split()
        back = self.ground(paper)
        front = self._ink(role, paper)
        if "plate" in flags or (self._is_high and {"veil", "down"} & set(flags)):
            back = self._colours["plate"]
        for flag in flags:
            front = back.blend(front, STRENGTHS.get(flag, 1.0))
        if "veil" in flags:
            back = self._shown(back.blend(front, BODY))
        if "pale" in flags:
            front = front.blend(self._colours["shine"], PALE)
        if role == "solid":
            back = front
        elif role == "stop":
            front, back = self._colours["stop-ink"], front
        elif role == "block":
            front, back = self._colours["cursor-ink"], front
        elif "reverse" in flags:
            front, back = self._colours["reversed"], front
        front, back = self._shown(front), self._shown(back)
        return Style(
            color=legible(front, back, self._least(role, flags), self._shown).rich_color,
            bgcolor=back.rich_color,
            bold=_is_bold(role, flags) or None,
            underline="underline" in flags or None,
        )

    def _least(self, role: str, flags: list[str]) -> float:
        """The least contrast that an ink must have to its background."""
        read, stands = HIGH_LEAST if self._is_high else USUAL_LEAST
        if role.startswith("side-"):
            return read
        if "name" in flags:
            return read
        return read if role in TEXTS else stands if role in SHADED and role != "solid" else 1.0

    def _ink(self, role: str, paper: Paper) -> Color:
        ground = self.ground(paper)
        if role == "terrain":
            own = self._colours.get(f"mark-{paper.hue}")
            found = ground.blend(own, 0.5) if own else ground.blend(self._colours["shine"], QUIET[role])
            # Rounded to a grey, it is the ink of all ground marks: a row then changes its colour less often.
            return self._colours["mark"] if self._is_rounded and is_grey(rounded(found)) else found
        if role == "tint":
            strength = SIGN_STRENGTHS[self._is_high or self._is_rounded]
            return ground.blend(self._colours[_tint(paper.tint)], strength).blend(self._colours["shine"], 0.14)
        if role in QUIET:
            return ground.blend(self._colours["shine"], QUIET[role])
        colour = self._colours["cursor" if role == "block" else role]
        return ground.blend(colour, LIGHT_LEFT[paper.light]) if role in SHADED else colour

    def ground(self, paper: Paper) -> Color:
        """The background of a paper."""
        found = self._papers.get(paper)
        if found is None:
            mixed, glare = self._mixed(paper), 0.0 if paper.tint in BURST_STRENGTHS else GLARE
            found = self._papers[paper] = rounded(mixed, glare) if self._is_rounded else mixed
        return found

    def _shown(self, colour: Color) -> Color:
        """The colour as the terminal has it."""
        return rounded(colour) if self._is_rounded else colour

    def _mixed(self, paper: Paper) -> Color:
        if paper.hue == "void":
            return self._colours["void"]
        share = HIGH_SHARE if self._is_high else 1.0
        colour = self._colours[f"ground-{paper.hue}"]
        if paper.is_odd and not (self._is_rounded and paper.tint):  # its signs count the squares
            colour = colour.blend(self._colours["shine"], CHECKER)
        if paper.level > 0:
            rise = min(MOST_RISE, FIRST_RISE + RISE * paper.level)
            colour = colour.blend(self._colours["height"], share * rise)
        elif paper.level < 0:
            colour = colour.blend(BLACK, min(MOST_FALL, FALL * -paper.level))
        colour = colour.blend(self._colours["night"], NIGHT[paper.light])
        colour = colour.blend(self._colours["lamp"], share * GLOW[paper.light])
        if paper.thing:
            ink, weight = paper.thing.split()
            colour = colour.blend(self._colours[ink], share * FILL_SHARES[weight] * LIGHT_LEFT[paper.light])
        if paper.is_foot:
            colour = colour.blend(BLACK, FOOT)
        if paper.tint:
            strength = BURST_STRENGTHS.get(paper.tint, TINT_STRENGTH)
            if self._is_rounded and paper.tint in BURST_STRENGTHS:  # else neighbours of one ring differ in hue
                colour = self._colours["void"]
            share = 1.0 if paper.tint in BANDS else TINT_SHARES[self._is_high]
            colour = colour.blend(self._colours[_tint(paper.tint)], share * strength)
        return colour


def _tint(tint: str) -> str:
    """The name of a tint's colour."""
    return "tint-blast" if tint in BURST_STRENGTHS else f"tint-{tint}"


def contrast(one: Color, other: Color) -> float:
    """How much two colours differ in lightness, from 1 to 21, as the Web Content Accessibility Guidelines count it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Color) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def legible(front: Color, back: Color, least: float, shown: Callable[[Color], Color] = lambda colour: colour) -> Color:
    """The colour, moved towards black or white as far as it needs to be read on a background, and no further.

    `shown` gives a colour as the terminal has it.
    """
    if contrast(front, back) >= least:
        return front
    end = max(WHITE, BLACK, key=lambda far: contrast(far, back))
    found = (shown(front.blend(end, step / STEPS)) for step in range(1, STEPS + 1))
    return next((colour for colour in found if contrast(colour, back) >= least), end)


def _is_high(colours: Mapping[str, str] | None) -> bool:
    return (colours or {}).get("legibility") == "high"


def _named(colours: Mapping[str, str] | None) -> dict[str, str]:
    return {name: (colours or {}).get(name, usual) for name, usual in GAME_COLOURS.items()}


def _is_bold(role: str, flags: list[str]) -> bool:
    if "heavy" in flags or role in BOLD:
        return True
    return role.startswith("side-") and not {"name", "down"} & set(flags)


def _attributes(ink: str) -> Style:
    role, *flags = ink.split()
    style = Style(bold=True) if _is_bold(role, flags) else Style()
    for part in (role, *flags):
        style += ATTRIBUTES.get(part, Style())
    return style


MONO = Palette(None)
