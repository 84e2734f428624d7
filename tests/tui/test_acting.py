"""Acts on somebody at the board: chosen from the menu with a key, and asked for their dice."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.command import Attack, EndTurn
from engine.geometry.squares import parse_square
from engine.values import replace
from maps import parse_map
from tests.rules.table import fight
from tests.rulesets.texts import small
from tests.tui.play import USUAL, play, said
from tui.application.focus.focus import Focus, aims_at_cursor, attack_in
from tui.application.library.battle_files import Scenario, begin_battle
from tui.view.app.board_app import BoardApp
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import BattleScreen

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


@pytest.mark.long
def test_an_act_is_on_the_target_picked_and_asks_for_its_dice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Card))
        trip = next(choice for choice in menu.choices if choice.id == "trip")
        assert (trip.note, trip.reason) == ("on B, 1 main action", "")
        await pilot.press(next(choice.key for choice in menu.choices if choice.id == "trip"))
        await pilot.press("4", "enter")
        assert screen.session.battle.units["b"].pools["hp"] == 9 - 4
        assert "A → B: Trip." in said(screen)

    play(yard(tmp_path), script, USUAL)


SHOVE = """
[action.shove]
label = "Shove"
kind = "other"
target = "enemy"
source = "ours"
[[action.shove.effect]]
id = "shoved"
label = "shoved"
push = 5
directed = true
follows = true
source = "ours"
"""


def test_an_act_that_pushes_goes_towards_the_square_under_the_cursor(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(SHOVE)), "seed", tmp_path)
    while session.battle.turns.active != "a":
        session.submit(EndTurn())

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        focus = replace(screen.presenter.focus, unit="a", target="b", cursor=parse_square("C4"))
        screen.presenter.look_at(focus)
        await pilot.press("a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Card))
        await pilot.press(next(choice.key for choice in menu.choices if choice.id == "shove"))
        await pilot.pause()
        units = screen.session.battle.units
        assert (units["b"].at.name, units["a"].at.name) == ("C3", "B2")  # C stands where A would follow to

    play(BoardApp(session), script, USUAL)


def test_an_attack_on_a_thing_is_on_the_square_under_the_cursor() -> None:
    table = fight("eva", "a...b", a="rifleman", b="rifleman")
    focus = Focus("a", "b", action="called-object", cursor=parse_square("C1"))
    assert aims_at_cursor(focus, table.battle, table.rules)
    assert attack_in(focus, table.battle, table.rules) == Attack(
        "a", "", action="called-object", square=parse_square("C1")
    )
    assert attack_in(replace(focus, cursor=parse_square("A1")), table.battle, table.rules) is None
