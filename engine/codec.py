"""Frozen dataclasses to JSON values and back, by their type hints: the form in which events and battles are kept.

Squares and edges are written as their names, fractions as "3/5", directions as "NE". Writing the same value twice gives
the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import BattleboardError
from engine.field.squares import Direction, Edge, Square, parse_square

T = TypeVar("T")
Reader = Callable[[Any], Any]


_SPELLING = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> bytes:
    """One spelling of a JSON value: keys sorted, no spaces, UTF-8."""
    return _SPELLING.encode(value).encode()


def to_json(value: Any) -> Any:
    """A JSON value for anything a battle or an event holds."""
    match value:
        case None | bool() | int() | str():
            return value
        case Fraction():
            return str(value)
        case Square() | Edge():
            return value.name
        case Enum():
            return value.name
        case Mapping():
            return {str(to_json(key)): to_json(item) for key, item in value.items()}
        case tuple() | list():
            return [to_json(item) for item in value]
    if is_dataclass(value):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def from_json(kind: type[T], value: Any) -> T:
    """The value of type `kind` that `to_json` wrote.

    Raises:
        ValueError: the JSON does not fit the type.
    """
    try:
        found: T = _reader(kind)(value)  # type: ignore[arg-type]  # types are hashable
    except (TypeError, KeyError, AttributeError, ZeroDivisionError, BattleboardError) as wrong:
        raise ValueError(f"{value!r} is no {kind.__name__}: {wrong}") from wrong
    return found


def parse_edge(text: str) -> Edge:
    """The edge that `Edge.name` names, as "D7 W".

    Raises:
        ValueError: the text is not a square, a space and N or W.
    """
    name, _, side = text.partition(" ")
    if side not in ("N", "W"):
        raise ValueError(f"{text!r} names no edge")
    square = parse_square(name)
    return Edge(square.column, square.row, side)


@cache
def _reader(kind: Any) -> Reader:
    """What reads values of a kind; worked out once for each, as a journal holds thousands of them."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is not None and issubclass(origin, Mapping):
        read_key, read_item = map(_reader, arguments)
        return lambda value: MappingProxyType({read_key(key): read_item(item) for key, item in value.items()})
    if is_dataclass(kind):
        return partial(_read_fields, kind)
    return PLAIN.get(kind) or partial(_read_itself, kind)


@cache
def _field_readers(kind: type) -> dict[str, Reader]:
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


def _read_fields(kind: Any, value: Any) -> Any:
    readers = _field_readers(kind)
    return kind(**{name: readers[name](item) for name, item in value.items()})


def _tuple_reader(kinds: tuple[Any, ...]) -> Reader:
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"a list is needed, not {value!r}")
        if kinds[-1] is Ellipsis:
            return tuple([readers[0](item) for item in value])
        return tuple([reader(item) for reader, item in zip(readers, value, strict=True)])

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    plain = tuple(kind for kind in kinds if kind in (bool, int, str))
    others = [kind for kind in kinds if kind is not NoneType and kind not in plain]

    def read(value: Any) -> Any:
        if value is None and NoneType in kinds:
            return None
        if type(value) in plain:
            return value
        if Fraction in kinds and isinstance(value, str):
            return Fraction(value)
        if not others:
            raise ValueError(f"{value!r} fits none of {kinds}")
        return _reader(others[0])(value)

    return read


PLAIN: Mapping[Any, Reader] = {
    Square: parse_square,
    Edge: parse_edge,
    Fraction: Fraction,
    Direction: Direction.__getitem__,
}
"""What reads a value that is written as one word."""


def _read_itself(kind: Any, value: Any) -> Any:
    """A text, a number, yes or no: what JSON has itself."""
    if type(value) is kind and kind in (bool, int, str):
        return value
    raise ValueError(f"{kind} cannot be read from {value!r}")
