"""Battlefields generated from seeds, in the kinds that the targets name."""

from __future__ import annotations

from random import Random

from engine.geometry.battlefield import SKY, Battlefield, Ground

FLOOR = Ground("floor")
WALL = Ground("wall", "", SKY, True, True, True, True, "heavy", glyph="#")
PILLAR = Ground("floor", "pillar", SKY, True, True, True, True, "heavy", glyph="O")
LOW_WALL = Ground("floor", "low wall", 300, True, True, False, False, "heavy", 2, "=")
LEGEND = (FLOOR, WALL, PILLAR, LOW_WALL)

CLOSED = ("pillars", "rooms")
OPEN = ("scattered", "elevation", "rough")
KINDS = (*CLOSED, *OPEN)


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
