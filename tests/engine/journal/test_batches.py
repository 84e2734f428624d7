"""Batches and their stamps: what is saved with every command stays readable when a field is added to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import defstruct

from engine.journal.batches import Batch, Stamp, batches, read_stamp, stamp_values, write_stamp
from engine.journal.store import Header, Journal, NotABattle
from tests.stamps import NOW, stamp

FIRST = {"time": "2026-11-23T20:15:00+00:00", "seat": "gm"}
"""A stamp as format 2 began: it is read for ever."""
HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "squares", "volt", {"rules.toml": "x"}, "1866")


def test_a_stamp_of_the_first_files_is_read_and_written_as_it_was() -> None:
    """So every field that came later has a default, and is left out where it has it: the hashes stay."""
    assert stamp_values(read_stamp(FIRST)) == FIRST
    assert write_stamp(read_stamp(FIRST)) == '{"seat":"gm","time":"2026-11-23T20:15:00+00:00"}'


def test_a_field_that_is_added_changes_no_stamp_that_was_written() -> None:
    """An exercise: the machine's name."""
    later = defstruct("Later", [("machine", str, "")], bases=(Stamp,), frozen=True)
    assert write_stamp(later(**FIRST)) == write_stamp(read_stamp(FIRST))
    assert stamp_values(later(**FIRST, machine="tower")) == {**FIRST, "machine": "tower"}


def test_rows_come_batch_by_batch_with_their_stamps(tmp_path: Path) -> None:
    saved = [Batch([("moved", {"n": 1}), ("hurt", {})], stamp("20:15")), Batch([("undo", {})], stamp("20:16"))]
    with Journal.create(tmp_path / "t.battle", HEADER) as journal:
        journal.extend(saved)
        found = [*batches(journal.rows())]
    assert [(batch.rows, batch.stamp) for batch in found] == [(batch.rows, batch.stamp) for batch in saved]
    assert [(batch.first, batch.last) for batch in found] == [(1, 2), (3, 3)]


@pytest.mark.parametrize(
    "spoilt", [{}, {**FIRST, "mood": "grim"}, {**FIRST, "time": 5}, {**FIRST, "seat": "x" * 5000}, 5]
)
def test_what_is_no_stamp_is_refused(spoilt: object) -> None:
    with pytest.raises(ValueError, match="Stamp"):
        read_stamp(spoilt)


def test_a_file_with_a_stamp_of_a_later_battleboard_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read without what it says more, it would be written otherwise than it was hashed."""
    with monkeypatch.context() as later:
        later.setattr("engine.journal.journal_rows.write_stamp", lambda _: write_stamp(NOW).replace("seat", "sort"))
        with Journal.create(tmp_path / "t.battle", HEADER) as journal:
            journal.append([("moved", {})], NOW)
    with pytest.raises(NotABattle, match="is not a field of Stamp"):
        Journal.open(tmp_path / "t.battle")


def test_the_rows_of_a_batch_have_one_stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(("20:15", "20:16"))
    with monkeypatch.context() as forged:
        forged.setattr("engine.journal.journal_rows.write_stamp", lambda _: write_stamp(stamp(next(times))))
        with Journal.create(tmp_path / "t.battle", HEADER) as journal:
            journal.append([("moved", {}), ("hurt", {})], NOW)
    with pytest.raises(NotABattle, match="row 2 has another stamp than its batch"):
        Journal.open(tmp_path / "t.battle")
