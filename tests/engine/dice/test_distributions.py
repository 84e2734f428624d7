"""Exact odds: they agree with counting every way the dice can fall."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.dice.dice_expressions import parse_dice
from engine.dice.distributions import distribution
from engine.dice.sources import SeededSource, TableSource, roll
from engine.errors import Illegal
from tests.examples import examples


def counted(text: str, sides: int, most_dice: int) -> dict[int, Fraction]:
    """Chances by rolling every sequence of `most_dice` faces, the most that one roll can need."""
    dice = parse_dice(text)
    ways: Counter[int] = Counter()
    for faces in product(range(1, sides + 1), repeat=most_dice):
        ways[roll(dice, _Listed(faces), "count").total] += 1
    return {total: Fraction(number, sides**most_dice) for total, number in ways.items()}


class _Listed(TableSource):
    """The faces of a list, as if seeded."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        super().__init__((), _Tape(faces))


class _Tape(SeededSource):
    def __init__(self, faces: tuple[int, ...]) -> None:
        super().__init__("", 0)
        self.faces = faces

    def draw(self, sides: int) -> int:
        self.position += 1
        return self.faces[self.position - 1]


@st.composite
def plain_expressions(draw: st.DrawFn) -> tuple[str, int, int]:
    """A small expression over equal dice without further throws: text, sides, dice."""
    sides = draw(st.integers(1, 4))
    left = draw(st.integers(0, 7))

    def part() -> str:
        nonlocal left
        count = draw(st.integers(0, min(left, 3)))
        if not count:
            return str(draw(st.integers(0, 9)))
        left -= count
        keep = draw(
            st.sampled_from(["", f"kh{draw(st.integers(1, count))}", f"dl{draw(st.integers(0, count - 1))}", "kl"])
        )
        return f"{count}d{sides}{keep}"

    text = part()
    for _ in range(draw(st.integers(0, 2))):
        form = draw(
            st.sampled_from(["{0}+{1}", "{0}-{1}", "({0})*{1}", "({0})//3", "min({0}, {1})", "max({1},{0})", "-({0})"])
        )
        text = form.format(text, part())
    return text, sides, parse_dice(text).count


@given(plain_expressions())
@examples(60)
def test_odds_agree_with_counting(expression):
    text, sides, count = expression
    if sides**count > 1500:
        sides = 2
        text = text.replace("d3", "d2").replace("d4", "d2")
    assert dict(distribution(parse_dice(text))) == counted(text, sides, count)


@pytest.mark.parametrize(
    ("text", "sides", "most_dice"),
    [
        ("d3!2", 3, 3),
        ("2d3!1", 3, 4),
        ("2d3!2kh1", 3, 6),
        ("3d3!1dl1", 3, 6),
        ("d4ro1", 4, 2),
        ("2d4ro<3", 4, 4),
        ("2d3ro3!1", 3, 8),
        ("d4ro1!1+d4", 4, 5),
        ("3d4ro>=3kl2", 4, 6),
    ],
)
def test_odds_with_further_throws_agree_with_counting(text, sides, most_dice):
    assert dict(distribution(parse_dice(text))) == counted(text, sides, most_dice)


@pytest.mark.parametrize(
    ("text", "at_least", "chance"),
    [
        ("2d6+2", 10, Fraction(5, 12)),
        ("d8!", 9, Fraction(1, 8)),
        ("4d6kh3", 18, Fraction(21, 1296)),
        ("2d20kh1", 20, Fraction(39, 400)),
        ("d6r1", 6, Fraction(1, 5)),
        ("d6r<3!1", 7, Fraction(1, 4)),
        ("d%", 100, Fraction(1, 100)),
        ("5", 5, Fraction(1)),
    ],
)
def test_well_known_chances(text, at_least, chance):
    chances = distribution(parse_dice(text))
    assert sum(part for total, part in chances.items() if total >= at_least) == chance


@pytest.mark.parametrize(
    "text", ["d8!", "3d6!kh2", "100d6", "2d10r<4!3 - d4", "(2d6)*(d4-2)", "max(d4!, 2d6dl1)", "0*d6"]
)
def test_chances_sum_to_one_and_span_the_bounds(text):
    dice = parse_dice(text)
    chances = distribution(dice)
    assert sum(chances.values()) == 1
    assert list(chances) == sorted(chances)
    assert (min(chances), max(chances)) == (dice.lowest, dice.highest)
    assert all(chance > 0 for chance in chances.values())


def test_four_dice_keep_three_has_the_known_mean():
    assert sum(total * chance for total, chance in distribution(parse_dice("4d6kh3")).items()) == Fraction(15869, 1296)


@pytest.mark.parametrize("text", ["1000d1000", "1000d6", "200d100*200d100", "400d6!", "500d20kh400", "1000d20kl500"])
def test_too_many_dice_are_refused_at_once(text):
    started = time.process_time()
    with pytest.raises(Illegal, match="No exact odds"):
        distribution(parse_dice(text))
    assert time.process_time() - started < 5


@pytest.mark.slow
def test_a_thousand_dice_are_counted_where_they_are_small():
    assert distribution(parse_dice("1000d2kh1"))[1] == Fraction(1, 2**1000)
    assert len(distribution(parse_dice("400d6"))) == 2001


def test_the_long_run_mean_of_rolls_is_the_exact_one():
    dice = parse_dice("4d6kh3")
    source = SeededSource("mean", 0)
    mean = sum(roll(dice, source, "x").total for _ in range(4000)) / 4000
    assert abs(mean - 15869 / 1296) < 0.25


def test_rolling_needs_no_icepool():
    script = (
        "import sys, engine.dice.sources\nfrom engine.dice.distributions import weights\n"
        "from engine.dice.dice_expressions import parse_dice\n"
        "for text in ('1d100', '2d6+3', '4d10', '7'): weights(parse_dice(text))\n"
        "sys.exit('icepool' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
