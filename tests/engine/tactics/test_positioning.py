"""Where to stand: exposure and the own best attack on a square are those of the very attacks, from there."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle.command import EndTurn
from engine.battle.commands.roster_commands import SetHidden
from engine.geometry.squares import Square, parse_square
from engine.tactics.positioning import coarse_first, evaluate_square, lattice, stand_in
from engine.values import replace
from tests.rules.table import fight


@pytest.mark.parametrize("rules", ["aog", "cwn", "eva", "occult-ops", "volt"])
def test_a_square_is_as_the_attacks_on_it_and_from_it_once_it_was_gone_to(rules: str) -> None:
    here = fight(rules, "a.......b", ".........", "....#...c", a="gunman", b="gunman", c="rifleman")
    way = here.way("a", "B2")
    found = evaluate_square(here.battle, here.rules, here.unit("a"), way)
    assert here.unit("a").at == parse_square("A1")
    here.walk("a", "B2")
    while here.unit("a").at != way[-1]:  # its way is walked when the round ends
        here.do(EndTurn())
    chances = {enemy: here.shot(by=enemy, at="a").odds.hit for enemy in "bc"}
    own = {enemy: here.shot(at=enemy).odds.hit for enemy in "bc"}
    assert dict(found.threats) == {enemy: chance for enemy, chance in chances.items() if chance}
    assert found.exposure == 1 - (1 - chances["b"]) * (1 - chances["c"])
    assert found.best == max(own.values()) == own[found.target]
    assert found.balance == found.best - found.exposure


def test_behind_a_wall_nobody_hits_and_nobody_is_hit() -> None:
    here = fight("cwn", "a.#....b", "..#.....", "..#.....", a="gunman", b="gunman")
    found = evaluate_square(here.battle, here.rules, here.unit("a"), (parse_square("B2"),))
    assert (found.threats, found.exposure, found.best, found.target) == ((), 0, 0, "")


def test_the_greatest_threat_comes_first_and_the_fallen_are_none() -> None:
    here = fight("occult-ops", "a..b.......c", a="gunman", b="gunman", c="gunman")
    found = evaluate_square(here.battle, here.rules, here.unit("a"), (parse_square("A1"),))
    assert [enemy for enemy, _ in found.threats] == ["b", "c"]
    fallen = here.battle.with_unit(replace(here.unit("b"), is_defeated=True))
    assert [
        enemy for enemy, _ in evaluate_square(fallen, here.rules, fallen.unit("a"), (parse_square("A1"),)).threats
    ] == ["c"]


def test_an_enemy_whom_the_gm_alone_sees_counts_neither_way() -> None:
    here = fight("occult-ops", "a..b.......c", a="gunman", b="gunman", c="gunman")
    here.do(SetHidden("b"))
    found = evaluate_square(here.battle, here.rules, here.unit("a"), (parse_square("A1"),))
    assert [enemy for enemy, _ in found.threats] == ["c"] and found.target == "c"


def test_nobody_to_fear() -> None:
    here = fight("occult-ops", "a..", a="gunman")
    found = evaluate_square(here.battle, here.rules, here.unit("a"), (parse_square("B1"),))
    assert (found.exposure, found.best, found.target) == (Fraction(0), Fraction(0), "")


@pytest.mark.parametrize(("name", "step"), [("A1", 4), ("E5", 4), ("C3", 2), ("A3", 2), ("B1", 1), ("D4", 1)])
def test_lattices(name: str, step: int) -> None:
    assert lattice(parse_square(name)) == step


def test_coarse_first_every_square_once_and_each_is_stood_in_for() -> None:
    squares = [Square(column, row) for column in range(9) for row in range(9)]
    order = coarse_first(squares)
    assert sorted(order) == sorted(squares)
    assert [lattice(square) for square in order] == sorted((lattice(square) for square in order), reverse=True)
    known = set(order[:9])
    assert all(stand_in(square, 4) in known for square in squares)


def test_after_a_whole_move_that_leaves_no_shot_there_is_none() -> None:
    """VOLT-15: after a full move only close combat is left."""
    here = fight("volt", "a..........b", a="gunman", b="gunman")
    near, far = (evaluate_square(here.battle, here.rules, here.unit("a"), here.way("a", goal)) for goal in ("B1", "F1"))
    assert near.best and not far.best
