"""The engine's doors to sight between many bodies, for all benchmarks, and whether a peer's answers are the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.geometry.los.field_of_view import FieldOfView, Sightings, between, moved, overlook
from tests.engine.geometry.judged import EXACT

__all__ = ["between", "moved", "overlook", "shares", "unlike"]

Shares = NDArray[np.floating[Any]]


def shares(answer: FieldOfView | Sightings) -> tuple[Shares, Shares]:
    """What is visible and what is covered."""
    return answer.visible, answer.covered


def unlike(mine: Iterable[Shares], theirs: Iterable[Shares]) -> int:
    """How many shares differ by more than rounding; what is no number is unlike everything."""
    return sum(int((~(abs(one - other) <= EXACT)).sum()) for one, other in zip(mine, theirs, strict=True))
