"""Foundry scenes: what a wall is, which lamps shine, one level of several, and how much is not carried."""

from __future__ import annotations

from typing import Any

import pytest

from engine.errors import BattleboardError
from engine.geometry.battlefield import SKY, Barrier, Battlefield
from engine.geometry.squares import Direction, Edge, Square
from maps.importers import Imported, Scale, import_map
from tests.maps.test_importers import kind_at, refusal, taken

Scene = dict[str, Any]
WALL = {"move": 20, "sight": 20, "light": 20, "sound": 20, "door": 0, "ds": 0, "dir": 0}


def scene(*walls: Scene, **changes: Any) -> Scene:
    """Ten by ten squares of 5 feet, 100 pixels each, without padding."""
    grid = {"type": 1, "size": 100, "distance": 5, "units": "ft"}
    found: Scene = {"name": "Scene", "grid": grid, "width": 1000, "height": 1000, "padding": 0, "walls": list(walls)}
    return found | changes


def wall(x0: float, y0: float, x1: float, y1: float, **changes: Any) -> Scene:
    """A wall between two points, in squares."""
    return {**WALL, "c": [100 * x0, 100 * y0, 100 * x1, 100 * y1], **changes}


def field_of(*walls: Scene, **changes: Any) -> Battlefield:
    return taken(scene(*walls, **changes)).map.battlefield


def barrier_of(**changes: Any) -> Barrier:
    """What becomes of one wall on the west side of D4."""
    return field_of(wall(3, 3, 3, 4, **changes)).barriers[Edge(3, 3, "W")]


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({}, "wall"),
        ({"sight": 10}, "wall"),
        ({"sight": 30, "threshold": {"sight": 10}}, "window"),
        ({"sight": 40, "threshold": {"sight": 10}}, "window"),
        ({"sight": 0}, "bars"),
        ({"move": 0}, "closed curtain"),
        ({"move": 0, "sight": 10}, "closed curtain"),
        ({"door": 1}, "closed door"),
        ({"door": 1, "ds": 1}, "open door"),
        ({"door": 2, "ds": 2}, "locked door"),
        ({"door": 1, "ds": [1]}, "closed door"),
        ({"door": 1, "move": 0}, "closed curtain"),
    ],
)
def test_a_wall_is_what_it_keeps_from_passing(changes: Scene, kind: str) -> None:
    assert kind_at(field_of(wall(3, 3, 3, 4, **changes)), 3, 3, "W") == kind


@pytest.mark.parametrize(("sense", "kind"), [(0, "bars"), (1, "wall"), (2, "wall")])
def test_the_oldest_scenes_have_numbers_of_their_own(sense: int, kind: str) -> None:
    old = {"c": [300, 300, 300, 400], "move": 1, "sense": sense, "door": 0}
    assert kind_at(field_of(old, grid=100, gridType=1, gridDistance=5, gridUnits="ft"), 3, 3, "W") == kind


def test_a_door_of_bars_is_seen_through_while_it_is_closed() -> None:
    door = barrier_of(door=1, sight=0)
    assert (door.kind, door.state, door.blocks_sight, door.blocks_movement) == ("door", "closed", False, True)


@pytest.mark.parametrize(
    ("ends", "dir", "way"),
    [
        ((3, 3, 3, 4), 1, Direction.E),
        ((3, 3, 3, 4), 2, Direction.W),
        ((3, 4, 3, 3), 1, Direction.W),
        ((3, 4, 3, 3), 2, Direction.E),
        ((3, 3, 4, 3), 1, Direction.N),
        ((3, 3, 4, 3), 2, Direction.S),
        ((4, 3, 3, 3), 1, Direction.S),
    ],
)
def test_a_one_way_wall_is_passed_from_its_side(ends: tuple[float, ...], dir: int, way: Direction) -> None:
    """Foundry's left, 1, is west of a wall that is drawn downwards; from there one looks and walks through."""
    found = taken(scene(wall(*ends, dir=dir)))
    (barrier,) = found.map.battlefield.barriers.values()
    assert (barrier.seen_through, barrier.walked_through, barrier.stops_shots) == (way, way, False)
    assert "1 one-way wall stops no shots." in found.notes


def test_a_one_way_curtain_holds_nobody_up() -> None:
    curtain = barrier_of(move=0, dir=1)
    assert (curtain.seen_through, curtain.walked_through) == (Direction.E, None)


def test_a_door_across_two_squares_is_one_door() -> None:
    field = field_of(wall(3, 3, 3, 5, door=1), wall(6, 3, 6, 4, door=1))
    both = (Edge(3, 3, "W"), Edge(3, 4, "W"))
    assert field.one_door(both[0]) == both
    assert all(field.with_state(both[0], "open").barriers[edge].is_open for edge in both)
    assert field.barriers[Edge(6, 3, "W")].door == ""


# --- light ----------------------------------------------------------------------------------------------------------


def lit(level: float, enabled: bool, **light: Any) -> Scene:
    return {"environment": {"darknessLevel": level, "globalLight": {"enabled": enabled, **light}}}


def lamp(**changes: Any) -> Scene:
    config = {"dim": 20, "bright": 10, "angle": 360, **changes.pop("config", {})}
    return {"x": 150, "y": 150, "hidden": False, "config": config, **changes}


@pytest.mark.parametrize(
    ("changes", "light"),
    [
        (lit(1, False), "dark"),
        (lit(0.3, False), "dark"),
        (lit(0, True), "bright"),
        (lit(0.8, True), "dim"),
        (lit(0.8, True, bright=True), "bright"),
        (lit(0.8, True, darkness={"min": 0, "max": 0.5}), "dark"),
        (lit(0, False), "bright"),
        (lit(0, False) | {"lights": [lamp()]}, "dark"),
        (lit(0, False) | {"lights": [lamp(hidden=True)]}, "bright"),
        (lit(1, False) | {"tokenVision": False}, "bright"),
        ({"darkness": 0.9, "globalLight": False}, "dark"),
        ({"darkness": 0.9, "globalLight": True, "globalLightThreshold": 0.5}, "dark"),
        ({"darkness": 0.2, "globalLight": True, "globalLightThreshold": None}, "bright"),
        ({}, "bright"),
    ],
)
def test_without_global_light_a_scene_is_dark_where_no_lamp_shines(changes: Scene, light: str) -> None:
    assert set(field_of(**changes).light) == {("dark", "dim", "bright").index(light)}


@pytest.mark.parametrize(
    ("light", "said"),
    [
        (lamp(hidden=True), "1 lamp is not carried: it is off."),
        (lamp(config={"darkness": {"min": 0.5, "max": 1}}), "1 lamp is not carried: it is off."),
        (lamp(config={"negative": True}), "1 source of darkness is not carried."),
        (lamp(config={"dim": -20, "bright": 0}), "1 source of darkness is not carried."),
    ],
)
def test_lamps_that_are_off_stay_off(light: Scene, said: str) -> None:
    found = taken(scene(lights=[light]))
    assert found.map.battlefield.lamps == ()
    assert said in found.notes


@pytest.mark.parametrize("scale", [None, Scale(1000, "feet"), Scale(150, "metres")])
def test_lamps_reach_as_many_squares_as_in_the_scene_whatever_a_square_is(scale: Scale | None) -> None:
    found = taken(scene(lights=[lamp(config={"angle": 60})]), scale)
    assert [(one.at, one.bright, one.dim) for one in found.map.battlefield.lamps] == [(Square(1, 1), 2, 4)]
    assert "1 lamp with a cone shines all around." in found.notes


# --- levels and heights ---------------------------------------------------------------------------------------------

KEEP: Scene = {
    "levels": [
        {"_id": "d", "name": "Dungeon", "elevation": {"bottom": -20, "top": 0}},
        {"_id": "f", "name": "First Floor", "elevation": {"bottom": 0, "top": 20}},
        {"_id": "r", "name": "Roof", "elevation": {"bottom": 20, "top": None}},
    ],
    "initialLevel": "f",
    "walls": [
        wall(1, 1, 1, 2, levels=["d"]),
        wall(2, 1, 2, 2, levels=["f"]),
        wall(3, 1, 3, 2, levels=["f", "r"]),
        wall(4, 1, 4, 2, levels=[]),
        wall(5, 1, 5, 2, levels=["r"]),
    ],
    "lights": [lamp(levels=["d"]), lamp(levels=["f"], x=250)],
}


def leveled(value: Scene, level: str = "") -> Imported:
    import json

    return import_map(json.dumps(scene(**value)), "there.file", "The cellar", None, level)


def heights(field: Battlefield) -> dict[int, tuple[int, int]]:
    """Bottom and top of the walls between columns, by column."""
    return {edge.column: (one.bottom, one.top) for edge, one in field.barriers.items()}


def test_one_level_is_imported_and_the_others_are_named() -> None:
    found = leveled(KEEP)
    field = found.map.battlefield
    assert heights(field) == {2: (0, 2000), 3: (0, SKY), 4: (0, SKY)}
    assert [one.at for one in field.lamps] == [Square(2, 1)]
    assert "The level imported is First Floor. Not carried: Dungeon, Roof. --level NAME imports another." in found.notes


@pytest.mark.parametrize(("level", "columns"), [("dungeon", [1, 4]), ("Roof", [3, 4, 5])])
def test_a_level_may_be_named(level: str, columns: list[int]) -> None:
    assert sorted(heights(leveled(KEEP, level).map.battlefield)) == columns


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(Exception, match="it has no level 'Attic'; it has Dungeon, First Floor, Roof"):
        leveled(KEEP, "Attic")
    with pytest.raises(Exception, match="it has no levels, so there is no level 'Attic'"):
        leveled({}, "Attic")


def high(bottom: Any, top: Any) -> Scene:
    return {"flags": {"wall-height": {"bottom": bottom, "top": top}}}


TOWER: Scene = {
    "flags": {"levels": {"sceneLevels": [["10", "19", "Upstairs"], ["0", "9", "Ground Floor"]]}},
    "walls": [
        wall(1, 1, 1, 2, **high(0, 9)),
        wall(2, 1, 2, 2, **high(10, 19)),
        wall(3, 1, 3, 2, **high(None, None)),
        wall(4, 1, 4, 2, **high(0, 29)),
    ],
}


@pytest.mark.parametrize(
    ("level", "walls"),
    [
        ("", {1: (0, 900), 3: (0, SKY), 4: (0, 2900)}),
        ("Upstairs", {2: (0, 900), 3: (0, SKY), 4: (0, 1900)}),
    ],
)
def test_levels_of_the_module_are_reported_by_heights(level: str, walls: dict[int, tuple[int, int]]) -> None:
    assert heights(leveled(TOWER, level).map.battlefield) == walls


@pytest.mark.parametrize(
    ("flags", "height"),
    [
        (high(0, 3), (0, 300)),
        (high(3, 8.5), (300, 850)),
        (high(None, 10), (0, 1000)),
        (high(-10, 10**7), (0, SKY)),
        (high("x", True), (0, SKY)),
        ({"flags": {"wallHeight": {"wallHeightBottom": None, "wallHeightTop": 4}}}, (0, 400)),
    ],
)
def test_walls_are_as_high_as_they_say(flags: Scene, height: tuple[int, int]) -> None:
    found = barrier_of(**flags)
    assert (found.bottom, found.top) == height


def test_heights_are_counted_in_squares_where_the_scale_is_another() -> None:
    field = taken(scene(wall(3, 3, 3, 4, **high(0, 10))), Scale(150, "metres")).map.battlefield
    assert heights(field) == {3: (0, 300)}


def test_what_hangs_overhead_is_walked_under_and_hides_no_door() -> None:
    field = field_of(wall(3, 3, 3, 4, **high(10, 20)), wall(3, 3, 3, 4, door=1), wall(5, 3, 5, 4, **high(10, 20)))
    assert kind_at(field, 3, 3, "W") == "closed door"
    over = field.barriers[Edge(5, 3, "W")]
    assert (over.bottom, over.top, over.blocks_movement) == (1000, 2000, False)


def test_walls_below_the_floor_are_counted() -> None:
    found = taken(scene(wall(3, 3, 3, 4, **high(-20, -10))))
    assert found.map.battlefield.barriers == {}
    assert "1 wall below the floor is not carried." in found.notes


def test_what_is_not_carried_is_counted() -> None:
    found = taken(scene(sounds=[{}] * 12, tiles=[{}] * 3, tokens=[{}], regions=[], notes=None))
    assert "1 token, 3 tiles, 12 sounds are not carried." in found.notes
    one = taken(scene(drawings=[{}]))
    assert "1 drawing is not carried." in one.notes


@pytest.mark.parametrize(
    "changes",
    [
        {"levels": 3},
        {"levels": [3, {}, {"elevation": 3, "name": 4}]},
        {"flags": {"levels": {"sceneLevels": [[1], 3, ["", "", None], [float(1), "nan", []]]}}},
        {"environment": 3, "tokens": None},
        {"environment": {"globalLight": 3, "darknessLevel": "x"}},
        {"lights": [lamp(config={"darkness": 3, "angle": "x"})]},
        {"walls": [wall(1, 1, 1, 2, flags=3), wall(2, 1, 2, 2, door=[1], sight={}, move="x", dir="1")]},
    ],
)
def test_strange_fields_break_nothing(changes: Scene) -> None:
    taken(scene(**changes))


def test_a_list_that_is_none_is_refused() -> None:
    assert "sounds is not a list" in refusal(scene(sounds={"a": 1}))


def test_an_open_door_makes_no_hole_in_a_wall_that_it_meets() -> None:
    """Off the grid a wall and the door beside it can cross the way between the same two squares."""
    walls = wall(3.05, 0, 3.11, 4.79), wall(3.11, 4.79, 10, 4.81)
    field = field_of(*walls, wall(3.37, 4.37, 3.37, 6, door=1, ds=1))
    assert kind_at(field, 3, 4, "W") == "wall"
    assert kind_at(field, 3, 5, "W") == "open door"


def test_an_open_door_with_no_edge_of_its_own_is_a_door_still() -> None:
    field = field_of(wall(3, 0, 3.2, 4.6), wall(3.4, 4.45, 3.4, 5.2, door=1, ds=1))
    assert kind_at(field, 3, 4, "W") == "open door"


def test_two_doors_in_one_place_that_are_in_different_states_are_two_doors() -> None:
    """The doors are on the same line; the open one gives way to a wall that only the closed one makes a hole in."""
    ends = {"c": [150, 150, 0, 0]}
    doors = [{**WALL, **ends, "door": 1, "ds": 1}, {**WALL, **ends, "door": 1, "ds": 0}]
    grid = {"type": 1, "size": 50, "distance": 5, "units": "ft"}
    found = taken(scene({**WALL, "c": [150, 100, 0, 200]}, *doors, grid=grid, width=200, height=200))
    assert {barrier.state for barrier in found.map.battlefield.barriers.values()} == {"", "open", "closed"}


def test_a_door_drawn_twice_is_called_so() -> None:
    found = taken(scene(wall(3, 3, 3, 4, door=1), wall(3, 4, 3, 3, door=1)))
    assert "Left out: doors and windows drawn again in the same place: 1." in found.notes
    assert not any("stronger" in note for note in found.notes)


@pytest.mark.parametrize("top", [3.001, 3.004])
def test_walls_without_height_are_counted(top: float) -> None:
    found = taken(scene(wall(3, 3, 3, 4, **high(3, top)), wall(5, 3, 5, 4, door=1, **high(3, top))))
    assert found.map.battlefield.barriers == {}
    assert "2 walls without height are not carried." in found.notes


def test_walls_above_every_height_are_counted() -> None:
    found = taken(scene(wall(3, 3, 3, 4, **high(20_000, 30_000))))
    assert found.map.battlefield.barriers == {}
    assert "1 wall higher than a map can be is not carried." in found.notes


def test_a_grid_of_no_size_is_refused_by_that() -> None:
    grid = {"type": 1, "size": 0.5, "distance": 5, "units": "ft"}
    assert "grid.size is 0.5 pixels; expected 1 or more" in refusal(scene(grid=grid))


@pytest.mark.parametrize("distance", [1e-320, 1e-9, 10**7, -1])
def test_a_grid_of_no_sensible_distance_is_no_trouble(distance: float) -> None:
    grid = {"type": 1, "size": 100, "distance": distance, "units": "ft"}
    taken(scene(wall(3, 3, 3, 4, **high(0, 10)), grid=grid, lights=[lamp()]))


def test_many_levels_are_reported_in_one_line() -> None:
    many = [{"_id": str(number), "name": f"{number} {'x' * 76}", "elevation": {}} for number in range(100)]
    notes = leveled({"levels": many}).notes
    told = next(note for note in notes if note.startswith("The level imported is 0 x"))
    assert "5 x" in told
    assert "and 93 more. --level NAME imports another." in told
    assert len(told) < 1000
    with pytest.raises(BattleboardError, match=r"it has 0 x.* and 94 more\.$"):
        leveled({"levels": many}, "Attic")
