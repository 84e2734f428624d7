"""What the terminal sends: Textual's parser, with limits for input that no person types."""

from __future__ import annotations

import re
from collections.abc import Iterable

from textual import events
from textual._xterm_parser import BRACKETED_PASTE_END, BRACKETED_PASTE_START, XTermParser
from textual.keys import Keys
from textual.message import Message

MOST_COLUMNS, MOST_ROWS = 1000, 400
"""The largest terminal that is believed. A screen 7,680 pixels wide has 960 columns of 8 pixels, and 4,320 pixels have
360 rows of 12. On a board of this size the program takes 80 MB, and a key a quarter of a second."""

MOST_PASTED = 10_000
"""Most characters of a paste, which goes into one line."""

SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, keys
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]?"
)
"""An escape sequence, whole or cut off. Linear: no part of it can match what another part matches."""
CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """A terminal's size, in columns and rows, within what is believed."""
    return min(max(columns, 1), MOST_COLUMNS), min(max(rows, 1), MOST_ROWS)


def cleaned(pasted: str) -> str:
    """A pasted text without escape sequences and control characters; it keeps its line breaks and tabs."""
    return CONTROL.sub("", SEQUENCE.sub("", pasted))


class BoardParser(XTermParser):
    """Parses keys, mouse and reports. A paste is cleaned before Textual's own parser, in 8.2.8, sees it.

    That parser looks for keys in the escape sequences of a paste, which takes a minute for 20 kB and runs them as keys;
    it raises for a key beyond Unicode and for a mouse in a terminal of no pixels.
    """

    def __init__(self, debug: bool = False) -> None:
        self._is_pasting = False
        self._pasted = ""
        """What was pasted so far, at most MOST_PASTED characters of it."""
        self._tail = ""
        """The latest characters, which may start a marker."""
        super().__init__(debug)

    def feed(self, data: str) -> Iterable[Message]:
        """The messages that the next characters complete; "" for the end of the input."""
        if not data:
            yield from super().feed(data)
        while data:
            marker = BRACKETED_PASTE_END if self._is_pasting else BRACKETED_PASTE_START
            at = (self._tail + data).find(marker)
            end = len(data) if at < 0 else at + len(marker) - len(self._tail)
            part, data = data[:end], data[end:]
            if self._is_pasting:
                self._pasted = (self._pasted + part)[: MOST_PASTED + len(marker)]
            else:
                yield from super().feed(part)
            if at < 0:
                self._tail = (self._tail + part)[1 - len(marker) :]
                continue
            if self._is_pasting:
                text = cleaned(self._pasted.partition(marker)[0][:MOST_PASTED])
                yield from super().feed(text + marker)
            self._is_pasting, self._pasted, self._tail = not self._is_pasting, "", ""

    def tick(self) -> Iterable[Message]:
        """The keys of an unfinished sequence; the next character starts a new one."""
        for message in super().tick():
            self._tail = ""
            yield message

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            "".join(key.character or "" for key in keys).encode()  # half of a surrogate pair is no character
        except (ValueError, OverflowError):
            keys = [events.Key(Keys.Ignore, sequence)]
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        """The event of a mouse report; None where there is none."""
        try:
            return super().parse_mouse_code(code)
        except (ArithmeticError, ValueError):
            return None
