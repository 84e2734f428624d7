"""Finding and loading maps: names, paths, folders, and files that are no maps."""

import os
from pathlib import Path

import pytest

from engine.errors import BattleboardError, Unknown, Unreadable
from engine.geometry.battlefield import LIGHTS
from engine.geometry.body import body
from engine.geometry.los.sight import trace
from engine.geometry.squares import Direction, Square
from maps import BattleMap, find_map, load_map, maps_in, shipped_maps
from maps.model import MOST_BYTES

GOOD = "format = 1\nname = 'x'\n[scale]\nsquare = 5\nunit = 'feet'\n[map]\nsquares = '''\n...\n'''\n"


def message(path: Path) -> str:
    with pytest.raises(BattleboardError) as caught:
        load_map(path)
    return str(caught.value)


def shipped(id: str) -> BattleMap:
    return load_map(shipped_maps()[id])


def test_three_maps_ship() -> None:
    assert list(shipped_maps()) == ["frontier-trail", "rooftops", "warehouse"]


@pytest.mark.parametrize("id", shipped_maps())
def test_shipped_map_is_a_fight(id: str) -> None:
    battle_map = shipped(id)
    field = battle_map.battlefield
    assert 24 <= field.columns <= 40 and 14 <= field.rows <= 24
    assert battle_map.description
    assert len(battle_map.placements) >= 8
    assert len({unit.side for unit in battle_map.placements}) >= 2
    bodies = {unit: body(unit.at, field.unit, unit.posture, unit.size, unit.altitude) for unit in battle_map.placements}
    shots = [
        (unit.id, other.id)
        for unit, one in bodies.items()
        for other, two in bodies.items()
        if unit.side != other.side and trace(field, one, two).visible > 0
    ]
    assert len(shots) >= 8


def test_todd_and_the_bandit_stand_as_in_the_worked_example() -> None:
    battle_map = shipped("frontier-trail")
    field = battle_map.battlefield
    units = {unit.id: unit for unit in battle_map.placements}
    todd, bandit = units["todd"], units["bandit"]
    assert (todd.role, todd.side, bandit.role, bandit.side) == ("gunman", "law", "gunman", "outlaws")
    found = trace(field, body(todd.at, "feet"), body(bandit.at, "feet"))
    assert (found.columns_apart, found.rows_apart, found.rise, found.smoke, found.light) == (4, 0, 0, 0, "bright")
    assert 0.25 < found.covered < 0.6
    assert found.cover is not None
    assert found.cover.cover == "medium"


def test_warehouse_shows_thin_walls_locked_doors_smoke_and_darkness() -> None:
    field = shipped("warehouse").battlefield
    states = {barrier.state for barrier in field.barriers.values()}
    assert {"closed", "open", "locked"} <= states
    assert {"wall", "window", "railing", "strip curtain", "cage"} <= {item.kind for item in field.barriers.values()}
    assert set(field.smoke) == {0, 1, 2}
    assert {LIGHTS[light] for light in field.light} == set(LIGHTS)


def test_rooftops_has_things_in_the_air() -> None:
    units = {unit.role: unit for unit in shipped("rooftops").placements}
    assert units["flyer"].altitude == 1400
    assert units["drone"].altitude == 1700
    assert units["leader"].facing is Direction.W


def test_find_prefers_a_path_then_the_folders_then_what_ships(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    for folder in (own, other):
        folder.mkdir()
        (folder / "warehouse.toml").write_text(GOOD)
    (tmp_path / "rooftops").mkdir()
    monkeypatch.chdir(tmp_path)
    assert find_map("rooftops") == shipped_maps()["rooftops"]
    assert find_map("warehouse", [own, other]) == own / "warehouse.toml"
    assert find_map("warehouse.toml", [other]) == other / "warehouse.toml"
    assert find_map("own/warehouse.toml") == Path("own/warehouse.toml")
    assert list(maps_in(own)) == ["warehouse"]
    assert maps_in(tmp_path / "nowhere") == {}


@pytest.mark.parametrize("name", ["warehose", "no/such.toml", "", "a\0b"])
def test_unknown_name(name: str) -> None:
    with pytest.raises(Unknown) as caught:
        find_map(name, [])
    if name == "warehose":
        assert "Did you mean 'warehouse'?" in str(caught.value)


def test_good_file_loads(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    loaded = load_map(tmp_path / "x.toml")
    assert loaded.battlefield.columns == 3
    assert loaded.battlefield.ground_at(Square(2, 0)).name == "floor"


def test_file_that_is_no_map(tmp_path: Path) -> None:
    assert message(tmp_path).endswith("is a folder; expected a map file.")
    assert message(tmp_path / "none.toml").startswith("There is no file")
    assert "cannot be read" in message(Path("a\0b"))
    os.mkfifo(tmp_path / "pipe")
    assert message(tmp_path / "pipe").endswith("is not a plain file; expected a map file.")
    (tmp_path / "bytes.toml").write_bytes(b"a = 1\nb = '\xff'")
    assert message(tmp_path / "bytes.toml").endswith(":2:6: byte 0xFF is not UTF-8; expected a text")
    with (tmp_path / "huge.toml").open("wb") as huge:
        huge.truncate(MOST_BYTES + 1)
    assert "too large" in message(tmp_path / "huge.toml")


def test_message_names_the_file_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(GOOD.replace("...", ".Q."))
    with pytest.raises(Unreadable):
        load_map(path)
    assert message(path).startswith(f"{path}:8:2: 'Q' is not in the legend")
