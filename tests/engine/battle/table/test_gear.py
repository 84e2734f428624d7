"""What the GM gives a unit to carry and to wear, and takes away."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.attacks.area_odds import with_odds
from engine.battle.command import Attack
from engine.battle.commands.gear_commands import Give, TakeAway
from engine.battle.commands.unit_edits import SetPool
from engine.battle.gear import accessories_of, armour_of, carried, givable, stats_of
from engine.battle.magazines import magazine
from engine.battle.setup import pools_of
from engine.battle.state.units import UnitOverrides
from engine.battle.views.view import project
from engine.values import replace
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight


def room(name: str = "volt") -> Table:
    return fight(name, "a..b", a="gunman", b="rifleman")


def test_a_weapon_is_given_full_and_taken_away_again() -> None:
    table = room()
    before = table.unit("a")
    assert table.do(Give("a", "assault-rifle")) == ["GM: A gets Assault rifle."]
    given = table.unit("a")
    assert given.gear.weapons == (*before.gear.weapons, "assault-rifle") and given.gear.weapon == before.gear.weapon
    assert given.gear.rounds["assault-rifle"] == magazine(table.rules, "assault-rifle")
    assert table.refusal(Give("a", "assault-rifle")) == "A already has Assault rifle."
    assert table.do(TakeAway("a", "assault-rifle")) == ["GM: A loses Assault rifle."]
    assert table.unit("a") == before


def test_whose_hand_is_empty_has_what_is_given_in_it() -> None:
    table = room()
    table.do(TakeAway("a", table.unit("a").gear.weapon))
    assert table.unit("a").gear.weapon == ""
    table.do(Give("a", "assault-rifle"))
    assert table.unit("a").gear.weapon == "assault-rifle"
    assert table.shot(weapon="assault-rifle").ledger.is_possible
    table.do(Attack("a", "b"), (20, 20))


def test_other_armour_counts_in_place_of_the_sheets() -> None:
    """VOLT: the jacket has Coverage 12 and Protection 5, the plates 14 and 16."""
    table = room()

    def facts() -> tuple[object, object]:
        known = table.shot(by="b", at="a").situation.facts
        return known["target.coverage"], known["target.protection"]

    assert (armour_of(table.rules, table.unit("a")), facts()) == ("leather", (12, 5))
    assert table.do(Give("a", "plates")) == ["GM: A wears Plate carrier and helmet."]
    assert facts() == (14, 16)
    assert ("Protection", 16) in project(table.battle, table.rules).unit("a").stats
    assert table.refusal(Give("a", "plates")) == "A already has Plate carrier and helmet."
    assert table.do(TakeAway("a", "plates")) == ["GM: A takes off Plate carrier and helmet."]
    assert facts() == (table.rules.units.stats["coverage"].default, table.rules.units.stats["protection"].default)
    assert "leather" not in carried(table.rules, table.unit("a"))


def test_the_odds_reckon_with_the_armour_that_was_given() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")

    def damage() -> Fraction:
        found = with_odds(table.battle, table.rules, table.shot(by="b", at="a"))
        assert found.outlook is not None
        return found.outlook.expected

    worn = damage()
    table.do(TakeAway("a", armour_of(table.rules, table.unit("a"))))
    assert damage() > worn


def test_numbers_that_depend_on_the_armour_are_fresh_and_wounds_stay() -> None:
    """Occult Ops wears armour down: a flak jacket has 50."""
    table = room("occult-ops")

    def fresh(armour: str) -> dict[str, int]:
        return pools_of(table.rules, replace(table.unit("a"), overrides=UnitOverrides(armour)))

    table.do(SetPool("a", "hp", 5))
    other = next(
        armour for armour in table.rules.gear.armour if fresh(armour)["armour"] != table.unit("a").pools["armour"]
    )
    table.do(Give("a", other))
    assert table.unit("a").pools["armour"] == fresh(other)["armour"]
    assert table.unit("a").pools["hp"] == 5
    table.do(TakeAway("a", other))
    assert table.unit("a").pools["armour"] == fresh("")["armour"] == 0


def test_what_is_worn_besides_adds_to_the_armour() -> None:
    """Cities Without Number: accessories are worn over any suit, and stay when that is another."""
    table = room("cwn")
    worn = next(one for one in table.rules.gear.accessories.values() if one.adds)
    stat, more = next(iter(worn.adds.items()))

    def now() -> object:
        return stats_of(table.rules, table.unit("a"))[stat]

    table.do(Give("a", "street-leathers"))
    before = now()
    assert isinstance(before, int) and isinstance(more, int)
    assert table.do(Give("a", worn.id)) == [f"GM: A wears {worn.label}."]
    assert project(table.battle, table.rules).unit("a").stats[0] == ("wears", f"Street leathers, {worn.label}")
    assert now() == before + more and accessories_of(table.rules, table.unit("a")) == (worn.id,)
    table.do(TakeAway("a", worn.id))
    assert now() == before


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_weapon_and_all_armour_of_a_ruleset_may_be_given_and_taken_away(name: str) -> None:
    table = room(name)
    for item in givable(table.rules):
        if item not in carried(table.rules, table.unit("a")):
            table.do(Give("a", item))
            assert item in carried(table.rules, table.unit("a"))
    innate = table.rules.gear.innate_weapons
    for item in carried(table.rules, table.unit("a")):
        if item not in innate:
            table.do(TakeAway("a", item))
    assert {*carried(table.rules, table.unit("a"))} == {*innate}


def test_what_is_not_there_is_neither_given_nor_taken() -> None:
    table = room()
    assert "Did you mean 'assault-rifle'?" in table.refusal(Give("a", "asault-rifle"))
    assert "Leather jacket" not in table.refusal(TakeAway("a", "plates")) and "leather" in table.refusal(
        TakeAway("a", "plates")
    )
