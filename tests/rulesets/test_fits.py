"""Attacks that only some weapons of a kind can make."""

from __future__ import annotations

import pytest

from engine.battle.attacks.attack_choices import attack_actions
from engine.errors import Unreadable
from rulesets import parse_ruleset
from tests.rulesets.texts import texts

LOUD = """
[action.salvo]
label = "Salvo"
kind = "attack"
weapons = ["ranged", "melee"]
weapon_filter = "weapon.reach > 20"
source = "ours"
[action.walk]
"""


def test_an_attack_is_offered_only_for_weapons_that_fit_it() -> None:
    rules = parse_ruleset(texts("[action.walk]\n", LOUD), "small")
    assert [action.id for action in attack_actions(rules, rules.gear.weapons["gun"])] == ["attack", "salvo"]
    assert [action.id for action in attack_actions(rules, rules.gear.weapons["fist"])] == ["attack"]


@pytest.mark.parametrize(
    ("old", "message"),
    [
        ("weapon.reach > 20", "attacker.skill"),
        ('kind = "attack"\nweapons = ["ranged", "melee"]', "is only for actions"),
    ],
)
def test_fits_asks_of_the_weapon_alone_and_belongs_to_attacks(old: str, message: str) -> None:
    new = "attacker.skill > 1" if "reach" in old else 'kind = "other"'
    with pytest.raises(Unreadable, match=message):
        parse_ruleset(texts("[action.walk]\n", LOUD.replace(old, new)), "small")
