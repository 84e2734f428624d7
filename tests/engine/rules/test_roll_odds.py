"""Judging rolls: grades, margins, exact chances, and what a line is worth."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.dice.dice_expressions import parse_dice
from engine.dice.distributions import outcomes
from engine.rules.ledger import Adjustment, Ledger, itemise
from engine.rules.model import Ruleset, Value
from engine.rules.roll_odds import judge, odds, roll_facts, worths
from engine.values import replace
from rulesets import shipped_rulesets
from tests.rules.table import fight


def attack(name: str, *changes: Adjustment, **changed: Value) -> tuple[Ruleset, dict[str, Value], Ledger]:
    table = fight(name, "a...b", a="gunman", b="gunman")
    facts = {**table.shot().situation.facts, **changed}
    return table.rules, facts, itemise(table.rules, facts, changes)


@pytest.mark.parametrize(("roll", "margin", "success"), [(69, 1, True), (70, 0, False), (71, -1, False)])
def test_roll_under_wants_less_than_the_target_number(roll: int, margin: int, success: bool) -> None:
    known = roll_facts(*attack("occult-ops"), roll)
    assert (known["target_number"], known["margin"], known["success"]) == (70, margin, success)


@pytest.mark.parametrize(("roll", "margin", "success"), [(4, 0, True), (3, -1, False), (5, 1, True)])
def test_roll_over_wants_the_difficulty_or_more(roll: int, margin: int, success: bool) -> None:
    known = roll_facts(*attack("cwn"), roll)
    assert (known["total"], known["target_number"]) == (6, 10)
    assert (known["margin"], known["success"]) == (margin, success)


def test_equal_rolls_go_as_the_ruleset_says() -> None:
    for name, equal, roll in (("occult-ops", True, 70), ("cwn", False, 4)):
        rules, facts, ledger = attack(name)
        usual = judge(rules, facts, ledger, roll)
        turned = replace(rules, attack=replace(rules.attack, test=replace(rules.attack.test, equal_succeeds=equal)))
        assert usual.is_hit != judge(turned, facts, ledger, roll).is_hit


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_roll_comes_to_a_grade_and_chances_sum_to_1(name: str) -> None:
    for bonus in (-200, -30, -1, 0, 1, 7, 45, 200):
        rules, facts, ledger = attack(name, Adjustment("x", "Luck", bonus))
        found = odds(rules, facts, ledger)
        assert sum(chance for _, chance in found.grades) == 1
        assert [grade for grade, _ in found.grades] == list(rules.attack.grades)
        assert found.hit == sum(chance for grade, chance in found.grades if grade.is_hit)
        assert 0 <= found.hit <= 1


@pytest.mark.parametrize("name", shipped_rulesets())
def test_odds_are_the_share_of_the_rolls_that_judge_gives_each_grade(name: str) -> None:
    rules, facts, ledger = attack(name, covered=Fraction(1, 2))
    counted = {grade.id: Fraction(0) for grade in rules.attack.grades}
    ways = outcomes(rules.attack.test.dice)
    for dice, roll in ways:
        counted[judge(rules, facts, ledger, roll, dice).id] += Fraction(1, len(ways))
    assert {grade.id: chance for grade, chance in odds(rules, facts, ledger).grades} == counted


@pytest.mark.parametrize("name", shipped_rulesets())
def test_better_modifiers_never_make_a_hit_less_likely(name: str) -> None:
    hits = []
    for bonus in range(-40, 41, 4):
        rules, facts, ledger = attack(name, Adjustment("x", "Luck", bonus))
        hits.append(odds(rules, facts, ledger).hit)
    assert hits == sorted(hits)
    assert hits[0] < hits[-1]


def test_odds_are_exact_for_several_dice_too() -> None:
    rules, facts, ledger = attack("cwn")
    curve = replace(
        rules,
        attack=replace(
            rules.attack, test=replace(rules.attack.test, dice=parse_dice("3d6")), grades=rules.attack.grades[2:]
        ),
    )
    assert odds(curve, facts, ledger).hit == Fraction(215, 216)  # 4 or more on 3d6


def test_a_forbidden_attack_has_no_chance_and_no_worth() -> None:
    rules, facts, ledger = attack("occult-ops", distance=101)
    assert odds(rules, facts, ledger).hit == 0
    assert all(chance == 0 for _, chance in odds(rules, facts, ledger).grades)
    assert worths(rules, facts, ledger) == ()


def test_worth_is_in_chance_to_hit_and_only_of_lines_that_count() -> None:
    rules, facts, ledger = attack("occult-ops", Adjustment("defence", active=False), Adjustment("x", "Luck", 0))
    found = {worth.entry: worth.change for worth in worths(rules, facts, ledger)}
    assert found == {
        "range.short": Fraction(79 - 19, 100),
        "strike": Fraction(79 - 69, 100),
        "weapon-pistol": Fraction(79 - 69, 100),
    }


def test_a_line_that_changes_no_chance_is_worth_nothing() -> None:
    rules, facts, ledger = attack("occult-ops", Adjustment("x", "Luck", 200))
    found = {worth.entry: worth.change for worth in worths(rules, facts, ledger)}
    assert found["strike"] == 0
    assert found["x"] == Fraction(90 - 69, 100)
