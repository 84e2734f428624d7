"""Obstacles of sight and shots in the form that `rays` looks up: layers of a battlefield and bodies.

An edge has its place by the way in which it is crossed: in four sections as long as the layers, in the order of
`layers.WAYS`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
from msgspec import Struct

from engine.context import Cache
from engine.geometry.battlefield import SKY, Battlefield
from engine.geometry.body import Body
from engine.geometry.los.arrays import EMPTY, Heights, Indexes, Layers, Stops, layers
from engine.geometry.obstacles import feet_of
from engine.values import replace

Part = tuple[Heights, Heights]
"""Bottoms and tops of things that float, one at each place; infinite and minus infinite where there is none."""


class ObstructionLayers(Struct, frozen=True, eq=False):
    """Everything that blocks sight, or everything that stops shots."""

    tops: Heights
    """Of each square: of its ground, or of the object on it where that counts."""
    is_bare: bool
    """Whether these are all tops of ground."""
    standing: Heights | None
    """Tops of what stands on edges; EMPTY where nothing does. None: nothing does anywhere."""
    gaps: tuple[Part, ...] = ()
    """What floats on edges; together they hold every part."""
    bodies: tuple[Part, ...] = ()
    """The same on squares."""

    @property
    def has_edges(self) -> bool:
        """Whether anything stands or floats on an edge."""
        return self.standing is not None or bool(self.gaps)


class Obstructions(Struct, frozen=True, eq=False):
    """The three questions; equal objects where the answers are always equal."""

    layers: Layers
    sight: ObstructionLayers
    mutual: ObstructionLayers
    """Sight, with one-way barriers hiding both ways."""
    shots: ObstructionLayers
    spreads: dict[tuple[int, bool], Any] = {}
    """Kept by `corridors.spread`."""

    @property
    def questions(self) -> tuple[ObstructionLayers, ...]:
        """Those that differ."""
        return tuple(dict.fromkeys((self.sight, self.mutual, self.shots)))


KEPT = 4
_PLAIN: Cache[Obstructions] = Cache(KEPT)


def obstructions(battlefield: Battlefield, bodies: Collection[Body] = ()) -> Obstructions:
    """Obstacles of sight and shots on a battlefield; without bodies they are cached with the layers.

    Raises:
        OffMap: a body is outside.
    """
    found = layers(battlefield)
    plain = _PLAIN.get((found,), None, lambda: _plain(found))
    if not bodies:
        return plain
    parts = _body_layers(battlefield, plain.layers, bodies)
    changed = {question: replace(question, bodies=parts) for question in plain.questions}
    return Obstructions(plain.layers, changed[plain.sight], changed[plain.mutual], changed[plain.shots])


def _plain(found: Layers) -> Obstructions:
    by_stops = {id(stops): _question(found, stops) for stops in (found.sight, found.mutual, found.shots)}
    sight, mutual, shots = (by_stops[id(stops)] for stops in (found.sight, found.mutual, found.shots))
    return Obstructions(found, sight, mutual, shots)


def _question(found: Layers, stops: Stops) -> ObstructionLayers:
    size = len(found.ground)
    gaps: list[Part] = []
    if stops.hanging is not None:
        turned = stops.hanging[:, :size].ravel()
        gaps.append((np.where(turned > EMPTY, -turned, np.inf), np.where(turned > EMPTY, np.inf, -np.inf)))
    if stops.floating is not None:
        way, place, bottom, top = stops.floating
        gaps += _layered(4 * size, way * size + place, bottom, top)
    standing = None if stops.standing is None else stops.standing[:, :size].ravel()
    return ObstructionLayers(stops.tops, np.array_equal(stops.tops, found.ground), standing, tuple(gaps))


def _layered(size: int, places: Indexes, bottoms: Heights, tops: Heights) -> tuple[Part, ...]:
    """As many parts of `size` places as it takes to hold everything: the second of two things at a place goes on the
    second."""
    parts = []
    while len(places):
        bottom, top = np.full(size, np.inf), np.full(size, -np.inf)
        unique, here = np.unique(places, return_index=True)
        bottom[unique], top[unique] = bottoms[here], tops[here]
        parts.append((bottom, top))
        left = np.ones(len(places), bool)
        left[here] = False
        places, bottoms, tops = places[left], bottoms[left], tops[left]
    return tuple(parts)


def _body_layers(battlefield: Battlefield, found: Layers, bodies: Collection[Body]) -> tuple[Part, ...]:
    """Bodies from feet to crown over their whole footprints."""
    places, bottoms, tops = [], [], []
    for body in bodies:
        feet = feet_of(battlefield, body)
        for square in body.squares:
            places.append(found.index(square))
            bottoms.append(float(feet))
            tops.append(float(min(SKY, feet + max(body.height, 1))))
    return _layered(len(found.ground), np.array(places), np.array(bottoms), np.array(tops))
