"""`battleboard view`: what one unit sees, as a map of signs and in JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.battle.views.view import project
from engine.geometry.body import body
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from maps import load_map, shipped_maps
from rulesets import DEFAULT, load_ruleset, shipped_rulesets
from tui.__main__ import main
from tui.application.describe.glyphs import ASCII
from tui.application.focus.focus import Focus
from tui.application.overlays.overlay_list import compute_overlay
from tui.application.reports.endpoints import find_end
from tui.application.reports.odds_report import fresh_turn
from tui.application.reports.report_scene import Scene

YARD = """
format = 1
name = "Yard"
[scale]
square = 1.5
unit = "metres"
[map]
squares = '''
.......
...#...
.o.....
'''
[light]
ambient = "dim"
rows = '''
.....00
'''
[[lamp]]
at = "G3"
bright = 1
height = 2
[[unit]]
id = "ant"
role = "gunman"
side = "law"
at = "A2"
posture = "kneeling"
[[unit]]
id = "bee"
role = "gunman"
side = "crew"
at = "G2"
[[unit]]
id = "cat"
role = "gunman"
side = "crew"
at = "C1"
"""
DRAWN = """
format = 1
name = "Small"
[scale]
square = 5
unit = "feet"
[map]
squares = '''
{}
'''
"""


@pytest.fixture
def yard(tmp_path: Path) -> str:
    return written(tmp_path, YARD)


def written(folder: Path, text: str) -> str:
    path = folder / "drawn.toml"
    path.write_text(text)
    return str(path)


def words(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    assert main(["view", *given]) == 0
    printed = capsys.readouterr()
    assert printed.err == ""
    return printed.out


def view(capsys: pytest.CaptureFixture[str], *given: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(words(capsys, *given, "--json"))
    return found


def failure(capsys: pytest.CaptureFixture[str], *given: str) -> str:
    status = main(["view", *given])
    printed = capsys.readouterr()
    assert (status, printed.out) == (1, "")
    return printed.err[:-1]


def test_the_map_shows_what_is_seen_what_is_covered_and_what_is_dark(
    capsys: pytest.CaptureFixture[str], yard: str
) -> None:
    assert words(capsys, yard, "ant") == (
        "Ant at A2, kneeling, sees all of a standing person on 13 squares (.), at least half on 2 (-), less\n"
        "on 1 (=), nothing on 3 (blank); 2 visible squares are dark.\n"
        "\n"
        "  ABCDEFG\n"
        "1 ..c..:~\n"
        "2 @..#\n"
        "3 ..=...-\n"
        "\n"
        "@ the observer; . fully visible; - half or more of a standing unit visible; = less than half; :\n"
        "fully, but dark; ~ half or more, but dark; # solid up to the sky; blank not seen\n"
        "\n"
        "Sees:\n"
        "  c Cat at C1: Dim light: clear line of sight, 2 columns and 1 row, no cover.\n"
        "\n"
        "Does not see:\n"
        "  b Bee at G2: Blocked by the wall at D2.\n"
    )


def test_json_says_what_the_tracer_says_of_every_square(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    found = view(capsys, yard, "ant")
    battle_map = load_map(yard)
    field, observer = battle_map.battlefield, find_end(battle_map, "ant").body
    for row in found["rows"]:
        for column in range(found["columns"]):
            line = trace(field, observer, body(Square(column, row["row"] - 1), field.unit))
            assert row["visible"][column] == pytest.approx(float(line.visible), abs=1e-4)
            assert row["covered"][column] == pytest.approx(float(line.covered), abs=1e-4)
            assert row["light"][column] == line.light
    assert found.keys() >= {
        "map",
        "from",
        "from_square",
        "posture",
        "columns",
        "summary",
        "signs",
        "rows",
        "units",
        "words",
    }
    assert set("".join(row["signs"] for row in found["rows"])) <= {*found["signs"], "b", "c"}


def test_units_come_with_their_shares_and_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    found = view(capsys, "frontier-trail", "todd")
    battle_map = load_map(shipped_maps()["frontier-trail"])
    start, end = find_end(battle_map, "todd"), find_end(battle_map, "bandit")
    line = trace(battle_map.battlefield, start.body, end.body)
    bandit = next(unit for unit in found["units"] if unit["id"] == "bandit")
    assert bandit["words"] == line.words
    assert Fraction(*bandit["visible_exact"]) == line.visible
    assert Fraction(*bandit["covered_exact"]) == line.covered
    assert (bandit["can_see"], bandit["at"], bandit["side"]) == (True, "R10", end.unit.side if end.unit else "")
    assert "todd" not in {unit["id"] for unit in found["units"]}
    assert len(found["units"]) == len(battle_map.placements) - 1
    seen = [unit["can_see"] for unit in found["units"]]
    assert seen == sorted(seen, reverse=True)
    assert f"Bandit at R10: {line.words}" in words(capsys, "frontier-trail", "todd")


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_the_board_counts_and_names_the_same(capsys: pytest.CaptureFixture[str], name: str) -> None:
    battle_map, rules = load_map(shipped_maps()[name]), load_ruleset(shipped_rulesets()[DEFAULT])
    battle = fresh_turn(Scene(battle_map), rules, battle_map.placements[0].id)
    overlay = compute_overlay(Focus(battle.turns.active, overlay="sight"), battle, rules, ASCII.tints)
    found = view(capsys, name, battle.turns.active)
    assert overlay.words.partition(" sees ")[2] == found["words"].partition(" sees ")[2]
    letters = {unit.id: unit.letter for unit in project(battle, rules).units}
    assert all(unit["sign"] in (None, letters[unit["id"]]) for unit in found["units"])


def test_posture_is_the_unit_s_own_unless_it_is_said(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    assert view(capsys, yard, "ant")["posture"] == "kneeling"
    assert view(capsys, yard, "A2")["posture"] == "standing"
    assert view(capsys, yard, "ANT", "--posture", "Prone")["posture"] == "prone"
    low, high = (view(capsys, yard, "ant", "--posture", posture)["summary"] for posture in ("prone", "standing"))
    assert low["whole"] + low["half"] < high["whole"] + high["half"]


def test_a_lamp_lights_the_square_that_is_looked_at(capsys: pytest.CaptureFixture[str], yard: str) -> None:
    rows = view(capsys, yard, "ant")["rows"]
    assert [row["light"][6] for row in rows] == ["dark", "bright", "bright"]


@pytest.mark.parametrize("squares", [".", "." * 40, "\n".join("." * 12), "#", "\n".join(["####"] * 3)])
def test_the_smallest_maps(capsys: pytest.CaptureFixture[str], tmp_path: Path, squares: str) -> None:
    name = written(tmp_path, DRAWN.format(squares))
    rows = squares.splitlines()
    found = view(capsys, name, "A1")
    assert [len(row["signs"]) for row in found["rows"]] == [len(row) for row in rows]
    assert found["rows"][0]["signs"][0] == "@"
    seen = squares.count(".") - (squares[0] == ".")
    assert found["summary"]["seen"] == found["summary"]["squares"] == seen
    assert words(capsys, name, "A1").startswith("A1, standing")


def test_no_other_square(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "A1, standing: there is no other open square." in words(capsys, written(tmp_path, DRAWN.format(".")), "A1")


def test_columns_beyond_z_are_named_in_two_lines(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    told = words(capsys, written(tmp_path, DRAWN.format("." * 28)), "AB1").splitlines()
    assert told[-5] == " " * 28 + "AA"
    assert told[-4] == "  ABCDEFGHIJKLMNOPQRSTUVWXYZAB"
    assert told[-3] == "1 " + "." * 27 + "@"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("frontier-trail", "AK1"), "AK1 is off the map: the last square is AJ20."),
        (("frontier-trail", "tod"), "No unit or square is called 'tod'. Did you mean 'todd'?"),
        (("warehous", "A1"), "No map is called 'warehous'. Did you mean 'warehouse'?"),
        (("frontier-trail", "todd", "--posture", "pron"), "No posture is called 'pron'. Did you mean 'prone'?"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    capsys: pytest.CaptureFixture[str], given: tuple[str, ...], said: str
) -> None:
    assert failure(capsys, *given) == said


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_the_first_unit_of_a_shipped_map_looks_round(capsys: pytest.CaptureFixture[str], name: str) -> None:
    battle_map = load_map(shipped_maps()[name])
    told = words(capsys, name, battle_map.placements[0].id)
    assert all(f"{unit.name} at {unit.at.name}: " in told for unit in battle_map.placements[1:])
