"""A share of a body reads as it counts: what is shown is on the same side of every line that a ruleset draws."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.battle.commands.ruling_commands import SetRuling
from engine.errors import Unreadable
from engine.text import share_percent
from rulesets.loader import load_ruleset
from rulesets.ruleset_folders import shipped_rulesets
from tests.examples import examples
from tests.rules.table import fight
from tests.rulesets.texts import small

FORMULA = re.compile(r"^.*\b(?:covered|visible)\b.*$", re.MULTILINE)
NUMBER = re.compile(r"\b(?:0\.[0-9]+|[01])\b")
RULING = re.compile(r"100 \* covered [<>=]+ ruling\.(\w+)")


def lines_drawn(ruleset: str) -> set[Fraction]:
    """Every number in a formula that asks for a share, and the rulings that a share is compared with."""
    text = (shipped_rulesets()[ruleset] / "ruleset.toml").read_text("utf-8")
    formulas = "\n".join(FORMULA.findall(text))
    rulings = load_ruleset(shipped_rulesets()[ruleset]).rulings
    found = {Fraction(number) for number in NUMBER.findall(formulas)}
    return found | {Fraction(int(rulings[name].value), 100) for name in RULING.findall(formulas)}


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
@examples(300)
@given(share=st.fractions(0, 1), near=st.fractions(-1, 1))
def test_a_share_is_shown_on_its_own_side_of_every_line(ruleset: str, share: Fraction, near: Fraction) -> None:
    lines = LINES[ruleset]
    assert {0, 1} <= lines
    for one in (share, *(min(Fraction(1), max(Fraction(0), line + near / 100)) for line in lines)):
        shown = Fraction(int(share_percent(one).removesuffix(" %")), 100)
        assert all((one < line, one > line) == (shown < line, shown > line) for line in lines)
        assert abs(shown - one) < Fraction(1, 100)
        rest = Fraction(int(share_percent(1 - one).removesuffix(" %")), 100)
        assert shown + rest == 1, "what is seen and what is hidden add up"


LINES = {ruleset: lines_drawn(ruleset) for ruleset in shipped_rulesets()}


@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_a_ruling_about_a_share_goes_in_steps_of_5(ruleset: str) -> None:
    table = fight(ruleset, "a.b", a="rifleman", b="rifleman")
    text = (shipped_rulesets()[ruleset] / "ruleset.toml").read_text("utf-8")
    for name in set(RULING.findall(text)):
        assert table.rules.rulings[name].step == 5
        assert "goes in steps of 5: 30 or 35, not 33" in table.refusal(SetRuling(name, 33))


def test_a_step_that_does_not_fit_is_reported() -> None:
    ruling = '\n[ruling.light]\nlabel = "Light"\nvalue = 33\nstep = 5\nbecause = "so"\nsource = "ours"\n'
    with pytest.raises(Unreadable, match="value = 33 is not a multiple of step = 5"):
        small(ruling)
    with pytest.raises(Unreadable, match="step must be a whole number"):
        small(ruling.replace("step = 5", "step = 0"))
