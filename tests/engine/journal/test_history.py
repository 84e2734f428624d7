"""A long history: every step's battle can be had, though few are kept, and undo leads back through all of them."""

from __future__ import annotations

import pytest

from engine.battle.events import RulingSet
from engine.battle.state.battle import Battle
from engine.journal.history import KEPT, NEW, History, moment_between
from engine.journal.row_kinds import REDO, UNDO
from tests.engine.geometry.bursting import walled

STEPS = 5 * KEPT + 7


def long_history() -> History:
    history = History(Battle(walled("..", "..")))
    for number in range(1, STEPS + 1):
        history = history.take([RulingSet("told", "Told", number - 1, number)])
    return history


def told(battle: Battle) -> object:
    return battle.gm.rulings["told"]


def test_few_steps_keep_their_battle_and_all_have_it() -> None:
    history = long_history()
    steps = history.steps()
    assert sum(step.kept is not None for step in steps) < 3 * KEPT
    assert all(step.kept is not None for step in steps[-KEPT:])
    assert [told(step.after) for step in steps[::11]] == list(range(1, STEPS + 1, 11))


def test_steps_kept_whole_are_the_same_steps() -> None:
    history = long_history()
    whole = history.steps_with_battles()
    assert [(step.number, step.events) for step in whole] == [(step.number, step.events) for step in history.steps()]
    assert [told(step.after) for step in whole] == list(range(1, STEPS + 1))
    assert whole[9].previous is whole[8]
    assert all(step.kept is not None for step in whole)


def test_undo_and_redo_lead_back_and_forth_through_all_of_it() -> None:
    history = long_history()
    for number in range(STEPS - 1, 0, -1):
        history = history.undo()
        assert told(history.battle) == number
    for number in range(2, STEPS + 1):
        history = history.redo()
        assert told(history.battle) == number


def test_a_new_command_after_deep_undo_continues_from_there() -> None:
    history = long_history()
    for _ in range(3 * KEPT):
        history = history.undo()
    there = STEPS - 3 * KEPT
    for number in range(2 * KEPT):
        history = history.take([RulingSet("told", "Told", there + number, there + number + 1)])
    assert [told(step.after) for step in history.steps()[::7]] == list(range(1, there + 2 * KEPT + 1, 7))


def test_each_step_undo_and_redo_is_a_moment() -> None:
    start = History(Battle(walled("..", "..")))
    one = start.take([RulingSet("told", "Told", 0, 1)])
    two = one.take([RulingSet("told", "Told", 1, 2)])
    back, forth = two.undo(), two.undo().redo()
    fresh = back.take([RulingSet("told", "Told", 1, 3)])
    changes = [(start, one), (one, two), (two, back), (back, forth), (back, fresh)]
    found = [moment_between(before, after) for before, after in changes]
    assert [moment.kind for moment in found] == [NEW, NEW, UNDO, REDO, NEW]
    assert [moment.step.number for moment in found] == [1, 2, 2, 2, 3]
    assert [told(moment.battle) for moment in found] == [1, 2, 1, 2, 3]
    with pytest.raises(ValueError, match="not one change apart"):
        moment_between(one, one)
