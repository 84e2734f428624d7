"""What the library does with files: names, copies, the trash, search, order, groups; blank maps and characters."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.command import EndTurn
from engine.battle.commands.order_commands import FinishBattle
from engine.errors import BattleboardError, Illegal
from engine.journal.store import OpenElsewhere
from engine.values import replace
from maps import load_map, shipped_maps
from rulesets.characters import archetype
from tests.tui.play import NARROW, said, screen_of, typed
from tui.application.exports.formats import exported
from tui.application.library.battle_files import battles, new_battle, open_battle
from tui.application.library.battle_list import BattleEntry, CharacterEntry, scenery_of
from tui.application.library.blank_maps import parse_size, write_blank
from tui.application.library.character_files import Party
from tui.application.library.encounter_files import read_encounter, save_encounter
from tui.application.library.file_moves import (
    copy_battle,
    copy_encounter,
    copy_map,
    rename_battle,
    rename_character,
    rename_encounter,
    rename_map,
    restore_last,
    throw_away,
)
from tui.application.library.listings import ruleset_notes
from tui.application.library.ruleset_files import read_ruleset
from tui.application.settings.settings import USUAL as USUAL_SETTINGS
from tui.cli.arguments import run
from tui.view.app.board_app import BoardApp
from tui.view.library.library_list import BattleList, shelf_of, shelf_text
from tui.view.library.library_screen import LibraryScreen
from tui.view.library.previews import character_rows
from tui.view.panels.prompt import PromptInput
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.replay_screen import ReplayScreen
from tui.view.screens.terrain_editor import TerrainScreen

ANNA = 'ruleset = "occult-ops"\nname = "Anna"\nweapons = ["usp9"]\n'
Script = Callable[[Pilot[None], LibraryScreen], Awaitable[None]]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "data"


def begun(map_id: str = "frontier-trail", turns: int = 0) -> Path:
    with closing(new_battle(map_id, "occult-ops", "demo-17")) as session:
        for _ in range(turns):
            session.submit(EndTurn())
        return session.journal.path


def visit(script: Script, app: BoardApp | None = None) -> None:
    """Opens the library and runs a script."""
    app = app or BoardApp(None)

    async def run_it() -> None:
        async with app.run_test(size=NARROW) as pilot:
            await pilot.pause()
            if app.session is not None:
                await pilot.press("ctrl+o")
            await script(pilot, await settled(pilot))

    asyncio.run(run_it())
    app.close_battle()


async def settled(pilot: Pilot[None]) -> LibraryScreen:
    await pilot.pause()
    screen = pilot.app.screen
    assert isinstance(screen, LibraryScreen)
    while any(isinstance(entry, BattleEntry) and not entry.is_known for entry in screen.presenter.entries):
        await pilot.pause()
    return screen


def told(screen: LibraryScreen) -> str:
    return " ".join(str(screen.query_one("#sentence", Static).content).split())


def shelf(screen: LibraryScreen) -> str:
    return str(shelf_text(screen.query_one(BattleList).shown, 60, 60))


def test_a_name_that_cannot_be_a_files_or_is_taken_is_refused() -> None:
    one, other = begun(), begun()
    for name in ("", "a/b", ".hidden", other.stem):
        with pytest.raises(Illegal):
            rename_battle(one, name)
    assert one.exists()


@pytest.mark.slow
def test_the_open_battle_is_renamed_below_the_library() -> None:
    session = open_battle(begun(turns=1))

    async def script(pilot: Pilot[None], screen: LibraryScreen) -> None:
        await pilot.press("f2", *["backspace"] * 20, *typed("Mill"), "enter")
        await pilot.pause()
        screen = await settled(pilot)
        assert "Renamed to Mill" in told(screen)
        await pilot.press("escape", "e")
        await pilot.pause()
        board = pilot.app.screen
        assert isinstance(board, BattleScreen)
        assert board.session.journal.path.stem == "Mill"

    visit(script, BoardApp(session))
    with closing(open_battle(battles()[0])) as again:
        assert len(again.history.steps()) == 3


def test_a_renamed_character_takes_its_file_along_and_everybody_who_names_it_follows(data_folder: Path) -> None:
    for folder in ("characters", "encounters", "maps"):
        (data_folder / folder).mkdir(parents=True)
    file = data_folder / "characters" / "anna-2.toml"
    file.write_text(f"# hers\n{ANNA}")
    (data_folder / "characters" / "anna-vale.toml").write_text("another")
    (data_folder / "party.toml").write_text('[crew]\ncharacters = ["anna-2"]  # one\n')
    ambush = data_folder / "encounters" / "ambush.toml"
    ambush.write_text('name = "A"\nmap = "pier"\nparty = "crew"\n[places]\nanna-2 = "B2"\n')
    pier = copy_map(shipped_maps()["warehouse"], "Pier")
    there = rename_character(file, "Anna Vale")
    assert there.name == "anna-vale-2.toml" and not file.exists(), "nothing is overwritten"
    assert there.read_text() == f"# hers\n{ANNA.replace('Anna', 'Anna Vale')}"
    assert (data_folder / "party.toml").read_text() == '[crew]\ncharacters = ["anna-vale-2"]  # one\n'
    assert 'anna-vale-2 = "B2"' in ambush.read_text()
    assert rename_character(there, "Anna Vale") == there, "the file has the name already"
    assert rename_character(there, "Zoe", moves=False) == there and 'name = "Zoe"' in there.read_text()
    assert rename_map(pier, "The old pier").name == "the-old-pier.toml"
    assert 'map = "the-old-pier"' in ambush.read_text()
    assert read_encounter("ambush").map.battlefield.name == "The old pier"
    assert rename_encounter(ambush, "Night raid").name == "night-raid.toml"


def test_a_name_that_is_none_changes_no_file(data_folder: Path) -> None:
    (data_folder / "characters").mkdir(parents=True)
    (data_folder / "encounters").mkdir()
    file = data_folder / "characters" / "anna.toml"
    file.write_text(ANNA)
    (ambush := data_folder / "encounters" / "ambush.toml").write_text('name = "A"\nmap = "warehouse"\n')
    for name in ("!!", "x" * 41, "\x1b[2J"):
        with pytest.raises(Illegal):
            rename_character(file, name)
    for change in (rename_encounter, copy_encounter):
        with pytest.raises(Illegal, match="Warehouse is the name of a map"):
            change(ambush, "Warehouse")
    assert file.read_text() == ANNA and sorted(path.name for path in ambush.parent.iterdir()) == ["ambush.toml"]
    file.write_text("name = \n")
    with pytest.raises(BattleboardError, match="is not TOML"):
        rename_character(file, "Zoe")


def battle_entry(number: int, title: str = "Warehouse, night shift", **more: Any) -> BattleEntry:
    played = f"2026-11-2{number}T20:15:00+00:00"
    sides = (("crew", 4, 4), ("guards", 5 - number, 4))
    field = scenery_of(load_map(shipped_maps()["warehouse"]))
    path = Path(f"warehouse-night-shift-{number}.battle")
    return BattleEntry(path, title, "aog", number, 9, played, field, sides=sides, **more)


def test_battles_of_one_name_are_distinguished_by_when_round_and_sides() -> None:
    one, two = battle_entry(1), battle_entry(2)
    rows = str(shelf_text(shelf_of((one, two)), 30, 10)).splitlines()
    assert rows[1:3] == [f"▸ {one.when}…         4 vs 4", f"  {two.when}…         4 vs 3"]
    alone = str(shelf_text(shelf_of((one, battle_entry(2, "Rooftops"))), 30, 10)).splitlines()
    assert alone[1] == "▸ Warehouse, night…     4 vs 4"
    inside = [battle_entry(number, party="crew") for number in (1, 2)]
    rows = str(shelf_text(shelf_of(tuple(inside)), 30, 10)).splitlines()
    assert [row.rstrip() for row in rows[1:3]] == ["  crew · Warehouse, night shi…", f"▸   {one.when}  4 vs 4"]
    wide = str(shelf_text(shelf_of(tuple(inside)), 60, 10)).splitlines()
    assert wide[2].split() == ["▸", *one.when.split(), "4", "vs", "4", "round", "1", "aog", *one.when.split()]


def test_characters_of_one_name_are_distinguished_by_their_files() -> None:
    anna, other, bo = (
        CharacterEntry(id, Path(f"{id}.toml"), name, "aog", is_opponent=False)
        for id, name in (("anna", "Anna"), ("anna-2", "Anna"), ("bo", "Bo"))
    )
    rows = [row.split() for row in str(shelf_text(shelf_of((anna, other, bo)), 40, 20)).splitlines()]
    assert ["▸", "Anna,", "anna", "aog"] in rows and ["Anna,", "anna-2", "aog"] in rows and ["Bo", "aog"] in rows


def test_the_preview_of_a_character_shows_what_it_has() -> None:
    rules = read_ruleset("aog")
    gunman = archetype(rules, "gunman")
    hp = next(iter(rules.units.pools))
    own = replace(
        gunman, name="Anna", letter="V", pools=((hp, 3),), rounds=((gunman.weapons[0], 2),), notes="Owes Bo 200.",
        is_opponent=False, file="anna",
    )  # fmt: skip
    rows = [str(row) for row in character_rows(own, rules, [Party("crew", "The crew", ("anna",))])]
    assert rows[0] == "V  Anna  character" and rows[1].strip() == "in The crew"
    text = "\n".join(rows)
    assert "hit points  3/10" in text and "Owes Bo 200." in text
    assert f"{rules.gear.weapons[gunman.weapons[0]].label}, 2 rounds" in rows


def test_a_battle_open_elsewhere_is_neither_renamed_nor_thrown_away() -> None:
    path = begun()
    with closing(open_battle(path)):
        for change in (lambda: rename_battle(path, "Mill"), lambda: throw_away(path)):
            with pytest.raises(OpenElsewhere):
                change()
    assert path.exists()


def test_a_copy_of_a_battle_continues_by_itself() -> None:
    path = begun(turns=2)
    copied = copy_battle(path, "The old mill")
    assert copied.stem == "The old mill"
    with pytest.raises(Illegal):
        copy_battle(path, "The old mill")
    with closing(open_battle(copied)) as session, closing(open_battle(path)) as first:
        session.submit(EndTurn())
        assert session.journal.header.title == "Frontier trail"
        assert session.journal.header.battle_id != first.journal.header.battle_id
        assert len(session.history.steps()) == len(first.history.steps()) + 1


def test_what_comes_back_overwrites_nothing(data_folder: Path) -> None:
    folder = data_folder / "characters"
    folder.mkdir(parents=True)
    (folder / "anna.toml").write_text(ANNA, encoding="utf-8")
    throw_away(folder / "anna.toml")
    (folder / "anna.toml").write_text("another", encoding="utf-8")
    back = restore_last()
    assert back is not None
    assert back.name == "anna-2.toml"
    assert (folder / "anna.toml").read_text(encoding="utf-8") == "another"


@pytest.mark.parametrize("text", ["", "30", "0x5", "30x999", "axb", "30x20 0ft", "30x20 5miles", "30x20x4"])
def test_a_size_that_no_map_has_is_refused(text: str) -> None:
    with pytest.raises(Illegal):
        parse_size(text)


def test_a_blank_map_never_overwrites(data_folder: Path) -> None:
    assert write_blank(parse_size("5x5")).stem == "blank-map"
    assert write_blank(parse_size("5x5")).stem == "blank-map-2"


def test_a_damaged_battle_can_be_thrown_away() -> None:
    path = begun()
    path.write_bytes(path.read_bytes()[:-5000])
    throw_away(path)
    assert battles() == []
    with pytest.raises(BattleboardError):
        copy_battle(path, "x")


def test_the_library_opens_when_the_last_battle_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(open_battle(begun())) as session:
        session.submit(FinishBattle())
    opened: list[str] = []
    monkeypatch.setattr("tui.cli.arguments.open_library", lambda _: opened.append("library") or 0)
    assert run([]) == 0
    assert opened == ["library"]


@pytest.mark.long
def test_one_key_from_everywhere_and_the_first_line_names_it() -> None:
    app = BoardApp(open_battle(begun()), is_start=True)

    async def run_it() -> None:
        async with app.run_test(size=NARROW) as pilot:
            await pilot.pause()
            assert said(screen_of(app)).startswith("Ctrl+O library")
            await pilot.press("M", "ctrl+o")
            await settled(pilot)
            await pilot.press("c", *typed("Mill"))
            question = pilot.app.screen.query_one(PromptInput)
            assert question.value == "Mill", "typing replaces the name that stands there"
            await pilot.press("escape", "escape")
            assert isinstance(pilot.app.screen, TerrainScreen)
            await pilot.press("escape", "ctrl+o", "p")
            await pilot.pause()
            assert isinstance(pilot.app.screen, ReplayScreen)
            await pilot.press("ctrl+o")
            await settled(pilot)

    asyncio.run(run_it())
    app.close_battle()


def test_the_library_as_a_list(capsys: pytest.CaptureFixture[str]) -> None:
    begun()
    with closing(new_battle("warehouse", "occult-ops")) as session:
        save_encounter(session, "ambush")
    assert run(["library", "--list"]) == 0
    listed = capsys.readouterr().out
    assert "battle     frontier-trail-1" in listed
    assert "encounter  ambush" in listed
    assert run(["library", "--json"]) == 0
    assert '"kind": "encounter"' in capsys.readouterr().out


def test_a_blank_map_from_the_command_line(data_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "map", "30x20", "--name", "The pier"]) == 0
    assert "battleboard play the-pier --set-up" in capsys.readouterr().out
    assert load_map(data_folder / "maps" / "the-pier.toml").battlefield.columns == 30


def test_a_list_of_rulesets_has_their_names_and_the_current_one() -> None:
    assert ruleset_notes("volt") == {
        "aog": "Ashes of Gaia",
        "cwn": "Cities Without Number",
        "eva": "Evangelion d100",
        "occult-ops": "Occult Ops",
        "volt": "VOLT, current",
    }


def test_no_key_is_taken_before_the_screen_is_composed() -> None:
    """Over a slow line a key may come first."""
    assert LibraryScreen(None, USUAL_SETTINGS).check_action("open", ()) is False


@pytest.mark.long
def test_the_keys_of_a_characters_row_are_shown_again_when_its_form_is_left(data_folder: Path) -> None:
    file = data_folder / "characters" / "anna.toml"
    file.parent.mkdir(parents=True)
    file.write_text('ruleset = "cwn"\nname = "Anna"\n', "utf-8")

    async def script(pilot: Pilot[None], screen: LibraryScreen) -> None:
        keys = screen.query_one("#keys", Static)
        await pilot.press("end", "up")
        before = str(keys.content)
        assert screen.presenter.entry is not None and screen.presenter.entry.name == "Anna"
        assert "new character" in before and "new encounter" not in before
        for leaves in ("escape", "ctrl+o"):
            await pilot.press("enter")
            await pilot.pause()
            assert pilot.app.screen is not screen
            await pilot.press(leaves)
            assert await settled(pilot) is screen and str(keys.content) == before

    visit(script)


def test_exports_of_a_renamed_battle_have_its_new_name() -> None:
    path = begun()
    with closing(open_battle(path, read_only=True)) as session:
        assert exported(session, "markdown").startswith(f"# {session.journal.header.title}\n")
    with closing(open_battle(rename_battle(path, "Ambush at noon"), read_only=True)) as session:
        assert exported(session, "markdown").startswith("# Ambush at noon\n")
        assert "<title>Ambush at noon</title>" in exported(session, "html")
