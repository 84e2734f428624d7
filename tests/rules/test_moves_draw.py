"""What moves draw, under the shipped rulesets: OCC-10, OCC-13, CWN-15; and the triggers under rules of a test's own."""

from __future__ import annotations

import pytest

from engine.battle.attacks.reactions import draws, threatened
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.unit_edits import SetPool
from engine.battle.narration.preview_text import provoked_words
from engine.rules.expressions import compile_expression, constant
from engine.rules.origin import Origin
from engine.rules.reaction_rules import Reaction
from engine.values import replace
from tests.rules.table import Table, fight

OCC, CWN = "occult-ops", "cwn"


def drawn(table: Table, *squares: str, action: str = "move") -> list[tuple[str, str, int, str]]:
    """Reaction, reactor, step and square of everything that A's way draws."""
    unit = table.unit("a")
    found = draws(table.battle, table.rules, unit, table.way("a", *squares), table.rules.actions[action])
    return [(draw.reaction.id, draw.reactor, draw.step, draw.square.name) for draw in found]


def alone(table: Table, trigger: str, when: str = "") -> Table:
    """The table with one reaction."""
    words = {"unit.posture": "", "reactor.posture": "", "unit.moved": 0, "action.id": "", "weapon.id": ""}
    condition = compile_expression(when, words) if when else constant(True)
    table.rules = replace(
        table.rules,
        turns=replace(
            table.rules.turns, reactions=(Reaction("r", "looks up", trigger, condition, (), Origin("ours")),)
        ),
    )
    return table


def blade(table: Table) -> str:
    """A weapon for melee that is not a fist."""
    weapons = table.rules.gear.weapons.values()
    return next(each.id for each in weapons if each.kind == "melee" and each.fields.get("group") != "unarmed")


# --- Occult Ops -----------------------------------------------------------------------------------------------------


def test_occ_10_leaving_melee_with_a_standing_opponent_draws_its_attack() -> None:
    table = fight(OCC, "ab.....", a="gunman", b="brawler")
    assert drawn(fight(OCC, ".ba....", a="gunman", b="brawler"), "E1") == [("disengaging", "b", 1, "C1")]
    table.posture("b", "prone")
    table.place("a", "C1")
    assert drawn(table, "F1") == []


def test_occ_10_says_who_where_and_why() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    unit = table.unit("a")
    (draw,) = draws(table.battle, table.rules, unit, table.way("a", "D1"), table.rules.actions["move"])
    assert provoked_words(draw, table.battle) == "B: interrupt attack, as A leaves its reach at B1."


def test_occ_10_an_interrupt_beside_an_ally_holds_the_mover_before_the_ally() -> None:
    table = fight(OCC, "ac....", "b#####", allies="c", a="gunman", c="gunman", b="brawler")
    table.do(Move("a", table.way("a", "B1", "E1"), "move"))
    assert (table.unit("a").at.name, [opening.unit for opening in table.battle.openings]) == ("A1", ["b"])
    table.do(Attack("b", "a"), (99,))
    table.do(Move("a", table.way("a", "B1", "E1"), "move"))
    assert table.unit("a").at.name == "E1"


def test_occ_10_moving_round_an_opponent_draws_nothing_and_one_move_draws_once() -> None:
    table = fight(OCC, "....", ".b..", ".a..", "....", a="gunman", b="brawler")
    assert drawn(table, "C3", "C2") == []
    assert drawn(table, "C3", "D3") == [("disengaging", "b", 2, "C3")]
    assert drawn(table, "B4", "B3", "B4") == [("disengaging", "b", 1, "B3")]


def test_occ_10_walls_keep_opponents_apart() -> None:
    wall = '[[edge]]\nat = "B1"\nside = "W"\nkind = "wall"'
    assert drawn(fight(OCC, "ba....", a="gunman", b="brawler", toml=wall), "D1") == []


def test_occ_10_the_fallen_friends_and_bystanders_draw_nothing() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    table.do(SetPool("b", "hp", 0))
    assert drawn(table, "D1") == []
    assert drawn(fight(OCC, "ba...c", a="gunman", b="brawler", c="gunman", allies="b"), "D1") == []
    assert drawn(fight(OCC, "ba...c", a="gunman", b="brawler", c="gunman", neutral="b"), "D1") == []


def test_occ_13_the_five_foot_step_draws_none() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    assert drawn(table, "C1", action="step") == []
    assert drawn(table, "C1", action="run") == [("disengaging", "b", 1, "B1")]


# --- Cities Without Number ------------------------------------------------------------------------------------------


def test_cwn_15_leaving_melee_gives_each_armed_foe_a_free_attack() -> None:
    table = fight(CWN, ".bac...", ".......", ".......", a="gunman", b="brawler", c="gunman")
    table.arm("b", blade(table))
    assert drawn(table, "C2", "C3") == [("fleeing", "b", 2, "C2")]  # C holds a gun


def test_cwn_15_bare_hands_are_not_armed() -> None:
    table = fight(CWN, "ba.....", a="gunman", b="brawler")
    fists = next(name for name, each in table.rules.gear.weapons.items() if each.fields.get("group") == "unarmed")
    assert drawn(table.arm("b", fists), "D1") == []


def test_cwn_15_a_fighting_withdrawal_draws_nothing() -> None:
    table = fight(CWN, "ba.....", a="gunman", b="brawler")
    table.arm("b", blade(table))
    assert drawn(table, "D1") == [("fleeing", "b", 1, "B1")]
    table.do(Act("a", "withdraw"))
    assert drawn(table, "D1") == []


# --- triggers -------------------------------------------------------------------------------------------------------


def test_coming_into_reach() -> None:
    table = alone(fight(OCC, "a..b...", a="gunman", b="brawler"), "enters reach")
    assert drawn(table, "C1") == [("r", "b", 2, "C1")]
    assert drawn(table, "B1") == []


def test_moving_in_sight_counts_once_for_each_enemy() -> None:
    table = alone(fight(OCC, "a.....", "###.##", "###.##", "...b..", a="gunman", b="gunman"), "moves in sight")
    assert drawn(table, "F1") == [("r", "b", 2, "C1")]  # between the pillars one sees a little to the side
    open_field = alone(fight(OCC, "a.....", "......", "b.....", a="gunman", b="gunman"), "moves in sight")
    assert drawn(open_field, "F1") == [("r", "b", 1, "B1")]


@pytest.mark.parametrize(
    ("when", "is_drawn"),
    [
        ("unit.posture == 'standing'", True),
        ("reactor.posture == 'prone'", False),
        ("action.id == 'run'", False),
        ("weapon.id != ''", True),
    ],
)
def test_a_reaction_asks_of_mover_reactor_weapon_and_move(when: str, is_drawn: bool) -> None:
    table = alone(fight(OCC, "ba.....", a="gunman", b="brawler"), "leaves reach", when)
    assert bool(drawn(table, "D1")) is is_drawn


# --- threatened squares ---------------------------------------------------------------------------------------------


def test_squares_next_to_enemies_are_threatened_walls_apart() -> None:
    wall = '[[edge]]\nat = "C2"\nside = "W"\nkind = "wall"'
    table = fight(OCC, "....", ".b..", "....", "...a", a="gunman", b="brawler", toml=wall)
    names = {square.name for square in threatened(table.battle, table.unit("a"))}
    assert names == {"A1", "B1", "C1", "A2", "A3", "B3", "C3"}
    table.do(SetPool("b", "hp", 0))
    assert threatened(table.battle, table.unit("a")) == frozenset()


def test_a_large_body_is_threatened_where_any_of_it_is_near() -> None:
    table = fight(OCC, "......", "......", "...b..", "......", "a.....", a="gunman", b="brawler")
    giant = replace(table.unit("a"), size=2)
    names = {square.name for square in threatened(table.battle, giant)}
    assert {"B1", "B2", "B3", "E2", "E4"} <= names
    assert "A1" not in names
    assert "F3" not in names
