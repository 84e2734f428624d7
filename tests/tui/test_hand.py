"""The GM's hand on the screen: the table menu, and the keys for what is done most."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.commands.roster_commands import RemoveUnit
from engine.battle.events import DiceThrown, RollCorrected
from engine.battle.narration.unit_states import HIDDEN_MARK, NOTE_MARK
from engine.battle.wording import cover_words
from engine.geometry.squares import Square
from tests.tui.play import NARROW, USUAL, app_for, load_map, play, said, typed
from tui.keys.battle_keys import BATTLE_KEYS
from tui.modals.choice import keys_for
from tui.modals.menu import Menu
from tui.screens.battle_screen import BattleScreen


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


def key_of(screen: BattleScreen, beginning: str) -> str:
    """The key of a menu's line."""
    menu = screen.app.screen
    assert isinstance(menu, Menu)
    keys = zip(keys_for(menu.choices), menu.choices, strict=True)
    return next(key for key, choice in keys if choice.label.startswith(beginning))


async def choose(pilot: Pilot[None], screen: BattleScreen, *beginnings: str) -> None:
    for beginning in beginnings:
        await pilot.pause()
        await pilot.press(key_of(screen, beginning))
    await pilot.pause()


@pytest.mark.slow
def test_units_are_added_by_role_side_and_number(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("down", "down", "plus")
        await choose(pilot, screen, "add units", "rifleman", "outlaws")
        await pilot.press(*typed("2 Lurker hidden"), "enter")
        await pilot.pause()
        assert said(screen) == "GM: Lurker 1 on N12, Lurker 2 on N11 join outlaws, hidden."
        view = screen.board.view
        assert view is not None and view.unit("lurker-1").is_hidden
        assert (HIDDEN_MARK, "hidden from the players") in view.unit("lurker-1").conditions
        await pilot.press("U")
        await pilot.pause()
        assert "lurker-1" not in screen.session.battle.units

    play(app_for(tmp_path), script, USUAL)


def test_one_is_added_beside_whoever_stands_under_the_cursor(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus")
        await choose(pilot, screen, "add units", "rifleman", "outlaws")
        await pilot.press(*typed("Cole"), "enter")
        await pilot.pause()
        assert said(screen).startswith("GM: Cole on ") and said(screen).endswith(" joins outlaws.")
        cole, todd = (screen.session.battle.units[name].at for name in ("cole", "todd"))
        assert max(abs(cole.column - todd.column), abs(cole.row - todd.row)) == 1

    play(app_for(tmp_path), script, USUAL)


def test_a_weapon_is_given_in_words_and_taken_away_from_a_list(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.units["todd"].gear.weapons
        await pilot.press("plus")
        await choose(pilot, screen, "Todd: give")
        await pilot.press(*typed("swo"), "tab", "enter")
        await pilot.pause()
        (given,) = set(screen.session.battle.units["todd"].gear.weapons) - set(before)
        label = screen.session.rules.gear.weapons[given].label
        assert said(screen) == f"GM: Todd gets {label}."
        await pilot.press("plus")
        await choose(pilot, screen, "Todd: take a weapon", label)
        assert screen.session.battle.units["todd"].gear.weapons == before

    play(app_for(tmp_path), script, USUAL)


def test_a_group_comes_around_the_cursor_for_a_side_that_is_typed(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("down", "down", "plus")
        await choose(pilot, screen, "add a group", "Patrol", "another side")
        await pilot.press(*typed("wolves"), "enter")
        await pilot.pause()
        assert [unit.name for unit in screen.session.battle.units.values() if unit.side == "wolves"] == [
            "Leader",
            "Rifleman 1",
            "Rifleman 2",
            "Rifleman 3",
        ]

    play(app_for(tmp_path), script, NARROW)


def test_a_groups_file_that_is_wrong_says_where(tmp_path: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "groups.toml").write_text("format = 1\n[a]\n")

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus")
        await choose(pilot, screen, "add a group")
        assert "groups.toml:2:2: the group 'a' has no units" in said(screen)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_unit_is_copied_renamed_hidden_given_a_side_and_the_turn_and_taken_away(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        battle = screen.session.battle
        await pilot.press("plus")
        await choose(pilot, screen, "copy Todd")
        await pilot.press("enter")
        await pilot.pause()
        copy = next(unit for unit in screen.session.battle.units.values() if unit.id not in battle.units)
        assert copy.name == "Todd 2"
        screen.board.move_cursor(copy.at)
        await pilot.press("plus")
        await choose(pilot, screen, "Todd 2: another name")
        await pilot.press(*["backspace"] * 6, *typed("Ned"), "enter", "plus")
        await choose(pilot, screen, "Ned: hide it")
        assert said(screen) == "GM: Ned is hidden from the players."
        await pilot.press("plus")
        await choose(pilot, screen, "Ned: another side", "outlaws")
        await pilot.press("plus")
        await choose(pilot, screen, "Ned: its turn now")
        assert screen.session.battle.turns.active == copy.id and screen.presenter.focus.unit == copy.id
        await pilot.press("plus")
        await choose(pilot, screen, "Ned: rounds in")
        await pilot.press("3", "enter", "plus")
        await pilot.pause()
        assert screen.session.battle.unit(copy.id).gear.rounds[copy.gear.weapon] == 3
        await choose(pilot, screen, "take Ned off")
        assert set(screen.session.battle.units) == set(battle.units)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_unit_in_focus_is_put_on_the_cursor(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("down", "down", "P")
        await pilot.pause()
        assert said(screen) == "GM: Todd placed on N12."

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_cover_by_the_gms_word_is_in_the_ledger(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("V")
        await pilot.pause()
        assert said(screen).startswith("Pick a target first")
        await pilot.press("t", "V", *typed("75 heavy!"), "enter")
        await pilot.pause()
        (ruling,) = screen.session.battle.gm.covers
        assert (cover_words(ruling), ruling.is_pinned) == ("75 % covered (heavy)", True)
        await pilot.press("V", *typed("seen"), "enter")
        await pilot.pause()
        assert not screen.session.battle.gm.covers

    play(app_for(tmp_path), script, USUAL)


def test_dice_are_thrown_and_the_last_roll_is_put_right(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("D", *typed("2d6+1 wolves"), "enter")
        await pilot.pause()
        assert said(screen).startswith("wolves: 2d6+1 (")
        await pilot.press("plus")
        await choose(pilot, screen, "the last roll")
        await pilot.press(*typed("6 6"), "enter")
        await pilot.pause()
        done = screen.session.history.done
        assert done is not None and isinstance(done.events[0], RollCorrected)
        assert next(event for event in done.events if isinstance(event, DiceThrown)).roll.total == 13
        assert "wolves: 2d6+1 (6, 6) = 13, typed." in said(screen)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_notes_are_written_listed_changed_and_taken_away(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("N", *typed("Afraid of dogs"), "enter")
        await pilot.pause()
        view = screen.board.view
        assert view is not None and (NOTE_MARK, "Afraid of dogs") in view.unit("todd").conditions
        await pilot.press("down", "down", "N")
        await choose(pilot, screen, "a new note on N12")
        await pilot.press(*typed("A trap"), "enter")
        await pilot.pause()
        assert [note.at for note in screen.session.battle.gm.notes] == [None, Square(13, 11)]
        await pilot.press("N")
        await choose(pilot, screen, "N12: A trap")
        await pilot.press(*["backspace"] * 6, "enter")
        await pilot.pause()
        assert len(screen.session.battle.gm.notes) == 1

    play(app_for(tmp_path), script, NARROW)


def test_light_is_set_and_what_stands_there_is_shot_to_pieces(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus")
        await choose(pilot, screen, "light and lamps")
        await pilot.press(*typed("dark all"), "enter")
        await pilot.pause()
        assert said(screen) == "GM: light on the whole map: dark."
        field = screen.session.battle.field
        crate = next(square for square in field.squares() if field.ground_at(square).object == "crate")
        screen.board.move_cursor(crate)
        await pilot.press("X")
        await pilot.pause()
        assert said(screen) == f"GM: {crate.name}: rubble (shot to pieces)."
        wall = next(square for square in field.squares() if field.ground_at(square).terrain == "wall")
        screen.board.move_cursor(wall)
        await pilot.press("X")
        await pilot.pause()
        if isinstance(screen.app.screen, Menu):
            await choose(pilot, screen, "the wall on")
        assert screen.session.battle.field.ground_at(wall).terrain == "rubble"
        screen.board.move_cursor(Square(13, 11))
        await pilot.press("X")
        await pilot.pause()
        assert said(screen) == "Nothing on N12 that could be shot to pieces."

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_battle_is_saved_as_a_map_and_one_that_is_there_is_kept(tmp_path: Path, folder: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus")
        await choose(pilot, screen, "save as a map")
        await pilot.press(*["backspace"] * 20, *typed("Docks"), "enter")
        await pilot.pause()
        assert said(screen) == "Saved: battleboard docks plays it."
        assert load_map(folder / "maps" / "docks.toml").battlefield.name == "Docks"
        for answer, last in (("keep", "Nothing is saved."), ("write over", "Saved in place of the one before")):
            await pilot.press("plus")
            await choose(pilot, screen, "save as a map")
            await pilot.press(*["backspace"] * 20, *typed("Docks"), "enter")
            await choose(pilot, screen, answer)
            assert said(screen).startswith(last)

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_an_empty_table_still_answers_every_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for unit in list(screen.session.battle.units):
            screen.presenter.submit(RemoveUnit(unit))
        await pilot.pause()
        assert not screen.session.battle.units and screen.session.battle.turns.active == ""
        keys = {key for binding in BATTLE_KEYS for key in binding.key.split(",")} - {"Q", "U", "R", "backspace"}
        for key in sorted(keys):
            await pilot.press(key)
            await pilot.pause()
            for _ in range(3):
                await pilot.press("escape")
        await pilot.pause()
        await pilot.press("plus")
        await choose(pilot, screen, "add units", "gunman", "another side")
        await pilot.press(*typed("law"), "enter", "enter", "i", "enter")
        await pilot.pause()
        assert screen.session.battle.turns.active == "gunman"

    play(app_for(tmp_path), script, USUAL)


def test_damage_is_asked_for_and_a_stat_is_typed_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus", "d", *typed("5"), "enter")
        await pilot.pause()
        assert said(screen) == "Todd: hit points 20 → 15 (set by the GM)."
        await pilot.press("plus", "d", *typed("wibble"), "enter")
        await pilot.pause()
        assert said(screen).startswith("Type how much")
        await pilot.press("plus", "b", *typed("dext"), "tab", "9", "enter")
        await pilot.pause()
        assert said(screen) == "GM: Todd's DEX is 9, was 8."
        await pilot.press("plus", "e", *typed("3"), "enter")
        await pilot.pause()
        assert screen.session.battle.unit("todd").pools["hp"] == 18

    play(app_for(tmp_path), script, NARROW)


def test_a_letter_is_the_same_whatever_the_menu_holds(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        found = []
        for unit in ("todd", "bandit"):
            screen.board.move_cursor(screen.session.battle.unit(unit).at)
            await pilot.press("plus")
            await pilot.pause()
            menu = screen.app.screen
            assert isinstance(menu, Menu)
            found.append({choice.id: choice.key for choice in menu.choices if choice.key})
            await pilot.press("escape")
        assert found[0] == found[1] and found[0]["copy"] == "c"

    play(app_for(tmp_path), script, USUAL)
