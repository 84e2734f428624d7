"""How chances are written: one way, everywhere."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from engine.dice.dice_text import percent, percents
from tests.examples import examples

ROOT = Path(__file__).parents[3]
CHANCES = st.one_of(st.fractions(0, 1), st.fractions(0, Fraction(1, 9)), st.fractions(Fraction(98, 100), 1))
WRITTEN = re.compile(r"<0\.1 %|>99 %|[0-9](\.[1-9])? %|[1-9][0-9] %|100 %")


@given(CHANCES, CHANCES)
@examples(2000)
def test_a_chance_is_in_whole_per_cent_below_ten_with_one_decimal_and_never_0_or_100_by_rounding(
    one: Fraction, other: Fraction
) -> None:
    shown = percent(one)
    assert WRITTEN.fullmatch(shown)
    assert (shown == "0 %") == (one == 0) and (shown == "100 %") == (one == 1)
    if shown[0] not in "<>":
        unit = Fraction(1, 10) if one < Fraction(1, 10) else 1
        assert abs(Fraction(shown.removesuffix(" %")) - 100 * one) <= Fraction(unit, 2)
    assert one > other or _value(shown) <= _value(percent(other)), "the greater chance is never shown as the lesser"


@given(st.lists(st.integers(0, 400), min_size=1, max_size=8).filter(any))
@examples(500)
def test_the_chances_of_all_outcomes_add_up_to_100_as_nearly_as_whole_per_cents_can(weights: list[int]) -> None:
    chances = [Fraction(weight, sum(weights)) for weight in weights]
    shown = percents(chances)
    assert all(map(WRITTEN.fullmatch, shown))
    if not any(one[0] in "<>" for one in shown) and max(chances) >= Fraction(1, 10):
        small = [Fraction(1, 20)] * sum(chance < Fraction(1, 10) for chance in chances)
        assert abs(sum(map(_value, shown)) - 100) <= Fraction(1, 2) + sum(small)


def test_nothing_else_writes_a_chance() -> None:
    """A number before a per cent sign that is worked out on the spot would be rounded in a way of its own."""
    by_hand = re.compile(r"\{[^{}]*(\* ?100\b|100 ?\*|:\.\d+f)[^{}]*\}[^\w\"']?%|\{[^{}]*:\.?\d*%\}")
    allowed = {"engine/dice/dice_text.py", "engine/text.py", "tui/application/describe/progress_bar.py"}
    allowed |= {"tui/application/reports/formula_words.py"}  # a rule's own constant, exactly
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for folder in ("engine", "tui", "rulesets", "maps")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if str(path.relative_to(ROOT)) not in allowed
        for line in path.read_text(encoding="utf-8").splitlines()
        if by_hand.search(line)
    ]
    assert not found


def _value(shown: str) -> Fraction:
    """As a number; "<0.1 %" a little more than 0, ">99 %" a little less than 100."""
    number = shown.removesuffix(" %")
    return {"<": Fraction(1, 100), ">": Fraction(9999, 100)}.get(number[0]) or Fraction(number)
