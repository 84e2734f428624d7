"""The golden battles open, replay step by step to the same state, and have the same numbers in their ledgers.

They are read through what people use: a battle's file, undo and redo, the log, the odds. Kinds of events are read from
the files themselves, so that the program may call its events what it likes.
"""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from engine.battle.apply import apply
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError
from engine.journal import journal_rows
from engine.journal.row_kinds import EVENTS, REDO, UNDO
from engine.journal.store import FORMAT, Journal, JournalRow
from engine.journal.upcasters import Texts, upcast_texts
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.golden import battles
from tests.golden.battle_facts import changes, facts
from tests.sealing import sealed
from tui.application.commands.runner import do
from tui.application.library.battle_files import old_words, open_battle

FIRST = battles.FIRST
NAMES = battles.scripts()
FILES = [f"{folder.name}/{name}" for folder in battles.folders() for name in battles.scripts(folder)]
"""The golden battles of every format, as "format-1/aog"."""
KINDS = frozenset(line.split()[0] for line in battles.KINDS.read_text("utf-8").splitlines())
"""Every kind of row of format 1."""
MARKS = frozenset({"Undone", "Redone"})
"""Rows of format 1 that are no events."""
LATER = frozenset(
    {
        "event/battle-finished",
        "event/character-set",
        "event/command-held",
        "event/declaration-broken",
        "event/letters-given",
        "event/marker-cleared",
        "event/marker-set",
        "event/position-opened",
        "event/round-restarted",
        "event/smoke-set",
        "event/stat-set",
        "event/tie-rolled",
        "event/zone-set",
    }
)
"""Kinds of events that came after format 1."""
UNTYPED = {
    "event/character-set": "its command reads a character's file",
    "event/position-opened": "the rules of format 1 have no firing positions",
}
"""Kinds that no lines of today bring about, each with the reason."""
LACKING: dict[str, str] = {}
"""Kinds that no golden battle has, each with the reason why none can."""


@pytest.fixture(scope="module", autouse=True)
def upcast_once() -> Iterator[None]:
    """Maps and rules are put into today's language once a process; at each opening it is two thirds of the time."""
    known = cache(lambda language, map_text, texts: upcast_texts(language, map_text, dict(texts)))

    def remembered(language: str, map_text: str, texts: Texts) -> tuple[str, Texts]:
        return known(language, map_text, (*texts.items(),))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal_rows, "upcast_texts", remembered)
        yield


@pytest.fixture
def copied(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A golden battle that a test may do with what it likes, in a folder that is called as its format."""
    (folder := tmp_path / Path(request.param).parent).mkdir()
    return Path(shutil.copy(battles.FOLDER / f"{request.param}.battle", folder))


every_battle = pytest.mark.parametrize("copied", FILES, indirect=True)
every_old_battle = pytest.mark.parametrize("copied", [f"{FIRST.name}/{name}" for name in NAMES], indirect=True)


def kept(copied: Path, ending: str) -> Path:
    """What is committed about a battle."""
    return battles.FOLDER / copied.parent.name / f"{copied.stem}{ending}"


def rows_of(file: Path) -> list[JournalRow]:
    """The rows of a battle, in today's form."""
    with Journal.open(file, read_only=True) as journal:
        return [*journal.rows()]


def hold(now: str, file: Path) -> None:
    """Compares a text with the one that is committed, and says where they differ."""
    lines = difflib.unified_diff(file.read_text("utf-8").splitlines(), now.splitlines(), "kept", "now", "", "", 3, "")
    told = [*lines]
    assert not told, f"{file.name} is not as kept:\n" + "\n".join(told[:80])


@cache
def states(file: Path) -> list[Battle]:
    """A golden battle after each of its batches."""
    return battles.states(file)


def test_there_is_one_for_each_shipped_ruleset() -> None:
    assert sorted(shipped_rulesets()) == NAMES


def test_every_kind_of_event_is_in_a_golden_battle() -> None:
    found = {kind for name in NAMES for _, kinds in battles.kinds_in(FIRST / f"{name}.battle") for kind in kinds}
    assert found <= KINDS
    assert KINDS - found == set(LACKING), "these kinds are in no golden battle: bring them about, or say why not"


def test_every_kind_of_event_of_today_is_in_one_of_format_1_or_came_later() -> None:
    first = {row.kind for name in NAMES for row in rows_of(FIRST / f"{name}.battle")}
    assert {*EVENTS, UNDO, REDO} - first == set(LATER), "say which kinds came after format 1"


@pytest.mark.long
@every_battle
def test_it_replays_step_by_step(copied: Path) -> None:
    hold(battles.told_steps(copied), kept(copied, ".steps"))


@pytest.mark.long
@pytest.mark.parametrize("copied", sample(FILES, 3), indirect=True)
def test_it_ends_as_it_did_with_the_same_numbers(copied: Path) -> None:
    then = json.loads(kept(copied, ".json").read_text("utf-8"))
    now = json.loads(json.dumps(battles.told_end(copied)))
    wrong = [
        f"{copied.stem}, {part}, {name}:\n  was {then[part].get(name)}\n  is  {now[part].get(name)}"
        for part in then
        for name in {**then[part], **now[part]}
        if then[part].get(name) != now[part].get(name)
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.long
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
    hold(battles.told_log(copied), kept(copied, ".md"))


@pytest.mark.parametrize("copied", sample(FILES), indirect=True)
def test_undo_and_redo_go_through_all_of_it(copied: Path) -> None:
    known = states(kept(copied, ".battle"))
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


@every_old_battle
def test_its_last_roll_cannot_be_corrected_and_it_says_why(copied: Path) -> None:
    with closing(open_battle(copied)) as session:
        before = session.battle
        with pytest.raises(BattleboardError, match="saved the events without the command"):
            do(session, "correct 45")
        assert session.battle == before


@every_old_battle
def test_it_is_played_on_in_a_copy_and_its_file_stays(copied: Path) -> None:
    before, digest, rows = copied.read_bytes(), "", rows_of(copied)
    with closing(open_battle(copied)) as session:
        assert copied.read_bytes() == before
        assert {*copied.parent.iterdir()} == {copied, copied.with_name(f"{copied.name}.lock")}
        old, digest = session.journal.old_format_path, session.journal.header.original
        assert old_words(session).endswith(f"the old file stays as {copied.name}.format-1.")
        do(session, "note the battle goes on")
        assert old_words(session) == ""
        assert old.read_bytes() == before
        again = session.battle
    assert {*copied.parent.iterdir()} == {copied, old}
    assert rows_of(copied)[: len(rows)] == rows
    with closing(open_battle(copied)) as session:
        assert (session.journal.format, session.journal.header.original, session.battle) == (FORMAT, digest, again)
    with closing(open_battle(old, read_only=True)) as session:
        assert (session.journal.format, session.journal.header.original) == (1, digest)
        assert session.battle == states(kept(copied, ".battle"))[-1]


@every_battle
def test_it_is_played_on_and_opened_again(copied: Path) -> None:
    with closing(open_battle(copied)) as session:
        for line in ("roll 3d6", "note the battle goes on", "end", "roll 1d20 dice 7", "undo"):
            do(session, line)
        after = session.battle
    assert after != states(kept(copied, ".battle"))[-1]
    with closing(open_battle(copied)) as again:
        assert again.battle == after


@pytest.mark.long
@every_battle
def test_a_roll_is_corrected_after_it_was_closed_and_opened_again(copied: Path) -> None:
    with closing(open_battle(copied)) as session:
        do(session, "roll 2d6 dice 3 4")
        thrown = session.battle
    rows = len(rows_of(copied))
    with closing(open_battle(copied)) as session:
        assert session.battle == thrown
        do(session, "correct 6 6")
        corrected = session.battle
        do(session, "undo")
    added = rows_of(copied)[rows:]
    events = ["event/roll-corrected", "event/dice-thrown", "event/letters-given"]
    assert [row.kind for row in added] == ["command/throw-dice", *events, "undo"]
    assert [row.batch - rows for row in added] == [1, 1, 1, 1, 5]
    with closing(open_battle(copied)) as session:
        do(session, "redo")
        assert session.battle == corrected


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the battles that the lines of today make."""
    folder = tmp_path_factory.mktemp("typed")
    for name in NAMES:
        battles.make(battles.TODAY / f"{name}.lines", folder / f"{name}.battle")
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_lines_typed_today_do_what_they_did(name: str, typed: Path) -> None:
    """Not what opens old battles, but what plays new ones."""
    hold(battles.told_steps(typed / f"{name}.battle"), battles.TODAY / f"{name}.steps")


@pytest.mark.slow
def test_lines_typed_today_bring_about_every_kind_of_event(typed: Path) -> None:
    found = {kind for name in NAMES for _, kinds in battles.kinds_in(typed / f"{name}.battle") for kind in kinds}
    assert {*EVENTS, UNDO, REDO} - found == set(UNTYPED)
