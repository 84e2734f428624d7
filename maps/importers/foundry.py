"""Foundry scenes as JSON: walls as lines in pixels, with padding around the picture; doors and their states, lights."""

from __future__ import annotations

from math import ceil
from typing import Any

from maps.importers.plan import Imported, Point, Sketch, code, listed, real

SQUARES = 1
"""The grid type of squares; there are hexagons, too."""
DOOR_STATES = {0: "door", 1: "open door", 2: "locked door"}
UNITS = {"ft": "feet", "feet": "feet", "foot": "feet", "m": "metres", "metres": "metres", "meters": "metres"}


def read_foundry(value: dict[str, Any], sketch: Sketch) -> Imported:
    """The map of a parsed scene, of any age from the eighth version on."""
    grid = value["grid"] if isinstance(value["grid"], dict) else {}
    size = real(sketch, grid.get("size", value.get("grid")), "grid.size")
    kind = grid.get("type", value.get("gridType", SQUARES))
    if kind != SQUARES or size < 1:
        sketch.refuse("its grid is not one of squares; only those are read")
    sketch.name = value["name"] if isinstance(value.get("name"), str) and value["name"].strip() else sketch.name
    distance = grid.get("distance", value.get("gridDistance"))
    named = grid.get("units", value.get("gridUnits"))
    unit = UNITS.get(named.strip(". ").lower()) if isinstance(named, str) else None
    if unit and isinstance(distance, int | float) and 0 < distance <= 1000:
        sketch.scale(distance, unit)
    width, height = real(sketch, value.get("width"), "width"), real(sketch, value.get("height"), "height")
    padding = real(sketch, value.get("padding", 0.25) or 0, "padding")
    sketch.resize(round(width / size, 3), round(height / size, 3))
    left, top = ceil(padding * width / size) * size, ceil(padding * height / size) * size

    def place(x: Any, y: Any, where: str) -> Point:
        return (real(sketch, x, where) - left) / size, (real(sketch, y, where) - top) / size

    for number, wall in enumerate(listed(sketch, value["walls"], "walls")):
        where = f"walls[{number}]"
        ends = wall.get("c") if isinstance(wall, dict) else None
        if not isinstance(ends, list) or len(ends) != 4:
            sketch.skipped["walls without two ends"] += 1
            continue
        start, end = place(ends[0], ends[1], where), place(ends[2], ends[3], where)
        if wall.get("dir"):
            sketch.counts["walls that work one way became such as work both ways"] += 1
        _wall(sketch, wall, start, end)
    for number, light in enumerate(listed(sketch, value.get("lights"), "lights")):
        where = f"lights[{number}]"
        config = light.get("config", light) if isinstance(light, dict) else None
        if not isinstance(config, dict):
            sketch.refuse(f"{where} is no light; expected x, y and config")
        per = sketch.square_size / 100 or 5.0
        bright, dim = (real(sketch, config.get(key) or 0, f"{where}.{key}") / per for key in ("bright", "dim"))
        sketch.lamp(place(light.get("x"), light.get("y"), where), bright, max(bright, dim))
    tokens = listed(sketch, value.get("tokens"), "tokens")
    sketch.counts["tokens are left out: who they are belongs to another system"] += len(tokens)
    sketch.notes.append("Ground and heights are not in such files; pictures, sounds and notes are left out.")
    return sketch.finished()


def _wall(sketch: Sketch, wall: dict[str, Any], start: Point, end: Point) -> None:
    """What a line is follows from what it keeps from passing."""
    if wall.get("door"):
        if wall["door"] == 2:
            sketch.counts["secret doors became plain doors"] += 1
        sketch.opening(start, end, DOOR_STATES.get(code(wall.get("ds")), "door"))
        return
    stops, hides = wall.get("move", 20) != 0, wall.get("sight", wall.get("sense", 20)) != 0
    if stops and hides:
        sketch.line(start, end, "wall")
    elif stops:
        sketch.line(start, end, "bars")
        sketch.counts["walls that stop feet and not eyes became bars"] += 1
    elif hides:
        sketch.line(start, end, "curtain")
    else:
        sketch.skipped["lines that stop nothing"] += 1
