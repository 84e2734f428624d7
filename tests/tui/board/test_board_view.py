"""The widget: what is drawn again, panning, rulers, keys, mouse."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual import events
from textual._styles_cache import StylesCache
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.message import Message
from textual.pilot import Pilot
from textual.strip import Strip

from engine.battle.views.aftermath import Aftermath, Mark, Shot
from engine.battle.views.attack_outcomes import HIT
from engine.battle.views.view import View
from engine.geometry.battlefield import Battlefield, Ground
from engine.geometry.squares import Square, column_name
from engine.values import replace
from tui.application.keys.board_keys import UNBOUND
from tui.application.overlays.markings import Markings, beat_of
from tui.view.board.board_view import BoardView
from tui.view.board.picture import Squares
from tui.view.board.themes import THEMES, VARIABLES
from tui.view.board.zoom_levels import LARGE, MEDIUM, SMALL


class Board(BoardView):
    """A board that remembers which lines it drew."""

    def __init__(self, view: View | None) -> None:
        super().__init__(view, id="board")
        self.drawn: list[int] = []

    def render_line(self, y: int) -> Strip:
        self.drawn.append(y)
        return super().render_line(y)

    def line(self, y: int) -> str:
        return super().render_line(y).text


class Stage(App[None]):
    """Nothing but a board."""

    def __init__(self, view: View | None, *, has_colour: bool = True) -> None:
        super().__init__(ansi_color=not has_colour)
        self.view = view
        self.said: list[Message] = []
        self.moves = 0
        """How often the cursor went elsewhere."""

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return VARIABLES

    def compose(self) -> ComposeResult:
        yield Board(self.view)

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.query_one(Board).focus()
        self.watch(self.query_one(Board), "markings", self.follow, init=False)

    def follow(self, before: Markings, after: Markings) -> None:
        if before.cursor != after.cursor:
            self.moves += 1

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        self.said.append(message)


Scene = Callable[[Board, Pilot[None]], Awaitable[None]]


def play(view: View | None, scene: Scene, size: tuple[int, int] = (80, 24), **how: Any) -> Stage:
    """Runs a scene on a board of its own."""
    app = Stage(view, **how)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await scene(app.query_one(Board), pilot)

    asyncio.run(run())
    return app


def field_of(columns: int, rows: int) -> Battlefield:
    cells = columns * rows
    return Battlefield(
        name="Plain",
        columns=columns,
        rows=rows,
        unit="metres",
        square_size=200,
        legend=(Ground("floor"),),
        ground=(0,) * cells,
        elevation=(0,) * cells,
        smoke=(0,) * cells,
        light=(2,) * cells,
    )


def plain(columns: int, rows: int) -> View:
    return View(field_of(columns, rows), "none", 0, "", (), ())


@pytest.mark.parametrize(("zoom", "lines"), [(SMALL, {0, 5, 6}), (MEDIUM, {0, 9, 10, 11, 12})])
def test_a_cursor_step_draws_its_lines_and_the_rulers_only(sample: View, zoom: Any, lines: set[int]) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.zoom = zoom
        board.markings = Markings(cursor=Square(3, 4))
        await pilot.pause()
        board.drawn.clear()
        await pilot.press("down")
        await pilot.pause()
        assert set(board.drawn) == lines

    play(sample, scene, (120, 40))


def test_a_unit_that_moves_draws_its_two_rows(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.drawn.clear()
        todd, *others = sample.units
        board.view = replace(sample, units=(replace(todd, at=Square(7, 8)), *others))
        await pilot.pause()
        assert set(board.drawn) == {7, 9}

    play(sample, scene)


def test_a_large_change_draws_the_window_once(sample: View, banded: Markings) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.drawn.clear()
        board.markings = replace(banded, cursor=None)
        await pilot.pause()
        assert sorted(board.drawn) == list(range(24))

    play(sample, scene)


def test_another_cursor_leaves_the_rest_alone(sample: View, banded: Markings) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = banded
        await pilot.pause()
        board.drawn.clear()
        board.markings = replace(banded, cursor=Square(13, 7))
        await pilot.pause()
        assert set(board.drawn) == {0, 8}

    play(sample, scene)


def test_rulers_stay_while_the_board_is_panned() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        assert board.line(0).split()[:3] == ["A", "B", "C"]
        assert board.line(1).startswith("  1 ")
        board.centre_on(Square(60, 70))
        await pilot.pause()
        assert board.scroll_offset.x > 0 and board.scroll_offset.y > 0
        assert "BJ" in board.line(0)
        numbers = [board.line(y)[:3].strip() for y in range(1, 23)]
        assert numbers == [str(int(numbers[0]) + y) for y in range(22)]
        assert "71" in numbers
        assert board.line(23).strip() == "2 m a square", "the scale stays, too"
        assert board.square_at(10, 23) is None
        board.centre_on(Square(60, 119))
        await pilot.pause()
        assert board.line(22).startswith("120 ")

    play(plain(120, 120), scene)


def test_letters_stand_over_their_columns() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = Markings(cursor=Square(27, 4))
        await pilot.pause()
        left = 3
        letters = board.line(0)
        assert letters[left + 27 * 2 : left + 28 * 2] == "AB"
        board.zoom = MEDIUM
        await pilot.pause()
        letters, row = board.line(0), board.line(9)
        opening = row.index("┌")
        assert letters[opening : opening + 4].strip() == "AB"
        assert row.startswith(" 5 ")

    play(plain(40, 20), scene, (120, 40))


def test_two_letters_leave_room_for_each_other() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert board.line(0).split()[24:29] == ["Y", "Z", "AB", "AD", "AF"]

    play(plain(40, 20), scene, (120, 40))


@pytest.mark.parametrize("zoom", [SMALL, MEDIUM, LARGE])
def test_column_letters_have_blanks_between_them_wherever_the_cursor_is(zoom: Any) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.zoom = zoom
        for column in range(22, 34):
            board.move_cursor(Square(column, 4))
            await pilot.pause()
            letters = board.line(0).split()
            assert column_name(column) in letters
            assert set(letters) <= {column_name(other) for other in range(40)} | {"◂", "▸"}

    play(plain(40, 20), scene, (75, 24))


def test_letters_beside_the_cursors_come_back_when_it_has_gone() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.move_cursor(Square(28, 4))
        await pilot.pause()
        assert board.line(0).split()[-5:] == ["Y", "Z", "AC", "AF", "AH"]
        board.move_cursor(Square(28, 5))
        board.move_cursor(Square(3, 5))
        await pilot.pause()
        assert board.line(0).split()[-6:] == ["Y", "Z", "AB", "AD", "AF", "AH"]

    play(plain(34, 20), scene, (80, 24))


def test_the_window_stays_where_it_is_when_the_terminal_changes_and_still_shows_the_cursor() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.centre_on(Square(60, 60))
        board.move_cursor(Square(60, 60))
        await pilot.pause()
        before = board.scroll_offset
        board.move_cursor(Square(66, 65))
        await pilot.pause()
        assert board.scroll_offset == before
        await pilot.resize_terminal(80, 26)
        await pilot.pause()
        assert board.scroll_offset == before
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        assert board.cursor is not None and board.squares_shown.contains(*board.cursor)

    play(plain(120, 120), scene)


def test_walls_on_the_windows_top_are_drawn_on_the_ruler(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        def underlined() -> bool:
            return any(segment.style and segment.style.underline for segment in board.render_line(0))

        assert not underlined()
        board.scroll_to(0, 5, animate=False)
        await pilot.pause()
        assert board.line(1).startswith(" 6")
        assert underlined()

    play(sample, scene, (40, 8))


@pytest.mark.slow
def test_the_window_follows_the_cursor_by_a_quarter_of_it() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = Markings(cursor=Square(0, 0))
        await pilot.pause()
        offsets = set()
        for _ in range(40):
            await pilot.press("l")
            offsets.add(board.scroll_offset.x)
        assert board.cursor == Square(40, 0)
        assert offsets == {0, 10, 20, 30, 40, 50}

    play(plain(100, 100), scene, (44, 12))


@pytest.mark.slow
def test_one_square_is_a_map() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        for zoom in (SMALL, MEDIUM, LARGE):
            board.zoom = zoom
            await pilot.press("l", "j", "h", "k", "enter", "c")
            await pilot.pause()
            assert board.line(0).split() == ["A"]
        assert board.cursor == Square(0, 0)

    app = play(plain(1, 1), scene)
    assert app.moves == 1


def test_a_huge_map_draws_the_window_only(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: set[tuple[int, int]] = set()
    block = Squares.block

    def counted(self: Squares, column: int, row: int, tint: str) -> Any:
        drawn.add((column, row))
        return block(self, column, row, tint)

    monkeypatch.setattr(Squares, "block", counted)

    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.pause()

    play(plain(500, 500), scene)
    assert len(drawn) <= 40 * 23
    assert max(drawn) < (40, 23)


def test_kept_squares_are_bounded(monkeypatch: pytest.MonkeyPatch, sample: View) -> None:
    monkeypatch.setattr("tui.view.board.picture.MOST_KEPT", 10)

    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert board.picture is not None
        squares = board.picture.squares
        assert 0 < len(squares._kept) <= 10
        assert len(squares._plain) <= 10

    play(sample, scene)


@pytest.mark.slow
def test_keys_move_the_cursor(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = Markings(cursor=Square(10, 6))
        for key, there in [
            ("h", (9, 6)),
            ("right", (10, 6)),
            ("k", (10, 5)),
            ("down", (10, 6)),
            (f"{UNBOUND}up-left", (9, 5)),
            (f"{UNBOUND}down-right", (10, 6)),
            (f"{UNBOUND}up-right", (11, 5)),
            (f"{UNBOUND}down-left", (10, 6)),
            ("L", (15, 6)),
            ("shift+left", (10, 6)),
            ("K", (10, 1)),
            ("K", (10, 0)),
            ("J", (10, 5)),
            ("home", (0, 5)),
            ("end", (25, 5)),
            ("pagedown", (25, 11)),
        ]:
            await pilot.press(key)
            assert board.cursor == Square(*there), key

    app = play(sample, scene)
    assert app.moves == 1 + 16  # to where it begins, and by each key


def test_the_first_key_brings_the_cursor_into_view(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.press("l")
        assert board.cursor is not None and board.cursor in sample.field

    app = play(sample, scene)
    assert (app.said, app.moves) == ([], 1)


def test_enter_chooses(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = Markings(cursor=Square(4, 4))
        await pilot.press("enter")

    app = play(sample, scene)
    assert app.said == [] or isinstance(app.said[0], BoardView.SquareChosen)
    assert [message.square for message in app.said if isinstance(message, BoardView.SquareChosen)] == [Square(4, 4)]


@pytest.mark.parametrize(("zoom", "offset"), [(SMALL, (3 + 8 * 2, 1 + 5)), (MEDIUM, (3 + 8 * 4 + 2, 1 + 5 * 2 + 1))])
def test_a_click_puts_the_cursor_there_and_chooses(sample: View, zoom: Any, offset: tuple[int, int]) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.zoom = zoom
        await pilot.pause()
        await pilot.click(Board, offset=offset)
        await pilot.click(Board, offset=(1, 0))
        assert board.cursor == Square(8, 5)

    app = play(sample, scene, (120, 40))
    assert ([type(message).__name__ for message in app.said], app.moves) == (["SquareChosen"], 1)


def test_the_wheel_pans() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.post_message(events.MouseScrollDown(board, 10, 10, 0, 1, 0, False, False, False))
        await pilot.pause()
        assert board.scroll_offset.y > 0
        assert board.line(1).strip().startswith(str(board.scroll_offset.y + 1))

    play(plain(100, 100), scene)


def test_zoom_keeps_the_cursor_in_view() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.markings = Markings(cursor=Square(70, 60))
        await pilot.pause()
        for zoom in (MEDIUM, LARGE, SMALL):
            await pilot.press("z")
            await pilot.pause()
            assert board.zoom is zoom
            assert "BS" in board.line(0)
            assert any(board.line(y)[:3] == " 61" for y in range(1, 24))

    play(plain(100, 100), scene)


def test_ascii_and_no_colour(sample: View, banded: Markings) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.use_ascii(True)
        board.markings = banded
        await pilot.pause()
        for y in range(24):
            strip = board.render_line(y)
            assert strip.text.isascii()
            assert all(part.style is None or part.style.color is part.style.bgcolor is None for part in strip)

    play(sample, scene, has_colour=False)


@pytest.mark.slow
def test_lines_are_as_wide_as_the_window(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        for size in ((80, 24), (20, 5), (2, 2), (1, 1), (200, 60)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            assert all(board.render_line(y).cell_length == size[0] for y in range(size[1]))
            await pilot.press("l", "j")

    play(sample, scene)


def test_without_a_view_there_is_nothing(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.press("l", "enter", "z", "c")
        assert board.line(3).strip() == ""
        board.view = sample
        await pilot.pause()
        assert "▌" in board.line(3)

    assert play(None, scene).said == []


def test_a_theme_change_draws_in_other_colours(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        before = list(board.render_line(5))
        other = dataclasses.replace(THEMES[0], name="other", variables={**VARIABLES, "ground-floor": "#402020"})
        pilot.app.register_theme(other)
        pilot.app.theme = "other"
        await pilot.pause()
        after = list(board.render_line(5))
        assert [part.text for part in before] == [part.text for part in after]
        assert before != after

    play(sample, scene)


def test_every_key_has_an_id_and_a_description() -> None:
    bindings = BoardView.BINDINGS
    assert all(binding.id and binding.id.startswith("board.") and binding.description for binding in bindings)
    ids = [binding.id for binding in bindings]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("crop", [Region(0, 0, 80, 24), Region(0, 5, 80, 3), Region(7, 2, 30, 9)])
def test_lines_are_those_that_textual_would_make_of_them(sample: View, crop: Region) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        for key in ("l", "z", "j", "L"):
            await pilot.press(key)
            usual = StylesCache().render_widget(board, crop)
            assert [list(strip.simplify()) for strip in board.render_lines(crop)] == [
                list(strip.simplify()) for strip in usual
            ]

    play(sample, scene)


def test_lines_are_not_drawn_again_for_what_lay_over_them(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        await pilot.press("l")
        board.render_lines(board.size.region)
        board.drawn.clear()
        board.render_lines(board.size.region)
        assert board.drawn == []
        await pilot.press("l")
        board.render_lines(board.size.region)
        assert len(board.drawn) == 2

    play(sample, scene)


SHOT = Aftermath(
    shots=(Shot("a", "b", tuple(Square(column, 1) for column in range(12)), is_hit=True),),
    marks=(Mark("b", Square(11, 1), 1, HIT, 7),),
)


def test_a_shot_flies_the_whole_way_before_anything_is_marked() -> None:
    beat = beat_of(Markings(aftermath=SHOT), ())
    frames = [frame for frame, _ in beat]
    assert [frame.tracers[0].flown for frame in frames] == [2, 5, 8, 11]
    assert not any(frame.aftermath.marks or frame.aftermath.shots for frame in frames)
    assert beat_of(Markings(aftermath=replace(SHOT, shots=())), ()) == []
    blows = tuple(replace(shot, is_melee=True) for shot in SHOT.shots)
    assert beat_of(Markings(aftermath=replace(SHOT, shots=blows)), ()) == []


def test_a_blast_spreads_ring_by_ring_and_who_drops_is_lit_twice() -> None:
    rings = tuple((Square(column, 1),) for column in (4, 5, 6))
    blast = Markings(aftermath=replace(SHOT, rings=rings, landed=Square(4, 1)))
    assert [len(frame.aftermath.rings) for frame, _ in beat_of(blast, ())] == [1, 2, 3]
    fallen = Markings(aftermath=replace(SHOT, shots=()))
    assert [bool(frame.aftermath.marks) for frame, _ in beat_of(fallen, {"b"})] == [True, False]
    for markings, down in ((blast, {"b"}), (fallen, {"b"}), (Markings(aftermath=SHOT), {"b"})):
        assert sum(seconds for _, seconds in beat_of(markings, down)) <= 0.25


def test_nothing_moves_and_no_timer_runs_unless_motion_is_on() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        before = len(board._timers)
        for motion in ("off", "auto"):  # which is off in tests
            board.use_motion(motion)
            board.markings = Markings(aftermath=SHOT)
            assert len(board._timers) == before and board.picture is not None
            assert board.picture.markings is board.markings
            board.markings = Markings()
        board.use_motion("on")
        board.markings = Markings(aftermath=SHOT)
        assert board.picture is not None
        assert board.picture.markings.tracers and not board.picture.markings.aftermath.marks
        assert board.markings.aftermath is SHOT, "what it ends in is there from the start"
        board.end_beat()
        assert board.picture.markings is board.markings and board._timer is None

    play(plain(20, 8), scene)


def test_the_rulers_say_where_the_map_goes_on_and_where_the_target_is() -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.zoom = SMALL
        board.move_cursor(Square(0, 0))
        await pilot.pause()
        assert board.line(0).rstrip().endswith("▸") and "◂" not in board.line(0)
        assert board.line(1)[2] == " " and board.line(board.size.height - 2)[2] == "▾"
        board.move_cursor(Square(39, 19))
        await pilot.pause()
        assert board.line(0)[3] == "◂" and "▸" not in board.line(0)
        assert board.line(1)[2] == "▴" and board.line(board.size.height - 2)[2] == " "

    play(plain(40, 20), scene, (50, 18))


def test_a_target_out_of_the_window_is_named_at_its_edge(sample: View) -> None:
    async def scene(board: Board, pilot: Pilot[None]) -> None:
        board.zoom = LARGE
        unit = sample.units[0]
        board.markings = Markings(target=unit.id, cursor=unit.at)
        await pilot.pause()
        assert f"▸ {unit.badge}" not in board.line(0) and f"◂ {unit.badge}" not in board.line(0)
        far = Square(0 if unit.at.column > sample.field.columns // 2 else sample.field.columns - 1, unit.at.row)
        board.move_cursor(far)
        await pilot.pause()
        assert not board.squares_shown.contains(unit.at.column, unit.at.row)
        way = "▸" if far.column == 0 else "◂"
        assert f"{way} {unit.badge} " in f"{board.line(0)} "

    play(sample, scene, (44, 18))
