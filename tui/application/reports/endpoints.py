"""The two ends of a line as the command line names them: a unit's id or name, or a square."""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from engine.battle.facts import bodies_in_the_way
from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement
from engine.errors import BattleboardError, Unknown
from engine.geometry.battlefield import Height, OffMap
from engine.geometry.body import POSTURES, Body, body
from engine.geometry.squares import NotASquare, Square, parse_square
from engine.values import replace
from maps import BattleMap


class End(Struct, frozen=True):
    """Who or what stands at one end. On a bare square somebody of human build is meant, standing."""

    id: str
    """The unit's id or the square's name."""
    at: Square
    body: Body
    unit: Placement | None
    conditions: tuple[str, ...] = ()
    """Those that the unit has in a battle: some change what it sees and how much of it is seen."""

    @property
    def phrase(self) -> str:
        """As a sentence says it: "Todd at H8", "Todd, if at D4", "H8"."""
        if self.unit is None:
            return self.at.name
        return f"{self.unit.name}{' at' if self.at == self.unit.at else ', if at'} {self.at.name}"


class Stance(Struct, frozen=True):
    """How somebody stands where the command line says otherwise than the map; None leaves it as it is."""

    square: str | None = None
    posture: str | None = None
    altitude: Height | None = None


def stand(battle_map: BattleMap, end: End, stance: Stance) -> End:
    """The same end in another place, posture or height.

    Raises:
        NotASquare, OffMap: the stance names no square of the map.
        Unknown: or no posture.
    """
    field, unit = battle_map.battlefield, end.unit
    at = end.at if stance.square is None else parse_square(stance.square)
    if at not in field:
        raise OffMap(at, field)
    posture = stance.posture or (unit.posture if unit else "standing")
    if posture not in POSTURES:
        raise Unknown("posture", posture, POSTURES)
    altitude = end.body.altitude if stance.altitude is None else stance.altitude
    name = end.unit.name if end.unit else ""
    stood = body(at, field.unit, posture, end.body.size, altitude, name, field.sight, end.conditions)
    return replace(end, at=at, body=stood)


def find_end(battle_map: BattleMap, text: str, battle: Battle | None = None) -> End:
    """The unit, by id or name, or the square that a text names; case does not matter, and a unit wins.

    Args:
        battle_map: the ground and who is where.
        text: an id, a name or a square.
        battle: whose units these are, with their conditions; None on a map alone.

    Raises:
        BattleboardError: several units have that name.
        OffMap: a square outside the map.
        Unknown: neither a unit nor a square; the message names the nearest unit.
    """
    field, wanted = battle_map.battlefield, text.strip().casefold()
    by_id = [unit for unit in battle_map.placements if unit.id.casefold() == wanted]
    found = by_id or [unit for unit in battle_map.placements if unit.name.casefold() == wanted]
    if len(found) > 1:
        raise BattleboardError(
            f"Several units are called {text.strip()!r}; use an id: {', '.join(unit.id for unit in found)}."
        )
    for unit in found:
        return end_of(battle_map, unit, battle)
    try:
        square = parse_square(text)
    except NotASquare:
        raise Unknown("unit or square", text, (unit.id for unit in battle_map.placements)) from None
    if square not in field:
        raise OffMap(square, field)
    return End(square.name, square, body(square, field.unit, sight=field.sight), None)


def end_of(battle_map: BattleMap, unit: Placement, battle: Battle | None = None) -> End:
    """A unit as it stands, its body by the rules of sight of the battle."""
    field, conditions = battle_map.battlefield, battle.units[unit.id].conditions if battle else ()
    place = (unit.at, field.unit, unit.posture, unit.size, unit.altitude)
    return End(unit.id, unit.at, body(*place, unit.name, field.sight, conditions), unit, conditions)


def obstacles(battle_map: BattleMap, ends: Collection[End], battle: Battle | None = None) -> list[Body]:
    """Bodies of others that are in the way, as `facts.bodies_in_the_way`, on a map as well."""
    if battle is not None:
        return bodies_in_the_way(battle, [battle.units[end.unit.id] for end in ends if end.unit])
    least, names = battle_map.battlefield.sight.bodies, [end.id for end in ends]
    others = [unit for unit in battle_map.placements if unit.size >= least > 0 and unit.id not in names]
    return [end_of(battle_map, unit).body for unit in others]
