"""Occult Ops: a test for each clause of OCC-1 to 9, 13 and 15 to 17, and the chapter's worked examples to the digit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.attack_refusals import attack_refusal
from engine.battle.command import Act, Attack, EndTurn, Move
from engine.battle.commands.order_commands import RollInitiative
from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.unit_edits import SetCondition, SetPool
from engine.battle.narration import summarise
from engine.battle.views.view import project
from engine.errors import brief
from engine.geometry.squares import column_name, parse_square
from engine.rules.model import Value
from engine.rules.roll_odds import judge
from tests.rules.table import Table, entry, fight

OCC = "occult-ops"
FOOT = (1, "feet")
"""A map on which every foot is a square of its own."""

CART = '[legend]\n"c" = { object = "cart", height = 3, cover = "medium" }'


Stats = Mapping[str, Mapping[str, Value]]


def duel(distance: int = 4, a: str = "gunman", stats: Stats | None = None, *, is_begun: bool = True) -> Table:
    """A unit and a gunman in the open, so many squares apart."""
    return fight(OCC, "a" + "." * (distance - 1) + "b", a=a, b="gunman", stats=stats, is_begun=is_begun)


def skill(unit_id: str, **stats: Value) -> Stats:
    return {unit_id: stats}


def base(table: Table, weapon: str = "", action: str = "") -> int | Fraction:
    """What the lines of the step "base" come to."""
    return sum(line.value for line in table.shot(weapon, action).ledger.entries if line.step == "base")


def grade(table: Table, roll: int) -> str:
    shot = table.shot()
    return judge(table.rules, shot.situation.facts, shot.ledger, roll).id


def grade_at(target_number: int, roll: int) -> str:
    """The grade of a roll when the ledger comes to just that target number."""
    table = duel(stats=skill("a", strike_bonus=target_number - 70))
    assert table.shot().ledger.target_number == target_number
    return grade(table, roll)


# --- OCC-1: base to hit ---------------------------------------------------------------------------------------------


def test_occ_1_melee_has_50() -> None:
    assert base(duel(1, a="brawler"), "knife") == 50


def test_occ_1_a_thrown_grenade_has_40_near_and_far() -> None:
    for squares in (1, 3, 7):
        table = duel(squares, a="grenadier")
        assert base(table, "frag-grenade") == 40


@pytest.mark.parametrize(
    ("feet", "percent", "band"),
    [
        (5, 80, "point-blank"),
        (10, 60, "short"),
        (25, 40, "medium"),
        (50, 20, "long"),
        (95, 20, "long"),
        (100, 10, "extreme"),
    ],
)
def test_occ_1_base_falls_from_80_to_10_with_range(feet: int, percent: int, band: str) -> None:
    table = duel(feet // 5)
    assert base(table) == percent
    assert table.shot().ledger.band == band


# --- OCC-2: range bands ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "medium", "long", "extreme"),
    [
        ("desert-eagle", 16, 32, 65),
        ("usp9", 25, 50, 100),
        ("submachine-gun", 37, 75, 150),
        ("machine-pistol", 20, 40, 80),
    ],
)
def test_occ_2_bands_begin_at_their_share_of_maximum_range_in_whole_feet(
    weapon: str, medium: int, long: int, extreme: int
) -> None:
    table = fight(OCC, "a" + "." * 160 + "b", a="gunman", b="gunman", scale=FOOT).arm("a", weapon)
    begins: dict[str, int] = {}
    for feet in range(extreme + 1, 0, -1):
        table.place("b", f"{column_name(feet)}1")
        shot = table.shot()
        assert shot.situation.facts["distance"] == feet
        begins[shot.ledger.band] = feet
    assert begins == {"": extreme + 1, "extreme": extreme, "long": long, "medium": medium, "short": 6, "point-blank": 1}


def test_ex_occ_4_desert_eagle_short_6_to_15_medium_16_to_31_long_32_to_64_extreme_65() -> None:
    table = duel(a="leader")
    assert table.unit("a").gear.weapon == "desert-eagle"
    edges = {
        5: "point blank",
        6: "short (6–15 ft)",
        15: "short (6–15 ft)",
        16: "medium (16–31 ft)",
        31: "medium (16–31 ft)",
        32: "long (32–64 ft)",
        64: "long (32–64 ft)",
        65: "extreme",
    }
    for feet, told in edges.items():
        ledger = table.shot(changed={"distance": feet}).ledger
        assert told in ledger.entries[0].because
        assert ledger.entries[0].because.startswith(f"{feet} ft, ")


def test_occ_2_past_maximum_range_there_is_no_shot() -> None:
    table = duel(14, a="leader")
    shot = table.shot()
    assert shot.ledger.forbidden and not shot.odds.hit
    assert "65 ft" in shot.refusal
    assert "65 ft" in table.refusal(Attack("a", "b"))


def test_occ_2_between_point_blank_and_a_tenth_counts_as_short() -> None:
    table = duel(6, a="marksman")
    assert table.shot().situation.facts["distance"] == 30  # a tenth of 600 feet would be 60
    assert table.shot().ledger.band == "short"


@pytest.mark.parametrize("scale", [(2, "metres"), (1.5, "metres"), (3, "metres"), (10, "feet"), (20, "feet")])
@pytest.mark.parametrize("weapon", ["usp9", "desert-eagle"])
def test_occ_2_the_neighbouring_square_is_point_blank_on_any_map(scale: tuple[float, str], weapon: str) -> None:
    table = fight(OCC, "....", ".a..", "....", "...b", a="gunman", b="gunman", scale=scale).arm("a", weapon)
    for square in ("C3", "B3", "A1"):
        assert table.place("b", square).shot().ledger.band == "point-blank"
    assert table.place("b", "D4").shot().ledger.band != "point-blank"


# --- OCC-3: the target number ---------------------------------------------------------------------------------------


def test_occ_3_target_number_is_base_and_strike_less_defence() -> None:
    table = duel(stats={"a": {"dexterity": 10}, "b": {"dexterity": 4}})
    values = {line.id: line.value for line in table.shot().ledger.entries}
    assert values == {"range.short": 60, "strike": 25, "weapon-pistol": 10, "defence": 10}
    assert table.shot().ledger.target_number == 105


def test_occ_3_a_roll_must_be_under_the_target_number_and_equal_misses() -> None:
    assert grade_at(60, 59) == "armour-hit"
    assert grade_at(60, 60) == "miss-plain"
    assert grade_at(60, 61) == "miss-plain"
    assert duel(stats=skill("a", strike_bonus=-10)).shot().odds.hit == Fraction(59, 100)


@pytest.mark.parametrize(
    ("score", "percent"),
    [(2, -20), (3, -20), (4, -10), (5, -10), (6, 0), (7, 0), (8, 10), (9, 10), (10, 25)],
)
def test_occ_3_dexterity_gives_strike_and_defence(score: int, percent: int) -> None:
    assert (duel(stats=skill("a", dexterity=score)).worth("strike") or 0) == percent
    assert (duel(stats=skill("b", dexterity=score)).worth("defence") or 0) == -percent


@pytest.mark.parametrize(
    ("squares", "scale", "told"),
    [
        (5, (1.5, "metres"), "25 ft"),  # and the USP9's 100 ft are medium from there
        (13, (1.5, "metres"), "65 ft"),
        (5, (2, "metres"), "32 ft"),
    ],
)
def test_occ_3_squares_of_a_metre_and_a_half_are_5_feet(squares: int, scale: tuple[float, str], told: str) -> None:
    table = fight(OCC, f"a{'.' * (squares - 1)}b", a="gunman", b="gunman", scale=scale)
    assert table.shot().situation.distance.startswith(told)


# --- OCC-4: Todd and the bandit -------------------------------------------------------------------------------------


def todd() -> Table:
    """Todd, and a bandit 20 feet away behind a cart that hides half of him."""
    return fight(OCC, "a..cb", a="gunman", b="gunman", toml=CART)


def test_occ_4_ex_occ_1_todd_needs_60() -> None:
    table = todd()
    shot = table.shot()
    assert [(line.id, line.value) for line in shot.ledger.entries] == [
        ("range.short", 60),
        ("strike", 10),
        ("weapon-pistol", 10),
        ("defence", -10),
        ("partial-cover", -10),
    ]
    assert shot.situation.distance == "20 ft"
    assert shot.ledger.target_number == 60
    assert shot.odds.hit == Fraction(59, 100)
    assert not shot.refusal


def test_occ_4_ex_occ_1_a_45_hits_and_strikes_the_armour() -> None:
    table = todd()
    lines = table.do(Attack("a", "b"), (45,), (10,))
    assert table.attacked().is_hit
    assert table.attacked().grade == "armour-hit"
    assert any("59 % to hit: rolled 45 (typed) vs 60: armour hit" in line for line in lines)
    assert table.unit("b").pools == {"hp": 20, "armour": 45, "fatigue": 10}


def test_occ_4_ex_occ_2_under_30_strikes_the_body() -> None:
    assert grade(todd(), 29) == "past-armour"
    assert grade(todd(), 30) == "armour-hit"
    table = todd()
    table.do(Attack("a", "b"), (29,), (10,))
    assert table.unit("b").pools == {"hp": 10, "armour": 50, "fatigue": 10}


# --- OCC-5: strike --------------------------------------------------------------------------------------------------


def test_occ_5_an_aimed_shot_gives_15() -> None:
    assert duel().worth("aimed", action="aimed") == 15
    assert duel().worth("aimed") is None


def test_occ_5_an_aimed_shot_is_the_only_action() -> None:
    table = duel()
    table.do(Attack("a", "b", action="aimed"), (99,), (1,))
    assert "attack action" in table.refusal(Attack("a", "b"))
    assert "no move" in table.refusal(Move("a", table.way("a", "B1")))
    after_attack = duel()
    after_attack.do(Attack("a", "b"), (99,), (1,))
    assert "aimed shot" in after_attack.refusal(Attack("a", "b", action="aimed")).casefold()


def test_occ_5_no_aimed_shot_after_a_move() -> None:
    table = duel()
    table.walk("a", "B1")
    assert "aimed shot" in table.refusal(Attack("a", "b", action="aimed")).casefold()


@pytest.mark.parametrize("action", ["short-burst", "medium-burst", "long-burst"])
def test_occ_5_a_burst_gives_5(action: str) -> None:
    assert duel(a="rifleman").worth("burst", action=action) == 5
    assert duel(a="rifleman").worth("burst") is None


def test_occ_5_bursts_need_a_weapon_that_fires_them() -> None:
    for action in ("short-burst", "medium-burst", "long-burst"):
        assert "cannot fire bursts" in duel().refusal(Attack("a", "b", action=action))


def test_occ_5_kneeling_gives_5() -> None:
    table = duel().posture("a", "kneeling")
    assert table.worth("kneeling") == 5
    assert duel().worth("kneeling") is None


@pytest.mark.parametrize(
    ("speed", "squares", "value"), [(7, 3, 5), (7, 4, None), (6, 3, 5), (6, 4, None), (1, 1, None)]
)
def test_occ_5_kneeling_counts_after_half_speed_or_less_rounded_down(
    speed: int, squares: int, value: int | None
) -> None:
    table = fight(OCC, "a.........b", a="gunman", b="gunman", stats=skill("a", speed=speed))
    table.walk("a", f"{column_name(squares)}1")
    assert table.posture("a", "kneeling").worth("kneeling") == value


def test_occ_5_lying_prone_gives_10() -> None:
    assert duel().posture("a", "prone").worth("prone") == 10


def test_occ_5_kneeling_and_prone_shots_are_shots_and_no_throws() -> None:
    for posture, line in (("kneeling", "kneeling"), ("prone", "prone")):
        table = duel(a="grenadier").posture("a", posture)
        assert table.worth(line, "submachine-gun") is not None
        assert table.worth(line, "frag-grenade") is None
        assert table.worth("attacker-down", "frag-grenade") == 0


def test_occ_5_kneeling_or_prone_goes_with_aimed_shots_and_bursts() -> None:
    for posture, value in (("kneeling", 5), ("prone", 10)):
        table = duel(a="rifleman").posture("a", posture)
        for action, more in (("attack", 0), ("aimed", 15), ("short-burst", 5), ("medium-burst", 5), ("long-burst", 5)):
            assert table.shot(action=action).ledger.total == 70 + value + more
            assert not table.shot(action=action).refusal


def test_occ_5_who_knelt_last_turn_aims_from_the_knee() -> None:
    table = duel()
    table.do(Act("a", "kneel"))
    table.turn_of("a")
    table.do(Attack("a", "b", action="aimed"), (89,), (2, 2))
    assert table.attacked().target_number == 90
    assert table.attacked().is_hit


@pytest.mark.parametrize(
    ("scope", "laser", "value"), [(True, False, 5), (False, True, 5), (True, True, 5), (False, False, None)]
)
def test_occ_5_scope_or_laser_gives_5_once(scope: bool, laser: bool, value: int | None) -> None:
    shot = duel().shot(changed={"weapon.scope": scope, "weapon.laser": laser})
    found = entry(shot.ledger, "sights")
    assert (found and found.value) == value


@pytest.mark.parametrize("fitted", ["scope", "laser_sight"])
def test_occ_5_a_scope_or_a_laser_sight_is_fitted_to_any_gun(fitted: str) -> None:
    """OCC-5: to the weapon in hand, and with both it is 5 still; another weapon has nothing of it."""
    table = duel()
    assert table.worth("sights") is None
    assert table.condition("a", fitted).worth("sights") == 5
    other = "laser_sight" if fitted == "scope" else "scope"
    assert table.condition("a", other).worth("sights") == 5
    spare = next(weapon for weapon in table.unit("a").gear.weapons if weapon != table.unit("a").gear.weapon)
    table.do(SetCondition("a", other, False))
    table.do(SetCondition("a", fitted, True, about=spare))
    assert table.worth("sights") is None


@pytest.mark.parametrize(
    ("weapon", "stat"),
    [
        ("usp9", "weapon_pistol"),
        ("assault-rifle", "weapon_rifle"),
        ("machine-gun", "weapon_heavy"),
        ("knife", "weapon_melee"),
        ("punch", "weapon_unarmed"),
        ("frag-grenade", "weapon_thrown"),
    ],
)
def test_occ_5_a_weapon_one_is_not_trained_for_costs_20(weapon: str, stat: str) -> None:
    untrained = duel(1, stats=skill("a", **{stat: False})).arm("a", weapon)
    assert untrained.worth("wild") == -20
    assert untrained.worth(stat.replace("_", "-")) is None
    trained = duel(1, stats=skill("a", **{stat: True})).arm("a", weapon)
    assert trained.worth("wild") is None
    assert trained.worth(stat.replace("_", "-")) == 10


def test_occ_5_the_intimidated_lose_20() -> None:
    assert duel().condition("a", "intimidated").worth("intimidated") == -20
    assert duel().condition("b", "intimidated").worth("intimidated") is None


def test_occ_5_fright_lasts_as_many_rounds_as_the_gm_says() -> None:
    table = duel()
    table.do(SetCondition("a", "intimidated", True, rounds=2))
    seen = []
    for _ in range(6):
        seen.append((table.battle.turns.round, table.worth("intimidated")))
        table.do(EndTurn())
    assert seen == [(1, -20), (1, -20), (2, -20), (2, -20), (3, None), (3, None)]


def test_occ_5_the_emboldened_gain_20_to_strike() -> None:
    assert duel().condition("a", "emboldened").worth("emboldened-strike") == 20


def after_rounds(rounds: int) -> Table:
    """A gunman with 10 fatigue points who went through so many rounds of combat."""
    table = duel()
    assert table.unit("a").pools["fatigue"] == 10
    for _ in range(2 * rounds):
        table.do(EndTurn())
    assert (table.battle.turns.round, table.battle.turns.active) == (rounds + 1, "a")
    return table


@pytest.mark.parametrize(
    ("rounds", "fatigued", "exhausted"), [(9, None, None), (10, -10, None), (19, -10, None), (20, None, -20)]
)
def test_occ_5_fatigued_after_as_many_rounds_as_fatigue_points_exhausted_after_twice_as_many(
    rounds: int, fatigued: int | None, exhausted: int | None
) -> None:
    table = after_rounds(rounds)
    assert table.worth("fatigued") == fatigued
    assert table.worth("exhausted") == exhausted


# --- OCC-6: bursts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weapon", "action", "rounds"),
    [
        ("assault-rifle", "short-burst", 3),
        ("assault-rifle", "medium-burst", 15),
        ("assault-rifle", "long-burst", 30),
        ("machine-pistol", "short-burst", 2),
        ("machine-gun", "short-burst", 10),
    ],
)
def test_occ_6_bursts_take_a_tenth_half_or_all_of_the_magazine(weapon: str, action: str, rounds: int) -> None:
    table = duel(a="rifleman").arm("a", weapon)
    full = table.unit("a").gear.rounds[weapon]
    table.do(Attack("a", "b", action=action), (75,))
    assert full - table.unit("a").gear.rounds[weapon] == rounds


def test_occ_6_a_share_of_the_magazine_is_rounded_up() -> None:
    table = duel(a="rifleman")
    for magazine, action, rounds in ((25, "short-burst", 3), (25, "medium-burst", 13), (7, "short-burst", 1)):
        facts = table.shot(action=action, changed={"weapon.magazine": magazine, "weapon.rounds": magazine}).situation
        assert facts.action.ammo is not None
        assert facts.action.ammo.evaluate(facts.facts) == rounds


@pytest.mark.parametrize(
    ("action", "damage", "force"),
    [("short-burst", 10, 15), ("short-burst", 11, 17), ("medium-burst", 11, 22), ("long-burst", 11, 44)],
)
def test_occ_6_bursts_do_half_as_much_again_rounded_up_twice_and_four_times(
    action: str, damage: int, force: int
) -> None:
    table = duel(a="rifleman", stats={"b": {"endurance": 10}})
    hp = table.unit("b").pools["hp"]
    table.do(Attack("a", "b", action=action), (20,), (damage,))
    assert table.attacked().grade == "past-armour"
    assert table.unit("b").pools["hp"] == max(0, hp - force)
    (change,) = [event for event in table.happened(ev.PoolChanged) if event.pool == "hp"]
    assert change.before - change.after == min(hp, force)


def test_ex_occ_8_a_short_burst_from_a_magazine_of_30_needs_and_spends_3() -> None:
    table = duel(a="rifleman")
    assert table.unit("a").gear.rounds["assault-rifle"] == 30
    assert "3 rounds, 2 left" in table.load("a", "assault-rifle", 2).refusal(Attack("a", "b", action="short-burst"))
    table.load("a", "assault-rifle", 3).do(Attack("a", "b", action="short-burst"), (75,))
    assert table.unit("a").gear.rounds["assault-rifle"] == 0


def test_occ_6_the_rounds_must_be_there() -> None:
    for action, rounds in (("medium-burst", 15), ("long-burst", 30)):
        table = duel(a="rifleman").load("a", "assault-rifle", rounds - 1)
        assert f"{rounds - 1} left" in table.refusal(Attack("a", "b", action=action))
    empty = duel().load("a", "usp9", 0)
    assert "0 rounds left" in empty.refusal(Attack("a", "b"))


def test_occ_6_there_is_nothing_to_reload_in_a_full_magazine_a_knife_or_a_belt_of_grenades() -> None:
    assert "full, 15 of 15" in duel().refusal(Act("a", "reload"))
    for weapon in ("knife", "frag-grenade"):
        table = duel().arm("a", weapon)
        if weapon == "frag-grenade":
            table.load("a", weapon, 1)
        assert "the weapon in hand has no magazine" in table.refusal(Act("a", "reload"))
    table = duel().load("a", "usp9", 14)
    table.do(Act("a", "reload"))
    assert table.unit("a").gear.rounds["usp9"] == 15


# --- OCC-7: defence -------------------------------------------------------------------------------------------------


def test_occ_7_a_prone_target_is_20_easier_to_strike_and_20_harder_to_shoot() -> None:
    assert duel(1, a="brawler").posture("b", "prone").worth("prone-melee") == 20
    assert duel(1, a="brawler").posture("b", "prone").worth("prone-ranged") is None
    assert duel().posture("b", "prone").worth("prone-ranged") == -20
    assert duel().posture("b", "prone").worth("prone-melee") is None


def test_occ_7_partial_cover_gives_10() -> None:
    shot = todd().shot()
    cover = entry(shot.ledger, "partial-cover")
    assert cover and cover.value == -10
    assert Fraction(1, 4) <= shot.situation.trace.covered < Fraction(9, 10)
    assert "behind the cart at D1" in cover.because


def test_occ_7_full_cover_gives_25() -> None:
    slit = '[[edge]]\nat = "D1"\nside = "W"\nkind = "window"\nsill = 5.2\nlintel = 5.4'
    table = fight(OCC, "a..b", a="gunman", b="gunman", toml=slit)
    assert Fraction(9, 10) <= table.shot().situation.trace.covered < 1
    assert table.worth("full-cover") == -25
    assert table.worth("partial-cover") is None
    assert not table.shot().refusal


def test_occ_7_where_no_shot_gets_there_is_no_attack() -> None:
    glass = '[[edge]]\nat = "D1"\nside = "W"\nkind = "glass"'
    behind_glass = fight(OCC, "a..b", a="gunman", b="gunman", toml=glass)
    behind_wall = fight(OCC, "a.#b", a="gunman", b="gunman")
    assert behind_glass.shot().situation.trace.visible == 1
    assert "stops every shot" in behind_glass.refusal(Attack("a", "b"))
    assert "the wall at C1" in behind_wall.refusal(Attack("a", "b"))
    for table in (behind_glass, behind_wall):
        assert not table.shot().odds.hit
        assert table.worth("full-cover") is None


@pytest.mark.parametrize(
    ("covered", "partial", "full"),
    [
        (Fraction(24, 100), None, None),
        (Fraction(1, 4), -10, None),
        (Fraction(89, 100), -10, None),
        (Fraction(9, 10), None, -25),
    ],
)
def test_occ_7_cover_is_partial_from_a_quarter_and_full_from_nine_tenths(
    covered: Fraction, partial: int | None, full: int | None
) -> None:
    ledger = duel().shot(changed={"covered": covered, "visible": 1 - covered}).ledger
    values = {line.id: line.value for line in ledger.entries}
    assert (values.get("partial-cover"), values.get("full-cover")) == (partial, full)
    assert values.get("thin-cover") == (0 if partial is full is None else None)  # told, though it counts for nothing


def runway() -> Table:
    """The shooter, and far off a gunman with room to walk; it is the gunman's turn."""
    table = fight(OCC, "a..........", ".......b...", "...........", a="gunman", b="gunman")
    table.do(EndTurn())
    return table


@pytest.mark.parametrize(("goal", "value"), [("I2", None), ("J2", None), ("K2", -5), ("K3", -5)])
def test_occ_7_a_target_3_squares_from_where_it_started_has_5(goal: str, value: int | None) -> None:
    table = runway()
    table.walk("b", goal)
    table.do(EndTurn())
    assert table.worth("moving-target") == value


@pytest.mark.parametrize(("scale", "told"), [((1.5, "metres"), "15 ft"), ((2, "metres"), "19 ft"), (FOOT, "3 ft")])
def test_occ_7_three_squares_count_whatever_their_size(scale: tuple[float, str], told: str) -> None:
    table = fight(OCC, "a..........", ".......b...", a="gunman", b="gunman", scale=scale)
    table.do(EndTurn())
    table.walk("b", "K2")
    moving = entry(table.shot().ledger, "moving-target")
    assert moving and moving.value == -5
    assert f"3 squares, {told}," in moving.because


def test_occ_7_a_target_that_came_back_does_not_count_as_moving() -> None:
    table = runway()
    table.walk("b", "E2", "F2")
    table.do(EndTurn())
    assert (table.unit("b").turn.moved, table.worth("moving-target")) == (4, None)


def test_occ_7_the_moving_target_has_its_bonus_until_its_next_turn() -> None:
    table = runway()
    table.walk("b", "K2")
    table.do(EndTurn())
    assert table.worth("moving-target") == -5
    table.do(EndTurn())
    assert table.battle.turns.active == "b"
    assert table.worth("moving-target") is None


def test_occ_7_covering_fire_gives_10_against_ranged_attacks() -> None:
    table = duel(2)
    table.do(EndTurn())
    table.do(Act("b", "covering-fire"))
    assert table.worth("covering-fire") == -10
    table.do(EndTurn())
    assert table.worth("covering-fire") == -10
    table.do(EndTurn())
    assert table.worth("covering-fire") is None


@pytest.mark.parametrize(("distance", "interrupts"), [(1, ["covering-beside"]), (2, [])])
def test_occ_8_covering_fire_beside_an_enemy_draws_its_interrupt(distance: int, interrupts: list[str]) -> None:
    """OCC-8: half a magazine is fired inside of melee range."""
    table = duel(distance)
    table.do(Act("a", "covering-fire"))
    assert [one.reaction for one in table.battle.openings] == interrupts


@pytest.mark.parametrize(("ruled", "value"), [(False, None), (True, 10)])
def test_occ_6_lying_prone_helps_throws_where_the_gm_rules_so(ruled: bool, value: int | None) -> None:
    table = duel(4, "grenadier").posture("a", "prone")
    if ruled:
        table.do(SetRuling("postures_help_throws", True))
    assert table.worth("prone") == value


def test_occ_6_a_unit_without_fatigue_points_is_exhausted_at_once_and_told_so() -> None:
    """OCC-6, OCC-13: a run that takes the last point says it; so does every attack after it."""
    table = fight(OCC, "a" + "." * 19 + "b", a="gunman", b="gunman")
    table.do(SetPool("a", "fatigue", 1))
    said = table.walk("a", "H1", action="run")
    assert any(line.startswith("No fatigue points left: exhausted at once") for line in said)
    found = entry(table.shot().ledger, "exhausted")
    assert found is not None and found.because == "0 rounds fought, no fatigue points left: exhausted at once"


def test_occ_7_covering_fire_takes_half_a_clip() -> None:
    table = duel()
    assert table.unit("a").gear.rounds["usp9"] == 15
    table.do(Act("a", "covering-fire"))
    assert table.unit("a").gear.rounds["usp9"] in (7, 8)


def test_occ_7_covering_fire_needs_half_a_clip() -> None:
    table = duel().load("a", "usp9", 7)
    assert table.refusal(Act("a", "covering-fire"))


def test_occ_7_covering_fire_helps_others_within_25_feet() -> None:
    table = fight(OCC, "a....cd.......b", a="gunman", c="gunman", d="gunman", b="gunman", allies="cd")
    table.do(Act("a", "covering-fire"))
    assert table.worth("covering-fire", by="b", at="c") == -10
    assert table.worth("covering-fire", by="b", at="d") is None


def test_occ_7_the_emboldened_gain_20_to_defence() -> None:
    assert duel().condition("b", "emboldened").worth("emboldened-defence") == -20


def test_occ_7_a_dodge_gives_20_until_the_next_turn() -> None:
    table = duel()
    table.do(EndTurn())
    table.do(Act("b", "dodge"))
    table.do(EndTurn())
    assert table.worth("dodge") == -20
    table.do(EndTurn())
    assert table.worth("dodge") is None


def test_occ_7_a_dodge_takes_the_whole_turn() -> None:
    table = duel()
    table.do(Act("a", "dodge"))
    assert table.refusal(Attack("a", "b"))
    assert table.refusal(Move("a", table.way("a", "B1")))
    moved = duel()
    moved.walk("a", "B1")
    assert "takes the whole turn" in moved.refusal(Act("a", "dodge"))


# --- OCC-8 and OCC-9: armour ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("target_number", "last"), [(60, 29), (65, 31), (70, 34), (80, 39)])
def test_occ_8_below_half_the_target_number_rounded_down_is_a_penetrating_hit(target_number: int, last: int) -> None:
    assert grade_at(target_number, last) == "past-armour"
    assert grade_at(target_number, last + 1) == "armour-hit"


def hit_on_armour(points: int, damage: int, **stats: object) -> tuple[int, int]:
    """Armour points and hit points lost by a hit on armour that has so many points left."""
    table = duel(stats=skill("b", armour_points=points, **stats))
    table.do(Attack("a", "b"), (69,), (damage,))
    assert table.attacked().grade == "armour-hit"
    return points - table.unit("b").pools["armour"], 20 - table.unit("b").pools["hp"]


def test_occ_9_ex_occ_3_resistance_of_a_flak_jacket_is_5_and_then_4() -> None:
    table = duel()
    assert table.unit("b").pools["armour"] == 50
    table.do(Attack("a", "b"), (69,), (10,))
    assert table.unit("b").pools["armour"] == 45
    table.turn_of("a").do(Attack("a", "b"), (69,), (10,))
    assert table.unit("b").pools["armour"] == 39  # 10 less the 4 that a tenth of 45 resists
    assert table.unit("b").pools["hp"] == 20


@pytest.mark.parametrize(
    ("points", "damage", "armour_lost"),
    [(50, 5, 0), (50, 6, 1), (50, 4, 0), (45, 10, 6), (19, 10, 9), (11, 10, 9), (10, 10, 9), (9, 9, 9), (9, 5, 5)],
)
def test_occ_9_armour_resists_a_tenth_of_its_points_and_nothing_below_10(
    points: int, damage: int, armour_lost: int
) -> None:
    assert hit_on_armour(points, damage) == (armour_lost, 0)


def test_occ_9_the_share_goes_by_the_armour() -> None:
    assert hit_on_armour(50, 12, armour_resistance=20) == (2, 0)
    assert hit_on_armour(50, 12, armour_resistance=15) == (5, 0)


def test_occ_9_damage_past_the_last_armour_point_goes_to_the_wearer() -> None:
    assert hit_on_armour(4, 12) == (4, 8)
    assert hit_on_armour(0, 12) == (0, 12)


# --- OCC-13: moves --------------------------------------------------------------------------------------------------


def test_occ_13_going_prone_and_getting_up_take_a_whole_action_each() -> None:
    table = duel()
    table.do(Act("a", "go-prone"))
    assert table.unit("a").posture == "prone"
    assert set(table.unit("a").turn.budget.values()) == {0}
    assert table.refusal(Attack("a", "b"))
    table.turn_of("a").do(Act("a", "get-up"))
    assert table.unit("a").posture == "standing"
    assert set(table.unit("a").turn.budget.values()) == {0}
    assert table.refusal(Move("a", table.way("a", "B1")))


def test_occ_13_nothing_else_goes_with_going_prone_or_getting_up() -> None:
    moved, attacked = duel(), duel()
    moved.walk("a", "B1")
    attacked.do(Attack("a", "b"), (80,))
    for table in (moved, attacked):
        assert table.refusal(Act("a", "go-prone"))
        assert table.posture("a", "prone").refusal(Act("a", "get-up"))


def test_occ_13_one_kneels_after_half_a_move_at_most() -> None:
    for squares, may in ((3, True), (4, False)):
        table = duel(10)
        assert table.rules.units.sheets["gunman"].stats["speed"] == 7
        table.walk("a", f"{column_name(squares)}1")
        if may:
            table.do(Act("a", "kneel"))
            assert table.unit("a").posture == "kneeling"
        else:
            assert "it has moved 4 squares" in table.refusal(Act("a", "kneel"))


def test_occ_13_one_who_knelt_does_not_walk_on_from_there() -> None:
    table = duel(10)
    table.walk("a", "D1")
    table.do(Act("a", "kneel"))
    assert table.refusal(Move("a", table.way("a", "F1")))
    assert (table.unit("a").turn.stride, table.unit("a").turn.budget) == (0, {"attack": 1, "move": 0})
    table.posture("a", "standing")
    assert "no move left" in table.refusal(Move("a", table.way("a", "F1")))


def test_occ_13_kneeling_down_on_the_spot_takes_the_move_action() -> None:
    table = duel(10)
    table.do(Act("a", "kneel"))
    assert table.unit("a").turn.budget == {"attack": 1, "move": 0}
    for action in ("", "step"):
        assert table.refusal(Move("a", table.way("a", "B1"), action))
    assert table.refusal(Attack("a", "b", action="aimed"))  # the only action of a turn
    table.do(Attack("a", "b"), (80,))


def test_occ_13_nobody_kneels_down_after_a_run_a_dodge_or_an_aimed_shot() -> None:
    ran, dodged, aimed = duel(10), duel(10), duel(10)
    ran.walk("a", "B1", action="run")
    dodged.do(Act("a", "dodge"))
    aimed.do(Attack("a", "b", action="aimed"), (90,))
    assert "it is running" in ran.refusal(Act("a", "kneel"))
    assert "a dodge takes the whole turn" in dodged.refusal(Act("a", "kneel"))
    assert "was spent on something else" in aimed.refusal(Act("a", "kneel"))


@pytest.mark.parametrize(("scale", "most"), [((2, "metres"), 2), ((1.5, "metres"), 3), ((10, "feet"), 1), (FOOT, 15)])
def test_occ_13_half_of_speed_7_is_15_feet_on_any_map(scale: tuple[float, str], most: int) -> None:
    for squares, value in ((most, 5), (most + 1, None)):
        table = fight(OCC, "a" + "." * 19 + "b", a="gunman", b="gunman", scale=scale)
        table.walk("a", f"{column_name(squares)}1")
        if value:
            table.do(Act("a", "kneel"))
        else:
            assert "kneeling is possible after at most 15 ft" in table.refusal(Act("a", "kneel"))
            table.posture("a", "kneeling")
        assert table.worth("kneeling") == value


def test_occ_13_rising_takes_the_move_action() -> None:
    table = duel(10).posture("a", "kneeling")
    table.do(Act("a", "rise"))
    assert table.unit("a").posture == "standing"
    assert table.unit("a").turn.budget == {"attack": 1, "move": 0}
    assert table.refusal(Move("a", table.way("a", "B1")))
    assert table.refusal(Act("a", "kneel"))


@pytest.mark.parametrize(("scale", "squares"), [((2, "metres"), 1), ((1.5, "metres"), 1), ((10, "feet"), 1), (FOOT, 5)])
def test_occ_13_the_5_foot_step_is_one_square_at_least(scale: tuple[float, str], squares: int) -> None:
    table = fight(OCC, "a" + "." * 19 + "b", a="gunman", b="gunman", scale=scale)
    assert table.refusal(Move("a", table.way("a", f"{column_name(squares + 1)}1"), "step"))
    table.walk("a", f"{column_name(squares)}1", action="step")


def test_occ_13_a_5_foot_step_is_one_square_in_any_direction_and_the_whole_move() -> None:
    for goal in ("A1", "B1", "C1", "A2", "C2", "A3", "B3", "C3"):
        table = fight(OCC, "...", ".a.", "...", ".b.", a="gunman", b="gunman")
        table.walk("a", goal, action="step")
        assert table.unit("a").at.name == goal
        assert table.refusal(Move("a", table.way("a", "B2")))
    table = duel(10)
    assert "1 left" in table.refusal(Move("a", table.way("a", "C1"), "step"))


def test_occ_13_a_run_is_twice_speed_for_a_fatigue_point() -> None:
    table = duel(20)
    assert "14 left" in table.refusal(Move("a", table.way("a", "P1"), "run"))
    table.walk("a", "O1", action="run")
    assert table.unit("a").at.name == "O1"
    assert table.unit("a").pools["fatigue"] == 9


def test_occ_13_who_runs_makes_no_attack_until_the_next_turn() -> None:
    table = duel(20)
    table.walk("a", "K1", action="run")
    for is_free in (False, True):
        assert "a running unit" in table.refusal(Attack("a", "b", is_free=is_free))
    table.do(EndTurn())
    assert "a running unit" in table.refusal(Attack("a", "b", is_free=True))
    table.do(EndTurn())
    table.do(Attack("a", "b"), (85,))


def test_occ_13_there_is_one_move_action_a_turn() -> None:
    table = duel(20)
    table.walk("a", "H1")  # all of Speed 7
    for action in ("", "move", "run", "step"):
        assert table.refusal(Move("a", table.way("a", "I1"), action))


# --- OCC-15: criticals ----------------------------------------------------------------------------------------------


def test_occ_15_ex_occ_5_needing_under_70_a_critical_is_under_7() -> None:
    assert grade_at(70, 6) == "critical"
    assert grade_at(70, 7) == "past-armour"


def test_occ_15_a_tenth_is_not_rounded() -> None:
    assert grade_at(65, 6) == "critical"
    assert grade_at(65, 7) == "past-armour"


def test_occ_15_ex_occ_6_a_weapon_of_4d6_does_24_and_1d6() -> None:
    for die in (1, 6):
        table = duel(a="rifleman")
        shot = table.shot()
        critical = judge(table.rules, shot.situation.facts, shot.ledger, 1)
        assert critical.id == "critical"
        table.do(Attack("a", "b"), (1,), (die,))
        (rolled,) = table.happened(ev.EffectRolled)
        assert (rolled.label, rolled.roll.total) == ("Extra die", die)
        (done,) = (event for event in table.happened(ev.EffectComputed) if event.label == "Damage")
        assert done.value == 24 + die
        assert table.unit("b").pools["armour"] == 50
        assert table.unit("b").is_defeated


def test_occ_15_every_weapon_has_its_full_damage_and_1d6() -> None:
    rules = duel().rules
    for weapon in rules.gear.weapons.values():
        damage = str(weapon.fields["damage"])
        if not damage:  # smoke and light
            continue
        count, sides = map(int, damage.split("d"))
        assert weapon.fields["critical"] == f"1d6+{count * sides}"


def test_occ_15_the_attackers_damage_bonus_counts_in_a_critical() -> None:
    table = duel(1, a="brawler", stats=skill("b", endurance=10))
    table.do(Attack("a", "b", "knife"), (1,), (3,))
    assert table.attacked().grade == "critical"
    assert table.unit("b").pools["hp"] == 26 - (6 + 3 + 4)


# --- OCC-16: epic fumbles -------------------------------------------------------------------------------------------


def test_occ_16_above_90_fails_whatever_the_target_number() -> None:
    assert grade_at(120, 90) == "armour-hit"
    assert grade_at(120, 91) == "epic-fumble"
    assert grade_at(40, 91) == "epic-fumble"
    assert grade_at(40, 90) == "miss-plain"
    assert duel(stats=skill("a", strike_bonus=200)).shot().odds.hit == Fraction(9, 10)


def test_occ_16_a_d20_is_rolled_on_the_fumble_table() -> None:
    table = duel()
    lines = table.do(Attack("a", "b"), (91,), (20,))
    (rolled,) = table.happened(ev.EffectRolled)
    assert (rolled.roll.text, rolled.roll.total) == ("1d20", 20)
    assert not table.attacked().is_hit
    assert any("Epic fumble" in line for line in lines)


def test_occ_16_fumble_17_throws_the_attacker_down() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (17,))
    assert table.unit("a").posture == "prone"


def test_occ_16_fumble_5_emboldens_the_target_to_strike_for_1d6_rounds() -> None:
    table = duel()
    even = duel().shot(by="b", at="a").ledger.target_number
    table.do(Attack("a", "b"), (91,), (5,), (2,))
    seen = []
    for _ in range(6):
        if table.battle.turns.active == "b":
            seen.append((table.battle.turns.round, table.shot(by="b", at="a").ledger.target_number - even))
        table.do(EndTurn())
    assert seen == [(1, 20), (2, 20), (3, 0)]


def test_occ_16_fumble_5_does_nothing_for_the_targets_defence() -> None:
    table = duel()
    before = table.shot().ledger.target_number
    table.do(Attack("a", "b"), (91,), (5,), (6,))
    assert table.shot().ledger.target_number == before


def test_occ_16_one_who_is_emboldened_gains_no_more_by_fumble_5() -> None:
    table = duel().condition("b", "emboldened")
    table.do(Attack("a", "b"), (91,), (5,), (6,))
    assert table.worth("emboldened-strike", by="b", at="a") == 20
    assert table.worth("encouraged", by="b", at="a") is None


def test_occ_16_other_fumbles_roll_no_rounds() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (7,))
    assert [rolled.roll.text for rolled in table.happened(ev.EffectRolled)] == ["1d20"]


@pytest.mark.parametrize(
    ("fumble", "by", "at", "change"),
    [(3, "a", "b", -30), (3, "b", "a", 30), (6, "b", "a", 20), (10, "a", "b", -20)],
)
def test_occ_16_fumbles_change_strike_and_defence_for_1d6_rounds(fumble: int, by: str, at: str, change: int) -> None:
    table = duel()
    before = table.shot(by=by, at=at).ledger.target_number
    table.do(Attack("a", "b"), (91,), (fumble,), (2,))
    assert table.shot(by=by, at=at).ledger.target_number == before + change
    for _ in range(4):
        table.do(EndTurn())
    assert table.shot(by=by, at=at).ledger.target_number == before


def test_occ_16_fumble_4_tires_the_attacker() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (4,))
    assert table.worth("winded") == -10


def test_occ_16_fumble_12_forbids_attacks_for_a_full_round() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (12,))
    table.turn_of("a")
    assert "no attack for a full round" in table.refusal(Attack("a", "b"))
    table.do(EndTurn())
    table.turn_of("a")
    assert table.shot().ledger.is_possible


def test_occ_16_fumble_13_halves_speed_and_14_damage() -> None:
    table = duel(8)
    table.do(Attack("a", "b"), (91,), (13,), (6,))
    table.turn_of("a")
    assert "3 left this turn" in table.refusal(Move("a", table.way("a", "E1"), "move"))
    table = duel()
    table.do(Attack("a", "b"), (91,), (14,), (6,))
    table.turn_of("a")
    before = table.unit("b").pools["hp"]
    table.do(Attack("a", "b"), (10,), (9,))
    assert table.unit("b").pools["hp"] == before - 4


def test_occ_16_fumble_1_is_a_hit_on_the_armour() -> None:
    table = duel()
    before = table.unit("b").pools
    lines = table.do(Attack("a", "b"), (91,), (1,), (10,))
    assert [turned.grade for turned in table.happened(ev.AttackTurned)] == ["armour-hit"]
    assert sum(table.unit("b").pools.values()) < sum(before.values())
    assert any("The attack hits" in line for line in lines)


def test_occ_16_fumble_2_gives_the_target_a_turn_that_interrupts() -> None:
    table = duel()
    left = table.unit("a").turn.budget
    table.do(Attack("a", "b"), (91,), (2,))
    assert table.battle.turns.active == "b"
    assert table.unit("b").turn.budget == {"attack": 1, "move": 1}
    assert table.do(EndTurn()) == ["A's turn continues."]
    assert (table.battle.turns.active, table.battle.turns.round) == ("a", 1)
    assert table.unit("a").turn.budget == {**left, "attack": 0}
    table.do(EndTurn())
    assert (table.battle.turns.active, table.battle.turns.round) == ("b", 1)


def test_occ_16_fumble_2_in_an_interrupt_gives_the_active_unit_its_turn_later() -> None:
    table = duel()
    table.do(Attack("b", "a", is_free=True), (91,), (2,))
    assert table.battle.turns.active == "a"
    table.do(EndTurn())
    assert table.battle.turns.active == "a"
    assert table.unit("a").turn.budget == {"attack": 1, "move": 1}
    table.do(EndTurn())
    assert table.battle.turns.active == "b"


def test_occ_16_extra_turns_in_extra_turns_leave_every_turn_what_was_left_of_it() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (2,))
    table.do(Attack("b", "a"), (91,), (2,))
    assert (table.battle.turns.active, table.unit("a").turn.budget["attack"]) == ("a", 1)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.unit("b").turn.budget["attack"]) == ("b", 0)
    table.do(EndTurn())
    assert (table.battle.turns.active, table.unit("a").turn.budget["attack"], table.unit("a").turn.attacks) == (
        "a",
        0,
        1,
    )
    assert table.battle.turns.interrupted == ()


def test_occ_16_a_turn_that_waits_is_dropped_when_its_unit_is_out() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (2,))
    table.do(Attack("b", "a"), (91,), (2,))
    table.do(SetPool("b", "hp", 0))
    assert table.do(EndTurn()) == ["A's turn continues."]
    assert (table.battle.turns.active, table.unit("a").turn.budget["attack"]) == ("a", 0)


def test_occ_16_an_opening_goes_with_one_who_is_out_of_the_fight() -> None:
    table = fight("occult-ops", "ca.b", a="gunman", b="gunman", c="brawler")
    table.do(Attack("a", "b"))  # the one beside may interrupt first
    table.do(Attack("a", "b"), (91,), (19,))
    table.do(SetPool("c", "hp", 0))
    assert table.battle.openings == ()


def test_occ_16_a_shorter_fumble_does_not_cut_a_longer_one() -> None:
    table = duel().condition("a", "blinded")
    table.do(Attack("a", "b"), (91,), (3,), (1,))
    assert table.unit("a").timers == {}


def test_a_weapon_that_is_carried_already_is_left_where_it_lies() -> None:
    table = fight("occult-ops", "ac.b", "....", a="gunman", b="gunman", c="gunman", allies="c")
    table.do(Attack("c", "b", is_free=True), (91,), (15,), (7,), (1,))
    assert [item.at.name for item in table.battle.scene.dropped] == ["A1"]
    assert "no weapon lies" in table.refusal(Act("a", "pick-up"))


def test_occ_16_fumble_7_breaks_the_weapon_for_the_battle() -> None:
    table = duel()
    broken = table.unit("a").gear.weapon
    table.do(Attack("a", "b"), (91,), (7,))
    assert broken not in table.unit("a").gear.weapons
    assert table.unit("a").gear.weapon == ""
    assert table.shot().situation.weapon.id == "punch"
    assert "melee needs an adjacent square" in table.refusal(Attack("a", "b"))


def test_occ_16_fumble_7_breaks_the_weapon_that_attacked() -> None:
    table = duel(1)
    in_hand = table.unit("a").gear.weapon
    table.do(Attack("a", "b", "knife"), (91,), (7,))
    assert table.unit("a").gear.weapon == in_hand
    assert "knife" not in table.unit("a").gear.weapons


def test_occ_16_fumble_8_leaves_one_enemy_until_it_falls() -> None:
    table = fight("occult-ops", "a.b", "..c", a="gunman", b="gunman", c="gunman")
    table.do(Attack("a", "b"), (91,), (8,), (3,))
    assert table.unit("a").about == {"fixated": "b"}
    assert table.shot(at="b").ledger.is_possible
    assert table.shot(at="c").ledger.forbidden.id == "fixated"  # type: ignore[union-attr]
    table.do(SetPool("b", "hp", 0))
    assert table.unit("a").conditions == ()
    assert table.shot(at="c").ledger.is_possible


def test_occ_16_fumble_8_ends_after_its_rounds() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (8,), (1,))
    table.turn_of("a")
    assert table.unit("a").conditions == ()


def test_occ_16_fumble_9_exposes_the_nearest_ally() -> None:
    table = fight("occult-ops", "a..fe", ".....", "....b", a="gunman", f="gunman", e="gunman", b="gunman", allies="f")
    table.do(Attack("a", "b"), (91,), (9,))
    assert [(held.unit, held.against) for held in table.battle.openings] == [("e", "f")]
    table.do(Attack("e", "f"), (50,), (5,))
    assert table.battle.openings == ()
    assert table.unit("e").turn.budget["attack"] == 1  # nothing was paid
    assert "turn" in table.refusal(Attack("e", "f"))


def test_occ_16_what_comes_to_nothing_is_said_in_words() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (9,))
    said = summarise(table.events, table.battle, table.rules)
    assert "fumble 9: distracted: no effect, no ally in range." in said


def test_occ_16_fumble_11_moves_two_squares_back_as_far_as_the_way_is_free() -> None:
    table = fight("occult-ops", "...a.b", a="gunman", b="gunman")
    table.do(Attack("a", "b"), (91,), (11,))
    assert table.unit("a").at.name == "B1"
    table = fight("occult-ops", "#.a.b", a="gunman", b="gunman")
    table.do(Attack("a", "b"), (91,), (11,))
    assert table.unit("a").at.name == "B1"


def test_occ_16_fumble_11_with_no_room_says_so() -> None:
    table = fight("occult-ops", "#a.b", a="gunman", b="gunman")
    table.do(Attack("a", "b"), (91,), (11,))
    assert table.unit("a").at.name == "B1"
    assert "A has no room to move" in summarise(table.events, table.battle, table.rules)


def test_occ_10_the_ledger_counts_only_neighbours_who_may_answer() -> None:
    """OCC-10: whoever runs or is held makes no interrupt, and no gun without a round."""
    table = fight(OCC, "cab", "..d", a="gunman", b="gunman", c="gunman", d="brawler")
    line = entry(table.shot().ledger, "interrupt")
    assert line and line.because.startswith("3 adjacent enemies")
    table.condition("c", "running").condition("d", "held")
    line = entry(table.shot().ledger, "interrupt")
    assert line and line.because.startswith("1 adjacent enemy")
    table.load("b", table.unit("b").gear.weapon, 0)
    assert entry(table.shot().ledger, "interrupt") is None


def test_occ_13_one_who_runs_is_reported_before_it_picks_an_attack() -> None:
    """OCC-13: no attacks, no covering fire and no plan to attack until the next turn."""
    table = duel().condition("a", "running")
    unit = table.unit("a")
    weapon = table.rules.gear.weapons[unit.gear.weapon]
    attack = attack_actions(table.rules, weapon)[0]
    why = attack_refusal(table.battle, table.rules, unit, weapon, attack)
    assert brief(why) == "running (a running unit cannot attack until its next turn)"
    for act in ("covering-fire", "plan-sight", "plan-reach", "plan-attack", "plan-any"):
        assert "it is running and cannot attack" in table.refusal(Act("a", act))


def test_occ_5_one_round_is_one_round() -> None:
    table = duel()
    table.do(SetPool("a", "fatigue", 1))
    table.turn_of("a")
    line = entry(table.shot().ledger, "fatigued")
    assert line and line.because == "1 round fought, 1 fatigue point"


def told(table: Table, command: Attack, *dice: tuple[int, ...]) -> str:
    return " ".join(table.do(command, *dice))


def test_what_is_done_to_the_damage_is_reported_by_its_name() -> None:
    blow = fight(OCC, "ab", a="brawler", b="gunman", stats={"a": {"strength": 10}})
    assert "Damage with strength: 4 + melee 4 = 8." in told(blow.arm("a", "club"), Attack("a", "b"), (30,), (4,))
    burst = duel(a="rifleman")
    assert "Damage of the whole burst: " in told(burst, Attack("a", "b", action="short-burst"), (20,), (12,))
    bomb = fight(OCC, "a....b...", ".......c.", a="grenadier", b="gunman", c="gunman").arm("a", "frag-grenade")
    assert "Damage at this distance: burst share 0.5 × 20 = 10." in told(bomb, Attack("a", "b"), (5,), (20,))


# --- grenades of smoke and of light ----------------------------------------------------------------------------------


def test_occ_12_a_smoke_grenade_hurts_nobody_and_hides() -> None:
    """OCC-12: one radius; its smoke counts as any smoke does."""
    table = fight(OCC, "a....b", a="grenadier", b="gunman").arm("a", "smoke-grenade")
    before = table.unit("b").pools
    table.do(Attack("a", "", square=parse_square("F1")), (5,))
    assert table.unit("b").pools == before
    assert table.battle.scene.clouds[0].rounds == 10
    assert table.worth("smoke-thick", by="b", at="a") == -25


def test_occ_12_a_flash_grenade_blinds_all_within_its_one_radius() -> None:
    """OCC-12: the same effect all through: -30 Strike and Defence for 1d4 rounds."""
    table = fight(OCC, "a.....b..c.d", a="grenadier", b="gunman", c="gunman", d="gunman").arm("a", "flash-grenade")
    before = table.unit("b").pools
    table.do(Attack("a", "b"), (5,), (3,), (1,))
    assert table.unit("b").pools == before
    assert {unit: table.unit(unit).timers.get("blinded", 0) for unit in "bcd"} == {"b": 3, "c": 1, "d": 0}
    assert table.worth("blinded-strike", by="b", at="a") == -30
    assert table.worth("blinded-defence", weapon="flash-grenade") == 30


def test_occ_9_what_the_armour_resists_now_is_shown_with_the_unit() -> None:
    table = duel(stats=skill("b", armour_points=50))
    shown = {}
    for points in (50, 45, 9):
        if points < 50:
            table.do(SetPool("b", "armour", points))
        shown[points] = dict(project(table.battle, table.rules).unit("b").stats).get("DR now")
    assert shown == {50: 5, 45: 4, 9: None}


def test_occ_16_fumble_15_throws_the_weapon_that_can_be_picked_up() -> None:
    table = fight("occult-ops", "...a..b", a="gunman", b="gunman")
    weapon, rounds = table.unit("a").gear.weapon, table.unit("a").gear.rounds[table.unit("a").gear.weapon]
    table.do(Attack("a", "b"), (91,), (15,), (7,), (6,))
    assert [(item.weapon, item.at.name, item.rounds) for item in table.battle.scene.dropped] == [
        (weapon, "A1", rounds - 1)
    ]
    assert "no weapon lies" in table.refusal(Act("a", "pick-up"))
    table.turn_of("a")
    table.walk("a", "A1")
    table.do(Act("a", "pick-up"))
    assert (table.unit("a").gear.weapon, table.unit("a").gear.rounds[weapon]) == (weapon, rounds - 1)
    assert table.battle.scene.dropped == ()


def test_occ_16_fumble_16_hits_the_nearest_ally_in_range() -> None:
    table = fight("occult-ops", "afg.b", a="gunman", f="gunman", g="gunman", b="gunman", allies="fg")
    before = {unit: sum(table.unit(unit).pools.values()) for unit in "fgb"}
    table.do(Attack("a", "b"), (91,), (16,), (10,))
    assert [unit for unit in "fgb" if sum(table.unit(unit).pools.values()) < before[unit]] == ["f"]


def test_occ_16_fumble_16_without_an_ally_in_range_is_nothing() -> None:
    table = duel()
    table.do(Attack("a", "b"), (91,), (16,))
    assert not table.happened(ev.AttackTurned)


def test_occ_16_fumble_18_hits_oneself() -> None:
    table = duel()
    before = sum(table.unit("a").pools.values())
    table.do(Attack("a", "b"), (91,), (18,), (10,))
    assert sum(table.unit("a").pools.values()) < before


def test_occ_16_fumble_19_lets_every_adjacent_enemy_attack_at_once() -> None:
    table = fight("occult-ops", "ca.b", a="gunman", b="gunman", c="brawler")
    table.do(Attack("a", "b"))  # the one beside may interrupt first
    table.do(Attack("a", "b"), (91,), (19,))
    assert [(held.unit, held.against) for held in table.battle.openings] == [("c", "a")]
    table.do(EndTurn())
    assert table.battle.openings == ()


# --- OCC-17: initiative ---------------------------------------------------------------------------------------------


def test_occ_17_ex_occ_7_12_acts_before_10() -> None:
    todd_first = duel(is_begun=False, stats={"a": {"dexterity": 6}, "b": {"dexterity": 6}})
    todd_first.do(RollInitiative(), (12,), (10,))
    assert todd_first.battle.turns.order == ("a", "b")
    assert todd_first.battle.turns.initiative == {"a": 12, "b": 10}
    bandit_first = duel(is_begun=False)
    bandit_first.do(RollInitiative(), (10,), (12,))
    assert bandit_first.battle.turns.order == ("b", "a")


def test_occ_17_ex_occ_9_the_con_artist() -> None:
    table = duel(4, a="leader", is_begun=False)
    sheet = table.rules.units.sheets["leader"].stats
    assert (sheet["dexterity"], sheet["wit"], sheet["speed"]) == (8, 10, 7)
    assert table.worth("strike") == 10
    assert table.worth("defence", by="b", at="a") == -10
    table.do(RollInitiative(), (1,), (1,))
    assert table.battle.turns.initiative["a"] == 1 + 1 + 4


@pytest.mark.parametrize(("strength", "bonus"), [(2, -4), (4, -2), (6, 0), (8, 2), (10, 4)])
def test_occ_9_strength_adds_to_the_damage_of_blows_only(strength: int, bonus: int) -> None:
    for weapon, damage in (("knife", 6 + bonus), ("usp9", 6)):
        table = duel(1, stats=skill("a", strength=strength))
        table.do(Attack("a", "b", weapon, is_free=True), (20,), (6,))
        assert table.attacked().grade == "past-armour"
        assert 20 - table.unit("b").pools["hp"] == damage


# --- OCC-11 and OCC-12: grenades ------------------------------------------------------------------------------------


def grenadier(*rows: str, **roles: str) -> Table:
    return fight("occult-ops", *rows, a="grenadier", **roles)


def test_occ_11_a_hit_bursts_where_it_was_aimed() -> None:
    table = grenadier("a....b.c", b="gunman", c="gunman")
    before = {unit: sum(table.unit(unit).pools.values()) for unit in "bc"}
    lines = table.do(Attack("a", "b"), (30,), (20,))
    assert "Fragmentation grenade goes off on F1." in lines
    assert [(one.target, one.share) for one in table.happened(ev.BurstCaught)] == [
        ("b", 1),
        ("c", Fraction(1, 2)),
    ]
    assert before["b"] - sum(table.unit("b").pools.values()) == 20 - 5
    assert before["c"] - sum(table.unit("c").pools.values()) == 10 - 5


def test_occ_11_a_miss_strays_by_1d8_and_1d4_and_a_wall_stops_it() -> None:
    table = grenadier("a.....b.", "........", "........", "........", "........", b="gunman")
    table.do(Attack("a", "b"), (89,), (5,), (3,), (6,))
    assert [one.at.name for one in table.happened(ev.BurstLanded)] == ["G4"]
    table = grenadier("a.....b.", "........", "######.#", "........", "........", b="gunman")
    table.do(Attack("a", "b"), (89,), (4,), (3,), (6,))
    (landed,) = table.happened(ev.BurstLanded)
    assert (landed.at.name, bool(landed.stopped_by)) == ("H2", True)


def test_occ_11_an_epic_fumble_bursts_in_the_hand_in_place_of_the_table() -> None:
    table = grenadier("a.......b", b="gunman")
    before = sum(table.unit("a").pools.values())
    table.do(Attack("a", "b"), (91,), (30,))
    assert [one.at.name for one in table.happened(ev.BurstLanded)] == ["A1"]
    assert sum(table.unit("a").pools.values()) < before
    assert [rolled.roll.text for rolled in table.happened(ev.EffectRolled)] == ["6d6"]


def test_occ_12_an_empty_square_may_be_thrown_at_and_has_no_defence() -> None:
    table = grenadier("a.....b.", b="gunman")
    wish = Attack("a", "", square=parse_square("F1"))
    shot = consider(table.battle, table.rules, wish)
    assert entry(shot.ledger, "defence") is None
    table.do(wish, (1,), (20,))
    assert table.attacked().square == parse_square("F1")
    assert {one.target for one in table.happened(ev.BurstCaught)} == {"b"}


def test_occ_12_one_roll_of_damage_serves_all() -> None:
    table = grenadier("a......bc", b="gunman", c="gunman")
    table.do(Attack("a", "b"), (30,), (20,))
    assert len(table.happened(ev.EffectRolled)) == 1


def test_occ_12_walls_shelter_from_a_burst() -> None:
    table = grenadier("a....b#c", "......##", b="gunman", c="gunman")
    table.do(Attack("a", "b"), (30,), (20,))
    assert "c" not in {one.target for one in table.happened(ev.BurstCaught)}


def test_occ_16_fumble_11_goes_over_an_edge_and_falls() -> None:
    table = fight(
        "occult-ops",
        "..a.b",
        a="gunman",
        b="gunman",
        toml='[elevation]\nrows = """\n..333\n"""\n[elevation.legend]\n"3" = 20\n',
    )
    lines = table.do(Attack("a", "b"), (91,), (11,))
    assert (table.unit("a").at.name, "A falls 20 ft." in lines) == ("B1", True)


def test_occ_12_a_grenade_that_hits_a_flyer_bursts_where_it_flies() -> None:
    table = fight("occult-ops", "a...b", a="grenadier", b="flyer", altitudes={"b": 25})
    table.do(Attack("a", "b"), (30,), (20,))
    assert {one.target: one.share for one in table.happened(ev.BurstCaught)}["b"] == 1


def test_occ_12_only_what_bursts_is_aimed_at_a_square() -> None:
    table = duel(4)
    assert "has no blast" in table.refusal(Attack("a", "", square=parse_square("C1")))
    assert "not both" in table.refusal(Attack("a", "b", square=parse_square("C1")))
