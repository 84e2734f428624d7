"""What rows of a battle's file hold, read from the classes: the tables of docs/battles.md, and the list of a format.

`uv run python scripts/write_tables.py` writes the tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

from msgspec import StructMeta

from engine.journal.batches import Stamp
from engine.journal.row_kinds import COMMANDS, EVENTS, REDO, UNDO, VERSIONS
from engine.journal.submitted_commands import CommandBody, UndoRedoBody
from tui.application.commands.handbook import table

ROWS: Mapping[str, StructMeta] = {**COMMANDS, **EVENTS, UNDO: UndoRedoBody, REDO: UndoRedoBody}


def structs_in(kind: Any) -> Iterator[StructMeta]:
    """The Structs that a type is made of, each with those inside it."""
    if isinstance(kind, StructMeta):
        yield kind
        for inner in get_type_hints(kind).values():
            yield from structs_in(inner)
    else:
        for inner in get_args(kind):
            yield from structs_in(inner)


def values_in(row: StructMeta) -> set[StructMeta]:
    """The values inside a row."""
    return {*structs_in(row)} - {row}


def all_values() -> list[StructMeta]:
    """Everything that stands inside some row."""
    found = {value for row in (*ROWS.values(), CommandBody) for value in values_in(row)} | {CommandBody, Stamp}
    return sorted(found, key=lambda value: value.__name__)


def fields_of(struct: StructMeta) -> str:
    """The fields, those that hold values with what the values are called: "unit charge=Charge"."""
    words = []
    for name, kind in get_type_hints(struct).items():
        inside = "|".join(direct.__name__ for direct in direct_structs(kind))
        words.append(f"{name}={inside}" if inside else name)
    return " ".join(words)


def direct_structs(kind: Any) -> list[StructMeta]:
    """The Structs that a type names itself."""
    if isinstance(kind, StructMeta):
        return [kind]
    return [found for inner in get_args(kind) for found in direct_structs(inner)]


def row_lines() -> list[str]:
    """Kind, version, fields of every row."""
    return [f"{kind} {VERSIONS[kind]} {fields_of(row)}".rstrip() for kind, row in sorted(ROWS.items())]


def value_lines() -> list[str]:
    """Name and fields of every value."""
    return [f"{value.__name__} {fields_of(value)}" for value in all_values()]


def list_text() -> str:
    """The whole list, as it is kept of each released format."""
    return "\n".join([*row_lines(), "", *value_lines(), ""])


def rows_table() -> str:
    """The table of all kinds of rows."""
    cut = (line.split(" ", 2) for line in row_lines())
    return table(("kind", "version", "fields"), ((f"`{kind}`", version, *rest) for kind, version, *rest in cut))


def values_table() -> str:
    """The table of the values inside of rows."""
    cut = (line.split(" ", 1) for line in value_lines())
    return table(("value", "fields"), ((f"`{name}`", *rest) for name, *rest in cut))
