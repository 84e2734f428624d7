"""What a ruleset's system asks for and where its files answer: one row for each thing asked, with rules and tests.

The rows stand in `coverage.toml` beside the ruleset, with the clauses of the system's text under them. Nothing in play
reads them: they are for those who check that a ruleset is whole. A rule is named by its section and id, as
`modifier.prone`, `action.aim`, `band.range`, `initiative`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import asdict

from engine.errors import BattleboardError, near_miss
from engine.rules.model import BandTable, Ruleset
from engine.rules.origin import Origin
from engine.toml_reader import Reader, parse, quoted
from engine.values import replace
from rulesets.problems import check_all

FILE = "coverage.toml"
FORMAT = 1
MOST_ASKED = 200
"""Cells of what a row asks for, and of a clause."""


class Rule(Struct, frozen=True):
    """One rule of a ruleset under the name that rows use."""

    name: str
    label: str
    origin: Origin


class CoverageClause(Struct, frozen=True):
    """One rule of the system's text in a line of our own: the rules that carry it out, or why it is left out."""

    id: str
    """That of its row and a number, as `OCC-5.2`."""
    says: str
    rules: tuple[Rule, ...]
    left_out: str = ""
    """Why no rules carry it out; "" where there are some."""
    gm: str = ""
    """What of it the GM decides at the table; "" for nothing."""


class CoverageRow(Struct, frozen=True):
    """One thing that the system asks for: its rules, the tests that play it and its clauses."""

    id: str
    asks: str
    rules: tuple[Rule, ...]
    tests: tuple[str, ...]
    """As `test_file.py::test_name`, in the folder of the rules' tests."""
    clauses: tuple[CoverageClause, ...] = ()


def read_coverage(folder: Path, rules: Ruleset) -> tuple[CoverageRow, ...]:
    """The rows of a ruleset's folder, in the file's order.

    Raises:
        BattleboardError: the folder has no such file.
        Unreadable: something in it is wrong, or it names a rule that the ruleset does not have.
    """
    file = folder / FILE
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        raise BattleboardError(f"{file} cannot be read; {rules.id} has no coverage list.") from None
    document = parse(text, str(file))
    known = {rule.name: rule for rule in every_rule(rules)}
    document.root.whole("format", least=FORMAT, most=FORMAT)
    rows: dict[str, CoverageRow] = {}
    for entry in document.root.tables("row"):
        row = _row(entry, known, rows)
        rows[row.id] = row
    clauses: dict[str, CoverageClause] = {}
    for entry in document.root.tables("clause"):
        clause = _clause(entry, known, rows, clauses)
        clauses[clause.id] = clause
    document.root.finish()
    check_all(str(folder), [document])
    return tuple(
        replace(row, clauses=tuple(clause for clause in clauses.values() if _row_of(clause.id) == row.id))
        for row in rows.values()
    )


def _row(entry: Reader, known: Mapping[str, Rule], taken: Mapping[str, CoverageRow]) -> CoverageRow:
    row_id = entry.text("id")
    if row_id in taken:
        entry.problem("id", f"{quoted(row_id)} is already in the list")
    asks = entry.text("asks", most=MOST_ASKED)
    found = _rules(entry, known)
    tests = entry.texts("tests", most=MOST_ASKED)
    for key, listed in (("rules", found), ("tests", tests)):
        if entry.has(key) and not listed:
            entry.problem(key, f"{key} is empty; expected at least one")
    entry.finish()
    return CoverageRow(row_id, asks, found, tests)


def _clause(
    entry: Reader, known: Mapping[str, Rule], rows: Mapping[str, CoverageRow], taken: Mapping[str, CoverageClause]
) -> CoverageClause:
    clause_id = entry.text("id")
    if clause_id in taken:
        entry.problem("id", f"{quoted(clause_id)} is already in the list")
    elif entry.has("id") and _row_of(clause_id) not in rows:
        entry.problem("id", f"no row {quoted(_row_of(clause_id))}; expected a row's id and a number, such as OCC-5.2")
    says = entry.text("says", most=MOST_ASKED)
    if entry.has("left_out"):
        reason = entry.text("left_out", most=MOST_ASKED)
        entry.finish()
        return CoverageClause(clause_id, says, (), left_out=reason)
    found = _rules(entry, known)
    if entry.has("rules") and not found:
        entry.problem("rules", "rules is empty; expected at least one")
    gm = entry.text("gm", "", most=MOST_ASKED)
    entry.finish()
    return CoverageClause(clause_id, says, found, gm=gm)


def _rules(entry: Reader, known: Mapping[str, Rule]) -> tuple[Rule, ...]:
    """The rules that an entry names; a name that the ruleset does not have is a problem."""
    found: list[Rule] = []
    for name in entry.texts("rules"):
        if name in known:
            found.append(known[name])
        else:
            near = near_miss(name, known)
            hint = f"; did you mean {near}?" if near else "; expected section and id, such as modifier.prone"
            entry.problem("rules", f"the ruleset has no rule {quoted(name)}{hint}")
    return tuple(found)


def _row_of(clause_id: str) -> str:
    return clause_id.rpartition(".")[0]


def every_rule(rules: Ruleset) -> Iterator[Rule]:
    """Every rule that says where it comes from, under its section's name in the singular and its id."""
    yield Rule("distance", "Distance", rules.distance.origin)
    parts = (rules, rules.units, rules.gear, rules.attack, rules.space, rules.turns)
    for section, held in (item for part in parts for item in asdict(part).items() if item[0] != "distance"):
        if isinstance(getattr(held, "origin", None), Origin):
            yield Rule(section, section.capitalize(), held.origin)
            continue
        if isinstance(held, Mapping):
            held = tuple(held.values())
        if not isinstance(held, tuple):
            continue
        name = section.removesuffix("s")
        for item in held:
            if isinstance(item, BandTable):
                yield Rule(f"band.{item.id}", item.label, item.bands[0].origin)
            elif isinstance(getattr(item, "origin", None), Origin):
                item_id: str = getattr(item, "id", "") or getattr(item, "role", "")
                yield Rule(f"{name}.{item_id}", getattr(item, "label", item_id), item.origin)
