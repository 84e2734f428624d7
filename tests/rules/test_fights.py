"""Whole fights, six against six from a seed, kept as texts that a player of the system can read."""

from __future__ import annotations

import pytest

from tests.examples import sample
from tests.rules.fighters import sensible
from tests.rules.table import Table, fight
from tests.rules.transcript import hold, play

YARD = (
    "................",
    ".a......o.......",
    ".b..&.......o.g.",
    "......#####.....",
    ".c....#...#.&h..",
    "....o.....#.....",
    ".d....#...#...i.",
    ".....o#####.&...",
    ".e........o...j.",
    "...&.........k..",
    ".f.........&....",
    "..............l.",
)
ROLES = {
    "a": "leader", "b": "rifleman", "c": "gunman", "d": "grenadier", "e": "brawler", "f": "flyer",
    "g": "leader", "h": "rifleman", "i": "machine-gunner", "j": "grenadier", "k": "brawler", "l": "drone",
}  # fmt: skip


def yard(name: str) -> Table:
    return fight(
        name, *YARD, allies="bcdef", scale=(2, "metres"), altitudes={"f": 4, "l": 4}, is_begun=False, **ROLES
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(["occult-ops", "cwn"]))
def test_six_fight_six(name: str, request: pytest.FixtureRequest) -> None:
    table = yard(name)
    lines = play(table, sensible, rounds=9)
    text = "\n".join(lines)
    fought_with = [weapon for weapon in table.rules.gear.weapons.values() if f", {weapon.label}, " in text]
    assert {weapon.kind for weapon in fought_with} == {"ranged", "melee", "thrown"}
    hold(lines, name, request)
