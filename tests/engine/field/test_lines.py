"""A line that is told only where something stands: nothing that matters is left out, nothing is told otherwise."""

from __future__ import annotations

from random import Random

import pytest

from engine.field.lines import EIGHTHS, Marks, Passage, Point, line
from engine.field.squares import Edge, Square

SIDE = 9
FLOOR = 100


def is_marked(passage: Passage, marks: Marks) -> bool:
    """Whether any square or edge of a passage is worth to be told."""
    places = [place for way in passage.ways for place in way]
    squares = [place for place in places if isinstance(place, Square)]
    return any(marks.tops[square.row * SIDE + square.column] > FLOOR for square in squares) or any(
        place in marks.edges for place in places
    )


@pytest.mark.parametrize("seed", range(300))
def test_what_stands_on_a_line_is_told_with_what_is_before_and_behind_an_edge(seed: int) -> None:
    random = Random(seed)
    start, end = (Point(random.randrange(1, SIDE * EIGHTHS), random.randrange(1, SIDE * EIGHTHS)) for _ in range(2))
    tops = [random.choice((0, 0, 0, 0, 100, 200)) for _ in range(SIDE * SIDE)]
    edges = {Edge(random.randrange(SIDE), random.randrange(SIDE), random.choice("NW")) for _ in range(seed % 3 * 6)}
    marks = Marks(SIDE, tops, FLOOR, edges)
    whole, told = line(start, end), line(start, end, marks)
    assert (told.length, told.heading) == (whole.length, whole.heading)
    kept = [passage for passage in whole.passages if passage in told.passages]
    assert tuple(kept) == told.passages  # none made up, none out of order
    for number, passage in enumerate(whole.passages):
        if is_marked(passage, marks):
            assert passage in told.passages
            if passage.start == passage.end and whole.length:
                assert set(whole.passages[number - 1 : number + 2]) <= set(told.passages)
