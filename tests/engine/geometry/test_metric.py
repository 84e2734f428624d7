"""Distances under the three metrics."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.metric import METRICS, distance, distance_with_rise, most_rise, root


@pytest.mark.parametrize(
    ("metric", "columns", "rows", "rise", "expected"),
    [
        ("chebyshev", 4, 3, 0, 4),
        ("chebyshev", -2, 1, Fraction(5, 2), Fraction(5, 2)),
        ("alternating", 4, 1, 0, 4),
        ("alternating", 4, 2, 0, 5),
        ("alternating", 3, 3, 0, 4),
        ("alternating", 3, 3, 3, 4),
        ("alternating", 0, 4, 3, 5),
        ("euclidean", 3, -4, 0, 5),
        ("euclidean", 2, 3, 6, 7),
        ("euclidean", 0, 0, Fraction(3, 2), Fraction(3, 2)),
    ],
)
def test_figures(metric, columns, rows, rise, expected):
    assert distance(metric, columns, rows, Fraction(rise)) == expected


def test_unknown_metric():
    with pytest.raises(ValueError, match="taxicab"):
        distance("taxicab", 1, 1)


@given(st.fractions(min_value=0, max_value=10**7))
def test_roots_are_good_to_nine_decimals(number):
    found = root(number)
    assert found**2 <= number < (found + Fraction(1, 10**9)) ** 2
    assert root(number * number) == number


@given(st.sampled_from(METRICS), st.integers(0, 200), st.integers(0, 200), st.fractions(0, 50))
def test_further_is_never_nearer(metric, columns, rows, rise):
    here = distance(metric, columns, rows, rise)
    assert here == distance(metric, rows, columns, rise)
    assert here <= distance(metric, columns + 1, rows, rise)
    assert here <= distance(metric, columns, rows, rise + Fraction(1, 3))
    assert float(here) >= max(columns, rows) - 1e-9
    assert float(distance("euclidean", columns, rows)) == pytest.approx(sqrt(columns**2 + rows**2))


@given(
    st.sampled_from(METRICS),
    st.integers(-9, 9),
    st.integers(0, 9),
    st.fractions(0, 12, max_denominator=6),
    st.sampled_from([1, 100, 150, 500]),
)
def test_the_most_rise_is_the_last_within_the_radius(metric, columns, rows, radius, size):
    most = most_rise(metric, columns, rows, radius, size)
    assert most == -1 or distance_with_rise(metric, columns, rows, most, size) <= radius
    assert distance_with_rise(metric, columns, rows, most + 1, size) > radius
