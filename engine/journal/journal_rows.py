"""Rows of a battle's file: its tables, its header, its rows, and the hashes that chain them."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from json.encoder import encode_basestring
from typing import Any

from msgspec import Struct
from msgspec.json import decode, encode
from msgspec.structs import asdict

from engine.battle.state.codec import canonical
from engine.journal.batches import JournalRow, Stamp, read_stamp, write_stamp
from engine.journal.upcasters import language, upcast_texts
from engine.values import replace

APPLICATION_ID = 0x62627264  # "bbrd"
FORMAT = 2
TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE journal (seq INTEGER PRIMARY KEY, batch INTEGER NOT NULL, stamp TEXT NOT NULL,
    kind TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT""",
)
SELECT = "SELECT seq, batch, stamp, kind, version, body, hash FROM journal WHERE seq >= ? ORDER BY seq LIMIT ?"
INSERT = "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)"
Line = tuple[int, int, str, str, int, str, bytes]
"""A row as the table has it."""


class Header(Struct, frozen=True):
    """Start of a battle, never changed; `created` is for display only."""

    battle_id: str
    version: str
    created: str
    title: str
    map_file: str
    map_text: str
    ruleset_id: str
    ruleset_texts: Mapping[str, str]
    seed: str
    language: str = language()
    """In which language map and rules are written, see `upcasters.TEXTS`."""
    original: str = ""
    """The digest of the file of format 1 that it was made from; "" for none."""

    def in_todays_language(self) -> Header:
        """The same with map and rules that can be read today.

        Raises:
            ValueError: they are in a language that is not known.
        """
        map_text, ruleset_texts = upcast_texts(self.language, self.map_text, self.ruleset_texts)
        return replace(self, map_text=map_text, ruleset_texts=ruleset_texts, language=language())


class FileFormat(Struct, frozen=True):
    """How files of a format differ from those of another."""

    tables: tuple[str, ...]
    select: str
    """Gives lines from a seq on, so many at once."""
    linked: Callable[[bytes, int, int, str, str, int, str], bytes]
    """The hash of a row, after that of the row before."""
    stamp: Callable[[str], Stamp]
    """What its column for the stamp says. Raises ValueError."""
    rows: Callable[[Iterator[JournalRow]], Iterator[JournalRow]]
    """Its rows as rows of format 2."""
    added: Mapping[str, str] = {}
    """What its headers do not say, and is so."""


def write_header(connection: sqlite3.Connection, header: Header) -> bytes:
    """Creates the tables and writes the start of the battle, inside a transaction; returns the chain's first hash."""
    values = _values(header)
    digest = digest_of(b"", values)
    for step in (f"PRAGMA application_id={APPLICATION_ID}", f"PRAGMA user_version={FORMAT}", *TABLES):
        connection.execute(step)
    connection.executemany("INSERT INTO meta VALUES (?, ?)", {**values, "hash": digest.hex()}.items())
    return digest


def read_header(connection: sqlite3.Connection, added: Mapping[str, str]) -> tuple[Header, bytes]:
    """The start of the battle, as far as its format stores it; and the chain's first hash.

    Raises:
        ValueError, TypeError: it is damaged, or holds what no battle does.
    """
    values = dict(connection.execute("SELECT key, value FROM meta").fetchall())
    kept = values.pop("hash", "")
    digest = digest_of(b"", values)
    if kept != digest.hex():
        raise ValueError("its header is damaged")
    texts = parse_body(values.pop("ruleset_texts", ""))
    if not all(isinstance(text, str) for text in texts.values()):
        raise ValueError("its rules are not text")
    values = {**values, **added}
    if {*values, "ruleset_texts"} != {*Header.__struct_fields__}:
        raise ValueError("its header is not that of a battle")
    return Header(**values, ruleset_texts=texts), digest


def _values(header: Header) -> dict[str, str]:
    return {**asdict(header), "ruleset_texts": canonical(dict(header.ruleset_texts)).decode()}


def lines_of(rows: Iterable[JournalRow], digest: bytes) -> Iterator[Line]:
    """Rows as the table has them, after a row of that hash."""
    for row in rows:
        stamp, text = write_stamp(row.stamp), canonical(row.body).decode()
        digest = linked(digest, row.seq, row.batch, stamp, row.kind, row.version, text)
        yield row.seq, row.batch, stamp, row.kind, row.version, text, digest


def digest_after(header: Header, rows: Iterable[JournalRow]) -> str:
    """The hash of a whole file of today's format that holds these."""
    start = digest_of(b"", _values(header))
    last = deque(lines_of(rows, start), 1)
    return (last[0][-1] if last else start).hex()


def digest_of(previous: bytes, value: Any) -> bytes:
    return hashlib.sha256(previous + canonical(value)).digest()


def linked(previous: bytes, seq: int, batch: int, stamp: str, kind: str, version: int, text: str) -> bytes:
    """The digest of a row: of its canonical list, spelt here, as a long battle has ten thousand of them."""
    words = f"{encode_basestring(stamp)},{encode_basestring(kind)},{version},{encode_basestring(text)}"
    return hashlib.sha256(previous + f"[{seq},{batch},{words}]".encode()).digest()


def parse_body(text: str) -> dict[str, Any]:
    """A JSON object in its one spelling.

    Raises:
        ValueError: a key twice, NaN, another spelling.
    """
    with suppress(ValueError):  # so nearly every one is spelt, and read ten times as fast
        found: object = decode(text)
        if isinstance(found, dict) and encode(found, order="sorted").decode() == text:
            return found
    value = json.loads(text)
    if not isinstance(value, dict) or canonical(value).decode() != text:
        raise ValueError("it contains JSON that does not belong in a battle")
    return value


FORMAT_2 = FileFormat(TABLES, SELECT, linked, lambda text: read_stamp(parse_body(text)), lambda rows: rows)
