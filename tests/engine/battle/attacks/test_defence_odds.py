"""The odds with the likely defence are those of play, and of every roll with every roll of the defence, one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from engine.answers import Needs, typed_dice
from engine.battle.apply import apply_all
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds
from engine.battle.attacks.defence_flow import defend
from engine.battle.attacks.defence_odds import chance_to_stop, likely_option, with_likely_defence
from engine.battle.attacks.defences import DefenceOption, options
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.command import Attack
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.event_builder import EventBuilder
from engine.battle.state.gm_overrides import AUTO, OFF
from engine.dice.distributions import distribution
from engine.dice.sources import TableSource
from engine.rules.reaction_rules import AIMED
from engine.rules.roll_odds import every_roll, judge, roll_facts, strikes_of
from engine.rules.specialise import own_to_roll
from engine.values import replace
from tests.engine.battle.attacks.test_damage_odds import agrees, result
from tests.rules.table import Table, fight, roll_asked

FIGHTS = {
    "aog": ("a....b", "gunman"),
    "aog melee": ("ab", "brawler"),
    "eva": ("a....b", "rifleman"),
    "eva melee": ("ab", "brawler"),
    "cwn melee": ("ab", "brawler"),
}


def facing(name: str) -> tuple[Table, AttackPreview]:
    row, role = FIGHTS[name]
    here = fight(name.partition(" ")[0], row, a=role, b=role)
    return here, with_odds(here.battle, here.rules, here.shot())


def outlook_of(shot: AttackPreview) -> DamageOdds:
    assert shot.defended is not None
    found = shot.defended.outlook
    assert sum(chance for _, chance in found.damage) + found.unsettled == 1
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", FIGHTS)
def test_one_who_defends_by_itself_comes_out_as_the_odds_say(name: str) -> None:
    here, shot = facing(name)
    found = outlook_of(shot)
    here.do(SetPolicy(AUTO))
    rolls, counted = 60, Counter[tuple[int, bool]]()
    for number in range(rolls):
        battle = replace(here.battle, dice=replace(here.battle.dice, seed=f"{name} {number}"))
        events = decide(battle, Attack("a", "b", is_free=True), here.rules)
        counted[result(here.rules, battle.unit("b"), apply_all(battle, events).unit("b"))] += 1
    agrees(found, counted, rolls)


@pytest.mark.parametrize("name", FIGHTS)
def test_a_defence_makes_nothing_likelier(name: str) -> None:
    _, shot = facing(name)
    found, without = outlook_of(shot), shot.outlook
    assert without is not None
    assert found.hit < without.hit or found.expected < without.expected
    assert found.hit <= without.hit
    assert found.drop <= without.drop


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGHTS)
def test_every_roll_with_every_roll_of_the_defence(name: str) -> None:
    """The chance that anything is left of a hit, by brute force."""
    here, shot = facing(name)
    whole, rolls = every_roll(here.rules, own_to_roll(here.rules))
    hit = Fraction(0)
    for weight, total, dice in rolls:
        grade = judge(here.rules, shot.situation.facts, shot.ledger, total, dice)
        blow = Blow(shot.situation, shot.ledger, total, grade, dice)
        draft = EventBuilder(here.battle, here.rules)
        able = [option for option in options(draft, blow) if option.defence.effects]
        if able:
            chosen = likely_option(draft, here.battle, blow, able, AIMED)
            hit += Fraction(weight, whole) * left_of_it(here, blow, chosen)
            assert chance_to_stop(draft, here.battle, blow, chosen, AIMED) in (None, 1 - left_of_it(here, blow, chosen))
        else:
            hit += Fraction(weight, whole) * is_struck(here, blow)
    assert outlook_of(shot).hit == hit


def left_of_it(here: Table, blow: Blow, option: DefenceOption) -> Fraction:
    """The chance that anything is left of a blow after a defence that rolls one time or never."""

    def after(*groups: tuple[int, ...]) -> bool:
        draft = EventBuilder(here.battle, here.rules)
        return is_struck(here, defend(draft, here.battle, blow, option, TableSource(typed_dice(groups), asks=True)))

    try:
        return Fraction(after())
    except Needs as need:
        return sum(
            (chance for total, chance in distribution(roll_asked(need).dice).items() if after((total,))),
            start=Fraction(0),
        )


def is_struck(here: Table, blow: Blow) -> bool:
    facts = roll_facts(here.rules, blow.situation.facts, blow.ledger, blow.rolled, blow.dice)
    return blow.grade.is_hit and strikes_of(here.rules, facts, blow.grade) > 0


def test_nobody_who_may_defend() -> None:
    here = fight("volt", "a..b", a="rifleman", b="rifleman")
    assert with_likely_defence(here.battle, here.rules, here.shot()) is None


def test_who_is_never_to_defend_is_not_reckoned_with() -> None:
    here, shot = facing("aog")
    assert shot.defended is not None
    assert shot.defended.labels == ("Dodge",)
    here.do(SetPolicy(OFF))
    assert with_likely_defence(here.battle, here.rules, here.shot()) is None


def test_who_has_nothing_left_to_defend_with() -> None:
    here, _ = facing("aog")
    unit = here.unit("b")
    here.battle = here.battle.with_unit(replace(unit, turn=replace(unit.turn, budget={})))
    assert with_likely_defence(here.battle, here.rules, here.shot()) is None


def test_aog_7_in_the_set_up_the_odds_name_the_dodge_of_the_first_round() -> None:
    """Nobody has a reaction to spend before round 1; the GM who weighs a fight is shown the same as in it."""
    before, after = (fight("aog", "a........b", a="gunman", b="gunman", is_begun=begun) for begun in (False, True))
    shots = [with_odds(table.battle, table.rules, table.shot()) for table in (before, after)]
    assert [shot.defended and shot.defended.labels for shot in shots] == [("Dodge",), ("Dodge",)]
    assert shots[0].defended == shots[1].defended
