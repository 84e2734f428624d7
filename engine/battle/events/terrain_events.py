"""Events of the battlefield: ground, elevation, edges, light and lamps that the GM set."""

from __future__ import annotations

from engine.battle.events.event import Event
from engine.battle.state.battle import Battle
from engine.bounds import ListOf, Text, Whole
from engine.geometry.battlefield import LIGHTS, Barrier, Ground, Height, Lamp
from engine.geometry.squares import Edge, Square
from engine.geometry.terrain_edits import (
    with_barriers,
    with_elevation,
    with_ground,
    with_lamp,
    with_light,
    with_smoke,
    with_zone,
)
from engine.geometry.zones import StartZone
from engine.values import replace

__all__ = [
    "EdgesSet",
    "ElevationSet",
    "GroundSet",
    "LampSet",
    "LightSet",
    "SmokeSet",
    "ZoneSet",
]

LEVELS = {light: level for level, light in enumerate(LIGHTS)}


class GroundSet(Event, frozen=True, tag="ground-set"):
    """The GM sets the ground of squares; `because` is the GM's reason."""

    squares: ListOf[Square]
    ground: Ground
    because: Text = ""

    def apply(self, battle: Battle) -> Battle:
        worn = tuple(each for each in battle.scene.worn if each.edge or each.square not in self.squares)
        battle = replace(battle, scene=replace(battle.scene, worn=worn))
        return battle.with_field(with_ground(battle.field, self.squares, self.ground))


class ElevationSet(Event, frozen=True, tag="elevation-set"):
    """The ground of these squares is so high now, in hundredths of the map's unit."""

    squares: ListOf[Square]
    height: Height

    def apply(self, battle: Battle) -> Battle:
        return battle.with_field(with_elevation(battle.field, self.squares, self.height))


class EdgesSet(Event, frozen=True, tag="edges-set"):
    """That stands on these edges now; None for nothing."""

    edges: ListOf[Edge]
    barrier: Barrier | None

    def apply(self, battle: Battle) -> Battle:
        worn = tuple(each for each in battle.scene.worn if each.edge not in self.edges)
        battle = replace(battle, scene=replace(battle.scene, worn=worn))
        return battle.with_field(with_barriers(battle.field, self.edges, self.barrier))


class LightSet(Event, frozen=True, tag="light-set"):
    """So light are these squares now, or all where none are named; lamps left out."""

    squares: ListOf[Square]
    light: Text

    def apply(self, battle: Battle) -> Battle:
        return battle.with_field(with_light(battle.field, self.squares, LEVELS[self.light]))


class LampSet(Event, frozen=True, tag="lamp-set"):
    """A lamp hangs on a square now, or None does."""

    at: Square
    lamp: Lamp | None

    def apply(self, battle: Battle) -> Battle:
        return battle.with_field(with_lamp(battle.field, self.at, self.lamp))


class SmokeSet(Event, frozen=True, tag="smoke-set"):
    """So dense is the map's own smoke on these squares now; clouds left out."""

    squares: ListOf[Square]
    density: Whole

    def apply(self, battle: Battle) -> Battle:
        bare = with_smoke(battle.bare_field, self.squares, self.density)
        if battle.scene.own_smoke:
            battle = replace(battle, scene=replace(battle.scene, own_smoke=bare.smoke))
        return battle.with_field(bare)


class ZoneSet(Event, frozen=True, tag="zone-set"):
    """The start zone of that id is so now; None for no zone of the id."""

    is_for_gm = True

    id: Text
    zone: StartZone | None

    def apply(self, battle: Battle) -> Battle:
        return battle.with_field(with_zone(battle.field, self.id, self.zone))
