"""The two ends of a line as the command line names them: a unit's id or a square."""

from __future__ import annotations

from dataclasses import dataclass

from engine.battle.units import Placement
from engine.errors import Unknown
from engine.field.battlefield import OffMap
from engine.field.silhouette import Body, body
from engine.field.squares import NotASquare, Square, parse_square
from maps import BattleMap


@dataclass(frozen=True, slots=True)
class End:
    """Who or what stands at one end. On a bare square somebody of human build is meant, standing."""

    id: str
    """The unit's id or the square's name."""
    at: Square
    body: Body
    unit: Placement | None

    @property
    def told(self) -> str:
        """As a sentence says it: "Todd at H8", "H8"."""
        return f"{self.unit.name} at {self.at.name}" if self.unit else self.id


def find_end(battle_map: BattleMap, text: str) -> End:
    """The unit or square that a text names; upper and lower case are the same, and a unit wins.

    Raises:
        OffMap: a square outside the map.
        Unknown: neither a unit nor a square; the message names the nearest unit.
    """
    field = battle_map.battlefield
    for unit in battle_map.placements:
        if unit.id.casefold() == text.strip().casefold():
            return End(unit.id, unit.at, body(unit.at, field.unit, unit.posture, unit.size, unit.altitude), unit)
    try:
        square = parse_square(text)
    except NotASquare:
        raise Unknown("unit or square", text, (unit.id for unit in battle_map.placements)) from None
    if square not in field:
        raise OffMap(square, field)
    return End(square.name, square, body(square, field.unit), None)
