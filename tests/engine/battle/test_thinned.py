"""Sentences for sides that have become few."""

from __future__ import annotations

from engine.battle.commands.unit_edits import SetPool
from engine.battle.narration.summary import thinned
from tests.rules.table import fight


def test_a_side_is_broken_once_and_its_last_unit_is_named() -> None:
    table = fight("occult-ops", "a.bcdefgh", a="gunman", **dict.fromkeys("bcdefgh", "gunman"))
    said = []
    for unit in "bcdefg":
        table.do(SetPool(unit, "hp", 0))
        said.append(thinned(table.events, table.battle))
    side = table.unit("h").side
    assert said[:4] == [""] * 4
    assert said[4].endswith(" broken: 2 of 7 stand.")
    assert said[5] == f"{table.unit('h').name} is the last of the {side} standing."
