"""Structs to JSON values and back, by the types of their fields: the form in which events and battles are kept.

Squares and edges are written as their names, fractions as "3/5", directions as "NE". Writing the same value twice gives
the same bytes. What is read may come from anybody: every number and every text is bounded (`engine.bounds`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum, EnumType
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, StructMeta, ValidationError
from msgspec.json import Decoder, encode
from msgspec.structs import asdict

from engine.bounds import MOST_NUMBER, MOST_TEXT
from engine.errors import BattleboardError
from engine.geometry.squares import Edge, Square, parse_square
from engine.toml_reader import described
from engine.values import Number

T = TypeVar("T")

MOST_REASON = 200
"""Characters of the reason why a value cannot be read."""

_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?", re.ASCII)
_LONG_NUMBER = re.compile(rb"[0-9]{10}")
_PLACE = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
"""A step of the way to a value: the name of a field, the number of an item, or any key of a table."""
_SPELLING = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical(value: Any) -> bytes:
    """One spelling of a JSON value: keys sorted, no spaces, UTF-8."""
    return _SPELLING.encode(value).encode()


def to_json(value: Any) -> Any:
    """A JSON value for anything a battle or an event holds; a command among others says with its tag which it is."""
    match value:
        case None | bool() | int() | str():
            return value
        case Fraction():
            return str(value)
        case Square() | Edge() | Enum():
            return value.name
        case Mapping():
            return {str(to_json(key)): to_json(item) for key, item in value.items()}
        case tuple() | list():
            return [to_json(item) for item in value]
        case Struct():
            fields = {name: to_json(item) for name, item in asdict(value).items()}
            config = value.__struct_config__
            return {config.tag_field: config.tag, **fields} if config.tag_field else fields
    raise TypeError(f"{type(value).__name__} has no JSON form")


def from_json(kind: type[T], value: Any) -> T:
    """The value of type `kind` that `to_json` wrote.

    Raises:
        ValueError: the JSON does not fit the type, or a number or a text in it is out of bounds; the message is short
            and names the field.
    """
    try:
        text = _encoded(value)
        if len(text) > MOST_TEXT or _LONG_NUMBER.search(text):  # else nothing in it can be out of bounds
            _check_bounds(value)
        found: T = _decoder(kind).decode(text)  # type: ignore[arg-type]  # types are hashable
    except ValidationError as wrong:
        raise ValueError(f"{kind.__name__}: {_reason(kind, value, str(wrong))[:MOST_REASON]}") from wrong
    except (TypeError, ValueError, OverflowError) as wrong:
        raise ValueError(f"{kind.__name__}: {wrong}"[:MOST_REASON]) from wrong
    return found


def parse_edge(text: str) -> Edge:
    """The edge that `Edge.name` names, as "D7 W".

    Raises:
        ValueError: the text is not a square, a space and N or W.
    """
    name, _, side = text.partition(" ")
    if side not in ("N", "W"):
        raise ValueError(f"{text!r} is not an edge")
    square = parse_square(name)
    return Edge(square.column, square.row, side)


@cache
def _decoder(kind: Any) -> Decoder[Any]:
    return Decoder(kind, dec_hook=_read_word)


def _encoded(value: Any) -> bytes:
    try:
        return encode(value)
    except OverflowError:
        _check_bounds(value)
        raise


def _check_bounds(value: Any) -> None:
    """No number and no text that none may be, wherever it stands."""
    left = [("", value)]
    while left:
        name, found = left.pop()
        where = f"{name}: " if name else ""
        if type(found) is dict:
            left += [(where, key) for key in found]
            left += found.items()
        elif type(found) is list:
            left += [(name, item) for item in found]
        elif type(found) is int and not -MOST_NUMBER <= found <= MOST_NUMBER:
            raise ValueError(f"{where}{described(found)} is too large")
        elif type(found) is str and len(found) > MOST_TEXT:
            raise ValueError(f"{where}{described(found)} is too long; at most {MOST_TEXT:,} characters are read")


def _read_word(kind: Any, value: Any) -> Any:
    """What msgspec has no reader for: a value that is written as one word."""
    read = WORDS.get(kind)
    if read is None:
        raise TypeError(f"{kind} cannot be read")
    if kind is Number and type(value) is int:
        return value
    if not isinstance(value, str):
        raise ValueError(f"{described(value)}; expected {EXPECTED[kind]}")
    try:
        return read(value)
    except (BattleboardError, ZeroDivisionError) as wrong:
        raise ValueError(str(wrong)) from wrong


def _read_fraction(text: str) -> Fraction:
    """A fraction as it is written here: a numerator of bearable size, and perhaps a denominator."""
    if _FRACTION.fullmatch(text) is None:
        raise ValueError(f"{described(text)}; expected {EXPECTED[Fraction]}")
    found = Fraction(text)
    if abs(found) > MOST_NUMBER:
        raise ValueError(f"{described(found)} is too large")
    return found


WORDS: Mapping[Any, Callable[[str], Any]] = {
    Square: parse_square,
    Edge: parse_edge,
    Fraction: _read_fraction,
    Number: _read_fraction,
}
EXPECTED: Mapping[Any, str] = {
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    Square: 'a square such as "C7"',
    Edge: 'an edge such as "C7 W"',
    Fraction: 'a fraction such as "3/5"',
    Number: 'a whole number or a fraction such as "3/5"',
}


def _reason(kind: Any, value: Any, message: str) -> str:
    """What is wrong and where, in the words of this program.

    Args:
        kind, value: what was to be read, and from what.
        message: the text of msgspec: 'Expected `int`, got `str` - at `$.units[0].size`'.
    """
    message, _, place = message.partition(" - at ")
    field = ""
    for name, item in _PLACE.findall(place):
        field = name or field
        kind, value = _inside(kind, value, name or item)
    where = f"{field}: " if field else ""
    if message.startswith("Object missing"):
        return f"{where}{message.split('`')[1]} is missing"
    if message.startswith("Object contains"):
        struct = _struct(_alternatives(kind), value)
        return f"{where}{described(message.split('`')[1])} is not a field of {struct.__name__}"
    if "of length <=" in message:
        return f"{where}{len(value):,} items; at most {int(message.rpartition(' ')[2]):,} are read"
    if message.startswith(("Expected", "Invalid")):
        return f"{where}{described(value)}; expected {_expected(kind)}"
    return f"{where}{message}"


def _inside(kind: Any, value: Any, step: str) -> tuple[Any, Any]:
    """Type and value of what stands in a field, at a number of a list, or under the first key that does not fit.

    Of several alternatives it is that whose tag the table has, as msgspec reads it, or the first that may stand there.
    """
    kinds = _alternatives(kind)
    if not isinstance(value, Mapping):
        arguments = next(get_args(each) for each in kinds if get_origin(each) is tuple)
        return arguments[0 if arguments[-1] is Ellipsis else int(step)], value[int(step)]
    structs = [each for each in kinds if isinstance(each, StructMeta)]
    if structs:
        if step == structs[0].__struct_config__.tag_field:
            return Literal[tuple(each.__struct_config__.tag for each in structs)], value[step]
        return _hints(_struct(structs, value))[step], value[step]
    named, inner = next(get_args(each) for each in kinds if get_origin(each) is Mapping)
    key = next((key for key in value if not _fits(named, key)), None)
    return (named, key) if key is not None else (inner, next(each for each in value.values() if not _fits(inner, each)))


@cache
def _hints(struct: StructMeta) -> Mapping[str, Any]:
    return get_type_hints(struct, include_extras=True)


def _struct(kinds: list[Any], value: Any) -> StructMeta:
    """The Struct among some types that a table is read as: the one whose tag it has, or the first."""
    structs = [each for each in kinds if isinstance(each, StructMeta)]
    tag = value.get(structs[0].__struct_config__.tag_field)
    return next((each for each in structs if each.__struct_config__.tag == tag), structs[0])


def _fits(kind: Any, value: Any) -> bool:
    try:
        _decoder(kind).decode(encode(value))
    except ValueError:
        return False
    return True


def _alternatives(kind: Any) -> list[Any]:
    """What a type may be, without bounds and without None."""
    if get_origin(kind) is Annotated:
        return _alternatives(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return [each for one in get_args(kind) if one is not NoneType for each in _alternatives(one)]
    return [kind]


def _expected(kind: Any) -> str:
    """What may stand there, in words."""
    for bounds in getattr(kind, "__metadata__", ()):
        if isinstance(bounds, Meta) and bounds.ge is not None:
            return f"a whole number from {bounds.ge:,} to {bounds.le:,}"
        if isinstance(bounds, Meta) and bounds.min_length is not None:
            return f"a list of {bounds.min_length:,} to {bounds.max_length:,} items"
    if get_origin(kind) is Annotated:
        return _expected(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return " or ".join(dict.fromkeys(_expected(each) for each in get_args(kind) if each is not NoneType))
    if isinstance(kind, EnumType):
        return f"one of {', '.join(kind.__members__)}"
    if get_origin(kind) is Literal:
        return f"one of {', '.join(map(str, get_args(kind)))}"
    if isinstance(kind, StructMeta) or get_origin(kind) is Mapping:
        return "a table"
    if get_origin(kind) is tuple:
        return "a list" if Ellipsis in get_args(kind) else f"a list of {len(get_args(kind))} items"
    return EXPECTED[kind]
