"""Layout of the panels from terminal size, map and settings. Pure.

On a narrow screen one panel is shown at a time; on others all that are not hidden. On a large screen what the map
leaves over goes to the panels.
"""

from __future__ import annotations

from msgspec import Struct

from tui.board.rulers import TOP, left_width
from tui.board.zoom_levels import SMALL, ZOOMS
from tui.settings.settings import PANELS, Settings

BESIDE, BELOW = ("shot", "unit", "map"), ("order", "log")
NARROW, WIDE, LOW, HIGH = 100, 160, 36, 50
"""Terminals with fewer columns, at least so many columns; fewer rows, at least so many rows."""
BARS = 4
"""Rows of title, verdict and footer."""
LEAST_SIDE, MOST_SIDE, LEAST_BELOW, MOST_BELOW = 28, 96, 5, 30
LEAST_BOARD = (24, 8)
"""Columns and rows that panels leave to the board."""
FRAME = 4
"""Columns that a panel's border and padding take; rows half as many."""
ORDER, LEAST_LOG = 38, 22
"""Columns of the order, and those that it leaves to the log beside it."""
YIELDS = 6
"""Most columns that the side panels give up to show the whole map."""
CORNER = (24, 10)
"""Most columns and rows of the mini-map in the board's corner."""
ROOM_FOR_CORNER = (56, 18)
"""Least columns and rows of a board with a mini-map in its corner."""


class Layout(Struct, frozen=True):
    """Sizes in cells, 0 for what is not shown."""

    shown: tuple[str, ...]
    side: int
    below: int
    unit: int
    """Rows of the unit beside the shot; 0 where it has the column to itself."""
    order: int
    """Columns of the order; 0 where it has the row to itself."""
    corner: tuple[int, int]
    """Columns and rows of the mini-map in the board's corner; on a narrow screen it is a panel like the others."""


def layout(columns: int, rows: int, extent: tuple[int, int], settings: Settings, panel: str) -> Layout:
    """Computes the layout for a terminal.

    Args:
        columns: of the terminal.
        rows: of the terminal.
        extent: columns and rows of the map, in squares.
        settings: which panels are hidden, how much larger than usual the others are, whether there is a small map.
        panel: the one panel of a narrow screen; "" for none.
    """
    is_narrow = columns < NARROW
    shown = tuple(name for name in PANELS if (name == panel if is_narrow else name not in settings.put_aside))
    is_wanted = not is_narrow and "map" in shown
    shown = shown if is_narrow else tuple(name for name in shown if name != "map")
    side, below = (36, 9) if is_narrow else (52, 13) if columns >= WIDE else (48, 12)
    side, below = side * any(name in shown for name in BESIDE), below * any(name in shown for name in BELOW)
    if side and not is_narrow and not settings.side:
        side = _yielding(side, columns, extent)
    if columns >= WIDE and rows >= HIGH:
        side, below = _grown(side, below, columns, rows, extent)
    if side:
        most = min(MOST_SIDE, columns - LEAST_BOARD[0])
        side = max(min(LEAST_SIDE, most), min(side + settings.side, most))
    if below:
        most = min(MOST_BELOW, rows - BARS - LEAST_BOARD[1])
        below = max(min(LEAST_BELOW, most), min(below + settings.below, most))
    order = min(ORDER, max(columns - side - LEAST_LOG, (columns - side) // 2))
    unit = 9 if rows < LOW else 13 if rows < HIGH else 16
    corner = _corner(extent, columns - side, rows - BARS - below) if is_wanted else (0, 0)
    return Layout(
        shown=shown,
        side=side,
        below=below,
        unit=unit if {"shot", "unit"} <= set(shown) else 0,
        order=order if {"order", "log"} <= set(shown) else 0,
        corner=corner,
    )


def _canvas(zoom_place: int, extent: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the whole map with its rulers."""
    width, height = ZOOMS[zoom_place].canvas(*extent)
    return width + left_width(extent[1]), height + TOP


def _corner(extent: tuple[int, int], columns: int, rows: int) -> tuple[int, int]:
    """Size of the mini-map with its frame; none if the map fits on the board, or the board is too small."""
    width, height = _canvas(ZOOMS.index(SMALL), extent)
    if (width <= columns and height <= rows) or columns < ROOM_FOR_CORNER[0] or rows < ROOM_FOR_CORNER[1]:
        return 0, 0
    across = squares_in_cell(extent, *CORNER)
    return -(-extent[0] // across) + FRAME, -(-extent[1] // (2 * across)) + FRAME // 2


def _yielding(side: int, columns: int, extent: tuple[int, int]) -> int:
    """The width of the side panels, reduced a little if the whole map fits then."""
    lacking = _canvas(ZOOMS.index(SMALL), extent)[0] - (columns - side)
    return side - lacking if 0 < lacking <= YIELDS else side


def _grown(side: int, below: int, columns: int, rows: int, extent: tuple[int, int]) -> tuple[int, int]:
    """Gives the panels the space that the whole map leaves free at its largest zoom level."""
    for place in reversed(range(len(ZOOMS))):
        width, height = _canvas(place, extent)
        unused = columns - side - width, rows - BARS - below - height
        if min(unused) >= 0:
            return side and min(MOST_SIDE, side + unused[0]), below and min(MOST_BELOW, below + unused[1])
    return side, below


def squares_in_cell(extent: tuple[int, int], columns: int, rows: int) -> int:
    """Squares per cell of the mini-map, across; twice as many down."""
    found = 1
    while -(-extent[0] // found) > columns or -(-extent[1] // (2 * found)) > rows:
        found += 1
    return found
