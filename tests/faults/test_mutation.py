"""A battle damaged in any way is refused in one sentence or read as it was: no traceback, no row that differs."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.journal.store import CannotSave, Header, Journal, JournalRow, NewerFormat, NotABattle, OpenElsewhere
from tests.stamps import NOW

HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "#..#\n" * 400, "volt", {"rules.toml": "x = 1\n" * 300}, "7")
REFUSALS = (NotABattle, OpenElsewhere, NewerFormat, CannotSave)
BLOCKS = (16, 512, 4096)


def flip(raw: bytearray, die: random.Random) -> None:
    for _ in range(die.choice((1, 1, 5, 50))):
        raw[die.randrange(len(raw))] ^= 1 << die.randrange(8)


def flip_in_a_page_head(raw: bytearray, die: random.Random) -> None:
    page = die.randrange(len(raw) // 4096) * 4096
    raw[page + die.randrange(100)] = die.randrange(256)


def zero(raw: bytearray, die: random.Random) -> None:
    block = die.choice(BLOCKS)
    start = die.randrange(len(raw) // block) * block
    raw[start : start + block] = bytes(block)


def garble(raw: bytearray, die: random.Random) -> None:
    block = die.choice(BLOCKS)
    start = die.randrange(len(raw) // block) * block
    raw[start : start + block] = die.randbytes(block)


def copy(raw: bytearray, die: random.Random) -> None:
    block = die.choice(BLOCKS)
    here, there = (die.randrange(len(raw) // block) * block for _ in range(2))
    raw[here : here + block] = raw[there : there + block]


def cut(raw: bytearray, die: random.Random) -> None:
    del raw[die.randrange(len(raw)) :]


def lengthen(raw: bytearray, die: random.Random) -> None:
    raw += die.randbytes(die.choice((1, 512, 4096, 10_000)))


def shift(raw: bytearray, die: random.Random) -> None:
    at = die.randrange(len(raw))
    if die.random() < 0.5:
        del raw[at : at + die.randint(1, 100)]
    else:
        raw[at:at] = die.randbytes(die.randint(1, 100))


MUTATIONS: tuple[Callable[[bytearray, random.Random], None], ...] = (
    flip,
    flip_in_a_page_head,
    zero,
    garble,
    copy,
    cut,
    lengthen,
    shift,
)


@pytest.fixture(scope="module")
def golden(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, list[JournalRow]]:
    path = tmp_path_factory.mktemp("golden") / "fight.battle"
    die = random.Random(1)
    with Journal.create(path, HEADER) as journal:
        for number in range(80):
            journal.append([("moved", {"n": number, "text": "é" * die.choice((0, 5, 50, 3000))})] * 2, NOW)
        rows = list(journal.rows())
    return path.read_bytes(), rows


def outcome(path: Path, golden: tuple[bytes, list[JournalRow]], seed: int) -> str:
    """Damage the golden battle and open it: the name of the refusal, or "same" when all was read as it was."""
    raw, rows = bytearray(golden[0]), golden[1]
    MUTATIONS[seed % len(MUTATIONS)](raw, random.Random(seed))
    path.write_bytes(raw)
    try:
        with Journal.open(path, read_only=seed % 3 == 0) as journal:
            assert journal.header == HEADER, seed
            assert list(journal.rows()) == rows, seed
            said = "same"
    except REFUSALS as error:
        said = type(error).__name__
        assert "\n" not in str(error)
        assert str(error).isprintable()
    assert path.read_bytes() == raw, seed
    assert list(path.parent.iterdir()) == [path], seed
    return said


@pytest.mark.long
def test_a_hundred_damaged_files_are_refused_or_right(tmp_path: Path, golden: tuple[bytes, list[JournalRow]]) -> None:
    said = [outcome(tmp_path / "fight.battle", golden, seed) for seed in range(100)]
    assert said.count("NotABattle") > 50


@pytest.mark.slow
def test_thousands_of_damaged_files_are_refused_or_right(
    tmp_path: Path, golden: tuple[bytes, list[JournalRow]]
) -> None:
    said = [outcome(tmp_path / "fight.battle", golden, seed) for seed in range(100, 5100)]
    assert said.count("NotABattle") > 2500
