"""Characters from other tools: CSV with a header of stat names, and what every importer needs.

Nothing is guessed: what a ruleset does not know is listed as not carried over, what it knows must fit.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from engine.battle.state.characters import Character
from engine.battle.state.units import ROLES
from engine.bounds import MOST_SIZE, StatValue
from engine.errors import BattleboardError, Problem, Unreadable, near_miss
from engine.rules.model import Ruleset, Stat
from engine.text import clean
from engine.toml_reader import quoted
from rulesets.characters import (
    CHARACTER,
    MOST_LINE,
    MOST_LINES,
    MOST_NAME,
    OPPONENT,
    OwnSheet,
    parse_character,
    write_character,
)
from rulesets.value_readers import labels

MOST_ROWS, MOST_COLUMNS, MOST_FIELD = 500, 300, 4000
DELIMITERS = ",;\t"
LISTED = ";"
"""Between the things in one field."""
MOST_SHOWN = 60
YES_OR_NO = {"yes": True, "true": True, "1": True, "x": True, "no": False, "false": False, "0": False}
LISTS = ("weapons", "accessories", "has", "conditions")
FIELDS = ("name", "kind", "role", "letter", "size", "armour", "notes", *LISTS)
"""Columns of a CSV that are no stats."""
STAT = "stat "
"""Before the id of a stat, among columns."""

Labels = dict[str, str]


class ImportedCharacters(Struct, frozen=True):
    """Characters in a file of another tool, and what was not carried over."""

    characters: tuple[Character, ...]
    notes: tuple[str, ...] = ()


def named(text: str, known: Labels) -> str | None:
    """The id of what is called so, by its id or its label; None where nothing is.

    Args:
        text: an id or a label, in any case.
        known: labels by id.
    """
    called = " ".join(text.split()).casefold()
    return next((id for id, label in known.items() if called in (id.casefold(), label.casefold())), None)


def not_carried(who: str, what: str, name: str, known: Labels) -> str:
    """That something of a character is not carried over, with the nearest that is known."""
    name = clean(name, MOST_SHOWN)
    near = near_miss(name, [*known, *known.values()])
    return f"{who}: no {what} is called {quoted(name)}; not carried over{f'. Near: {near}' if near else ''}."


def checked(character: Character, rules: Ruleset) -> Iterator[str]:
    """What is wrong with a character that was put together: the problems of the file that would be written."""
    try:
        parse_character(write_character(OwnSheet(rules.id, character), rules), "", lambda _: rules)
    except Unreadable as error:
        yield from (problem.message for problem in error.problems)


def read_sheets_csv(text: str, file: str, rules: Ruleset) -> ImportedCharacters:
    """Characters of a CSV: a header of stat ids or labels and of FIELDS, one character a row.

    Args:
        text: the whole file; fields are apart by commas, semicolons or tabs, as its header has them.
        file: its name, for messages.
        rules: the ruleset that the characters are for.

    Raises:
        Unreadable: a value is of the wrong kind or out of its bounds; every one at once, with its row and column.
        BattleboardError: it is no such table, or larger than is read.
    """
    header, rows = _rows(text, file)
    notes: list[str] = []
    columns: dict[int, str] = {}
    stats = {stat.id: stat.label for stat in rules.units.stats.values()}
    for place, title in enumerate(header):
        found = _column(title.strip(), rules)
        if found is None:
            if title.strip():
                near = near_miss(title, [*FIELDS, *stats, *stats.values()])
                hint = f". Near: {near}" if near else ""
                notes.append(f"Column {quoted(clean(title, MOST_SHOWN))} is not carried over{hint}.")
        elif found in columns.values():
            raise BattleboardError(f"{file} has the column {quoted(clean(title, MOST_SHOWN))} twice; expected it once.")
        else:
            columns[place] = found
    if "name" not in columns.values():
        raise BattleboardError(f"{file} has no column “name”; expected a header with name and stats of {rules.name}.")
    problems: list[Problem] = []
    characters: list[Character] = []
    for line, row in rows:
        cells = {columns[place]: field.strip() for place, field in enumerate(row) if place in columns and field.strip()}
        wrong: list[str] = []
        character = _character(cells, rules, wrong, notes)
        wrong += checked(character, rules) if not wrong else ()
        problems += [Problem(line, 1, f"row {line}, {each}") for each in wrong]
        characters.append(character)
    if problems:
        raise Unreadable(file, problems)
    return ImportedCharacters(tuple(characters), tuple(dict.fromkeys(notes)))


def _column(title: str, rules: Ruleset) -> str | None:
    """What a column is: a field as it is written in FIELDS, else a stat, else a field in other letters; None: neither.

    A stat is its id after STAT.

    So "size" is the footprint and "Size" the stat of a ruleset that calls one so.
    """
    if title in FIELDS:
        return title
    stat = named(title, labels(rules.units.stats))
    return f"{STAT}{stat}" if stat else next((field for field in FIELDS if field == title.casefold()), None)


def _rows(text: str, file: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The header and the rows of a table that hold anything, with their lines."""
    first = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if len(row) > MOST_COLUMNS:
                raise BattleboardError(f"{file}:{reader.line_num} has {len(row)} columns; at most {MOST_COLUMNS}.")
            if any(len(field) > MOST_FIELD for field in row):
                raise BattleboardError(f"{file}:{reader.line_num} has a field of more than {MOST_FIELD:,} characters.")
            if any(field.strip() for field in row):
                rows.append((reader.line_num, row))
            if len(rows) > MOST_ROWS:
                raise BattleboardError(f"{file} has more than {MOST_ROWS} rows; at most {MOST_ROWS} are read.")
    except csv.Error as error:
        raise BattleboardError(f"{file}:{reader.line_num}: this is not CSV: {error}.") from None
    if len(rows) < 2:
        raise BattleboardError(f"{file} has no rows; expected a header with stat names, and a row for each character.")
    return rows[0][1], rows[1:]


def _character(cells: Mapping[str, str], rules: Ruleset, wrong: list[str], notes: list[str]) -> Character:
    """The character of a row; what is wrong, and what is not carried over, is added to the two lists."""
    fields = {key: value for key, value in cells.items() if not key.startswith(STAT)}
    name = clean(fields.get("name", ""), MOST_NAME)
    if not name:
        wrong.append("column name is empty; expected a name")
    stats: dict[str, StatValue] = {}
    for stat in rules.units.stats.values():
        text = cells.get(f"{STAT}{stat.id}")
        if text is not None and (value := _value(stat, text, wrong)) is not None:
            stats[stat.id] = value
    gear = rules.gear
    talents = {stat.id: stat.label for stat in rules.units.stats.values() if isinstance(stat.default, bool)}
    known: Mapping[str, tuple[str, Labels]] = {
        "weapons": ("weapon", labels(gear.weapons)),
        "accessories": ("accessory", labels(gear.accessories)),
        "has": ("stat that is yes or no", talents | labels(gear.accessories)),
        "conditions": ("condition", labels({k: v for k, v in rules.units.conditions.items() if not v.about})),
    }
    found = {key: _things(fields.get(key, ""), name, *known[key], notes) for key in LISTS}
    stats |= dict.fromkeys((one for one in found["has"] if one in talents), True)
    worn = dict.fromkeys((*found["accessories"], *(one for one in found["has"] if one not in talents)))
    armour = _things(fields.get("armour", ""), name, "armour", labels(gear.armour), notes)
    if len(armour) > 1:
        wrong.append("column armour names several suits; expected one")
    return Character(
        name=name,
        stats=tuple((one, stats[one]) for one in rules.units.stats if one in stats),
        weapons=found["weapons"],
        armour=armour[0] if armour else "",
        accessories=tuple(worn),
        conditions=found["conditions"],
        notes="\n".join(clean(line, MOST_LINE) for line in fields.get("notes", "").splitlines()[:MOST_LINES]),
        letter=fields.get("letter", ""),
        size=_whole("size", fields.get("size", "1"), 1, MOST_SIZE, wrong),
        role=_choice("role", fields.get("role", ""), ("", *ROLES), wrong),
        is_opponent=_choice("kind", fields.get("kind", CHARACTER), (CHARACTER, OPPONENT), wrong) == OPPONENT,
    )


def _value(stat: Stat, text: str, wrong: list[str]) -> StatValue | None:
    """The value of a stat in a field; None where it has none that fits."""
    if isinstance(stat.default, bool):
        if text.casefold() not in YES_OR_NO:
            wrong.append(f"column {stat.id} is {quoted(clean(text, MOST_SHOWN))}; expected yes or no")
        return YES_OR_NO.get(text.casefold())
    if isinstance(stat.default, str):
        return named(text, dict(stat.choices)) or _choice(stat.id, text, stat.choices, wrong)
    return _whole(stat.id, text, stat.low, stat.high, wrong)


def _whole(column: str, text: str, least: int, most: int, wrong: list[str]) -> int:
    sign, digits = ("-", text[1:]) if text[:1] in "-−" and text else ("", text.removeprefix("+"))
    value = int(sign + digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None
    if value is None:
        wrong.append(f"column {column} is {quoted(clean(text, MOST_SHOWN))}; expected a whole number")
    elif not least <= value <= most:
        wrong.append(f"column {column} is {value}; expected {least} to {most}")
    return least if value is None else value


def _choice(column: str, text: str, choices: Iterable[str], wrong: list[str]) -> str:
    if text.casefold() not in choices:
        expected = ", ".join(filter(None, choices))
        wrong.append(f"column {column} is {quoted(clean(text, MOST_SHOWN))}; expected one of {expected}")
        return ""
    return text.casefold()


def _things(text: str, who: str, what: str, known: Labels, notes: list[str]) -> tuple[str, ...]:
    """Ids of the things that a field names; the others are noted."""
    found: list[str] = []
    for name in filter(None, map(str.strip, text.split(LISTED))):
        if (one := named(name, known)) is None:
            notes.append(not_carried(who, what, name, known))
        elif one not in found:
            found.append(one)
    return tuple(found)
