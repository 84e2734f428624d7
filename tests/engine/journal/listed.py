"""What the list of kinds has to say of the classes that there are: the lines for `engine.journal.row_kinds`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, get_args, get_type_hints

from msgspec import StructMeta

from engine.journal.batches import Stamp
from engine.journal.row_kinds import COMMANDS, EVENTS, REDO, UNDO, VERSIONS
from engine.journal.submitted_commands import CommandBody, UndoRedoBody

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
    return [f"{kind} {VERSIONS.get(kind, 1)} {fields_of(row)}".rstrip() for kind, row in sorted(ROWS.items())]


def value_lines() -> list[str]:
    """Name and fields of every value."""
    return [f"{value.__name__} {fields_of(value)}" for value in all_values()]


def unwrapped(text: str) -> list[str]:
    """The lines of a list, without the breaks in long ones."""
    return text.strip().replace("\n    ", " ").split("\n")


Listed = tuple[str, str]
"""The rows and the values of a list."""


def refusals(then: Listed, now: Listed, upcast: Collection[tuple[str, int]]) -> list[str]:
    """Kind and version of what was released and could not be read any more.

    Args:
        then: the list as it was released.
        now: the list of today.
        upcast: kind and version of what is brought into the form of the next version.
    """
    found, today = [], _shapes(now)
    newest = dict(today.keys())
    for (kind, version), shape in _shapes(then).items():
        is_upcast = kind in newest and all((kind, one) in upcast for one in range(version, newest[kind]))
        if shape != today.get((kind, version)) and not (is_upcast and version < newest[kind]):
            found.append(f"{kind} {version}")
    return found


def _shapes(listed: Listed) -> dict[tuple[str, int], Any]:
    """What a row of each kind and version holds, values and all, without the names of classes."""
    rows, values = listed
    inside = {name: fields for name, *fields in map(str.split, unwrapped(values))}

    def shape(fields: list[str]) -> list[Any]:
        parts = (field.partition("=") for field in fields)
        return [[name, [shape(inside[one]) for one in named.split("|") if one]] for name, _, named in parts]

    return {(kind, int(version)): shape(fields) for kind, version, *fields in map(str.split, unwrapped(rows))}


def list_text() -> str:
    """The whole list, as it is kept of each released format."""
    return "\n".join([*row_lines(), "", *value_lines(), ""])


if __name__ == "__main__":
    print(list_text())
