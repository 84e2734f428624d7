"""Words of ruleset files that have a new name or none: the tables of them, and where the old ones stand in a text.

The table of names serves twice. A user's file with an old word is refused, with the new word beside it; the copy of a
ruleset inside a battle of an earlier version is rewritten before it is read.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from msgspec import Struct

from engine.errors import Unreadable
from engine.toml_positions import STRING, Path
from engine.toml_reader import Document, parse

KEYS: Mapping[str, Mapping[str, str]] = {
    r"": {"moment": "trigger", "verdict": "restriction"},
    r"reaction": {"race": "contest"},
    r"sight": {"units_cover": "bodies"},
    r"(?:.*\.)?(?:effect|race)": {
        "told": "show",
        "leave": "remove",
        "sink": "descend",
        "strike": "set_grade",
        "turn": "extra_turn",
        "expose": "provoke",
        "recover": "pick_up",
        "wear": "damage_cover",
        "way": "direction",
    },
    r"fact": {"told": "show"},
    r"condition\.[^.]+": {"holds": "held_budget"},
    r"action\.[^.]+": {"fits": "weapon_filter"},
    r"bands\.band|altitude": {"upto": "to"},
    r"grade": {"goes_off": "detonates"},
    r"strikes": {"onto": "carry_over", "shares": "may_split"},
    r"movement(?:\.mode\.[^.]+)?": {
        "lift_cost": "altitude_cost",
    },
}
"""New keys by old ones, by the table that has them: a pattern of its dotted path, without the indices of arrays."""

OF_THE_MAP = "the map says what terrain costs and bars: 'move_cost' and 'blocks_movement' of its legend"
OF_A_HUMAN = "a step of half a human's height is free, and a human's height is the most that is climbed up or down"
DELETED: Mapping[str, Mapping[str, str]] = {
    r"(?:.*\.)?(?:effect|race|contest)": dict.fromkeys(
        ("climb", "rise"), "a unit climbs by its own move, or the GM sets its altitude"
    ),
    r"defence": {"reroll": "no attack is rolled again; let an effect roll a die, and a grade ask for it"},
    r"movement(?:\.mode\.[^.]+)?": {
        **dict.fromkeys(("terrain", "impassable", "shut"), OF_THE_MAP),
        **dict.fromkeys(("step_height", "walks", "max_climb", "climbs", "max_drop", "drops"), OF_A_HUMAN),
        "drop_cost": "'climb_cost' counts up and down",
    },
}
"""What to write instead of keys that are no longer read, by the table that had them, as in `KEYS`."""

FACTS: Mapping[str, str] = {
    "in_leap": "within_two_squares",
    "turned": "outcome_changed",
    "caught": "area_targets",
    "caught_number": "area_target_number",
    "rise": "height_difference",
    "cover_wear": "cover_damage",
    "bystanders": "allies_near_target",
    "fallen": "fall_height",
    "action.taken": "action.times_taken",
}
WHOM: Mapping[str, str] = {"friend": "nearest_ally", "friends": "allies", "bystander": "ally_near_target"}
"""New values of the key `whom`."""
UNIT_FACTS: Mapping[str, str] = {
    "turn_come": "turn_started",
    "passed_over": "turn_skipped",
    "on_its_way": "move_pending",
    "laid": "charges_laid",
    "displaced": "squares_from_start",
    "friends_adjacent": "allies_adjacent",
    "aside": "bearing",
}
WEAPON_FACTS: Mapping[str, str] = {"full": "capacity"}
SQUARE_CONDITION_ENDINGS: Mapping[str, str] = {"_aside": "_bearing", "_off": "_distance"}
"""Ends of the facts of a condition that is about a square."""

UNITS = ("attacker", "target", "unit", "reactor", "defender")
WEAPONS = ("weapon", "target_weapon", "defender_weapon")
DECLARED_IN = ("stat", "pool", "budget", "condition")
TEMPLATES = ("because", "reason", "beyond")
"""Texts with formulas in braces."""
PLAIN_TEXTS = ("id", "label", "plural", "name", "summary", "source", "ruling", "say", "as", "asks", "whom", "role")
PLAIN_TABLES = ("stat", "weapon_fields", "weapon", "armour", "accessory", "sheet", "row")
BRACED = re.compile(r"\{[^}]*\}")
NAME = re.compile(r"'[^']*'|[A-Za-z_]\w*(?:\.\w+)*")


class RenamedWord(Struct, frozen=True):
    """An old word in a text, and the word that takes its place."""

    offset: int
    old: str
    new: str


def deleted_keys(document: Document) -> list[tuple[int, str, str]]:
    """Every key of a ruleset's file that is no longer read: its offset, the key, and what to write instead."""
    found = (
        (offset, key, _of_table(DELETED, table, key))
        for table, key, offset in _named(document)
        if document.text.startswith(key, offset)
    )
    return [one for one in found if one[2]]


def renamed_words(document: Document) -> list[RenamedWord]:
    """Every old word of a ruleset's file, in the order of the text."""
    own = frozenset(_declared(document))
    squares = frozenset(_square_conditions(document))
    found = [*_keys(document), *_whom(document), *_facts(document, own, squares)]
    return sorted(found, key=lambda word: word.offset)


def with_new_words(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of a ruleset with today's words; a text that is not TOML stays as it is, for the reader to refuse."""
    return {name: _rewritten(text) for name, text in texts.items()}


def with_restrictions(texts: Mapping[str, str]) -> dict[str, str]:
    """The same for texts whose one old word is `verdict`; those without it are not read again."""
    return {name: _rewritten(text) if "verdict" in text else text for name, text in texts.items()}


def _rewritten(text: str) -> str:
    try:
        document = parse(text, "")
    except Unreadable:
        return text
    text = document.text
    for word in reversed(renamed_words(document)):
        text = text[: word.offset] + word.new + text[word.offset + len(word.old) :]
    return text


def _keys(document: Document) -> Iterator[RenamedWord]:
    for table, key, offset in _named(document):
        new = _of_table(KEYS, table, key)
        if new and document.text.startswith(key, offset):
            yield RenamedWord(offset, key, new)


def _named(document: Document) -> Iterator[tuple[str, str, int]]:
    """Every key of a file: the dotted path of its table without the indices of arrays, the key, and its offset."""
    for path, offset in document.positions.names:
        *table, key = [part for part in path if isinstance(part, str)]
        yield ".".join(table), key, offset


def _of_table(words: Mapping[str, Mapping[str, str]], table: str, key: str) -> str:
    """What a table of words has for a key of a table; "" for nothing."""
    return next((found[key] for where, found in words.items() if key in found and re.fullmatch(where, table)), "")


def _whom(document: Document) -> Iterator[RenamedWord]:
    for path, start in document.positions.values.items():
        match = STRING.match(document.text, start) if path[-1] == "whom" else None
        old = match[0].strip("'\"") if match else ""
        if old in WHOM:
            yield RenamedWord(document.text.index(old, start), old, WHOM[old])


def _facts(document: Document, own: Collection[str], squares: Collection[str]) -> Iterator[RenamedWord]:
    for path, start in document.positions.values.items():
        match = STRING.match(document.text, start)
        if match is None or not _has_formulas(path):
            continue
        quote = 3 if match[0].startswith(("'''", '"""')) else 1
        inside = (match.start() + quote, match.end() - quote)
        parts = [inside]
        if path[-1] in TEMPLATES:
            parts = [part.span() for part in BRACED.finditer(document.text, *inside)]
        for part in parts:
            for name in NAME.finditer(document.text, *part):
                new = _new_fact(name[0], own, squares)
                if new:
                    yield RenamedWord(name.start(), name[0], new)


def _has_formulas(path: Path) -> bool:
    return (
        isinstance(path[-1], str)
        and path[0] not in PLAIN_TABLES
        and path[-1] not in PLAIN_TEXTS
        and "flags" not in path
        and not (path[0] == "ruling" and path[-1] != "because")
    )


def _new_fact(name: str, own: Collection[str], squares: Collection[str]) -> str:
    """The new name of a fact; "" for one that has kept its name, or that the ruleset declares itself."""
    owner, _, fact = name.rpartition(".")
    if fact in own:
        return ""
    if name in FACTS:
        return FACTS[name]
    if owner in WEAPONS and fact in WEAPON_FACTS:
        return f"{owner}.{WEAPON_FACTS[fact]}"
    if owner in UNITS and fact in UNIT_FACTS:
        return f"{owner}.{UNIT_FACTS[fact]}"
    for old, new in SQUARE_CONDITION_ENDINGS.items():
        if owner in UNITS and fact.endswith(old) and fact.removesuffix(old) in squares:
            return name.removesuffix(old) + new
    return ""


def _declared(document: Document) -> Iterator[str]:
    """Names that a ruleset gives itself: in an old file none of them is the old name of a fact."""
    for path, start in document.positions.values.items():
        if len(path) == 2 and path[0] in DECLARED_IN:
            yield str(path[1])
        elif path[-1] == "as" or (path[0] == "fact" and path[-1] == "id"):
            match = STRING.match(document.text, start)
            yield match[0].strip("'\"") if match else ""


def _square_conditions(document: Document) -> Iterator[str]:
    conditions = document.root.table("condition")
    for name in conditions:
        if conditions.table(name).raw("about") == "square":
            yield name
