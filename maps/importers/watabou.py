"""One Page Dungeons as JSON: rooms as rectangles, everything else rock; doors are squares with a way through them."""

from __future__ import annotations

from math import ceil, floor
from typing import Any

from engine.geometry.battlefield import Ground
from engine.geometry.squares import Direction, Square, edge_of
from engine.values import replace
from maps import kinds
from maps.importers.plan import Imported, Point, Sketch, listed, point, real, wall_off

DOORS = {1: "door", 4: "bars", 5: "door", 6: "door", 7: "locked door"}
"""What stands in a door's square, by its type; the others are open."""
SECRET = 6
MOST_RECTS = 5000
SQUARE = 5
Rect = tuple[int, int, int, int, bool]
"""Its upper left square, width, height, and whether it is round."""


def is_watabou(value: dict[str, Any]) -> bool:
    """Whether a parsed JSON object is a One Page Dungeon."""
    return "rects" in value and "doors" in value


def read_watabou(value: dict[str, Any], sketch: Sketch) -> Imported:
    """The map of a parsed dungeon."""
    sketch.scale(SQUARE, "feet")
    if isinstance(value.get("title"), str) and value["title"].strip():
        sketch.name = value["title"]
    if isinstance(value.get("story"), str):
        sketch.description = value["story"]
    rects = [
        _rect(sketch, one, number) for number, one in enumerate(listed(sketch, value["rects"], "rects", MOST_RECTS))
    ]
    if not rects:
        sketch.refuse("it has no rooms; expected rects")
    left, top = min(x for x, _, _, _, _ in rects) - 1, min(y for _, y, _, _, _ in rects) - 1
    right, bottom = max(x + w for x, _, w, _, _ in rects) + 1, max(y + h for _, y, _, h, _ in rects) + 1
    sketch.resize(right - left, bottom - top)
    plain = kinds.ground("floor", "", sketch.feet_or_metres, ".")
    floors: dict[Square, Ground] = {}
    for x, y, width, height, is_round in rects:
        for row in range(height):
            for column in range(width):
                off = ((2 * column + 1 - width) / width) ** 2 + ((2 * row + 1 - height) / height) ** 2
                if not is_round or off <= 1:
                    floors[Square(x - left + column, y - top + row)] = plain
    water = kinds.ground("shallow water", "", sketch.feet_or_metres, "~")
    for number, one in enumerate(listed(sketch, value.get("water"), "water", MOST_RECTS)):
        at = point(sketch, one, f"water[{number}]")
        square = Square(floor(at[0]) - left, floor(at[1]) - top)
        if square in floors:
            floors[square] = water
    columns: list[Square] = []
    for number, one in enumerate(listed(sketch, value.get("columns"), "columns", MOST_RECTS)):
        column, row = _beside(point(sketch, one, f"columns[{number}]"), rects)
        square = Square(column - left, row - top)
        if square in floors:
            floors[square] = _column(floors[square].terrain, sketch.feet_or_metres)
            columns.append(square)
    if columns:
        columns_are = "1 column is" if len(columns) == 1 else f"{len(columns)} columns are"
        where = "1 square" if len(set(columns)) == 1 else f"{len(set(columns))} squares"
        sketch.notes.append(f"{columns_are} drawn on {where}; columns block nothing.")
    wall_off(sketch, floors)
    for number, door in enumerate(listed(sketch, value["doors"], "doors", MOST_RECTS)):
        _door(sketch, door, number, left, top)
    notes = listed(sketch, value.get("notes"), "notes", MOST_RECTS)
    if notes:
        sketch.notes.append(f"{len(notes)} {'note is' if len(notes) == 1 else 'notes are'} not carried.")
    return sketch.finished()


def _beside(at: Point, rects: list[Rect]) -> tuple[int, int]:
    """The square of a column: of those around a corner the one away from the middle of its room."""
    x, y = at
    room = next(((r, s, w, h) for r, s, w, h, _ in rects if r < x < r + w and s < y < s + h), (x, y, 0, 0))

    def number(place: float, start: float, length: float) -> int:
        return ceil(place) - 1 if place <= start + length / 2 else floor(place)

    return number(x, room[0], room[2]), number(y, room[1], room[3])


def _column(terrain: str, unit: str) -> Ground:
    """A column, which is thinner than its square: nothing that fills a square, as a pillar of ours does."""
    return replace(
        kinds.ground(terrain, "pillar", unit, "O" if terrain == "floor" else "Q"),
        blocks_sight=False,
        stops_shots=False,
        blocks_movement=False,
        contains_blast=False,
        cover="",
    )


def _rect(sketch: Sketch, value: Any, number: int) -> Rect:
    where = f"rects[{number}]"
    if not isinstance(value, dict):
        sketch.refuse(f"{where} is not a rectangle; expected x, y, w and h")
    x, y, width, height = (round(real(sketch, value.get(key), f"{where}.{key}")) for key in ("x", "y", "w", "h"))
    if not (0 < width <= 500 and 0 < height <= 500 and abs(x) <= 500 and abs(y) <= 500):
        sketch.refuse(f"{where} is too large or too far off")
    sketch.spend(width * height)
    return x, y, width, height, bool(value.get("rotunda"))


def _door(sketch: Sketch, value: Any, number: int, left: int, top: int) -> None:
    """Puts what stands in a door's square on the side that its way leads to."""
    where = f"doors[{number}]"
    x, y = point(sketch, value, where)
    way_x, way_y = point(sketch, value.get("dir"), f"{where}.dir")
    kind = DOORS.get(value.get("type")) if isinstance(value.get("type"), int) else None
    if kind is None:
        return
    square = Square(floor(x) - left, floor(y) - top)
    side = Direction.E if way_x > 0 else Direction.W if way_x < 0 else Direction.S if way_y > 0 else Direction.N
    if sketch.has(square):
        sketch.put(edge_of(square, side), kind)
    if value.get("type") == SECRET:
        sketch.counts["secret doors became plain doors"] += 1
