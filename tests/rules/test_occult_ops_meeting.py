"""Occult Ops where rules meet: grenades and grades, cover for throws, whole turns, criticals, attacks a round."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_choices import attacks_in_hand
from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.attacks.attack_refusals import attack_refusal
from engine.battle.command import Act, Attack
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.narration.preview_text import worn_words
from engine.geometry.squares import parse_square
from engine.rules.model import Value
from engine.values import replace
from tests.rules.table import Table, entry, fight
from tui.application.commands.rulings import parse_cover

OCC = "occult-ops"
TRAINED: dict[str, Value] = {"strength": 6, "weapon_unarmed": True, "wrestling": True}


def grenadier(*rows: str, **roles: str) -> Table:
    return fight(OCC, *rows, a="grenadier", **roles)


def bout(weapon: str = "punch", apart: int = 1, **stats: Value) -> Table:
    table = fight(
        OCC,
        "a" + "." * (apart - 1) + "b..",
        a="brawler",
        b="gunman",
        stats={"a": {**TRAINED, **stats}, "b": {"armour_points": 0, "dexterity": 6, "endurance": 10}},
    )
    return table.arm("a", weapon)


def lost(table: Table, action: str, *dice: tuple[int, ...], roll: int = 30) -> int:
    """Hit points that an attack takes from b."""
    before = table.unit("b").pools["hp"]
    table.do(Attack("a", "b", "", action), (roll,), *dice)
    return before - table.unit("b").pools["hp"]


def at_square(table: Table, square: str) -> AttackPreview:
    return consider(table.battle, table.rules, Attack("a", ""), square=parse_square(square))


# --- holds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weapon", ["desert-eagle", "frag-grenade", "knife", "punch"])
def test_occ_14_the_held_try_to_break_free_with_whatever_is_in_hand(weapon: str) -> None:
    table = bout()
    table.do(Attack("a", "b", "", "hold"), (30,))
    table.turn_of("b").arm("b", weapon)
    shot = table.shot(action="break-free", by="b", at="a")
    assert shot.refusal == ""
    assert (shot.situation.facts["melee"], shot.situation.facts["ranged"]) == (True, False)
    assert shot.ledger.entries[0].value == 50
    lines = table.do(Attack("b", "a", "", "break-free"), (10,))
    assert "held" not in table.unit("b").conditions
    assert not table.happened(ev.BurstLanded)
    assert not any("rounds" in line for line in lines)


def test_occ_14_the_held_try_to_break_free_with_nothing_in_hand() -> None:
    """OCC-14: a drone, or whoever has dropped everything, is not locked in a hold."""
    for weapons in ((), ("usp9",)):
        table = bout()
        table.do(Attack("a", "b", "", "hold"), (30,))
        bare = table.turn_of("b").unit("b")
        table.battle = table.battle.with_unit(
            replace(bare, gear=replace(bare.gear, weapons=weapons, weapon="", rounds={}))
        )
        assert "break-free" in [action.id for action in attacks_in_hand(table.rules, table.unit("b"))]
        bare_hands = table.rules.gear.weapons["punch"]
        free = table.rules.actions["break-free"]
        on_anybody = attack_refusal(table.battle, table.rules, table.unit("b"), bare_hands, free)
        assert on_anybody is None
        assert table.shot(action="break-free", by="b", at="a").ledger.entries[0].value == 50
        table.do(Attack("b", "a", "", "break-free"), (10,))
        assert "held" not in table.unit("b").conditions


def test_occ_14_breaking_free_with_a_gun_in_hand_counts_as_unarmed() -> None:
    for skilled, line in ((True, "weapon-unarmed"), (False, "wild")):
        stats = {"a": TRAINED, "b": {"weapon_unarmed": skilled, "weapon_pistol": True}}
        table = fight(OCC, "ab", a="brawler", b="gunman", stats=stats).arm("a", "punch")
        table.do(Attack("a", "b", "", "hold"), (30,))
        table.turn_of("b")
        found = entry(table.shot(action="break-free", by="b", at="a").ledger, line)
        assert found is not None and found.value == (10 if skilled else -20)


# --- grenades: grades -----------------------------------------------------------------------------------------------


def test_occ_12_the_grade_of_a_throw_counts_for_the_unit_aimed_at() -> None:
    """Below half the target number: a penetrating hit on that unit; an armour hit on the others."""
    table = grenadier("a......bc", b="gunman", c="gunman")
    before = {unit: dict(table.unit(unit).pools) for unit in "bc"}
    table.do(Attack("a", "b"), (20,), (12,))
    assert before["b"]["armour"] == table.unit("b").pools["armour"]
    assert before["b"]["hp"] - table.unit("b").pools["hp"] == 12
    assert before["c"]["hp"] == table.unit("c").pools["hp"]
    assert before["c"]["armour"] > table.unit("c").pools["armour"]


def test_occ_12_the_gm_rules_that_every_throw_strikes_the_armour() -> None:
    table = grenadier("a......bc", b="gunman", c="gunman")
    table.do(SetRuling("throw_grades", False))
    before = dict(table.unit("b").pools)
    table.do(Attack("a", "b"), (20,), (12,))
    assert before["hp"] == table.unit("b").pools["hp"]
    assert before["armour"] > table.unit("b").pools["armour"]


def test_occ_12_a_critical_throw_does_full_damage_and_1d6_to_the_unit_aimed_at_alone() -> None:
    table = grenadier("a......bc", b="gunman", c="gunman")
    armour = table.unit("c").pools["armour"]
    table.do(Attack("a", "b"), (1,), (4,), (12,))
    rolled = [(event.roll.text, event.roll.total) for event in table.happened(ev.EffectRolled)]
    assert [text for text, _ in rolled] == ["1d6", "6d6"]
    assert table.unit("b").is_defeated
    assert table.unit("c").pools["armour"] < armour


def test_occ_12_the_odds_of_a_throw_know_the_grade() -> None:
    table = grenadier("a....b.....c", b="gunman", c="gunman")
    shot = with_odds(table.battle, table.rules, table.shot())
    risk = next(risk for risk in shot.area_risks if risk.unit.id == "b")
    grades = {grade.id: chance for grade, chance in shot.odds.grades}
    past = grades["critical"] + grades["past-armour"]
    assert past > 0
    assert risk.outlook.hurt >= past
    assert risk.caught >= shot.odds.hit


def test_occ_9_the_expected_loss_of_armour_stands_beside_the_damage() -> None:
    table = fight(OCC, "a..b", a="gunman", b="gunman")
    shot = with_odds(table.battle, table.rules, table.shot())
    assert shot.outlook is not None
    ((label, mean),) = shot.outlook.worn
    grades = {grade.id: chance for grade, chance in shot.odds.grades}
    assert label == "armour points"
    armour, damage = int(table.unit("b").pools["armour"]), range(2, 13)
    ways = {total: 6 - abs(7 - total) for total in damage}
    resisted = armour // 10
    plain = sum(Fraction(ways[total] * max(0, total - resisted), 36) for total in damage)
    assert armour >= 20
    assert abs(mean - grades["armour-hit"] * plain) < Fraction(1, 10)
    assert worn_words(shot.outlook) == f"avg. loss: armour points {float(mean):.1f}"
    table.do(SetPool("b", "armour", 0))
    bare = with_odds(table.battle, table.rules, table.shot()).outlook
    assert bare is not None and bare.worn == ()


def test_occ_9_the_expected_loss_of_armour_is_reported_for_all_in_a_blast() -> None:
    table = grenadier("a....b.c", b="gunman", c="gunman")
    shot = with_odds(table.battle, table.rules, table.shot())
    worn = {risk.unit.id: dict(risk.outlook.worn).get("armour points", 0) for risk in shot.area_risks}
    assert worn["b"] > 0 and worn["c"] > 0
    aimed = next(risk for risk in shot.area_risks if risk.unit.id == "c")
    assert aimed.outlook.hurt == 0


# --- grenades: cover and defence ------------------------------------------------------------------------------------


def test_occ_12_an_occupied_square_has_the_defence_of_who_stands_there() -> None:
    """The chapter: no Defence for empty spaces."""
    table = grenadier("a....b...", b="gunman")
    at_unit, there, empty = table.shot(), at_square(table, "F1"), at_square(table, "G1")
    assert at_unit.ledger == there.ledger
    assert entry(there.ledger, "defence") is not None
    assert entry(empty.ledger, "defence") is None


def test_occ_12_a_grenade_is_thrown_at_somebody_in_total_cover_as_in_full_cover() -> None:
    table = grenadier("a...ob", b="gunman").posture("b", "prone")
    assert table.shot().situation.facts["covered"] == 1
    for shot in (table.shot(), at_square(table, "F1")):
        assert shot.ledger.is_possible
        cover = entry(shot.ledger, "full-cover")
        assert cover is not None and cover.value == -25
    table.arm("a", "desert-eagle")
    assert "No line of fire" in table.refusal(Attack("a", "b"), (20,))


def test_occ_12_a_wall_before_the_square_stops_a_throw() -> None:
    table = grenadier("a...#b", b="gunman")
    assert table.shot().ledger.forbidden and at_square(table, "F1").ledger.forbidden


def test_occ_7_full_cover_set_by_the_gm_is_25_and_total_cover_forbids() -> None:
    table = fight(OCC, "a..b", a="gunman", b="gunman")
    full = table.rules.space.full_cover
    table.do(parse_cover("full", "a", "b", full))
    cover = entry(table.shot().ledger, "full-cover")
    assert table.shot().refusal == ""
    assert cover is not None and cover.value == -25
    table.do(parse_cover("total", "a", "b", full))
    assert "No line of fire" in table.refusal(Attack("a", "b"), (20,))


# --- interrupts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("action", ["jump-kick", "leap-attack", "leap-elbow"])
def test_occ_10_what_uses_all_actions_is_no_interrupt(action: str) -> None:
    weapon = "kick" if action == "jump-kick" else "punch"
    table = fight(OCC, "ab....", a="gunman", b="brawler", stats={"b": TRAINED}).arm("b", weapon)
    assert "uses all actions" in table.refusal(Attack("b", "a", "", action, is_free=True), (20,))
    table.turn_of("b")
    assert table.shot(action=action, by="b", at="a").refusal == ""


def test_occ_10_an_aimed_shot_is_no_interrupt() -> None:
    table = fight(OCC, "a....b", a="gunman", b="gunman")
    assert "no interrupt" in table.refusal(Attack("b", "a", "", "aimed", is_free=True), (20,))
    assert table.shot(by="b", at="a").situation.facts["attacker.on_turn"] is False


def test_occ_10_who_dodges_is_offered_no_interrupt() -> None:
    for dodges in (False, True):
        table = fight(OCC, "ab....", "......", a="gunman", b="brawler").arm("b", "knife")
        table.turn_of("b")
        if dodges:
            table.do(Act("b", "dodge"))
        table.turn_of("a")
        assert bool(table.shot().situation.facts["attacker.melee_enemies"]) != dodges
        if dodges:
            assert "Dodging" in table.refusal(Attack("b", "a", is_free=True), (20,))
        table.place("a", "C1")
        table.walk("a", "D1", "E1")
        assert bool(table.battle.openings) != dodges


# --- criticals and fumbles ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("multiplied", "damage"), [(False, 2 * 6 + 6), (True, 2 * 12)])
def test_occ_15_the_extra_die_of_a_critical_is_not_doubled_unless_the_gm_rules_so(
    multiplied: bool, damage: int
) -> None:
    table = bout(apart=2)
    if multiplied:
        table.do(SetRuling("critical_die", True))
    assert lost(table, "leap-attack", (6,), roll=1) == damage


@pytest.mark.parametrize(("multiplied", "damage"), [(False, 4 * 24 + 6), (True, 4 * 30)])
def test_occ_15_a_long_burst_multiplies_full_damage_and_not_the_extra_die(multiplied: bool, damage: int) -> None:
    stats: dict[str, dict[str, Value]] = {"b": {"armour_points": 0}}
    table = fight(OCC, "a..b", a="rifleman", b="gunman", stats=stats)
    if multiplied:
        table.do(SetRuling("critical_die", True))
    table.do(Attack("a", "b", "", "long-burst"), (1,), (6,))
    told = [event.value for event in table.happened(ev.EffectComputed) if "whole burst" in event.label]
    assert told == [damage]


def test_occ_15_the_log_tells_the_extra_die_apart_from_what_is_multiplied() -> None:
    stats: dict[str, dict[str, Value]] = {"b": {"armour_points": 0}}
    for action, strained, said in (
        ("long-burst", False, "Damage of the whole burst: full damage 24 × 4 + 6 = 102."),
        ("attack", False, "Damage: full damage 24 + 6 = 30."),
        ("attack", True, "Damage halved by a pulled muscle: 30 ÷ 2 = 15."),
    ):
        table = fight(OCC, "a..b", a="rifleman", b="gunman", stats=stats)
        if strained:
            table.condition("a", "strained")
        lines = table.do(Attack("a", "b", "", action), (1,), (6,))
        assert "Extra die: 1d6 = 6, typed." in lines and said in lines


def test_occ_16_fumble_14_says_that_it_halves_the_damage() -> None:
    table = bout()
    table.do(SetCondition("a", "strained", True))
    lines = table.do(Attack("a", "b"), (30,), (5,))
    assert "Damage halved by a pulled muscle: 5 ÷ 2, rounded down = 2." in lines
    again = bout()
    assert not any("pulled muscle" in line for line in again.do(Attack("a", "b"), (30,), (5,)))


# --- leaps ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("action", "dice", "damage"),
    [("leap-backhand", (4,), 8), ("leap-karate-chop", (4, 3), 14), ("leap-elbow", (5,), 10), ("leap-attack", (5,), 10)],
)
def test_occ_14_a_leap_goes_with_any_hand_attack(action: str, dice: tuple[int, ...], damage: int) -> None:
    table = bout(apart=2)
    assert lost(table, action, dice) == damage
    assert table.unit("a").turn.budget == {"attack": 0, "move": 0}


def test_occ_14_a_power_punch_does_not_double_a_leap_unless_the_gm_rules_so() -> None:
    table = bout(apart=2)
    assert "by the ruling" in table.refusal(Attack("a", "b", "", "power-leap"), (30,))
    table.do(SetRuling("power_leap", True))
    assert lost(table, "power-leap", (3,)) == 12
    assert "off_balance" in table.unit("a").conditions


# --- attacks a round ------------------------------------------------------------------------------------------------


def test_occ_14_several_attacks_a_round_are_a_stat() -> None:
    table = bout(attacks_a_round=2)
    assert table.unit("a").turn.budget["attack"] == 2
    table.do(Attack("a", "b"), (90,))
    table.do(Attack("a", "b"), (90,))
    assert "none left" in table.refusal(Attack("a", "b"), (90,))
    assert bout().unit("a").turn.budget["attack"] == 1


def test_occ_14_a_power_punch_counts_as_two_attacks() -> None:
    table = bout(attacks_a_round=2)
    table.do(Attack("a", "b", "", "power-punch"), (60,))
    assert table.unit("a").turn.budget["attack"] == 0
    assert "off_balance" not in table.unit("a").conditions
    last = bout(attacks_a_round=2)
    last.do(Attack("a", "b"), (60,))
    last.do(Attack("a", "b", "", "power-punch"), (60,))
    assert "off_balance" in last.unit("a").conditions
    last.turn_of("a")
    assert last.unit("a").turn.budget["attack"] == 1


def test_occ_14_what_uses_all_actions_uses_every_attack() -> None:
    table = bout("kick", apart=2, attacks_a_round=2)
    table.do(Attack("a", "b", "", "jump-kick"), (89,))
    assert table.unit("a").turn.budget == {"attack": 0, "move": 0}
    dodging = bout(attacks_a_round=2)
    dodging.do(Act("a", "dodge"))
    assert dodging.unit("a").turn.budget == {"attack": 0, "move": 0}
