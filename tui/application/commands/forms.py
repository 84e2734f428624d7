"""Forms: the syntax, meaning and menu item of a typed command, in one object.

A syntax line such as "place [UNIT] SQUARE" drives parsing, completion, help, printing and the handbook. Words
in CAPITALS are fields of the command, found by their types; small words are keywords; brackets mark optional
parts. A freer syntax has its own reader and writer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct
from msgspec.structs import fields

from engine.answers import Given
from engine.battle.command import Command
from engine.battle.commands.references import named_by
from engine.battle.state.codec import from_json, to_json
from engine.dice.sources import parse_typed
from engine.errors import Illegal
from engine.geometry.squares import Direction, Square
from engine.journal.session import Session
from engine.values import replace
from tui.application.commands.amounts import is_amount
from tui.application.commands.naming import TOWARDS, Missing, Words, expect, expect_square, no_more, skip, unit_names
from tui.application.commands.results import Setting, Spoken, SubmitCommand
from tui.application.commands.vocabulary import USUAL_EXAMPLES, examples, known, read_units, take_actor, what_is

NOTHING: Mapping[str, Any] = {}
ITEM = re.compile(r"(\[?)([A-Z]+|[a-z]+)(\]?)")
MOST_DIGITS = 6
PARTS = frozenset({"with", "free", "defence", "defense", "share", "by", "as"})
"""Keywords that start a further part of an attack."""


class MenuState(Struct, frozen=True):
    """What an item of the GM tools says of the battle as it stands."""

    label: str = ""
    """In place of the item's; "" for the same."""
    note: str = ""
    reason: str = ""
    """Why it is not possible; "" if it may be."""


class MenuLine(Struct, frozen=True):
    """An item of the GM tools."""

    letter: str
    """Its key, unique and the same in every battle."""
    label: str
    """With {unit} and {square} for the unit and the cursor's square; an item with {unit} needs a unit."""
    help: str = ""
    """Its text in the handbook; "" for the form's meaning."""
    ask: str = ""
    """The question for missing arguments, with {weapon} too; "" if there are none or the line is typed."""
    value: str = ""
    """The preset answer."""
    hidden_unless_possible: bool = False
    """Whether the menu leaves it out where it is refused, instead of greying it out."""
    is_for_several: bool = False
    """Whether it changes all marked units."""
    key: str = ""
    """The board's key that opens the same, such as "battle.note"; "" for none."""
    state: Callable[[Session, str], MenuState] | None = None
    """What it says now of the unit of this id, "" where there is none; None for an item that says nothing."""


class Form(Struct, frozen=True):
    """A typed command."""

    line: str
    means: str
    """Its meaning, with examples for {unit}, {other}, {side}, {stat}, {pool}, {condition}."""
    makes: tuple[type[Command], ...] = ()
    """The command classes that it makes."""
    read: Callable[[Words, Setting], Command | Spoken] | None = None
    write: Callable[[Any, Setting], str] | None = None
    """Formats the line of a command; "" if none expresses it."""
    also: tuple[str, ...] = ()
    """Aliases."""
    like: tuple[str, ...] = ()
    """Words of the same meaning, which are no aliases: a message suggests the command for them.

    Also words of the game that only begin a command, such as "round": they are never run as its abbreviation.
    """
    key: str = ""
    """The board's key that does the same, such as "battle.end_turn"; "" for none, or the menu's letter."""
    sets: Mapping[str, Any] = NOTHING
    """Fields with fixed values."""
    asks: Mapping[str, str] = NOTHING
    """Messages for missing fields, with {said} for the line so far."""
    rolls: bool = False
    """Whether typed dice may follow."""
    takes_any: bool = False
    """Whether every name of its words may follow, so that completion need not try each."""
    menu: MenuLine | None = None

    @property
    def name(self) -> str:
        return self.line.partition(" ")[0]

    @property
    def brief(self) -> str:
        """The first form of the line, without alternatives: "set UNITS CONDITION [ROUNDS|off]"."""
        depth = 0
        for place, sign in enumerate(self.line):
            depth += (sign == "[") - (sign == "]")
            if sign == "|" and not depth:
                return self.line[:place].rstrip()
        return self.line

    def explained(self, setting: Setting | None = None) -> str:
        """Its meaning, with examples of the battle and its ruleset, or of the handbook."""
        return self.means.format(**(examples(setting) if setting else USUAL_EXAMPLES))

    def filled(self, unit: str, square: Square) -> dict[str, Any]:
        """Fields filled by a unit and a square."""
        items = items_of(self.line, self.makes[0]) if not self.read else ()
        values = {"UNIT": unit, "UNITS": (unit,), "SQUARE": square}
        return {item.field: values[item.word] for item in items if item.word in values}

    def hear(self, words: Words, setting: Setting, filled: Mapping[str, Any] = NOTHING) -> Spoken:
        """Parses the words after the first.

        Args:
            words: the typed words.
            setting: the context.
            filled: known fields that are not typed.

        Raises:
            Illegal, Unknown, OffMap: the line is incomplete or names something unknown.
        """
        words, typed, asks = split_dice(words) if self.rolls else (words, (), False)
        heard = self.read(words, setting) if self.read else read_fields(self, words, setting, filled)
        if isinstance(heard, Command):
            heard = SubmitCommand(heard)
        if isinstance(heard, SubmitCommand):
            return replace(heard, answers=(*heard.answers, *typed), asks=asks)
        return heard

    def print(self, command: Command, setting: Setting) -> str:
        """Formats the line of a command; "" if the line cannot express all of it."""
        if self.write:
            return self.write(command, setting)
        return "" if self.read else write_fields(self, command)


class Item(Struct, frozen=True):
    """A word of a syntax line and its field."""

    word: str
    field: str
    is_optional: bool
    bounds: tuple[int, int] | None = None


def split_dice(words: Words) -> tuple[Words, Given, bool]:
    """Splits off typed dice such as "dice 45 / 4 6"; also returns whether to ask for the others.

    Other parts of an attack may follow the dice, such as "defence none".

    Raises:
        Illegal: the words after "dice" are not dice.
    """
    folded = [word.casefold() for word in words]
    if "dice" not in folded:
        return words, (), False
    place = folded.index("dice")
    end = next((at for at in range(place + 1, len(words)) if folded[at] in PARTS), len(words))
    return [*words[:place], *words[end:]], parse_typed(" ".join(words[place + 1 : end])), place + 1 == end


@cache
def items_of(line: str, kind: type[Command]) -> tuple[Item, ...]:
    """The words of a syntax line with the command's fields, matched by type or by name."""
    hints = get_type_hints(kind, include_extras=True)
    left = {field.name: word_for(field.name, hints[field.name]) for field in fields(kind)}
    found = []
    for bracket, word, _ in ITEM.findall(line.partition(" ")[2]):
        field = next(name for name, wanted in left.items() if wanted == word)
        del left[field]
        found.append(Item(word, field, bool(bracket), _bounds(hints[field])))
    return tuple(found)


def word_for(name: str, hint: Any) -> str:
    """The word of a syntax line for a field of this name and type."""
    if kind := named_by(hint):
        return kind.upper() + ("S" if get_origin(hint) is tuple else "")
    bare = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    words = {Square: "SQUARE", Direction: "DIRECTION", int: "NUMBER", bool: name.removeprefix("is_")}
    return words.get(bare, name.upper())


def _bounds(hint: Any) -> tuple[int, int] | None:
    for part in get_args(hint):
        if isinstance(part, Meta) and part.ge is not None and part.le is not None:
            return int(part.ge), int(part.le)
    return None


def read_fields(form: Form, words: Words, setting: Setting, filled: Mapping[str, Any] = NOTHING) -> Command:
    """Parses a command field by field along its syntax line.

    Raises:
        Illegal, Unknown, OffMap: as `Form.hear`.
    """
    (kind,) = form.makes
    found = {**form.sets, **{name: to_json(value) for name, value in filled.items()}}
    return from_json(kind, read_values(form.line, kind, words, setting, found, form.asks))


def read_values(
    line: str,
    kind: type[Command],
    words: Words,
    setting: Setting,
    filled: Mapping[str, Any] = NOTHING,
    asks: Mapping[str, str] = NOTHING,
) -> dict[str, Any]:
    """Parses the JSON values of a command's fields.

    Args:
        line: the syntax line.
        kind: the command with these fields.
        words: the typed words after the first.
        setting: what it is heard against.
        filled: known values that are not typed.
        asks: as `Form.asks`.
    """
    said, found = words, dict(filled)
    items = [item for item in items_of(line, kind) if item.field not in filled]
    for place, item in enumerate(items):
        if item.word.islower():
            if words and words[0].casefold() == item.word:
                found[item.field], words = True, words[1:]
            continue
        if item.word == "UNIT" and item.is_optional and not place:
            unit, words = take_actor(words, setting, has_sign=_may_begin_with_sign(words, items[place + 1 :]))
            found[item.field] = unit.id
            continue
        if item.is_optional and (not words or words[0].casefold() in {later.word for later in items[place:]}):
            continue
        before = " ".join((line.partition(" ")[0], *said[: len(said) - len(words)]))
        missing = asks.get(item.field, f"The command is incomplete: {line}.").format(said=before)
        found[item.field], words = _read(item, words, setting, found, missing, is_last=item is items[-1])
    no_more(words)
    return found


def _may_begin_with_sign(words: Words, later: Sequence[Item]) -> bool:
    """Whether a first letter or digit is a unit's: "face T N", "rounds 1 5"; not in "face N", "rounds 5 rifle"."""
    required = [item.word for item in later if not item.is_optional]
    is_short = len(words) <= len(required)
    return not is_short and not (required[:1] == ["NUMBER"] and not is_amount(words[1]))


def _read(
    item: Item, words: Words, setting: Setting, found: Mapping[str, Any], missing: str, *, is_last: bool
) -> tuple[Any, Words]:
    """Parses the JSON value of a field, and the rest of the words."""
    match item.word:
        case "SQUARE":
            square, rest = expect_square(skip(words, *TOWARDS), setting.battle)
            return square.name, rest
        case "NUMBER":
            return _number(item, words, missing)
        case "UNITS":
            if not words:
                expect("unit", words, unit_names(setting.battle))
            numbers = [place for place, word in enumerate(words) if is_amount(word)]
            end = numbers[-1] if numbers and not is_last else len(words)  # "damage guard 2 5": the last is how much
            return list(read_units(words[:end], setting)), words[end:]
    unit = setting.battle.units.get(found.get("unit", ""))
    names = known(item.word, setting, unit)
    if names is not None:
        return expect(what_is(item.word, setting, unit), skip(words, *TOWARDS), names)
    if not words:
        raise Missing("words", missing)
    return (" ".join(words), ()) if is_last else (words[0], words[1:])


def _number(item: Item, words: Words, missing: str) -> tuple[int, Words]:
    if not words:
        raise Missing("words", missing)
    if not (words[0].isascii() and words[0].isdecimal()) or len(words[0]) > MOST_DIGITS:
        raise Illegal("words", missing)
    number = int(words[0])
    if item.bounds and not item.bounds[0] <= number <= item.bounds[1]:
        least, most = item.bounds
        raise Illegal("words", f"{number} is out of range: expected {least} to {most:,}.")
    return number, words[1:]


def write_fields(form: Form, command: Command) -> str:
    """Formats the line of a command; "" if a field has no word."""
    written, values = [form.name], to_json(command)
    items = items_of(form.line, type(command))
    usual = {field.name: to_json(field.default) for field in fields(type(command)) if not field.required}
    for name, value in {**usual, **form.sets}.items():
        if name not in {item.field for item in items} and values[name] != form.sets.get(name, value):
            return ""
    for item in items:
        value = values[item.field]
        if item.is_optional and value == usual.get(item.field):
            continue
        written.append(item.word if value is True else " ".join(value) if isinstance(value, list) else str(value))
    return " ".join(filter(None, written))
