"""Small battlefields drawn by hand or made at random, and their mirror images."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from random import Random

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground
from engine.geometry.body import NO_REACH, Body, body
from engine.geometry.los.sight import trace
from engine.geometry.los.trace import Trace
from engine.geometry.squares import Direction, Edge, Square, edge_of, parse_square
from engine.sight_model import SightModel
from engine.values import replace

GLYPHS = {
    ".": Ground("floor"),
    "c": Ground("floor", "crate", 120, True, True, True, cover="medium"),
    "k": Ground("floor", "keg", 90, True, True, cover="light"),
    "#": Ground("wall", "", SKY, True, True, True, cover="heavy"),
    "h": Ground("grass", "hedge", 200, True, False),
    "g": Ground("floor", "glass", 200, False, True, True, cover="light"),
    "~": Ground("water", move_cost=2),
    "t": Ground("floor", "table", 80, move_cost=3),
}
WALL = Barrier("wall")
LOW = Barrier("low wall", top=100)
WINDOW = Barrier("window", sill=90, lintel=200)
SLIT = Barrier("slit", sill=140, lintel=150)
CURTAIN = Barrier("curtain", stops_shots=False, blocks_movement=False, cover="")
PANE = Barrier("pane", blocks_sight=False, top=250)
SIGN = Barrier("sign", bottom=150, top=250, blocks_movement=False)
DOOR = Barrier("door", "closed")
MIRROR = Barrier("mirror", seen_through=Direction.E)


STRAIGHT = SightModel(lean=False, own_cover="off", soft=False, bodies=1, head=0, least=0, mutual=False)
"""Single lines alone: one looks from the middle, past everything, and everybody is in the way."""


def straight(
    field: Battlefield, one: Body, other: Body, obstacles: Collection[Body] = (), points: int = 5, *, bodies: int = 1
) -> Trace:
    """The trace by STRAIGHT: what the lines themselves are like."""
    one, other = (replace(body, lean=False, reach=NO_REACH) for body in (one, other))
    return trace(replace(field, sight=replace(STRAIGHT, bodies=bodies)), one, other, obstacles, points)


def drawn(
    *rows: str,
    barriers: Mapping[str, Barrier] | None = None,
    elevation: Mapping[str, int] | None = None,
    smoke: Mapping[str, int] | None = None,
    light: Mapping[str, int] | None = None,
) -> Battlefield:
    """A metric map with squares of 1.5 m. Edges are named as `Edge.name` does; what is not given is flat and bright."""
    columns = len(rows[0])

    def layer(values: Mapping[str, int] | None, usual: int) -> tuple[int, ...]:
        named = {parse_square(name): value for name, value in (values or {}).items()}
        return tuple(named.get(Square(column, row), usual) for row in range(len(rows)) for column in range(columns))

    legend = list(GLYPHS)
    return Battlefield(
        "drawn",
        columns,
        len(rows),
        "metres",
        150,
        tuple(GLYPHS.values()),
        tuple(legend.index(glyph) for row in rows for glyph in row),
        layer(elevation, 0),
        layer(smoke, 0),
        layer(light, 2),
        {edge(name): barrier for name, barrier in (barriers or {}).items()},
    )


def edge(name: str) -> Edge:
    square, side = name.split()
    return edge_of(parse_square(square), Direction[side])


def person(name: str, posture: str = "standing", size: int = 1, altitude: int = 0) -> Body:
    """A metric human: 1.8 m, eyes at 1.62 m."""
    return body(parse_square(name), "metres", posture, size, altitude)


def random_field(random: Random, columns: int = 7, rows: int = 6) -> Battlefield:
    """Objects, heights, smoke and barriers of every kind, in random density."""
    density, slopes, walls = random.choice([0, 0.1, 0.3, 0.6]), random.choice([0, 0.3]), random.choice([0, 0.1, 0.3])
    count = columns * rows
    edges = [Edge(column, row, side) for row in range(rows) for column in range(columns) for side in "NW"]
    kinds = [WALL, LOW, WINDOW, SLIT, CURTAIN, PANE, SIGN, DOOR, replace(DOOR, state="open")]
    plain = drawn(*["." * columns] * rows)
    return replace(
        plain,
        ground=tuple(random.randrange(1, len(GLYPHS)) if random.random() < density else 0 for _ in range(count)),
        elevation=tuple(random.choice([50, 100, 160, 300]) if random.random() < slopes else 0 for _ in range(count)),
        smoke=tuple(random.choice([0, 0, 0, 1, 2]) for _ in range(count)),
        light=tuple(random.choice([0, 1, 2]) for _ in range(count)),
        barriers={one: random.choice(kinds) for one in edges if random.random() < walls},
    )


def with_mirrors(random: Random, field: Battlefield) -> Battlefield:
    """The same field with what is seen through one way on some of its edges."""
    barriers = dict(field.barriers)
    for edge in [
        Edge(column, row, side) for row in range(field.rows) for column in range(field.columns) for side in "NW"
    ]:
        if random.random() < 0.2:
            way = random.choice([Direction.E, Direction.W] if edge.side == "W" else [Direction.N, Direction.S])
            kind = random.choice([MIRROR, replace(MIRROR, stops_shots=False, top=120), replace(WINDOW, lintel=130)])
            barriers[edge] = replace(kind, seen_through=way)
    return replace(field, barriers=barriers)


def random_crowd(random: Random, field: Battlefield) -> list[Body]:
    """Some bodies; they may overlap one another."""
    return [random_body(random, field, 4) for _ in range(random.randrange(6))]


def random_body(random: Random, field: Battlefield, largest: int = 3) -> Body:
    size = random.choice([1, 1, 1, 2, largest])
    at = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    posture = random.choice(["standing", "kneeling", "prone"])
    return body(at, field.unit, posture, size, random.choice([0, 0, 0, 120, 250]))


def turned(field: Battlefield, *bodies: Body) -> tuple[Battlefield, *tuple[Body, ...]]:
    """Everything turned right by a quarter."""
    return _moved(
        field, bodies, field.rows, field.columns, lambda square: Square(field.rows - 1 - square.row, square.column)
    )


def mirrored(field: Battlefield, *bodies: Body) -> tuple[Battlefield, *tuple[Body, ...]]:
    """East and west exchanged."""
    return _moved(
        field, bodies, field.columns, field.rows, lambda square: Square(field.columns - 1 - square.column, square.row)
    )


def _moved(
    field: Battlefield, bodies: tuple[Body, ...], columns: int, rows: int, where: Callable[[Square], Square]
) -> tuple[Battlefield, *tuple[Body, ...]]:
    def layer(old: tuple[int, ...]) -> tuple[int, ...]:
        new = [0] * len(old)
        for square in field.squares():
            there = where(square)
            new[there.row * columns + there.column] = old[field.index(square)]
        return tuple(new)

    barriers = {}
    for old, barrier in field.barriers.items():
        one, other = (where(square) for square in old.squares)
        side = next(side for side in (Direction.N, Direction.E, Direction.S, Direction.W) if one.step(side) == other)
        if barrier.seen_through:
            first, then = where(Square(1, 1)), where(Square(1, 1).step(barrier.seen_through))
            way = Direction.of(then.column - first.column, then.row - first.row)
            barrier = replace(barrier, seen_through=way)
        barriers[edge_of(one, side)] = barrier
    layers = {name: layer(getattr(field, name)) for name in ("ground", "elevation", "smoke", "light")}
    moved = replace(field, columns=columns, rows=rows, barriers=barriers, **layers)
    return moved, *(replace(one, at=min(where(square) for square in one.squares)) for one in bodies)
