"""The balance adds up: hit points over loss a round are the rounds, and more opponents never help their targets."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from engine.battle.state.units import Unit
from engine.rules.model import Ruleset
from engine.tactics.balance import Balance, Kind, weigh
from engine.values import replace
from tests.rules.table import fight

ALL = ["aog", "cwn", "eva", "occult-ops", "volt"]


def kinds_in(rules: str) -> tuple[Ruleset, Unit, Unit]:
    """A ruleset with two of its archetypes, in cwn the second with armour that soaks."""
    here = fight(rules, "a.b", a="gunman", b="rifleman")
    return here.rules, here.unit("a"), here.unit("b")


def balance(rules: Ruleset, ours: Sequence[Kind], theirs: Sequence[Kind]) -> Balance:
    field_unit, square = ("metres", 150) if "metres" in rules.distance.ranges else ("feet", 500)
    return [*weigh(rules, ours, theirs, 4, field_unit, square)][-1]


@pytest.mark.long
@pytest.mark.parametrize("name", ALL)
def test_points_over_loss_are_the_rounds_and_more_opponents_last_longer(name: str) -> None:
    rules, one, other = kinds_in(name)
    ours = (Kind(one, 2), Kind(other))
    few, more = balance(rules, ours, (Kind(one, 2),)), balance(rules, ours, (Kind(one, 2), Kind(other, 2)))
    for side in (few.ours, few.theirs, more.ours, more.theirs):
        assert side.rounds and side.points == side.a_round * side.rounds
    assert more.ours.rounds and few.ours.rounds and more.ours.rounds < few.ours.rounds
    assert more.theirs.rounds and few.theirs.rounds and more.theirs.rounds > few.theirs.rounds


def test_who_is_out_counts_for_nothing() -> None:
    rules, one, other = kinds_in("cwn")
    gone = replace(one, pools={**one.pools, "hp": 0})
    foes = (Kind(other, 2),)
    alone, both = balance(rules, (Kind(one),), foes), balance(rules, (Kind(one), Kind(gone)), foes)
    assert (both.ours.count, both.ours.out, both.ours.points) == (1, 1, one.pools["hp"])
    assert both.ours.rounds == alone.ours.rounds and both.theirs == alone.theirs
    assert "your one (one is out) is down" in both.words


def test_armour_that_soaks_wears_off() -> None:
    rules, one, other = kinds_in("cwn")
    bare = replace(other, pools={**other.pools, "soak": 0})
    worn, without = (balance(rules, (Kind(one),), (Kind(each),)).theirs for each in (other, bare))
    assert worn.rounds is not None and without.rounds is not None
    assert without.rounds < worn.rounds < 3 * without.rounds, "5 points of soak against 15 hit points"


def test_the_words_name_the_points_and_the_rounds() -> None:
    rules, one, other = kinds_in("cwn")
    found = balance(rules, (Kind(one, 2),), (Kind(other),))
    loss = round(float(found.ours.a_round), 1)
    rounds = round(found.ours.rounds or Fraction(0))
    assert (
        f"They deal {loss} damage a round to your 30 hit points: your two are down in about {rounds} rounds."
        in found.words
    )
    assert "You deal" in found.words and "a round to their 15: their one is down" in found.words
