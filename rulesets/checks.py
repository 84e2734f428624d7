"""Checks that need the whole ruleset: range bands without holes for every weapon, and weapons' dice that are dice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import ceil, floor
from typing import Any, TypeGuard

from msgspec import Struct

from engine.dice.dice_expressions import DiceError, parse_dice
from engine.rules.derived_facts import all_asked
from engine.rules.effects import is_after
from engine.rules.expressions import Expression
from engine.rules.model import Action, Band, Effect, Grade, NamedFact, Number, Sheet, Value, Weapon, works_with
from engine.rules.space_rules import Scatter
from engine.rules.syntax import ExpressionError
from engine.toml_reader import Reader, described, quoted
from rulesets.attacks import ReadBands
from rulesets.value_readers import Sample, is_broken


class Cases(Struct, frozen=True):
    """The attacks to try rules on: every weapon, with every attack it allows, in the hands of everyone who has it."""

    sample: Sample
    weapons: Mapping[str, Weapon]
    actions: Mapping[str, Action]
    sheets: Mapping[str, Sheet]
    named: tuple[NamedFact, ...]
    """The ruleset's own facts, worked out anew for each attack."""
    allowed: dict[str, list[Action]] = {}
    """The actions of each weapon that was tried."""

    def allowed_with(self, weapon: Weapon) -> list[Action]:
        """The actions that a weapon allows."""
        if weapon.id not in self.allowed:
            held = ((name.partition("."), value) for name, value in self.sample.items())
            defaults = {name: value for (prefix, _, name), value in held if prefix == "weapon"}
            self.allowed[weapon.id] = [one for one in self.actions.values() if works_with(one, weapon, defaults)]
        return self.allowed[weapon.id]


def cases_of(cases: Cases, weapon: Weapon, asked: frozenset[str]) -> Iterator[dict[str, Value]]:
    """Facts that these rules ask for, or that those facts rest on, for every attack with the weapon that differs."""
    asked = all_asked(cases.named, asked)
    own: dict[str, Value] = {f"weapon.{name}": value for name, value in weapon.fields.items()}
    own |= {"weapon.id": weapon.id, "weapon.kind": weapon.kind}
    own |= {"ranged": weapon.kind != "melee", "melee": weapon.kind == "melee", "thrown": weapon.kind == "thrown"}
    facts: dict[str, Any] = {name: own.get(name, cases.sample[name]) for name in asked if name in cases.sample}
    actions = [
        {"action.id": action.id} | {f"action.{name}": value for name, value in action.flags.items()}
        for action in (cases.allowed_with(weapon) if any(name.startswith("action.") for name in asked) else ())
    ]
    bearers = [sheet for sheet in cases.sheets.values() if weapon.id in sheet.weapons]
    people = [
        {f"attacker.{name}": value for name, value in sheet.stats.items()} for sheet in bearers or cases.sheets.values()
    ]
    seen: set[tuple[Value, ...]] = set()
    for action in _asked_alone(actions, asked):
        for person in _asked_alone(people, asked):
            case = facts | action | person
            if (what_differs := tuple(case.values())) not in seen:
                seen.add(what_differs)
                yield _with_named(cases, case, asked)


def _asked_alone(rows: Iterable[Mapping[str, Value]], asked: frozenset[str]) -> list[dict[str, Value]]:
    """The rows without what nobody asks for, those that are left different; one row at least."""
    found: list[dict[str, Value]] = []
    for row in rows:
        short = {name: value for name, value in row.items() if name in asked}
        if short not in found:
            found.append(short)
    return found or [{}]


def _with_named(cases: Cases, facts: dict[str, Value], asked: frozenset[str]) -> dict[str, Value]:
    """The facts of one attack with the ruleset's own; those that cannot be worked out are as in the sample."""
    for named in cases.named:
        if named.id in asked and named.id in cases.sample and not is_broken(named.value):
            with suppress(ExpressionError):
                facts[named.id] = named.value.evaluate(facts)
    return facts


def check_bands(tables: Sequence[ReadBands], cases: Cases, unit: str, is_whole: bool) -> None:
    """Notes every hole, overlap and backwards edge of the tables that each weapon is measured by."""
    sound = [read for read in tables if read.is_sound]
    asked = frozenset[str]().union(*(names for read in sound for names in _asked(read)))
    said_before: set[tuple[str, str]] = set()
    for weapon in cases.weapons.values():
        for facts in cases_of(cases, weapon, asked):
            fitting = [read for read in sound if _value(read.table.when, facts)]
            for read in fitting[1:]:
                first = fitting[0].table.id
                message = f"{weapon.id!r} already uses the table {first!r}; expected one table for each attack"
                _note(read.entry, "when", message, said_before)
            for read in fitting:
                for reader, key, message in _edge_faults(read, facts, unit, is_whole):
                    _note(reader, key, f"{message} for {weapon.id!r}", said_before)


def check_dice(effects: Sequence[tuple[Effect, Reader]], grades: Sequence[Grade], cases: Cases,
               entries: Mapping[str, Reader]) -> None:  # fmt: skip
    """Notes every text of a weapon that an effect would roll and that is not a dice expression.

    Args:
        effects: those after an attack's roll, with their places.
        grades: all grades of the ruleset.
        cases: the attacks to try.
        entries: the places of the weapons; those left out are not tried.
    """
    said_before: set[tuple[str, str]] = set()
    for effect, entry in effects:
        formula = effect.thrown
        if formula is None or is_broken(formula) or is_broken(effect.when):
            continue
        for weapon_id, place in entries.items():
            for facts in cases_of(cases, cases.weapons[weapon_id], formula.names | effect.when.names):
                for grade in grades:
                    if not is_after(effect, grade):
                        continue
                    tried = facts | {"grade": grade.id, "hit": grade.is_hit}
                    if not _value(effect.when, tried):
                        continue
                    fault = _dice_fault(_value(formula, tried))
                    if fault:
                        key = _field_of(formula, cases.weapons[weapon_id], tried)
                        where = place if key else entry
                        _note(where, key or effect.kind, f"{fault} ({weapon_id!r}, {effect.id})", said_before)


def check_scatter(scatters: Sequence[tuple[Scatter, Reader]], cases: Cases, entries: Mapping[str, Reader]) -> None:
    """Notes every text of a weapon that a scatter table would roll for a distance and that is not a dice expression."""
    said_before: set[tuple[str, str]] = set()
    for scatter, entry in scatters:
        for key, formula in scatter.distances.items():
            if is_broken(formula) or is_broken(scatter.when):
                continue
            for weapon_id, place in entries.items():
                for facts in cases_of(cases, cases.weapons[weapon_id], formula.names | scatter.when.names):
                    value = _value(formula, facts)
                    fault = "" if _is_number(value) or not _value(scatter.when, facts) else _dice_fault(value)
                    if fault:
                        field = _field_of(formula, cases.weapons[weapon_id], facts)
                        message = f"{fault} ({weapon_id!r}, {scatter.id})"
                        _note(place if field else entry, field or key, message, said_before)


def _edge_faults(read: ReadBands, facts: Sample, unit: str, is_whole: bool) -> Iterator[tuple[Reader, str, str]]:
    """Faults of one table for one attack: where, which key, what."""
    step = 1 if is_whole else 0
    below: Number | None = None
    before: Band | None = None
    for band, row in zip(read.table.bands, read.rows, strict=False):
        upto = _value(band.upto, facts)
        if not _is_number(upto):
            yield row, "to", f"{band.id!r} ends at {described(upto)}, which is not a number,"
            return
        last = Fraction(floor(upto)) if is_whole else Fraction(upto)
        first = Fraction(0) if below is None else Fraction(below) + step
        if band.start is not None:
            start = _value(band.start, facts)
            if not _is_number(start):
                yield row, "from", f"{band.id!r} begins at {described(start)}, which is not a number,"
                return
            begins = Fraction(ceil(start)) if is_whole else Fraction(start)
            if begins > first:
                yield row, "from", f"no band covers {_stretch(first, begins - step)} {unit}"
            if before is not None and begins < first:
                yield row, "from", f"{before.id!r} and {band.id!r} both cover {_stretch(begins, first - step)} {unit}"
            first = begins
        if last < first - step:
            yield row, "to", f"{band.id!r} ends at {_described(last)} {unit}, before it begins at {_described(first)},"
            return
        below, before = last, band


def _asked(read: ReadBands) -> Iterator[frozenset[str]]:
    yield read.table.when.names
    for band in read.table.bands:
        yield band.upto.names | (band.start.names if band.start else frozenset())


def _value(formula: Expression, facts: Sample) -> Value:
    """A formula's value; False where it cannot be worked out for these typical facts."""
    try:
        return formula.evaluate(facts)
    except ExpressionError:
        return False


def _is_number(value: Value | None) -> TypeGuard[Number]:
    return isinstance(value, (int, Fraction)) and not isinstance(value, bool)


def _dice_fault(value: Value) -> str:
    if isinstance(value, bool) or not isinstance(value, str):
        return f"the value to roll is {described(value)}; expected dice in quotes, such as 2d6"
    try:
        parse_dice(value)
    except DiceError as error:
        return f"{quoted(value)} is not a dice expression: {error.message}"
    return ""


def _field_of(formula: Expression, weapon: Weapon, facts: Sample) -> str:
    """The field of the weapon that the formula took its value from; "" when none did."""
    value = _value(formula, facts)
    fields = (name.removeprefix("weapon.") for name in sorted(formula.names) if name.startswith("weapon."))
    return next((field for field in fields if weapon.fields.get(field) == value), "")


def _note(reader: Reader, key: str, message: str, said_before: set[tuple[str, str]]) -> None:
    place = (repr((reader.path, key)), message)
    if place not in said_before:
        said_before.add(place)
        reader.problem(key, message)


def _stretch(first: Fraction, last: Fraction) -> str:
    return _described(first) if first == last else f"{_described(first)} to {_described(last)}"


def _described(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else f"{float(number):g}"
