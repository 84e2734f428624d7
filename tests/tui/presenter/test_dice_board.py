"""While dice are typed the board shows the battle and what is known of the command; one die can be taken back."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from engine.battle.commands.order_commands import SetTurn
from engine.battle.views.aftermath import UNDECIDED
from engine.geometry.squares import parse_square
from rulesets import shipped_rulesets
from tests.tui.play import session_for
from tests.tui.presenter.table import Conversation
from tui.application.describe.last_command import LastCommand
from tui.view.panels.dice_panel import tray_text

DICE = re.compile(r"(\d*)d(\d+)")


def faces(random: Random, question: str) -> str:
    """Faces for the dice that a question names."""
    thrown = [(int(count or 1), int(sides)) for count, sides in DICE.findall(question)]
    assert thrown, question
    return " ".join(str(random.randint(1, sides)) for count, sides in thrown for _ in range(count))


def undefended(talk: Conversation) -> None:
    """Until dice are asked for, or the command is done."""
    while talk.display.menu is not None or (talk.display.is_asking and talk.display.takes_a_key):
        if talk.display.menu is not None and talk.display.menu.choices[0].id == "none":
            talk.display.choose("none")
        else:
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
            talk.display.back(-1)
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
    assert talk.display.is_asking and talk.presenter.last.aftermath.is_empty
    talk.display.cancel()
    assert talk.presenter.last == done and "cancelled" in talk.said


def test_a_throw_is_aimed_until_it_comes_down_and_its_losses_are_open(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path, "rooftops", "aog"))
    for line in ("give fox frag-grenade", "ready fox frag-grenade free", "place fox D10"):
        talk.line(line)
    talk.line("shoot fox E11 with frag-grenade free")
    talk.answer("95")
    found = talk.presenter.last
    assert (found.aftermath.aimed, found.aftermath.landed) == (parse_square("E11"), None)
    assert found.result is not None and found.result.is_open
    for face in ("3", "8 3"):
        talk.answer(face)
    landed = talk.presenter.last.aftermath
    assert (landed.aimed, landed.landed) == (parse_square("E11"), parse_square("A7")) and landed.rings
    assert found.tray is not None
    rules = talk.presenter.session.rules
    rows = [row.rstrip() for row in tray_text(found.tray, rules, 40, 20).plain.split("\n")]
    assert rows[0].startswith(" MISS  rolled 95 vs 20") and " to hit   1d100  95  typed" in rows
    assert any(row.startswith("▸scatter  1d100  _  1–12 NW, ") for row in rows), rows
    made = [row.rstrip() for row in tray_text(talk.presenter.last.tray, rules, 40, 20).plain.split("\n")]
    assert any(row.split() == ["scatter", "1d100", "3", "north-west"] for row in made), made
    while talk.display.is_asking:
        shown = talk.presenter.last
        assert shown.result is not None
        assert shown.tray is not None
        card = tray_text(shown.tray, rules, 40, 20).plain
        assert (
            " lands    A7, " in card and "no damage" not in card and all(mark.is_open for mark in shown.aftermath.marks)
        )
        talk.answer("90" if "1d100" in talk.asked else faces(Random(1), talk.asked))
    assert not any(mark.is_open for mark in talk.presenter.last.aftermath.marks)
