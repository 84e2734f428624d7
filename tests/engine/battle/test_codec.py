"""The written form: every kind of value comes back as it was, in one spelling, and nonsense is refused."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from engine.battle.state.codec import canonical, from_json, parse_edge, to_json
from engine.battle.state.units import Unit
from engine.bounds import MOST_NUMBER
from engine.geometry.squares import Direction, Edge, Square
from engine.journal.history import read_event
from engine.rules.ledger import Adjustment
from engine.values import Number
from tests.rules.table import fight

squares = st.builds(Square, st.integers(0, 499), st.integers(0, 499))
edges = st.builds(Edge, st.integers(0, 499), st.integers(0, 499), st.sampled_from("NW"))
whole = st.integers(-MOST_NUMBER, MOST_NUMBER)
fractions = st.fractions(-MOST_NUMBER, MOST_NUMBER)
numbers = whole | fractions


def through(value: Any) -> Any:
    """What is left of a value on disk."""
    return json.loads(canonical(to_json(value)))


@given(squares)
def test_squares_go_by_their_names(square: Square) -> None:
    assert through(square) == square.name
    assert from_json(Square, through(square)) == square


@given(edges)
def test_edges_go_by_their_names(edge: Edge) -> None:
    assert parse_edge(edge.name) == edge
    assert from_json(Edge, through(edge)) == edge


@given(fractions)
def test_fractions_stay_exact(number: Fraction) -> None:
    assert from_json(Fraction, through(number)) == number


def test_directions_go_by_their_names() -> None:
    for direction in Direction:
        assert through(direction) == direction.name
        assert from_json(Direction, direction.name) is direction


class Mixed(Struct, frozen=True):
    number: Number
    maybe: Number | None
    flag: bool
    text: str
    many: tuple[Square, ...]
    by_name: Mapping[str, int]
    pair: tuple[int, str]
    by_edge: Mapping[Edge, Direction]


@given(
    st.builds(
        Mixed,
        numbers,
        numbers | st.none(),
        st.booleans(),
        st.text(st.characters(exclude_categories=["Cs"])),
        st.lists(squares).map(tuple),
        st.dictionaries(st.text("abc"), whole),
        st.tuples(whole, st.sampled_from(["x", "ü", "\u2028"])),
        st.dictionaries(edges, st.sampled_from(list(Direction))),
    )
)
def test_structs_come_back_by_their_type_hints(value: Mixed) -> None:
    again = from_json(Mixed, through(value))
    assert again == value
    assert canonical(to_json(again)) == canonical(to_json(value))


@given(
    st.builds(Adjustment, st.text("abc"), st.text("abc"), numbers | st.none(), st.booleans(), st.text(), st.booleans())
)
def test_the_gms_changes_come_back(adjustment: Adjustment) -> None:
    assert from_json(Adjustment, to_json(adjustment)) == adjustment


def test_one_spelling_whatever_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": [True, None, "ü"]}) == '{"a":[true,null,"ü"],"b":1}'.encode()
    one, other = {"x": 1, "y": 2}, {"y": 2, "x": 1}
    assert canonical(to_json(one)) == canonical(to_json(other))


def test_numbers_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError):
        canonical(float("nan"))
    with pytest.raises(TypeError, match="set has no JSON form"):
        to_json({1, 2})


def test_a_flag_is_no_number_and_a_number_no_flag() -> None:
    for kind, value in ((int, True), (bool, 1), (int, "1"), (str, 1), (int, 1.0)):
        with pytest.raises(ValueError):
            from_json(kind, value)


def unit_json(**changed: Any) -> dict[str, Any]:
    """A whole unit, written, with some fields changed: its own, or those of its gear or turn."""
    unit: dict[str, Any] = to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a"))
    for name, value in changed.items():
        part = next((unit[part] for part in ("gear", "turn", "overrides") if name in unit[part]), unit)
        part[name] = value
    return unit


def test_a_unit_comes_back() -> None:
    assert to_json(from_json(Unit, unit_json())) == unit_json()
    assert set(unit_json()) == set(Unit.__struct_fields__)


def test_json_that_does_not_fit_the_type_is_a_value_error() -> None:
    nonsense: list[tuple[type, Any]] = [
        (Unit, unit_json(at="not a square")),
        (Unit, unit_json(at=7)),
        (Unit, unit_json(facing="UP")),
        (Unit, unit_json(moved="1/0")),
        (Unit, unit_json(moved="much")),
        (Unit, unit_json(moved=[1])),
        (Unit, unit_json(pools=[1, 2])),
        (Unit, unit_json(pools={"hp": "20"})),
        (Unit, unit_json(weapons="knife")),
        (Unit, unit_json(weapons=[1])),
        (Unit, unit_json(sword=True)),
        (Unit, {"id": "a"}),
        (Unit, ["a"]),
        (Unit, None),
        (Edge, "C1 E"),
        (Edge, "C1"),
        (Edge, 5),
        (Square, "C0"),
        (Unit, unit_json(size=0)),
        (Unit, unit_json(size=5)),
        (Unit, unit_json(size=100_000)),
        (Unit, unit_json(pools={"hp": 10**9})),
        (Unit, unit_json(attacks=-1)),
        (Unit, unit_json(name="x" * 4001)),
        (Unit, unit_json(moved="1e999999999")),
        (Unit, unit_json(moved="1" * 4000)),
        (Unit, unit_json(altitude=10**30)),
    ]
    wrong = [f"{value!r:.60}: {refused}" for kind, value in nonsense if (refused := refusal(from_json, kind, value))]
    assert wrong == []


def test_an_event_that_is_none_of_ours_is_a_value_error() -> None:
    rows: list[tuple[str, Any]] = [
        ("event/unit-flew-away", {}),
        ("event/turn-ended", {}),
        ("event/turn-ended", {"unit": 5}),
        ("event/turn-ended", {"unit": "a", "why": "x"}),
    ]
    wrong = [f"{kind} {body}: {refused}" for kind, body in rows if (refused := refusal(read_event, kind, body))]
    assert wrong == []


def refusal(read: Callable[..., Any], *arguments: Any) -> str:
    """What comes in place of a ValueError; "" for a ValueError."""
    try:
        return f"read as {read(*arguments)!r:.60}"
    except ValueError:
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
