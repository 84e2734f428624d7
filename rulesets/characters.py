"""Characters: reads the TOML of a sheet of the Game Master's own, and writes one as a person would.

ruleset = "aog"
name = "Anna"
weapons = ["assault-rifle-rng-13-legate", "fists"]
armour = "guard-kit"
has = ["night_sight"]        # stats that are yes or no

[stats]
long_arms = 63
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from engine.battle.gear import attachments
from engine.battle.magazines import magazine
from engine.battle.setup import enlist, pools_of
from engine.battle.state.characters import Character
from engine.battle.state.units import ROLES, Placement, Unit
from engine.bounds import MOST_AMOUNT, MOST_SIZE, MOST_TEXT, StatValue
from engine.errors import Unknown, near_miss
from engine.geometry.squares import Square
from engine.rules.model import Ruleset, Stat
from engine.text import cells, clean
from engine.toml_reader import Reader, described, parse, quoted
from engine.values import replace
from rulesets.stats import read_stats
from rulesets.value_readers import labels, unknown

MOST_BYTES = 1 << 18
MOST_NAME = 40
MOST_LINES, MOST_LINE = 40, 200
"""Of notes: lines, and cells of each."""
CHARACTER, OPPONENT = "character", "opponent"


class OwnSheet(Struct, frozen=True):
    """A character with the ruleset that its file names."""

    ruleset: str
    character: Character


def parse_character(
    text: str, file: str, rules_of: Callable[[str], Ruleset], others: Callable[[], Iterable[Ruleset]] = tuple
) -> OwnSheet:
    """The character that a TOML text describes.

    Args:
        text: the whole text.
        file: its name in messages and in the battle.
        rules_of: finds a ruleset by its id; raises Unknown where there is none.
        others: the other rulesets, for saying whose a key is; asked only where a stat is not known.

    Raises:
        Unreadable: with every problem found, each with its line and column.
    """
    document = parse(text, file, MOST_BYTES)
    root = document.root
    ruleset = _filled(root, "ruleset")
    try:
        rules = rules_of(ruleset) if ruleset else None
    except Unknown as error:
        root.problem("ruleset", str(error))
        rules = None
    if rules is None:
        document.check()
        raise AssertionError("a character without a ruleset has a problem")
    found = _read(root, rules, others)
    root.finish()
    document.check()
    _check_amounts(root, found, rules)
    document.check()
    return OwnSheet(ruleset, found)


def _read(root: Reader, rules: Ruleset, others: Callable[[], Iterable[Ruleset]]) -> Character:
    gear, units = rules.gear, rules.units
    weapons = _listed(root, "weapons", "weapon", labels(gear.weapons))
    armour = root.text("armour", "")
    if armour and armour not in gear.armour:
        root.problem("armour", unknown("armour", armour, labels(gear.armour)))
    accessories = _listed(root, "accessories", "accessory", labels(gear.accessories))
    stats = read_own_stats(root.table("stats"), units.stats, rules, others)
    talents = {one.id: one.label for one in units.stats.values() if isinstance(one.default, bool)}
    has = _listed(root, "has", "stat that is yes or no", talents | labels(gear.accessories))
    for name in has:
        if name in stats:
            root.problem("has", f"{quoted(name)} is in has and in [stats]; expected one of them")
    stats |= {name: True for name in has if name in talents}
    accessories += tuple(name for name in has if name not in talents and name not in accessories)
    conditions = {one.id: one.label for one in units.conditions.values() if not one.about}
    return Character(
        name=_filled(root, "name", MOST_NAME),
        stats=tuple((name, stats[name]) for name in units.stats if name in stats),
        weapons=weapons,
        armour=armour,
        accessories=accessories,
        rounds=_read_rounds(root.table("rounds"), weapons),
        attachments=_read_attachments(root.table("attachments"), weapons, rules),
        pools=_read_pools(root.table("pools"), rules),
        conditions=_listed(root, "conditions", "condition", conditions),
        notes=_read_notes(root),
        letter=_read_letter(root),
        size=root.whole("size", 1, least=1, most=MOST_SIZE),
        role=root.text("role", "", choices=("", *ROLES)),
        is_opponent=root.text("kind", CHARACTER, choices=(CHARACTER, OPPONENT)) == OPPONENT,
        file=root.document.file,
    )


def notes_problem(text: str) -> str:
    """Why notes are too long; "" where they are not.

    >>> notes_problem("Owes Bo 200."), notes_problem("x" * 201)
    ('', 'line 1 of the notes has 201 characters; expected at most 200')
    """
    rows = text.splitlines()
    if len(rows) > MOST_LINES:
        return f"the notes have {len(rows)} lines; expected at most {MOST_LINES}"
    for number, row in enumerate(rows, 1):
        if cells(row) > MOST_LINE:
            return f"line {number} of the notes has {cells(row)} characters; expected at most {MOST_LINE}"
    if len(text) > MOST_TEXT:
        return f"the notes have {len(text)} characters; expected at most {MOST_TEXT}"
    return ""


def _read_notes(root: Reader) -> str:
    text = root.block("notes", "").strip()
    if problem := notes_problem(text):
        root.problem("notes", problem)
        return ""
    return "\n".join(clean(line, MOST_LINE) for line in text.splitlines())


def fresh(own: Character, rules: Ruleset) -> Unit:
    """A unit with the sheet, as a battle begins; with full pools and magazines where the sheet states nothing."""
    return enlist(Placement("character", own.name, own.role, "", Square(0, 0), size=own.size, character=own), rules)


def too_much(own: Character, rules: Ruleset) -> Iterator[tuple[str, str, int, int]]:
    """The pools and rounds of a sheet that are more than full: the table, the id, what is stated and what is full."""
    unit = fresh(replace(own, pools=(), rounds=()), rules)
    full = pools_of(rules, unit)
    for pool, stated in own.pools:
        if stated > full.get(pool, 0):
            yield "pools", pool, stated, full.get(pool, 0)
    for weapon, stated in own.rounds:
        if stated > (holds := magazine(rules, weapon, unit)):
            yield "rounds", weapon, stated, holds


def _check_amounts(root: Reader, own: Character, rules: Ruleset) -> None:
    for table, name, stated, full in too_much(own, rules):
        label = rules.units.pools[name].label if table == "pools" else f"rounds in {rules.gear.weapons[name].label}"
        message = f"{label}: {stated} is more than full; expected at most {full}"
        root.document.note((*root.path, table, name), message)


def _filled(reader: Reader, key: str, most: int = 80) -> str:
    found = reader.text(key, most=most)
    if reader.raw(key) == "":
        reader.problem(key, f"{key} is empty; expected a text")
    return found


def _read_letter(root: Reader) -> str:
    letter = root.text("letter", "")
    if letter and not (len(letter) == 1 and letter.isascii() and letter.isalnum()):
        root.problem("letter", f"letter = {quoted(letter)}; expected one letter or digit")
        return ""
    return letter


def _listed(root: Reader, key: str, what: str, known: Mapping[str, str]) -> tuple[str, ...]:
    """A list of ids, each of them known and there once."""
    names = root.texts(key, ())
    for place, name in enumerate(names):
        if name not in known:
            root.document.note((*root.path, key, place), unknown(what, name, known))
        elif name in names[:place]:
            root.document.note((*root.path, key, place), f"{quoted(name)} is in {key} twice; expected it once")
    return tuple(name for name in dict.fromkeys(names) if name in known)


def read_own_stats(
    entry: Reader, stats: Mapping[str, Stat], rules: Ruleset, others: Callable[[], Iterable[Ruleset]]
) -> dict[str, StatValue]:
    """Values of `stats`, those of a ruleset that a file may set; others, and what a stat cannot be, are noted."""
    for name in entry:
        if name in stats:
            continue
        entry.has(name)
        owners = [other.name for other in others() if other.id != rules.id and name in other.units.stats]
        near = near_miss(name, stats)
        hint = f"it is one of {owners[0]}" if owners else f"did you mean {near!r}?" if near else ""
        known = hint or f"known: {', '.join(list(stats)[:12])}"
        _refuse(entry, name, f"{rules.name} has no stat called {quoted(name)}; {known}")
    found: dict[str, StatValue] = {}
    for name, value in read_stats(entry, stats).items():
        if isinstance(value, bool | str | int):
            found[name] = value
        else:
            entry.problem(name, f"{name} is {described(value)}; expected a whole number")
    return found


def _read_rounds(entry: Reader, weapons: Collection[str]) -> tuple[tuple[str, int], ...]:
    rounds = {weapon: entry.whole(weapon, 0, least=0, most=MOST_AMOUNT) for weapon in weapons if entry.has(weapon)}
    _refuse_others(entry, "weapons", weapons)
    return tuple(rounds.items())


def _read_attachments(entry: Reader, weapons: Collection[str], rules: Ruleset) -> tuple[tuple[str, str], ...]:
    fitted = attachments(rules)
    found: dict[str, str] = {}
    for weapon in weapons:
        if not entry.has(weapon):
            continue
        for name in _listed(entry, weapon, "attachment", fitted):
            if name in found:
                entry.problem(weapon, f"{quoted(name)} is fitted to two weapons; expected one")
            found[name] = weapon
    _refuse_others(entry, "weapons", weapons)
    return tuple(found.items())


def _read_pools(entry: Reader, rules: Ruleset) -> tuple[tuple[str, int], ...]:
    pools = rules.units.pools
    found = {pool: entry.whole(pool, 0, least=0, most=MOST_AMOUNT) for pool in pools if entry.has(pool)}
    entry.finish()
    return tuple(found.items())


def _refuse_others(entry: Reader, what: str, known: Collection[str]) -> None:
    for name in entry:
        if name not in known:
            entry.has(name)
            _refuse(entry, name, f"{quoted(name)} is not among its {what}; expected one of them")


def _refuse(entry: Reader, key: str, message: str) -> None:
    """Notes a problem of a key itself, not of its value."""
    entry.document.note((*entry.path, key), message, at_key=True)


def archetype(rules: Ruleset, role: str) -> Character:
    """The ruleset's own sheet for a role as a stat block: to be copied out and changed."""
    sheet = rules.units.sheets[role]
    own = {name: value for name, value in sheet.own.items() if isinstance(value, bool | int | str)}
    stats = tuple((name, own[name]) for name in rules.units.stats if name in own)
    known = role if role in ROLES else ""
    return Character(sheet.label, stats, sheet.weapons, sheet.armour, sheet.accessories, role=known, is_opponent=True)


def write_character(sheet: OwnSheet, rules: Ruleset, before: str = "") -> str:
    """The TOML text of a character; with the text of before, its comments and their order stay.

    Raises:
        ValueError: the text of before is not TOML.
    """
    import tomlkit

    document = tomlkit.parse(before) if before else tomlkit.document()
    for key, value in _where_they_were(_tables(sheet, rules), document.unwrap(), sheet.character).items():
        _put(document, key, value)
    return tomlkit.dumps(document).rstrip() + "\n"


def _where_they_were(tables: Mapping[str, Any], before: Mapping[str, Any], own: Character) -> Mapping[str, Any]:
    """The same keys, with what one has where a file had it: in `has`, `accessories` or `[stats]`, in its order."""
    had, stated = before.get("has", []), before.get("stats", {})
    has, worn = tables["has"] or [], tables["accessories"] or []
    in_stats = {name: True for name in has if stated.get(name) is True}
    still_there = [name for name in had if name in has or name in own.accessories]
    return {
        **tables,
        "has": [*still_there, *(name for name in has if name not in still_there and name not in in_stats)] or None,
        "accessories": [name for name in worn if name not in still_there] or None,
        "stats": (tables["stats"] | in_stats) or None,
    }


def _tables(sheet: OwnSheet, rules: Ruleset) -> Mapping[str, Any]:
    """All keys in the order of a file, with None for those that are left out."""
    own, stats = sheet.character, rules.units.stats
    stated = dict(own.stats)
    is_talent = {name: isinstance(stat.default, bool) for name, stat in stats.items()}
    attachments: dict[str, list[str]] = {}
    for condition, weapon in own.attachments:
        attachments.setdefault(weapon, []).append(condition)
    return {
        "ruleset": sheet.ruleset,
        "name": own.name,
        "kind": OPPONENT if own.is_opponent else None,
        "role": own.role or None,
        "letter": own.letter or None,
        "size": own.size if own.size != 1 else None,
        "weapons": list(own.weapons) or None,
        "armour": own.armour or None,
        "accessories": list(own.accessories) or None,
        "has": [name for name in stats if is_talent[name] and stated.get(name) is True] or None,
        "conditions": list(own.conditions) or None,
        "notes": own.notes or None,
        "stats": {
            name: stated[name]
            for name in stats
            if name in stated and stated[name] is not True and not (is_talent[name] and stats[name].default is False)
        },
        "attachments": attachments or None,
        "rounds": dict(own.rounds) or None,
        "pools": dict(own.pools) or None,
    }


def _put(table: Any, key: str, value: Any) -> None:
    """Sets a key of a table of tomlkit where its value is other; a key without a value is removed."""
    import tomlkit

    if value is None:
        table.pop(key, None)
    elif isinstance(value, dict):
        if key not in table:
            table[key] = tomlkit.table()
        for name in [name for name in table[key] if name not in value]:
            del table[key][name]
        for name, each in value.items():
            _put(table[key], name, each)
    elif isinstance(value, str):
        if str(table.get(key, "")).strip() != value:
            is_block = "\n" in value
            table[key] = tomlkit.string(f"\n{value}\n" if is_block else value, multiline=is_block)
    elif table.get(key) != value:
        table[key] = value
