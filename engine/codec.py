"""Structs to JSON values and back, by their type hints: the form in which events and battles are kept.

Squares and edges are written as their names, fractions as "3/5", directions as "NE". Writing the same value twice gives
the same bytes. What is read may come from anybody: every number and every text has its bounds here (`engine.bounds`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct, StructMeta
from msgspec.structs import asdict

from engine.bounds import MOST_NUMBER, MOST_TEXT, Bounds, OneOf
from engine.documents import said
from engine.errors import BattleboardError
from engine.field.squares import Direction, Edge, Square, parse_square

T = TypeVar("T")
Reader = Callable[[Any], Any]


_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)
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
    if isinstance(value, Struct):
        return {name: to_json(item) for name, item in asdict(value).items()}
    raise TypeError(f"{type(value).__name__} has no JSON form")


def from_json(kind: type[T], value: Any) -> T:
    """The value of type `kind` that `to_json` wrote.

    Raises:
        ValueError: the JSON does not fit the type, or a number or a text in it is out of bounds; the message is short
            and names the field.
    """
    try:
        found: T = _reader(kind)(value)  # type: ignore[arg-type]  # types are hashable
    except FAULTS as wrong:
        raise ValueError(f"{kind.__name__}: {_reason(wrong)}") from wrong
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


FAULTS = (TypeError, KeyError, AttributeError, ValueError, ZeroDivisionError, BattleboardError)
"""What reading a value of the wrong kind raises."""


class Misfit(ValueError):
    """A field whose value does not fit; the text names both."""


def _reason(wrong: Exception) -> str:
    """What is wrong in a few words, whatever the value was."""
    if isinstance(wrong, KeyError):
        return f"{said(wrong.args[0])} is not one of its values"
    return str(wrong)[:MOST_REASON]


MOST_REASON = 200


@cache
def _reader(kind: Any) -> Reader:
    """What reads values of a kind; worked out once for each, as a journal holds thousands of them."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return _bounded_reader(*arguments)
    if origin in (Union, UnionType):
        return _union_reader(arguments)
    if origin is tuple:
        return _tuple_reader(arguments)
    if origin is not None and issubclass(origin, Mapping):
        read_key, read_item = map(_reader, arguments)
        return lambda value: {read_key(key): read_item(item) for key, item in value.items()}
    if isinstance(kind, StructMeta):
        return partial(_read_fields, kind)
    return PLAIN.get(kind) or partial(_read_nothing, kind)


@cache
def _field_readers(kind: type) -> dict[str, Reader]:
    return {name: _reader(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}


def _read_fields(kind: Any, value: Any) -> Any:
    readers, found = _field_readers(kind), {}
    if not isinstance(value, Mapping):
        raise ValueError(f"{said(value)} is no {kind.__name__}")
    for name, item in value.items():
        if name not in readers:
            raise Misfit(f"{said(name)} is no field of {kind.__name__}")
        try:
            found[name] = readers[name](item)
        except Misfit:
            raise
        except FAULTS as wrong:
            raise Misfit(f"{name}: {_reason(wrong)}") from wrong
    try:
        return kind(**found)
    except TypeError:
        required = kind.__struct_fields__[: -len(kind.__struct_defaults__) or None]
        missing = next(name for name in required if name not in found)
        raise Misfit(f"{missing} is missing") from None


def _bounded_reader(kind: Any, bounds: Bounds | OneOf) -> Reader:
    """What reads a number within bounds, one of several texts, or a list of so many items."""
    read_any = _reader(kind)

    def read(value: Any) -> Any:
        found = read_any(value)
        if isinstance(bounds, OneOf):
            if found not in bounds.texts:
                raise ValueError(f"{said(found)}; expected one of {', '.join(bounds.texts)}")
        elif not bounds.least <= (found if kind is int else len(found)) <= bounds.most:
            what = "a whole number" if kind is int else "items, so many:"
            raise ValueError(f"{said(value)}; expected {what} from {bounds.least:,} to {bounds.most:,}")
        return found

    return read


def _tuple_reader(kinds: tuple[Any, ...]) -> Reader:
    readers = [_reader(kind) for kind in kinds if kind is not Ellipsis]

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError(f"{said(value)}; expected a list")
        if kinds[-1] is Ellipsis:
            return tuple([readers[0](item) for item in value])
        return tuple([reader(item) for reader, item in zip(readers, value, strict=True)])

    return read


def _union_reader(kinds: tuple[Any, ...]) -> Reader:
    plain = {kind: _reader(kind) for kind in kinds if kind in (bool, int, str)}
    others = [kind for kind in kinds if kind is not NoneType and kind not in plain]

    def read(value: Any) -> Any:
        if value is None and NoneType in kinds:
            return None
        if type(value) in plain:
            return plain[type(value)](value)
        if Fraction in kinds and isinstance(value, str):
            return _read_fraction(value)
        if not others:
            raise ValueError(f"{said(value)} is of no kind that may stand here")
        return _reader(others[0])(value)

    return read


def _read_fraction(value: Any) -> Fraction:
    """A fraction as it is written here: a numerator of bearable size, and perhaps a denominator."""
    if not isinstance(value, str) or len(value) > MOST_TEXT or _FRACTION.fullmatch(value) is None:
        raise ValueError(f'{said(value)}; expected a fraction, as "3/5"')
    found = Fraction(value)
    if abs(found) > MOST_NUMBER:
        raise ValueError(f"{said(found)} is too large")
    return found


def _read_int(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(f"{said(value)}; expected a whole number")
    if not -MOST_NUMBER <= value <= MOST_NUMBER:
        raise ValueError(f"{said(value)} is too large")
    return value


def _read_text(value: Any) -> str:
    if type(value) is not str:
        raise ValueError(f"{said(value)}; expected a text")
    if len(value) > MOST_TEXT:
        raise ValueError(f"{said(value)} is too long; at most {MOST_TEXT:,} characters are read")
    return value


def _read_bool(value: Any) -> bool:
    if type(value) is not bool:
        raise ValueError(f"{said(value)}; expected true or false")
    return value


PLAIN: Mapping[Any, Reader] = {
    bool: _read_bool,
    int: _read_int,
    str: _read_text,
    Square: parse_square,
    Edge: parse_edge,
    Fraction: _read_fraction,
    Direction: Direction.__getitem__,
}
"""What reads a value that is written as one word."""


def _read_nothing(kind: Any, value: Any) -> Any:
    raise ValueError(f"{kind} cannot be read from {said(value)}")
