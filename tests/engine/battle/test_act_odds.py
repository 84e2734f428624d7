"""The chance that an act succeeds is that of all its dice, gone through one by one."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import sqrt

import pytest

from engine.answers import typed_dice
from engine.battle.attacks.resolve_effects import facts_of_act
from engine.battle.cause import ActOn
from engine.battle.commands.other_actions import chance_of_success
from engine.dice.sources import SeededSource, TableSource
from engine.rules.effects import Consequences, consequences
from engine.rules.model import Action
from rulesets import parse_ruleset
from tests.rules.table import Table, fight, ruleset

ACTS = [("aog", "grapple"), ("aog", "close-in"), ("eva", "knock-down"), ("eva", "break-free")]


def close(name: str) -> Table:
    return fight(name, "ab", a="brawler", b="gunman")


def outcome(action: Action, found: Consequences) -> bool:
    (name,) = (effect.outcome for effect in action.effects if effect.outcome)
    return bool(found.values[name])


def parts(name: str, act: str) -> tuple[Table, Action, Fraction]:
    here = close(name)
    action = here.rules.actions[act]
    chance = chance_of_success(here.battle, here.rules, here.unit("a"), action, "b")
    assert chance is not None
    assert 0 < chance < 1
    return here, action, chance


@pytest.mark.parametrize(("name", "act"), ACTS)
def test_play_comes_out_as_foretold(name: str, act: str) -> None:
    here, action, chance = parts(name, act)
    facts = facts_of_act(here.battle, here.rules, here.unit("a"), action, ActOn("b"))
    dice, times = SeededSource(act), 300
    won = sum(outcome(action, consequences(action.effects, facts, None, dice)) for _ in range(times))
    assert abs(won - times * chance) <= 5 * sqrt(times * chance * (1 - chance))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "act"), ACTS)
def test_every_pair_of_rolls(name: str, act: str) -> None:
    here, action, chance = parts(name, act)
    facts = facts_of_act(here.battle, here.rules, here.unit("a"), action, ActOn("b"))
    won = sum(
        outcome(action, consequences(action.effects, facts, None, TableSource(typed_dice(((one,), (other,), (1,))))))
        for one, other in product(range(1, 101), repeat=2)
    )
    assert chance == Fraction(won, 10_000)


def test_an_act_on_nobody_yet_and_one_without_a_test() -> None:
    here = close("aog")
    unit, actions = here.unit("a"), here.rules.actions
    assert chance_of_success(here.battle, here.rules, unit, actions["grapple"]) is None
    assert chance_of_success(here.battle, here.rules, unit, actions["reload"]) is None


@pytest.mark.long
def test_success_is_marked_once() -> None:
    texts = dict(ruleset("aog").texts)
    let = '[[action.grapple.effect]]\nid = "takes-hold"'
    again = f'{let}-too"\nlabel = "Again"\nlet = "true"\nas = "again"\noutcome = true\nsource = "a test"\n\n'
    texts["ruleset.toml"] = texts["ruleset.toml"].replace(let, again.replace('hold"-', "hold-") + let)
    with pytest.raises(Exception, match="only one effect may have outcome = true"):
        parse_ruleset(texts, "aog")
