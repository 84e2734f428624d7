"""Ashes of Gaia: mines are laid, and go off at a step or when they are set off."""

from __future__ import annotations

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.command import Act, Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.scene_commands import SetOff
from engine.battle.narration.preview_text import set_off_words
from engine.geometry.squares import parse_square
from tests.rules.table import Table, fight, roll_asked

HERE = parse_square("B1")


def sapper(weapon: str) -> Table:
    return fight("aog", "a.......b", a="grenadier", b="gunman").arm("a", weapon)


def test_aog_a_mine_is_laid_for_two_actions_and_not_thrown() -> None:
    table = sapper("anti-personnel-mine")
    assert "no attack with Anti-personnel mine" in table.refusal(Attack("a", "b"))
    assert table.do(Act("a", "lay", square=HERE))[-1] == "A lays Anti-personnel mine on B1."
    assert table.unit("a").turn.budget["action"] == 0


def test_aog_a_step_sets_a_mine_off_and_it_bursts_there() -> None:
    table = sapper("anti-personnel-mine")
    table.do(Act("a", "lay", square=HERE))
    table.turn_of("b").place("b", "C1")
    table.walk("b", "B1")
    assert [(one.unit, one.is_step) for one in table.happened(ev.ChargeSetOff)] == [("b", True)]
    assert [(one.target, one.share) for one in table.happened(ev.BurstCaught)] == [("a", 1), ("b", 1)]


def test_aog_a_claymore_waits_for_one_who_laid_it() -> None:
    table = sapper("claymore-mine")
    table.do(Act("a", "lay", square=HERE))
    table.turn_of("b").place("b", "C1")
    table.walk("b", "B1")
    assert len(table.battle.scene.charges) == 1
    table.turn_of("a").do(Act("a", "set-off", square=HERE))
    assert {one.target for one in table.happened(ev.BurstCaught)} == {"a", "b"}
    assert table.battle.scene.charges == ()


def test_aog_what_a_way_sets_off_and_whom_that_catches_is_said_before() -> None:
    table = sapper("anti-personnel-mine")
    table.do(Act("a", "lay", square=HERE))
    table.turn_of("b").place("b", "C1")
    said = set_off_words(table.battle, table.rules, table.unit("b"), table.way("b", "B1"))
    assert list(said) == ["Anti-personnel mine on B1 goes off and catches A, B."]


def test_aog_each_whom_a_blast_catches_is_named_where_his_dice_are_asked_for() -> None:
    table = sapper("anti-personnel-mine")
    table.do(Act("a", "lay", square=HERE))
    asked = []
    typed: tuple[tuple[int, ...], ...] = ()
    for _ in range(4):
        with pytest.raises(Needs) as need:
            decide(table.battle, SetOff(HERE), table.rules, typed_dice(typed), asks_dice=True)
        asked.append(roll_asked(need.value).purpose)
        typed = (*typed, ())
    assert asked[:2] == ["Where it strikes, A", "Damage"]
    assert any(one.startswith("Dodge against the blast, A, ") for one in asked)
