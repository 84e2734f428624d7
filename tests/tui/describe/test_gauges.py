"""Numbers that belong together: in one line of the unit's panel and of what is said of it in words."""

from __future__ import annotations

import pytest

from engine.battle.commands.unit_edits import SetPool
from engine.battle.views.view import Gauge, project
from engine.errors import Unreadable
from tests.rules.table import Table, fight
from tests.rulesets.texts import small
from tui.application.describe.gauges import lines_of, together
from tui.view.panels.unit_panel import unit_text


def armour(**numbers: tuple[int, int]) -> list[Gauge]:
    return [Gauge(name, name, now, full, "armour", name.split("_")[0]) for name, (now, full) in numbers.items()]


def test_parts_alike_stand_together_and_those_without_are_left_out() -> None:
    found = armour(head=(4, 4), arms=(8, 8), torso=(8, 8), legs=(0, 0))
    assert together(found) == "head 4 · arms, torso 8"


def test_several_numbers_of_a_part_are_joined_and_one_that_went_down_says_what_it_was() -> None:
    found = armour(head_p=(3, 4), head_e=(2, 2), legs_p=(0, 4), legs_e=(2, 2))
    assert together(found) == "head 3(4)/2 · legs 0(4)/2"


def test_a_group_stands_where_its_first_is() -> None:
    others = [Gauge("hp", "hits", 9, 9), *armour(head=(4, 4)), Gauge("fatigue", "fatigue", 3, 3), *armour(legs=(2, 2))]
    assert [(group, [one.id for one in held]) for group, held in lines_of(others)] == [
        ("", ["hp"]),
        ("armour", ["head", "legs"]),
        ("", ["fatigue"]),
    ]


def clad() -> Table:
    table = fight("aog", "a..b", a="machine-gunner", b="gunman")
    table.do(SetPool("a", "torso_piercing_armour", 1))
    return table


def test_the_armour_of_every_location_takes_a_row_or_two_of_the_panel() -> None:
    table = clad()
    seen = project(table.battle, table.rules).unit("a")
    rows = unit_text(seen, "m", 36).plain.split("\n")
    held = [row for row in rows if "/" in row and "━" not in row]
    assert held[0].startswith("armour p/e/pr ")
    assert len(held) <= 3
    assert "1(" in " ".join(held)
    assert not any("Torso, piercing" in row for row in rows)  # the sheet's figures stand in that line
    assert all(len(row) <= 36 for row in rows)


def test_the_screens_that_are_left_are_reported_in_a_word() -> None:
    rules = fight("cwn", "a..b", a="gunman", b="gunman").rules
    assert [rules.units.budgets["screens"].counted(number) for number in (1, 2)] == ["1 screen", "2 screens"]


@pytest.mark.parametrize("line", ['group = "armour"', 'part = "head"'])
def test_a_group_wants_its_parts(line: str) -> None:
    with pytest.raises(Unreadable, match="given together"):
        small(f'[pool.plate]\nlabel = "plate"\nstart = 3\n{line}\nsource = "ours"\n')
