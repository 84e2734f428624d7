"""The battlefield in the GM's hand: ground, heights, edges, light, lamps; all of it survives the journal."""

from __future__ import annotations

import pytest

from engine.battle.commands.ruling_commands import SetRuling
from engine.battle.commands.scene_commands import SetCloud
from engine.battle.commands.terrain_commands import (
    Draw,
    SetEdges,
    SetElevation,
    SetGround,
    SetLamp,
    SetLight,
    SetSmoke,
    SetZone,
)
from engine.battle.commands.unit_edits import Place
from engine.battle.setup import begin
from engine.battle.state.battle import Battle, Worn
from engine.geometry.battlefield import Barrier, Ground, OffMap
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import Direction, Edge, Square, parse_square
from engine.journal.history import event_rows, replay
from engine.values import replace
from maps import kinds
from tests.rules.table import Table, fight, ruleset

WALL = kinds.ground("wall", "", "feet", "#")
RUBBLE = kinds.ground("rubble", "", "feet", ",")
CRATE = kinds.ground("floor", "crate", "feet", "o")


def room(toml: str = "") -> Table:
    return fight("occult-ops", "a....", ".....", "....b", toml=toml, a="gunman", b="gunman")


def squares(*names: str) -> tuple[Square, ...]:
    return tuple(map(parse_square, names))


def test_ground_is_laid_and_stands_in_the_way() -> None:
    table = room()
    assert table.shot().situation.trace.clear
    assert table.do(SetGround(squares("C2", "B2", "D2", "C2"), WALL)) == ["GM: B2, C2, D2: wall."]
    assert not table.shot().situation.trace.clear
    assert table.battle.field.ground_at(parse_square("C2")) == WALL
    lines = table.do(SetGround(squares("B2", "C2", "D2"), RUBBLE, "shot to pieces"))
    assert lines == ["GM: B2, C2, D2: rubble, shot to pieces."]
    assert table.shot().situation.trace.clear


def test_ground_that_is_there_already_or_would_hold_somebody_fast_is_refused() -> None:
    table = room()
    floor = table.battle.field.ground_at(parse_square("C2"))
    assert table.refusal(SetGround(squares("C2"), floor)) == "Nothing would change: already floor."
    assert table.refusal(SetGround(squares("A1"), WALL)) == "A stands on A1: no room for wall."
    table.do(SetGround(squares("A1"), RUBBLE))
    with pytest.raises(OffMap):
        table.do(SetGround(squares("Z1"), RUBBLE))


def test_what_covers_is_whole_again_where_the_ground_is_laid_anew() -> None:
    table = room()
    table.do(SetGround(squares("C2"), CRATE))
    edge = Edge(2, 1, "W")
    table.battle = replace(
        table.battle,
        scene=replace(table.battle.scene, worn=(Worn(parse_square("C2"), None, 3), Worn(parse_square("C2"), edge, 2))),
    )
    table.do(SetGround(squares("C2"), RUBBLE))
    assert [worn.edge for worn in table.battle.scene.worn] == [edge]
    table.do(SetEdges((edge,), kinds.barrier("wall", "feet")))
    assert table.battle.scene.worn == ()


def test_the_ground_is_raised_with_one_who_stands_there() -> None:
    table = room()
    assert table.do(SetElevation(squares("A1", "B1"), 1000)) == ["GM: elevation of A1, B1: 10 ft."]
    assert table.battle.field.elevation_at(parse_square("A1")) == 1000
    assert table.shot().situation.trace.rise == -1000
    assert "already at that elevation" in table.refusal(SetElevation(squares("A1"), 1000))
    assert "Elevation must be" in table.refusal(SetElevation(squares("A1"), 10**7))


def test_walls_are_drawn_along_edges_and_taken_away() -> None:
    table = room()
    edges = tuple(Edge(2, row, "W") for row in range(3))
    assert table.do(SetEdges(edges, kinds.barrier("wall", "feet"))) == ["GM: wall placed on 3 edges."]
    assert not table.shot().situation.trace.clear
    assert table.refusal(SetEdges(edges, kinds.barrier("wall", "feet"))) == "Nothing would change: already wall."
    assert table.do(SetEdges(edges[:1], None)) == ["GM: barrier removed from C1 W."]
    assert table.refusal(SetEdges(edges[:1], None)) == "Nothing would change: already empty."
    with pytest.raises(OffMap):
        table.do(SetEdges((Edge(9, 9, "N"),), None))
    mirror = replace(kinds.barrier("mirror", "feet"), seen_through=Direction.N)
    assert "across the edge" in table.refusal(SetEdges(edges[:1], mirror))


def test_light_is_set_for_some_squares_and_for_all() -> None:
    table = room()
    no_rule = "Occult Ops has no rule for it, but the ruling “Modifier for dim light or darkness” can give it one."
    assert table.do(SetLight("dark")) == [f"GM: light on the whole map: dark. {no_rule}"]
    assert table.shot().situation.trace.light == "dark"
    assert table.do(SetLight("dim", squares("E3"))) == [f"GM: light on E3: dim. {no_rule}"]
    assert table.shot().situation.trace.light == "dim"
    assert table.refusal(SetLight("dim", squares("E3"))) == "Nothing would change: already dim."
    assert "No light is called 'gloomy'" in table.refusal(SetLight("gloomy"))
    assert table.do(SetLight("bright")) == ["GM: light on the whole map: bright."]
    table.do(SetRuling("darkness", -20))
    assert table.do(SetLight("dark")) == ["GM: light on the whole map: dark."], "the ruling is a rule for it"


def test_smoke_is_laid_square_by_square_and_clouds_keep_their_own() -> None:
    table = room()
    assert table.do(SetSmoke(squares("B2", "C2"), 2)) == ["GM: thick smoke on B2, C2."]
    assert table.battle.field.smoke_at(parse_square("B2")) == 2
    assert table.refusal(SetSmoke(squares("B2"), 2)) == "Nothing would change: already thick smoke."
    assert "not 3" in table.refusal(SetSmoke(squares("B2"), 3))
    table.do(SetCloud(parse_square("D2"), 0))
    table.do(SetSmoke(squares("B2", "C2", "D2"), 0))
    assert not any(table.battle.bare_field.smoke)
    assert table.battle.field.smoke_at(parse_square("D2")) == 2, "the cloud is still there"


def test_a_start_zone_is_made_grown_cut_and_removed() -> None:
    table = room()
    assert table.do(SetZone("A", squares("A1", "B1", "A2", "B2"))) == ["GM: zone A: A1, B1, A2, B2."]
    (zone,) = table.battle.field.zones
    assert [f"{first.name}:{last.name}" for first, last in zone.areas] == ["A1:B2"]
    assert table.refusal(SetZone("a", squares("A1"))) == "Nothing would change: already in zone A."
    table.do(SetZone("a", squares("C1")))
    table.do(SetZone("A", squares("A2", "B2"), is_inside=False))
    assert [square.name for square in table.battle.field.zones[0].squares] == ["A1", "B1", "C1"]
    assert (
        table.refusal(SetZone("A", squares("A2"), is_inside=False)) == "Nothing would change: already outside zone A."
    )
    assert table.do(SetZone("A", squares("A1", "B1", "C1"), is_inside=False)) == ["GM: zone A removed."]
    assert "up to 16 letters" in table.refusal(SetZone("the yard", squares("A1")))
    assert not table.battle.field.zones


@pytest.mark.parametrize("name", ["aog", "cwn", "eva", "volt"])
def test_a_ruleset_with_a_rule_for_darkness_does_not_say_that_it_has_none(name: str) -> None:
    role = next(iter(ruleset(name).units.sheets))
    table = fight(name, "a...b", a=role, b=role)
    assert table.do(SetLight("dark")) == ["GM: light on the whole map: dark."]


def test_a_lamp_is_hung_changed_and_put_out() -> None:
    table = room()
    table.do(SetLight("dark"))
    here = parse_square("C2")
    assert table.do(SetLamp(here, 1, 3)) == ["GM: lamp over C2, bright to 1, dim to 3 squares."]
    assert light_at(table.battle.field, parse_square("C1")) == "bright"
    table.do(SetLamp(here, 0, 3, 800))
    assert [lamp.bright for lamp in table.battle.field.lamps] == [0]
    assert "already hangs over C2" in table.refusal(SetLamp(here, 0, 3, 800))
    assert "dim light at least as far" in table.refusal(SetLamp(here, 5, 3))
    assert "above the ground" in table.refusal(SetLamp(here, 1, 3, -1))
    assert table.do(SetLamp(here, 0, 0)) == ["GM: lamp over C2 removed."]
    assert table.refusal(SetLamp(here, 0, 0)) == "There is no lamp over C2."


def test_a_lamp_goes_out_where_a_wall_is_built_around_it() -> None:
    table = room()
    table.do(SetLamp(parse_square("C2"), 1, 3))
    table.do(SetGround(squares("C2"), WALL))
    assert table.battle.field.lamps == ()
    assert table.refusal(SetLamp(parse_square("C2"), 1, 3)) == "No lamp can shine from C2: wall."


def test_smoke_lies_as_before_on_a_field_that_is_changed() -> None:
    table = room()
    table.do(SetCloud(parse_square("C2"), 1))
    assert table.battle.field.smoke_at(parse_square("B1"))
    table.do(SetGround(squares("C1", "B1"), WALL))
    table.do(SetGround(squares("C1", "B1"), RUBBLE))
    assert table.battle.field.smoke_at(parse_square("B1"))
    assert not any(table.battle.bare_field.smoke)


def test_a_stroke_changes_several_things_and_passes_over_what_is_so_already() -> None:
    table = room()
    edge = Edge(3, 1, "W")
    stroke = Draw((SetGround(squares("C2"), CRATE), SetElevation(squares("C2"), 500), SetEdges((edge,), None)))
    assert len(table.do(stroke)) == 2
    assert table.refusal(stroke) == "Nothing would change."
    assert "A stands on A1" in table.refusal(Draw((SetGround(squares("C3"), CRATE), SetGround(squares("A1"), WALL))))


def test_a_changed_field_comes_back_from_the_journal() -> None:
    table = room()
    start = Battle(table.battle.field)
    history = [event_rows((begin((), table.rules, "x"),))]
    wishes = (
        SetGround(squares("C2", "D2"), CRATE),
        SetElevation(squares("C1"), 500),
        SetEdges((Edge(3, 0, "W"),), replace(kinds.barrier("mirror", "feet"), seen_through=Direction.E)),
        SetLight("dim", squares("E1")),
        SetLamp(parse_square("B2"), 1, 2, 300),
        SetCloud(parse_square("C2"), 1),
        SetGround(squares("C2"), RUBBLE, "shot to pieces"),
        Place("a", parse_square("B1")),
    )
    for wish in wishes[:-1]:
        table.do(wish)
        history.append(event_rows(table.events))
    again = replay(start, history).battle
    assert again.field == table.battle.field
    assert again.bare_field == table.battle.bare_field


def test_barriers_and_grounds_are_written_with_all_they_are() -> None:
    odd = Ground("moss", "idol", 250, True, False, True, False, "heavy", 3, "!")
    pane = Barrier("pane", "locked", 10, 900, 90, 200, False, True, False, True, "light", Direction.E, None)
    table = room()
    table.do(SetGround(squares("C2"), odd))
    table.do(SetEdges((Edge(2, 0, "W"),), pane))
    assert table.battle.field.ground_at(parse_square("C2")) == odd
    assert table.battle.field.barriers[Edge(2, 0, "W")] == pane
