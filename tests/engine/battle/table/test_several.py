"""Edits of several units as one command."""

from __future__ import annotations

from engine.battle.commands.roster_commands import SetHidden
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import Place, SetPosture
from engine.geometry.squares import parse_square
from tests.rules.table import fight


def test_each_edit_sees_those_before_it() -> None:
    table = fight("occult-ops", "ab..", a="gunman", b="gunman")
    first, second = parse_square("B1"), parse_square("C1")
    table.do(EditUnits((Place("b", second), Place("a", first))))
    assert (table.battle.unit("a").at, table.battle.unit("b").at) == (first, second)


def test_what_is_refused_for_some_is_left_out_and_for_all_is_said() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.do(SetPosture("a", "prone"))
    both = EditUnits((SetPosture("a", "prone"), SetPosture("b", "prone")))
    table.do(both)
    assert table.battle.unit("b").posture == "prone"
    assert table.refusal(both) == "A is already prone."
    assert table.refusal(EditUnits(())) == "Name the units and what changes."
    assert "No unit is called" in table.refusal(EditUnits((SetHidden("zed"),)))


def test_they_make_the_events_of_the_single_commands() -> None:
    table = fight("occult-ops", "a..b", a="gunman", b="gunman")
    table.do(EditUnits((SetHidden("a"), SetHidden("b"))))
    assert table.battle.unit("a").is_hidden and table.battle.unit("b").is_hidden
