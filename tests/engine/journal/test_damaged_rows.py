"""Damaged rows: whatever stands at any place of any kind of row is read, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from msgspec import Meta, StructMeta

from engine.battle.state.codec import MOST_REASON, from_json
from engine.geometry.squares import Edge, Square
from engine.journal.batches import Stamp
from engine.journal.row_kinds import COMMANDS, EVENTS, REDO, UNDO
from engine.journal.submitted_commands import CommandBody, UndoRedoBody
from engine.values import Number

ROWS: Mapping[str, StructMeta] = {
    **COMMANDS,
    **EVENTS,
    UNDO: UndoRedoBody,
    REDO: UndoRedoBody,
    "body": CommandBody,
    "stamp": Stamp,
}
WORDS = {Square: "C7", Edge: "C7 W", Fraction: "3/5", Number: "3/5", bool: True, NoneType: None, Any: 1}
DAMAGE: tuple[Any, ...] = (
    None, True, 1, -1, 1.5, 10**12, "", "x", "C7", "1/0", [], ["x"], [[]], {}, {"x": 1}, {"type": "x"}, {"": {}},
)  # fmt: skip


def samples(kind: Any, inside: tuple[Any, ...] = ()) -> list[Any]:
    """JSON values that fit a type, so that each alternative in it stands in one of them."""
    if kind in WORDS:
        return [WORDS[kind]]
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        notes = [note for note in arguments[1:] if isinstance(note, Meta)]
        if arguments[0] is int:
            return [next((note.ge for note in notes if note.ge is not None), 0)]
        return samples(arguments[0], inside)
    if origin in (Union, UnionType):
        return [each for one in arguments for each in samples(one, inside)]
    if origin is Literal:
        return [arguments[0]]
    if origin is Mapping:
        return [dict(zip(samples(arguments[0]), [each], strict=False)) for each in samples(arguments[1], inside)]
    if origin is tuple:
        if arguments[-1] is Ellipsis:
            return [[each] for each in samples(arguments[0], inside)] if arguments[0] not in inside else [[]]
        return together([samples(each, inside) for each in arguments])
    if isinstance(kind, StructMeta):
        hints = get_type_hints(kind, include_extras=True)
        config = kind.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag_field else {}
        rows = together([samples(each, (*inside, kind)) for each in hints.values()])
        return [{**tag, **dict(zip(hints, row, strict=True))} for row in rows]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return [next(iter(kind)).name]
    assert kind in (int, str), kind
    return [kind()]


def together(columns: list[list[Any]]) -> list[list[Any]]:
    """As many rows as the longest column, the others over and over."""
    return [[each[row % len(each)] for each in columns] for row in range(max(map(len, columns), default=1))]


def damaged(value: Any) -> Iterator[Any]:
    """The value with one place in it damaged: another value, a field more, a field less, an item more or less."""
    yield from DAMAGE
    match value:
        case dict():
            yield value | {"strange": 1}
            for key, item in value.items():
                yield {name: each for name, each in value.items() if name != key}
                yield {f"{name}?" if name == key else name: each for name, each in value.items()}
                yield from (value | {key: other} for other in damaged(item))
        case list():
            yield value * 2
            for place, item in enumerate(value):
                yield from ([*value[:place], other, *value[place + 1 :]] for other in damaged(item))


def refused(kind: str, most: int | None = None) -> int:
    """How many damages of a row are refused, of `most` that are spread over all; each in a sentence of our own."""
    wholes = samples(ROWS[kind])
    for whole in wholes:
        from_json(ROWS[kind], whole)
    wrongs = [wrong for whole in wholes for wrong in damaged(whole)]
    count = 0
    for wrong in wrongs[:: 1 if most is None else len(wrongs) // most + 1]:
        try:
            from_json(ROWS[kind], wrong)
        except ValueError as refusal:
            assert "`" not in str(refusal) and "null" not in str(refusal), wrong
            assert len(str(refusal)) <= MOST_REASON + len(kind) + 2, wrong
            count += 1
    return count


@pytest.mark.parametrize("kind", ROWS)
def test_damage_at_some_places_is_read_or_refused_in_a_sentence(kind: str) -> None:
    assert refused(kind, 100) > 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", ROWS)
def test_damage_at_any_place_is_read_or_refused_in_a_sentence(kind: str) -> None:
    assert refused(kind) > 0


def test_an_unknown_field_is_named_also_where_nothing_may_stand() -> None:
    with pytest.raises(ValueError, match="'strange' is not a field of Wind"):
        from_json(EVENTS["event/wind-set"], {"wind": {"towards": "N", "squares": 1, "strange": 1}})
