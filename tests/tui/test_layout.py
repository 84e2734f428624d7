"""Panels: where they stand, hidden, resized, remembered; and the small map."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from textual.geometry import Region
from textual.pilot import Pilot

from engine.battle.state.gm_overrides import Note
from engine.geometry.squares import Square
from engine.values import replace
from tests.tui.board.conftest import view
from tests.tui.play import NARROW, USUAL, WIDE, app_for, play, said, settled
from tui.application.library.battle_files import DEMO_SEED, begin_battle, read_scenario
from tui.application.settings.settings import PANELS, Settings, read_settings, settings_file
from tui.application.settings.settings import USUAL as USUAL_SETTINGS
from tui.view.app.board_app import BoardApp
from tui.view.board.zoom_levels import LARGE, MEDIUM, SMALL, Zoom
from tui.view.panels.layout import (
    BARS,
    LEAST_BOARD,
    MOST_BELOW,
    MOST_SIDE,
    TURNS,
    fitting_zoom,
    layout,
    squares_in_cell,
)
from tui.view.panels.mini_map import Overview, map_rows
from tui.view.panels.side_panels import note_rows
from tui.view.screens.battle_screen import BattleScreen

BIG = "format = 1\nname = 'Plain'\n[scale]\nsquare = 5\nunit = 'feet'\n[map]\nsquares = '''\n" + ("." * 120 + "\n") * 90
BIG += "'''\n[[unit]]\nid = 'todd'\nrole = 'gunman'\nside = 'law'\nat = 'C3'\n"
BIG += "[[unit]]\nid = 'bandit'\nrole = 'gunman'\nside = 'gang'\nat = 'H3'\n"


def big(folder: Path, **options: object) -> BoardApp:
    """The board on a map that fits on no terminal."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plain.toml").write_text(BIG, encoding="utf-8")
    session = begin_battle(read_scenario(folder / "plain.toml", "occult-ops"), DEMO_SEED, folder)
    return BoardApp(session, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [(60, 18), NARROW, (100, 30), USUAL, WIDE, (400, 120)])
@pytest.mark.parametrize("extent", [(1, 1), (26, 15), (36, 20), (200, 200)])
def test_the_board_keeps_its_room_whatever_is_asked_for(size: tuple[int, int], extent: tuple[int, int]) -> None:
    columns, rows = size[0], size[1] - BARS
    choices = product((-60, 0, 60), (-30, 0, 30), ((), ("shot", "order")), ("", TURNS, "shot", "log"), (1, 40))
    for side, below, hidden, panel, units in choices:
        found = layout(columns, rows, extent, Settings(side=side, below=below, hidden=hidden), panel, units)
        board = found.places["board"]
        assert board.width >= LEAST_BOARD[0] and board.height >= LEAST_BOARD[1]
        assert found.side <= MOST_SIDE and found.below <= MOST_BELOW
        assert found.corner.width < board.width and found.corner.height < board.height
        covered = sum(place.area for place in found.places.values())
        assert covered == columns * rows, "no cell is empty, none is covered twice"
        assert all(place in Region(0, 0, columns, rows) for place in found.places.values())
        assert all(place.height >= 4 for place in found.places.values())


def placed(size: tuple[int, int], extent: tuple[int, int], panel: str = TURNS, units: int = 8) -> dict[str, Region]:
    return dict(layout(size[0], size[1] - BARS, extent, USUAL_SETTINGS, panel, units).places)


def test_a_narrow_screen_shows_the_turn_order_above_the_unit() -> None:
    found = placed(NARROW, (36, 20), units=10)
    assert found == {"board": Region(0, 0, 46, 20), "order": Region(46, 0, 34, 12), "unit": Region(46, 12, 34, 8)}
    assert placed(NARROW, (36, 20), "shot")["shot"] == Region(46, 0, 34, 20)


def test_the_boards_block_shrinks_to_its_map_and_the_panels_take_the_rest() -> None:
    found = placed(USUAL, (36, 20))
    assert found["board"] == Region(0, 0, 76, 22), "rulers, 36 by 20 squares and the scale"
    assert (found["shot"].height, found["unit"].height) == (21, 15)
    assert found["order"].width == 42 and found["log"].right == 76


def test_below_a_small_map_the_panels_span_the_screen() -> None:
    found = placed(USUAL, (26, 15))
    assert found["board"].size == (56, 17) and found["shot"].height == 17
    assert found["order"].height == 19 and found["unit"].right == 120


def test_a_large_screen_has_the_turn_order_between_shot_and_unit() -> None:
    found = placed(WIDE, (26, 15), units=11)
    assert found["board"].size == (160, 47) and found["log"].size == (160, 9)
    assert [found[name].height for name in ("shot", "order", "unit")] == [24, 13, 19]


def test_the_gms_notes_stand_beside_a_wide_log() -> None:
    found = layout(200, 56, (26, 15), USUAL_SETTINGS, TURNS, has_notes=True).places
    assert (found["log"].size, found["notes"].size) == ((100, 9), (60, 9))
    assert "notes" not in layout(200, 56, (26, 15), USUAL_SETTINGS, TURNS).places, "where there are none"
    assert "notes" not in layout(120, 36, (26, 15), USUAL_SETTINGS, TURNS, has_notes=True).places
    assert layout(80, 20, (26, 15), USUAL_SETTINGS, "notes", has_notes=True).places["notes"].size == (34, 20)


def test_a_note_says_where_it_belongs() -> None:
    unit = view().units[0]
    notes = (Note("1", "locked"), Note("2", "has the key", unit=unit.id), Note("3", "a trap", at=Square(0, 0)))
    rows = [row.plain for row in note_rows(replace(view(), notes=notes), 24)]
    assert [row.split(maxsplit=1)[0] for row in rows] == ["–", unit.name.split()[0], "A1"]
    assert all(row.rstrip().endswith(note.text) for row, note in zip(rows, notes, strict=True))


@pytest.mark.parametrize(
    ("size", "extent", "zoom"),
    [(USUAL, (36, 20), SMALL), (WIDE, (36, 20), MEDIUM), (WIDE, (26, 15), LARGE), (WIDE, (200, 200), SMALL)],
)
def test_the_zoom_is_the_largest_at_which_the_whole_map_fits(
    size: tuple[int, int], extent: tuple[int, int], zoom: Zoom
) -> None:
    assert fitting_zoom(size[0] - 34, size[1] - BARS - 8, extent) is zoom


@pytest.mark.long
def test_a_chosen_zoom_is_for_one_size_of_the_terminal(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.board.zoom is SMALL
        await pilot.press("z")
        await pilot.pause()
        assert screen.board.zoom is MEDIUM and screen.query_one("#shot").size.width < 44
        await pilot.resize_terminal(110, 40)
        await pilot.pause()
        assert screen.board.zoom is SMALL
        await pilot.resize_terminal(*USUAL)
        await pilot.pause()
        assert screen.board.zoom is MEDIUM

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
def test_a_narrow_screen_shows_the_shot_while_there_is_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert shown_panels(screen) == ["unit", "order"]
        await pilot.press("t")
        assert shown_panels(screen) == ["shot"]
        await pilot.press("4")
        assert shown_panels(screen) == ["log"]
        await pilot.press("f", "enter")
        assert shown_panels(screen) == ["log"], "what somebody chose stays until the aim is gone"
        await pilot.press("escape")
        assert shown_panels(screen) == ["unit", "order"]

    play(app_for(tmp_path), script, NARROW)


def shown_panels(screen: BattleScreen) -> list[str]:
    return [name for name in PANELS if name != "map" and screen.query_one(f"#{name}").display]


@pytest.mark.slow
def test_digits_show_panels_and_never_hide_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert shown_panels(screen) == ["shot", "order", "log"]
        await pilot.press("2")
        assert said(screen) == "The Unit panel is shown. O makes that permanent."
        assert shown_panels(screen) == ["shot", "unit", "order", "log"]
        await pilot.press("1", "2", "3", "4", "5")
        await pilot.pause()
        assert shown_panels(screen) == ["shot", "unit", "order", "log"]
        assert not settings_file().exists()

    play(app_for(tmp_path, settings=Settings(hidden=("unit",))), script, USUAL)


def test_dice_typed_after_a_refusal_change_nothing_and_leave_the_refusal_to_be_read(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("f")
        refused = said(screen)
        await pilot.press("4", "5", "enter", "1", "3")
        await pilot.pause()
        assert said(screen) == refused and shown_panels(screen) == ["shot", "unit", "order", "log"]
        assert not settings_file().exists()

    play(app_for(tmp_path), script, USUAL)


def test_the_board_alone_is_for_now_and_the_same_key_brings_all_back(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("underscore")
        await pilot.pause()
        assert screen.board.size.width == 120 and screen.board.size.height == 36
        assert said(screen) == "Only the board is shown; _ shows the panels."
        await pilot.press("4")
        await pilot.pause()
        assert shown_panels(screen) == ["log"]
        await pilot.press("underscore")
        await pilot.pause()
        assert shown_panels(screen) == ["shot", "unit", "order"] and said(screen) == "The panels are shown."
        assert not settings_file().exists()

    play(app_for(tmp_path, settings=Settings(hidden=("log",))), script, USUAL)


@pytest.mark.slow
def test_where_all_panels_are_hidden_by_choice_the_key_brings_them_all(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not shown_panels(screen)
        await pilot.press("underscore")
        assert shown_panels(screen) == ["shot", "unit", "order", "log"]
        await pilot.press("underscore")
        assert not shown_panels(screen)

    play(app_for(tmp_path, settings=Settings(hidden=PANELS)), script, USUAL)


@pytest.mark.slow
def test_words_hide_a_panel_and_that_is_remembered(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(":", *"panel log off", "enter")
        await pilot.pause()
        assert shown_panels(screen) == ["shot", "unit", "order"] and said(screen) == "The log is hidden."
        assert read_settings(settings_file())[0].hidden == ("log",)
        await pilot.press(":", *"panel log on", "enter")
        await pilot.pause()
        assert shown_panels(screen) == ["shot", "unit", "order", "log"]
        assert read_settings(settings_file())[0].hidden == ()
        await pilot.press(":", *"panel map off", "enter")
        await pilot.pause()
        assert not read_settings(settings_file())[0].minimap

    play(app_for(tmp_path), script, USUAL)

    play(app_for(tmp_path), script, USUAL)


def test_hidden_panels_stay_hidden_the_next_time(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not screen.query_one("#log").display and screen.query_one("#order").region.width > 60

    play(app_for(tmp_path, settings=Settings(hidden=("log",))), script, USUAL)


@pytest.mark.slow
def test_on_a_narrow_screen_the_board_can_stand_alone(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("underscore")
        await pilot.pause()
        assert screen.board.size.width == 80
        await pilot.press("p")
        await pilot.pause()
        assert screen.query_one("#shot").region
        await pilot.press("3", "underscore", "underscore")
        assert screen.panel == "order"

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_panels_grow_and_shrink_by_keys_until_they_cannot(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        def sizes() -> tuple[int, int]:
            return screen.query_one("#shot").outer_size.width, screen.query_one("#log").outer_size.height

        width, height = sizes()
        await pilot.press("right_square_bracket", "right_curly_bracket")
        await pilot.pause()
        assert sizes() == (width + 4, height + 2)
        assert said(screen) == f"The panels below the board have {height + 2} rows."
        assert read_settings(settings_file())[0].side == 4
        for _ in range(30):
            await pilot.press("left_square_bracket")
        assert said(screen) == "The panels there cannot be smaller on this terminal."
        await pilot.press("underscore", "left_square_bracket")
        assert said(screen) == "No panel is shown there."

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_small_map_follows_the_board_and_gets_out_of_the_cursors_way(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        corner = screen.query_one("#corner")
        assert corner.region.x > 30
        for _ in range(6):
            await pilot.press("L")
        await pilot.pause()
        shown = screen.board.squares_shown
        assert screen.board.cursor is not None and shown.contains(*screen.board.cursor)
        for _ in range(8):
            screen.board.move_cursor(Square(shown.right - 2, shown.y + 2))
            await pilot.pause()
            assert not (corner.region.x > 0 and screen.board.cursor.column >= shown.right - 4)
            shown = screen.board.squares_shown
        await pilot.press("underscore")
        await pilot.pause()
        assert not corner.display
        await pilot.press("5")
        await pilot.pause()
        assert corner.display and not screen.query_one("#shot").display

    play(big(tmp_path), script, USUAL)


def test_the_small_map_covers_no_unit_and_not_the_cursor_or_is_left_out(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        board, corner = screen.board, screen.query_one("#corner")
        places = set()
        for square in (Square(2, 1), Square(30, 1), Square(30, 18), Square(2, 18), Square(16, 9)):
            board.move_cursor(square)
            await settled(pilot)
            assert board.view is not None and corner.display
            if not corner.visible:
                continue
            places.add(corner.region.offset)
            under = {
                board.square_at(x - board.region.x, y - board.region.y)
                for x in range(corner.region.x, corner.region.right)
                for y in range(corner.region.y, corner.region.bottom)
            }
            assert square not in under and not any(unit.at in under for unit in board.view.units)
        assert places

    play(app_for(tmp_path), script, (100, 30))


def test_a_map_that_is_whole_needs_no_small_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not screen.query_one("#corner").display

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_small_map_is_a_panel_of_a_narrow_screen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("5")
        await pilot.pause()
        assert screen.query_one("#map").region.width == 34

    play(big(tmp_path), script, NARROW)


def test_the_small_map_shows_walls_units_the_window_and_the_cursor() -> None:
    shown = Overview(view(), Region(0, 0, 13, 6), Square(12, 7))
    rows = [str(row) for row in map_rows(shown, 13, 6)]
    assert len(rows) == 3 and all(len(row) == 13 for row in rows)
    whole = [str(row) for row in map_rows(shown, 26, 6)]
    assert whole[0].startswith("█▒") and "T" in "".join(whole) and whole[3][12] == "+"
    assert ":" in whole[1] and ":" not in whole[4]


def test_cells_of_the_small_map_stand_for_as_few_squares_as_fit() -> None:
    assert squares_in_cell((26, 12), 26, 6) == 1
    assert squares_in_cell((200, 200), 24, 10) == 10
    assert squares_in_cell((1, 500), 24, 10) == 25


def test_the_small_map_is_off_by_a_setting(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not screen.query_one("#corner").display

    play(big(tmp_path, settings=replace(USUAL_SETTINGS, minimap=False)), script, USUAL)
