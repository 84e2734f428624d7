"""Layout of board and panels: a region for each, from terminal size, map and settings. Pure.

The board takes the largest zoom at which the whole map fits beside panels at their least; its block shrinks to the map,
and the panels take what is left. On a narrow screen the panels share one column, with two of them at most.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from textual.geometry import Region

from tui.application.settings.settings import PANELS, Settings
from tui.application.terminal.capabilities import LEAST_COLUMNS
from tui.view.board.rulers import TOP, left_width
from tui.view.board.zoom_levels import SMALL, ZOOMS, Zoom

BESIDE, BELOW = ("shot", "unit", "map"), ("order", "log")
TURNS = "turns"
"""In place of the one panel of a narrow screen: the turn order, and below it the unit."""
NARROW, WIDE = 100, 160
"""Terminals with fewer columns, and with at least so many."""
BARS = 4
"""Rows of title, verdict and footer."""
SCALE = 1
"""Rows of the scale under the map."""
LEAST_BESIDE, LEAST_BELOW = 34, 8
"""Columns and rows of the panels where the map needs the rest."""
USUAL_BESIDE, WIDE_BESIDE = 43, 52
"""Columns of the panels where the map does not fit."""
NARROWEST, LOWEST, MOST_SIDE, MOST_BELOW, MOST_SPARE = 28, 5, 96, 30, 64
"""Fewest and most columns and rows that somebody may choose; most columns that a small map leaves to the panels."""
LEAST_ROOM = 10
"""Rows between title and status line that the least terminal has, with the tour's words below."""
LEAST_BOARD = (24, 8)
"""Columns and rows that panels leave to the board."""
FRAME = 4
"""Columns that a panel's border and padding take; rows half as many."""
ORDER, LEAST_LOG = 42, 22
"""Columns of the turn order, and those that it leaves to the log beside it."""
LEAST_BAND, LEAST_TOP = 60, 16
"""Columns that turn order and log need below the board; with fewer, the panels below span the whole screen, if the
board has so many rows for the shot beside it."""
LEAST_SHOT, NARROW_UNIT = 20, 8
"""Rows of the shot above a turn order in the same column; of the unit below one on a narrow screen."""
UNIT_ROWS, BELOW_ROWS = ((46, 19), (32, 15), (0, 9)), ((46, 13), (32, 12), (0, 8))
"""Rows of the unit, and of the panels below where the map does not fit, in screens from so many rows on."""
NOTES, LEAST_WITH_NOTES = 60, 120
"""Columns of the GM's notes beside the log; those that the two need."""
CORNER = (24, 10)
"""Most columns and rows of the mini-map in the board's corner."""
ROOM_FOR_CORNER = (56, 18)
"""Least columns and rows of a board with a mini-map in its corner."""


class Layout(Struct, frozen=True):
    """Where board and panels are, in cells from the upper left corner of the room between title and status line."""

    places: Mapping[str, Region]
    """The region of the board and of each panel that is shown."""
    corner: Region
    """The mini-map in the board's corner; empty for none. On a narrow screen it is a panel like the others."""
    side: int
    """Columns of the panels beside the board, 0 for none."""
    below: int
    """Rows of the panels below it, 0 for none."""


def layout(
    columns: int,
    rows: int,
    extent: tuple[int, int],
    settings: Settings,
    panel: str,
    units: int = 8,
    zoom: Zoom | None = None,
    *,
    has_notes: bool = False,
) -> Layout:
    """Computes the layout; of a terminal that is too small that of the smallest one, whose board is not shown.

    Args:
        columns: of the terminal.
        rows: of the terminal without title, status line and footer.
        extent: columns and rows of the map, in squares.
        settings: which panels are hidden, how much larger than usual the others are, whether there is a small map.
        panel: the panel of a narrow screen, or TURNS; "" for none.
        units: rows of the turn order.
        zoom: the zoom that somebody chose; None for the one that fits.
        has_notes: whether there are notes of the GM's.
    """
    columns, rows = max(columns, LEAST_COLUMNS), max(rows, LEAST_ROOM)
    is_narrow = columns < NARROW
    if is_narrow:
        shown = ("order", "unit") if panel == TURNS else tuple(name for name in PANELS if name == panel)
        has_corner = False
    else:
        shown = tuple(name for name in PANELS if name not in (*settings.put_aside, "map", "notes"))
        has_corner = "map" not in settings.put_aside
    unit = _for_rows(UNIT_ROWS, rows) if {"shot", "unit"} <= set(shown) else 0
    room = rows - unit - LEAST_SHOT
    turns = (
        min(max(units + 2, LOWEST), room) if unit and "order" in shown and not is_narrow and room >= LEAST_BELOW else 0
    )
    beside = shown if is_narrow else tuple(name for name in shown if name in BESIDE or (name == "order" and turns))
    below = tuple(name for name in shown if name not in beside)
    chosen = zoom or fitting_zoom(columns - LEAST_BESIDE * bool(beside), rows - LEAST_BELOW * bool(below), extent)
    spare_columns, spare_rows = (
        whole - needed for whole, needed in zip((columns, rows), block(chosen, extent), strict=True)
    )
    if is_narrow and shown and spare_rows >= LEAST_BELOW and "log" not in shown:
        below = ("log",)
    side = _side(columns, spare_columns, is_narrow=is_narrow) if beside else 0
    high = (spare_rows if spare_rows >= LEAST_BELOW else _for_rows(BELOW_ROWS, rows)) if below else 0
    is_across = below == BELOW and "shot" in shown and columns - side < LEAST_BAND and spare_columns >= LEAST_BESIDE
    is_across = is_across and rows - high >= LEAST_TOP
    if below == BELOW and not is_across:
        side = min(side, columns - LEAST_BAND)
    side = side and _within(side + settings.side, NARROWEST, min(MOST_SIDE, columns - LEAST_BOARD[0]))
    high = high and _within(high + settings.below, LOWEST, min(MOST_BELOW, rows - LEAST_BOARD[1]))
    left, top = columns - side, rows - high
    places = {"board": Region(0, 0, left, top)}
    if is_across:
        places |= _across(Region(left, 0, side, top), Region(0, top, columns, high), shown)
    else:
        places |= _column(Region(left, 0, side, rows), beside, unit, turns, units)
        places |= _row(Region(0, top, left, high), below)
    log = places.get("log", Region())
    if has_notes and "notes" not in (*settings.put_aside, *places) and log.width >= LEAST_WITH_NOTES:
        places["log"], places["notes"] = log.split_vertical(log.width - NOTES)
    return Layout(places, _corner(extent, left, top) if has_corner else Region(), side, high)


def block(zoom: Zoom, extent: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the whole map with its rulers and its scale."""
    width, height = zoom.canvas(*extent)
    return width + left_width(extent[1]), height + TOP + SCALE


def fitting_zoom(columns: int, rows: int, extent: tuple[int, int]) -> Zoom:
    """The largest zoom at which the whole map fits; the smallest if none does."""
    for zoom in reversed(ZOOMS):
        width, height = block(zoom, extent)
        if width <= columns and height <= rows:
            return zoom
    return SMALL


def _side(columns: int, spare: int, *, is_narrow: bool) -> int:
    """Columns of the panels beside the board, of which the map leaves so many."""
    if spare >= LEAST_BESIDE:
        return min(spare, USUAL_BESIDE if is_narrow else MOST_SPARE)
    return LEAST_BESIDE if is_narrow else WIDE_BESIDE if columns >= WIDE else USUAL_BESIDE


def _for_rows(sizes: tuple[tuple[int, int], ...], rows: int) -> int:
    return next(size for least, size in sizes if rows >= least)


def _within(size: int, least: int, most: int) -> int:
    return max(min(least, most), min(size, most))


def _column(room: Region, names: tuple[str, ...], unit: int, turns: int, units: int) -> dict[str, Region]:
    """The panels beside the board, one under another."""
    if names == ("order", "unit"):
        unit = room.height - max(NARROW_UNIT, min(units + 2, room.height - NARROW_UNIT))
    if len(names) < 2:
        return dict.fromkeys(names, room)
    rest, low = room.split_horizontal(-unit)
    if not turns:
        return {next(name for name in names if name != "unit"): rest, "unit": low}
    shot, order = rest.split_horizontal(-turns)
    return {"shot": shot, "order": order, "unit": low}


def _row(room: Region, names: tuple[str, ...]) -> dict[str, Region]:
    """The panels below the board, side by side."""
    if len(names) < 2:
        return dict.fromkeys(names, room)
    order, log = room.split_vertical(min(ORDER, max(room.width - LEAST_LOG, room.width // 2)))
    return {"order": order, "log": log}


def _across(side: Region, low: Region, shown: tuple[str, ...]) -> dict[str, Region]:
    """The shot beside a small map, and below both turn order, log and unit."""
    unit = min(ORDER, low.width * 32 // 100) if "unit" in shown else 0
    rest, last = low.split_vertical(low.width - unit)
    places = {"shot": side, **_row(rest, BELOW)}
    return {**places, "unit": last} if unit else places


def _corner(extent: tuple[int, int], columns: int, rows: int) -> Region:
    """The mini-map with its frame; none if the map fits on the board, or the board is too small."""
    width, height = block(SMALL, extent)
    fits = width <= columns and height - SCALE <= rows
    if fits or columns < ROOM_FOR_CORNER[0] or rows < ROOM_FOR_CORNER[1]:
        return Region()
    across = squares_in_cell(extent, *CORNER)
    width, height = -(-extent[0] // across) + FRAME, -(-extent[1] // (2 * across)) + FRAME // 2
    return Region(columns - width, 0, width, height)


def squares_in_cell(extent: tuple[int, int], columns: int, rows: int) -> int:
    """Squares per cell of the mini-map, across; twice as many down."""
    found = 1
    while -(-extent[0] // found) > columns or -(-extent[1] // (2 * found)) > rows:
        found += 1
    return found
