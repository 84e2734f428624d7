"""What a sentence of sight names is on the line or touches one of the two; of a head it names only what is theirs."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import POSTURES, Body, body
from engine.geometry.lines import Place, Point, line
from engine.geometry.los.sight import trace
from engine.geometry.los.trace import EYE_NAMES
from engine.geometry.squares import Edge, Square, parse_square
from maps import load_map, shipped_maps
from tests.engine.geometry.drawing import edge, random_field
from tests.examples import examples

PLACE = re.compile(r"\b(?:at|on|of) ([A-Z]{1,2}[0-9]{1,3}(?: [NW])?)\b")
HEAD = re.compile(r"\bhead\b")
BELOW = re.compile(r"passes .* below the")


def named(words: str) -> list[Place]:
    found = PLACE.findall(words)
    return [edge(one) if " " in one else parse_square(one) for one in found]


def touches(one: Body, place: Place) -> bool:
    return one.touches_edge(place) if isinstance(place, Edge) else one.touches(Square(*place))


def on_a_line(observer: Body, target: Body, place: Place) -> bool:
    ways = (
        way
        for eye in observer.eye_points
        for end in target.points
        for passage in line(Point(*eye), Point(*end)).passages
        for way in passage.ways
    )
    return any(place in way for way in ways)


def check(field: Battlefield, observer: Body, target: Body) -> None:
    answer = trace(field, observer, target)
    words = answer.words
    for place in named(words):
        near = touches(observer, place) or touches(target, place)
        assert near or on_a_line(observer, target, place), (words, observer, target)
        assert near or not HEAD.search(words), (words, observer, target)
    if answer.shows_head and not answer.ends_in_smoke and answer.visible:
        assert HEAD.search(words), (words, observer, target)
    assert not BELOW.search(words), (words, observer, target)
    away = re.search(r"leans (?:out )?([a-z]+-[a-z]+)", words)
    if away:
        looker, other = (target, observer) if "leans out" in words else (observer, target)
        (x, y), (other_x, other_y) = looker.points[0], other.points[0]
        eye = next(point for point, name in EYE_NAMES.items() if name == away[1])
        straight = [step * far for step, far, side in zip(eye, (other_x - x, other_y - y), (other_y - y, other_x - x),
                                                          strict=True) if abs(far) >= abs(side)]  # fmt: skip
        assert sum(straight) >= 0, "nobody leans away from what it looks at"


def any_body(random: Random, field: Battlefield, at: Square) -> Body:
    return body(at, field.unit, random.choices(POSTURES, (3, 3, 1))[0], sight=field.sight)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(shipped_maps()))
@examples(120)
@given(random=st.integers(0, 10**9).map(Random))
def test_on_the_maps_that_ship_a_sentence_names_what_is_there(name: str, random: Random) -> None:
    field = FIELDS[name]
    free = [square for square in field.squares() if not field.ground_at(square).blocks_movement]
    for _ in range(6):
        one, other = (any_body(random, field, at) for at in random.sample(free, 2))
        check(field, one, other)
        check(field, other, one)


FIELDS = {name: load_map(path).battlefield for name, path in shipped_maps().items()}


@examples(400)
@given(random=st.integers(0, 10**9).map(Random))
def test_on_any_map_a_sentence_names_what_is_there(random: Random) -> None:
    field = random_field(random, 9, 7)
    for _ in range(4):
        sizes = random.choices((1, 2), (4, 1), k=2)
        one, other = (
            body(
                Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1)),
                field.unit,
                random.choice(POSTURES),
                size,
            )
            for size in sizes
        )
        if set(one.squares).isdisjoint(other.squares):
            check(field, one, other)
            check(field, other, one)
