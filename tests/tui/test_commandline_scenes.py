"""What reports ask about: a battle as it stands in place of a map, units by their names, and by which rules."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.unit_edits import Place, SetAltitude, SetCondition
from engine.geometry.squares import parse_square
from tui.__main__ import main
from tui.application.library.battle_files import new_battle

REPORTS = {
    "view": ("raven",),
    "sight": ("raven", "hauler"),
    "reach": ("raven",),
    "scatter": ("spark", "K8"),
    "odds": ("raven", "hauler"),
}
WITH_RULES = ("reach", "scatter", "odds")


@pytest.fixture
def battle() -> Path:
    """A battle in which Raven has gone to M9, thick smoke lies around K8, and Moth is high up."""
    with closing(new_battle("warehouse", "occult-ops", "7")) as session:
        for command in (
            Place("raven", parse_square("M9")),
            SetCloud(parse_square("K8"), 2, 2, 0),
            SetAltitude("moth", 300),
            SetCondition("raven", "dodging", True),
        ):
            session.submit(command)
        return session.journal.path


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def refusal(capsys: pytest.CaptureFixture[str], *words: str, status: int = 1) -> str:
    assert main(words) == status
    return capsys.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("report", REPORTS)
def test_a_battle_is_asked_by_its_path_and_by_its_name(
    capsys: pytest.CaptureFixture[str], battle: Path, report: str
) -> None:
    by_path, by_name = (told(capsys, report, name, *REPORTS[report]) for name in (str(battle), battle.stem))
    assert by_path == by_name
    rules = ("--ruleset", "occult-ops") if report in WITH_RULES else ()
    assert told(capsys, report, "warehouse", *REPORTS[report], *rules) != by_path


def test_units_are_where_they_stand_and_the_smoke_lies_where_it_is(
    capsys: pytest.CaptureFixture[str], battle: Path
) -> None:
    found = told(capsys, "sight", str(battle), "raven", "J7")
    assert (found["from_square"], found["smoke_squares"] > 2) == ("M9", True)
    assert told(capsys, "reach", str(battle), "raven")["from_square"] == "M9"
    assert {unit["id"]: unit["at"] for unit in told(capsys, "view", str(battle), "hauler")["units"]}["raven"] == "M9"
    assert told(capsys, "odds", str(battle), "hauler", "raven")["ruleset"] == "occult-ops"


def test_the_state_of_a_battle_counts_in_its_odds(capsys: pytest.CaptureFixture[str], battle: Path) -> None:
    assert "dodg" in json.dumps(told(capsys, "odds", str(battle), "hauler", "raven")["ledger"]).lower()


@pytest.mark.parametrize("report", WITH_RULES)
def test_a_battle_has_its_rules_and_a_map_has_none(
    capsys: pytest.CaptureFixture[str], battle: Path, report: str
) -> None:
    words = REPORTS[report]
    said = refusal(capsys, report, str(battle), *words, "--ruleset", "cwn", status=2)
    assert "a battle has its own ruleset" in said
    assert "a map needs --ruleset ID" in refusal(capsys, report, "warehouse", *words, status=2)


def test_what_is_no_battle_says_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "bad.battle").write_bytes(b"\xdd" * 200)
    assert "cannot be opened as a battle" in refusal(capsys, "view", str(tmp_path / "bad.battle"), "raven")


def test_a_unit_is_found_by_its_name_and_two_of_one_name_by_their_ids(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert told(capsys, "view", "frontier-trail", "the boss")["from"] == "boss"
    twins = tmp_path / "twins.toml"
    units = "".join(
        f'[[unit]]\nid = "{name}"\nname = "Twin"\nrole = "gunman"\nside = "x"\nat = "{at}"\n'
        for name, at in (("one", "A1"), ("two", "B1"))
    )
    drawn = "format = 1\nname = 'T'\n[scale]\nsquare = 5\nunit = 'feet'\n[map]\nsquares = '''\n...\n'''\n"
    twins.write_text(drawn + units)
    assert refusal(capsys, "view", str(twins), "twin") == "Several units are called 'twin'; use an id: one, two.\n"
