"""Policies: the list, the keys where something is asked for, and automatic reactions."""

from __future__ import annotations

from pathlib import Path

from engine.battle.command import EndTurn
from engine.battle.commands.ruling_commands import SetPolicy
from engine.battle.commands.unit_edits import Place, SetPool
from engine.battle.events import AttackRolled, DefenceTaken
from engine.battle.state.gm_overrides import AUTO, OFF, Policy
from engine.geometry.squares import parse_square
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.focus.focus import Focus


def fire_free(talk: Conversation, roll: str) -> None:
    """Todd fires at Bandit once more."""
    talk.presenter.look_at(Focus(unit="todd", target="bandit", cursor=talk.unit("bandit").at))
    talk.do("fire_free")
    talk.answer(roll)


def taken(talk: Conversation) -> list[tuple[str, bool]]:
    return [(event.defence, event.is_by_itself) for event in talk.every(DefenceTaken)]


def test_always_takes_it_now_and_from_then_on(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, ruleset="eva"))
    fire_free(talk, "1")
    talk.display.choose("dodge", key="A")
    talk.roll_the_rest()
    assert talk.battle.gm.policies == (Policy(AUTO, "dodge"),)
    assert taken(talk) == [("dodge", False)]
    talk.presenter.submit(EndTurn())
    talk.presenter.submit(SetPool("bandit", "wounds", 10))
    fire_free(talk, "1")
    talk.roll_the_rest()
    assert taken(talk)[1:] in ([("dodge", True)], [])  # its one reaction may be spent


def test_the_list_by_its_key_sets_a_kind_for_a_unit_and_for_everybody(talk: Conversation) -> None:
    talk.do("policy")
    assert talk.display.menu is not None
    kind = talk.display.menu.choices[0].id
    talk.display.choose(kind)
    labels = [choice.label for choice in talk.display.menu.choices]
    assert [label.startswith("Todd: ") for label in labels[:4]] == [True, True, True, False]
    assert labels[-1].startswith("all units: ")
    talk.display.choose("Todd: never")
    assert talk.battle.gm.policies[0] == Policy(OFF, kind, "todd")
    assert talk.said.startswith("GM: ")
    talk.choose("policy", kind, "Todd: default")
    assert talk.battle.gm.policies == ()


def test_an_automatic_reaction_is_reported_and_the_move_continues(talk: Conversation) -> None:
    talk.presenter.session.submit(Place("bandit", parse_square("O10")))
    talk.presenter.session.submit(SetPolicy(AUTO))
    talk.do("move")
    talk.step(-2)
    talk.do("move")
    assert talk.said.startswith("Bandit misses Todd. Todd moves N10 → L10")
    assert not talk.asked
    todd = talk.unit("todd")
    assert todd.at == parse_square("L10") or todd.is_defeated
    talk.do("undo")
    assert talk.unit("todd").at == parse_square("N10")


def test_the_dice_of_an_attack_are_asked_for_where_what_it_draws_is_automatic(talk: Conversation) -> None:
    talk.presenter.session.submit(Place("bandit", parse_square("O10")))
    talk.presenter.session.submit(SetPolicy(AUTO))
    talk.do("target", 1)
    talk.do("fire")
    talk.answer("95")
    talk.roll_the_rest()
    attacks = [(event.unit, event.roll.is_typed) for event in talk.every(AttackRolled)]
    assert attacks[0] == ("bandit", False)
    assert attacks[1:2] in ([("todd", True)], [])  # who is shot dead shoots nobody


def test_several_at_once_are_answered_for_good_in_their_list(talk: Conversation) -> None:
    talk.presenter.session.submit(Place("bandit", parse_square("O10")))
    talk.presenter.session.submit(Place("boss", parse_square("O11")))
    talk.do("move")
    talk.step(-3)
    talk.do("move")
    talk.display.cancel()
    talk.do("interrupt")
    assert talk.display.menu is not None and len(talk.display.menu.choices) == 2
    talk.display.choose(talk.display.menu.choices[0].id, key="N")
    assert talk.battle.gm.policies[0] == Policy(OFF, "disengaging")
    assert talk.battle.openings == ()
