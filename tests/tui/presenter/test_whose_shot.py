"""Attacks of a unit that has no turn, or that is hidden: the sentence says so."""

from __future__ import annotations

from engine.battle.commands.roster_commands import SetHidden
from engine.values import replace
from tests.tui.presenter.table import Conversation


def test_the_sentence_says_whose_shot_it_is_when_it_is_not_its_turn(talk: Conversation) -> None:
    talk.do("target", 1)
    assert "Not its turn" not in talk.said
    bandit = talk.unit("bandit")
    talk.presenter.look_at(replace(talk.presenter.focus.on_unit("bandit"), cursor=bandit.at))
    talk.do("target", 1)
    assert talk.said.startswith(f"Not its turn: {bandit.name} → {talk.unit(talk.presenter.focus.target).name}, ")


def test_who_fires_from_hiding_is_said_to_be_hidden_still(talk: Conversation) -> None:
    active = talk.battle.turns.active
    talk.presenter.submit(SetHidden(active))
    talk.do("target", 1)
    talk.do("fire")
    talk.roll_the_rest()
    assert f"{talk.unit(active).name} is still hidden: + h on it shows it to the players." in talk.said
