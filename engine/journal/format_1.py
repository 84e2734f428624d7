"""Files of format 1: how they differ, and their rows as rows of format 2.

They called events by the names of their classes, and kept no commands; of a batch they kept only the time.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring
from typing import Any

from msgspec.structs import asdict

from engine.battle.seats import GM_NAME
from engine.battle.state.codec import canonical
from engine.journal.batches import JournalRow, Stamp, read_stamp
from engine.journal.journal_rows import FileFormat, Header, digest_of
from engine.journal.row_kinds import EVENT, REDO, UNDO
from engine.journal.upcasters import Body
from engine.values import replace

TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID",
    """CREATE TABLE event (seq INTEGER PRIMARY KEY, batch INTEGER NOT NULL, time TEXT NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL) STRICT""",
)
SELECT = "SELECT seq, batch, time, kind, 1, body, hash FROM event WHERE seq >= ? ORDER BY seq LIMIT ?"
TRAVELS = {"Undone": UNDO, "Redone": REDO}
ADDED = {"language": "1", "original": ""}
"""Of headers, since format 2."""

GEAR = ("weapons", "weapon", "rounds")
OVERRIDES = ("armour", "accessories")
"""Fields of its gear, and of what the GM has changed, that stood among a unit's own."""
TURN = {
    "budget": "budget",
    "turn_start": "start",
    "moved": "moved",
    "trail": "trail",
    "odd_diagonals": "odd_diagonals",
    "stride": "stride",
    "stride_action": "stride_action",
    "attacks": "attacks",
    "tally": "tally",
    "drawn_by_move": "drawn_by_move",
    "drawn_by_attack": "drawn_by_attack",
}
"""Fields of a turn as they stood among a unit's own, and as they are called now."""


def linked(previous: bytes, seq: int, batch: int, time: str, kind: str, version: int, text: str) -> bytes:
    """The digest of a row; it had no version."""
    spelt = f"[{seq},{batch},{encode_basestring(time)},{encode_basestring(kind)},{encode_basestring(text)}]"
    return hashlib.sha256(previous + spelt.encode()).digest()


def digest_after(header: Header, rows: Iterable[JournalRow]) -> str:
    """The hash of a whole file of format 1 that holds these, as they stood there."""
    values = {name: value for name, value in asdict(header).items() if name not in ADDED}
    digest = digest_of(b"", {**values, "ruleset_texts": canonical(dict(header.ruleset_texts)).decode()})
    for row in rows:
        text = canonical(row.body).decode()
        digest = linked(digest, row.seq, row.batch, row.stamp.time, row.kind, 1, text)
    return digest.hex()


def stamp_of(time: str) -> Stamp:
    """The stamp of a batch that was saved then. Raises ValueError."""
    return read_stamp({"time": time, "seat": GM_NAME})


def today(rows: Iterator[JournalRow]) -> Iterator[JournalRow]:
    """Rows of format 1 as the first of format 2; what does not fit is left for the reader to refuse."""
    batches: list[int] = []
    for row in rows:
        if row.kind in TRAVELS:
            step: object = row.body.get("step")
            batch = batches[step - 1] if isinstance(step, int) and 0 < step <= len(batches) else 0
            body: Body = {"batch": batch}
            yield replace(row, kind=TRAVELS[row.kind], body=body)
            continue
        if row.batch == row.seq:
            batches.append(row.batch)
        kind = f"{EVENT}{_with_hyphens(row.kind)}"
        yield replace(row, kind=kind, body=UPCASTERS[kind](row.body) if kind in UPCASTERS else row.body)


def _with_hyphens(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "-", name).lower()


def _with_composed_units(body: Body) -> Body:
    units = body.get("units")
    return {**body, "units": [_composed(unit) for unit in units]} if isinstance(units, list) else body


def _composed(unit: Any) -> Any:
    """A unit whose gear and turn stood among its own fields."""
    if not isinstance(unit, dict) or "turn_start" not in unit:
        return unit
    gear = {name: unit[name] for name in GEAR if name in unit}
    turn = {now: unit[name] for name, now in TURN.items() if name in unit}
    worn = {name: unit[name] for name in OVERRIDES if name in unit}
    own = {name: value for name, value in unit.items() if name not in (*GEAR, *TURN, *OVERRIDES)}
    return {**own, "gear": gear, "turn": turn, "overrides": worn}


UPCASTERS: Mapping[str, Callable[[Body], Body]] = {
    "event/battle-began": _with_composed_units,
    "event/units-added": _with_composed_units,
}

FORMAT_1 = FileFormat(TABLES, SELECT, linked, stamp_of, today, ADDED)
