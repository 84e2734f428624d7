"""The numbers that `battleboard rules ID --json` prints, and dice: all that a simulation is made of.

A simulation takes weapons, sheets and the numbers of rulings from there; what is done with them it has from the
chapter and from the words of the rulings. Nothing here knows the program's own way to resolve an attack.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[Any]
"""One number, or yes or no, for each throw."""

THROWS = 1_000_000
NOTATION = re.compile(r"([0-9]+)d([0-9]+)([+-][0-9]+)?")


class Book:
    """A ruleset as the command line prints it."""

    def __init__(self, printed: Mapping[str, Any]) -> None:
        self.printed = printed

    def weapon(self, weapon: str) -> Mapping[str, Any]:
        """The numbers of a weapon."""
        found: Mapping[str, Any] = self.printed["weapons"][weapon]["fields"]
        return found

    def sheet(self, role: str) -> Mapping[str, Any]:
        """The numbers of a stat block, armour put on."""
        found: Mapping[str, Any] = self.printed["sheets"][role]["stats"]
        return found

    def ruling(self, name: str) -> Any:
        """The value of a ruling."""
        return self.printed["rulings"][name]["value"]


class ThrownDice:
    """A million throws of whatever is thrown, always the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def die(self, sides: int) -> Numbers:
        """One die for each throw."""
        return self.random.integers(1, sides + 1, THROWS)

    def several(self, number: int, sides: int) -> Numbers:
        """Each of several dice, the first axis for the dice."""
        return self.random.integers(1, sides + 1, (number, THROWS))

    def total(self, notation: str) -> Numbers:
        """The sum of dice such as 2d6+4."""
        return self.several(*parts(notation)[:2]).sum(axis=0) + parts(notation)[2]


def parts(notation: str) -> tuple[int, int, int]:
    """Number of dice, sides and what is added in 2d6+4."""
    found = NOTATION.fullmatch(notation)
    assert found, notation
    number, sides, added = found.group(1, 2, 3)
    return int(number), int(sides), int(added or 0)


class Outcome(NamedTuple):
    """What became of the target in each throw."""

    hit: Numbers
    damage: Numbers
    """What it lost of the pools that keep it in the fight; never more than it has."""
    out: Numbers
    graded: Mapping[str, Numbers] = {}
    """Throws with each result that the ruleset names."""
    worn: Mapping[str, Numbers] = {}
    """What it lost of the pools that protect it."""
    harms: Mapping[str, Numbers] = {}
    """Throws with each harm that the ruleset names."""


class Simulated(NamedTuple):
    """An attack as the odds speak of it: with no defence, with the likely one, and what a blast does to each unit."""

    plain: Outcome | None = None
    defended: Outcome | None = None
    caught: Mapping[str, Outcome] = {}
    """By unit; there `hit` says that the blast reaches it."""
    wins: Numbers | None = None
    """Of an opposed test that is no attack."""
