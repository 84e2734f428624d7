"""Ashes of Gaia: a test for each of AOG-1 to 17, and what the system's other pages add, with typed dice."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.gear_commands import SetStat
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetPolicy, SetRuling
from engine.battle.commands.unit_actions import Face, Ready
from engine.errors import Illegal
from engine.geometry.blast.scatter_path import MAP_EDGE, OFF_MAP
from engine.geometry.squares import Direction, column_name
from engine.rules.model import Value
from engine.rules.roll_odds import judge
from engine.values import replace
from tests.rules.table import Table, defends, entry, fight

AOG = "aog"
METRE = (1, "metres")
"""A map on which every metre is a square of its own."""

FENCE = '[[edge]]\nat = "A1"\nside = "E"\nkind = "fence"'

Stats = Mapping[str, Mapping[str, Value]]


def duel(
    distance: int = 4,
    a: str = "gunman",
    b: str = "civilian",
    stats: Stats | None = None,
    toml: str = "",
    scale: tuple[float, str] | None = None,
) -> Table:
    """A unit and another in the open, so many squares of two metres apart; civilians wear no armour."""
    return fight(AOG, "a" + "." * (distance - 1) + "b", a=a, b=b, stats=stats, toml=toml, scale=scale)


def grade(table: Table, roll: int, action: str = "") -> str:
    shot = table.shot(action=action)
    return judge(table.rules, shot.situation.facts, shot.ledger, roll).id


def hurt(table: Table, unit_id: str = "b") -> int:
    """Hit points that a unit lost by the last command."""
    changes = [event for event in table.happened(ev.PoolChanged) if event.unit == unit_id and event.pool == "hp"]
    return sum(change.before - change.after for change in changes)


def located(table: Table) -> str:
    """The location that the last attack struck."""
    (told,) = [event for event in table.happened(ev.EffectComputed) if event.label == "Location"]
    return told.words


# --- AOG-1 and AOG-16: attacks of a turn, fire modes -----------------------------------------------------------------


def test_aog_1_later_attacks_of_a_turn_lose_20_and_40() -> None:
    """AOG-1: the second attack of a turn −20, the third −40."""
    table = duel(a="machine-gunner")
    seen = []
    for _ in range(3):
        seen.append((table.worth("second-attack"), table.worth("third-attack")))
        table.do(Attack("a", "b", action="auto"), (90,))
    assert seen == [(None, None), (-20, None), (None, -40)]
    table.turn_of("a")
    assert table.worth("second-attack") is None


def test_aog_1_there_is_no_fourth_shot() -> None:
    """AOG-1: the table ends with the third attack."""
    table = duel(a="machine-gunner", stats={"a": {"dexterity": 50}})
    for _ in range(3):
        table.do(Attack("a", "b", action="auto"), (90,))
    assert "3 times" in table.shot().refusal


def test_aog_16_a_single_shot_is_one_attack_for_one_action() -> None:
    """AOG-16: single, 1 attack for 1 action, a round each."""
    table = duel()
    table.do(Attack("a", "b", action="single"), (90,))
    assert table.unit("a").turn.budget["action"] == 1
    assert table.unit("a").gear.rounds["pistol-nash-x-17"] == 14


def test_aog_16_semi_auto_is_two_attacks_for_one_action() -> None:
    """AOG-16: semi-auto, up to 2 attacks for 1 action."""
    table = duel()
    for left in (1, 0):
        table.do(Attack("a", "b", action="semi"), (90,))
        assert table.unit("a").turn.budget["action"] == 1
        assert table.unit("a").turn.budget["semi_shots"] == left
    assert table.unit("a").gear.rounds["pistol-nash-x-17"] == 11


def test_aog_16_full_auto_is_three_attacks_for_two_actions() -> None:
    """AOG-16: full auto, up to 3 attacks for 2 actions."""
    table = duel(a="leader")
    for left in (2, 1, 0):
        table.do(Attack("a", "b", action="auto"), (90,))
        assert table.unit("a").turn.budget["action"] == 0
        assert table.unit("a").turn.budget["auto_shots"] == left
    assert "3 times" in table.refusal(Attack("a", "b", action="auto"))


def test_aog_16_a_weapon_has_the_modes_of_its_table() -> None:
    """AOG-16: a rifle without full auto fires none, a machine gun no single shots."""
    assert " has no “" in duel(a="rifleman").refusal(Attack("a", "b", action="auto"))
    assert " has no “" in duel(a="machine-gunner").refusal(Attack("a", "b", action="single"))


def test_aog_16_one_mode_of_fire_serves_a_turn() -> None:
    """AOG-16: a mode gives its attacks in a turn; no other mode follows, nor a single shot of another kind."""
    table = duel()
    table.do(Attack("a", "b", action="single"), (90,))
    assert "“Single shot”: once per turn." in table.refusal(Attack("a", "b", action="single"))
    for other in ("semi", "knock-down"):
        assert "only one mode of fire per turn" in table.refusal(Attack("a", "b", action=other)), other
    table.turn_of("a").do(Attack("a", "b", action="semi"), (90,))
    assert "only one mode of fire per turn" in table.refusal(Attack("a", "b", action="single"))
    table.do(Attack("a", "b", action="semi"), (90,))
    assert "only two attacks per turn" in table.refusal(Attack("a", "b", action="semi"))


def test_aog_17_one_kind_of_blow_serves_a_turn_and_a_shot_may_join_it() -> None:
    """AOG-17: as the modes of fire do; a shot and a blow are no mix of modes."""
    table = brawl()
    table.do(Attack("a", "b", action="focused"), (90,))
    assert "only one kind of blow per turn" in table.refusal(Attack("a", "b", action="strong"))
    table.do(Attack("a", "b", action="focused"), (90,))
    assert "only two attacks per turn" in table.refusal(Attack("a", "b", action="focused"))
    table = duel(1)
    table.do(Attack("a", "b", action="semi"), (90,))
    table.do(Ready("a", "fists"))
    table.do(Attack("a", "b", action="focused"), (90,))
    assert table.unit("a").turn.budget["action"] == 0


def test_aog_16_what_is_left_of_a_mode_ends_with_the_turn() -> None:
    """AOG-16: attacks that a mode leaves are those of this turn."""
    table = duel()
    table.do(Attack("a", "b", action="semi"), (90,))
    table.turn_of("a")
    assert table.unit("a").turn.budget["semi_shots"] == 0


# --- AOG-2: range ----------------------------------------------------------------------------------------------------


def test_aog_2_range_costs_0_30_and_60_and_ends_at_three_times() -> None:
    """AOG-2: up to R 0, up to 2R −30, up to 3R −60, beyond no attack."""
    table = fight(AOG, "a" + "." * 80 + "b", a="gunman", b="civilian", scale=METRE)
    for metres, band, value in ((1, "standard", 0), (25, "standard", 0), (26, "long", -30), (50, "long", -30),
                                (51, "extreme", -60), (75, "extreme", -60)):  # fmt: skip
        table.place("b", f"{column_name(metres)}1")
        assert table.shot().ledger.band == band
        assert table.worth(f"range.{band}") == value
    table.place("b", f"{column_name(76)}1")
    assert "75 m" in table.refusal(Attack("a", "b"))


def test_aog_2_a_throw_reaches_a_fifth_of_strength() -> None:
    """AOG-2: Strength 65 throws 13 metres, 26 at −30, 39 at −60."""
    table = fight(AOG, "a" + "." * 45 + "b", a="grenadier", b="civilian", scale=METRE)
    for metres, band in ((13, "standard"), (14, "long"), (26, "long"), (27, "extreme"), (39, "extreme")):
        assert table.place("b", f"{column_name(metres)}1").shot("frag-grenade").ledger.band == band
    assert "39 m" in table.place("b", f"{column_name(40)}1").shot("frag-grenade").refusal


# --- AOG-3: cover ----------------------------------------------------------------------------------------------------


def behind(height: float, cover: str) -> Table:
    toml = f'[legend]\n"c" = {{ object = "crate", height = {height}, cover = "{cover}" }}'
    return fight(AOG, "a....cb", a="gunman", b="civilian", toml=toml)


def test_aog_3_light_cover_costs_15() -> None:
    """AOG-3: light cover −15."""
    table = behind(1, "light")
    assert Fraction(1, 4) <= table.shot().situation.trace.covered < Fraction(3, 4)
    assert table.worth("light-cover") == -15


def test_aog_3_less_than_light_cover_counts_for_nothing_and_is_reported() -> None:
    """AOG-3: what is seen to cover is in the ledger, even where it is too little."""
    table = behind(0.3, "heavy")
    assert 0 < table.shot().situation.trace.covered < Fraction(1, 4)
    assert table.worth("thin-cover") == 0
    assert table.worth("light-cover") is table.worth("medium-cover") is None
    assert behind(1, "light").worth("thin-cover") is None


def test_aog_3_medium_cover_costs_30() -> None:
    """AOG-3: medium cover −30: heavy stuff, or nearly all of the body."""
    assert behind(1, "heavy").worth("medium-cover") == -30
    table = behind(1.5, "light")
    assert Fraction(3, 4) <= table.shot().situation.trace.covered < 1
    assert table.worth("medium-cover") == -30
    assert table.worth("light-cover") is None


@pytest.mark.parametrize("name", ["window", "shop front"])
def test_aog_3_a_window_is_medium_cover(name: str) -> None:
    """AOG-3: peeking out of a window is the chapter's own example of medium cover, whatever the map calls it."""
    window = f'[[edge]]\nat = "F1"\nside = "W"\nkind = "window"\nname = "{name}"'
    table = duel(5, toml=window)
    assert Fraction(1, 4) <= table.shot().situation.trace.covered < Fraction(3, 4)
    assert table.shot().situation.facts["cover_material"] == "medium"
    assert (table.worth("medium-cover"), table.worth("light-cover")) == (-30, None)
    barely = duel(5, toml=f"{window}\nsill = 0.3\nlintel = 3")
    assert 0 < barely.shot().situation.trace.covered < Fraction(1, 4)
    assert (barely.worth("medium-cover"), barely.worth("thin-cover")) == (None, 0)


def test_aog_3_a_low_wall_of_the_same_material_as_a_window_is_light_cover() -> None:
    """AOG-3: the rule is about windows; what else is of medium material covers as before."""
    assert behind(1, "medium").worth("light-cover") == -15
    assert behind(1, "medium").worth("medium-cover") is None


def test_aog_3_full_cover_cannot_be_shot_at_but_through() -> None:
    """AOG-3: full cover, no ranged attack; shooting through it is an action of its own."""
    table = behind(2.5, "medium")
    assert "Full cover" in table.refusal(Attack("a", "b"))
    assert table.worth("through-cover", action="through") == -30
    # skill 55, −30; 23 reads 32, the chest; the crate takes 8 of the 10, the rest does harm
    table.do(Attack("a", "b", action="through"), (23,), (10,))
    assert (located(table), hurt(table)) == ("chest", 2)
    assert "normal shot" in behind(1, "light").shot(action="through").refusal


def test_aog_3_kneeling_in_a_trench_is_full_cover_and_standing_in_it_is_medium() -> None:
    """AOG-3: the chapter's examples, in a trench of 1.3 m."""
    trench = '[elevation]\nrows = """\n...........2.\n"""\n[elevation.legend]\n"2" = -1.3\n'
    table = fight(AOG, "a..........b.", a="gunman", b="civilian", toml=trench)
    assert table.worth("medium-cover") == -30
    table.posture("b", "kneeling")
    assert "Full cover" in table.refusal(Attack("a", "b"))


def test_aog_3_cover_does_not_help_against_blows() -> None:
    """AOG-3: cover is for ranged attacks."""
    table = fight(AOG, "ab", a="brawler", b="civilian", toml=FENCE)
    table.posture("a", "kneeling")  # who stands looks over the fence that is next to both
    assert table.shot().situation.trace.covered > 0
    assert table.worth("light-cover") is table.worth("medium-cover") is None


# --- AOG-4 to AOG-6: environment -------------------------------------------------------------------------------------


def lit(level: str, a: str = "gunman", distance: int = 4) -> Table:
    return duel(distance, a=a, toml=f'[light]\nambient = "{level}"')


def test_aog_4_partial_darkness_costs_10_to_ranged_attacks() -> None:
    """AOG-4: partial darkness −10 to ranged."""
    assert lit("dim").worth("partial-darkness") == -10
    assert lit("dim", "brawler", 1).worth("partial-darkness") is None


def test_aog_4_complete_darkness_costs_30_to_all_attacks() -> None:
    """AOG-4: complete darkness −30 to ranged and melee."""
    assert lit("dark").worth("complete-darkness") == -30
    assert lit("dark", "brawler", 1).worth("complete-darkness") == -30


def test_aog_4_night_sight_cancels_darkness_and_smoke() -> None:
    """AOG-4: an infrared or night scope sees through both."""
    assert lit("dark", "drone").worth("complete-darkness") is None
    assert lit("dark", "drone").worth("night-sight") == 0


def test_aog_5_any_smoke_between_the_two_costs_20_once() -> None:
    """AOG-5: any amount of smoke −20, ranged."""
    for rows in ("..1..", ".121.", "....2", "2...."):
        assert duel(toml=f'[smoke]\nrows = """\n{rows}\n"""').worth("smoke") == -20
    assert duel(1, "brawler", toml='[smoke]\nrows = """\n22\n"""').worth("smoke") is None


def test_aog_6_weightless_conventional_shots_after_the_first_lose_30() -> None:
    """AOG-6: zero-g −30 on every shot after the first, for conventional weapons."""
    table = duel().condition("a", "weightless")
    assert table.worth("zero-g") is None
    table.do(Attack("a", "b", action="semi"), (90,))
    assert table.worth("zero-g", action="semi") == -30
    assert table.shot(action="semi").ledger.target_number == 55 - 20 - 30


@pytest.mark.parametrize("weapon", ["laser-carbine-swallow", "coil-gun-snapper", "light-plasma-pistol-thunder-lm"])
def test_aog_6_energy_thermal_and_electromagnetic_weapons_are_exempt(weapon: str) -> None:
    """AOG-6: those without recoil lose nothing."""
    table = duel().arm("a", weapon).condition("a", "weightless")
    table.do(Attack("a", "b", action="single"), (90,))
    assert table.worth("zero-g") is None


def test_aog_6_recoilless_ammunition_is_exempt() -> None:
    """AOG-6: recoilless ammunition, loaded at the price of a reload; a weapon may have it by itself."""
    table = duel().condition("a", "weightless")
    table.do(Act("a", "load-recoilless"))
    table.turn_of("a").do(Attack("a", "b", action="semi"), (90,))
    assert table.worth("zero-g", action="semi") is None
    table.turn_of("a").do(Act("a", "reload"))
    table.turn_of("a").do(Attack("a", "b", action="semi"), (90,))
    assert table.worth("zero-g", action="semi") == -30
    assert entry(table.shot(changed={"weapon.recoilless": True}).ledger, "zero-g") is None


# --- AOG-7: shooting into melee --------------------------------------------------------------------------------------


def melee_ahead(**stats: Value) -> Table:
    """A gunman, and before him his friend hand to hand with an enemy."""
    return fight(AOG, "a...cb", a="gunman", c="civilian", b="civilian", allies="c", stats={"c": stats} if stats else {})


@pytest.mark.parametrize(
    ("roll", "outcome"),
    [(23, "astray"), (53, "astray"), (63, "missed"), (44, "simple"), (10, "astray"), (40, "astray"), (100, "jam"),
     (7, "extreme")],
)  # fmt: skip
def test_aog_7_reversed_digits_of_35_or_less_hit_the_ally(roll: int, outcome: str) -> None:
    """AOG-7: hit or miss, 01–35 on the digits reversed hits the ally; 100 stays 100, 7 reads 70."""
    assert grade(melee_ahead(), roll) == outcome


def test_aog_7_the_ally_is_hurt_in_place_of_the_target() -> None:
    """AOG-7: a roll of 51 hits the target's neighbour in the right arm (15)."""
    table = melee_ahead()
    table.do(Attack("a", "b"), (51,), (7,))
    assert (located(table), hurt(table, "c"), hurt(table, "b")) == ("right arm", 4, 0)


@pytest.mark.parametrize("who", ["c", "d", "e"])
def test_aog_7_of_several_friends_the_dice_draw_the_one_who_is_hit(who: str) -> None:
    """AOG-7: a lot among those next to the target; with one friend there is none to draw."""
    table = fight(AOG, "....d", "a..cb", "....e", a="gunman", b="civilian", c="civilian", d="civilian", e="civilian",
                  allies="cde")  # fmt: skip
    order = [unit.id for unit in table.battle.units.values() if unit.id in "cde"]
    table.do(Attack("a", "b"), (51,), (1 + order.index(who),), (7,))
    assert {unit: hurt(table, unit) for unit in "bcde"} == {"b": 0, "c": 0, "d": 0, "e": 0, who: 4}


@pytest.mark.parametrize(("roll", "degree"), [(23, "Hard"), (10, "Extreme"), (40, "Normal"), (53, "Simple"), (72, "")])
def test_aog_7_the_friend_is_hit_with_the_roll_s_own_degree_else_simple(roll: int, degree: str) -> None:
    """AOG-7: 55 to hit: quarters at 13, 27 and 41; 72 misses and reads 27: Simple. A ruling may make all Simple."""
    for value in ("of the roll", "simple"):
        table = melee_ahead()
        if value == "simple":
            ruled(table, "friend_degree", value)
        table.do(Attack("a", "b"), (roll,), (7,))
        (turn,) = table.happened(ev.AttackTurned)
        assert (turn.target, turn.grade) == ("c", (degree.lower() or "simple") if value == "of the roll" else "simple")


def test_aog_7_a_careful_shot_endangers_nobody() -> None:
    """AOG-7: with extra care, two actions, the friend is safe."""
    table = melee_ahead()
    table.do(Attack("a", "b", action="careful"), (51,), (7,))
    assert (hurt(table, "c"), hurt(table, "b")) == (0, 4)
    assert table.unit("a").turn.budget["action"] == 0


def test_aog_7_nobody_is_endangered_where_nobody_fights() -> None:
    """AOG-7: it asks for a target in melee."""
    assert grade(duel(), 51) == "simple"


# --- AOG-8, 9, 11: miscellaneous -------------------------------------------------------------------------------------


def test_aog_8_long_and_heavy_arms_lose_30_at_two_metres() -> None:
    """AOG-8: long-arms and heavy-arms weapons at 2 m or less −30."""
    assert duel(1, "rifleman").worth("close-range") == -30
    assert duel(2, "rifleman").worth("close-range") is None
    assert duel(1).worth("close-range") is None
    assert duel(1).arm("a", "hcac-assault-cannon").worth("close-range") == -30
    assert duel(1).arm("a", "assault-rifle-aug-tx2").worth("close-range") is None


def test_aog_9_a_target_that_ran_or_charged_costs_20_to_shoot() -> None:
    """AOG-9: −20 to ranged against a target that ran or charged in its turn."""
    for action in ("run", "charge"):
        table = fight(AOG, "a....b....", a="gunman", b="brawler").turn_of("b")
        table.walk("b", "J1", action=action)
        table.turn_of("a")
        assert table.worth("moving-target") == -20
        table.turn_of("b")
        assert table.worth("moving-target") is None


def test_aog_9_a_plain_move_is_no_run() -> None:
    """AOG-9: half the Movement makes no moving target."""
    table = fight(AOG, "a....b....", a="gunman", b="brawler").turn_of("b")
    table.walk("b", "H1")
    assert table.turn_of("a").worth("moving-target") is None


@pytest.mark.parametrize("value", [10, 20, 30, 40])
def test_aog_11_a_shield_of_x_costs_x(value: int) -> None:
    """AOG-11: −X to hit the bearer of a shield of value X, from afar and in melee."""
    assert duel(stats={"b": {"shield": value}}).worth("shield") == -value
    assert duel(1, "brawler", stats={"b": {"shield": value}}).worth("shield") == -value


def test_aog_11_there_are_shields_of_10_to_40_to_wear() -> None:
    """AOG-11: one piece of armour for each value of the chapter."""
    worn = duel().rules.gear.armour.values()
    assert {shield for each in worn if (shield := each.stats.get("shield", 0))} == {10, 20, 30, 40}


def test_aog_11_no_shield_is_of_more_than_40() -> None:
    table = duel()
    table.do(SetStat("b", "shield", 40))
    with pytest.raises(Illegal, match="40"):
        table.do(SetStat("b", "shield", 41))


def test_aog_11_a_shield_protects_the_half_in_front() -> None:
    """AOG-11: from behind it is of no use."""
    table = duel(stats={"b": {"shield": 20}})
    table.do(Face("b", Direction.E))
    assert table.worth("shield") is None
    table.do(Face("b", Direction.S))
    assert table.worth("shield") == -20


def knife_and_machete() -> Table:
    """A brawler with a knife next to one with a machete; both melee skills are 60."""
    skills = {"short_melee": 60, "medium_melee": 60}
    return fight(AOG, "ab", a="brawler", b="brawler", stats={"a": skills, "b": skills}).arm("a", "combat-knife")


def test_aog_10_the_fight_begins_at_the_longer_weapon_s_range() -> None:
    """AOG-10: the shorter weapon has −30, the longer one nothing; bare hands are shorter still."""
    table = knife_and_machete()
    assert table.worth("shorter-weapon") == -30
    assert table.worth("shorter-weapon", by="b", at="a") is None
    assert table.arm("a", "fists").worth("shorter-weapon") == -30
    assert table.arm("a", "tactical-machete").worth("shorter-weapon") is None
    assert table.arm("b", "pistol-nash-x-17").arm("a", "fists").worth("shorter-weapon") is None


def test_aog_10_closing_in_with_the_higher_degree_turns_the_30_round() -> None:
    """AOG-10: one action, both roll melee, the higher degree wins; then the longer weapon has −30."""
    table = knife_and_machete()
    table.do(Act("a", "close-in", "b"), (30,), (31,))  # hard against normal
    assert table.unit("a").turn.budget["action"] == 1
    assert table.worth("shorter-weapon") is None
    assert table.worth("shorter-weapon", by="b", at="a") == -30
    assert "already inside" in table.refusal(Act("a", "close-in", "b"))


@pytest.mark.parametrize(("inward", "outward"), [(30, 30), (31, 30), (61, 61), (61, 1)])
def test_aog_10_the_longer_weapon_wins_draws(inward: int, outward: int) -> None:
    """AOG-10: equal degrees leave the distance as it is."""
    table = knife_and_machete()
    said = table.do(Act("a", "close-in", "b"), (inward,), (outward,))
    assert f"Who wins: the {'shorter' if 'inside' in table.unit('a').conditions else 'longer'} weapon." in said
    assert table.worth("shorter-weapon") == -30
    assert "no longer weapon" in table.arm("a", "shock-baton").refusal(Act("a", "close-in", "b"))


# --- AOG-12: random direction ----------------------------------------------------------------------------------------


def yard() -> Table:
    """A grenadier on a field of 61 by 61 metres, and a target in its middle."""
    rows = ["." * 61 for _ in range(61)]
    rows[30] = "." * 20 + "a" + "." * 9 + "b" + "." * 30
    return fight(AOG, *rows, a="grenadier", b="civilian", scale=METRE)


@pytest.mark.parametrize(
    ("direction", "columns", "rows"),
    [(1, -1, -1), (12, -1, -1), (13, 0, -1), (24, 0, -1), (25, 1, -1), (36, 1, -1), (37, 1, 0), (48, 1, 0), (49, 1, 1),
     (60, 1, 1), (61, 0, 1), (72, 0, 1), (73, -1, 1), (84, -1, 1), (85, -1, 0), (96, -1, 0)],
)  # fmt: skip
def test_aog_12_a_miss_goes_2d10_metres_in_one_of_eight_directions(direction: int, columns: int, rows: int) -> None:
    """AOG-12: twelve points a direction, clockwise from the north-west."""
    table = yard()
    middle = table.unit("b").at
    table.do(Attack("a", "b"), (99,), (direction,), (12,))
    (landed,) = table.happened(ev.BurstLanded)
    step = 8 if columns and rows else 12  # every second diagonal step counts twice: 8 steps are 12 metres
    assert (landed.at.column - middle.column, landed.at.row - middle.row) == (columns * step, rows * step)


def test_aog_12_on_97_and_more_the_direction_is_rolled_again_and_4d10_count() -> None:
    """AOG-12: 97–100 again until it is a proper one, 4d10 metres."""
    table = yard()
    middle = table.unit("b").at
    table.do(Attack("a", "b"), (99,), (97,), (100,), (13,), (27,))
    (landed,) = table.happened(ev.BurstLanded)
    assert (landed.at.column, landed.at.row) == (middle.column, middle.row - 27)


def test_aog_12_what_leaves_the_map_is_gone_and_by_a_ruling_stops_at_its_edge() -> None:
    """AOG-12: nobody at the edge is struck; the odds leave the same share out."""

    def table() -> Table:
        return fight(AOG, "a" + "." * 20 + "b..c", a="grenadier", b="civilian", c="civilian", scale=METRE)

    lost = table()
    said = lost.do(Attack("a", "b"), (99,), (40,), (12,))
    (landed,) = lost.happened(ev.BurstLanded)
    assert (landed.at.name, landed.stopped_by, lost.happened(ev.BurstCaught)) == ("Y1", OFF_MAP, [])
    assert any("leaves the map at Y1 and is gone" in line for line in said)
    kept = ruled(table(), "off_map", "stops at the edge")
    kept.do(Attack("a", "b"), (99,), (40,), (12,), (10,), (10,), (10,), (10,), (10,), (10,))
    (landed,) = kept.happened(ev.BurstLanded)
    assert (landed.at.name, landed.stopped_by) == ("Y1", MAP_EDGE)
    risks = [{each.unit.id: each.caught for each in with_odds(one.battle, one.rules, one.shot()).area_risks}
             for one in (table(), ruled(table(), "off_map", "stops at the edge"))]  # fmt: skip
    assert risks[0]["c"] < risks[1]["c"]


def test_all_4_a_grenade_does_full_three_quarters_half_and_a_quarter_by_distance() -> None:
    """ALL-4: fragmentation falls off every five metres, to nothing past twenty; the location is rolled for each."""
    table = fight(
        AOG,
        "a" + "." * 12 + "b....c....d....e....f....",
        a="grenadier", b="civilian", c="civilian", d="civilian", e="civilian", f="civilian", scale=METRE,
    )  # fmt: skip
    others = ((40,), (90,)) * 4
    table.do(Attack("a", "b"), (30,), (40,), (20,), (90,), *others)
    assert [hurt(table, unit) for unit in "bcdef"] == [10, 10, 10, 10, 5]


def test_all_4_who_dodges_a_blast_takes_off_1d6_for_each_degree() -> None:
    """ALL-4: a civilian with Dodge 25."""
    for roll, dice, harm in ((26, (), 10), (25, (2,), 8), (18, (2, 3), 5), (6, (1, 1, 1, 1), 6)):
        table = fight(AOG, "a" + "." * 5 + "b", a="grenadier", b="civilian")
        groups = [(roll,), dice] if dice else [(roll,)]
        table.do(Attack("a", "b"), (30,), (40,), (10,), *groups, (40,), (90,))
        assert hurt(table) == harm


# --- AOG-13 to AOG-15: locations -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("roll", "location"),
    [(10, "head"), (80, "head"), (90, "right arm"), (61, "right arm"), (71, "left arm"), (42, "left arm"),
     (52, "chest"),
     (5, "chest"), (15, "stomach"), (57, "stomach"), (67, "right leg"), (78, "right leg"), (88, "left leg"),
     (100, "left leg"), (99, "left leg"), (7, "stomach"), (1, "right arm")],
)  # fmt: skip
def test_aog_13_the_digits_reversed_say_where_it_hits(roll: int, location: str) -> None:
    """AOG-13: 01–08 head, –16 right arm, –24 left arm, –50 chest, –75 stomach, –87 right leg, –100 left leg."""
    table = duel(1, stats={"a": {"short_melee": 120}}).arm("a", "fists")
    table.do(Attack("a", "b", action="fast"), (roll,), (1,))
    assert located(table) == location


CALLED = [("head", -40), ("chest", 0), ("stomach", 0)]
CALLED += [(f"{side} {limb}", -20) for side in ("right", "left") for limb in ("arm", "leg")]


@pytest.mark.parametrize(("called", "value"), CALLED)
def test_aog_14_called_shots(called: str, value: int) -> None:
    """AOG-14: head −40, arms and legs −20, chest and stomach 0; it hits what was called."""
    table = duel(stats={"a": {"small_arms": 100}})
    assert table.worth("called-shot", action=f"called-{called.replace(' ', '-')}") == value
    table.do(Attack("a", "b", action=f"called-{called.replace(' ', '-')}"), (6,), (4,))
    assert located(table) == called
    assert table.unit("a").turn.budget["action"] == 0


@pytest.mark.parametrize(
    ("called", "damage"), [(one, 14 if one == "head" else 7 if value == 0 else 4) for one, value in CALLED]
)
def test_aog_15_damage_by_location(called: str, damage: int) -> None:
    """AOG-15: head ×2, arms and legs ×0.5, chest and stomach ×1; seven points of damage."""
    table = duel(stats={"a": {"small_arms": 100}, "b": {"constitution": 100, "bulk": 100}})
    table.do(Attack("a", "b", action=f"called-{called.replace(' ', '-')}"), (6,), (7,))
    assert hurt(table) == damage


def test_aog_15_half_points_are_rounded_by_a_ruling() -> None:
    """AOG-15: ×0.5 of seven is 3.5: 4, or 3 where the GM rounds down."""
    for rounded, damage in (("", 4), ("down", 3)):
        table = duel(stats={"a": {"small_arms": 100}, "b": {"constitution": 100, "bulk": 100}})
        if rounded:
            ruled(table, "halves", rounded)
        table.do(Attack("a", "b", action="called-left-leg"), (6,), (7,))
        assert hurt(table) == damage


# --- AOG-17: melee ---------------------------------------------------------------------------------------------------


def brawl(**stats: Value) -> Table:
    """A brawler with a machete (1d8, damage modifier 2, both hands) next to a civilian."""
    return duel(1, "brawler", stats={"b": {"constitution": 100, "bulk": 100}, "a": stats})


def test_aog_17_fast_three_for_two_actions_weapon_damage_only_the_third_at_20_less() -> None:
    """AOG-17: fast."""
    table = brawl()
    totals = []
    for _ in range(3):
        totals.append(table.shot(action="fast").ledger.total)
        table.do(Attack("a", "b", action="fast"), (33,), (5,))
        assert hurt(table) == 5
    assert totals == [60, 60, 40]
    assert table.unit("a").turn.budget["action"] == 0
    assert "2 actions" in table.refusal(Attack("a", "b", action="fast"))


def test_aog_17_focused_two_for_one_action_with_the_damage_modifier_the_second_at_20_less() -> None:
    """AOG-17: focused."""
    table = brawl()
    totals = []
    for _ in range(2):
        totals.append(table.shot(action="focused").ledger.total)
        table.do(Attack("a", "b", action="focused"), (33,), (5,))
        assert hurt(table) == 5 + 2 * 2  # brutal, in both hands
    assert totals == [60, 40]
    assert table.unit("a").turn.budget["action"] == 1


def test_aog_17_strong_one_for_one_action_at_20_less_with_one_more_die() -> None:
    """AOG-17: strong."""
    table = brawl(damage_modifier=3)
    assert table.shot(action="strong").ledger.total == 40
    table.do(Attack("a", "b", action="strong"), (33,), (5,), (6,))
    assert hurt(table) == 5 + 6 + 2 * 3
    assert table.unit("a").turn.budget["action"] == 1


def test_aog_17_blows_do_not_lose_by_aog_1() -> None:
    """AOG-17: these replace the figures of AOG-1 in melee."""
    table = brawl()
    for _ in range(2):
        table.do(Attack("a", "b", action="focused"), (99,))
    assert table.worth("second-attack", action="strong") is None
    assert table.shot(action="strong").ledger.total == 40


# --- the test, degrees, armour ---------------------------------------------------------------------------------------


def test_ex_aog_1_a_roll_of_the_target_number_succeeds_and_degrees_are_its_quarters() -> None:
    """EX-AOG-1: simple at or under the number, then normal, hard and extreme at three, two and one quarter of it."""
    table = duel()
    assert table.shot().ledger.target_number == 55
    expected = {
        13: "extreme",
        14: "hard",
        27: "hard",
        28: "normal",
        41: "normal",
        42: "simple",
        55: "simple",
        56: "missed",
    }
    assert {roll: grade(table, roll) for roll in expected} == expected


def test_armour_stops_by_location_and_kind_of_damage() -> None:
    """AOG-15: armour of the location against the weapon's kind of damage first, then the location's factor."""
    for weapon, stopped in (("pistol-delmar-r9", 4), ("laser-pistol-midge", 2)):
        table = duel(a="leader", b="gunman").arm("a", weapon)
        table.do(Attack("a", "b"), (23,), (8,))
        assert hurt(table) == 8 - stopped
    table = duel(a="leader", b="gunman")  # the vest covers no legs: 58 reads 85
    table.do(Attack("a", "b"), (58,), (7,))
    assert (located(table), hurt(table)) == ("right leg", 4)


def test_armour_is_halved_against_melee() -> None:
    """The calculator: armour and Build, halved against melee, then the rest."""
    table = duel(1, "brawler", "gunman")
    table.do(Attack("a", "b", action="fast"), (23,), (8,))  # primitive: 3, halved 1.5; 6.5 is rounded up
    assert hurt(table) == 7


def test_damage_above_hardness_wears_the_rating_down() -> None:
    """Armour: a Kevlar vest has Hardness 9; ten points take one off its rating, nine do not."""
    table = duel(a="leader", b="gunman").arm("a", "revolver-pt-310")
    table.do(Attack("a", "b"), (23,), (7,))
    assert table.unit("b").pools["torso_piercing_armour"] == 4
    table = duel(a="leader", b="gunman").arm("a", "revolver-pt-310")
    table.do(Attack("a", "b"), (23,), (8,))
    assert table.unit("b").pools["torso_piercing_armour"] == 3
    assert table.unit("b").pools["torso_energy_armour"] == 2


def test_a_critical_success_of_an_impaling_weapon_rolls_its_dice_twice() -> None:
    """Weapons page: impale."""
    table = duel(stats={"b": {"constitution": 100}})
    table.do(Attack("a", "b"), (4,), (6,), (7,))
    assert (located(table), hurt(table)) == ("chest", 13)


def test_shotguns_lose_a_die_past_standard_range() -> None:
    """Weapons page: dispersion."""
    table = duel(12, stats={"a": {"long_arms": 100}}).arm("a", "pump-action-pa-60-12-gauge")
    assert table.shot().ledger.band == "standard"
    table.do(Attack("a", "b"), (33,), (18,))
    table = duel(16, stats={"a": {"long_arms": 100}}).arm("a", "pump-action-pa-60-12-gauge")
    assert table.shot().ledger.band == "long"
    assert "2d6" in table.refusal(Attack("a", "b"), (33,), (18,))


def test_precise_weapons_add_by_degree() -> None:
    """Weapons page: precise, +1 normal, +2 hard, +4 extreme."""
    for roll, added in ((22, 2), (43, 1), (52, 0), (13, 4)):
        table = duel(a="marksman", stats={"a": {"long_arms": 60}, "b": {"constitution": 100, "bulk": 100}})
        table.do(Attack("a", "b"), (roll,), (8,))
        force = 8 + added
        assert hurt(table) == {"chest": force, "stomach": force, "left arm": -(-force // 2)}[located(table)]


def test_a_shock_weapon_that_hurts_may_stun() -> None:
    """Weapons page: Constitution at −20 or stunned for five rounds: no actions."""
    table = duel(1, "shield-bearer")
    table.do(Attack("a", "b"), (33,), (4,), (31,))
    assert "stunned" in table.unit("b").conditions
    table.turn_of("b")
    assert table.unit("b").turn.budget["action"] == 0
    table = duel(1, "shield-bearer")
    table.do(Attack("a", "b"), (33,), (4,), (30,))
    assert "stunned" not in table.unit("b").conditions


# --- turns, moves, other acts ----------------------------------------------------------------------------------------


def test_all_5_initiative_is_1d10_and_a_tenth_of_dexterity() -> None:
    """ALL-5: high first, ties by Dexterity."""
    table = fight(AOG, "a....b", a="gunman", b="marksman", is_begun=False)
    table.do(RollInitiative(), (3,), (2,))
    assert table.battle.turns.initiative == {"a": 8, "b": 8}
    assert table.battle.turns.order == ("b", "a")


def test_a_move_is_half_the_movement_a_run_all_of_it_for_two_actions() -> None:
    """Action tables: Movement 12, squares of two metres."""
    table = fight(AOG, "a.........b", a="gunman", b="gunman")
    assert "3" in table.refusal(Move("a", table.way("a", "E1")))
    table.walk("a", "D1")
    assert table.unit("a").turn.budget["action"] == 1
    table = fight(AOG, "a.........b", a="gunman", b="gunman")
    table.walk("a", "G1", action="run")
    assert table.unit("a").turn.budget["action"] == 0


def test_aog_diagonals_count_alike_in_one_path_and_in_three_moves_of_a_turn() -> None:
    """Every second diagonal counts double, from the first of the turn to the last."""
    ways = (("D4",), ("B2", "C3", "D4"))
    left = []
    for way in ways:
        table = fight(AOG, "a.........b", *["..........." for _ in range(4)], a="gunman", b="gunman")
        for goal in way:
            table.walk("a", goal, action="run")
        left.append((table.unit("a").turn.moved, table.unit("a").turn.stride))
    assert left[0] == left[1] == (4, 2)


def test_a_charge_doubles_the_damage_modifier_and_needs_six_metres() -> None:
    """Action tables: charge."""
    table = fight(AOG, "a....b", a="brawler", b="civilian", stats={"b": {"constitution": 100}})
    table.walk("a", "E1", action="charge")
    table.do(Attack("a", "b", action="charge-attack"), (33,), (5,))
    assert hurt(table) == 5 + 2 * 2 * 2
    short = fight(AOG, "a.b", a="brawler", b="civilian")
    short.walk("a", "B1", action="charge")
    assert "6 metres" in short.refusal(Attack("a", "b", action="charge-attack"))


def test_aiming_adds_5_and_10_and_ends_with_the_shot() -> None:
    """Action tables: aim."""
    table = duel()
    table.do(Act("a", "aim"))
    assert table.worth("aim") == 5
    table.do(Act("a", "aim"))
    assert table.worth("aim") == 10
    table.turn_of("a")
    assert table.worth("aim") == 10
    table.do(Attack("a", "b"), (99,))
    assert table.worth("aim") is None


def test_an_all_out_attack_is_a_strong_one_at_30_more() -> None:
    """Action tables: all-out attack."""
    table = brawl()
    assert table.shot(action="all-out").ledger.total == 90
    table.do(Attack("a", "b", action="all-out"), (33,), (5,), (6,))
    assert hurt(table) == 5 + 6 + 4
    assert "reckless" in table.unit("a").conditions


def test_a_heavy_weapon_wants_strength_or_bracing() -> None:
    """Weapons page: heavy (X), −30 unless braced."""
    table = duel().arm("a", "lmg-model-3180")
    assert table.worth("heavy-weapon") == -30
    table.do(Act("a", "brace"))
    assert table.worth("heavy-weapon") is None


def test_reloading_takes_the_actions_of_the_table() -> None:
    """Weapons page: reload."""
    table = duel(a="machine-gunner").load("a", "lmg-bgr-77", 3)
    table.do(Act("a", "reload"))
    assert table.unit("a").gear.rounds["lmg-bgr-77"] == 100
    assert table.unit("a").turn.budget["action"] == 0


def test_drawing_takes_an_action_and_bare_hands_none() -> None:
    """Action tables: draw."""
    table = duel()
    table.do(Ready("a", "fists"))
    assert table.unit("a").turn.budget["action"] == 2
    table.do(Ready("a", "combat-knife"))
    assert table.unit("a").turn.budget["action"] == 1


def test_all_3_what_the_chapter_leaves_open_is_said_to_have_no_effect() -> None:
    """ALL-3: height, postures, a shot after a move, a shot out of melee."""
    table = duel().posture("b", "kneeling").posture("a", "prone")
    assert table.worth("target-down") == table.worth("attacker-down") == 0
    assert duel(1).worth("attacker-in-melee") == 0
    flying = fight(AOG, "a....b", a="gunman", b="flyer", altitudes={"b": 6})
    assert flying.worth("height") == 0
    moved = duel()
    moved.walk("a", "B1")
    assert moved.worth("attacker-moved") == 0


def test_a_high_roll_jams_the_weapon_until_it_is_cleared() -> None:
    """Weapons page: jam; trusted weapons take no test, others one against the skill, advanced ones a hard success."""
    table = duel(12)
    table.do(Attack("a", "b"), (98,))
    assert table.attacked().grade == "jam"
    assert "jammed" in table.refusal(Attack("a", "b", action="semi"))
    table.do(Act("a", "unjam"))
    assert "jammed" not in table.unit("a").conditions
    for weapon, roll, is_clear in (("rifle-sr-22-ghoul", 55, True), ("rifle-sr-22-ghoul", 56, False),
                                   ("railgun-strix-44", 27, True), ("railgun-strix-44", 28, False)):  # fmt: skip
        table = duel(12, stats={"a": {"long_arms": 55}}).arm("a", weapon)
        table.do(Attack("a", "b"), (96,))
        table.do(Act("a", "unjam"), (roll,))
        assert ("jammed" not in table.unit("a").conditions) is is_clear


def test_another_weapon_is_not_jammed() -> None:
    """Weapons page: jam."""
    table = duel(1)
    table.do(Attack("a", "b"), (98,))
    table.do(Ready("a", "combat-knife"))
    assert not table.shot("combat-knife").ledger.forbidden


def test_a_slow_weapon_is_chambered_between_shots() -> None:
    """Weapons page: slow."""
    table = duel(12).arm("a", "rifle-vlk-77-czern")
    table.do(Attack("a", "b"), (90,))
    assert "chamber" in table.shot().refusal
    table.do(Act("a", "chamber"))
    assert not table.turn_of("a").shot().refusal


def test_a_stun_lasts_half_the_damage_and_shakes_for_all_of_it() -> None:
    """Action tables: stun, as if at the head; Constitution against the attack's degree."""
    table = brawl()
    assert table.shot(action="stun").ledger.total == 60 - 40
    table.do(Attack("a", "b", action="stun"), (20,), (5,), (76,))  # simple against simple
    assert hurt(table) == 0
    assert table.unit("b").timers == {"stunned": 4, "shaken": 9}
    table = brawl()
    table.do(Attack("a", "b", action="stun"), (20,), (5,), (75,))
    assert table.unit("b").conditions == ()


def test_knocking_down_wants_a_higher_degree_than_the_dodge() -> None:
    """Action tables: knock down; from afar a called shot at a leg."""
    for dodge, posture in ((26, "prone"), (24, "prone"), (12, "standing")):
        table = brawl()
        table.do(Attack("a", "b", action="knock-down"), (30 if dodge != 24 else 15,), (5,), (dodge,))
        assert (table.unit("b").posture, hurt(table)) == (posture, 0)
    table = duel()
    assert table.worth("called-shot", action="knock-down") == -20
    table.do(Attack("a", "b", action="knock-down"), (13,), (6,), (31,))
    assert (located(table), hurt(table), table.unit("b").posture) == ("leg", 3, "prone")


@pytest.mark.parametrize(("roll", "square"), [(70, "C1"), (52, "D1"), (35, "E1"), (17, "F1")])
def test_a_push_goes_2_4_6_or_8_metres_by_degree(roll: int, square: str) -> None:
    """Action tables: push; who fails the test falls too."""
    table = fight(AOG, "ab........", a="brawler", b="civilian")
    table.do(Act("a", "push", "b"), (roll,), (51,))
    assert (table.unit("b").at.name, table.unit("b").posture) == (square, "prone")
    table = fight(AOG, "ab........", a="brawler", b="civilian")
    table.do(Act("a", "push", "b"), (17,), (50,))
    assert (table.unit("b").at.name, table.unit("b").posture) == ("F1", "standing")
    table = fight(AOG, "ab........", a="brawler", b="civilian")
    table.do(Act("a", "push", "b"), (70,), (50,))
    assert table.unit("b").at.name == "B1"


def grappled() -> Table:
    """A brawler that has hold of a civilian."""
    table = fight(AOG, "ab....", a="brawler", b="civilian")
    table.do(Act("a", "grapple", "b"), (17,), (30,))
    table.do(Act("a", "hold-fast", "b"))
    return table


def test_a_grapple_costs_two_actions_and_one_if_it_fails() -> None:
    """Action tables: grapple."""
    table = fight(AOG, "ab", a="brawler", b="civilian")
    table.do(Act("a", "grapple", "b"), (70,), (50,))
    assert table.unit("a").turn.budget["action"] == 1
    assert "has not seized" in table.refusal(Act("a", "hold-fast", "b"))
    table = grappled()
    assert table.unit("a").turn.budget["action"] == 0
    assert table.unit("b").about["grappled"] == "a"


@pytest.mark.parametrize("who", ["a", "b"])
def test_a_grapple_ends_with_distance(who: str) -> None:
    """Action tables: grapple; it is hand to hand."""
    table = grappled().turn_of("a")
    table.do(Act("a", "hold", "b"))
    assert {"grappled", "held"} <= set(table.unit("b").conditions)
    table.place(who, "F1")
    assert not {"grappled", "held"} & set(table.unit("b").conditions)
    assert "grappling" not in table.unit("a").conditions


def test_aog_10_who_was_inside_is_outside_again_once_apart() -> None:
    """AOG-10: combat begins at the range of the longer weapon, also with another enemy near."""
    stats = {"a": {"short_melee": 60}, "b": {"medium_melee": 60}}
    table = fight(AOG, "c..", "ab.", "...", a="brawler", b="brawler", c="brawler", stats=stats)
    table.arm("a", "combat-knife").arm("b", "tactical-machete")
    table.do(Act("a", "close-in", "b"), (30,), (31,))
    assert table.worth("shorter-weapon") is None
    table.place("b", "C2")
    assert "inside" not in table.unit("a").conditions, "although c is next to it"
    table.place("b", "B2")
    assert table.worth("shorter-weapon") == -30


def test_who_is_grappled_has_one_action_and_loses_30() -> None:
    """Action tables: grapple."""
    table = grappled().turn_of("b")
    assert table.unit("b").turn.budget["action"] == 1
    assert table.worth("grappled", by="b", at="a") == -30
    table.do(Act("b", "escape", "a"), (12,), (40,))
    assert table.unit("a").conditions == table.unit("b").conditions == ()


def test_a_grappler_throws_holds_or_chokes() -> None:
    """Action tables: throw 1d6 and the damage modifier past armour, hold, choke 1d6."""
    table = grappled().turn_of("a")
    table.do(Act("a", "throw-down", "b"), (4,))
    assert (hurt(table), table.unit("b").posture, table.unit("b").conditions) == (6, "prone", ())
    table = grappled().turn_of("a")
    table.do(Act("a", "choke", "b"), (4,))
    assert hurt(table) == 4
    table = grappled().turn_of("a")
    table.do(Act("a", "hold", "b"))
    assert "held" in table.turn_of("b").refusal(Attack("b", "a"))
    table = grappled()
    table.do(Act("a", "let-go", "b"))
    assert table.unit("b").conditions == ()


def test_a_delayed_turn_comes_out_of_turn_with_both_actions() -> None:
    """Action tables: delay, lost when end of the round."""
    table = duel()
    table.do(Act("a", "delay"))
    table.turn_of("b")
    table.do(Attack("a", "b"), (90,))
    table = duel()
    table.do(Act("a", "delay"))
    table.turn_of("a")
    assert table.unit("a").conditions == ()


def test_a_defensive_stance_gives_a_reaction_and_takes_all_attacks() -> None:
    """Action tables: defensive stance."""
    table = duel(1, "brawler")
    table.do(Act("a", "defensive-stance"))
    assert table.unit("a").turn.budget["reaction"] == 3
    assert "no attacks until its next turn" in table.shot().refusal


def test_fire_burns_2d6_a_round_until_it_is_put_out() -> None:
    """Weapons page: fire, a Luck test or it burns; two actions put it out."""
    table = duel(stats={"a": {"heavy_arms": 60}, "b": {"constitution": 100, "bulk": 100}})
    table.arm("a", "flamethrower-heater")
    table.do(Attack("a", "b", action="single"), (33,), (4,), (51,))
    assert "burning" in table.unit("b").conditions
    table.do(EndTurn(), (7,))
    assert hurt(table) == 7
    table.do(Act("b", "douse"))
    assert (table.unit("b").conditions, table.unit("b").turn.budget["action"]) == ((), 0)


def test_a_move_ends_aiming_and_bracing() -> None:
    """Action tables: aim, brace."""
    table = duel()
    table.do(Act("a", "aim"))
    table.walk("a", "B1")
    assert table.worth("aim") is None
    table.turn_of("a")
    assert table.unit("a").conditions == ()


def test_a_flyer_that_is_shot_falls() -> None:
    """ALL-3: altitude; a fall is 1d6 for each three metres."""
    table = fight(AOG, "a....b", a="leader", b="flyer", altitudes={"b": 6}, stats={"a": {"small_arms": 120}})
    table.do(Attack("a", "b"), (32,), (10,))
    table.turn_of("a").do(Attack("a", "b"), (32,), (10,))
    assert table.unit("b").is_defeated and table.unit("b").altitude == 0
    assert [event.drop for event in table.happened(ev.UnitFell)] == [600]


def test_leaving_reach_draws_an_opportunity_attack_and_a_retreat_does_not() -> None:
    """Action tables: opportunity attack, a reaction; retreat, two actions for half the Movement."""
    table = fight(AOG, "ba.....", a="gunman", b="brawler").turn_of("a")
    table.walk("a", "C1", action="move")
    assert table.unit("a").at.name == "B1"
    table.do(Attack("b", "a", action="opportunity"), (33,), (5,))
    assert table.unit("b").turn.budget["reaction"] == 1
    assert hurt(table, "a") == 8  # 5 and twice the modifier of 2, less half of 3
    table.walk("a", "C1", action="move")
    assert table.unit("a").at.name == "C1"
    table = fight(AOG, "ba.....", a="gunman", b="brawler").turn_of("a")
    table.walk("a", "C1", action="retreat")
    assert (table.unit("a").at.name, table.unit("a").turn.budget["action"]) == ("C1", 0)


def test_an_opportunity_attack_is_not_for_one_s_own_turn() -> None:
    """Action tables: reactions are for others' turns."""
    assert "1 opening, none left" in duel(1, "brawler").refusal(Attack("a", "b", action="opportunity"))


def test_overwatch_attacks_the_first_who_comes_into_view_and_ends() -> None:
    """Action tables: overwatch, two actions, hit or miss."""
    table = fight(AOG, "a.....", "..##..", "....b.", a="gunman", b="gunman")
    table.do(Act("a", "overwatch", attack="overwatch-shot"))
    table.turn_of("b")
    table.walk("b", "E2", "E1")
    assert [(held.unit, held.against) for held in table.battle.openings] == [("a", "b")]
    table.do(Attack("a", "b", action="overwatch-shot"), (90,))
    assert "watching" not in table.unit("a").conditions
    assert table.unit("a").gear.rounds["pistol-nash-x-17"] == 14
    behind = fight(AOG, "a.....", "..##..", "....b.", a="gunman", b="gunman")
    behind.do(Face("a", Direction.W))
    behind.do(Act("a", "overwatch", attack="overwatch-shot"))
    behind.turn_of("b").walk("b", "E2", "E1")
    assert not behind.battle.openings


MODES = [
    ("shot", 1, "assault-rifle-rng-13-legate"),
    ("semi", 2, "assault-rifle-rng-13-legate"),
    ("auto", 3, "lmg-bgr-77"),
]


@pytest.mark.parametrize(("mode", "attacks", "weapon"), MODES)
def test_overwatch_gives_the_attacks_of_the_mode_of_fire(mode: str, attacks: int, weapon: str) -> None:
    """Action tables: overwatch; the mode is named when the unit goes on it, and gives its attacks with their steps."""
    attack = f"overwatch-{mode}"
    table = fight(AOG, "a.....", "..##..", "....b.", a="rifleman", b="gunman").arm("a", weapon)
    full = table.unit("a").gear.rounds[weapon]
    assert mode == "auto" or "overwatch-semi" in table.refusal(Act("a", "overwatch"))
    table.do(Act("a", "overwatch", attack=attack))
    table.turn_of("b").walk("b", "E2", "E1")
    spent = table.rules.gear.weapons[weapon].fields[{"shot": "single"}.get(mode, mode)]
    for number in range(attacks):
        assert [(held.attack, held.against) for held in table.battle.openings] == [(attack, "b")]
        steps = {"second-attack": number == 1, "third-attack": number == 2}
        assert {one: table.worth(one, action=attack) is not None for one in steps} == steps
        table.do(Attack("a", "b", action=attack), (90,))
    assert table.battle.openings == ()
    assert table.unit("a").gear.rounds[weapon] == full - attacks * int(spent)
    assert not {"watching", "overwatch_mode"} & {*table.unit("a").conditions}


def test_overwatch_attacks_by_themselves_are_as_many() -> None:
    """Action tables: overwatch, with policy auto."""
    table = fight(AOG, "a.....", "..##..", "....b.", a="rifleman", b="gunman")
    table.do(SetPolicy("auto", "overwatch"))
    table.do(Act("a", "overwatch", attack="overwatch-semi"))
    table.turn_of("b")
    table.battle = table.battle.with_unit(replace(table.unit("b"), pools={**table.unit("b").pools, "hp": 500}))
    table.walk("b", "E2", "E1")
    assert [event.action for event in table.happened(ev.AttackRolled)] == ["overwatch-semi"] * 2


def test_overwatch_attacks_that_the_first_leaves_over_wait_for_the_next() -> None:
    """Action tables: overwatch; who falls or is let pass uses up no attack."""
    table = fight(AOG, "a.....", "..##..", "....bc", a="rifleman", b="gunman", c="gunman")
    table.do(Act("a", "overwatch", attack="overwatch-semi"))
    table.turn_of("b").walk("b", "E2", "E1")
    table.do(Attack("a", "b", action="overwatch-semi"), (90,))
    table.turn_of("c").walk("c", "F2", "F1")
    assert [held.against for held in table.battle.openings] == ["c"]
    table.do(Attack("a", "c", action="overwatch-semi"), (90,))
    assert table.battle.openings == () and "watching" not in table.unit("a").conditions


def test_aog_3_a_shield_is_light_cover_where_the_ruling_says_so() -> None:
    """AOG-3: the chapter names shields; by default the shield's X stands in its place."""
    table = duel(stats={"b": {"shield": 20}})
    assert (table.worth("shield"), table.worth("shield-cover")) == (-20, None)
    table.do(SetRuling("shield_cover", True))
    assert (table.worth("shield"), table.worth("shield-cover")) == (-20, -15)


@pytest.mark.parametrize(
    ("action", "nerve", "is_pinned"),
    [
        ("suppress-semi", 37, False),
        ("suppress-semi", 38, True),
        ("suppress-auto", 25, False),
        ("suppress-auto", 26, True),
    ],
)
def test_suppressing_fire_pins_who_fails_the_test(action: str, nerve: int, is_pinned: bool) -> None:
    """Action tables: Willpower 50, Normal against semi-auto, Hard against full auto; rounds for all attacks."""
    rows = ("....b.....", "a.......c.", "..........", "..d.......")
    table = fight(AOG, *rows, a="leader", b="gunman", c="gunman", d="gunman")
    table.do(Attack("a", "b", action=action), (40,), (nerve,), (nerve,))
    assert {unit: "pinned" in table.unit(unit).conditions for unit in "bcd"} == {
        "b": is_pinned,
        "c": is_pinned,
        "d": False,
    }
    assert table.unit("a").gear.rounds["pistol-m182-preacher"] == 17 - (4 if action == "suppress-semi" else 9)
    assert not table.happened(ev.PoolChanged)


def test_the_pinned_lose_an_action_and_their_attacks() -> None:
    """Action tables: suppressing fire, through their next turn."""
    table = duel(6, "leader", "gunman")
    table.do(Attack("a", "b", action="suppress-auto"), (40,), (90,))
    table.turn_of("b")
    assert table.unit("b").turn.budget["action"] == 1
    assert "pinned" in table.refusal(Attack("b", "a"))
    table.do(Act("b", "go-prone"))
    table.do(EndTurn())
    assert table.unit("b").conditions == ()


def struck(defence: str, *dice: int, by: str = "brawler", weapon: str = "") -> Table:
    """A brawler defends against a blow or a shot; the dice are the attack's, the defence's and what follows."""
    table = fight(AOG, "ab", a=by, b="brawler")
    if weapon:
        table.arm("a", weapon)
    table.do(Attack("a", "b"), defends("b", defence), *((die,) for die in dice))
    return table


@pytest.mark.parametrize(
    ("roll", "dodge", "is_evaded"), [(33, 22, True), (33, 23, False), (58, 30, True), (15, 7, True), (15, 8, False)]
)
def test_a_dodge_needs_a_degree_as_good_as_the_attack_s(roll: int, dodge: int, is_evaded: bool) -> None:
    """Action tables: dodge, a reaction; a brawler in one cumbersome piece dodges at 30."""
    table = struck("dodge", roll, dodge, *(() if is_evaded else (4,)))
    assert table.unit("b").turn.budget["reaction"] == 1
    assert bool(hurt(table)) is not is_evaded
    needed = [event.value for event in table.happened(ev.EffectComputed) if event.label == "Not enough, degree needed"]
    assert bool(needed) == (not is_evaded and dodge <= 30)
    assert all(isinstance(degree, int) and degree > 1 for degree in needed)


def test_the_odds_name_the_dodge_and_count_it() -> None:
    """Action tables: a dodge takes hits away before anybody is asked for it."""
    table = duel(b="brawler")
    seen = with_odds(table.battle, table.rules, table.shot())
    assert seen.defended is not None and seen.outlook is not None
    assert seen.defended.labels == ("Dodge",)
    assert seen.defended.outlook.hit < seen.outlook.hit


def test_each_further_dodge_before_one_s_turn_loses_20() -> None:
    """Action tables: dodge."""
    table = struck("dodge", 58, 30)
    table.do(Attack("a", "b"), defends("b", "dodge"), (38,), (11,), (4,))
    assert hurt(table)  # 30 less 20 is 10
    assert table.unit("b").turn.budget["reaction"] == 0
    assert table.turn_of("b").unit("b").turn.budget["reaction"] == 2


def test_nobody_dodges_the_throw_of_a_grenade() -> None:
    """Weapons page: a blast is dodged where it bursts."""
    table = fight(AOG, "a....b", a="grenadier", b="gunman")
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "dodge"), (33,))


def test_energy_is_dodged_by_a_higher_degree_only() -> None:
    """Weapons page: instant-hit."""
    for dodge, is_evaded in ((30, False), (22, True)):
        table = fight(AOG, "a...b", a="gunman", b="brawler").arm("a", "laser-pistol-bee")
        table.do(Attack("a", "b"), defends("b", "dodge"), (48,), (dodge,), *(() if is_evaded else ((4,),)))
        assert bool(hurt(table)) is not is_evaded


def test_a_parry_is_for_melee_with_a_blade_or_a_shield() -> None:
    """Action tables: parry; armour page: in melee a shield may parry."""
    assert not hurt(struck("parry", 31, 45))
    assert hurt(struck("parry", 31, 46, 4))
    table = fight(AOG, "a...b", a="gunman", b="brawler")
    table.do(Attack("a", "b"), defends("b", "parry"), (90,))
    assert "is not possible" in table.turn_of("a").refusal(Attack("a", "b"), defends("b", "parry"), (33,))


def test_aog_10_the_shorter_weapon_defends_at_30_less() -> None:
    """AOG-10: the −30 is to defence too, for parries and dodges."""
    table = fight(AOG, "ab", a="brawler", b="brawler").arm("b", "combat-knife")
    table.do(Attack("a", "b"), defends("b", "parry"), (31,), (26,), (4,))
    assert ("Parry", "25 or less") in [(rolled.label, rolled.against) for rolled in table.happened(ev.EffectRolled)]
    table.do(Attack("a", "b"), defends("b", "dodge"), (31,), (1,), (4,))
    assert hurt(table)


def defended(table: Table, defence: str) -> list[str]:
    rolls = table.happened(ev.EffectRolled)
    return [rolled.against for rolled in rolls if rolled.label == defence.capitalize()]


@pytest.mark.parametrize("held", ["fists", "pistol-nash-x-17", "rifle-gorro-m2t1", "frag-grenade"])
@pytest.mark.parametrize("defence", ["dodge", "parry"])
def test_aog_10_without_a_melee_weapon_one_defends_with_the_shortest(held: str, defence: str) -> None:
    """AOG-10: a gun in hand is no weapon to keep a blade off; a longer one keeps no −30."""
    stats: Mapping[str, Mapping[str, Value]] = {
        one: {"dodge": 60, "short_melee": 60, "shield": 10, "cumbersome": 0} for one in "ab"
    }
    table = fight(AOG, "ab", a="brawler", b="brawler", stats=stats).arm("a", "combat-knife").arm("b", held)
    table.do(Attack("a", "b"), defends("b", defence), (6,), (31,), (4,))
    assert defended(table, defence) == ["30 or less"]
    table = fight(AOG, "ab", a="brawler", b="brawler", stats=stats).arm("a", "fists").arm("b", held)
    table.do(Attack("a", "b"), defends("b", defence), (1,), (61,), (1,))
    assert defended(table, defence) == ["60 or less"], "bare hands are no longer than what is in hand"


def test_a_counter_attack_follows_a_blow_that_missed_at_20_less() -> None:
    """Action tables: counter-attack, a reaction, in melee or with a gun."""
    table = fight(AOG, "ab", a="brawler", b="brawler")
    table.do(Attack("a", "b"), defends("b", "counter"), (90,), (33,), (4,))
    attack, answer = table.happened(ev.AttackRolled)
    assert (attack.grade, answer.unit, answer.total) == ("missed", "b", 40)
    assert hurt(table, "a")
    table = fight(AOG, "ab", a="brawler", b="gunman")
    table.do(Attack("a", "b"), defends("b", "counter"), (90,), (90,))
    assert table.unit("b").gear.rounds["pistol-nash-x-17"] == 14


def test_no_reactions_on_overwatch_or_while_stunned() -> None:
    """Action tables: overwatch."""
    table = fight(AOG, "ab", a="brawler", b="gunman").condition("b", "watching")
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "dodge"), (33,), (5,))
    table = fight(AOG, "ab", a="brawler", b="gunman").condition("b", "stunned")
    assert "is not possible" in table.refusal(Attack("a", "b"), defends("b", "dodge"), (33,), (5,))


def test_an_all_out_attacker_defends_at_30_less() -> None:
    """Action tables: all-out attack."""
    table = fight(AOG, "ab", a="brawler", b="brawler").condition("b", "reckless")
    table.do(Attack("a", "b"), defends("b", "parry"), (58,), (31,), (4,))
    assert hurt(table)


# --- settings ---------------------------------------------------------------------------------------------------------


def ruled(table: Table, name: str, value: Value) -> Table:
    table.do(SetRuling(name, value))
    return table


def test_aog_16_fire_modes_may_have_the_modifiers_of_the_weapons_page() -> None:
    """AOG-16: the chapter gives none; the weapons page and a later revision of the chapter do."""
    table = duel()
    assert {table.worth("mode", action=mode) for mode in ("single", "semi")} == {None}
    ruled(table, "mode_modifiers", "weapons page")
    assert [table.worth("mode", action=mode) for mode in ("single", "semi")] == [0, 5]
    assert table.worth("lone-single") is None
    assert ruled(table, "lone_single", 20).worth("lone-single") == 20
    assert table.worth("lone-single", action="semi") is None


def test_aog_16_modes_may_be_used_again() -> None:
    """AOG-16: where a table lets two single shots be two actions."""
    table = ruled(duel(), "modes_once", False)
    table.do(Attack("a", "b", action="single"), (90,))
    table.do(Attack("a", "b", action="single"), (90,))
    assert table.attacked().total == 55 - 20
    table = ruled(duel(), "modes_once", False)
    table.do(Attack("a", "b", action="single"), (90,))
    table.do(Attack("a", "b", action="semi"), (90,))
    assert table.attacked().total == 55 - 20


def test_aog_13_the_calculator_s_table_of_locations_may_be_used() -> None:
    """AOG-13: head to 10, chest to 50, an arm to 70, a leg to 100."""
    for roll, location in ((1, "head"), (5, "chest"), (15, "arm"), (17, "leg")):
        table = duel(1, stats={"a": {"short_melee": 120}}).arm("a", "fists")
        ruled(table, "locations", "calculator").do(Attack("a", "b", action="fast"), (roll,), (1,))
        assert located(table) == location


def test_aog_6_a_whole_fight_may_be_weightless() -> None:
    """AOG-6: for one battle."""
    table = ruled(duel(), "zero_g", True)
    table.do(Attack("a", "b", action="semi"), (90,))
    assert table.worth("zero-g", action="semi") == -30
