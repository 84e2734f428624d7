"""Cover close-up, close up: read off the trace, on the screen and in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.facts import sight_line
from engine.battle.views.view import project
from engine.geometry.los.sight import trace
from engine.text import cells
from tests.examples import sample
from tests.tui.play import NARROW, USUAL, WIDE, app_for, play, said, session_for, shipped_rulesets
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, TextResult
from tui.application.describe.close_up import (
    COVERED,
    PARTLY,
    SEEN,
    SIGNS,
    closeup_rows,
    closeup_text,
    seen_between,
    sign_of,
)
from tui.application.describe.styled_rows import row_text
from tui.application.presenter.command_line import hear_line
from tui.view.modals.text_modal import TextModal, room
from tui.view.screens.battle_screen import BattleScreen


def closeup(folder: Path, one: str, other: str, width: int = 76, *, is_ascii: bool = False) -> list[str]:
    session = session_for(folder)
    units, rules = session.battle.units, session.rules
    line = sight_line(session.battle, units[one], units[other])
    seen = seen_between(project(session.battle, rules), line, units[one], units[other])
    session.close()
    return closeup_rows(seen, width, is_ascii=is_ascii)


def test_each_point_says_what_covers_it_and_how_high_that_is(tmp_path: Path) -> None:
    rows = closeup(tmp_path, "todd", "bandit", 100)
    place = rows.index("Todd → Bandit: 56 % visible; the cart at Q10 (3.0 ft high) covers 44 %.")
    told = " ".join(" ".join(rows[place + 1 : place + 3]).split())
    assert told == (
        "◐ partly visible behind the cart at Q10 (3.0 ft high), medium material: centre 56 %, north-west 52 %, "
        "north-east 61 %, south-west 52 %, south-east 61 %."
    )
    told = " ".join(" ".join(closeup(tmp_path, "todd", "boss", 120)).split())
    assert "○ covered behind the wall at AA5, heavy material: centre" in told
    assert "behind the window on AA4 W (opens from 3.0 ft to 6.5 ft), medium material" in told


def test_the_drawing_from_above_shows_the_squares_the_line_and_where_it_ends(tmp_path: Path) -> None:
    rows = closeup(tmp_path, "todd", "boss")
    drawing = next(row for row in rows if row.lstrip().startswith("10 "))  # of the row where Todd stands
    assert "T" in drawing, "the unit's own letter"
    body = "\n".join(rows)
    assert "×" in body and "█" in body and "▓" in body and "t" in body
    assert all(len(row) <= 76 for row in rows)
    wide = "\n".join(closeup(tmp_path, "todd", "bandit", 108))
    assert all(f"{PARTLY}{name}" in wide for name in ("NW", "NE", "SW", "SE")) and "NW, NE … points of the body" in wide


@pytest.mark.long
@pytest.mark.parametrize("width", sample([40, 76, 160]))
def test_every_pair_is_drawn_in_any_width_and_in_ascii(tmp_path: Path, width: int) -> None:
    session = session_for(tmp_path, "rooftops")
    battle, view = session.battle, project(session.battle, session.rules)
    for one in battle.units.values():
        for other in battle.units.values():
            line = sight_line(battle, one, other)
            seen = seen_between(view, line, one, other)
            for is_ascii in (False, True):
                rows = closeup_rows(seen, width, is_ascii=is_ascii)
                assert all(len(row) <= width for row in rows)
                assert not is_ascii or all(row.isascii() for row in rows)
    session.close()


def test_what_covers_a_point_is_what_the_tracer_found(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse")
    field = session.battle.field
    bodies = [unit.body(field) for unit in session.battle.units.values()]
    session.close()
    for one in bodies:
        for other in bodies:
            line = trace(field, one, other)
            for point in line.points:
                assert (point.behind is None) == (point.covered == 0 and point.visible == 1)
                if point.behind is not None:
                    assert 0 < point.behind.share <= max(point.covered, 1 - point.visible)
                assert sign_of(point) == (SEEN if not point.covered else COVERED if point.covered == 1 else PARTLY)
            if line.cover is not None and len({point.behind for point in line.points}) == 1:
                assert line.points[0].behind.place == line.cover.place


def test_an_open_point_says_so(tmp_path: Path) -> None:
    rows = closeup(tmp_path, "deputy", "marshal")
    assert "● visible and exposed: all points." in rows


def test_the_picture_comes_first_in_colour_and_all_fits_a_small_terminal(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    battle, rules = session.battle, session.rules
    for other in ("bandit", "boss", "cutter"):
        line = sight_line(battle, battle.units["todd"], battle.units[other])
        seen = seen_between(project(battle, rules), line, battle.units["todd"], battle.units[other])
        rows = closeup_text(seen, 64, 20, is_ascii=False)
        plain = [row_text(row) for row in rows]
        side = next(place for place, row in enumerate(plain) if "┤" in row or "│" in row)
        signs = next(place for place, row in enumerate(plain) if SIGNS[:20] in row)
        assert signs < 12 and side <= 20, "only the side view of a long line may be below"
        assert "T" in "".join(map(row_text, rows[:9]))
        styles = {style for row in rows for _, style in row}
        assert {"bold $side-0 reverse", "bold $side-1 reverse", "$line"} <= styles
    session.close()


def test_a_picture_higher_than_wide_has_all_rows_and_what_is_reported_for_it_on_its_right(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    battle, view = session.battle, project(session.battle, session.rules)
    session.close()
    ends = battle.units["todd"], battle.units["cutter"]
    rows = [
        row_text(row)
        for row in closeup_text(seen_between(view, sight_line(battle, *ends), *ends), 70, 20, is_ascii=False)
    ]
    assert len(rows) <= 20 and all(len(row) <= 70 for row in rows)
    assert rows[0].split()[:4] == ["L", "M", "N", "O"] and SIGNS[:20] in rows[0], "side by side"
    assert rows[0].index("M") - rows[0].index("L") == 3, "three cells a square"
    assert any("Line from eye to eye" in row for row in rows)


def test_lines_start_at_the_point_of_the_body_that_looks(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    battle, view = session.battle, project(session.battle, session.rules)
    session.close()
    ends = battle.units["todd"], battle.units["cutter"]
    line = sight_line(battle, *ends)
    assert line.eye == "south-east", "the observer leans"
    rows = [row_text(row) for row in closeup_text(seen_between(view, line, *ends), 180, 120, is_ascii=False)]
    y = next(place for place, row in enumerate(rows) if row.lstrip().startswith("10 "))
    x = rows[y].index("T")
    near = [
        (column, row)
        for row in range(y - 3, y + 4)
        for column in range(x - 6, x + 7)
        if rows[row][column : column + 1] == "•"
    ]
    assert near and all(column > x and row > y for column, row in near)


@pytest.mark.long
@pytest.mark.parametrize("size", sample([NARROW, USUAL, WIDE]))
def test_a_key_shows_it_over_the_board(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("slash")
        assert said(screen).startswith("Choose a target first")
        await pilot.press("t", "slash")
        await pilot.pause()
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal)
        shown = str(sheet.query_one(Static).content)
        assert "centre 56 %" in shown and "T•" in shown
        await pilot.press("escape")
        await pilot.pause()
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, size)


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_it_is_reported_in_words(tmp_path: Path, ruleset: str) -> None:
    session = session_for(tmp_path, ruleset=ruleset)
    setting = Setting(session.battle, session.rules)
    for line in ("covers todd bandit", "covers bandit", "covers todd D4", "covers D4"):
        told = hear(line, setting)
        assert isinstance(told, TextResult) and told.title == "Cover close-up"
        assert all(row.isascii() for row in told.lines[1:])
        words = " ".join(" ".join(told.lines).split())
        assert "centre" in words or "all points" in words
    session.close()


@pytest.mark.long
@pytest.mark.parametrize("line", sample(["sight W5 J13", "sight J13 N9"]))
def test_the_side_view_in_words_fits_the_sheet_and_is_drawn_as_the_board_is(tmp_path: Path, line: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        hear_line(screen.presenter, line)
        for size in ((110, 34), (80, 24)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            rows = str(pilot.app.screen.query_one(Static).content).split("\n")
            first = next(place for place, row in enumerate(rows) if "│" in row or "┤" in row)
            drawing = rows[first : first + 12]
            assert all(cells(row) <= room(size[0]) for row in rows)
            assert all(row.lstrip(" 0123456789m")[0] in "│┤" for row in drawing[:-1]), "no row is broken"
            assert "█" in "".join(drawing) and "#" not in "".join(rows)

    play(app_for(tmp_path, "rooftops", "aog"), script, (110, 34))
