"""Battlefields generated from seeds, in the kinds that the targets name, plain and with all that maps may have."""

from __future__ import annotations

from random import Random

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground
from engine.geometry.squares import Direction, Edge, Square
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace

FLOOR = Ground("floor")
WALL = Ground("wall", "", SKY, True, True, True, True, "heavy", glyph="#")
PILLAR = Ground("floor", "pillar", SKY, True, True, True, True, "heavy", glyph="O")
LOW_WALL = Ground("floor", "low wall", 300, True, True, False, False, "heavy", 2, "=")
HEDGE = Ground("grass", "hedge", 500, blocks_sight=True)
THIN = (Barrier("wall"), Barrier("window", sill=300, lintel=650))
MIRROR = Barrier("mirror", stops_shots=False, seen_through=Direction.E)
LEGEND = (FLOOR, WALL, PILLAR, LOW_WALL)

CLOSED = ("pillars", "rooms")
OPEN = ("scattered", "elevation", "rough")
KINDS = (*CLOSED, *OPEN)
EXTRAS = ("walls", "hedges", "walls hedges", "mirror", "smoke")
"""What `enriched` adds, words apart."""


def generated(kind: str, side: int, seed: int = 1) -> Battlefield:
    """A square map of five-foot squares.

    Args:
        kind: "pillars" (30 % of the squares), "rooms" (walls with doorways), "scattered" (1 % pillars), "elevation"
            (rolling ground), "rough" (uneven ground with low walls), or "open".
        side: squares along each side.
        seed: the same seed gives the same map.
    """
    rng = Random(f"{kind} {side} {seed}")
    cells = side * side
    ground, elevation = [0] * cells, [0] * cells
    match kind:
        case "pillars":
            ground = [2 if rng.random() < 0.3 else 0 for _ in range(cells)]
        case "scattered":
            ground = [2 if rng.random() < 0.01 else 0 for _ in range(cells)]
        case "rooms":
            _rooms(ground, side, rng)
        case "elevation":
            elevation = _hills(side, rng, 24, 3000)
        case "rough":
            elevation = [height + rng.randrange(0, 100) for height in _hills(side, rng, 12, 800)]
            ground = [3 if rng.random() < 0.05 else 0 for _ in range(cells)]
        case "open":
            pass
        case _:
            raise ValueError(f"{kind!r} is not one of {', '.join(KINDS)}, open")
    middle = (side // 2) * side + side // 2
    ground[middle] = 0
    return Battlefield(
        f"{kind} {side}",
        side,
        side,
        "feet",
        500,
        LEGEND,
        tuple(ground),
        tuple(elevation),
        (0,) * cells,
        (2,) * cells,
    )


def _rooms(ground: list[int], side: int, rng: Random) -> None:
    """Walls every ten squares, a doorway or two in each stretch."""
    for place in range(side):
        for line in range(0, side, 10):
            ground[line * side + place] = ground[place * side + line] = 1
    for line in range(10, side - 1, 10):
        for stretch in range(0, side - 10, 10):
            for _ in range(2):
                ground[line * side + stretch + rng.randrange(1, 10)] = 0
                ground[(stretch + rng.randrange(1, 10)) * side + line] = 0


def _hills(side: int, rng: Random, spacing: int, height: int) -> list[int]:
    """Heights between random knots `spacing` squares apart, joined by straight slopes."""
    knots = side // spacing + 2
    peaks = [[rng.randrange(0, height) for _ in range(knots)] for _ in range(knots)]
    found = []
    for row in range(side):
        y, down = divmod(row, spacing)
        for column in range(side):
            x, across = divmod(column, spacing)
            upper = peaks[y][x] * (spacing - across) + peaks[y][x + 1] * across
            lower = peaks[y + 1][x] * (spacing - across) + peaks[y + 1][x + 1] * across
            found.append((upper * (spacing - down) + lower * down) // (spacing * spacing))
    return found


def inside(field: Battlefield, size: int = 1) -> Square:
    """The first square on the diagonal behind the middle on which a body may stand: inside a room, where there are any;
    in the middle itself walls meet."""
    return next(
        Square(place, place)
        for place in range(field.columns // 2 + 5, field.columns)
        if not any(
            field.ground_at(Square(place + across, place + down)).blocks_movement
            for across in range(size)
            for down in range(size)
        )
    )


def nearest_free(field: Battlefield) -> Square:
    """The square nearest to the middle on which a body may stand; the first of equals."""
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    return min(free, key=lambda at: (2 * at.column - field.columns) ** 2 + (2 * at.row - field.rows) ** 2)


def enriched(field: Battlefield, extras: str) -> Battlefield:
    """The same map with more on it.

    Args:
        field: the map.
        extras: words of EXTRAS: "walls" (800 thin walls and windows), "hedges" (1 % of the free squares hide and stop
            no shots), "mirror" (one, near to `inside`), "smoke" (on 2 % of the squares; sight goes through two).
    """
    rng = Random(f"{field.name} {extras}")
    words, side, cells = extras.split(), field.columns, len(field.ground)
    if "walls" in words:
        places = rng.sample(range(cells), 800)
        edges = {Edge(place % side, place // side, rng.choice("NW")): rng.choice(THIN) for place in places}
        field = replace(field, barriers=edges)
    if "hedges" in words:
        number = len(field.legend)
        ground = tuple(number if kind == 0 and rng.random() < 0.01 else kind for kind in field.ground)
        field = replace(field, legend=(*field.legend, HEDGE), ground=ground)
    if "mirror" in words:
        column, row = inside(field)
        field = replace(field, barriers={**field.barriers, Edge(column + 3, row, "W"): MIRROR})
    if "smoke" in words:
        smoke = tuple(int(rng.random() < 0.02) for _ in range(cells))
        field = replace(field, smoke=smoke, smoke_opacity=SmokeOpacity(2))
    return field
