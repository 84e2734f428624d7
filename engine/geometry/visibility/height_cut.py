"""The map cut at one height, for yes and no: which squares and edges are in the way there. `view` looks round on it."""

from __future__ import annotations

from operator import gt
from typing import NamedTuple

from engine.context import Cache
from engine.geometry.battlefield import Barrier, Battlefield, Height
from engine.geometry.body import body
from engine.geometry.obstacles import barrier_solids
from engine.geometry.squares import Direction, Edge, Square

QUESTIONS = ("blocks_sight", "stops_shots")
"""What a plan may be drawn for, by the names of the fields of Ground and Barrier."""

PLANS_KEPT = 8

Line = bytes
"""One row or column of a plan, 1 for what is solid: at 2, 4, 6 … its squares, between them the edges.

What is at 0 and behind the last square is solid, and so is the edge between two solid squares."""


class PlanLines(NamedTuple):
    """All columns of a plan from west to east, or all rows from north to south, each twice where edges work one way.

    `squares` are for lines of sight that drift towards higher places along them, then towards lower ones. `planes` are
    the edges before each line (as Line, with edges at 2, 4, 6 … and nothing solid at the ends), None where there are
    none, for lines of sight towards higher numbers, then towards lower ones; empty when no plane has any.
    """

    squares: tuple[tuple[Line, ...], tuple[Line, ...]]
    planes: tuple[tuple[Line | None, ...], tuple[Line | None, ...]]


class HeightCut(NamedTuple):
    """A battlefield cut at a height, for one question."""

    battlefield: Battlefield
    columns: PlanLines
    rows: PlanLines


_PLANS: Cache[HeightCut] = Cache(PLANS_KEPT)


def plan(
    battlefield: Battlefield,
    question: str = "blocks_sight",
    over: Height | None = None,
    under: Height | None = None,
    *,
    one_way: bool = False,
) -> HeightCut:
    """The plan of a battlefield, drawn once for as long as the very same battlefield is asked about.

    Solid is what answers the question with yes and reaches from lower than `under` to higher than `over`: at one height
    a cut through the map. Ground that high is solid, too.

    Args:
        battlefield: any; the answers are those of `sight.trace` where its ground is flat.
        question: one of QUESTIONS.
        over: hundredths of the map's unit above its zero; None is the eye of a human who stands on ground of height 0.
        under: the same height as `over` when None.
        one_way: whether a pane that is seen through one way is open that way. Then one square may be seen from another
            and not the other way round; else such a pane hides both ways, as it does for the mutual flag of a trace.

    Raises:
        ValueError: no such question.
    """
    if question not in QUESTIONS:
        raise ValueError(f"{question!r} is not one of {', '.join(QUESTIONS)}")
    above = body(Square(0, 0), battlefield.unit).eyes if over is None else over
    asked = (question, above, above if under is None else under, one_way)
    return _PLANS.get((battlefield,), asked, lambda: _drawn(battlefield, *asked))


def _drawn(battlefield: Battlefield, question: str, over: Height, under: Height, one_way: bool) -> HeightCut:
    columns, rows = battlefield.columns, battlefield.rows
    # The ground of a square, and the object on it, go down to the bottom of the map.
    most = [over - ground.height * getattr(ground, question) for ground in battlefield.legend]
    solid = bytes(map(gt, battlefield.elevation, map(most.__getitem__, battlefield.ground)))
    across: list[tuple[Edge, Direction | None]] = [
        (edge, barrier.seen_through if one_way and question == "blocks_sight" else None)
        for edge, barrier in battlefield.barriers.items()
        if _is_filled(battlefield, edge, barrier, question, over, under)
    ]
    return HeightCut(
        battlefield,
        _lines([solid[column::columns] for column in range(columns)], across, "W"),
        _lines([solid[start : start + columns] for start in range(0, columns * rows, columns)], across, "N"),
    )


def _is_filled(
    battlefield: Battlefield, edge: Edge, barrier: Barrier, question: str, over: Height, under: Height
) -> bool:
    if barrier.is_open or not getattr(barrier, question):
        return False
    solids = barrier_solids(barrier, battlefield.barrier_base(edge))
    return any(bottom < under and top > over for bottom, top in solids)


def _lines(solid: list[bytes], across: list[tuple[Edge, Direction | None]], side: str) -> PlanLines:
    """Columns (with `side` W, the side on which the column before lies) or rows (N) with their edges."""
    count, width = len(solid), len(solid[0])
    outward = {"W": (Direction.E, Direction.W), "N": (Direction.S, Direction.N)}
    squares, planes = [], []
    for way in (0, 1):
        lines = [bytearray(_spread(b"\1" + line + b"\1")) for line in solid]
        edges: dict[int, bytearray] = {}
        for edge, through in across:
            number, place = (edge.column, edge.row) if side == "W" else (edge.row, edge.column)
            if through == outward[edge.side][way]:
                continue
            if edge.side != side and 0 <= number < count and 0 <= place <= width:
                lines[number][2 * place + 1] = 1
            elif edge.side == side and 0 <= number <= count and 0 <= place < width:
                edges.setdefault(number, bytearray(width + 2))[place + 1] = 1
        squares.append(tuple(map(bytes, lines)))
        found = (_spread(bytes(edges[number])) if number in edges else None for number in range(count + 1))
        planes.append(tuple(found) if edges else ())
        if all(through is None for _, through in across):
            return PlanLines((squares[0], squares[0]), (planes[0], planes[0]))
    return PlanLines((squares[0], squares[1]), (planes[0], planes[1]))


def _spread(solid: bytes) -> bytes:
    """Every place of a line with one between it and the next, which is solid when both are."""
    length = len(solid)
    spread = bytearray(2 * length)
    spread[::2] = solid
    both = int.from_bytes(solid[:-1], "big") & int.from_bytes(solid[1:], "big")
    spread[1:-1:2] = both.to_bytes(length - 1, "big")
    return bytes(spread)
