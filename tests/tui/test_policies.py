"""Policies on the board and in words: the list, the keys where something is asked for, and what happens by itself."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.command import EndTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.events import AttackRolled, DefenceTaken
from engine.battle.state.gm_overrides import ASK, AUTO, OFF, Policy
from engine.geometry.squares import parse_square
from tests.tui.play import NARROW, USUAL, app_for, play, said, session_for
from tui.__main__ import main
from tui.commands.registry import hear
from tui.commands.results import Setting, SubmitCommand, TextResult
from tui.commands.rulings import policy_words
from tui.focus.focus import Focus
from tui.library.battle_files import open_battle
from tui.modals.menu import Menu
from tui.screens.battle_screen import BattleScreen


def aim(screen: BattleScreen) -> None:
    screen.presenter.look_at(Focus(unit="todd", target="bandit", cursor=screen.session.battle.units["bandit"].at))


async def roll_the_rest(pilot: Pilot[None], screen: BattleScreen) -> None:
    while screen.is_asking:
        await pilot.press("enter")
        await pilot.pause()


def taken(screen: BattleScreen) -> list[tuple[str, bool]]:
    done = [event for step in screen.session.history.steps() for event in step.events]
    return [(event.defence, event.is_by_itself) for event in done if isinstance(event, DefenceTaken)]


def policies(screen: BattleScreen) -> tuple[Policy, ...]:
    return screen.session.battle.gm.policies


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("policy dodge auto", SetPolicy(AUTO, "dodge")),
        ("policy bandit dodge off", SetPolicy(OFF, "dodge", "bandit")),
        ("policy bandit off", SetPolicy(OFF, "", "bandit")),
        ("policy law parry ask", SetPolicy(ASK, "parry", "", "law")),
        ("policy all auto", SetPolicy(AUTO)),
        ("policy off", SetPolicy(OFF)),
        ("policy bandit dodge usual", SetPolicy("", "dodge", "bandit")),
    ],
)
def test_policies_in_words(tmp_path: Path, line: str, meant: SetPolicy) -> None:
    session = session_for(tmp_path, ruleset="eva")
    spoken = hear(line, Setting(session.battle, session.rules))
    session.close()
    assert spoken == SubmitCommand(meant)


def test_the_list_says_what_holds_of_each_kind(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="eva")
    for wish in (SetPolicy(AUTO, "dodge"), SetPolicy(OFF, "dodge", "bandit"), SetPolicy(OFF, "", "", "law")):
        session.submit(wish)
    setting = Setting(session.battle, session.rules)
    lines = policy_words(setting)
    session.close()
    assert any("dodge" in line and line.endswith("automatic; Bandit: never") for line in lines)
    assert any("every reaction and defence" in line and line.endswith("law: never") for line in lines)
    assert any("parry" in line and line.endswith("asked") for line in lines)
    told = hear("policy", setting)
    assert isinstance(told, TextResult) and list(told.lines) == lines


def test_a_defence_is_always_or_never_taken_by_one_key_where_it_is_asked_for(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        aim(screen)
        await pilot.press("F", "1", "enter")
        await pilot.pause()
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        assert [choice.id for choice in menu.choices] == ["dodge", "none"]
        hint = str(menu.query_one("#more", Static).content)
        assert hint == "a: always by itself · n: never · A, N: for all units"
        await pilot.press("n")
        await pilot.pause()
        assert policies(screen) == (Policy(OFF, "dodge", "bandit"),)
        assert not isinstance(pilot.app.screen, Menu)  # nothing is left to ask for
        await roll_the_rest(pilot, screen)
        assert taken(screen) == []
        await pilot.press("U", "U")
        assert policies(screen) == ()

    play(app_for(tmp_path, ruleset="eva"), script, USUAL)


@pytest.mark.slow
def test_always_takes_it_now_and_from_then_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        aim(screen)
        await pilot.press("F", "1", "enter")
        await pilot.pause()
        await pilot.press("A")
        await pilot.pause()
        await roll_the_rest(pilot, screen)
        assert policies(screen) == (Policy(AUTO, "dodge"),)
        assert taken(screen) == [("dodge", False)]
        screen.presenter.submit(EndTurn())
        screen.presenter.submit(SetPool("bandit", "wounds", 10))
        aim(screen)
        await pilot.press("F", "1", "enter")
        await pilot.pause()
        await roll_the_rest(pilot, screen)
        assert taken(screen)[1:] in ([("dodge", True)], [])  # its one reaction may be spent

    play(app_for(tmp_path, ruleset="eva"), script, USUAL)


def test_the_list_by_its_key_sets_a_kind_for_a_unit_and_for_everybody(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("A")
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        kind = menu.choices[0].id
        await pilot.press("1")
        await pilot.pause()
        menu = pilot.app.screen
        assert isinstance(menu, Menu)
        assert [choice.label for choice in menu.choices][:3] == ["Todd: never", "Todd: asked", "Todd: automatic"]
        assert menu.choices[-1].label == "everybody: automatic"
        await pilot.press("1")
        await pilot.pause()
        assert policies(screen)[0] == Policy(OFF, kind, "todd")
        assert said(screen).startswith("GM: ") and said(screen).endswith("for Todd: never.")
        await pilot.press("A", "1", "4")
        await pilot.pause()
        assert policies(screen) == ()

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_reaction_by_itself_is_told_and_the_move_goes_on(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(Place("bandit", parse_square("O10")))
        screen.session.submit(SetPolicy(AUTO))
        await pilot.press("m", "left", "left", "m")
        await pilot.pause()
        assert "Bandit attacks Todd automatically" in said(screen) and "Todd moves N10 → L10" in said(screen)
        assert "x attacks at once" not in said(screen)
        todd = screen.session.battle.units["todd"]
        assert todd.at == parse_square("L10") or todd.is_defeated
        await pilot.press("U")
        assert screen.session.battle.units["todd"].at == parse_square("N10")

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_the_dice_of_an_attack_are_asked_for_where_what_it_draws_comes_by_itself(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(Place("bandit", parse_square("O10")))
        screen.session.submit(SetPolicy(AUTO))
        await pilot.press("t", "f", "9", "5", "enter", "enter", "enter")
        await pilot.pause()
        made = [event for step in screen.session.history.steps() for event in step.events]
        attacks = [(event.unit, event.roll.is_typed) for event in made if isinstance(event, AttackRolled)]
        assert attacks[0] == ("bandit", False)
        assert attacks[1:] in ([("todd", True)], [])  # who is shot dead shoots nobody

    play(app_for(tmp_path), script, USUAL)


def test_several_at_once_are_answered_for_good_in_their_list(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.session.submit(Place("bandit", parse_square("O10")))
        screen.session.submit(Place("boss", parse_square("O11")))
        await pilot.press("m", "left", "left", "left", "m", "escape", "x")
        menu = pilot.app.screen
        assert isinstance(menu, Menu) and len(menu.choices) == 2
        await pilot.press("N")
        await pilot.pause()
        assert policies(screen)[0] == Policy(OFF, "disengaging")
        assert screen.session.battle.openings == ()

    play(app_for(tmp_path), script, USUAL)


def test_without_a_screen_the_same_happens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    session = session_for(tmp_path, ruleset="eva")
    session.submit(EndTurn())
    session.close()
    path = session.journal.path
    assert main(["do", str(path), "policy dodge auto", "shoot todd bandit free dice 1"]) == 0
    assert "Bandit: " in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.StringIO("policy\npolicy off\nundo\nquit\n"))
    assert main(["play", str(path), "--plain"]) == 0
    out = capsys.readouterr().out
    assert "By itself, the best is taken" in out
    again = open_battle(path, read_only=True)
    assert again.battle.gm.policies == (Policy(AUTO, "dodge"),)
    again.close()
