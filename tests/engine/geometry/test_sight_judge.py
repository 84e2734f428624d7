"""The judge of sight: every drawing and table of the model, small scenes as a table expects them, and its laws."""

from __future__ import annotations

import ast
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.geometry.battlefield import Barrier, Battlefield, Ground
from engine.geometry.body import Body
from engine.geometry.squares import Edge, Square
from engine.smoke_opacity import SmokeOpacity
from engine.values import replace
from tests.engine.geometry import sight_judge
from tests.engine.geometry.drawing import (
    CURTAIN,
    MIRROR,
    WALL,
    WINDOW,
    drawn,
    mirrored,
    person,
    random_crowd,
    random_field,
    turned,
    with_mirrors,
)
from tests.engine.geometry.sight_judge import BEFORE, DEFAULT, Answer, MapPlan, SightKeys, Viewer, judge
from tests.examples import examples

REEDS = Ground("grass", "reeds", 150, True, False)
SANDBAGS = Ground("floor", "sandbags", 100, True, True)
PARAPET = Barrier("parapet", top=90)
BARS = Barrier("bars", blocks_sight=False, stops_shots=False)
S, K, P = "standing", "kneeling", "prone"
VALUE_MODULES = {"battlefield", "body", "squares"}

seeds = st.integers(0, 10**9).map(Random)


def standing_at(name: str, posture: str = S, size: int = 1, altitude: int = 0) -> Viewer:
    """A person with eyes at nine tenths exactly; the engine's values round them down to whole hundredths."""
    one = person(name, posture, size, altitude)
    eyes = Fraction(9 * one.height, 10)
    return Viewer(replace(one, eyes=eyes), eyes if posture == P else 162 * size)


def answers(field: Battlefield, one: Viewer, other: Viewer, keys: SightKeys = DEFAULT, *others: Body):
    return judge(MapPlan(field), one, other, keys, others)


def seen(field: Battlefield, one: str, other: str, *postures: str, keys: SightKeys = DEFAULT) -> str:
    """Shares seen of B and of A in whole percent: "100/39"."""
    first, second = (*postures, S, S)[:2]
    return "/".join(
        f"{round(100 * answer.visible)}"
        for answer in answers(field, standing_at(one, first), standing_at(other, second), keys)
    )


def far(distance: int) -> str:
    """So many squares from A1."""
    return Square(distance, 0).name


def with_ground(field: Battlefield, ground: Ground, *names: str) -> Battlefield:
    places = {field.index(person(name).at) for name in names}
    kinds = [len(field.legend) if place in places else kind for place, kind in enumerate(field.ground)]
    return replace(field, legend=(*field.legend, ground), ground=tuple(kinds))


# drawings

CORNER = drawn("####......", "####......", "####......", "..........")
GAP = drawn(*["." * 11] * 9, barriers={f"F{row} W": WALL for row in range(1, 10) if row != 5})
BLOCK = drawn("...", ".#.", "...")
OWN_CRATE = drawn(".c" + "." * 30)
FENCE = drawn("." * 30, barriers={"A1 E": PARAPET})
ROOF = drawn("." * 30, elevation={"A1": 600})
ROOF_PARAPET = replace(ROOF, barriers=FENCE.barriers)
AT_WINDOW = drawn("." * 10, barriers={"E1 W": WINDOW})
DUEL = drawn(".c" + "." * 8 + "c.")
BETWEEN = drawn(".c.")
TWO_DEEP = drawn(".cc" + "." * 8)
IN_REEDS = with_ground(drawn("......"), REEDS, "F1")
BACK = drawn("..c.......")


def trench(depth: int) -> Battlefield:
    """A1 lies lower than all else."""
    return drawn("." * 14, elevation={far(square): depth for square in range(1, 14)})


DRAWINGS = [
    (CORNER, "C4", "J1", (), "0/40", "100/40"),
    (CORNER, "D4", "F1", (), "0/20", "100/20"),
    (CORNER, "C4", "F1", (), "0/0", "0/0"),
    (CORNER, "E4", "J1", (), "100/100", "100/100"),
    (GAP, "E4", "K8", (), "0/20", "100/20"),
    (GAP, "E4", "H5", (), "0/20", "60/20"),
    (GAP, "D4", "H5", (), "20/40", "60/60"),
    (GAP, "E3", "K8", (), "0/0", "0/0"),
    (BLOCK, "A2", "B1", (), "80/80", "100/100"),
    (BLOCK, "A1", "C2", (), "20/0", "20/60"),
    (BLOCK, "A2", "C2", (), "0/0", "0/0"),
    (OWN_CRATE, "A1", far(3), (), "57/38", "100/39"),
    (OWN_CRATE, "A1", far(6), (), None, "100/36"),
    (OWN_CRATE, "A1", far(12), (), None, "100/34"),
    (OWN_CRATE, "A1", far(24), (), None, "100/34"),
    (OWN_CRATE, "A1", far(3), (K,), "0/1", "100/10"),
    (OWN_CRATE, "A1", far(6), (K,), None, "100/10"),
    (OWN_CRATE, "A1", far(12), (K,), None, "100/10"),
    (OWN_CRATE, "A1", far(24), (K,), None, "100/10"),
    (OWN_CRATE, "A1", far(3), (P,), "0/0", "0/0"),
    (OWN_CRATE, "A1", far(6), (P,), None, "0/0"),
    (OWN_CRATE, "A1", far(24), (P,), None, "0/0"),
    (FENCE, "A1", far(3), (), None, "100/59"),
    (FENCE, "A1", far(6), (), None, "100/54"),
    (FENCE, "A1", far(12), (), None, "100/52"),
    (FENCE, "A1", far(3), (K,), None, "100/32"),
    (FENCE, "A1", far(6), (K,), None, "100/23"),
    (FENCE, "A1", far(12), (K,), None, "100/20"),
    *((FENCE, "A1", far(distance), (P,), None, "0/0") for distance in (3, 6, 12)),
    (ROOF, "A1", far(3), (), None, "100/58"),
    (ROOF, "A1", far(6), (), None, "100/79"),
    (ROOF, "A1", far(12), (), None, "100/90"),
    (ROOF, "A1", far(3), (K,), None, "100/39"),
    (ROOF, "A1", far(6), (K,), None, "100/65"),
    (ROOF, "A1", far(12), (K,), None, "100/83"),
    (ROOF, "A1", far(3), (P,), None, "100/23"),
    (ROOF, "A1", far(6), (P,), None, "100/35"),
    (ROOF, "A1", far(12), (P,), None, "100/59"),
    (ROOF_PARAPET, "A1", far(3), (), "0/14", "100/15"),
    (ROOF_PARAPET, "A1", far(6), (), None, "100/25"),
    (ROOF_PARAPET, "A1", far(12), (), None, "100/38"),
    (ROOF_PARAPET, "A1", far(3), (K,), "0/0", "100/10"),
    *((ROOF_PARAPET, "A1", far(distance), (K,), None, "100/10") for distance in (6, 12)),
    *((ROOF_PARAPET, "A1", far(distance), (P,), None, "0/0") for distance in (3, 6, 12)),
    (ROOF, "A1", "B1", (), "0/16", "100/26"),
    (replace(ROOF, elevation=(2000, *ROOF.elevation[1:])), "A1", "B1", (), "0/0", "100/10"),
    (AT_WINDOW, "D1", "J1", (), "100/54", "100/54"),
    (AT_WINDOW, "D1", "J1", (P,), None, "0/0"),
    (BACK, "A1", far(6), (K,), None, "0/0"),
    (DUEL, "A1", far(11), (), None, "34/34"),
    (DUEL, "A1", far(11), (S, K), None, "10/31"),
    (DUEL, "A1", far(11), (K, K), "0/0", "10/10"),
    (BETWEEN, "A1", "C1", (), None, "100/100"),
    (BETWEEN, "A1", "C1", (S, K), None, "100/12"),
    (BETWEEN, "A1", "C1", (K, K), None, "10/10"),
    (BETWEEN, "A1", "C1", (S, P), None, "100/10"),
    (TWO_DEEP, "A1", far(9), (), None, "100/35"),
    (TWO_DEEP, "A1", far(9), (K,), None, "0/0"),
    (IN_REEDS, "A1", "F1", (), None, "17/100"),
    (IN_REEDS, "A1", "F1", (S, K), None, "10/100"),
    (IN_REEDS, "A1", "F1", (S, P), None, "0/0"),
    (IN_REEDS, "E1", "F1", (), None, "100/100"),
    (IN_REEDS, "E1", "F1", (S, P), None, "100/100"),
    (trench(120), "A1", far(7), (), None, "100/41"),
    (trench(120), "A1", far(7), (K,), None, "10/10"),
    (trench(130), "A1", far(7), (K,), None, "0/0"),
    (trench(200), "A1", far(7), (K,), None, "0/0"),
    (trench(130), "A1", far(12), (K,), None, "0/0"),
]


@pytest.mark.parametrize(("field", "one", "other", "postures", "before", "after"), DRAWINGS)
def test_the_numbers_of_the_model(
    field: Battlefield, one: str, other: str, postures: tuple[str, ...], before: str | None, after: str
) -> None:
    assert seen(field, one, other, *postures) == after
    if before is not None:
        assert seen(field, one, other, *postures, keys=BEFORE) == before
    first, second = (*postures, S, S)[:2]
    for answer in both(field, standing_at(one, first), standing_at(other, second)):
        assert answer.covered == (1 - answer.visible if field is not IN_REEDS else 0)
        assert (answer.visible > 0) == answer.may_see


def test_a_giant_leans_over_what_is_below_its_own_eye() -> None:
    giant = standing_at("A1", size=2)
    for height, share in ((320, 1), (330, 0)):
        field = with_ground(drawn(*["......."] * 2), Ground("floor", "block", height, True, True), "C1", "C2")
        assert (answers(field, giant, standing_at("G1", P))[0].own == 1) == share


# what the model takes over

LEGACY = [
    (drawn("..", "#."), "A1", "B2", {}, 80),
    (drawn(".#", "#."), "A1", "B2", {}, 0),
    (drawn(".....", ".###."), "A1", "E1", {}, 100),
    (drawn("..", ".."), "A1", "B2", {"B1 W": WALL}, 80),
    (drawn("..", ".."), "A1", "B2", {"A2 N": WALL, "B1 W": WALL}, 0),
    (drawn("..", ".."), "A1", "B2", {"B1 W": WALL, "B2 W": WALL}, 0),
    (drawn("..", ".."), "A1", "B2", {"B1 W": WALL, "B2 N": WALL}, 80),
    (drawn("..", "#."), "A1", "B2", {"B1 W": WALL}, 0),
    (drawn("..."), "A1", "C1", {"B1 W": replace(WALL, state="closed")}, 0),
    (drawn("..."), "A1", "C1", {"B1 W": replace(WALL, state="open")}, 100),
    (drawn("...."), "A1", "D1", {"D1 W": WINDOW}, 58),
    (drawn("...c."), "A1", "E1", {}, 37),
]


@pytest.mark.parametrize(("field", "one", "other", "barriers", "share"), LEGACY)
def test_corners_slits_and_thin_walls_are_as_before(field, one, other, barriers, share) -> None:
    field = replace(field, barriers={**field.barriers, **drawn("..", barriers=barriers).barriers})
    found = answers(field, standing_at(one), standing_at(other), BEFORE)[0]
    assert round(100 * found.visible) == share
    assert found.covered == 1 - found.visible


def test_a_line_along_a_grid_line_is_stopped_only_on_both_sides() -> None:
    for rows, share in ((("...#...", "......."), 60), (("...#...", "...#..."), 0)):
        found = answers(drawn(*rows), standing_at("A1", size=2), standing_at("F1", size=2), BEFORE)[0]
        assert round(100 * found.visible) == share


# scenes


def both(field: Battlefield, one: Viewer, other: Viewer, *others: Body) -> tuple[Answer, Answer]:
    return answers(field, one, other, DEFAULT, *others)


def test_past_one_corner_he_leans_away() -> None:
    assert seen(BLOCK, "A2", "B1") == "100/100"


def test_round_a_corner_nobody_sees_anybody() -> None:
    assert seen(drawn("......", "......", "##....", "##....", "##...."), "A2", "C5") == "0/0"


@pytest.mark.parametrize("other", ["C1", "D1", "E1", "F1", "H1"])
def test_one_fires_over_ones_own_crate(other: str) -> None:
    there, back = both(drawn(".c........"), standing_at("A1"), standing_at(other))
    assert there.covered == 0
    assert 0 < back.covered < 1 or other == "C1"  # on C1 it is his own, too


def test_who_kneels_behind_his_crate_rises_and_shows_his_head() -> None:
    there, back = both(drawn(".c........"), standing_at("A1", K), standing_at("H1"))
    assert (there.visible, there.covered) == (1, 0)
    assert (back.visible, back.covered) == (Fraction(1, 10), Fraction(9, 10))


def test_behind_the_parapet_of_a_roof() -> None:
    roof = drawn("." * 10, elevation={"A1": 600, "B1": 600}, barriers={"B1 E": PARAPET})
    there, back = both(roof, standing_at("B1", K), standing_at("J1"))
    assert there.may_shoot and back.may_shoot
    assert there.covered < back.covered
    for name in ("D1", "E1", "F1"):
        assert both(roof, standing_at("B1"), standing_at(name))[0].visible == 1
    flat = drawn("." * 10, barriers={"B1 E": PARAPET})
    assert seen(flat, "B1", "F1") == "100/56"


def test_who_stands_in_soft_things_is_hidden_and_in_hard_ones_is_not() -> None:
    field = with_ground(with_ground(drawn(*["....."] * 4), REEDS, "E1", "E2"), SANDBAGS, "E3", "E4")
    assert seen(field, "A1", "E1") == "17/100"
    assert seen(field, "D1", "E1") == "100/100"
    assert seen(field, "A3", "E3") == "100/100"


def test_prone_behind_sandbags() -> None:
    assert seen(with_ground(drawn("........"), SANDBAGS, "E1"), "A1", "F1", S, P) == "0/0"


def test_a_body_of_size_2_and_more_hides() -> None:
    field = drawn(*["........."] * 4)
    for size in (1, 2, 3):
        found = both(field, standing_at("A2"), standing_at("I2"), person("D1", size=size))
        assert all((answer.visible < 1) == (size > 1) for answer in found)


def test_a_big_body_behind_crates_is_about_as_before() -> None:
    field = drawn("..........", "..c.......", "..c.......", "..........")
    assert abs(both(field, standing_at("A2"), standing_at("D2", size=2))[0].visible - Fraction(71, 100)) < Fraction(
        2, 100
    )


def test_a_curtain_hides_and_stops_no_shot() -> None:
    field = drawn("..........", barriers={"D1 W": BARS, "E1 W": CURTAIN})
    for answer in both(field, standing_at("A1"), standing_at("J1")):
        assert (answer.may_see, answer.visible, answer.covered) == (False, 0, 0)


def test_one_way_glass_is_the_one_exception_to_mutual() -> None:
    field = drawn("....", barriers={"C1 W": replace(MIRROR, stops_shots=False)})
    there, back = both(field, standing_at("A1"), standing_at("D1"))
    assert (there.visible, back.visible) == (1, 0)
    assert (there.may_see, back.may_see) == (True, False)
    assert there.covered == back.covered == 0


def test_smoke_ends_sight_both_ways() -> None:
    field = drawn("......", smoke={"C1": 2, "D1": 1})
    for most, share in ((3, 1), (2, 0), (None, 1)):
        found = both(replace(field, smoke_opacity=SmokeOpacity(most)), standing_at("A1"), standing_at("F1"))
        assert [answer.visible for answer in found] == [share, share]
        assert [answer.covered for answer in found] == [0, 0]


# keys


def test_each_key_can_be_switched_off() -> None:
    assert seen(CORNER, "C4", "J1", keys=DEFAULT._replace(lean=False)) == "10/40"
    assert seen(OWN_CRATE, "A1", far(3), K, keys=DEFAULT._replace(own_cover="look")) == "0/0"
    assert seen(OWN_CRATE, "A1", far(3), keys=DEFAULT._replace(own_cover="look")) == "100/39"
    assert seen(OWN_CRATE, "A1", far(3), keys=DEFAULT._replace(own_cover="off")) == "64/39"
    assert seen(IN_REEDS, "A1", "F1", keys=DEFAULT._replace(soft=False)) == "100/100"
    assert seen(OWN_CRATE, "A1", far(3), K, keys=DEFAULT._replace(head=5)) == "100/5"
    assert seen(FENCE, "A1", far(12), K, keys=DEFAULT._replace(least=25)) == "100/10"
    assert seen(OWN_CRATE, "A1", far(3), K, keys=DEFAULT._replace(mutual=False)) == "100/0"
    ends = standing_at("A1"), standing_at("E1")
    found = [answers(drawn("....."), *ends, DEFAULT._replace(bodies=size), person("C1")) for size in (1, 2, None)]
    assert [there.visible for there, _ in found] == [0, 1, 1]


def test_leaning_and_rising_may_be_facts_of_a_unit() -> None:
    there, back = both(CORNER, standing_at("C4")._replace(lean=False), standing_at("J1"))
    assert (there.visible, back.visible) == (Fraction(1, 10), Fraction(2, 5))
    there, back = both(OWN_CRATE, standing_at("A1", K)._replace(own_cover="look"), standing_at("D1"))
    assert (there.visible, back.visible) == (0, 0)


# laws

POSTURES = (S, K, P)


def random_viewer(random: Random, field: Battlefield, largest: int = 2) -> Viewer:
    size = random.choice([1, 1, 1, largest])
    at = Square(random.randrange(field.columns - size + 1), random.randrange(field.rows - size + 1))
    return standing_at(at.name, random.choice(POSTURES), size, random.choice([0, 0, 0, 0, 120, 250]))


def richer(random: Random, field: Battlefield) -> Battlefield | None:
    """The same field with one thing or edge more; None where there is something already."""
    if random.random() < 0.5:
        index = random.randrange(len(field.ground))
        kinds = [place for place, kind in enumerate(field.legend) if kind.height]
        if field.legend[field.ground[index]].height:
            return None
        ground = list(field.ground)
        ground[index] = random.choice(kinds)
        return replace(field, ground=tuple(ground))
    edge = Edge(random.randrange(field.columns), random.randrange(field.rows), random.choice("NW"))
    if edge in field.barriers:
        return None
    return replace(field, barriers={**field.barriers, edge: random.choice([WALL, PARAPET, WINDOW, CURTAIN])})


@examples(4000)
@given(seeds)
def test_nobody_may_attack_one_way_only(random: Random) -> None:
    field = random_field(random)
    one, other = random_viewer(random, field), random_viewer(random, field)
    there, back = both(field, one, other, *random_crowd(random, field))
    assert there.may_see == back.may_see
    assert there.may_shoot == back.may_shoot
    for answer in (there, back):
        assert (answer.visible > 0) == answer.may_see and (answer.visible == 0 or answer.visible >= Fraction(1, 10))
        assert (answer.covered < 1) == answer.may_shoot and (answer.covered == 1 or answer.covered <= Fraction(9, 10))


@pytest.mark.long
@examples(4000)
@given(seeds)
def test_one_thing_more_makes_nobody_easier_to_see(random: Random) -> None:
    field = random_field(random)
    if random.random() < 0.3:
        field = with_mirrors(random, field)
    fuller = richer(random, field)
    one, other = random_viewer(random, field), random_viewer(random, field)
    crowd = random_crowd(random, field)
    if fuller is None:
        return
    for before, after in zip(both(field, one, other, *crowd), both(fuller, one, other, *crowd), strict=True):
        assert after.visible <= before.visible
        assert after.covered >= before.covered


@pytest.mark.long
@examples(400)
@given(seeds, st.sampled_from([turned, mirrored]))
def test_turning_the_map_turns_the_answers(random: Random, change) -> None:
    field = with_mirrors(random, random_field(random))
    one, other = random_viewer(random, field), random_viewer(random, field)
    changed, *bodies = change(field, one.body, other.body)
    moved = [viewer._replace(body=body) for viewer, body in zip((one, other), bodies, strict=True)]
    for before, after in zip(both(field, one, other), both(changed, *moved), strict=True):
        assert before._replace(eye=0, shots_eye=0) == after._replace(eye=0, shots_eye=0)


# what it is made of


def test_the_judge_shares_no_code_with_the_engine_but_its_values() -> None:
    tree = ast.parse(Path(sight_judge.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in modules if name and name.startswith(("engine", "tests"))} == {
        f"engine.geometry.{name}" for name in VALUE_MODULES
    }
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
    loaded = (
        "import sys, tests.engine.geometry.sight_judge; print(*(m for m in sys.modules if 'engine.geometry.' in m))"
    )
    done = subprocess.run([sys.executable, "-c", loaded], check=True, capture_output=True, text=True)
    names = {name.removeprefix("engine.geometry.") for name in done.stdout.split() if name.startswith("engine")}
    assert names == {*VALUE_MODULES, "zones"}
