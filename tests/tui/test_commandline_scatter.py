"""`battleboard scatter`: where a throw could land and on whom, in words and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rulesets import load_ruleset, shipped_rulesets
from tui.__main__ import main

Scatter = Callable[..., dict[str, Any]]
GRENADE = ("--ruleset", "occult-ops", "--weapon", "frag-grenade")


@pytest.fixture
def scatter(capsys: pytest.CaptureFixture[str]) -> Scatter:
    def ask(*words: str) -> dict[str, Any]:
        status = main(["scatter", "frontier-trail", *words, "--json"])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, "")
        found: dict[str, Any] = json.loads(printed.out)
        return found

    return ask


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status = main(["scatter", "frontier-trail", *words])
    printed = capsys.readouterr()
    assert (status, printed.out) == (1, "")
    assert printed.err.count("\n") == 1
    return printed.err[:-1]


@pytest.mark.slow
def test_chances_of_squares_sum_to_one_under_every_ruleset(scatter: Scatter) -> None:
    for ruleset, folder in shipped_rulesets().items():
        thrown = [weapon.id for weapon in load_ruleset(folder).gear.weapons.values() if weapon.kind == "thrown"]
        grenade = next(weapon for weapon in thrown if "grenade" in weapon)
        found = scatter("todd", "Q10", "--ruleset", ruleset, "--weapon", grenade)
        assert sum(Fraction(*one["chance"]) for one in found["squares"]) + Fraction(*found["off_map"]) == 1
        assert found.keys() >= {"ruleset", "from", "aim", "aim_square", "weapon", "hit", "squares", "zones", "units"}


def test_a_unit_throws_with_its_own_odds(scatter: Scatter, capsys: pytest.CaptureFixture[str]) -> None:
    found = scatter("todd", "Q11", *GRENADE)
    assert main(["odds", "frontier-trail", "todd", "Q11", *GRENADE, "--json"]) == 0
    odds = json.loads(capsys.readouterr().out)
    assert found["hit"] == odds["chance"]["hit"]
    chances = {one["square"]: Fraction(*one["chance"]) for one in found["squares"]}
    fumble = Fraction(*odds["chance"]["grades"]["epic-fumble"])
    assert chances["Q11"] == Fraction(*found["hit"])
    assert chances["N10"] == fumble


def test_a_square_throws_with_the_chance_given(scatter: Scatter) -> None:
    found = scatter("N10", "Q10", *GRENADE, "--hit", "40")
    chances = {one["square"]: Fraction(*one["chance"]) for one in found["squares"]}
    assert (found["hit"], chances["Q10"]) == ([2, 5], Fraction(2, 5))
    assert chances["R10"] == Fraction(3, 5) / 32
    assert len(chances) == 33
    assert found["units"][0].keys() == {"id", "zones", "any", "any_percent"}
    for unit in found["units"]:
        assert sum(Fraction(*zone["chance"]) for zone in unit["zones"].values()) == Fraction(*unit["any"])


def test_a_chance_given_stands_in_for_the_odds(scatter: Scatter) -> None:
    assert scatter("todd", "Q11", *GRENADE, "--hit", "100")["squares"] == [
        {"square": "Q11", "chance": [1, 1], "percent": 100}
    ]
    assert scatter("todd", "Q11", *GRENADE, "--hit", "12.5%")["hit"] == [1, 8]


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_a_chance_given_is_heeded_under_every_ruleset(scatter: Scatter, ruleset: str) -> None:
    thrown = [weapon.id for weapon in load_ruleset(shipped_rulesets()[ruleset]).gear.weapons.values()]
    grenade = next(weapon for weapon in thrown if "grenade" in weapon and "smoke" not in weapon)
    for thrower in ("todd",) if ruleset == "volt" else ("todd", "N10"):  # volt asks how far off the thrower is
        found = scatter(thrower, "Q10", "--ruleset", ruleset, "--weapon", grenade, "--hit", "30")
        assert found["hit"] == [3, 10]
        assert len(found["squares"]) > 5
        assert sum(Fraction(*one["chance"]) for one in found["squares"]) + Fraction(*found["off_map"]) == 1
        never = scatter(thrower, "Q10", "--ruleset", ruleset, "--weapon", grenade, "--hit", "0")
        assert never["hit"] == [0, 1]
        assert len(never["squares"]) > 5


def test_words_draw_the_squares_and_name_the_units(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scatter", "frontier-trail", "N10", "Q10", *GRENADE, "--hit", "40"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "N10 → Q10   Fragmentation grenade\n"
        "Occult Ops. 40 % to land as aimed; it may land on 33 squares.\n"
        "short radius, 5 ft (1 square): 9 squares around Q10.\n"
        "medium radius, 10 ft (2 squares): 16 squares around Q10, 50 % of the effect.\n"
        "long radius, 20 ft (4 squares): 56 squares around Q10, 25 % of the effect.\n"
        "\n"
        "Chance of each square, in percent:\n"
        "       M   N   O   P   Q   R   S   T   U\n"
        "   6   2   ·   ·   ·   2   ·   ·   ·   2\n"
    )
    assert "  10   2   2   2   2  40   2   2   2   2\n" in out
    assert "Chance to be in the area:\n" in out
    assert "  Bandit" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["N10", "Q10", *GRENADE], "N10 is a square; give the chance to hit in percent with --hit."),
        (["N10", "Q10", "--ruleset", "occult-ops", "--hit", "5"], "A square has no weapon: name the thrown weapon"),
        (["N10", "Q10", *GRENADE, "--hit", "101"], "--hit 101 is not allowed; expected a chance in percent, 0 to 100."),
        (
            ["N10", "Q10", *GRENADE, "--hit", "half"],
            "--hit half is not allowed; expected a chance in percent, 0 to 100.",
        ),
        (["N10", "ZZ9", *GRENADE, "--hit", "5"], "ZZ9 is off the map: the last square is AJ20."),
        (["tod", "Q10", *GRENADE], "No unit or square is called 'tod'. Did you mean 'todd'?"),
        (["todd", "Q10", "--ruleset", "occult-ops"], "USP9 has no scatter and no blast under Occult Ops."),
        (["N10", "Q10", "--ruleset", "cwn", "--weapon", "frag", "--hit", "5"], "No weapon of Cities Without Number"),
        (["todd", "AJ1", *GRENADE], "Todd at N10 cannot throw there: "),
    ],
)
def test_what_cannot_be_is_one_message(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert failure(capsys, *words).startswith(said)


@pytest.mark.slow
def test_it_says_what_the_burst_does_to_whom(scatter: Scatter, capsys: pytest.CaptureFixture[str]) -> None:
    grenade = ("--ruleset", "cwn", "--weapon", "frag-grenade")
    found = scatter("todd", "bandit", *grenade)
    bandit = next(risk for risk in found["area_risks"] if risk["id"] == "bandit")
    zones = next(unit for unit in found["units"] if unit["id"] == "bandit")
    assert bandit["caught"] == zones["any"]
    assert 0 < Fraction(*bandit["hurt"]) <= Fraction(*bandit["caught"])
    assert sum(Fraction(*amount["chance"]) for amount in bandit["damage"]) == 1
    for command in ("scatter", "odds"):
        assert main([command, "frontier-trail", "todd", "bandit", *grenade]) == 0
        out = capsys.readouterr().out
        assert "Effect on each unit, including the chance to be in the area:\n  unit" in out
    assert scatter("todd", "bandit", *grenade, "--hit", "50")["area_risks"] == []
