"""What stands beside the library's list."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from textual.widgets import Static

from engine.battle.state.characters import Character
from tests.rules.table import ruleset
from tests.tui.play import NARROW
from tui.application.library.battle_files import new_battle
from tui.application.library.battle_list import BattleEntry, Entry, MapEntry, PartyEntry
from tui.view.app.board_app import BoardApp
from tui.view.library.library_list import shelf_of, shelf_text
from tui.view.library.library_screen import LibraryScreen
from tui.view.library.list_panels import TextPanel
from tui.view.library.party_screen import PartyScreen
from tui.view.library.previews import character_rows
from tui.view.panels.key_footer import KeyFooter


def test_the_sheet_beside_the_list_is_wrapped_to_the_width_that_it_is_drawn_in() -> None:
    """However wide the panel was when the sheet was read: it may not have been laid out yet."""
    own = Character("Anna", (("strength", 8), ("endurance", 8)), ("sniper-rifle",))
    panel = TextPanel()
    panel.set_reactive(TextPanel.shown, ("Anna", tuple(character_rows(own, ruleset("occult-ops"), ())), ("Foot.",)))
    for width, expected in ((42, ["STR 8 · END 8"]), (8, ["STR 8 ·", "END 8"])):
        rows = [row.rstrip() for row in str(panel.build(width, 24)).splitlines()]
        start = rows.index(expected[0])
        assert rows[start : start + len(expected)] == expected
        assert rows[-1] == "Foot." and len(rows) == 24


def test_the_name_of_a_party_has_the_room_at_80_columns() -> None:
    crew = PartyEntry("night-crew", "Night Crew", ("anna", "bo", "cy", "di"), "occult-ops", is_default=True)
    assert "▸ Night Crew  4, default" in str(shelf_text(shelf_of((crew,)), 30, 10))
    assert "▸ Night Crew  4, default  occult-ops" in str(shelf_text(shelf_of((crew,)), 60, 10))


def test_while_a_party_is_named_the_line_above_speaks_of_the_name_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    (tmp_path / "characters").mkdir()
    (tmp_path / "characters" / "anna.toml").write_text('ruleset = "aog"\nname = "Anna"\n')
    said: list[str] = []

    async def visit() -> None:
        app = BoardApp(None)
        async with app.run_test(size=NARROW) as pilot:
            app.push_screen(PartyScreen(None))
            await pilot.pause()
            said.append(str(app.screen.query_one("#sentence", Static).content))
            await pilot.press("x", "enter")
            await pilot.pause()
            said.append(str(app.screen.query_one("#sentence", Static).content))

    asyncio.run(visit())
    assert "Type the name of the party" in said[0] and "Space" not in said[0]
    assert "Space puts Anna in." in said[1]


@pytest.mark.long
def test_the_footer_has_replay_and_export_for_a_battle_and_the_ruleset_for_a_map(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    new_battle("warehouse", "occult-ops", "7").close()
    shown: dict[type[Entry], str] = {}

    async def visit() -> None:
        app = BoardApp(None)
        async with app.run_test(size=(100, 30)) as pilot:
            screen = LibraryScreen()
            app.push_screen(screen)
            await pilot.pause()
            for _ in screen.presenter.entries:
                shown[type(screen.presenter.entry)] = str(screen.query_one(KeyFooter).content)  # type: ignore[index]
                await pilot.press("down")
                await pilot.pause()

    asyncio.run(visit())
    assert all(words in shown[BattleEntry] for words in ("p replay", "x export")) and "seed" not in shown[BattleEntry]
    assert all(words in shown[MapEntry] for words in ("r ruleset", "s seed")) and "replay" not in shown[MapEntry]
