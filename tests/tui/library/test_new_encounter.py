"""From the library to round 1: the new encounter, key by key, and what the battle then is."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.play import NARROW
from tui.app.board_app import BoardApp
from tui.library.new_encounter_screen import NewEncounterScreen
from tui.screens.battle_screen import BattleScreen

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


def visit(script: Script, size: tuple[int, int] = NARROW) -> None:
    """Opens the library and runs a script."""
    app = BoardApp(None)

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
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
    return " ".join(str(pilot.app.screen.query_one("#told", Static).content).split())


def test_seventeen_keys_from_the_library_to_round_one() -> None:
    assert len(SEVENTEEN) == 17

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press(*SEVENTEEN[:15])
        await pilot.pause()
        battle = board(pilot).session.battle
        assert battle.is_set_up
        assert battle.party == "lantern"
        sides = [unit.side for unit in battle.units.values()]
        assert (sides.count("lantern"), sides.count("opponents")) == (4, 5)
        hidden = [unit.name for unit in battle.units.values() if unit.is_hidden]
        assert hidden == ["Rifleman 1", "Rifleman 2"]
        zones = {zone.id: set(zone.squares) for zone in battle.field.zones}
        for unit in battle.units.values():
            zone = "A" if unit.side == "lantern" else "C" if unit.is_hidden else "B"
            assert unit.at in zones[zone]
        await pilot.press(*SEVENTEEN[15:])
        await pilot.pause()
        battle = board(pilot).session.battle
        assert battle.turns.round == 1
        assert battle.turns.active
        assert len(battle.turns.order) == 9

    visit(script)
