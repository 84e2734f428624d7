"""Every number of every attack is as it is kept: the ledger, the total, the exact chances."""

from __future__ import annotations

import pytest

from rulesets import shipped_rulesets
from tests.examples import sample
from tests.golden import fractions
from tests.rules.table import ruleset

SHIPPED = sorted(shipped_rulesets())
HOW = "Where a rule was meant to change: python -m tests.golden.fractions --write, and read the difference."


def compare(name: str, part: str, now: fractions.TextResult) -> None:
    wrong = fractions.differences(fractions.kept()[name][part], now)
    told = "\n".join(f"  {name}, {line}" for line in wrong)
    assert not wrong, f"{len(wrong)} numbers of {name} are not as kept in {fractions.FILE.name}:\n{told}\n{HOW}"


def test_every_shipped_ruleset_is_kept() -> None:
    assert sorted(fractions.kept()) == SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_every_attack_of_a_ruleset_is_kept_on_three_targets(name: str) -> None:
    rules, kept = ruleset(name), fractions.kept()[name]
    assert {*kept["attacks"]} == {fractions.named(pair) for pair in fractions.attacks(rules)}
    assert {*kept["weapons"]} == {fractions.named(pair) for pair in fractions.weapons(rules)}
    attacks = {action.id for action in rules.actions.values() if action.kind == "attack"}
    assert {attack.split(" with ")[0] for attack in kept["attacks"]} == attacks
    assert all(tuple(targets) == fractions.ALL for targets in kept["attacks"].values())


@pytest.mark.long
@pytest.mark.parametrize("name", sample(["cwn", "volt", "aog", "eva", "occult-ops"], 2))
def test_attacks_have_the_fractions_that_are_kept(name: str) -> None:
    rules, scene = ruleset(name), fractions.the_scene()
    grenade = fractions.grenade_attack(rules)
    others = [pair for pair in fractions.attacks(rules) if pair != grenade]
    now = fractions.asked(scene, rules, others, fractions.ALL) | fractions.asked(scene, rules, [grenade], ["near"])
    compare(name, "attacks", now)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_grenades_and_weapons_have_the_fractions_that_are_kept(name: str) -> None:
    rules, scene = ruleset(name), fractions.the_scene()
    compare(name, "attacks", fractions.asked(scene, rules, [fractions.grenade_attack(rules)], ["beside", "far"]))
    compare(name, "weapons", fractions.asked(scene, rules, fractions.weapons(rules), ["near"]))
