"""Reactions on the board: the question has every choice in one row, and only a key that it names answers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.command import Move
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.roster_commands import RenameUnit
from engine.battle.commands.unit_edits import SetCondition
from engine.battle.events import AttackRolled
from engine.geometry.squares import Square, parse_square
from tests.tui.play import NARROW, USUAL, app_for, asked, play, session_for
from tui.view.app.board_app import BoardApp
from tui.view.screens.battle_screen import BattleScreen


async def walk_into_view(pilot: Pilot[None], screen: BattleScreen) -> None:
    """Todd is on overwatch, and Bandit moves two squares in his view."""
    screen.session.submit(SetCondition("todd", "planning_sight", True))
    screen.presenter.submit(SetTurn("bandit"))
    await pilot.press("m", "right", "right", "m")


def attackers(screen: BattleScreen) -> list[str]:
    done = [event for step in screen.session.history.steps() for event in step.events]
    return [event.unit for event in done if isinstance(event, AttackRolled)]


def place(screen: BattleScreen) -> str:
    return screen.session.battle.units["bandit"].at.name


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_no_key_but_those_of_the_question_lets_the_chance_go(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before, question = place(screen), asked(screen)
        assert "Todd may fire at Bandit (" in question
        assert question.endswith(" %).  x fire  n let pass  A always fire")
        for key in ("enter", "m", "f", "e", "a", "space", "tab", "m", "enter", "t", "U"):
            await pilot.press(key)
            assert (asked(screen), place(screen)) == (question, before), key
        await pilot.click("#board", offset=(4, 4))
        assert asked(screen) == question
        await pilot.press("n")
        assert (asked(screen), place(screen)) != (question, before), "the move goes on"
        assert attackers(screen) == [] and screen.session.battle.turns.active == "bandit"
        assert not screen.is_asking and parse_square(place(screen)).column == parse_square(before).column + 1

    play(app_for(tmp_path), script, size)


@pytest.mark.long
@pytest.mark.parametrize(("todd", "bandit"), [("Todd", "Bandit"), ("Street gunman 2", "Veteran rifleman 12")])
def test_eighty_columns_have_the_reactions_name_and_all_of_its_keys(tmp_path: Path, todd: str, bandit: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for unit, name in (("todd", todd), ("bandit", bandit)):
            if screen.session.battle.units[unit].name != name:
                screen.session.submit(RenameUnit(unit, name))
        await walk_into_view(pilot, screen)
        question = asked(screen)
        assert question.startswith(f"Overwatch: {todd[:3]}") and f" may fire at {bandit[:2]}" in question
        assert question.endswith("  x fire  n let pass  A always fire") and len(question) < NARROW[0]

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_the_question_names_the_keys_as_they_are(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before = place(screen)
        assert asked(screen).endswith("  f5 fire  f6 let pass  f7 always fire")
        await pilot.press("x", "n", "A")
        assert screen.is_asking and place(screen) == before
        await pilot.press("f6")
        assert not screen.is_asking and place(screen) != before

    keymap = {"battle.interrupt": ("f5",), "reaction.pass": ("f6",), "battle.policy": ("f7",)}
    play(app_for(tmp_path, keymap=keymap), script, NARROW)


@pytest.mark.long
def test_what_was_open_when_the_battle_was_closed_is_asked_again_and_continues(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    session.submit(SetCondition("todd", "planning_sight", True))
    session.submit(SetTurn("bandit"))
    start = session.battle.units["bandit"].at
    path = tuple(Square(start.column + steps, start.row) for steps in range(3))
    session.submit(Move("bandit", path))
    assert session.battle.turns.held_by("bandit") is not None and session.battle.openings

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert "Todd may fire at Bandit (" in asked(screen)
        await pilot.press("n")
        assert screen.session.battle.units["bandit"].at == path[-1]
        assert not screen.session.battle.turns.held

    play(BoardApp(session), script, USUAL)
