"""Words that a fact can never be, changed rulings and misspelt facts: said where they stand, with what was meant."""

from __future__ import annotations

import pytest

from engine.battle.commands.ruling_commands import SetRuling
from engine.errors import Unreadable, near_fact
from rulesets.enumerations import slip
from tests.rules.table import entry, fight, ruleset, with_more
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
        (
            "target.posture == 'lying'",
            "target.posture is never 'lying'; expected one of 'standing', 'kneeling', 'prone'",
        ),
        ("1 if attacker.posture in ('prone', 'kneling') else 2", "never 'kneling'"),
        ("'brigt' != light", "one of 'dark', 'dim', 'bright'"),
        ("weapon.kind == 'range'", "never 'range'"),
        ("action.kind == 'atack'", "never 'atack'"),
        ("cover_material == 'hard'", "cover_material is never 'hard'"),
    ],
)
def test_a_comparison_that_never_holds_is_a_slip(formula: str, said: str) -> None:
    found = slip(formula, {})
    assert found is not None
    assert said in found[0]
    assert formula[found[1]] == "'"


@pytest.mark.parametrize(
    "formula",
    ["target.posture == 'prone'", "weapon.kind == ''", "target.name == 'lying'", "light in ('dark', 'dim')", "posture"],
)
def test_what_can_hold_is_none(formula: str) -> None:
    assert slip(formula, {}) is None


def test_a_slip_is_refused_with_its_place() -> None:
    with pytest.raises(Unreadable, match=r"ruleset\.toml:\d+:\d+: target\.posture is never 'lying'"):
        small(EASY.replace("WHEN", "target.posture == 'lying'"))


SLIPS = [
    ("eva", "modifier", "target.altitude_band == 'hihg'", "target.altitude_band is never 'hihg'"),
    ("eva", "modifier", "target.altitude_band in ('low', 'hig')", "did you mean 'high'?"),
    ("occult-ops", "modifier", "attacker.altitude_band == 'low'", "expected one of ''"),
    ("aog", "modifier", "ruling.locations == 'calculater'", "did you mean 'calculator'?"),
    ("aog", "modifier", "action.mode == 'atuo'", "did you mean 'auto'?"),
    ("aog", "modifier", "band == 'standart'", "did you mean 'standard'?"),
    ("aog", "modifier", "action.id == 'singel'", "did you mean 'single'?"),
    ("cwn", "modifier", "defence == 'scren'", "did you mean 'screen'?"),
    (
        "cwn",
        "effect",
        "grade == 'strcuk'",
        "grade is never 'strcuk'; expected one of 'suppressed', 'blown', 'natural-one'",
    ),
    ("eva", "modifier", "attacker.declared_on == 'burst2'", "did you mean 'burst-2'?"),
]


@pytest.mark.long
@pytest.mark.parametrize("name", ["eva", "occult-ops", "aog", "cwn"])
def test_words_of_a_ruleset_s_own_are_closed_too(name: str) -> None:
    """Altitude bands, grades, range bands, defences, actions, flags, and the choices of its rulings."""
    step, more, slips = ruleset(name).attack.steps[0], "", [slip for slip in SLIPS if slip[0] == name]
    for number, (_, table, formula, _) in enumerate(slips):
        more += f'[[{table}]]\nid = "slip-{number}"\nlabel = "Slips"\nwhen = "{formula}"\nsource = "ours"\n' + (
            f'step = "{step}"\nvalue = 1\nbecause = "it is"\n'
            if table == "modifier"
            else 'on = ["hit"]\nlet = 1\nas = "x"\n'
        )
    with pytest.raises(Unreadable) as caught:
        with_more(name, more)
    found = {problem.source_line.partition('"')[2][:-1]: problem for problem in caught.value.problems}
    assert found.keys() == {formula for _, _, formula, _ in slips} and len(caught.value.problems) == len(slips)
    for _, _, formula, said in slips:
        problem = found[formula]
        assert said in problem.message
        assert problem.source_line[problem.column - 1] == "'"
        assert problem.line > 100


def test_words_of_a_ruleset_s_own_that_can_be_are_none() -> None:
    assert with_more(
        "eva",
        '[[modifier]]\nid = "fine"\nlabel = "Fine"\nstep = "action"\nvalue = 1\nbecause = "it is"\nsource = "ours"\n'
        "when = \"target.altitude_band in ('', 'low') and ruling.kill_zone == 5 and band != ''\"\n",
    )


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
    assert found.because == f"{plain.because}; ruling changed from −30"
