"""Runs every benchmark, prints the table and writes it as Markdown beside this module."""

from __future__ import annotations

import argparse
import importlib
import platform
import sys
from collections.abc import Iterable
from datetime import date
from importlib.metadata import version
from math import inf
from pathlib import Path

from benchmarks.measure import Row

SUBJECTS = ("sight", "view", "pairs", "reach", "blast", "screen", "slow_line", "journal", "odds", "adding", "fights")
"""Modules of this package, each with `rows()`."""

PEERS = ("numpy", "tcod", "scipy")
REPORT = Path(__file__).with_name("REPORT.md")


def main(arguments: list[str] | None = None) -> int:
    """Exit status 0 when every target is met, 1 when one is not."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("subjects", nargs="*", choices=[[], *SUBJECTS], metavar="SUBJECT", help=", ".join(SUBJECTS))
    parser.add_argument("--report", action="store_true", help=f"write {REPORT.name} (all subjects only)")
    chosen = parser.parse_args(arguments)
    found: list[Row] = []
    for subject in chosen.subjects or SUBJECTS:
        for row in importlib.import_module(f"benchmarks.{subject}").rows():
            found.append(row)
            print(" | ".join(_cells(row)), flush=True)
    if chosen.report and not chosen.subjects:
        REPORT.write_text(_report(found), encoding="utf-8")
    missed = [row for row in found if not row.is_met]
    print(f"{len(found)} measured, {len(missed)} over their target", file=sys.stderr)
    return 1 if missed else 0


def _cells(row: Row) -> tuple[str, ...]:
    sign = "" if row.unit == "x" else f" {row.unit}"
    value = f"{row.value:.3g}{'x' if row.unit == 'x' else sign}"
    limit = f"{row.limit:.3g}{'x' if row.unit == 'x' else sign}" if row.limit < inf else ""
    longest = f"{row.limit_ms:.3g} ms" if row.limit_ms < inf else ""
    verdict = "met" if row.is_met else f"MISSED, {row.unlike} answers unlike" if row.unlike else "MISSED"
    return row.id, row.what, row.ours, row.peer, value, ", ".join(filter(None, (longest, limit))), verdict


def _report(rows: Iterable[Row]) -> str:
    versions = ", ".join(f"{peer} {version(peer)}" for peer in PEERS)
    lines = [
        "# Benchmarks",
        "",
        f"{date.today()} · Python {platform.python_version()} · {versions}",
        "",
        "`uv run --group bench python -m benchmarks --report`. Medians; ours and the peer's measured in turn.",
        "",
        "| id | what | ours | peer | came to | at most | |",
        "| --- | --- | ---: | ---: | ---: | ---: | --- |",
        *("| " + " | ".join(_cells(row)) + " |" for row in rows),
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
