"""The form of a character without the screen: every stat of every ruleset, undo, finding, what cannot be entered."""

from __future__ import annotations

import pytest

from engine.battle.gear import stats_of
from engine.battle.state.characters import Character
from engine.rules.stats import NUMBER
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.characters import OwnSheet, archetype, parse_character, write_character
from tests.examples import sample
from tests.rules.table import ruleset
from tui.characters import sheet_fields as fields
from tui.characters.sheet_form import SheetForm
from tui.characters.sheet_preview import previews

RULESETS = sorted(shipped_rulesets())


def form(name: str = "aog", role: str = "rifleman") -> SheetForm:
    rules = ruleset(name)
    return SheetForm(archetype(rules, role), rules)


@pytest.mark.parametrize("name", RULESETS)
def test_every_stat_of_every_ruleset_can_be_entered_and_is_written(name: str) -> None:
    rules = ruleset(name)
    one = SheetForm(Character("Anna"), rules)
    wanted = {}
    for stat in rules.units.stats.values():
        one.find(stat.id)
        while one.field.id != stat.id:
            one.find(stat.id)
        other = {"number": stat.high if stat.default != stat.high else stat.low}.get(stat.kind)
        value = other if other is not None else not stat.default if stat.kind == "flag" else list(stat.choices)[-1]
        assert one.enter(fields.YES_NO[value] if isinstance(value, bool) else str(value)), one.said
        wanted[stat.id] = value
    assert {
        name: now for name, now in stats_of(rules, fields.unit_of(one.own, rules)).items() if name in wanted
    } == wanted
    text = write_character(OwnSheet(name, one.own), rules)
    assert parse_character(text, "", lambda _: rules).character == one.own


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
    one.change(fields.with_attachment(one.own, "scope", rifle))
    one.change(fields.with_rounds(one.own, rules, rifle, "12"))
    assert (one.own.weapons, one.own.attachments, one.own.rounds) == (
        (rifle, "fists"),
        (("scope", rifle),),
        ((rifle, 12),),
    )
    one.find("assault")
    assert one.field.value == "in hand, 12 of 30 rounds, with a scope"
    one.enter("")
    assert (one.own.weapons, one.own.attachments, one.own.rounds) == (("fists",), (), ())


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


def test_cover_lowers_the_chance_of_a_shot() -> None:
    rules = ruleset("aog")
    own = archetype(rules, "rifleman")
    *_, found = previews(replace(own, weapons=own.weapons[:1]), rules)
    open_, light, heavy = (hit for _, hit, _ in found.weapons[0].rows)
    assert open_ > light > heavy
    assert rules.units.stats["long_arms"].kind == NUMBER
