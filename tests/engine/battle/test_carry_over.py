"""Carry over: what a battle has changed of a character, and the character that begins the next one."""

from __future__ import annotations

import pytest

from engine.battle.carry_over import SheetChange, carried, differences, sheet_values
from engine.battle.setup import enlist, pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import Placement, Unit
from engine.errors import Unreadable
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.characters import archetype
from tests.rules.table import ruleset, with_more


def unit_of(rules: Ruleset, own: Character) -> Unit:
    return enlist(Placement("anna", "Anna", "", "law", Square(0, 0), character=own), rules)


def person(rules: Ruleset) -> Character:
    return replace(archetype(rules, "rifleman"), name="Anna", is_opponent=False)


def found(rules: Ruleset, unit: Unit) -> dict[tuple[str, str], SheetChange]:
    return {one.key: one for one in differences(rules, unit)}


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_pool_that_carries_and_every_magazine_begins_the_next_battle_as_it_ended(name: str) -> None:
    rules = ruleset(name)
    own = person(rules)
    unit = unit_of(rules, own)
    assert differences(rules, unit) == ()
    hurt = replace(
        unit,
        pools={pool: max(0, left - 2) for pool, left in unit.pools.items()},
        gear=replace(unit.gear, rounds={weapon: left // 2 for weapon, left in unit.gear.rounds.items()}),
    )
    again = unit_of(rules, carried(own, differences(rules, hurt)))
    assert again.gear.rounds == hurt.gear.rounds
    for pool in rules.units.pools.values():
        assert again.pools[pool.id] == (hurt if pool.carries else unit).pools[pool.id], pool.id
    assert any(pool.carries for pool in rules.units.pools.values())
    healed = replace(again, pools=pools_of(rules, again), gear=replace(again.gear, rounds=unit.gear.rounds))
    assert again.character
    assert carried(again.character, differences(rules, healed)) == own


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_condition_that_carries_begins_the_next_battle(name: str) -> None:
    rules = ruleset(name)
    own = person(rules)
    unit = unit_of(rules, own)
    weapon = own.weapons[0]
    conditions = list(rules.units.conditions.values())
    assert all(one.until == "battle end" for one in conditions if one.carries)
    everything = [one for one in conditions if one.about in ("", "weapon")]
    about = {one.id: weapon for one in everything if one.about}
    struck = replace(unit, conditions=tuple(one.id for one in everything), about=about)
    struck = replace(struck, gear=replace(struck.gear, rounds={}))
    again = unit_of(rules, carried(own, differences(rules, struck)))
    assert set(again.conditions) == {one.id for one in everything if one.carries}
    assert dict(again.about) == {one.id: weapon for one in everything if one.carries and one.about}


def test_gear_and_stats_that_were_changed_are_rows_with_both_values() -> None:
    rules = ruleset("cwn")
    own = replace(person(rules), armour="light-suit", accessories=("gunlink",), stats=(("shoot", 1),))
    unit = unit_of(rules, own)
    changed = replace(
        unit,
        gear=replace(unit.gear, weapons=("knife", "combat-rifle"), weapon="knife", rounds={"combat-rifle": 7}),
        overrides=replace(unit.overrides, armour="heavy-suit", accessories=(), stats=(("shoot", 2), ("stab", 0))),
    )
    rows = [(one.kind, one.label, one.before_words, one.after_words) for one in differences(rules, changed)]
    assert rows == [
        ("rounds", "rounds in Combat rifle", "full (30)", "7"),
        ("weapon", "Knife", "no", "yes"),
        ("weapon", "Light pistol", "yes", "no"),
        ("armour", "armour", "Light armored suit", "Heavy armored suit"),
        ("accessory", "Gunlink", "yes", "no"),
        ("stat", "Shoot", "1", "2"),
        ("stat", "Stab", "−1", "0"),
    ]
    after = carried(own, differences(rules, changed))
    assert (after.armour, after.accessories) == ("heavy-suit", ())
    assert set(after.weapons) == {"knife", "combat-rifle"}
    assert dict(after.stats) == {"shoot": 2, "stab": 0}
    assert dict(after.rounds) == {"combat-rifle": 7}


def test_only_what_is_accepted_is_carried_and_the_rest_of_a_newer_sheet_stays() -> None:
    rules = ruleset("occult-ops")
    own = person(rules)
    unit = unit_of(rules, own)
    hurt = replace(unit, pools={**unit.pools, "hp": 3, "fatigue": 1})
    newer = replace(own, notes="Owes Bo 200.", pools=(("armour", 1),))
    after = carried(newer, [found(rules, hurt)["pool", "hp"]])
    assert after == replace(newer, pools=(("armour", 1), ("hp", 3)))
    assert sheet_values(rules, unit, after)["pool", "hp"] == 3


def test_a_weapon_that_is_lost_takes_its_rounds_and_attachments_along() -> None:
    rules = ruleset("occult-ops")
    weapon = person(rules).weapons[0]
    own = replace(person(rules), rounds=((weapon, 3),), attachments=(("scope", weapon),))
    unit = unit_of(rules, own)
    bare = replace(unit, gear=replace(unit.gear, weapons=unit.gear.weapons[1:], weapon="", rounds={}))
    after = carried(own, differences(rules, bare))
    assert (weapon in after.weapons, after.rounds, after.attachments) == (False, (), ())


def test_a_unit_without_a_character_has_no_differences() -> None:
    rules = ruleset("occult-ops")
    unit = enlist(Placement("todd", "Todd", "gunman", "law", Square(0, 0)), rules)
    assert differences(rules, replace(unit, pools={**unit.pools, "hp": 1})) == ()


@pytest.mark.parametrize(
    "more", ['until = "round end"', 'until = "battle end"\nabout = "unit"', 'until = "battle end"\nabout = "square"']
)
def test_only_what_lasts_and_is_about_nothing_or_a_weapon_carries(more: str) -> None:
    text = f'[condition.dizzy]\nlabel = "dizzy"\n{more}\ncarries = true\nsource = "Here"\n'
    with pytest.raises(Unreadable, match='carries needs until = "battle end"'):
        with_more("occult-ops", text)
