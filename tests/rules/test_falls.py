"""Falls under the shipped rulesets: over an edge, and out of the air."""

from __future__ import annotations

import pytest

from engine.answers import typed_dice
from engine.battle import events as ev
from engine.battle.commands.unit_edits import SetPool
from engine.battle.event_builder import EventBuilder
from engine.battle.turns.triggers import see_through
from engine.dice.sources import SeededSource, TableSource
from tests.rules.table import Table, fight

SHIPPED = ("occult-ops", "cwn", "aog")


def over_the_edge(table: Table, drop: int, *dice: tuple[int, ...]) -> Table:
    """Lets A fall so far, in hundredths of the map's unit, with typed dice."""
    draft = EventBuilder(table.battle, table.rules)
    draft.add(ev.UnitFell("a", drop))
    see_through(draft, 0, TableSource(typed_dice(dice), SeededSource("", 0)))
    table.battle = draft.battle
    return table


@pytest.mark.parametrize(
    ("name", "drop", "dice"),
    [("occult-ops", 1000, 1), ("occult-ops", 3900, 3), ("cwn", 300, 1), ("cwn", 1100, 3), ("cwn", 9000, 10)],
)
def test_all_rulesets_a_fall_hurts_by_its_height_past_all_armour(name: str, drop: int, dice: int) -> None:
    """OCC, CWN: the chapters are silent; a die for each 10 feet or 3 metres."""
    table = fight(name, "a....b", a="leader", b="gunman")
    before = table.unit("a").pools
    over_the_edge(table, drop, (1,) * dice)
    after = table.unit("a")
    lost = {pool: before[pool] - after.pools[pool] for pool in before if before[pool] != after.pools[pool]}
    assert lost == {"hp": min(dice, before["hp"])} and after.posture == "prone"


@pytest.mark.parametrize(("name", "drop"), [("occult-ops", 900), ("cwn", 240)])
def test_all_rulesets_a_short_drop_does_not(name: str, drop: int) -> None:
    table = over_the_edge(fight(name, "a....b", a="leader", b="gunman"), drop)
    assert table.unit("a").posture == "standing"


@pytest.mark.parametrize("name", SHIPPED)
def test_all_rulesets_a_defeated_flyer_comes_down(name: str) -> None:
    table = fight(name, "a....b", a="gunman", b="drone", altitudes={"b": 12})
    table.do(SetPool("b", "hp", 0))
    assert table.unit("b").altitude == 0 and table.unit("b").posture == "prone"
    assert [event.drop for event in table.happened(ev.UnitFell)] == [1200]
