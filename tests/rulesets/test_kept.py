"""Rulesets that are kept come out as they were read, and nothing else comes out of a file."""

from __future__ import annotations

import os
import pickle
from fractions import Fraction
from pathlib import Path

import pytest

from engine.rules.expressions import Expression, compile_expression
from engine.rules.model import Ruleset
from rulesets import kept, load_ruleset, parse_ruleset, shipped_rulesets

SHIPPED = shipped_rulesets()


def formulas(value: object, seen: set[int]) -> list[Expression]:
    """Every formula within a value."""
    if id(value) in seen or value is None or isinstance(value, (str, int, Fraction)):
        return []
    seen.add(id(value))
    if isinstance(value, Expression):
        return [value]
    if isinstance(value, dict):
        return [found for part in value.values() for found in formulas(part, seen)]
    if isinstance(value, (tuple, list)):
        return [found for part in value for found in formulas(part, seen)]
    slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
    return [found for name in slots for found in formulas(getattr(value, name), seen)]


@pytest.mark.parametrize("name", sorted(SHIPPED))
def test_what_was_kept_is_what_was_read(name: str, tmp_path: Path) -> None:
    read = load_ruleset(SHIPPED[name], tmp_path)
    found = kept.recall(tmp_path, read.texts)
    assert found == read
    assert found is not read
    ours, theirs = formulas(found, set()), formulas(read, set())
    assert len(ours) == len(theirs) > 100
    for one, other in zip(ours, theirs, strict=True):
        assert (one.text, one.names, one.is_fixed, one.part.size) == (
            other.text,
            other.names,
            other.is_fixed,
            other.part.size,
        )
        if one.is_fixed:
            assert one.evaluate({}) == other.evaluate({})


def test_a_kept_formula_does_what_it_did() -> None:
    formula = compile_expression("-30 if distance <= 2 else near.cover * 2 + 1 / 3", {"distance", "near.cover"})
    again = pickle.loads(pickle.dumps(formula))  # noqa: S301  # our own bytes
    for facts in ({"distance": 2}, {"distance": 3, "near.cover": 4}):
        assert again.evaluate(facts) == formula.evaluate(facts)
        assert again.settled({"distance": 3}, {"near.cover"}).evaluate({"near.cover": 4}) == Fraction(25, 3)
    folded = compile_expression("2 + 3", ())
    again = pickle.loads(pickle.dumps(folded))  # noqa: S301
    assert (again.text, again.evaluate({})) == ("2 + 3", 5)


def test_other_texts_are_read_anew(tmp_path: Path) -> None:
    read = load_ruleset(SHIPPED["volt"], tmp_path)
    texts = {**read.texts, "ruleset.toml": read.texts["ruleset.toml"] + "\n# one word more\n"}
    assert kept.recall(tmp_path, texts) is None
    assert parse_ruleset(texts, "volt", tmp_path).texts == texts
    assert len(list(tmp_path.iterdir())) == 2


class Wicked:
    """What runs a command when it is unpickled."""

    def __reduce__(self) -> tuple[object, ...]:
        return os.system, ("true",)


@pytest.mark.parametrize("content", [b"", b"nonsense", pickle.dumps(Wicked()), pickle.dumps({"a": 1})])
def test_a_file_that_is_not_ours_is_passed_over_and_written_anew(content: bytes, tmp_path: Path) -> None:
    read = load_ruleset(SHIPPED["volt"], tmp_path)
    (file,) = tmp_path.iterdir()
    sound = file.read_bytes()
    for damaged in (content, sound[: len(sound) // 2]):
        file.write_bytes(damaged)
        assert kept.recall(tmp_path, read.texts) is None
        assert load_ruleset(SHIPPED["volt"], tmp_path) == read
        assert isinstance(kept.recall(tmp_path, read.texts), Ruleset)


def test_a_folder_that_cannot_be_written_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert load_ruleset(SHIPPED["volt"], tmp_path / "file").id == "volt"


def test_so_many_are_kept_and_no_more(tmp_path: Path) -> None:
    read = load_ruleset(SHIPPED["volt"], tmp_path)
    (newest,) = tmp_path.iterdir()
    for number in range(kept.MOST + 3):
        old = tmp_path / f"{number}{kept.ENDING}"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    kept.keep(tmp_path, read)
    assert len(list(tmp_path.iterdir())) == kept.MOST
    assert newest.exists()
