"""The report on what a ruleset covers: what its system asks for, with rules, tests and clauses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulesets.coverage import CoverageClause, CoverageRow
from tui.application.terminal.output import wrapped


def coverage_words(rows: Sequence[CoverageRow]) -> list[str]:
    """A paragraph for each row: what is asked, each rule with its source and our ruling, the tests, the clauses."""
    lines: list[str] = []
    for row in rows:
        lines += wrapped(f"{row.id}  {row.asks}", 0, 4)
        for rule in row.rules:
            lines += wrapped(f"{rule.name}: {rule.label}", 4, 6)
            lines += wrapped(f"source: {rule.origin.source}", 6, 8)
            if rule.origin.ruling:
                lines += wrapped(f"ruling: {rule.origin.ruling}", 6, 8)
        lines += [line for test in row.tests for line in wrapped(f"test: {test}", 4, 6)]
        lines += [line for clause in row.clauses for line in wrapped(_clause(clause), 4, 6)]
        lines.append("")
    clauses = [clause for row in rows for clause in row.clauses]
    if clauses:
        left_out = sum(bool(clause.left_out) for clause in clauses)
        by_gm = sum(bool(clause.gm) for clause in clauses)
        done = f"{len(clauses)} clauses: {len(clauses) - left_out} done, {left_out} left out"
        return [*lines, f"{done}; the GM decides a part of {by_gm}."]
    return lines[:-1]


def _clause(clause: CoverageClause) -> str:
    names = ", ".join(rule.name for rule in clause.rules)
    gm = f"; the GM decides: {clause.gm}" if clause.gm else ""
    return f"{clause.id}  {clause.says}: {f'left out: {clause.left_out}' if clause.left_out else names}{gm}"


def coverage_json(rows: Sequence[CoverageRow]) -> list[dict[str, Any]]:
    """The same for scripts."""
    return [
        {
            "id": row.id,
            "asks": row.asks,
            "rules": [
                {"rule": rule.name, "label": rule.label, "source": rule.origin.source, "ruling": rule.origin.ruling}
                for rule in row.rules
            ],
            "tests": list(row.tests),
            "clauses": [
                {
                    "id": clause.id,
                    "says": clause.says,
                    "rules": [rule.name for rule in clause.rules],
                    "left_out": clause.left_out,
                    "gm": clause.gm,
                }
                for clause in row.clauses
            ],
        }
        for row in rows
    ]
