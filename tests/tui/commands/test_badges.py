"""Badges in commands: one unit, some of a group, all of a letter; several are one step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.command import Attack
from engine.errors import Illegal
from engine.geometry.squares import parse_square
from engine.journal.session import Session
from tests.tui.play import play, session_for
from tui.application.commands.registry import hear, line_of
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.commands.runner import do
from tui.view.app.board_app import BoardApp
from tui.view.screens.battle_screen import BattleScreen


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """The map with three goons, and Gus of another side."""
    session = session_for(tmp_path)
    do(session, "add 3 gunman outlaws K8 goon")
    do(session, "add gunman law C4 Gus")
    yield session
    session.close()


def of_goons(session: Session) -> list[str]:
    return [unit.name for unit in session.battle.units.values() if unit.name.startswith("goon")]


def test_a_badge_names_a_unit_and_case_decides_only_if_both_are_in_use(session: Session) -> None:
    do(session, "set g2 -1")
    do(session, "name G Otto")
    assert session.battle.unit("gus").name == "Otto" and session.battle.badges["goon-2"] == "g2"
    do(session, "damage G3 1")
    assert session.battle.unit("goon-3") != session.battle.unit("goon-1")


def test_beside_squares_case_tells_a_badge_from_a_square(session: Session) -> None:
    do(session, "place g3 D6")
    assert session.battle.unit("goon-3").at.name == "D6"
    setting = Setting(session.battle, session.rules, "todd")

    def aimed(line: str) -> tuple[str, str]:
        spoken = hear(line, setting)
        assert isinstance(spoken, SubmitCommand) and isinstance(spoken.command, Attack)
        at = spoken.command.square
        return spoken.command.target, at.name if at else ""

    assert aimed("shoot g3") == ("goon-3", "") and aimed("shoot todd G2 free") == ("", "G2")
    for line in ("note g3 a key", "note g3: a key"):
        do(session, line)
        assert session.battle.gm.notes[-1].unit == "goon-3", line
    do(session, "note G3 a trap")
    assert session.battle.gm.notes[-1].at == parse_square("G3")


@pytest.mark.parametrize("line", ["remove g1-2", "remove g1-g2", "remove goon-1 g2"])
def test_some_of_a_group_are_removed_as_one_step(session: Session, line: str) -> None:
    do(session, line)
    assert of_goons(session) == ["goon 3"]
    session.undo()
    assert of_goons(session) == ["goon 1", "goon 2", "goon 3"]


def test_all_of_a_letter_are_hidden_shown_moved_to_a_side_and_taken_out_as_one_step(session: Session) -> None:
    for line in ("hide g*", "reveal g*", "side g* guards", "kill g* flee", "set g1-3 back", "damage g* 1", "prone g*"):
        before = session.battle
        do(session, line)
        changed = {id for id, unit in session.battle.units.items() if unit != before.units[id]}
        assert changed == {"goon-1", "goon-2", "goon-3"}, line
        session.undo()
        assert session.battle == before
        session.redo()


def test_a_badge_that_nobody_wears_is_refused_and_changes_nothing(session: Session) -> None:
    before = session.battle
    for line in ("remove q*", "hide g7-9"):
        with pytest.raises(Illegal, match="Nobody wears a badge of"):
            do(session, line)
    assert session.battle is before


def test_the_key_that_finds_a_unit_waits_for_the_digit_and_enter_takes_the_nearest(session: Session) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        goons = [session.battle.unit(f"goon-{number}").at for number in (1, 2, 3)]
        await pilot.press("apostrophe", "g", "2")
        await pilot.pause()
        assert screen.presenter.focus.cursor == goons[1]
        await pilot.press("apostrophe", "g", "enter")
        await pilot.pause()
        assert screen.presenter.focus.cursor == goons[1], "the nearest"

    play(BoardApp(session), script, (120, 40))


def test_what_hides_or_shows_several_is_printed_as_the_line_that_does_it(session: Session) -> None:
    setting = Setting(session.battle, session.rules)
    for line in ("hide g1-2", "reveal g*"):
        spoken = hear(line, setting)
        assert isinstance(spoken, SubmitCommand)
        printed = line_of(spoken.command, setting)
        assert printed.startswith(line.split()[0]) and hear(printed, setting) == spoken
    moved = hear("side g* law", setting)
    assert isinstance(moved, SubmitCommand) and line_of(moved.command, setting) == ""
