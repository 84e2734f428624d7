"""One-way barriers, bodies in the way, the two halves of a body and its points, with figures worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.geometry.battlefield import OffMap
from engine.geometry.squares import Direction
from engine.values import replace
from tests.engine.geometry.drawing import MIRROR, WALL, drawn, person
from tests.engine.geometry.drawing import straight as trace


def named(square: str, name: str = "Bandit", **how):
    return replace(person(square, **how), name=name)


def test_a_mirror_is_seen_through_one_way_and_stops_shots_both_ways():
    field = drawn("...", barriers={"B1 W": MIRROR})
    through, back = trace(field, person("A1"), person("C1")), trace(field, person("C1"), person("A1"))
    assert (through.visible, through.covered, through.clear, through.first_blocker) == (1, 1, False, None)
    assert (back.visible, back.covered, back.clear) == (0, 1, False)
    assert back.first_blocker.name == "mirror"
    assert (
        through.words
        == "Clear line of sight, 2 squares, but the mirror on B1 W stops every shot; the return line is blocked."
    )
    assert back.words == "Blocked at the mirror on B1 W."


def test_what_hides_one_way_and_stops_nothing_leaves_a_line_that_is_not_mutual():
    field = drawn("...", barriers={"B1 W": replace(MIRROR, stops_shots=False)})
    answer = trace(field, person("A1"), person("C1"))
    assert (answer.visible, answer.covered, answer.clear) == (1, 0, False)
    assert answer.words == "Clear line of sight, 2 squares; the return line is blocked."


@pytest.mark.parametrize(("way", "visible"), [("N", 0), ("S", 1)])
def test_the_way_is_the_one_in_which_the_line_crosses(way, visible):
    field = drawn(".", ".", barriers={"A2 N": replace(MIRROR, seen_through=Direction[way])})
    assert trace(field, person("A1"), person("A2")).visible == visible


def test_a_way_along_its_own_edge_opens_nothing():
    field = drawn("..", "..", barriers={"B1 W": replace(MIRROR, seen_through=Direction.S)})
    assert trace(field, person("A1"), person("B1")).visible == 0


def test_round_a_corner_one_free_way_is_enough():
    east, south = MIRROR, replace(MIRROR, seen_through=Direction.S)
    both = drawn("..", "..", barriers={"B1 W": east, "A2 N": WALL})
    assert trace(both, person("A1"), person("B2")).first_blocker is None
    assert not trace(both, person("A1"), person("B2")).clear
    assert trace(both, person("B2"), person("A1")).first_blocker is not None
    # one way round is open from here, the other way round from there: what hides one way makes no clear line
    crossed = drawn("..", "..", barriers={"B1 W": east, "A2 N": replace(south, seen_through=Direction.N)})
    for one, other in (("A1", "B2"), ("B2", "A1")):
        answer = trace(crossed, person(one), person(other))
        assert (answer.first_blocker, answer.clear) == (None, False)


def test_somebody_kneeling_covers_who_stands_behind():
    answer = trace(drawn("....."), person("A1"), person("E1"), [named("D1", posture="kneeling")])
    # 1.08 m, far edge at 28 of 32 eighths: 162 - 54 * 32 / 28 of 180
    assert answer.covered == (162 - Fraction(54 * 32, 28)) / 180
    assert answer.visible == 1 - answer.covered
    assert (answer.cover.phrase, answer.cover.cover, answer.clear) == ("Bandit at D1", "light", True)
    assert answer.words == "44 % visible; Bandit at D1 covers 56 %."
    assert [(crossing.name, crossing.top) for crossing in answer.crossings if crossing.is_body] == [("Bandit", 108)]


def test_somebody_standing_blocks_and_is_named():
    answer = trace(drawn("...."), person("A1"), person("D1", "kneeling"), [named("C1"), person("B1")])
    assert not answer.clear
    assert answer.words == "Blocked by somebody at B1."
    assert answer.cover.phrase == "Bandit at C1"


def test_a_large_body_in_the_way_is_one_thing_at_its_first_square():
    answer = trace(drawn(*["......"] * 4), person("A2"), person("F3"), [named("C2", "Ogre", size=2)])
    assert answer.first_blocker.phrase == answer.cover.phrase == "Ogre at C2"
    assert answer.cover.share == answer.covered == 1
    # through both squares on the line, and past the two on either side of the corner between them
    assert {crossing.square for crossing in answer.crossings if crossing.is_body} == set(person("C2", size=2).squares)


def test_one_looks_under_a_flyer_and_over_the_fallen():
    row = drawn(".....")
    assert trace(row, person("A1"), person("E1"), [named("C1", altitude=200)]).visible == 1
    assert trace(row, person("A1"), person("E1"), [named("C1", altitude=100)]).visible < 1
    assert trace(row, person("A1"), person("E1"), [named("B1", posture="prone")]).covered == 0


def test_bodies_on_own_squares_are_in_nobody_s_way():
    row = drawn("...")
    others = [named("A1", "Rider", altitude=100), named("C1", "Rat", posture="prone")]
    assert trace(row, person("A1"), person("C1"), others).visible == 1


def test_somebody_off_the_map():
    with pytest.raises(OffMap, match="D1 is off the map"):
        trace(drawn("..."), person("A1"), person("B1"), [named("D1")])


def test_left_and_right_are_the_observer_s():
    # facing south-east past a crate in the target's own row: it covers more of the southern half, on the right
    field = drawn(".....", "...c.", ".....")
    answer = trace(field, person("A1"), person("E2"))
    assert (answer.left.covered, answer.right.covered) == (Fraction(79, 240), Fraction(19, 30))
    east = trace(field, person("A2"), person("E2"))
    assert east.left.covered == east.right.covered > 0
    assert [(point.name, point.side) for point in east.points] == [
        ("centre", ""),
        ("north-west", "left"),
        ("north-east", "left"),
        ("south-west", "right"),
        ("south-east", "right"),
    ]


def test_each_half_names_its_own_cover():
    field = drawn("........", ".....c..", ".....k..", "........")
    answer = trace(field, person("A2", size=2), person("G2", size=2))
    assert (answer.left.cover.phrase, answer.right.cover.phrase) == ("the crate at F2", "the keg at F3")
    other = drawn("........", "..c.....", "..k.....", "........")
    back = trace(other, person("G2", size=2), person("A2", size=2))
    assert (back.left.cover.phrase, back.right.cover.phrase) == ("the keg at C3", "the crate at C2")


def test_nine_points_add_the_middles_of_the_sides():
    field = drawn("...", "..#", "...")
    answers = [trace(field, person("A3"), person("C1"), (), points) for points in (1, 5, 9)]
    assert [len(answer.points) for answer in answers] == [1, 5, 9]
    assert [point.name for point in answers[2].points[5:]] == ["north", "east", "south", "west"]
    assert answers[0].left is answers[0].right is None
    assert [answer.visible for answer in answers] == [
        sum(point.visible for point in answer.points) / len(answer.points) for answer in answers
    ]
