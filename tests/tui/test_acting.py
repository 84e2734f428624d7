"""Acts on somebody at the board: on the target that is picked, on whom the cursor is on, or chosen from a list."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.attacks.defence_flow import Answer, DefenceAsk
from engine.battle.command import Act, EndTurn
from engine.battle.commands.gear_commands import SetAmmunition
from engine.battle.commands.order_commands import SetTurn
from engine.battle.commands.unit_edits import SetCondition
from maps import parse_map
from tests.rules.table import ruleset
from tests.rulesets.texts import small
from tests.tui.play import USUAL, app_for, play, said, typed
from tui.app.board_app import BoardApp
from tui.library.battle_files import Scenario, begin_battle
from tui.modals.menu import Menu
from tui.presenter.menu_choices import defence_choices
from tui.presenter.presenter import POLICY_KEYS
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


def test_without_a_target_one_is_chosen_from_a_list(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        trip = [choice.id for choice in menu.choices].index("trip")
        assert menu.choices[trip].note == "then on whom"
        await pilot.press(menu.choices[trip].key)
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        assert [(one.label, one.note, one.reason) for one in menu.choices] == [
            ("B", "5 ft", ""),
            ("C", "5 ft", ""),
            ("D", "20 ft", "out of reach"),
        ]
        await pilot.press("2", "enter")
        assert screen.session.battle.units["c"].pools["hp"] < 9

    play(yard(tmp_path), script, USUAL)


def test_the_unit_under_the_cursor_is_meant(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("j", "a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        assert "on C, 1 main action" in [choice.note for choice in menu.choices]

    play(yard(tmp_path), script, USUAL)


def test_a_ruling_is_decided_from_a_list(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("G")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        names = [choice.id for choice in menu.choices]
        assert (
            menu.choices[names.index("fumble_table")].note,
            menu.choices[names.index("darkness")].note,
        ) == ("yes", "0")
        await pilot.press(str(names.index("fumble_table") + 1), "2")
        assert screen.session.battle.gm.rulings == {"fumble_table": False}
        assert "set to no for this battle, was yes" in said(screen)
        await pilot.press("G", str(names.index("darkness") + 1), *typed("-20"), "enter")
        assert screen.session.battle.gm.rulings["darkness"] == -20
        await pilot.press("G", str(names.index("darkness") + 1), *typed("dusk"), "enter")
        assert "is a whole number" in said(screen)
        await pilot.press("U", "U")
        assert not screen.session.battle.gm.rulings

    play(app_for(tmp_path), script, USUAL)


def test_an_act_at_a_square_is_where_the_cursor_is(tmp_path: Path) -> None:
    zone = """
[condition.guarding]
label = "guarding a place"
mark = "@"
until = "battle end"
about = "square"
source = "ours"
[action.guard-place]
label = "Guard a place"
kind = "other"
target = "square"
cost = { main = 1 }
source = "ours"
[[action.guard-place.effect]]
id = "guards"
label = "guards it"
condition = "guarding"
source = "ours"
"""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for keys, note, reason in (
            ((), "at B2, the cursor, 1 main action", "the cursor is on its own square"),
            (("down",), "at B3, the cursor, 1 main action", ""),
        ):
            await pilot.press(*keys, "a")
            (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
            guard = next(choice for choice in menu.choices if choice.id == "guard-place")
            assert (guard.note, guard.reason) == (note, reason)
            if reason:
                await pilot.press("escape")
        await pilot.press(guard.key)
        assert screen.session.battle.units["a"].about == {"guarding": "B3"}
        assert "A → B3: Guard a place." in said(screen)
        await pilot.press("U")
        assert not screen.session.battle.units["a"].about

    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(zone)), "seed", tmp_path)
    while session.battle.turns.active != "a":
        session.submit(EndTurn())
    play(BoardApp(session), script, USUAL)


LURK = """
[condition.set]
label = "set to fire"
mark = "!"
until = "battle end"
about = "attack"
source = "ours"
[action.volley]
label = "Volley"
kind = "attack"
weapons = ["ranged", "melee", "thrown"]
source = "ours"
[action.lurk]
label = "Lurk"
kind = "other"
declares = ["volley", "attack"]
source = "ours"
[[action.lurk.effect]]
id = "lurks"
label = "lurks"
condition = "set"
source = "ours"
"""


def test_the_attack_that_an_act_declares_is_asked_for(tmp_path: Path) -> None:
    """EVA-21: which attack it will be is said when the overwatch is set, from a list or in words."""
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small(LURK)), "seed", tmp_path)
    while session.battle.turns.active != "a":
        session.submit(EndTurn())

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("a")
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        await pilot.press(next(choice.key for choice in menu.choices if choice.id == "lurk"))
        (menu,) = (one for one in screen.app.screen_stack if isinstance(one, Menu))
        assert [choice.id for choice in menu.choices] == ["attack", "volley"]
        await pilot.press("2")
        assert screen.session.battle.units["a"].about == {"set": "volley"}
        assert "A is set to fire (Volley)." in said(screen)
        await pilot.press("U")
        await pilot.press(":", *typed("act lurk with volley"), "enter")
        assert screen.session.battle.units["a"].about == {"set": "volley"}
        await pilot.press("U")
        await pilot.press(":", *typed("lurk"), "enter")
        assert "name one after “with”: attack, volley" in said(screen)

    play(BoardApp(session), script, USUAL)


def test_who_has_an_empty_weapon_is_told_what_fills_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetAmmunition("todd", 0))
        await pilot.press("t", "f")
        assert "0 rounds left" in said(screen)
        assert said(screen).endswith("Reload would do: a takes it.")

    play(app_for(tmp_path), script, USUAL)


def test_who_has_thrown_all_is_told_how_to_take_another_weapon(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetTurn("spark"))
        screen.presenter.submit(SetAmmunition("spark", 0))
        await pilot.press("t", "f")
        assert said(screen).endswith("w takes another weapon in hand.")

    play(app_for(tmp_path, "warehouse", "cwn"), script, USUAL)


@pytest.mark.slow
def test_whose_weapon_is_jammed_is_told_what_clears_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(SetTurn("spark"))
        screen.presenter.submit(SetCondition("spark", "jammed", True))
        await pilot.press("t", "f")
        assert said(screen).endswith("Clear a jam would do: a takes it.")

    play(app_for(tmp_path, "warehouse", "eva"), script, USUAL)


def test_who_has_waited_is_taken_up_with_the_key_of_attacks_out_of_turn(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        first = screen.session.battle.turns.active
        name = screen.session.battle.units[first].name
        screen.presenter.submit(Act(first, "hold"))
        await pilot.press("e", "x")
        assert screen.session.battle.turns.active != first
        assert screen.presenter.focus.unit == first
        assert said(screen).startswith(f"{name} has waited and may act now: t aims")

    play(app_for(tmp_path, "warehouse", "cwn"), script, USUAL)


def test_a_defence_has_the_same_letter_in_every_question() -> None:
    """And "no defence" has its own, whoever is asked and whatever else may be done."""
    rules = ruleset("eva")
    asks = [one.id for one in rules.attack.defences]
    letters: dict[str, set[str]] = {}
    for first in range(len(asks)):
        for count in (1, 2, 3):
            options = tuple(
                Answer(id=one, unit="b", name="Bob", kind=one, label=one, cost={}, stops=Fraction(0), because="")
                for one in asks[first : first + count]
            )
            ask = DefenceAsk("", (), None, options, None, False, 0)  # type: ignore[arg-type]
            for choice in defence_choices(ask, rules, POLICY_KEYS):
                letters.setdefault(choice.id, set()).add(choice.key)
    assert all(len(keys) == 1 for keys in letters.values()) and letters["none"] == {"o"}
    assert len({key for keys in letters.values() for key in keys}) == len(letters)
