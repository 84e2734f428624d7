"""Universal VTT (.dd2vtt, .uvtt, .df2vtt): walls and doors as lines in squares, lights; no ground, heights or scale."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine.geometry.battlefield import LIGHTS
from maps import kinds
from maps.importers.plan import Imported, Point, Sketch, listed, moved, point, real

DARK, DIM = 0.25, 0.6
"""Brightness of the light all around, from 0 to 1, below which it is dark, or dim."""
BRIGHT_SHARE = 0.5
"""Of a light's range, that is bright."""


def is_uvtt(value: dict[str, Any]) -> bool:
    """Whether a parsed JSON object is a map of Universal VTT."""
    return "line_of_sight" in value and "resolution" in value


def read_uvtt(value: dict[str, Any], sketch: Sketch) -> Imported:
    """The map of a parsed file. Coordinates are absolute: the map's origin is taken away."""
    resolution = value["resolution"]
    if not isinstance(resolution, dict):
        sketch.refuse("resolution is not a table; expected map_origin and map_size")
    origin = point(sketch, resolution.get("map_origin", {"x": 0, "y": 0}), "resolution.map_origin")
    size = point(sketch, resolution.get("map_size"), "resolution.map_size")
    sketch.resize(*size)
    _light(value, sketch)
    for number, line in enumerate(listed(sketch, value["line_of_sight"], "line_of_sight")):
        points = _points(sketch, line, f"line_of_sight[{number}]", origin)
        for start, end in pairwise(points):
            sketch.line(start, end, "wall")
    outlines = listed(sketch, value.get("objects_line_of_sight"), "objects_line_of_sight")
    for number, line in enumerate(outlines):
        _thing(sketch, _points(sketch, line, f"objects_line_of_sight[{number}]", origin))
    if outlines:
        sketch.notes.append("Outlines of things became crates: the file does not say what they are.")
    _portals(value, sketch, origin)
    for number, light in enumerate(listed(sketch, value.get("lights"), "lights")):
        where = f"lights[{number}]"
        if not isinstance(light, dict):
            sketch.refuse(f"{where} is not a light; expected position and range")
        reach = real(sketch, light.get("range"), f"{where}.range")
        at = moved(point(sketch, light.get("position"), f"{where}.position"), origin)
        sketch.lamp(at, reach * BRIGHT_SHARE, reach)
    if sketch.lamps:
        sketch.notes.append("Lights are bright half as far as they reach; their colours are left out.")
    sketch.notes.append("Ground, heights and units are not in such files; the picture is left out.")
    return sketch.finished()


def _points(sketch: Sketch, line: Any, where: str, origin: Point) -> list[Point]:
    return [
        moved(point(sketch, one, f"{where}[{number}]"), origin)
        for number, one in enumerate(listed(sketch, line, where))
    ]


def _portals(value: dict[str, Any], sketch: Sketch, origin: Point) -> None:
    """Doors; those that the file calls open are how its windows are written."""
    for number, portal in enumerate(listed(sketch, value.get("portals"), "portals")):
        where = f"portals[{number}]"
        bounds = listed(sketch, portal.get("bounds") if isinstance(portal, dict) else 0, f"{where}.bounds")
        if len(bounds) != 2:
            sketch.skipped["openings without two ends"] += 1
            continue
        start, end = (moved(point(sketch, one, f"{where}.bounds"), origin) for one in bounds)
        is_window = portal.get("closed") is False
        if is_window:
            sketch.counts["openings that the file calls open became windows, as its editors write them"] += 1
        sketch.opening(start, end, "window" if is_window else "door", is_hole=True)


def _thing(sketch: Sketch, outline: list[Point]) -> None:
    """Squares whose middle an outline holds become crates; of a small one the square that it is on."""
    if len(outline) < 3:
        sketch.skipped["outlines without an inside"] += 1
        return
    crate = kinds.ground("floor", "crate", sketch.feet_or_metres, "o")
    left, right = min(x for x, _ in outline), max(x for x, _ in outline)
    top, bottom = min(y for _, y in outline), max(y for _, y in outline)
    middle = (left + right) / 2, (top + bottom) / 2
    for square in sketch.inside(outline) or [sketch.square_at(middle)]:
        if sketch.has(square):
            sketch.ground[square] = crate


def _light(value: dict[str, Any], sketch: Sketch) -> None:
    """How light it is all around, by the brightness of a colour written as eight digits, the opacity first."""
    environment = value.get("environment")
    colour = environment.get("ambient_light") if isinstance(environment, dict) else None
    if not isinstance(colour, str) or len(colour) not in (6, 8):
        return
    try:
        red, green, blue = (int(colour[-6:][place : place + 2], 16) / 255 for place in (0, 2, 4))
    except ValueError:
        return
    brightness = 0.3 * red + 0.59 * green + 0.11 * blue
    sketch.light = LIGHTS.index("dark" if brightness < DARK else "dim" if brightness < DIM else "bright")
