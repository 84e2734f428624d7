"""Order, rounds and turns: who comes when, what a turn begins with, what ends with it."""

from __future__ import annotations

import pytest

from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.facts import circumstances
from engine.errors import Illegal
from engine.geometry.squares import Square
from tests.rules.table import Table, fight

OCC, CWN = "occult-ops", "cwn"
EVEN = {"dexterity": 6, "wit": 6}


def three(name: str = OCC, **more: bool) -> Table:
    """Three units in the open, the first against the other two, with the same bonus each."""
    return fight(
        name,
        "a...b...c",
        a="gunman",
        b="gunman",
        c="gunman",
        stats=dict.fromkeys("abc", EVEN) if name == OCC else None,
        **more,
    )


def fell(table: Table, unit_id: str) -> Table:
    table.do(SetPool(unit_id, "hp", 0))
    assert table.unit(unit_id).is_defeated
    return table


# --- the order ------------------------------------------------------------------------------------------------------


def test_each_unit_rolls_and_high_goes_first() -> None:
    table = three(is_begun=False)
    lines = table.do(RollInitiative(), (3,), (18,), (11,))
    assert table.battle.turns.order == ("b", "c", "a")
    assert table.battle.turns.initiative == {"a": 3, "b": 18, "c": 11}
    assert (table.battle.turns.active, table.battle.turns.round) == ("b", 1)
    assert lines[-3:] == ["Turn order: B (18), C (11), A (3).", "Round 1.", "B's turn."]


def test_a_turn_has_come_for_one_who_acts_and_for_those_before() -> None:
    table = three(is_begun=False)
    assert not table.shot().situation.facts["attacker.turn_started"]
    table.do(RollInitiative(), (3,), (18,), (11,))
    come = []
    for _ in range(4):
        units = {unit_id: circumstances(table.battle, table.rules, table.unit(unit_id)) for unit_id in "bca"}
        come.append("".join(unit_id for unit_id, facts in units.items() if facts["unit.turn_started"]))
        table.do(EndTurn())
    assert come == ["b", "bc", "bca", "b"]


def test_ties_go_by_bonus_and_then_by_the_order_on_the_map() -> None:
    table = fight(OCC, "a...b...c", a="gunman", b="gunman", c="gunman", is_begun=False, stats={"c": {"wit": 10}})
    table.do(RollInitiative(), (14,), (14,), (10,))
    assert set(table.battle.turns.initiative.values()) == {15}
    assert table.battle.turns.order == ("c", "a", "b")


def test_the_bonus_is_reported_and_counts() -> None:
    table = fight(OCC, "a...b", a="gunman", b="leader", is_begun=False)
    table.do(RollInitiative(), (12,), (10,))
    rolled = {event.who: (event.bonus, event.total) for event in table.happened(ev.InitiativeRolled)}
    assert rolled == {"a": (1, 13), "b": (5, 15)}
    assert table.battle.turns.order == ("b", "a")


def test_sides_roll_once_each_with_their_best_bonus_and_act_together() -> None:
    table = fight(
        CWN,
        "a...b...c...d",
        a="gunman",
        b="gunman",
        c="gunman",
        d="gunman",
        allies="c",
        is_begun=False,
        stats={"b": {"dexterity_mod": 1}, "d": {"dexterity_mod": 2}},
    )
    table.do(RollInitiative(), (6,), (5,))
    rolled = {event.who: event.total for event in table.happened(ev.InitiativeRolled)}
    assert rolled == {"law": 6, "outlaws": 7}
    assert table.battle.turns.initiative == {"a": 6, "b": 7, "c": 6, "d": 7}
    assert table.battle.turns.order == ("d", "b", "a", "c")


def test_tied_sides_go_in_the_order_of_the_map() -> None:
    for rolls in ((4, 4), (8, 8)):
        table = three(CWN, is_begun=False)
        table.do(RollInitiative(), *((roll,) for roll in rolls))
        assert table.battle.turns.order == ("a", "b", "c")


def test_the_defeated_roll_no_initiative() -> None:
    table = fell(three(is_begun=False), "b")
    table.do(RollInitiative(), (5,), (10,))
    assert table.battle.turns.order == ("c", "a")


def test_with_nobody_left_there_is_no_order() -> None:
    table = three(is_begun=False)
    for unit in "abc":
        fell(table, unit)
    assert table.refusal(RollInitiative()) == "No unit is left to fight."


def test_rolling_anew_keeps_the_round() -> None:
    table = three()
    for _ in range(3):
        table.do(EndTurn())
    assert table.battle.turns.round == 2
    table.do(RollInitiative(), (1,), (2,), (3,))
    assert (table.battle.turns.round, table.battle.turns.active) == (2, "c")


# --- turns and rounds -----------------------------------------------------------------------------------------------


def test_turns_go_round_and_rounds_count() -> None:
    table = three()
    seen = []
    for _ in range(7):
        seen.append((table.battle.turns.round, table.battle.turns.active))
        table.do(EndTurn())
    assert seen == [(1, "a"), (1, "b"), (1, "c"), (2, "a"), (2, "b"), (2, "c"), (3, "a")]


def test_the_defeated_are_passed_over() -> None:
    table = fell(fell(three(), "b"), "c")
    table.do(EndTurn())
    assert (table.battle.turns.round, table.battle.turns.active) == (2, "a")


def test_who_falls_in_its_own_turn_can_still_end_it() -> None:
    table = fell(three(), "a")
    assert table.refusal(Attack("a", "b")) == "A is out of the fight."
    table.do(EndTurn())
    assert table.battle.turns.active == "b"


def test_with_nobody_left_no_turn_begins() -> None:
    table = three()
    for unit in "abc":
        fell(table, unit)
    assert table.refusal(EndTurn()) == "No unit is left to act."


def test_no_turn_ends_before_the_order_is_rolled() -> None:
    table = three(is_begun=False)
    assert table.refusal(EndTurn()) == "Nobody has a turn yet: “begin” rolls initiative."
    assert table.refusal(Attack("a", "b")) == "Nobody has a turn yet: “begin” rolls initiative."


def test_a_unit_back_in_the_fight_has_its_turn_again() -> None:
    table = fell(three(), "b")
    table.do(EndTurn())
    assert table.battle.turns.active == "c"
    table.do(SetPool("b", "hp", 5))
    assert table.happened(ev.UnitRecovered)
    table.turn_of("b")


def test_a_unit_that_was_down_when_the_order_was_rolled_has_a_turn_once_it_is_back() -> None:
    table = fell(three(is_begun=False), "b")
    table.do(RollInitiative(), (5,), (10,))
    table.do(SetPool("b", "hp", 5))
    for _ in range(6):
        table.do(EndTurn())
        if table.battle.turns.active == "b":
            return
    raise AssertionError("b is in the fight and never has a turn")


def test_a_turn_begins_with_a_full_budget_and_a_clean_count() -> None:
    table = three()
    table.walk("a", "A1", "B1")
    table.do(Attack("a", "b"), (85,))
    tired = table.unit("a")
    assert (tired.turn.moved, tired.turn.attacks, tired.turn.tally) == (1, 1, {"move": 1, "attack": 1})
    assert (tired.turn.stride, tired.turn.stride_action) == (6, "move")
    assert (tired.turn.start.name, tired.turn.budget) == ("A1", {"attack": 0, "move": 0})
    table.do(EndTurn())
    ended = table.unit("a")
    assert (ended.turn.stride, ended.turn.stride_action) == (0, "")
    assert (ended.turn.moved, ended.turn.attacks, ended.turn.start.name) == (1, 1, "A1")
    table.turn_of("a")
    fresh = table.unit("a")
    assert (fresh.turn.moved, fresh.turn.attacks, fresh.turn.tally) == (0, 0, {})
    assert (fresh.turn.start.name, fresh.turn.budget) == ("B1", {"attack": 1, "move": 1})


def test_only_the_unit_whose_turn_it_is_acts() -> None:
    table = three()
    for command in (
        Attack("b", "a"),
        Act("b", "dodge"),
        Move("b", (Square(4, 0), Square(3, 0))),
    ):
        assert table.refusal(command) == "It is A's turn, not B's."


# --- what ends when -------------------------------------------------------------------------------------------------


def conditions_over(table: Table, unit_id: str, condition: str) -> list[tuple[int, str]]:
    """Round and active unit of every turn in which a condition still holds, the present one left out."""
    seen = []
    for _ in range(7):
        table.do(EndTurn())
        if condition in table.unit(unit_id).conditions:
            seen.append((table.battle.turns.round, table.battle.turns.active))
    return seen


@pytest.mark.parametrize(
    ("name", "condition", "until", "holds"),
    [
        (OCC, "dodging", "own turn start", [(1, "b"), (1, "c")]),
        (CWN, "withdrawing", "own turn end", []),
        (CWN, "exposed", "round end", [(1, "b"), (1, "c")]),
    ],
)
def test_conditions_end_when_the_ruleset_says(
    name: str, condition: str, until: str, holds: list[tuple[int, str]]
) -> None:
    table = three(name).condition("a", condition)
    assert table.rules.units.conditions[condition].until == until
    assert conditions_over(table, "a", condition) == holds


def test_a_condition_until_the_own_turn_ends_holds_through_the_turns_of_others() -> None:
    table = three(CWN).condition("b", "withdrawing")
    assert conditions_over(table, "b", "withdrawing") == [(1, "b")]


def test_a_condition_until_the_own_turn_begins_ends_in_the_next_round_for_who_comes_later() -> None:
    table = three()
    table.do(EndTurn())
    table.condition("b", "dodging")
    assert conditions_over(table, "b", "dodging") == [(1, "c"), (2, "a")]


def test_a_condition_of_the_whole_battle_stays_until_the_gm_ends_it() -> None:
    table = three().condition("b", "intimidated")
    assert len(conditions_over(table, "b", "intimidated")) == 7
    table.do(SetCondition("b", "intimidated", False))
    assert table.unit("b").conditions == ()


def test_the_end_of_the_round_counts_for_the_defeated_too() -> None:
    table = fell(three(CWN).condition("c", "exposed"), "c")
    table.do(EndTurn())
    assert "exposed" in table.unit("c").conditions
    table.do(EndTurn())
    assert table.battle.turns.round == 2
    assert "exposed" not in table.unit("c").conditions


def test_what_ends_is_reported() -> None:
    table = three().condition("b", "dodging")
    lines = table.do(EndTurn())
    assert lines == ["B is no longer dodging: its next turn begins.", "B's turn."]


def test_conditions_and_their_end_never_stand_twice() -> None:
    table = three().condition("a", "intimidated").condition("a", "emboldened")
    assert table.unit("a").conditions == ("emboldened", "intimidated")
    with pytest.raises(AssertionError):
        table.refusal(SetCondition("a", "intimidated", False))
    assert table.refusal(SetCondition("a", "intimidated", True)) == "A is already intimidated."


def test_initiative_is_refused_typed_dice_that_no_die_shows() -> None:
    table = three(is_begun=False)
    with pytest.raises(Illegal, match="d20 shows 1 to 20"):
        table.do(RollInitiative(), (21,))
