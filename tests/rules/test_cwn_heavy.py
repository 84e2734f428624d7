"""Cities Without Number: rockets, mortars, mines, charges, flash and gas grenades, and what is worn besides."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.roster_commands import RemoveUnit
from engine.battle.commands.scene_commands import ClearCharge, SetOff
from engine.battle.commands.unit_edits import SetAltitude
from engine.battle.views.fog_of_war import Memory, seat_view
from engine.geometry.squares import parse_square
from tests.rules.table import Table, fight, remember, ruleset

CWN = "cwn"
LOW = (1,)
"""A Trauma die that does nothing."""
SAVED, FAILED = (14,), (13,)


def lost(table: Table) -> dict[str, int]:
    return {one.unit: one.before - one.after for one in table.happened(ev.PoolChanged) if one.pool == "hp"}


def at(square: str, weapon: str = "") -> Attack:
    return Attack("a", "", weapon, square=parse_square(square))


def lay(square: str, *, is_free: bool = False) -> Act:
    return Act("a", "lay-mine", square=parse_square(square), is_free=is_free)


def sapper(*rows: str, weapon: str = "anti-personnel-mine", **roles: str) -> Table:
    table = fight(CWN, *rows, stats={"a": {"dexterity_mod": 0}}, **({"a": "grenadier"} | roles))
    return table.arm("a", weapon)


def test_cwn_a_flash_grenade_dazzles_and_takes_the_main_action_of_who_has_not_acted() -> None:
    table = sapper("a....b", b="gunman", weapon="flash-grenade")
    lines = table.do(at("F1"), (20,), FAILED, (3,))
    assert table.unit("b").turn.budget["main"] == 0
    assert (table.unit("b").timers, lost(table)) == ({"dazzled": 3}, {})
    assert "B: Main action 1 → 0, the flash." in [line.replace("main action", "Main action") for line in lines]
    assert table.worth("dazzled", by="b", at="a") == -2


def test_cwn_a_flash_takes_two_off_the_armor_class() -> None:
    table = fight(CWN, "a....b", a="gunman", b="gunman")
    before = table.shot().ledger.target_number
    assert table.condition("b", "dazzled").shot().ledger.target_number == before - 2


def test_cwn_who_has_acted_loses_the_main_action_of_the_next_round() -> None:
    table = sapper("a....b", b="gunman", weapon="flash-grenade").turn_of("b")
    table.do(EndTurn())  # round 2: a, then b again
    table.turn_of("b").do(Attack("b", "a"), (2,))
    table.do(Attack("a", "", "flash-grenade", square=parse_square("F1"), is_free=True), (20,), FAILED, (6,))
    assert "dazed" in table.unit("b").conditions
    table.turn_of("b")
    assert table.unit("b").turn.budget["main"] == 0
    table.turn_of("b")
    assert (table.unit("b").turn.budget["main"], "dazed" in table.unit("b").conditions) == (1, False)


def test_cwn_who_withstands_the_flash_is_not_dazzled() -> None:
    table = sapper("a....b", b="gunman", weapon="flash-grenade")
    table.do(at("F1"), (20,), SAVED)
    assert table.unit("b").conditions == ()


def test_cwn_gas_is_halved_by_a_physical_save_kills_nobody_and_is_gone_after_a_round() -> None:
    table = sapper("a....b", b="rifleman", weapon="gas-grenade")
    lines = table.do(at("F1"), (20,), (9,), SAVED)
    assert lost(table) == {"b": 5}  # the guard's damage soak does not count
    assert any("knocked out" in line for line in lines)
    assert [cloud.rounds for cloud in table.battle.scene.clouds] == [1]
    table.turn_of("a")
    assert table.battle.scene.clouds == ()


def test_cwn_a_rocket_strikes_whom_it_hits_as_itself_and_those_around_as_a_grenade() -> None:
    table = sapper("a.....b", "......c", b="gunman", c="gunman", weapon="rocket-launcher")
    assert table.worth("at-people") == -4
    table.do(Attack("a", "b"), (20,), (14,), LOW, (7,), SAVED, LOW)
    assert lost(table) == {"b": 14, "c": 4}


def test_cwn_a_rocket_that_misses_strays() -> None:
    table = sapper("a.....b", "." * 7, "." * 7, "." * 7, b="gunman", weapon="rocket-launcher")
    table.do(Attack("a", "b"), (2,), (5,), (6,))
    (landed,) = table.happened(ev.BurstLanded)
    assert landed.at == parse_square("G4")
    assert lost(table) == {}


def test_cwn_a_machine_is_no_person_to_a_rocket() -> None:
    assert sapper("a.....b", b="drone", weapon="rocket-launcher").worth("at-people") is None


def test_cwn_a_mortar_fires_over_what_stands_there_at_armor_class_20_but_not_near() -> None:
    table = sapper("a" + "." * 8 + "#" + "." * 10 + "b", b="gunman", weapon="mortar")
    shot = table.shot()
    assert (shot.refusal, shot.ledger.target_number) == ("", 20)
    assert "minimum range is 20 m" in sapper("a.....b", b="gunman", weapon="mortar").shot().refusal


def test_cwn_a_spotter_betters_the_mortar_by_one_each_round_at_one_square() -> None:
    table = sapper("a" + "." * 20 + "b", b="gunman", weapon="mortar")
    table.do(Act("a", "spot", square=table.unit("b").at))
    assert table.worth("corrected") is None
    table.turn_of("a")
    assert table.worth("corrected") == 1
    table.turn_of("a")
    assert table.worth("corrected") == 2
    table.place("b", "U1")
    assert table.worth("corrected") is None


def test_cwn_a_shell_is_not_soaked() -> None:
    table = sapper("a" + "." * 20 + "b", b="rifleman", weapon="mortar")
    table.do(Attack("a", "b"), (20,), (9,), (13,), LOW)
    assert lost(table) == {"b": 9}


def test_cwn_a_demolition_charge_strikes_a_quarter_circle_without_a_roll() -> None:
    table = sapper("a....b", "......", "......", "c.....", b="gunman", c="gunman", weapon="demo-charge")
    table.do(Attack("a", "b", action="demolish"), (13,), SAVED, LOW)
    assert lost(table) == {"b": 7}
    assert "has 0 rounds left" in table.refusal(Attack("a", "b", action="demolish", is_free=True))


def test_cwn_a_mine_is_not_thrown() -> None:
    table = sapper("a....b", b="gunman")
    assert "no attack with Anti-personnel mine" in table.refusal(Attack("a", "b"))


def test_cwn_a_mine_is_laid_on_a_neighbouring_square_and_a_step_on_it_sets_it_off() -> None:
    table = sapper("a....b", b="gunman")
    assert "square must be adjacent" in table.refusal(lay("D1"))
    assert table.do(lay("B1"))[-1] == "A lays Anti-personnel mine on B1."
    assert table.unit("a").gear.rounds["anti-personnel-mine"] == 1
    table.turn_of("b")
    lines = table.walk("b", "B1")
    assert table.unit("b").at == parse_square("B1")
    assert "B triggers Anti-personnel mine on B1." in lines
    assert table.battle.scene.charges == ()


def test_cwn_a_mine_hurts_everybody_around_it_and_a_save_halves() -> None:
    table = sapper("a....b", "..c...", ".....d", b="gunman", c="gunman", d="gunman")
    table.do(lay("B1"))
    table.do(SetOff(parse_square("B1")), (7,), SAVED, LOW, FAILED, LOW)
    assert lost(table) == {"c": 7}  # the sapper's own part is soaked by its plates
    assert [one.target for one in table.happened(ev.BurstCaught)] == ["a", "c"]


def test_cwn_a_walk_stops_where_a_mine_goes_off_and_may_continue() -> None:
    table = sapper("a....b", b="gunman")
    table.do(lay("B1"))
    table.do(lay("B1", is_free=True))
    table.turn_of("b").place("b", "D1")
    lines = table.walk("b", "B1")
    assert sum("triggers" in line for line in lines) == 2
    assert table.unit("b").turn.stride > 0


def test_cwn_a_way_past_a_mine_ends_there() -> None:
    table = sapper("a.....", ".....b", b="gunman")
    table.do(lay("B2"))
    table.place("b", "D2").turn_of("b")
    table.walk("b", "B2", "B1")
    assert table.unit("b").at == parse_square("B2")


def test_cwn_who_flies_steps_on_nothing() -> None:
    table = sapper("a....b", b="flyer")
    table.do(lay("B1"))
    table.turn_of("b").do(SetAltitude("b", 300))
    table.walk("b", "B1")
    assert len(table.battle.scene.charges) == 1


def test_cwn_one_who_laid_it_sets_it_off() -> None:
    table = sapper("a....b", b="gunman", weapon="anti-vehicle-mine")
    assert "it has laid no charge" in table.refusal(Act("a", "set-off", square=parse_square("B1")))
    table.do(lay("B1"))
    table.turn_of("b")
    table.walk("b", "B1")
    assert len(table.battle.scene.charges) == 1  # no step sets it off
    table.turn_of("a")
    assert "laid no charge on C1" in table.refusal(Act("a", "set-off", square=parse_square("C1")))
    table.do(Act("a", "set-off", square=parse_square("B1")), (12,), SAVED, LOW, FAILED, LOW)
    assert table.happened(ev.ChargeSetOff)
    assert table.battle.scene.charges == ()


def test_cwn_the_gm_lays_sets_off_and_takes_up_at_any_time() -> None:
    table = fight(CWN, "a....b", a="grenadier", b="gunman", is_begun=False).arm("a", "anti-personnel-mine")
    assert "no mine in hand" in table.arm("a", "club").refusal(lay("E1", is_free=True))
    table.arm("a", "anti-personnel-mine").do(lay("E1", is_free=True))  # far from where it stands
    table.do(ClearCharge(parse_square("E1")))
    table.arm("a", "anti-personnel-mine").do(lay("B1", is_free=True))
    assert table.do(ClearCharge(parse_square("B1"))) == ["GM: Anti-personnel mine on B1 removed."]
    assert "No charge is laid." in table.refusal(SetOff(parse_square("B1")))
    table.do(lay("B1", is_free=True))
    assert table.do(RemoveUnit("a"))[0] == "GM: Anti-personnel mine on B1 removed."


def test_cwn_no_player_sees_what_was_laid() -> None:
    table = sapper("a....b", b="gunman")
    table.do(lay("B1"))
    nothing = Memory({}, {})
    for side in ("law", "outlaws"):
        memory = remember(nothing, table.battle, side)
        assert seat_view(table.battle, table.rules, side, memory).charges == ()


def test_cwn_what_is_worn_besides_adds_to_the_armour() -> None:
    officer, clothes = ruleset(CWN).units.sheets["riot-officer"].stats, {"melee_ac": 14, "ranged_ac": 16}
    assert {name: officer[name] for name in clothes} == {"melee_ac": 14 + 4 + 1, "ranged_ac": 16 + 2 + 1}
    assert officer["shield"] is True
    assert ruleset(CWN).units.sheets["sapper"].stats["damage_soak"] == 5 + 3


def test_cwn_the_ready_made_opponents_are_those_of_the_table() -> None:
    """Role, hit points, ranged and melee Armor Class, attack bonus, save, Trauma Target, as printed."""
    table = {
        "basic-guard": (10, 16, 13, 1, 14, 6), "shield-bearer": (15, 21, 19, 5, 14, 9),
        "marksman": (30, 21, 19, 11, 12, 8), "operator": (20, 20, 20, 6, 13, 9),
        "gang-lieutenant": (30, 16, 16, 9, 12, 7), "gang-member": (5, 13, 13, 1, 14, 6),
        "security": (5, 13, 10, 1, 15, 6), "leader": (20, 19, 15, 7, 13, 8),
        "street-thug": (10, 10, 10, 1, 15, 6), "rifleman": (15, 17, 14, 5, 14, 8),
        "brawler": (15, 13, 14, 6, 14, 6), "gunman": (15, 10, 10, 6, 14, 6), "guard-dog": (10, 13, 13, 0, 14, 6),
    }  # fmt: skip
    asked = ("hit_points", "ranged_ac", "melee_ac", "attack_bonus", "evasion_save", "trauma_target")
    sheets = ruleset(CWN).units.sheets
    assert {role: tuple(sheets[role].stats[name] for name in asked) for role in table} == table
