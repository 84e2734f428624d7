"""Occult Ops without weapons: OCC-14, every technique of hands and feet, holds and disarming."""

from __future__ import annotations

import pytest

from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.terrain_commands import SetEdges
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.state.codec import parse_edge
from engine.geometry.squares import parse_square
from engine.rules.model import Value
from maps import kinds
from tests.rules.table import Table, fight

OCC = "occult-ops"
TRAINED: dict[str, Value] = {"strength": 6, "weapon_unarmed": True, "wrestling": True}


def bout(weapon: str = "punch", apart: int = 1, **stats: Value) -> Table:
    """A fighter of average strength and a gunman in a leather jacket of 20 points, so many squares apart."""
    table = fight(
        OCC, "a" + "." * (apart - 1) + "b..", a="brawler", b="gunman",
        stats={"a": {**TRAINED, **stats}, "b": {"armour_points": 0, "dexterity": 6, "endurance": 10}},
    )  # fmt: skip
    return table.arm("a", weapon, "knife")


def lost(table: Table, action: str, *dice: tuple[int, ...], weapon: str = "") -> int:
    """Hit points that a technique takes from b with a roll of 30 and these further dice."""
    before = table.unit("b").pools["hp"]
    table.do(Attack("a", "b", weapon, action), (30,), *dice)
    return before - table.unit("b").pools["hp"]


@pytest.mark.parametrize(
    ("weapon", "action", "dice", "damage"),
    [
        ("punch", "attack", (6,), 6),
        ("punch", "backhand", (4,), 4),
        ("punch", "karate-chop", (4, 3), 7),
        ("punch", "elbow", (5,), 5),
        ("punch", "tackle", (3,), 3),
        ("kick", "attack", (4, 4), 8),
        ("kick", "snap-kick", (6,), 6),
        ("kick", "karate-kick", (6, 5), 11),
        ("kick", "knee", (2,), 2),
        ("kick", "wheel-kick", (6, 6), 12),
        ("kick", "roundhouse", (6, 6, 6), 18),
        ("kick", "crescent-kick", (4, 4), 10),
    ],
)
def test_occ_14_each_technique_has_its_dice(weapon: str, action: str, dice: tuple[int, ...], damage: int) -> None:
    more = ((50,),) if action == "tackle" else ()
    assert lost(bout(weapon), action, dice, *more) == damage


def test_occ_14_strength_adds_to_physical_attacks_once_and_after_doubling() -> None:
    assert lost(bout(strength=10), "karate-chop", (4, 3)) == 7 + 4
    assert lost(bout(strength=10), "power-chop", (4, 3)) == 2 * 7 + 4


@pytest.mark.parametrize("blow", ["power-backhand", "power-punch", "power-chop", "power-elbow"])
def test_occ_14_every_hand_attack_that_does_damage_may_be_a_power_punch(blow: str) -> None:
    dice = (2, 1) if blow == "power-chop" else (3,)
    assert lost(bout(), blow, dice) == 6


def test_occ_14_untrained_hands_lose_20() -> None:
    assert bout(weapon_unarmed=False).worth("wild", action="karate-chop") == -20


def test_occ_14_a_throw_and_a_trip_knock_down_without_damage() -> None:
    for weapon, action in (("punch", "throw"), ("kick", "trip")):
        table = bout(weapon)
        assert lost(table, action) == 0
        assert table.unit("b").posture == "prone"


def test_occ_14_a_power_punch_costs_the_next_attack() -> None:
    table = bout()
    table.do(Attack("a", "b", "", "power-punch"), (99,), (20,))
    assert table.unit("a").turn.budget["attack"] == 0
    table.turn_of("a")
    assert "cannot take" in table.refusal(Attack("a", "b"))
    table.turn_of("a")
    table.do(Attack("a", "b"), (80,))


def test_occ_14_a_tackle_throws_down_in_60_of_100_or_costs_an_attack() -> None:
    down = bout()
    lost(down, "tackle", (1,), (60,))
    assert down.unit("b").posture == "prone"
    up = bout()
    lost(up, "tackle", (1,), (61,))
    assert up.unit("b").posture == "standing"
    up.do(EndTurn())
    assert up.unit("b").turn.budget["attack"] == 0
    up.do(EndTurn())
    up.do(EndTurn())
    assert up.unit("b").turn.budget["attack"] == 1


@pytest.mark.parametrize(
    ("weapon", "action", "dice", "damage"),
    [("kick", "jump-kick", (4, 4, 2), 20), ("punch", "leap-attack", (6,), 12), ("knife", "leap-attack", (6,), 12)],
)
def test_occ_14_leaps_double_from_two_squares_away_as_the_only_act(
    weapon: str, action: str, dice: tuple[int, ...], damage: int
) -> None:
    table = bout(weapon, apart=2)
    assert "2" in str(table.shot(action=action).situation.facts["distance_squares"])
    assert lost(table, action, dice) == damage
    assert table.unit("a").turn.budget == {"attack": 0, "move": 0}
    walked = bout(weapon, apart=2)
    walked.do(Move("a", walked.way("a", "A1", "B1"), "step"))
    assert "the only action" in walked.refusal(Attack("a", "b", "", action))
    assert not bout(weapon, apart=3).shot(action=action).ledger.is_possible


LEAPS = (("kick", "jump-kick"), ("punch", "leap-attack"), ("knife", "leap-attack"))


def leaping(*rows: str, weapon: str = "kick", edges: str = "") -> Table:
    """A brawler about to leap at a gunman, over what is drawn; `edges` are "B1 W wall" and so on."""
    parts = [edge.split(" ", 2) for edge in edges.split(", ") if edge]
    toml = "".join(f'[[edge]]\nat = "{at}"\nside = "{side}"\nkind = "{kind}"\n' for at, side, kind in parts)
    legend = '[legend]\n"P" = "pit"\n'
    return fight(OCC, *rows, a="brawler", b="gunman", stats={"a": TRAINED}, toml=legend + toml).arm("a", weapon)


@pytest.mark.parametrize(("weapon", "action"), LEAPS)
@pytest.mark.parametrize(
    ("rows", "edges"),
    [
        (("a#b",), ""),
        (("aob",), ""),
        (("a.b",), "B1 W wall"),
        (("a.b",), "C1 W wall"),
        (("a.b",), "C1 W door"),
        (("a.b",), "B1 W locked door"),
        (("a.b",), "C1 W window"),
        (("a.b",), "C1 W bars"),
        (("ab", ".."), "B1 W wall"),
        (("ab", ".."), "B1 W door"),
        (("a..", ".#.", "..b"), ""),
        (("a#.", ".#b"), ""),
        (("a..", "..b"), "B1 W wall"),
        (("a#.", "..b"), ""),
    ],
)
def test_occ_14_leaps_and_jump_kicks_do_not_pass_walls(
    weapon: str, action: str, rows: tuple[str, ...], edges: str
) -> None:
    table = leaping(*rows, weapon=weapon, edges=edges)
    assert "Leap blocked" in table.refusal(Attack("a", "b", "", action), (3,), (6, 6, 6))
    assert table.shot(action=action).odds.hit == 0


@pytest.mark.parametrize(("weapon", "action"), LEAPS)
@pytest.mark.parametrize(
    ("rows", "edges"),
    [
        (("a.b",), ""),
        (("a=b",), ""),
        (("aPb",), ""),
        (("a.b",), "B1 W fence"),
        (("a.b",), "C1 W open door"),
        (("a.b",), "C1 W curtain"),
        (("a..", "...", "..b"), ""),
        (("a..", "#.b"), ""),
        (("a..", "..b"), "B2 W wall"),
        (("ab", ".."), ""),
    ],
)
def test_occ_14_leaps_pass_over_what_is_low_or_open(
    weapon: str, action: str, rows: tuple[str, ...], edges: str
) -> None:
    assert leaping(*rows, weapon=weapon, edges=edges).shot(action=action).odds.hit > 0


def test_occ_14_a_leap_does_not_climb_a_cliff() -> None:
    cliff = '[elevation]\nrows = """\n.22\n"""\n[elevation.legend]\n"2" = 10\n'
    up = fight(OCC, "a.b", a="brawler", b="gunman", stats={"a": TRAINED}, toml=cliff).arm("a", "kick")
    assert up.shot().situation.facts["distance_squares"] == 2
    assert "Leap blocked" in up.refusal(Attack("a", "b", "", "jump-kick"))


def test_occ_14_the_held_can_only_try_to_break_free() -> None:
    table = bout()
    assert lost(table, "hold") == 0
    assert table.unit("b").about["held"] == "a"
    table.do(EndTurn())
    table.arm("b", "knife")
    assert table.unit("b").turn.budget["move"] == 0
    assert "Held" in table.refusal(Attack("b", "a"))
    assert "held" in table.refusal(Act("b", "dodge"))
    said = table.refusal(Move("b", (parse_square("B1"), parse_square("C1"))))
    assert said == "B cannot move: it is held and can only break free."
    table.do(Attack("b", "a", "", "break-free"), (90,))
    assert "held" in table.unit("b").conditions
    table.turn_of("b")
    table.do(Attack("b", "a", "", "break-free"), (10,))
    assert "held" not in table.unit("b").conditions
    assert table.unit("a").pools["hp"] == table.unit("a").pools["hp"]


def test_occ_14_a_hold_needs_wrestling_and_ends_with_the_holder() -> None:
    assert "wrestling" in bout(wrestling=False).refusal(Attack("a", "b", "", "hold"))
    table = bout()
    lost(table, "hold")
    table.do(SetPool("a", "hp", 0))
    assert "held" not in table.unit("b").conditions


def held() -> Table:
    """Somebody who holds somebody else, both on an open field, and whose turn it is once more."""
    table = fight(
        OCC, ".....", ".ab..", ".....", a="brawler", b="gunman", stats={"a": TRAINED}
    ).arm("a", "punch")  # fmt: skip
    table.do(Attack("a", "b", "", "hold"), (30,))
    table.turn_of("a")
    assert "held" in table.unit("b").conditions
    return table


def test_occ_14_a_hold_ends_when_the_holder_walks_off() -> None:
    table = held()
    lines = table.walk("a", "A2")
    assert table.unit("b").conditions == ()
    assert any("no longer held" in line and "no longer adjacent" in line for line in lines)
    table.turn_of("b")
    table.walk("b", "E2")


@pytest.mark.parametrize(("who", "square"), [("a", "A1"), ("b", "E3")])
def test_occ_14_a_hold_ends_when_one_of_the_two_is_put_elsewhere(who: str, square: str) -> None:
    assert held().place(who, square).unit("b").conditions == ()


def test_occ_14_a_hold_ends_when_a_wall_comes_between() -> None:
    table = held()
    table.do(SetEdges((parse_edge("C2 W"),), kinds.barrier("wall", "feet")))
    assert table.unit("b").conditions == ()


def test_occ_14_a_hold_lasts_while_the_two_move_round_each_other() -> None:
    table = held()
    table.walk("a", "B1")
    assert table.unit("b").conditions == ("held",)


def test_occ_14_the_gm_may_say_that_somebody_is_held_from_afar() -> None:
    table = bout(apart=3)
    table.do(SetCondition("b", "held", True, about="a"))
    table.do(EndTurn())
    assert table.unit("b").conditions == ("held",)


def test_occ_14_a_disarming_strike_sends_the_weapon_flying() -> None:
    table = bout(apart=1)
    weapon = table.unit("b").gear.weapon
    assert lost(table, "disarm", (3,), (2,)) == 0
    assert weapon not in table.unit("b").gear.weapons
    assert table.battle.scene.dropped[0].at == parse_square("D1")
    table.turn_of("a")
    assert "no weapon in hand" in table.refusal(Attack("a", "b", "", "disarm"))


def test_occ_14_hands_and_feet_have_their_own_techniques_and_guns_none() -> None:
    assert " has no “" in bout("kick").refusal(Attack("a", "b", "", "karate-chop"))
    assert " has no “" in bout("knife").refusal(Attack("a", "b", "", "roundhouse"))


def test_occ_14_a_critical_does_full_damage_and_1d6() -> None:
    table = bout()
    before = table.unit("b").pools["hp"]
    table.do(Attack("a", "b", "", "karate-chop"), (1,), (3,))
    assert before - table.unit("b").pools["hp"] == 8 + 3
