"""Those whom an attack on somebody else may strike instead: their chance and damage, beside what play does."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AreaRisk
from engine.battle.command import Attack
from engine.battle.commands.ruling_commands import SetRuling
from engine.values import replace
from tests.rules.table import Table, fight

ALIKE = {"a": "gunman", "b": "gunman", "c": "gunman"}


def melee(*rows: str, **roles: str) -> Table:
    """A shoots at B; C, and D if there is one, stand beside B and are A's friends."""
    return fight("aog", *(rows or ("a......b", ".......c")), allies="cd", **(roles or ALIKE))


def struck(table: Table, action: str = "") -> dict[str, AreaRisk]:
    shot = with_odds(table.battle, table.rules, table.shot(by="a", at="b", action=action))
    return {risk.unit.id: risk for risk in shot.struck_instead}


def test_a_shot_into_melee_strikes_the_friend_as_often_as_its_grade_says() -> None:
    table = melee()
    shot = table.shot(by="a", at="b")
    (risk,) = struck(table).values()
    assert risk.caught == {grade.id: chance for grade, chance in shot.odds.grades}["astray"] == Fraction(7, 20)
    assert 0 < risk.outlook.drop < risk.outlook.hurt < risk.caught


def test_the_dice_decide_between_several_friends() -> None:
    two = struck(melee("a.....db", ".......c", **ALIKE, d="rifleman"))
    assert {unit: risk.caught for unit, risk in two.items()} == {"c": Fraction(7, 40), "d": Fraction(7, 40)}


@pytest.mark.parametrize("action", ["careful", ""])
def test_nobody_else_is_struck_by_a_careful_shot_or_beside_nobody(action: str) -> None:
    table = melee() if action else fight("aog", "a......b", "c.......", allies="c", **ALIKE)
    assert struck(table, action) == {}


@pytest.mark.long
@pytest.mark.parametrize("degree", ["of the roll", pytest.param("simple", marks=pytest.mark.slow)])
def test_their_odds_are_those_of_play(degree: str) -> None:
    """Every roll is played; those that stray, with the further dice of 16 seeds: the loss, and how often."""
    table = melee(a="rifleman", b="gunman", c="gunman")
    if degree == "simple":
        table.do(SetRuling("friend_degree", degree))
    outlook, before, start = struck(table)["c"].outlook, table.unit("c"), table.battle
    hurt = drop = lost = Fraction(0)
    for roll in range(1, 101):
        times = 16 if int(f"{roll % 100:02d}"[::-1]) in range(1, 36) else 1
        for seed in range(times):
            table.battle = replace(start, dice=replace(start.dice, seed=f"{roll} {seed}"))
            table.do(Attack("a", "b"), (roll,))
            points, is_out = before.pools["hp"] - table.unit("c").pools["hp"], table.unit("c").is_defeated
            assert times > 1 or not points
            hurt, drop, lost = (
                hurt + Fraction(points > 0, times),
                drop + Fraction(is_out, times),
                lost + Fraction(points, times),
            )
    assert abs(hurt / 100 - outlook.hurt) < 0.02
    assert abs(drop / 100 - outlook.drop) < 0.03
    assert abs(lost / 100 - outlook.expected) < 0.2
