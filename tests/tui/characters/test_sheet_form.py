"""The form of a character without the screen: every stat of every ruleset, undo, finding, what cannot be entered."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.gear import stats_of
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.rules.stats import NUMBER
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet, archetype, fresh, parse_character, write_character
from tests.examples import sample
from tests.rules.table import ruleset
from tui.application.characters import sheet_fields as fields
from tui.application.characters.sheet_form import SheetForm
from tui.view.characters.sheet_preview import effect_words, penalty_words, previews

RULESETS = sorted(shipped_rulesets())


def form(name: str = "aog", role: str = "rifleman") -> SheetForm:
    rules = ruleset(name)
    return SheetForm(archetype(rules, role), rules)


@pytest.mark.long
@pytest.mark.parametrize("name", RULESETS)
def test_every_stat_of_every_ruleset_can_be_entered_and_is_written(name: str) -> None:
    rules = ruleset(name)
    one = SheetForm(Character("Anna"), rules)
    wanted = {}
    given = {name for gear in rules.gear.accessories.values() for name, value in gear.stats.items() if value is True}
    for stat in (stat for stat in rules.units.stats.values() if stat.id not in given):
        one.find(stat.id)
        while one.field.id != stat.id:
            one.find(stat.id)
        other = {"number": stat.high if stat.default != stat.high else stat.low}.get(stat.kind)
        value = other if other is not None else not stat.default if stat.kind == "flag" else list(stat.choices)[-1]
        assert one.enter(fields.YES_NO[value] if isinstance(value, bool) else str(value)), one.said
        wanted[stat.id] = value
    assert {name: now for name, now in stats_of(rules, fresh(one.own, rules)).items() if name in wanted} == wanted
    text = write_character(OwnSheet(name, one.own), rules)
    assert parse_character(text, "", lambda _: rules).character == one.own


@pytest.mark.parametrize("name", RULESETS)
def test_everything_stands_once_in_the_form(name: str) -> None:
    """What an accessory gives is no stat beside it, unless the sheet states the stat: then it can be taken back."""
    rules = ruleset(name)
    for role in rules.units.sheets:
        one = SheetForm(archetype(rules, role), rules)
        stated = {name for name, _ in one.own.stats}
        shown = [field for group in one.groups for field in group.fields if field.id not in stated]
        labels = [field.label.casefold() for field in shown if field.kind in (fields.FLAG, fields.ACCESSORY)]
        assert sorted(labels) == sorted(set(labels))
        assert all(group.fields for group in one.groups)
    for gear in rules.gear.accessories.values():
        for stat in (stat for stat, value in gear.stats.items() if value is True):
            one = SheetForm(Character("Anna", stats=((stat, True),)), rules)
            one.go_to(stat)
            assert one.field.kind == fields.FLAG
            assert one.enter(fields.YES_NO[False]) and one.own.stats == ()
            kinds = {field.kind for group in one.groups for field in group.fields if field.id in (stat, gear.id)}
            assert kinds == {fields.ACCESSORY}


def test_the_caret_stays_on_its_field_when_another_comes_before_it() -> None:
    one = form()
    one.go_to(fields.PICK_WEAPON)
    for weapon in [weapon for weapon in one.rules.gear.weapons if weapon not in one.own.weapons][:3]:
        assert one.enter(weapon)
        assert one.own.weapons[-1] == weapon
        assert one.field.id == fields.PICK_WEAPON
    one.move(-1)
    last = one.field.id
    one.enter("")
    assert last not in one.own.weapons and one.field.id == fields.PICK_WEAPON


def test_digits_type_over_a_number_and_enter_keeps_it() -> None:
    one = form()
    one.find("long_arms")
    assert one.type("6") and one.type("3") and not one.type("x")
    assert one.field.value == "55"
    assert one.keep() and one.field.value == "63"
    assert (one.changes, one.field.is_set, one.field.default) == (1, True, "30")
    one.undo()
    assert (one.changes, one.field.value, one.said) == (0, "55", "Undone.")


def test_esc_drops_the_digits_that_are_typed_and_nothing_else() -> None:
    one = form()
    one.find("long_arms")
    assert one.type("6") and one.drop() and not one.drop()
    assert (one.field.value, one.changes) == ("55", 0)


def test_what_the_ruleset_refuses_is_said_and_nothing_changes() -> None:
    one = form()
    before = one.own
    one.find("long_arms")
    assert not one.enter("500")
    assert (one.said, one.own) == ("Long Arms is 0 to 120, not 500.", before)
    one.find("letter")
    assert not one.enter("AB")
    assert one.said == "The letter is one letter or digit, not “AB”."
    one.find("name")
    assert not one.enter("")
    assert one.said == "A character needs a name."


def test_the_default_is_not_written_on_the_sheet() -> None:
    one = form()
    one.find("long_arms")
    one.enter("")
    assert "long_arms" not in dict(one.own.stats)
    one.enter("30")
    assert "long_arms" not in dict(one.own.stats)


def test_weapons_are_added_put_in_hand_fitted_and_removed() -> None:
    rules, own = ruleset("aog"), Character("Anna", weapons=("fists",))
    one = SheetForm(own, rules)
    one.find("add a weapon")
    assert one.enter("assault-rifle-rng-13-legate")
    rifle = "assault-rifle-rng-13-legate"
    one.change(fields.in_hand(one.own, rifle))
    one.change(fields.with_attachment(one.own, rules, "scope", rifle))
    one.go_to(f"rounds.{rifle}")
    one.enter("12")
    assert (one.own.weapons, one.own.attachments, one.own.rounds) == (
        (rifle, "fists"),
        (("scope", rifle),),
        ((rifle, 12),),
    )
    one.find("assault")
    assert one.field.value == "in hand, 12 of 30 rounds, with a scope"
    one.enter("")
    assert (one.own.weapons, one.own.attachments, one.own.rounds) == (("fists",), (), ())


def test_notes_begin_a_line_at_a_slash_between_blanks_alone() -> None:
    one = form()
    one.find("notes")
    assert one.enter("Owes Bo 200. / 2026/11/28: and/or Cy") and one.own.notes == "Owes Bo 200.\n2026/11/28: and/or Cy"
    before = one.own
    assert one.enter(one.field.value) and one.own is before
    assert one.enter(f"{one.field.value} / ") and one.own.notes == before.notes
    assert not one.enter("x" * 201)
    assert one.said == "Line 1 of the notes has 201 characters; expected at most 200."
    assert not one.enter(" / ".join("x" * 41)) and "41 lines" in one.said and one.own == before


def test_a_field_that_is_not_there_is_said() -> None:
    one = form()
    one.find("charm")
    assert one.said == "No field has “charm” in its name."


@pytest.mark.parametrize("name", sample(["volt", "occult-ops", "cwn", "aog", "eva"], 3))
def test_what_a_sheet_makes_is_worked_out_for_every_archetype(name: str) -> None:
    rules = ruleset(name)
    *_, found = previews(archetype(rules, "gunman"), rules)
    assert found.is_whole and found.numbers
    assert any(weapon.rows for weapon in found.weapons)
    assert all(0 <= hit <= 1 for weapon in found.weapons for _, hit, _ in weapon.rows)


@pytest.mark.long
def test_cover_lowers_the_chance_of_a_shot() -> None:
    rules = ruleset("aog")
    own = archetype(rules, "rifleman")
    *_, found = previews(replace(own, weapons=own.weapons[:1]), rules)
    open_, light, heavy = (hit for _, hit, _ in found.weapons[0].rows)
    assert open_ > light > heavy
    assert rules.units.stats["long_arms"].kind == NUMBER


def test_cover_is_one_row_where_the_material_does_not_matter() -> None:
    rules = ruleset("cwn")
    own = archetype(rules, "rifleman")
    *_, found = previews(replace(own, weapons=own.weapons[:1]), rules)
    assert [where for where, _, _ in found.weapons[0].rows] == ["in the open", "half cover"]


def test_a_wound_of_now_is_told_beside_the_full_value() -> None:
    rules = ruleset("cwn")
    *_, found = previews(replace(archetype(rules, "gunman"), pools=(("hp", 0),)), rules)
    assert ("hit points", "0 of 15") in found.numbers


@pytest.mark.parametrize("name", RULESETS)
def test_what_battles_carry_over_is_shown_changed_put_back_and_rested(name: str) -> None:
    rules = ruleset(name)
    one = form(name, "rifleman")
    page = next(page for page in one.groups if page.label == fields.CARRIED)
    carrying = [pool.id for pool in rules.units.pools.values() if pool.carries]
    assert {field.key[1] for field in page.fields if field.key and field.key[0] == "pool"} <= set(carrying)
    wounded = [field for field in page.fields if field.default != "0"]
    for field in wounded:
        one.go_to(field.id)
        assert one.enter("yes" if field.kind == fields.FLAG else "0"), one.said
    assert one.changes == len(wounded)
    text = write_character(OwnSheet(name, one.own), rules)
    assert parse_character(text, "", lambda _: rules).character == one.own
    one.go_to(wounded[0].id)
    one.enter("")
    assert one.changes == len(wounded) - 1 and one.field.value == one.field.default
    one.rest()
    assert one.changes == 0 and one.said.startswith("Rested: ")
    one.undo()
    assert one.changes == len(wounded) - 1
    one.rest()
    one.rest()
    assert one.said == "Rested: nothing to restore."


def test_armour_is_one_change_and_new_armour_is_not_worn() -> None:
    one = form()
    one.find("torso, piercing")
    while not one.field.key:
        one.find("torso, piercing")
    assert one.enter("1") and one.changes == 1
    assert not one.enter("9")
    assert one.said == "Torso, piercing is 0 to 4, not “9”."
    one.find("armour")
    while one.field.kind != fields.PICK_ARMOUR:
        one.find("armour")
    one.enter("")
    assert (one.own.armour, one.own.pools, one.changes) == ("", (), 1)


def test_what_a_sheet_states_for_every_battle_is_no_wound() -> None:
    rules = ruleset("aog")
    one = SheetForm(Character("Anna", conditions=("braced",)), rules)
    one.rest()
    assert (one.own.conditions, one.said) == (("braced",), "Rested: nothing to restore.")
    one.go_to("condition.braced")
    one.enter("")
    assert one.own.conditions == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", RULESETS)
def test_every_weapon_has_words_and_odds_or_a_reason(name: str) -> None:
    rules = ruleset(name)
    own = archetype(rules, "rifleman")
    for weapon in rules.gear.weapons.values():
        *_, found = previews(replace(own, weapons=(weapon.id,)), rules)
        (odds,) = found.weapons
        assert odds.why or len(odds.rows) in (1, 2, 3, 4), weapon.id
        assert odds.numbers and "die " not in odds.numbers, weapon.id
        assert not odds.rows or any(hit for _, hit, _ in odds.rows) or odds.why, weapon.id


@pytest.mark.long
def test_a_grenade_says_why_it_has_no_damage_and_a_pistol_is_weighed_where_it_reaches() -> None:
    rules = ruleset("aog")
    *_, found = previews(Character("Anna", weapons=("frag-grenade", "pistol-krz-21-hornet")), rules)
    grenade, pistol = found.weapons
    assert (len(grenade.rows), grenade.rows[0][2], grenade.why) == (1, "", "Its damage depends on who is in the blast.")
    assert (pistol.at, pistol.rows[0][1] > 0, pistol.why) == ("12 m, semi-auto", True, "")


def test_a_knife_that_can_be_thrown_is_shown_in_the_hand_too() -> None:
    """The farthest attack is the throw; what it does to an adjacent target is a row of its own."""
    *_, whole = previews(Character("Ann", weapons=("knife", "thrown-knife")), ruleset("cwn"))
    knife, thrown = whole.weapons
    assert (knife.at, thrown.at) == ("12 m, throw", "12 m, attack")
    assert [row[0] for row in knife.rows] == ["in the open", "half cover", "adjacent"]
    assert knife.rows[2][1] > knife.rows[0][1], "no long range, and no bonus for it"
    assert [row[0] for row in thrown.rows] == ["in the open", "half cover"]


def test_a_hit_that_armour_stops_whole_says_so() -> None:
    *_, found = previews(Character("Anna", weapons=("heavy-pistol",), armour="impact-jacket"), ruleset("cwn"))
    pistol = found.weapons[0]
    assert pistol.rows[0][1] > Fraction(1, 5) and [row[2] for row in pistol.rows] == ["0", "0"]
    assert pistol.why == "The target's armour stops all damage."


@pytest.mark.long
def test_a_change_says_what_it_does_to_the_odds() -> None:
    rules = ruleset("aog")
    own = replace(archetype(rules, "rifleman"), weapons=("assault-rifle-rng-13-legate",))
    *_, before = previews(own, rules)
    *_, after = previews(replace(own, stats=(*own.stats, ("long_arms", 63))), rules)
    assert effect_words(before, after) == "Assault Rifle Rng-13 “Legate” hits at 24 m, semi-auto: 63 %, was 55 %."
    assert effect_words(before, before) == ""


def test_a_number_below_0_has_the_sign_that_is_shown_and_is_taken_with_either() -> None:
    one = SheetForm(Character("Anna"), ruleset("cwn"))
    one.find("shoot")
    assert one.field.default == "−1"
    assert one.enter("0") and one.enter("−1") and not one.field.is_set
    assert one.enter("0") and one.enter("-1") and not one.field.is_set


def test_a_page_is_found_by_its_name() -> None:
    one = form()
    one.find("weapons")
    assert one.page.label == fields.WEAPONS and not one.said


def test_an_empty_sheet_is_written_without_empty_lists_and_tables() -> None:
    text = write_character(OwnSheet("aog", Character("Anna")), ruleset("aog"))
    assert text == 'ruleset = "aog"\nname = "Anna"\n'


def test_what_counts_against_a_weapon_is_named_and_what_the_sheet_causes_is_said_with_its_reason() -> None:
    own = Character("Anna", (("weapon_pistol", True),), ("usp9", "submachine-gun"))
    *_, made = previews(own, ruleset("occult-ops"))
    pistol, gun = made.weapons
    assert not any(one.is_of_sheet for one in pistol.penalties)
    wild = next(one for one in gun.penalties if one.is_of_sheet)
    assert wild.words == "Wild attack\N{NO-BREAK SPACE}−20"
    said = penalty_words(made.weapons)
    assert said == f"{wild.words} with {gun.label}: not trained with this weapon."
    *_, trained = previews(replace(own, stats=(*own.stats, ("weapon_rifle", True))), ruleset("occult-ops"))
    assert penalty_words(trained.weapons) == ""


@pytest.mark.long
@pytest.mark.parametrize(("name", "skill"), [("cwn", "shoot"), ("eva", "")])
def test_penalties_come_from_the_rules_of_every_ruleset(name: str, skill: str) -> None:
    """A lack of skill is the sheet's in one; in the other nothing of a fresh sheet counts against its weapon."""
    rules = ruleset(name)
    rifleman = archetype(rules, "rifleman")
    own = replace(rifleman, stats=(), weapons=rifleman.weapons[:1], is_opponent=False)
    *_, made = previews(own, rules)
    *_, able = previews(replace(own, stats=((skill, 0),) if skill else ()), rules)
    assert bool(penalty_words(made.weapons)) == bool(skill)
    assert penalty_words(able.weapons) == ""


@pytest.mark.long
def test_cover_has_the_name_that_the_ruleset_gives_it() -> None:
    *_, found = previews(Character("Ann", weapons=("pistol-m182-preacher",)), ruleset("aog"))
    assert [where for where, _, _ in found.weapons[0].rows] == ["in the open", "light cover", "medium cover"]


def test_worn_armour_is_shown_as_what_is_left_of_it() -> None:
    rules = ruleset("aog")
    armour = next(one.id for one in rules.gear.armour.values() if pools_of(rules, fresh(
        Character("Ann", armour=one.id), rules))["torso_primitive_armour"] > 1)  # fmt: skip
    own = Character("Ann", armour=armour)
    full = dict(next(previews(own, rules)).numbers)[" torso"]
    worn = dict(next(previews(replace(own, pools=(("torso_primitive_armour", 1),)), rules)).numbers)[" torso"]
    assert worn == f"{full.rpartition('/')[0]}/1 of {full}"
