"""Reads [[lamp]]: sources of light. One table holds for a lamp on one square, or for the like on several."""

from __future__ import annotations

from engine.geometry.battlefield import SKY, Battlefield, Lamp
from engine.toml_reader import Reader
from maps.edge_tables import squares_at
from maps.legend import height
from maps.model import MOST_LAMPS, MOST_REACH


def read_lamps(reader: Reader, battlefield: Battlefield) -> tuple[Lamp, ...]:
    """All lamps of a map, in the file's order. A battlefield without squares says nothing about their places.

    Noted: lamps off the map or inside of what goes up to the sky, that give no light, or less dim light than bright.
    """
    found: list[Lamp] = []
    for table in reader.tables("lamp"):
        squares = squares_at(table, battlefield.columns, battlefield.rows)
        bright = table.whole("bright", 0, least=0, most=MOST_REACH)
        dim = table.whole("dim", bright, least=0, most=MOST_REACH)
        if dim < bright:
            table.problem("dim", f"dim is {dim}, less than bright ({bright}); expected at least as much")
        elif not dim and not table.has("dim") and not table.has("bright"):
            table.problem(None, "the lamp gives no light; expected bright, dim or both, in squares")
        lamps = [Lamp(square, bright, dim, height(table, "height", 0)) for square in squares]
        for lamp in lamps if battlefield.columns else ():
            ground = battlefield.ground_at(lamp.at)
            if ground.blocks_sight and ground.height >= SKY:
                what = f"a lamp cannot stand inside {ground.name} at {lamp.at.name}"
                table.problem("at", f"{what}; expected an adjacent square")
                break
        found += lamps
        table.finish()
    if len(found) > MOST_LAMPS:
        reader.problem("lamp", f"there are {len(found)} lamps; at most {MOST_LAMPS} fit")
        return ()
    return tuple(found)
