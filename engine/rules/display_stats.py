"""Numbers that follow from a unit's others, for those who look at it. Data only."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.expressions import Expression
from engine.rules.origin import Origin


class Derived(Struct, frozen=True):
    """A number that is shown with a unit's others, such as its present armour. No rule reads it."""

    id: str
    label: str
    value: Expression
    """Formula over `unit.` and its `weapon.`; 0 is not shown."""
    origin: Origin
