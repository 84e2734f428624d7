"""Units with a character's sheet in place of the ruleset's for their role."""

from __future__ import annotations

import pytest

from engine.battle.commands.gear_commands import Give, SetCharacter, SetStat
from engine.battle.commands.roster_commands import AddUnit
from engine.battle.commands.unit_edits import SetPool
from engine.battle.gear import stats_of
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.battle.views.unit_letters import assign_badges
from engine.battle.views.view import project
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.rules.table import Table, entry, fight

RIFLE = "assault-rifle-rng-13-legate"
ANNA = Character(
    "Anna",
    (("constitution", 70), ("long_arms", 63), ("bulk", 60)),
    (RIFLE, "fists"),
    "guard-kit",
    rounds=((RIFLE, 12),),
    attachments=(("scope", RIFLE),),
    pools=(("hp", 9),),
    letter="V",
    file="anna",
)


def joined(character: Character = ANNA) -> Table:
    table = fight("aog", "a.....", "......", a="gunman")
    table.do(AddUnit("", "outlaws", parse_square("F1"), character=character))
    return table


def test_it_joins_as_its_sheet_says() -> None:
    unit = joined().unit("anna")
    assert (unit.name, unit.gear.weapons, unit.gear.weapon) == ("Anna", (RIFLE, "fists"), RIFLE)
    assert (unit.gear.rounds[RIFLE], unit.conditions, unit.about) == (12, ("scope",), {"scope": RIFLE})
    assert (unit.pools["hp"], unit.role) == (9, "character")


def test_what_the_sheet_does_not_state_has_the_default_and_its_armour_counts() -> None:
    table = joined()
    stats = stats_of(table.rules, table.unit("anna"))
    assert (stats["long_arms"], stats["small_arms"]) == (63, table.rules.units.stats["small_arms"].default)
    worn = table.rules.gear.armour["guard-kit"].stats
    assert {name: stats[name] for name in worn} == dict(worn)
    assert pools_of(table.rules, table.unit("anna"))["hp"] == 13


def test_the_ledger_names_the_sheet_and_then_the_gm() -> None:
    table = joined()
    line = entry(table.shot(by="anna", at="a").ledger, "skill")
    assert line is not None and (line.value, line.because) == (63, "Long Arms; Long Arms 63 from Anna's sheet")
    table.do(SetStat("anna", "long_arms", 80))
    line = entry(table.shot(by="anna", at="a").ledger, "skill")
    assert line is not None and line.because == "Long Arms; Anna's Long Arms 80, set by the GM"
    assert table.do(SetStat("anna", "long_arms", 63)) == ["GM: Anna's Long Arms: 63, the sheet's value, was 80."]


def test_only_the_stats_that_a_line_uses_are_named() -> None:
    stats = (("long_arms", 63), ("short_melee", 41), ("small_arms", 48))
    line = entry(joined(replace(ANNA, stats=stats)).shot(by="anna", at="a").ledger, "skill")
    assert line is not None and line.because == "Long Arms; Long Arms 63 from Anna's sheet"


def test_a_new_sheet_leaves_wounds_and_rounds_as_they_are() -> None:
    table = joined()
    table.do(SetPool("anna", "hp", 6))
    better = replace(ANNA, stats=(("constitution", 90), ("bulk", 60)), weapons=(RIFLE, "combat-knife"))
    assert table.do(SetCharacter("anna", better)) == ["GM: Anna has Anna's sheet."]
    unit = table.unit("anna")
    assert (unit.pools["hp"], unit.gear.rounds[RIFLE], unit.gear.weapons) == (
        6 + 2,
        12,
        (RIFLE, "combat-knife", "fists"),
    )
    assert table.refusal(SetCharacter("anna", better)) == "Anna already has this sheet."


def test_a_sheet_may_be_given_to_one_who_has_none() -> None:
    table = joined()
    table.do(SetCharacter("a", replace(ANNA, pools=())))
    assert (table.unit("a").name, table.unit("a").character) == ("A", replace(ANNA, pools=()))
    table.do(Give("a", "combat-knife"))
    assert table.unit("a").gear.weapons == (RIFLE, "fists", "combat-knife")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (replace(ANNA, stats=(("ballistic_skill", 3),)), "No stat of Ashes of Gaia is called 'ballistic_skill'."),
        (replace(ANNA, weapons=("bow",)), "No weapon of Ashes of Gaia is called 'bow'."),
        (replace(ANNA, armour="plate"), "No armour of Ashes of Gaia is called 'plate'."),
        (replace(ANNA, attachments=(("scope", "bow"),)), "No weapon of Ashes of Gaia is called 'bow'."),
    ],
)
def test_a_sheet_of_another_ruleset_is_refused(wrong: Character, said: str) -> None:
    table = joined()
    for command in (AddUnit("", "outlaws", parse_square("E1"), character=wrong), SetCharacter("a", wrong)):
        assert table.refusal(command).startswith(said)


def test_it_has_the_letter_that_it_asks_for() -> None:
    table = joined()
    assert assign_badges([*table.battle.units.values()])["anna"] == "v"
    assert project(table.battle, table.rules).unit("anna").letter == "v"


def test_what_is_left_of_a_turn_is_counted_in_words() -> None:
    table = fight("volt", "a.b...", "......", a="gunman", b="gunman")
    labels = {(gauge.now, gauge.label) for gauge in project(table.battle, table.rules).unit("a").budget}
    assert (2, "half-moves") in labels and all(now != 2 or label.endswith("s") for now, label in labels)
