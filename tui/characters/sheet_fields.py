"""Fields of a character's form, generated from the ruleset, and the sheet with one of them changed. Without Textual."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.battle.gear import stats_of
from engine.battle.magazines import magazine
from engine.battle.setup import enlist
from engine.battle.state.characters import Character
from engine.battle.state.units import Placement, Unit
from engine.bounds import MOST_SIZE, StatValue
from engine.errors import Illegal
from engine.geometry.squares import Square
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Stat, Value, Weapon
from engine.text import clean
from engine.values import replace

WHO, WEAPONS, WORN = "Who", "Weapons", "Armour and gear"
NAME, LETTER, SIZE, KIND, NOTES = "name", "letter", "size", "kind", "notes"
NUMBER, FLAG, CHOICE, TEXT, WEAPON, PICK_WEAPON, PICK_ARMOUR, ACCESSORY = (
    "number", "flag", "choice", "text", "weapon", "pick-weapon", "pick-armour", "accessory",
)  # fmt: skip
MOST_NAME = 40
DICE = re.compile(r"\d*d\d+([+-]\d+)?")
MOST_NOTES = 200
KINDS = {False: "character", True: "opponent"}
NOTHING = "none"
YES_NO = {True: "yes", False: "no"}


class Field(Struct, frozen=True):
    """A row of the form."""

    id: str
    label: str
    kind: str
    """How it is entered: NUMBER, FLAG, CHOICE, TEXT, WEAPON, PICK_WEAPON, PICK_ARMOUR or ACCESSORY."""
    value: str
    """As it is shown."""
    default: str = ""
    """The ruleset's value, as it is shown; "" where there is none."""
    is_set: bool = False
    """Whether the sheet states it."""
    allowed: str = ""
    """What it may be: "a number, 0 to 120"."""
    help: str = ""


class FieldGroup(Struct, frozen=True):
    """A page of the form."""

    label: str
    fields: tuple[Field, ...]

    @property
    def note(self) -> str:
        """How many fields the sheet states: "2 set"; what is carried or worn: "3"."""
        count = sum(field.is_set for field in self.fields)
        return "" if not count or self.label == WHO else f"{count}" if self.label in (WEAPONS, WORN) else f"{count} set"


def groups_of(own: Character, rules: Ruleset) -> tuple[FieldGroup, ...]:
    """All pages of a character's form: who it is, the ruleset's groups of stats, weapons, what it wears."""
    pages = {stat.group: tuple(_stat_fields(own, rules, stat.group)) for stat in rules.units.stats.values()}
    groups = [FieldGroup(label, fields) for label, fields in pages.items()]
    worn = FieldGroup(WORN, tuple(_worn_fields(own, rules)))
    return (
        FieldGroup(WHO, tuple(_who_fields(own))),
        *groups,
        FieldGroup(WEAPONS, tuple(_weapon_fields(own, rules))),
        worn,
    )


def unit_of(own: Character, rules: Ruleset) -> Unit:
    """A fresh unit with the sheet."""
    return enlist(Placement("character", own.name, own.role, "", Square(0, 0), size=own.size, character=own), rules)


def _who_fields(own: Character) -> Iterator[Field]:
    yield Field(
        NAME,
        "Name",
        TEXT,
        own.name,
        "",
        bool(own.name),
        f"up to {MOST_NAME} characters",
        "Modifiers say “from NAME’s sheet” by it.",
    )
    letter = "One letter or digit; if it is taken on a board, the unit gets another."
    yield Field(
        LETTER,
        "Letter",
        TEXT,
        own.letter or "of the name",
        "of the name",
        bool(own.letter),
        "one letter or digit",
        letter,
    )
    size = f"{own.size} × {own.size} squares"
    yield Field(
        SIZE,
        "Size",
        NUMBER,
        size,
        "1 × 1 squares",
        own.size != 1,
        f"a number, 1 to {MOST_SIZE}",
        "Squares that it fills each way.",
    )
    kind = "An opponent is a stat block: used many times, numbered when there are several."
    yield Field(
        KIND, "Kind", CHOICE, KINDS[own.is_opponent], KINDS[False], own.is_opponent, "a character or an opponent", kind
    )
    notes = own.notes.replace("\n", " / ")
    yield Field(
        NOTES,
        "Notes",
        TEXT,
        notes,
        "",
        bool(own.notes),
        f"up to {MOST_NOTES} characters",
        "Only you read them. “ / ” begins a line.",
    )


def _stat_fields(own: Character, rules: Ruleset, group: str) -> Iterator[Field]:
    now, stated = stats_of(rules, unit_of(own, rules)), dict(own.stats)
    for stat in rules.units.stats.values():
        if stat.group != group:
            continue
        default = _default(own, rules, stat)
        what = {NUMBER: "a number, ", FLAG: "", CHOICE: ""}[stat.kind] + stat.allowed
        value = stated.get(stat.id, now[stat.id])
        yield Field(
            stat.id, stat.label, stat.kind, words(stat, value), words(stat, default), stat.id in stated, what, stat.help
        )


def _default(own: Character, rules: Ruleset, stat: Stat) -> Value:
    """A stat where the sheet does not state it: the ruleset's default, or what its armour and gear make it."""
    others = tuple(pair for pair in own.stats if pair[0] != stat.id)
    return stats_of(rules, unit_of(replace(own, stats=others), rules))[stat.id]


def words(stat: Stat, value: Value) -> str:
    """A stat's value as people read it."""
    return shown(stat.labelled(value))


def _weapon_fields(own: Character, rules: Ruleset) -> Iterator[Field]:
    unit = unit_of(own, rules)
    for place, weapon in enumerate(own.weapons):
        full = magazine(rules, weapon, unit)
        rounds = f"{unit.gear.rounds.get(weapon, full)} of {full}" if full else ""
        fitted = ", ".join(rules.units.conditions[one].label for one, about in own.attachments if about == weapon)
        value = ", ".join(filter(None, ("in hand" if not place else "", rounds and f"{rounds} rounds", fitted)))
        known = rules.gear.weapons[weapon]
        yield Field(weapon, known.label, WEAPON, value, "", True, "rounds, attachments, in hand", numbers(known, rules))
    yield Field(
        PICK_WEAPON, "Add a weapon …", PICK_WEAPON, "", "", False, "from the armoury", "Letters narrow the list."
    )


def _worn_fields(own: Character, rules: Ruleset) -> Iterator[Field]:
    suit = rules.gear.armour.get(own.armour)
    worn = stat_words(suit.stats, rules) if suit else "Enter lists all armour with its numbers."
    yield Field(
        PICK_ARMOUR,
        "Armour",
        PICK_ARMOUR,
        suit.label if suit else NOTHING,
        NOTHING,
        bool(suit),
        "from the armoury",
        worn,
    )
    for one in rules.gear.accessories.values():
        has = one.id in own.accessories
        adds = stat_words({**one.adds, **one.stats}, rules)
        yield Field(one.id, one.label, ACCESSORY, YES_NO[has], YES_NO[False], has, "yes or no", adds)


def numbers(weapon: Weapon, rules: Ruleset) -> str:
    """A weapon's numbers and dice in a few words: "damage 2d6, range 300"; those that are usual are left out."""
    usual, seen, told = rules.gear.weapon_fields, set[Value](), []
    for name, value in weapon.fields.items():
        is_number = not isinstance(value, bool | str) or bool(DICE.fullmatch(str(value)))
        if is_number and value != usual.get(name) and (not isinstance(value, str) or value not in seen):
            seen.add(value)
            told.append(f"{name.replace('_', ' ')} {shown(value)}")
    return ", ".join(told)


def stat_words(stats: Mapping[str, Value], rules: Ruleset) -> str:
    """Stats that gear sets or adds, in words: "Head, piercing 3"."""
    return ", ".join(f"{rules.units.stats[name].label} {shown(value)}" for name, value in stats.items())


def with_value(own: Character, rules: Ruleset, field: Field, text: str) -> Character:
    """The sheet with a field as it was typed or chosen; "" is the default.

    Raises:
        Illegal: the field cannot have that value; one sentence.
    """
    text = text.strip()
    match field.id:
        case "name":
            if not (name := clean(text, MOST_NAME)):
                raise Illegal("character", "A character needs a name.")
            return replace(own, name=name)
        case "letter":
            if text and not (len(text) == 1 and text.isascii() and text.isalnum()):
                raise Illegal("character", f"The letter is one letter or digit, not “{clean(text, 12)}”.")
            return replace(own, letter=text)
        case "size":
            if text and not (text.isdecimal() and len(text) < 3 and 1 <= int(text) <= MOST_SIZE):
                raise Illegal("character", f"The size is 1 to {MOST_SIZE}, not “{clean(text, 12)}”.")
            return replace(own, size=int(text or 1))
        case "kind":
            return replace(own, is_opponent=text == KINDS[True])
        case "notes":
            return replace(own, notes="\n".join(clean(line, MOST_NOTES).strip() for line in text.split("/")))
    if field.kind == PICK_ARMOUR:
        return replace(own, armour=text)
    if field.kind == PICK_WEAPON:
        return replace(own, weapons=(*own.weapons, text)) if text and text not in own.weapons else own
    if field.kind == ACCESSORY:
        without = tuple(one for one in own.accessories if one != field.id)
        return replace(own, accessories=(*without, field.id) if text == YES_NO[True] else without)
    if field.kind == WEAPON:
        return own if text else without_weapon(own, field.id)
    return _with_stat(own, rules, rules.units.stats[field.id], text)


def _with_stat(own: Character, rules: Ruleset, stat: Stat, text: str) -> Character:
    stated = dict(own.stats)
    stated.pop(stat.id, None)
    if text:
        value = _parsed(stat, text)
        if value != _default(own, rules, stat):
            stated[stat.id] = value
    return replace(own, stats=tuple((name, stated[name]) for name in rules.units.stats if name in stated))


def _parsed(stat: Stat, text: str) -> StatValue:
    value: StatValue = text
    if stat.kind == FLAG and text in YES_NO.values():
        value = text == YES_NO[True]
    elif stat.kind == NUMBER and text.removeprefix("-").isdecimal() and len(text) < 8:
        value = int(text)
    if not stat.accepts(value):
        raise Illegal("stat", stat.refusal(value))
    return value


def without_weapon(own: Character, weapon: str) -> Character:
    """The sheet without a weapon, its rounds and what is fitted to it."""
    return replace(
        own,
        weapons=tuple(one for one in own.weapons if one != weapon),
        rounds=tuple(pair for pair in own.rounds if pair[0] != weapon),
        attachments=tuple(pair for pair in own.attachments if pair[1] != weapon),
    )


def in_hand(own: Character, weapon: str) -> Character:
    """The sheet with a weapon first, which is in hand when a battle begins."""
    return replace(own, weapons=(weapon, *(one for one in own.weapons if one != weapon)))


def with_attachment(own: Character, condition: str, weapon: str) -> Character:
    """The sheet with something fitted to a weapon; off where it is fitted to it already."""
    others = tuple(pair for pair in own.attachments if pair[0] != condition)
    is_off = (condition, weapon) in own.attachments
    return replace(own, attachments=others if is_off else (*others, (condition, weapon)))


def with_rounds(own: Character, rules: Ruleset, weapon: str, text: str) -> Character:
    """The sheet with rounds loaded; "" for a full magazine.

    Raises:
        Illegal: that is no number of rounds that the weapon holds.
    """
    full = magazine(rules, weapon, unit_of(own, rules))
    if text and not (text.isdecimal() and len(text) < 7 and int(text) <= full):
        raise Illegal(
            "rounds", f"The {rules.gear.weapons[weapon].label} holds 0 to {full} rounds, not “{clean(text, 12)}”."
        )
    others = tuple(pair for pair in own.rounds if pair[0] != weapon)
    return replace(own, rounds=others if not text or int(text) == full else (*others, (weapon, int(text))))
