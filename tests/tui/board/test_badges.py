"""Badges of units of a group: letter and number, at every zoom."""

from __future__ import annotations

import pytest

from engine.battle.views.view import UnitView, View
from engine.values import replace
from tui.application.describe.glyphs import GLYPH_SETS
from tui.view.board.ground import DrawingStyle
from tui.view.board.palette import MONO
from tui.view.board.tokens import token
from tui.view.board.zoom_levels import LARGE, MEDIUM, SMALL, Zoom


def rows(unit: UnitView, zoom: Zoom, *, is_shared: bool = False) -> list[str]:
    manner = DrawingStyle(zoom, GLYPH_SETS["unicode"], MONO)
    drawn = token(unit, manner, is_filled=False, is_in_smoke=False, is_shared=is_shared)
    return ["".join(sign.glyph for sign in row) for row in drawn]


@pytest.fixture
def goon(sample: View) -> UnitView:
    return replace(sample.unit("bandit"), letter="g", number=3, name="goon 3", conditions=(), posture="standing")


def test_in_two_cells_letter_and_digit_fill_both_and_from_ten_on_the_number_alone(goon: UnitView) -> None:
    assert rows(goon, SMALL) == ["g3"]
    assert rows(replace(goon, number=12), SMALL) == ["12"]
    assert rows(replace(goon, number=0), SMALL)[0][0] == "g"


def test_its_digit_has_the_colour_of_its_health(goon: UnitView) -> None:
    manner = DrawingStyle(SMALL, GLYPH_SETS["unicode"], MONO)
    first = replace(goon.pools[0], now=1)
    for is_filled in (False, True):
        hurt = token(replace(goon, pools=(first,)), manner, is_filled=is_filled, is_in_smoke=False)
        assert hurt[0][1].ink.startswith("bar-bad")


def test_in_four_cells_the_most_urgent_mark_is_at_the_end_of_the_bar(goon: UnitView, sample: View) -> None:
    head, bar = rows(goon, MEDIUM)
    assert head[:3] == " g3" and head[3] in GLYPH_SETS["unicode"].facing("standing", goon.facing)
    marked = rows(replace(goon, conditions=sample.unit("bandit").conditions), MEDIUM)
    assert marked == [head, f"{bar[:3]}p"]
    assert rows(replace(goon, number=12), MEDIUM)[0] == " g12"


def test_in_six_cells_there_is_room_for_marks(goon: UnitView, sample: View) -> None:
    head = rows(replace(goon, conditions=sample.unit("bandit").conditions), LARGE)[0]
    assert head[:3] == " g3" and head[4:] == "p "
