"""What the terrain editor shows of a map besides its squares: outlines of start zones, lamps and how far they shine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isqrt

from engine.geometry.battlefield import Battlefield, Lamp
from engine.geometry.squares import Square

ZONE = "reach-1"
"""The tint of the outline of a start zone."""
BRIGHT, DIM = "scale-3", "scale-2"
"""The tints of the squares up to which a lamp is bright, and dim."""


def zone_outlines(field: Battlefield) -> Mapping[Square, str]:
    """The tint of each square on the outline of a start zone."""
    return {square: ZONE for zone in field.zones for square in zone.outline}


def map_letters(field: Battlefield, lamp_sign: str) -> Mapping[Square, str]:
    """The letter of each start zone in its corner, and a sign for each lamp."""
    return {lamp.at: lamp_sign for lamp in field.lamps} | {
        zone.corner: zone.id[0] for zone in field.zones if zone.areas
    }


def lamp_rings(lamp: Lamp) -> Mapping[Square, str]:
    """The tint of each square at the edge of a lamp's bright light, and of its dim light; some may be off the map."""
    return dict.fromkeys(_ring(lamp.at, lamp.dim), DIM) | dict.fromkeys(_ring(lamp.at, lamp.bright), BRIGHT)


def _ring(at: Square, radius: int) -> Iterator[Square]:
    """The squares within a radius, from middle to middle, with one beside them that is not."""
    for down in range(-radius, radius + 1) if radius else ():
        wide = isqrt(radius * radius - down * down)
        rest = radius * radius - (abs(down) + 1) ** 2
        least = min(isqrt(rest) + 1 if rest >= 0 else 0, wide)
        for across in range(least, wide + 1):
            yield Square(at.column + across, at.row + down)
            yield Square(at.column - across, at.row + down)
