"""Six attacks of each ruleset, thrown a million times by rules written anew, against the odds that the program states.

The simulations beside this file have the chapter, the rulings and the numbers that `battleboard rules ID --json`
prints, and nothing of the program: `test_a_simulation_knows_nothing_of_the_program` holds that. Where they and the odds
differ by more than five standard deviations, one of the two has the chapter wrong.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.unit_actions import Face
from engine.geometry.squares import Direction
from rulesets import shipped_rulesets
from tests.rules.table import Table, fight, ruleset
from tests.simulation import aog, cwn, eva, occult_ops, volt
from tests.simulation.book import THROWS, Book, Numbers, Outcome, Simulated, ThrownDice
from tui.application.reports.act_report import act_json, weigh_act
from tui.application.reports.odds_report import OddsQuery, odds_json, preview_odds
from tui.application.reports.report_scene import scene_of
from tui.application.reports.rules_report import rules_json

HERE = Path(__file__).parent
SEED = 20_261_123
MOST = 5
"""Standard deviations of a million throws."""
UNPADDED = {"damage_soak": 0}
METRE = (1, "metres")
CRATE = '[legend]\n"c" = { object = "crate", height = 3, cover = "medium" }'
SANDBAGS = '[legend]\n"s" = "sandbags"'

Odds = Mapping[str, Any]
Scene = Callable[[Book, ThrownDice], tuple[Odds, Simulated]]
SCENES: dict[tuple[str, str], Scene] = {}


def scene(ruleset_id: str, attack: str) -> Callable[[Scene], Scene]:
    """Marks a function as the scene of an attack: what the program says of it, and what the simulation does."""

    def put(made: Scene) -> Scene:
        SCENES[ruleset_id, attack] = made
        return made

    return put


def odds(table: Table, weapon: str = "", action: str = "", by: str = "a", at: str = "b") -> Odds:
    """What `battleboard odds --json` says of an attack in this battle."""
    found = odds_json(preview_odds(scene_of(table.battle, table.rules), table.rules, OddsQuery(by, at, weapon, action)))
    assert found["possible"], found["reason"]
    return found


def opposed(table: Table, action: str) -> Odds:
    """What `battleboard odds --action --json` says of an opposed test."""
    found = act_json(weigh_act(scene_of(table.battle, table.rules), table.rules, OddsQuery("a", "b", action=action)))
    assert not found["refusal"]
    return found


def covered(found: Odds) -> float:
    """Share of the target's body behind cover: geometry, which the simulations take as given."""
    share: float = found["sight"]["covered"]
    return share


@cache
def book(ruleset_id: str) -> Book:
    return Book(json.loads(json.dumps(rules_json(ruleset(ruleset_id)))))


# --- Ashes of Gaia --------------------------------------------------------------------------------------------------


@scene("aog", "plain shot behind cover")
def aog_plain_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("aog", "a" + "." * 29 + "sb", a="gunman", b="civilian", toml=SANDBAGS, scale=METRE,
                  stats={"a": {"small_arms": 95}})  # fmt: skip
    found = odds(table)
    return found, aog.plain_shot(of, dice, 95, covered(found), "heavy", 31)


@scene("aog", "aimed shot at the head")
def aog_called_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("aog", "a" + "." * 39 + "b", a="marksman", b="rifleman", scale=METRE)
    table.do(Act("a", "aim"))
    return odds(table.turn_of("a"), action="called-head"), aog.called_shot(of, dice, 40)


@scene("aog", "third shot of full auto in dim light")
def aog_third_of_a_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight(
        "aog", "a" + "." * 19 + "b", a="machine-gunner", b="brawler", toml='[light]\nambient = "dim"', scale=METRE
    )
    for _ in range(2):
        table.do(Attack("a", "b", action="auto"), (90,))
    return odds(table, action="auto"), aog.third_of_a_burst(of, dice, 20)


@scene("aog", "strong attack with the shorter weapon")
def aog_strong_attack(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    stats = {"a": {"short_melee": 95, "damage_modifier": 2}}
    table = fight("aog", "ab", a="gunman", b="brawler", stats=stats, scale=METRE).arm("a", "combat-knife")
    return odds(table, action="strong"), aog.strong_attack(of, dice, 95, 2)


@scene("aog", "closing in")
def aog_closing_in(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("aog", "ab", a="gunman", b="brawler", scale=METRE).arm("a", "combat-knife")
    return opposed(table, "close-in"), aog.closing_in(of, dice)


@scene("aog", "shot into melee")
def aog_into_melee(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("aog", "a.......cb", a="gunman", c="civilian", b="civilian", allies="c", scale=METRE)
    return odds(table), aog.into_melee(of, dice, 9)


@scene("aog", "grenade")
def aog_grenade(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ["." * 40 for _ in range(31)]
    rows[15] = "a.........b" + "." * 29
    rows[9] = "." * 16 + "c" + "." * 23
    table = fight("aog", *rows, a="grenadier", b="rifleman", c="brawler", scale=METRE)
    units = {"a": ("grenadier", (0, 15)), "b": ("rifleman", (10, 15)), "c": ("brawler", (16, 9))}
    return odds(table), aog.grenade(of, dice, (10, 15), (0, 15), (40, 31), units)


# --- VOLT -----------------------------------------------------------------------------------------------------------


@scene("volt", "directed shot at a firing position")
def volt_directed_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("volt", "a" + "." * 19 + "sb", a="gunman", b="rifleman", toml=SANDBAGS)
    found = odds(table.condition("b", "in_position"))
    return found, volt.directed_shot(of, dice, covered(found), 21)


@scene("volt", "aimed shot beyond the weapon's range")
def volt_aimed_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("volt", "a" + "." * 319 + "b", a="rifleman", b="gunman")
    table.do(Act("a", "aim", "b"))
    return odds(table.turn_of("a")), volt.aimed_shot(of, dice, 320)


@scene("volt", "burst at a target on the move")
def volt_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("volt", "." * 41, "a" + "." * 39 + "b", b="rifleman", a="rifleman")
    table.walk("b", "AM2", action="move")
    return odds(table.turn_of("a"), action="burst"), volt.burst(of, dice, 40)


@scene("volt", "two shots in a snap")
def volt_fast_snap(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("volt", "a" + "." * 11 + "b", a="gunman", b="civilian")
    table.do(Face("a", Direction.W))
    return odds(table.turn_of("a"), action="fast"), volt.fast_snap(of, dice, 12)


@scene("volt", "blow with a club, counterattacked")
def volt_blow(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("volt", "ab", a="brawler", b="shield-bearer")
    return odds(table), volt.blow(of, dice)


@scene("volt", "grenade")
def volt_grenade(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ["." * 40 for _ in range(31)]
    rows[15] = "a" + "." * 19 + "b" + "." * 19
    rows[12] = "." * 23 + "c" + "." * 16
    table = fight("volt", *rows, a="grenadier", b="rifleman", c="civilian")
    units = {"a": ("grenadier", (0, 15)), "b": ("rifleman", (20, 15)), "c": ("civilian", (23, 12))}
    return odds(table), volt.grenade(of, dice, (20, 15), (0, 15), (40, 31), units)


# --- Occult Ops -----------------------------------------------------------------------------------------------------


@scene("occult-ops", "the chapter's example")
def occult_ops_plain_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    found = odds(fight("occult-ops", "a..cb", a="gunman", b="gunman", toml=CRATE))
    return found, occult_ops.plain_shot(of, dice, covered(found))


@scene("occult-ops", "aimed shot at a dodging target")
def occult_ops_aimed_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("occult-ops", "a" + "." * 29 + "b", a="marksman", b="rifleman").condition("b", "dodging")
    return odds(table, action="aimed"), occult_ops.aimed_shot(of, dice, 150)


@scene("occult-ops", "long burst at a prone target")
def occult_ops_long_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("occult-ops", "a" + "." * 9 + "b", a="rifleman", b="brawler")
    table.posture("a", "kneeling").posture("b", "prone")
    return odds(table, action="long-burst"), occult_ops.long_burst(of, dice, 50)


@scene("occult-ops", "leap at a prone target")
def occult_ops_leap(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("occult-ops", "a.b", a="brawler", b="civilian").posture("b", "prone").arm("a", "punch")
    return odds(table, action="leap-attack"), occult_ops.leap_attack(of, dice)


@scene("occult-ops", "short burst at armour nearly shot away")
def occult_ops_short_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    stats = {"b": {"armour_points": 9}}
    table = fight("occult-ops", "a" + "." * 29 + "b", a="machine-gunner", b="drone", stats=stats)
    return odds(table, action="short-burst"), occult_ops.short_burst(of, dice, 150, 9)


@scene("occult-ops", "grenade")
def occult_ops_grenade(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ["." * 17 for _ in range(13)]
    rows[6] = "a......b" + "." * 9
    rows[4] = "." * 9 + "c" + "." * 7
    table = fight("occult-ops", *rows, a="grenadier", b="gunman", c="civilian")
    units = {"a": ("grenadier", (0, 6)), "b": ("gunman", (7, 6)), "c": ("civilian", (9, 4))}
    return odds(table), occult_ops.grenade(of, dice, (7, 6), (0, 6), units, "b")


# --- Cities Without Number ------------------------------------------------------------------------------------------


@scene("cwn", "pistol past its range at a target behind cover")
def cwn_plain_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("cwn", "a" + "." * 17 + "sb", a="brawler", b="gunman", toml=SANDBAGS, scale=METRE)
    found = odds(table.arm("a", "heavy-pistol"))
    return found, cwn.plain_shot(of, dice, covered(found), 19)


@scene("cwn", "snap attack")
def cwn_snap_attack(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("cwn", "a.......b", a="flyer", b="drone")
    return odds(table, action="snap"), cwn.snap_attack(of, dice)


@scene("cwn", "burst at a prone target")
def cwn_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("cwn", "a.......b", a="rifleman", b="leader").posture("b", "prone")
    return odds(table, action="burst"), cwn.burst(of, dice)


@scene("cwn", "blow with Shock")
def cwn_blow(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("cwn", "ab", a="machine-gunner", b="leader", stats={"b": UNPADDED}).arm("a", "club")
    return odds(table), cwn.blow(of, dice, UNPADDED)


@scene("cwn", "swarm of three against a shield")
def cwn_swarm(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ("c..", "ab.", "d..")
    stats = {"b": {**UNPADDED, "melee_ac": 20, "shield": True}}
    table = fight("cwn", *rows, a="gunman", b="leader", c="gunman", d="gunman", allies="cd", stats=stats)
    for one in "acd":
        table.arm(one, "knife")
    for one in "acd":
        while table.battle.turns.active != one:
            table.do(EndTurn())
        table.do(Act(one, "swarm", "b"))
    return odds(table, action="swarm-attack", by="d"), cwn.swarm(of, dice, 2, stats["b"])


@scene("cwn", "grenade")
def cwn_grenade(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ["." * 17 for _ in range(13)]
    rows[6] = "...a....b" + "." * 8
    rows[4] = "." * 10 + "c" + "." * 6
    table = fight("cwn", *rows, a="grenadier", b="gunman", c="rifleman", scale=(2, "metres"))
    units = {"a": ("grenadier", (3, 6)), "b": ("gunman", (8, 6)), "c": ("rifleman", (10, 4))}
    return odds(table), cwn.grenade(of, dice, (8, 6), units)


# --- Evangelion d100 ------------------------------------------------------------------------------------------------


@scene("eva", "standard attack behind sandbags")
def eva_plain_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    found = odds(fight("eva", "a" + "." * 17 + "sb", a="gunman", b="rifleman", toml=SANDBAGS))
    return found, eva.plain_shot(of, dice, covered(found), 19)


@scene("eva", "aimed shot at a deflector")
def eva_aimed_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    stats = {"b": {"deflector_strength": 55}}
    table = fight("eva", "a" + "." * 149 + "b", a="marksman", b="leader", stats=stats)
    table.do(Act("a", "aim-well"))
    return odds(table.turn_of("a")), eva.aimed_shot(of, dice, 150, stats["b"])


@scene("eva", "called shot at the head with a shotgun")
def eva_called_shot(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("eva", "a" + "." * 11 + "b", a="rifleman", b="gunman").arm("a", "shotgun")
    return odds(table, action="called-head"), eva.called_shot(of, dice, 12)


@scene("eva", "heavy attack, parried")
def eva_heavy_attack(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    return odds(fight("eva", "ab", a="brawler", b="shield-bearer"), action="heavy"), eva.heavy_attack(of, dice)


@scene("eva", "bare hands")
def eva_fists(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("eva", "ab", a="brawler", b="civilian").arm("a", "unarmed")
    return odds(table), eva.fists(of, dice)


@scene("eva", "burst of four, dodged")
def eva_burst(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("eva", "a" + "." * 29 + "b", a="rifleman", b="brawler")
    return odds(table, action="burst-4"), eva.burst(of, dice, 30, 4)


@scene("eva", "suppressive fire on three")
def eva_suppressive_fire(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = (".............c..", "a..........b....", "..............d.")
    table = fight("eva", *rows, a="rifleman", b="civilian", c="brawler", d="leader")
    units = (("b", "civilian"), ("c", "brawler"), ("d", "leader"))
    return odds(table, action="suppress-semi"), eva.suppressive_fire(of, dice, units)


@scene("eva", "knock down after a half move")
def eva_knock_down(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    table = fight("eva", "a..b", a="gunman", b="brawler")
    table.walk("a", "C1", action="half-move")
    return opposed(table, "knock-down"), eva.knock_down(of, dice)


@scene("eva", "grenade")
def eva_grenade(of: Book, dice: ThrownDice) -> tuple[Odds, Simulated]:
    rows = ["." * 30 for _ in range(19)]
    rows[9] = "a.........b" + "." * 19
    rows[6] = "." * 13 + "c" + "." * 16
    table = fight("eva", *rows, a="grenadier", b="rifleman", c="leader")
    units = {"a": ("grenadier", (0, 9)), "b": ("rifleman", (10, 9)), "c": ("leader", (13, 6))}
    return odds(table), eva.grenade(of, dice, (10, 9), (0, 9), units)


# --- The comparison -------------------------------------------------------------------------------------------------


def test_every_ruleset_has_six_attacks() -> None:
    for ruleset_id in shipped_rulesets():
        assert len([attack for one, attack in SCENES if one == ruleset_id]) >= 6, ruleset_id


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset_id", "attack"), sorted(SCENES))
def test_the_odds_are_those_of_a_simulation(ruleset_id: str, attack: str) -> None:
    found, simulated = SCENES[ruleset_id, attack](book(ruleset_id), ThrownDice(SEED))
    apart = [*differences(found, simulated)]
    assert not apart, "\n".join(apart)


def differences(found: Odds, simulated: Simulated) -> Iterator[str]:
    """A line for each number that lies farther off than chance explains."""
    if simulated.wins is not None:
        yield from off("wins", found["chance"], simulated.wins)
        return
    if simulated.plain is not None:
        yield from off("hit", found["chance"]["hit"], simulated.plain.hit)
        for grade, thrown in simulated.plain.graded.items():
            yield from off(grade, found["chance"]["grades"][grade], thrown)
        yield from outlook_differences("", found["outlook"], simulated.plain)
    if simulated.defended is None:
        assert simulated.plain is None or found["defended"] is None, "the program expects a defence"
    else:
        assert found["defended"] is not None, "the program expects no defence"
        yield from off("hit after the defence", found["defended"]["hit"], simulated.defended.hit)
        yield from outlook_differences(" after the defence", found["defended"], simulated.defended)
    area_risks = {risk["id"]: risk for risk in found["area_risks"]}
    for unit, outcome in simulated.caught.items():
        if unit not in area_risks:
            yield from off(f"{unit} caught", [0, 1], outcome.hit)
            continue
        yield from off(f"{unit} caught", area_risks[unit]["caught"], outcome.hit)
        yield from outlook_differences(f" of {unit}", area_risks[unit], outcome)


def outlook_differences(of: str, stated: Odds, outcome: Outcome) -> Iterator[str]:
    """The same for what an attack does to its target."""
    assert stated["unsettled"] == [0, 1]
    yield from off(f"hurt{of}", stated["hurt"], outcome.damage > 0)
    yield from off(f"out{of}", stated["drop"], outcome.out)
    yield from off(f"damage{of}", stated["expected_damage"], outcome.damage)
    for label, thrown in outcome.worn.items():
        yield from off(f"{label}{of}", stated["worn"].get(label, [0, 1]), thrown)
    harms = {harm["label"]: harm["chance"] for harm in stated["harms"]}
    for label, thrown in outcome.harms.items():
        yield from off(f"{label}{of}", harms[label], thrown)


def off(name: str, stated: list[int], thrown: Numbers) -> Iterator[str]:
    """A line where a mean is farther from the stated number than a million throws are off by chance."""
    exact, mean = float(Fraction(*stated)), float(thrown.mean())
    spread = sqrt(max(exact * (1 - exact), 0)) if thrown.dtype == bool else float(thrown.std())
    sigma = spread / sqrt(THROWS)
    if abs(mean - exact) > MOST * sigma + 1e-12:
        far = f"{abs(mean - exact) / sigma:.1f} σ" if sigma else "never by chance"
        yield f"{name}: {mean:.6f} thrown, {exact:.6f} stated, {far}"


# --- Independence ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("module", sorted(path for path in HERE.glob("*.py") if not path.name.startswith("test_")))
def test_a_simulation_knows_nothing_of_the_program(module: Path) -> None:
    """It imports the standard library, numpy and its neighbours here, and reads no file."""
    imported = {name for name in imports(module) if not name.startswith("tests.simulation.")}
    assert {name.split(".")[0] for name in imported} <= {*sys.stdlib_module_names, "numpy"}
    assert imported.isdisjoint({"importlib", "subprocess", "runpy", "pathlib", "os", "sys"})
    names = {node.id for node in ast.walk(ast.parse(module.read_text())) if isinstance(node, ast.Name)}
    assert names.isdisjoint({"open", "exec", "eval", "compile", "__import__"})


def imports(module: Path) -> Iterator[str]:
    """Modules that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(module.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield node.module or ""
