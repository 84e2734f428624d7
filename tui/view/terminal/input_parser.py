"""What the terminal sends, as messages: keys, mouse, pastes and the few reports that were asked for.

All else that a terminal answers is dropped whole, however late and in whatever pieces it comes: it is never a key.
The grammar is in `control_sequences`; what a known sequence means is Textual's parser's business.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator

from textual import constants, events
from textual._ansi_sequences import ANSI_SEQUENCES_KEYS
from textual._xterm_parser import (
    BRACKETED_PASTE_END,
    BRACKETED_PASTE_START,
    FOCUSIN,
    FOCUSOUT,
    XTermParser,
    _re_extended_key,
    _re_in_band_window_resize,
    _re_mouse_event,
    _re_terminal_mode_response,
)
from textual.keys import Keys
from textual.message import Message

from tui.view.terminal.control_sequences import BEGUN, C1, ESC, REPORT, STRING_END, STRING_STARTS, WHOLE, cleaned

MOST_COLUMNS, MOST_ROWS = 1000, 400
"""The largest terminal that is believed. A screen 7,680 pixels wide has 960 columns of 8 pixels, and 4,320 pixels have
360 rows of 12. On a board of this size the program takes 80 MB, and a key a quarter of a second."""

MOST_PASTED = 10_000
"""Most characters of a paste, which goes into one line."""
PASTE_SILENCE_S = 1.0
"""Seconds without a character that end a paste whose end was lost."""

MOST_IN_SEQUENCE = 65_536
"""Characters of a sequence after which a short silence ends it."""
SILENCE_S, SHORT_SILENCE_S = 0.2, 0.05
"""Seconds without a character that end an unfinished sequence, and one that is too long or was cut before."""
REST_S = 10.0
"""Seconds for which the rest of a sequence that silence has cut is still known as such."""
MOST_TYPED = 32
"""Characters without a pause that a person types ahead; more of them are sent by a machine."""

HELD_KEY = 12
"""A character that comes so often one by one is a key that is held: the longest run of a digit in a reply is eight."""

MOST_READ = 32
"""Characters of the longest sequence that Textual's parser reads as one."""
MOST_OF_KEY = 64
"""Characters of the longest key of the Kitty protocol, with the text that it types."""

POLL_S = 0.1
"""Seconds between two looks at whether the screen is left."""

OTHER_KEY, SHIFT = re.compile("\x1b\\[27;([0-9]{1,3});([0-9]{1,6})~"), "2"
"""A key with modifiers as xterm's modifyOtherKeys and tmux send it, which Textual reads without its Alt; and the number
that stands for Shift alone, which the character says already."""

READ = (_re_mouse_event, _re_in_band_window_resize, _re_terminal_mode_response)
"""Reports that Textual's parser makes messages of."""


def clamped(columns: int, rows: int) -> tuple[int, int]:
    """A terminal's size, in columns and rows, within what is believed."""
    return min(max(columns, 1), MOST_COLUMNS), min(max(rows, 1), MOST_ROWS)


class BoardParser(XTermParser):
    """Parses characters into messages; it knows no clock, but is told of silences.

    Textual's own parser, in 8.2.8, takes what it does not know for keys, and looks for keys in pastes, which takes a
    minute for 20 kB. Here it gets whole known sequences and nothing else.
    """

    def __init__(self, debug: bool = False) -> None:
        self._open = ""
        """The sequence that has begun, "" for none; of a control string its two first characters, and an Esc that may
        be its end."""
        self._length = 0
        """Characters of that sequence."""
        self._cut = ""
        """As `_open`: the latest sequence that silence has ended, as long as its rest may come."""
        self._held = ""
        """Characters that are keys, unless they turn out to be the rest of the one that was cut."""
        self._pasted: str | None = None
        """What was pasted so far, at most MOST_PASTED characters of it and a marker; None outside of a paste."""
        self._tail = ""
        """The latest characters of a paste, which may begin its marker."""
        self._is_paste_cut = False
        """Whether silence has ended the latest paste, as long as its rest may come."""
        self._latest, self._repeats = "", 0
        """What came last, at most two characters of it, and how often one after the other."""
        self._silence_s = self._rest_s = 0.0
        """Seconds of silence since the latest character, and since the sequence was cut."""
        super().__init__(debug)

    @property
    def patience_s(self) -> float:
        """Seconds of silence after which `silence` is to be called."""
        return max(0.001, min(POLL_S, self._limit_s - self._silence_s))

    @property
    def _limit_s(self) -> float:
        """Seconds of silence that end what is open; POLL_S more than there were where nothing is."""
        if self._held:
            return SHORT_SILENCE_S
        if self._open == ESC:
            return constants.ESCAPE_DELAY
        if self._open:
            return SILENCE_S if self._length <= MOST_IN_SEQUENCE else SHORT_SILENCE_S
        return PASTE_SILENCE_S if self._pasted is not None else self._silence_s + POLL_S

    def feed(self, data: str) -> Iterator[Message]:
        """The messages that the next characters complete."""
        self._silence_s = 0.0
        self._repeats, self._latest = self._repeats + 1 if data == self._latest else 1, data[:2]
        data = data.translate(C1)
        if self._is_paste_cut and not self._open and self._pasted is None:
            data = self._without_rest_of_paste(self._held + data)
        elif self._cut and not self._open and self._pasted is None:
            data = self._without_rest(self._held + data)
        yield from self._take(data)

    def silence(self, seconds: float) -> Iterator[Message]:
        """The messages that a silence completes: nothing has come for so many seconds, or so many more."""
        self._silence_s += seconds
        if self._silence_s >= self._limit_s:
            yield from self._end_on_silence()
        self._rest_s += seconds
        if self._rest_s > REST_S:
            self._cut, self._is_paste_cut = "", False

    def _end_on_silence(self) -> Iterator[Message]:
        if self._held:
            held, self._held = self._held, ""
            if self._cut == ESC:  # it was the key
                self._cut = ""
            yield from self._take(held)
        elif self._open:
            begun, self._open = self._open, ""
            if begun == ESC:
                yield events.Key("escape", ESC)
            self._cut, self._rest_s = begun, 0.0
        elif self._pasted is not None:
            yield self._end_of_paste(self._pasted)
            self._is_paste_cut, self._rest_s = True, 0.0

    def _without_rest_of_paste(self, held: str) -> str:
        """What of the characters after a cut paste is not the rest of it; "" while a burst may be.

        A burst that goes on is the paste again.
        """
        self._held = ""
        before, end, after = held.partition(BRACKETED_PASTE_END)
        if end:
            self._is_paste_cut = False
            return after
        if len(before) > MOST_TYPED:
            self._is_paste_cut, self._pasted, self._tail = False, "", ""
            return before
        if len(before) > 1:
            self._held = before
            return ""
        return before

    def _without_rest(self, held: str) -> str:
        """What of the characters after a cut sequence is not the rest of it; "" while that is open."""
        self._held, text = "", self._cut + held
        if self._repeats >= HELD_KEY:
            self._cut = ""
            return held
        if (whole := WHOLE.match(text)) and self._is_rest(whole[0]):
            self._cut = ""
            if whole[0] == BRACKETED_PASTE_START:
                self._pasted, self._tail = "", ""
            return text[whole.end() :]
        if not BEGUN.fullmatch(text):
            if self._cut == ESC:
                self._cut = ""
            return held
        if len(held) <= MOST_TYPED:
            self._held = held
        else:
            self._open = text[: 2 if text[1] in STRING_STARTS else MOST_OF_KEY + 1]
            self._length, self._cut = MOST_IN_SEQUENCE + 1, ""
        return ""

    def _is_rest(self, sequence: str) -> bool:
        """Whether a sequence that begins with the one that was cut is a report, and not that and a key."""
        rest = sequence[len(self._cut) :]
        if sequence[1] in STRING_STARTS or REPORT.fullmatch(sequence):
            return True
        return len(rest) > 1 and not (rest[0] == ":" and len(rest) == 2)

    def _take(self, data: str) -> Iterator[Message]:
        at = 0
        while at < len(data):
            if self._pasted is not None:
                at = yield from self._paste(data, at)
            elif self._open:
                at = yield from self._continue(data, at)
            else:
                end = data.find(ESC, at) % (len(data) + 1)
                for character in data[at:end]:
                    yield from self._keys(character)
                self._open, self._length, at = ESC * (end < len(data)), 0, end + 1

    def _continue(self, data: str, at: int) -> Generator[Message, None, int]:
        """Goes on with the open sequence; returns where in `data` to go on after it."""
        kind = self._open[1:2]
        if not kind:
            return (yield from self._after_escape(data[at], at))
        if kind in STRING_STARTS:
            return self._string(data, at)
        if kind == "O":
            return (yield from self._ss3(data[at], at))
        return (yield from self._csi(data, at))

    def _after_escape(self, character: str, at: int) -> Generator[Message, None, int]:
        if character == ESC:
            yield events.Key("escape", ESC)
        elif character in "[O" or character in STRING_STARTS:
            self._open += character
        else:
            self._open = ""
            if character != "\\":  # the end of a string that is over
                sequence = ESC + character
                known = sequence in ANSI_SEQUENCES_KEYS
                yield from self._keys(sequence if known else character, is_alt=not known)
        return at + 1

    def _string(self, data: str, at: int) -> int:
        if self._open.endswith(ESC):
            if data[at] == "\\":
                self._open = ""
            elif data[at] in "[O" or data[at] in STRING_STARTS:
                self._open, self._length = ESC, 0  # another sequence has begun
                return at
            elif data[at] != ESC:
                self._open = self._open[:2]
            return at + 1
        found = STRING_END.search(data, at)
        end = found.end() if found else len(data)
        self._length += end - at
        if found:
            self._open = self._open + ESC if found[0] == ESC else ""
        return end

    def _ss3(self, character: str, at: int) -> Generator[Message, None, int]:
        if character in "0123456789;" and len(self._open) < MOST_READ:
            self._open += character
            return at + 1
        sequence, self._open = self._open + character, ""
        if character == ESC:
            self._open, self._length = ESC, 0
        elif sequence in ANSI_SEQUENCES_KEYS:
            yield from self._keys(sequence)
        return at + 1

    def _csi(self, data: str, at: int) -> Generator[Message, None, int]:
        if self._open.startswith("\x1b[M"):  # three characters of a mouse event
            if len(self._open) == 5:
                yield from self._end_of_csi(data[at])
            else:
                self._open += data[at]
            return at + 1
        end = at
        while end < len(data) and " " <= data[end] <= "?":
            if data[end] == "$" and self._open + data[at : end + 1] in ANSI_SEQUENCES_KEYS:  # shifted keys of rxvt
                yield from self._end_of_csi(data[at : end + 1])
                return end + 1
            end += 1
        self._open = (self._open + data[at:end])[: MOST_OF_KEY + 1]
        self._length += end - at
        if end == len(data):
            return end
        last = data[end]
        if last == ESC:
            self._open, self._length = ESC, 0
        elif self._open == "\x1b[" and last in "[M":  # function keys of the Linux console, and the mouse
            self._open += last
        elif "@" <= last <= "~":
            yield from self._end_of_csi(last)
        else:
            self._open = ""
            return end + (last in "\x18\x1a")
        return end + 1

    def _end_of_csi(self, last: str) -> Iterator[Message]:
        self._open += last
        if self._open == BRACKETED_PASTE_START:
            self._open, self._pasted, self._tail = "", "", ""
            return
        sequence, self._open = self._open, ""
        if len(sequence) > MOST_OF_KEY:
            return
        if other := OTHER_KEY.fullmatch(sequence):
            modifiers, code = other.groups()
            if modifiers == SHIFT and (character := chr(int(code))).isprintable():
                yield from self._keys(character)
                return
            sequence = f"\x1b[{code};{modifiers}u"
        if sequence in (FOCUSIN, FOCUSOUT) or any(pattern.fullmatch(sequence) for pattern in READ):
            if len(sequence) <= MOST_READ:
                yield from super().feed(sequence)
        elif not REPORT.fullmatch(sequence) and (
            sequence in ANSI_SEQUENCES_KEYS or _re_extended_key.fullmatch(sequence)
        ):
            yield from self._keys(sequence)

    def _paste(self, data: str, at: int) -> Generator[Message, None, int]:
        assert self._pasted is not None
        found = (self._tail + data[at:]).find(BRACKETED_PASTE_END)
        end = len(data) if found < 0 else at + found + len(BRACKETED_PASTE_END) - len(self._tail)
        part = data[at:end]
        self._pasted = (self._pasted + part)[: MOST_PASTED + len(BRACKETED_PASTE_END)]
        self._tail = (self._tail + part)[1 - len(BRACKETED_PASTE_END) :]
        if found >= 0:
            yield self._end_of_paste(self._pasted)
        return end

    def _end_of_paste(self, pasted: str) -> Message:
        self._pasted = None
        return events.Paste(cleaned(pasted.partition(BRACKETED_PASTE_END)[0][:MOST_PASTED]))

    def _keys(self, sequence: str, *, is_alt: bool = False) -> Iterator[Message]:
        for key in self._sequence_to_key_events(sequence, is_alt):
            if key.key != Keys.Ignore:
                yield key

    def _sequence_to_key_events(self, sequence: str, alt: bool = False) -> Iterable[events.Key]:
        try:
            keys = list(super()._sequence_to_key_events(sequence, alt))
            "".join(key.character or "" for key in keys).encode()  # half of a surrogate pair is no character
        except (ValueError, OverflowError):
            keys = []
        return keys

    def parse_mouse_code(self, code: str) -> Message | None:
        """The event of a mouse report; None where there is none."""
        try:
            return super().parse_mouse_code(code)
        except (ArithmeticError, ValueError):
            return None
