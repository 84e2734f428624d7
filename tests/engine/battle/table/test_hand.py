"""The GM's hand: doors, numbers, conditions, places, and her changes to the ledger."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.command import Attack, EndTurn
from engine.battle.commands.ruling_commands import Adjust, ClearAdjustments
from engine.battle.commands.terrain_commands import SetBarrier
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetCondition, SetPool, SetPosture
from engine.battle.state.codec import parse_edge
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square, parse_square
from engine.rules.ledger import GM, RULE, Adjustment
from tests.rules.table import Table, entry, fight

OCC, CWN = "occult-ops", "cwn"
CART = '[legend]\n"c" = { object = "cart", height = 3, cover = "medium" }'
EDGES = """
[[edge]]
at = "C1"
side = "W"
kind = "door"
[[edge]]
at = "E1"
side = "W"
kind = "window"
"""


def duel(*rows: str, toml: str = "", name: str = OCC) -> Table:
    return fight(name, *(rows or ("a...b",)), toml=toml, a="gunman", b="gunman")


def todd() -> Table:
    """60 and 10 and 10, less 10 for defence and 10 for the cart: 60."""
    return duel("a..cb", toml=CART)


# --- doors ----------------------------------------------------------------------------------------------------------


GATE = """
[[edge]]
at = ["C1", "C2"]
side = "W"
kind = "door"
door = "gate"
"""


def test_a_door_of_several_edges_opens_closes_locks_and_breaks_as_one() -> None:
    table = duel("a......b", "........", toml=GATE)
    parts = [parse_edge("C1 W"), parse_edge("C2 W")]
    for edge, state in zip(parts * 2, ("open", "closed", "locked", "broken"), strict=True):
        (line,) = table.do(SetBarrier(edge, state))
        assert line.endswith(f"is {state}.")
        assert [table.battle.field.barriers[part].state for part in parts] == [state, state]


def test_a_door_without_a_name_opens_alone() -> None:
    table = duel("a......b", "........", toml=GATE.replace('door = "gate"', ""))
    table.do(SetBarrier(parse_edge("C1 W"), "open"))
    assert table.battle.field.barriers[parse_edge("C2 W")].state == "closed"


def test_a_door_that_opens_lets_sight_through() -> None:
    table = duel("a......b", toml=EDGES)
    assert not table.shot().situation.trace.clear
    lines = table.do(SetBarrier(parse_edge("C1 W"), "open"))
    assert lines == ["The door between B1 and C1 is open."]
    assert table.shot().situation.trace.clear
    table.do(SetBarrier(parse_edge("C1 W"), "closed"))
    assert not table.shot().situation.trace.clear


def test_a_locked_door_must_be_unlocked_or_broken_first() -> None:
    table = duel("a......b", toml=EDGES)
    door = parse_edge("C1 W")
    table.do(SetBarrier(door, "locked"))
    assert "is locked" in table.refusal(SetBarrier(door, "open"))
    table.do(SetBarrier(door, "broken"))
    assert table.battle.field.barriers[door].is_open


def test_what_no_door_does_is_refused() -> None:
    table = duel("a......b", toml=EDGES)
    assert table.refusal(SetBarrier(parse_edge("B1 W"), "open")) == "There is nothing on the edge B1 W."
    assert table.refusal(SetBarrier(parse_edge("C1 W"), "closed")) == "The door on C1 W is already closed."
    assert "No state is called 'ajar'" in table.refusal(SetBarrier(parse_edge("C1 W"), "ajar"))
    assert "can only be broken" in table.refusal(SetBarrier(parse_edge("E1 W"), "open"))
    table.do(SetBarrier(parse_edge("E1 W"), "broken"))


# --- numbers, conditions, postures, weapons -------------------------------------------------------------------------


def test_a_number_set_to_nothing_defeats_and_set_above_it_brings_back() -> None:
    table = duel()
    assert table.do(SetPool("b", "hp", 0, "the roof came down")) == [
        "B: hit points 20 → 0, the roof came down.",
        "B is out of the fight.",
    ]
    assert table.refusal(Attack("a", "b")) == "B is already out of the fight."
    assert table.do(SetPool("b", "hp", 3))[1] == "B is back in the fight."
    assert not table.unit("b").is_defeated


def test_numbers_that_cannot_be_are_refused() -> None:
    table = duel()
    assert table.refusal(SetPool("b", "hp", -1)) == "B's hit points cannot be below 0."
    assert table.refusal(SetPool("b", "hp", 20)) == "B already has 20 hit points."
    assert "No number is called 'mana'" in table.refusal(SetPool("b", "mana", 1))
    assert "No unit is called 'x'" in table.refusal(SetPool("x", "hp", 1))


def test_conditions_and_postures_that_stand_already_are_refused() -> None:
    table = duel().condition("a", "intimidated")
    assert table.refusal(SetCondition("a", "intimidated", True)) == "A is already intimidated."
    assert table.refusal(SetCondition("b", "intimidated", False)) == "B is not intimidated."
    assert "Did you mean 'dodging'" in table.refusal(SetCondition("a", "dodgin", True))
    assert table.refusal(SetPosture("a", "standing")) == "A is already standing."
    assert "Did you mean 'prone'" in table.refusal(SetPosture("a", "pron"))


def test_a_weapon_is_taken_in_hand() -> None:
    table = duel()
    assert table.do(Ready("a", "knife")) == ["A equips Knife."]
    assert table.unit("a").gear.weapon == "knife"
    assert table.refusal(Ready("a", "knife")) == "A already holds the Knife."
    assert "No weapon of A is called 'sword'" in table.refusal(Ready("a", "sword"))
    assert table.refusal(Ready("a", "")) == "A already holds the Knife."


def test_a_unit_is_turned() -> None:
    table = duel()
    table.do(Face("a", Direction.S))
    assert table.unit("a").facing is Direction.S
    assert table.refusal(Face("a", Direction.S)) == "A already faces that way."


# --- places ---------------------------------------------------------------------------------------------------------


def test_the_gm_puts_a_unit_anywhere_it_fits() -> None:
    table = duel("a.#.b", "...o.")
    assert table.do(Place("a", parse_square("A2"))) == ["GM: A placed on A2."]
    assert table.refusal(Place("a", parse_square("A2"))) == "A already stands on A2."
    assert table.refusal(Place("a", parse_square("C1"))) == "A cannot stand on C1: wall."
    assert table.refusal(Place("a", parse_square("D2"))) == "A cannot stand on D2: crate."
    assert table.refusal(Place("a", parse_square("E1"))) == "A cannot stand on E1: B is there."
    table.do(SetPool("b", "hp", 0))
    table.do(Place("a", parse_square("E1")))
    assert table.battle.at(parse_square("E1")) == table.unit("a")


def test_the_gm_puts_nobody_off_the_map() -> None:
    for square in (Square(5, 0), Square(0, 1), Square(-1, 0)):
        table = duel()
        with pytest.raises(BattleboardError, match="off the map"):
            table.do(Place("a", square))


def test_the_gm_puts_no_flyer_inside_a_wall_but_over_a_crate() -> None:
    table = fight(OCC, "af#ob", a="gunman", f="drone", b="gunman", altitudes={"f": 5})
    assert "wall" in table.refusal(Place("f", parse_square("C1")))
    table.do(Place("f", parse_square("D1")))


def test_a_unit_put_somewhere_by_the_gm_has_not_moved_by_itself() -> None:
    table = duel("a....b....")
    table.do(Place("b", parse_square("J1")))
    assert table.unit("b").turn.moved == 0
    assert table.worth("moving-target") is None


# --- the ledger -----------------------------------------------------------------------------------------------------


def test_a_line_of_the_gms_own_counts_and_shows_as_hers() -> None:
    table = todd()
    table.do(Adjust(Adjustment("gm-1", "Sun in the eyes", -15, note="it is noon")))
    shot = table.shot()
    line = entry(shot.ledger, "gm-1")
    assert line is not None
    assert (line.label, line.value, line.because, line.author) == ("Sun in the eyes", -15, "it is noon", GM)
    assert (shot.ledger.target_number, shot.odds.hit) == (45, Fraction(44, 100))


def test_a_line_switched_off_stays_to_be_seen_and_does_not_count() -> None:
    table = todd()
    lines = table.do(Adjust(Adjustment("partial-cover", active=False)))
    assert lines == ["GM: “partial-cover” ignored next attack."]
    shot = table.shot()
    line = entry(shot.ledger, "partial-cover")
    assert line and not line.active and line.value == -10 and line.author == GM
    assert (shot.ledger.target_number, shot.odds.hit) == (70, Fraction(69, 100))


def test_a_line_switched_on_again_counts_again() -> None:
    table = todd()
    table.do(Adjust(Adjustment("partial-cover", active=False)))
    table.do(Adjust(Adjustment("partial-cover", active=True)))
    assert table.shot().ledger.target_number == 60


def test_a_changed_line_says_what_the_rule_had_said() -> None:
    table = todd()
    table.do(Adjust(Adjustment("partial-cover", value=-25)))
    line = entry(table.shot().ledger, "partial-cover")
    assert line and line.value == -25 and line.author == GM
    assert line.because.endswith("(rule: -10)")
    assert table.shot().ledger.target_number == 45


def test_the_last_change_of_a_line_is_the_one_that_holds() -> None:
    table = todd()
    for value in (-25, 0, -5):
        table.do(Adjust(Adjustment("partial-cover", value=value)))
    assert len(table.battle.gm.adjustments) == 1
    assert table.shot().ledger.target_number == 65


def test_changes_hold_for_one_attack_and_pinned_ones_for_all() -> None:
    table = todd()
    table.do(Adjust(Adjustment("partial-cover", active=False)))
    table.do(Adjust(Adjustment("wind", "Wind", -5, is_pinned=True)))
    table.do(Attack("a", "b"), (64,), (2, 3))
    attack = table.attacked()
    assert (attack.target_number, attack.chance, attack.is_hit) == (65, Fraction(64, 100), True)
    assert {line.id: line.author for line in attack.entries if line.author == GM} == {"partial-cover": GM, "wind": GM}
    assert [held.entry for held in table.battle.gm.adjustments] == ["wind"]
    table.turn_of("a")
    table.do(Attack("a", "b"), (60,))
    assert table.attacked().target_number == 55
    assert [held.entry for held in table.battle.gm.adjustments] == ["wind"]


def test_a_refused_attack_spends_no_change() -> None:
    table = todd()
    table.do(Adjust(Adjustment("luck", "Luck", 5)))
    table.refusal(Attack("b", "a"))
    assert [held.entry for held in table.battle.gm.adjustments] == ["luck"]


def test_a_change_that_no_attack_has_taken_ends_with_the_turn_and_a_pinned_one_stays() -> None:
    table = todd()
    table.do(Adjust(Adjustment("luck", "Luck", 5)))
    table.do(Adjust(Adjustment("rain", "Rain", -5, is_pinned=True)))
    table.do(EndTurn())
    assert [held.entry for held in table.battle.gm.adjustments] == ["rain"]


def test_a_restriction_switched_off_lets_the_attack_be_made() -> None:
    table = fight(CWN, "a.#.b", a="gunman", b="gunman")
    assert table.shot().ledger.forbidden and table.shot().odds.hit == 0
    table.do(Adjust(Adjustment("whole-cover", active=False)))
    assert not table.shot().ledger.forbidden
    assert table.shot().odds.hit > 0
    table.do(Attack("a", "b"), (15,), (3,), (1,))
    assert table.attacked().is_hit


def test_a_change_to_a_line_that_does_not_come_up_changes_nothing() -> None:
    table = duel()
    before = table.shot().ledger
    table.do(Adjust(Adjustment("partial-cover", active=False)))
    assert table.shot().ledger == before


def test_changes_are_taken_back_one_by_one_or_all() -> None:
    table = todd()
    for name in ("one", "two", "three"):
        table.do(Adjust(Adjustment(name, name, 5, is_pinned=True)))
    table.do(ClearAdjustments(("two",)))
    assert [held.entry for held in table.battle.gm.adjustments] == ["one", "three"]
    assert table.refusal(ClearAdjustments(("two",))) == "There are no GM modifiers to remove."
    table.do(ClearAdjustments())
    assert table.battle.gm.adjustments == ()
    assert table.refusal(ClearAdjustments())
    assert all(line.author == RULE for line in table.shot().ledger.entries)


def test_the_order_of_the_steps_stands_whatever_the_gm_adds() -> None:
    table = todd()
    table.do(Adjust(Adjustment("gm-1", "Luck", 5)))
    ids = [line.id for line in table.shot().ledger.entries]
    assert ids == ["range.short", "strike", "weapon-pistol", "defence", "partial-cover", "gm-1"]


def test_a_change_may_be_a_fraction() -> None:
    table = todd()
    table.do(Adjust(Adjustment("half", "Half a point", Fraction(1, 2))))
    assert table.shot().ledger.target_number == Fraction(121, 2)
    table.do(Attack("a", "b"), (60,), (1, 1))
    assert table.attacked().is_hit
    assert isinstance(table.happened(ev.AttackRolled)[0].total, Fraction)
