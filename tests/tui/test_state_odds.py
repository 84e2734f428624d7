"""Odds of conditions, postures and lost weapons where they are shown: panel, report, JSON, lists of actions."""

from __future__ import annotations

import pytest

from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import AttackPreview
from engine.dice.dice_text import percent
from engine.generators import result_of
from tests.rules.table import Table, fight
from tui.application.focus.focus import Focus
from tui.application.presenter.action_rows import action_choices, with_numbers
from tui.application.reports.odds_report import OddsQuery, odds_json, odds_words, preview_odds
from tui.application.reports.report_scene import scene_of
from tui.view.panels.attack_panel import shot_text

NARROW, WIDE = (30, 17), (44, 34)
"""Cells and rows of the Shot panel at 80×24 and at 120×40."""


def previewed(here: Table, action: str) -> AttackPreview:
    return with_odds(here.battle, here.rules, here.shot(action=action))


def trip() -> Table:
    return fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "kick")


def chance_of(shot: AttackPreview, state: str) -> str:
    assert shot.outlook is not None
    return next(f"{one.label} {percent(chance)}" for one, chance in shot.outlook.outcomes if one.id == state)


@pytest.mark.parametrize(("width", "height"), [NARROW, WIDE])
def test_the_panel_says_what_an_attack_without_damage_is_made_for(width: int, height: int) -> None:
    here = trip()
    shot = previewed(here, "trip")
    text = shot_text(shot, here.rules, width, height).plain
    assert f"\n{chance_of(shot, 'prone')} · no damage" in text
    assert text.startswith(f" HIT {percent(shot.odds.hit)} ")
    assert "wounds" not in text and "armour points 0" not in text
    assert len(text.split("\n")) <= height


@pytest.mark.parametrize(("width", "height"), [NARROW, WIDE])
def test_the_panel_says_it_beside_the_damage(width: int, height: int) -> None:
    here = fight("occult-ops", "ab", a="brawler", b="gunman").arm("a", "punch")
    shot = previewed(here, "tackle")
    text = shot_text(shot, here.rules, width, height).plain
    assert text.startswith(f" HIT {percent(shot.odds.hit)} ")
    assert "wounds" in text and chance_of(shot, "prone") in text
    assert len(text.split("\n")) <= height


def test_the_report_says_every_chance_and_json_has_the_fractions() -> None:
    here = trip()
    answer = preview_odds(scene_of(here.battle, here.rules), here.rules, OddsQuery("a", "b", "kick", "trip"))
    shot = answer.shot
    lines = odds_words(answer)
    assert any(line.startswith(f"  The target: {chance_of(shot, 'prone')}, ") for line in lines)
    assert lines[-1].endswith("no damage.") or any("no damage." in line for line in lines)
    assert not any("Wounds 0 %" in line for line in lines)
    found = odds_json(answer)["outlook"]["outcomes"]
    assert found[0] == {
        "id": "prone",
        "label": "prone",
        "whom": "target",
        "chance": [found[0]["chance"][0], found[0]["chance"][1]],
        "percent": found[0]["percent"],
    }
    assert found[0]["chance"][0] / found[0]["chance"][1] * 100 == pytest.approx(found[0]["percent"])
    assert {each["whom"] for each in found} == {"target", "attacker"}


def test_the_card_of_actions_says_the_chance_of_an_attack_that_can_do_no_damage() -> None:
    for here, name, state, other in (
        (trip(), "trip", "prone", "knee"),
        (fight("eva", "ab", a="brawler", b="gunman"), "take-down", "stunned", "standard"),
    ):
        focus = Focus(unit="a", target="b")
        choices = {one.id: one for one in action_choices(focus, here.battle, here.rules)}
        found, harms = (result_of(with_numbers(choices[one], focus, here.battle, here.rules)) for one in (name, other))
        shot = previewed(here, name)
        assert found.cells[1:] == (percent(shot.odds.hit).replace(" ", ""), "·", "0%")
        assert found.says.endswith(f", {chance_of(shot, state)}.")
        assert float(harms.cells[2]) > 0 and harms.says == choices[other].says


def test_a_grenade_that_blinds_says_so_for_each_unit() -> None:
    here = fight("occult-ops", "a....bc", a="grenadier", b="gunman", c="civilian").arm("a", "flash-grenade")
    shot = with_odds(here.battle, here.rules, here.shot("flash-grenade"))
    assert shot.area_risks
    rows = shot_text(shot, here.rules, *WIDE).plain.split("\n")
    for risk in shot.area_risks:
        ((state, chance),) = risk.outlook.outcomes
        said = f"{risk.unit.name}, in the area {percent(risk.caught)}: {state.label} {percent(chance)}"
        assert state.id == "blinded" and any(row.removeprefix("! ") == said for row in rows)
