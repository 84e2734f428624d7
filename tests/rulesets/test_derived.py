"""`[derived]`: facts of every unit that follow from its others; `[distance]` in squares."""

from __future__ import annotations

import pytest

from engine.errors import Unreadable
from engine.rules.model import Ruleset
from rulesets import parse_ruleset
from tests.rulesets.texts import texts

WEAK = """
[derived.weak]
label = "weak"
value = "unit.hp < 5"
source = "ours"
[derived.burden]
label = "burden"
value = "-10 if unit.weak else 0"
show = false
source = "ours"
"""
LINE = """
[[modifier]]
id = "burden"
step = "{step}"
label = "Burden"
value = "target.burden"
when = "target.weak"
because = "weak: {{target.burden}}"
source = "ours"
"""


def parsed(more: str, **changes: str) -> Ruleset:
    whole = texts()
    text = whole["ruleset.toml"] + more
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return parse_ruleset(whole | {"ruleset.toml": text}, "small")


def line() -> str:
    return LINE.format(step=parsed("").attack.steps[0])


def test_a_derived_fact_asks_for_what_its_formula_asks_for_of_whomever_it_is_asked() -> None:
    modifier = next(one for one in parsed(WEAK + line()).attack.modifiers if one.id == "burden")
    assert modifier.when.names == modifier.value.names == {"target.hp"}
    assert [modifier.value.evaluate({"target.hp": hp}) for hp in (4, 5)] == [-10, 0]
    assert modifier.because.render({"target.hp": 1}) == "weak: −10"


def test_a_derived_fact_can_be_kept_from_the_unit_panel() -> None:
    derived = parsed(WEAK).units.derived
    assert [(one.id, one.show) for one in derived.values()] == [("weak", True), ("burden", False)]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (WEAK.replace("derived.weak", "derived.hp"), "'hp' is already declared"),
        (WEAK.replace("derived.weak", "derived.posture"), "'posture' is already a built-in fact"),
        (WEAK.replace("unit.hp < 5", "unit.burden < 5"), "no fact is called 'unit.burden'"),
        (
            WEAK.replace("unit.hp < 5", "weapon.rounds < 5").split("[derived.burden]")[0] + line(),
            "no fact is called 'target.burden'",
        ),
    ],
)
def test_what_a_derived_fact_cannot_be(more: str, message: str) -> None:
    with pytest.raises(Unreadable, match=message):
        parsed(more)


def test_squares_have_no_side() -> None:
    with pytest.raises(Unreadable, match="square has no meaning where unit is 'squares'"):
        parsed("", **{"[distance]\n": "[distance]\nsquare = 5\n", 'unit = "feet"': 'unit = "squares"'})
