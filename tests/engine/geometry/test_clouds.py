"""Clouds: how they fill rooms, drift, thin and end."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Barrier
from engine.geometry.blast.smoke_clouds import THICK, THIN, Cloud, Wind, drifted, extent, forecast, passes, smoke_with
from engine.geometry.squares import Direction, Square, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.bursting import random_field, walled
from tests.engine.geometry.drawing import DOOR, LOW, WALL, WINDOW, drawn
from tests.examples import examples

seeds = st.integers(0, 10**9).map(Random)


def cloud(at: str, radius: int, **more: object) -> Cloud:
    return Cloud("smoke-1", parse_square(at), radius, **more)  # type: ignore[arg-type]


def names(squares) -> set[str]:
    return {square.name for square in squares}


def test_in_the_open_a_cloud_is_a_disc_of_its_metric():
    field = walled(*["." * 15] * 15)
    assert len(extent(field, cloud("H8", 3))) == 49
    assert len(extent(field, cloud("H8", 2, metric="euclidean"))) == 13
    assert len(extent(field, cloud("H8", 2, metric="alternating"))) == 21
    assert names(extent(field, cloud("H8", 0))) == {"H8"}
    assert len(extent(field, cloud("A1", 2))) == 9


def test_walls_keep_smoke_in_and_doors_let_it_out():
    rows = (".....", ".....")
    shut = walled(*rows, barriers={"C1 W": DOOR, "C2 W": WALL})
    assert names(extent(shut, cloud("A1", 4))) == {"A1", "B1", "A2", "B2"}
    opened = with_barriers(shut, [next(iter(shut.barriers))], replace(DOOR, state="open"))
    assert "E1" in names(extent(opened, cloud("A1", 4)))


def test_smoke_goes_round_a_wall_by_the_steps_it_takes():
    field = walled(".....", "####.", ".....")
    reached = names(extent(field, cloud("C1", 3)))
    assert "E2" in reached
    assert "D3" in reached
    assert "C3" not in reached


@pytest.mark.parametrize(
    ("barrier", "gets_through"),
    [
        (WALL, False),
        (DOOR, False),
        (replace(DOOR, state="broken"), True),
        (WINDOW, True),
        (LOW, True),
        (Barrier("curtain", contains_blast=False), True),
        (Barrier("sign", bottom=150, top=250), True),
        (Barrier("screen", top=180), False),
    ],
)
def test_what_leaves_no_gap_keeps_smoke_back(barrier: Barrier, gets_through: bool):
    field = walled("..", barriers={"B1 W": barrier})
    assert passes(field, Square(0, 0), Square(1, 0)) == gets_through
    assert passes(field, Square(1, 0), Square(0, 0)) == gets_through


def test_smoke_comes_through_a_corner_when_one_way_round_is_free():
    assert passes(walled("..", "#."), Square(0, 0), Square(1, 1))
    assert not passes(walled(".#", "#."), Square(0, 0), Square(1, 1))
    assert not passes(walled("..", barriers={}), Square(1, 0), Square(2, 0))


def test_a_bank_of_earth_keeps_smoke_below():
    field = drawn("....", elevation={"C1": 200, "D1": 200})
    assert names(extent(field, cloud("A1", 3))) == {"A1", "B1"}
    assert names(extent(field, cloud("D1", 3))) == {"A1", "B1", "C1", "D1"}


def test_the_thickest_smoke_counts():
    field = replace(walled("....."), smoke=(0, 1, 2, 0, 0))
    assert smoke_with(field, []) == field.smoke
    assert smoke_with(field, [cloud("B1", 1, density=THIN)]) == (1, 1, 2, 0, 0)
    both = [cloud("B1", 1, density=THIN), Cloud("smoke-2", Square(1, 0), 0, THICK)]
    assert smoke_with(field, both) == (1, 2, 2, 0, 0)


def test_the_wind_drifts_a_cloud_until_a_wall():
    field = walled("......#.", "........")
    east = Wind(Direction.E, 4)
    (after,) = drifted(field, [cloud("A1", 1, rounds=3)], east)
    assert (after.centre.name, after.rounds, after.density) == ("E1", 2, THICK)
    (after,) = drifted(field, [after], east)
    assert (after.centre.name, after.rounds, after.density) == ("F1", 1, THIN)
    assert drifted(field, [after], east) == ()
    (edge,) = drifted(field, [cloud("G2", 1)], east)
    assert edge == cloud("H2", 1)
    assert drifted(field, [cloud("G2", 1)], None) == (cloud("G2", 1),)


def test_the_forecast_is_the_smoke_round_by_round():
    field = walled("......")
    layers = forecast(field, [cloud("A1", 0, rounds=3)], Wind(Direction.E, 1), 3)
    assert layers == ((2, 0, 0, 0, 0, 0), (0, 2, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 0))


@examples(60)
@given(seeds)
def test_a_cloud_hangs_together_within_its_radius(random: Random):
    field = random_field(random)
    centre, radius = random.choice(field.squares()), random.randint(0, 4)
    filled = extent(field, Cloud("one", centre, radius))
    assert centre in filled
    assert filled <= set(field.squares())
    for square in filled - {centre}:
        assert max(abs(square.column - centre.column), abs(square.row - centre.row)) <= radius
        assert any(
            square.step(direction) in filled and passes(field, square.step(direction), square)
            for direction in Direction
        )
    wider = extent(field, Cloud("one", centre, radius + 1))
    assert filled <= wider


@examples(40)
@given(seeds)
def test_a_forecast_agrees_with_drifting_step_by_step(random: Random):
    field = random_field(random)
    clouds = tuple(
        Cloud(
            str(number),
            random.choice(field.squares()),
            random.randint(0, 3),
            random.choice([1, 2]),
            random.randint(0, 4),
        )
        for number in range(3)
    )
    wind = random.choice([None, Wind(random.choice(list(Direction)), random.randint(1, 3))])
    layers = forecast(field, clouds, wind, 5)
    for layer in layers:
        assert layer == smoke_with(field, clouds)
        clouds = drifted(field, clouds, wind)
