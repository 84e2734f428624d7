"""Scenes that tables argue about, with the answers that nobody has to explain away: alike in every form of sight."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body, body
from engine.geometry.los.field_of_view import between, moved, overlook
from engine.geometry.los.sight import trace
from engine.geometry.squares import parse_square
from engine.values import replace
from maps import load_map, parse_map, shipped_maps
from tests.engine.geometry.sight_judge import MapPlan, SightKeys, Viewer, judge
from tests.engine.geometry.test_field_of_view import case, random_person
from tests.examples import sample

MAP = """\
format = 1
name = "scene"
[scale]
square = 1.5
unit = "metres"
step = 1
[legend]
"k" = "barrel"
"r" = "reeds"
"s" = "sandbags"
"V" = "van"
[map]
squares = '''
{}
'''
{}
"""
ROOF = "[elevation]\nrows = '''\n66........\n'''\n"
EDGE = "[elevation]\nrows = '''\n6....\n'''\n"
PARAPET = '[[edge]]\nat = "B1"\nside = "E"\nkind = "parapet"\n'
WINDOW = '[[edge]]\nat = "E1"\nside = "W"\nkind = "window"\n'
CORNER = "......\n......\n##....\n##....\n##....\n"
REEDS = "....r....\n....r....\n....s....\n....s....\n"

SCENES = [
    # rows, more of the map, who, whom, percent seen and percent covered: of the one, of the other
    ("...\n.#.\n...\n", "", "A2", "B1", 100, 0, 100, 0),
    (CORNER, "", "A2", "C5", 0, 100, 0, 100),
    (".o........\n", "", "A1", "C1", 100, 0, 100, 0),
    (".o........\n", "", "A1", "D1", 100, 0, 39, 61),
    (".o........\n", "", "A1", "H1", 100, 0, 35, 65),
    (".o........\n", "", "A1 kneeling", "H1", 100, 0, 10, 90),
    ("..........\n", ROOF + PARAPET, "B1 kneeling", "J1", 100, 0, 10, 90),
    ("..........\n", ROOF + PARAPET, "B1", "E1", 100, 0, 15, 85),
    ("..........\n", PARAPET, "F1", "B1", 56, 44, 100, 0),
    (".....\n", EDGE, "A1", "B1", 100, 0, 26, 74),
    ("..........\n", WINDOW, "D1", "J1", 100, 0, 54, 46),
    (REEDS, "", "A1", "E1", 17, 0, 100, 0),
    (REEDS, "", "D1", "E1", 100, 0, 100, 0),
    (REEDS, "", "A3", "E3", 100, 0, 100, 0),
    ("....s....\n", "", "A1", "F1 prone", 0, 100, 0, 100),
    (".o.......o\n", "", "A1 kneeling", "J1 kneeling", 100, 0, 10, 90),
    ("..o.......\n", "", "A1 kneeling", "J1", 0, 100, 0, 100),
]


def scene(rows: str, more: str) -> Battlefield:
    return parse_map(MAP.format(rows.rstrip(), more), "scene").battlefield


def standing(text: str) -> Body:
    name, _, posture = text.partition(" ")
    return body(parse_square(name), "metres", posture or "standing")


@pytest.mark.parametrize(("rows", "more", "who", "whom", *"abcd"), SCENES)
def test_the_scenes_come_out_as_wanted_in_every_form(
    rows: str, more: str, who: str, whom: str, a: int, b: int, c: int, d: int
) -> None:
    field, one, other = scene(rows, more), standing(who), standing(whom)
    for here, there, seen, covered in ((one, other, a, b), (other, one, c, d)):
        line = trace(field, here, there)
        assert (round(line.visible * 100), round(line.covered * 100)) == (seen, covered), line.words
        view, at = overlook(field, here, there), (there.at.row, there.at.column)
        everybody = [there, here, standing("A1")]
        pairs = between(field, everybody, everybody)
        again = moved(between(field, [standing("A1"), *everybody[1:]], everybody), field, everybody, 0)
        for visible, cover in (
            (view.visible[at], view.covered[at]),
            (pairs.visible[1, 0], pairs.covered[1, 0]),
            (again.visible[1, 0], again.covered[1, 0]),
        ):
            assert visible == pytest.approx(float(line.visible), abs=1e-9)
            assert cover == pytest.approx(float(line.covered), abs=1e-9)


@pytest.mark.parametrize("seed", sample(range(400), 60))
def test_the_trace_is_as_the_judge_says(seed: int) -> None:
    random, field, crowd = case(seed)
    field = replace(field, smoke_opacity=replace(field.smoke_opacity, ends_sight=None))
    plan, model = MapPlan(field), field.sight
    keys = SightKeys(True, "rise", model.soft, model.bodies or None, model.head, model.least, model.mutual)
    for _ in range(3):
        one, other = random_person(random, field), random_person(random, field)
        pair = [Viewer(each, each.looks_over, each.lean) for each in (one, other)]
        there, back = judge(plan, *pair, keys, crowd)
        for line, answer in ((trace(field, one, other, crowd), there), (trace(field, other, one, crowd), back)):
            assert (line.visible, line.covered) == (answer.visible, answer.covered), line.words


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_nobody_may_attack_one_way_only(name: str) -> None:
    field = load_map(shipped_maps()[name]).battlefield
    random = Random(name)
    people = [random_person(random, field) for _ in range(60)]
    found = between(field, people, people)
    for may in (found.visible > 0, found.covered < 1):
        assert (may == may.T).all()
    assert found.visible[found.visible > 0].min() >= Fraction(1, 10)
