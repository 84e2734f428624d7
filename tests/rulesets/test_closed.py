"""Words that a fact can never be, changed rulings and misspelt facts: said where they stand, with what was meant."""

from __future__ import annotations

import pytest

from engine.battle.commands import SetRuling
from engine.errors import Unreadable, near_fact
from rulesets.closed import slip
from tests.rules.table import entry, fight
from tests.rulesets.texts import small

EASY = """
[[modifier]]
id = "easy"
step = "conditions"
label = "Easy"
value = 5
when = "WHEN"
because = "it is easy"
source = "ours"
"""


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("target.posture == 'lying'", "target.posture is never 'lying'; it is one of 'standing', 'kneeling', 'prone'"),
        ("1 if attacker.posture in ('prone', 'kneling') else 2", "never 'kneling'"),
        ("'brigt' != light", "one of 'dark', 'dim', 'bright'"),
        ("weapon.kind == 'range'", "never 'range'"),
        ("action.kind == 'atack'", "never 'atack'"),
        ("cover_material == 'hard'", "cover_material is never 'hard'"),
    ],
)
def test_a_comparison_that_never_holds_is_a_slip(formula: str, said: str) -> None:
    found = slip(formula)
    assert found is not None
    assert said in found[0]
    assert formula[found[1]] == "'"


@pytest.mark.parametrize(
    "formula",
    ["target.posture == 'prone'", "weapon.kind == ''", "target.name == 'lying'", "light in ('dark', 'dim')", "posture"],
)
def test_what_can_hold_is_none(formula: str) -> None:
    assert slip(formula) is None


def test_a_slip_is_refused_with_its_place() -> None:
    with pytest.raises(Unreadable, match=r"ruleset\.toml:\d+:\d+: target\.posture is never 'lying'"):
        small(EASY.replace("WHEN", "target.posture == 'lying'"))


def test_only_near_facts_are_suggested() -> None:
    known = ["attacker.aiming", "attacker.posture", "target.posture", "distance"]
    assert near_fact("attacker.posure", known) == "attacker.posture"
    assert near_fact("attacker.size", known) is None
    assert near_fact("atacker.aiming", known) == "attacker.aiming"
    assert near_fact("distanse", known) == "distance"


def test_a_changed_ruling_is_said_beside_the_words_that_the_ruleset_has() -> None:
    """The line's own reason may still name the old figure."""
    table = fight("eva", "a..b", a="rifleman", b="rifleman", toml='[light]\nambient = "dark"')
    plain = entry(table.shot().ledger, "dark")
    table.do(SetRuling("darkness_shots", -40))
    found = entry(table.shot().ledger, "dark")
    assert plain is not None and found is not None
    assert (plain.value, found.value) == (-30, -40)
    assert found.because == f"{plain.because}; changed from -30"
