"""Acts on somebody at the board: chosen from the menu with a key, and asked for their dice."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from engine.battle.command import EndTurn
from maps import parse_map
from tests.rulesets.texts import small
from tests.tui.play import USUAL, play, said
from tui.app.board_app import BoardApp
from tui.library.battle_files import Scenario, begin_battle
from tui.modals.menu import Menu
from tui.screens.battle_screen import BattleScreen

ACTS = """
[action.trip]
label = "Trip"
kind = "other"
target = "enemy"
cost = { main = 1 }
source = "ours"
[[action.trip.require]]
holds = "adjacent"
reason = "out of reach"
[[action.trip.effect]]
id = "how"
label = "How hard"
roll = "1d6"
as = "how"
source = "ours"
[[action.trip.effect]]
id = "hurt"
label = "tripped"
lose = "how"
pool = "hp"
source = "ours"
"""
UNITS = ("a", "law", "B2"), ("b", "outlaws", "C2"), ("c", "outlaws", "B3"), ("d", "outlaws", "F2")
MAP = (
    'format = 1\nname = "Yard"\n[scale]\nsquare = 5\nunit = "feet"\n[map]\nsquares = """\n' + ".......\n" * 4 + '"""\n'
)
MAP += "".join(f'[[unit]]\nid = "{u}"\nrole = "gunman"\nside = "{side}"\nat = "{at}"\n' for u, side, at in UNITS)


def yard(folder: Path) -> BoardApp:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(ACTS)), "seed", folder)
    while session.battle.turns.active != "a":
        session.submit(EndTurn())
    return BoardApp(session)


def test_an_act_is_on_the_target_picked_and_asks_for_its_dice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        trip = next(choice for choice in menu.choices if choice.id == "trip")
        assert (trip.note, trip.reason) == ("on B, 1 main action", "")
        await pilot.press(next(choice.key for choice in menu.choices if choice.id == "trip"))
        await pilot.press("4", "enter")
        assert screen.session.battle.units["b"].pools["hp"] == 9 - 4
        assert "A → B: Trip." in said(screen)

    play(yard(tmp_path), script, USUAL)
