"""Layout of board and panels: a region for each, and the zoom, from terminal size, map and settings. Pure.

The board comes first. Beside it stands one column of panels, below it a strip with the log where the terminal is high.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from textual.geometry import Region
from textual.widget import Widget

from tui.application.settings.settings import PANELS, Settings
from tui.application.terminal.capabilities import LEAST_COLUMNS
from tui.view.board.rulers import TOP, left_width
from tui.view.board.zoom_levels import SMALL, ZOOMS, Zoom

TURNS = "turns"
"""In place of a panel of the column: the turn order, and below it the unit."""
BARS = 4
"""Rows of title, verdict and footer."""
TITLE = 1
"""Rows above the board and the panels."""
SCALE = 1
"""Rows of the scale under the map."""
SIDES = ((200, 46), (160, 42), (140, 40), (120, 38), (100, 34), (0, 32))
"""Columns of the panels, in terminals from so many columns on."""
STRIPS = ((60, 8), (50, 7), (45, 6), (36, 5), (0, 0))
"""Rows of the strip below the board, in terminals from so many rows on."""
TALL = 36
"""Rows of a terminal in which the shot leaves room for other panels in the column."""
LEAST_SIDE, MOST_SPARE, LEAST_STRIP = 32, 60, 4
"""Columns to which the column shrinks where the whole map is in sight then, and most that it takes of those that the
map leaves; rows from which on a strip is worth its place."""
NARROWEST, LOWEST, MOST_SIDE, MOST_BELOW = 28, 4, 96, 30
"""Fewest and most columns and rows that somebody may choose."""
LEAST_ROOM = 10
"""Rows between title and status line that the least terminal has, with the tour's words below."""
LEAST_BOARD = (24, 8)
"""Columns and rows that panels leave to the board."""
FEWEST = (18, 12)
"""Squares that a zoom shows of a larger map, across and down."""
ENOUGH, ENOUGH_WHOLE = 50, 40
"""Percent of the terminal's cells that the map should take, and of those that do for the whole map."""
LEAST_SHOT, MOST_SHOT, LEAST_ORDER, LEAST_UNIT, LOW_UNIT = 13, 24, 6, 9, 8
"""Rows of the panels in a column: least of the unit below a shot, and below the turn order alone."""
SEEN, MOST_MAP, WITH_MAP = 60, 8, 100
"""Percent of the squares in sight under which there is a mini-map, its most rows, and the columns it needs."""
NOTES, LEAST_WITH_NOTES = 60, 120
"""Columns of the GM's notes beside the log; those that the two need."""
FRAME = 4
"""Columns that a panel's border and padding take; rows half as many."""


class Layout(Struct, frozen=True):
    """Where board and panels are, in cells from the upper left corner of the room between title and status line."""

    places: Mapping[str, Region]
    """The region of the board and of each panel that is shown."""
    zoom: Zoom
    side: int
    """Columns of the panels beside the board, 0 for none."""
    below: int
    """Rows of the strip below it, 0 for none."""


def layout(
    columns: int,
    rows: int,
    extent: tuple[int, int],
    settings: Settings,
    panel: str,
    units: int = 8,
    zoom: Zoom | None = None,
    *,
    bars: int = BARS,
    is_aimed: bool = False,
    has_notes: bool = False,
) -> Layout:
    """Computes the layout; of a terminal that is too small that of the smallest one, whose board is not shown.

    Args:
        columns: of the terminal.
        rows: of the terminal.
        extent: columns and rows of the map, in squares.
        settings: which panels are hidden, and how much larger than usual the others are.
        panel: the panel that the column shows, or TURNS; "" for the board alone.
        units: rows of the turn order.
        zoom: the zoom that somebody chose; None for the one that fits.
        bars: rows of title, status lines and footer.
        is_aimed: whether there is a shot or a result to show.
        has_notes: whether there are notes of the GM's.
    """
    columns, height = max(columns, LEAST_COLUMNS), max(rows - bars, LEAST_ROOM)
    cells, away = columns * (height + bars), settings.put_aside
    stack = _stack(panel, away, is_aimed=is_aimed, is_tall=rows >= TALL)
    side = usual_side(columns) if stack else 0
    has_strip = bool(panel) and "log" not in (*away, *stack)
    strip = _for_size(STRIPS, rows) if has_strip else 0
    zoom = zoom or usual_zoom(columns - side, height - strip, extent, cells)
    wide, high = block(zoom, extent)
    if side and not settings.side and columns - side < wide <= columns - LEAST_SIDE and high <= height - strip:
        side = columns - wide
    if side:
        side = max(side, min(columns - wide, MOST_SPARE))
        side = _within(side + settings.side, NARROWEST, min(MOST_SIDE, columns - LEAST_BOARD[0]))
    if has_strip and height - high >= LEAST_STRIP:
        strip = max(strip, height - high)
    strip = strip and _within(strip + settings.below, LOWEST, min(MOST_BELOW, height - LEAST_BOARD[1]))
    board = Region(0, 0, columns - side, height - strip)
    column = Region(board.width, 0, side, height)
    places = {"board": board}
    has_room = columns >= WITH_MAP and height >= LEAST_ORDER + LOW_UNIT + MOST_MAP
    if side and has_room and "map" not in (*away, *stack) and _seen(board, zoom, extent) < SEEN:
        column, places["map"] = column.split_horizontal(height - _map_rows(extent, side))
    places |= _column(column, stack, units)
    if strip:
        log = Region(0, board.height, board.width, strip)
        has_notes = has_notes and "notes" not in (*away, *stack) and log.width >= LEAST_WITH_NOTES
        places |= dict(zip(("log", "notes"), log.split_vertical(log.width - NOTES), strict=True)) if has_notes else {
            "log": log
        }  # fmt: skip
    return Layout(places, zoom, side, strip)


def usual_side(columns: int) -> int:
    """Columns of the panels beside the board in a terminal with so many."""
    return _for_size(SIDES, columns)


def card_place(found: Layout | None, rows: int, columns: int, height: int) -> Region:
    """Where a card with so many rows stands, frame included: over whole panels of the column.

    Args:
        found: the layout; None before there is one.
        rows: that the card needs.
        columns: of the terminal.
        height: its rows.
    """
    bottom = max(height - BARS, LEAST_ROOM) if found is None else found.places["board"].height + found.below
    side = (found.side if found else 0) or usual_side(columns)
    column = columns - side
    panels = [] if found is None or height < TALL else [one for one in found.places.values() if one.x >= column]
    ends = sorted(one.bottom for one in panels if one.bottom >= min(rows, MOST_SHOT))
    return Region(column, TITLE, side, ends[0] if ends else bottom)


def place_widget(widget: Widget, region: Region) -> None:
    """Shows a widget at a region, or hides it."""
    widget.display = bool(region)
    widget.styles.offset = region.x, region.y
    widget.styles.width, widget.styles.height = region.width, region.height


def block(zoom: Zoom, extent: tuple[int, int]) -> tuple[int, int]:
    """Columns and rows of the whole map with its rulers and its scale."""
    width, height = zoom.canvas(*extent)
    return width + left_width(extent[1]), height + TOP + SCALE


def usual_zoom(columns: int, rows: int, extent: tuple[int, int], cells: int) -> Zoom:
    """The zoom of a board of so many columns and rows until somebody chooses one, in a terminal of so many cells.

    The first, from the smallest on, at which the map takes enough of the terminal, less if it is whole then; if none
    does, the largest. A zoom that shows too few squares is left out.
    """
    left = [zoom for zoom in ZOOMS if _shows_enough(zoom, columns, rows, extent)] or [SMALL]
    for zoom in left:
        wide, high = block(zoom, extent)
        drawn = 100 * min(columns, wide) * min(rows, high)
        is_whole = wide <= columns and high <= rows
        if drawn >= ENOUGH * cells or (is_whole and drawn >= ENOUGH_WHOLE * cells):
            return zoom
    return left[-1]


def squares_in_sight(columns: int, rows: int, zoom: Zoom, extent: tuple[int, int]) -> tuple[int, int]:
    """Whole squares that a board of so many columns and rows shows, across and down."""
    wide, high = columns - left_width(extent[1]) - 1, rows - TOP - SCALE
    return max(0, min(extent[0], wide // zoom.width)), max(0, min(extent[1], high // zoom.height))


def _shows_enough(zoom: Zoom, columns: int, rows: int, extent: tuple[int, int]) -> bool:
    shown = squares_in_sight(columns, rows, zoom, extent)
    return all(shown[axis] >= min(FEWEST[axis], extent[axis]) for axis in range(2))


def _seen(board: Region, zoom: Zoom, extent: tuple[int, int]) -> int:
    """Percent of the squares that are in sight."""
    across, down = squares_in_sight(board.width, board.height, zoom, extent)
    return 100 * across * down // (extent[0] * extent[1])


def _stack(panel: str, away: tuple[str, ...], *, is_aimed: bool, is_tall: bool) -> tuple[str, ...]:
    """The panels of the column from above: the shot first, alone where the terminal is low."""
    if not panel:
        return ()
    chosen = tuple(name for name in ("order", "unit") if name not in away) if panel == TURNS else (panel,)
    if panel != "shot" and not (is_aimed and "shot" not in away):
        return chosen or tuple(name for name in PANELS[:1] if name not in away)
    if panel == "shot":
        chosen = tuple(name for name in ("order", "unit") if name not in away)
    return ("shot", *chosen) if is_tall else ("shot",) if panel in ("shot", TURNS) else chosen


def _for_size(sizes: tuple[tuple[int, int], ...], size: int) -> int:
    return next(found for least, found in sizes if size >= least)


def _within(size: int, least: int, most: int) -> int:
    return max(min(least, most), min(size, most))


def _column(room: Region, names: tuple[str, ...], units: int) -> dict[str, Region]:
    """The panels beside the board, one under another."""
    if not names:
        return {}
    first, *rest = names
    if not rest:
        return {first: room}
    if first == "shot":
        wanted = units + FRAME // 2 + LEAST_UNIT if "order" in rest else LEAST_UNIT
        shot = _within(room.height - wanted, LEAST_SHOT, MOST_SHOT)
        if room.height - shot < LEAST_ORDER:
            return {first: room}
        above, room = room.split_horizontal(shot)
        if len(rest) == 1 or room.height < LEAST_ORDER + LEAST_UNIT:
            return {first: above, rest[0]: room}
        return {first: above, **_turns(room, units, LEAST_UNIT)}
    return _turns(room, units, LOW_UNIT)


def _turns(room: Region, units: int, least: int) -> dict[str, Region]:
    """The turn order, with a row for each of so many units, and below it the unit with at least so many rows."""
    order, unit = room.split_horizontal(max(LOWEST, min(units + FRAME // 2, room.height - least)))
    return {"order": order, "unit": unit}


def _map_rows(extent: tuple[int, int], columns: int) -> int:
    """Rows of the mini-map with its frame, in so many columns."""
    across = squares_in_cell(extent, columns - FRAME, MOST_MAP - FRAME // 2)
    return -(-extent[1] // (2 * across)) + FRAME // 2


def squares_in_cell(extent: tuple[int, int], columns: int, rows: int) -> int:
    """Squares per cell of the mini-map, across; twice as many down."""
    found = 1
    while -(-extent[0] // found) > columns or -(-extent[1] // (2 * found)) > rows:
        found += 1
    return found
