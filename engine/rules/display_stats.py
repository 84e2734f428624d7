"""Numbers that follow from a unit's others, for those who look at it. Data only."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.expressions import Expression
from engine.rules.origin import Origin


class Derived(Struct, frozen=True):
    """A number that is shown with a unit's others, such as what its armour resists now. No rule asks for it."""

    id: str
    label: str
    value: Expression
    """Over `unit.` and its `weapon.`; where it comes to 0, nothing is shown."""
    origin: Origin
