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
from maps import load_map, shipped_maps
from tests.tui.board.conftest import view
from tests.tui.play import NARROW, USUAL, WIDE, app_for, play, said
from tui.application.library.battle_files import DEMO_SEED, begin_battle, read_scenario
from tui.application.settings.settings import PANELS, Settings, read_settings, settings_file
from tui.application.settings.settings import USUAL as USUAL_SETTINGS
from tui.view.app.board_app import BoardApp
from tui.view.board.zoom_levels import LARGE, MEDIUM, SMALL
from tui.view.panels.layout import (
    BARS,
    LEAST_BOARD,
    MOST_BELOW,
    MOST_SIDE,
    TALL,
    TURNS,
    block,
    layout,
    squares_in_cell,
    squares_in_sight,
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
    for (side, below, hidden, panel, units), is_aimed in product(choices, (False, True)):
        settings = Settings(side=side, below=below, hidden=hidden)
        found = layout(*size, extent, settings, panel, units, is_aimed=is_aimed)
        board = found.places["board"]
        assert board.width >= LEAST_BOARD[0] and board.height >= LEAST_BOARD[1]
        assert found.side <= MOST_SIDE and found.below <= MOST_BELOW
        covered = sum(place.area for place in found.places.values())
        assert covered == columns * rows, "no cell is empty, none is covered twice"
        assert all(place in Region(0, 0, columns, rows) for place in found.places.values())
        assert all(place.height >= 4 or name == "map" for name, place in found.places.items())


TABLE = {  # the drawn map is all of the board, unless it is whole
    (80, 24): (32, 0, ("2x1 22x15 42", "2x1 22x18 50", "2x1 22x18 50")),
    (100, 30): (34, 0, ("2x1 all 32", "2x1 31x20 48", "2x1 31x24 57")),
    (120, 40): (38, 5, ("4x2 19x14 53", "4x2 19x14 53", "2x1 39x29 53")),
    (140, 45): (40, 6, ("4x2 all 55", "4x2 24x16 56", "2x1 48x33 56")),
    (160, 50): (42, 7, ("4x2 all 43", "4x2 28x18 58", "2x1 57x37 58")),
    (200, 60): (46, 8, ("6x3 all 63", "4x2 all 52", "2x1 all 43")),
}
"""Columns of the panels, rows of the strip, and for maps of 26 by 15, 36 by 20 and 60 by 40 squares the zoom, the
squares in sight and the percent of the terminal that the map takes."""


@pytest.mark.parametrize("size", TABLE)
def test_the_board_has_half_of_the_screen_and_the_map_as_much_of_it_as_it_fills(size: tuple[int, int]) -> None:
    side, strip, wanted = TABLE[size]
    assert (size[0] - side) * (size[1] - BARS - strip) * 2 >= size[0] * size[1]
    for extent, want in zip(((26, 15), (36, 20), (60, 40)), wanted, strict=True):
        found = layout(*size, extent, USUAL_SETTINGS, TURNS)
        board, (wide, high) = found.places["board"], block(found.zoom, extent)
        seen = squares_in_sight(board.width, board.height, found.zoom, extent)
        drawn = 100 * min(wide, board.width) * min(high, board.height) / (size[0] * size[1])
        sight = "all" if seen == extent else f"{seen[0]}x{seen[1]}"
        assert f"{found.zoom.width}x{found.zoom.height} {sight} {drawn:.0f}" == want
        assert (
            (found.side, found.below) == (side, strip)
            or wide < board.width + found.side
            or high < board.height + found.below
        )


def test_the_shipped_maps_follow_the_same_rule() -> None:
    zooms = {
        id: [layout(*size, (field.columns, field.rows), USUAL_SETTINGS, TURNS).zoom for size in TABLE]
        for id, path in shipped_maps().items()
        if (field := load_map(path).battlefield)
    }
    assert {id: [f"{zoom.width}x{zoom.height}" for zoom in found] for id, found in zooms.items()} == {
        "frontier-trail": ["2x1", "2x1", "4x2", "4x2", "4x2", "4x2"],
        "rooftops": ["2x1", "2x1", "4x2", "4x2", "4x2", "4x2"],
        "warehouse": ["2x1", "2x1", "4x2", "4x2", "4x2", "6x3"],
    }


def placed(size: tuple[int, int], extent: tuple[int, int], **more: object) -> dict[str, Region]:
    return dict(layout(*size, extent, USUAL_SETTINGS, TURNS, **more).places)  # type: ignore[arg-type]


def test_a_low_screen_shows_the_turn_order_above_the_unit_or_the_shot_alone() -> None:
    found = placed(NARROW, (36, 20), units=10)
    assert found == {"board": Region(0, 0, 48, 20), "order": Region(48, 0, 32, 12), "unit": Region(48, 12, 32, 8)}
    assert placed(NARROW, (36, 20), is_aimed=True)["shot"] == Region(48, 0, 32, 20)
    assert "map" not in placed((80, 40), (200, 200)), "the mini-map is a key away"


def test_a_tall_screen_shows_the_shot_above_them_and_the_mini_map_in_the_lowest_rows() -> None:
    found = placed(USUAL, (60, 60), units=8, is_aimed=True)
    assert [found[name].y for name in ("shot", "order", "unit", "map")] == [0, 13, 19, 28]
    assert found["map"].bottom == USUAL[1] - BARS and found["log"] == Region(0, 31, 82, 5)
    assert "unit" not in placed((120, TALL), (60, 60), units=8, is_aimed=True), "where there is no room for it"


def test_the_column_takes_what_a_small_map_leaves_beside_it_and_the_strip_what_it_leaves_below() -> None:
    found = placed((160, 50), (26, 15))
    assert found["board"].size == (108, 32) and found["log"].size == (108, 14)
    assert placed(WIDE, (10, 10))["order"].width == 60, "at most so many columns"


def test_the_gms_notes_stand_beside_a_wide_log() -> None:
    found = placed(WIDE, (36, 20), has_notes=True)
    assert (found["log"].size, found["notes"].size) == ((88, 14), (60, 14))
    assert "notes" not in placed(WIDE, (36, 20)), "where there are none"
    assert "notes" not in placed(USUAL, (26, 15), has_notes=True)
    assert layout(80, 24, (26, 15), USUAL_SETTINGS, "notes", has_notes=True).places["notes"].size == (32, 20)


def test_a_note_says_where_it_belongs() -> None:
    unit = view().units[0]
    notes = (Note("1", "locked"), Note("2", "has the key", unit=unit.id), Note("3", "a trap", at=Square(0, 0)))
    rows = [row.plain for row in note_rows(replace(view(), notes=notes), 24)]
    assert [row.split(maxsplit=1)[0] for row in rows] == ["–", unit.name.split()[0], "A1"]
    assert all(row.rstrip().endswith(note.text) for row, note in zip(rows, notes, strict=True))


@pytest.mark.long
def test_a_chosen_zoom_is_for_one_size_of_the_terminal(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.board.zoom is MEDIUM
        await pilot.press("z")
        await pilot.pause()
        assert screen.board.zoom is LARGE
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert screen.board.zoom is SMALL
        await pilot.resize_terminal(*USUAL)
        await pilot.pause()
        assert screen.board.zoom is LARGE

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
def test_a_narrow_screen_shows_the_shot_while_there_is_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert shown_panels(screen) == ["unit", "order"]
        await pilot.press("t")
        assert shown_panels(screen) == ["shot"]
        await pilot.press("4")
        assert shown_panels(screen) == ["log"]
        await pilot.press("f")
        assert shown_panels(screen) == ["shot"], "dice come first"
        await pilot.press("enter")
        assert shown_panels(screen) == ["log"], "what somebody chose stays until the aim is gone"
        await pilot.press("escape")
        assert shown_panels(screen) == ["unit", "order"]

    play(app_for(tmp_path), script, NARROW)


def shown_panels(screen: BattleScreen) -> list[str]:
    return [name for name in PANELS if name != "map" and screen.query_one(f"#{name}").display]


def test_digits_show_panels_and_never_hide_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert shown_panels(screen) == ["order", "log"]
        await pilot.press("2")
        assert shown_panels(screen) == ["unit", "log"]
        await pilot.press("2", "1", "4")
        assert said(screen) == "The log is shown already."
        assert shown_panels(screen) == ["shot", "order", "log"]
        await pilot.press("3")
        assert shown_panels(screen) == ["order", "log"]
        assert not settings_file().exists()

    play(app_for(tmp_path, settings=Settings(hidden=("unit",))), script, USUAL)


def test_dice_typed_after_a_refusal_leave_it_to_be_read(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("f")
        refused = said(screen)
        await pilot.press("4", "5", "enter", "1", "3")
        await pilot.pause()
        assert said(screen) == refused and shown_panels(screen) == ["unit", "order", "log"]
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
        await pilot.press("3", "underscore", "underscore")
        await pilot.pause()
        assert shown_panels(screen) == ["unit", "order"] and said(screen) == "The panels are shown."
        assert not settings_file().exists()

    play(app_for(tmp_path, settings=Settings(hidden=("log",))), script, USUAL)


def test_where_all_panels_are_hidden_by_choice_a_digit_shows_one(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not shown_panels(screen)
        await pilot.press("4")
        assert shown_panels(screen) == ["log"]

    play(app_for(tmp_path, settings=Settings(hidden=PANELS)), script, USUAL)


@pytest.mark.slow
def test_words_hide_a_panel_and_that_is_remembered(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(":", *"panel log off", "enter")
        await pilot.pause()
        assert shown_panels(screen) == ["unit", "order"] and said(screen) == "The log is hidden."
        assert read_settings(settings_file())[0].hidden == ("log",)
        await pilot.press(":", *"panel log on", "enter")
        await pilot.pause()
        assert shown_panels(screen) == ["unit", "order", "log"]
        assert read_settings(settings_file())[0].hidden == ()
        await pilot.press(":", *"panel map off", "enter")
        await pilot.pause()
        assert not read_settings(settings_file())[0].minimap

    play(app_for(tmp_path), script, USUAL)


def test_hidden_panels_stay_hidden_the_next_time(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert not screen.query_one("#log").display and screen.board.size.height == 36

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
        assert shown_panels(screen) == ["unit", "order"]

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_panels_grow_and_shrink_by_keys_until_they_cannot(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        def sizes() -> tuple[int, int]:
            return screen.query_one("#order").outer_size.width, screen.query_one("#log").outer_size.height

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


def test_the_mini_map_stands_in_the_column_while_much_of_the_map_is_out_of_sight(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        small = screen.mini_map
        assert small.display and small.region.bottom == screen.query_one("#middle").region.bottom
        for _ in range(6):
            await pilot.press("L")
        await pilot.pause()
        shown = screen.board.squares_shown
        assert screen.board.cursor is not None and shown.contains(*screen.board.cursor)
        assert small.shown is not None and small.shown.window == shown
        await pilot.press("underscore")
        await pilot.pause()
        assert not small.display
        await pilot.press("5")
        await pilot.pause()
        assert small.display and not screen.query_one("#order").display

    play(big(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_small_map_is_a_panel_of_a_narrow_screen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("5")
        await pilot.pause()
        assert screen.query_one("#map").region.width == 32

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
        assert not screen.mini_map.display

    play(big(tmp_path, settings=replace(USUAL_SETTINGS, minimap=False)), script, USUAL)
