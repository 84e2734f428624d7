"""Fields of a character's form, generated from the ruleset, and the sheet with one of them changed. Without Textual."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.battle.carry_over import CONDITION, POOL, ROUNDS, Key, with_values
from engine.battle.gear import stats_of
from engine.battle.magazines import magazine
from engine.battle.setup import pools_of
from engine.battle.state.characters import Character
from engine.bounds import MOST_SIZE, StatValue
from engine.errors import Illegal
from engine.rules.expressions import shown
from engine.rules.model import Ruleset, Stat, Value, Weapon
from engine.text import clean
from engine.values import replace
from rulesets.characters import MOST_LINE, MOST_LINES, fresh, notes_problem, too_much
from tui.application.prompts.choice import Choice, Column

WHO, WEAPONS, WORN, CARRIED = "Who", "Weapons", "Armour and gear", "Carried over"
NAME, LETTER, SIZE, KIND, NOTES = "name", "letter", "size", "kind", "notes"
NUMBER, FLAG, CHOICE, TEXT, WEAPON, PICK_WEAPON, PICK_ARMOUR, ACCESSORY = (
    "number", "flag", "choice", "text", "weapon", "pick-weapon", "pick-armour", "accessory",
)  # fmt: skip
MOST_NAME = 40
NEXT_LINE = " / "
"""Between lines of the notes, where they are typed on one."""
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
    key: Key | None = None
    """What it is of that a battle carries over and a rest restores; None for anything else."""


class FieldGroup(Struct, frozen=True):
    """A page of the form."""

    label: str
    fields: tuple[Field, ...]

    @property
    def counts_set(self) -> bool:
        """Whether its note counts what the sheet states, and not what one carries, wears or lacks."""
        return self.label not in (WEAPONS, WORN, CARRIED)

    @property
    def note(self) -> str:
        """How many fields the sheet states, or things one carries or wears: "3"."""
        count = sum(field.is_set for field in self.fields)
        return f"{count}" if count and self.label != WHO else ""


def groups_of(own: Character, rules: Ruleset) -> tuple[FieldGroup, ...]:
    """All pages of a character's form: who it is, the ruleset's groups of stats, weapons, what it wears."""
    pages = {stat.group: tuple(_stat_fields(own, rules, stat.group)) for stat in rules.units.stats.values()}
    groups = [FieldGroup(label, fields) for label, fields in pages.items() if fields]
    worn = FieldGroup(WORN, tuple(_worn_fields(own, rules)))
    carried = tuple(_carried_fields(own, rules))
    return (
        FieldGroup(WHO, tuple(_who_fields(own))),
        *groups,
        FieldGroup(WEAPONS, tuple(_weapon_fields(own, rules))),
        worn,
        *([FieldGroup(CARRIED, carried)] if carried else []),
    )


def _who_fields(own: Character) -> Iterator[Field]:
    yield Field(
        NAME,
        "Name",
        TEXT,
        own.name,
        "",
        bool(own.name),
        f"up to {MOST_NAME} characters",
        "Modifiers cite it: “from Anna’s sheet”.",
    )
    letter = "Automatic: the first free letter of the name. If a letter is taken on a board, the unit gets another."
    yield Field(
        LETTER,
        "Letter",
        TEXT,
        own.letter or "automatic",
        "automatic",
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
    notes = own.notes.replace("\n", NEXT_LINE)
    yield Field(
        NOTES,
        "Notes",
        TEXT,
        notes,
        "",
        bool(own.notes),
        f"up to {MOST_LINES} lines of {MOST_LINE} characters",
        "Only you read them. “ / ” begins a line.",
    )


def _stat_fields(own: Character, rules: Ruleset, group: str) -> Iterator[Field]:
    """A page of stats; what one of the ruleset's accessories gives stands among those, unless the sheet states it."""
    now, stated = stats_of(rules, fresh(own, rules)), dict(own.stats)
    given = {name for one in rules.gear.accessories.values() for name, value in one.stats.items() if value is True}
    for stat in rules.units.stats.values():
        if stat.group != group or (stat.id in given and stat.id not in stated):
            continue
        default = _default(own, rules, stat)
        what = {NUMBER: "a number, ", FLAG: "", CHOICE: ""}[stat.kind] + stat.allowed
        value = stated.get(stat.id, now[stat.id])
        yield Field(
            stat.id, stat.title, stat.kind, words(stat, value), words(stat, default), stat.id in stated, what, stat.help
        )


def _default(own: Character, rules: Ruleset, stat: Stat) -> Value:
    """A stat where the sheet does not state it: the ruleset's default, or what its armour and gear make it."""
    others = tuple(pair for pair in own.stats if pair[0] != stat.id)
    return stats_of(rules, fresh(replace(own, stats=others), rules))[stat.id]


def words(stat: Stat, value: Value) -> str:
    """A stat's value as people read it."""
    return shown(stat.labelled(value))


def _weapon_fields(own: Character, rules: Ruleset) -> Iterator[Field]:
    unit = fresh(own, rules)
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


def _carried_fields(own: Character, rules: Ruleset) -> Iterator[Field]:
    """What a battle carries over: pools that are not full, conditions, rounds; and whatever else of these is stated."""
    unit, units = fresh(own, rules), rules.units
    pools, rounds = dict(own.pools), dict(own.rounds)
    for id, full in pools_of(rules, unit).items():
        pool = units.pools[id]
        if id in pools or (pool.carries and full):
            what = f"{pool.group}. " if pool.group else ""
            yield _amount((POOL, id), pool.label, pools.get(id), full, f"{what}What is left of {full}.")
    for condition in units.conditions.values():
        has = condition.id in own.conditions
        if has or (condition.carries and not condition.about):
            what = "A battle begins with it."
            key = CONDITION, condition.id
            yield Field(field_id(key), condition.label, FLAG, YES_NO[has], YES_NO[False], has, "yes or no", what, key)
    for weapon in own.weapons:
        if full := magazine(rules, weapon, unit):
            label = rules.gear.weapons[weapon].label
            yield _amount((ROUNDS, weapon), label, rounds.get(weapon), full, f"Rounds loaded, of {full}.")


def _amount(key: Key, label: str, stated: int | None, full: int, what: str) -> Field:
    now = f"{full if stated is None else stated}"
    return Field(field_id(key), label, NUMBER, now, f"{full}", stated is not None, f"a number, 0 to {full}", what, key)


def field_id(key: Key) -> str:
    """The id of the field for something that a battle carries over."""
    return ".".join(key)


def numbers(weapon: Weapon, rules: Ruleset) -> str:
    """A weapon in the words of its ruleset: "damage 2d6, range 300 m"; without them, each field that is not usual."""
    usual = rules.gear.weapon_fields
    other = {f"weapon.{name}": value for name, value in weapon.fields.items() if value != usual.get(name)}
    if rules.gear.weapon_summary:
        facts = {f"weapon.{name}": value for name, value in {**usual, **weapon.fields}.items()}
        return ", ".join(text.render(facts) for text in rules.gear.weapon_summary if text.names & other.keys())
    return ", ".join(f"{name.partition('.')[2].replace('_', ' ')} {shown(value)}" for name, value in other.items())


def armoury(rules: Ruleset) -> tuple[tuple[Column, ...], list[Choice]]:
    """The weapons of a ruleset as a table: its own words for their numbers are the titles of the columns.

    Without such words there are no columns, and the numbers are notes.
    """
    known = rules.gear.weapons.values()
    if not rules.gear.weapon_summary:
        return (), [Choice(one.id, one.label, numbers(one, rules)) for one in known]
    titled = [
        (first.strip() if isinstance(first := text.parts[0], str) else "", text) for text in rules.gear.weapon_summary
    ]
    titles = list(dict.fromkeys(title for title, _ in titled))

    def cell(weapon: Weapon, title: str) -> str:
        usual = rules.gear.weapon_fields
        own = {f"weapon.{name}" for name, value in weapon.fields.items() if value != usual.get(name)}
        facts = {f"weapon.{name}": value for name, value in {**usual, **weapon.fields}.items()}
        said = (text.render(facts) for its, text in titled if its == title and text.names & own)
        return next(said, "").removeprefix(title).strip()

    columns = [Column("name"), Column("kind", len(titles))]
    columns += [Column(title, max(0, place - 1)) for place, title in enumerate(titles)]
    rows = [Choice(one.id, one.label, cells=(one.kind, *(cell(one, title) for title in titles))) for one in known]
    return tuple(columns), rows


def stat_words(stats: Mapping[str, Value], rules: Ruleset) -> str:
    """Stats that gear sets or adds, in words: "Head, piercing 3"."""
    return ", ".join(f"{rules.units.stats[name].label} {shown(value)}" for name, value in stats.items())


def with_value(own: Character, rules: Ruleset, field: Field, text: str) -> Character:
    """The sheet with a field as it was typed or chosen; "" is the default.

    Raises:
        Illegal: the field cannot have that value; one sentence.
    """
    text = text.strip()
    if field.key is not None:
        return with_values(own, {field.key: _left(field, text)})
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
            if text == field.value:
                return own
            notes = "\n".join(line.strip() for line in text.removesuffix(NEXT_LINE.rstrip()).split(NEXT_LINE)).strip()
            if problem := notes_problem(notes):
                raise Illegal("notes", f"{problem[:1].upper()}{problem[1:]}.")
            return replace(own, notes="\n".join(clean(line, MOST_LINE) for line in notes.split("\n")))
    if field.kind == PICK_ARMOUR:
        return _wearing(own, rules, text)
    if field.kind == PICK_WEAPON:
        return replace(own, weapons=(*own.weapons, text)) if text and text not in own.weapons else own
    if field.kind == ACCESSORY:
        without = tuple(one for one in own.accessories if one != field.id)
        return replace(own, accessories=(*without, field.id) if text == YES_NO[True] else without)
    if field.kind == WEAPON:
        return own if text else without_weapon(own, field.id)
    return _fitting(_with_stat(own, rules, rules.units.stats[field.id], text), rules)


def _fitting(own: Character, rules: Ruleset) -> Character:
    """The sheet without pools and rounds that are more than full by now."""
    gone = {(table, name) for table, name, _, _ in too_much(own, rules)}
    return replace(
        own,
        pools=tuple(pair for pair in own.pools if ("pools", pair[0]) not in gone),
        rounds=tuple(pair for pair in own.rounds if ("rounds", pair[0]) not in gone),
    )


def _left(field: Field, text: str) -> StatValue | None:
    """What a sheet states of a pool, a magazine or a condition; None where it is full, or not there."""
    if field.kind == FLAG:
        return True if text == YES_NO[True] else None
    if text in ("", field.default):
        return None
    if not (text.isdecimal() and len(text) < 7 and int(text) <= int(field.default)):
        raise Illegal("left", f"{field.label} is 0 to {field.default}, not “{clean(text, 12)}”.")
    return int(text)


def _wearing(own: Character, rules: Ruleset, armour: str) -> Character:
    """The sheet with other armour, which is new: wear of the armour before it is gone."""
    worn = replace(own, armour=armour)
    before, after = (pools_of(rules, fresh(one, rules)) for one in (own, worn))
    return replace(worn, pools=tuple(pair for pair in own.pools if before[pair[0]] == after[pair[0]]))


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
    elif stat.kind == NUMBER and (typed := text.replace("−", "-")).removeprefix("-").isdecimal() and len(text) < 8:
        value = int(typed)
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


def with_attachment(own: Character, rules: Ruleset, condition: str, weapon: str) -> Character:
    """The sheet with something fitted to a weapon; off where it is fitted to it already."""
    others = tuple(pair for pair in own.attachments if pair[0] != condition)
    is_off = (condition, weapon) in own.attachments
    return _fitting(replace(own, attachments=others if is_off else (*others, (condition, weapon))), rules)
