"""`replace` changes what is named and nothing else."""

from __future__ import annotations

import pytest
from msgspec import Struct

from engine.values import replace


class Plain(Struct, frozen=True):
    name: str
    number: int = 2


class Checked(Struct, frozen=True):
    number: int
    other: int = 0

    def __post_init__(self) -> None:
        if not self.number:
            raise ValueError("none")


def test_it_changes_what_is_named_and_nothing_else() -> None:
    before = Plain("a")
    after = replace(before, number=5)
    assert (before, after) == (Plain("a", 2), Plain("a", 5))
    with pytest.raises(AttributeError):
        after.number = 6  # type: ignore[misc]


def test_a_field_that_is_not_there_is_refused() -> None:
    with pytest.raises(TypeError, match="no field 'colour'"):
        replace(Plain("a"), colour="red")  # type: ignore[call-arg]


def test_what_checks_itself_is_checked_again() -> None:
    assert replace(Checked(1), other=3) == Checked(1, 3)
    with pytest.raises(ValueError, match="none"):
        replace(Checked(1), number=0)
