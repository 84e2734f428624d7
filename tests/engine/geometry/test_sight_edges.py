"""Sight on maps that are hardly maps: one square, one row, all wall, the largest there is, everything at the edge."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from engine.geometry.battlefield import MAX_COLUMNS, MAX_ROWS, SKY, OffMap
from engine.geometry.body import Body, body
from engine.geometry.los.profile import profile
from engine.geometry.los.sight import POINTS
from engine.geometry.squares import Edge, Square
from engine.values import replace
from tests.engine.geometry.drawing import GLYPHS, LOW, WALL, WINDOW, drawn, person
from tests.engine.geometry.drawing import straight as trace
from tui.application.describe.side_view import drawn as drawn_view


@pytest.fixture(scope="module")
def largest():
    """As large as maps may be, with walls every fifty columns but for one gap each."""
    field = drawn("." * MAX_COLUMNS)
    wall = list(GLYPHS).index("#")
    ground = [
        wall if column % 50 == 25 and row != 250 else 0 for row in range(MAX_ROWS) for column in range(MAX_COLUMNS)
    ]
    count = MAX_COLUMNS * MAX_ROWS
    return replace(
        field, rows=MAX_ROWS, ground=tuple(ground), elevation=(0,) * count, smoke=(1,) * count, light=(2,) * count
    )


def test_a_single_square():
    for points in POINTS:
        answer = trace(drawn("."), person("A1"), person("A1"), (), points)
        assert (answer.visible, answer.covered, answer.clear, answer.words) == (
            1,
            0,
            True,
            "Clear line of sight, 0 squares.",
        )
        assert [half is None for half in (answer.left, answer.right)] == [True, True]
    walled = drawn("#", barriers={f"A1 {side}": WALL for side in "NESW"})
    assert trace(walled, person("A1"), person("A1", altitude=500)).clear


def test_nothing_fits_on_a_single_square_but_one_square():
    with pytest.raises(OffMap, match="B1 is off the map: the last square is A1"):
        trace(drawn("."), person("A1"), person("A1", size=2))


@pytest.mark.parametrize("rows", [("." * 40,), (".",) * 40])
def test_one_row_or_one_column(rows):
    field = drawn(*rows)
    ends = person("A1"), person(field.squares()[-1].name)
    for one, other in (ends, ends[::-1]):
        answer = trace(field, one, other)
        assert (answer.visible, answer.clear, len(answer.squares)) == (1, True, 40)
        assert {point.side for point in answer.points} == {"", "left", "right"}
        assert answer.points[0].side == ""


def test_all_wall_shows_neighbours_alone():
    field = drawn(*["####"] * 4)
    middle = person("B2")
    for square in field.squares():
        answer = trace(field, middle, body(square, "metres"))
        near = max(abs(square.column - 1), abs(square.row - 1)) <= 1
        is_diagonal = abs(square.column - 1) == abs(square.row - 1) == 1
        assert answer.clear == (near and not is_diagonal), square


def test_the_largest_map_from_end_to_end(largest):
    far = MAX_COLUMNS - 1
    blocked = trace(largest, body(Square(0, 0), "metres"), body(Square(far, MAX_ROWS - 1), "metres"))
    assert not blocked.clear and blocked.first_blocker.name == "wall"
    through = trace(largest, body(Square(0, 250), "metres"), body(Square(far, 250), "metres"))
    assert through.clear and (through.smoke, through.smoke_squares) == (far, MAX_COLUMNS)
    assert through.columns_apart == far
    assert len(drawn_view(profile(largest, body(Square(0, 250), "metres"), body(Square(far, 250), "metres")))) == 12


def test_barriers_round_the_edge_of_the_map_are_in_nobody_s_way():
    sides = {f"{name} N": WALL for name in ("A1", "B1", "C1")} | {f"{name} S": WINDOW for name in ("A2", "B2", "C2")}
    sides |= {"A1 W": LOW, "A2 W": WALL, "C1 E": WALL, "C2 E": LOW}
    open_field, walled = drawn("...", "..."), drawn("...", "...", barriers=sides)
    for one, other in product(open_field.squares(), repeat=2):
        for size in (1, 2):
            if one.column + size <= 3 and one.row + size <= 2:
                ends = body(one, "metres", size=size), body(other, "metres")
                assert trace(walled, *ends).visible == trace(open_field, *ends).visible == 1


def test_large_bodies_in_the_corners():
    field = drawn(*["........"] * 8)
    for size, other_size in product(range(1, 5), repeat=2):
        last = 8 - other_size
        answer = trace(field, Body(Square(0, 0), size), Body(Square(last, last), other_size))
        assert (answer.visible, answer.clear) == (1, True)
        assert answer.columns_apart == answer.rows_apart == max(0, last - size + 1)


@pytest.mark.parametrize(
    ("one", "other", "named"),
    [
        (Square(-1, 0), Square(0, 0), "-A1"),
        (Square(0, 0), Square(0, -1), "A0"),
        (Square(0, 0), Square(2, 0), "C1"),
        (Square(0, 9), Square(0, 0), "A10"),
    ],
)
def test_an_end_off_the_map_is_said_with_the_square_and_where_the_map_ends(one, other, named):
    with pytest.raises(OffMap, match=f"{named} is off the map: the last square is B2"):
        trace(drawn("..", ".."), body(one, "metres"), body(other, "metres"))


def test_bodies_without_height_and_heights_beyond_reason():
    flat = Body(Square(2, 0), height=0, eyes=0)
    assert trace(drawn("..."), person("A1"), flat).visible == 1
    assert trace(drawn(".#."), person("A1"), flat).visible == 0
    deep = drawn("...", elevation={"A1": -SKY // 2, "C1": SKY // 2})
    answer = trace(deep, person("A1"), person("C1"))
    assert 0 <= answer.visible <= 1 and answer.rise == SKY
    assert len(drawn_view(profile(deep, person("A1"), person("C1")), 78, 12)) == 12


def test_a_crowd_on_every_square():
    field = drawn(*["....."] * 5)
    crowd = [replace(body(square, "metres"), name=square.name) for square in field.squares()]
    answer = trace(field, person("A1"), person("E1", "kneeling"), crowd)
    assert (answer.visible, answer.first_blocker.phrase) == (0, "B1 at B1")
    assert trace(field, person("A1"), person("A2"), crowd).visible == 1
    assert trace(field, person("A1"), person("B2"), crowd).visible == Fraction(0)


def test_edges_that_lie_off_the_map_matter_to_nobody():
    field = replace(drawn(".."), barriers={Edge(5, 5, "N"): WALL, Edge(-1, 0, "W"): WALL})
    assert trace(field, person("A1"), person("B1")).visible == 1
