"""Lines of fire in fine dots: the cells that a straight line from square to square crosses, and what is written there.

A cell has two by four dots. Where there are none to be had, in ASCII, each cell has one sign.
"""

from __future__ import annotations

from engine.geometry.squares import Square
from tui.application.describe.glyphs import GlyphSet
from tui.view.board.zoom_levels import Zoom

ACROSS, DOWN = 2, 4
"""Dots of a cell."""
BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""What each dot of a cell adds to the first sign of braille, column by column."""
BRAILLE = 0x2800
AIMED, HIT, MISSED = "aimed", "hit", "missed"
"""Every second dot; unbroken; every other step of two cells."""
DASH = 4
Cells = dict[tuple[int, int], str]
"""Signs by column and line of the canvas."""


def line_cells(start: Square, end: Square, manner: str, zoom: Zoom, glyphs: GlyphSet) -> Cells:
    """The cells of a line between the middles of two squares, in one of three manners."""
    (x, y), (last_x, last_y) = _dot(start, zoom), _dot(end, zoom)
    steps = max(abs(last_x - x), abs(last_y - y), 1)
    bits: dict[tuple[int, int], int] = {}
    for step in range(steps + 1):
        if (manner == AIMED and step % 2) or (manner == MISSED and step // DASH % 2):
            continue
        across, down = x + _part(last_x - x, step, steps), y + _part(last_y - y, step, steps)
        cell = (across // ACROSS, down // DOWN)
        bits[cell] = bits.get(cell, 0) | BITS[across % ACROSS][down % DOWN]
    if not glyphs.has_unicode:
        return dict.fromkeys(bits, glyphs.line[manner == MISSED])
    return {cell: chr(BRAILLE + found) for cell, found in bits.items()}


def _dot(square: Square, zoom: Zoom) -> tuple[int, int]:
    """The dot in the middle of a square."""
    across, down = zoom.width * ACROSS, zoom.height * DOWN
    return square.column * across + across // 2, square.row * down + down // 2 - (zoom.height == 1)


def _part(length: int, step: int, steps: int) -> int:
    """The part of a length after some of the steps, rounded the same way in both directions."""
    part = (2 * abs(length) * step + steps) // (2 * steps)
    return part if length >= 0 else -part
