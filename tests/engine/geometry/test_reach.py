"""Reach by bitboards against the plain search, on random maps of every kind and on maps at their limits."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import Illegal
from engine.geometry.battlefield import MAX_COLUMNS, Battlefield
from engine.geometry.metric import METRICS
from engine.geometry.movement.paths import path_cost
from engine.geometry.movement.reach import reach
from engine.geometry.movement.steps import MoveRules
from engine.geometry.squares import Direction, Square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.dijkstra import plain_reach
from tests.engine.geometry.drawing import DOOR, drawn, random_field
from tests.examples import examples, grid, sample

SEEDS = st.integers(0, 10**9).map(Random)
HALF = Fraction(1, 2)


def turnstiles(random: Random, field: Battlefield) -> Battlefield:
    """The same map with half of its barriers let through in one direction."""
    ways = [Direction.N, Direction.E, Direction.S, Direction.W]
    return replace(
        field,
        barriers={
            edge: replace(barrier, walked_through=random.choice([None, random.choice(ways)]))
            for edge, barrier in field.barriers.items()
        },
    )


def any_rules(random: Random, field: Battlefield, metric: str, size: int) -> MoveRules:
    others = random.sample(field.squares(), min(len(field.squares()), random.choice([0, 3, 8])))
    return MoveRules(
        metric,
        {square: random.random() < 0.5 for square in others},
        size,
        climb_cost=random.randrange(4) * HALF,
        flies=random.random() < 0.2,
        feet=random.choice([0, 120, 200, 400]),
        pace=random.choice([Fraction(1), Fraction(1), Fraction(2), Fraction(3, 2), HALF]),
        door_cost=random.choice([None, Fraction(0), HALF, Fraction(1)]),
    )


@pytest.mark.long
@pytest.mark.parametrize(("metric", "size"), grid(METRICS, (1, 2, 3, 4)))
@examples(25)
@given(random=SEEDS)
def test_it_agrees_with_the_plain_search(metric: str, size: int, random: Random) -> None:
    field = random_field(random, random.choice([size, 7, 9, 17]), random.choice([size, 6, 9]))
    if random.random() < 0.3:
        field = turnstiles(random, field)
    start = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    rules, budget = any_rules(random, field, metric, size), random.randrange(30) * HALF
    odd = random.random() < 0.3
    found = reach(field, start, budget, rules, odd)
    expected = plain_reach(field, start, budget, rules, odd)
    assert dict(found.costs) == expected
    assert list(found.costs.values()) == sorted(found.costs.values())
    for goal, cost in expected.items():
        assert goal in found
        assert found.cost(goal) == cost
        path = found.path(goal)
        assert (path[0], path[-1]) == (start, goal)
        assert path_cost(field, path, rules, odd) == cost


@pytest.mark.parametrize("metric", METRICS)
def test_maps_at_their_limits(metric: str) -> None:
    rules = MoveRules(metric)
    assert dict(reach(drawn("."), Square(0, 0), 9, rules).costs) == {Square(0, 0): 0}
    for field in (drawn("........."), drawn(*["."] * 9), drawn("###", "###"), drawn("..", "..")):
        for start in field.squares():
            for budget in (0, HALF, 1, 99):
                assert dict(reach(field, start, budget, rules).costs) == plain_reach(field, start, budget, rules)
    assert dict(reach(drawn("..."), Square(1, 0), -3, rules).costs) == {Square(1, 0): 0}


@pytest.mark.long
@pytest.mark.parametrize("metric", sample(METRICS))
def test_the_largest_map_to_its_edges(metric: str) -> None:
    field = drawn(*["." * MAX_COLUMNS] * 500)
    for start in (Square(0, 0), Square(499, 499), Square(250, 3)):
        found = reach(field, start, 7, MoveRules(metric))
        assert dict(found.costs) == plain_reach(field, start, 7, MoveRules(metric))


def test_a_budget_past_the_whole_map() -> None:
    whole = reach(drawn(*["." * MAX_COLUMNS] * 500), Square(0, 0), 10**9)
    assert whole.cost(Square(499, 499)) == 499
    assert len(whole.path(Square(499, 250))) == 500


def test_an_answer_kept_for_one_map_is_not_given_for_another() -> None:
    start, goal = Square(0, 0), Square(1, 0)
    field = drawn("..", barriers={"B1 W": DOOR})
    assert goal not in reach(field, start, 1)
    (edge,) = field.barriers
    assert goal in reach(with_barriers(field, [edge], replace(DOOR, state="open")), start, 1)
    assert goal in reach(field, start, 2, MoveRules(door_cost=Fraction(1)))
    assert goal not in reach(field, start, 1)
    assert goal not in reach(drawn(".#"), start, 1)
    assert goal in reach(drawn(".#"), start, 1, MoveRules(flies=True, feet=10**9))
    assert reach(drawn(".~"), start, 2).cost(goal) == 2
    assert reach(drawn(".."), start, 2).cost(goal) == 1


def test_what_is_out_of_reach_is_said_so() -> None:
    found = reach(drawn("...."), Square(0, 0), 1)
    for goal in (Square(3, 0), Square(-1, 0), Square(0, 9)):
        assert goal not in found
        with pytest.raises(Illegal, match="is out of reach"):
            found.path(goal)
        assert list(found.arrivals(goal)) == []


@pytest.mark.parametrize("metric", METRICS)
@examples(60)
@given(random=SEEDS)
def test_a_way_of_one_s_own_costs_what_its_steps_cost(metric: str, random: Random) -> None:
    size = random.choice([1, 1, 2])
    field = random_field(random, 9, 9)
    start = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    rules, budget = any_rules(random, field, metric, size), random.randrange(20) * HALF
    odd = random.random() < 0.5
    found = reach(field, start, budget, rules, odd)
    for _ in range(12):
        path = [start]
        for _ in range(random.randrange(1, 7)):
            path.append(path[-1].step(random.choice(list(Direction))))
        try:
            cost = path_cost(field, path, rules, odd)
        except Illegal:
            cost = budget + 1
        assert found.cost_along(path) == (cost if cost <= budget else None)


def test_ways_keep_straight_where_they_can() -> None:
    found = reach(drawn(*["." * 9] * 9), Square(4, 4), 4)
    for goal in (Square(8, 4), Square(4, 0), Square(0, 4), Square(4, 8), Square(0, 0), Square(8, 8)):
        path = found.path(goal)
        assert len({Direction.towards(here, there) for here, there in pairwise(path)}) == 1
