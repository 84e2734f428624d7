"""Looks and levels."""

from __future__ import annotations

from engine.geometry.battlefield import NOTHING, SKY, Barrier, Ground, Lamp
from engine.geometry.squares import Direction, parse_square
from engine.values import replace
from tests.tui.board.conftest import field
from tui.application.describe.glyphs import UNICODE
from tui.view.board.glyph_keys import barrier_look, contour_step, hue_of, is_solid, is_void, level_of, object_look
from tui.view.board.ground import DrawingStyle, paper_of
from tui.view.board.palette import MONO
from tui.view.board.zoom_levels import SMALL


def test_contour_step_is_what_all_heights_share() -> None:
    assert contour_step((0, 300, 600, 0)) == 300
    assert contour_step((0, 0)) == 1
    assert contour_step(()) == 1
    assert contour_step((-450, 150)) == 150
    assert contour_step((300, 600, 900, -450, -150)) == 300
    assert contour_step((-450, -150)) == 150


def test_too_many_levels_share_signs() -> None:
    assert contour_step((0, 1200, 1300, 1380, 1500)) == 100, "not 20: a round step, and two figures fit"
    step = contour_step(range(0, 31000, 100))
    assert step == 2000 and {level_of(height, step) for height in range(0, 31000, 100)} <= set(range(21))
    step = contour_step(range(-3100, 100, 100))
    assert {level_of(height, step) for height in range(-3100, 100, 100)} <= set(range(-9, 1)), "and a minus and one"


def test_only_the_maps_zero_is_level_nought() -> None:
    assert [level_of(height, 500) for height in (0, 100, 500, 1400, -100, -1000)] == [0, 1, 1, 3, -1, -2]


def test_solid_means_wall_to_the_sky_without_an_object() -> None:
    wall = Ground("wall", "", SKY, True, True, True, True, "heavy")
    assert is_solid(wall) and is_solid(Ground("granite", "", SKY, True, True, True, True, "heavy"))
    assert not is_solid(Ground("floor", "pillar", SKY, True, True, True, True, "heavy"))
    assert not is_solid(Ground("floor"))
    assert is_void(NOTHING) and not is_void(wall)


def test_a_maps_own_things_look_like_what_they_do() -> None:
    assert object_look(Ground("floor", "corn", 600, blocks_sight=True)) == "hedge"
    assert object_look(Ground("floor", "altar", 300, True, True, True)) == "thing"
    assert object_look(Ground("floor")) == ""
    assert hue_of(Ground("moon dust")) == "floor"
    assert barrier_look(Barrier("force field", blocks_sight=False)) == "glass"
    assert barrier_look(Barrier("net", blocks_sight=False, stops_shots=False)) == "bars"
    assert barrier_look(Barrier("ward")) == "wall"
    assert barrier_look(Barrier("mirror", seen_through=Direction.N)) == "glass"
    assert barrier_look(Barrier("hatch", "locked")) == "locked"
    assert barrier_look(Barrier("curtain", "open", stops_shots=False)) == "drawn"


def test_the_board_is_as_light_as_its_lamps_make_it() -> None:
    lamp = replace(field(), lamps=(Lamp(parse_square("Y4"), 1, 2, 800),))
    manner = DrawingStyle(SMALL, UNICODE, MONO)
    squares = [parse_square(name) for name in ("Y4", "Y5", "Y6", "Y8")]
    assert [paper_of(field(), square, "", manner).light for square in squares] == [0, 0, 0, 0]
    assert [paper_of(lamp, square, "", manner).light for square in squares] == [1, 1, 3, 0]
    night = replace(lamp, light=(0,) * len(lamp.light))
    assert [paper_of(night, square, "", manner).light for square in squares] == [2, 2, 1, 0]
