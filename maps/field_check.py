"""Whether a battlefield is one that a map could state: for fields that come from elsewhere than a map's reader."""

from __future__ import annotations

from collections.abc import Iterator

from engine.geometry.battlefield import LIGHTS, SKY, Battlefield, Height
from maps.legend import COVERS, HUNDREDTHS, MOST_COST, STATES, way_fault
from maps.model import MOST_HEIGHT, MOST_LAMPS, MOST_REACH

HIGHEST = MOST_HEIGHT * HUNDREDTHS


def fault(field: Battlefield) -> str:
    """What no map could state, in a few words; "" for nothing."""
    return next(_faults(field), "")


def _faults(field: Battlefield) -> Iterator[str]:
    for ground in field.legend:
        if not 1 <= ground.move_cost <= MOST_COST or not _is_height(ground.height) or not _is_cover(ground.cover):
            yield f"the ground {ground.name!r} has impossible values"
    for edge, barrier in field.barriers.items():
        levels = (barrier.bottom, barrier.sill or 0, barrier.lintel or 0, barrier.top)
        if not all(map(_is_height, levels)) or not _is_cover(barrier.cover) or barrier.state not in ("", *STATES):
            yield f"the {barrier.kind!r} on {edge.name} has impossible values"
        if not any(square in field for square in edge.squares):
            yield f"{edge.name} is off the map"
        if any(way_fault(barrier, way, edge) for way in ("seen_through", "walked_through")):
            yield f"the {barrier.kind!r} on {edge.name} has a direction along its edge"
    if any(abs(height) > HIGHEST for height in set(field.elevation)):
        yield "the ground is too high"
    if not set(field.light) <= set(range(len(LIGHTS))):
        yield "there is an unknown kind of light"
    if len(field.lamps) > MOST_LAMPS:
        yield "there are too many lamps"
    for lamp in field.lamps:
        if lamp.at not in field or not 0 <= lamp.bright <= lamp.dim <= MOST_REACH or not _is_height(lamp.height):
            yield f"the lamp at {lamp.at.name} is not valid"


def _is_height(height: Height) -> bool:
    return 0 <= height <= HIGHEST or height == SKY


def _is_cover(cover: str) -> bool:
    return (cover or "none") in COVERS
