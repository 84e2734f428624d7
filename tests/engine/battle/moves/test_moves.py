"""Moves: strides paid for once and walked in parts, what stops a walk, and what the board offers."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.other_actions import possible_targets, refusal
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.moves.movement_modes import MoveOptions
from engine.battle.moves.moves import movement_range, plan_path, strides
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.battle.state.codec import parse_edge
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Direction, Square, parse_square
from engine.journal.history import History, event_rows, further
from engine.values import replace
from maps import load_map, parse_map, shipped_maps
from rulesets import shipped_rulesets
from tests.examples import grid
from tests.rules.table import Table, fight, ruleset
from tui.application.library.battle_files import Scenario, begin_battle, open_battle

OCC, CWN = "occult-ops", "cwn"
DOOR = '[[edge]]\nat = "C1"\nside = "W"\nkind = "door"'
"""A closed door between B1 and C1."""


def runner(*rows: str, name: str = OCC, toml: str = "", **roles: str) -> Table:
    """A gunman (7 squares a move) on an open field, unless the rows say otherwise; an enemy far off."""
    return fight(name, *(rows or ("a...................b",)), a="gunman", toml=toml, **(roles or {"b": "gunman"}))


# --- strides --------------------------------------------------------------------------------------------------------


def test_a_move_is_walked_in_parts_and_paid_for_once() -> None:
    table = runner()
    table.walk("a", "D1")
    assert len(table.happened(ev.ActionTaken)) == 1
    unit = table.unit("a")
    assert (unit.turn.stride, unit.turn.stride_action, unit.turn.budget["move"]) == (4, "move", 0)
    table.do(Attack("a", "b"), (95,), (20,))
    table.walk("a", "F1")
    assert not table.happened(ev.ActionTaken)
    assert (table.unit("a").turn.stride, table.unit("a").turn.moved) == (2, 5)
    assert table.refusal(Move("a", table.way("a", "I1"))) == (
        "A cannot move to I1: 3 squares needed, 2 left this turn."
    )
    table.walk("a", "H1")
    assert table.unit("a").turn.stride == 0
    assert table.refusal(Move("a", table.way("a", "I1"))) == "A has no move left this turn."


def test_what_is_left_of_a_stride_goes_when_another_move_is_paid_for() -> None:
    table = runner(name=CWN)
    table.walk("a", "C1")
    assert table.unit("a").turn.stride == 3
    table.walk("a", "G1")
    assert (table.unit("a").turn.stride_action, table.unit("a").turn.stride) == ("second-move", 1)
    assert (table.unit("a").turn.budget["main"], table.unit("a").turn.budget["move"]) == (0, 0)


def test_what_is_left_of_a_stride_does_not_outlast_the_turn() -> None:
    table = runner()
    table.walk("a", "D1")
    table.turn_of("a")
    assert table.unit("a").turn.stride == 0
    assert [way.is_paid for way in strides(table.battle, table.rules, table.unit("a"))] == [False, False]


def test_without_a_name_only_moves_that_do_nothing_else_are_taken() -> None:
    """A run costs fatigue and attacks: nobody runs by walking far."""
    table = runner()
    table.do(Move("a", tuple(Square(column, 0) for column in range(8))))
    assert table.unit("a").turn.stride_action == "move"
    table = runner()
    far = tuple(Square(column, 0) for column in range(15))
    assert table.refusal(Move("a", far[:9])) == "A cannot move to I1: 8 squares needed, 7 left this turn."
    table.do(Move("a", far, "run"))
    assert table.unit("a").turn.stride_action == "run"


def test_a_named_move_goes_no_further_than_itself() -> None:
    table = runner()
    assert table.refusal(Move("a", table.way("a", "I1"), "move")) == (
        "A cannot move to I1: 8 squares needed, 7 left this turn."
    )


def test_a_move_does_what_its_action_does_and_only_once() -> None:
    table = runner()
    table.walk("a", "C1", action="run")
    assert table.unit("a").pools["fatigue"] == 9
    assert table.unit("a").conditions == ("running",)
    table.walk("a", "E1", action="run")
    assert table.unit("a").pools["fatigue"] == 9


def test_walking_turns_the_unit_and_counts_its_squares() -> None:
    table = runner("....", ".a..", "....", "...b", b="gunman")
    lines = table.walk("a", "C1")
    assert table.unit("a").facing is Direction.NE
    assert lines == ["A moves B2 → C1, 1 square."]
    table.walk("a", "A1")
    assert table.unit("a").facing is Direction.W
    assert (table.unit("a").turn.moved, table.unit("a").turn.start.name) == (3, "B2")


def test_difficult_ground_costs_twice() -> None:
    table = runner("a,,.....b", b="gunman")
    table.walk("a", "D1")
    assert (table.unit("a").turn.moved, table.unit("a").turn.stride) == (5, 2)


# --- refusals -------------------------------------------------------------------------------------------------------


def test_a_path_begins_where_the_unit_stands_and_leads_somewhere() -> None:
    table = runner()
    assert table.refusal(Move("a", (Square(1, 0), Square(2, 0)))) == "The path must start at A1, where A stands."
    assert table.refusal(Move("a", ())) == "The path must start at A1, where A stands."
    assert table.refusal(Move("a", (Square(0, 0),))) == "A already stands on A1."


def test_nobody_jumps_leaves_the_map_or_goes_through_walls() -> None:
    table = runner("a.#b", "....", b="gunman")
    assert table.refusal(Move("a", (Square(0, 0), Square(0, 2)))) == "A1 and A3 are not adjacent."
    assert table.refusal(Move("a", (Square(0, 0), Square(-1, 0)))) == "The map ends at A1."
    assert table.refusal(Move("a", table.way("a", "C1"))) == "The wall blocks C1."


def test_enemies_let_nobody_through_and_friends_nobody_stay() -> None:
    table = runner("ac.b...", c="gunman", b="gunman")
    assert table.refusal(Move("a", table.way("a", "C1"))) == "An enemy occupies B1."
    friends = fight(OCC, "ac.b...", a="gunman", c="gunman", b="gunman", allies="c")
    assert friends.refusal(Move("a", friends.way("a", "B1"))) == "B1 is occupied."
    friends.walk("a", "C1")


def test_one_walks_over_the_fallen() -> None:
    table = runner("ac.b...", c="gunman", b="gunman")
    table.do(SetPool("c", "hp", 0))
    table.walk("a", "B1")
    assert table.battle.at(Square(1, 0)) == table.unit("a")


def test_a_closed_door_stops_a_walk_until_it_is_opened() -> None:
    table = runner("a....b", toml=DOOR, b="gunman")
    assert table.refusal(Move("a", table.way("a", "C1"))) == "A closed door stands between B1 and C1."
    table.do(SetBarrier(parse_edge("C1 W"), "open"))
    table.walk("a", "C1")


def test_an_unknown_move_is_refused_with_the_nearest_name() -> None:
    table = runner()
    assert table.refusal(Move("a", table.way("a", "B1"), "rnu")) == "No move is called 'rnu'. Did you mean 'run'?"
    assert "No move is called 'dodge'" in table.refusal(Move("a", table.way("a", "B1"), "dodge"))
    assert "No unit is called 'z'" in table.refusal(Move("z", table.way("a", "B1")))


@pytest.mark.parametrize("posture", ["standing", "kneeling", "prone"])
@pytest.mark.parametrize("name", [OCC, CWN])
def test_an_act_is_greyed_out_exactly_when_it_is_refused_and_for_the_same_reason(name: str, posture: str) -> None:
    table = runner(name=name)
    table.walk("a", "B1")
    if posture != "standing":
        table.posture("a", posture)
    for action in table.rules.actions.values():
        if action.kind != "other":
            continue
        on = next((other.id for other in possible_targets(table.battle, table.rules, table.unit("a"), action)), "")
        on = on if action.target else ""
        if action.target and not on:
            continue
        shown = refusal(table.battle, table.rules, table.unit("a"), action, on)
        try:
            decide(table.battle, Act("a", action.id, on), table.rules)
            assert not shown
        except Illegal as reason:
            assert shown == reason.brief
            assert shown.rstrip(".") in str(reason)


# --- what the board offers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "name"), grid(shipped_maps(), shipped_rulesets()))
def test_whatever_is_offered_can_be_walked_and_nothing_else(name: str, place: str) -> None:
    random, rules = Random(7), ruleset(name)
    drawn = load_map(shipped_maps()[place])
    battle = apply_all(Battle(drawn.battlefield), [begin(drawn.placements, rules, place)])
    battle = apply_all(battle, decide(battle, RollInitiative(), rules))
    unit = battle.unit(battle.turns.active)
    offered = movement_range(battle, rules, unit)
    goals = {square for found in offered.reaches for square in found.costs} - {unit.at}
    assert goals
    for square in random.sample(sorted(goals), min(15, len(goals))):
        path = offered.path(square)
        events = decide(battle, Move(unit.id, path), rules)
        moved = apply_all(battle, events)
        after, stride = moved.unit(unit.id), offered.strides[offered.stride_to(square) or 0]
        if stride.action.is_at_round_end:
            assert after.at == unit.at
            assert [(way.action, way.path) for way in moved.turns.declared] == [(stride.action.id, path)]
            continue
        if held := [event.held for event in events if isinstance(event, ev.CommandHeld)]:
            assert after.at == held[0].path[0] and path[-len(held[0].path) :] == held[0].path  # a reaction stops it
            continue
        assert after.at == square
        assert after.turn.stride_action == stride.action.id
        assert after.turn.moved + after.turn.stride == stride.squares
        assert after.turn.moved == offered.reaches[offered.stride_to(square) or 0].cost(square)
    longest = max((way.squares for way in offered.strides), default=Fraction(0))
    for square in random.sample(drawn.battlefield.squares(), 40):
        if square not in goals and square != unit.at:
            with pytest.raises(Illegal):
                offered.path(square)
            if max(abs(square.column - unit.at.column), abs(square.row - unit.at.row)) > longest:
                with pytest.raises(BattleboardError):
                    decide(battle, Move(unit.id, _straight(unit.at, square)), rules)


def _straight(start: Square, goal: Square) -> tuple[Square, ...]:
    path = [start]
    while path[-1] != goal:
        here = path[-1]
        dx, dy = goal.column - here.column, goal.row - here.row
        path.append(Square(here.column + (dx > 0) - (dx < 0), here.row + (dy > 0) - (dy < 0)))
    return tuple(path)


def test_a_flyer_rises_before_it_moves_and_pays_for_it() -> None:
    table = fight("cwn", "a......b", a="flyer", b="gunman", altitudes={"a": 4})
    before = movement_range(table.battle, table.rules, table.unit("a")).strides[0].squares
    table.do(Move("a", table.way("a", "C1"), "", 800))
    assert (table.unit("a").altitude, table.unit("a").at.name) == (800, "C1")
    assert table.unit("a").turn.stride == before - 2 - 2
    table.do(Move("a", (table.unit("a").at,), "", 600))
    assert table.unit("a").altitude == 600
    assert table.unit("a").turn.stride == before - 5


def test_a_flyer_does_not_come_down_on_somebody_before_it_moves() -> None:
    table = fight("cwn", "a......b", a="flyer", b="gunman", altitudes={"a": 4})
    table.do(Place("b", table.unit("a").at))
    refused = "A cannot stand on A1: B is there."
    assert table.refusal(Move("a", (table.unit("a").at, Square(1, 0)), "", 0)) == refused
    with pytest.raises(Illegal, match=refused):
        movement_range(table.battle, table.rules, table.unit("a"), manner=MoveOptions(altitude=0))


def test_who_does_not_fly_does_not_rise() -> None:
    table = fight("cwn", "a......b", a="gunman", b="gunman")
    assert table.refusal(Move("a", table.way("a", "C1"), "", 800)) == "A cannot fly."


def straight_at_the_end(last: int) -> Table:
    table = fight("cwn", "a......", ".......", "...#...", ".......", "......b", a="gunman", b="gunman")
    charge = replace(table.rules.actions["move"], id="dash", label="Dash", straight_last=last)
    table.rules = replace(table.rules, actions={**table.rules.actions, "dash": charge})
    return table


def test_a_move_may_ask_for_a_straight_last_stretch() -> None:
    table = straight_at_the_end(3)
    found = movement_range(table.battle, table.rules, table.unit("a"), "dash")
    assert found.stride_to(Square(3, 0)) == 0
    assert found.stride_to(Square(2, 0)) is None
    for goal in found.reaches[0].costs:
        path = found.path(goal)
        assert len({(b.column - a.column, b.row - a.row) for a, b in pairwise(path[-4:])}) == 1
        table.do(Move("a", path, "dash"))
        table = straight_at_the_end(3)


def test_a_crooked_end_is_refused() -> None:
    table = straight_at_the_end(3)
    assert "must end with 3 squares in one direction" in table.refusal(Move("a", table.way("a", "B2", "D2"), "dash"))


def test_a_flyer_does_not_sink_into_somebody_nor_below_the_ground() -> None:
    table = fight("occult-ops", "a..b", a="flyer", b="gunman", altitudes={"a": 20}).place("a", "D1")
    assert "B is there" in table.refusal(Move("a", (table.unit("a").at,), altitude=0))
    assert "below the ground" in table.refusal(Move("a", (table.unit("a").at,), altitude=-500))


# --- diagonals that alternate ---------------------------------------------------------------------------------------


def alternating(rows: int = 9) -> Table:
    """A gunman of a ruleset with alternating diagonals in the north-west corner of an open field, an enemy far off."""
    return fight("aog", "a........", *["." * 9] * (rows - 2), "........b", scale=(1, "metres"), a="gunman", b="gunman")


def test_three_single_diagonals_cost_what_one_path_of_three_costs() -> None:
    whole, parts = alternating(), alternating()
    whole.walk("a", "D4")
    costs = []
    for square in ("B2", "C3", "D4"):
        before = parts.unit("a").turn.moved
        parts.walk("a", square)
        costs.append(parts.unit("a").turn.moved - before)
    assert costs == [1, 2, 1]
    assert parts.unit("a").turn.moved == whole.unit("a").turn.moved == 4
    assert parts.unit("a").turn.stride == whole.unit("a").turn.stride


def test_what_is_offered_after_an_odd_number_of_diagonals_is_what_is_charged() -> None:
    table = alternating()
    table.walk("a", "B2")
    offered = movement_range(table.battle, table.rules, table.unit("a"))
    goal = parse_square("C3")
    assert offered.reaches[0].cost(goal) == 2
    assert plan_path(table.battle, table.rules, table.unit("a"), [goal]).cost == 2
    assert plan_path(table.battle, table.rules, table.unit("a"), [parse_square("B3"), parse_square("C4")]).cost == 3
    table.walk("a", "C3")
    assert table.happened(ev.UnitMoved)[0].cost == 2


def test_the_count_of_diagonals_lives_through_the_turn_and_no_longer() -> None:
    def next_diagonal() -> Fraction:
        found = movement_range(table.battle, table.rules, table.unit("a"))
        return found.reaches[0].cost(table.unit("a").at.step(Direction.SE))

    table = alternating()
    assert next_diagonal() == 1
    table.walk("a", "B2", "B3", "B2")
    assert next_diagonal() == 2, "straight steps do not change it"
    table.do(Place("a", parse_square("A1")))
    assert next_diagonal() == 2, "nor does the GM's hand"
    table.turn_of("a")
    assert next_diagonal() == 1
    table.walk("a", "B2")
    assert table.happened(ev.UnitMoved)[0].cost == 1


def test_the_count_of_diagonals_is_undone_and_survives_reopening(tmp_path: Path) -> None:
    text = 'format = 1\nname = "Yard"\n[scale]\nsquare = 1\nunit = "metres"\n[map]\nsquares = """\n'
    text += ".....\n" * 5 + '"""\n'
    text += '[[unit]]\nid = "a"\nrole = "gunman"\nside = "a"\nat = "A1"\n'
    session = begin_battle(Scenario(parse_map(text, "y.toml"), "y.toml", ruleset("aog")), "seed", tmp_path)
    session.submit(RollInitiative())
    session.submit(Move("a", (parse_square("A1"), parse_square("B2"))))
    odd = session.battle.encode()
    session.submit(Move("a", (parse_square("B2"), parse_square("C3"))))
    assert session.battle.units["a"].turn.moved == 3
    session.undo()
    assert session.battle.encode() == odd
    path = session.journal.path
    session.close()
    session = open_battle(path)
    assert session.battle.encode() == odd
    session.submit(Move("a", (parse_square("B2"), parse_square("C3"))))
    assert session.battle.units["a"].turn.moved == 3
    session.close()


def test_a_battle_saved_before_diagonals_were_counted_still_opens() -> None:
    table = alternating()
    ((kind, body),) = event_rows([ev.BattleBegan((table.unit("a"), table.unit("b")), "seed")])
    for unit in body["units"]:
        del unit["turn"]["odd_diagonals"]
    history = further(History(Battle(table.battle.field)), [(kind, body)])
    assert history.battle.units["a"] == table.unit("a")


def furthest(table: Table) -> int:
    """The last column of the first row that one move of A leads to."""
    unit = table.unit("a")
    for column in range(unit.at.column + 1, 99):
        try:
            plan_path(table.battle, table.rules, unit, (Square(column, 0),))
        except Illegal:
            return column - 1
    return 98


@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_what_one_move_does_not_reach_is_said_with_the_moves_that_do(name: str) -> None:
    """The sentence is true: so many moves, each as far along the row as it goes, lead to the square."""
    table = fight(name, f"a{'.' * 98}b", a="gunman", b="gunman")
    beyond = Square(furthest(table) + 1, 0)
    with pytest.raises(Illegal, match=f"{beyond.name} is out of reach") as refused:
        plan_path(table.battle, table.rules, table.unit("a"), (beyond,))
    moves = 0
    while table.unit("a").at.column < beyond.column and (column := furthest(table)) > table.unit("a").at.column:
        path = (Square(each, 0).name for each in range(table.unit("a").at.column + 1, column + 1))
        table.walk("a", *path)
        moves += 1
    said = re.search(r"out of reach of one move; (\d) moves get there", str(refused.value))
    assert (said is not None) == (table.unit("a").at.column >= beyond.column)
    assert said is None or int(said[1]) == moves


def test_a_square_that_is_taken_is_said_to_be_taken_however_far_it_is() -> None:
    friends = fight(
        CWN, f"a{'.' * 30}c", "...............................b", a="gunman", c="gunman", b="gunman", allies="c"
    )
    with pytest.raises(Illegal, match="AF1 is occupied"):
        plan_path(friends.battle, friends.rules, friends.unit("a"), (parse_square("AF1"),))
