"""Killed at any moment, a battle holds every batch that was acknowledged, at most one more, and only whole ones."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from itertools import groupby
from pathlib import Path

import pytest

from engine.journal.store import Journal, JournalRow
from tests.examples import sample
from tests.faults.writer import HEADER

WRITER = Path(__file__).with_name("writer.py")
READY, OPENED = 1, 2
KILLS_PER_BATTLE = 10


def kill_a_writer(path: Path, seed: int, lines: int, most_ms: float) -> int | None:
    """Start a writer, kill it 1 to `most_ms` ms after its first `lines` lines; the last seq it acknowledged, if any."""
    command = [sys.executable, str(WRITER), str(path), str(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        assert writer.stdout is not None
        heard = [writer.stdout.readline() for _ in range(lines)]
        assert all(heard), "the writer ended by itself"
        time.sleep(random.Random(seed).uniform(1, most_ms) / 1000)
        writer.kill()
        heard += [line for line in writer.stdout.read().splitlines(keepends=True) if line.endswith(b"\n")]
    numbers = [int(line) for line in heard if line != b"ready\n"]
    return numbers[-1] if numbers else None


def check(rows: list[JournalRow], kept: list[JournalRow], acknowledged: int) -> None:
    """What was there is there still, all acknowledged rows and at most one batch more; every batch is whole."""
    assert rows[: len(kept)] == kept
    assert len(rows) >= acknowledged
    assert len({row.batch for row in rows[acknowledged:]}) <= 1
    for _, batch in groupby(rows, key=lambda row: row.batch):
        events = [(row.body["which"], row.body["of"]) for row in batch]
        assert events == [(which, len(events)) for which in range(len(events))]


def kill_and_check(path: Path, kills: range) -> int:
    """Kill writers of one battle one after the other; how many rows it holds in the end."""
    rows: list[JournalRow] = []
    for seed in kills:
        acknowledged = kill_a_writer(path, seed, OPENED + seed % 2, 60)  # every other one after its first batch
        assert acknowledged is not None
        with Journal.open(path, read_only=seed % 3 == 0) as journal:
            kept, rows = rows, list(journal.rows())
        check(rows, kept, max(acknowledged, len(kept)))
    return len(rows)


@pytest.mark.parametrize("battle", sample(range(2)))
def test_twenty_kills_lose_nothing_acknowledged(tmp_path: Path, battle: int) -> None:
    kills = range(battle * KILLS_PER_BATTLE, (battle + 1) * KILLS_PER_BATTLE)
    assert kill_and_check(tmp_path / "fight.battle", kills) >= KILLS_PER_BATTLE // 2


@pytest.mark.slow
@pytest.mark.parametrize("battle", range(100))
def test_a_thousand_kills_lose_nothing_acknowledged(tmp_path: Path, battle: int) -> None:
    kills = range(1000 + battle * KILLS_PER_BATTLE, 1000 + (battle + 1) * KILLS_PER_BATTLE)
    assert kill_and_check(tmp_path / "fight.battle", kills) >= KILLS_PER_BATTLE // 2


def kill_while_creating(path: Path, seed: int) -> str:
    acknowledged = kill_a_writer(path, seed, READY, seed % 41)  # some at once
    if not path.exists():
        assert acknowledged is None
        assert not list(path.parent.glob("*.battle")), "what the library would list as damaged"
        Journal.create(path, HEADER).close()  # what was left behind is in nobody's way
        assert {file.name for file in path.parent.iterdir()} == {path.name}
        return "absent"
    with Journal.open(path) as journal:
        check(list(journal.rows()), [], acknowledged or 0)
    return "whole"


@pytest.mark.parametrize("seed", sample(range(10), 4))
def test_a_kill_while_creating_leaves_a_whole_battle_or_none(tmp_path: Path, seed: int) -> None:
    kill_while_creating(tmp_path / "fight.battle", seed)


@pytest.mark.slow
def test_two_hundred_kills_while_creating(tmp_path: Path) -> None:
    seen = {kill_while_creating(tmp_path / str(seed) / "fight.battle", seed) for seed in range(200)}
    assert seen == {"whole", "absent"}
