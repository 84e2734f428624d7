"""Terrain editor on the board: brush, rectangle, fill, walls, heights; one stroke is one step back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from engine.geometry.squares import Direction, Edge, Square, edge_of, parse_square
from tests.tui.play import NARROW, USUAL, app_for, play, typed
from tui.application.overlays.map_marks import BRIGHT, DIM, ZONE
from tui.view.modals.picker import Picker
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.terrain_editor import TerrainScreen
from tui.view.terminal.raw_widgets import Sentence

Script = Callable[[Pilot[None], TerrainScreen], Awaitable[None]]


def edit(tmp_path: Path, script: Script, size: tuple[int, int] = USUAL, at: str = "P12") -> None:
    """Runs a script on the editing screen, the cursor on a square of bare ground."""

    async def run(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.board.move_cursor(parse_square(at))
        await pilot.press("M")
        await pilot.pause()
        ground = screen.app.screen
        assert isinstance(ground, TerrainScreen)
        await script(pilot, ground)

    play(app_for(tmp_path), run, size)


def terrain(screen: TerrainScreen, *names: str) -> list[str]:
    return [screen.session.battle.field.ground_at(parse_square(name)).name for name in names]


def told(screen: TerrainScreen) -> str:
    return "\n".join((*screen.query_one(Sentence).rows, screen.query_one(Sentence).hint))


def palette(screen: TerrainScreen) -> list[str]:
    """The rows of the palette as text."""
    return [row.plain.rstrip() for row in screen.palette.text_rows()]


async def pick(pilot: Pilot[None], screen: TerrainScreen, label: str) -> None:
    """Types a name into the list that is open, and takes the first that is left."""
    await pilot.pause()
    assert isinstance(screen.app.screen, Picker)
    await pilot.press(*typed(label), "enter")
    await pilot.pause()


@pytest.mark.slow
def test_the_board_covers_neither_the_title_nor_the_words_below(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        bars = ("title", "board", "verdict", "keys")
        rows = [row for bar in bars for row in screen.query_one(f"#{bar}").region.line_range]
        assert rows == list(range(24))
        assert screen.palette.region.x == screen.board.region.right == 48
        assert screen.palette.region.height == screen.board.region.height == 20

    edit(tmp_path, script, NARROW)


@pytest.mark.long
def test_enter_paints_the_cursors_square_and_undo_takes_it_back(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        before = screen.session.battle
        await pilot.press("enter")
        await pilot.pause()
        assert terrain(screen, "P12", "Q12") == ["wall", "dirt"]
        await pilot.press("U")
        await pilot.pause()
        assert screen.session.battle == before
        await pilot.press("R")
        await pilot.pause()
        assert terrain(screen, "P12") == ["wall"]

    edit(tmp_path, script, NARROW)


@pytest.mark.slow
def test_a_rectangle_is_painted_from_the_mark_to_the_cursor_in_one_stroke(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        steps = screen.session.history.steps_taken
        await pilot.press("m", "right", "right", "down")
        await pilot.pause()
        assert "Enter paints 6 squares from P12 to R13." in told(screen)
        await pilot.press("enter")
        await pilot.pause()
        assert terrain(screen, "P12", "R12", "P13", "R13", "S13") == ["wall"] * 4 + ["sand"]
        assert screen.session.history.steps_taken == steps + 1
        assert screen.mark is None

    edit(tmp_path, script)


@pytest.mark.slow
def test_the_brush_paints_all_that_it_has_passed_in_one_stroke(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        steps = screen.session.history.steps_taken
        await pilot.press("space", "right", "down", "L")
        await pilot.pause()
        assert "Space lifts it: 8 squares from P12 to V13." in told(screen)
        await pilot.press("space")
        await pilot.pause()
        assert terrain(screen, "P12", "Q12", "Q13", "S13", "V13") == ["wall"] * 5
        assert screen.session.history.steps_taken == steps + 1
        await pilot.press("space", "right", "escape", "escape")
        await pilot.pause()
        assert screen.session.history.steps_taken == steps + 1
        assert not isinstance(screen.app.screen, TerrainScreen)

    edit(tmp_path, script)


@pytest.mark.slow
def test_fill_stays_within_walls(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("m", "right", "right", "down", "O")
        await pilot.pause()
        field = screen.session.battle.field
        assert len([edge for edge in field.barriers if field.barriers[edge].kind == "wall"]) == 10
        await pilot.press("f")
        await pilot.pause()
        assert terrain(screen, "P13", "Q13", "R14", "S13", "P15") == ["wall"] * 3 + ["sand"] * 2

    edit(tmp_path, script, at="P13")


@pytest.mark.long
def test_walls_are_put_on_a_side_and_taken_away_by_the_same_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        here = parse_square("P12")
        await pilot.press("w")
        await pick(pilot, screen, "window")
        await pilot.press("N", "E", "S", "W")
        await pilot.pause()
        field = screen.session.battle.field
        assert {field.barriers[edge_of(here, Direction[side])].kind for side in "NESW"} == {"window"}
        await pilot.press("N")
        await pilot.pause()
        assert Edge(here.column, here.row, "N") not in screen.session.battle.field.barriers
        await pilot.press("w")
        await pick(pilot, screen, "nothing")
        await pilot.press("O")
        await pilot.pause()
        assert not any(edge_of(here, Direction[side]) in screen.session.battle.field.barriers for side in "NESW")

    edit(tmp_path, script)


@pytest.mark.slow
def test_things_stand_on_the_ground_that_lies_there_and_are_taken_away_from_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("p")
        await pick(pilot, screen, "barrel")
        await pilot.press("enter")
        await pilot.pause()
        ground = screen.session.battle.field.ground_at(parse_square("P12"))
        assert (ground.object, ground.terrain) == ("barrel", "dirt")
        await pilot.press("i", "right", "enter")
        await pilot.pause()
        assert terrain(screen, "Q12") == ["barrel"]
        await pilot.press("x")
        await pilot.pause()
        assert terrain(screen, "P12", "Q12") == ["barrel", "dirt"]

    edit(tmp_path, script)


@pytest.mark.slow
def test_the_ground_is_raised_lowered_and_set_to_a_height(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        here = parse_square("P12")
        await pilot.press("plus", "plus", "minus")
        await pilot.pause()
        assert screen.session.battle.field.elevation_at(here) == 500
        await pilot.press("e", *typed("-2.5"), "enter")
        await pilot.pause()
        assert screen.session.battle.field.elevation_at(here) == -250
        await pilot.press("e", *typed("high"), "enter")
        await pilot.pause()
        assert "Type a height" in told(screen)

    edit(tmp_path, script)


@pytest.mark.slow
def test_other_ground_and_the_maps_own_are_chosen_from_lists(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("p")
        await pick(pilot, screen, "deep water")
        await pilot.press("enter", "p")
        await pick(pilot, screen, "scrub")
        await pilot.press("right", "enter")
        await pilot.pause()
        assert terrain(screen, "P12", "Q12") == ["deep water", "scrub"]

    edit(tmp_path, script)


@pytest.mark.slow
def test_a_stroke_under_somebodys_feet_is_refused_and_said(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("p")
        await pick(pilot, screen, "wall")
        await pilot.press("enter")
        await pilot.pause()
        assert "Todd stands on N10: no room for wall." in told(screen)

    edit(tmp_path, script, at="N10")


@pytest.mark.long
def test_the_battle_shows_what_was_drawn_and_help_names_every_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("question_mark")
        await pilot.pause()
        await pilot.press("escape", "enter", "escape")
        await pilot.pause()
        battle = next(each for each in screen.app.screen_stack if isinstance(each, BattleScreen))
        assert battle.board.view is not None
        assert battle.board.view.field.ground_at(Square(15, 11)).name == "wall"

    edit(tmp_path, script)


@pytest.mark.long
def test_undo_and_redo_stop_at_the_strokes_of_this_editor(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("e", "e", "U")
        before = screen.session.battle
        screen.board.move_cursor(parse_square("P12"))
        await pilot.press("M")
        await pilot.pause()
        editor = screen.app.screen
        assert isinstance(editor, TerrainScreen)
        await pilot.press("R")
        await pilot.pause()
        assert editor.session.battle == before
        assert "No stroke is left to redo." in told(editor)
        await pilot.press("enter", "U")
        await pilot.pause()
        assert editor.session.battle == before and told(editor).startswith("Undone: ")
        await pilot.press("U")
        await pilot.pause()
        assert editor.session.battle == before
        assert told(editor).startswith("No stroke is left to undo; Esc and U undo the battle.")
        await pilot.press("R")
        await pilot.pause()
        assert terrain(editor, "P12") == ["wall"]

    play(app_for(tmp_path), script, NARROW)


async def mouse(pilot: Pilot[None], screen: TerrainScreen, *names: str, button: int = 1, dx: int = 1) -> None:
    """Drags the mouse from square to square with a button."""
    board = screen.board
    places = [board.place_in_window(parse_square(name)) for name in names]
    kinds = (events.MouseDown, *[events.MouseMove] * (len(places) - 1), events.MouseUp)
    for kind, (x, y) in zip(kinds, (*places, places[-1]), strict=True):
        await pilot._post_mouse_events([kind], board, offset=(x + dx, y), button=button)
        await pilot.pause()


@pytest.mark.slow
def test_the_palette_has_keys_brushes_and_the_square(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        assert palette(screen) == [
            " p paint … ground, objects,",
            "           lamp, smoke, zone",
            " w edges … wall, door, bars",
            " e height  - 0 +   5 ft",
            "",
            "   last used   cover   high",
            "▸1 █ wall      heavy   full",
            " 2 ▌ wall      edge    full",
            " 3 █ door      edge    full",
            " 4 ▣ crate     medium  4 ft",
            " 5 ∵ rubble",
            " 6 ☼ lamp   bright 4, dim 8",
            "",
            " ──────────────────────────",
            " P12 dirt, height 0 ft,",
            " bright",
            " N –           E –",
            " S –           W –",
        ]
        await pilot.press("w", *typed("door"), "enter", "W", "p", *typed("scrub"), "enter")
        await pilot.pause()
        assert palette(screen)[6:8] == ['▸1 " scrub', " 2 █ wall      heavy   full"]
        assert palette(screen)[-1].endswith("W door")
        await pilot.press("4")
        await pilot.pause()
        assert palette(screen)[9].startswith("▸4 █ door")
        assert told(screen).startswith("Brush: door, on edges. Enter goes around P12.")
        await pilot.click(screen.palette, offset=(6, 8))  # the frame counts
        await pilot.pause()
        assert palette(screen)[7].startswith("▸2 █ wall")

    edit(tmp_path, script, NARROW)


@pytest.mark.slow
def test_without_unicode_each_name_has_the_map_files_sign(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        screen.board.use_ascii(True)
        screen.show_all()
        assert [row[:9].rstrip() for row in palette(screen)[6:12]] == [
            ">1 # wall", " 2 | wall", " 3 D door", " 4 o crat", " 5 , rubb", " 6 * lamp",
        ]  # fmt: skip

    edit(tmp_path, script, NARROW)


@pytest.mark.slow
def test_the_mouse_paints_clears_and_pans(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        before = screen.session.battle
        steps = screen.session.history.steps_taken
        await mouse(pilot, screen, "P12", "Q12", "R13")
        assert terrain(screen, "P12", "Q12", "R13") == ["wall"] * 3
        assert screen.session.history.steps_taken == steps + 1, "one stroke"
        await mouse(pilot, screen, "Q12", button=3)
        assert terrain(screen, "P12", "Q12", "R13") == ["wall", "floor", "wall"]
        await pilot.press("U", "U")
        await pilot.pause()
        assert screen.session.battle == before
        left = screen.board.scroll_offset.x
        await mouse(pilot, screen, "R12", "P12", button=2)
        assert screen.board.scroll_offset.x > left
        assert screen.session.battle == before

    edit(tmp_path, script, NARROW)


@pytest.mark.slow
def test_in_large_squares_the_mouse_puts_an_edge_where_it_is_pressed(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        assert screen.board.zoom.is_boxed
        await pilot.press("w", *typed("window"), "enter")
        await pilot.pause()
        await mouse(pilot, screen, "P12", "Q12", "R12")
        kinds = {edge: barrier.kind for edge, barrier in screen.session.battle.field.barriers.items()}
        assert [kinds.get(Edge(column, 11, "N")) for column in (14, 15, 16, 17, 18)] == [None, *["window"] * 3, None]
        await mouse(pilot, screen, "Q12", button=3)
        assert Edge(16, 11, "N") not in screen.session.battle.field.barriers

    edit(tmp_path, script)


@pytest.mark.slow
def test_a_lamp_shows_how_far_it_shines_before_and_after_it_hangs(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("p", *typed("lamp"), "enter")
        await pilot.pause()
        await pilot.press(*typed("4 900"), "enter")
        await pilot.pause()
        assert told(screen).startswith("Bright light must reach 0 to 100 squares")
        await pilot.press(*typed("2 3 4"), "enter")
        await pilot.pause()
        assert told(screen).startswith("Brush: lamp, bright to 2 squares, dim to 3. Enter hangs it over P12.")
        tints = screen.board.markings.tints
        assert [tints.get(parse_square(name)) for name in ("P12", "R12", "S12", "T12")] == [None, BRIGHT, DIM, None]
        await pilot.press("enter", "2")
        await pilot.pause()
        (lamp,) = screen.session.battle.field.lamps
        assert (lamp.at.name, lamp.bright, lamp.dim, lamp.height) == ("P12", 2, 3, 400)
        assert screen.board.markings.letters[lamp.at] == screen.board.glyphs.lamp
        assert screen.board.markings.tints.get(parse_square("S12")) == DIM, "the cursor stands on it"
        await pilot.press("right")
        await pilot.pause()
        assert screen.board.markings.tints.get(parse_square("S12")) is None
        await pilot.press("left", "x")
        await pilot.pause()
        assert not screen.session.battle.field.lamps

    edit(tmp_path, script)


@pytest.mark.slow
def test_a_start_zone_has_outline_letter_and_what_it_needs(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        field = screen.session.battle.field
        assert {zone.id: screen.board.markings.letters[zone.corner] for zone in field.zones} == {
            "A": "A",
            "B": "B",
            "C": "C",
        }
        await pilot.press("p", *typed("zone a"), "enter")
        await pilot.pause()
        assert told(screen).startswith("Brush: zone A, 36 squares, 4 needed. Enter adds P12.")
        await pilot.press("enter")
        await pilot.pause()
        assert Square(15, 11) in screen.session.battle.field.zones[0].squares
        assert screen.board.markings.tints[Square(15, 11)] == ZONE
        await pilot.press("x", "p", *typed("zone c"), "enter")
        await pilot.pause()
        assert screen.session.battle.field.zones == field.zones
        assert told(screen).startswith("Brush: zone C, 27 squares.")

    edit(tmp_path, script)


@pytest.mark.slow
def test_smoke_is_painted_and_cleared(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        here = parse_square("P12")
        await pilot.press("p", *typed("thick"), "enter", "enter")
        await pilot.pause()
        assert screen.session.battle.field.smoke_at(here) == 2
        await pilot.press("x")
        await pilot.pause()
        assert screen.session.battle.field.smoke_at(here) == 0
        assert terrain(screen, "P12") == ["dirt"]

    edit(tmp_path, script)


@pytest.mark.slow
def test_cursor_and_brushes_are_where_they_were_after_coming_back(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await pilot.press("p", *typed("scrub"), "enter", "right", "right", "escape")
        await pilot.pause()
        battle = next(each for each in screen.app.screen_stack if isinstance(each, BattleScreen))
        assert battle.board.cursor == parse_square("R12")
        await pilot.press("M")
        await pilot.pause()
        again = screen.app.screen
        assert isinstance(again, TerrainScreen)
        assert (again.cursor, again.brush.name) == (parse_square("R12"), "scrub")

    edit(tmp_path, script)


@pytest.mark.slow
def test_the_check_runs_when_nothing_is_typed_and_a_key_goes_to_what_it_finds(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: TerrainScreen) -> None:
        await checked(pilot, screen)
        assert told(screen).endswith("the map is sound")
        await pilot.press("p", *typed("snow"), "enter", "enter", "p", *typed("dirt"), "enter", "enter")
        await checked(pilot, screen)
        assert told(screen).endswith("the map is sound"), "what is painted over is not in the file"
        await pilot.press("1")
        await pilot.press("w", *typed("glass"), "enter", "E", "right", "p", *typed("wall"), "enter", "enter")
        await pilot.pause()
        assert told(screen).endswith("checking the map")
        await checked(pilot, screen)
        assert "1 warning · g goes there: the edge changes nothing: Q12 is wall up to the sky" in told(screen)
        await pilot.press("left", "left", "g")
        await pilot.pause()
        assert screen.cursor == parse_square("Q12")
        assert told(screen).startswith("The edge changes nothing: Q12 is wall")

    edit(tmp_path, script)


async def checked(pilot: Pilot[None], screen: TerrainScreen) -> None:
    """Waits until the map is checked."""
    while screen.checks.findings is None:
        await pilot.pause(0.05)
