"""The report on what a ruleset covers: each thing its system asks for, the rules for it, the tests, the clauses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulesets.coverage import STATUSES, CoverageClause, CoverageRow
from tui.terminal.output import wrapped


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
    counted = Counter(clause.status for row in rows for clause in row.clauses)
    if counted:
        each = ", ".join(f"{counted[status]} {status}" for status in STATUSES if counted[status])
        return [*lines, f"{counted.total()} clauses: {each}."]
    return lines[:-1]


def _clause(clause: CoverageClause) -> str:
    names = ", ".join(rule.name for rule in clause.rules)
    told = "; ".join(filter(None, (clause.because, names)))
    return f"{clause.id}  {clause.says}. {clause.status.capitalize() if clause.because else 'Done'}: {told}"


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
                    "status": clause.status,
                    "because": clause.because,
                    "rules": [rule.name for rule in clause.rules],
                }
                for clause in row.clauses
            ],
        }
        for row in rows
    ]
