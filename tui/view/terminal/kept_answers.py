"""What Textual and rich keep to answer sooner: thousands of lines, regions, styles, most of screens that are gone."""

from __future__ import annotations

from rich.cells import cached_cell_len
from rich.style import Style
from textual._styles_cache import StylesCache
from textual.color import Color
from textual.filter import ANSIToTruecolor
from textual.geometry import Region
from textual.strip import Strip

KEPT = (
    StylesCache.get_inner_outer,
    Region.intersection,
    Region.union,
    Region.translate,
    Region.overlaps,
    Region.contains_region,
    cached_cell_len,
    Style._add,
    ANSIToTruecolor.truecolor_style,
    Strip.render_ansi,
    Color.blend,
)


def forget_closed() -> None:
    """For when a screen closes; what the others ask for is found again in a few milliseconds."""
    for kept in KEPT:
        kept.cache_clear()
