"""When a round ends, one line says how it went."""

from __future__ import annotations

from engine.battle.command import EndTurn
from tests.tui.presenter.table import Conversation
from tui.application.describe.round_line import MOST_CELLS, round_line


def end_round(talk: Conversation) -> None:
    number = talk.battle.turns.round
    while talk.battle.turns.round == number:
        talk.presenter.submit(EndTurn())


def test_a_round_ends_with_its_hits_and_losses(talk: Conversation) -> None:
    talk.line("shoot bandit dice 45")
    talk.roll_the_rest()
    talk.line("shoot bandit free dice 99")
    talk.roll_the_rest()
    session = talk.presenter.session
    assert round_line(session.history.done, session.rules) == ""
    end_round(talk)
    line = round_line(session.history.done, session.rules)
    assert line.startswith("Round 1: 1 hit of 2") and len(line) <= MOST_CELLS
    assert talk.said.startswith(f"{line} Round 2.")
    end_round(talk)
    assert talk.said.startswith("Round 2: nobody was hit. Round 3.")
    talk.do("undo")
    assert round_line(session.history.done, session.rules) == ""
