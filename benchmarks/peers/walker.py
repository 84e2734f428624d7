"""The door of `walker.c`, the plain walker of every line: compiled when first asked, with the flags of the engine's own
kernel, and given arrays that are made here of a battlefield.

Nothing is taken from `engine/geometry/kernel`: the peer reads `Battlefield` and `Body` alone.
"""

from __future__ import annotations

import ast
import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.battlefield import SKY, Barrier, Battlefield
from engine.geometry.body import Body, middle_height
from engine.geometry.squares import Direction, Edge, Square
from engine.smoke_opacity import ROUNDING

SOURCE = Path(__file__).with_suffix(".c")
HOOK = Path(__file__).parents[2] / "hatch_build.py"

SIGHT, SHOTS = 1, 2
NOTHING = -1
BELOW = -1_000_000_000
"""The bottom of what stands on the ground, as in walker.c."""
WAYS = {Direction.E: 1, Direction.W: 2, Direction.S: 3, Direction.N: 4}

BODY = np.dtype([(name, "i4") for name in ("column", "row", "size", "feet", "eye", "crown", "reach", "eyes")])
SQUARE = np.dtype([(name, "i4") for name in ("ground", "top", "stops", "guest")])
GUEST = np.dtype([(name, "i4") for name in ("body", "next")])
BARRIER = np.dtype([("parts", "i4"), ("bottom", "i4", 2), ("top", "i4", 2), ("stops", "i4"), ("open_way", "i4")])

Array = NDArray[Any]
Shares = NDArray[np.float64]


class FieldStruct(ctypes.Structure):
    """`Field` of walker.c."""

    _fields_ = (
        *(
            (name, ctypes.c_int32)
            for name in ("columns", "rows", "questions", "has_edges", "is_soft_hidden", "is_mutual")
        ),
        *((name, ctypes.c_double) for name in ("head", "least", "smoke_limit")),
        *(
            (name, ctypes.c_void_p)
            for name in (
                "highest",
                "squares",
                "west",
                "north",
                "corner",
                "barriers",
                "guests",
                "bodies",
                "smoke",
            )
        ),
    )


class Walker:
    """The walker on one battlefield, with bodies in the way of others; all arrays are made before it is asked."""

    def __init__(self, field: Battlefield, crowd: Sequence[Body] = (), *, blasts: bool = False) -> None:
        """Args:
        field: what is walked over.
        crowd: bodies in the way, as far as the battlefield's rules let them be.
        blasts: whether lines are of blasts instead of sight and shots.
        """
        self.field = field
        self._struct, self._kept = _arrays(field, crowd, blasts)

    def overlay(self, observer: Body, like: Body) -> tuple[Shares, Shares]:
        """What is visible and covered of a body like `like` on each square: arrays of rows by columns."""
        shape = self.field.rows, self.field.columns
        visible, covered = np.zeros(shape), np.ones(shape)
        one, other = _bodies(self.field, [observer]), _bodies(self.field, [like], on_ground=False)
        self._ask("overlay", one, other, visible, covered)
        return visible, covered

    def pairs(self, everybody: Sequence[Body]) -> tuple[Shares, Shares]:
        """The same of bodies among themselves, each pair walked once each way: observers by targets."""
        count = len(everybody)
        visible, covered = np.ones((count, count)), np.zeros((count, count))
        self._ask("pairs", _bodies(self.field, everybody), ctypes.c_int32(count), visible, covered)
        return visible, covered

    def blast(self, centre: Square, radius: int) -> NDArray[np.bool_]:
        """The squares of a window round a burst that it reaches, distance and rise counted by the longest of three."""
        found = np.zeros((2 * radius + 1, 2 * radius + 1), np.bool_)
        most_rise = radius * self.field.square_size
        numbers = map(ctypes.c_int32, (*centre, radius, middle_height(self.field), most_rise))
        self._ask("blast", self._kept["filled"], *numbers, found)
        return found

    def _ask(self, name: str, *arguments: Any) -> None:
        """Raises:
        OverflowError: a line had more parts than there is room for.
        """
        function = getattr(_library(), name)
        function.restype = ctypes.c_bool
        passed = [
            ctypes.c_void_p(argument.ctypes.data) if isinstance(argument, np.ndarray) else argument
            for argument in arguments
        ]
        if not function(ctypes.byref(self._struct), *passed):
            raise OverflowError(f"{SOURCE.name}: a line has more parts than there is room for")


@cache
def _library() -> ctypes.CDLL:
    """Compiles the walker into a folder that goes again, and loads it.

    Raises:
        FileNotFoundError: there is no `cc`.
        subprocess.CalledProcessError: it does not compile.
    """
    compiler = shutil.which("cc")
    if compiler is None:
        raise FileNotFoundError("cc: the plain walker that sight is measured against needs a C compiler")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "walker.so"
        subprocess.run([compiler, *kernel_flags(), "-o", str(made), str(SOURCE), "-lm"], check=True)
        return ctypes.CDLL(str(made))


def kernel_flags() -> tuple[str, ...]:
    """FLAGS of `hatch_build.py`, read without running it: what it imports is there only while a package is built."""
    for statement in ast.parse(HOOK.read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "FLAGS":
            return tuple(ast.literal_eval(statement.value))
    raise AssertionError(f"{HOOK.name} has no FLAGS")


def _arrays(field: Battlefield, crowd: Sequence[Body], blasts: bool) -> tuple[FieldStruct, dict[str, Array | None]]:
    """The battlefield as walker.c takes it, and the arrays that it points to."""
    ground, kinds = np.array(field.elevation, np.int64), np.array(field.ground)
    stops = np.array([_stops(kind, blasts) if kind.height > 0 else 0 for kind in field.legend], np.int64)[kinds]
    heights = np.array([kind.height for kind in field.legend], np.int64)[kinds]
    squares = np.zeros(len(ground), SQUARE)
    squares["ground"], squares["stops"], squares["guest"] = ground, stops, NOTHING
    squares["top"] = np.minimum(SKY, ground + heights)
    highest = np.where(stops > 0, squares["top"], squares["ground"]).astype(np.int32)
    standing = [one for one in crowd if 0 < field.sight.bodies <= one.size and not blasts]
    bodies = _bodies(field, standing)
    edges = _edges(field, blasts)
    ends_sight = field.smoke_opacity.ends_sight
    arrays: dict[str, Array | None] = {
        "highest": highest,
        "squares": squares,
        **edges,
        "guests": _guests(field, standing, bodies, squares, highest),
        "bodies": bodies,
        "smoke": np.array(field.smoke, np.uint8) if ends_sight is not None and any(field.smoke) else None,
        "filled": np.array([kind.contains_blast and kind.blocks_movement for kind in field.legend], np.uint8)[kinds],
    }
    barriers = edges["barriers"]
    is_alike = np.isin(np.concatenate([stops, barriers["stops"]]), (0, SIGHT | SHOTS)).all()
    questions = SIGHT if is_alike and not barriers["open_way"].any() else SIGHT | SHOTS
    model = field.sight
    struct = FieldStruct(
        field.columns,
        field.rows,
        questions,
        len(barriers) > 0,
        model.soft,
        model.mutual,
        model.head / 100,
        model.least / 100,
        float(ends_sight or 0) + ROUNDING,
        *(None if array is None else array.ctypes.data for name, array in arrays.items() if name != "filled"),
    )
    return struct, arrays


def _stops(thing: Any, blasts: bool) -> int:
    """Which questions something is in the way of; of blasts, for what contains them, all."""
    if blasts:
        return SIGHT | SHOTS if thing.contains_blast else 0
    return SIGHT * bool(thing.blocks_sight) | SHOTS * bool(thing.stops_shots)


def _bodies(field: Battlefield, bodies: Sequence[Body], *, on_ground: bool = True) -> Array:
    """Bodies with heights above the map's zero, or above the ground that they would stand on."""
    rows = []
    for one in bodies:
        feet = one.altitude
        if on_ground:
            feet += max(field.elevation_at(square) for square in one.squares)
        heights = feet, feet + one.eyes, feet + max(one.height, 1), feet + one.looks_over
        rows.append((*one.at, one.size, *heights, len(one.eye_points)))
    return np.array(rows, BODY)


def _guests(field: Battlefield, standing: Sequence[Body], bodies: Array, squares: Array, highest: Array) -> Array:
    """Links the bodies that stand on each square, and marks them in `squares` and `highest`."""
    guests: list[tuple[int, int]] = []
    for number, one in enumerate(standing):
        for place in map(field.index, one.squares):
            guests.append((number, squares["guest"][place]))
            squares["guest"][place] = len(guests) - 1
            highest[place] = max(highest[place], min(SKY, bodies["crown"][number]))
    return np.array(guests, GUEST)


def _edges(field: Battlefield, blasts: bool) -> dict[str, Array]:
    """Which barrier each edge has, and which corners have an edge with one."""
    shape = field.rows + 1, field.columns + 1
    west, north = np.full(shape, NOTHING, np.int32), np.full(shape, NOTHING, np.int32)
    corner = np.zeros(shape, np.uint8)
    barriers: list[tuple[Any, ...]] = []
    for edge, barrier in field.barriers.items():
        stops, parts = _stops(barrier, blasts), [*_parts(field, edge, barrier)]
        if barrier.is_open or not stops or not parts:
            continue
        is_west, way = edge.side == "W", barrier.seen_through
        is_across = way is not None and not blasts and (way.dx != 0) == is_west
        (west if is_west else north)[edge.row, edge.column] = len(barriers)
        corner[edge.row, edge.column] = 1
        corner[edge.row + is_west, edge.column + (not is_west)] = 1
        bottoms, tops = zip(*parts, *[(0, 0)] * (2 - len(parts)), strict=True)
        barriers.append((len(parts), bottoms, tops, stops, WAYS[way] if way and is_across else 0))
    return {"west": west, "north": north, "corner": corner, "barriers": np.array(barriers, BARRIER)}


def _parts(field: Battlefield, edge: Edge, barrier: Barrier) -> Iterator[tuple[int, int]]:
    """Bottom and top above the map's zero of what a barrier fills: all, or the parts below and above an opening."""
    base, bottom, top = field.barrier_base(edge), max(barrier.bottom, 0), barrier.top
    opening = (bottom if barrier.sill is None else barrier.sill, top if barrier.lintel is None else barrier.lintel)
    has_opening = (barrier.sill is not None or barrier.lintel is not None) and opening[0] < opening[1]
    parts = ((bottom, min(opening[0], top)), (max(opening[1], bottom), top)) if has_opening else ((bottom, top),)
    for low, high in parts:
        if low < high:
            yield base + low if low else BELOW, min(SKY, base + high)
