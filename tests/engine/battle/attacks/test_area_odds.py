"""Attacks on an area, unit by unit: the exact chances against throws and sweeps that are rolled and counted."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from unittest.mock import patch

import pytest

from engine.battle.attacks import damage_odds
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview, DamageOdds
from engine.battle.attacks.blast_rings import rings_of
from engine.battle.attacks.blasts import go_off
from engine.battle.attacks.making_attacks import _sweep
from engine.battle.attacks.play import PlayDriver
from engine.battle.attacks.resolve import defended, follow
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.defence_choices import NOBODY_ASKED
from engine.battle.event_builder import EventBuilder
from engine.battle.narration.preview_text import risk_words
from engine.context import Cache
from engine.dice.sources import SeededSource, roll
from engine.errors import BattleboardError
from engine.rules.roll_odds import judge
from rulesets import shipped_rulesets
from tests.engine.battle.attacks.test_damage_odds import Result, agrees, result
from tests.examples import sample
from tests.rules.table import Table, fight, ruleset
from tui.view.panels.attack_panel import shot_text
from tui.view.panels.receipt import receipt_text

ROW = "a...bc"


def areas(name: str) -> tuple[tuple[Table, AttackPreview], ...]:
    """Under one ruleset, one attack with each weapon that bursts or sweeps."""
    found: list[tuple[Table, AttackPreview]] = []
    rules = ruleset(name)
    for weapon, action in product(rules.gear.weapons, rules.actions.values()):
        bursts = rules.gear.weapons[weapon].kind == "thrown" or action.cone is not None
        if (
            action.kind != "attack"
            or not bursts
            or (found and found[-1][1].situation.weapon.id == weapon and action.cone is None)
        ):
            continue
        here = fight(name, ROW, a="gunman", b="gunman", c="civilian").arm("a", weapon)
        try:
            shot = with_odds(here.battle, here.rules, here.shot(weapon, action.id))
        except BattleboardError:  # it does not fit the weapon
            continue
        if shot.area_risks:
            found.append((here, shot))
    return tuple(found)


def rolled(here: Table, shot: AttackPreview, dice: SeededSource) -> dict[str, Result]:
    """One attack as the battle makes it, from its roll on."""
    rules, made = here.rules, roll(here.rules.attack.test.dice, dice, "attack")
    grade = judge(rules, shot.situation.facts, shot.ledger, made.total, made.dice)
    draft, blow = EventBuilder(here.battle, rules), Blow(shot.situation, shot.ledger, made.total, grade, made.dice)
    if shot.caught is not None:
        _sweep(draft, blow, shot.caught, dice, NOBODY_ASKED)
    else:
        if not grade.is_hit:
            PlayDriver(draft, dice).run(defended(blow, follow))
        if grade.goes_off:
            go_off(draft, blow, rings_of(here.battle.field, rules, shot.situation, shot.ledger), dice, NOBODY_ASKED)
    return {unit: result(rules, here.battle.unit(unit), draft.battle.unit(unit)) for unit in here.battle.units}


def counted(here: Table, shot: AttackPreview, dice: SeededSource, rolls: int) -> None:
    """Every chance of every unit within five standard deviations of what was counted."""
    results: dict[str, Counter[Result]] = {unit: Counter() for unit in here.battle.units}
    for _ in range(rolls):
        for unit, found in rolled(here, shot, dice).items():
            results[unit][found] += 1
    for risk in shot.area_risks:
        assert sum(chance for _, chance in risk.outlook.damage) + risk.outlook.unsettled == 1
        agrees(risk.outlook, results[risk.unit.id], rolls)
    for unit in results.keys() - {risk.unit.id for risk in shot.area_risks}:
        assert set(results[unit]) == {(0, False)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_throws_and_sweeps_come_out_as_the_odds_say(name: str) -> None:
    found = areas(name)
    assert found
    for here, shot in (found[0], found[-1]):
        counted(here, shot, SeededSource(f"areas {name}"), 150)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_many_throws_and_sweeps_come_out_as_the_odds_say(name: str) -> None:
    for here, shot in areas(name):
        counted(here, shot, SeededSource(f"areas {name}"), 600)


@pytest.mark.long
@pytest.mark.parametrize("name", sample(["cwn", "eva", "aog"]))
def test_those_struck_together_come_out_as_each_by_itself(name: str) -> None:
    """What is worked out once for all of them comes to the digit to what it is when nobody is looked at besides."""
    swept = [(here, shot) for here, shot in areas(name) if shot.caught is not None]
    assert swept
    for here, shot in swept:
        with (
            patch.object(damage_odds, "_outlooks", Cache[DamageOdds](8)),
            patch.object(damage_odds, "state_by_state", lambda course, blow, start: None),
        ):
            assert with_odds(here.battle, here.rules, shot).area_risks == shot.area_risks


def test_a_single_target_is_in_no_peril_of_an_area() -> None:
    here = fight("cwn", "a...b", a="gunman", b="gunman")
    assert with_odds(here.battle, here.rules, here.shot()).area_risks == ()


@pytest.mark.long
def test_what_a_cone_catches_it_catches_for_certain() -> None:
    _, shot = next(one for one in areas("eva") if one[1].caught is not None)
    assert {risk.caught for risk in shot.area_risks} == {Fraction(1)}
    assert [risk.unit.id for risk in shot.area_risks] == [unit.id for unit in shot.caught or ()]


def test_the_panel_names_those_in_peril_and_the_receipt_all() -> None:
    here = fight("cwn", ROW, a="gunman", b="gunman", c="civilian").arm("a", "frag-grenade")
    shot = with_odds(here.battle, here.rules, here.shot("frag-grenade"))
    caught = {risk.unit.id: risk for risk in shot.area_risks}
    panel = shot_text(shot, here.rules, 80, 40).plain
    assert "\nB " in panel and "99 %" in panel
    assert risk_words(caught["b"]).startswith(f"{here.unit('b').name}, in the area ")
    assert risk_words(caught["c"]) in receipt_text(shot, here.battle, here.rules, 80).plain
