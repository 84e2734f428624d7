"""EVA-6 to 10, 15 to 17 and the worked examples of cover: degrees, hits, damage, soak, criticals, lethal damage."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest

from engine.answers import GivenAnswer
from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.split_hits import share_answers
from engine.battle.command import Act, Attack, Move
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetPool
from engine.battle.defence_choices import defence_question
from engine.battle.effects.pool_effects import WearEffect
from engine.battle.narration.preview_text import damage_words
from engine.dice.dice_text import percent
from engine.geometry.squares import parse_square
from engine.rules.model import Value
from engine.rules.roll_odds import roll_facts
from tests.rules.table import Table, defends, fight

EVA = "eva"
Stats = Mapping[str, Mapping[str, Value]]
MORE_ON_THIS_HIT = "More past soak by degrees on this hit instead"
UNTRAINED: Stats = {"b": {"dodge_trained": False}}


def duel(distance: int = 10, a: str = "rifleman", b: str = "rifleman", stats: Stats | None = None) -> Table:
    return fight(EVA, "a" + "." * (distance - 1) + "b", a=a, b=b, stats=stats)


def told(table: Table, label: str) -> list[str]:
    """What lines of the last command say under a label."""
    lines = [event for event in table.happened(ev.EffectComputed) if event.label == label]
    return [str(event.value or event.words) for event in lines]


def wounds(table: Table, unit_id: str = "b") -> int:
    return table.unit(unit_id).pools["wounds"]


# --- EVA-6: degrees -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "degree"), [(60, 1), (59, 2), (50, 2), (49, 3), (12, 6), (9, 7), (1, 7), (61, 0), (100, 0)]
)
def test_eva_6_degrees_are_1_and_the_difference_of_the_tens(roll: int, degree: int) -> None:
    """EVA-6: against 60, a 60 is one degree, a 59 two, a 1 seven; a miss has none."""
    table = duel()
    shot = table.shot()
    assert shot.ledger.target_number == 60  # BS 40, standard 10, short range 10
    assert roll_facts(table.rules, shot.situation.facts, shot.ledger, roll)["degree"] == degree


@pytest.mark.parametrize(("roll", "hits"), [(40, 1), (39, 2), (25, 3), (12, 4), (3, 4)])
def test_eva_6_a_burst_hits_once_for_every_degree_up_to_what_was_meant(roll: int, hits: int) -> None:
    """EVA-6, EVA-16: at 40, four hits meant; a standard attack hits once whatever its degrees."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b", action="burst-4"), (roll,), *[(1,)] * hits)
    assert len(table.happened(ev.EffectRolled)) == hits


def test_eva_6_an_attack_may_use_another_characteristic_with_the_same_bonuses() -> None:
    """EVA-6: the GM's choice, in place of WS or BS; a critical is confirmed with it, too."""
    table = duel(stats={"a": {"willpower": 55}, "b": {"wound_points": 90}})
    table.do(SetRuling("characteristic", "WP"))
    assert table.shot().ledger.target_number == 75  # WP 55, standard 10, short range 10
    assert table.worth("bs") is None and table.worth("other-score") == 55
    table.do(Attack("a", "b"), (75,), (10,), (55,), (1,))
    assert any(event.label == "Lethal table" for event in table.happened(ev.EffectRolled))


# --- EVA-7: damage --------------------------------------------------------------------------------------------------


def test_eva_7_melee_adds_the_strength_bonus_and_shots_do_not() -> None:
    """EVA-7: a sword of 1d10 in a hand of Strength 45 does 4 more."""
    table = duel(1, "brawler")
    table.do(Attack("a", "b"), (55,), (6,))
    assert told(table, "Full damage") == ["10"]
    shot = duel()
    shot.do(Attack("a", "b"), (60,), (6,))
    assert told(shot, "Full damage") == ["9"]  # and 3 of the rifle


@pytest.mark.parametrize(
    ("roll", "die", "done"), [(60, 2, 5), (51, 2, 5), (41, 2, 6), (1, 2, 10), (1, 7, 10), (1, 8, 11)]
)
def test_eva_7_degrees_stand_in_for_a_die_where_they_are_more(roll: int, die: int, done: int) -> None:
    """EVA-7: one damage die may be replaced by the degrees of success."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b"), (roll,), (die,))
    assert told(table, "Full damage") == [str(done)]


def test_eva_7_once_for_the_attack_and_one_die_alone() -> None:
    """EVA-7: of a burst the first hit, of several dice the lowest."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b", action="burst-2"), (10,), (1,), (1,))
    assert told(table, "Full damage") == ["8", "4"]
    rocket = duel(40, stats={"b": {"wound_points": 90}}).arm("a", "rocket-launcher")
    rocket.do(Attack("a", "b"), (9,), (3,), (1,), (4,))
    assert told(rocket, "Full damage") == ["14"]  # 3, 4 and 7 degrees in place of the 1


@pytest.mark.parametrize(
    ("dice", "full", "more", "lost"),
    [
        ((5, 1), ["8", "8"], [], 10),  # the first gains nothing: the second has the degrees
        ((2, 1), ["8", "4"], ["1"], 7),  # 3 more on the first, 4 on the second: one more with it
        ((1, 2), ["8", "5"], [], 7),
    ],
)
def test_eva_7_the_best_die_of_all_the_hits_that_strike(
    dice: tuple[int, int], full: list[str], more: list[str], lost: int
) -> None:
    """EVA-7: five degrees where they add most; where a later hit has more of them, it deals what is missing."""
    table = duel(stats={"b": {"wound_points": 90, "armour_head": 0}})
    table.do(Attack("a", "b", action="burst-2"), (10,), *[(die,) for die in dice])
    assert (told(table, "Full damage"), told(table, MORE_ON_THIS_HIT)) == (full, more)
    assert 90 - wounds(table) == lost  # each hit loses 3 to Toughness


def test_eva_7_the_best_die_is_that_which_adds_most_past_soak() -> None:
    """EVA-7: a head of 12 armour points lets nothing through, whatever its die; the third hit strikes the arm."""
    table = duel(stats={"a": {"ballistic_skill": 80}, "b": {"wound_points": 90, "armour_head": 12, "armour_arms": 0}})
    table.do(Attack("a", "b", action="burst-3"), (10,), (1,), (1,), (4,))
    assert told(table, "Location") == ["head", "head", "right arm"]
    assert told(table, MORE_ON_THIS_HIT) == ["4"]  # eight degrees in place of the 4
    assert 90 - wounds(table) == 4 + 4 + 3 - 3


def test_eva_7_the_degrees_do_not_move_to_another_target() -> None:
    """EVA-7: once for the attack: who takes the hits that the fallen leave takes no more by degrees."""
    stats: Stats = {"b": {"wound_points": 2, "fate_points": 0}, "c": {"wound_points": 90}}
    table = fight(EVA, "a.........b", "..........c", a="rifleman", b="rifleman", c="rifleman", stats=stats)
    table.do(Attack("a", "b", action="burst-3"), (10,), (3,), (1,), (1,))
    assert table.unit("b").is_defeated and told(table, "Full damage") == ["7", "4", "4"]
    assert told(table, MORE_ON_THIS_HIT) == []


def test_eva_7_the_odds_of_a_burst_have_the_best_die() -> None:
    """EVA-7: by hand: two hits of d10 + 3 less 3 at the body, and the most that degrees add to one of them."""
    bare = dict.fromkeys(("armour_head", "armour_arms", "armour_body", "armour_legs"), 0)
    table = duel(stats={"b": {"wound_points": 90, **bare}})
    shot = table.shot(action="burst-2")
    number = shot.ledger.target_number
    assert number is not None
    expected = Fraction(0)
    for roll in range(1, number + 1):
        degree = 1 + number // 10 - roll // 10
        for first, second in product(range(1, 11), repeat=2):
            dice = (first, second)[: min(degree, 2)]
            expected += Fraction(sum(dice) + max(0, degree - min(dice)), 10_000)
    outlook = with_odds(table.battle, table.rules, shot).outlook
    assert outlook is not None and outlook.expected == expected


def test_eva_7_the_attacker_chooses_die_and_hit() -> None:
    """EVA-7: two rulings, for when an attacker wants another die or hit than the best."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(SetRuling("swap_hit", 2))
    table.do(Attack("a", "b", action="burst-3"), (10,), (1,), (4,), (1,))
    assert told(table, "Full damage") == ["4", "7", "4"]  # -5 for the third: four degrees for the 4, nothing gained
    fourth = duel(10, "machine-gunner", stats={"b": {"wound_points": 900}, "a": {"ballistic_skill": 95}})
    fourth.do(SetRuling("swap_hit", 4))
    fourth.condition("a", "braced")
    fourth.do(Attack("a", "b", action="burst-5"), (1,), *[(1,)] * 5)
    assert [int(done) > int(told(fourth, "Full damage")[0]) for done in told(fourth, "Full damage")] == [
        False, False, False, True, False,
    ]  # fmt: skip
    rocket = duel(40, stats={"b": {"wound_points": 90}}).arm("a", "rocket-launcher")
    rocket.do(SetRuling("swap_die", "third"))
    rocket.do(Attack("a", "b"), (9,), (3,), (1,), (4,))
    assert told(rocket, "Full damage") == ["11"]  # 3, 1 and 7 degrees in place of the 4
    none = duel().arm("a", "pistol")
    none.do(SetRuling("swap_die", "none"))
    none.do(Attack("a", "b"), (9,), (1,))
    assert told(none, "Full damage") == ["3"]


def zone(allies: str = "") -> Table:
    tough: Stats = {name: {"wound_points": 90, "willpower": 90} for name in "bc"}
    rows = ("......c", "a.....b")
    table = fight(EVA, *rows, allies=allies, a="machine-gunner", b="rifleman", c="rifleman", stats=tough)
    return table.arm("a", "submachine-gun")


def test_eva_7_suppressive_fire_replaces_one_die_of_all_its_hits() -> None:
    """EVA-7, EVA-22: two units are hit, one of them has a die replaced."""
    table = zone()
    table.do(Attack("a", "b", action="suppress-semi"), (1,), (1,), (1,), (1,), (1,))
    assert sorted(told(table, "Full damage")) == ["3", "5"]  # 1 and 2 of the gun; three degrees for one 1


def test_eva_7_a_hit_that_is_evaded_leaves_the_degrees_to_those_that_strike() -> None:
    """EVA-7: the target dodges its hits, and the die of one that was given to another is replaced."""
    tough: Stats = {"b": {"wound_points": 90, "agility": 50}, "c": {"wound_points": 90}}
    table = fight(EVA, "a.........b", "..........c", a="rifleman", b="rifleman", c="rifleman", stats=tough)
    share = share_answers((("c", 2),))
    table.do(Attack("a", "b", action="burst-4"), *share, defends("b", "dodge"), (5,), (1,), (1,), (1,))
    assert told(table, "Full damage") == ["8", "4"]  # five degrees for one 1
    for unit in "bc":
        shots = zone()
        dodges = GivenAnswer(defence_question(unit, is_one_of_several=True), choose="dodge")
        shots.do(Attack("a", "b", action="suppress-semi"), dodges, (1,), (1,), (1,), (1,), (1,))
        assert told(shots, "Full damage") == ["5"]


# --- EVA-8: criticals -----------------------------------------------------------------------------------------------


def test_eva_8_a_natural_maximum_is_confirmed_with_the_bare_score() -> None:
    """EVA-8: BS 40 without what the attack added."""
    for confirm, rolls in ((40, 1), (41, 0)):
        table = duel(stats={"b": {"wound_points": 90}})
        table.do(Attack("a", "b"), (60,), (10,), (confirm,), *[(3,)] * rolls)
        assert any(event.label == "Lethal table" for event in table.happened(ev.EffectRolled)) == bool(rolls)


def test_eva_8_past_soak_it_is_an_effect_of_the_lethal_table_and_no_further_damage() -> None:
    """EVA-8: 3 on the table is prone; the wounds lost are those of the damage."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b"), (50,), (10,), (40,), (3,))
    assert table.unit("b").posture == "prone"
    assert wounds(table) == 90 - (13 - 3 - 2)  # Toughness bonus 3, head 3 less penetration 1


def test_eva_8_not_past_soak_it_does_exactly_1() -> None:
    """EVA-8: a shot that armour stops does 1 when confirmed and nothing else."""
    for confirm, lost in ((40, 1), (41, 0)):
        table = duel(stats={"b": {"armour_head": 40}})
        table.do(Attack("a", "b"), (50,), (10,), (confirm,))
        assert 11 - wounds(table) == lost


@pytest.mark.parametrize(("chart", "held"), [(1, "stunned"), (2, "stunned"), (4, ""), (5, "stunned")])
def test_eva_8_the_lethal_table(chart: int, held: str) -> None:
    """EVA-8: stunned, prone, drops and tires, a place of no use; the head's is 1d5 rounds of stun."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b"), (50,), (10,), (40,), (chart,), *[(2,)] * (chart == 5))
    assert (held in table.unit("b").conditions) == bool(held)
    if chart == 4:
        assert (table.unit("b").gear.weapon, table.unit("b").pools["stamina"]) == ("", 3)
    if chart == 5:
        assert table.unit("b").timers == {"stunned": 2}


def test_eva_8_a_limb_of_no_use() -> None:
    """EVA-8: 5 on the table: an arm costs 20 to attacks, a leg halves the moves."""
    arm, leg = (duel(stats={"b": {"wound_points": 90}}) for _ in range(2))
    arm.do(Attack("a", "b", action="called-left-arm"), (30,), (10,), (40,), (5,))
    assert arm.worth("one-armed", by="b", at="a") == -20
    leg.do(Attack("a", "b", action="called-left-leg"), (30,), (10,), (40,), (5,))
    assert "lame" in leg.unit("b").conditions


def test_eva_8_guard_mode_makes_confirming_20_harder() -> None:
    """EVA-8, EVA-19: -20 to confirm against it."""
    table = duel(stats={"b": {"wound_points": 90}}).condition("b", "guarding")
    table.do(Attack("a", "b"), (30,), (10,), (21,))
    assert table.unit("b").posture == "standing"


# --- EVA-9: soak and wounds -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "place", "soaked"),
    [
        ("pistol", "head", 6),
        ("pistol", "body", 7),
        ("pistol", "left-leg", 6),
        ("assault-rifle", "body", 6),
        ("sniper-rifle", "body", 3),
    ],
)
def test_eva_9_soak_is_toughness_bonus_and_armour_less_penetration(weapon: str, place: str, soaked: int) -> None:
    """EVA-9: Toughness 35 in a flak suit; penetration 4 leaves nothing of 4 points, and never less than none."""
    table = duel(stats={"b": {"wound_points": 90}}).arm("a", weapon)
    table.do(Attack("a", "b", action=f"called-{place}"), (1,), (9,))
    assert told(table, "Soak") == [str(soaked)]


def test_eva_9_soak_has_its_parts_where_it_stops_all_damage() -> None:
    lines = duel().arm("a", "pistol").do(Attack("a", "b", action="called-body"), (30,), (2,))
    assert "Soak: Target's Toughness bonus 3 + AP body 4 = 7." in lines


def test_eva_9_damage_no_higher_than_soak_does_nothing() -> None:
    """EVA-9: 6 against 7."""
    table = duel().arm("a", "pistol")
    table.do(Attack("a", "b", action="called-body"), (30,), (4,))
    assert wounds(table) == 11


def test_eva_9_at_0_wounds_one_is_out_of_the_fight() -> None:
    """EVA-9: most characters perish."""
    table = duel()
    table.do(SetPool("b", "wounds", 1))
    table.do(Attack("a", "b"), (60,), (9,))
    assert table.unit("b").is_defeated


def test_eva_9_who_has_fate_points_takes_lethal_damage_past_0() -> None:
    """EVA-9: what is past the wounds is lethal damage, with a roll on its table."""
    table = duel(b="leader", stats={"b": {"deflector_strength": 0}})
    table.do(SetPool("b", "wounds", 1))
    table.do(Attack("a", "b", action="called-body"), (30,), (9,), (3,))
    assert told(table, "Lethal damage") == ["5"]  # 12 less 3 and 3 is 6, one more than the wound left
    assert (wounds(table), table.unit("b").pools["lethal"], table.unit("b").is_defeated) == (0, 5, False)
    assert table.unit("b").posture == "prone"


# --- EVA-10: unarmed ------------------------------------------------------------------------------------------------


def test_eva_10_wounds_and_fatigue_are_two_numbers_in_the_odds() -> None:
    """EVA-9, EVA-10: fists that mostly tire do next to no damage; the chance of fatigue is told besides."""
    table = duel(1).arm("a", "unarmed")
    found = with_odds(table.battle, table.rules, table.shot()).outlook
    assert found is not None and found.has_damage
    ((label, tires),) = found.harms
    assert label == "fatigue" and tires > 10 * found.hurt > 0
    assert f"fatigue {percent(tires)}" in damage_words(found)


@pytest.mark.parametrize(("die", "tired"), [(1, False), (2, True)])
def test_eva_10_bare_hands_tire_whom_they_hit_as_hard_as_its_toughness_bonus(die: int, tired: bool) -> None:
    """EVA-10: 1d5-3+SB; 4 against a bonus of 3."""
    table = duel(1, "brawler", stats={"a": {"strength": 40}}).arm("a", "unarmed")
    table.do(Attack("a", "b"), (55,), (die,))
    assert told(table, "Full damage") == [str(die - 3 + 4)]
    assert (table.unit("b").pools["stamina"] < 4) == tired


# --- EVA-15: decay --------------------------------------------------------------------------------------------------


def test_eva_15_a_score_that_decays_is_lower_until_the_cycle_ends() -> None:
    """EVA-15: Toughness falls, and the soak with it; the GM gives it back."""
    table = duel(10, "gunman", "civilian", stats={"b": {"wound_points": 90}}).arm("a", "toxin-pistol")
    table.do(Attack("a", "b"), (50,), (4,), (6,))
    assert table.unit("b").pools["t"] == 24
    table.turn_of("a").do(Attack("a", "b"), (50,), (4,), (1,))
    assert told(table, "Soak") == ["2"]
    table.do(SetPool("b", "t", 30))
    assert table.unit("b").pools["t"] == 30


def test_eva_15_any_score_may_decay() -> None:
    """EVA-15: an attack goes by WS or BS as it is, moves by Agility."""
    table = duel()
    table.do(SetPool("a", "bs", 25))
    assert table.worth("bs") == 25
    table.do(SetPool("a", "ag", 19))
    assert "1 left" in table.refusal(Move("a", table.way("a", "C1"), "half-move"))


# --- EVA-17 -----------------------------------------------------------------------------------------------------------


def test_eva_17_a_called_shot_may_be_at_an_object_or_a_lock() -> None:
    """EVA-17: -20 at a square; the log tells the damage, and a blow needs an adjacent square."""
    table = duel()
    lock = Attack("a", "", action="called-object", square=parse_square("F1"))
    assert consider(table.battle, table.rules, lock).ledger.target_number == 30  # BS 40, -20, short range 10
    table.do(lock, (30,), (7,))
    assert told(table, "Damage to the object") == ["10"]
    assert table.unit("a").turn.budget == {**table.unit("a").turn.budget, "attack": 0, "action": 1}
    assert "needs a target square" in duel().refusal(Attack("a", "b", action="called-object"))
    blade = duel().arm("a", "knife")
    assert "adjacent" in blade.refusal(Attack("a", "", action="called-object", square=parse_square("F1")))
    blade.do(Attack("a", "", action="called-object", square=parse_square("B1")), (5,), (4,))
    assert told(blade, "Damage to the object") == ["7"]


@pytest.mark.parametrize(
    ("roll", "place"),
    [(1, "head"), (10, "head"), (20, "head"), (11, "right arm"), (12, "left arm"), (14, "body"), (7, "body"),
     (27, "right leg"), (58, "right leg"), (9, "left leg")],
)  # fmt: skip
def test_eva_17_the_digits_reversed_give_the_location(roll: int, place: str) -> None:
    """EVA-17: where a hit strikes that nobody called."""
    table = duel(stats={"b": {"wound_points": 90}})
    table.do(Attack("a", "b"), (roll,), (8,))
    assert told(table, "Location") == [place]


@pytest.mark.parametrize(
    ("roll", "places"),
    [(10, ["head", "head", "right arm", "body", "right arm", "body"]),
     (4, ["body", "body", "right arm", "head", "right arm", "body"]),
     (7, ["body", "body", "right arm", "head", "right arm", "body"]),
     (8, ["right leg", "right leg", "body", "right arm", "head", "body"]),
     (3, ["left arm", "left arm", "body", "head", "body", "left arm"])],
)  # fmt: skip
def test_eva_17_further_hits_go_outward_from_the_first(roll: int, places: list[str]) -> None:
    """EVA-17: the six hits of a burst."""
    table = duel(2, stats={"b": {"wound_points": 90}, "a": {"ballistic_skill": 60}}).arm("a", "submachine-gun")
    table.do(Attack("a", "b", action="burst-6"), (roll,), *[(5,)] * 6)
    assert told(table, "Location") == places


def test_eva_17_a_called_shot_on_the_weapon_knocks_it_away() -> None:
    """EVA-17: an object; no damage."""
    table = duel()
    table.do(Attack("a", "b", action="called-weapon"), (24,))
    assert (table.unit("b").gear.weapon, wounds(table)) == ("", 11)


# --- cover ------------------------------------------------------------------------------------------------------------


def behind(material: str, height: float, weapon: str, roll: int = 30) -> Table:
    """A shot at somebody behind a thing of that height."""
    thing = f'[legend]\n"c" = {{ object = "bulwark", height = {height}, cover = "{material}" }}\n'
    table = fight(EVA, "a...cb", a="rifleman", b="rifleman", toml=thing, stats={"b": {"wound_points": 90}})
    return table.arm("a", weapon)


def test_cover_is_armour_points_for_what_it_covers_and_no_modifier() -> None:
    """EVA-9: a hit on a covered leg meets the cover first, one on the head does not."""
    legs, head = behind("medium", 1.2, "assault-rifle"), behind("medium", 1.2, "assault-rifle")
    assert legs.worth("cover") == 0
    legs.do(Attack("a", "b", action="called-left-leg"), (20,), (9,))
    assert told(legs, "Stopped by the cover") == ["8"]
    head.do(Attack("a", "b", action="called-head"), (20,), (9,))
    assert told(head, "Stopped by the cover") == []


def test_ex_eva_1_a_ranged_hit_wears_cover_by_penetration_acid_and_blast() -> None:
    """EX-EVA-1: penetration 3, acid 2, blast 1: the cover loses 6."""
    table = behind("light", 1.2, "assault-rifle")
    shot = table.shot(changed={"weapon.penetration": 3, "weapon.acid": 2, "weapon.blast": 1})
    wear = next(effect for effect in table.rules.attack.effects if isinstance(effect, WearEffect))
    assert wear.value.evaluate(shot.situation.facts) == 6
    table.do(Attack("a", "b", action="called-left-leg"), (20,), (9,))
    assert [(event.before, event.after) for event in table.happened(ev.CoverWorn)] == [(0, 1)]  # the rifle's own 1


def test_cover_that_stops_a_hit_does_not_wear() -> None:
    """EX-EVA-1: only when the damage was more than it had."""
    table = behind("heavy", 1.2, "assault-rifle")
    table.do(Attack("a", "b", action="called-left-leg"), (20,), (9,))
    assert not table.happened(ev.CoverWorn)


def test_ex_eva_2_a_blow_wears_it_by_penetration_strength_bonus_and_the_degrees_of_a_charge() -> None:
    """EX-EVA-2: penetration 3, Strength bonus 4, a charge with 2 degrees: the cover loses 8."""
    table = fight(EVA, "ab", a="brawler", b="rifleman")
    facts = dict(table.shot("sword", "charge-attack").situation.facts)
    facts |= {"weapon.penetration": 3, "degree": 2}
    wear = next(effect for effect in table.rules.attack.effects if isinstance(effect, WearEffect))
    assert facts["strength_bonus"] == 4
    assert wear.value.evaluate(facts) == 8


# --- jams -------------------------------------------------------------------------------------------------------------


def test_eva_22_bursts_jam_on_94_single_shots_on_96() -> None:
    """EVA-22: and a jammed weapon does not fire until it is cleared."""
    for action, last in (("burst-4", 93), ("standard", 95)):
        fine, jams = duel(), duel()
        fine.do(Attack("a", "b", action=action), (last,))
        assert fine.attacked().grade == "missed"
        jams.do(Attack("a", "b", action=action), (last + 1,))
        assert jams.attacked().grade == "jam"
        assert "clear it first" in jams.turn_of("a").refusal(Attack("a", "b"))
        jams.do(Act("a", "clear"), (41,))
        assert jams.shot().refusal
        jams.turn_of("a").do(Act("a", "clear"), (40,))
        assert not jams.turn_of("a").shot().refusal
