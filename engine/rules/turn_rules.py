"""Rules of turns in a ruleset: automatic effects at moments. Data only."""

from __future__ import annotations

from msgspec import Struct

from engine.rules.effect_kinds import Effect
from engine.rules.expressions import Expression
from engine.rules.origin import Origin

MOMENTS = ("round start", "round end", "own turn start", "own turn end", "moves", "falls", "defeated")


class Trigger(Struct, frozen=True):
    """Automatic effects on every unit at the moment `at` (one of MOMENTS), where `when` holds.

    `when` and the effects ask of it under `unit.`, and for `fall_height`, how far it fell. Rounds begin and end for
    those out of the fight too.
    """

    id: str
    label: str
    at: str
    when: Expression
    effects: tuple[Effect, ...]
    origin: Origin
