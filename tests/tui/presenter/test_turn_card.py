"""The card of those who may act now: it opens when a turn ends, and nobody has to answer it."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from engine.battle.commands.order_commands import SetTurn
from engine.errors import Illegal
from engine.journal.session import Session
from tests.tui.play import USUAL, app_for, play, session_for
from tests.tui.presenter.table import Conversation
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand, TextResult
from tui.application.commands.runner import do
from tui.application.describe.turn_choice import choice_words
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import BattleScreen


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return session_for(tmp_path, ruleset="cwn")


def offered(talk: Conversation) -> list[str]:
    return [one.id for one in talk.display.menu.choices] if talk.display.menu else []


def test_a_number_chooses_who_of_the_side_acts(session: Session) -> None:
    talk = Conversation(session)
    first, second, third, *_ = talk.battle.turns.order
    talk.press("e")
    assert offered(talk)[:2] == [second, third]
    assert talk.display.menu is not None and talk.display.menu.title.endswith(" acts now?")
    talk.press("2")
    assert talk.battle.turns.active == third and talk.display.menu is None
    talk.press("e")
    assert talk.battle.turns.active == second and first not in offered(talk) and third not in offered(talk)
    talk.press("U")
    assert talk.battle.turns.active == third, "the card is no command"
    session.close()


@pytest.mark.parametrize("key", ["escape", "enter"])
def test_the_orders_own_next_acts_where_nobody_is_chosen(session: Session, key: str) -> None:
    talk = Conversation(session)
    second = talk.battle.turns.order[1]
    talk.press("e", key)
    assert talk.battle.turns.active == second and talk.display.menu is None
    session.close()


def test_any_other_key_does_what_it_does_on_the_board(session: Session) -> None:
    talk = Conversation(session)
    second, third = talk.battle.turns.order[1:3]
    talk.press("e", "e")
    assert talk.battle.turns.active == third and second in talk.battle.turns.ended
    session.close()


def test_without_a_screen_a_number_alone_chooses_and_any_other_line_goes_on(session: Session) -> None:
    second, third = session.battle.turns.order[1:3]
    said, _ = do(session, "end")
    name = session.battle.units
    assert said[-1].startswith("Who of ") and f"1 {name[second].name}, 2 {name[third].name}" in said[-1]
    setting = Setting(session.battle, session.rules)
    assert hear("2", setting) == SubmitCommand(SetTurn(third))
    assert isinstance(hear("1", setting), TextResult)
    with pytest.raises(Illegal, match="Nobody has the number 99"):
        hear("99", setting)
    do(session, "2")
    do(session, "undo")
    assert session.battle.turns.active == second
    assert choice_words(session.battle, session.rules)
    session.close()


def test_a_side_of_one_is_not_asked(tmp_path: Path) -> None:
    session = session_for(tmp_path, ruleset="occult-ops")
    talk = Conversation(session)
    talk.press("e")
    assert talk.display.menu is None and choice_words(session.battle, session.rules) == ""
    session.close()


@pytest.mark.long
def test_on_the_screen_a_number_chooses_and_any_other_key_goes_on_to_the_board(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        turns = screen.session.battle.turns
        await pilot.press("e")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Card)
        await pilot.press("3", "k")
        await pilot.pause()
        assert pilot.app.screen is screen
        assert screen.session.battle.turns.active == turns.order[3]
        await pilot.press("e", "e")  # the second closes the card, and ends the turn
        await pilot.pause()
        now = screen.session.battle.turns
        assert now.ended == (turns.order[0], turns.order[3], turns.order[1]) and now.active == turns.order[2]
        await pilot.press("escape")
        await pilot.pause()
        assert screen.session.battle.turns == now

    play(app_for(tmp_path, ruleset="cwn"), script, USUAL)
