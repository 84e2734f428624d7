"""Cities Without Number: weapons and cyberware that a unit has: body weapons, shotguns, rests, Gunlink, reflexes."""

from __future__ import annotations

import pytest

from engine.answers import Needs
from engine.battle.attacks.attack_preview import consider
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.gear_commands import Give
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.moves.moves import MoveAsk
from engine.geometry.squares import parse_square
from engine.rules.model import Value
from tests.rules.table import Table, entry, fight

CWN = "cwn"


def numbers(table: Table) -> tuple[Value, ...]:
    """Whether the weapon lacks a rest, and what it does."""
    facts = table.shot().situation.facts
    return tuple(facts[name] for name in ("unrested", "damage_dice", "trauma_dice", "trauma_rating"))


# --- body weapons ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stab", "punch", "line"), [(-1, 2, "skill-punch"), (2, 1, "skill-stab"), (1, 1, "skill-stab")]
)
def test_cwn_16_a_body_weapon_uses_the_better_of_stab_and_punch(stab: int, punch: int, line: str) -> None:
    stats: dict[str, dict[str, Value]] = {"a": {"stab": stab, "punch": punch}}
    ledger = fight(CWN, "ab", a="machine-gunner", b="leader", stats=stats).arm("a", "body-blades-1").shot().ledger
    found = entry(ledger, line)
    assert found is not None and found.value == max(stab, punch)
    assert sum(one.id.startswith("skill-") for one in ledger.entries) == 1
    assert entry(ledger, "unskilled") is None


def test_cwn_16_punch_adds_nothing_to_the_damage_of_a_body_weapon() -> None:
    odds = []
    for punch in (0, 2):
        stats: dict[str, dict[str, Value]] = {"a": {"stab": -1, "punch": punch}, "b": {"hit_points": 60}}
        table = fight(CWN, "ab", a="civilian", b="gunman", stats=stats).arm("a", "body-blades-1")
        lines = table.do(Attack("a", "b"), (15,), (4,), (1,))
        assert not any("Full damage" in line for line in lines), "it is the damage that was rolled"
        odds.append(next(line for line in lines if "hit points" in line))
    assert odds[0] == odds[1]


def test_cwn_full_damage_is_told_where_it_is_more_than_the_damage_rolled() -> None:
    for trauma, told in ((2, []), (6, ["Full damage: 6 × 3 = 18."])):
        lines = fight(CWN, "a..b", a="gunman", b="gunman").do(Attack("a", "b"), (19,), (6,), (trauma,))
        assert [line for line in lines if line.startswith("Full damage")] == told


# --- guns -----------------------------------------------------------------------------------------------------------


def test_cwn_3_every_shotgun_takes_slugs() -> None:
    for weapon in ("shotgun", "combat-shotgun", "semi-auto-shotgun"):
        table = fight(CWN, "a..b", a="machine-gunner", b="gunman").arm("a", weapon)
        table.do(Act("a", "load-slugs"))
        assert table.worth("slugs") == -1


def test_cwn_3_a_sniper_rifle_without_a_rest_is_a_rifle() -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman")
    assert numbers(table) == (True, "1d10+2", "1d8", 3)
    far = table.shot(changed={"distance": 401})
    assert far.ledger.forbidden
    assert entry(table.shot(changed={"distance": 201}).ledger, "range.long") is not None


@pytest.mark.parametrize("how", ["braced", "prone"])
def test_cwn_3_a_rested_sniper_rifle_shoots_its_whole_range(how: str) -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman")
    if how == "braced":
        table.do(Act("a", "brace"))
    else:
        table.posture("a", "prone")
    assert numbers(table) == (False, "2d8", "1d10", 4)
    assert entry(table.shot(changed={"distance": 1000}).ledger, "range.normal") is not None


def test_cwn_3_the_gm_rules_that_lying_prone_is_no_rest() -> None:
    table = fight(CWN, "a..b", a="marksman", b="gunman").posture("a", "prone")
    table.do(SetRuling("prone_rests", False))
    assert table.shot().situation.facts["unrested"]


# --- cyberware ------------------------------------------------------------------------------------------------------


def test_cwn_8_a_gunlink_is_given_like_gear() -> None:
    table = fight(CWN, "a..ob", a="gunman", b="gunman")
    assert table.worth("gunlink-cover") is None
    table.do(Give("a", "gunlink"))
    assert table.worth("gunlink-cover") == 2


def test_cwn_15_movement_by_enhanced_reflexes_needs_no_withdrawal() -> None:
    table = fight(CWN, "....", "ab..", a="gunman", b="brawler")
    assert "no Enhanced Reflexes" in table.refusal(Move("a", table.way("a", "A1"), "reflex-move"))
    table.do(Give("a", "enhanced-reflexes"))
    budget = dict(table.unit("a").turn.budget)
    lines = table.walk("a", "A1", "B1", "C1", "D1", action="reflex-move")
    assert table.unit("a").at.name == "D1"
    assert not table.battle.openings
    assert table.unit("a").turn.budget == budget
    assert any("Enhanced Reflexes" in line for line in lines)
    table.walk("a", "D2", action="reflex-move")
    assert "already used" in table.refusal(Move("a", table.way("a", "D1"), "reflex-move"))


# --- weapons thrown from the hand -----------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", ["knife", "spear"])
def test_cwn_12_a_knife_or_a_spear_is_thrown_from_the_hand_and_lies_there(weapon: str) -> None:
    table = fight(CWN, "a..b", a="brawler", b="gunman").arm("a", weapon, "unarmed")
    shot = table.shot(action="throw")
    assert (shot.refusal, shot.situation.facts["thrown"], shot.situation.facts["melee"]) == ("", True, False)
    assert shot.ledger.target_number == 10
    table.do(Attack("a", "b", action="throw"), (15,), (2,), (1,))
    assert table.unit("a").gear.weapons == ("unarmed",)
    assert [(item.weapon, item.at.name) for item in table.battle.scene.lying_at(parse_square("D1"))] == [(weapon, "D1")]
    assert table.unit("b").pools["hp"] < 15


def test_cwn_3_a_thrown_knife_from_the_hand_has_ranges() -> None:
    table = fight(CWN, "a..b", a="brawler", b="gunman").arm("a", "knife")
    assert entry(table.shot(action="throw", changed={"distance": 10}).ledger, "range.normal") is not None
    assert entry(table.shot(action="throw", changed={"distance": 20}).ledger, "range.long") is not None
    assert table.shot(action="throw", changed={"distance": 21}).ledger.forbidden


def test_cwn_12_what_else_is_thrown_is_the_gms_ruling() -> None:
    table = fight(CWN, "a..b", a="brawler", b="gunman").arm("a", "club")
    assert "not made for throwing" in table.refusal(Attack("a", "b", action="throw"), (15,))
    table.do(SetRuling("throw_anything", True))
    assert table.shot(action="throw").refusal == ""
    assert table.shot(action="throw", changed={"distance": 21}).ledger.forbidden


def charge_with(weapon: str, role: str = "brawler") -> Table:
    table = fight(CWN, "a.....b", a=role, b="gunman").arm("a", weapon)
    table.walk("a", "D1", action="charge")
    return table


def test_cwn_12_a_charge_may_hurl_the_weapon_in_hand() -> None:
    table = charge_with("spear")
    assert table.worth("charge", action="charge-throw") == 2
    assert table.shot(action="charge-throw").refusal == ""


def test_cwn_12_whether_a_charge_helps_a_grenade_is_the_gms_ruling() -> None:
    table = charge_with("frag-grenade", "grenadier")
    assert table.worth("charge", action="charge-attack") == 2
    table.do(SetRuling("charge_grenades", False))
    assert table.worth("charge", action="charge-attack") is None


# --- grenades at somebody behind cover ------------------------------------------------------------------------------


def test_cwn_5_a_grenade_is_thrown_at_somebody_behind_cover_as_at_the_square() -> None:
    table = fight(CWN, "a..ob", a="grenadier", b="gunman").posture("b", "prone")
    assert table.shot("frag-grenade", changed={}).situation.facts["covered"] == 1
    at_unit = table.shot("frag-grenade")
    at_square = consider(table.battle, table.rules, Attack("a", "", "frag-grenade"), square=parse_square("E1"))
    for shot in (at_unit, at_square):
        assert shot.ledger.is_possible
        assert (shot.ledger.target_number, shot.ledger.total) == (10, at_unit.ledger.total)
    assert at_unit.odds.hit == at_square.odds.hit


def test_cwn_5_a_wall_stops_a_grenade_at_the_unit_and_at_its_square() -> None:
    table = fight(CWN, "a..#b", a="grenadier", b="gunman")
    for square in (None, parse_square("E1")):
        assert consider(table.battle, table.rules, Attack("a", "b", "frag-grenade"), square=square).ledger.forbidden


# --- a move for the Main action -------------------------------------------------------------------------------------


def test_cwn_9_a_move_that_takes_the_main_action_is_asked_first() -> None:
    table = fight(CWN, "a" + "." * 10, ".........b.", a="gunman", b="gunman")
    onward = Move("a", (*map(parse_square, ("F1", "G1")),))
    decide(table.battle, Move("a", table.way("a", "F1")), table.rules, asks=True)
    table.walk("a", "F1")
    with pytest.raises(Needs) as asked:
        decide(table.battle, onward, table.rules, asks=True)
    ask = asked.value.ask
    assert isinstance(ask, MoveAsk)
    assert ask.words == "A moves to G1 for 1 Main action (Second move)?"
    assert "A stays on F1" in table.refusal(onward, ask.answer("no"))
    table.do(onward, ask.answer("yes"))
    assert (table.unit("a").at.name, table.unit("a").turn.budget["main"]) == ("G1", 0)
    decide(table.battle, Move("a", table.way("a", "H1")), table.rules, asks=True)  # it is paid for


def test_cwn_9_a_second_move_that_is_named_is_not_asked() -> None:
    table = fight(CWN, "a" + "." * 10, ".........b.", a="gunman", b="gunman")
    assert decide(table.battle, Move("a", table.way("a", "B1"), "second-move"), table.rules, asks=True)
