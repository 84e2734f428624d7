"""Brushes of the terrain editor, without a screen: keys, edits, how many squares a start zone needs."""

from __future__ import annotations

from pathlib import Path

from engine.battle.commands.terrain_commands import SetEdges, SetGround, SetLamp, SetSmoke, SetZone
from engine.geometry.battlefield import Lamp
from engine.geometry.squares import Direction, Square, parse_square
from tests.tui.play import session_for
from tui.application.library.map_check import map_findings
from tui.application.overlays.map_marks import BRIGHT, DIM, lamp_rings
from tui.application.presenter import brushes
from tui.application.presenter.brushes import BrushSet, first_brushes

P12 = parse_square("P12")


def test_a_brush_used_before_keeps_its_key_and_a_new_one_takes_the_first() -> None:
    first = first_brushes("feet")
    assert [(brush.kind, brush.name) for brush in first.last[:2]] == [("ground", "wall"), ("edge", "wall")]
    door = first.taking(first.last[2])
    assert (door.last, door.current, door.edge) == (first.last, first.last[2], first.last[2])
    bars = door.taking(brushes.edge_brush("bars", "feet"))
    assert [brush.name for brush in bars.last] == ["bars", "wall", "wall", "door", "crate", "rubble"]
    crate = bars.taking(first.last[3])
    assert isinstance(crate, BrushSet) and crate.edge.name == "bars", "the keys of the sides keep their edge"


def test_what_each_brush_paints_and_clears(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    field, east = session.battle.field, P12.step(Direction.E)
    known = {brush.name: brush for brush in brushes.brushes_to_paint(field)}
    edge = brushes.edge_brush("door", "feet")
    (crate,) = brushes.painted(known["crate"], field, (P12,), P12)
    assert isinstance(crate, SetGround) and (crate.ground.object, crate.ground.terrain) == ("crate", "dirt")
    assert brushes.painted(known["lamp"], field, (P12, east), east) == (SetLamp(east, 4, 8),)
    assert brushes.painted(known["thick smoke"], field, (P12,), P12) == (SetSmoke((P12,), 2),)
    assert brushes.painted(known["B"], field, (P12,), P12) == (SetZone("B", (P12,)),)
    assert brushes.cleared(known["B"], field, (P12,)) == (SetZone("B", (P12,), is_inside=False),)
    (around,) = brushes.painted(edge, field, (P12, east), P12)
    assert isinstance(around, SetEdges) and len(around.edges) == 6
    (north,) = brushes.painted(edge, field, (P12, east), P12, [Direction.N])
    assert isinstance(north, SetEdges) and len(north.edges) == 2
    session.close()


def test_a_lamp_has_two_rings_of_squares() -> None:
    rings = lamp_rings(Lamp(Square(10, 10), 2, 4))
    row = {square.column: tint for square, tint in rings.items() if square.row == 10}
    assert row == {6: DIM, 8: BRIGHT, 12: BRIGHT, 14: DIM}
    assert not lamp_rings(Lamp(Square(0, 0), 0, 0))
    assert len(lamp_rings(Lamp(Square(0, 0), 100, 100))) < 1000


def test_a_zone_that_is_walled_up_does_not_keep_the_map_from_being_saved(tmp_path: Path) -> None:
    session = session_for(tmp_path)
    assert map_findings(session) == ()
    wall = first_brushes("feet").current
    session.submit(SetZone("D", (P12,)))
    for edit in brushes.painted(wall, session.battle.field, (P12,), P12):
        session.submit(edit)
    assert map_findings(session) == (), "a zone in which nobody can stand is left out"
    session.close()
