"""The quick `replace` does what the standard one does."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

import pytest

from engine.altered import replace


@dataclass(frozen=True, slots=True)
class Plain:
    name: str
    number: int = 2


@dataclass(frozen=True, slots=True)
class Checked:
    number: int
    other: int = 0

    def __post_init__(self) -> None:
        assert self.number


def test_it_changes_what_is_named_and_nothing_else() -> None:
    before = Plain("a")
    after = replace(before, number=5)
    assert (before, after) == (Plain("a", 2), Plain("a", 5))
    assert after == dataclasses.replace(before, number=5)
    assert hash(after) == hash(Plain("a", 5))
    with pytest.raises(dataclasses.FrozenInstanceError):
        after.number = 6  # type: ignore[misc]


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="no field 'colour'"):
        replace(Plain("a"), colour="red")  # type: ignore[call-arg]


def test_what_checks_itself_is_checked_again() -> None:
    assert replace(Checked(1), other=3) == Checked(1, 3)
    with pytest.raises(AssertionError):
        replace(Checked(1), number=0)
