"""How units get about: `[movement]` with its modes."""

from __future__ import annotations

from fractions import Fraction

from engine.rules.expressions import Expression, constant
from engine.rules.origin import Origin
from engine.rules.space_rules import Mode
from engine.toml_reader import Reader, quoted
from rulesets import value_readers
from rulesets.value_readers import Sample

WALK = "walk"
"""Id of the mode that `[movement]` itself describes."""
LEAST, MOST = Fraction(1, 10), 100
"""Bounds of what a square may cost."""


def read_modes(root: Reader, sample: Sample) -> tuple[Mode, ...]:
    """`[movement]` is how a unit walks; each `[movement.mode.<id>]` differs from it in what it states."""
    if not root.has("movement"):
        return ()
    entry = root.table("movement")
    walk = _read_mode(entry, Mode(WALK, "walk", constant(True), Origin("")), WALK, constant(True))
    found: list[Mode] = []
    modes = entry.table("mode")
    for name in list(modes.keys()):
        if not value_readers.HYPHENED.fullmatch(name):
            modes.problem(name, f"{quoted(name)} is not a valid id; expected lower-case letters, digits and hyphens")
        mode = modes.table(name)
        if name == WALK:
            modes.problem(name, f"{quoted(WALK)} is the name of [movement] itself; choose another name for the mode")
        found.append(_read_mode(mode, walk, name, value_readers.condition(mode, "when", sample, False)))
        if not mode.has("when"):
            mode.problem(None, f"the mode {quoted(name)} has no 'when'; expected when it applies")
        mode.finish()
    entry.finish()
    return (*found, walk)


def _read_mode(entry: Reader, base: Mode, name: str, when: Expression) -> Mode:
    def number(key: str, usual: Fraction, least: Fraction | int = 0) -> Fraction:
        return entry.number(key, usual, least=least, most=MOST)

    return Mode(
        name,
        value_readers.label(entry) if name != WALK else base.label,
        when,
        value_readers.origin(entry),
        number("pace", base.pace, LEAST),
        number("climb_cost", base.climb_cost),
        entry.number("door_cost", least=0, most=MOST) if entry.has("door_cost") else base.door_cost,
        number("altitude_cost", base.lift_cost),
    )
