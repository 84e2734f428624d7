"""Policies on the board and in words: the list, the keys where something is asked for, and what happens by itself."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.command import EndTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.events import DefenceTaken
from engine.battle.state.gm_overrides import ASK, AUTO, OFF, Policy
from tests.tui.play import USUAL, app_for, play, session_for
from tui.__main__ import main
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand, TextResult
from tui.application.commands.rulings import policy_words
from tui.application.focus.focus import Focus
from tui.application.library.battle_files import open_battle
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import BattleScreen


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
    assert any("every reaction and defence" in line and line.endswith("mixed; law: never") for line in lines)
    assert any("parry" in line and line.endswith("ask") for line in lines)
    told = hear("policy", setting)
    assert isinstance(told, TextResult) and list(told.lines) == lines


@pytest.mark.long
def test_a_defence_is_always_or_never_taken_by_one_key_where_it_is_asked_for(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        aim(screen)
        await pilot.press("F", "1", "enter")
        await pilot.pause()
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        assert [choice.id for choice in menu.choices] == ["none", "dodge"]
        hint = str(menu.query_one("#more", Static).content)
        assert hint == "a: always automatic · A: the same for all units · N: never, for all units"
        await pilot.press("N")
        await pilot.pause()
        assert policies(screen) == (Policy(OFF, "dodge", ""),)
        assert not isinstance(pilot.app.screen, Card)  # nothing is left to ask for
        await roll_the_rest(pilot, screen)
        assert taken(screen) == []
        await pilot.press("U", "U")
        assert policies(screen) == ()

    play(app_for(tmp_path, ruleset="eva"), script, USUAL)


@pytest.mark.long
@pytest.mark.parametrize(("keys", "spent"), [(("enter",), []), (("j", "enter"), ["dodge"])])
def test_enter_spends_nothing_where_a_defence_is_asked_for(
    tmp_path: Path, keys: tuple[str, ...], spent: list[str]
) -> None:
    """The first line is no defence; an arrow, or a defence's own key, chooses one."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        aim(screen)
        await pilot.press("F", "1", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Card)
        await pilot.press(*keys)
        await pilot.pause()
        await roll_the_rest(pilot, screen)
        assert [defence for defence, _ in taken(screen)] == spent

    play(app_for(tmp_path, ruleset="eva"), script, USUAL)


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
    assert "takes the best" in out
    again = open_battle(path, read_only=True)
    assert again.battle.gm.policies == (Policy(AUTO, "dodge"),)
    again.close()
