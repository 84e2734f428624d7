"""The map that the page on maps shows is one, and reads as the page says."""

from pathlib import Path

from engine.geometry.squares import Direction, Edge, parse_square
from engine.geometry.visibility.lighting import light_at
from maps import parse_map, write_map

PAGE = Path(__file__).parents[2] / "docs" / "maps.md"


def test_the_documented_map_is_read_and_written() -> None:
    text = PAGE.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    found = parse_map(text, "maps.md")
    field = found.battlefield
    assert parse_map(write_map(found), "written.toml") == found
    assert field.barriers[Edge(4, 2, "W")].seen_through is Direction.E
    assert field.barriers[Edge(4, 3, "W")].walked_through is Direction.E
    assert field.one_door(Edge(2, 1, "W")) == (Edge(2, 1, "W"), Edge(2, 2, "W"))
    found_light = {name: light_at(field, parse_square(name)) for name in ("G3", "G2", "F2", "E3", "C3")}
    assert found_light == {"G3": "bright", "G2": "bright", "F2": "dim", "E3": "dim", "C3": "dark"}
