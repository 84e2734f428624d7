"""The golden battles open, replay step by step to the same state, and have the same numbers in their ledgers.

They are read through what people use: a battle's file, undo and redo, the log, the odds. Kinds of events are read from
the files themselves, so that the program may call its events what it likes.
"""

from __future__ import annotations

import difflib
import json
import shutil
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from engine.battle.apply import apply
from engine.battle.battle import Battle
from engine.errors import BattleboardError
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.golden import battles
from tests.golden.told import changes, facts
from tests.sealing import sealed
from tui.battles import open_battle
from tui.words.doing import do

NAMES = battles.scripts()
KINDS = frozenset(line.split()[0] for line in battles.KINDS.read_text("utf-8").splitlines())
"""Every kind of row of format 1."""
MARKS = frozenset({"Undone", "Redone"})
"""Rows of format 1 that are no events."""
LACKING: dict[str, str] = {}
"""Kinds that no golden battle has, each with the reason why none can."""


@pytest.fixture
def copied(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A golden battle that a test may do with what it likes."""
    return Path(shutil.copy(battles.FIRST / f"{request.param}.battle", tmp_path))


every_battle = pytest.mark.parametrize("copied", NAMES, indirect=True)


def hold(now: str, kept: Path) -> None:
    """Compares a text with the one that is committed, and says where they differ."""
    lines = difflib.unified_diff(kept.read_text("utf-8").splitlines(), now.splitlines(), "kept", "now", "", "", 3, "")
    told = [*lines]
    assert not told, f"{kept.name} is not as kept:\n" + "\n".join(told[:80])


@cache
def states(name: str) -> list[Battle]:
    """A golden battle after each of its batches."""
    return battles.states(battles.FIRST / f"{name}.battle")


def test_there_is_one_for_each_shipped_ruleset() -> None:
    assert sorted(shipped_rulesets()) == NAMES


def test_every_kind_of_event_is_in_a_golden_battle() -> None:
    found = {
        kind for name in NAMES for _, kinds in battles.kinds_in(battles.FIRST / f"{name}.battle") for kind in kinds
    }
    assert found <= KINDS
    assert KINDS - found == set(LACKING), "these kinds are in no golden battle: bring them about, or say why not"


def test_the_kinds_are_those_that_the_program_writes() -> None:
    """Who adds a kind to format 1 adds it to a golden battle. Goes when the journal has a list of its own."""
    from engine.battle.events import KINDS as WRITTEN

    assert {*WRITTEN, *MARKS} == KINDS, "a kind that no golden battle has stands in kinds.txt, with “-” for a line"


@every_battle
def test_it_replays_step_by_step(copied: Path) -> None:
    hold(battles.told_steps(copied), battles.FIRST / f"{copied.stem}.steps")


@pytest.mark.parametrize("copied", sample(["aog", "volt", "eva", "cwn", "occult-ops"], 3), indirect=True)
def test_it_ends_as_it_did_with_the_same_numbers(copied: Path) -> None:
    kept = json.loads((battles.FIRST / f"{copied.stem}.json").read_text("utf-8"))
    now = json.loads(json.dumps(battles.told_end(copied)))
    wrong = [
        f"{copied.stem}, {part}, {name}:\n  was {kept[part].get(name)}\n  is  {now[part].get(name)}"
        for part in kept
        for name in {**kept[part], **now[part]}
        if kept[part].get(name) != now[part].get(name)
    ]
    assert not wrong, "\n".join(wrong)


@every_battle
def test_its_events_write_into_nothing_that_they_are_applied_to(copied: Path) -> None:
    with closing(open_battle(copied, read_only=True)) as session:
        history = session.history
    battle = sealed(history.start)
    for step in history.steps():
        for event in step.events:
            battle = apply(battle, sealed(event))
        battle = sealed(battle)
    assert battle == history.battle


@every_battle
def test_its_log_reads_as_it_did(copied: Path) -> None:
    hold(battles.told_log(copied), battles.FIRST / f"{copied.stem}.md")


@pytest.mark.parametrize("copied", sample(NAMES), indirect=True)
def test_undo_and_redo_go_through_all_of_it(copied: Path) -> None:
    known = states(copied.stem)
    with closing(open_battle(copied)) as session:
        back = [session.battle]
        assert back[0] == known[-1]
        while True:
            try:
                session.undo()
            except BattleboardError:
                break
            back.append(session.battle)
            assert session.battle in known, "\n".join(changes(facts(back[-2]), facts(session.battle)))
        assert session.battle == known[0]
        for was in reversed(back[:-1]):
            session.redo()
            assert session.battle == was, "\n".join(changes(facts(was), facts(session.battle)))
    with closing(open_battle(copied)) as again:
        assert again.battle == known[-1]


@every_battle
def test_who_looks_at_it_changes_nothing(copied: Path) -> None:
    before = copied.read_bytes()
    with closing(open_battle(copied, read_only=True)) as session:
        do(session, "units")
        do(session, "log 20")
    assert copied.read_bytes() == before
    assert [*copied.parent.iterdir()] == [copied]


@every_battle
def test_its_last_roll_cannot_be_corrected_and_it_says_why(copied: Path) -> None:
    with closing(open_battle(copied)) as session:
        before = session.battle
        with pytest.raises(BattleboardError, match="forgotten"):
            do(session, "correct 45")
        assert session.battle == before


@every_battle
def test_it_is_played_on_and_opened_again(copied: Path) -> None:
    with closing(open_battle(copied)) as session:
        for line in ("roll 3d6", "note the battle goes on", "end", "roll 1d20 dice 7", "undo"):
            do(session, line)
        after = session.battle
    assert after != states(copied.stem)[-1]
    with closing(open_battle(copied)) as again:
        assert again.battle == after


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_its_lines_typed_again_make_the_same_battle(name: str, tmp_path: Path) -> None:
    """Not what opens old battles, but what plays new ones: each line comes to what it came to."""
    made = tmp_path / f"{name}.battle"
    battles.make(battles.FIRST / f"{name}.lines", made)
    for number, (kept, now) in enumerate(zip(states(name), battles.states(made), strict=True), 1):
        assert kept == now, f"{name}, step {number}:\n" + "\n".join(changes(facts(kept), facts(now)))
