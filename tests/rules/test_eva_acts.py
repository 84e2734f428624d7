"""EVA-1, 3, 13, 18, 19 and 21 to 23: what units do to one another, and what happens by itself."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.other_actions import chance_of_success, outcomes_of_act
from engine.battle.commands.roster_commands import SetOut
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.event_builder import EventBuilder
from engine.battle.moves.moves import MoveAsk
from engine.battle.turns.triggers import see_through
from engine.battle.views.view import project
from engine.dice.sources import SeededSource, TableSource
from engine.geometry.squares import Direction, parse_square
from engine.rules.model import Value
from tests.rules.table import Table, defends, fight

EVA = "eva"
Stats = Mapping[str, Mapping[str, Value]]
TOUGH: Stats = {"b": {"wound_points": 90}}


def close(a: str = "brawler", b: str = "rifleman", stats: Stats | None = None) -> Table:
    return fight(EVA, "ab....", a=a, b=b, stats=stats)


def told(table: Table, label: str) -> list[str]:
    lines = [event for event in table.happened(ev.EffectComputed) if event.label == label]
    return [str(event.value or event.words) for event in lines]


def held(table: Table, unit_id: str) -> set[str]:
    return set(table.unit(unit_id).conditions)


# --- EVA-1: extended actions ----------------------------------------------------------------------------------------


def test_eva_1_an_extended_action_takes_its_rounds_and_begins_anew_when_interrupted() -> None:
    """EVA-1: three rounds of nothing else; another action in between, and the work starts again."""
    table = fight(EVA, "a.....b", a="rifleman", b="rifleman")
    table.do(Act("a", "extended"))
    assert table.refusal(Attack("a", "b"))
    table.turn_of("a").do(Act("a", "extended"))
    assert table.unit("a").pools["task"] == 1
    shown = {unit.id: [pool.id for pool in unit.pools] for unit in project(table.battle, table.rules).units}
    assert "task" in shown["a"] and "task" not in shown["b"]
    table.turn_of("a").walk("a", "B1", action="half-move")
    for left in (2, 1, 0):
        table.turn_of("a").do(Act("a", "extended"))
        assert table.unit("a").pools["task"] == left
    assert told(table, "the extended action") == ["is done"]


# --- EVA-3: initiative ----------------------------------------------------------------------------------------------


def test_eva_3_initiative_is_1d10_and_the_agility_bonus_ties_by_agility_then_a_die() -> None:
    """EVA-3: Agility 35 and 40 and a die; the same score goes by Agility, the same Agility by 1d10."""
    table = fight(EVA, "a.b.c", a="rifleman", b="brawler", c="rifleman", is_begun=False)
    table.do(RollInitiative(), (5,), (4,), (5,), (3,), (9,))
    assert dict(table.battle.turns.initiative) == {"a": 8, "b": 8, "c": 8}
    assert table.battle.turns.order == ("b", "c", "a")


# --- EVA-13: falling ------------------------------------------------------------------------------------------------


def rounds(table: Table, number: int) -> None:
    goal = table.battle.turns.round + number
    while table.battle.turns.round < goal:
        table.do(EndTurn())


def test_eva_13_who_falls_comes_down_a_band_a_round_and_crashes() -> None:
    """EVA-13: from High to Low, then to the ground as 200 squares of fall."""
    table = fight(EVA, "a....b", a="rifleman", b="flyer", altitudes={"b": 500}, stats={"b": {"wound_points": 900}})
    table.do(SetCondition("b", "falling", True))
    rounds(table, 1)
    assert (table.unit("b").altitude, table.unit("b").pools["wounds"]) == (6000, 900)
    while table.battle.turns.round == 2 and not table.happened(ev.UnitFell):
        table.do(EndTurn())
    assert table.unit("b").altitude == 0
    (impact,) = [event.roll.total for event in table.happened(ev.EffectRolled) if event.label == "Impact"]
    assert 900 - table.unit("b").pools["wounds"] == 200 + impact - 3
    assert (table.unit("b").posture, held(table, "b")) == ("prone", set())


def test_eva_13_from_low_it_crashes_as_60_squares() -> None:
    """EVA-13: stunned in the air, it falls at the end of the round, where the GM rules so."""
    table = fight(EVA, "a....b", a="rifleman", b="flyer", altitudes={"b": 30}, stats={"b": {"wound_points": 900}})
    table.do(SetRuling("stunned_flyers_fall", True))
    table.do(SetCondition("b", "stunned", True, rounds=2))
    assert "falling" not in held(table, "b")
    while not table.happened(ev.UnitFell):
        table.do(EndTurn())
    assert told(table, "Counts as a fall of (squares)") == ["60"]
    assert table.unit("b").altitude == 0


def test_eva_13_who_falls_does_not_fly_on() -> None:
    """EVA-13: no moves while falling."""
    table = fight(EVA, "a....b", a="flyer", b="flyer", altitudes={"a": 60})
    table.do(SetCondition("a", "falling", True))
    assert "it is falling" in table.refusal(Move("a", table.way("a", "B1"), "half-move"))


# --- EVA-18: charge -------------------------------------------------------------------------------------------------


def test_eva_18_a_charge_ends_with_4_squares_straight_and_a_blow_at_20() -> None:
    """EVA-18: three times the half move, 4 straight at the end, +20, and nothing after it."""
    table = fight(EVA, "a.......b", a="brawler", b="rifleman", stats=TOUGH)
    assert "must end with 4 squares" in table.refusal(Move("a", table.way("a", "D1"), "charge"))
    table.walk("a", "H1", action="charge")
    assert table.worth("charge", action="charge-attack") == 20
    table.do(Attack("a", "b", action="charge-attack"), (50,), (5,))
    assert "charging" not in held(table, "a")
    assert table.refusal(Attack("a", "b", action="charge-attack"))
    assert table.unit("a").turn.budget["action"] == 0


def test_eva_18_a_grapple_or_a_knock_down_may_stand_in_its_place() -> None:
    """EVA-18: at the end of a charge, for nothing more."""
    for in_place in (Attack("a", "b", action="charge-grapple"), Act("a", "charge-knock-down", "b")):
        table = fight(EVA, "a.......b", a="brawler", b="rifleman", stats=TOUGH)
        table.walk("a", "H1", action="charge")
        table.do(in_place, (1,), *[(90,)] * isinstance(in_place, Act), *[(1,)] * isinstance(in_place, Act))
        assert "grappled" in held(table, "b") or table.unit("b").posture == "prone"
        assert "charging" not in held(table, "a")


# --- EVA-19: multiple attack ----------------------------------------------------------------------------------------


def test_eva_19_a_multiple_attack_strikes_once_with_each_weapon_at_20_less_nothing_added() -> None:
    """EVA-19: -20 in place of +10, a flurry's own penalty besides, and no weapon twice."""
    table = close(stats=TOUGH).arm("a", "sword", "knife")
    assert table.worth("standard") == 10
    table.do(Act("a", "multiple"))
    assert (table.worth("standard"), table.worth("flurry", action="flurry-2")) == (-20, -30)
    table.do(Attack("a", "b"), (90,))
    assert "each of two one-handed weapons attacks once" in table.refusal(Attack("a", "b"))
    table.do(Ready("a", "knife"))
    table.do(Attack("a", "b"), (90,))
    assert table.refusal(Attack("a", "b"))
    assert table.unit("a").turn.budget["action"] == 0


def test_eva_19_a_ruling_says_whether_bursts_of_a_multiple_attack_stop_at_30() -> None:
    """EVA-16, EVA-19: -20 and the burst's own -5 for each hit; by the letter two hits cost what ten do."""
    table = close(stats=TOUGH).arm("a", "claws", "knife")
    table.do(Act("a", "multiple"))
    assert table.worth("flurry", action="flurry-2") == -30
    table.arm("a", "twin-blade", "knife")
    assert table.worth("flurry", action="flurry-3") == -30
    table.do(SetRuling("several_capped", False))
    assert table.worth("flurry", action="flurry-3") == -35


def test_eva_19_two_handed_weapons_make_no_multiple_attack() -> None:
    """EVA-19: it takes more than one weapon in hand."""
    assert "needs both hands" in fight(EVA, "a....b", a="rifleman", b="rifleman").refusal(Act("a", "multiple"))


# --- EVA-21: overwatch ----------------------------------------------------------------------------------------------


def watched(act: str = "overwatch", on: str = "") -> Table:
    table = fight(EVA, "a.........b", a="rifleman", b="rifleman", stats=TOUGH)
    table.do(Act("a", act, on, attack="standard"))
    table.do(EndTurn())
    return table


def test_eva_21_overwatch_goes_off_when_an_enemy_moves_in_the_kill_zone() -> None:
    """EVA-21: at once, in the middle of the move; then the target tests pinning, hit or not."""
    table = watched()
    said = table.do(Move("b", table.way("b", "H1"), "half-move"), (1,), (99,))
    assert table.unit("b").at.name == "J1"
    assert any("overwatch" in line for line in said)
    table.do(Attack("a", "b"), (90,), (36,))
    assert "pinned" in held(table, "b")
    assert "watching" not in held(table, "a")
    assert table.unit("b").turn.budget["action"] == 1


def test_eva_21_who_is_first_when_somebody_moves_is_an_opposed_test_of_agility() -> None:
    """EVA-21: who moves and wins it is shot at after the move; by a ruling there is no test against moves."""
    table = watched()
    said = table.do(Move("b", table.way("b", "H1"), "half-move"), (99,), (1,))
    assert table.unit("b").at.name == "H1" and "First comes: the move, then the overwatch if it still can." in said
    assert any("A may attack B now" in line for line in said)
    table.do(Attack("a", "b"), (90,), (36,))
    assert table.happened(ev.AttackRolled) and "watching" not in held(table, "a")
    table = watched()
    table.do(SetRuling("overwatch_tests_moves", False))
    table.walk("b", "H1", action="half-move")
    assert table.unit("b").at.name == "J1" and not table.happened(ev.EffectRolled)


def test_eva_21_outside_of_the_kill_zone_nothing_happens() -> None:
    """EVA-21: it lies in front of the unit."""
    table = watched()
    table.do(Face("a", Direction.W))
    assert not any("overwatch" in line for line in table.walk("b", "H1", action="half-move"))


def test_eva_21_the_condition_may_be_an_attack_or_one_enemy() -> None:
    """EVA-21: it goes off before the attack; with one enemy in mind, at whatever it does."""
    for act, on in (("overwatch-attacks", ""), ("overwatch-one", "b")):
        table = fight(EVA, "a......b", a="rifleman", b="rifleman", stats=TOUGH)
        table.do(Act("a", act, on, attack="standard"))
        table.do(EndTurn())
        said = table.do(Attack("b", "a"), (35,), (36,))
        assert "First comes: the overwatch." in said
        table.do(Attack("a", "b"), (90,), (35,))
        assert "pinned" not in held(table, "b")
        table.do(Attack("b", "a"), (90,))


def test_eva_21_an_opposed_test_of_agility_says_who_goes_first() -> None:
    """EVA-21: when the overwatch is slower, the attack is made, and the overwatch goes off after it."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman", stats={**TOUGH, "a": {"wound_points": 90}})
    table.do(Act("a", "overwatch-attacks", attack="standard"))
    table.do(EndTurn())
    said = table.do(Attack("b", "a"), (36,), (35,), (90,))
    assert said.index("First comes: the attack, then the overwatch if it still can.") < len(
        said
    ) - 1 and "B → A" in " ".join(said)
    assert said[-1].startswith("A may attack B now")
    table.do(Attack("a", "b"), (90,), (36,))
    assert "pinned" in held(table, "b")


def test_eva_21_any_other_action_ends_it() -> None:
    """EVA-21: over when the unit acts first."""
    table = watched()
    table.do(EndTurn())
    table.walk("a", "B1", action="half-move")
    assert "watching" not in held(table, "a")


def test_eva_21_the_pinned_have_one_half_action_and_test_again() -> None:
    """EVA-21, EVA-22: -20 to shots, no run; a test of Willpower at the end of each of its turns."""
    table = fight(EVA, "a......b", a="rifleman", b="rifleman").condition("b", "pinned")
    table.do(EndTurn())
    assert table.unit("b").turn.budget["action"] == 1
    assert table.worth("pinned", by="b", at="a") == -20
    assert "pinned" in table.refusal(Move("b", table.way("b", "G1"), "run"))
    table.do(EndTurn(), (36,))
    assert "pinned" in held(table, "b")
    table.do(EndTurn())
    table.do(EndTurn(), (35,))
    assert "pinned" not in held(table, "b")


# --- EVA-22: suppressive fire ---------------------------------------------------------------------------------------


def zone(weapon: str = "assault-rifle", skill: int = 40) -> Table:
    rows = ("...........", "a.....b.c..", ".......d...", "..e........")
    tough: dict[str, dict[str, Value]] = {name: {"wound_points": 90, "willpower": 40} for name in "bcde"}
    tough["a"] = {"ballistic_skill": skill}
    table = fight(EVA, *rows, a="rifleman", b="rifleman", c="rifleman", d="rifleman", e="rifleman", stats=tough)
    return table.arm("a", weapon)


@pytest.mark.parametrize(
    ("action", "caught", "last", "rounds_spent"),
    [("suppress-semi", ["b", "d", "c"], 30, 2), ("suppress-auto", ["b", "d", "c"], 20, 4)],
)
def test_eva_22_everybody_in_the_arc_tests_pinning_at_10_or_20(
    action: str, caught: list[str], last: int, rounds_spent: int
) -> None:
    """EVA-22: -10 semi-automatic, -20 fully automatic, hit or not; -20 to the shot in place of +10."""
    table = zone()
    assert table.worth("suppress", action=action) == -20
    table.do(Attack("a", "b", action=action), (90,), (last,), (last + 1,), (last + 1,))
    assert [event.target for event in table.happened(ev.BurstCaught)] == caught
    assert ["pinned" in held(table, unit_id) for unit_id in caught] == [False, True, True]
    assert table.unit("a").gear.rounds["assault-rifle"] == 30 - rounds_spent
    assert table.unit("a").turn.budget["action"] == 0


@pytest.mark.parametrize(
    ("roll", "hits"), [(30, {"c": 1}), (28, {"d": 1, "c": 1}), (9, {"b": 1, "d": 1, "c": 1}), (10, {"d": 1, "c": 1})]
)
def test_eva_22_one_hit_and_one_more_for_2_degrees_on_random_victims(roll: int, hits: dict[str, int]) -> None:
    """EVA-22: at 30, a hit and another for every 2 degrees, up to 4; one after the other is hit."""
    table = zone(skill=50)
    assert table.shot(action="suppress-auto").ledger.target_number == 30
    table.do(Attack("a", "b", action="suppress-auto"), (roll,))
    struck = [event.unit for event in table.happened(ev.PoolChanged) if event.pool == "wounds"]
    damage = sum(event.label == "Damage" for event in table.happened(ev.EffectRolled))
    assert damage == sum(hits.values())
    assert set(struck) <= {"b", "c", "d"}


# --- EVA-23: grapple and the other acts -----------------------------------------------------------------------------


def grappled(a: str = "brawler", b: str = "rifleman") -> Table:
    table = close(a, b, stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b", action="grapple"), (10,))
    assert (held(table, "a"), held(table, "b")) == ({"grappling", "kept"}, {"grappled"})
    return table


def test_eva_23_a_grapple_is_a_ws_test_that_does_no_damage() -> None:
    """EVA-23: on a success it begins, with the attacker in control; neither walks away."""
    table = grappled()
    assert table.unit("b").pools["wounds"] == 90
    assert "in a grapple" in table.turn_of("b").refusal(Move("b", table.way("b", "C1"), "half-move"))


def test_eva_23_a_controller_who_does_not_keep_it_up_ends_it() -> None:
    """EVA-23: the Grapple action on its turn, or the grapple is over."""
    table = grappled()
    table.turn_of("a")
    table.do(Act("a", "grapple-hold", "b"))
    table.turn_of("a")
    assert "grappled" in held(table, "b")
    table.do(EndTurn())
    assert not held(table, "a") & {"grappling"} and not held(table, "b") & {"grappled"}


def test_eva_23_damage_is_an_opposed_strength_test() -> None:
    """EVA-23: bare hands' damage and a level of fatigue."""
    table = grappled().turn_of("a")
    table.do(Act("a", "grapple-damage", "b"), (15,), (90,), (5,))
    assert (90 - table.unit("b").pools["wounds"], table.unit("b").pools["stamina"]) == (0, 3)  # 6 less 3 and armour 4
    table.turn_of("a").do(Act("a", "grapple-damage", "b"), (60,), (10,))
    assert told(table, "Opposed test") == ["lost"]


def test_eva_23_push_goes_a_square_and_one_for_each_degree() -> None:
    """EVA-23: within a half move; who is not followed is free."""
    table = grappled().turn_of("a")
    table.do(Act("a", "grapple-push", "b"), (34,), (90,))
    assert (table.unit("b").at.name, held(table, "b"), held(table, "a") & {"grappling"}) == ("E1", set(), set())


def test_eva_23_push_counts_squares_and_no_more_than_the_half_move() -> None:
    """EVA-23: on squares of 2 metres, too; the half move with its modifiers is the most."""
    for bonus, goal in ((0, "F1"), (-2, "D1")):
        stats = {"a": {"move_bonus": bonus}, "b": {"wound_points": 90}}
        table = fight(EVA, "ab....", a="brawler", b="rifleman", stats=stats, scale=(2, "metres"))
        table.do(Attack("a", "b", action="grapple"), (10,))
        table.turn_of("a")
        table.do(Act("a", "grapple-push", "b"), (4,), (90,))
        assert table.unit("b").at.name == goal


def test_eva_23_push_goes_in_any_direction_and_the_controller_may_follow() -> None:
    """EVA-23: towards the square that the act names; who follows keeps the grapple, who does not has let go."""
    for action, at, follows in (("grapple-push", "A5", False), ("grapple-push-along", "A1", True)):
        table = fight(EVA, *["......"] * 4, "ab....", a="brawler", b="rifleman", stats={"b": {"wound_points": 90}})
        table.do(Attack("a", "b", action="grapple"), (10,))
        table.turn_of("a")
        table.do(Act("a", action, "b", parse_square("B1")), (24,), (90,))  # three degrees, four squares: a half move
        assert (table.unit("a").at.name, table.unit("b").at.name) == (at, "B1")
        assert ("grappled" in held(table, "b"), "grappling" in held(table, "a")) == (follows, follows)


OF_THE_RESTRAINED = {
    "break-free", "take-control", "grapple-attack", "grapple-power", "knock-down", "take-down", "ready",
}  # fmt: skip
"""What the chapter leaves to the restrained: their own two, the two for either, what is done as part of a grapple; and
taking the bare hands for it."""


def test_eva_23_every_action_but_those_of_the_chapter_is_closed_to_the_restrained() -> None:
    """EVA-23: each action of the ruleset, on whatever it is about, for one who is held and could else take any."""
    table = grappled(b="brawler").turn_of("b")
    rules, unit = table.rules, table.unit("b")
    asked = {}
    for action in rules.actions.values():
        whose = "attacker" if action.kind == "attack" else "unit"
        needs = [one for one in action.requires if one.condition == "grappled"]
        asked[action.id] = [one.holds.evaluate({f"{whose}.grappled": True}) for one in needs]
    assert {name for name, found in asked.items() if not found} == OF_THE_RESTRAINED
    assert all(found in ([], [False]) for found in asked.values())
    for action in rules.actions.values():
        if action.kind == "move":
            assert table.refusal(Move("b", table.way("b", "C1"), action.id)).endswith("it is held in a grapple.")
        elif action.kind == "other" and action.id not in OF_THE_RESTRAINED:
            target = {"enemy": "a", "ally": "b"}.get(action.target, "")
            square = parse_square("C1") if action.target == "square" else None
            declared = action.declares[0] if action.declares else ""
            said = table.refusal(Act("b", action.id, target, square, attack=declared))
            assert action.target == "ally" or "held in a grapple" in said, (action.id, said)
    assert unit.conditions


def test_eva_23_the_held_may_take_their_bare_hands_and_no_other_weapon() -> None:
    table = grappled(b="gunman").turn_of("b")
    table.do(Ready("b", "unarmed"))
    assert "readies only bare hands or claws" in table.refusal(Ready("b", "pistol"))


def test_eva_23_a_grapple_needs_a_free_hand() -> None:
    """EVA-23: a weapon and a shield leave none; bare hands and a shield do."""
    table = close(stats={"a": {"shield": True}}).arm("a", "knife")
    assert "neither hand is free" in table.refusal(Attack("a", "b", action="grapple"))
    table.arm("a", "unarmed").do(Attack("a", "b", action="grapple"), (10,))
    assert "grappled" in held(table, "b")


def test_eva_23_the_controller_does_damage_with_its_natural_weapon() -> None:
    """EVA-23: claws' 1d10 and penetration 1 in place of bare hands; the Strength bonus is added to both."""
    table = grappled().arm("a", "claws").turn_of("a")
    table.do(Act("a", "grapple-damage", "b"), (15,), (90,), (8,))
    assert 90 - table.unit("b").pools["wounds"] == 8 + 4 - 3 - (4 - 1)


def test_eva_23_standing_in_a_grapple_needs_both_on_the_ground() -> None:
    """EVA-23: regain your feet if both are on the ground."""
    table = grappled()
    table.posture("a", "prone").turn_of("a")
    assert "both must be on the ground" in table.refusal(Act("a", "grapple-stand", "b"))


def test_eva_23_release_stand_and_powers() -> None:
    """EVA-23: letting go is free; both rise when the one drags the other up; a power is the GM's."""
    table = grappled().turn_of("a")
    table.do(Act("a", "grapple-release", "b"))
    assert not held(table, "b") and table.unit("a").turn.budget["action"] == 2
    table = grappled()
    table.posture("a", "prone").posture("b", "prone").turn_of("a")
    table.do(Act("a", "grapple-stand", "b"), (10,), (90,))
    assert (table.unit("a").posture, table.unit("b").posture) == ("standing", "standing")
    table.turn_of("b").do(Act("b", "grapple-power"))
    assert table.unit("b").turn.budget["action"] == 0


@pytest.mark.parametrize("who", ["a", "b"])
def test_eva_23_a_grapple_ends_with_distance(who: str) -> None:
    """EVA-23: whoever is moved out of the other's reach is in no grapple any more."""
    table = grappled()
    table.place(who, "F1")
    assert "grappled" not in held(table, "b") and "grappling" not in held(table, "a")


def test_eva_23_who_no_longer_controls_a_grapple_no_longer_keeps_it_up() -> None:
    table = grappled()
    assert "kept" in held(table, "a")
    table.place("b", "F1")
    assert not held(table, "a")
    released = grappled()
    said = released.do(Act("a", "grapple-release", "b"))
    assert "A is no longer in control of a grapple: Grapple: release." in said and not held(released, "a")
    broken = grappled().turn_of("b")
    broken.do(Act("b", "break-free", "a"), (1,), (99,))
    assert not held(broken, "a") and not held(broken, "b")
    turned = grappled(b="brawler").turn_of("b")
    turned.do(Act("b", "take-control", "a"), (1,), (99,))
    assert held(turned, "a") == {"grappled"} and held(turned, "b") >= {"grappling", "kept"}
    out = grappled()
    out.do(SetOut("b", "flees"))
    assert not held(out, "a")


def test_eva_23_who_is_in_a_grapple_is_told_so_when_it_cannot_move() -> None:
    table = grappled().turn_of("b")
    for action in ("", "half-move"):
        assert "it is held in a grapple" in table.refusal(Move("b", table.way("b", "C1"), action))
    assert table.refusal(Move("b", table.way("b", "C1"))) == "B cannot move: it is held in a grapple."
    tired = fight(EVA, "a.....b", a="rifleman", b="rifleman")
    tired.do(Act("a", "aim-well"))
    assert tired.refusal(Move("a", tired.way("a", "B1"))) == "A has no move left this turn."


def test_eva_23_in_a_grapple_small_weapons_and_pistols_are_used_on_anybody() -> None:
    """EVA-23: bare hands, a knife, claws or a pistol."""
    table = grappled().turn_of("b")
    for weapon in ("knife", "pistol", "assault-rifle"):
        refused = table.arm("b", weapon).refusal(Attack("b", "a", action="standard"))
        assert "held in a grapple" in refused or "attack with “Standard attack in a grapple”" in refused, weapon
    table.arm("b", "knife")
    table.do(Attack("b", "a", action="grapple-attack"), (20,), (3,))
    assert table.attacked().is_hit


def test_eva_23_the_restrained_break_free_or_take_control() -> None:
    """EVA-23: half actions; control lets one of the controller's actions follow at once."""
    table = grappled().turn_of("b")
    table.do(Act("b", "break-free", "a"), (60,), (50,))
    assert "grappled" in held(table, "b")
    table.do(Act("b", "take-control", "a"), (5,), (50,))
    assert "grappling" in held(table, "b") and "grappled" in held(table, "a") and "grappled" not in held(table, "b")
    table.do(Act("b", "grapple-damage", "a"), (20,), (90,), (5,))
    assert "half action" in table.refusal(Act("b", "grapple-damage", "a"))
    table.turn_of("a").do(Act("a", "break-free", "b"), (5,), (60,))
    assert not held(table, "a") & {"grappled"} and not held(table, "b") & {"grappling"}


def test_eva_23_allies_assist() -> None:
    """EVA-23: 10 on the next test of Strength."""
    table = fight(EVA, "ab", "c.", a="brawler", b="rifleman", c="rifleman", allies="c")
    table.do(Attack("a", "b", action="grapple"), (10,))
    table.turn_of("c").do(Act("c", "assist", "a"))
    table.turn_of("a").do(Act("a", "grapple-damage", "b"), (55,), (90,), (5,))
    assert told(table, "Opposed test") == ["won"]
    assert "assisted" not in held(table, "a")


@pytest.mark.parametrize(
    ("own", "theirs", "prone", "hurts"),
    [(40, 90, "b", False), (25, 90, "b", True), (40, 35, "b", False), (25, 35, "b", True), (45, 25, "", False),
     (60, 90, "", False), (45, 15, "a", False), (60, 30, "", False), (60, 15, "a", False)],
)  # fmt: skip
def test_eva_23_knock_down_is_an_opposed_strength_test(own: int, theirs: int, prone: str, hurts: bool) -> None:
    """EVA-23: who loses lies there; two degrees better also hurts and tires, two worse and the attacker falls.

    A failed test has no degrees, however badly it fails.
    """
    table = close(stats={"b": {"wound_points": 90, "armour_body": 0}})
    table.do(Act("a", "knock-down", "b"), (own,), (theirs,), *[(5,)] * hurts)
    assert [unit_id for unit_id in "ab" if table.unit(unit_id).posture == "prone"] == list(prone)
    assert (table.unit("b").pools["wounds"], table.unit("b").pools["stamina"]) == ((87, 3) if hurts else (90, 4))


def test_eva_23_the_odds_of_a_knock_down_say_the_kick_and_the_own_fall() -> None:
    """EVA-23: 35 against 30 Strength, by counting all pairs of rolls; every change has its own line."""
    table = close(stats={"a": {"strength": 35}, "b": {"strength": 30}})

    def degrees(score: int, roll: int) -> int:
        return 1 + score // 10 - roll // 10 if roll <= score else 0

    rolls = [(degrees(35, own), degrees(30, theirs)) for own in range(1, 101) for theirs in range(1, 101)]
    won = sum(own > theirs or own == theirs > 0 for own, theirs in rolls)
    kicked, fell = (
        sum(own >= theirs + 2 for own, theirs in rolls),
        sum(theirs > 0 and theirs >= own + 2 for own, theirs in rolls),
    )
    assert (kicked, fell) == (2139, 2089)
    action = table.rules.actions["knock-down"]
    success = chance_of_success(table.battle, table.rules, table.unit("a"), action, "b")
    assert success == Fraction(won, 10_000)
    found = outcomes_of_act(table.battle, table.rules, table.unit("a"), action, "b", success)
    assert [(one.words, one.chance * 10_000) for one in found] == [
        ("B: knocked down", won),
        ("B: damage, fatigue", kicked),
        ("A: falls itself", fell),
    ]


def test_eva_23_a_knock_down_after_a_half_move_has_10() -> None:
    """EVA-23: +10."""
    table = fight(EVA, "a.b", a="brawler", b="rifleman", stats=TOUGH)
    table.walk("a", "B1", action="half-move")
    table.do(Act("a", "knock-down", "b"), (55,), (90,))
    assert table.unit("b").posture == "prone"


@pytest.mark.parametrize(("through", "penalty"), [(3, 0), (4, 10), (6, 20), (9, 30)])
def test_ex_eva_4_take_down_stuns_by_a_toughness_test(through: int, penalty: int) -> None:
    """EX-EVA-4: Toughness bonus 3 and 6 damage, a test at -20; the damage itself is not done."""
    table = close(stats={"b": {"wound_points": 90, "toughness": 35, "armour_body": 0}, "a": {"strength": 43}})
    table.do(Attack("a", "b", action="take-down"), (44,), (through - 1,), (35 - penalty + 1,))
    tested = next(one for one in table.happened(ev.EffectRolled) if one.label.startswith("Toughness"))
    assert tested.against == f"{35 - penalty} or less"
    assert (table.unit("b").pools["wounds"], "stunned" in held(table, "b")) == (90, True)


def test_eva_23_take_down_disarm_and_feint_want_their_talents() -> None:
    """EVA-23: a talent for two of them."""
    table = close("rifleman").arm("a", "knife")
    assert "Takedown talent" in table.refusal(Attack("a", "b", action="take-down"))
    assert "Disarm talent" in table.refusal(Act("a", "disarm", "b"))


def test_eva_23_disarm_drops_the_weapon_or_with_3_degrees_takes_it() -> None:
    """EVA-23: an opposed WS test; Advanced Disarm adds 20."""
    for roll, rifle in ((30, "dropped"), (20, "taken")):
        table = close()
        table.do(Act("a", "disarm", "b"), (roll,), (90,))
        assert table.unit("b").gear.weapon == ""
        assert ("assault-rifle" in table.unit("a").gear.weapons) == (rifle == "taken")
    ruled = close()
    ruled.do(SetRuling("disarm_by_lead", True))
    ruled.do(Act("a", "disarm", "b"), (20,), (30,))
    assert ruled.unit("b").gear.weapon == "" and "assault-rifle" not in ruled.unit("a").gear.weapons
    trained = close(stats={"a": {"advanced_disarm": True}})
    trained.do(Act("a", "disarm", "b"), (65,), (90,))
    assert trained.unit("b").gear.weapon == ""


def test_eva_23_a_feint_is_lost_with_another_action() -> None:
    """EVA-23: so long as the attack is the next action; going prone is free and is none."""
    table = close()
    table.do(Act("a", "feint", "b"), (20,), (90,))
    assert table.unit("a").about["feinting"] == "b"
    table.do(Act("a", "go-prone"))
    assert "feinting" in held(table, "a")
    table.do(Act("a", "stand"))
    assert "feinting" not in held(table, "a")


def test_eva_22_bonuses_fall_away_and_penalties_stay() -> None:
    """EVA-22: -20 in place of bonuses: neither aim nor short range helps; a prone target stays hard to hit."""
    table = zone()
    table.do(Act("a", "aim"))
    table.posture("b", "prone")
    found = {entry.id: entry.value for entry in table.shot(action="suppress-semi").ledger.entries}
    assert "aim" not in found and found["range.short"] == 0
    assert (found["suppress"], found["prone-ranged"]) == (-20, -10)
    assert table.shot(action="standard").ledger.target_number > table.shot(action="suppress-semi").ledger.target_number


@pytest.mark.parametrize("act", ["charge", "multiple", "overwatch"])
def test_eva_24_aim_lasts_to_the_first_attack_test(act: str) -> None:
    """EVA-24: charge, multiple attack and overwatch are Attack actions; the aim is for the test within them."""
    table = fight(EVA, "a.....b", a="rifleman", b="rifleman", stats={"a": {"agility": 60}})
    table.arm("a", "pistol" if act == "multiple" else "assault-rifle").condition("a", "aiming_well")
    if act == "charge":
        table.arm("a", "knife").walk("a", "F1", action="charge")
        assert table.worth("aim", action="charge-attack") == 20
        table.do(Attack("a", "b", action="charge-attack"), (99,))
    else:
        table.do(Act("a", act, attack="standard" if act == "overwatch" else ""))
        assert table.worth("aim") == 20
        if act == "overwatch":
            return
        table.do(Attack("a", "b"), (99,))
    assert "aiming_well" not in held(table, "a")


@pytest.mark.parametrize("act", ["knock-down", "charge-knock-down", "guard"])
def test_eva_24_aim_holds_for_every_action_of_type_attack(act: str) -> None:
    """EVA-24: knocking down and guard mode are Attack actions, and no attack test uses the aim up."""
    table = close().condition("a", "aiming_well")
    if act == "guard":
        table.do(Act("a", act))
    else:
        if act == "charge-knock-down":
            table.condition("a", "charging")
        table.do(Act("a", act, "b"), (99,), (99,))
    assert "aiming_well" in held(table, "a")


def test_eva_14_deflecting_is_free_and_ends_neither_aim_nor_overwatch_nor_long_work() -> None:
    """EVA-14, EVA-24: a free action is no next action; the GM may rule otherwise. A dodge ends all three."""
    kept = {"aiming_well", "watching", "working"}
    for defence, ruled, left in (("deflect", False, kept), ("deflect", True, set()), ("dodge", False, set())):
        table = fight(EVA, "a....b", a="rifleman", b="rifleman", stats={"a": {"deflector_strength": 30}})
        for condition in sorted(kept):
            table.condition("a", condition)
        if ruled:
            table.do(SetRuling("free_actions_count", ruled))
        table.do(EndTurn())
        table.do(Attack("b", "a"), defends("a", defence), (1,), (1,))
        assert held(table, "a") & kept == left, (defence, ruled)


@pytest.mark.parametrize("action", ["grapple-attack", "take-down", "knock-down"])
def test_eva_23_the_grapple_action_is_also_an_attack_in_it_and_keeps_it_up(action: str) -> None:
    """EVA-23: the full action pays for one of Controller, Either, Knock Down, Take Down; the grapple goes on."""
    table = grappled().turn_of("a")
    attack = action != "knock-down"
    if action == "grapple-attack":
        table.arm("a", "unarmed")
    command = Attack("a", "b", action=action) if attack else Act("a", action, "b")
    table.do(command, (99,), *[(99,)] * (not attack))
    assert table.unit("a").turn.budget["action"] == 0
    table.do(EndTurn())
    assert "grappling" in held(table, "a") and "grappled" in held(table, "b")


def test_eva_9_whom_only_lethal_damage_can_hurt_is_hurt_by_kicks_and_grapples() -> None:
    """EVA-9: fate points at 0 wounds: a knock-down's kick and a grapple's squeeze are lethal damage."""
    fated: Stats = {"b": {"fate_points": 1, "armour_body": 0}}
    table = close(stats=fated)
    table.do(SetPool("b", "wounds", 1))
    table.do(Act("a", "knock-down", "b"), (5,), (90,), (5,), (1,))
    assert (table.unit("b").pools["wounds"], table.unit("b").pools["lethal"]) == (0, 8)
    assert "stunned" in held(table, "b")  # the lethal table, as after an attack
    table = close(stats=fated)
    table.do(Attack("a", "b", action="grapple"), (10,))
    table.turn_of("a")
    table.do(SetPool("b", "wounds", 0))
    table.do(Act("a", "grapple-damage", "b"), (5,), (90,), (5,), (3,))
    assert (table.unit("b").pools["lethal"], table.unit("b").posture) == (7, "prone")


@pytest.mark.parametrize(
    ("wounds", "die", "left", "lethal"), [(6, 5, 0, 10), (5, 5, 0, 9), (0, 5, 0, 4), (9, 5, 3, 10)]
)
def test_eva_9_a_fall_is_soaked_and_counts_as_lethal_damage_past_the_last_wound_alone(
    wounds: int, die: int, left: int, lethal: int
) -> None:
    """EVA-9, EVA-13: 4 squares and a 5, less the Toughness bonus of 3: 6 damage, each point counted once."""
    table = fight(EVA, "ab..", a="rifleman", b="gunman", stats={"b": {"fate_points": 1, "toughness": 30}})
    table.do(SetPool("b", "wounds", wounds))
    draft = EventBuilder(table.battle, table.rules)
    draft.add(ev.UnitFell("b", 400))
    see_through(draft, 0, TableSource(typed_dice([(die,), *[(2,)] * (lethal < 10)]), SeededSource("", 0)))
    assert ("stunned" in draft.battle.unit("b").conditions) == (lethal < 10)  # the lethal table, as after an attack
    pools = draft.battle.unit("b").pools
    assert (pools["wounds"], pools["lethal"]) == (left, lethal)


@pytest.mark.parametrize("is_first", [True, False])
def test_eva_13_a_stunned_flyer_begins_to_fall_on_the_turn_that_it_loses(is_first: bool) -> None:
    """EVA-13: by one rule, whenever in the round it was stunned."""
    flyer, other = ("b", "a") if is_first else ("a", "b")
    roles = {flyer: "flyer", other: "rifleman"}
    stats = {flyer: {"wound_points": 900}}
    table = fight(EVA, "a....b", a=roles["a"], b=roles["b"], altitudes={flyer: 30}, stats=stats)
    if not is_first:
        table.do(EndTurn())
    table.do(SetCondition(flyer, "stunned", True))
    table.do(SetRuling("stunned_flyers_fall", True))
    assert "falling" not in held(table, flyer)
    table.do(EndTurn())
    assert "falling" in held(table, flyer)
    while table.unit(flyer).altitude:
        table.do(EndTurn())
    assert table.battle.turns.round == (2 if is_first else 3)


def test_eva_2_the_surprised_are_easier_to_hit_to_the_end_of_the_round() -> None:
    """EVA-2: +30 and no reactions last the same time, whatever the initiative."""
    table = fight(EVA, "a....b....c", a="rifleman", b="rifleman", c="rifleman", allies="c", is_begun=False)
    table.do(SetCondition("b", "surprised", True))
    table.do(RollInitiative(), (10,), (9,), (1,))
    while table.battle.turns.active != "c":
        table.do(EndTurn())
    assert table.worth("surprised", by="c") == 30
    assert table.unit("b").turn.budget["reaction"] == 0
    table.do(EndTurn())
    assert table.worth("surprised", by="c") is None


@pytest.mark.parametrize("ruled", [True, False])
def test_eva_26_fatigue_counts_in_every_test(ruled: bool) -> None:
    """EVA-26: rallying, clearing a jam, Take Down, Agility on overwatch; the GM may say attacks alone."""
    table = fight(EVA, "a....b", a="rifleman", b="rifleman")
    if not ruled:
        table.do(SetRuling("fatigue_in_every_test", ruled))
    table.do(SetPool("a", "stamina", 1))
    table.condition("a", "pinned")
    table.do(EndTurn(), (36 - 10 * ruled,))
    (test,) = [one for one in table.happened(ev.EffectRolled) if one.against.endswith("or less")]
    assert test.against == f"{35 - 10 * ruled} or less"
    assert "pinned" in held(table, "a")


def test_eva_18_a_charge_that_ends_beside_nobody_is_asked_before_it_is_paid() -> None:
    """EVA-18: the attack at its end would be lost; beside an enemy nothing is asked."""
    table = fight(EVA, "a.......b" + "." * 4, "." * 13, a="brawler", b="rifleman", stats=TOUGH)
    decide(table.battle, Move("a", table.way("a", "H1"), "charge"), table.rules, asks=True)
    nowhere = Move("a", table.way("a", "F1"), "charge")
    with pytest.raises(Needs) as asked:
        decide(table.battle, nowhere, table.rules, asks=True)
    ask = asked.value.ask
    assert isinstance(ask, MoveAsk)
    assert ask.words.startswith(
        "No enemy is adjacent to F1: the attack at the end of the charge is lost. A moves to F1"
    )
    assert "A stays on A1" in table.refusal(nowhere, ask.answer("no"))
    table.do(nowhere, ask.answer("yes"))
    assert (table.unit("a").at.name, table.unit("a").turn.budget["action"]) == ("F1", 0)


def test_eva_23_a_take_down_confirms_no_critical() -> None:
    """EVA-23: its damage is not done, so there is nothing to confirm."""
    table = close(stats={"b": {"wound_points": 90, "toughness": 35, "armour_body": 0}, "a": {"strength": 43}})
    table.do(Attack("a", "b", action="take-down"), (44,), (5,), (1,))
    assert not [one for one in table.happened(ev.EffectRolled) if one.label.startswith("Confirming")]
