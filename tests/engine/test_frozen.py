"""Frozen dataclasses of ours do what those of the standard library do."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, field, fields, replace

import pytest

from engine.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    """Everything that a field may be."""

    name: str
    counts: tuple[int, ...] = ()
    held: dict[str, int] = field(default_factory=dict)
    aside: str = field(default="", compare=False, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class Theirs:
    """The same by the standard library."""

    name: str
    counts: tuple[int, ...] = ()
    held: dict[str, int] = field(default_factory=dict)
    aside: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Single:
    """A value of one field."""

    number: int


@dataclass(frozen=True, slots=True)
class Checked(Single):
    """One that looks at what it is given, and inherits a field."""

    text: str = "x"

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError(self.number)


@dataclass(frozen=True, slots=True, eq=False)
class Itself:
    """One that is equal to itself alone."""

    number: int


def test_it_is_made_as_there_and_spelt_as_there() -> None:
    for words in (("a",), ("a", (1,)), ("a", (1,), {"b": 2}, "c")):
        ours, theirs = Ours(*words), Theirs(*words)  # type: ignore[arg-type]
        assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
        assert dataclasses.asdict(ours) == dataclasses.asdict(theirs)
    assert [(one.name, one.type) for one in fields(Ours)] == [(one.name, one.type) for one in fields(Theirs)]
    assert Ours.__match_args__ == Theirs.__match_args__  # type: ignore[attr-defined]
    assert Ours("a").held is not Ours("a").held


@pytest.mark.parametrize("words", [(), ("a", (), {}, "", 5)])
def test_what_does_not_fit_is_refused_in_the_same_words(words: tuple[object, ...]) -> None:
    with pytest.raises(TypeError) as theirs:
        Theirs(*words)  # type: ignore[arg-type]
    with pytest.raises(TypeError) as ours:
        Ours(*words)  # type: ignore[arg-type]
    assert str(ours.value) == str(theirs.value).replace("Theirs", "Ours")


def test_it_compares_by_the_fields_that_are_compared() -> None:
    assert Ours("a", aside="b") == Ours("a", aside="c")
    assert Ours("a") != Ours("b")
    assert Single(1) != Checked(1)
    assert Single(1) != 1
    assert hash(Single(7)) == hash((7,))
    assert len({Checked(1), Checked(1), Checked(1, "y")}) == 2
    assert Itself(1) != Itself(1)


def test_it_cannot_be_changed() -> None:
    value = Ours("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        value.name = "b"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del value.name
    with pytest.raises(AttributeError):
        value.other = 1  # type: ignore[attr-defined]
    assert replace(value, name="b").name == "b"


def test_it_checks_itself_whichever_way_it_is_made() -> None:
    assert Checked(1).text == "x"
    with pytest.raises(ValueError, match="-1"):
        Checked(-1)
    with pytest.raises(ValueError, match="-1"):
        replace(Checked(1), number=-1)


@pytest.mark.parametrize("value", [Ours("a", (1,), {"b": 2}), Checked(3), Single(1)])
def test_it_can_be_copied(value: object) -> None:
    assert copy.deepcopy(value) == copy.copy(value) == pickle.loads(pickle.dumps(value)) == value  # noqa: S301  # our own bytes
