"""One model, one answer: the trace, the overlay and the pairs agree."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Ground
from engine.geometry.body import Body, body
from engine.geometry.los.field_of_view import between, overlook
from engine.geometry.los.sight import trace
from engine.geometry.squares import Edge, Square
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace

LEGEND = (
    Ground("floor"),
    Ground("wall", "", SKY, True, True, True, True, "heavy"),
    Ground("floor", "crate", 400, True, True, True, False, "medium"),
    Ground("floor", "hedge", 500, True),
    Ground("floor", "glass", 700, False, True, True),
)
WINDOW = Barrier("window", sill=300, lintel=650)


def a_map(seed: int, *, is_flat: bool) -> Battlefield:
    """A small map with walls on squares and edges; unless flat, with hills, low things, windows and smoke too."""
    rng = Random(seed)
    columns, rows = rng.randrange(1, 11), rng.randrange(1, 11)
    cells = columns * rows
    kinds = [0, 0, 0, 1] if is_flat else [0, 0, 0, 0, 1, 2, 3, 4]
    barriers = [Barrier("wall")] if is_flat else [Barrier("wall"), WINDOW, Barrier("parapet", top=300)]
    edges = {
        Edge(rng.randrange(columns + 1), rng.randrange(rows + 1), rng.choice("NW")): rng.choice(barriers)
        for _ in range(cells // 3)
    }
    return Battlefield(
        "random",
        columns,
        rows,
        "feet",
        500,
        LEGEND,
        tuple(rng.choice(kinds) for _ in range(cells)),
        tuple(0 if is_flat else rng.choice((0, 0, 0, 200, 400, 900)) for _ in range(cells)),
        tuple(0 if is_flat else rng.choice((0, 0, 0, 1, 2)) for _ in range(cells)),
        (2,) * cells,
        edges,
    )


@pytest.mark.long
@pytest.mark.parametrize("most", [None, 0, 1, Fraction(5, 2)])
@pytest.mark.parametrize("seed", range(10))
def test_the_overlay_the_pairs_and_the_trace_agree_on_everything_a_map_can_say(
    seed: int, most: Fraction | None
) -> None:
    thin = a_map(seed, is_flat=False)
    field, rng = replace(thin, smoke_opacity=SmokeOpacity(most)), Random(seed)
    squares = field.squares()
    bodies = [body(square, "feet") for square in squares]
    observer = body(rng.choice(squares), "feet", rng.choice(("standing", "kneeling", "prone")))
    overlay, crowd = overlook(field, observer, bodies[0]), between(field, [observer], bodies)
    for number, (square, other) in enumerate(zip(squares, bodies, strict=True)):
        line, bare = trace(field, observer, other), trace(thin, observer, other)
        ended = most is not None and bare.smoke > most
        assert line.visible == (0 if ended else bare.visible), square.name
        assert line.clear == (bare.clear and not ended), square.name
        assert (line.covered, line.smoke, line.smoke_squares) == (bare.covered, bare.smoke, bare.smoke_squares)
        assert line.ends_in_smoke == (ended and bare.visible > 0), square.name
        at = (square.row, square.column)
        for found in (overlay.visible[at], crowd.visible[0, number]):
            assert found == pytest.approx(float(line.visible), abs=1e-12), square.name
        for found in (overlay.covered[at], crowd.covered[0, number]):
            assert found == pytest.approx(float(line.covered), abs=1e-12), square.name
        back = trace(field, other, observer)
        assert (back.clear, back.can_see) == (line.clear, line.can_see), "the same both ways"


def test_a_part_of_the_map_is_seen_as_in_the_whole() -> None:
    field = a_map(3, is_flat=True)
    observer = Body(Square(0, 0))
    whole, part = (overlook(field, observer, observer, within=one) for one in (None, (Square(-3, 2), Square(4, 99))))
    assert (part.visible[2:, :5] == whole.visible[2:, :5]).all() and (
        part.covered[2:, :5] == whole.covered[2:, :5]
    ).all()
    assert not part.visible[:2].any() and not part.visible[:, 5:].any() and part.covered[:2].all()
    assert not overlook(field, observer, observer, within=(Square(0, 0), Square(-1, -1))).visible.any()
