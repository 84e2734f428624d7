"""Innate weapons: everybody has them, nobody loses them, and a reaction falls back to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import kinds_of_opening, weapon_of_opening
from engine.battle.attacks.reactions import can_answer
from engine.battle.carry_over import differences
from engine.battle.command import Act, Attack, Command, Move
from engine.battle.commands.gear_commands import TakeAway
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_actions import Ready
from engine.battle.gear import can_lose, in_hand, innate_weapons
from engine.battle.setup import enlist
from engine.battle.state.characters import Character
from engine.battle.state.units import Placement
from engine.errors import Illegal, Unknown, Unreadable
from engine.geometry.squares import Direction, Square, parse_square
from engine.journal.upcasters import upcast_texts
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import Reaction
from engine.values import replace
from rulesets import parse_ruleset
from tests.rules.table import Table, fight, ruleset
from tests.rulesets.test_loader import texts

RULESETS = ("aog", "cwn", "eva", "occult-ops", "volt")
FISTS = {"aog": "fists", "cwn": "unarmed", "eva": "unarmed", "occult-ops": "punch", "volt": "unarmed"}
OWN = {("cwn", "guard-dog"): ("bite",), ("eva", "starship"): ()}
"""Sheets whose innate weapons are others than their ruleset's."""


LOSSES = """
[action.fling]
label = "Fling"
kind = "other"
source = "Ours"
effect = [{ id = "flung", label = "flies off", disarm = 1, direction = 1, whom = "attacker" }]

[action.break-it]
label = "Snap"
kind = "other"
source = "Ours"
effect = [{ id = "snapped", label = "breaks", break = true, whom = "attacker" }]

[action.grab]
label = "Grab"
kind = "other"
target = "any"
source = "Ours"
effect = [{ id = "grabbed", label = "is taken", seize = true }]
"""
"""Acts after which a unit has lost what it holds."""


def placement(role: str, own: Character | None = None) -> Placement:
    return Placement("a", "A", role, "blue", Square(0, 0), character=own)


@pytest.mark.parametrize("name", RULESETS)
def test_all_2_everybody_has_innate_weapons(name: str) -> None:
    """ALL-2: units of every sheet and characters, once each, behind what they carry."""
    rules = ruleset(name)
    assert rules.gear.innate_weapons[0] == FISTS[name]
    people = [(role, enlist(placement(role), rules)) for role in rules.units.sheets]
    own = Character("Ann", weapons=(rules.units.sheets["gunman"].weapons[0],))
    people += [("", enlist(placement("character", own), rules))]
    people += [("", enlist(placement("character", replace(own, weapons=rules.gear.innate_weapons)), rules))]
    for role, unit in people:
        innate = OWN.get((name, role), rules.gear.innate_weapons)
        assert innate_weapons(rules, unit) == innate
        assert unit.gear.weapons[len(unit.gear.weapons) - len(innate) :] == innate
        assert len(set(unit.gear.weapons)) == len(unit.gear.weapons)
        assert unit.gear.weapon == unit.gear.weapons[0]


@pytest.mark.parametrize("name", RULESETS)
def test_all_2_no_sheet_lists_an_innate_weapon(name: str) -> None:
    rules = ruleset(name)
    assert not any(set(one.weapons) & set(rules.gear.innate_weapons) for one in rules.units.sheets.values())


@pytest.mark.parametrize("name", RULESETS)
def test_all_2_an_innate_weapon_strikes_whatever_is_in_hand(name: str) -> None:
    """It is never readied: with a gun in hand, and with nothing in hand without naming it."""
    fists = FISTS[name]
    table = fight(name, "ab", a="rifleman", b="rifleman")
    gun = table.unit("a").gear.weapon
    assert "in hand" not in table.shot(fists).refusal and gun != fists
    bare = table.unit("a")
    table.battle = table.battle.with_unit(replace(bare, gear=replace(bare.gear, weapons=(fists,), weapon="")))
    assert (in_hand(table.rules, table.unit("a")), table.shot().situation.weapon.id) == (fists, fists)
    assert table.shot("", "", "b", "a").situation.facts["target_weapon.id"] == fists


@pytest.mark.long
@pytest.mark.parametrize("name", RULESETS)
def test_all_2_an_innate_weapon_is_never_lost(name: str) -> None:
    """Dropped, broken, struck or taken from the hand: by the engine, whatever a rule asks."""
    table = fight(name, "ab", a="rifleman", b="civilian", more_rules=LOSSES)
    fists = FISTS[name]
    assert "innate weapon" in table.refusal(TakeAway("a", fists))
    if table.unit("a").gear.weapon != fists:
        table.do(Ready("a", fists, is_free=True))
    assert table.unit("a").gear.weapon == fists and not can_lose(table.rules, table.unit("a"), fists)
    for act in ("fling", "break-it", "grab"):
        table.do(Act("a", act, target="b" if act == "grab" else ""))
        assert fists in table.unit("a").gear.weapons and fists in table.unit("b").gear.weapons
        assert not table.happened(ev.WeaponDropped) and not table.happened(ev.WeaponBroken)


@pytest.mark.parametrize("name", RULESETS)
def test_a_character_carries_over_no_innate_weapon(name: str) -> None:
    rules = ruleset(name)
    for weapons in ((), rules.gear.innate_weapons, (rules.units.sheets["rifleman"].weapons[0],)):
        unit = enlist(placement("character", Character("Ann", weapons=weapons)), rules)
        assert differences(rules, unit) == ()


# --- reactions --------------------------------------------------------------------------------------------------------


def grenade(rules: Ruleset) -> str:
    return next(one.id for one in rules.gear.weapons.values() if one.kind == "thrown" and "grenade" in one.id)


def readied(rules: Ruleset, reaction: Reaction) -> Iterator[str]:
    """The conditions in which an enemy may make a reaction, "" for none."""
    yield ""
    for name in sorted(reaction.when.names):
        condition = name.removeprefix("reactor.")
        if name.startswith("reactor.") and condition in rules.units.conditions:
            yield condition


def scene(name: str, reaction: Reaction, condition: str, policy: str) -> Table:
    """`a` acts next to `b`, who holds a grenade."""
    start = "b.a......" if reaction.trigger == "enters reach" else "ba......."
    table = fight(name, start, "...c.....", a="gunman", b="grenadier", c="gunman")
    unit = table.unit("b")
    held, bomb = table.rules.units.conditions.get(condition), grenade(table.rules)
    gear = replace(unit.gear, weapon=bomb, weapons=tuple(dict.fromkeys((bomb, *unit.gear.weapons))))
    gear = replace(gear, rounds={**gear.rounds, bomb: 1} if bomb in gear.rounds else gear.rounds)
    about = {}
    if held and held.about == "attack":
        about = {condition: next(one.id for one in table.rules.actions.values() if "thrown" in one.weapons)}
    elif held and held.about == "unit":
        about = {condition: "a"}
    if reaction.attack.endswith("_on"):
        about[reaction.attack.removesuffix("_on")] = next(
            one.id for one in table.rules.actions.values() if "thrown" in one.weapons
        )
    now = replace(unit, facing=Direction.E, gear=gear, conditions=(condition,) if condition else (), about=about)
    table.battle = table.battle.with_unit(now)
    table.do(SetPolicy("off"))
    if policy != "off":
        table.do(SetPolicy(policy, reaction.id))
    return table


def triggers(table: Table, reaction: Reaction) -> Iterator[Command]:
    rules = table.rules
    goal = {"leaves reach": "E1", "enters reach": "B1", "moves in sight": "B2"}.get(reaction.trigger)
    if goal:
        path = (table.unit("a").at, parse_square(goal)) if goal != "E1" else table.way("a", goal)
        yield Move("a", path)
        yield from (Move("a", path, one.id) for one in rules.actions.values() if one.kind == "move")
    elif reaction.trigger in ("attacks", "defends"):
        yield from (Attack("a", "b", weapon) for weapon in table.unit("a").gear.weapons)
    else:
        yield from (Act("a", one.id) for one in rules.actions.values() if one.kind == "other" and not one.target)


def reactions_made(name: str, reaction: Reaction, policy: str) -> Iterator[Table]:
    """Every table on which something was done that may have drawn the reaction."""
    for condition in readied(ruleset(name), reaction):
        table = scene(name, reaction, condition, policy)
        for command in triggers(table, reaction):
            done = Table(table.rules, table.battle)
            try:
                done.do(command)
            except (Illegal, Unknown):
                continue
            yield done


REACTIONS = [(name, one.id) for name in RULESETS for one in ruleset(name).turns.reactions]
BESIDE = {
    ("aog", "opportunity"): True,
    ("aog", "overwatch"): False,
    ("cwn", "fleeing"): False,
    ("eva", "opportunity"): True,
    ("occult-ops", "disengaging"): True,
    ("occult-ops", "planned-any-attack"): True,
    ("occult-ops", "planned-any-move"): True,
    ("occult-ops", "planned-attack"): True,
    ("occult-ops", "planned-reach"): True,
    ("occult-ops", "planned-sight"): True,
    ("occult-ops", "shooting-beside"): True,
}
"""Whether a man with a grenade in hand strikes him who is beside him; those left out may have other causes not to."""


@pytest.mark.long
@pytest.mark.parametrize(("name", "reaction_id"), REACTIONS)
def test_all_2_no_reaction_throws_the_grenade_in_hand_at_the_man_beside_it(name: str, reaction_id: str) -> None:
    """ALL-2: by each policy; where it may be made at all it is made with an innate weapon."""
    rules = ruleset(name)
    reaction = next(one for one in rules.turns.reactions if one.id == reaction_id)
    bomb, struck, asked = grenade(rules), False, False
    for table in reactions_made(name, reaction, "auto"):
        made = [event for event in table.happened(ev.AttackRolled) if event.unit == "b"]
        assert bomb not in {event.weapon for event in made}
        assert table.unit("b").gear.weapon == bomb and not table.happened(ev.BurstLanded)
        struck = struck or any(event.weapon in rules.gear.innate_weapons for event in made)
    for table in reactions_made(name, reaction, "ask"):
        for held in table.battle.openings:
            if held.unit != "b" or held.reaction != reaction_id:
                continue
            weapon = weapon_of_opening(table.battle, rules, held)
            kinds = kinds_of_opening(table.battle, rules, held)
            assert weapon != bomb and "thrown" not in kinds
            if can_answer(table.battle, rules, held):
                asked = True
                assert table.shot("", held.attack, "b", "a").situation.weapon.id == weapon
                assert table.refusal(Attack("b", "a", bomb, held.attack))
    for table in reactions_made(name, reaction, "off"):
        assert not table.battle.openings and not [one for one in table.happened(ev.AttackRolled) if one.unit == "b"]
    if (name, reaction_id) in BESIDE:
        assert (struck, asked) == (BESIDE[name, reaction_id],) * 2


def test_a_reaction_in_melee_is_made_with_the_melee_weapon_in_hand() -> None:
    table = fight("occult-ops", "ba.....", a="gunman", b="brawler")
    table.do(SetPolicy("auto"))
    table.walk("a", "E1", action="move")
    assert table.attacked().weapon == "club"


# --- files ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("format = 1", 'format = 1\ninnate_weapons = ["fisst"]', "did you mean 'fist'"),
        ("format = 1", 'format = 1\ninnate_weapons = ["fist", "fist"]', "each weapon once"),
        ("format = 1", 'format = 1\ninnate_weapons = "fist"', "a list of texts"),
    ],
)
def test_a_mistake_in_innate_weapons_is_reported(old: str, new: str, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(texts(old, new), "small")


def test_a_battle_that_began_before_innate_weapons_is_read() -> None:
    """Reactions and attacks that named the weapon of empty hands make it an innate one."""
    now = ruleset("eva").texts["ruleset.toml"]
    old = now.replace('innate_weapons = ["unarmed"]\n', "").replace('weapons = "melee"\n', 'weapon = "unarmed"\n')
    defence = '[[defence]]\nid = "x"\ncounter = "a"\ncounter_weapon = "claws"\n[action.b]\nempty_handed = "fist"\n'
    flat = '[action.c]\na = { empty_handed = "fist", label = "x" }\n'
    _, after = upcast_texts("4", "", {"ruleset.toml": old, "other.toml": defence, "flat.toml": flat, "bad": "weapon ="})
    assert (
        after["ruleset.toml"].startswith('innate_weapons = ["unarmed"]\n')
        and 'weapons = "melee"\n' in after["ruleset.toml"]
    )
    assert after["other.toml"].startswith('innate_weapons = ["claws", "fist"]\n')
    assert (
        'counter_weapons = "melee"\n[action.b]\n' in after["other.toml"] and "empty_handed" not in after["other.toml"]
    )
    assert 'a = { label = "x" }' in after["flat.toml"] and after["bad"] == "weapon ="
    rules = parse_ruleset({**ruleset("eva").texts, "ruleset.toml": after["ruleset.toml"]}, "eva")
    assert rules.gear.innate_weapons == ("unarmed",)
