"""The field of view over every square against the trace of single pairs, square by square."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.field.fan import Overlook, overlook
from engine.field.sight import trace
from engine.field.silhouette import Body, body
from engine.field.squares import Square
from tests.engine.field.drawing import random_field

POSTURES = ("standing", "kneeling", "prone")


def random_case(seed: int, largest: int = 1) -> tuple:
    """A map of any shape, an observer and a body like those looked at."""
    random = Random(seed)
    columns, rows = random.randrange(largest, 14), random.randrange(largest, 14)
    field = random_field(random, columns, rows)
    size, of = random.choice([1, 1, largest]), random.choice([1, 1, largest])

    def one(size: int) -> Body:
        at = Square(random.randrange(columns - size + 1), random.randrange(rows - size + 1))
        return body(at, field.unit, random.choice(POSTURES), size, random.choice([0, 0, 0, 120, 250]))

    return field, one(size), one(of)


def places(field, like: Body) -> list[Square]:
    return [
        square
        for square in field.squares()
        if square.column + like.size <= field.columns and square.row + like.size <= field.rows
    ]


def assert_as_traced(field, observer: Body, like: Body, answer: Overlook) -> None:
    left = np.ones((field.rows, field.columns), np.bool_)
    for square in places(field, like):
        expected, place = trace(field, observer, replace(like, at=square)), (square.row, square.column)
        left[place] = False
        case = observer, like, square
        assert answer.clear[place] == expected.clear, case
        assert answer.visible[place] == pytest.approx(float(expected.visible), abs=1e-12), case
        assert answer.covered[place] == pytest.approx(float(expected.covered), abs=1e-12), case
        assert (answer.visible[place] > 0) == expected.can_see, case
        assert (answer.visible[place] == 1) == (expected.visible == 1), case
        assert answer.smoke[place] == pytest.approx(float(expected.smoke), abs=1e-9), case
        assert answer.light[place] == ("dark", "dim", "bright").index(expected.light), case
    assert not answer.visible[left].any() and not answer.clear[left].any() and answer.covered[left].all()


@pytest.mark.parametrize("seed", range(60))
def test_every_square_is_as_traced(seed):
    field, observer, like = random_case(seed)
    assert_as_traced(field, observer, like, overlook(field, observer, like))


@pytest.mark.parametrize("seed", range(24))
def test_every_square_is_as_traced_for_large_bodies(seed):
    field, observer, like = random_case(seed, 2 + seed % 3)
    assert_as_traced(field, observer, like, overlook(field, observer, like))


@pytest.mark.slow
def test_every_square_is_as_traced_on_a_thousand_maps():
    for seed in range(1000, 2000):
        field, observer, like = random_case(seed)
        assert_as_traced(field, observer, like, overlook(field, observer, like))
        field, observer, like = random_case(seed, 1 + seed % 4)
        assert_as_traced(field, observer, like, overlook(field, observer, like))
