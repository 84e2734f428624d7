"""Sixteen colours, as they are sent: a side has one of its own wherever it is shown, no overlay has it, and what is
written can be read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from rich._palettes import STANDARD_PALETTE
from textual.color import Color
from textual.geometry import Region
from textual.pilot import Pilot

from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.views.view import UnitView, View
from engine.geometry.squares import Square, parse_square
from tests.tui.play import NARROW, USUAL, WIDE, app_for, play, settled
from tests.tui.sent import Sent, part, sent_by, sent_rows, text_of
from tui.view.app.board_app import BoardApp
from tui.view.board.layers import footprint
from tui.view.board.palette import contrast
from tui.view.board.rulers import TOP, left_width
from tui.view.library.map_preview import Preview
from tui.view.screens.battle_screen import BattleScreen

SIDES = {"91", "93", "95", "96"}
TWINS = {"31", "33", "35", "36"}
"""What many terminals show as the sides' colours when it is bold."""
BLACK = "40"
Rows = list[list[Sent]]


@pytest.fixture
def sixteen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm-16color")


def four_sides(screen: BattleScreen) -> None:
    """Two more sides come to the battle."""
    for name, side, at in (("Nan", "town", "T7"), ("Zeke", "army", "J15")):
        screen.presenter.submit(AddUnit("gunman", side, parse_square(at), name))
    assert {unit.side for unit in view_of(screen).units} == {"law", "outlaws", "town", "army"}


def view_of(screen: BattleScreen) -> View:
    assert screen.board.view is not None
    return screen.board.view


def cells_of(screen: BattleScreen, rows: Rows, squares: Iterable[Square]) -> Iterable[Sent]:
    """The cells of squares on the board, as far as they are in the window."""
    board, zoom = screen.board, screen.board.zoom
    window = board.region.shrink((TOP, 0, 0, left_width(view_of(screen).field.rows)))
    for square in squares:
        place = Region(square.column * zoom.width, square.row * zoom.height, zoom.width, zoom.height)
        shown = place.translate(window.offset - board.scroll_offset).intersection(window)
        yield from (cell for row in part(rows, shown) for cell in row)


def letters_of(screen: BattleScreen, rows: Rows, unit: UnitView) -> list[Sent]:
    """A unit's letters: on the board, before its name in the lists and, where nobody is near, on the small map."""
    found = [cell for cell in cells_of(screen, rows, [unit.at]) if cell.sign == unit.letter]
    for widget in screen.query("#order, #unit"):
        for row in part(rows, widget.region)[1:-1] if widget.region else ():  # the title names who is next
            place = max(text_of(row).find(f" {unit.letter} {blank}{unit.name}"[:9]) for blank in ("", " "))
            found += row[place + 1 : place + 2] if place >= 0 else []
    for widget in screen.query("#map"):
        inside = part(rows, widget.region)[1:-1] if widget.region else []
        found += [cell for row in inside for cell in row if cell.sign == unit.letter]
    return found


def test_the_linux_console_gets_ascii_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "linux")
    assert BoardApp(None).ascii_only
    monkeypatch.setenv("TERM", "xterm-16color")
    assert not BoardApp(None).ascii_only


def test_the_preview_of_a_map_is_drawn_in_sixteen_colours_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sixteen: None
) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))

    async def run() -> None:
        app = BoardApp(None)
        async with app.run_test(size=NARROW) as pilot:
            await pilot.pause()
            cells = [cell for row in sent_by(app, app.screen.query_one(Preview)) for cell in row]
            assert SIDES & {cell.look.ink for cell in cells}
            assert {cell.look.ground for cell in cells} == {BLACK}

    asyncio.run(run())


SEEN = [
    ("xterm-16color", NARROW),
    ("xterm-16color", USUAL),
    ("xterm-16color", WIDE),
    ("linux", USUAL),
    ("vt220", USUAL),
]


@pytest.mark.slow
@pytest.mark.parametrize(("terminal", "size"), SEEN)
def test_a_side_has_one_colour_wherever_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terminal: str, size: tuple[int, int]
) -> None:
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", terminal)
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        four_sides(screen)
        inks: dict[int, set[str]] = {side: set() for side in range(4)}
        for keys in ((), ("t",), ("v", "1"), ("e", "T"), ("z",), ("z",)):
            await pilot.press(*keys)
            await pilot.pause()
            rows = sent_rows(app)
            for unit in view_of(screen).units:
                letters = letters_of(screen, rows, unit)
                inks[unit.side_index].update(letter.look.ink for letter in letters)
                assert {letter.look.ground for letter in letters} <= {BLACK}
        assert all(len(found) == 1 for found in inks.values()), inks
        assert set.union(*inks.values()) == SIDES

    play(app, script, size)


OVERLAYS = (
    (),
    ("t",),
    *(("v", sign) for sign in "123456789abc"),
    ("escape", "m", "l", "l", "k"),
    ("escape", "t", "t", "t"),
    ("z",),
)
"""Keys, one after the other, that lay something else over the board: line, every overlay, a way, a blocker."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("map_id", "ruleset"), [("frontier-trail", "occult-ops"), ("warehouse", "cwn"), ("rooftops", "eva")]
)
def test_nothing_else_on_the_board_has_a_sides_colour(tmp_path: Path, sixteen: None, map_id: str, ruleset: str) -> None:
    app = app_for(tmp_path, map_id, ruleset)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetCloud(Square(18, 10), 3, 2, 4))
        overlays = set()
        for keys in OVERLAYS:
            await pilot.press(*keys)
            await settled(pilot)
            overlays.add(screen.presenter.focus.overlay)
            view, rows = view_of(screen), sent_rows(app)
            units = {square for unit in view.units for square in footprint(unit)}
            ground = cells_of(screen, rows, (square for square in view.field.squares() if square not in units))
            for cell in (cell for cell in ground if cell.sign.strip() or "7" in cell.look.attributes):
                assert cell.look.ink not in SIDES, (keys, cell)
                assert cell.look.ink not in TWINS or "1" not in cell.look.attributes, (keys, cell)
                assert cell.look.ground == BLACK, (keys, cell)
        assert len(overlays) > 10

    play(app, script, USUAL)


@pytest.mark.slow
def test_what_lies_over_the_board_leaves_its_colours(tmp_path: Path, sixteen: None) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        await settled(pilot)
        before = sent_rows(app)
        await pilot.press("a")
        await pilot.pause()
        assert app.screen is not screen
        over, after = app.screen.children[0].region, sent_rows(app)
        board = [(x, y) for y, row in enumerate(after) for x in range(len(row)) if screen.board.region.contains(x, y)]
        assert all(after[y][x] == before[y][x] for x, y in board if not over.contains(x, y))

    play(app, script, USUAL)


@pytest.mark.slow
def test_turns_in_the_log_have_no_sides_colour(tmp_path: Path, sixteen: None) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "e", "e", "4")
        rows = part(sent_rows(app), screen.query_one("#log").region)
        assert any("'s turn." in text_of(row) for row in rows)
        assert SIDES.isdisjoint(cell.look.ink for row in rows for cell in row if cell.sign.strip())

    play(app, script, USUAL)


def rgb(code: str, default: str) -> Color:
    """A colour of the sixteen, by its SGR code for ink or ground, as the darkest terminals show it."""
    number = int(code or default)
    return Color(*STANDARD_PALETTE[number % 10 + 8 * (number >= 90)])


READ = (("t",), ("a", "down"), ("question_mark",), ("plus",), ("g",), ("Y",), ("colon", "x"))
"""Keys that open what is to be read; Escape closes each."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_what_is_written_can_be_read(tmp_path: Path, sixteen: None, size: tuple[int, int]) -> None:
    app = app_for(tmp_path)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for keys in READ:
            await pilot.press(*keys)
            await settled(pilot)
            over = Region() if app.screen is screen else app.screen.children[0].region
            for y, row in enumerate(sent_rows(app)):
                for x, (sign, look) in enumerate(row):
                    assert look.ground < "48", "bright grounds are not to be had everywhere"
                    if sign.isalnum() and (over.contains(x, y) or not screen.board.region.contains(x, y)):
                        assert "2" not in look.attributes
                        assert contrast(rgb(look.ink, "37"), rgb(look.ground, BLACK)) >= 4.5, (text_of(row), sign, look)
            await pilot.press("escape")

    play(app, script, size)
