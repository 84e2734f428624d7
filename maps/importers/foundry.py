"""Foundry scenes as JSON: walls as lines in pixels, with padding around the picture; doors and their states, lights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import ceil
from typing import Any

from engine.geometry.battlefield import LIGHTS, Height
from maps import kinds
from maps.importers.edge_things import Thin
from maps.importers.foundry_levels import Span, chosen, levels_of, light_span, wall_span
from maps.importers.plan import NEAREST, Imported, Point, Sketch, listed, number, real
from maps.importers.unsupported import is_alchemist
from maps.model import MOST_HEIGHT

GRIDLESS, SQUARES, HEXES = 0, 1, (2, 3, 4, 5)
"""Types of grids."""
UNITS = {"ft": "feet", "feet": "feet", "foot": "feet", "m": "metres", "metres": "metres", "meters": "metres"}
DISTANCE = 5
"""Of a square, where a scene does not say."""
LEAST_DISTANCE = 0.01
"""Below which it says nothing that can be meant."""
NOTHING, LIMITED, NORMAL, NEAR, FAR = 0, 10, 20, 30, 40
"""What a wall does to sight: nothing; the first lets through and the second does not; it hides; it hides what is
farther, or what is nearer, than its threshold: windows."""
WINDOWS = (NEAR, FAR)
OLD_LIMITED = 2
DOOR, SECRET = 1, 2
DOOR_STATES = {1: "open", 2: "locked"}
LEFT, RIGHT = 1, 2
"""The side of a one-way wall from which one passes it."""
NIGHT = 0.5
"""Darkness from which on a scene with global light is dim."""
ROUND = 360
HEAD_HEIGHT = {"feet": 650, "metres": 200}
"""Of what hangs as high one walks under it."""
LEFT_OUT = (
    ("tokens", "token"),
    ("tiles", "tile"),
    ("sounds", "sound"),
    ("notes", "note"),
    ("drawings", "drawing"),
    ("regions", "region"),
    ("templates", "template"),
)
"""Lists of a scene that have no place on a map, and what one of each is called."""


def is_foundry(value: dict[str, Any]) -> bool:
    """Whether a parsed JSON object is a scene."""
    return "walls" in value and "grid" in value and not is_alchemist(value)


def read_foundry(value: dict[str, Any], sketch: Sketch) -> Imported:
    """The map of a parsed scene, of any age from the eighth version on: of the sketch's level, where it has several."""
    grid = value["grid"] if isinstance(value["grid"], dict) else {}
    size = real(sketch, grid.get("size", value.get("grid")), "grid.size")
    kind = grid.get("type", value.get("gridType", SQUARES))
    if kind != SQUARES:
        what = "without a grid" if kind == GRIDLESS else "with hexes" if kind in HEXES else "with an unknown grid"
        sketch.refuse(f"it is a Foundry scene {what}; only those with squares are imported")
    if size < 1:
        sketch.refuse(f"grid.size is {size:g} pixels; expected 1 or more")
    sketch.name = value["name"] if isinstance(value.get("name"), str) and value["name"].strip() else sketch.name
    distance = _figure(grid.get("distance", value.get("gridDistance")))
    named = grid.get("units", value.get("gridUnits"))
    unit = UNITS.get(named.strip(". ").lower()) if isinstance(named, str) else None
    if unit and LEAST_DISTANCE <= distance <= 1000:
        sketch.scale(distance, unit)
    width, height = real(sketch, value.get("width"), "width"), real(sketch, value.get("height"), "height")
    padding = real(sketch, value.get("padding", 0.25) or 0, "padding")
    sketch.resize(round(width / size, 3), round(height / size, 3))
    left, top = ceil(padding * width / size) * size, ceil(padding * height / size) * size
    scene = _Scene(sketch, value, distance if distance >= LEAST_DISTANCE else DISTANCE, (left, top), size)
    scene.walls()
    scene.lights()
    scene.left_out()
    sketch.notes += [f"{count} {one if count == 1 else more}." for (one, more), count in scene.told.items() if count]
    sketch.notes.append("The picture is not carried, and a scene does not say what the ground is: all of it is floor.")
    return sketch.finished()


class _Scene:
    """One scene on its way into a sketch."""

    def __init__(self, sketch: Sketch, value: Mapping[str, Any], distance: float, origin: Point, size: float) -> None:
        self.sketch, self.value, self.distance, self.origin, self.size = sketch, value, distance, origin, size
        self.levels = levels_of(value)
        self.level = chosen(sketch, value, sketch.level)
        self.told: Counter[tuple[str, str]] = Counter()
        """What is to be said, for one and for several, and how often."""

    def place(self, x: Any, y: Any, where: str) -> Point:
        left, top = self.origin
        return (real(self.sketch, x, where) - left) / self.size, (real(self.sketch, y, where) - top) / self.size

    def walls(self) -> None:
        """All walls of the level."""
        for place, wall in enumerate(listed(self.sketch, self.value["walls"], "walls")):
            ends = wall.get("c") if isinstance(wall, dict) else None
            if not isinstance(ends, list) or len(ends) != 4:
                self.sketch.skipped["walls without two ends"] += 1
                continue
            span = wall_span(wall, self.levels)
            if not self.is_here(wall, span):
                continue
            start, end = (self.place(ends[at], ends[at + 1], f"walls[{place}]") for at in (0, 2))
            heights = self.heights(span)
            thin = None if heights is None else self.thin(wall, start, end, heights)
            if thin is not None:
                door = _code(wall, "door", NOTHING)
                put = self.sketch.opening if thin.kind == "window" or door else self.sketch.line
                put(start, end, thin)

    def is_here(self, thing: Mapping[str, Any], span: Span) -> bool:
        return self.level is None or self.level.holds(thing, span)

    def heights(self, span: Span) -> dict[str, Height] | None:
        """The bottom and top of a wall above the floor of the level, as far as it has them; None where it is none."""
        floor = self.level.span[0] or 0 if self.level else 0
        sketch = self.sketch
        per = (sketch.square_size or NEAREST["feet"]) / self.distance
        low, high = (None if end is None else round((end - floor) * per) for end in span)
        most = MOST_HEIGHT * 100
        found: dict[str, Height] = {}
        if high is not None and high <= 0:
            self.told["wall below the floor is not carried", "walls below the floor are not carried"] += 1
            return None
        if low is not None and low > most:
            self.told["wall higher than a map can be is not carried",
                      "walls higher than a map can be are not carried"] += 1  # fmt: skip
            return None
        if low is not None and high is not None and high <= low:
            self.told["wall without height is not carried", "walls without height are not carried"] += 1
            return None
        if low is not None and low > 0:
            found["bottom"] = low
        if high is not None and high <= most:
            found["top"] = high
        return found

    def thin(self, wall: dict[str, Any], start: Point, end: Point, heights: dict[str, Height]) -> Thin | None:
        """What a wall is: that follows from what it keeps from passing. None where nothing comes of it."""
        stops, sight = _code(wall, "move") != NOTHING, _sight(wall)
        told, door = self.told, _code(wall, "door", NOTHING)
        if not stops and sight == NOTHING:
            told["line that blocks neither movement nor sight is not carried",
                 "lines that block neither movement nor sight are not carried"] += 1  # fmt: skip
            return None
        changes: dict[str, Any] = {}
        if not stops:
            kind = "curtain"
        elif door:
            kind = "door"
            if sight == NOTHING or sight in WINDOWS:
                changes |= {"blocks_sight": False, "stops_shots": False}
                told["closed door can be seen and shot through",
                     "closed doors can be seen and shot through"] += 1  # fmt: skip
        elif sight == NOTHING:
            kind = "bars"
            told["invisible wall became bars: it stops movement, not sight",
                 "invisible walls became bars: they stop movement, not sight"] += 1  # fmt: skip
        elif sight in WINDOWS:
            kind = "window"
            told["window can be seen through at any distance",
                 "windows can be seen through at any distance"] += 1  # fmt: skip
        else:
            kind = "wall"
            if sight == LIMITED:
                told["terrain wall became a wall: it hides what it surrounds",
                     "terrain walls became walls: they hide what they surround"] += 1  # fmt: skip
        if door:
            changes["state"] = DOOR_STATES.get(_code(wall, "ds", NOTHING), "closed")
            if door == SECRET:
                told["secret door became a plain door", "secret doors became plain doors"] += 1
        changes |= self.fitting(kind, heights)
        side = _code(wall, "dir", NOTHING)
        through = None
        if side in (LEFT, RIGHT):
            sign = 1 if side == LEFT else -1
            through = sign * (end[1] - start[1]), sign * (start[0] - end[0])
            if kinds.barrier(kind, "feet").stops_shots:
                told["one-way wall stops no shots", "one-way walls stop no shots"] += 1
        return Thin(kind, tuple(changes.items()), through, is_overhead="blocks_movement" in changes)

    def fitting(self, kind: str, heights: dict[str, Height]) -> dict[str, Any]:
        """Heights that such a thing can have; what hangs overhead lets people pass under it."""
        if not heights:
            return {}
        unit = self.sketch.feet_or_metres
        usual = kinds.barrier(kind, unit)
        bottom, top = heights.get("bottom", usual.bottom), heights.get("top", usual.top)
        inner = [end for end in (usual.sill, usual.lintel) if end is not None]
        if inner and not (bottom < inner[0] and inner[-1] < top):
            self.told["window has its usual heights, not those of the scene",
                      "windows have their usual heights, not those of the scene"] += 1  # fmt: skip
            return {}
        return {**heights, **({"blocks_movement": False} if bottom >= HEAD_HEIGHT[unit] else {})}

    def lights(self) -> None:
        """How light it is, and the lamps that are on."""
        sketch = self.sketch
        darkness, is_lit, is_bright = self.ambient()
        is_on = False
        for place, light in enumerate(listed(sketch, self.value.get("lights"), "lights")):
            where = f"lights[{place}]"
            config = light.get("config", light) if isinstance(light, dict) else None
            if not isinstance(config, dict):
                sketch.refuse(f"{where} is not a light; expected x, y and config")
            if not self.is_here(light, light_span(light)):
                continue
            bright, dim = (
                real(sketch, config.get(key) or 0, f"{where}.{key}") / self.distance for key in ("bright", "dim")
            )
            if light.get("hidden") is True or not _is_within(darkness, config.get("darkness")):
                self.told["lamp is not carried: it is off", "lamps are not carried: they are off"] += 1
            elif min(bright, dim) < 0 or config.get("negative") is True:
                self.told["source of darkness is not carried", "sources of darkness are not carried"] += 1
            else:
                is_on = is_on or max(bright, dim) > 0
                if 0 < _figure(config.get("angle")) < ROUND:
                    self.told["lamp with a cone shines all around", "lamps with a cone shine all around"] += 1
                sketch.lamp(self.place(light.get("x"), light.get("y"), where), bright, max(bright, dim))
        if is_lit:
            sketch.light = LIGHTS.index("bright" if is_bright or darkness < NIGHT else "dim")
        elif (darkness > 0 or is_on) and self.value.get("tokenVision") is not False:
            sketch.light = LIGHTS.index("dark")
            sketch.notes.append("The scene has no global light: it is dark where no lamp shines.")

    def ambient(self) -> tuple[float, bool, bool]:
        """The darkness from 0 to 1, whether there is light everywhere, and whether that is bright."""
        environment = self.value.get("environment")
        if isinstance(environment, dict):
            darkness, light = _figure(environment.get("darknessLevel")), environment.get("globalLight")
            light = light if isinstance(light, dict) else {}
            is_lit = light.get("enabled") is True and _is_within(darkness, light.get("darkness"))
            return darkness, is_lit, light.get("bright") is True
        darkness, most = _figure(self.value.get("darkness")), self.value.get("globalLightThreshold")
        is_lit = self.value.get("globalLight", True) is True and (most is None or darkness <= _figure(most))
        return darkness, is_lit, False

    def left_out(self) -> None:
        """Says what has no place on a map, and how much of it there is."""
        counts = [(len(listed(self.sketch, self.value.get(key), key)), one) for key, one in LEFT_OUT]
        counted = [f"{count} {one}{'' if count == 1 else 's'}" for count, one in counts if count]
        if counted:
            is_one = sum(count for count, _ in counts) == 1
            self.sketch.notes.append(f"{', '.join(counted)} {'is' if is_one else 'are'} not carried.")


def _sight(wall: Mapping[str, Any]) -> int:
    """What a wall does to sight, in the words of today; the oldest scenes have 0, 1 and 2."""
    sight = _code(wall, "sight" if "sight" in wall else "sense")
    return LIMITED if sight == OLD_LIMITED else sight if sight in (NOTHING, LIMITED, *WINDOWS) else NORMAL


def _code(thing: Mapping[str, Any], key: str, usual: int = NORMAL) -> int:
    """One of Foundry's numbers for a kind; what is no whole number is the usual one."""
    value = thing.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) else usual


def _figure(value: Any) -> float:
    """A number, or 0 for what is none."""
    return number(value) or 0.0


def _is_within(darkness: float, bounds: Any) -> bool:
    """Whether a darkness is one in which a light shines: from min to max, where it says so."""
    if not isinstance(bounds, dict):
        return True
    least, most = bounds.get("min"), bounds.get("max")
    return _figure(least) <= darkness <= (1 if most is None else _figure(most))
