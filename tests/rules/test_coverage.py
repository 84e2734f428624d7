"""Nothing that a system asks for is left out: every id has a row, every row rules and tests, every test is there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from engine.errors import BattleboardError, Unreadable
from engine.rules.rulings import FOES_KNOWN, ONE_NUMBERING, UNKNOWN_TURNS
from rulesets import load_ruleset, shipped_rulesets
from rulesets.coverage import FILE, CoverageClause, CoverageRow, every_rule, read_coverage
from tests.rules.table import ruleset
from tui.application.reports.coverage_report import coverage_words

HERE = Path(__file__).parent
CLAUSES = 336
"""Rules that the five chapters have, counted sentence by sentence."""
LINE = re.compile(r"([a-z-]+): ([A-Z]+)-([0-9]+)\.\.([0-9]+)")


ROW = "format = 1\n[[row]]\nid = 'X-1'\nasks = 'a'\nrules = ['test']\ntests = ['a']\n"
CLAUSE = "[[clause]]\nid = 'X-1.1'\nsays = 'a'\nrules = ['test']\n"


def asked() -> dict[str, list[str]]:
    """The ids that a ruleset answers, by ruleset; those of all under "all"."""
    found: dict[str, list[str]] = {}
    for line in (HERE / "ids.txt").read_text().splitlines():
        if match := LINE.fullmatch(line):
            name, prefix, first, last = match.groups()
            found[name] = [f"{prefix}-{number}" for number in range(int(first), int(last) + 1)]
    return found


def rows(name: str) -> tuple[CoverageRow, ...]:
    return read_coverage(shipped_rulesets()[name], ruleset(name))


@cache
def found_in(file: str) -> list[str]:
    """Names of the tests in a file of this folder; none where there is no such file."""
    path = HERE / file
    return re.findall(r"^def (test_\w+)", path.read_text(), re.MULTILINE) if path.is_file() else []


def test_the_list_names_every_shipped_ruleset() -> None:
    assert asked().keys() - {"all"} == shipped_rulesets().keys()


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_id_has_a_row(name: str) -> None:
    assert set(asked()[name] + asked()["all"]) - {row.id for row in rows(name)} == set()


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_row_names_tests_that_are_there(name: str) -> None:
    for row in rows(name):
        for test in row.tests:
            file, _, start = test.partition("::")
            assert any(found.startswith(start) for found in found_in(file)), f"{row.id}: {test}"


def clauses(name: str) -> list[CoverageClause]:
    return [clause for row in rows(name) for clause in row.clauses]


def test_every_rule_of_the_chapters_is_named_by_clause() -> None:
    assert sum(len(clauses(name)) for name in shipped_rulesets()) == 397 >= CLAUSES


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_clause_names_rules_of_its_ruleset_or_says_why_not(name: str) -> None:
    known = {rule.name for rule in every_rule(ruleset(name))}
    for clause in clauses(name):
        assert {rule.name for rule in clause.rules} <= known
        assert bool(clause.rules) != bool(clause.left_out), clause.id


@pytest.mark.parametrize("name", shipped_rulesets())
def test_clauses_are_reported_once_and_every_row_of_the_chapter_has_some(name: str) -> None:
    listed = clauses(name)
    assert len({clause.id for clause in listed}) == len({clause.says for clause in listed}) == len(listed)
    assert set(asked()[name]) <= {row.id for row in rows(name) if row.clauses}


def test_a_rule_is_known_by_its_section_and_id() -> None:
    known = [rule.name for rule in every_rule(ruleset("occult-ops"))]
    assert {"distance", "test", "initiative", "modifier.prone", "action.aimed", "band.range", "pool.hp"} <= set(known)
    assert len(known) == len(set(known))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("format = 2", "format"),
        (
            "format = 1\n[[row]]\nid = 'X-1'\nasks = 'a'\nrules = ['modifier.nothing']\ntests = ['a']",
            "modifier.nothing",
        ),
        ("format = 1\n[[row]]\nid = 'X-1'\nasks = 'a'\nrules = []\ntests = ['a']", "rules is empty"),
        ("format = 1\n[[row]]\nid = 'X-1'\nasks = 'a'\nrules = ['test']", "tests"),
        ("format = 1\n[[row]]\nid = 'X-1'\nasks = 'a'\nrules = ['test']\ntests = ['a']\nmore = 1", "more"),
        ("format = 1\n[[clause]]\nid = 'X-1.1'\nsays = 'a'\nrules = ['test']", "no row"),
        (f"{ROW}[[clause]]\nid = 'X-1.1'\nsays = 'a'\nrules = ['modifier.nothing']", "modifier.nothing"),
        (f"{ROW}[[clause]]\nid = 'X-1.1'\nsays = 'a'\nrules = []", "rules is empty"),
        (f"{ROW}[[clause]]\nid = 'X-1.1'\nsays = 'a'", "rules"),
        (f"{ROW}[[clause]]\nid = 'X-1.1'\nsays = 'a'\nrules = ['test']\nleft_out = 'b'", "rules"),
        (f"{ROW}{CLAUSE}{CLAUSE}", "already in the list"),
    ],
)
def test_a_bad_list_is_refused_with_its_place(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(Unreadable, match=message) as caught:
        read_coverage(tmp_path, ruleset("cwn"))
    assert caught.value.problems[0].line >= 1


def test_what_is_left_out_has_a_reason_in_place_of_rules() -> None:
    """EVA-10, EVA-25: qualities and traits that the chapter names and other pages explain; told once, as clauses."""
    left_out = [clause.id for clause in clauses("eva") if clause.left_out]
    assert left_out == ["EVA-10.4", "EVA-10.5", "EVA-23.25", "EVA-25.4"]
    said = "\n".join(coverage_words(rows("eva")))
    assert said.count("left out: ") == len(left_out)
    assert not any(clause.left_out for name in shipped_rulesets() if name != "eva" for clause in clauses(name))


@pytest.mark.parametrize("name", shipped_rulesets())
def test_every_named_ruling_stands_with_the_rule_that_it_decides(name: str) -> None:
    """A decision at the table belongs to a sentence of the chapter, or to what the chapter leaves open.

    What players know is no rule of a chapter.
    """
    named = {rule.name for row in rows(name) for rule in (*row.rules, *(one for c in row.clauses for one in c.rules))}
    rulings = {rule.name for rule in every_rule(ruleset(name)) if rule.name.startswith("ruling.")}
    assert rulings - named == {f"ruling.{FOES_KNOWN}", f"ruling.{UNKNOWN_TURNS}", f"ruling.{ONE_NUMBERING}"}


def test_a_folder_without_a_list_says_so(tmp_path: Path) -> None:
    with pytest.raises(BattleboardError, match="has no coverage list"):
        read_coverage(tmp_path, load_ruleset(shipped_rulesets()["cwn"]))
