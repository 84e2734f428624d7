"""A battle's record: what it began with and every row of its journal, and what must hold of one that comes as text.

Which text that is, and where in it something stands, the readers know (`json_lines`, `toml_tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from msgspec import Struct
from msgspec.structs import asdict

from engine import bounds
from engine.errors import near_miss
from engine.journal import format_1
from engine.journal.batches import Batch, Stamp, batches, read_stamp, stamp_values
from engine.journal.history import read_event, read_travel
from engine.journal.journal_rows import digest_after
from engine.journal.row_kinds import COMMAND, REDO, UNDO, VERSIONS
from engine.journal.store import FORMAT, Header, Journal, JournalRow
from engine.journal.submitted_commands import read_command
from engine.journal.upcasters import upcast
from engine.text import is_clean
from engine.toml_reader import described
from engine.values import replace

MARK = "battleboard"
KIND = "battle"
"""The first key of every record, and what it says."""
MOST_BYTES = 64_000_000
MOST_TEXT = 400
"""Characters of a title, a name."""
TEXTS = ("map_text", "ruleset_texts")
"""What a battle began with that is a whole file of its own."""
ROW_KEYS = ("seq", "batch", "stamp", "kind", "version", "body")
ROW_KEYS_1 = ("seq", "batch", "time", "kind", "body")
"""Of a row in format 1."""


class Record(Struct, frozen=True):
    """Everything that a battle's file holds."""

    header: Header
    rows: tuple[JournalRow, ...]
    digest: str
    """The hash of it all in today's form; "" where a text does not say, and another where it says what is not so."""

    def batches(self) -> list[Batch]:
        """The rows command by command."""
        return list(batches(self.rows))


class Found(Struct, frozen=True):
    """What a text holds, unchecked."""

    head: Mapping[str, Any]
    """Everything but the rows."""
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
    """Everything but the rows, in the order in which it is written; the texts come last."""
    header = record.header
    values = {name: value for name, value in asdict(header).items() if name not in TEXTS}
    head = {MARK: KIND, "format": FORMAT, "rows": len(record.rows), "hash": record.digest}
    return {**head, **values, "map_text": header.map_text, "ruleset_texts": dict(header.ruleset_texts)}


def row_values(row: JournalRow) -> dict[str, Any]:
    """A row as it is written."""
    return {**{key: getattr(row, key) for key in ROW_KEYS}, "stamp": stamp_values(row.stamp)}


def checked(found: Found) -> Record:
    """The record that a text holds.

    Raises:
        Unreadable: it holds something else; the message names the place.
    """
    head = dict(found.head)
    if head.pop(MARK, None) != KIND:
        found.refuse(None, f'this is not a battle of battleboard; expected {MARK} = "{KIND}" at its beginning')
    if (form := head.pop("format", None)) not in (1, FORMAT) or type(form) is not int:
        found.refuse(None, f"format is {described(form)}; this battleboard reads format {FORMAT}, and 1")
    count, digest = head.pop("rows", None), head.pop("hash", "")
    if type(count) is not int or count != len(found.rows):
        found.refuse(None, f"rows is {described(count)}, and {len(found.rows)} rows follow; expected all of them")
    if not isinstance(digest, str):
        found.refuse(None, f"hash is {described(digest)}; expected a text")
    header = _header(found, head, format_1.ADDED if form == 1 else {})
    rows: list[JournalRow] = []
    for place, value in enumerate(found.rows):
        rows.append(_row(found, place, value, rows[-1] if rows else None, form))
    original = format_1.digest_after(header, rows) if form == 1 else digest_after(header, rows)
    if form == 1:
        header, rows = replace(header, original=original), [*format_1.today(iter(rows))]
    rows = [_in_todays_form(found, place, row) for place, row in enumerate(rows)]
    return Record(header, tuple(rows), digest_after(header, rows) if digest == original else digest)


def _header(found: Found, head: dict[str, Any], added: Mapping[str, str]) -> Header:
    known = [name for name in Header.__struct_fields__ if name not in added]
    for name in head:
        if name not in known:
            hint = near_miss(name, known)
            found.refuse(None, f"there is no key {name!r}; {f'did you mean {hint!r}?' if hint else 'leave it out'}")
    for name in known:
        value = head.get(name)
        texts = value if name == "ruleset_texts" and isinstance(value, Mapping) else {name: value}
        if name == "ruleset_texts" and texts is not value:
            found.refuse(None, f"{name} is {described(value)}; expected the ruleset's files")
        for text in texts.values():
            if not isinstance(text, str):
                found.refuse(None, f"{name} is {described(text) if name in head else 'missing'}; expected a text")
            if name not in TEXTS and (len(text) > MOST_TEXT or not is_clean(text)):
                found.refuse(None, f"{name} is not plain text of at most {MOST_TEXT} characters")
    return Header(**{**head, **added})


def _row(found: Found, place: int, value: object, before: JournalRow | None, form: int) -> JournalRow:
    """One row with its number, its command's number, its stamp, as it stands."""
    keys = ROW_KEYS_1 if form == 1 else ROW_KEYS
    if not isinstance(value, Mapping):
        found.refuse(place, f"a row is {described(value)}; expected {', '.join(keys)}")
    for key in (*keys, *value):
        if key not in value or key not in keys:
            wrong = "is missing" if key in keys else "belongs to no row"
            found.refuse(place, f"{key!r} {wrong}; expected {', '.join(keys)}")
    seq, batch, kind, body = (value[key] for key in ("seq", "batch", "kind", "body"))
    version = value.get("version", 1)
    if type(seq) is not int or seq != place + 1:
        found.refuse(place, f"seq is {described(seq)}; expected {place + 1}: rows are numbered from 1 without gaps")
    is_further = before is not None and batch == before.batch
    if type(batch) is not int or (batch != seq and not is_further):
        found.refuse(place, f"batch is {described(batch)}; expected the number of the command's first row")
    stamp = _stamp(found, place, value, form)
    if before is not None and is_further and stamp != before.stamp:
        found.refuse(place, "the rows of one command have different stamps; expected one")
    if type(version) is not int or not 1 <= version <= bounds.MOST_NUMBER:
        found.refuse(place, f"version is {described(version)}; expected a number, 1 or more")
    if not isinstance(body, Mapping):
        found.refuse(place, f"body is {described(body)}; expected a table")
    if wrong := _fault(body):
        found.refuse(place, wrong)
    if not isinstance(kind, str):
        found.refuse(place, f"there is no row of the kind {described(kind)}")
    return JournalRow(seq, batch, stamp, kind, body, version)


def _stamp(found: Found, place: int, row: Mapping[Any, Any], form: int) -> Stamp:
    """The stamp of a row; in format 1 it has only a time."""
    value = row["time" if form == 1 else "stamp"]
    if wrong := _fault(value):
        found.refuse(place, wrong)
    try:
        return format_1.stamp_of(value) if form == 1 else read_stamp(value)
    except ValueError as error:
        found.refuse(place, str(error)[:MOST_TEXT])


def _in_todays_form(found: Found, place: int, row: JournalRow) -> JournalRow:
    """A row that was found sound, and that means something."""
    kind = row.kind
    if kind not in VERSIONS:
        hint = near_miss(kind, VERSIONS)
        found.refuse(
            place, f"there is no row of the kind {described(kind)}{f'; did you mean {hint!r}?' if hint else ''}"
        )
    try:
        body = upcast(kind, row.version, row.body)
        if kind in (UNDO, REDO):
            read_travel(body)
        else:
            (read_command if kind.startswith(COMMAND) else read_event)(kind, body)
    except ValueError as error:
        found.refuse(place, f"this is not a valid {kind}: {str(error)[:MOST_TEXT]}")
    return replace(row, body=body, version=VERSIONS[kind])


def _fault(value: object) -> str:
    """What no row holds, somewhere in a value; "" where all is well."""
    match value:
        case None | bool():
            return ""
        case str():
            is_fine = len(value) <= bounds.MOST_TEXT and is_clean(value)
            return "" if is_fine else f"{described(value)} is not plain text of at most {bounds.MOST_TEXT:,} characters"
        case int():
            return "" if abs(value) <= bounds.MOST_NUMBER else f"{described(value)} is too large"
        case Mapping():
            return next((wrong for pair in value.items() for part in pair if (wrong := _fault(part))), "")
        case list():
            return next((wrong for item in value if (wrong := _fault(item))), "")
    return f"{described(value)} is not allowed in a row; expected whole numbers and texts"
