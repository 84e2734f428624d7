"""The path that is taken of those that cost the same: fewest reactions, then fewest turns; against all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import count
from random import Random

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.geometry.battlefield import Battlefield
from engine.geometry.metric import METRICS
from engine.geometry.movement.best_path import Provoked, names_provoked, turns
from engine.geometry.movement.paths import path_cost, path_through
from engine.geometry.movement.reach import reach
from engine.geometry.movement.steps import MoveRules, refusal, refusal_to_pass, step_cost
from engine.geometry.squares import Direction, Square
from engine.values import replace
from tests.engine.geometry.drawing import drawn, random_field
from tests.engine.geometry.test_reach import any_rules, turnstiles
from tests.examples import examples, grid

SEEDS = st.integers(0, 10**9).map(Random)
Path = tuple[Square, ...]
MOST_STEPS = 20_000
"""A few examples in a thousand have millions of paths."""


def cheapest_paths(
    field: Battlefield, stops: Sequence[Square], most: Fraction, rules: MoveRules, odd: bool
) -> Iterator[Path]:
    """Every path through the stops that costs no more, by trying every step; an example with too many is left out."""
    start, tried = stops[0], count()

    def onward(path: Path, left: int, odd: bool, number: int) -> Iterator[Path]:
        while number < len(stops) and path[-1] == stops[number]:
            number += 1
            if number == len(stops):
                yield path
                number -= 1
                break
        if next(tried) > MOST_STEPS:
            reject()
        here, stop = path[-1], stops[number]
        if left <= 0 or max(abs(here.column - stop.column), abs(here.row - stop.row)) > left:
            return  # a step costs at least half a square
        for direction in Direction:
            there = path[-1].step(direction)
            if refusal(field, path[-1], direction, rules) or refusal_to_pass(there, rules, start):
                continue
            cost = step_cost(field, path[-1], direction, rules, odd)
            if cost <= left:
                turned = odd != (rules.metric == "alternating" and direction.is_diagonal)
                yield from onward((*path, there), left - cost, turned, number)

    yield from onward((start,), int(2 * most), odd, 1)


def provoking(random: Random, field: Battlefield) -> Provoked:
    """Somebody watches some squares, somebody else reacts to some steps: each name may be provoked in many places."""
    squares = field.squares()
    watched = {name: set(random.sample(squares, random.randrange(len(squares)))) for name in "abcd"}
    guarded = {name: set(random.sample(squares, random.randrange(len(squares)))) for name in "xyz"}

    def provoked(here: Square, there: Square, before: frozenset[str]) -> frozenset[str]:
        names = {name for name, seen in watched.items() if there in seen}
        names |= {name for name, near in guarded.items() if here in near and there not in near}
        return frozenset(names) - before

    return provoked


@pytest.mark.parametrize(("metric", "size"), grid(METRICS, (1, 2)))
@examples(60)
@given(random=SEEDS)
def test_no_path_that_costs_the_same_provokes_less_or_turns_less(metric: str, size: int, random: Random) -> None:
    field = random_field(random, 5, 4)
    if random.random() < 0.3:
        field = turnstiles(random, field)
    start, *stops = (
        Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
        for _ in range(random.choice((2, 2, 3)))
    )
    rules, odd, provoked = any_rules(random, field, metric, size), random.random() < 0.3, provoking(random, field)
    own = {Square(start.column + column, start.row + row) for column in range(size) for row in range(size)}
    rules = replace(rules, occupied={at: is_shut for at, is_shut in rules.occupied.items() if at not in own})
    try:
        path = path_through(field, (start, *stops), 6, rules, odd, provoked)
    except Illegal:
        return
    cost = path_cost(field, path, rules, odd)
    all_paths = list(cheapest_paths(field, (start, *stops), cost, rules, odd))
    assert path in all_paths
    best = min((len(names_provoked(one, provoked)), turns(one)) for one in all_paths)
    assert (len(names_provoked(path, provoked)), turns(path)) == best
    if len(stops) == 1:
        found = reach(field, start, 6, rules, odd)
        again = found.path(stops[0], provoked)
        assert (found.cost(stops[0]), len(names_provoked(again, provoked)), turns(again)) == (cost, *best)


def test_an_open_map_is_crossed_with_one_turn() -> None:
    field = drawn(*["." * 30] * 30)
    for goal in (Square(29, 0), Square(29, 12), Square(10, 29), Square(29, 29)):
        assert turns(reach(field, Square(0, 0), 40).path(goal)) == (goal not in (Square(29, 0), Square(29, 29)))
