"""TOML texts with positions: parse within bounds, then check tables while collecting every problem at once.

The reader of maps and the reader of rulesets share this. It decides nothing about what a key means. Positions are
looked up only once the first problem is noted, so a good file pays nothing for them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, TypeVar

import tomli
from msgspec import Struct

from engine.errors import Problem, Unreadable, near_miss
from engine.text import cells, clean, visible
from engine.toml_positions import MOST_LINE, STRING, Limits, Path, Positions, monsters

MOST_BYTES = 1 << 20
MOST_PROBLEMS = 500
MOST_NUMBER = 1_000_000
"""Size of a number for which the caller states no bounds."""
LINE_SHOWN = 160
CHOICES_SHOWN = 24

Scalar = bool | int | Fraction | str
Fallback = TypeVar("Fallback")


class Required:
    """The default of a key that has none."""


REQUIRED: Final = Required()


class NotExact(Struct, frozen=True):
    """A float that no exact number stands for, or only a monstrous one: inf, nan, 1e999999."""

    written: str


PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
LINE_END = "character '\\n'"
"""What the parser says of a text in quotes that goes on past its line."""
NOT_CLOSED = "the text in quotes does not end on its line; expected a closing quotation mark"


def parse(
    text: str, file: str, most_bytes: int = MOST_BYTES, limits: Limits | None = None, is_shipped: bool = False
) -> Document:
    """The TOML text as a document to be read.

    Args:
        text: the whole text; a byte order mark at its start is ignored.
        file: name used in messages.
        most_bytes: size above which the text is refused unread.
        limits: to what it holds beside that; None for none.
        is_shipped: the text is our own, and so not looked at for what would make parsing it slow, nor its formulas
            tried.

    Raises:
        Unreadable: the text is too large, too deep, has a monstrous line, or is not TOML.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    document = Document(file, text, {})
    if len(text) > most_bytes or len(text.encode("utf-8", "replace")) > most_bytes:
        raise Unreadable(file, [Problem(1, 1, f"the file is too large; at most {most_bytes:,} bytes are read")])
    found = [] if is_shipped else [document.problem_at(*place) for place in monsters(text, limits)]
    if found:
        raise Unreadable(file, found)
    try:
        tables = tomli.loads(text, parse_float=_exact)
    except RecursionError:
        raise Unreadable(file, [Problem(1, 1, "values are nested too deeply")]) from None
    except ValueError as error:
        raise Unreadable(file, [_syntax_problem(document, str(error))]) from None
    return Document(file, text, tables, is_shipped=is_shipped)


class Document:
    """One parsed text: its root table, its positions, and the problems noted so far."""

    def __init__(self, file: str, text: str, tables: dict[str, object], *, is_shipped: bool = False) -> None:
        self.file = file
        self.text = text
        self.tables = tables
        self.is_shipped = is_shipped
        """Whether it is our own text, which the tests have checked."""
        self.aliases: Callable[[], Mapping[Path, Path]] = dict
        """Where tables that do not stand in the text at their path were written."""
        self.problems: list[Problem] = []
        self.formulas: list[tuple[Reader, str, str]] = []
        """Formulas that were read, with their table and key: for what can be said once all is read."""
        self.read_before: dict[str, Any] = {}
        """What was made of texts that may stand here again."""
        self.root = Reader(self, tables, (), "the file")

    def check(self) -> None:
        """Nothing when all is well.

        Raises:
            Unreadable: with every problem noted so far.
        """
        if self.problems:
            raise Unreadable(self.file, self.problems)

    def problem_at(self, offset: int, message: str) -> Problem:
        """A problem at an offset of the text."""
        row = bisect_right(self._line_starts, offset) - 1
        return self.problem_on(row + 1, offset - self._line_starts[row] + 1, message)

    def problem_on(self, line: int, column: int, message: str) -> Problem:
        """A problem at a 1-based line and column; the line is shown only where a caret can point into it."""
        lines = self._line_starts
        line = min(max(line, 1), len(lines))
        end = lines[line] - 1 if line < len(lines) else len(self.text)
        source = self.text[lines[line - 1] : end] if column <= LINE_SHOWN else ""
        return Problem(line, max(column, 1), message, visible(source[:LINE_SHOWN]))

    @cached_property
    def positions(self) -> Positions:
        """Where every key and every value stands; scanned at first use."""
        return Positions(self.text)

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(match.end() for match in re.finditer("\n", self.text))]

    @property
    def is_full(self) -> bool:
        """Whether so many problems are noted that no further one is."""
        return len(self.problems) >= MOST_PROBLEMS

    def note(self, path: Path, message: str, row: int = 0, offset: int = 0, at_key: bool = False) -> None:
        """Note a problem with what stands at `path`, or with the nearest table around it that exists."""
        if self.is_full:
            return
        path = self._written(path)
        known = self.positions.keys if at_key else self.positions.values
        while path and path not in known:
            path, row, offset = path[:-1], 0, 0
        start = known.get(path, 0)
        if row == offset == 0 and not self._opens_block(start):
            self.problems.append(self.problem_at(start, message))
            return
        quote = self.text[start : start + 3]
        if quote not in ("'''", '"""'):
            quote = quote[:1]
        body = start + len(quote)
        escaped = quote[:1] == '"' and "\\" in self._string_at(start)
        if quote[:1] not in ("'", '"') or escaped:
            self.problems.append(self.problem_at(start, message))
            return
        if self._opens_block(start):
            row, body = row + 1, start
        line = bisect_right(self._line_starts, start) + row
        column = offset + 1 if row else body - self._line_starts[line - 1] + offset + 1
        self.problems.append(self.problem_on(line, column, message))

    def _written(self, path: Path) -> Path:
        """Where what stands at a path was written."""
        aliases = self.aliases()
        for length in range(len(path), 0, -1):
            if path[:length] in aliases:
                return (*aliases[path[:length]], *path[length:])
        return path

    def _opens_block(self, start: int) -> bool:
        return self.text.startswith(("'''\n", '"""\n'), start)

    def _string_at(self, start: int) -> str:
        match = STRING.match(self.text, start)
        return match[0] if match else ""


class Reader:
    """One table being read. Asking for a key marks it as known; a wrong value is noted and a harmless one returned."""

    def __init__(
        self, document: Document, table: dict[str, object], path: Path, label: str, is_stand_in: bool = False
    ) -> None:
        self.document = document
        self.path = path
        self.label = label
        """What messages call the table: "[scale]", "[[unit]]"."""
        self._table = table
        self._asked: dict[str, None] = {}
        self.is_stand_in = is_stand_in
        """Whether what stands in the file is no table, which is noted already."""

    def has(self, key: str) -> bool:
        """Whether the table has the key; it counts as known from now on."""
        self._asked[key] = None
        return key in self._table

    def keys(self) -> list[str]:
        """The keys in the file's order. Does not mark them as known."""
        return list(self._table)

    def __iter__(self) -> Iterator[str]:
        """The keys in the file's order, as `keys`."""
        return iter(self._table)

    def raw(self, key: str) -> object:
        """What the parser made of the value, None when it is missing; for keys that take several shapes."""
        return self._table[key] if self.has(key) else None

    def text(
        self,
        key: str,
        default: str | Required = REQUIRED,
        *,
        choices: Collection[str] | None = None,
        most: int = 80,
    ) -> str:
        """A line of plain text, cleaned; `most` in terminal cells. With `choices`, one of them."""
        fallback = default if isinstance(default, str) else next(iter(choices), "") if choices else ""
        value = self._value(key, default)
        if value is None:
            return fallback
        if not isinstance(value, str):
            return self._wrong(key, value, "text in quotes", fallback)
        if (
            choices is None
            and len(value) <= most
            and value.isascii()
            and value.isprintable()
            and (bare := value.strip())
        ):
            return bare  # what most texts are, in a third of the time
        plain = clean(value, max(len(value), 1) * 2)
        if choices is not None:
            if plain in choices:
                return plain
            hint = near_miss(plain, choices)
            known = ", ".join(list(choices)[:CHOICES_SHOWN])
            expected = f"did you mean {hint!r}?" if hint else f"known values: {known}"
            self.problem(key, f"{key} = {quoted(plain)} is not known; {expected}")
            return fallback
        if cells(plain) > most:
            self.problem(key, f"{key} is {cells(plain)} characters wide; at most {most} fit")
            return fallback
        if not plain and value:
            self.problem(key, f"{key} has no printable character; expected plain text")
        return plain

    def block(self, key: str, default: str | Required = REQUIRED) -> str:
        """A multi-line string as it stands, uncleaned; for drawings, whose characters the caller checks."""
        value = self._value(key, default)
        fallback = default if isinstance(default, str) else ""
        if value is None or isinstance(value, str):
            return fallback if value is None else value
        return self._wrong(key, value, "rows between ''' and '''", fallback)

    def whole(
        self, key: str, default: int | Required = REQUIRED, *, least: int | None = None, most: int | None = None
    ) -> int:
        """A whole number within the bounds, which are included; a million either way where none are stated."""
        fallback = default if isinstance(default, int) else least or 0
        value = self._value(key, default)
        if value is None:
            return fallback
        if isinstance(value, bool) or not isinstance(value, int):
            return self._wrong(key, value, "a whole number", fallback)
        return value if self._fits(key, value, least, most) else fallback

    def number(
        self,
        key: str,
        default: Fraction | int | Required = REQUIRED,
        *,
        least: Fraction | int | None = None,
        most: Fraction | int | None = None,
    ) -> Fraction:
        """A number, exactly as written, within the bounds, which are included; a million where none are stated."""
        fallback = Fraction(least or 0) if isinstance(default, Required) else Fraction(default)
        value = self._value(key, default)
        if value is None:
            return fallback
        if isinstance(value, bool) or not isinstance(value, int | Fraction):
            return self._wrong(key, value, "a number", fallback)
        return Fraction(value) if self._fits(key, value, least, most) else fallback

    def flag(self, key: str, default: bool | Required = REQUIRED) -> bool:
        """true or false."""
        fallback = default if isinstance(default, bool) else False
        value = self._value(key, default)
        if value is None:
            return fallback
        return value if isinstance(value, bool) else self._wrong(key, value, "true or false", fallback)

    def texts(self, key: str, default: tuple[str, ...] | Required = REQUIRED, *, most: int = 80) -> tuple[str, ...]:
        """A list of texts, each cleaned; `most` in terminal cells for each."""
        fallback = default if isinstance(default, tuple) else ()
        value = self._value(key, default)
        if value is None:
            return fallback
        if not isinstance(value, list):
            return self._wrong(key, value, 'a list of texts, as ["a", "b"]', fallback)
        found: list[str] = []
        for index, item in enumerate(value):
            plain = clean(item, max(len(item), 1) * 2) if isinstance(item, str) else ""
            if not isinstance(item, str) or cells(plain) > most:
                message = f"{described(item)} in {key} is not a text of at most {most} characters; expected one"
                self.document.note((*self.path, key, index), message)
            found.append(plain)
        return tuple(found)

    def value(self, key: str) -> Scalar:
        """A plain value of any kind: true, 3, 1.5 or text; text is cleaned."""
        value = self._value(key, REQUIRED)
        match value:
            case None:
                return 0
            case str():
                return self.text(key, most=MOST_LINE)
            case bool():
                return value
            case int() | Fraction():
                return value if self._fits(key, value, None, None) else 0
        return self._wrong(key, value, "a number, a text, true or false", 0)

    def table(self, key: str) -> Reader:
        """The table under a key; an empty one when it is missing."""
        label = f"[{key}]" if not self.path else f"{self.label} {key}"
        value = self.raw(key)
        if value is not None and not isinstance(value, dict):
            self._wrong(key, value, f"a table such as [{key}]", None)
        is_table = isinstance(value, dict)
        found = value if isinstance(value, dict) else {}
        return Reader(self.document, found, (*self.path, key), label, is_stand_in=value is not None and not is_table)

    def tables(self, key: str) -> list[Reader]:
        """The tables of an array of tables; none when it is missing."""
        value = self.raw(key)
        label = f"[[{key}]]" if not self.path else f"{self.label} {key}"
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            return self._wrong(key, value, f"tables, each headed [[{key}]]", [])
        return [Reader(self.document, item, (*self.path, key, index), label) for index, item in enumerate(value)]

    def problem(self, key: str | None, message: str, *, row: int = 0, offset: int = 0) -> None:
        """Note that something is wrong with a key's value, or with the table itself when `key` is None.

        Args:
            key: a key of the table; one that is missing puts the problem at the table's heading.
            message: what is wrong; what was expected.
            row: 0-based row within a multi-line string.
            offset: 0-based column within that row, or within a string on one line.
        """
        self.document.note(self.path if key is None else (*self.path, key), message, row, offset)

    def finish(self) -> None:
        """Reports every unknown key with the nearest known key. Call it once for each table."""
        for key in self._table:
            if key in self._asked or self.document.is_full:
                continue
            hint = near_miss(key, [other for other in self._asked if other not in self._table] or list(self._asked))
            known = ", ".join(sorted(self._asked))
            expected = f"did you mean {hint!r}?" if hint else f"known keys: {known}"
            self.document.note((*self.path, key), f"{self.label} has no key {quoted(key)}; {expected}", at_key=True)

    def _value(self, key: str, default: object) -> object:
        """The raw value; None when the key is missing, which is noted where there is no default."""
        if self.has(key):
            return self._table[key]
        if isinstance(default, Required) and not self.is_stand_in:
            self.problem(None, f"{self.label} has no {key!r}; it is required")
        return None

    def _wrong(self, key: str, value: object, expected: str, fallback: Fallback) -> Fallback:
        self.problem(key, f"{key} is {described(value)}; expected {expected}")
        return fallback

    def _fits(self, key: str, value: Fraction | int, least: Fraction | int | None, most: Fraction | int | None) -> bool:
        least = -MOST_NUMBER if least is None else least
        most = MOST_NUMBER if most is None else most
        if not least <= value <= most:
            self.problem(key, f"{key} is {described(value)}; expected {described(least)} to {described(most)}")
        return least <= value <= most


def quoted(text: str) -> str:
    """The text in quotes, cut and with every unprintable character escaped, for a message."""
    return repr(text if len(text) <= 40 else text[:39] + "…")


def described(value: object) -> str:
    """A value from a file as a message names it."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case NotExact():
            return f"the number {visible(value.written[:40])}"
        case str():
            return f"the text {quoted(value)}"
        case int():
            return f"{value}" if abs(value) < 10**20 else "a number of more than 20 digits"
        case Fraction():
            return f"{float(value):g}" if abs(value) < 10**20 else "a number of more than 20 digits"
        case list():
            return "a list"
        case dict():
            return "a table"
    return "a date or a time"


def _exact(text: str) -> Fraction | NotExact:
    """A TOML float as the exact number that is written; one that no sane file holds stays a word."""
    mantissa, _, exponent = text.lower().replace("_", "").partition("e")
    if "n" in mantissa or len(mantissa) > 40 or len(exponent) > 3:
        return NotExact(text)
    return Fraction(mantissa) * Fraction(10) ** int(exponent or 0)


def _syntax_problem(document: Document, message: str) -> Problem:
    place = PLACE.search(message)
    said = NOT_CLOSED if LINE_END in message else visible(PLACE.sub("", message))[:200]
    what = f"this is not TOML: {said}"
    if place is None:
        return document.problem_on(1, 1, what)
    if place[1] is None:
        return document.problem_at(len(document.text.rstrip()), what)
    return document.problem_on(int(place[1]), int(place[2]), what)
