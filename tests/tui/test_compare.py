"""One shot under every ruleset, on the command line and on the board. ALL-2: a unit's role has a sheet in each."""

from __future__ import annotations

import gc
import json
import weakref
from contextlib import closing
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.commands.unit_actions import Ready
from engine.values import replace
from rulesets import shipped_rulesets
from rulesets.characters import archetype
from tests.rules.table import ruleset
from tests.tui.play import NARROW, app_for, play, session_for
from tui.__main__ import main
from tui.application.library.battle_files import new_battle
from tui.application.reports.compare_report import Compared, compare, compare_json, entries_of
from tui.application.reports.odds_report import OddsQuery
from tui.application.reports.report_scene import scene_of
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.comparison import Comparison, card_text


def test_every_ruleset_has_its_row_and_its_bill(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "frontier-trail", "todd", "bandit"]) == 0
    out = capsys.readouterr().out
    table = out.partition("\n\n")[0].splitlines()[1:]
    assert len(table) == len(shipped_rulesets())
    assert all(row.count(" %") == 3 for row in table)
    assert out.count("\n  Roll ") == len(shipped_rulesets())


def test_for_scripts_it_is_what_odds_gives_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "frontier-trail", "todd", "bandit", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)["rulesets"]
    assert [one["ruleset"] for one in compared] == sorted(shipped_rulesets())
    for one in compared:
        main(["odds", "frontier-trail", "todd", "bandit", "--ruleset", one["ruleset"], "--json"])
        assert json.loads(capsys.readouterr().out) == one


@pytest.mark.slow
def test_a_battle_is_asked_with_its_own_rules_first_and_with_what_is_in_hand(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17")) as session:
        todd, rules = session.battle.unit("todd"), session.rules
        knife = next(weapon for weapon in todd.gear.weapons if rules.gear.weapons[weapon].kind == "melee")
        session.submit(Ready("todd", knife))
        name = session.journal.path.stem
    assert main(["compare", name, "todd", "bandit", "--json"]) == 0
    compared = json.loads(capsys.readouterr().out)["rulesets"]
    assert (compared[0]["ruleset"], compared[0]["weapon"]) == ("occult-ops", knife)
    assert not any(one["possible"] for one in compared), "nobody is in reach of a blade"


@pytest.mark.parametrize(
    ("words", "said"), [(("C3", "bandit"), "C3 is a square"), (("todd", "nobody"), "No unit or square is called")]
)
def test_ends_that_are_none_are_one_message(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    assert main(["compare", "frontier-trail", *words]) == 1
    assert capsys.readouterr().err.startswith(said)


@pytest.mark.long
def test_the_board_compares_the_shot_in_focus(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("C")
        assert "Choose a target" in screen.presenter.note
        await pilot.press("t", "C")
        sheet = pilot.app.screen
        assert isinstance(sheet, Comparison)
        while len(sheet.compared) < len(shipped_rulesets()):
            await pilot.pause(0.05)
        await pilot.pause()
        told = str(sheet.query_one(Static).content)
        assert [one.id for one in sheet.compared] == ["occult-ops", *sorted(set(shipped_rulesets()) - {"occult-ops"})]
        assert "59 %" in told
        assert "to go" not in told
        assert all(len(line) <= NARROW[0] - 16 for line in told.splitlines())
        assert len(told.splitlines()) <= NARROW[1] - 4, "the card is one screen"
        assert "Base to hit" not in told
        await pilot.press("r")
        assert "Base to hit" in str(sheet.query_one(Static).content)
        await pilot.press("r")
        assert str(sheet.query_one(Static).content) == told
        await pilot.press("escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_a_comparison_that_was_closed_is_not_kept(tmp_path: Path) -> None:
    """Threads of workers that wait for more work would keep it, its battle and all cached answers about it."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "C")
        sheet = pilot.app.screen
        assert isinstance(sheet, Comparison)
        while len(sheet.compared) < len(shipped_rulesets()):
            await pilot.pause(0.05)
        kept, own_lines = weakref.ref(sheet), weakref.ref(sheet._styles_cache)
        del sheet
        await pilot.press("escape")
        await pilot.pause()
        gc.unfreeze()
        gc.collect()
        assert kept() is None
        assert own_lines() is None

    play(app_for(tmp_path), script, NARROW)


def test_a_ruleset_without_the_attack_says_so_on_the_card() -> None:
    one = Compared("id", "A ruleset", reason="Todd has no weapon of this kind.")
    told = card_text("Todd → Bandit", [one, one], 3, 40, is_roomy=True).plain.splitlines()
    assert told[:5] == ["Todd → Bandit".ljust(40), "", "A ruleset".ljust(40), "no attack", one.reason.ljust(40)]
    assert told[5] == ""
    assert "3 to go" in told[-1]


@pytest.mark.parametrize("own", sorted(shipped_rulesets()))
def test_a_character_takes_the_role_of_the_same_kind_under_the_other_rulesets(own: str, tmp_path: Path) -> None:
    session = session_for(tmp_path, "frontier-trail", own)
    rules = session.rules
    people = {"todd": ("Anna Vale", "marksman"), "bandit": ("Bo Ram", "brawler")}
    units = dict(session.battle.units)
    for unit, (name, role) in people.items():
        sheet = replace(archetype(rules, role), name=name, role="", is_opponent=False)
        gear = replace(units[unit].gear, weapons=sheet.weapons, weapon=sheet.weapons[0])
        units[unit] = replace(units[unit], name=name, role="", character=sheet, gear=gear)
    scene = scene_of(replace(session.battle, units=units), rules)
    for other in sorted(set(shipped_rulesets()) - {own}):
        one = compare(scene, ruleset(other), OddsQuery("todd", "bandit"))
        labels = {name: ruleset(other).units.sheets[role].label for name, role in people.values()}
        assert one.answer is not None and dict(one.roles) == labels, one.reason
        assert one.answer.shot.ledger.is_possible
        assert one.roles_words in str(card_text("", [one], 0, 200, is_roomy=False))
        assert f"  {one.roles_words}" in entries_of(one)
        told = compare_json(scene, OddsQuery("todd", "bandit"), [one])["rulesets"][0]
        assert told["roles"] == labels and told["ruleset"] == other
