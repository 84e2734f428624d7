"""Lamps give light where the tracer's line from them is clear, and never take any away."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import LIGHTS, Barrier, Battlefield, Lamp, OffMap
from engine.geometry.body import Body, body
from engine.geometry.los.lighting import light_at, lit
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, edge_of, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.values import replace
from tests.engine.geometry.drawing import DOOR, WALL, drawn, person, random_field
from tests.examples import examples

seeds = st.integers(0, 10**9).map(Random)
HALF_WALL = Barrier("wall", top=250)


def shown(field: Battlefield) -> list[str]:
    """The levels as rows of digits."""
    levels = "".join(map(str, lit(field)))
    return [levels[start : start + field.columns] for start in range(0, len(levels), field.columns)]


def night(*rows: str, lamps: tuple[Lamp, ...], **layers) -> Battlefield:
    field = drawn(*rows, **layers)
    return replace(field, light=(0,) * len(field.ground), lamps=lamps)


def lamp(at: str, bright: int, dim: int, height: int = 0) -> Lamp:
    return Lamp(parse_square(at), bright, dim, height)


def test_bright_near_the_lamp_and_dim_farther_off_in_straight_lines():
    field = night(*["." * 7] * 7, lamps=(lamp("D4", 1, 3, 200),))
    assert shown(field) == ["0001000", "0111110", "0112110", "1122211", "0112110", "0111110", "0001000"]
    assert [light_at(field, parse_square(name)) for name in ("D4", "D2", "A1")] == ["bright", "dim", "dark"]


@pytest.mark.parametrize(
    ("bright", "dim", "row"), [(0, 2, "11100"), (2, 2, "22200"), (1, 1, "22000"), (0, 0, "00000"), (2, 0, "22200")]
)
def test_a_light_that_goes_no_square_is_none(bright, dim, row):
    assert shown(night(".....", lamps=(lamp("A1", bright, dim),))) == [row]


def test_light_is_never_taken_away_and_the_brighter_lamp_counts():
    field = replace(night(".....", lamps=(lamp("A1", 1, 3), lamp("E1", 0, 2))), light=(0, 1, 2, 0, 0))
    assert shown(field) == ["22211"]


def test_a_wall_casts_a_shadow_and_a_low_crate_does_not():
    assert shown(night("..#..", lamps=(lamp("A1", 4, 4, 200),))) == ["22200"]
    assert shown(night("..t..", lamps=(lamp("A1", 4, 4, 200),))) == ["22222"]
    assert shown(night(".....", lamps=(lamp("A1", 4, 4, 200),), barriers={"C1 W": HALF_WALL})) == ["22000"]
    assert shown(night(".....", lamps=(lamp("A1", 4, 4, 400),), barriers={"C1 W": HALF_WALL})) == ["22022"]


def test_what_the_lamp_stands_on_casts_no_shadow():
    assert shown(night("c....", lamps=(lamp("A1", 4, 4, 150),))) == ["22222"]
    assert shown(night("#....", lamps=(lamp("A1", 4, 4, 0),))) == ["22222"]


def test_light_falls_through_a_door_once_it_is_open():
    field = night(".....", lamps=(lamp("A1", 4, 4, 200),), barriers={"C1 W": DOOR})
    assert shown(field) == ["22000"]
    opened = with_barriers(field, [edge_of(parse_square("C1"), Direction.W)], replace(DOOR, state="open"))
    assert shown(opened) == ["22222"]
    assert shown(field) == ["22000"]


def test_a_one_way_pane_lets_the_light_through_one_way():
    pane = replace(WALL, seen_through=Direction.E)
    assert shown(night("....", lamps=(lamp("A1", 4, 4, 200),), barriers={"C1 W": pane})) == ["2222"]
    assert shown(night("....", lamps=(lamp("D1", 4, 4, 200),), barriers={"C1 W": pane})) == ["0022"]
    hill = {"A1": 100, "D1": 50}
    assert shown(night("....", lamps=(lamp("A1", 4, 4, 200),), barriers={"C1 W": pane}, elevation=hill)) == ["2222"]
    assert shown(night("....", lamps=(lamp("D1", 4, 4, 200),), barriers={"C1 W": pane}, elevation=hill)) == ["0022"]


@pytest.mark.long
@examples(120)
@given(seeds)
def test_every_square_agrees_with_the_tracer(random):
    field = random_field(random, 8, 7)
    if random.random() < 0.4:
        field = replace(field, elevation=(0,) * 56)
    lamps = tuple(
        Lamp(
            random.choice(field.squares()),
            random.randrange(4),
            random.randrange(3, 9),
            random.choice([0, 90, 162, 300]),
        )
        for _ in range(random.choice([1, 1, 2]))
    )
    own = tuple(random.choice([0, 0, 1]) for _ in field.light)
    field = replace(field, lamps=lamps, light=own)
    dark = replace(field, lamps=())
    expected = list(own)
    for one in lamps:
        source = Body(one.at, 1, 0, max(one.height, 1), one.height)
        for index, square in enumerate(field.squares()):
            apart = (square.column - one.at.column) ** 2 + (square.row - one.at.row) ** 2
            level = 2 if one.bright and apart <= one.bright**2 else 1 if apart <= one.dim**2 else 0
            if level > expected[index] and trace(dark, source, body(square, field.unit)).clear:
                expected[index] = level
    assert lit(field) == tuple(expected)


def test_the_tracer_counts_the_light_of_lamps():
    field = night("......", lamps=(lamp("F1", 1, 2, 200),))
    found = [trace(field, person("A1"), person(name)).light for name in ("B1", "D1", "E1")]
    assert found == ["dark", "dim", "bright"]
    assert "dark" in trace(field, person("F1"), person("A1")).words.lower()


def test_levels_are_reckoned_once_for_the_same_layers():
    field = night("...", lamps=(lamp("A1", 1, 2),))
    assert lit(field) is lit(replace(field, smoke=(1, 1, 1)))
    assert lit(replace(field, lamps=())) is field.light


@pytest.mark.parametrize("rows", [(".",), ("#",), (*"...",), ("." * 50,)])
def test_the_smallest_maps_are_lit(rows):
    field = night(*rows, lamps=(lamp("A1", 100, 100, 200),))
    assert set(lit(field)) == {LIGHTS.index("bright")}


@pytest.mark.long
def test_a_lamp_in_the_corner_of_the_largest_map():
    field = night(*["." * 500] * 500, lamps=(Lamp(Square(499, 499), 5, 100, 300),))
    assert lit(field)[-1] == 2
    assert sum(lit(field)) > 7000


def test_a_lamp_off_the_map_is_refused():
    with pytest.raises(OffMap):
        lit(night("...", lamps=(lamp("D1", 1, 2),)))
