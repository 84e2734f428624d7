"""A battle's record: what it began with and every row of its journal, and what must hold of one that comes as text.

Which text that is, and where in it something stands, the readers know (`jsonlines`, `tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import asdict

from engine import bounds
from engine.battle.events import KINDS
from engine.battle.record.history import REDONE, UNDONE, read_event
from engine.battle.record.journal import Header, Journal, JournalRow
from engine.documents import said
from engine.errors import near_miss
from engine.text import is_clean

FORMAT = 1
MARK = "battleboard"
KIND = "battle"
"""The first key of every record, and what it says."""
MOST_BYTES = 64_000_000
MOST_TEXT = 400
"""Characters of a title, a name, a time."""
TEXTS = ("map_text", "ruleset_texts")
"""What a battle began with that is a whole file of its own."""
ROW_KEYS = ("seq", "batch", "time", "kind", "body")

Batch = tuple[list[tuple[str, Mapping[str, Any]]], str]
"""The events of one command, each with its kind and body, and when it was."""


class Record(Struct, frozen=True):
    """Everything that a battle's file holds."""

    header: Header
    rows: tuple[JournalRow, ...]
    digest: str
    """The hash of it all; "" where a text does not say."""

    def batches(self) -> list[Batch]:
        """The rows command by command."""
        return [
            ([(row.kind, row.body) for row in rows], rows[0].time)
            for rows in (list(found) for _, found in groupby(self.rows, key=lambda row: row.batch))
        ]


class Found(Struct, frozen=True):
    """What a text holds, unchecked."""

    head: Mapping[str, Any]
    """Everything but the events."""
    rows: Sequence[object]
    refuse: Callable[[int | None, str], NoReturn]
    """Raises Unreadable for what stands in a row, counted from 0; None for the head."""


def record_of(journal: Journal) -> Record:
    """The record of an open battle.

    Raises:
        NotABattle: the file was damaged after it was opened.
    """
    return Record(journal.header, tuple(journal.rows()), journal.digest)


def head_of(record: Record) -> dict[str, Any]:
    """Everything but the events, in the order in which it is written; the texts come last."""
    header = record.header
    values = {name: value for name, value in asdict(header).items() if name not in TEXTS}
    told = {MARK: KIND, "format": FORMAT, "rows": len(record.rows), "hash": record.digest}
    return {**told, **values, "map_text": header.map_text, "ruleset_texts": dict(header.ruleset_texts)}


def checked(found: Found) -> Record:
    """The record that a text holds.

    Raises:
        Unreadable: it holds something else; the message names the place.
    """
    head = dict(found.head)
    if head.pop(MARK, None) != KIND:
        found.refuse(None, f'this is no battle of battleboard; expected {MARK} = "{KIND}" at its beginning')
    if (version := head.pop("format", None)) != FORMAT or type(version) is not int:
        found.refuse(None, f"format is {said(version)}; this battleboard reads format {FORMAT}")
    count, digest = head.pop("rows", None), head.pop("hash", "")
    if type(count) is not int or count != len(found.rows):
        found.refuse(None, f"rows is {said(count)}, and {len(found.rows)} events follow; expected all of them")
    if not isinstance(digest, str):
        found.refuse(None, f"hash is {said(digest)}; expected a text")
    header = _header(found, head)
    rows: list[JournalRow] = []
    for place, value in enumerate(found.rows):
        rows.append(_row(found, place, value, rows[-1] if rows else None))
    return Record(header, tuple(rows), digest)


def _header(found: Found, head: dict[str, Any]) -> Header:
    known = Header.__struct_fields__
    for name in head:
        if name not in known:
            hint = near_miss(name, known)
            found.refuse(None, f"nothing is called {name!r}; {f'did you mean {hint!r}?' if hint else 'leave it out'}")
    for name in known:
        value = head.get(name)
        texts = value if name == "ruleset_texts" and isinstance(value, Mapping) else {name: value}
        if name == "ruleset_texts" and texts is not value:
            found.refuse(None, f"{name} is {said(value)}; expected the ruleset's files")
        for text in texts.values():
            if not isinstance(text, str):
                found.refuse(None, f"{name} is {said(text) if name in head else 'missing'}; expected a text")
            if name not in TEXTS and (len(text) > MOST_TEXT or not is_clean(text)):
                found.refuse(None, f"{name} is no plain text of at most {MOST_TEXT} characters")
    return Header(**head)


def _row(found: Found, place: int, value: object, before: JournalRow | None) -> JournalRow:
    """One event with its number, its command's number, its time."""
    if not isinstance(value, Mapping):
        found.refuse(place, f"an event is {said(value)}; expected {', '.join(ROW_KEYS)}")
    for key in (*ROW_KEYS, *value):
        if key not in value or key not in ROW_KEYS:
            wrong = "is missing" if key in ROW_KEYS else "belongs to no event"
            found.refuse(place, f"{key!r} {wrong}; expected {', '.join(ROW_KEYS)}")
    seq, batch, time, kind, body = (value[key] for key in ROW_KEYS)
    if type(seq) is not int or seq != place + 1:
        found.refuse(place, f"seq is {said(seq)}; expected {place + 1}: events are numbered from 1 without gaps")
    is_further = before is not None and batch == before.batch
    if type(batch) is not int or (batch != seq and not is_further):
        found.refuse(place, f"batch is {said(batch)}; expected the number of the command's first event")
    if not isinstance(time, str) or len(time) > MOST_TEXT or not is_clean(time):
        found.refuse(place, f"time is {said(time)}; expected a plain text")
    if before is not None and is_further and time != before.time:
        found.refuse(place, "the events of one command have different times; expected one")
    if not isinstance(body, Mapping):
        found.refuse(place, f"body is {said(body)}; expected a table")
    if wrong := _fault(body):
        found.refuse(place, wrong)
    if kind in (UNDONE, REDONE):
        if is_further or list(body) != ["step"]:
            found.refuse(place, f"{kind} stands alone, and says which step; expected body.step and nothing else")
    elif kind not in KINDS:
        hint = near_miss(kind, KINDS) if isinstance(kind, str) else None
        found.refuse(place, f"no event is of the kind {said(kind)}{f'; did you mean {hint!r}?' if hint else ''}")
    else:
        try:
            read_event(kind, body)
        except ValueError as error:
            found.refuse(place, f"this is no {kind}: {str(error)[:MOST_TEXT]}")
    return JournalRow(seq, batch, time, kind, body)


def _fault(value: object) -> str:
    """What no event holds, somewhere in a value; "" where all is well."""
    match value:
        case None | bool():
            return ""
        case str():
            is_fine = len(value) <= bounds.MOST_TEXT and is_clean(value)
            return "" if is_fine else f"{said(value)} is no plain text of at most {bounds.MOST_TEXT:,} characters"
        case int():
            return "" if abs(value) <= bounds.MOST_NUMBER else f"{said(value)} is too large"
        case Mapping():
            return next((wrong for pair in value.items() for part in pair if (wrong := _fault(part))), "")
        case list():
            return next((wrong for item in value if (wrong := _fault(item))), "")
    return f"{said(value)} is nothing that an event holds; expected whole numbers and texts"
