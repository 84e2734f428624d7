"""Work in steps, as generators: its caller may show progress, or do something else, between two of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

Result = TypeVar("Result")


def result_of(work: Generator[Any, None, Result]) -> Result:
    """The result of work in steps, done without a pause."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
