"""References in commands: ids and labels of each kind of name that a battle and its ruleset have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, get_args, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from engine.battle.command import Command
from engine.battle.gear import givable
from engine.battle.parameters import NAMES
from engine.battle.state.battle import Battle
from engine.errors import Unknown
from engine.geometry.battlefield import LIGHTS
from engine.geometry.body import POSTURES
from engine.rules.model import Ruleset

Labels = Mapping[str, str]
"""Labels by id."""


class Reference(Struct, frozen=True):
    """A kind of name: its name in messages, and its values."""

    what: str
    known: Callable[[Battle, Ruleset], Labels]


def _labels(things: Mapping[str, Any]) -> Labels:
    return {one.id: one.label for one in things.values()}


REFERENCES: Mapping[str, Reference] = {
    "unit": Reference("unit", lambda battle, rules: {unit.id: unit.name for unit in battle.units.values()}),
    "side": Reference("side", lambda battle, rules: {unit.side: unit.side for unit in battle.units.values()}),
    "pool": Reference("number", lambda battle, rules: _labels(rules.units.pools)),
    "stat": Reference("stat of {rules}", lambda battle, rules: _labels(rules.units.stats)),
    "budget": Reference("budget", lambda battle, rules: _labels(rules.units.budgets)),
    "condition": Reference("condition", lambda battle, rules: _labels(rules.units.conditions)),
    "posture": Reference("posture", lambda battle, rules: dict(zip(POSTURES, POSTURES, strict=True))),
    "item": Reference("weapon, armour or accessory of {rules}", lambda battle, rules: givable(rules)),
    "ruling": Reference("ruling of {rules}", lambda battle, rules: _labels(rules.rulings)),
    "cloud": Reference("cloud", lambda battle, rules: {cloud.id: cloud.id for cloud in battle.scene.clouds}),
    "note": Reference("note", lambda battle, rules: {note.id: note.text for note in battle.gm.notes}),
    "light": Reference("light", lambda battle, rules: dict(zip(LIGHTS, LIGHTS, strict=True))),
}
"""By the kind that a field's type says. The others are looked up by who decides: they depend on the unit."""


def check_references(battle: Battle, rules: Ruleset, command: Command) -> None:
    """Raises Unknown, which names the nearest, when a field names something that is not there."""
    for field, kind, may_be_empty in _references(type(command)):
        value = getattr(command, field)
        known = REFERENCES[kind].known(battle, rules)
        for name in value if isinstance(value, tuple) else (value,):
            if name not in known and (name or not may_be_empty):
                raise Unknown(REFERENCES[kind].what.format(rules=rules.name), name, known)


@cache
def _references(command: type[Command]) -> tuple[tuple[str, str, bool], ...]:
    """The fields of a command that name something: name, kind, and whether "" stands for nothing."""
    hints, found = get_type_hints(command, include_extras=True), []
    for field in fields(command):
        kind = named_by(hints[field.name])
        if kind in REFERENCES:  # an attack may aim at a square: then it names no unit
            found.append((field.name, kind, not field.required or kind == "unit"))
    return tuple(found)


def named_by(hint: Any) -> str:
    """The kind of thing that a field of this type names; "" for none."""
    return next(_kinds(hint), "")


def _kinds(hint: Any) -> Iterator[str]:
    for part in (*get_args(hint), *getattr(hint, "__metadata__", ())):
        if isinstance(part, Meta):
            yield from [part.extra[NAMES]] if part.extra and NAMES in part.extra else []
        else:
            yield from _kinds(part)
