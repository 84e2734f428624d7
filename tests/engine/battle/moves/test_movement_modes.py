"""Modes in play: which one a unit moves in, heights in the ruleset's unit, doors opened on the way, way-points."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.command import Move
from engine.battle.moves.movement_modes import MoveOptions, mode_of, move_rules
from engine.battle.moves.moves import movement_range, plan_path
from engine.errors import Illegal, Unknown
from engine.geometry.squares import Square, parse_square
from engine.rules.expressions import compile_expression, constant
from engine.rules.origin import Origin
from engine.rules.space_rules import Mode
from engine.values import replace
from tests.rules.table import Table, fight

OCC, CWN = "occult-ops", "cwn"
OURS = Origin("ours")
DOOR = '[[edge]]\nat = "C1"\nside = "W"\nkind = "door"'
CRAWL = Mode("crawl", "crawl", compile_expression("unit.posture == 'prone'", {"unit.posture": ""}), OURS, Fraction(2))


def walker(*modes: Mode, rows: tuple[str, ...] = ("a.......b",), name: str = CWN, toml: str = "") -> Table:
    table = fight(name, *rows, a="gunman", b="gunman", toml=toml)
    table.rules = replace(table.rules, space=replace(table.rules.space, modes=modes))
    return table


def names(text: str) -> list[Square]:
    return [parse_square(name) for name in text.split()]


def test_the_first_mode_that_holds_is_moved_in() -> None:
    table = walker(CRAWL, Mode("walk", "walk", constant(True), OURS))
    assert mode_of(table.battle, table.rules, table.unit("a")).id == "walk"
    table.posture("a", "prone")
    assert mode_of(table.battle, table.rules, table.unit("a")).id == "crawl"
    assert move_rules(table.battle, table.rules, table.unit("a")).pace == 2
    assert move_rules(table.battle, table.rules, table.unit("a"), "walk").pace == 1
    with pytest.raises(Unknown, match="Did you mean 'crawl'"):
        mode_of(table.battle, table.rules, table.unit("a"), "crwal")


def test_without_modes_a_unit_walks() -> None:
    table = walker()
    assert mode_of(table.battle, table.rules, table.unit("a")).id == "walk"


def test_crawling_leads_half_as_far_and_a_path_pays_for_it() -> None:
    table = walker(replace(CRAWL, when=constant(True)))
    assert (
        max(square.column for square in movement_range(table.battle, table.rules, table.unit("a")).reaches[0].costs)
        == 2
    )
    table.walk("a", "C1")
    assert table.unit("a").turn.moved == 4


def test_a_closed_door_is_opened_on_the_way_where_the_rules_say_what_it_costs() -> None:
    table = walker(Mode("walk", "walk", constant(True), OURS, door_cost=Fraction(1)), toml=DOOR)
    way = plan_path(table.battle, table.rules, table.unit("a"), names("D1"))
    assert ([edge.name for edge in way.doors], way.cost) == (["C1 W"], 4)
    table.do(Move("a", way.path))
    (opened,) = table.happened(ev.BarrierChanged)
    assert (opened.edge.name, opened.before, opened.after) == ("C1 W", "closed", "open")
    assert table.unit("a").at.name == "D1"
    assert table.battle.field.barriers[opened.edge].is_open


def test_a_door_of_two_edges_is_opened_once_by_who_walks_through_both() -> None:
    gate = DOOR.replace('"C1"', '["C1", "C2"]') + '\ndoor = "gate"'
    mode = Mode("walk", "walk", constant(True), OURS, door_cost=Fraction(0))
    table = walker(mode, rows=("a.......b", "........."), toml=gate)
    way = plan_path(table.battle, table.rules, table.unit("a"), names("C1 C2 B2"))
    assert [edge.name for edge in way.doors] == ["C1 W"]
    table.do(Move("a", way.path))
    (opened,) = table.happened(ev.BarrierChanged)
    assert [table.battle.field.barriers[edge].state for edge in table.battle.field.one_door(opened.edge)] == [
        "open"
    ] * 2


def test_a_way_through_several_squares_takes_the_first_stride_that_is_long_enough() -> None:
    table = fight(OCC, "a.......", "........", "........", "...b....", a="gunman", b="gunman")
    way = plan_path(table.battle, table.rules, table.unit("a"), names("C1 B1 E2"))
    assert (way.stride.action.id, way.cost) == ("move", 6)
    assert way.path[2] == parse_square("C1")
    assert way.path.index(parse_square("B1"), 3) == 3
    assert way.path[-1] == parse_square("E2")
    step = plan_path(table.battle, table.rules, table.unit("a"), names("B1"), "step")
    assert step.stride.action.id == "step"


def test_what_stops_the_longest_stride_is_reported() -> None:
    table = fight(OCC, "a...#.........", "....#.........", "...b#.........", a="gunman", b="gunman")
    with pytest.raises(Illegal, match=r"^Leg 2, C1 to G1: G1 is out of reach\.$"):
        plan_path(table.battle, table.rules, table.unit("a"), names("C1 G1"))


def test_a_straight_move_has_no_way_points() -> None:
    table = fight(CWN, "a.......b", a="gunman", b="gunman")
    assert plan_path(table.battle, table.rules, table.unit("a"), names("F1"), "charge").path == tuple(
        names("A1 B1 C1 D1 E1 F1")
    )
    with pytest.raises(Illegal, match="“Charge” needs one straight line, and none leads to F1"):
        plan_path(table.battle, table.rules, table.unit("a"), names("C1 F1"), "charge")


def test_a_flyer_rises_first_and_continues_with_what_is_left() -> None:
    table = fight(CWN, "a...........#.b", a="drone", b="gunman", altitudes={"a": 2})
    unit, here = table.unit("a"), movement_range(table.battle, table.rules, table.unit("a"))
    higher = movement_range(table.battle, table.rules, unit, manner=MoveOptions(altitude=600))
    assert higher.strides[0].squares == here.strides[0].squares - 2  # 4 m are two squares of 2 m
    assert len(higher.reaches[0].costs) < len(here.reaches[0].costs)
    way = plan_path(table.battle, table.rules, unit, names("B1"), manner=MoveOptions(altitude=600))
    assert way.cost == 3
    assert movement_range(table.battle, table.rules, unit, manner=MoveOptions(altitude=90000)).strides == ()
