"""Facts of a unit that follow from its others. Data only."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.expressions import Expression
from engine.rules.origin import Origin


class Derived(Struct, frozen=True):
    """A fact of every unit that is calculated from its others, such as its present armour."""

    id: str
    label: str
    value: Expression
    """Formula over `unit.`; where no other formula uses it, over its `weapon.` too."""
    origin: Origin
    show: bool = True
    """Whether it is shown with the unit's numbers, unless it is 0 or no."""
