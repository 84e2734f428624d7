"""Measuring: ours and the peer's in turn, so that a noisy moment falls on both, and the median of each."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from statistics import median
from time import perf_counter
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the report: what was measured, what came out, and the most that it may be."""

    id: str
    """The target's id, as F1."""
    what: str
    ours: str
    peer: str
    value: float
    limit: float
    unit: str = "x"
    """"x" for a ratio of ours to the peer's; else what `value` counts."""
    took_ms: float = 0
    """What ours took,"""
    limit_ms: float = inf
    """and the most that it may take, besides."""
    unlike: int = 0
    """Answers of ours that are unlike the peer's; with one the target is missed."""

    @property
    def is_met(self) -> bool:
        return self.value <= self.limit and self.took_ms <= self.limit_ms and not self.unlike


def ratio(
    target: str,
    what: str,
    ours: Callable[[], object],
    peer: Callable[[], object],
    limit: float,
    *,
    limit_ms: float = inf,
    unlike: int = 0,
    **how: Any,
) -> Row:
    """Ours against a peer: the ratio of the medians, which may be `limit` at most.

    Args:
        target: its id.
        what: the case, in words.
        ours, peer: called in turn; each once before the clock runs, so that caches are warm.
        limit: the highest ratio that meets the target; infinite where it is shown alone.
        limit_ms: the longest time of ours that does.
        unlike: how many answers of the two differ.
        how: passed to `medians`.
    """
    mine, theirs = medians(ours, peer, **how)
    times = f"{mine * 1000:.3f} ms", f"{theirs * 1000:.3f} ms"
    return Row(target, what, *times, mine / theirs, limit, took_ms=mine * 1000, limit_ms=limit_ms, unlike=unlike)


def medians(*calls: Callable[[], object], rounds: int = 15, least: float = 0.002) -> list[float]:
    """Median seconds of each of several calls, all measured in turn `rounds` times.

    Args:
        calls: what to measure.
        rounds: how often each is measured.
        least: a measurement repeats a quick call until it has taken this many seconds.
    """
    repeats = []
    for call in calls:
        call()
        start = perf_counter()
        call()
        repeats.append(max(1, round(least / max(perf_counter() - start, 1e-7))))
    taken: list[list[float]] = [[] for _ in calls]
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for call, times, own in zip(calls, repeats, taken, strict=True):
                start = perf_counter()
                for _ in range(times):
                    call()
                own.append((perf_counter() - start) / times)
    finally:
        gc.enable()
    return [median(own) for own in taken]
