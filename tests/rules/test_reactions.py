"""Reactions in play: OCC-10, CWN-15, and every trigger and key under rules of a test's own."""

from __future__ import annotations

from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.unit_edits import SetPool
from engine.battle.effects.condition_effects import PostureEffect
from engine.battle.events import ActionTaken, OpeningGiven, UnitMoved
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.journal.history import History, event_rows, replay
from engine.rules.expressions import compile_expression, constant
from engine.rules.origin import Origin
from engine.rules.reaction_rules import Reaction
from engine.values import replace
from tests.rules.table import Table, fight

OCC, CWN = "occult-ops", "cwn"
OURS = Origin("ours")


def openings(table: Table) -> list[tuple[str, str, str]]:
    return [(held.unit, held.against, held.reaction) for held in table.battle.openings]


def ruled(table: Table, *reactions: Reaction) -> Table:
    """The table with these reactions alone."""
    table.rules = replace(table.rules, turns=replace(table.rules.turns, reactions=reactions))
    return table


def blade(table: Table) -> str:
    weapons = table.rules.gear.weapons.values()
    return next(each.id for each in weapons if each.kind == "melee" and each.fields.get("group") != "unarmed")


# --- moves ----------------------------------------------------------------------------------------------------------


def test_occ_10_a_move_stops_where_it_leaves_a_melee_and_then_continues() -> None:
    """OCC-10: the opponent attacks, then the movement is finished."""
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    said = table.walk("a", "E1", action="move")
    assert said == ["B may attack A now, free: interrupt attack, as A leaves its reach at B1."]
    assert (table.unit("a").at.name, table.unit("a").turn.budget["move"]) == ("B1", 0)
    full = table.unit("a").turn.stride
    assert openings(table) == [("b", "a", "disengaging")]
    table.do(Attack("b", "a"), (99,), (20,))
    assert openings(table) == []
    assert table.unit("b").turn.budget["attack"] == 1  # it costs nothing
    table.walk("a", "E1")
    assert (table.unit("a").at.name, table.unit("a").turn.stride) == ("E1", full - 3)


def test_occ_10_a_reaction_is_passed_over_by_going_on() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    table.walk("a", "C1")
    assert "turn" not in table.shot(by="b", at="a").refusal
    table.walk("a", "C1")
    assert table.unit("a").at.name == "C1"
    assert openings(table) == []
    assert "Out of reach" in table.refusal(Attack("b", "a")) or "turn" in table.refusal(Attack("b", "a"))


def test_occ_10_the_walk_before_it_is_walked_and_each_opponent_draws() -> None:
    table = fight(OCC, ".....", "b...c", ".....", "a....", a="gunman", b="brawler", c="brawler")
    table.walk("a", "A3", "D3", "D4")
    assert table.unit("a").at.name == "B3"
    assert openings(table) == [("b", "a", "disengaging")]
    table.walk("a", "D3", "D4")
    assert table.unit("a").at.name == "D3"
    assert openings(table) == [("c", "a", "disengaging")]
    table.walk("a", "D4")
    assert (table.unit("a").at.name, openings(table)) == ("D4", [])


def test_occ_10_a_dead_mover_goes_no_further() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    table.walk("a", "E1")
    table.do(SetPool("a", "hp", 0))
    assert openings(table) == []
    assert "out of the fight" in table.refusal(Move("a", table.way("a", "C1")))


def test_openings_end_with_the_turn() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    table.walk("a", "E1")
    table.do(EndTurn())
    assert openings(table) == []


def test_another_move_action_draws_again() -> None:
    table = fight(CWN, "ba.....", a="gunman", b="brawler")
    table.arm("b", blade(table))
    table.walk("a", "C1", action="move")
    table.walk("a", "C1", action="move")
    table.walk("a", "B1", action="move")
    assert openings(table) == []
    table.walk("a", "C1", action="move")
    assert openings(table) == []  # still the same move
    table.place("a", "B1")
    table.walk("a", "C1", action="second-move")
    assert openings(table) == [("b", "a", "fleeing")]


def test_cwn_15_fleeing_gives_each_armed_foe_its_free_attack() -> None:
    """CWN-15: each armed enemy in melee attacks before the move goes on."""
    table = fight(CWN, "...", "bac", "...", "...", a="gunman", b="brawler", c="brawler")
    table.arm("b", blade(table)).arm("c", blade(table))
    table.walk("a", "B4", action="move")
    assert table.unit("a").at.name == "B3"
    assert openings(table) == [("b", "a", "fleeing"), ("c", "a", "fleeing")]
    table.do(Attack("b", "a"), (2,))
    assert openings(table) == [("c", "a", "fleeing")]
    table.walk("a", "B4")
    assert table.unit("a").at.name == "B4"


def test_one_who_was_in_sight_before_moves_in_it_and_not_into_it() -> None:
    seen = fight("occult-ops", "a....b", a="gunman", b="gunman").condition("a", "planning_sight")
    seen.do(EndTurn())
    assert seen.walk("b", "E1")[-1].endswith("as B moves in view at E1.")
    unseen = fight("occult-ops", "a....", "####.", "....b", a="gunman", b="gunman").condition("a", "planning_sight")
    unseen.do(EndTurn())
    assert "as B comes into view at E" in unseen.walk("b", "E1")[-1]


def test_a_way_that_is_walked_later_is_cut_off_before_it_is_declared() -> None:
    """VOLT-18: a named act cuts off another's, and its move is such an act."""
    table = fight("volt", "a.........b", a="gunman", b="rifleman")
    price = {"action": constant(1)}
    ruled(table, Reaction("cuts-in", "cuts in", "moves in sight", constant(True), (), OURS, price))
    table.do(EndTurn())
    way = Move("b", table.way("b", "H1"), "move")
    assert table.do(way) == ["A may attack B now, 1 combat action: cuts in, as B moves in view at K1."]
    assert (table.battle.turns.declared, table.unit("b").turn.budget["action"]) == ((), 1)
    table.do(Attack("a", "b"), (20, 20))
    table.do(way)
    assert [declared.unit for declared in table.battle.turns.declared] == ["b"]
    assert openings(table) == []


# --- attacks --------------------------------------------------------------------------------------------------------


def test_occ_10_firing_beside_an_enemy_draws_its_attack_before_the_shot() -> None:
    """OCC-10: whoever fires with an enemy adjacent is attacked first; then the shot is made."""
    table = fight(OCC, "ba...c", a="gunman", b="brawler", c="gunman")
    before = table.unit("a").gear.rounds
    said = table.do(Attack("a", "c"))
    assert said == ["B may attack A now, free: interrupt attack, as A attacks."]
    assert (table.unit("a").turn.budget["attack"], table.unit("a").gear.rounds) == (1, before)
    table.do(Attack("b", "a"), (99,), (20,))
    table.do(Attack("a", "c"), (50,), (5,))
    assert table.attacked().target == "c"
    assert (table.unit("a").turn.budget["attack"], table.unit("a").turn.drawn_by_attack) == (0, ())


def test_occ_10_blows_draw_nothing_and_throws_do() -> None:
    table = fight(OCC, "ba...c", a="brawler", b="brawler", c="gunman")
    table.do(Attack("a", "b"), (50,), (5,))
    assert table.attacked().unit == "a"
    thrower = fight(OCC, "ba.....c", a="grenadier", b="brawler", c="gunman")
    grenade = next(each for each in thrower.unit("a").gear.weapons if thrower.rules.gear.weapons[each].kind == "thrown")
    thrower.arm("a", grenade)
    thrower.do(Attack("a", "c"))
    assert openings(thrower) == [("b", "a", "shooting-beside")]


def test_occ_10_an_interrupt_draws_no_interrupt() -> None:
    table = fight(OCC, "ba...c", a="gunman", b="gunman", c="gunman")
    table.do(Attack("a", "c"))
    table.do(Attack("b", "a"), (99,), (20,))
    assert table.attacked().unit == "b"


def test_occ_10_a_planned_action_goes_off_at_its_trigger() -> None:
    """OCC-10: part of a trigger from a planned action."""
    table = fight(OCC, "a....b", a="gunman", b="gunman")
    assert table.do(Act("a", "plan-sight"))[-1] == "A is on overwatch (movement)."
    table.do(EndTurn())
    table.do(Move("b", table.way("b", "D1")))
    assert (table.unit("b").at.name, openings(table)) == ("E1", [("a", "b", "planned-sight")])
    said = table.do(Attack("a", "b"), (99,), (20,))
    assert said[-1] == "A is no longer on overwatch (movement): overwatch attack."
    table.do(Move("b", table.way("b", "D1")))
    assert (table.unit("b").at.name, openings(table)) == ("D1", [])


def test_occ_10_planning_for_one_who_attacks_and_for_one_who_comes_near() -> None:
    table = fight(OCC, "a...b", a="gunman", b="gunman")
    table.do(Act("a", "plan-attack"))
    table.do(EndTurn())
    table.do(Attack("b", "a"))
    assert openings(table) == [("a", "b", "planned-attack")]
    near = fight(OCC, "a...b", a="gunman", b="gunman")
    near.do(Act("a", "plan-reach"))
    near.do(EndTurn())
    near.walk("b", "B1")
    assert (near.unit("b").at.name, openings(near)) == ("B1", [("a", "b", "planned-reach")])


def test_occ_10_planning_for_any_act_goes_off_at_a_move_an_attack_or_anything_else() -> None:
    """OCC-10: the trigger of a planned action may be whatever an enemy does."""
    for deed, drawn in (
        (Act("b", "go-prone"), "planned-any-act"),
        (Attack("b", "a"), "planned-any-attack"),
        (None, "planned-any-move"),
    ):
        table = fight(OCC, "a....b", a="gunman", b="gunman")
        table.do(Act("a", "plan-any"))
        table.do(EndTurn())
        table.do(deed or Move("b", table.way("b", "D1")))
        assert openings(table) == [("a", "b", drawn)]
        assert table.unit("b").posture == "standing"  # the act waits for the attack
        table.do(Attack("a", "b"), (99,), (20,))
        assert table.unit("a").conditions == ()
        assert table.unit("a").turn.budget["attack"] == 0
        table.do(deed or Move("b", table.way("b", "D1")), *([(99,), (20,)] if isinstance(deed, Attack) else []))
        assert openings(table) == []


# --- keys -----------------------------------------------------------------------------------------------------------


def limited(attack: str = "", cost: int = 1, when: str = "") -> Reaction:
    words = {"ranged": True, "distance": 1, "target.id": "", "reactor.id": "", "unit.id": ""}
    condition = compile_expression(when, words) if when else constant(True)
    price = {"attack": constant(cost)} if cost else {}
    tired = PostureEffect("tired", "", (), constant(True), "attacker", OURS, False, None, None, "kneeling")
    return Reaction("r", "answers", "attacks", condition, (), OURS, price, attack, (tired,))


def test_a_reaction_costs_what_it_says_allows_one_attack_and_has_effects() -> None:
    table = ruled(fight(OCC, "a...b", a="gunman", b="gunman"), limited("attack"))
    table.do(EndTurn())
    table.do(EndTurn())  # both have had a turn, so B has something left
    assert table.do(Attack("a", "b")) == ["B may attack A now, 1 attack action: answers, as A attacks."]
    (given,) = table.happened(OpeningGiven)
    assert (given.attack, dict(given.cost), given.is_by_move) == ("attack", {"attack": 1}, False)
    assert "turn" in table.refusal(Attack("b", "a", action="aimed"))
    said = table.do(Attack("b", "a"), (99,), (20,))
    assert said[-1] == "B is kneeling."
    assert table.attacked().action == "attack"
    assert [dict(paid.spent) for paid in table.happened(ActionTaken)] == [{"attack": 1}]
    table.do(Attack("a", "b"), (99,), (20,))
    table.do(EndTurn())
    assert table.unit("b").turn.budget["attack"] == 1


def test_who_cannot_pay_does_not_react() -> None:
    table = ruled(fight(OCC, "a...b", a="gunman", b="gunman"), limited(cost=9))
    table.do(Attack("a", "b"), (99,), (20,))
    assert table.attacked().unit == "a"


def test_when_asks_of_the_attack_and_of_whom_it_is_on() -> None:
    when = "ranged and target.id == 'c' and distance >= 15"
    table = ruled(fight(OCC, "a...b", "....c", a="gunman", b="gunman", c="gunman"), limited(cost=0, when=when))
    table.do(Attack("a", "c"))
    assert openings(table) == [("b", "a", "r"), ("c", "a", "r")]
    other = ruled(fight(OCC, "a...b", "....c", a="gunman", b="gunman", c="gunman"), limited(cost=0, when=when))
    other.do(Attack("a", "b"), (99,), (20,))
    assert other.attacked().unit == "a"


def test_the_gms_free_attack_draws_nothing() -> None:
    table = ruled(fight(OCC, "a...b", a="gunman", b="gunman"), limited(cost=0))
    table.do(Attack("a", "b", is_free=True), (99,), (20,))
    assert table.attacked().unit == "a"


# --- kept -----------------------------------------------------------------------------------------------------------


def test_openings_survive_the_journal_and_undo() -> None:
    table = fight(OCC, "ba.....", a="gunman", b="brawler")
    start = History(table.battle)
    table.walk("a", "E1")
    rows = [event_rows(table.events)]
    assert replay(start.battle, rows).battle.encode() == table.battle.encode()
    assert from_json(Battle, to_json(table.battle)).openings == table.battle.openings
    (moved,) = table.happened(UnitMoved)
    assert moved.is_begun
    body = {"unit": "b", "against": "a", "because": "a fumble"}
    assert from_json(OpeningGiven, body) == OpeningGiven("b", "a", "a fumble")
