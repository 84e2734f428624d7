"""How much a test tries: few examples and a few pairs of a grid in the quick run, all of them in the slow one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import settings

FEW = 25
"""Examples of any law in the quick run."""
MANY = "many"
"""The profile of the slow run: `pytest -m 'slow or hypothesis' --hypothesis-profile many`."""


def examples(many: int) -> settings:
    """Tries a law with `many` examples in the slow run, with 25 at most in the quick one."""
    return settings(max_examples=many if settings.get_current_profile_name() == MANY else min(many, FEW))


def grid(rows: Iterable[str], columns: Iterable[str]) -> list[ParameterSet]:
    """Every pair of two lists, as maps and rulesets: in the quick run each of either once, else `slow`."""
    rows, columns = tuple(rows), tuple(columns)
    quick = {(rows[turn % len(rows)], columns[turn % len(columns)]) for turn in range(max(len(rows), len(columns)))}
    return [
        pytest.param(row, column, marks=() if (row, column) in quick else pytest.mark.slow)
        for row in rows
        for column in columns
    ]


def sample(values: Iterable[Any], count: int = 1) -> list[ParameterSet]:
    """Values of a parameter, the first `count` of them for the quick run, the others `slow`."""
    return [pytest.param(value, marks=() if place < count else pytest.mark.slow) for place, value in enumerate(values)]
