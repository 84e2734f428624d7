"""How smoke obscures: the one place that decides what is still seen through it. Every form of sight asks here.

Smoke on a line is its length through smoke times the density there, in squares: that is measured by the tracers. What
it does to sight is decided by `SmokeOpacity`, which a battlefield carries: for one line in fractions, for thousands of
them in arrays, by the same expressions.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, TypeVar

from engine.values import Number, Stored

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

Share = TypeVar("Share", Fraction, "npt.NDArray[np.floating[Any]]")
Flag = TypeVar("Flag", bool, "npt.NDArray[np.bool_]")

ROUNDING = 1e-9
"""Squares. Lengths on a slant are rounded, each form of sight in its own way; no two of them differ by as much."""


class SmokeOpacity(Stored, frozen=True):
    """How smoke on a line obscures what is behind it. Without a value it hides nothing; rules may count it."""

    ends_sight: Number | None = None
    """Squares of smoke that are still seen through; beyond them nothing is seen. None: any number."""

    @property
    def obscures(self) -> bool:
        """Whether smoke makes any difference to sight."""
        return self.ends_sight is not None

    def visible(self, share: Share, smoke: Callable[[], Share]) -> Share:
        """The share of a body that is seen through smoke.

        Args:
            share: seen in clear air.
            smoke: measures the smoke on the same lines; not called where it makes no difference.
        """
        return share * self._lets_see(smoke()) if self.obscures else share

    def clear(self, is_clear: Flag, smoke: Callable[[], Share]) -> Flag:
        """Whether the line from eye to eye is free, smoke included; the same both ways. Arguments as for `visible`."""
        return is_clear & self._lets_see(smoke()) if self.obscures else is_clear

    def _lets_see(self, smoke: Any) -> Any:
        """A flag for a number, an array of flags for an array."""
        return smoke <= float(self.ends_sight or 0) + ROUNDING

    def describe(self) -> str:
        """As a rule book says it: "smoke ends sight beyond 2 squares"; "" where it does not."""
        return f"smoke ends sight{self._beyond}" if self.obscures else ""

    def blocked_words(self, smoke: Fraction, squares: int) -> str:
        """What blocks a line with smoke of so many squares' worth on so many squares: "smoke on 3 squares: …"."""
        counted = "" if smoke == squares else f", counted as {ceil(10 * smoke) / 10:g}"
        beyond = f": sight ends{self._beyond}" if self._beyond else ""
        return f"smoke on {_squares(squares)}{counted}{beyond}"

    @property
    def _beyond(self) -> str:
        return f" beyond {_squares(self.ends_sight)}" if self.ends_sight else ""


def _squares(number: Number) -> str:
    return f"{float(number):g} {'square' if number == 1 else 'squares'}"
