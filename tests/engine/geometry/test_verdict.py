"""The sentence that goes with a trace."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.geometry.terrain_edits import with_ground
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from tests.engine.geometry.drawing import CURTAIN, DOOR, LOW, PANE, SIGN, SLIT, WALL, WINDOW, drawn, person
from tests.engine.geometry.drawing import straight as trace


def words(field, one=None, other=None) -> str:
    last = field.squares()[-1].name
    return trace(field, one or person("A1"), other or person(last)).words


@pytest.mark.parametrize(
    ("field", "sentence"),
    [
        (drawn("....."), "Clear line of sight, 4 squares."),
        (drawn(".."), "Clear line of sight, 1 square."),
        (drawn("....", "....", "...."), "Clear line of sight, 3 columns and 2 rows."),
        (drawn("...c."), "37 % visible; the crate at D1 (1.2 m high) covers 63 %."),
        (drawn("...#."), "Blocked by the wall at D1."),
        (drawn("...", barriers={"B1 W": WALL}), "Blocked at the wall on B1 W."),
        (drawn("...", barriers={"B1 W": DOOR}), "Blocked at the closed door on B1 W."),
        (drawn("...", barriers={"B1 W": replace(DOOR, state="open")}), "Clear line of sight, 2 squares."),
        (drawn("...", barriers={"B1 W": CURTAIN}), "Blocked at the curtain on B1 W; shots can hit 100 % of the body."),
        (drawn(".", ".", ".", barriers={"A2 N": WALL}), "Blocked at the wall on A2 N."),
        (
            drawn("..h.."),
            "Blocked at C1: the line passes at 1.6 m, the hedge is 2.0 m high; shots can hit 100 % of the body.",
        ),
        (drawn("..g.."), "Clear line of sight, 4 squares, but the glass at C1 (2.0 m high) stops every shot."),
        (
            drawn("..", barriers={"B1 W": replace(PANE, top=81)}),
            "Clear line of sight, 1 square, but the pane on B1 W (0.8 m high) covers 14 %.",
        ),
        (
            drawn("....", smoke={"B1": 1, "C1": 1, "D1": 2}),
            "Smoke on 3 squares: clear line of sight, 3 squares, no cover.",
        ),
        (drawn("...", light={"C1": 0}), "Darkness: clear line of sight, 2 squares, no cover."),
        (
            drawn("...", smoke={"B1": 1}, light={"C1": 1}),
            "Smoke on 1 square, dim light: clear line of sight, 2 squares, no cover.",
        ),
        (drawn("...#.", smoke={"B1": 1}), "Blocked by the wall at D1; smoke on 1 square."),
        (drawn("...", elevation={"B1": 300}), "Blocked at B1: the line passes at 1.6 m, the ground rises to 3.0 m."),
        (
            drawn("...", barriers={"B1 W": SLIT}),
            "22 % visible; the slit on B1 W (opens from 1.4 m to 1.5 m) covers 78 %.",
        ),
    ],
)
def test_sentences(field, sentence):
    assert words(field) == sentence


@pytest.mark.parametrize(
    ("field", "most", "sentence"),
    [
        (drawn(".....", smoke={"B1": 1, "C1": 1}), 2, "Smoke on 2 squares: clear line of sight, 4 squares, no cover."),
        (
            drawn(".....", smoke={"B1": 1, "C1": 1, "D1": 1}),
            2,
            "Blocked by smoke on 3 squares: sight ends beyond 2 squares; shots can hit 100 % of the body.",
        ),
        (
            drawn(".....", smoke={"B1": 2, "C1": 1}, light={"E1": 0}),
            Fraction(5, 2),
            "Blocked by smoke on 2 squares, counted as 3: sight ends beyond 2.5 squares; "
            "shots can hit 100 % of the body; darkness.",
        ),
        (
            drawn(".....", ".....", smoke={"B1": 1, "C1": 1}),
            1,
            "Blocked by smoke on 2 squares, counted as 1.6: sight ends beyond 1 square; "
            "shots can hit 100 % of the body.",
        ),
        (drawn("...", smoke={"B1": 1}), 0, "Blocked by smoke on 1 square; shots can hit 100 % of the body."),
        (drawn("...#.", smoke={"B1": 1}), 0, "Blocked by the wall at D1; smoke on 1 square."),
        (
            drawn("...c.", smoke={"C1": 2}),
            1,
            "Blocked by smoke on 1 square, counted as 2: sight ends beyond 1 square; shots can hit 37 % of the body.",
        ),
    ],
)
def test_sentences_of_smoke_that_ends_sight(field, most, sentence):
    assert words(replace(field, smoke_opacity=SmokeOpacity(most))) == sentence


def test_heights_are_said_from_the_blockers_own_ground():
    field = drawn("..c..", elevation=dict.fromkeys(["A1", "B1", "C1", "D1", "E1"], 200))
    said = words(field, person("A1", "kneeling"), person("E1", "prone"))
    assert said == "Blocked at C1: the line passes at 0.7 m, the crate is 1.2 m high."
    wall = words(drawn("...", barriers={"B1 W": LOW}), person("A1", "prone"), person("C1", "prone"))
    assert wall == "Blocked at B1 W: the line passes at 0.4 m, the low wall is 1.0 m high."
    sign = words(drawn("...", barriers={"B1 W": SIGN}), None, person("C1"))
    assert "the sign on B1 W (reaches from 1.5 m to 2.5 m)" in sign


def test_a_window_says_where_it_opens():
    said = words(drawn("...", barriers={"B1 W": WINDOW}), person("A1", "prone"), person("C1", "prone"))
    assert said == "Blocked at B1 W: the line passes at 0.4 m, the window opens from 0.9 m to 2.0 m."


def test_what_hides_and_what_stops_are_kept_apart():
    said = words(drawn("....", barriers={"D1 W": replace(CURTAIN, top=90)}))
    assert said == "58 % visible; the curtain on D1 W (0.9 m high) hides 42 %; shots can hit 100 % of the body."
    both = words(drawn(".kg."))
    assert both.endswith("; no shot can reach the target.")


def test_feet_are_feet():
    field = replace(drawn("..c.."), unit="feet")
    assert "the crate at C1 (1.2 ft high)" in words(field, None, person("E1"))


@pytest.mark.parametrize(
    ("name", "hides", "is_high"),
    [("hedge", "hides", "is"), ("reeds", "hide", "are"), ("clump of reeds", "hides", "is")],
)
def test_what_is_in_the_way_takes_its_verb(name, hides, is_high):
    tall = drawn("..h..")
    at = tall.squares()[2]
    named = with_ground(tall, [at], replace(tall.ground_at(at), object=name))
    assert f"the {name} {is_high} 2.0 m high" in words(named)


def test_squares_across_and_along_are_told_apart():
    assert words(drawn("..", "..")) == "Clear line of sight, 1 square diagonally."
