"""Flight: level along a move. Rising ground comes nearer, and what is higher than the flight is in the way."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.attacks.reactions import threatened
from engine.battle.command import EndTurn, Move
from engine.battle.distances import feet
from engine.battle.moves.movement_modes import MoveOptions
from engine.battle.moves.moves import movement_range, plan_path
from engine.battle.moves.pushing import pushed
from engine.battle.views.view import project
from engine.errors import Illegal
from engine.geometry.squares import Direction, parse_square
from engine.tactics.after_move import walked
from tests.rules.table import Table, fight

BLOCK = "[elevation]\nrows = '''\n.....rrrr...\n.....rrrr...\n'''\n[elevation.legend]\nr = 9"
"""A block of nine metres on the columns F to I."""
BANK = "[elevation]\nrows = '''\n..bbbb......\n..bbbb......\n'''\n[elevation.legend]\nb = 3"
"""A bank of three metres on C to F."""


def flight(altitude: float, toml: str, name: str = "cwn", at: str = "A1") -> Table:
    """A flyer, a, at a square, and a gunman, b, on L2."""
    rows = [["."] * 12, ["."] * 12]
    square = parse_square(at)
    rows[square.row][square.column], rows[1][11] = "a", "b"
    drawn = ("".join(row) for row in rows)
    return fight(name, *drawn, toml=toml, scale=(2, "metres"), altitudes={"a": altitude}, a="flyer", b="gunman")


def reached(table: Table, altitude: int | None = None) -> set[str]:
    found = movement_range(table.battle, table.rules, table.unit("a"), "", MoveOptions(altitude=altitude))
    return {square.name for reach in found.reaches for square in reach.costs}


def plan(table: Table, goal: str, altitude: int | None = None) -> str:
    """What a move costs, or why it is not possible."""
    manner, stops = MoveOptions(altitude=altitude), [parse_square(goal)]
    try:
        return str(plan_path(table.battle, table.rules, table.unit("a"), stops, "", manner).cost)
    except Illegal as reason:
        return str(reason)


@pytest.mark.parametrize("name", ["cwn", "eva", "aog", "volt", "occult-ops"])
def test_a_building_is_in_the_way_of_a_flyer_below_its_roof(name: str) -> None:
    table = flight(1, BLOCK, name, at="E1")
    assert not reached(table) & {"F1", "F2", "G1", "J1"}
    assert plan(table, "F1") == "F1 is out of reach: the ground at F1 lies 8 m above its flight."
    assert table.refusal(Move("a", table.way("a", "F1"))) == "The ground at F1 lies 8 m above its flight."


def test_to_go_over_a_building_a_flyer_climbs_and_pays() -> None:
    table = flight(1, BLOCK)
    assert plan(table, "F1", 1000) == "19/2"  # five squares, and nine metres at two a square
    assert plan(table, "F1", 900) == "9"
    table = flight(1, BLOCK, at="E1")
    assert (
        table.do(Move("a", table.way("a", "F1"), "", 1100))[-1] == "A moves E1 → F1, 6 squares, 2 m above the ground."
    )
    assert (table.unit("a").altitude, feet(table.battle.field, table.unit("a"))) == (200, 1100)
    assert table.refusal(Move("a", table.way("a", "G1"), "", -100)) == "A cannot be below the ground."


def test_level_flight_over_rising_and_falling_ground_costs_nothing_more() -> None:
    table = flight(4, BANK)
    assert [plan(table, goal) for goal in ("C1", "G1")] == ["2", "6"]
    assert table.walk("a", "D1")[-1] == "A moves A1 → D1, 3 squares, 1 m above the ground."
    assert table.unit("a").altitude == 100
    assert walked(table.battle, table.rules, "a", table.way("a", "G1")).unit("a").altitude == 400
    assert table.walk("a", "G1")[-1] == "A moves D1 → G1, 3 squares, 4 m above the ground."
    assert table.unit("a").altitude == 400


def test_a_flyer_lands_on_ground_as_high_as_its_flight() -> None:
    table = flight(3, BANK)
    assert table.walk("a", "C1")[-1] == "A moves A1 → C1, 2 squares and lands."
    assert not table.unit("a").altitude


def test_a_pushed_flyer_keeps_its_height_and_is_stopped_by_a_building() -> None:
    table = flight(1, BLOCK, at="D1")
    assert pushed(table.battle, table.rules, table.unit("a"), Direction.E, 3).path[-1].name == "E1"
    table = flight(1, BLOCK, at="F1")
    off = pushed(table.battle, table.rules, table.unit("a"), Direction.W, 3)
    assert (off.path[-1].name, off.drop) == ("C1", 0)


def test_who_is_near_a_flyer_s_path_is_asked_at_its_height_there() -> None:
    table = flight(1, BLOCK, at="I1").place("b", "K1")
    assert not threatened(table.battle, table.unit("a"))
    assert "J1" in {square.name for square in threatened(table.battle, table.place("a", "L1").unit("a"))}


def test_who_flies_at_the_same_height_over_other_ground_is_in_the_way() -> None:
    rows = ("a..c.......b", "............")
    altitudes = {"a": 4, "c": 1}
    table = fight("cwn", *rows, toml=BANK, scale=(2, "metres"), altitudes=altitudes, a="flyer", b="gunman", c="flyer")
    assert "enemy occupies D1" in table.refusal(Move("a", table.way("a", "D1")))
    assert plan(table, "D1", 500) == "7/2"


def band(table: Table) -> str:
    return project(table.battle, table.rules).units[0].altitude_band


def test_an_altitude_band_is_that_of_the_height_above_the_ground_where_it_is() -> None:
    table = flight(9.5, BLOCK, "eva", at="E1")
    assert band(table) == "Low"
    table.walk("a", "F1")
    assert band(table) == "Ground"
    table.walk("a", "E1")
    assert table.unit("a").altitude == 950


def test_moves_at_the_end_of_the_round_are_level_too() -> None:
    table = flight(4, BANK, "volt")
    table.walk("a", "D1")
    while table.battle.turns.declared:
        table.do(EndTurn())
    assert (table.unit("a").at.name, table.unit("a").altitude) == ("D1", 100)
    assert table.happened(ev.UnitMoved)[0].altitude == 100
