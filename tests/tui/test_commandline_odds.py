"""`battleboard odds`: the ledger and the exact chances, in words and in JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rulesets import shipped_rulesets
from tui.__main__ import main

Odds = Callable[..., dict[str, Any]]


@pytest.fixture
def odds(capsys: pytest.CaptureFixture[str]) -> Odds:
    def ask(*words: str) -> dict[str, Any]:
        status = main(["odds", "frontier-trail", *words, "--json"])
        printed = capsys.readouterr()
        assert (status, printed.err) == (0, "")
        found: dict[str, Any] = json.loads(printed.out)
        return found

    return ask


def occult(start: str, end: str, *options: str) -> tuple[str, ...]:
    return (start, end, "--ruleset", "occult-ops", *options)


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status = main(["odds", "frontier-trail", *words])
    printed = capsys.readouterr()
    assert (status, printed.out) == (1, "")
    assert printed.err.count("\n") == 1
    return printed.err[:-1]


def test_json_has_every_key_that_scripts_rely_on(odds: Odds) -> None:
    found = odds(*occult("todd", "bandit"))
    assert found.keys() >= {
        *("ruleset", "attacker", "target", "weapon", "action", "possible", "reason", "distance", "band"),
        *("sight", "ledger", "target_number", "chance"),
    }
    assert found["distance"].keys() == {"value", "unit", "squares"}
    assert found["sight"].keys() >= {"visible", "covered", "cover", "first_blocker", "smoke_squares"}
    for entry in found["ledger"]:
        assert entry.keys() >= {"id", "step", "label", "value", "because", "source", "author", "active"}
        assert entry["source"]


def test_two_gunmen_at_twenty_feet_behind_a_cart(odds: Odds) -> None:
    found = odds(*occult("todd", "bandit"))
    assert [entry["value"] for entry in found["ledger"]] == [60, 10, 10, -10, -10]
    assert found["distance"] == {"value": 20, "unit": "feet", "squares": 4}
    assert (found["band"], found["target_number"]) == ("short", 60)
    assert (found["possible"], found["reason"]) == (True, "")
    assert found["chance"]["hit"] == [59, 100]
    assert found["chance"]["hit_percent"] == 59
    assert [entry["worth_percent"] for entry in found["ledger"][1:]] == [10, 10, -10, -10]


@pytest.mark.slow
def test_grades_sum_to_one_under_every_ruleset(odds: Odds) -> None:
    for ruleset in shipped_rulesets():
        chance = odds("todd", "bandit", "--ruleset", ruleset)["chance"]
        assert sum(Fraction(*share) for share in chance["grades"].values()) == 1
        assert 0 <= Fraction(*chance["hit"]) <= 1


def test_words_are_an_aligned_bill(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "frontier-trail", *occult("todd", "bandit")]) == 0
    assert capsys.readouterr().out.startswith(
        "Todd → Bandit   USP9, Attack\n"
        "Occult Ops: 20 ft, short. 56 % visible; the cart at Q10 (3.0 ft high) covers 44 %.\n"
        "\n"
        "  Base to hit      60  20 ft, short (6–24 ft)\n"
        "  Strike          +10  DEX 8\n"
        "  Weapon: Pistol  +10  trained with pistols\n"
        "  Defence         −10  target's DEX 8\n"
        "  Partial cover   −10  44 % behind the cart at Q10\n"
        "  ────────────────────\n"
        "  target number    60\n"
        "  Roll 1d100 under 60: 59 % to hit.\n"
        "\n"
        "  Epic fumble, miss  10 %\n"
    )


def test_a_d20_adds_the_ledger_to_the_roll(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "frontier-trail", "todd", "bandit", "--ruleset", "cwn"]) == 0
    out = capsys.readouterr().out
    assert "added to the roll" in out
    assert "against Armor Class" in out
    assert "Roll 1d20 +" in out


def test_facts_set_by_hand_count(odds: Odds) -> None:
    found = odds(*occult("todd", "bandit", "--set", "covered=0", "--set", "attacker.posture=prone"))
    assert found["set"] == {"covered": 0, "attacker.posture": "prone"}
    assert found["sight"]["covered"] == 0
    labels = {entry["label"]: entry["value"] for entry in found["ledger"]}
    assert "Partial cover" not in labels
    assert labels["Prone shot"] == 10
    assert found["target_number"] == 80
    further = odds(*occult("todd", "bandit", "--set", "distance=40", "--set", "covered=1/3"))
    assert (further["distance"]["value"], further["band"]) == (40, "medium")
    assert further["words"].startswith("Bandit, 40 ft, medium:")


def test_facts_set_by_hand_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "frontier-trail", *occult("todd", "bandit", "--set", "distance=12.5")]) == 0
    out = capsys.readouterr().out
    assert "Occult Ops: 12.5 ft, short." in out
    assert "Set by hand: distance = 12.5." in out


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("coverd=0.5", "No fact is called 'coverd'. Did you mean 'covered'?"),
        ("covered", "--set 'covered' has no value; expected FACT=VALUE, such as covered=0.5."),
        ("covered=2", "--set covered=2 is not allowed; expected a share from 0 to 1."),
        ("covered=half", "--set covered=half is not allowed; expected a share from 0 to 1."),
        ("distance=1/0", "--set distance=1/0 is not allowed; expected a number."),
        ("distance=-5", "--set distance=-5 is not allowed; expected a number of 0 or more."),
        ("distance=1e999999999", "--set distance=1e999999999 is not allowed; expected a number."),
        ("smoke_squares=1.5", "--set smoke_squares=1.5 is not allowed; expected a whole number."),
        ("light=blue", "--set light=blue is not allowed; expected dark or dim or bright."),
        ("target.posture=flat", "--set target.posture=flat is not allowed; expected standing or kneeling or prone."),
        ("adjacent=maybe", "--set adjacent=maybe is not allowed; expected yes or no."),
        ("weapon.max_range=far", "--set weapon.max_range=far is not allowed; expected a number."),
        ("band=short", "No fact is called 'band'."),
    ],
)
def test_facts_that_cannot_be_set_are_refused(capsys: pytest.CaptureFixture[str], setting: str, said: str) -> None:
    assert failure(capsys, *occult("todd", "bandit", "--set", setting)).startswith(said)


def test_any_weapon_of_the_ruleset_may_be_asked_about(odds: Odds) -> None:
    assert odds(*occult("todd", "bandit", "--weapon", "knife"))["weapon"] == "knife"
    found = odds(*occult("todd", "bandit", "--weapon", "desert-eagle"))
    assert (found["weapon"], found["band"], found["possible"]) == ("desert-eagle", "medium", True)


def test_action_may_be_named(odds: Odds) -> None:
    found = odds(*occult("todd", "bandit", "--action", "aimed"))
    assert (found["action"], found["target_number"], found["possible"]) == ("aimed", 75, True)


@pytest.mark.slow
def test_what_is_not_allowed_says_why_and_keeps_its_odds(odds: Odds, capsys: pytest.CaptureFixture[str]) -> None:
    found = odds(*occult("todd", "bandit", "--action", "short-burst"))
    assert found["possible"] is False
    assert "this weapon cannot fire bursts" in found["reason"]
    assert found["chance"]["hit"] != [0, 1]
    assert main(["odds", "frontier-trail", *occult("todd", "bandit", "--action", "short-burst")]) == 0
    assert "Not allowed now: " in capsys.readouterr().out


def test_target_out_of_range_has_no_odds(odds: Odds, capsys: pytest.CaptureFixture[str]) -> None:
    found = odds(*occult("todd", "bandit", "--set", "distance=101"))
    assert (found["possible"], found["chance"]["hit"], found["band"]) == (False, [0, 1], "")
    assert "beyond the maximum range of 100 ft" in found["reason"]
    assert main(["odds", "frontier-trail", *occult("todd", "bandit", "--set", "distance=101")]) == 0
    out = capsys.readouterr().out
    assert "No attack." in out
    assert "target number" not in out


def test_bare_square_may_be_the_target(odds: Odds) -> None:
    found = odds(*occult("todd", "q11"))
    assert found["target"] == "Q11"
    assert "Defence" not in [entry["label"] for entry in found["ledger"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["N10", "bandit"], "N10 is a square; name a unit as the attacker."),
        (["tod", "bandit"], "No unit or square is called 'tod'. Did you mean 'todd'?"),
        (["todd", "ZZ9"], "ZZ9 is off the map: the last square is AJ20."),
        (["todd", "bandit", "--weapon", "usp8"], "No weapon of Occult Ops is called 'usp8'. Did you mean 'usp9'?"),
        (["todd", "bandit", "--action", "aimd"], "No attack is called 'aimd'. Did you mean 'aimed'?"),
    ],
)
def test_names_that_do_not_fit_are_one_message(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert failure(capsys, *words, "--ruleset", "occult-ops") == said


def test_unknown_ruleset_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    said = failure(capsys, "todd", "bandit", "--ruleset", "cnw")
    assert said == "No ruleset is called 'cnw'. Did you mean 'cwn'?"


def test_nobody_has_odds_against_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(capsys, *occult("todd", "todd")).endswith("Todd cannot attack itself.")


def test_the_table_marks_what_counts_as_a_hit_only_where_the_label_does_not_say_so(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["odds", "frontier-trail", *occult("todd", "bandit")]) == 0
    assert "counts as" not in capsys.readouterr().out
    assert main(["odds", "frontier-trail", "todd", "bandit", "--ruleset", "aog"]) == 0
    rows = [line.split("%")[-1].strip() for line in capsys.readouterr().out.split("\n") if " success  " in line]
    assert rows and set(rows) == {"counts as a hit"}
