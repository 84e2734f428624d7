"""Reactions on the board: the question has every choice in one row, and only a key that it names answers it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.command import EndTurn, Move
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.roster_commands import RenameUnit
from engine.battle.commands.unit_edits import SetCondition
from engine.battle.events import AttackRolled
from engine.battle.state.gm_overrides import AUTO
from engine.geometry.squares import Square, parse_square
from tests.examples import sample
from tests.tui.play import NARROW, USUAL, app_for, asked, play, said, session_for, typed
from tui.app.board_app import BoardApp
from tui.focus.focus import Focus
from tui.screens.battle_screen import BattleScreen


async def walk_into_view(pilot: Pilot[None], screen: BattleScreen) -> None:
    """Todd is on overwatch, and Bandit moves two squares in his view."""
    screen.session.submit(SetCondition("todd", "planning_sight", True))
    screen.presenter.submit(SetTurn("bandit"))
    await pilot.press("m", "right", "right", "m")


def attackers(screen: BattleScreen) -> list[str]:
    return [unit for unit, _ in attacks(screen)]


def attacks(screen: BattleScreen) -> list[tuple[str, str]]:
    done = [event for step in screen.session.history.steps() for event in step.events]
    return [(event.unit, event.target) for event in done if isinstance(event, AttackRolled)]


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


def test_escape_looks_around_first_and_going_on_asks_again(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before = place(screen)
        for keys in (("m",), ("enter",), ("e",), (":", *typed("end"), "enter"), (":", *typed("move T10"), "enter")):
            await pilot.press("escape")
            assert not screen.is_asking and "may still attack Bandit" in said(screen)
            await pilot.press(*keys)
            assert "Todd may fire at Bandit (" in asked(screen), keys
        assert place(screen) == before and screen.session.battle.turns.active == "bandit"
        await pilot.press("escape", "x", "enter", "enter", "enter", "enter")
        assert attackers(screen) == ["todd"]

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["", "t"], ids=["no target in focus", "another target in focus"])
def test_a_typed_attack_that_waited_for_the_answer_is_the_attack_that_was_typed(tmp_path: Path, target: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        await pilot.press("escape", *target)
        assert screen.presenter.focus.target == ("todd" if target else "")
        await pilot.press(":", *typed("shoot bandit tracker"), "enter")
        assert "Todd may fire at Bandit (" in asked(screen)
        await pilot.press("n")
        assert said(screen).startswith("Tracker, ") and "1d100" in asked(screen)
        await pilot.press("enter", "enter", "enter")
        assert attacks(screen) == [("bandit", "tracker")]

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_an_attack_by_its_key_asks_first_and_is_then_made(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        await pilot.press("escape", "t", "f")
        assert "Todd may fire at Bandit (" in asked(screen) and attacks(screen) == []
        await pilot.press("n")
        assert said(screen).startswith("Todd, ") and "1d100" in asked(screen)
        await pilot.press("enter", "enter", "enter")
        assert attacks(screen) == [("bandit", "todd")]

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.parametrize("keys", sample([("e",), (":", *typed("end"), "enter")]), ids=["key", "line"])
def test_the_end_of_the_turn_replaces_the_move_that_was_stopped(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before = place(screen)
        await pilot.press("escape", *keys, "n")
        assert place(screen) == before and screen.session.battle.turns.active != "bandit" and not screen.is_asking

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_another_goal_replaces_the_one_of_the_move_that_was_stopped(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        await pilot.press("escape", "left", "left", "left", "m")
        assert said(screen) == "Bandit cannot reach Q10 this turn." and not screen.is_asking
        await pilot.press("right", "m")
        assert "Todd may fire at Bandit (" in asked(screen) and screen.presenter.focus.cursor.name == "R10"
        await pilot.press("n")
        assert place(screen) == "R10"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_a_move_that_is_only_drawn_asks_nothing(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before = place(screen)
        await pilot.press("escape")
        assert said(screen).endswith("x attacks, Bandit's next move or action asks again.")
        await pilot.press("escape", "m")
        assert not screen.is_asking and screen.presenter.focus.shading == "reach"
        await pilot.press("right", "m")
        assert "Todd may fire at Bandit (" in asked(screen) and place(screen) == before

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_one_who_reacts_fires_and_the_move_goes_on_with_its_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        before = place(screen)
        await pilot.press("x", *typed("20"), "enter", "enter")
        assert attackers(screen) == ["todd"] and (screen.presenter.focus.unit, screen.presenter.focus.shading) == (
            "bandit",
            "reach",
        )
        await pilot.press("m")
        assert place(screen) != before

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_always_fires_now_and_asks_no_more(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await walk_into_view(pilot, screen)
        await pilot.press("A", *typed("20"), "enter", "enter")
        assert attackers(screen) == ["todd"]
        assert {(policy.how, policy.unit) for policy in screen.session.battle.gm.policies} == {(AUTO, "todd")}

    play(app_for(tmp_path), script, USUAL)


def test_the_question_fits_80_columns_whatever_the_units_are_called(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(RenameUnit("todd", "Sergeant First Class Theodore"))
        screen.session.submit(RenameUnit("bandit", "Bandit with the very long rifle"))
        await walk_into_view(pilot, screen)
        row = asked(screen)
        assert len(row) < 80 and row.endswith("  x fire  n let pass  A always fire")
        assert "Serge" in row and " may fire at Bandit" in row and " %)." in row

    play(app_for(tmp_path), script, NARROW)


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


@pytest.mark.parametrize(
    "how", sample(["another unit", "another overlay", "its key, then another", "an event", "undo"])
)
def test_a_move_is_made_only_where_its_own_key_has_drawn_it(tmp_path: Path, how: str) -> None:
    """The shading may be there, but it is another unit's, an older one, or was not called up to move."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        if how == "another overlay":
            screen.presenter.focus = Focus(unit="todd", cursor=screen.session.battle.units["todd"].at)
            screen.shade("reach")
        else:
            await pilot.press("m")
        if how == "its key, then another":
            await pilot.press("escape", "v", "9")
        elif how == "another unit":
            screen.session.submit(SetTurn("bandit"))
            screen.presenter.look_at(screen.presenter.focus.on_unit("bandit"))
        elif how == "an event":
            screen.session.submit(SetCondition("lookout", "planning_sight", True))
        elif how == "undo":
            screen.session.submit(EndTurn())
            await pilot.press("U")
            screen.shade("reach")
        unit = screen.presenter.focus.unit
        start = screen.session.battle.units[unit].at
        await pilot.press("right", "m")
        assert screen.session.battle.units[unit].at == start
        assert screen.presenter.focus.shading == "reach" and screen.presenter.focus.cursor == start
        await pilot.press("right", "m")
        assert screen.session.battle.units[unit].at != start

    play(app_for(tmp_path), script, USUAL)


def test_what_was_open_when_the_battle_was_closed_is_asked_again_and_goes_on(tmp_path: Path) -> None:
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
