"""The GM takes points from several units at once."""

from __future__ import annotations

from engine.battle.commands.unit_edits import DamageUnits, HealUnits, SetPool
from tests.rules.table import fight


def test_several_lose_and_who_falls_is_out() -> None:
    table = fight("occult-ops", "a.b.c", a="gunman", b="gunman", c="civilian")
    before = {name: table.unit(name).pools["hp"] for name in "abc"}
    table.do(DamageUnits(("a", "c", "a"), 5))
    assert {name: table.unit(name).pools["hp"] for name in "abc"} == before | {
        "a": before["a"] - 5,
        "c": before["c"] - 5,
    }
    table.do(DamageUnits(("a", "b"), 1000))
    assert [table.unit(name).is_defeated for name in "abc"] == [True, True, False]


def test_the_first_pool_that_defeat_asks_for_unless_one_is_named() -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    armour, hp = table.unit("a").pools["armour"], table.unit("a").pools["hp"]
    table.do(DamageUnits(("a",), 3, "armour"))
    assert (table.unit("a").pools["armour"], table.unit("a").pools["hp"]) == (armour - 3, hp)


def test_what_is_refused() -> None:
    table = fight("occult-ops", "a.b", a="gunman", b="gunman")
    assert "hp" in table.refusal(DamageUnits(("a",), 3, "hpp"))
    assert table.refusal(DamageUnits(("a",), 0)) == "Damage must be 1 or more, not 0."
    assert table.refusal(DamageUnits((), 1)) == "Name the units that take the damage."
    table.do(DamageUnits(("a", "b"), 1000))
    assert "have no" in table.refusal(DamageUnits(("a", "b"), 1))


def test_several_are_healed_to_at_most_what_they_had_at_first() -> None:
    table = fight("occult-ops", "a.b.c", a="gunman", b="gunman", c="gunman")
    full = table.unit("a").pools["hp"]
    table.do(SetPool("a", "hp", full - 2))
    table.do(SetPool("b", "hp", full - 9))
    table.do(HealUnits(("a", "b", "c"), 5))
    assert [table.unit(name).pools["hp"] for name in "abc"] == [full, full - 4, full]
    assert table.refusal(HealUnits(("a", "c"), 1)).startswith("A and C have all")
    assert table.refusal(HealUnits(("b",), 0)) == "Healing is 1 or more, not 0."
    assert table.refusal(HealUnits((), 1)) == "Say who is healed."
