"""donjon's dungeons as TSV: a word for each square, F is floor, D… a door and the side it is on, S… stairs."""

from __future__ import annotations

import re

from engine.geometry.battlefield import Ground
from engine.geometry.squares import Direction, Square, edge_of
from maps import kinds
from maps.importers.plan import Imported, Sketch, wall_off

WORD = re.compile(r"F|D[PS]?[TBLR]|S[UD]{1,2}")
SIDES = {"T": Direction.N, "B": Direction.S, "L": Direction.W, "R": Direction.E}
SQUARE = 10
LEAST_WORDS = 4


def is_donjon(text: str) -> bool:
    """Whether a text is squares divided by tabs, in such words."""
    words = [word for line in text.splitlines() for word in line.split("\t") if word.strip()]
    return "\t" in text and len(words) >= LEAST_WORDS and all(WORD.fullmatch(word.strip()) for word in words)


def read_donjon(text: str, sketch: Sketch) -> Imported:
    """The map of such a text; a square is ten feet unless the Game Master says otherwise."""
    sketch.scale(SQUARE, "feet")
    cells = [line.split("\t") for line in text.splitlines()]
    while cells and not any(word.strip() for word in cells[-1]):
        cells.pop()
    sketch.resize(max(map(len, cells)), len(cells))
    unit = sketch.feet_or_metres
    plain, stairs = kinds.ground("floor", "", unit, "."), kinds.ground("stairs", "", unit, "<")
    floors: dict[Square, Ground] = {}
    doors: list[tuple[Square, str]] = []
    for row, words in enumerate(cells):
        for column, word in enumerate(word.strip() for word in words):
            square = Square(column, row)
            if word:
                floors[square] = stairs if word[0] == "S" else plain
            if word[:1] == "D":
                doors.append((square, word))
    wall_off(sketch, floors)
    for square, word in doors:
        sketch.put(edge_of(square, SIDES[word[-1]]), "bars" if word[1] == "P" else "door")
    sketch.counts["secret doors became plain doors"] += sum(word[1] == "S" for _, word in doors)
    sketch.counts["portcullises became bars, which do not open"] += sum(word[1] == "P" for _, word in doors)
    return sketch.finished()
