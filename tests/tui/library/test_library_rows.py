"""The tables of the library: what each row says, and in which order rows stand."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine.values import replace
from tests.tui.library.test_library_files import battle_entry
from tui.application.library.battle_files import new_battle
from tui.application.library.battle_list import (
    CHARACTERS,
    MAPS,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    NewEntry,
    PartyEntry,
)
from tui.application.library.library_rows import sorted_entries, standing
from tui.application.prompts.table_rows import Sorting
from tui.view.app.board_app import BoardApp
from tui.view.library.library_list import shelf_of, shelf_text
from tui.view.library.library_screen import LibraryScreen

BATTLE = replace(
    battle_entry(2, "Pier", encounter="ambush", party="crew", characters=frozenset({"anna"}), turn="Anna"),
    path=Path("Pier.battle"),
)
EVERYTHING: tuple[Entry, ...] = (
    BATTLE,
    EncounterEntry("ambush", Path("ambush.toml"), "Ambush", "pier", "crew", "", 6, "The Crew", 4),
    EncounterEntry("raid", Path("raid.toml"), "Raid", "pier", "", "aog", 1),
    MapEntry("pier", Path("pier.toml"), "/maps", is_own=True, size="26×15"),
    MapEntry("roofs", Path("roofs.toml"), "shipped", size="9×9"),
    NewEntry("blank-map", "blank map …"),
    PartyEntry("crew", "The Crew", ("anna", "bo"), "aog", is_default=True),
    CharacterEntry("anna", Path("anna.toml"), "Anna", "aog", False, role="medic", health=(12, 15), weapon="Rifle"),
    CharacterEntry("bo", Path("bo.toml"), "Bo", "aog", False, health=(9, 9)),
    CharacterEntry("thug", Path("thug.toml"), "Thug", "aog", True, fault="thug.toml is not TOML."),
)


def rows(width: int) -> list[str]:
    return [" ".join(row.split()) for row in str(shelf_text(shelf_of(EVERYTHING), width, 40)).splitlines()]


def test_each_section_has_its_columns_and_its_last_battle() -> None:
    assert rows(110) == [
        "Continue sides round ruleset last played",
        "crew · ambush",
        f"▸ Pier 4 vs 3 round 2 aog {BATTLE.when}",
        "Encounters sides party round",
        "Ambush 4 vs 6 The Crew round 2",
        "Raid 1 opponent aog new",
        "Maps size round",
        "pier 26×15 yours new",
        "roofs 9×9 new",
        "blank map …",
        "Parties members hp last battle ruleset",
        "The Crew 2, default 21/24 Pier aog",
        "Characters role hp main weapon last battle ruleset",
        "Anna medic 12/15 Rifle Pier aog",
        "Bo 9 aog",
        "Thug damaged",
    ]


def test_columns_go_by_their_rank_at_80_columns() -> None:
    narrow = rows(30)
    assert narrow[0] == "Continue sides round" and "Encounters sides" in narrow
    assert "Characters role hp" in narrow and "Parties members hp" in narrow


def test_a_section_is_sorted_by_a_column_and_what_makes_something_stays_last() -> None:
    def names(section: int, sorting: Sorting) -> list[str]:
        found = sorted_entries(EVERYTHING, {section: sorting})
        return [one.name for one in found if isinstance(one, MapEntry | CharacterEntry | NewEntry)]

    assert names(MAPS, Sorting(0, is_reversed=True))[:3] == ["roofs", "pier", "blank map …"]
    assert names(CHARACTERS, Sorting(2))[3:] == ["Anna", "Bo", "Thug"]
    assert names(CHARACTERS, Sorting(0, is_reversed=True))[3:] == ["Thug", "Bo", "Anna"]


def test_below_the_preview_stands_how_a_battle_stands() -> None:
    assert standing(BATTLE) == "Round 2, Anna's turn. Crew 4 of 4, guards 3 of 4."
    assert standing(battle_entry(2, is_finished=True)) == "Finished in round 2. Crew 4 of 4, guards 3 of 4."
    assert standing(battle_entry(0)) == "Set-up. Crew 4 of 4, guards 5 of 4."
    assert standing(BattleEntry(Path("x.battle"), "x")) == ""


@pytest.mark.long
def test_a_click_on_a_title_sorts_and_one_on_a_row_marks_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    for number in (1, 2):
        new_battle("warehouse" if number == 1 else "rooftops", "aog", "7").close()
    found: list[str] = []

    async def visit() -> None:
        app = BoardApp(None)
        async with app.run_test(size=(120, 40)) as pilot:
            screen = LibraryScreen()
            app.push_screen(screen)
            await pilot.pause()
            await pilot.pause()
            await pilot.click("BattleList", offset=(4, 1))
            await pilot.pause()
            found.append(screen.presenter.entries[0].name)
            await pilot.click("BattleList", offset=(4, 1))
            await pilot.pause()
            found.append(screen.presenter.entries[0].name)
            await pilot.click("BattleList", offset=(6, 3))
            await pilot.pause()
            assert screen.presenter.entry
            found.append(screen.presenter.entry.name)

    asyncio.run(visit())
    assert found[0] == "Rooftops" and found[1] == "Warehouse, night shift" and found[2] == "Rooftops"
