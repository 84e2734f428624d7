"""A1: what it costs to add a group of ten on a large map that has units already, from the line to what is saved."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.evening import RULESET, UNITS, write_map
from benchmarks.measure import Row
from engine.battle.commands.roster_commands import AddUnit
from engine.geometry.squares import Square
from tui.application.library.battle_files import begin_battle, read_scenario

SIDE = 500
GROUPS, SIZE = 8, 10
LIMIT_MS = 1000.0


def rows() -> Iterator[Row]:
    """Groups one after the other, each at another place."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        session = begin_battle(read_scenario(write_map(place / "plain.toml", SIDE), RULESET), "x", place)
        taken = []
        for number in range(GROUPS):
            at = Square(SIDE // 2 + number, SIDE // 5 + SIDE * number // 14)
            start = perf_counter()
            session.submit(AddUnit("gunman", "gang", at, count=SIZE))
            taken.append(1000 * (perf_counter() - start))
        session.close()
        middle = median(taken)
        what = f"{SIZE} units added, {SIDE}² with {UNITS} units"
        yield Row("A1", what, f"{middle:.0f} ms", "", middle, LIMIT_MS, "ms")
