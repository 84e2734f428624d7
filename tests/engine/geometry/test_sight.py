"""Sight and cover on maps drawn by hand, with figures worked out by hand.

Metric people are 1.8 m tall with eyes at 1.62 m. Along a row, the five lines to a target n squares away are 8n eighths
long (one), 8n - 3 (two) and 8n + 3 (two): on average 8n, so a share that is linear in the length is that of the middle.
"""

from __future__ import annotations

import gc
from fractions import Fraction

import pytest

from engine.geometry.battlefield import SKY, OffMap
from engine.geometry.los.own_lines import OwnLines
from engine.geometry.squares import Square
from engine.values import replace
from tests.engine.geometry.drawing import CURTAIN, DOOR, LOW, PANE, SIGN, WALL, WINDOW, drawn, edge, person
from tests.engine.geometry.drawing import straight as trace


def test_an_empty_field_is_clear():
    answer = trace(drawn("....."), person("A1"), person("E1"))
    assert (answer.visible, answer.covered, answer.clear) == (1, 0, True)
    assert (answer.first_blocker, answer.cover) == (None, None)
    assert (answer.columns_apart, answer.rows_apart, answer.rise) == (4, 0, 0)
    assert [square.name for square in answer.squares] == ["A1", "B1", "C1", "D1", "E1"]
    assert [crossing.edge for crossing in answer.crossings] == [None] * 5
    assert (answer.crossings[1].start, answer.crossings[1].end) == (Fraction(1, 8), Fraction(3, 8))


def test_a_crate_covers_what_is_below_its_far_upper_edge():
    answer = trace(drawn("...c."), person("A1"), person("E1"))
    # far edge at 28 eighths: 162 - 42 * 32 / 28 = 114 of 180 on average
    assert answer.covered == Fraction(114, 180)
    assert answer.visible == Fraction(66, 180)
    assert answer.clear
    assert answer.cover.name == "crate" and answer.cover.cover == "medium" and answer.cover.place == "D1"
    assert answer.cover.share == answer.covered
    assert answer.cover.line_height == 162


def test_a_crate_near_the_eye_covers_less_than_one_near_the_target():
    answer = trace(drawn(".c..."), person("A1"), person("E1"))
    assert answer.covered == Fraction(50, 180)  # 162 - 42 * 32 / 12 = 50


def test_own_object_is_ignored_but_not_the_neighbours():
    assert trace(drawn("...cc"), person("A1"), person("E1")).covered == Fraction(114, 180)
    assert trace(drawn("c...c"), person("A1"), person("E1")).covered == 0


def test_a_kneeling_target_vanishes_behind_a_crate():
    answer = trace(drawn("...c."), person("A1"), person("E1", "kneeling"))
    # 114 of 108 on the middle line, 109.5 on the far ones, 118.5 on the near ones: all above the crown
    assert (answer.visible, answer.covered, answer.clear) == (0, 1, False)
    assert answer.first_blocker.name == "crate"
    # the line goes from 162 down to 97: at 20 of 32 eighths it is above the crate, at 28 it leaves it below the top
    assert answer.first_blocker.line_height == 162 - Fraction(65 * 28, 32)


def test_a_low_wall_hides_the_legs():
    answer = trace(drawn(".....", barriers={"E1 W": LOW}), person("A1"), person("E1"))
    assert answer.covered == (162 - 62 * Fraction(32, 28)) / 180
    assert answer.cover.edge == edge("E1 W")
    assert answer.cover.top == 100


def test_a_window_shows_what_is_between_sill_and_lintel():
    answer = trace(drawn(".....", barriers={"E1 W": WINDOW}), person("A1"), person("E1"))
    assert answer.clear
    assert answer.covered == (162 - 72 * Fraction(32, 28)) / 180  # the lintel is above every line
    above = trace(drawn("..", barriers={"B1 W": WINDOW}), person("A1", altitude=300), person("B1", altitude=300))
    assert (above.clear, above.visible) == (False, 0)


def test_a_lintel_hides_heads():
    field, target = drawn("...", barriers={"C1 W": WINDOW}), person("C1", altitude=100)
    answer = trace(field, person("A1"), target)
    # the lintel, 38 above the eye at 12 eighths, hides from 162 + 38 * 16 / 12 = 212.7 on, the eye at 262 included;
    # the sill, 72 below it, hides up to 162 - 72 * 13 / 12 = 84 at most, which is under the feet
    hidden = [280 - (162 + Fraction(38 * length, 12)) for length in (16, 13, 13, 19, 19)]
    assert answer.covered == sum(hidden) / (5 * 180)
    assert not answer.clear and answer.visible > 0
    assert trace(drawn("...", barriers={"B1 W": WINDOW}), person("A1"), target).clear  # 162 + 38 * 16 / 4 = 314


def test_shots_and_eyes_pass_under_a_sign():
    answer = trace(drawn("...", barriers={"C1 W": SIGN}), person("A1", "kneeling"), person("C1"))
    # from 97 up: 97 + 53 * 16 / 12 = 167.67 hides the head from there on
    hidden = [180 - min(180, 97 + Fraction(53 * length, 12)) for length in (16, 13, 13, 19, 19)]
    assert answer.covered == sum(hidden) / (5 * 180)
    assert answer.clear


ROOF = {"A1": 600, "B1": 600}


def test_looking_down_from_the_edge_of_a_roof():
    field = drawn(".....", elevation=ROOF)
    assert trace(field, person("B1"), person("E1")).visible == 1
    back = trace(field, person("A1"), person("E1"))
    assert (back.visible, back.covered) == (0, 1)  # own roof: 762 - 162 * 32 / 12 = 330 is above every crown
    assert back.first_blocker.name == "ground"
    assert back.rise == -600


def test_looking_up_a_cliff_hides_feet():
    field = drawn(".....", elevation=ROOF)
    answer = trace(field, person("E1"), person("B1"))
    # 162 + 438 * 24 / 20 = 687.6 of 600 … 780
    assert answer.covered == Fraction(876, 1800)
    assert answer.clear and trace(field, person("B1"), person("E1")).clear
    assert (answer.cover.name, answer.cover.cover, answer.cover.place) == ("ground", "heavy", "B1")
    assert trace(field, person("E1"), person("A1")).visible == 0


def test_a_parapet_stands_on_the_roof_not_on_the_street():
    field = drawn(".....", elevation=ROOF, barriers={"C1 W": LOW})
    answer = trace(field, person("B1"), person("E1"))
    assert answer.visible == 0  # 762 - 62 * 24 / 4 = 390 is above every crown
    assert answer.first_blocker.edge == edge("C1 W")
    assert answer.first_blocker.top == 700
    # back up: 162 + 538 * 21 / 20 = 726.9 on the near lines, above the crown of 780 on the others
    assert trace(field, person("E1"), person("B1")).covered == (3 * 180 + 2 * Fraction(1269, 10)) / 900


def test_a_hedge_hides_and_stops_no_shot():
    answer = trace(drawn("..h.."), person("A1"), person("E1"))
    assert (answer.visible, answer.covered, answer.clear, answer.cover) == (0, 0, False, None)
    assert answer.first_blocker.name == "hedge"
    assert [(crossing.blocks_sight, crossing.stops_shots) for crossing in answer.crossings][2] == (True, False)


def test_glass_stops_shots_and_hides_nothing():
    answer = trace(drawn("..g.."), person("A1"), person("E1"))
    assert (answer.visible, answer.covered, answer.clear) == (1, 1, True)
    assert answer.cover.name == "glass"
    pane = trace(drawn(".....", barriers={"C1 W": PANE}), person("A1"), person("E1"))
    assert (pane.visible, pane.covered, pane.cover.edge) == (1, 1, edge("C1 W"))


def test_a_curtain_hides_and_stops_no_shot():
    answer = trace(drawn("...", barriers={"B1 W": CURTAIN}), person("A1"), person("C1"))
    assert (answer.visible, answer.covered, answer.clear) == (0, 0, False)


@pytest.mark.parametrize(("state", "visible"), [("closed", 0), ("locked", 0), ("open", 1), ("broken", 1)])
def test_a_door_blocks_when_shut(state, visible):
    field = drawn("...", barriers={"B1 E": replace(DOOR, state=state)})
    answer = trace(field, person("A1"), person("C1"))
    assert answer.visible == visible and answer.clear == bool(visible)
    door = next(crossing for crossing in answer.crossings if crossing.edge)
    assert (door.name, door.blocks_sight, door.square) == ("door", not visible, Square(2, 0))


def test_neighbours_are_parted_by_a_wall_between_them():
    assert trace(drawn("..", barriers={"B1 W": WALL}), person("A1"), person("B1")).visible == 0
    assert trace(drawn("##"), person("A1"), person("B1")).visible == 1


def test_no_peeking_between_two_pillars_that_touch():
    answer = trace(drawn("...", ".#.", "#..", "..."), person("A2"), person("B3"))
    assert (answer.clear, answer.first_blocker.name) == (False, "wall")
    assert answer.first_blocker.place in ("B2", "A3")


def test_one_corner_alone_blocks_nothing():
    answer = trace(drawn("...", ".#.", "..."), person("A2"), person("B3"))
    assert answer.clear
    assert answer.visible == Fraction(4, 5)  # the line to the near corner of the wall's side meets it
    assert answer.cover.share == Fraction(1, 5)


def test_a_corner_is_as_high_as_the_lower_of_its_two_squares():
    answer = trace(drawn(".c", "#."), person("A1"), person("B2", "prone"))
    lower = trace(drawn(".k", "#."), person("A1"), person("B2", "prone"))
    # eyes at 162 and 40: half-way the line is at 101
    assert not answer.clear and answer.first_blocker.name == "crate"
    assert answer.first_blocker.line_height == 101
    assert lower.clear


@pytest.mark.parametrize(
    ("walls", "clear"),
    [
        (["B1 W"], True),
        (["B1 W", "B1 S"], True),  # both on the way round by B1; the way by A2 is free
        (["B1 W", "A1 S"], False),
        (["B1 W", "B2 W"], False),
        (["A1 S", "B1 S"], False),
        (["B1 S", "B2 W"], False),
        (["A1 S", "B2 W"], True),
    ],
)
def test_edges_at_a_corner_block_when_they_close_both_ways_round(walls, clear):
    field = drawn("..", "..", barriers=dict.fromkeys(walls, WALL))
    assert trace(field, person("A1"), person("B2")).clear == clear
    assert trace(field, person("B2"), person("A1")).clear == clear
    if not clear:
        blocker = trace(field, person("A1"), person("B2")).first_blocker
        assert blocker.edge in {edge(name) for name in walls}
        assert blocker.square in blocker.edge.squares


@pytest.mark.parametrize(
    ("rows", "clear"),
    [
        (("..", "..", "#.", "..", "..", ".."), True),
        (("..", "..", "##", "..", "..", ".."), False),
        (("..", "..", "#.", ".#", "..", ".."), False),
        (("..", "..", "#.", "..", ".#", "..", ".."), True),
    ],
)
def test_large_bodies_look_along_a_grid_line(rows, clear):
    field = drawn(*rows)
    answer = trace(field, person("A1", size=2), person(f"A{len(rows) - 1}", size=2))
    assert answer.clear == clear
    assert answer.rows_apart == len(rows) - 3


@pytest.mark.parametrize(
    ("walls", "clear"), [(["A3 N"], True), (["A3 N", "B3 N"], False), (["B3 W"], True), (["A3 N", "B4 N"], True)]
)
def test_edges_beside_a_grid_line(walls, clear):
    field = drawn(*[".."] * 6, barriers=dict.fromkeys(walls, WALL))
    assert trace(field, person("A1", size=2), person("A5", size=2)).clear == clear


def test_a_large_body_straddles_what_stands_under_it():
    field = drawn("#.....", "..k...", barriers={"B1 W": WALL, "B1 S": WALL})
    answer = trace(field, person("A1", size=2), person("E1", size=2))
    assert answer.clear
    assert answer.visible == 1
    assert (answer.columns_apart, answer.rows_apart) == (3, 0)


def test_smoke_is_counted_by_length_and_density():
    answer = trace(drawn(".....", smoke={"C1": 1, "D1": 2, "E1": 1}), person("A1"), person("E1"))
    assert (answer.smoke, answer.smoke_squares) == (1 + 2 + Fraction(1, 2), 3)
    assert (answer.visible, answer.clear) == (1, True)
    assert [crossing.smoke for crossing in answer.crossings] == [0, 0, 1, 2, 1]
    slanted = trace(drawn("...", "...", "...", smoke={"B2": 1}), person("A1"), person("C3"))
    assert abs(float(slanted.smoke) - 2**0.5) < 1e-9
    inside = trace(drawn("..", smoke={"A1": 2}), person("A1"), person("A1"))
    assert (inside.smoke, inside.smoke_squares) == (0, 1)


def test_altitude_looks_over_walls():
    field = drawn("..c..")
    flier = person("E1", altitude=300)
    answer = trace(field, person("A1"), flier)
    assert (answer.visible, answer.clear, answer.rise) == (1, True, 300)
    assert trace(field, flier, person("A1")).clear
    assert trace(drawn("..#.."), person("A1"), person("E1", altitude=5000)).visible == 0
    assert trace(drawn("..#.."), person("A1", altitude=SKY), person("E1", altitude=SKY)).visible == 1


def test_bodies_in_one_place_see_each_other():
    for one, other in [("A1", "A1"), ("B2", "A1")]:
        answer = trace(drawn("##", "##"), person(one), person(other, size=2 if other != one else 1))
        assert (answer.visible, answer.clear, answer.columns_apart, answer.rows_apart) == (1, True, 0, 0)
    above = trace(drawn("."), person("A1"), person("A1", altitude=400))
    assert (above.clear, above.rise) == (True, 400)


def test_light_is_the_brightest_under_the_target():
    field = drawn("...", "...", light={"A1": 0, "B1": 1, "C1": 0, "B2": 0, "C2": 0})
    assert trace(field, person("A2"), person("B1", size=2)).light == "dim"
    assert trace(field, person("A2"), person("A1")).light == "dark"


def test_cover_is_the_thing_that_protects_most_and_of_equals_the_nearest():
    answer = trace(drawn(".k.c."), person("A1"), person("E1"))
    assert answer.cover.place == "D1"
    twice = trace(drawn(".#.#."), person("A1"), person("E1"))
    assert (twice.first_blocker.place, twice.cover.place) == ("B1", "D1")


def test_an_object_on_a_bank_is_named_only_where_it_adds_something():
    answer = trace(drawn("...k.", elevation={"D1": 200}), person("A1"), person("E1"))
    assert (answer.cover.name, answer.visible) == ("ground", 0)
    low = trace(drawn("...k.", elevation={"D1": 20}), person("A1"), person("E1"))
    assert (low.cover.name, low.cover.top) == ("keg", 110)


def test_off_the_map():
    with pytest.raises(OffMap, match="C1 is off the map"):
        trace(drawn("..", ".."), person("A1"), person("B1", size=2))


def test_two_large_bodies_in_one_place_share_the_smoke_of_all_their_squares():
    for smoke, count in [({"B2": 1}, 0), ({"A1": 1, "A2": 1, "B1": 1, "B2": 1}, 1)]:
        answer = trace(drawn("..", "..", smoke=smoke), person("A1", size=2), person("A1", size=2))
        assert (answer.smoke, answer.smoke_squares, len(answer.crossings)) == (0, count, 1)


def test_an_answer_that_is_kept_does_not_keep_the_lines_that_it_was_made_of():
    """Hundreds are kept in a session; with all lines from eye to point each would be twenty times as large."""
    answer = trace(drawn("...c."), person("A1"), person("E1", "kneeling"))
    before = answer.points, answer.left, answer.right, answer.crossings
    known, waiting = set[int](), [answer.look, answer.tell, answer.eyes_meet]
    while waiting:
        one = waiting.pop()
        if id(one) not in known and not isinstance(one, type):
            known.add(id(one))
            assert not isinstance(one, OwnLines)
            cells = one.__closure__ or () if hasattr(one, "__closure__") else gc.get_referents(one)
            waiting += cells
    assert (answer.points, answer.left, answer.right, answer.crossings) == before
