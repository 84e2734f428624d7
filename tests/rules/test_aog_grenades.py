"""Smoke grenades and flashbangs of aog in play: a cloud where one comes down, stunned whom the other catches."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.command import Attack
from engine.battle.commands.unit_actions import Ready
from engine.geometry.squares import parse_square
from engine.journal.history import event_rows, replay
from tests.rules.table import Table, fight

AOG = "aog"


def throwing(weapon: str) -> Table:
    rows = ("...........", "a....b...c.", "...........")
    return fight(AOG, *rows, a="grenadier", b="rifleman", c="rifleman").arm("a", weapon)


def test_aog_5_a_smoke_grenade_lays_a_cloud_where_it_comes_down() -> None:
    """AOG-5: nobody is struck; who is in it, or shot at through it, is harder to hit; it is gone after five rounds."""
    table = throwing("smoke-grenade")
    before = table.battle
    said = table.do(Attack("a", "", square=parse_square("F2")), (20,))
    (cloud,) = table.battle.scene.clouds
    assert (cloud.centre.name, cloud.radius, cloud.rounds) == ("F2", 2, 5)
    assert not table.happened(ev.BurstCaught) and not table.happened(ev.PoolChanged)
    assert any("smoke" in line for line in said)
    assert replay(before, [event_rows(table.events)]).battle == table.battle
    assert table.unit("a").gear.rounds["smoke-grenade"] == 2
    assert table.worth("smoke", by="b", at="c") == -20
    while table.battle.turns.round < 7:
        table.turn_of("a")
    assert table.battle.scene.clouds == ()


def test_aog_5_a_smoke_grenade_that_misses_smokes_where_it_strays() -> None:
    """AOG-5, AOG-12: direction and distance are rolled as for any throw."""
    table = throwing("smoke-grenade")
    table.do(Attack("a", "", square=parse_square("F2")), (98,), (40,), (1, 1))
    (cloud,) = table.battle.scene.clouds
    assert cloud.centre.name != "F2"


def test_all_4_a_flashbang_stuns_one_who_fails_a_test_of_constitution() -> None:
    """ALL-4: for 1d4 rounds, and it hurts nobody."""
    table = throwing("flashbang").place("c", "G2")
    table.do(Attack("a", "", square=parse_square("F2")), (20,), (100,), (3,), (1,))
    assert "stunned" in table.unit("b").conditions
    assert table.unit("b").timers["stunned"] == 3
    assert "stunned" not in table.unit("c").conditions
    assert not [event for event in table.happened(ev.PoolChanged) if event.pool == "hp"]


def test_aog_the_grenadier_carries_all_three() -> None:
    table = fight(AOG, "a....b", a="grenadier", b="rifleman")
    assert {"frag-grenade", "smoke-grenade", "flashbang"} <= set(table.unit("a").gear.weapons)
    table.do(Ready("a", "smoke-grenade"))
    assert table.unit("a").gear.weapon == "smoke-grenade"
