"""Types of a command's fields by the kind of name they hold, for `references` to check and list."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from engine.bounds import MOST_AMOUNT

NAMES = "names"

UnitId = Annotated[str, Meta(extra={NAMES: "unit"})]
PoolId = Annotated[str, Meta(extra={NAMES: "pool"})]
StatId = Annotated[str, Meta(extra={NAMES: "stat"})]
BudgetId = Annotated[str, Meta(extra={NAMES: "budget"})]
ConditionId = Annotated[str, Meta(extra={NAMES: "condition"})]
PostureId = Annotated[str, Meta(extra={NAMES: "posture"})]
WeaponId = Annotated[str, Meta(extra={NAMES: "weapon"})]
ItemId = Annotated[str, Meta(extra={NAMES: "item"})]
"""A weapon, armour or an accessory."""
GearId = Annotated[str, Meta(extra={NAMES: "gear"})]
"""One of these that the unit has."""
ActionId = Annotated[str, Meta(extra={NAMES: "action"})]
"""A move, an attack or another action."""
RoleId = Annotated[str, Meta(extra={NAMES: "role"})]
RulingId = Annotated[str, Meta(extra={NAMES: "ruling"})]
CloudId = Annotated[str, Meta(extra={NAMES: "cloud"})]
NoteId = Annotated[str, Meta(extra={NAMES: "note"})]
SideId = Annotated[str, Meta(extra={NAMES: "side"})]
"""A side that somebody is on."""
LightId = Annotated[str, Meta(extra={NAMES: "light"})]
Points = Annotated[int, Meta(ge=1, le=MOST_AMOUNT)]
"""How many points are given or taken."""
