"""What units declare before the order is rolled, typed in one line."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from engine.battle.commands.order_commands import RollInitiative
from engine.battle.views.fog_of_war import NOTHING_SEEN, seat_view
from engine.battle.views.view import project
from engine.errors import Illegal, Unknown
from maps import parse_map
from tests.rules.table import fight, remember
from tests.rulesets.texts import small
from tests.tui.play import USUAL, asked, play, said, session_for, typed
from tests.tui.presenter.table import Conversation
from tests.tui.test_acting import MAP
from tui.application.commands.order import complete_declared, parse_declared
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, TextResult
from tui.application.describe.battle_start import opening_words
from tui.application.library.battle_files import Scenario, begin_battle
from tui.view.app.board_app import BoardApp
from tui.view.panels.side_panels import OrderPanel, UnitPanel
from tui.view.screens.battle_screen import BattleScreen

RULES = small("", 'dice = "1d10"', 'dice = "1d10"\ndeclares = true\nbonus = "100 if action.kind == \'move\' else 0"')


def test_what_is_declared_is_typed_in_one_line(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", RULES), "seed", tmp_path)
    battle = session.battle
    assert parse_declared("a walk, B Attack", battle, RULES) == RollInitiative({"a": "walk", "b": "attack"})
    assert parse_declared("", battle, RULES) == RollInitiative()
    with pytest.raises(Illegal, match="No action of A is called “fly”"):
        parse_declared("a fly", battle, RULES)
    with pytest.raises(Unknown, match="unit"):
        parse_declared("nobody walk", battle, RULES)
    with pytest.raises(Illegal, match="an action after A"):
        parse_declared("a", battle, RULES)
    session.close()


@pytest.mark.long
def test_what_is_declared_stands_in_the_panels_and_the_words_of_the_order(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(*typed("c walk"), "enter", "enter", "enter")
        view = project(screen.session.battle, screen.session.rules)
        assert [view.unit(one).declared for one in "ac"] == ["Attack", "Walk"]
        unit, order = screen.query_one(UnitPanel), screen.query_one(OrderPanel)
        assert any(row.split() == ["declared", "Walk"] for row in unit.build(40, 20).plain.splitlines())
        assert order.build_rows(40, 20)[0].plain.split()[-1] == "Walk"
        await pilot.press("Y")
        rows = [str(option.prompt) for option in pilot.app.screen.query_one(OptionList).options]
        assert rows[0].split()[-1] == "Walk", "its own screen shows it too"
        await pilot.press("escape")
        told = hear("order", Setting(screen.session.battle, screen.session.rules))
        assert isinstance(told, TextResult) and "declared: Walk" in told.lines[1]
        battle, rules = screen.session.battle, screen.session.rules
        seat = seat_view(battle, rules, "law", remember(NOTHING_SEEN, battle, "law"))
        assert [seat.unit(one).declared for one in "ac"] == ["Attack", ""]

    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", RULES), "seed", tmp_path)
    play(BoardApp(session), script, USUAL)


def test_an_action_is_declared_by_its_label_or_a_part_of_it() -> None:
    table = fight("volt", "a....", a="grenadier")
    for typed_name, action in (("take cover", "take-cover"), ("cover", "take-cover"), ("firing", "firing-position")):
        assert parse_declared(f"a {typed_name}", table.battle, table.rules).declared == {"a": action}
    for throw in ("throw", "throw grenade", "throw fragmentation grenade"):
        assert parse_declared(f"a {throw}", table.battle, table.rules).declared == {"a": "attack"}


def test_tab_completes_and_lists_what_a_side_may_declare() -> None:
    table = fight("volt", "ab..", a="grenadier", b="rifleman", allies="b")

    def complete(text: str) -> tuple[str, list[str]]:
        return complete_declared(text, table.battle, table.rules, table.unit("a").side)

    assert complete("") == ("", ["a", "b"])
    assert complete("b") == ("b ", ["b"])
    line, found = complete("b move, a ")
    assert line == "b move, a " and {"take cover", "throw fragmentation grenade", "half a move"} <= set(found)
    assert complete("b move, a th") == ("b move, a throw fragmentation grenade", ["throw fragmentation grenade"])
    assert complete("a firing") == ("a firing position", ["firing position"])


@pytest.mark.slow
def test_rolling_for_the_order_asks_what_is_declared_and_then_for_the_dice(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(*typed("c walk"), "enter", "enter", "enter")
        assert screen.session.battle.turns.order[0] == "c"
        assert screen.session.battle.turns.initiative["c"] > 100
        await pilot.press("i", *typed("c fly"), "enter")
        assert "“fly”" in said(screen)
        await pilot.press("escape", "i", "enter", "enter", "enter")
        assert max(screen.session.battle.turns.initiative.values()) <= 10

    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", RULES), "seed", tmp_path)
    play(BoardApp(session), script, USUAL)


def test_volt_2_a_new_battle_says_on_the_screen_what_its_units_declare(tmp_path: Path) -> None:
    """VOLT-2: nobody attacks in silence: each side is asked at once, on a map with units of its own too."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert said(screen) == (
            "Initiative is rolled as if all units declare “Attack”: i asks each side what it declares and rolls again."
        )
        assert asked(screen).startswith("law: declare actions, e.g. “a walk")
        before = screen.session.battle
        await pilot.press("enter", "enter")
        assert asked(screen) == "" and screen.session.battle == before, "all attack, and that is rolled already"
        await pilot.press("i")
        assert asked(screen).startswith("law: declare actions, e.g. “a walk")

    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", RULES), "seed", tmp_path)
    play(BoardApp(session), script, USUAL)


def test_where_nothing_is_declared_a_new_battle_says_nothing_of_it(tmp_path: Path) -> None:
    session = begin_battle(Scenario(parse_map(MAP, "yard.toml"), "yard.toml", small()), "seed", tmp_path)
    assert opening_words(session, "i") == ""
    session.close()


def test_when_a_round_begins_it_says_that_the_declared_actions_stand_and_what_declares_anew(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "warehouse", "volt"))
    while talk.battle.turns.round < 2:
        assert "stays" not in talk.said
        talk.line("end")
    assert "Round 2. The order rolled for the declared actions stays." in talk.said
    assert talk.said.endswith("i declares actions anew and rolls for them.")
    other = Conversation(session_for(tmp_path))
    while other.battle.turns.round < 2:
        other.line("end")
    assert "Round 2." in other.said and "declare" not in other.said
