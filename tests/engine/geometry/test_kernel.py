"""The compiled kernel: its library beside its sources, its answers against the tracer's, what it hands on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.kernel import angles, library, questions
from engine.geometry.kernel.arrays import map_struct
from engine.geometry.los.field_of_view import between, moved, overlook
from engine.geometry.los.own_lines import SIGHT, free_lines
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square, edge_of, parse_square
from engine.geometry.terrain_edits import with_barriers
from engine.sight_model import SightModel
from engine.values import replace
from tests.engine.geometry.drawing import WALL, drawn, person, random_crowd
from tests.engine.geometry.test_field_of_view import random_map, random_person

KERNEL = Path(library.__file__).parent
COMPILER = shutil.which("cc")
needs_library = pytest.mark.skipif(bool(library.why_not()), reason="there is no compiler here: nothing to compare")


def a_case(seed: int) -> tuple[Battlefield, list[Body], list[Body]]:
    """A map with everything, four people on it, and bodies in the way."""
    random = Random(seed)
    field = random_map(random, random.randrange(4, 12), random.randrange(4, 12))
    people = [random_person(random, field) for _ in range(4)]
    return field, people, random_crowd(random, field) if random.random() < 0.5 else []


def answers(field: Battlefield, people: list[Body], crowd: list[Body]) -> list[np.ndarray]:
    """The overlay of the first, all pairs, and all pairs after the last has moved."""
    view = overlook(field, people[0], people[1], obstacles=crowd)
    pairs = between(field, people, people, crowd)
    some = between(field, people[:2], people[2:], crowd)
    again = moved(pairs, field, [*people[:-1], replace(people[-1], size=1, at=people[0].at)], 3, crowd)
    return [part for found in (view, pairs, some, again) for part in (found.visible, found.covered)]


def a_wide_case(seed: int) -> tuple[Battlefield, Body, Body, list[Body]]:
    """A map on which lines are long: mostly dense, or with a few of everything."""
    random = Random(seed)
    columns, rows = (random.randrange(6, random.choice([20, 40, 100])) for _ in "xy")
    field = random_map(random, columns, rows)
    if (share := random.choice([0.02, 0.1, 1])) < 1:
        field = replace(
            field,
            ground=tuple(kind if random.random() < share else 0 for kind in field.ground),
            elevation=tuple(height if random.random() < 0.3 else 0 for height in field.elevation),
            barriers={edge: barrier for edge, barrier in field.barriers.items() if random.random() < share},
        )
    crowd = random_crowd(random, field) if random.random() < 0.5 else []
    return field, random_person(random, field), random_person(random, field), crowd


def always_sweep(patched: pytest.MonkeyPatch) -> None:
    """However small the map or the window is."""
    patched.setattr(angles, "PAYS", 0)
    patched.setattr(angles, "FEW", 10**9)


def swept_and_walked(seed: int, patched: pytest.MonkeyPatch) -> tuple[questions.Seen, questions.Seen]:
    """The overlay of a wide case, or of a window of it, swept however small it is, and walked line by line."""
    field, observer, like, crowd = a_wide_case(seed)
    random, last = Random(seed), Square(field.columns - like.size, field.rows - like.size)
    first = Square(0, 0)
    if random.random() < 0.2:
        first = Square(random.randrange(last.column + 1), random.randrange(last.row + 1))
    always_sweep(patched)
    assert angles.orders(observer, like, (first, last)) is not None
    swept = questions.overlooked(field, observer, like, (first, last), crowd)
    with patched.context() as walking:
        walking.setattr(questions, "orders", lambda *_: None)
        walked = questions.overlooked(field, observer, like, (first, last), crowd)
    return swept, walked


def unlike(swept: questions.Seen, walked: questions.Seen) -> int:
    """How many squares have other answers."""
    differs = (swept.visible > 0) != (walked.visible > 0)
    for one, other in zip(swept, walked, strict=True):
        differs |= np.abs(one - other) > 1e-9
    return int(differs.sum())


def test_there_is_a_library_where_there_is_a_compiler() -> None:
    if COMPILER is None:
        assert library.why_not() == library.HOW_TO_BUILD
    else:
        assert library.why_not() == "" and library.library() is not None


def test_one_that_was_built_from_other_sources_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in KERNEL.iterdir():
        if path.name in (*library.SOURCES, library.NAME):
            shutil.copy(path, tmp_path)
    monkeypatch.setattr(library, "FOLDER", tmp_path)
    why = library.why_not.__wrapped__
    (tmp_path / "line.c").write_text("/* edited */")
    monkeypatch.setattr(library, "source_hash", lambda: "another")
    assert why() in (library.OTHER_SOURCE, library.HOW_TO_BUILD)
    (tmp_path / library.NAME).unlink(missing_ok=True)
    assert why() == library.HOW_TO_BUILD
    monkeypatch.setattr(library, "NAME", "broken.so")
    (tmp_path / "broken.so").write_text("no library")
    assert why().startswith("it cannot be loaded: ")


@needs_library
@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_it_answers_as_the_tracer_does(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    field, people, crowd = a_case(seed)
    compiled = answers(field, people, crowd)
    monkeypatch.setattr(questions, "library", lambda: None)
    for one, other in zip(compiled, answers(field, people, crowd), strict=True):
        assert np.allclose(one, other, rtol=0, atol=1e-9)


def test_what_has_too_many_parts_for_a_buffer_is_the_tracers() -> None:
    """Two hundred signs that float, each a little higher than the one before."""
    field = drawn("." * 300)
    for column in range(5, 290):
        sign = replace(WALL, kind="sign", bottom=40 + column, top=41 + column)
        field = with_barriers(field, [edge_of(Square(column, 0), Direction.W)], sign)
    one, other = person("A1"), person("KN1")
    assert other.at.column == 299
    found, line = between(field, [one], [other]), trace(field, one, other)
    assert found.visible[0, 0] == pytest.approx(float(line.visible), abs=1e-9)
    assert 0 < line.visible < 1


def test_a_share_at_the_least_is_the_tracers() -> None:
    """A tenth is seen, and a tenth is the least: rounding is not to decide."""
    low = replace(WALL, top=540)
    field = with_barriers(drawn("....", "...."), [edge_of(parse_square("C1"), Direction.W)], low)
    field = replace(field, sight=SightModel(least=10, own_cover="off"))
    for column in range(4):
        one, other = person("A1"), replace(person("D1"), at=Square(column, 0))
        line = trace(field, one, other)
        assert overlook(field, one, one).visible[0, column] == pytest.approx(float(line.visible), abs=1e-9)


def test_heights_that_cannot_be_compared_exactly_are_not_its_own() -> None:
    field = drawn(*["." * 100] * 100)
    assert map_struct(field) is not None
    assert map_struct(replace(field, elevation=(1000 * SKY, *field.elevation[1:]))) is None


@needs_library
@pytest.mark.parametrize("seed", range(20))
def test_a_sweep_answers_as_the_walker(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert unlike(*swept_and_walked(seed, monkeypatch)) == 0


@needs_library
@pytest.mark.slow
@pytest.mark.parametrize("start", range(1_000, 3_000, 250))
def test_sweeps_answer_as_the_walker_on_two_thousand_maps(start: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [seed for seed in range(start, start + 250) if unlike(*swept_and_walked(seed, monkeypatch))] == []


@needs_library
@pytest.mark.parametrize("seed", range(6))
def test_a_sweep_answers_as_the_tracer(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    field, observer, like, crowd = a_wide_case(seed)
    always_sweep(monkeypatch)
    last = Square(field.columns - like.size, field.rows - like.size)
    swept, random = overlook(field, observer, like, obstacles=crowd), Random(seed)
    for _ in range(40):
        at = Square(random.randrange(last.column + 1), random.randrange(last.row + 1))
        line = trace(field, observer, replace(like, at=at), crowd)
        assert swept.visible[at.row, at.column] == pytest.approx(float(line.visible), abs=1e-9)
        assert swept.covered[at.row, at.column] == pytest.approx(float(line.covered), abs=1e-9)


@needs_library
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_many_pairs_on_a_small_map_are_as_traced(seed: int) -> None:
    """So many that the map is surveyed for proofs that nothing passes between two."""
    random = Random(seed)
    for _ in range(20):
        field, _, _, crowd = a_wide_case(random.randrange(10**6))
        people = [random_person(random, field) for _ in range(30)]
        found = between(field, people, people, crowd)
        for one, other in (random.sample(range(30), 2) for _ in range(40)):
            line = trace(field, people[one], people[other], crowd)
            assert found.visible[one, other] == pytest.approx(float(line.visible), abs=1e-9)
            assert found.covered[one, other] == pytest.approx(float(line.covered), abs=1e-9)


@needs_library
@pytest.mark.parametrize("seed", range(8))
def test_the_light_of_a_lamp_is_as_traced(seed: int) -> None:
    field, lamp, like, _ = a_wide_case(seed)
    lamp, like, random = replace(lamp, size=1), replace(like, size=1), Random(seed)
    last = Square(field.columns - 1, field.rows - 1)
    lit = questions.lit_by(field, lamp, like, (Square(0, 0), last))
    for _ in range(60):
        at = Square(random.randrange(field.columns), random.randrange(field.rows))
        comes = any(True for _ in free_lines(field, lamp, replace(like, at=at), (), (), SIGHT))
        assert lit[at.row, at.column] in (comes, questions.UNANSWERED)


def test_orders_are_by_angle_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    one = person("A1")
    small = angles.orders(one, one, (Square(0, 0), Square(63, 63)))
    assert small is not None and len(small[1]) == 5
    events = small[1][0]
    kind, column, row = events >> 20, events >> 10 & 1023, events & 1023
    assert (kind == angles.PASSED).sum() > (kind == angles.MET).sum() > 0
    assert (kind == angles.PASSED).sum() >= 65 * 64 / 2 and (kind == 1).sum() >= 65 * 64 / 2
    assert column.min() == row.min() == 1
    assert angles.orders(one, one, (Square(0, 0), Square(20, 20))) is None
    assert angles.orders(one, one, (Square(0, 0), Square(600, 600))) is None
    assert angles.orders(one, one, (Square(60, 60), Square(63, 63))) is None
    monkeypatch.setattr(angles, "MOST_BYTES", 1)
    angles.orders(one, one, (Square(0, 0), Square(63, 63)))
    angles.orders(one, person("A1", size=2), (Square(0, 0), Square(62, 62)))
    assert len(angles._ORDERS) == 1


def ask_all(seed: int) -> None:
    """Every question on a random map and of random bodies, of heights that no map would have, too."""
    field, people, crowd = a_case(seed)
    random, heights = Random(-seed), (0, 1, -300, SKY // 2, SKY - 1, SKY)
    if random.random() < 0.3:
        field = replace(field, elevation=tuple(random.choice((*heights, one)) for one in field.elevation))
    people = [replace(one, altitude=random.choice((0, 0, *heights[1:]))) for one in people]
    width, height = (random.randrange(1, side + 1) for side in (field.columns, field.rows))
    size = max(1, min(people[1].size, width, height))
    within = Square(0, 0), Square(width - size, height - size)
    like = replace(people[1], size=size)
    questions.overlooked(field, people[0], like, within, crowd)
    questions.lit_by(field, people[0], like, within)
    pairs = np.triu_indices(len(people), 1)
    questions.of_pairs(field, people, people, pairs, crowd)
    questions.both_ways(field, people, pairs, crowd)


def sanitized(folder: Path) -> tuple[Path, dict[str, str]]:
    """The library built with the sanitizers of addresses and undefined behaviour, and what a process needs for it."""
    built, flags = folder / library.NAME, ("-g", "-O1", "-std=c11", "-fPIC", "-shared", "-ffp-contract=off")
    checks = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    sources = [str(KERNEL / name) for name in library.SOURCES if name.endswith(".c")]
    made_of = f'-DSOURCE="{library.source_hash()}"'
    subprocess.run([COMPILER, *flags, *checks, made_of, "-o", str(built), *sources, "-lm"], check=True)
    found = subprocess.run([COMPILER, "-print-file-name=libasan.so"], check=True, capture_output=True, text=True)
    return built, {"LD_PRELOAD": found.stdout.strip(), "ASAN_OPTIONS": "detect_leaks=0", "PYTHONPATH": "."}


def assert_sound(folder: Path, seeds: range) -> None:
    """In a process of its own, as the sanitizers end it where they find something."""
    built, surroundings = sanitized(folder)
    script = (
        "import ctypes\n"
        "from engine.geometry.kernel import questions\n"
        f"questions.library = lambda: ctypes.CDLL({str(built)!r})\n"
        "from tests.engine.geometry.test_kernel import ask_all, pytest, swept_and_walked\n"
        f"for seed in {seeds!r}:\n"
        "    ask_all(seed)\n"
        "    if seed % 100 == 0: swept_and_walked(seed, pytest.MonkeyPatch())\n"
        "print('sound')"
    )
    command, root = [sys.executable, "-c", script], Path(__file__).parents[3]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, cwd=root, env=surroundings)
    assert (ended.returncode, ended.stdout.strip()) == (0, "sound"), ended.stderr[-3000:]


@pytest.mark.skipif(COMPILER is None, reason="there is no compiler")
@pytest.mark.long
def test_it_does_nothing_undefined_and_stays_in_its_arrays(tmp_path: Path) -> None:
    assert_sound(tmp_path, range(10))


@pytest.mark.skipif(COMPILER is None, reason="there is no compiler")
@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 100_000, 10_000))
def test_nor_does_it_on_a_hundred_thousand_maps(tmp_path: Path, start: int) -> None:
    assert_sound(tmp_path, range(start, start + 10_000))


def test_bodies_too_high_to_be_compared_exactly_are_the_tracers() -> None:
    field, one = drawn("...."), person("A1", altitude=3 * SKY)
    assert np.isnan(questions.overlooked(field, one, one, (Square(0, 0), Square(3, 0)), ()).visible).all()
    assert np.isnan(questions.of_pairs(field, [one], [person("C1")], (np.array([0]), np.array([0])), ()).visible).all()


@needs_library
@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, 10_000, 1_000))
def test_it_answers_as_the_tracer_on_ten_thousand_maps(start: int) -> None:
    """Ten pairs of each, both ways."""
    unlike = []
    for seed in range(start, start + 1_000):
        field, people, crowd = a_case(seed)
        found = between(field, people, people, crowd)
        for one in range(4):
            for other in range(one):
                lines = [trace(field, people[a], people[b], crowd) for a, b in ((one, other), (other, one))]
                for line, place in zip(lines, ((one, other), (other, one)), strict=True):
                    if (
                        abs(found.visible[place] - float(line.visible)) > 1e-9
                        or abs(found.covered[place] - float(line.covered)) > 1e-9
                        or (found.visible[place] > 0) != (line.visible > 0)
                    ):
                        unlike.append((seed, place))
    assert unlike == []
