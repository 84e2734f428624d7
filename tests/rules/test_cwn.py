"""Cities Without Number: a test for each clause of CWN-1 to 9, 12, 16 and 17."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.answers import Needs, typed_dice
from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.decide import decide
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_actions import Ready
from engine.battle.commands.unit_edits import SetPool
from engine.geometry.squares import column_name, parse_square
from engine.rules.model import Value
from engine.rules.roll_odds import judge
from engine.values import replace
from maps import load_map, shipped_maps
from tests.rules.table import Table, entry, fight

CWN = "cwn"
Stats = Mapping[str, Mapping[str, Value]]
LOW = (1,)
"""A Trauma die that does nothing."""


def duel(squares: int = 4, a: str = "gunman", b: str = "gunman", stats: Stats | None = None) -> Table:
    """Two units in the open, so many squares of 2 m apart."""
    return fight(CWN, "a" + "." * (squares - 1) + "b", a=a, b=b, stats=stats)


def own(unit_id: str = "a", **stats: Value) -> Stats:
    """A unit made like a player's character, with these numbers."""
    plain: dict[str, Value] = {"npc": False, "attack_bonus": 0, "shoot": 0, "stab": 0, "punch": 0}
    return {unit_id: plain | stats}


def acts(table: Table) -> dict[str, int]:
    """What A has left of its round."""
    return {name: table.unit("a").turn.budget[name] for name in ("main", "move")}


def grade(table: Table, roll: int, weapon: str = "") -> str:
    shot = table.shot(weapon)
    return judge(table.rules, shot.situation.facts, shot.ledger, roll).id


def values(table: Table, weapon: str = "", action: str = "", **changed: Value) -> dict[str, object]:
    """What the lines of the ledger count that count anything."""
    entries = table.shot(weapon, action, changed=changed).ledger.entries
    return {line.id: line.value for line in entries if line.value or line.forbids}


# --- CWN-1: the attack roll -----------------------------------------------------------------------------------------


def test_cwn_1_attack_bonus_attribute_and_skill_add_up() -> None:
    table = duel(stats=own(attack_bonus=2, dexterity_mod=1, strength_mod=-1, shoot=3))
    assert values(table) == {"attack-bonus": 2, "attribute": 1, "skill-shoot": 3}
    assert table.shot().ledger.total == 6


@pytest.mark.parametrize(("weapon", "skill"), [("heavy-pistol", "shoot"), ("knife", "stab"), ("unarmed", "punch")])
def test_cwn_1_the_weapon_says_which_skill_counts(weapon: str, skill: str) -> None:
    table = duel(1, stats=own(shoot=1, stab=2, punch=3))
    assert values(table, weapon, **{"attacker.melee_enemies": 0}) == {
        f"skill-{skill}": {"shoot": 1, "stab": 2, "punch": 3}[skill]
    }


@pytest.mark.parametrize(("weapon", "skill"), [("heavy-pistol", "shoot"), ("knife", "stab"), ("unarmed", "punch")])
def test_cwn_1_without_the_skill_the_roll_has_minus_2_and_level_0_costs_nothing(weapon: str, skill: str) -> None:
    without = duel(1, stats=own(**{skill: -1}))
    assert without.worth("unskilled", weapon) == -2
    line = entry(without.shot(weapon).ledger, "unskilled")
    assert line is not None and line.because == f"untrained in {skill.capitalize()}, the skill of this weapon"
    assert without.worth(f"skill-{skill}", weapon) is None
    assert duel(1, stats=own(**{skill: 0})).worth("unskilled", weapon) is None


@pytest.mark.parametrize(("strength", "dexterity", "better"), [(2, 1, 2), (1, 2, 2), (-1, -2, -1), (0, -2, None)])
def test_cwn_1_a_weapon_with_two_attributes_takes_the_better(strength: int, dexterity: int, better: int | None) -> None:
    table = duel(1, stats=own(strength_mod=strength, dexterity_mod=dexterity))
    assert table.worth("attribute", "knife") == better
    assert (table.worth("attribute", "heavy-pistol") or 0) == dexterity
    assert (table.worth("attribute", "unarmed") or 0) == strength


def test_cwn_1_a_total_equal_to_the_armor_class_hits_and_one_less_misses() -> None:
    table = duel(b="rifleman")  # Attack bonus 6 against Ranged AC 17
    assert (table.shot().ledger.total, table.shot().ledger.target_number) == (6, 17)
    assert grade(table, 11) == "struck"
    assert grade(table, 10) == "missed"
    assert table.shot().odds.hit == Fraction(10, 20)


def test_cwn_1_blows_go_against_melee_ac_and_shots_against_ranged_ac() -> None:
    table = duel(1, b="rifleman")
    assert table.shot("knife").ledger.target_number == 14
    assert table.shot("heavy-pistol").ledger.target_number == 17


def test_cwn_1_opponents_fight_by_hit_dice_without_skills_or_penalty() -> None:
    table = duel()
    assert table.rules.units.sheets["gunman"].stats["npc"] is True
    assert values(table) == {"attack-bonus": 6}


def test_cwn_1_a_natural_1_misses_and_a_natural_20_hits() -> None:
    certain, hopeless = duel(stats=own(attack_bonus=30)), duel(stats=own(attack_bonus=-30))
    assert grade(certain, 1) == "natural-one"
    assert certain.shot().odds.hit == Fraction(19, 20)
    assert grade(hopeless, 20) == "natural-twenty"
    assert hopeless.shot().odds.hit == Fraction(1, 20)


# --- CWN-2: prone targets -------------------------------------------------------------------------------------------


def test_cwn_2_a_prone_target_has_2_out_of_melee_range() -> None:
    assert duel().posture("b", "prone").worth("prone-far") == -2
    assert duel(2).posture("b", "prone").worth("prone-far") == -2
    assert duel().posture("b", "prone").worth("prone-near") is None


def test_cwn_2_a_prone_target_next_to_the_attacker_gives_2_to_blow_and_shot() -> None:
    table = duel(1).posture("b", "prone")
    for weapon in ("knife", "heavy-pistol"):
        assert table.worth("prone-near", weapon) == 2
        assert table.worth("prone-far", weapon) is None


# --- CWN-3: range ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "normal", "far"), [("heavy-pistol", 10, 100), ("light-pistol", 10, 80), ("submachine-gun", 30, 100)]
)
def test_cwn_3_past_normal_range_costs_2_and_past_long_range_nothing_can_be_shot(
    weapon: str, normal: int, far: int
) -> None:
    table = fight(CWN, "a" + "." * 101 + "b", a="gunman", b="gunman", scale=(1, "metres")).arm("a", weapon)
    found = {}
    for metres in (2, normal, normal + 1, far, far + 1):
        table.place("b", f"{column_name(metres)}1")
        shot = table.shot()
        assert shot.situation.facts["distance"] == metres
        found[metres] = "no" if shot.ledger.forbidden else shot.ledger.entries[-1].value
    assert found == {2: 0, normal: 0, normal + 1: -2, far: -2, far + 1: "no"}
    assert f"{far} m" in table.refusal(Attack("a", "b"))


def test_cwn_3_a_thrown_weapon_has_its_ranges_too() -> None:
    for metres, value in ((10, 0), (12, -2), (20, -2)):
        table = duel(metres // 2, a="brawler")
        found = table.shot("thrown-knife").ledger
        assert next(line.value for line in found.entries if line.step == "range") == value
    assert "20 m" in duel(11, a="brawler").refusal(Attack("a", "b", "thrown-knife"))


# --- CWN-4: prone attackers -----------------------------------------------------------------------------------------


def test_cwn_4_a_prone_attacker_has_minus_4_in_melee_and_nothing_when_shooting() -> None:
    table = duel(1).posture("a", "prone")
    assert table.worth("prone-attacker", "knife") == -4
    assert table.worth("prone-attacker", "heavy-pistol") is None


# --- CWN-5: cover ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("covered", "found"),
    [
        (Fraction(49, 100), {}),
        (Fraction(1, 2), {"half-cover": -2}),
        (Fraction(89, 100), {"half-cover": -2}),
        (Fraction(9, 10), {"near-full-cover": -4}),
        (Fraction(99, 100), {"near-full-cover": -4}),
        (Fraction(1), {"whole-cover": 0}),
    ],
)
def test_cwn_5_half_behind_cover_costs_2_almost_all_4_and_wholly_cannot_be_shot(
    covered: Fraction, found: dict[str, object]
) -> None:
    seen = {"covered": covered, "visible": 1 - covered, "cover": "the crate at C1"}
    assert values(duel(), **seen) == {"attack-bonus": 6} | found


def test_cwn_5_less_than_half_counts_for_nothing_and_is_reported() -> None:
    """CWN-5: what is seen to cover is in the ledger, even where it is too little."""
    covered = Fraction(49, 100)
    shot = duel().shot(changed={"covered": covered, "visible": 1 - covered, "cover": "the crate at C1"})
    cover = entry(shot.ledger, "thin-cover")
    assert cover and cover.value == 0 and cover.because == "49 % behind the crate at C1: less than half"


def test_cwn_5_a_crate_on_the_map_covers_more_than_half() -> None:
    table = fight(CWN, "a...ob", a="gunman", b="gunman")
    assert Fraction(1, 2) <= table.shot().situation.trace.covered < Fraction(9, 10)
    cover = entry(table.shot().ledger, "half-cover")
    assert cover and cover.value == -2 and "crate at E1" in cover.because


def test_cwn_5_nobody_shoots_through_a_wall() -> None:
    table = fight(CWN, "a..#b", a="gunman", b="gunman")
    assert "the wall at D1" in table.refusal(Attack("a", "b"))
    assert not table.shot().odds.hit


# --- CWN-6: shooting in melee ---------------------------------------------------------------------------------------


def in_melee(a: str = "gunman") -> Table:
    """A unit with an enemy next to it and another some way off."""
    return fight(CWN, "ca...b", a=a, b="gunman", c="brawler")


def test_cwn_6_throwing_in_melee_costs_4() -> None:
    assert values(in_melee("brawler"), "thrown-knife") == {"attack-bonus": 6, "thrown-in-melee": -4}
    assert duel(a="brawler").worth("thrown-in-melee", "thrown-knife") is None


def test_cwn_6_a_one_handed_gun_in_melee_costs_4() -> None:
    assert values(in_melee(), "heavy-pistol") == {"attack-bonus": 6, "one-handed-in-melee": -4}
    assert duel().worth("one-handed-in-melee") is None


def test_cwn_6_a_two_handed_gun_cannot_be_shot_in_melee() -> None:
    table = in_melee("rifleman")
    assert table.shot("combat-rifle").ledger.forbidden
    assert "Two-handed" in table.refusal(Attack("a", "b", "combat-rifle"))
    assert table.worth("one-handed-in-melee", "light-pistol") == -4
    assert not duel(a="rifleman").shot("combat-rifle").refusal


def test_cwn_6_an_enemy_on_the_ground_is_in_melee_all_the_same() -> None:
    assert in_melee("rifleman").posture("c", "prone").shot().ledger.forbidden


@pytest.mark.parametrize("weapon", ["heavy-pistol", "unarmed"])
def test_cwn_6_an_enemy_with_a_gun_or_bare_hands_hinders_nobody(weapon: str) -> None:
    """CWN-6: the chapter tells of an enemy armed with a melee weapon."""
    table = in_melee("rifleman").arm("c", weapon)
    assert not table.shot("combat-rifle").refusal
    assert table.worth("one-handed-in-melee", "light-pistol") is None
    assert table.worth("unhindered", "light-pistol") == 0
    table.do(SetRuling("unarmed_in_melee", True))
    assert table.shot("combat-rifle").ledger.forbidden
    assert table.worth("one-handed-in-melee", "light-pistol") == -4


def test_cwn_6_an_enemy_on_the_ground_counts_no_more_where_the_gm_rules_so() -> None:
    table = in_melee("rifleman").posture("c", "prone")
    table.do(SetRuling("downed_in_melee", False))
    assert not table.shot().refusal


def test_cwn_6_allies_bystanders_and_the_fallen_do_not_count_as_melee() -> None:
    friend = fight(CWN, "ca...b", a="rifleman", b="gunman", c="brawler", allies="c")
    assert not friend.shot().refusal
    bystander = fight(CWN, "ca...b", a="rifleman", b="gunman", c="civilian", neutral="c")
    assert not bystander.shot().refusal
    fallen = in_melee("rifleman")
    fallen.do(SetPool("c", "hp", 0))
    assert not fallen.shot().refusal


def test_cwn_6_blows_in_melee_cost_nothing() -> None:
    assert values(duel(1), "knife") == {"attack-bonus": 6}


# --- CWN-7: unseen targets ------------------------------------------------------------------------------------------


def test_cwn_7_an_unseen_target_whose_place_is_known_costs_4() -> None:
    curtain = '[[edge]]\nat = "C1"\nside = "W"\nkind = "curtain"'
    table = fight(CWN, "a...b", a="gunman", b="gunman", toml=curtain)
    assert not table.shot().situation.trace.can_see
    assert values(table) == {"attack-bonus": 6, "unseen": -4}
    assert not table.shot().refusal


def test_cwn_7_smoke_and_darkness_hide_a_target() -> None:
    smoke = '[smoke]\nrows = """\n..1..\n"""'
    dark = '[light]\nrows = """\n....0\n"""'
    for toml in (smoke, dark, f"{smoke}\n{dark}"):
        table = fight(CWN, "a...b", a="gunman", b="gunman", toml=toml)
        assert values(table) == {"attack-bonus": 6, "unseen": -4}
    dim = fight(CWN, "a...b", a="gunman", b="gunman", toml='[light]\nambient = "dim"')
    assert values(dim) == {"attack-bonus": 6}


def test_cwn_7_a_target_in_an_unknown_place_cannot_be_shot() -> None:
    table = duel().condition("b", "hidden")
    assert "Place unknown" in table.refusal(Attack("a", "b"))
    assert not table.shot().odds.hit


# --- CWN-8: Gunlink -------------------------------------------------------------------------------------------------


def linked(**changed: Value) -> int | Fraction:
    """What a shot with a Gunlink comes to over one without, the other facts being the same."""
    gunlink, plain = duel(stats=own(gunlink=True)), duel(stats=own())
    return gunlink.shot(changed=changed).ledger.total - plain.shot(changed=changed).ledger.total


def test_cwn_8_a_gunlink_ignores_2_points_of_cover_or_concealment() -> None:
    assert linked() == 0
    assert linked(covered=Fraction(1, 2)) == 2
    assert linked(covered=Fraction(9, 10)) == 2
    assert linked(visible=0) == 2
    assert linked(smoke_squares=1) == 2
    assert linked(covered=Fraction(1, 2), smoke_squares=1) == 2
    assert linked(covered=Fraction(1, 4)) == 0


@pytest.mark.parametrize("weapon", ["grenade-launcher", "mortar"])
def test_cwn_8_a_gunlink_adds_nothing_where_cover_costs_nothing(weapon: str) -> None:
    """CWN-8: it ignores penalties, and what is lobbed at a point has none."""
    table = duel(15, stats=own(gunlink=True)).arm("a", weapon)
    found: tuple[dict[str, Value], ...] = ({"covered": Fraction(9, 10)}, {"visible": 0}, {"smoke_squares": 1})
    for seen in found:
        assert entry(table.shot(changed=seen).ledger, "gunlink-cover") is None


def test_cwn_8_a_gunlink_has_no_penalty_for_long_range() -> None:
    assert linked(distance=10) == 0
    assert linked(distance=11) == 2
    assert linked(distance=11, covered=Fraction(9, 10)) == 4


def test_cwn_8_a_gunlink_does_nothing_for_throws_and_blows() -> None:
    table = fight(CWN, "a.....ob", a="brawler", b="gunman", stats={"a": {"gunlink": True}})
    assert values(table, "thrown-knife") == {"attack-bonus": 6, "range.long": -2, "half-cover": -2}


# --- CWN-9: actions of a round --------------------------------------------------------------------------------------


def test_cwn_9_a_round_has_one_main_and_one_move_action() -> None:
    table = duel(12)
    assert acts(table) == {"main": 1, "move": 1}
    table.walk("a", "F1")
    table.do(Attack("a", "b"), (2,))
    assert acts(table) == {"main": 0, "move": 0}
    assert "Main action" in table.refusal(Attack("a", "b"))
    assert table.refusal(Move("a", table.way("a", "G1")))
    table.turn_of("a")
    assert acts(table) == {"main": 1, "move": 1}


def test_cwn_9_a_move_is_10_metres() -> None:
    for scale, squares in (((2, "metres"), 5), ((1, "metres"), 10), ((1.5, "metres"), 6), ((5, "feet"), 6)):
        table = fight(CWN, "a" + "." * 23 + "b", a="gunman", b="gunman", scale=scale)
        assert table.refusal(Move("a", table.way("a", f"{column_name(squares + 1)}1"), "move"))
        table.walk("a", f"{column_name(squares)}1", action="move")


def test_cwn_9_the_main_action_may_be_a_second_move() -> None:
    table = duel(20)
    table.walk("a", "F1")
    table.walk("a", "K1")
    assert acts(table) == {"main": 0, "move": 0}
    assert table.refusal(Attack("a", "b"))
    assert table.refusal(Move("a", table.way("a", "L1")))


def test_cwn_9_on_turn_acts_are_free_and_as_many_as_one_likes() -> None:
    table = duel()
    for act in ("kneel", "rise", "kneel", "rise", "go-prone"):
        table.do(Act("a", act))
    assert acts(table) == {"main": 1, "move": 1}


def test_cwn_9_an_instant_comes_at_any_time() -> None:
    table = duel()
    assert "turn" in table.refusal(Attack("b", "a"))
    table.do(Attack("b", "a", is_free=True), (2,))
    assert table.battle.turns.active == "a"


# --- CWN-12: charge -------------------------------------------------------------------------------------------------


def charged(squares: int = 4, a: str = "brawler") -> Table:
    """A unit that has charged over so many squares and stands next to its target."""
    table = duel(squares + 1, a=a)
    table.walk("a", f"{column_name(squares)}1", action="charge")
    return table


def test_cwn_12_a_charge_gives_2_to_hit() -> None:
    table = charged()
    assert values(table, "club", "charge-attack") == {"attack-bonus": 6, "charge": 2}
    table.do(Attack("a", "b", "club", "charge-attack"), (10,), (2,), LOW)
    assert table.attacked().total == 8


def test_cwn_12_a_charge_may_end_in_a_throw_but_not_in_a_shot() -> None:
    assert charged().worth("charge", "thrown-knife", "charge-attack") == 2
    assert " has no “" in charged(a="gunman").refusal(Attack("a", "b", "heavy-pistol", "charge-attack"))


def test_cwn_12_a_charge_goes_up_to_twice_the_move() -> None:
    charged(10)
    table = duel(12, a="brawler")
    assert "11 squares needed, 10 left" in table.refusal(Move("a", table.way("a", "L1"), "charge"))


def test_cwn_12_a_charge_needs_10_feet() -> None:
    table = charged(1)
    assert "needs 10 feet" in table.refusal(Attack("a", "b", "club", "charge-attack"))
    assert not charged(2).shot("club", "charge-attack").refusal


@pytest.mark.parametrize("way", [("B1", "D1", "E2"), ("E1", "F2", "E3"), ("B3", "A2")])
def test_cwn_12_a_charge_goes_straight(way: tuple[str, ...]) -> None:
    table = fight(CWN, "......", "a.#...", "......", ".....b", a="brawler", b="gunman")
    assert "straight" in table.refusal(Move("a", table.way("a", *way), "charge"))


def test_cwn_12_a_charge_continues_in_the_line_it_began() -> None:
    table = fight(CWN, "a.......", ".......b", a="brawler", b="gunman")
    table.walk("a", "D1", action="charge")
    assert "straight" in table.refusal(Move("a", table.way("a", "E2"), "charge"))
    table.walk("a", "G1", action="charge")
    assert not table.shot("club", "charge-attack").refusal


def test_cwn_12_a_straight_charge_over_rubble_is_straight() -> None:
    table = fight(CWN, "a..,.b", a="brawler", b="gunman")
    table.walk("a", "E1", action="charge")
    assert not table.shot("club", "charge-attack").refusal


def test_cwn_12_who_charges_has_2_less_armor_class_for_the_round() -> None:
    table = charged()
    before = table.shot(by="b", at="a").ledger.target_number
    assert before == 13 - 2
    table.do(Attack("a", "b", "club", "charge-attack"), (2,))
    table.do(EndTurn())
    assert (table.battle.turns.active, table.battle.turns.round) == ("b", 1)
    assert table.shot("knife", by="b", at="a").ledger.target_number == 14 - 2
    table.do(EndTurn())
    assert table.battle.turns.round == 2
    assert table.shot(by="b", at="a").ledger.target_number == 13


def test_cwn_12_a_charge_takes_move_and_main() -> None:
    table = charged()
    assert acts(table) == {"main": 0, "move": 0}
    moved, fought = duel(6, a="brawler"), duel(1, a="brawler")
    moved.walk("a", "B1")
    fought.do(Attack("a", "b", "club"), (10,), (1,), LOW)
    for table in (moved, fought):
        assert table.refusal(Move("a", table.way("a", "A1" if table is moved else "B1"), "charge"))


def test_cwn_12_a_charge_has_one_attack() -> None:
    table = charged()
    table.do(Attack("a", "b", "club", "charge-attack"), (10,), (1,), LOW)
    assert "not charging" in table.refusal(Attack("a", "b", "club", "charge-attack"))


def test_cwn_12_a_charge_ends_with_its_attack() -> None:
    table = fight(CWN, "a.........", ".....b....", a="brawler", b="gunman")
    table.walk("a", "E1", action="charge")
    assert table.unit("a").turn.stride == 6
    table.do(Attack("a", "b", "club", "charge-attack"), (10,), (1,), LOW)
    assert "no move left" in table.refusal(Move("a", table.way("a", "F1")))


@pytest.mark.parametrize("way", [("F1",), ("C3",), ("C1", "D2", "F2"), ("B1", "C2", "D2", "E3")])
def test_cwn_12_any_way_along_one_line_is_straight(way: tuple[str, ...]) -> None:
    table = fight(CWN, "a......", ".......", "......b", a="brawler", b="gunman")
    table.walk("a", *way, action="charge")
    shot = table.shot("club", "charge-attack", changed={"adjacent": True})
    assert "straight" not in shot.refusal


# --- CWN-16: Shock --------------------------------------------------------------------------------------------------


def after_blow(b: str, roll: int, weapon: str, *dice: tuple[int, ...], stats: Stats | None = None) -> tuple[int, Table]:
    """Hit points and damage soak that a blow took from its target."""
    table = duel(1, a="brawler", b=b, stats=stats).arm("a", weapon)
    before = sum(table.unit("b").pools.values())
    table.do(Attack("a", "b", weapon), (roll,), *dice)
    return before - sum(table.unit("b").pools.values()), table


def test_cwn_16_a_miss_does_shock_when_the_armor_class_is_at_most_the_limit() -> None:
    for armor_class, shock in ((12, 2), (13, 2), (14, 0)):
        lost, table = after_blow("gunman", 2, "sword", stats={"b": {"melee_ac": armor_class}})
        assert not table.attacked().is_hit
        assert lost == shock


def test_cwn_16_shock_goes_by_the_melee_armor_class() -> None:
    assert after_blow("gunman", 2, "sword", stats={"b": {"melee_ac": 13, "ranged_ac": 20}})[0] == 2
    assert after_blow("gunman", 2, "sword", stats={"b": {"melee_ac": 20, "ranged_ac": 10}})[0] == 0


def test_cwn_16_a_hit_never_does_less_than_shock() -> None:
    for rolled, harm in ((1, 2), (2, 2), (3, 3)):
        lost, table = after_blow("gunman", 15, "advanced-club", (rolled,), LOW)
        assert table.attacked().is_hit
        assert lost == harm
        told = [event.value for event in table.happened(ev.EffectComputed) if event.label == "Minimum from Shock"]
        assert told == ([2] if harm == 2 else []), "the log says why the damage is more than the die"


def test_cwn_16_a_hit_on_an_armor_class_past_the_limit_does_its_dice_alone() -> None:
    assert after_blow("marksman", 19, "advanced-club", (1,), LOW)[0] == 1


def test_cwn_16_shots_and_throws_have_no_shock() -> None:
    table = duel()
    table.do(Attack("a", "b"), (2,))
    assert not table.happened(ev.PoolChanged)


def boxing(roll: int, *dice: tuple[int, ...]) -> int:
    """Harm of an unarmed blow with Punch-2 and a Shock of 1, as body weaponry may give."""
    table = duel(1, a="brawler", stats=own(punch=2)).arm("a", "unarmed")
    unarmed = table.rules.gear.weapons["unarmed"]
    shocking = replace(unarmed, fields={**unarmed.fields, "shock": 1, "shock_ac": 18})
    table.rules = replace(
        table.rules, gear=replace(table.rules.gear, weapons={**table.rules.gear.weapons, "unarmed": shocking})
    )
    table.do(Attack("a", "b", "unarmed"), (roll,), *dice)
    return 15 - table.unit("b").pools["hp"]


def test_cwn_16_punching_adds_the_skill_to_damage() -> None:
    assert boxing(15, (1,), LOW) == 1 + 2


def test_cwn_16_punching_adds_nothing_to_shock() -> None:
    assert boxing(2) == 1


def test_cwn_16_no_skill_takes_nothing_off_unarmed_damage() -> None:
    table = duel(1, stats=own(punch=-1)).arm("a", "unarmed")
    table.do(Attack("a", "b"), (15,), (1,), LOW)
    assert table.unit("b").pools["hp"] == 14


# --- CWN-17: postures and handling ----------------------------------------------------------------------------------


def test_cwn_17_going_prone_is_an_on_turn_act() -> None:
    table = duel()
    table.do(Act("a", "go-prone"))
    assert table.unit("a").posture == "prone"
    assert acts(table) == {"main": 1, "move": 1}


def test_cwn_17_prone_halves_movement() -> None:
    table = fight(CWN, "a.........b", a="gunman", b="gunman", scale=(1, "metres")).posture("a", "prone")
    assert "6 squares needed, 5 left" in table.refusal(Move("a", table.way("a", "G1"), "move"))
    table.walk("a", "F1", action="move")


def test_cwn_17_who_falls_flat_on_the_way_has_no_more_than_half_a_move() -> None:
    table = fight(CWN, "a.........b", a="gunman", b="gunman", scale=(1, "metres"))
    table.walk("a", "B1", action="move")
    table.do(Act("a", "go-prone"))
    assert table.refusal(Move("a", table.way("a", "J1"), "move"))


def test_cwn_17_standing_up_costs_the_move() -> None:
    table = duel().posture("a", "prone")
    table.do(Act("a", "stand-up"))
    assert table.unit("a").posture == "standing"
    assert acts(table) == {"main": 1, "move": 0}
    moved = duel(9).posture("a", "prone")
    moved.walk("a", "B1")
    assert "Move action" in moved.refusal(Act("a", "stand-up"))


def test_cwn_17_reloading_costs_the_main_action_and_fills_the_magazine() -> None:
    table = duel().load("a", "heavy-pistol", 2)
    table.do(Act("a", "reload"))
    assert table.unit("a").gear.rounds["heavy-pistol"] == 8
    assert acts(table) == {"main": 0, "move": 1}


@pytest.mark.parametrize(
    ("stats", "left"),
    [
        (own(shoot=1), {"main": 1, "move": 1}),
        (own(shoot=0), {"main": 1, "move": 0}),
        ({"a": {"npc": True, "skill": 1}}, {"main": 1, "move": 1}),
        ({"a": {"npc": True, "skill": 0}}, {"main": 1, "move": 0}),
    ],
)
def test_cwn_17_a_bow_is_reloaded_on_turn_by_who_can_shoot_and_for_the_move_by_others(
    stats: Stats, left: dict[str, int]
) -> None:
    table = duel(stats=stats).arm("a", "advanced-bow").load("a", "advanced-bow", 0)
    table.do(Act("a", "reload"))
    assert (table.unit("a").gear.rounds["advanced-bow"], acts(table)) == (1, left)


def test_cwn_17_there_is_nothing_to_reload_in_a_full_magazine_a_club_or_a_belt_of_knives() -> None:
    assert "full, 8 of 8" in duel().refusal(Act("a", "reload"))
    for weapon in ("club", "unarmed", "thrown-knife"):
        table = duel(a="brawler").arm("a", weapon)
        if weapon == "thrown-knife":
            table.load("a", weapon, 1)
        assert "the weapon in hand has no magazine" in table.refusal(Act("a", "reload"))


def test_cwn_17_dropping_what_is_in_hand_to_punch_costs_nothing_but_drawing_again_does() -> None:
    table = duel(1, a="rifleman")
    table.do(Ready("a", "unarmed"))
    assert acts(table) == {"main": 1, "move": 1}
    table.do(Ready("a", "light-pistol"))
    assert acts(table) == {"main": 0, "move": 1}


def test_cwn_17_readying_or_stowing_costs_the_main_action() -> None:
    table = duel(1)
    assert "carries the Knife, but not in hand" in table.refusal(Attack("a", "b", "knife"))
    table.do(Ready("a", "knife"))
    assert table.unit("a").gear.weapon == "knife"
    assert acts(table) == {"main": 0, "move": 1}
    assert "Main action" in table.refusal(Attack("a", "b"))
    assert "Main action" in table.refusal(Ready("a", "heavy-pistol"))


def test_cwn_17_nobody_readies_a_weapon_out_of_turn() -> None:
    assert "turn" in duel().refusal(Ready("b", "knife"))


def test_cwn_17_an_action_can_be_held_for_the_move_and_taken_later_in_the_round() -> None:
    table = duel()
    table.do(Act("a", "hold"))
    assert acts(table) == {"main": 1, "move": 0}
    table.do(EndTurn())
    assert table.battle.turns.active == "b"
    table.do(Attack("a", "b"), (2,))
    assert acts(table) == {"main": 0, "move": 0}
    assert table.unit("a").conditions == ()
    assert table.refusal(Attack("a", "b")) == "It is B's turn, not A's."
    assert table.battle.turns.active == "b"


def test_cwn_17_a_held_action_is_over_once_the_main_action_is_spent_however_that_was() -> None:
    table = duel()
    table.do(Act("a", "hold"))
    table.do(EndTurn())
    table.do(Act("a", "kneel"))  # On Turn, costs nothing
    assert table.unit("a").conditions == ("holding",)
    said = table.do(Act("a", "total-defence"))
    assert "A is no longer holding an action: no Main action left." in said
    assert table.unit("a").conditions == ("defending", "shockproof")
    spent = duel()
    spent.do(Attack("a", "b"), (2,))
    assert "no Main action left this turn" in spent.refusal(Act("a", "hold"))


def test_cwn_17_who_holds_nothing_does_not_act_out_of_turn() -> None:
    table = duel()
    table.do(EndTurn())
    assert table.refusal(Attack("a", "b")) == "It is B's turn, not A's."


def test_cwn_17_a_held_action_is_lost_when_the_round_ends() -> None:
    table = duel()
    table.turn_of("b").do(Act("b", "hold"))
    assert (table.battle.turns.order, table.battle.turns.round) == (("a", "b"), 1)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.battle.turns.round) == ("a", 2)
    assert table.unit("b").conditions == ()
    assert table.refusal(Attack("b", "a")) == "It is A's turn, not B's."


# --- not in the chapter: what public software that plays these rules agrees on ----------------------------------------


def test_cwn_a_grenade_goes_for_a_point_at_armor_class_10_whatever_its_target_does() -> None:
    table = fight(CWN, "a...b", a="grenadier", b="marksman", stats=own()).posture("b", "prone")
    assert table.shot("frag-grenade").ledger.target_number == 10
    hidden: tuple[dict[str, Value], ...] = (
        {"covered": Fraction(1, 2)},
        {"covered": Fraction(9, 10)},
        {"visible": 0},
        {"smoke_squares": 1},
    )
    for changed in hidden:
        for gunlink in (False, True):
            seen: dict[str, Value] = {"attacker.dexterity_mod": 0, "attacker.gunlink": gunlink}
            assert values(table, "frag-grenade", **seen, **changed) == {}
    near = fight(CWN, "ab", a="grenadier", b="gunman", stats=own(dexterity_mod=0)).posture("b", "prone")
    near.arm("b", "knife")
    assert values(near, "frag-grenade") == {"thrown-in-melee": -4}


def test_cwn_a_grenade_needs_a_way_to_its_target() -> None:
    assert fight(CWN, "a..#b", a="grenadier", b="gunman").shot("frag-grenade").ledger.forbidden


def test_cwn_a_thrown_knife_does_go_for_its_target() -> None:
    table = fight(CWN, "a..ob", a="brawler", b="gunman").posture("b", "prone")
    assert table.worth("prone-far", "thrown-knife") == -2


def test_cwn_1_the_targets_dexterity_counts_in_its_armor_class() -> None:
    assert duel(stats={"b": {"dexterity_mod": 2}}).shot().ledger.target_number == 12


def test_cwn_a_trauma_die_at_the_target_multiplies_the_damage() -> None:
    for trauma, harm in ((5, 3), (6, 9)):
        table = duel()  # a heavy pistol, 1d6 x 3, against a Trauma Target of 6
        table.do(Attack("a", "b"), (15,), (3,), (trauma,))
        assert 15 - table.unit("b").pools["hp"] == harm


def test_cwn_damage_soak_goes_before_hit_points() -> None:
    table = duel(b="rifleman")
    table.do(Attack("a", "b"), (19,), (8,))
    assert table.unit("b").pools == {"hp": 12, "soak": 0}


def test_cwn_the_log_says_how_the_damage_comes_about() -> None:
    said = duel(stats=own(dexterity_mod=1)).do(Attack("a", "b"), (15,), (3,), (6,))
    assert "Full damage: (3 + attribute modifier 1) × 3 = 12." in said


def test_cwn_a_trauma_die_that_cannot_reach_the_target_is_not_rolled() -> None:
    table = duel(b="rifleman")  # a heavy pistol's 1d6 against a Trauma Target of 8
    with pytest.raises(Needs) as asked:
        decide(table.battle, Attack("a", "b"), table.rules, typed_dice(((19,),)), asks_dice=True)
    assert "Damage" in asked.value.ask.q
    decide(table.battle, Attack("a", "b"), table.rules, typed_dice(((19,), (8,))), asks_dice=True)
    within = duel(stats={"b": {"trauma_target": 6}})
    with pytest.raises(Needs, match="Trauma"):
        decide(within.battle, Attack("a", "b"), within.rules, typed_dice(((19,), (8,))), asks_dice=True)


def test_cwn_a_grenade_is_halved_by_an_evasion_save_and_by_good_armour() -> None:
    grenade = Attack("a", "b", weapon="frag-grenade")
    for target, save, harm in (("gunman", 13, 11), ("gunman", 14, 6), ("leader", 12, 10), ("leader", 13, 5)):
        table = fight(CWN, "a....b", a="grenadier", b=target)  # the leader has a melee Armor Class of 15
        table.do(grenade, (20,), (11,), (save,), LOW)
        assert sum(one.before - one.after for one in table.happened(ev.PoolChanged)) == harm


def test_cwn_a_grenade_that_does_nothing_does_no_trauma_either() -> None:
    table = fight(CWN, "a....b", a="grenadier", b="shield-bearer")  # a melee Armor Class of 19
    table.do(Attack("a", "b", weapon="frag-grenade"), (20,), (5,), (1,))
    assert table.happened(ev.PoolChanged) == []


def test_cwn_dexterity_counts_in_the_armor_class_that_takes_fragments_off() -> None:
    for dexterity, harm in ((0, 10), (1, 9)):
        stats = {"b": {"melee_ac": 15, "dexterity_mod": dexterity, "trauma_target": 20}}
        table = fight(CWN, "a....b", a="grenadier", b="gunman", stats=stats)
        table.do(Attack("a", "b", weapon="frag-grenade"), (20,), (11,), (1,))
        assert sum(one.before - one.after for one in table.happened(ev.PoolChanged)) == harm


@pytest.mark.parametrize(("is_indoors", "rounds"), [(False, 3), (True, 10)])
def test_cwn_smoke_lasts_longer_under_a_roof(is_indoors: bool, rounds: int) -> None:
    table = fight(CWN, "a.....b", a="grenadier", b="gunman")
    table.battle = replace(table.battle, field=replace(table.battle.field, is_indoors=is_indoors))
    table.arm("a", "smoke-grenade").do(Attack("a", "", square=parse_square("D1")), (20,))
    assert table.battle.scene.clouds[0].rounds == rounds


def test_cwn_the_warehouse_is_indoors() -> None:
    """A hall under a roof: smoke stays in it."""
    assert load_map(shipped_maps()["warehouse"]).battlefield.is_indoors


def test_cwn_a_smoke_grenade_hurts_nobody_and_hides_those_behind_it_for_three_rounds() -> None:
    table = fight(CWN, "a.....b", a="grenadier", b="gunman")
    assert table.worth("unseen", by="b", at="a") is None
    told = table.arm("a", "smoke-grenade").do(Attack("a", "", square=parse_square("D1")), (20,))
    assert any(line.startswith("Smoke grenade: thick smoke around D1") for line in told)
    assert table.happened(ev.PoolChanged) == []
    assert table.worth("unseen", by="b", at="a") == -4
    while table.battle.turns.round < 5:
        table.do(EndTurn())
    assert table.worth("unseen", by="b", at="a") is None


def test_cwn_a_grenade_launcher_does_what_a_thrown_grenade_does_from_further_off() -> None:
    table = fight(CWN, "a" + "." * 20 + "b", a="grenadier", b="gunman").arm("a", "grenade-launcher")
    assert table.shot().ledger.target_number == 10
    table.do(Attack("a", "b"), (20,), (11,), (13,), LOW)
    assert table.unit("b").pools["hp"] == 15 - 11
