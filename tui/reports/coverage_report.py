"""The report on what a ruleset covers: what its system asks for, with rules and tests, or why it is left out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulesets.coverage import CoverageRow
from tui.terminal.output import wrapped


def coverage_words(rows: Iterable[CoverageRow]) -> list[str]:
    """A paragraph for each row: what is asked, each rule with its source and our ruling, the tests."""
    lines: list[str] = []
    for row in rows:
        lines += wrapped(f"{row.id}  {row.asks}", 0, 4)
        if row.left_out:
            lines += wrapped(f"left out: {row.left_out}", 4, 6)
        for rule in row.rules:
            lines += wrapped(f"{rule.name}: {rule.label}", 4, 6)
            lines += wrapped(f"source: {rule.origin.source}", 6, 8)
            if rule.origin.ruling:
                lines += wrapped(f"ruling: {rule.origin.ruling}", 6, 8)
        lines += [line for test in row.tests for line in wrapped(f"test: {test}", 4, 6)]
        lines.append("")
    return lines[:-1]


def coverage_json(rows: Iterable[CoverageRow]) -> list[dict[str, Any]]:
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
            "left_out": row.left_out,
        }
        for row in rows
    ]
