"""Markers of the GM's own on units: words with rounds or without, which no rule reads."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.commands.unit_edits import SetMarker
from engine.battle.views.view import project
from engine.errors import Illegal
from tests.tui.play import session_for
from tui.application.commands.forms import Form
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.commands.runner import do
from tui.application.exports.format_list import PLAYERS
from tui.application.exports.formats import exported
from tui.view.panels.order_panel import marks_legend


def test_a_marker_is_shown_for_its_rounds_and_ends_by_itself(tmp_path: Path) -> None:
    with closing(session_for(tmp_path, ruleset="cwn")) as session:
        assert do(session, "marker todd on fire 2")[0] == ["Todd: marker “on fire” for 2 rounds, set by the GM."]
        shown: list[str] = []
        while "on fire" in session.battle.unit("todd").markers:
            round_now = session.battle.turns.round
            state = next(held.words for held in project(session.battle, session.rules).unit("todd").conditions)
            while session.battle.turns.round == round_now:
                said = do(session, "end")[0]
            shown.append(state)
        assert shown == ["on fire, 2 rounds left", "on fire, 1 round left"]
        assert any("Todd: marker “on fire” ends" in line for line in do(session, "log 20")[0]), said
        do(session, "undo")
        assert session.battle.unit("todd").markers == {"on fire": 1}


def test_the_same_words_end_it_and_several_units_take_it_at_once(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        do(session, "marker todd bandit deaf")
        assert {unit.id for unit in session.battle.units.values() if "deaf" in unit.markers} == {"todd", "bandit"}
        do(session, "marker todd Deaf off")
        do(session, "marker todd bandit deaf")
        assert "deaf" in session.battle.unit("todd").markers, "not all had it"
        do(session, "marker todd bandit deaf")
        assert not any(unit.markers for unit in session.battle.units.values())
        with pytest.raises(Illegal, match="not there"):
            do(session, "marker todd deaf off")
        with pytest.raises(Illegal, match="Type the words"):
            do(session, "marker todd")


def test_a_side_is_reported_for_markers_on_its_own_units_alone(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session:
        do(session, "marker todd on fire")
        do(session, "marker bandit secretly poisoned")
        texts = [exported(session, "markdown", side) for side in (session.battle.unit("todd").side, PLAYERS)]
    assert all("marker “on fire”" in text and "poisoned" not in text for text in texts)


def test_what_the_ruleset_has_as_a_condition_is_no_marker(tmp_path: Path) -> None:
    with closing(session_for(tmp_path)) as session, pytest.raises(Illegal) as refused:
        do(session, "marker todd Blinded 2")
    assert "“Blinded” is a condition of Occult Ops, which its rules read." in str(refused.value)
    assert "set todd Blinded 2" in str(refused.value)


def test_a_command_that_only_marks_units_is_one_form(tmp_path: Path) -> None:
    deafen = Form("deafen UNITS [NUMBER]", "deafen units for some rounds", (SetMarker,), sets={"marker": "deaf"})
    with closing(session_for(tmp_path)) as session:
        here = Setting(session.battle, session.rules, "todd", session.battle.unit("todd").at)
        heard = deafen.hear(["todd", "bandit", "2"], here)
    assert isinstance(heard, SubmitCommand)
    assert heard.command == SetMarker(("todd", "bandit"), "deaf", True, 2)


def test_a_condition_is_shown_with_the_rounds_that_are_left(tmp_path: Path) -> None:
    with closing(session_for(tmp_path, "warehouse", "eva")) as session:
        unit = session.battle.units[session.battle.turns.order[0]]
        do(session, f"set {unit.id} stunned 2")
        view = project(session.battle, session.rules)
        assert "stunned, 2 rounds left" in [held.words for held in view.unit(unit.id).conditions]
        assert any("stunned, 2 rounds left" in line for line in do(session, "units")[0])
        assert "stunned" in marks_legend(view) and "rounds left" not in marks_legend(view)
