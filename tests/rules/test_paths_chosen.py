"""The path that a unit is given provokes as little as any that costs the same, and its preview says how much."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.battle.attacks.reactions import MoveReactions, draws
from engine.battle.moves.movement_modes import move_rules
from engine.battle.moves.moves import movement_range, plan_path
from engine.errors import Illegal
from engine.geometry.movement.best_path import turns
from engine.geometry.movement.paths import path_cost
from engine.geometry.squares import Square
from engine.rules.expressions import constant
from engine.rules.origin import Origin
from engine.rules.reaction_rules import Reaction
from engine.values import replace
from rulesets import shipped_rulesets
from tests.engine.geometry.test_best_path import cheapest_paths
from tests.examples import examples, sample
from tests.rules.table import Table, fight

SEEDS = st.integers(0, 10**9).map(Random)
COLUMNS, ROWS = 6, 4
TRIGGERS = ("leaves reach", "enters reach", "moves in sight")


def any_fight(ruleset: str, random: Random) -> Table:
    """A unit among enemies on a small map, half of the time with reactions to everything that a step may be."""
    columns, rows = COLUMNS, ROWS
    cells = random.choices(".#~", (9, 1, 1), k=columns * rows)
    letters = "abcde"[: random.randrange(2, 6)]
    for letter, place in zip(letters, random.sample(range(columns * rows), len(letters)), strict=True):
        cells[place] = letter
    drawn = ["".join(cells[row * columns : (row + 1) * columns]) for row in range(rows)]
    table = fight(ruleset, *drawn, **dict.fromkeys(letters, ROLES[ruleset]))
    if random.random() < 0.5:
        chosen = random.sample(TRIGGERS, random.randrange(1, 4))
        reactions = tuple(
            Reaction(f"r{number}", "looks up", trigger, constant(True), (), Origin("ours"))
            for number, trigger in enumerate(chosen)
        )
        table.rules = replace(table.rules, turns=replace(table.rules.turns, reactions=reactions))
    return table


ROLES = {"aog": "brawler", "cwn": "brawler", "eva": "brawler", "occult-ops": "brawler", "volt": "rifleman"}


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sample(sorted(shipped_rulesets()), 2))
@examples(100)
@given(random=SEEDS)
def test_no_path_that_costs_the_same_provokes_fewer_reactions(ruleset: str, random: Random) -> None:
    table = any_fight(ruleset, random)
    battle, rules, unit = table.battle, table.rules, table.unit("a")
    goal = Square(random.randrange(COLUMNS), random.randrange(ROWS))
    via = [Square(random.randrange(COLUMNS), random.randrange(ROWS))] if random.random() < 0.3 else []
    assume(goal != unit.at)
    try:
        planned = plan_path(battle, rules, unit, [*via, goal])
    except Illegal:
        return
    action = planned.stride.action
    assert planned.reactions == draws(battle, rules, unit, planned.path, action), "as the move itself will have it"
    how, seen = move_rules(battle, rules, unit), MoveReactions(battle, rules, unit, action)
    every = list(cheapest_paths(battle.field, (unit.at, *via, goal), planned.cost, how, unit.turn.odd_diagonals))
    assert planned.path in every
    best = min((len(seen.along(path)), turns(path)) for path in every)
    assert (len(planned.reactions), turns(planned.path)) == best
    if not via:
        found = movement_range(battle, rules, unit)
        path = found.path(goal)
        assert (len(draws(battle, rules, unit, path, action)), turns(path)) == best


@pytest.mark.long
@examples(12)
@given(random=SEEDS)
def test_a_charge_takes_the_best_of_the_paths_that_end_straight(random: Random) -> None:
    table = any_fight("eva", random)
    battle, rules, unit = table.battle, table.rules, table.unit("a")
    found, how = movement_range(battle, rules, unit, "charge"), move_rules(battle, rules, unit)
    if not found.strides:
        return
    action, odd = found.strides[0].action, unit.turn.odd_diagonals
    seen = MoveReactions(battle, rules, unit, action)
    near = sorted(goal for goal, cost in found.reaches[0].costs.items() if cost <= 5)
    for goal in random.sample(near, min(3, len(near))):
        cost, path = found.reaches[0].costs[goal], found.path(goal)
        assert len(path) > action.straight_last and not turns(path[-action.straight_last - 1 :])
        every = [
            one
            for one in cheapest_paths(battle.field, (unit.at, goal), cost, how, odd)
            if len(one) > action.straight_last
            and not turns(one[-action.straight_last - 1 :])
            and len(set(one)) == len(one)
        ]
        assert path in every and all(path_cost(battle.field, one, how, odd) == cost for one in every)
        best = min((len(seen.along(one)), turns(one)) for one in every)
        assert (len(draws(battle, rules, unit, path, action)), turns(path)) == best


@pytest.mark.parametrize("ruleset", ["eva", "occult-ops"])
def test_a_unit_goes_round_an_enemy_where_that_costs_no_more(ruleset: str) -> None:
    """The enemy stands beside the first half of the way; a zigzag past it would be attacked twice."""
    rows = ["........", "..b.....", "........", "...a....", "........", "........", "........"]
    table = fight(ruleset, *rows, a=ROLES[ruleset], b=ROLES[ruleset])
    unit = table.unit("a")
    planned = plan_path(table.battle, table.rules, unit, [Square(4, 6)])
    assert planned.reactions == () and turns(planned.path) == 1
