"""Several units marked with Space: damaged, moved, hidden, given conditions and removed together, undone at once."""

from __future__ import annotations

import pytest

from engine.battle.views.view import project
from tests.tui.presenter.table import Conversation
from tui.application.commands.registry import hear, line_of
from tui.application.commands.results import Setting, SubmitCommand
from tui.view.panels.order_panel import order_rows


@pytest.fixture
def marked(talk: Conversation) -> Conversation:
    for name in ("bandit", "cutter"):
        talk.point(talk.unit(name).at.name)
        talk.press("space")
    return talk


def test_space_marks_and_unmarks_and_esc_unmarks_all(marked: Conversation) -> None:
    assert marked.presenter.marked == ("bandit", "cutter")
    assert marked.said.startswith("2 marked: Bandit, Cutter. d changes them, P moves them")
    marked.press("space")
    assert marked.presenter.marked == ("bandit",)
    marked.press("escape")
    assert marked.presenter.marked == () and marked.said == "No unit is marked."
    marked.point("A1")
    marked.press("space")
    assert marked.said == "No unit on A1."


def test_they_are_damaged_together_and_one_undo_heals_them(marked: Conversation) -> None:
    before = [marked.unit(name).pools["hp"] for name in ("bandit", "cutter")]
    marked.press("d")
    assert marked.asked.startswith("Bandit, Cutter: “-5” hit points")
    marked.press("minus", "5", "enter")
    assert [marked.unit(name).pools["hp"] for name in ("bandit", "cutter")] == [max(0, was - 5) for was in before]
    marked.press("u")
    assert [marked.unit(name).pools["hp"] for name in ("bandit", "cutter")] == before
    marked.press("plus", "d", "3", "enter")
    assert [marked.unit(name).pools["hp"] for name in ("bandit", "cutter")] == [was - 3 for was in before]


def test_they_lie_down_together_and_who_lies_already_is_left_out(marked: Conversation) -> None:
    marked.line("prone cutter")
    marked.press("d", *"prone", "enter")
    assert {marked.unit(name).posture for name in ("bandit", "cutter")} == {"prone"}
    marked.press("d", *"prone", "enter")
    assert marked.said == "Bandit is already prone."


def test_they_are_hidden_and_shown_together(marked: Conversation) -> None:
    for is_hidden in (True, False):
        marked.do("table")
        assert marked.display.line("hide").heading == "unit · 2 marked units"
        marked.display.choose("hide")
        assert {marked.unit(name).is_hidden for name in ("bandit", "cutter")} == {is_hidden}


def test_they_keep_their_places_to_each_other_when_they_are_moved(marked: Conversation) -> None:
    one, two = marked.unit("bandit").at, marked.unit("cutter").at
    marked.point(f"{one.name[0]}{one.row}")  # a row up
    marked.press("P")
    assert (marked.unit("bandit").at.row, marked.unit("cutter").at.row) == (one.row - 1, two.row - 1)
    assert (marked.unit("bandit").at.column, marked.unit("cutter").at.column) == (one.column, two.column)
    marked.press("u")
    assert (marked.unit("bandit").at, marked.unit("cutter").at) == (one, two)


def test_they_are_removed_together(marked: Conversation) -> None:
    marked.press("plus", "r")
    assert not {"bandit", "cutter"} & set(marked.battle.units) and marked.presenter.marked == ()
    marked.press("u")
    assert {"bandit", "cutter"} <= set(marked.battle.units)


def test_a_change_to_several_is_typed_too(talk: Conversation) -> None:
    setting = Setting(talk.battle, talk.presenter.session.rules)
    for line in ("set bandit cutter prone", "set bandit, cutter hp 3", "set outlaws prone"):
        spoken = hear(line, setting)
        assert isinstance(spoken, SubmitCommand) and len(spoken.command.edits) > 1  # type: ignore[attr-defined]
        again = hear(line_of(spoken.command, setting), setting)
        assert again == spoken


def test_undo_and_redo_say_the_change_of_every_unit(marked: Conversation) -> None:
    before = [marked.unit(name).pools["hp"] for name in ("bandit", "cutter")]
    marked.press("d", "minus", "2", "enter", "u")
    bandit, cutter = (f"{was} → {was - 2}, set by the GM." for was in before)
    change = f"2 units: Bandit: hit points {bandit} Cutter: hit points {cutter} · "
    assert marked.said.startswith(f"Undone: {change}")
    marked.press("R")
    assert marked.said.startswith(f"Redone: {change}")
    marked.press("u", "d", *"prone", "enter")
    marked.display.width = 70
    marked.press("u")
    units = "Bandit is prone, set by the GM. Cutter is prone, set by the GM."
    assert marked.said.startswith(f"Undone: 2 units: {units} · ")


def test_a_condition_begins_for_all_of_them_and_ends_only_where_all_have_it(marked: Conversation) -> None:
    marked.line("set bandit blinded")
    marked.press("d", *"blinded", "enter")
    assert [("blinded" in marked.unit(name).conditions) for name in ("bandit", "cutter")] == [True, True]
    assert "no longer" not in marked.said
    marked.press("d", *"blinded", "enter")
    assert [("blinded" in marked.unit(name).conditions) for name in ("bandit", "cutter")] == [False, False]
    marked.line("set bandit blinded")
    marked.line("set bandit cutter blinded off")
    assert not any("blinded" in marked.unit(name).conditions for name in ("bandit", "cutter"))


def test_the_turn_order_shows_who_is_marked(marked: Conversation) -> None:
    view = project(marked.battle, marked.presenter.session.rules)
    rows = [row.plain for row, _ in order_rows(view, "", "", 40, 20, "", marked.presenter.marked)]
    assert [row.split()[2] for row in rows if row.startswith("●")] == ["Bandit", "Cutter"]
