"""A line that is told only where something stands: nothing that matters is left out, nothing is told otherwise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from engine.geometry.lines import EIGHTHS, LineStretch, Marks, Point, is_past_all, line
from engine.geometry.squares import Edge, Square

SIDE = 9
FLOOR = 100


def is_marked(passage: LineStretch, marks: Marks, length: int) -> bool:
    """Whether a square or edge on every way of a passage is worth to be told."""
    if passage.start < passage.end:
        heights = (Fraction(marks.feet - marks.eye) * at / length + marks.eye for at in (passage.start, passage.end))
        floor = min(heights)
    else:
        floor = Fraction(min(marks.eye, marks.feet))
    return all(any(stands(place, marks, floor) for place in way) for way in passage.ways)


def stands(place: Square | Edge, marks: Marks, floor: Fraction) -> bool:
    return marks.tops[place.row * SIDE + place.column] > floor if isinstance(place, Square) else place in marks.edges


@pytest.mark.parametrize("seed", range(300))
def test_what_stands_on_a_line_is_reported_with_what_is_before_and_behind_an_edge(seed: int) -> None:
    random = Random(seed)
    start, end = (Point(random.randrange(1, SIDE * EIGHTHS), random.randrange(1, SIDE * EIGHTHS)) for _ in range(2))
    tops = [random.choice((0, 0, 0, 0, 100, 200)) for _ in range(SIDE * SIDE)]
    edges = {Edge(random.randrange(SIDE), random.randrange(SIDE), random.choice("NW")) for _ in range(seed % 3 * 6)}
    marks = Marks(SIDE, tops, *random.choice(((FLOOR, FLOOR), (FLOOR, 250), (220, FLOOR))), edges)
    whole, told = line(start, end), line(start, end, marks)
    assert (told.length, told.heading) == (whole.length, whole.heading)
    kept = [passage for passage in whole.passages if passage in told.passages]
    assert tuple(kept) == told.passages  # none made up, none out of order
    for number, passage in enumerate(whole.passages):
        if is_marked(passage, marks, whole.length):
            assert passage in told.passages
            if passage.start == passage.end and whole.length:
                assert set(whole.passages[number - 1 : number + 2]) <= set(told.passages)


@pytest.mark.parametrize("seed", range(300))
def test_a_line_that_is_past_all_has_nothing_on_it(seed: int) -> None:
    """Neither have those to the points around its end; and it is told as the same line, without a passage."""
    random = Random(seed)
    start, end = (Point(random.randrange(4, SIDE * EIGHTHS - 3), random.randrange(4, SIDE * EIGHTHS - 3)) for _ in "ab")
    if start == end:
        return
    standing = {Square(random.randrange(SIDE), random.randrange(SIDE)) for _ in range(random.choice((1, 2, 5)))}
    tops = [200 * (Square(index % SIDE, index // SIDE) in standing) for index in range(SIDE * SIDE)]
    bits = [[sum(1 << square[i] for square in standing if square[1 - i] == n) for n in range(SIDE)] for i in (0, 1)]
    marks = Marks(SIDE, tops, FLOOR, FLOOR, set(), *bits)
    assert line(start, end, marks).length == line(start, end).length
    for margin in (0, 3):
        if is_past_all(start, end, marks, margin):
            assert is_past_all(end, start, marks, margin)
            for x, y in product((-margin, 0, margin), repeat=2):
                there = Point(end.x + x, end.y + y)
                passages = () if there == start else line(start, there).passages
                places = {place for passage in passages for way in passage.ways for place in way}
                assert standing.isdisjoint(places)
                assert not line(start, there, marks).passages


def test_most_lines_past_a_single_thing_are_known_to_be_past_it() -> None:
    """Else it would be of no use."""
    bits = [1 << 4 if row == 4 else 0 for row in range(SIDE)]
    marks = Marks(SIDE, [200 * (index == 40) for index in range(SIDE * SIDE)], FLOOR, FLOOR, set(), bits, bits)
    middles = [Point(8 * column + 4, 8 * row + 4) for column, row in product(range(SIDE), repeat=2) if column != 4]
    past = [is_past_all(one, other, marks) for one, other in product(middles, repeat=2) if one != other]
    assert sum(past) > len(past) * 3 // 4
