"""Where keys and values stand in a TOML text: a scanner of tokens, because parsers forget positions.

`monsters` looks at any text before it is parsed; `Positions` trusts that the parser has accepted the text, and so does
not check it again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import tomli

MOST_LINE = 4096
"""Characters of a line outside multi-line strings."""
MOST_DEPTH = 8
"""Parts of a key, and brackets inside brackets."""

Path = tuple[str | int, ...]


class Limits(NamedTuple):
    """How much a text may hold, for texts that others wrote and that may be large."""

    lines: int
    marks: int
    """Brackets, commas, equals signs, strings and lines, outside multi-line strings; backslashes, which are slow."""
    keys: int
    """Equals signs and opening brackets among them."""


STRINGS = r"""
    '''(?s:.*?)(?:'{3,5}|(?P<unclosed_literal>\Z))
  | \"\"\"[^"\\]*+(?:(?:\\.|"(?!""))[^"\\]*+)*(?:"{3,5}|(?P<unclosed_basic>\Z))
  | "[^"\\\n]*+(?:\\.[^"\\\n]*+)*"?
  | '[^'\n]*+'?
"""
"""Only single characters are repeated possessively: Python before 3.11.5 gets groups wrong (cpython #100061). A group
takes memory for each of its repeats, so large texts are searched only up to a limit of what begins one."""
STRING = re.compile(STRINGS, re.VERBOSE | re.DOTALL)
TOKEN = re.compile(rf"(?P<string>{STRINGS})|\#[^\n]*+|(?P<mark>[\[\]{{}}=,.\n])", re.VERBOSE | re.DOTALL)
SPACE = re.compile(r"[ \t]*+")
BLANK = re.compile(r"[ \t\n,]*+(?:#[^\n]*+[ \t\n,]*+)*")
BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
BARE_VALUE = re.compile(r"[^,\]}\n#]+")


def monsters(text: str, limits: Limits | None = None) -> Iterator[tuple[int, str]]:
    """Offsets and descriptions of what would make parsing slow, and of a multi-line string that never ends."""
    depth = dots = line_start = marks = keys = 0
    if limits and text.count("\n") > limits.lines:
        yield 0, f"the file has too many lines; at most {limits.lines:,} are read"
        return
    if limits and text.count("\\") + text.count('"') // 2 > limits.marks:
        yield 0, "the file holds too many keys and values to be read"
        return
    for token in TOKEN.finditer(text):
        mark = token["mark"]
        if limits:
            marks += 1 + (token[0].count("\\") if mark is None else 0)
            keys += mark is not None and mark in "=[{"
            if marks > limits.marks or keys > limits.keys:
                yield token.start(), "the file holds too many keys and values to be read"
                return
        if mark == ".":
            dots += 1
            if dots >= MOST_DEPTH:
                yield token.start(), f"the key has too many parts; at most {MOST_DEPTH} are read"
                return
            continue
        if mark is None:
            if token["unclosed_literal"] is not None or token["unclosed_basic"] is not None:
                yield token.start(), f"the text that starts here is never closed; expected {token[0][:3]} after it"
                return
            if "\n" in token[0]:
                if text.find("\n", token.start()) - line_start > MOST_LINE:
                    yield line_start, f"the line is too long; at most {MOST_LINE:,} characters are read"
                    return
                line_start = token.start() + token[0].rindex("\n") + 1
            continue
        dots = 0
        if mark in "[{":
            depth += 1
            if depth > MOST_DEPTH:
                yield token.start(), f"brackets are nested too deeply; at most {MOST_DEPTH} levels are read"
                return
        elif mark in "]}":
            depth -= 1
        elif mark == "\n":
            if token.start() - line_start > MOST_LINE:
                yield line_start, f"the line is too long; at most {MOST_LINE:,} characters are read"
                return
            line_start = token.end()
    if len(text) - line_start > MOST_LINE:
        yield line_start, f"the line is too long; at most {MOST_LINE:,} characters are read"


class Positions:
    """Offsets of every key and every value of a TOML text, by path.

    A path is made of keys and, within arrays, 0-based indices. The value of a table with a header is its header.

    >>> found = Positions('[a]\\nb = [1, {c = 2}]\\n')
    >>> found.keys["a", "b"], found.values["a", "b"], found.values["a", "b", 1, "c"]
    (4, 8, 17)
    """

    def __init__(self, text: str) -> None:
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}
        self.names: list[tuple[Path, int]] = []
        """Every part of every key and header, in the order of the text; `keys` has only the first for each path."""
        self._text = text
        self._at = 0
        self._scan()

    def _scan(self) -> None:
        lengths: dict[Path, int] = {}
        table: Path = ()
        while True:
            self._pass(BLANK)
            if self._at >= len(self._text):
                return
            if self._text[self._at] != "[":
                self._key_value(table)
                continue
            is_array = self._text.startswith("[[", self._at)
            self._at += 2 if is_array else 1
            table = ()
            parts = self._key()
            for number, (offset, part) in enumerate(parts, 1):
                table = (*table, part)
                self.names.append((table, offset))
                self.keys.setdefault(table, offset)
                self.values.setdefault(table, offset)
                if is_array and number == len(parts):
                    lengths[table] = lengths.get(table, 0) + 1
                if table in lengths:
                    table = (*table, lengths[table] - 1)
                    self.values.setdefault(table, offset)
            self._at += 2 if is_array else 1

    def _pass(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self._text, self._at)
        if match is None:
            return ""
        self._at = match.end()
        return match[0]

    def _is_before(self, closing: str) -> bool:
        self._pass(BLANK)
        return self._text[self._at] != closing

    def _key(self) -> list[tuple[int, str]]:
        """Offset and name of each part of the dotted key that starts here; stops after it and the space behind it."""
        parts: list[tuple[int, str]] = []
        while True:
            self._pass(SPACE)
            start = self._at
            name = self._pass(BARE_KEY)
            if not name:
                token = self._pass(STRING)
                name = str(tomli.loads(f"k = {token}")["k"]) if "\\" in token else token[1:-1]
            parts.append((start, name))
            self._pass(SPACE)
            if not self._text.startswith(".", self._at):
                return parts
            self._at += 1

    def _key_value(self, table: Path) -> None:
        path = table
        for offset, part in self._key():
            path = (*path, part)
            self.names.append((path, offset))
            self.keys.setdefault(path, offset)
            self.values.setdefault(path, offset)
        self._at += 1
        self._pass(SPACE)
        self.values[path] = self._at
        self._value(path)

    def _value(self, path: Path) -> None:
        opening = self._text[self._at]
        if opening in "'\"":
            self._pass(STRING)
        elif opening == "[":
            self._at += 1
            index = 0
            while self._is_before("]"):
                self.values[*path, index] = self._at
                self._value((*path, index))
                index += 1
            self._at += 1
        elif opening == "{":
            self._at += 1
            while self._is_before("}"):
                self._key_value(path)
            self._at += 1
        else:
            self._pass(BARE_VALUE)
