"""`battleboard odds` for an act on somebody that is no attack: what it costs, whether it may be taken."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.rulesets.texts import texts
from tests.tui.test_acting import ACTS, MAP
from tui.__main__ import main


@pytest.fixture
def yard(tmp_path: Path) -> tuple[str, str]:
    """A map's file and a ruleset's folder."""
    (tmp_path / "yard.toml").write_text(MAP, encoding="utf-8")
    folder = tmp_path / "small"
    folder.mkdir()
    for name, text in texts().items():
        (folder / name).write_text(text + (ACTS if name == "ruleset.toml" else ""), encoding="utf-8")
    return str(tmp_path / "yard.toml"), str(folder)


def ask(yard: tuple[str, str], *words: str) -> int:
    place, rules = yard
    return main(["odds", place, *words, "--ruleset", rules, "--action", "trip"])


def test_an_act_is_reported_with_its_price_and_what_follows(
    yard: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(yard, "a", "b") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A → B, 5 ft, Trip: costs 1 main action. Allowed."
    assert any("on an enemy" in line for line in lines) and any("How hard: roll" in line for line in lines)
    assert ask(yard, "a", "d") == 0
    assert "Not allowed: out of reach." in capsys.readouterr().out


def test_the_same_as_json(yard: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert ask(yard, "a", "d", "--json") == 0
    assert json.loads(capsys.readouterr().out) == {
        "unit": "A",
        "target": "D",
        "action": "trip",
        "distance": 20,
        "cost": {"main": 1},
        "refusal": "out of reach",
        "chance": None,
        "outcomes": [],
    }


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("a", "C4"), "C4 is a square; “Trip” needs two units"),
        (("a", "b", "--weapon", "gun"), "--set and --weapon are only for attacks"),
        (("a", "b", "--set", "covered=1"), "--set and --weapon are only for attacks"),
    ],
)
def test_what_an_act_does_not_take(
    yard: tuple[str, str], capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str
) -> None:
    assert ask(yard, *words) == 1
    assert message in capsys.readouterr().err
