"""From the library to round 1: the new encounter, key by key, and what the battle then is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import Static

from engine.geometry.squares import Square
from engine.journal.session import Session
from maps import load_map, shipped_maps
from tests.tui.play import NARROW, USUAL, WIDE, session_for
from tui.application.library.new_encounter import RosterLine, Typed, begin_roster, side_of, stat_blocks
from tui.application.library.party_files import party_called
from tui.application.library.ruleset_files import read_ruleset
from tui.application.prompts.choice import Choice
from tui.view.app.board_app import BoardApp
from tui.view.library.library_screen import LibraryScreen
from tui.view.library.list_panels import Listed, list_head
from tui.view.library.new_encounter_screen import OPPONENT, PARTY, NewEncounterScreen
from tui.view.modals.picker import Picker
from tui.view.screens.battle_screen import BattleScreen

MEMBERS = ("anna", "bo", "cleo", "dan")
CHARACTER = """ruleset = "{ruleset}"
name = "{name}"
weapons = ["{weapon}"]
"""
PARTY_FILE = """default = "lantern"

[lantern]
name = "The Lantern crew"
characters = ["anna", "bo", "cleo", "dan"]
"""
RULESET, WEAPON = "occult-ops", "usp9"
SEVENTEEN = ["n", "w", "a", "enter", "enter", "3", "g", "u", "enter", "2", "r", "i", "exclamation_mark", "enter"]
SEVENTEEN += ["enter", "i", "enter"]
Script = Callable[[Pilot[None]], Awaitable[None]]


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a party of four."""
    folder = tmp_path / "data"
    monkeypatch.setenv("BATTLEBOARD_DATA", str(folder))
    (folder / "characters").mkdir(parents=True)
    for name in MEMBERS:
        text = CHARACTER.format(ruleset=RULESET, name=name.capitalize(), weapon=WEAPON)
        (folder / "characters" / f"{name}.toml").write_text(text, encoding="utf-8")
    (folder / "party.toml").write_text(PARTY_FILE, encoding="utf-8")
    return folder


def visit(script: Script, size: tuple[int, int] = NARROW, session: Session | None = None) -> None:
    """Opens the library, over a battle or alone, and runs a script."""
    app = BoardApp(session)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            if session is not None:
                await pilot.press("ctrl+o")
            await script(pilot)

    asyncio.run(run())
    app.close_battle()


def new_encounter(pilot: Pilot[None]) -> NewEncounterScreen:
    screen = pilot.app.screen
    assert isinstance(screen, NewEncounterScreen)
    return screen


def board(pilot: Pilot[None]) -> BattleScreen:
    screen = pilot.app.screen
    assert isinstance(screen, BattleScreen)
    return screen


def told(pilot: Pilot[None]) -> str:
    return " ".join(str(pilot.app.screen.query_one("#sentence", Static).content).split())


def test_seventeen_keys_from_the_library_to_round_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(SEVENTEEN) == 17
    seen: list[object] = []

    async def script(pilot: Pilot[None]) -> None:
        library = pilot.app.screen
        monkeypatch.setattr(LibraryScreen, "show_all", lambda screen: seen.append(screen))
        await pilot.press(*SEVENTEEN[:15])
        await pilot.pause()
        assert library not in seen, "the library is not seen between the new encounter and the board"
        battle = board(pilot).session.battle
        assert battle.is_set_up
        assert battle.party == "lantern"
        sides = [unit.side for unit in battle.units.values()]
        assert (sides.count("The-Lantern-crew"), sides.count("opponents")) == (4, 5)
        hidden = [unit.name for unit in battle.units.values() if unit.is_hidden]
        assert hidden == ["rifleman 1", "rifleman 2"]
        zones = {zone.id: set(zone.squares) for zone in battle.field.zones}
        for unit in battle.units.values():
            zone = "A" if unit.side == "The-Lantern-crew" else "C" if unit.is_hidden else "B"
            assert unit.at in zones[zone]
        await pilot.press(*SEVENTEEN[15:])
        await pilot.pause()
        battle = board(pilot).session.battle
        assert battle.turns.round == 1
        assert battle.turns.active
        assert len(battle.turns.order) == 9

    visit(script, session=session_for(tmp_path))


@pytest.mark.slow
def test_twenty_five_keys_with_one_hidden_unit_moved_by_hand() -> None:
    by_hand = ["apostrophe", "r", "1", "m", "right", "right", "down", "m"]
    assert len(SEVENTEEN) + len(by_hand) == 25

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press(*SEVENTEEN[:15])
        await pilot.pause()
        before = next(unit for unit in board(pilot).session.battle.units.values() if unit.is_hidden)
        await pilot.press(*by_hand)
        await pilot.pause()
        moved = board(pilot).session.battle.unit(before.id)
        assert moved.at == Square(before.at.column + 2, before.at.row + 1)
        await pilot.press(*SEVENTEEN[15:])
        await pilot.pause()
        assert board(pilot).session.battle.turns.round == 1

    visit(script)


@pytest.mark.slow
def test_each_step_goes_back_and_is_skipped() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n")
        assert "start zones A (the trail), B (the cabin), C (the gully)" in told(pilot)
        await pilot.press("r", "o", "escape")
        assert new_encounter(pilot).typed.words == ""
        await pilot.press("enter", "escape")
        assert new_encounter(pilot).marked == "frontier-trail"
        await pilot.press("enter", "enter")
        assert new_encounter(pilot).step == OPPONENT
        await pilot.press("escape", "escape", "escape")
        assert isinstance(pilot.app.screen, LibraryScreen)
        await pilot.press("n", "enter", "enter", "enter")
        await pilot.pause()
        battle = board(pilot).session.battle
        assert battle.is_set_up
        assert [unit.side for unit in battle.units.values()] == ["The-Lantern-crew"] * 4

    visit(script)


@pytest.mark.slow
def test_the_roster_grows_by_lines_and_loses_the_last_one() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n", "enter", "enter", "1", "2", "g", "u", "enter", "down", "down", "enter")
        screen = new_encounter(pilot)
        assert [line.words for line in screen.roster] == ["12 Gunman · USP9 · 20 hit points", screen.roster[1].words]
        assert screen.roster[1].count == 1
        await pilot.press("g", "u", "enter")
        assert [line.count for line in screen.roster] == [13, 1], "more of a kind join its line"
        await pilot.press("x", "x", "enter")
        assert "No opponent begins with “xx”" in told(pilot)
        await pilot.press("backspace", "backspace", "backspace")
        assert len(screen.roster) == 1
        await pilot.press("m", "a", "p", "enter", "delete")
        assert len(screen.roster) == 1
        await pilot.press("t", "h", "e", "enter", "enter")
        await pilot.pause()
        units = board(pilot).session.battle.units
        assert {"todd", "bandit"} <= {*units}, "the map's own units"
        assert len(units) == 4 + 13 + 8

    visit(script)


def test_own_stat_blocks_come_first_and_a_ruleset_can_play_without_a_party(data_folder: Path) -> None:
    text = 'ruleset = "cwn"\nname = "Dock guard"\nkind = "opponent"\n'
    (data_folder / "characters" / "guard.toml").write_text(text, encoding="utf-8")
    file = shipped_maps()["warehouse"]
    drawn, side = load_map(file), side_of(read_ruleset("cwn"), None)
    first = stat_blocks(side.rules, drawn)[0]
    assert first.name == "Dock guard"
    with closing(begin_roster(drawn, file, side, (RosterLine(first, 2),))) as session:
        assert [unit.name for unit in session.battle.units.values()] == ["guard 1", "guard 2"]
        assert all(unit.character for unit in session.battle.units.values())


def test_the_balance_counts_the_size_of_characters_and_stat_blocks(data_folder: Path) -> None:
    for file in (data_folder / "characters").iterdir():
        file.write_text(f"size = 2\n{file.read_text(encoding='utf-8')}", encoding="utf-8")
    side = side_of(read_ruleset(RULESET), party_called("lantern"))
    assert {unit.size for unit in side.units} == {2}


def at_parties() -> NewEncounterScreen:
    """The step of parties, without a terminal: keys act on the screen all the same."""
    screen = NewEncounterScreen()
    screen.action_take()
    assert screen.step == PARTY
    return screen


def test_a_ruleset_is_found_by_its_letters() -> None:
    screen = at_parties()
    screen.typed = Typed(letters="cw")
    assert "Cities Without Number, without a party" in screen.sentence
    assert screen.choices[0].note == "Cities Without Number"


def test_what_is_typed_is_cleared_at_once() -> None:
    screen = at_parties()
    screen.typed = Typed(letters="cw")
    screen.action_clear()
    assert (screen.typed, screen.step) == (Typed(), PARTY)
    listed = Listed("Party", (Choice("one", "One"),), 0, "cw")
    assert str(list_head(listed, 40)).strip() == "> cw▏  letters narrow the list"


def test_a_party_that_cannot_be_read_says_why_and_is_not_taken(data_folder: Path) -> None:
    (data_folder / "characters" / "bo.toml").write_text('ruleset = "occult-ops"\nname = "Bo"\nfist = 1\n')
    screen = at_parties()
    screen.action_take()
    assert screen.step == PARTY
    assert "bo.toml" in screen.sentence


def test_parties_with_a_wrong_name_say_why_where_a_party_is_chosen(data_folder: Path) -> None:
    (data_folder / "party.toml").write_text('[crew]\ncharacters = ["nobody"]\nnmae = "Crew"\n')
    assert "[crew] has no key 'nmae'" in at_parties().sentence


def test_a_party_with_a_missing_character_says_who_and_is_not_taken(data_folder: Path) -> None:
    (data_folder / "party.toml").write_text('[crew]\ncharacters = ["nobody"]\n[two]\ncharacters = ["bo"]\n')
    screen = at_parties()
    assert [one.note for one in screen.choices[:2]] == ["1 · 1 missing", "1 · occult-ops"]
    assert "nobody.toml is missing" in screen.sentence
    screen.action_take()
    assert screen.step == PARTY
    screen.action_move(1)
    assert "missing" not in screen.sentence


@pytest.mark.slow
def test_balance_and_chances_are_worked_out_between_the_keys() -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n", "w", "a", "enter", "enter", "3", "g", "u", "enter")
        screen = new_encounter(pilot)
        assert screen.distance == 11
        while "…" in screen.balance or len(screen.prospects) < len(screen.blocks) - 1:
            await pilot.pause(0.05)
        assert "your four are down in about" in screen.balance
        before = screen.balance
        await pilot.press("left_square_bracket", *["right_square_bracket"] * 9)
        assert screen.distance == 27
        while "…" in screen.balance or screen.balance == before:
            await pilot.pause(0.05)
        assert screen.balance == "They cannot drop all of your four. You cannot drop all of their three."

    visit(script)


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL, WIDE])
def test_the_steps_fit_the_terminal(size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("n")
        for key in ("enter", "enter", "g"):
            screen = new_encounter(pilot)
            assert screen.query_one("#keys").region.bottom == size[1]
            if size == NARROW:
                assert screen.query_one("NarrowingList").outer_size.width == (48 if screen.step == OPPONENT else 34)
            await pilot.press(key)

    visit(script, size)


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
@pytest.mark.parametrize(
    "keys", [["n", "w"], SEVENTEEN[:5], SEVENTEEN[:14], SEVENTEEN[:12]], ids=["map", "opponents", "roster", "narrowed"]
)
def test_new_encounter_as_a_picture(snap_compare: Any, size: tuple[int, int], keys: list[str]) -> None:
    async def press(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press(*keys)
        screen = new_encounter(pilot)
        while screen.step == OPPONENT and (
            len(screen.prospects) < len(screen.blocks) - 1 or (screen.roster and "…" in screen.balance)
        ):
            await pilot.pause(0.05)
        await pilot.pause()

    assert snap_compare(BoardApp(None), run_before=press, terminal_size=size)


@pytest.mark.slow
def test_a_burst_of_keys_is_kept_in_order() -> None:
    async def script(pilot: Pilot[None]) -> None:
        for key in SEVENTEEN[:15]:
            pilot.app.post_message(events.Key(key, key if len(key) == 1 else "!" if key.startswith("excl") else None))
        while not (isinstance(pilot.app.screen, BattleScreen) and pilot.app.screen.query("#board")):
            await pilot.pause(0.05)
        battle = board(pilot).session.battle
        assert battle.party == "lantern"
        assert len(battle.units) == 9

    visit(script)


@pytest.mark.long
def test_a_unit_is_added_on_the_board_from_a_list_that_letters_narrow(tmp_path: Path) -> None:
    async def run(app: BoardApp) -> None:
        async with app.run_test(size=NARROW) as pilot:
            await pilot.press("plus", "a")
            await pilot.pause()
            assert isinstance(app.screen, Picker)
            await pilot.press(*"rifl", "enter", "1", "enter")
            await pilot.pause()

    session = session_for(tmp_path)
    before = len(session.battle.units)
    app = BoardApp(session)
    asyncio.run(run(app))
    assert len(session.battle.units) == before + 1
    app.close_battle()
