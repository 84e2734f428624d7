"""What would better an attack: other ways and steps, each as the battle would be after it."""

from __future__ import annotations

from fractions import Fraction

from engine.battle.apply import apply_all
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Attack, Move
from engine.battle.commands.decide import decide
from engine.geometry.squares import parse_square
from engine.tactics.suggestions import better, changes
from tests.rules.table import fight


def test_each_change_is_the_attack_after_it() -> None:
    here = fight("occult-ops", "......", "a..o.b", "......", a="gunman", b="gunman")
    wish = Attack("a", "b")
    found = list(changes(here.battle, here.rules, wish))
    ways = {change.label: change.hit for change in found if not change.is_step}
    assert ways["Aimed shot"] == consider(here.battle, here.rules, Attack("a", "b", action="aimed")).odds.hit
    steps = {change.label: change.hit for change in found if change.is_step}
    there = decide(here.battle, Move("a", (parse_square("A2"), parse_square("A1"))), here.rules)
    assert steps["N"] == consider(apply_all(here.battle, there), here.rules, wish).odds.hit
    best = better(found, consider(here.battle, here.rules, wish).odds.hit)
    assert [change.is_step for change in best] == sorted(change.is_step for change in best)
    assert all(change.hit > consider(here.battle, here.rules, wish).odds.hit for change in best)


def test_a_blow_out_of_reach_is_a_step_away() -> None:
    here = fight("occult-ops", "a.b", a="brawler", b="gunman")
    best = better(changes(here.battle, here.rules, Attack("a", "b")), Fraction(0))
    assert [change.label for change in best if change.is_step] == ["E"]


def test_nothing_betters_what_cannot_be_moved_or_made_otherwise() -> None:
    here = fight("occult-ops", "a.b", a="gunman", b="gunman")
    here.do(Move("a", (parse_square("A1"), parse_square("B1"))))
    assert not [change for change in changes(here.battle, here.rules, Attack("a", "b")) if change.is_step]
    assert list(changes(here.battle, here.rules, Attack("b", "a"))) == []
    assert list(changes(here.battle, here.rules, Attack("a", "a"))) == []
