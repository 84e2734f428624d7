"""The map that the page on maps shows is one, and reads as the page says."""

import inspect
import re
from pathlib import Path

from engine.geometry.los.lighting import light_at
from engine.geometry.squares import Direction, Edge, parse_square
from maps import kinds, parse_map, placements, write_map
from scripts.write_tables import made

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


def test_the_page_has_every_key_of_a_unit() -> None:
    text = PAGE.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    spy = next(unit for unit in parse_map(text, "maps.md").placements if unit.id == "spy")
    assert spy.sheet == "sniper"
    calls = re.findall(r'reader, "(\w+)"|reader\.(?:text|whole|flag|table)\("(\w+)"', inspect.getsource(placements))
    keys = {first or second for first, second in calls}
    assert {"posture", "sheet", "stats", "character"} <= keys
    written = PAGE.read_text(encoding="utf-8")
    assert [key for key in sorted(keys) if re.search(rf"^{key} = ", written, re.MULTILINE) is None] == []


def test_the_table_of_signs_and_kinds_is_that_of_the_program_and_stands_before_the_map() -> None:
    """When this fails: `uv run python scripts/write_tables.py`."""
    text = PAGE.read_text(encoding="utf-8")
    assert text == made(PAGE)
    assert text.index("<!-- table: squares") < text.index("<!-- table: edges") < text.index("```toml")
    for word in (*kinds.TERRAINS, *kinds.OBJECTS, *kinds.EDGES):
        assert f"| `{word}` |" in text, word
