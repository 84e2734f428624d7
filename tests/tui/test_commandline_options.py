"""`battleboard options`: what a unit may do, in words and in JSON."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from engine.battle.command import Attack
from rulesets import load_ruleset, shipped_rulesets
from tui.__main__ import main
from tui.application.commands.registry import hear
from tui.application.commands.results import Setting, SubmitCommand
from tui.application.commands.runner import do
from tui.application.library.battle_files import begin_battle, read_scenario
from tui.application.reports.odds_report import fresh_turn
from tui.application.reports.report_scene import read_scene

ACTOR = "raven"


@pytest.mark.long
@pytest.mark.parametrize("ruleset", sorted(shipped_rulesets()))
def test_each_line_that_is_listed_gives_the_command(ruleset: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "warehouse", ACTOR, "--ruleset", ruleset, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    rules = load_ruleset(shipped_rulesets()[ruleset])
    setting = Setting(fresh_turn(read_scene("warehouse"), rules, ACTOR), rules)
    attacks = [one for one in found["options"] if one["kind"] == "attack" and one["allowed"]]
    assert attacks
    assert any(move["allowed"] and move["squares"] for move in found["moves"])
    assert [one["allowed"] for one in found["options"] if one["kind"] == "end"] == [True]
    for one in attacks:
        heard = hear(one["line"], setting)
        assert isinstance(heard, SubmitCommand)
        assert heard.command == Attack(ACTOR, one["target"], one["weapon"], one["action"])
        assert one["sentence"] == ""
        assert 0 < one["hit_percent"] <= 100
    for one in found["options"]:
        assert one["allowed"] or one["sentence"], one
    assert all(one["line"] for one in found["options"])


def test_the_allowed_are_listed_with_price_and_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "warehouse", ACTOR, "--ruleset", "aog"]) == 0
    said = capsys.readouterr().out
    assert "  move raven SQUARE by run" in said
    assert "2 actions" in said
    assert "refused; --all lists them" in said
    assert "Refused:" not in said


def test_the_refused_are_listed_with_their_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "warehouse", ACTOR, "--ruleset", "aog", "--all"]) == 0
    said = capsys.readouterr().out.partition("Refused:")[2]
    assert "Blocked at" in said


def test_a_square_has_no_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", "warehouse", "C3", "--ruleset", "aog"]) == 1
    assert "C3 is a square; name a unit." in capsys.readouterr().err


@pytest.fixture
def battle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The file of a battle that has begun, with a watchman whom the Game Master has hidden."""
    monkeypatch.setenv("BATTLEBOARD_DATA", str(tmp_path))
    with closing(begin_battle(read_scenario("warehouse", "cwn"), "seed", tmp_path / "battles")) as session:
        do(session, "hide watchman")
        return str(session.journal.path)


def test_a_side_reads_only_what_it_knows(battle: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["options", battle, ACTOR, "--side", "crew", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    named = {one["target"] for one in found["options"] if one["kind"] == "attack"}
    assert "nest" in named
    assert "watchman" not in named


@pytest.mark.long
def test_a_side_has_no_options_of_others_and_is_told_the_same_of_all(
    battle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for name in ("hauler", "watchman", "nobody"):
        assert main(["options", battle, name, "--side", "crew"]) == 1
        said.append(capsys.readouterr().err.replace(name, "…"))
    assert len({*said}) == 1
    assert "Known: moth, ox, raven, spark." in said[0]
