"""Which squares a change touches."""

from __future__ import annotations

from engine.battle.views.view import View
from engine.geometry.squares import Edge, Square, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tui.application.overlays.markings import Markings
from tui.view.board.dirty_squares import MOST_COMPARED, changed_squares, moved_squares


def names(squares: set[Square] | None) -> set[str]:
    assert squares is not None
    return {square.name for square in squares}


def test_nothing_changed(sample: View, banded: Markings) -> None:
    assert changed_squares(banded, replace(banded, cursor=Square(1, 1)), sample) == set()
    assert moved_squares(sample, replace(sample, round=3)) == set()


def test_choice_touches_the_units(sample: View) -> None:
    assert names(changed_squares(Markings(selected="todd"), Markings(selected="mara"), sample)) == {"H7", "D3"}
    assert names(changed_squares(Markings(), Markings(target="cop"), sample)) == {"T6"}


def test_line_touches_only_where_it_differs(sample: View, aimed: Markings) -> None:
    assert changed_squares(aimed, replace(aimed, cursor=parse_square("B2")), sample) == set()
    assert {"L5", "M5"} <= names(changed_squares(aimed, replace(aimed, stop=parse_square("M5")), sample))
    edge = replace(aimed, stop=Edge(9, 5, "W"))
    assert "J6" in names(changed_squares(aimed, edge, sample))


def test_path_touches_its_old_goal(sample: View, banded: Markings) -> None:
    longer = replace(banded, path=(*banded.path, parse_square("N8")))
    assert names(changed_squares(banded, longer, sample)) == {"M8", "N8"}


def test_tints_are_compared_up_to_a_limit(sample: View, banded: Markings) -> None:
    other = {**banded.tints, parse_square("C3"): "blast"}
    assert names(changed_squares(banded, replace(banded, tints=other), sample)) == {"C3"}
    fewer = {square: tint for square, tint in banded.tints.items() if square.name != "D4"}
    assert names(changed_squares(banded, replace(banded, tints=fewer), sample)) == {"D4"}
    huge = {Square(column, 0): "blast" for column in range(MOST_COMPARED + 1)}
    assert changed_squares(Markings(), Markings(tints=huge), sample) is None


def test_a_unit_that_moved_touches_both_squares(sample: View) -> None:
    todd, *others = sample.units
    moved = replace(sample, units=(replace(todd, at=parse_square("H8")), *others))
    assert names(moved_squares(sample, moved)) == {"H7", "H8"}
    assert names(moved_squares(sample, replace(sample, units=tuple(others)))) >= {"H7"}


def test_another_battlefield_is_another_picture(sample: View) -> None:
    assert moved_squares(sample, replace(sample, field=with_barriers(sample.field, [Edge(9, 3, "W")], None))) is None


def test_the_path_of_a_declared_move_is_drawn_as_soon_as_it_is_declared(sample: View) -> None:
    path = tuple(parse_square(name) for name in ("C2", "D2", "E2"))
    declared = replace(sample, declared_paths=(path,))
    for before, after in ((sample, declared), (declared, sample)):
        assert moved_squares(before, after) == set(path)
