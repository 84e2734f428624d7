"""The ledger: which lines stand in it, in what order, what they come to, and which band applies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.rules.fact_list import ATTACK_FACTS, facts_by_name
from engine.rules.ledger import GM, Adjustment, Entry, Ledger, adjust, band_at, itemise
from engine.rules.model import Value
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.vocabulary import vocabulary
from tests.rules.table import entry, fight, ruleset


def facts(name: str = "occult-ops", **changed: Value) -> dict[str, Value]:
    table = fight(name, "a...b", a="gunman", b="gunman")
    return {**table.shot().situation.facts, **changed}


def line(entry_id: str, value: int | Fraction = 0, **more: bool) -> Entry:
    return Entry(entry_id, "", entry_id, value, "", "", **more)


# --- what a ledger comes to -----------------------------------------------------------------------------------------


def test_the_total_is_the_sum_of_the_lines_that_count() -> None:
    ledger = Ledger((line("a", 10), line("b", -3), line("c", 5, active=False), line("d", Fraction(1, 2))), "", "", 0)
    assert ledger.total == Fraction(15, 2)
    assert Ledger((), "", "", 0).total == 0


def test_the_first_restriction_that_counts_forbids() -> None:
    off, on, later = line("off", forbids=True, active=False), line("on", forbids=True), line("later", forbids=True)
    assert Ledger((line("a"), off, on, later), "", "", 0).forbidden == on
    assert Ledger((line("a"), off), "", "", 0).is_possible


def test_under_roll_under_the_target_number_is_the_total() -> None:
    ledger = itemise(ruleset("occult-ops"), facts())
    assert ledger.target_number == ledger.total == 70


def test_over_roll_over_the_target_number_is_the_difficulty() -> None:
    ledger = itemise(ruleset("cwn"), facts("cwn"))
    assert (ledger.total, ledger.target_number) == (6, 10)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_lines_stand_in_the_order_of_the_rulesets_steps(name: str) -> None:
    rules = ruleset(name)
    everything = facts(name, covered=Fraction(1, 2), **{"target.posture": "prone", "attacker.posture": "prone"})
    steps = [rules.attack.steps.index(found.step) for found in itemise(rules, everything).entries]
    assert len(steps) > 3
    assert steps == sorted(steps)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_line_has_a_reason_and_a_source(name: str) -> None:
    for found in itemise(ruleset(name), facts(name, covered=Fraction(1, 2), smoke_squares=1, light="dim")).entries:
        assert found.because and found.source and found.label


def test_the_facts_given_are_left_as_they_were() -> None:
    given = facts()
    before = dict(given)
    itemise(ruleset("occult-ops"), given)
    assert given == before


def test_a_line_says_why_with_figures() -> None:
    ledger = itemise(ruleset("occult-ops"), facts(covered=Fraction(2, 5), cover="the cart at D5"))
    assert ledger.entries[0].because == "20 ft, short (6–24 ft)"
    cover = entry(ledger, "partial-cover")
    assert cover and cover.because == "40 % behind the cart at D5"


@pytest.mark.parametrize("name", shipped_rulesets())
def test_the_situation_holds_every_fact_that_rules_may_ask_for_and_no_other(name: str) -> None:
    rules = ruleset(name)
    flags = {flag: value for action in rules.actions.values() for flag, value in action.flags.items()}
    declared = (rules.units.stats, rules.units.pools, rules.units.budgets, rules.units.conditions)
    named = {fact.id for fact in rules.attack.facts if fact.after == "situation"} | set(rules.attack.defence_facts) - {
        "defence"
    }
    words = vocabulary(*declared, rules.gear.weapon_fields, flags, rules.rulings)
    assert set(facts(name)) - named == set(words.situation)


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_fact_is_of_the_kind_the_list_says(name: str) -> None:
    kinds: dict[str, tuple[type, ...]] = {
        "number": (int, Fraction),
        "whole": (int,),
        "yes/no": (bool,),
        "word": (str,),
    }
    known = facts_by_name()
    for fact, value in facts(name).items():
        if fact in known:
            assert isinstance(value, kinds[known[fact].kind]), f"{fact} = {value!r}"
            assert isinstance(value, bool) == (known[fact].kind == "yes/no")
    assert len({fact.name for fact in ATTACK_FACTS}) == len(ATTACK_FACTS)


# --- bands ----------------------------------------------------------------------------------------------------------


def test_a_band_holds_its_last_distance_and_the_next_begins_behind_it() -> None:
    rules = ruleset("occult-ops")
    table = rules.attack.bands[0]
    for distance, band, first, last in ((5, "point-blank", 0, 5), (6, "short", 6, 24), (24, "short", 6, 24)):
        found = band_at(table, facts(distance=distance))
        assert found and (found[0].id, found[1], found[2]) == (band, first, last)
    assert band_at(table, facts(distance=101)) is None


def test_a_distance_between_whole_numbers_belongs_to_the_band_that_reaches_it() -> None:
    ledger = itemise(ruleset("occult-ops"), facts(distance=Fraction(49, 2)))
    assert ledger.band == "medium"
    assert ledger.entries[0].because.startswith("24.5 ft, medium")
    assert ledger.band_facts == {"band": "medium", "band_number": 2}


def test_past_the_last_band_the_ledger_forbids_and_names_no_band() -> None:
    ledger = itemise(ruleset("occult-ops"), facts(distance=101))
    assert (ledger.band, ledger.band_label, ledger.band_number) == ("", "", 0)
    assert ledger.forbidden and ledger.forbidden.id == "range.beyond"
    assert "101 ft is beyond the maximum range of 100 ft" in ledger.forbidden.because


def test_rules_may_ask_for_the_band() -> None:
    rules, known = ruleset("cwn"), facts("cwn", distance=40)
    linked = itemise(rules, known | {"attacker.gunlink": True})
    assert linked.band == "long"
    assert linked.total == itemise(rules, known).total + 2


# --- the GM's changes -----------------------------------------------------------------------------------------------


def test_changes_make_new_lines_and_leave_the_old_alone() -> None:
    old = [line("a", 10), line("b", 5)]
    new = adjust(old, [Adjustment("a", active=False), Adjustment("c", "Luck", 7)])
    assert old == [line("a", 10), line("b", 5)]
    assert [(found.id, found.value, found.active, found.author) for found in new] == [
        ("a", 10, False, GM),
        ("b", 5, True, "rule"),
        ("c", 7, True, GM),
    ]


def test_a_change_without_a_value_adds_no_line() -> None:
    assert adjust([], [Adjustment("c", "Luck")]) == []


def test_a_new_value_keeps_the_rules_reason_unless_a_note_replaces_it() -> None:
    because = replace(line("a", 10), because="20 ft")
    assert adjust([because], [Adjustment("a", value=-5)])[0].because == "20 ft (rule: +10)"
    assert adjust([because], [Adjustment("a", value=-5, note="rain")])[0].because == "rain (rule: +10)"
    assert adjust([because], [Adjustment("a", value=10)])[0].because == "20 ft"


def test_itemise_counts_changes() -> None:
    changed = itemise(ruleset("occult-ops"), facts(), [Adjustment("defence", value=0), Adjustment("x", "Luck", 5)])
    assert changed.target_number == 85


def test_a_changed_fraction_says_what_the_rule_had_said() -> None:
    half = replace(line("a", Fraction(5, 2)), because="half")
    assert "rule: " in adjust([half], [Adjustment("a", value=1)])[0].because
