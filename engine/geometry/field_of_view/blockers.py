"""Obstacles for one observer: the layers without its own square, and the bodies of others."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy as np

from engine.geometry.battlefield import Battlefield
from engine.geometry.body import Body
from engine.geometry.los.arrays import EMPTY, Heights, Layers, Stops
from engine.geometry.obstacles import edges_inside


class Blockers(NamedTuple):
    """Everything that answers one question; layers as in `layers.Stops`."""

    tops: Heights
    reaching_tops: Heights
    """Tops of squares where what floats counts as if it reached the ground; the same object where nothing floats."""
    standing: Heights | None
    hanging: Heights | None
    reaching: Heights | None
    floats: bool
    """Whether `reaching` or `reaching_tops` says more than is true."""


def blockers(
    battlefield: Battlefield, field: Layers, stops: Stops, observer: Body, obstacles: Collection[Body]
) -> Blockers:
    """What stands in the way of one observer, for one of the questions of the layers.

    Args:
        battlefield: the map.
        field: its layers.
        stops: one of theirs: sight, mutual or shots.
        observer: what stands on its own squares and between them does not count.
        obstacles: bodies that hide and protect others.

    Returns:
        Flat padded layers as in `arrays.Layers`; they may be the map's own and are not to be changed.
    """
    own = [field.index(square) for square in observer.squares]
    edges = [stops.standing, stops.hanging, stops.reaching]
    tops = stops.tops
    if observer.size > 1:
        tops = tops.copy()
        tops[own] = field.ground[own]
        edges = [None if layer is None else layer.copy() for layer in edges]
        for edge in edges_inside(observer):
            index = (edge.row + 1) * field.width + edge.column + 1
            for layer in edges:
                if layer is not None:
                    layer[: 2 if edge.side == "W" else 4, index][0 if edge.side == "W" else 2 :] = EMPTY
    standing, hanging, reaching = edges
    if not obstacles:
        return Blockers(tops, tops, standing, hanging, reaching, stops.floating is not None)
    raised, reached = tops.copy(), tops.copy()
    for body in obstacles:
        feet = max(battlefield.elevation_at(square) for square in body.squares) + body.altitude
        for index in {field.index(square) for square in body.squares}.difference(own):
            crown = feet + max(body.height, 1)
            reached[index] = max(reached[index], crown)
            if feet <= tops[index]:
                raised[index] = max(raised[index], crown)
    floats = stops.floating is not None or not np.array_equal(raised, reached)
    return Blockers(raised, reached if floats else raised, standing, hanging, reaching, floats)
