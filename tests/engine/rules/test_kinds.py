"""Kinds of tests and of initiative are classes that answer everything; nobody else asks for the name of a kind."""

from __future__ import annotations

import ast
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from engine.answers import typed_dice
from engine.battle.effects import EFFECTS
from engine.dice.dice_expressions import parse_dice
from engine.dice.sources import TableSource, roll
from engine.rules.initiative_kinds import INITIATIVES, Initiative
from engine.rules.test_kinds import TESTS
from tests.rulesets.texts import small

if TYPE_CHECKING:  # pytest would take it for a test
    from engine.rules.test_kinds import Test

ROOT = Path(__file__).parents[3]
PACKAGES = ("engine", "rulesets", "maps", "tui")
KINDS = {kind.kind for kinds in (EFFECTS, TESTS, INITIATIVES) for kind in kinds}
TEST = 'kind = "roll-under"\ndice = "1d100"'


@pytest.mark.parametrize("kind", TESTS, ids=lambda kind: kind.kind)
def test_a_kind_of_test_answers_everything(kind: type[Test]) -> None:
    more = "" if kind.is_under else "\ndifficulty = 12"
    test = small("", TEST, f'kind = "{kind.kind}"\ndice = "2d20"{more}').attack.test
    assert type(test) is kind and kind.__doc__
    target = test.target_number(8, {})
    assert target == (8 if kind.is_under else 12)
    assert test.least({}) == 0
    ledger = SimpleNamespace(total=8, target_number=target, beats=0)
    rolled = roll(parse_dice("2d20"), TableSource(typed_dice(((3, 4),))), "test")
    margin, is_success = test.margin(target, 8, rolled.total, (3, 4))
    assert is_success == test.succeeds(margin) == (margin >= 0)
    assert test.is_decided_by(margin + 1, target, 8, rolled.total) != kind.reads_each_die
    assert test.needs(ledger, Fraction(1, 2)).words.startswith("2d20")
    assert test.result_text(rolled, ledger).startswith("rolled ")
    text = test.describe()
    assert text.words.format(**text.gaps).startswith("2d20")


@pytest.mark.parametrize("kind", INITIATIVES, ids=lambda kind: kind.kind)
def test_a_kind_of_initiative_answers_everything(kind: type[Initiative]) -> None:
    found = small("", 'kind = "each"\ndice = "1d10"', f'kind = "{kind.kind}"\ndice = "1d10"').turns.initiative
    assert type(found) is kind and kind.__doc__ and kind.rolled_for
    assert found.contender("law", "group") in ("law", "group")
    assert (found.contender("law", "group") == "law") == kind.is_by_side


def asked_for(path: Path) -> list[int]:
    """Lines that compare the name of a kind, or match on it."""
    found: list[int] = []
    text = path.read_text("utf-8")
    if ".kind" not in text:
        return found
    for node in ast.walk(ast.parse(text)):
        sides: list[ast.AST] = []
        match node:
            case ast.Compare():
                sides = [node.left, *node.comparators]
            case ast.Match():
                sides = [node.subject, *(case.pattern for case in node.cases)]
        parts = [part for side in sides for part in ast.walk(side)]
        is_of_kind = any(isinstance(part, ast.Attribute) and part.attr == "kind" for part in parts)
        if is_of_kind and any(isinstance(part, ast.Constant) and part.value in KINDS for part in parts):
            found.append(node.lineno)
    return found


@pytest.mark.long
def test_nobody_asks_for_the_name_of_a_kind() -> None:
    found = {
        str(path.relative_to(ROOT)): asked_for(path) for package in PACKAGES for path in (ROOT / package).rglob("*.py")
    }
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_the_question_would_be_found(tmp_path: Path) -> None:
    source = tmp_path / "source.py"
    source.write_text('if effect.kind == "roll":\n    pass\nmatch test.kind:\n    case "each-under":\n        pass\n')
    assert sorted(asked_for(source)) == [1, 3]
