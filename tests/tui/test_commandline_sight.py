"""`battleboard sight`: the trace in words and in JSON."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from engine.geometry.los.sight import trace
from engine.values import replace
from maps import BattleMap, load_map, shipped_maps
from tests.rules.table import fight
from tui.__main__ import main
from tui.application.reports.endpoints import find_end
from tui.application.reports.report_scene import scene_of
from tui.application.reports.sight_report import trace_ends
from tui.application.reports.view_report import observe_map

WALLED = """
format = 1
name = "Walled"
[scale]
square = 2
unit = "metres"
[map]
squares = '''
.......
...#...
.......
'''
[[unit]]
id = "b52"
role = "gunman"
side = "law"
at = "A1"
[[unit]]
id = "ant"
role = "gunman"
side = "law"
at = "A2"
posture = "prone"
"""


@pytest.fixture
def walled(tmp_path: Path) -> str:
    path = tmp_path / "walled.toml"
    path.write_text(WALLED)
    return str(path)


def sight(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    status = main(["sight", *words, "--json"])
    printed = capsys.readouterr()
    assert (status, printed.err) == (0, "")
    found: dict[str, Any] = json.loads(printed.out)
    return found


def failure(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status = main(["sight", *words])
    printed = capsys.readouterr()
    assert (status, printed.out) == (1, "")
    assert printed.err.endswith("\n")
    return printed.err[:-1]


def test_json_says_what_the_tracer_says(capsys: pytest.CaptureFixture[str]) -> None:
    battle_map = load_map(shipped_maps()["frontier-trail"])
    start, end = find_end(battle_map, "todd"), find_end(battle_map, "bandit")
    line = trace(battle_map.battlefield, start.body, end.body)
    found = sight(capsys, "frontier-trail", "todd", "bandit")
    assert found["words"] == line.words
    assert Fraction(*found["visible_exact"]) == line.visible
    assert Fraction(*found["covered_exact"]) == line.covered
    assert found["visible"] == pytest.approx(float(line.visible))
    assert (found["clear"], found["first_blocker"]) == (True, None)
    assert found["cover"]["name"] == "cart"
    assert found["cover"]["place"] == "Q10"
    assert found["cover"]["top"] == 3.0
    assert found["squares"] == {"columns": 4, "rows": 0}
    assert found["distance"] == {"value": 20.0, "unit": "feet", "squares": 4.0, "metric": "euclidean"}
    assert [crossing["square"] for crossing in found["crossings"]] == ["N10", "O10", "P10", "Q10", "R10"]


def test_json_has_every_key_that_scripts_rely_on(capsys: pytest.CaptureFixture[str]) -> None:
    found = sight(capsys, "warehouse", "raven", "Z15")
    assert found.keys() >= {
        *("from", "to", "squares", "distance", "visible", "covered", "clear", "cover", "first_blocker"),
        *("smoke_squares", "smoke", "light", "crossings", "words"),
    }
    assert found["first_blocker"].keys() >= {"name", "place", "material", "share", "line_height", "top"}
    assert found["from"] == "raven"
    assert found["to"] == "Z15"


def test_wall_blocks_and_its_top_is_the_sky(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    found = sight(capsys, walled, "A2", "G2")
    assert (found["clear"], found["can_see"], found["visible"]) == (False, False, 0.0)
    assert found["first_blocker"]["place"] == "D2"
    assert found["first_blocker"]["top"] is None
    assert [crossing["square"] for crossing in found["crossings"] if crossing["blocks_sight"]] == ["D2"]
    assert main(["sight", walled, "A2", "G2"]) == 0
    words = capsys.readouterr().out
    assert "A2 → G2: Blocked by the wall at D2" in words
    assert "blocks sight, stops shots" in words
    assert "no limit" in words


def test_straight_distance_is_in_the_map_s_unit(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    found = sight(capsys, walled, "A1", "E3")
    assert found["squares"] == {"columns": 4, "rows": 2}
    assert found["distance"]["value"] == pytest.approx(8.94)
    assert found["distance"]["unit"] == "metres"


def test_unit_wins_over_a_square_and_case_does_not_matter(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    assert sight(capsys, walled, "B52", "c3")["from_square"] == "A1"
    assert sight(capsys, walled, "B52", "c3")["to"] == "C3"


def test_unit_is_traced_in_its_posture_and_a_bare_square_standing(
    capsys: pytest.CaptureFixture[str], walled: str
) -> None:
    assert sight(capsys, walled, "ant", "A3")["crossings"][0]["line_start"] == pytest.approx(0.4, abs=0.02)
    assert sight(capsys, walled, "A2", "A3")["crossings"][0]["line_start"] == pytest.approx(1.62)


def test_json_has_points_halves_and_the_side_view(capsys: pytest.CaptureFixture[str]) -> None:
    battle_map = load_map(shipped_maps()["rooftops"])
    line = trace(battle_map.battlefield, find_end(battle_map, "wren").body, find_end(battle_map, "gunner").body)
    found = sight(capsys, "rooftops", "wren", "gunner")
    assert [(point["name"], Fraction(*point["covered_exact"])) for point in found["points"]] == [
        (point.name, point.covered) for point in line.points
    ]
    assert [point["behind"] and point["behind"]["place"] for point in found["points"]] == [
        point.behind and point.behind.place for point in line.points
    ]
    assert "N9 W" in [point["behind"]["place"] for point in found["points"] if point["behind"]]
    assert line.left is not None and line.right is not None
    assert Fraction(*found["left"]["visible_exact"]) == line.left.visible
    assert found["right"]["cover"]["place"] == "N9 W"
    side = found["profile"]
    assert side["observer"] == {"feet": 12.0, "eyes": 12.97, "crown": 13.08}
    assert [upright["edge"] for upright in side["uprights"]] == ["K10 W", "N9 W"]
    assert side["uprights"][0]["solids"] == [[None, 12.9]]
    assert [stretch["ground"] for stretch in side["stretches"]] == [12.0, 0.0, 0.0, 0.0, 0.0, 13.0]
    assert side["sight_ends"] is not None and side["sight_ends"] == side["shot_ends"]


def test_from_a_square_where_nobody_stands(capsys: pytest.CaptureFixture[str]) -> None:
    there = sight(capsys, "warehouse", "raven", "sergeant", "--from-square", "w3")
    assert (there["from"], there["from_square"]) == ("raven", "W3")
    bare = sight(capsys, "warehouse", "W3", "sergeant")
    assert {key: value for key, value in there.items() if key != "from"} == {
        key: value for key, value in bare.items() if key != "from"
    }
    assert sight(capsys, "warehouse", "raven", "sergeant") != there
    assert main(["sight", "warehouse", "raven", "sergeant", "--from-square", "W3"]) == 0
    assert capsys.readouterr().out.startswith("Raven, if at W3 → Sergeant at X4: ")


def test_postures_and_altitude_are_as_asked(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    eyes = sight(capsys, walled, "ant", "A3", "--posture", "kneeling", "--altitude", "2.5")["profile"]["observer"]
    assert (eyes["feet"], eyes["crown"]) == (2.5, pytest.approx(3.58))
    down = sight(capsys, walled, "ant", "b52", "--target-posture", "prone")["profile"]
    assert (down["target"]["crown"], down["observer"]["crown"]) == (0.45, 0.45)
    assert sight(capsys, "rooftops", "kite", "guard", "--altitude", "0")["profile"]["observer"]["feet"] == 0.0


def test_the_number_of_points_is_as_asked(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    assert len(sight(capsys, walled, "A1", "G2")["points"]) == 5
    assert len(sight(capsys, walled, "A1", "G2", "--points", "9")["points"]) == 9
    one = sight(capsys, walled, "A1", "G2", "--points", "1")
    assert (one["left"], one["right"], len(one["points"])) == (None, None, 1)
    assert main(["sight", walled, "A1", "G2", "--points", "3"]) == 2
    assert "invalid choice: 3" in capsys.readouterr().err


def test_the_side_view_is_drawn_where_it_is_asked_for(capsys: pytest.CaptureFixture[str], walled: str) -> None:
    assert main(["sight", walled, "A2", "G2", "--profile", "--ascii"]) == 0
    lines = capsys.readouterr().out.splitlines()
    view = lines[lines.index("") + 1 :]
    assert all(line.isascii() and len(line) <= 100 for line in view[:12])
    assert view[11].split() == ["A2", "B2", "C2", "D2", "E2", "F2", "G2"]
    assert view[12] == "Line from eye to eye: A is A2, B is G2; X sight ends"
    assert main(["sight", walled, "A2", "G2"]) == 0
    assert "X sight ends" not in capsys.readouterr().out


def test_the_halves_are_reported_where_a_part_is_covered(capsys: pytest.CaptureFixture[str]) -> None:
    told = {
        ("frontier-trail", "todd", "bandit"): "Both halves: 44 % behind the cart at Q10.",
        ("warehouse", "spark", "nest"): "Left half: 100 % behind the crate at K2; right half: 52 % behind the",
    }
    for words, said in told.items():
        assert main(["sight", *words]) == 0
        assert said in capsys.readouterr().out
    assert main(["sight", "warehouse", "raven", "sergeant"]) == 0
    assert "half" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--from-square", "AK1"], "AK1 is off the map: the last square is AJ20."),
        (
            ["--from-square", "7"],
            "'7' is not a square: write column letters and a row number, like C7.",
        ),
        (["--posture", "prne"], "No posture is called 'prne'. Did you mean 'prone'?"),
    ],
)
def test_a_stance_that_cannot_be(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    assert failure(capsys, "frontier-trail", "todd", "bandit", *words) == said


@pytest.mark.parametrize("height", ["-3", "high", "1e3", "2.555"])
def test_a_height_that_cannot_be_is_wrong_usage(capsys: pytest.CaptureFixture[str], height: str) -> None:
    assert main(["sight", "frontier-trail", "todd", "bandit", "--altitude", height]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 2)
    assert "expected a number from 0" in printed.err


def test_unknown_unit_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    said = failure(capsys, "frontier-trail", "tod", "bandit")
    assert said == "No unit or square is called 'tod'. Did you mean 'todd'?"


def test_square_off_the_map_says_where_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(capsys, "frontier-trail", "todd", "AK1") == "AK1 is off the map: the last square is AJ20."


def test_unknown_map_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert failure(capsys, "warehous", "A1", "A2") == "No map is called 'warehous'. Did you mean 'warehouse'?"


def test_user_s_own_map_is_found_by_its_id(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = tmp_path / "data" / "maps"
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text(WALLED)
    assert sight(capsys, "mine", "A1", "B1")["map"] == "Walled"


@pytest.mark.parametrize("name", sorted(shipped_maps()))
def test_every_unit_of_a_shipped_map_can_be_looked_at(capsys: pytest.CaptureFixture[str], name: str) -> None:
    battle_map: BattleMap = load_map(shipped_maps()[name])
    first = battle_map.placements[0].id
    for unit in battle_map.placements:
        assert main(["sight", name, first, unit.id]) == 0
        assert unit.name in capsys.readouterr().out


@pytest.mark.parametrize("is_in_position", [False, True])
def test_volt_7_sight_and_view_know_the_firing_position_as_odds_does(*, is_in_position: bool) -> None:
    """Before, both spoke of the map alone: "Clear line of sight" where the attack was blocked."""
    table = fight("volt", "ao......b", a="rifleman", b="rifleman").posture("a", "kneeling")
    if is_in_position:
        table.condition("a", "in_position")
    scene = scene_of(table.battle, table.rules)
    for one, other in (("a", "b"), ("b", "a")):
        words = trace_ends(scene, one, other).trace.words
        assert words == table.shot(by=one, at=other).situation.words
        assert words == observe_map(scene, one).units[0].trace.words
        assert words.startswith("Blocked at B1") is not is_in_position


def test_sight_names_a_big_unit_in_the_way_as_odds_does() -> None:
    table = fight("aog", "a.c..b", "......", a="gunman", b="gunman", c="gunman")
    giant = replace(table.unit("c"), size=2)
    table.battle = replace(table.battle, units={**table.battle.units, "c": giant})
    assert trace_ends(scene_of(table.battle, table.rules), "a", "b").trace.words == table.shot().situation.words
