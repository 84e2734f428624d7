"""Movement modes: the ruleset's modes turned into the geometry's move rules, and which units block the path."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct

from engine.battle.distances import feet, height_in_unit
from engine.battle.event_builder import refuse_unless_fits
from engine.battle.facts import altitude_band, circumstances
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Unknown
from engine.geometry.battlefield import Height
from engine.geometry.movement.steps import MoveRules, lift_cost
from engine.rules.expressions import constant
from engine.rules.model import Ruleset
from engine.rules.origin import Origin
from engine.rules.space_rules import Mode
from engine.values import replace

WALK = Mode("walk", "walk", constant(True), Origin(""))
"""How a unit moves under a ruleset that does not say."""


class MoveOptions(Struct, frozen=True):
    """How a unit would move, where that is not as it is: another mode, by its id, or at another altitude."""

    mode: str = ""
    altitude: Height | None = None


AS_IT_IS = MoveOptions()


def in_manner(battle: Battle, rules: Ruleset, unit: Unit, manner: MoveOptions) -> tuple[MoveRules, Fraction]:
    """How the unit moves in that manner, and the squares that rising or sinking to its altitude takes.

    Raises:
        Illegal: something is higher than that altitude, or somebody is in the same square at that altitude.
        Unknown: the ruleset has no such mode.
    """
    if manner.altitude is None:
        return move_rules(battle, rules, unit, manner.mode), Fraction(0)
    now = move_rules(battle, rules, unit, manner.mode)
    there = replace(unit, altitude=manner.altitude)
    if manner.altitude != unit.altitude:
        refuse_unless_fits(battle, there, there.body(battle.field))
    lift = lift_cost(battle.field, unit.at, now, feet(battle.field, there))
    return move_rules(battle, rules, there, manner.mode), lift


def bands_apart(battle: Battle, rules: Ruleset, unit: Unit, altitude: Height | None) -> int:
    """How many of the ruleset's altitude bands lie between where a unit is and an altitude; 0 where it has none."""
    if altitude is None or not rules.space.altitudes:
        return 0
    bands = [band.id for band in rules.space.altitudes]
    at = [height_in_unit(battle.field, rules, height) for height in (unit.altitude, altitude)]
    found = [altitude_band(rules, height) for height in at]
    return abs(bands.index(found[0]) - bands.index(found[1])) if all(found) else 0


def mode_of(battle: Battle, rules: Ruleset, unit: Unit, mode: str = "") -> Mode:
    """Movement mode of a unit: the one named, else the first that holds, else a human's walk.

    Raises:
        Unknown: the ruleset has no such mode.
    """
    if mode:
        found = next((known for known in rules.space.modes if known.id == mode), None)
        if found is None:
            raise Unknown(f"mode of moving of {rules.name}", mode, (known.id for known in rules.space.modes))
        return found
    facts = circumstances(battle, rules, unit) if rules.space.modes else {}
    return next((known for known in rules.space.modes if known.when.evaluate(facts)), WALK)


def move_rules(battle: Battle, rules: Ruleset, unit: Unit, mode: str = "") -> MoveRules:
    """Move rules of a unit, and the units in its way.

    Args:
        battle: now.
        rules: the ruleset.
        unit: who moves.
        mode: id of the mode; without one, the first of the ruleset's whose condition holds.

    Raises:
        Unknown: the ruleset has no such mode.
    """
    gait = mode_of(battle, rules, unit, mode)
    height = feet(battle.field, unit)
    occupied = {
        square: other.is_enemy_of(unit)
        for other in battle.units.values()
        if other.id != unit.id
        and not other.is_defeated
        and (feet(battle.field, other) == height if unit.altitude else not other.altitude)
        for square in other.squares
    }

    return MoveRules(
        metric=rules.distance.metric,
        occupied=occupied,
        size=unit.size,
        climb_cost=gait.climb_cost,
        flies=unit.altitude > 0,
        feet=height,
        pace=gait.pace,
        door_cost=gait.door_cost,
        lift_cost=gait.lift_cost,
    )
