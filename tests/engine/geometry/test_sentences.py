"""Forty pairs on two shipped maps, told both ways: the sentences are committed, and read again before they change."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.geometry.body import POSTURES, body
from engine.geometry.los.sight import trace
from maps import load_map, shipped_maps

FOLDER = Path(__file__).parent / "sentences"
PAIRS = 40


def told(name: str) -> str:
    """Pairs that a table may ask about, near and far, in all postures; `python -m` this module writes them."""
    field = load_map(shipped_maps()[name]).battlefield
    random = Random(name)
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    lines = []
    while len(lines) < 3 * PAIRS:
        one, other = random.sample(free, 2)
        if max(abs(one.column - other.column), abs(one.row - other.row)) > random.choice((4, 8, 16)):
            continue
        postures = random.choices(POSTURES, (3, 2, 1), k=2)
        here, there = (body(at, field.unit, how) for at, how in zip((one, other), postures, strict=True))
        lines += [
            f"A {postures[0]} at {one.name}, B {postures[1]} at {other.name}",
            f"  A sees B: {trace(field, here, there).words}",
            f"  B sees A: {trace(field, there, here).words}",
        ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["rooftops", "warehouse"])
def test_the_sentences_of_forty_pairs(name: str) -> None:
    assert told(name) == (FOLDER / f"{name}.txt").read_text("utf-8")


if __name__ == "__main__":
    for map_name in ("rooftops", "warehouse"):
        (FOLDER / f"{map_name}.txt").write_text(told(map_name), "utf-8")
