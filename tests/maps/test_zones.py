"""Start zones of maps: read, refused with a place, written back."""

import pytest

from engine.errors import Unreadable
from engine.geometry.squares import Square
from engine.geometry.zones import AMBUSH, START, StartZone
from maps import load_map, parse_map, shipped_maps, write_map

ROOM = """\
format = 1
name = "Room"

[scale]
square = 5
unit = "feet"

[map]
squares = '''
#....
.....
.....
'''

"""


def problems(zone: str) -> list[tuple[int, int, str]]:
    with pytest.raises(Unreadable) as caught:
        parse_map(f"{ROOM}[[zone]]\n{zone}", "room.toml")
    return [(problem.line, problem.column, problem.message) for problem in caught.value.problems]


def test_zones_are_squares_and_rectangles_and_read_back_the_same() -> None:
    zones = '[[zone]]\nid = "A"\nlabel = "the door"\nsquares = ["C2", "D3:B1"]\n[[zone]]\nid = "C"\nsquares = "E1"\n'
    found = parse_map(ROOM + zones + 'kind = "ambush"\n', "room.toml")
    first, second = found.battlefield.zones
    assert (first.name, first.kind, len(first.squares)) == ("zone A (the door)", START, 9)
    assert [square.name for square in first.squares[:4]] == ["C2", "B1", "C1", "D1"]
    assert second == StartZone("C", ((Square(4, 0), Square(4, 0)),), kind=AMBUSH)
    assert parse_map(write_map(found), "again.toml") == found


@pytest.mark.parametrize(
    ("zone", "place", "part"),
    [
        ('id = "A"', (15, 3), "has no 'squares'"),
        ('squares = "A2"', (15, 3), "has no 'id'"),
        ('id = "A"\nsquares = []', (17, 11), "the zone has 0 squares or rectangles; expected 1 to 200"),
        ('id = "A"\nsquares = "A2:F2"', (17, 11), "F2 is off the map; expected squares from A1 to E3"),
        ('id = "A"\nsquares = ["A2", "9"]', (17, 18), "'9' is not a square; expected a square or a rectangle"),
        ('id = "A"\nsquares = ["A2", "a2:A2"]', (17, 18), "'a2:A2' stands in the zone twice"),
        ('id = "A"\nsquares = "A1:B1:C1"', (17, 11), "expected two corners, such as A1:F4"),
        ('id = "A"\nsquares = "A1"', (17, 11), "nobody can stand in zone A; expected open ground"),
        ('id = "A B"\nsquares = "B1"', (16, 6), "'A B' is not a valid id"),
        ('id = "A"\nsquares = "B1"\nkind = "end"', (18, 8), "known values: start, ambush"),
        ('id = "A"\nsquares = "B1"\nlabell = "x"', (18, 1), "did you mean 'label'?"),
        ('id = "A"\nsquares = "B1"\n[[zone]]\nid = "a"\nsquares = "B2"', (19, 6), "the id 'a' is already used"),
    ],
)
def test_bad_zone(zone: str, place: tuple[int, int], part: str) -> None:
    found = problems(zone)
    assert found[0][:2] == place
    assert part in found[0][2]


def test_all_problems_come_at_once() -> None:
    assert len(problems('id = "A B"\nsquares = ["Z1", "9"]\nkind = "end"\nx = 1')) == 5


@pytest.mark.parametrize("id", shipped_maps())
def test_shipped_maps_have_two_start_zones_and_an_ambush(id: str) -> None:
    zones = load_map(shipped_maps()[id]).battlefield.zones
    assert [(zone.id, zone.kind) for zone in zones] == [("A", START), ("B", START), ("C", AMBUSH)]
