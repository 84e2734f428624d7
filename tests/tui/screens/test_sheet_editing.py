"""A unit's sheet opens in the form from the board, and changes this battle, the file, or both."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.carry_over import differences
from engine.battle.commands.gear_commands import Give, SetStat
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import SetPool
from engine.battle.gear import stats_of
from engine.battle.state.characters import Character
from engine.geometry.squares import parse_square
from engine.journal.session import Session
from engine.values import replace
from tests.rules.table import Table, fight
from tests.tui.play import NARROW, app_for, play
from tui.application.library.character_files import read_character
from tui.view.characters.form_screen import CharacterForm
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.sheet_editing import battle_edits, edits_with_file, sheet_in_battle, with_wounds

RIFLE = "assault-rifle-rng-13-legate"


def active(session: Session) -> str:
    return session.battle.turns.active


async def change_first_number(pilot: Pilot[None], answer: str) -> str:
    """Opens the form of the active unit, types 7 into the first number of the second page, saves; gives the stat."""
    await pilot.press("r", "e", answer)
    await pilot.pause()
    form = pilot.app.screen
    assert isinstance(form, CharacterForm)
    await pilot.press("tab")
    while form.form.field.kind != "number":
        await pilot.press("down")
    stat = form.form.field.id
    await pilot.press("7", "enter", "s")
    await pilot.pause()
    await pilot.press("escape")
    await pilot.pause()
    return stat


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "in_battle", "in_file"), [("1", True, False), ("2", False, True), ("3", True, True)]
)
def test_the_form_changes_what_was_chosen(tmp_path: Path, answer: str, in_battle: bool, in_file: bool) -> None:
    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        session = board.session
        unit, before = active(session), len(session.history.steps())
        stat = await change_first_number(pilot, answer)
        assert isinstance(pilot.app.screen, BattleScreen)
        assert (stats_of(session.rules, session.battle.unit(unit))[stat] == 7) is in_battle
        assert len(session.history.steps()) == before + in_battle
        files = list((tmp_path / "data").glob("characters/*.toml"))
        assert bool(files) is in_file
        if in_file:
            assert dict(read_character(files[0].stem, session.rules).character.stats)[stat] == 7

    play(app_for(tmp_path), script, NARROW)


def anna_in_battle() -> tuple[Table, Character]:
    """Anna, wounded, with a club and a stat of the GM's, and the sheet that she began with."""
    anna = Character(
        "Anna", (("long_arms", 63),), (RIFLE, "pistol-delmar-r9"), rounds=((RIFLE, 12),), pools=(("hp", 9),)
    )
    table = fight("aog", "a.....", "......", a="gunman")
    table.do(AddUnit("", "outlaws", parse_square("F1"), character=anna))
    for command in (SetPool("anna", "hp", 6), Give("anna", "combat-knife"), SetStat("anna", "dodge", 40)):
        table.do(command)
    return table, anna


def test_the_form_of_this_battle_shows_its_wounds_and_changes_them_and_leaves_the_sheet_to_its_file() -> None:
    table, anna = anna_in_battle()
    unit, rules = table.unit("anna"), table.rules
    before = with_wounds(sheet_in_battle(unit, rules), unit, rules)
    assert (dict(before.pools)["hp"], dict(before.rounds)[RIFLE], before.weapons[-1]) == (6, 12, "combat-knife")
    after = replace(
        before,
        stats=(("long_arms", 70),),
        pools=(("hp", 8),),
        rounds=(),
        weapons=(RIFLE, "combat-knife"),
        armour="kevlar-vest",
        attachments=(("scope", RIFLE),),
    )
    table.do(EditUnits(battle_edits(unit, rules, before, after)))
    unit = table.unit("anna")
    assert unit.character == anna
    now = with_wounds(sheet_in_battle(unit, rules), unit, rules)
    assert replace(now, stats=()) == replace(after, stats=())
    assert {one.key[1]: one.after for one in differences(rules, unit) if one.kind == "stat"} == {"long_arms": 70}


def test_the_form_of_both_keeps_what_else_the_battle_has_changed() -> None:
    table, anna = anna_in_battle()
    unit, rules = table.unit("anna"), table.rules
    after = replace(anna, stats=(("long_arms", 70),), pools=(("hp", 5),))
    table.do(EditUnits(edits_with_file(unit, rules, anna, after)))
    unit = table.unit("anna")
    assert (unit.character, unit.pools["hp"], unit.gear.rounds[RIFLE]) == (after, 5, 12)
    assert {one.key: one.after for one in differences(rules, unit)} == {
        ("stat", "dodge"): 40,
        ("weapon", "combat-knife"): True,
    }


def test_an_archetype_becomes_a_stat_block_that_fights_alike(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], board: BattleScreen) -> None:
        session = board.session
        for unit in session.battle.units.values():
            sheet = sheet_in_battle(unit, session.rules)
            assert sheet.weapons == tuple(
                one for one in unit.gear.weapons if one not in session.rules.gear.innate_weapons
            )
            assert sheet.is_opponent

    play(app_for(tmp_path), script, NARROW)
