"""What is known of an attack's rules before its roll: they ask for less and say the same."""

from __future__ import annotations

from itertools import product
from unittest.mock import patch

import pytest

from engine.rules import roll_odds
from engine.rules.liveness import settled
from engine.rules.roll_odds import judge, odds
from engine.rules.specialise import asked_after_roll, specialised, specialised_for_rolls
from rulesets import shipped_rulesets
from tests.rules.table import fight


@pytest.mark.parametrize("name", shipped_rulesets())
def test_foreknown_rules_ask_for_less_and_grade_every_roll_alike(name: str) -> None:
    here = fight(name, "a...b", a="gunman", b="gunman")
    shot, rules = here.shot(), here.rules
    facts, ledger = shot.situation.facts, shot.ledger
    known = specialised(rules, facts)
    assert asked_after_roll(known) < asked_after_roll(rules)
    dice = [(one, other) for one, other in product(range(1, 21, 3), repeat=2)]
    for (one, other), narrow in product(dice, (known, specialised_for_rolls(rules, facts))):
        assert judge(narrow, facts, ledger, one + other, (one, other)) == judge(
            rules, facts, ledger, one + other, (one, other)
        )


@pytest.mark.parametrize("name", shipped_rulesets())
def test_effects_that_can_happen_are_the_same_once_more_is_known(name: str) -> None:
    here = fight(name, "a...b", a="gunman", b="gunman")
    rules, facts = here.rules, here.shot().situation.facts
    known = specialised(rules, facts)
    assert len(known.attack.effects) < len(rules.attack.effects)
    for grade in rules.attack.grades:
        can_happen = [
            [effect.id for effect in settled(each.attack.effects, grade, facts, asked_after_roll(rules))]
            for each in (rules, known)
        ]
        assert set(can_happen[1]) <= set(can_happen[0])


def test_rules_that_judge_by_another_attack_stay_as_they_are() -> None:
    here = fight("eva", "a...b", a="gunman", b="gunman")
    rules, facts = here.rules, here.shot().situation.facts
    assert specialised(rules, facts, dict(facts)) is specialised(rules, facts)
    assert specialised(rules, facts, {**facts, "weapon.penetration": 99}) is rules


def test_odds_are_not_worked_out_again_for_a_target_that_differs_in_nothing_that_is_asked() -> None:
    here = fight("volt", "a...b", a="gunman", b="gunman")
    facts, ledger = here.shot().situation.facts, here.shot().ledger
    first = odds(here.rules, facts, ledger)
    with patch.object(roll_odds, "judged_rolls") as went_through:
        again = odds(here.rules, {**facts, "target.name": "Somebody else", "target.bearing": 90}, ledger)
    assert again is first
    assert not went_through.called
