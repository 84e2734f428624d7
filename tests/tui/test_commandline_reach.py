"""`battleboard reach`: where a unit can go, in words and in JSON; what a path costs and draws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from maps import load_map, shipped_maps
from rulesets import shipped_rulesets
from tests.examples import grid
from tui.__main__ import main

YARD = """
format = 1
name = "Yard"
[scale]
square = 5
unit = "feet"
[map]
squares = '''
............
.....#......
.....#......
............
'''
[[edge]]
at = "C1"
side = "W"
kind = "door"
[[unit]]
id = "ann"
name = "Ann"
role = "gunman"
side = "law"
at = "D2"
[[unit]]
id = "bob"
name = "Bob"
role = "brawler"
side = "outlaws"
at = "D3"
[[unit]]
id = "kite"
role = "drone"
side = "law"
at = "A4"
altitude = 10
[[unit]]
id = "low"
role = "gunman"
side = "law"
at = "L1"
posture = "prone"
"""


@pytest.fixture
def yard(tmp_path: Path) -> str:
    path = tmp_path / "yard.toml"
    path.write_text(YARD)
    return str(path)


def reach(capsys: pytest.CaptureFixture[str], *words: str, ruleset: str = "occult-ops") -> dict[str, Any]:
    status = main(["reach", *words, "--ruleset", ruleset, "--json"])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    found: dict[str, Any] = json.loads(printed.out)
    return found


def words(capsys: pytest.CaptureFixture[str], *arguments: str, ruleset: str = "occult-ops") -> str:
    assert main(["reach", *arguments, "--ruleset", ruleset]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def failure(capsys: pytest.CaptureFixture[str], *arguments: str, ruleset: str = "occult-ops") -> str:
    assert main(["reach", *arguments, "--ruleset", ruleset]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err[:-1]


def test_json_counts_the_squares_of_every_move(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    found = reach(capsys, yard, "ann")
    assert (found["map"], found["unit"], found["from_square"], found["mode"]) == ("Yard", "ann", "D2", "walk")
    moves = {move["action"]: move for move in found["moves"]}
    assert list(moves) == ["move", "run", "step"]
    assert moves["step"]["count"] == 7
    assert moves["step"]["costs"] == {"D2": 0} | dict.fromkeys(("C1", "D1", "E1", "C2", "E2", "C3", "E3"), 1)
    assert (moves["step"]["squares"], moves["step"]["distance"]) == (1, {"value": 5, "unit": "feet"})
    assert moves["run"]["count"] >= moves["move"]["count"] > 20
    assert moves["move"]["possible"]
    assert found["path"] is None
    assert set(found["threatened"]) == {"C2", "D2", "E2", "C3", "E3", "C4", "D4", "E4"}


def test_straight_moves_are_distinguished(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    moves = {move["action"]: move for move in reach(capsys, yard, "ann", ruleset="cwn")["moves"]}
    assert moves["charge"]["straight"]
    assert not moves["move"]["straight"]
    assert "D4" not in moves["charge"]["costs"]  # Bob stands in between
    assert "D4" in moves["move"]["costs"]


def test_a_move_that_cannot_be_made_says_why(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    moves = {move["action"]: move for move in reach(capsys, yard, "low")["moves"]}
    assert (moves["move"]["possible"], moves["move"]["reason"]) == (False, "it is prone and must get up first")
    assert moves["move"]["costs"] == {}
    assert "unavailable: it is prone and must get up first" in words(capsys, yard, "low")


def test_words_draw_the_moves(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    said = words(capsys, yard, "ann", "--action", "step")
    assert said.splitlines()[0] == "Ann at D2, Occult Ops, walk:"
    assert "5-foot step  5 ft  1 square  can end on 7 squares" in said
    assert "  CDE\n1 111\n2 1@1\n3 1x1\n1 5-foot step, @ the unit, x enemies" in said
    assert "Next to an enemy: C2, D2, E2, C3, E3." in said


def test_a_path_is_reported_with_its_cost_and_what_it_draws(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    path = reach(capsys, yard, "ann", "--to", "D1")["path"]
    assert (path["action"], path["squares"], path["cost"]) == ("move", ["D2", "D1"], 1)
    (draw,) = path["draws"]
    assert (draw["reaction"], draw["reactor"], draw["step"], draw["square"]) == ("disengaging", "bob", 1, "D2")
    said = words(capsys, yard, "ann", "--to", "D1")
    assert "Move to D1: 1 square of 7." in said
    assert "Step 1: Bob: interrupt attack, as Ann leaves its reach at D2." in said
    assert "Provokes no reactions." in words(capsys, yard, "ann", "--to", "D1", "--action", "step")


def test_a_path_comes_through_way_points(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    path = reach(capsys, yard, "ann", "--to", "D1", "--via", "E2", "--via", "F1")["path"]
    assert path["squares"] == ["D2", "E2", "E1", "F1", "E1", "D1"]
    assert path["cost"] == 5
    assert failure(capsys, yard, "ann", "--to", "F2", "--via", "E2") == (
        "Leg 2, E2 to F2: F2 is out of reach: the wall blocks F2."
    )


def test_flyers_rise_and_sink_first(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    level, higher = (reach(capsys, yard, "kite", *more)["moves"][0] for more in ((), ("--altitude", "20")))
    assert higher["squares"] == level["squares"] - 2
    assert reach(capsys, yard, "kite", "--altitude", "20", "--to", "B4")["path"]["cost"] == 3
    assert "is not a height" in failure(capsys, yard, "kite", "--altitude", "high")
    assert "that altitude" in words(capsys, yard, "kite", "--altitude", "9000")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("bobb",), "No unit or square is called 'bobb'. Did you mean 'bob'?"),
        (("C3",), "C3 is a square; name a unit."),
        (("ann", "--action", "rnu"), "No move is called 'rnu'. Did you mean 'run'?"),
        (("ann", "--action", "dodge"), "No move is called 'dodge'"),
        (("ann", "--mode", "swim"), "No mode of moving of Occult Ops is called 'swim'"),
        (("ann", "--to", "Z9"), "Z9 is off the map: the last square is L4."),
        (("ann", "--to", "bob"), "'bob' is not a square"),
        (("ann", "--to", "F2"), "F2 is out of reach: the wall blocks F2."),
        (("ann", "--to", "B1", "--action", "step"), "B1 is out of reach."),
    ],
)
def test_mistakes_are_one_sentence(
    capsys: pytest.CaptureFixture[str], yard: str, arguments: tuple[str, ...], message: str
) -> None:
    assert failure(capsys, yard, *arguments).startswith(message)


def test_way_points_need_a_goal(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    assert main(["reach", yard, "ann", "--ruleset", "cwn", "--via", "C1"]) == 2
    assert "--via needs --to" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize(("name", "ruleset"), grid(shipped_maps(), shipped_rulesets()))
def test_every_unit_of_a_shipped_map_can_be_asked(capsys: pytest.CaptureFixture[str], name: str, ruleset: str) -> None:
    for unit in load_map(shipped_maps()[name]).placements:
        assert unit.name in words(capsys, name, unit.id, ruleset=ruleset)
