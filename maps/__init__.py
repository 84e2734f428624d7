"""Loading, checking and writing maps, and the shipped maps beside it."""

from maps.idle_parts import idle_parts
from maps.library import find_map, load_map, maps_in, read_text, shipped_maps
from maps.model import BattleMap
from maps.reader import parse_map, unit_tables
from maps.writer import write_map

__all__ = [
    "BattleMap",
    "find_map",
    "idle_parts",
    "load_map",
    "maps_in",
    "parse_map",
    "read_text",
    "shipped_maps",
    "unit_tables",
    "write_map",
]
