"""Frozen dataclasses to JSON values and back, by their type hints: the form in which events and battles are kept.

Squares and edges are written as their names, fractions as "3/5", directions as "NE". Writing the same value twice gives
the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.errors import BattleboardError
from engine.field.squares import Direction, Edge, Square, parse_square

T = TypeVar("T")


def canonical(value: Any) -> bytes:
    """One spelling of a JSON value: keys sorted, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


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
        found: T = _read(kind, value)
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
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _read(kind: Any, value: Any) -> Any:
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _read_union(arguments, value)
    if origin is tuple:
        if not isinstance(value, list):
            raise ValueError(f"a list is needed, not {value!r}")
        if arguments[-1] is Ellipsis:
            return tuple(_read(arguments[0], item) for item in value)
        return tuple(_read(argument, item) for argument, item in zip(arguments, value, strict=True))
    if origin is not None and issubclass(origin, Mapping):
        key_kind, item_kind = arguments
        return MappingProxyType({_read(key_kind, key): _read(item_kind, item) for key, item in value.items()})
    if is_dataclass(kind):
        hints = _hints(kind)  # type: ignore[arg-type]
        return kind(**{name: _read(hints[name], item) for name, item in value.items()})  # type: ignore[operator]
    return _read_plain(kind, value)


def _read_union(kinds: tuple[Any, ...], value: Any) -> Any:
    if value is None and NoneType in kinds:
        return None
    for kind in kinds:
        if kind in (bool, int, str) and type(value) is kind:
            return value
    for kind in kinds:
        if kind is Fraction and isinstance(value, str):
            return Fraction(value)
    for kind in kinds:
        if kind is not NoneType and kind not in (bool, int, str):
            return _read(kind, value)
    raise ValueError(f"{value!r} fits none of {kinds}")


def _read_plain(kind: Any, value: Any) -> Any:
    if kind is Square:
        return parse_square(value)
    if kind is Edge:
        return parse_edge(value)
    if kind is Fraction:
        return Fraction(value)
    if kind is Direction:
        return Direction[value]
    if kind in (bool, int, str) and type(value) is kind:
        return value
    raise ValueError(f"{kind} cannot be read from {value!r}")
