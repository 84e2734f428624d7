"""Rows as runs: widths, merging, layers, what survives without colour."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product

import pytest
from rich.cells import cell_len
from rich.style import Style

from engine.battle.narration.unit_states import StateShown
from engine.battle.views.aftermath import FELL, STRUCK, Aftermath, Mark, Shot
from engine.battle.views.attack_outcomes import HIT
from engine.battle.views.view import Gauge, LastSeen, UnitView, View
from engine.geometry.battlefield import NOTHING
from engine.geometry.squares import Direction, Edge, Square, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from maps import load_map, shipped_maps
from tui.application.describe.glyphs import ASCII, UNICODE, GlyphSet
from tui.application.overlays.markings import BURST, TINTS, Markings
from tui.application.overlays.overlay_list import OVERLAY_TINTS
from tui.view.board.dirty_squares import moved_squares
from tui.view.board.ground import DrawingStyle, Sign
from tui.view.board.layers import mark_texts, without_labels
from tui.view.board.palette import MONO, VOID, Palette
from tui.view.board.picture import Picture, Run, Squares, draw_row
from tui.view.board.tokens import altitude_of
from tui.view.board.zoom_levels import LARGE, MEDIUM, SMALL, ZOOMS, Zoom

FULL = Palette({})
MANNERS = [
    DrawingStyle(zoom, glyphs, palette) for zoom in ZOOMS for glyphs in (UNICODE, ASCII) for palette in (FULL, MONO)
]


def text(runs: list[Run]) -> str:
    return "".join(part for part, _ in runs)


def styles(runs: list[Run]) -> list[Style]:
    """A style for each cell."""
    return [style for part, style in runs for _ in part]


def square(picture: Picture, place: Square) -> list[str]:
    """A square's cells as text, line by line."""
    zoom = picture.manner.zoom
    x, y = place.column * zoom.width, place.row * zoom.height
    return [text(draw_row(picture, y + line, x, x + zoom.width)) for line in range(zoom.height)]


def with_unit(view: View, unit: UnitView) -> View:
    return replace(view, units=(unit,))


@pytest.mark.parametrize("manner", MANNERS)
def test_runs_fill_the_row_and_neighbours_differ(sample: View, banded: Markings, manner: DrawingStyle) -> None:
    picture = Picture(sample, banded, manner)
    width, height = picture.size
    for y in range(height):
        runs = draw_row(picture, y, 0, width)
        assert cell_len(text(runs)) == width
        assert all(before[1] != after[1] for before, after in pairwise(runs))


@pytest.mark.slow
@pytest.mark.parametrize("zoom", ZOOMS)
def test_squares_that_are_drawn_once_for_all_look_as_each_alone(sample: View, zoom: Zoom) -> None:
    tints = ("", next(iter(TINTS)))
    fields = [sample.field, *(load_map(path).battlefield for path in shipped_maps().values())]
    for field in fields:
        squares = Squares(field, DrawingStyle(zoom, UNICODE, FULL))
        for column, row, tint in product(range(-1, field.columns + 1), range(-1, field.rows + 1), tints):
            alone = squares._draw(field, Square(column, row), tint, squares.manner)
            assert squares.block(column, row, tint) == alone, (field.name, column, row, tint)
        assert len(squares._plain) < 200


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_part_of_a_row_is_cut_out_of_the_whole(sample: View, banded: Markings, zoom: Zoom) -> None:
    picture = Picture(sample, banded, DrawingStyle(zoom, UNICODE, FULL))
    width, height = picture.size
    for y in range(0, height, 3):
        whole = text(draw_row(picture, y, 0, width))
        for start in range(12):
            assert text(draw_row(picture, y, start, start + 20)) == whole[start : start + 20]


def test_a_plateau_has_one_digit(sample: View) -> None:
    field = replace(
        sample.field,
        barriers={},
        ground=(0,) * len(sample.field.ground),
        elevation=tuple(500 if place % 26 > 10 else 0 for place in range(26 * 12)),
    )
    for zoom in ZOOMS:
        picture = Picture(replace(sample, field=field, units=()), Markings(), DrawingStyle(zoom, UNICODE, FULL))
        width, height = picture.size
        drawn = [text(draw_row(picture, y, 0, width)) for y in range(height)]
        assert "".join(drawn).count("¹") == 1 and "¹" in drawn[0]


def test_past_the_map_all_is_blank(sample: View, aimed: Markings) -> None:
    picture = Picture(sample, aimed, DrawingStyle(SMALL, UNICODE, FULL))
    width, height = picture.size
    assert text(draw_row(picture, height, 0, 10)) == text(draw_row(picture, -1, 0, 10)) == " " * 10
    assert text(draw_row(picture, 0, width, width + 5)) == " " * 5
    assert text(draw_row(picture, 0, width - 2, width + 3)) == "█    "


def test_an_empty_field_is_one_run_between_patches(sample: View) -> None:
    picture = Picture(replace(sample, units=()), Markings(), DrawingStyle(MEDIUM, UNICODE, FULL))
    assert len(draw_row(picture, 4, 40, 48)) == 1


def test_mono_has_no_colour_at_all(sample: View, banded: Markings) -> None:
    picture = Picture(sample, banded, DrawingStyle(SMALL, UNICODE, MONO))
    for y in range(12):
        for _, style in draw_row(picture, y, 0, 52):
            assert style.color is None and style.bgcolor is None


@pytest.mark.parametrize("zoom", ZOOMS)
def test_acting_unit_and_target_are_reversed_without_colour(sample: View, aimed: Markings, zoom: Zoom) -> None:
    picture = Picture(sample, replace(aimed, cursor=None), DrawingStyle(zoom, UNICODE, MONO))

    def shown(place: Square) -> tuple[bool, str]:
        """Whether the letter is reversed, and the line of the token with the cells beside it."""
        x, y = place.column * zoom.width, place.row * zoom.height
        is_reversed = bool(styles(draw_row(picture, y, x + zoom.is_boxed, x + zoom.is_boxed + 1))[0].reverse)
        return is_reversed, text(draw_row(picture, y, x - 1, x + zoom.width + 1))

    found = {unit.id: shown(unit.at) for unit in sample.units if not unit.is_defeated}
    assert [unit for unit, (is_reversed, _) in found.items() if is_reversed] == (
        list(found) if zoom.is_boxed else ["todd", "bandit"]
    )
    assert [unit for unit, (_, line) in found.items() if line[0] + line[-1] == "▐▌"] == ["todd"]
    assert [unit for unit, (_, line) in found.items() if line[0] + line[-1] == "[]"] == ["bandit"]


def test_units_keep_their_letter_in_smoke_and_dark(sample: View) -> None:
    picture = Picture(sample, Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert square(picture, Square(19, 5)) == ["c◺"]
    assert square(picture, Square(18, 5)) == ["▒▒"]
    assert square(picture, Square(24, 2)) == ["╱·"]


def test_smoke_and_dark_show_together(sample: View) -> None:
    field = replace(sample.field, smoke=tuple(2 for _ in sample.field.smoke))
    picture = Picture(replace(sample, field=field, units=()), Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert square(picture, Square(24, 2)) == ["╱▒"]
    assert "▒" in "".join(square(Picture(picture.view, Markings(), DrawingStyle(MEDIUM, UNICODE, MONO)), Square(24, 2)))


STATES: list[tuple[dict[str, object], str]] = [
    ({}, "B►"),
    ({"posture": "kneeling"}, "B→"),
    ({"posture": "prone"}, "B▷"),
    ({"altitude": 2000}, "B⇒"),
    ({"facing": Direction.NW}, "B◤"),
    ({"conditions": (StateShown("p", "pinned"),)}, "B►"),
    ({"is_defeated": True, "conditions": (StateShown("p", "pinned"),)}, "B†"),
]


@pytest.mark.parametrize(("state", "drawn"), STATES)
def test_states_survive_in_two_columns(
    sample: View, make_unit: Callable[..., UnitView], state: dict[str, object], drawn: str
) -> None:
    unit = make_unit("Bert", "B", 0, "K7", Direction.E)
    view = with_unit(sample, replace(unit, **state))  # type: ignore[arg-type]
    assert square(Picture(view, Markings(), DrawingStyle(SMALL, UNICODE, MONO)), unit.at) == [drawn]


BOXES: list[tuple[dict[str, object], list[str]]] = [
    ({}, [" B► ", "▄▄▄▄"]),
    ({"altitude": 2000}, [" B⇒ ", "▄▄20"]),
    ({"altitude": 250}, [" B⇒ ", "▄2.5"]),
    ({"conditions": (StateShown("p", "pinned"), StateShown("d", "dazed"))}, [" B►p", "▄▄▄▄"]),
    ({"conditions": (StateShown("忍", "x"),)}, [" B►?", "▄▄▄▄"]),
    ({"pools": (Gauge("hp", "hits", 1, 20),)}, [" B► ", "▄▁▁▁"]),
    ({"pools": (Gauge("hp", "hits", 11, 20),)}, [" B► ", "▄▄▄▁"]),
    ({"is_hidden": True}, ["┆B►┆", "▄▄▄▄"]),
    ({"is_defeated": True}, [" B† ", "out "]),
]


@pytest.mark.parametrize(("state", "drawn"), BOXES)
def test_a_boxed_square_says_more(
    sample: View, make_unit: Callable[..., UnitView], state: dict[str, object], drawn: list[str]
) -> None:
    unit = make_unit("Bert", "B", 0, "K7", Direction.E)
    view = with_unit(sample, replace(unit, **state))  # type: ignore[arg-type]
    assert square(Picture(view, Markings(), DrawingStyle(MEDIUM, UNICODE, MONO)), unit.at) == drawn


@pytest.mark.parametrize(
    ("state", "drawn"),
    [
        ({}, [" B►   ", " Bert ", "▄▄▄▄▄▄"]),
        ({"name": "Gun Rookie 2"}, [" B►   ", "Rook 2", "▄▄▄▄▄▄"]),
        ({"name": "忍者Zo"}, [" B►   ", " ??Zo ", "▄▄▄▄▄▄"]),
        ({"conditions": tuple(StateShown(mark, mark) for mark in "pdsq")}, [" B►pd…", " Bert ", "▄▄▄▄▄▄"]),
    ],
)
def test_the_largest_square_has_a_name(
    sample: View, make_unit: Callable[..., UnitView], state: dict[str, object], drawn: list[str]
) -> None:
    unit = replace(make_unit("Bert", "B", 0, "K7", Direction.E), **state)  # type: ignore[arg-type]
    picture = Picture(with_unit(sample, unit), Markings(), DrawingStyle(LARGE, UNICODE, MONO))
    assert square(picture, unit.at) == drawn


def test_a_token_gives_way_to_what_stands_on_its_edges(sample: View, make_unit: Callable[..., UnitView]) -> None:
    unit = make_unit("Bert", "B", 0, "F5", Direction.E)
    picture = Picture(with_unit(sample, unit), Markings(), DrawingStyle(LARGE, UNICODE, MONO))
    assert square(picture, unit.at) == ["╳B►   ", "╳ Bert", "╳▂▂▂▂▂"]


def test_health_is_reported_by_a_colour_of_its_own_in_two_cells(
    sample: View, make_unit: Callable[..., UnitView]
) -> None:
    found = []
    for now in (20, 11, 10, 5):
        unit = make_unit("Bert", "B", 0, "K7", Direction.E, pools=(Gauge("hp", "hits", now, 20),))
        picture = Picture(with_unit(sample, unit), Markings(), DrawingStyle(SMALL, UNICODE, FULL))
        letter, facing = styles(draw_row(picture, unit.at.row, 20, 22))
        found.append((bool(letter.underline), facing.color == letter.color))
    assert found == [(False, True), (False, True), (True, False), (True, False)]


@pytest.mark.parametrize("zoom", ZOOMS)
def test_the_cursor_never_changes_a_tokens_colours(sample: View, zoom: Zoom) -> None:
    for unit in sample.units:
        x, y = unit.at.column * zoom.width, unit.at.row * zoom.height
        drawn = []
        for cursor in (None, unit.at):
            picture = Picture(sample, Markings(cursor=cursor), DrawingStyle(zoom, UNICODE, FULL))
            cells = picture.cells(y, x, x + zoom.width)
            drawn.append([(cell.glyph, cell.style.color, cell.style.bgcolor) for cell in cells])
        assert drawn[0] == drawn[1]


def test_badly_hurt_units_are_underlined_and_healthy_ones_not(sample: View) -> None:
    picture = Picture(sample, Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert styles(draw_row(picture, 2, 6, 8))[0].underline
    assert not styles(draw_row(picture, 2, 6, 8))[1].underline
    assert not styles(draw_row(picture, 6, 14, 16))[0].underline


def test_a_large_unit_fills_its_squares(sample: View, make_unit: Callable[..., UnitView]) -> None:
    unit = make_unit("Ogre", "O", 1, "K7", Direction.S, size=2)
    picture = Picture(with_unit(sample, unit), Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert [square(picture, place)[0] for place in (Square(10, 6), Square(11, 6), Square(10, 7), Square(11, 7))] == [
        " O",
        "▼ ",
        "▄▄",
        "▄▄",
    ]


def test_the_living_are_drawn_over_the_fallen(sample: View, make_unit: Callable[..., UnitView]) -> None:
    fallen = make_unit("Ann", "a", 0, "K7", Direction.S, is_defeated=True)
    picture = Picture(
        replace(sample, units=(fallen, make_unit("Bo", "b", 0, "K7", Direction.S))),
        Markings(selected="ann"),
        DrawingStyle(SMALL, UNICODE, MONO),
    )
    assert square(picture, Square(10, 6)) == ["b▼"]


def test_a_bar_beside_a_unit_goes_to_its_neighbour(sample: View, make_unit: Callable[..., UnitView]) -> None:
    unit = make_unit("Bert", "B", 0, "F3", Direction.E)
    picture = Picture(with_unit(sample, unit), Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert text(draw_row(picture, 2, 8, 12)) == " ◙B►"
    both = replace(sample, units=(unit, make_unit("Carl", "C", 0, "E3", Direction.E)))
    picture = Picture(both, Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert text(draw_row(picture, 2, 8, 12)) == "C◙B►"


def test_a_bar_beside_a_unit_in_the_first_column_takes_the_place_of_the_facing(
    sample: View, make_unit: Callable[..., UnitView]
) -> None:
    wall = sample.field.barriers[Edge(9, 1, "W")]
    field = replace(
        sample.field,
        legend=(sample.field.legend[0],),
        ground=tuple(0 for _ in sample.field.ground),
        barriers={Edge(0, 3, "W"): wall},
    )
    unit = make_unit("Bert", "B", 0, "A4", Direction.E)
    picture = Picture(replace(sample, field=field, units=(unit,)), Markings(), DrawingStyle(SMALL, UNICODE, MONO))
    assert square(picture, unit.at) == ["▏B"]


def test_the_line_stops_at_a_square(sample: View, aimed: Markings) -> None:
    row = text(draw_row(Picture(sample, aimed, DrawingStyle(SMALL, UNICODE, MONO)), 4, 0, 52))
    assert row.count("✕") == 1 and row[23] == "✕"
    assert "•" not in row[24:]


def test_the_line_stops_at_an_edge(sample: View, aimed: Markings) -> None:
    line = tuple(Square(column, 5) for column in range(6, 21))
    stopped = replace(aimed, line=line, stop=Edge(9, 5, "W"))
    assert stopped.flight == line[:3]
    small = text(draw_row(Picture(sample, stopped, DrawingStyle(SMALL, UNICODE, MONO)), 5, 0, 52))
    assert small[13:19] == "·⠂⠂⠂⠂✕"
    medium = text(draw_row(Picture(sample, stopped, DrawingStyle(MEDIUM, UNICODE, MONO)), 11, 0, 104))
    assert medium[28:38] == "⠁⠁⠁⠁⠁⠁⠁⠁✕ "


def test_the_line_goes_over_objects_and_leaves_what_stands_on_edges(sample: View, banded: Markings) -> None:
    line = tuple(Square(column, 4) for column in range(8, 15))
    picture = Picture(sample, replace(banded, line=line, path=()), DrawingStyle(MEDIUM, UNICODE, MONO))
    assert square(picture, Square(9, 4))[0] == "▌   "
    assert square(picture, Square(11, 4)) == ["┌──┐", "⠁⠁⠁⠁"]


def test_the_path_ends_in_its_goal(sample: View, banded: Markings) -> None:
    picture = Picture(sample, replace(banded, line=()), DrawingStyle(SMALL, UNICODE, MONO))
    assert [square(picture, place)[0][1] for place in banded.path[2:]] == ["◦", "◦", "◦", "◎"]


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=lambda glyphs: glyphs.name)
def test_the_tints_of_one_overlay_have_signs_of_their_own_and_help_has_them_all(sample: View, glyphs: GlyphSet) -> None:
    assert sorted(tint for tints in (*OVERLAY_TINTS.values(), BURST) for tint in tints) == sorted(TINTS)
    for tints in (*OVERLAY_TINTS.values(), BURST):
        drawn = set()
        for tint in tints:
            markings = Markings(tints={Square(12, 7): tint})
            drawn.add("".join(square(Picture(sample, markings, DrawingStyle(LARGE, glyphs, MONO)), Square(12, 7))))
        assert len(drawn) == len(tints)


@pytest.mark.parametrize("place", ["U5", "T3", "P10"], ids=["smoke", "rubble in the dark", "high ground"])
def test_smoke_terrain_and_height_leave_a_tint_to_be_seen(sample: View, place: str) -> None:
    here = parse_square(place)
    for tint in ("band-3", "scale-4", "part"):
        picture = Picture(replace(sample, units=()), Markings(tints={here: tint}), DrawingStyle(SMALL, UNICODE, MONO))
        assert square(picture, here)[0][1] == UNICODE.tints[tint]


def test_tints_colour_the_ground_at_a_third_of_their_strength(sample: View) -> None:
    plain, tinted = VOID._replace(hue="floor"), VOID._replace(hue="floor", tint="band-0")
    before, after = FULL.ground(plain), FULL.ground(tinted)
    full = FULL.ground(plain).parse("#1f7f60")
    assert abs((after.g - before.g) / (full.g - before.g) - 1 / 3) < 0.02


def test_solid_squares_fill_and_outside_is_blank(sample: View) -> None:
    field = replace(sample.field, legend=(NOTHING, *sample.field.legend[1:]))
    picture = Picture(replace(sample, field=field, units=()), Markings(), DrawingStyle(MEDIUM, UNICODE, MONO))
    assert square(picture, Square(0, 0)) == ["████", "████"]
    assert square(picture, Square(20, 10))[1].strip() == ""


def test_cursor_shows_without_colour(sample: View) -> None:
    here = Markings(cursor=Square(12, 7))
    small = draw_row(Picture(sample, here, DrawingStyle(SMALL, UNICODE, MONO)), 7, 24, 26)
    assert all(style.reverse and style.underline for _, style in small)
    assert square(Picture(sample, here, DrawingStyle(MEDIUM, UNICODE, MONO)), Square(12, 7)) == ["┌  ┐", "└ ·┘"]


def test_pictures_share_what_they_drew(sample: View, aimed: Markings) -> None:
    manner = DrawingStyle(SMALL, UNICODE, MONO)
    first = Picture(sample, aimed, manner)
    moved = Picture(sample, replace(aimed, cursor=Square(1, 1)), manner, first)
    assert moved.squares is first.squares
    opened = replace(sample, field=with_barriers(sample.field, [Edge(9, 3, "W")], None))
    assert Picture(opened, aimed, manner, first).squares is not first.squares
    assert Picture(sample, aimed, replace(manner, zoom=MEDIUM), first).squares is not first.squares


def test_names_are_never_markup(sample: View, make_unit: Callable[..., UnitView]) -> None:
    unit = make_unit("[/]", "[", 0, "K7", Direction.E)
    assert square(Picture(with_unit(sample, unit), Markings(), DrawingStyle(MEDIUM, UNICODE, FULL)), unit.at) == [
        " [► ",
        "▄▄▄▄",
    ]


@pytest.mark.parametrize("zoom", [SMALL, MEDIUM])
def test_a_label_without_room_beside_its_unit_stands_in_the_line_of_its_bar(
    sample: View, make_unit: Callable[..., UnitView], zoom: Zoom
) -> None:
    around = [parse_square(name) for name in ("K7", "J7", "L7", "K6", "K8")]
    units = [make_unit(f"U{place}", "B", 0, there.name, Direction.E) for place, there in enumerate(around)]
    done = Aftermath(marks=(Mark("u0", around[0], 1, HIT, 7),))
    for shown, last in ((units, " −7 "), (units[:1], "▄▄▄▄")):
        picture = Picture(
            replace(sample, units=tuple(shown)), Markings(aftermath=done), DrawingStyle(zoom, UNICODE, MONO)
        )
        assert square(picture, around[0])[-1] == (last if zoom is MEDIUM else "B►")


@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_door_that_was_opened_has_the_colour_of_the_cursor(sample: View, zoom: Zoom) -> None:
    edge = Edge(9, 6, "W")
    drawn = []
    for markings in (Markings(), Markings(aftermath=Aftermath(edges=(edge,)))):
        picture = Picture(sample, markings, DrawingStyle(zoom, UNICODE, FULL))
        x, y = edge.column * zoom.width, edge.row * zoom.height
        drawn.append(picture.cells(y, x, x + 1)[0])
    assert drawn[0].glyph == drawn[1].glyph and drawn[0].style.color != drawn[1].style.color


def test_a_throw_that_went_astray_shows_its_way_from_the_aim_to_where_it_came_down(sample: View) -> None:
    done = Aftermath(aimed=Square(3, 2), landed=Square(6, 2))
    picture = Picture(replace(sample, units=()), Markings(aftermath=done), DrawingStyle(SMALL, UNICODE, FULL))
    shown = text(draw_row(picture, 2, 6, 14))
    assert (shown[1], shown[3], shown[5], shown[7]) == ("◎", "∙", "∙", "✶")
    assert picture.cells(2, 12, 13)[0].style.bgcolor == picture.cells(2, 13, 14)[0].style.bgcolor, "both are filled"


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_unit_that_shares_its_square_shows_it(
    sample: View, make_unit: Callable[..., UnitView], zoom: Zoom, glyphs: GlyphSet
) -> None:
    one, other = (make_unit(name, name[0], 0, "K7", Direction.E) for name in ("Moth", "Guard"))
    manner = DrawingStyle(zoom, glyphs, MONO)
    for others, is_shared in ((other, True), (replace(other, is_defeated=True), False)):
        picture = Picture(replace(sample, units=(one, others)), Markings(), manner)
        drawn = square(picture, one.at)[0]
        assert drawn.strip().startswith("M") and drawn.endswith("+") == is_shared


@pytest.mark.parametrize("zoom", ZOOMS)
@pytest.mark.parametrize("is_melee", [True, False])
def test_a_missed_blow_has_no_line_behind_its_target(sample: View, zoom: Zoom, is_melee: bool) -> None:
    view = replace(sample, units=())
    shot = Shot("a", "b", (Square(1, 2), Square(2, 2)), is_hit=False, is_melee=is_melee)
    done = Markings(aftermath=Aftermath(shots=(shot,)))
    plain, drawn = (Picture(view, each, DrawingStyle(zoom, UNICODE, MONO)) for each in (Markings(), done))
    behind = [Square(3, 2), Square(4, 2), Square(5, 2)]
    changed = [here for here in behind if square(plain, here) != square(drawn, here)]
    assert bool(changed) != is_melee


def test_the_paths_of_declared_moves_are_drawn_like_a_planned_one(sample: View) -> None:
    path = (Square(3, 2), Square(4, 2), Square(5, 2))
    view, manner = replace(sample, units=()), DrawingStyle(SMALL, UNICODE, FULL)
    declared = Picture(replace(view, declared_paths=(path,)), Markings(), manner)
    planned = Picture(view, Markings(path=path), manner)
    rows = [draw_row(each, 2, 6, 14) for each in (declared, planned, Picture(view, Markings(), manner))]
    assert rows[0] == rows[1] != rows[2]


def test_labels_say_what_is_critical_and_the_unit_of_a_fall() -> None:
    at = Square(0, 0)
    assert mark_texts(Mark("a", at, 1, HIT, 14, is_critical=True), UNICODE, "metres") == ("−14!",)
    assert mark_texts(Mark("a", at, 1, FELL, 700), UNICODE, "metres") == ("↓7 m", "↓7")
    assert mark_texts(Mark("a", at, 1, STRUCK), UNICODE, "metres") == ("hit",)


def test_a_flyer_wears_the_letter_of_its_altitude_band(sample: View) -> None:
    unit = replace(sample.units[0], altitude=25000)
    assert (altitude_of(unit), altitude_of(replace(unit, altitude_band="Low"))) == ("250", "L")


def test_a_label_leaves_the_landing_and_a_blast_leaves_objects_in_sight(sample: View) -> None:
    unit = replace(sample.units[0], at=Square(4, 3), size=1)
    crate = Square(11, 3)
    marks = (Mark(unit.id, unit.at, 1, HIT, 7),)
    done = Aftermath(marks=marks, landed=Square(5, 3), rings=((crate,),))
    drawn = [
        Picture(with_unit(sample, unit), Markings(aftermath=one), DrawingStyle(SMALL, UNICODE, MONO))
        for one in (Aftermath(), done)
    ]
    assert "✶" in square(drawn[1], Square(5, 3))[0]
    assert square(drawn[0], crate) == square(drawn[1], crate)


@pytest.mark.parametrize("zoom", ZOOMS)
def test_only_who_acts_wears_the_frame_of_who_acts(zoom: Zoom, sample: View) -> None:
    manner = DrawingStyle(zoom, UNICODE, FULL)
    acting = {unit.id for unit in sample.units if unit.is_active}
    for unit in sample.units:
        framed = Picture(sample, Markings(selected=unit.id), manner)._framed()
        assert {one.id for signs, one in framed if signs == UNICODE.acting} == (acting or {unit.id})


def test_a_label_stays_whole_beside_the_corners_of_the_cursor() -> None:
    manner = DrawingStyle(MEDIUM, UNICODE, FULL)
    corners = {3: {4: Sign("┌", "cursor"), 7: Sign("┐", "cursor")}}
    labels = {3: {4: Sign("!", "line reverse"), 7: Sign("·", "path")}}
    assert without_labels(corners, labels, manner) == {3: {7: Sign("┐", "cursor")}}


@pytest.mark.parametrize("zoom", ZOOMS)
def test_who_is_out_of_sight_is_marked_where_it_was_seen_last_and_a_unit_hides_the_mark(
    sample: View, zoom: Zoom
) -> None:
    manner, there = DrawingStyle(zoom, UNICODE, FULL), sample.units[0].at
    seen = LastSeen("wolf", "Wolf", "w", "outlaws", 1, there, False, 1, 0, False, 2)
    empty = replace(sample, units=(), last_seen=(seen,))
    assert "w?" in "".join(square(Picture(empty, Markings(), manner), there))
    assert f"w{UNICODE.defeated}" in "".join(
        square(Picture(replace(empty, last_seen=(replace(seen, is_defeated=True),)), Markings(), manner), there)
    )
    assert "w?" not in "".join(square(Picture(replace(sample, last_seen=(seen,)), Markings(), manner), there))
    assert there in (moved_squares(replace(sample, last_seen=()), replace(sample, last_seen=(seen,))) or set())
