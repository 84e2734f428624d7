"""Signs, kinds and words of maps, read from the built-in kinds: the tables of docs/maps.md.

`uv run python scripts/write_tables.py` writes the tables.
"""

from __future__ import annotations

from engine.geometry.battlefield import SKY, Barrier, Ground, Height
from maps import kinds
from tui.application.commands.handbook import table

EFFECTS = ("blocks_sight", "stops_shots", "blocks_movement", "contains_blast")
BLOCKS = ("sight", "shots", "movement", "blasts")
"""What each of them is called in a table."""
SQUARE_HEAD = ("sign", "word", "height", "blocks", "cover", "cost")
EDGE_HEAD = ("sign", "word", "height", "blocks", "cover", "state")


def squares_table() -> str:
    """Everything that may fill a square: terrain, objects, and what opens a wall."""
    rows = [
        *(
            _square(name, kinds.ground(name, "", "feet", " "), kinds.ground(name, "", "metres", " "))
            for name in kinds.TERRAINS
        ),
        *(
            _square(name, *(kinds.ground("floor", name, unit, " ") for unit in ("feet", "metres")))
            for name in kinds.OBJECTS
        ),
    ]
    return table(SQUARE_HEAD, rows)


def edges_table() -> str:
    """Everything that may stand on the side of a square."""
    return table(EDGE_HEAD, [_edge(name) for name in kinds.EDGES])


def _square(name: str, feet: Ground, metres: Ground) -> tuple[str, ...]:
    height = _heights(feet.height, metres.height)
    return _signs(name, kinds.SQUARE_GLYPHS), f"`{name}`", height, _blocks(feet), feet.cover, f"{feet.move_cost}"


def _edge(name: str) -> tuple[str, ...]:
    feet, metres = kinds.barrier(name, "feet"), kinds.barrier(name, "metres")
    height = _heights(feet.top, metres.top)
    if feet.sill is not None and metres.sill is not None:
        height += f", open from {_heights(feet.sill, metres.sill)} to {_heights(feet.lintel or 0, metres.lintel or 0)}"
    blocks = _blocks(feet)
    if way := kinds.ONE_WAY.get(name):
        blocks += f"; not on its way, `{way}`"
    signs = " ".join(filter(None, (_signs(name, kinds.EDGE_GLYPHS), _opening(name))))
    return signs, f"`{name}`", height, blocks, feet.cover, feet.state


def _opening(name: str) -> str:
    """The sign of what opens a wall of whole squares, where the drawing has one."""
    signs = " ".join(
        f"`{sign}`" for sign, kind in kinds.SQUARE_GLYPHS.items() if kind == name and name in kinds.OPENINGS
    )
    return f"(in a wall {signs})" if signs else ""


def _signs(name: str, glyphs: dict[str, str]) -> str:
    return " ".join(f"`{sign}`" for sign, kind in glyphs.items() if kind == name)


def _blocks(thing: Ground | Barrier) -> str:
    return ", ".join(word for word, effect in zip(BLOCKS, EFFECTS, strict=True) if getattr(thing, effect))


def _heights(feet: Height, metres: Height) -> str:
    """A height in both units: "4 ft / 1.2 m"; "" for none."""
    if feet >= SKY:
        return "sky"
    return f"{feet / 100:g} ft / {metres / 100:g} m" if feet else ""
