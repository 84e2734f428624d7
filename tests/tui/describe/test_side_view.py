"""The side view in characters, compared row by row."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.los.profile import profile
from engine.geometry.los.sight import trace
from engine.sight_model import SightModel
from engine.text import cells
from engine.values import replace
from maps import load_map, shipped_maps
from tests.engine.geometry.drawing import (
    LOW,
    WALL,
    WINDOW,
    person,
    random_body,
    random_crowd,
    random_field,
    with_mirrors,
)
from tests.engine.geometry.drawing import (
    drawn as field_drawn,
)
from tests.examples import examples
from tui.application.describe.side_view import ASCII, UNICODE, drawn, key

EXPECTED = {
    "crate": [
        "      |    A*******************************B",
        " 1.5 m|    A                               B",
        "      |    A                               B",
        "   1 m|    A                    %%%%%%%%   B",
        "      |    A                    %%%%%%%%   B",
        " 0.5 m|    A                    %%%%%%%%   B",
        "      |    A                    %%%%%%%%   B",
        "   0 m|    A                    %%%%%%%%   B",
        "      |#########################################",
        "           A1      B1      C1      D1      E1",
    ],
    "window": [
        "    |                   |            .....B",
        "    |                   |............     B",
        " 2 m|        ***********X                 B",
        "    |     A**                             B",
        "    |     A                               B",
        " 1 m|     A             |",
        "    |     A             |",
        " 0 m|     A             |",
        "    |###########################################",
        "          A1      B1          C1          D1",
    ],
    "parapet": [
        "    |     A****|",
        " 6 m|##########*****",
        "    |###########    ******",
        " 4 m|###########          *****",
        "    |###########               *****",
        " 2 m|###########                    ******",
        "    |###########                          B",
        " 0 m|###########                          B",
        "    |###########################################",
        "          B1         C1        D1         E1",
    ],
    "wall": [
        "      |      A******X....................B",
        " 1.5 m|      A      |                    B",
        "      |      A      |                    B",
        "   1 m|      A      |                    B",
        "      |      A      |                    B",
        " 0.5 m|      A      |                    B",
        "      |      A      |                    B",
        "   0 m|      A      |                    B",
        "      |#########################################",
        "             A1            B1            C1",
    ],
    "flyer": [
        "    |    A****::::::::;;;;;;;;;",
        " 3 m|    A    *********;;;;;;;;",
        "    |    A    ::::::::;********",
        " 2 m|    A    ::::::::;;;;;;;;;********",
        "    |         ::::::::;;;;;;;;;        ****B",
        " 1 m|         ::::::::;;;;;;;;;    o       B",
        "    |         ::::::::;;;;;;;;;    o       B",
        " 0 m|         ::::::::;;;;;;;;;    o       B",
        "    |###########################################",
        "         A1      B1       C1       D1      E1",
    ],
    "glass": [
        "      |                %%%%%%%%%",
        " 1.5 m|    A***********x*******************B",
        "      |    A           %%%%%%%%%           B",
        "   1 m|    A           %%%%%%%%%           B",
        "      |    A           %%%%%%%%%           B",
        " 0.5 m|    A           %%%%%%%%%           B",
        "      |    A           %%%%%%%%%           B",
        "   0 m|    A           %%%%%%%%%           B",
        "      |#########################################",
        "           A1      B1      C1      D1      E1",
    ],
    "above": [
        "    |                      B",
        " 4 m|                      B",
        "    |                      B",
        "    |",
        " 2 m|",
        "    |                    A",
        "    |                    A",
        " 0 m|                    A",
        "    |###########################################",
        "                          A1",
    ],
}


def rows(field: Battlefield, one: Body, other: Body, *others: Body, columns: int = 48, lines: int = 10) -> list[str]:
    return drawn(profile(field, one, other, obstacles=others), columns, lines, is_ascii=True)


def test_a_crate_stands_under_the_line() -> None:
    assert rows(field_drawn("...c."), person("A1"), person("E1")) == EXPECTED["crate"]


def test_a_window_has_a_sill_a_gap_and_a_lintel() -> None:
    field = field_drawn("....", barriers={"C1 W": WINDOW})
    assert rows(field, person("A1"), person("D1", altitude=90)) == EXPECTED["window"]


def test_a_parapet_stands_on_the_roof_s_edge() -> None:
    field = field_drawn(".....", elevation={"A1": 600, "B1": 600}, barriers={"C1 W": LOW})
    assert rows(field, person("B1", "kneeling"), person("E1")) == EXPECTED["parapet"]


def test_a_wall_up_to_the_sky_ends_the_line() -> None:
    assert rows(field_drawn("...", barriers={"B1 W": WALL}), person("A1"), person("C1")) == EXPECTED["wall"]


def test_a_flyer_smoke_and_somebody_on_the_way() -> None:
    field = replace(field_drawn(".....", smoke={"B1": 1, "C1": 2}), sight=SightModel(bodies=1))
    others = replace(person("D1", "kneeling"), name="Bat")
    assert rows(field, person("A1", altitude=200), person("E1"), others) == EXPECTED["flyer"]


def test_glass_ends_the_shot() -> None:
    assert rows(field_drawn("..g.."), person("A1"), person("E1")) == EXPECTED["glass"]


def test_one_above_the_other_stand_side_by_side() -> None:
    assert rows(field_drawn("."), person("A1"), person("A1", altitude=300)) == EXPECTED["above"]


def test_blocks_by_default_and_every_sign_is_one_cell_wide() -> None:
    shown = drawn(profile(field_drawn("..c."), person("A1"), person("D1")))
    assert "▓" in "".join(shown) and "█" in shown[-2] and "•" in "".join(shown)
    for signs in (ASCII, UNICODE):
        for sign in "".join(getattr(signs, name) for name in signs.__struct_fields__):
            assert cells(sign) == 1
    assert "".join(getattr(ASCII, name) for name in ASCII.__struct_fields__).isascii()


def test_too_little_room() -> None:
    with pytest.raises(ValueError, match="a side view needs 24 by 5"):
        drawn(profile(field_drawn("."), person("A1"), person("A1")), 20, 5)


@examples(120)
@given(st.integers(0, 10**9).map(Random), st.integers(24, 90), st.integers(5, 16))
def test_any_line_fits_any_room(random: Random, columns: int, lines: int) -> None:
    field = with_mirrors(random, random_field(random))
    one, other, crowd = random_body(random, field, 4), random_body(random, field, 4), random_crowd(random, field)
    shown = drawn(profile(field, one, other, obstacles=crowd), columns, lines, is_ascii=random.random() < 0.5)
    assert len(shown) == lines
    assert all(cells(row) <= columns for row in shown)
    assert any("A" in row for row in shown[:-1]) and any("B" in row for row in shown[:-1])
    assert one.at == other.at or shown[-1].strip()


def test_what_covers_beside_the_line_is_named_under_the_picture() -> None:
    field = load_map(shipped_maps()["warehouse"]).battlefield
    start = person("E7")
    aside, along = (trace(field, start, person(name)) for name in ("O11", "J8"))
    assert key(aside, "Spark", "Hauler").endswith(
        "B is Hauler; the crate at I8 lies beside this line and covers a part of B"
    )
    assert key(along, "Spark", "Hauler") == "Line from eye to eye: A is Spark, B is Hauler"
