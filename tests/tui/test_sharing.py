"""Hits of a burst given to others at the board: chosen with keys, and shown in the panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle import command as cmd
from maps import parse_map
from tests.rules.table import ruleset
from tests.tui.play import USUAL, play, settled
from tui.application.library.battle_files import Scenario, begin_battle
from tui.view.app.board_app import BoardApp
from tui.view.panels.side_panels import AttackPanel
from tui.view.screens.battle_screen import BattleScreen

UNITS = ("a", "law", "B2"), ("b", "outlaws", "F2"), ("c", "outlaws", "G2"), ("d", "outlaws", "Z2")
MAP = (
    'format = 1\nname = "Yard"\n[scale]\nsquare = 1\nunit = "metres"\n[map]\nsquares = """\n'
    + f"{'.' * 28}\n" * 4
    + '"""\n'
)
MAP += "".join(f'[[unit]]\nid = "{u}"\nrole = "rifleman"\nside = "{side}"\nat = "{at}"\n' for u, side, at in UNITS)


@pytest.mark.long
def test_hits_that_are_given_away_stand_in_the_panel(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", ruleset("eva")), "seed", tmp_path)
    while session.battle.turns.active != "a":
        session.submit(cmd.EndTurn())

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "b", "2", "B", "1")
        await settled(pilot)
        shown = str(screen.query_one(AttackPanel).render())
        assert "Hits: the first to B, then 1 to C (hit " in " ".join(shown.split())

    play(BoardApp(session), script, USUAL)
