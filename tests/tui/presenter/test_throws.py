"""Throws: what the overlay, the shot, the sentence and the dice prompt say is one square."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.commands.unit_actions import Ready
from engine.values import replace
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation


@pytest.fixture
def throw(tmp_path: Path) -> Conversation:
    """A grenade in hand, aimed at an enemy; its dice were asked for and cancelled."""
    talk = Conversation(session_for(tmp_path, "warehouse", "cwn"))
    talk.do("target", 1)
    talk.press("a", "g", "f")
    talk.display.cancel()
    return talk


def aim(talk: Conversation) -> str:
    """The square of the shot in focus."""
    shot = talk.presenter.shot
    assert isinstance(shot, AttackPreview)
    return shot.situation.target.at.name


def test_a_throw_follows_the_cursor_off_its_target(throw: Conversation) -> None:
    enemy = throw.presenter.focus.target
    assert enemy and aim(throw) == throw.unit(enemy).at.name
    throw.point("J8")
    assert (throw.presenter.focus.target, aim(throw)) == ("", "J8")
    assert "On J8:" in throw.said
    throw.press("f")
    assert "J8" in throw.asked


def test_the_action_menu_throws_at_a_cursor_off_the_target(throw: Conversation) -> None:
    throw.presenter.look_at(replace(throw.presenter.focus, weapon="submachine-gun", action="", overlay="plain"))
    throw.do("target", 1)
    throw.point("J8")
    assert throw.presenter.focus.target, "a gun keeps its target when the cursor moves"
    throw.press("a", "g")
    assert aim(throw) == "J8" and not throw.asked
    throw.point("J9")
    assert aim(throw) == "J9"
    throw.press("f")
    assert "J9" in throw.asked


def test_a_launcher_fires_at_the_square_of_its_overlay(throw: Conversation) -> None:
    for line in ("give spark grenade-launcher", "ready spark grenade-launcher free"):
        throw.line(line)
    throw.presenter.look_at(replace(throw.presenter.focus, weapon="", action="", overlay="plain"))
    throw.do("target", 1)
    throw.point("J8")
    assert throw.presenter.focus.target, "without the overlay it keeps its target"
    throw.do("target", 1)
    throw.presenter.show_overlay("landing")
    throw.point("J8")
    assert (throw.presenter.focus.target, aim(throw)) == ("", "J8") and "On J8:" in throw.said
    throw.do("fire")
    assert "J8" in throw.asked


def test_a_grenade_that_is_not_in_hand_is_refused_before_its_dice(throw: Conversation) -> None:
    throw.presenter.submit(Ready("spark", "submachine-gun", is_free=True))
    throw.presenter.look_at(replace(throw.presenter.focus.on_unit("spark"), weapon="", action="", target=""))
    throw.point(throw.unit("spark").at.name)
    throw.do("act")
    assert "not in hand" in throw.display.line("throw frag-grenade").reason
    throw.display.cancel()
    throw.presenter.look_at(replace(throw.presenter.focus, weapon="frag-grenade"))
    throw.do("target", 1)
    for action in ("fire", "fire_free"):
        throw.do(action)
        assert not throw.asked and "w takes it in hand" in throw.said and "anyway" not in throw.said


def test_a_blocked_shot_names_the_keys_that_help(throw: Conversation) -> None:
    throw.presenter.submit(Ready("spark", "submachine-gun", is_free=True))
    enemy = throw.unit("sergeant")
    focus = replace(throw.presenter.focus, weapon="", action="", overlay="plain", target=enemy.id)
    throw.presenter.look_at(replace(focus, cursor=enemy.at))
    assert "no attack. Blocked at" in throw.said
    throw.do("fire")
    assert "Blocked at" in throw.said and "m moves, W shows squares with a better shot." in throw.said


def test_what_is_carried_and_not_in_hand_is_taken_in_hand_first(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "aog"))
    talk.line("now spark")
    talk.line("throw spark J8 with smoke")
    assert talk.said == "Spark carries the Smoke grenade, but not in hand: first “Draw” (1 action)."
