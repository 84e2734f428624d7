"""Rows of earlier versions, brought into the form of today's events before they are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Body = Mapping[str, Any]

GEAR = ("weapons", "weapon", "rounds", "armour", "accessories")
TURN = {
    "budget": "budget",
    "turn_start": "start",
    "moved": "moved",
    "trail": "trail",
    "odd_diagonals": "odd_diagonals",
    "stride": "stride",
    "stride_action": "stride_action",
    "attacks": "attacks",
    "tally": "tally",
    "drawn_by_move": "drawn_by_move",
    "drawn_by_attack": "drawn_by_attack",
}
"""Fields of a turn as they stood among a unit's own, and as they are called now."""


def upcast(kind: str, body: Body) -> Body:
    """The body of a row as today's version writes it; what does not fit is left for the reader to refuse."""
    change = UPCASTERS.get(kind)
    return body if change is None else change(body)


def _with_composed_units(body: Body) -> Body:
    units = body.get("units")
    return {**body, "units": [_composed(unit) for unit in units]} if isinstance(units, list) else body


def _composed(unit: Any) -> Any:
    """A unit whose gear and turn stood among its own fields."""
    if not isinstance(unit, dict) or "turn_start" not in unit:
        return unit
    gear = {name: unit[name] for name in GEAR if name in unit}
    turn = {now: unit[name] for name, now in TURN.items() if name in unit}
    own = {name: value for name, value in unit.items() if name not in GEAR and name not in TURN}
    return {**own, "gear": gear, "turn": turn}


UPCASTERS: Mapping[str, Callable[[Body], Body]] = {
    "BattleBegan": _with_composed_units,
    "UnitsAdded": _with_composed_units,
}
