"""Batches: rows that are saved together, all or none, each batch with its stamp.

A field of `Stamp` is saved with every command, undo and redo. Who opens a battle makes the stamps: `Session` gets the
function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct, to_builtins

from engine.battle.state.codec import canonical, from_json
from engine.bounds import Text
from engine.values import Stored

Row = tuple[str, Mapping[str, Any]]
"""Kind and body, in today's form."""


class Stamp(Stored, frozen=True, omit_defaults=True):
    """When a batch was saved, and by whom.

    A new field has a default, and is not written where it has it: so the stamps that were written stay as they are.
    """

    time: Text
    """UTC, as "2026-11-23T20:15:00+00:00"; for display only, as clocks are set back."""
    seat: Text
    """Name of the seat that gave the command; see `engine.battle.seats`."""


class JournalRow(Struct, frozen=True):
    """A command, an event, an undo or a redo.

    `seq` counts from 1 without gaps, `batch` is the seq of the first row saved together with it. All rows of a batch
    have its stamp.
    """

    seq: int
    batch: int
    stamp: Stamp
    kind: str
    body: Mapping[str, Any]
    version: int = 1


class Batch(Struct, frozen=True):
    """What is saved together: a command with its events, an undo, a redo, or the beginning."""

    rows: Sequence[Row]
    stamp: Stamp
    first: int = 0
    """The seq of its first row; 0 before it is saved."""

    @property
    def last(self) -> int:
        """The seq of its last row."""
        return self.first + len(self.rows) - 1


def batches(rows: Iterable[JournalRow]) -> Iterator[Batch]:
    """The rows of a journal, batch by batch."""
    for first, found in groupby(rows, key=lambda row: row.batch):
        held = list(found)
        yield Batch([(row.kind, row.body) for row in held], held[0].stamp, first)


def stamp_values(stamp: Stamp) -> dict[str, Any]:
    """A stamp as a JSON object."""
    values: dict[str, Any] = to_builtins(stamp)
    return values


def write_stamp(stamp: Stamp) -> str:
    """A stamp as a row of the file has it."""
    return canonical(stamp_values(stamp)).decode()


def read_stamp(values: Any) -> Stamp:
    """A stamp of its JSON object.

    Raises:
        ValueError: it is none, or one of a later battleboard.
    """
    return from_json(Stamp, values)
