"""Calculations of formulas in numbers: what a reader adds up again."""

from __future__ import annotations

import pytest

from engine.rules.calculation import calculation
from engine.rules.expressions import compile_expression

FACTS = {
    "damage": 3,
    "attribute": 1,
    "times": 3,
    "none": 0,
    "share": 1,
    "action.burst": True,
    "kind": "head",
    "force": 4,
    "armour": -2,
}


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("(damage + attribute) * times", "(3 + {attribute} 1) × {times} 3"),
        ("damage + none - none", ""),
        ("damage * share + attribute", "3 + {attribute} 1"),
        ("max(0, damage - 2 * attribute)", "3 − 2"),
        ("damage + (2 if action.burst else 0)", "3 + burst 2"),
        ("damage * (2 if kind == 'head' else 1)", "3 × head 2"),
        ("damage * (2 if kind == 'leg' else 1)", ""),
        ("ceil(damage / 2)", "3 ÷ 2, rounded up"),
        ("ceil(damage / 2) + attribute", "(3 ÷ 2, rounded up) + {attribute} 1"),
        ("floor(damage * 2 / 3)", "3 × 2 ÷ 3"),
        ("times * share / 100", "1 % of 3 {times}"),
        ("damage - armour", "3 − {armour} −2"),
        ("damage + armour", "3 + {armour} −2"),
        ("armour + damage", "{armour} −2 + 3"),
        ("times * armour", "{times} 3 × ({armour} −2)"),
        ("damage - (attribute + times)", "3 − ({attribute} 1 + {times} 3)"),
        ("force * 2", "(3 + {attribute} 1) × 2"),
        ("damage", ""),
        ("missing + 1", ""),
    ],
)
def test_a_calculation_leaves_out_what_does_not_count(formula: str, text: str) -> None:
    names = {*FACTS, "missing"}
    untold = {"force": compile_expression("damage + attribute", names)}
    assert calculation(compile_expression(formula, names), FACTS, {"damage"}, untold) == text


def test_a_fact_that_has_changed_since_is_a_plain_number() -> None:
    untold = {"force": compile_expression("damage + times", set(FACTS))}
    assert calculation(compile_expression("force * 2", set(FACTS)), FACTS, (), untold) == "4 × 2"


def test_a_factor_of_1_is_left_out_and_not_the_fact() -> None:
    assert calculation(compile_expression("damage + attribute * share", set(FACTS)), FACTS, {"damage"}, {}) == (
        "3 + {attribute} 1"
    )


def test_a_derived_fact_has_its_name_and_its_number() -> None:
    """A formula stands behind its name, as behind a unit's size: the facts of a battle do not have it."""
    known = {**FACTS, "target.build": compile_expression("times + times", set(FACTS))}
    formula = compile_expression("damage + 2 * target.build", known)
    assert calculation(formula, FACTS, {"damage"}, {}) == "3 + 2 × {target.build} 6"
    untold = {"force": formula}
    assert calculation(
        compile_expression("force * 2", set(FACTS) | {"force"}), {**FACTS, "force": 15}, {"damage"}, untold
    ) == ("(3 + 2 × {target.build} 6) × 2")
