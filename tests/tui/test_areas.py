"""Attacks on an area at the board and on the command line: the cone is shown before it is fired."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle import events as ev
from engine.geometry.squares import parse_square
from tests.tui.play import USUAL, app_for, play, said
from tui.__main__ import main
from tui.application.focus.focus import Focus
from tui.view.screens.battle_screen import BattleScreen

SIXTH = str(Path(__file__).parents[1] / "rulesets" / "sixth")


@pytest.mark.long
def test_the_cone_follows_the_cursor_and_is_fired_at_a_bare_square(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.look_at(Focus("moth", action="sweep", cursor=parse_square("I6")))
        await pilot.pause()
        assert screen.board.markings.tints[parse_square("J6")] in ("blast", "edge")
        assert "In the area: Raven, Ox, Hauler, Watchman." in said(screen)
        await pilot.press("h", "h", "h", "h")  # to the other side of the drone
        assert screen.presenter.focus.cursor == parse_square("E6")
        assert parse_square("J6") not in screen.board.markings.tints
        assert parse_square("E6") in screen.board.markings.tints
        assert "Watchman" not in said(screen)
        await pilot.press("l", "l", "l", "l", "F", "enter")
        done = screen.session.history.done
        assert done is not None
        assert [one.target for one in done.events if isinstance(one, ev.BurstCaught)] == [
            "raven",
            "ox",
            "hauler",
            "watchman",
        ]
        assert screen.session.battle.units["moth"].gear.rounds["chatter-lamp"] == 10
        await pilot.press("U")
        assert screen.session.battle.units["moth"].gear.rounds["chatter-lamp"] == 15

    play(app_for(tmp_path, "warehouse", SIXTH), script, USUAL)


def test_the_odds_say_whom_it_catches(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "warehouse", "moth", "I6", "--ruleset", SIXTH, "--action", "sweep"]) == 0
    assert "  In the area: Raven, Ox, Hauler, Watchman.\n" in capsys.readouterr().out
    assert main(["odds", "warehouse", "moth", "I6", "--ruleset", SIXTH, "--action", "sweep", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["caught"] == ["raven", "ox", "hauler", "watchman"]
    assert main(["odds", "warehouse", "moth", "hauler", "--ruleset", SIXTH, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["caught"] is None
