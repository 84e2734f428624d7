"""While dice are typed the board shows the battle and what is known of the command; one die can be taken back."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from engine.battle.commands.order_commands import SetTurn
from engine.battle.views.aftermath import UNDECIDED
from rulesets import shipped_rulesets
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.describe.last_command import LastCommand

DICE = re.compile(r"(\d*)d(\d+)")


def faces(random: Random, question: str) -> str:
    """Faces for the dice that a question names."""
    thrown = [(int(count or 1), int(sides)) for count, sides in DICE.findall(question)]
    assert thrown, question
    return " ".join(str(random.randint(1, sides)) for count, sides in thrown for _ in range(count))


def undefended(talk: Conversation) -> None:
    """Until dice are asked for, or the command is done."""
    while talk.display.menu is not None or (talk.display.is_asking and talk.display.takes_a_key):
        talk.display.cancel()


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
@pytest.mark.parametrize("seed", range(3))
def test_each_die_is_shown_and_can_be_taken_back(tmp_path: Path, ruleset: str, seed: int) -> None:
    talk, random = Conversation(session_for(tmp_path, "frontier-trail", ruleset)), Random(seed)
    if ruleset == "eva":
        talk.presenter.submit(SetTurn("deputy"))  # who has a firearm
    start = talk.battle
    talk.do("target", 1)
    talk.do("fire")
    before: list[tuple[str, LastCommand | None]] = []
    undefended(talk)
    while talk.display.is_asking:
        plan, asked = talk.presenter.plan, talk.asked
        assert plan is not None and talk.presenter.last is plan and talk.battle is start
        assert all(mark.is_open and mark.kind not in UNDECIDED for mark in plan.aftermath.marks)
        if before:
            assert talk.display.back is not None and "typed d" in talk.display.warning
            talk.display.back()
            typed = talk.display.value
            assert talk.presenter.plan == before[-1][1] and typed.strip() == before[-1][0]
            talk.answer(typed)
            undefended(talk)
            assert (talk.presenter.plan, talk.asked) == (plan, asked)
        else:
            assert plan.aftermath.is_empty and talk.display.back is None and talk.display.warning == ""
        before.append((faces(random, asked), plan))
        talk.answer(before[-1][0])
        undefended(talk)
    assert before and talk.presenter.plan is None and talk.battle is not start
    assert not any(mark.is_open for mark in talk.presenter.last.aftermath.marks)


def test_what_was_done_before_gives_way_to_the_first_question_and_comes_back(talk: Conversation) -> None:
    talk.line("shoot bandit dice 45")
    talk.roll_the_rest()
    done = talk.presenter.last
    assert not done.aftermath.is_empty
    talk.line("shoot bandit free")
    assert talk.display.is_asking and talk.presenter.last == LastCommand()
    talk.display.cancel()
    assert talk.presenter.last == done and "cancelled" in talk.said
