"""Names of units that join: a noun, a number, one more word where two groups have one noun."""

from __future__ import annotations

from engine.battle.commands.roster_commands import AddGroup, AddUnit, CopyUnit, RemoveUnit, RenameUnit
from engine.battle.state.characters import Character
from engine.geometry.squares import parse_square as at
from tests.rules.table import Table, fight


def room() -> Table:
    return fight("cwn", "a.........", "..........", "..........", "..........", a="leader", allies="a")


def names(table: Table) -> list[str]:
    return [unit.name for unit in table.battle.units.values()][1:]


def add(role: str = "gunman", name: str = "", count: int = 1, **more: bool) -> AddUnit:
    return AddUnit(role, "gang", at("E2"), name, count, **more)


def test_a_line_of_opponents_is_called_by_its_noun_and_its_sheets_by_the_full_name() -> None:
    table = room()
    table.do(add(count=2, name="Veteran gang gunman"))
    assert names(table) == ["gunman 1", "gunman 2"]
    assert [unit.sheet_name for unit in table.battle.units.values()][1:] == [
        "Veteran gang gunman 1",
        "Veteran gang gunman 2",
    ]


def test_a_single_one_has_the_noun_alone_and_more_of_it_are_two_and_three() -> None:
    table = room()
    for _ in range(2):
        table.do(add(count=1, name="Veteran gang gunman"))
    table.do(CopyUnit("gunman", at("E2")))
    assert names(table) == ["gunman", "gunman 2", "gunman 3"]


def test_the_later_of_two_groups_with_one_noun_has_the_nearest_word_that_tells_it() -> None:
    table = room()
    for kind in ("Gang guard", "Veteran gang guard", "Guard"):
        own = Character(kind, is_opponent=True, role="gunman")
        table.do(AddUnit("", "gang", at("E2"), count=2, character=own))
    assert names(table) == ["guard 1", "guard 2", "veteran guard 1", "veteran guard 2", "guard 3", "guard 4"]


def test_hidden_ones_have_the_last_numbers_and_no_number_is_used_again() -> None:
    table = room()
    table.do(AddGroup((add(count=2, is_hidden=True), add(count=2))))
    assert {unit.name: unit.is_hidden for unit in table.battle.units.values() if unit.side == "gang"} == {
        "gunman 1": False,
        "gunman 2": False,
        "gunman 3": True,
        "gunman 4": True,
    }
    table.do(RemoveUnit("gunman-2"))
    table.do(add())
    assert names(table)[-1] == "gunman 5" and "gunman 3" in names(table), "nobody's number changes"


def test_a_name_that_was_typed_and_a_heros_stay_as_they_are() -> None:
    table = room()
    table.do(add(count=2, name="Big Goon"))
    table.do(AddUnit("", "a", at("B2"), character=Character("Anna Vale", role="leader")))
    table.do(RenameUnit("big-goon-2", "Otto"))
    assert names(table) == ["Big Goon 1", "Otto", "Anna Vale"]
