"""What would better an attack: other ways and steps, each as the battle would be after it."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.apply import apply_all
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, Change, consider
from engine.battle.command import Attack, Move
from engine.battle.commands.decide import decide
from engine.geometry.squares import parse_square
from engine.tactics.suggestions import better, changes
from engine.values import replace
from tests.rules.table import Table, fight


def shot_of(here: Table, attack: Attack) -> AttackPreview:
    """An attack with its damage odds."""
    return with_odds(here.battle, here.rules, consider(here.battle, here.rules, attack))


def test_each_change_is_the_attack_after_it() -> None:
    here = fight("occult-ops", "......", "a..o.b", "......", a="gunman", b="gunman")
    wish = Attack("a", "b")
    found = list(changes(here.battle, here.rules, wish))
    ways = {change.label: change.hit for change in found if not change.is_step}
    assert ways["Aimed shot"] == consider(here.battle, here.rules, Attack("a", "b", action="aimed")).odds.hit
    steps = {change.label: change.hit for change in found if change.is_step}
    there = decide(here.battle, Move("a", (parse_square("A2"), parse_square("A1"))), here.rules)
    assert steps["N"] == consider(apply_all(here.battle, there), here.rules, wish).odds.hit
    best = better(found, shot_of(here, wish))
    assert [change.is_step for change in best] == sorted(change.is_step for change in best)
    odds = shot_of(here, wish).outlook
    assert odds is not None and best and all((change.expected or 0) > odds.expected for change in best)


@pytest.mark.long
def test_what_hits_more_often_and_harms_less_is_not_better() -> None:
    here = fight("eva", "a.......b", a="gunman", b="gunman")
    here.arm("a", "submachine-gun")
    shot = shot_of(here, Attack("a", "b", action="burst-3"))
    found = list(changes(here.battle, here.rules, Attack("a", "b", action="burst-3")))
    likelier = [change for change in found if change.hit > shot.odds.hit]
    weaker = [one for one in likelier if shot.outlook and (one.expected or 0) < shot.outlook.expected]
    assert weaker, "a standard attack hits more often and once"
    assert not set(better(found, shot)) & set(weaker)
    blind = replace(shot, outlook=None)
    by_chance = better(found, blind)
    assert by_chance and all(one.expected is None and one.hit > shot.odds.hit for one in by_chance)


def test_a_blow_out_of_reach_is_a_step_away() -> None:
    here = fight("occult-ops", "a.b", a="brawler", b="gunman")
    best = better(changes(here.battle, here.rules, Attack("a", "b")), shot_of(here, Attack("a", "b")))
    assert [change.label for change in best if change.is_step] == ["E"]


def test_nothing_betters_what_cannot_be_moved_or_made_otherwise() -> None:
    here = fight("occult-ops", "a.b", a="gunman", b="gunman")
    here.do(Move("a", (parse_square("A1"), parse_square("B1"))))
    assert not [change for change in changes(here.battle, here.rules, Attack("a", "b")) if change.is_step]
    assert list(changes(here.battle, here.rules, Attack("b", "a"))) == []
    assert list(changes(here.battle, here.rules, Attack("a", "a"))) == []


def kicker() -> Table:
    return fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "kick")


def test_a_trip_is_suggested_beside_a_kick_by_its_own_chance() -> None:
    here = kicker()
    shot = shot_of(here, Attack("a", "b", action="snap-kick"))
    found = better(changes(here.battle, here.rules, Attack("a", "b", action="snap-kick")), shot)
    aimed = [change for change in found if change.aim is not None]
    assert [(change.label, change.aim and change.aim[0].id) for change in aimed] == [("Trip", "prone")]
    assert shot.outlook is not None and aimed[0].aim is not None and aimed[0].aim[1] > shot.outlook.hurt


def test_damage_is_no_measure_of_a_trip() -> None:
    """Of attacks that hurt none is better, and none that knocks down no likelier."""
    here = kicker()
    shot = shot_of(here, Attack("a", "b", action="trip"))
    assert better(changes(here.battle, here.rules, Attack("a", "b", action="trip")), shot) == ()


def test_a_step_betters_a_trip_by_the_chance_to_knock_down() -> None:
    here = kicker()
    shot = shot_of(here, Attack("a", "b", action="trip"))
    assert shot.outlook is not None
    (aim, chance), *_ = shot.outlook.outcomes
    step = Change(True, "E", Fraction(1), Fraction(0), ((aim, chance + Fraction(1, 10)),))
    (found,) = better([step, replace(step, label="W", outcomes=((aim, chance),))], shot)
    assert (found.label, found.aim) == ("E", (aim, chance + Fraction(1, 10)))
