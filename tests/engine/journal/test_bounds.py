"""Every number, text, list and table in a row has bounds, in its type; nothing larger is read, whoever wrote it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import pytest
from msgspec import Meta, StructMeta

from engine.battle.state.codec import to_json
from engine.bounds import MOST_AMOUNT, MOST_NUMBER, MOST_TEXT
from engine.geometry.squares import Edge, Square
from engine.journal.history import read_event
from engine.journal.row_kinds import EVENTS
from engine.values import Number
from tests.rules.table import fight

WORDS = (Square, Edge, Fraction, Number)
"""Written as one word; `engine.battle.state.codec` bounds what such a word may be."""


def unbounded(kind: Any, where: str) -> Iterator[str]:
    """The places in a type where a number, a text, a list or a table may be of any size."""
    if get_origin(kind) is Annotated:
        plain, *notes = get_args(kind)
        bounds = [note for note in notes if isinstance(note, Meta)]
        if plain is int and any(note.ge is not None and note.le is not None for note in bounds):
            return
        if plain is str and any(note.max_length is not None for note in bounds):
            return
        if is_long(plain) and any(note.max_length is not None for note in bounds):
            for inner in get_args(plain):
                yield from unbounded(inner, where)
            return
        yield from unbounded(plain, where)
    elif isinstance(kind, StructMeta):
        for name, inner in get_type_hints(kind, include_extras=True).items():
            yield from unbounded(inner, f"{where}.{name}")
    elif kind in (int, str):
        yield f"{where}: {kind.__name__}"
    elif not is_bounded(kind):
        assert get_args(kind), f"{where}: {kind}"
        if is_long(kind):
            yield f"{where}: {get_origin(kind).__name__}"
        for inner in get_args(kind):
            yield from unbounded(inner, where)


def is_long(kind: Any) -> bool:
    """Whether it is a list of any length, or a table."""
    return get_origin(kind) is Mapping or (get_origin(kind) is tuple and get_args(kind)[-1] is Ellipsis)


def is_bounded(kind: Any) -> bool:
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    return is_enum or get_origin(kind) is Literal or kind in (bool, type(None), Ellipsis, *WORDS)


@pytest.mark.parametrize("kind", EVENTS)
def test_every_number_text_list_and_table_is_bounded(kind: str) -> None:
    assert [*unbounded(EVENTS[kind], kind)] == []


def test_what_has_no_bounds_is_found() -> None:
    found = [*unbounded(tuple[Mapping[str, Annotated[int, Meta(ge=0)]], ...], "x")]
    assert found == ["x: tuple", "x: Mapping", "x: str", "x: int"]
    assert [*unbounded(Annotated[tuple[str, ...], Meta(max_length=2)], "x")] == ["x: str"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"size": 100_000}, "size: 100000; expected a whole number from 1 to 4"),
        ({"altitude": MOST_NUMBER + 1}, "1000000001 is too large"),
        ({"name": "x" * (MOST_TEXT + 1)}, "too long; at most 4,000 characters are read"),
        ({"conditions": ["prone"] * (MOST_AMOUNT + 1)}, "conditions: 1,000,001 items; at most 1,000,000 are read"),
    ],
)
def test_a_unit_out_of_bounds_is_refused_in_one_sentence(changed: dict[str, object], said: str) -> None:
    unit = to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a")) | changed
    with pytest.raises(ValueError, match=said) as refused:
        read_event("event/units-added", {"units": [unit]})
    assert "\n" not in str(refused.value)
