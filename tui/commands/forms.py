"""Forms: a command, a question or a setting as people meet it, in one object.

Its line, as "place [UNIT] SQUARE", is what is parsed, completed, explained, printed and listed in the handbook. Words
in CAPITALS are fields of the command, found by their types; small ones are typed as they are; what stands in brackets
may be left out. A line that is too free for that has a reader, and a writer, of its own beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
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
from engine.values import replace
from tui.commands.amounts import is_amount
from tui.commands.naming import TOWARDS, Missing, Words, expect, expect_square, no_more, skip, unit_names
from tui.commands.results import Setting, Spoken, SubmitCommand
from tui.commands.vocabulary import USUAL_EXAMPLES, examples, known, read_units, take_actor, what_is

NOTHING: Mapping[str, Any] = {}
ITEM = re.compile(r"(\[?)([A-Z]+|[a-z]+)(\]?)")
MOST_DIGITS = 6
PARTS = frozenset({"with", "free", "defence", "defense", "share", "by", "as"})
"""Words with which a further part of an attack begins."""


class MenuLine(Struct, frozen=True):
    """A line of the GM tools."""

    letter: str
    """The same in every battle; no other line has it."""
    label: str
    """With {unit} and {square} for the unit that is meant and the cursor's square; no line with {unit} without one."""
    help: str = ""
    """What the handbook says of it; "" for what the form means."""
    ask: str = ""
    """The question for what the menu does not know, with {weapon} too; "" where it knows all or the line is typed."""
    value: str = ""
    """What the answer is before anything is typed."""


class Form(Struct, frozen=True):
    """A line that a person may type."""

    line: str
    means: str
    """What it is for, a part of a sentence; its examples have {unit}, {other}, {side}, {stat}, {pool}, {condition}."""
    makes: tuple[type[Command], ...] = ()
    """The commands that come of it."""
    read: Callable[[Words, Setting], Command | Spoken] | None = None
    write: Callable[[Any, Setting], str] | None = None
    """The line of a command, "" where none says it."""
    also: tuple[str, ...] = ()
    """Other words for its first."""
    sets: Mapping[str, Any] = NOTHING
    """Fields that no word says."""
    asks: Mapping[str, str] = NOTHING
    """What to say when a field is missing, with {said} for the line so far."""
    rolls: bool = False
    """Whether dice may be typed behind it."""
    menu: MenuLine | None = None

    @property
    def name(self) -> str:
        return self.line.partition(" ")[0]

    def explained(self, setting: Setting | None = None) -> str:
        """What it means, with examples that fit a battle and its ruleset; those of the handbook where there is none."""
        return self.means.format(**(examples(setting) if setting else USUAL_EXAMPLES))

    def given(self, unit: str, square: Square) -> dict[str, Any]:
        """The fields that a unit and a square fill."""
        items = items_of(self.line, self.makes[0]) if not self.read else ()
        values = {"UNIT": unit, "UNITS": (unit,), "SQUARE": square}
        return {item.field: values[item.word] for item in items if item.word in values}

    def hear(self, words: Words, setting: Setting, given: Mapping[str, Any] = NOTHING) -> Spoken:
        """What the words after the first ask for.

        Args:
            words: what was typed.
            setting: what it is heard against.
            given: fields that are known already and not typed.

        Raises:
            Illegal, Unknown, OffMap: it says too little, or something that is not there.
        """
        words, typed, asks = split_dice(words) if self.rolls else (words, (), False)
        heard = self.read(words, setting) if self.read else read_fields(self, words, setting, given)
        if isinstance(heard, Command):
            heard = SubmitCommand(heard)
        if isinstance(heard, SubmitCommand):
            return replace(heard, answers=(*heard.answers, *typed), asks=asks)
        return heard

    def print(self, command: Command, setting: Setting) -> str:
        """The line of a command that it makes; "" where it does not say all of it."""
        if self.write:
            return self.write(command, setting)
        return "" if self.read else write_fields(self, command)


class Item(Struct, frozen=True):
    """A word of a line, and the field that it is about."""

    word: str
    field: str
    is_optional: bool
    bounds: tuple[int, int] | None = None


def split_dice(words: Words) -> tuple[Words, Given, bool]:
    """The words but "dice" and the dice typed after it, as "dice 45 / 4 6", and whether to ask for what is not typed.

    Other parts of an attack may follow the dice, as "defence none".

    Raises:
        Illegal: what follows is no dice.
    """
    folded = [word.casefold() for word in words]
    if "dice" not in folded:
        return words, (), False
    place = folded.index("dice")
    end = next((at for at in range(place + 1, len(words)) if folded[at] in PARTS), len(words))
    return [*words[:place], *words[end:]], parse_typed(" ".join(words[place + 1 : end])), place + 1 == end


@cache
def items_of(line: str, kind: type[Command]) -> tuple[Item, ...]:
    """The words of a line with the fields of a command that they are about: of the same kind, or of the same name."""
    hints = get_type_hints(kind, include_extras=True)
    left = {field.name: word_for(field.name, hints[field.name]) for field in fields(kind)}
    found = []
    for bracket, word, _ in ITEM.findall(line.partition(" ")[2]):
        field = next(name for name, wanted in left.items() if wanted == word)
        del left[field]
        found.append(Item(word, field, bool(bracket), _bounds(hints[field])))
    return tuple(found)


def word_for(name: str, hint: Any) -> str:
    """The word that stands in a line for a field of this name and type."""
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


def read_fields(form: Form, words: Words, setting: Setting, given: Mapping[str, Any] = NOTHING) -> Command:
    """The command that the words make, field by field as the line says.

    Raises:
        Illegal, Unknown, OffMap: as `Form.hear`.
    """
    (kind,) = form.makes
    found = {**form.sets, **{name: to_json(value) for name, value in given.items()}}
    return from_json(kind, read_values(form.line, kind, words, setting, found, form.asks))


def read_values(
    line: str,
    kind: type[Command],
    words: Words,
    setting: Setting,
    given: Mapping[str, Any] = NOTHING,
    asks: Mapping[str, str] = NOTHING,
) -> dict[str, Any]:
    """JSON values of a command's fields, as a line says them.

    Args:
        line: the form's.
        kind: the command with these fields.
        words: what was typed behind the line's first word.
        setting: what it is heard against.
        given: values that are known already and not typed.
        asks: as `Form.asks`.
    """
    said, found = words, dict(given)
    items = [item for item in items_of(line, kind) if item.field not in given]
    for place, item in enumerate(items):
        if item.word.islower():
            if words and words[0].casefold() == item.word:
                found[item.field], words = True, words[1:]
            continue
        if item.word == "UNIT" and item.is_optional and not place:
            unit, words = take_actor(words, setting)
            found[item.field] = unit.id
            continue
        if item.is_optional and (not words or words[0].casefold() in {later.word for later in items[place:]}):
            continue
        before = " ".join((line.partition(" ")[0], *said[: len(said) - len(words)]))
        missing = asks.get(item.field, f"Something is missing: {line}.").format(said=before)
        found[item.field], words = _read(item, words, setting, found, missing, is_last=item is items[-1])
    no_more(words)
    return found


def _read(
    item: Item, words: Words, setting: Setting, found: Mapping[str, Any], missing: str, *, is_last: bool
) -> tuple[Any, Words]:
    """The JSON value of a field, and the words after it."""
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
        few_or_many = "few" if number < least else "many"
        raise Illegal("words", f"{number} is too {few_or_many}: it can be {least} to {most:,}.")
    return number, words[1:]


def write_fields(form: Form, command: Command) -> str:
    """The line of a command that the form's fields make; "" where it holds what no word says."""
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
