"""Rounding to the 256 colours that most terminals have over SSH: to the nearest by eye, not channel by channel.

The dark of these 256 are greys and a few glaring ones. Rounded channel by channel, brown ground becomes black, olive or
red; by eye it becomes the grey that is as light.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import hypot, inf

from rich.console import Console
from textual.color import Color
from textual.theme import Theme

from tui.view.board.themes import SCREEN_COLOURS

Lab = tuple[float, float, float]
LEVELS = (0, 95, 135, 175, 215, 255)
"""Of each channel in the cube of 6 × 6 × 6 colours."""
BLACK, WHITE = (0, 0, 0), (255, 255, 255)
GREYS = tuple(round(place * 10.2) for place in range(1, 25))
"""Greys that Rich sends as those of the grey ramp, which are as light but for a hair."""
OWN = ("side-", "block-cursor-", "footer-key-")
"""How further names begin of colours that are shown as they are."""
STATES = ("what-if-back", "set-up-back", "replay-back", "read-only-back")
"""Colours that say something by their hue, which dark ones would lose."""
GLARE = 4.0
"""That of the ground, which is quiet."""


def has_256_colours(console: Console) -> bool:
    """Whether the terminal was taken for one with 256 colours."""
    return console.color_system == "256"


@lru_cache(maxsize=4096)
def rounded(colour: Color, glare: float = 0.0) -> Color:
    """The nearest of the 256 colours, which Rich sends unchanged; `glare` is how much worse a stronger or other hue is.

    >>> rounded(Color(121, 94, 57)), rounded(Color(121, 94, 57), GLARE)
    (Color(135, 95, 0), Color(102, 102, 102))
    >>> rounded(Color(120, 52, 31)), rounded(Color(120, 52, 31), GLARE), rounded(Color(86, 182, 255))
    (Color(135, 0, 0), Color(71, 71, 71), Color(95, 175, 255))
    """
    channels = colour.rgb
    reds, greens, blues = map(_near, channels)
    cube = [(red, green, blue) for red in reds for green in greens for blue in blues if not red == green == blue]
    place = min(max(round(sum(channels) / 30.6) - 1, 1), len(GREYS) - 2)
    lightness, green_red, blue_yellow = _lab(channels)
    chroma = hypot(green_red, blue_yellow)
    best, least = WHITE, inf
    for found in (*cube, *((grey, grey, grey) for grey in GREYS[place - 1 : place + 2]), BLACK, WHITE):
        light, green, blue = _lab(found)
        apart = (light - lightness) ** 2 + (green - green_red) ** 2 + (blue - blue_yellow) ** 2
        aside = (green_red * blue - blue_yellow * green) / (chroma or 1.0)
        apart += glare * (max(0.0, hypot(green, blue) - chroma) ** 2 + aside**2)
        if apart < least:
            best, least = found, apart
    return Color(*best)


@lru_cache(maxsize=256)
def _near(channel: int) -> tuple[int, int]:
    """The two nearest levels of the cube."""
    first, second, *_ = sorted(LEVELS, key=lambda level: abs(level - channel))
    return first, second


def is_grey(colour: Color) -> bool:
    """Whether a rounded colour has no hue."""
    return len(set(colour.rgb)) == 1


def rounded_theme(theme: Theme) -> Theme:
    """A theme whose sides, panels, bars and sentences have rounded colours; the board mixes its own first."""
    names = [name for name in theme.variables if name in SCREEN_COLOURS or name.startswith(OWN)]
    colours = {name: rounded(Color.parse(theme.variables[name])).hex6 for name in names if name not in STATES}
    return replace(theme, variables={**theme.variables, **colours})


@lru_cache(maxsize=1024)
def _lab(channels: tuple[int, int, int]) -> Lab:
    """Lightness and two differences of hue, in which equal steps look equal (Oklab, Ottosson 2020).

    Textual's `rgb_to_lab` is CIE Lab, by which dark browns are nearest to pink.
    """
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (c / 255 for c in channels)
    )
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )
