"""Range bands on the ground: for every square the band that an attack from here would fall into, to be shaded."""

from __future__ import annotations

from engine.battle.attacks.attack_choices import attack_action, weapon_of
from engine.battle.distances import counted_range, distance_squares, feet
from engine.battle.facts import bare_square, observe
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.battlefield import Height
from engine.geometry.los.sight import trace
from engine.geometry.squares import Square
from engine.rules.expressions import shown
from engine.rules.ledger import UNIT_SIGNS, band_at
from engine.rules.model import BandTable, Ruleset, Value


def range_bands(
    battle: Battle, rules: Ruleset, unit: Unit, weapon_id: str = "", action_id: str = ""
) -> dict[Square, int]:
    """Index of the range band of each square in reach of a weapon, near to far; squares out of range are left out.

    It asks the same table as the attack itself, so the overlay and the ledger agree.

    Raises:
        Unknown, Illegal: as `attack_preview.consider`.
    """
    field = battle.field
    table, facts = _table(battle, rules, unit, weapon_id, action_id)
    if table is None:
        return {}
    order = {band.id: index for index, band in enumerate(table.bands)}
    by_distance: dict[Value, int | None] = {}

    def index_at(columns: int, rows: int, rise: Height) -> int | None:
        squares = distance_squares(field, rules, columns, rows, rise)
        distance = counted_range(squares, field, rules)
        if distance not in by_distance:
            band = band_at(table, facts | {"distance": distance, "distance_squares": squares})
            by_distance[distance] = order[band[0].id] if band else None
        return by_distance[distance]

    found: dict[Square, int] = {}
    by_gap: dict[tuple[int, int, Height], int | None] = {}
    own_feet, last = feet(field, unit), unit.size - 1
    column_gaps = [max(0, column - unit.at.column - last, unit.at.column - column) for column in range(field.columns)]
    row_gaps = [max(0, row - unit.at.row - last, unit.at.row - row) for row in range(field.rows)]
    for place, square in enumerate(field.squares()):
        columns, rows = column_gaps[square.column], row_gaps[square.row]
        key = (max(columns, rows), min(columns, rows), abs(field.elevation[place] - own_feet))
        if key not in by_gap:
            by_gap[key] = index_at(*key)
        index = by_gap[key]
        if index is not None:
            found[square] = index
    return found


def bands_in_words(
    battle: Battle, rules: Ruleset, unit: Unit, weapon_id: str = "", action_id: str = ""
) -> tuple[str, ...]:
    """The bands with their last distances, near to far: "short to 24 ft", "medium to 49 ft"; none where there are none.

    Raises:
        Unknown, Illegal: as `attack_preview.consider`.
    """
    sign = UNIT_SIGNS[rules.distance.ranges]
    return tuple(f"{label} to {upto} {sign}" for label, upto in band_ends(battle, rules, unit, weapon_id, action_id))


def band_ends(
    battle: Battle, rules: Ruleset, unit: Unit, weapon_id: str = "", action_id: str = ""
) -> tuple[tuple[str, str], ...]:
    """The label of each band and its last distance, near to far: ("short", "24"); none where there are none.

    Raises:
        Unknown, Illegal: as `attack_preview.consider`.
    """
    table, facts = _table(battle, rules, unit, weapon_id, action_id)
    if table is None:
        return ()
    return tuple((band.label, str(shown(band.upto.evaluate(facts)))) for band in table.bands)


def _table(
    battle: Battle, rules: Ruleset, unit: Unit, weapon_id: str, action_id: str
) -> tuple[BandTable | None, dict[str, Value]]:
    """The band table that an attack from here goes by, and the facts to ask it with."""
    weapon = weapon_of(rules, unit, weapon_id)
    action = attack_action(rules, unit, weapon, action_id)
    here = bare_square(unit.at)
    line = trace(battle.field, unit.body(battle.field), here.body(battle.field))
    facts = dict(observe(battle, rules, unit, here, weapon, action, line).facts)
    return next((table for table in rules.attack.bands if table.when.evaluate(facts)), None), facts
