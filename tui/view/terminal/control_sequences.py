"""The grammar of what a terminal sends besides text: control sequences and control strings (ECMA-48, 5.4 and 5.6)."""

from __future__ import annotations

import codecs
import re

ESC, BEL = "\x1b", "\x07"
STRING_STARTS = "]PX^_"
"""After Esc: OSC, DCS, SOS, PM and APC begin a control string, which ends with ST or BEL."""

C1 = dict.fromkeys(range(128, 160), "")
C1.update({0x8F: "\x1bO", 0x90: "\x1bP", 0x98: "\x1bX", 0x9B: "\x1b[", 0x9C: "\x1b\\", 0x9D: "\x1b]"})
C1.update({0x9E: "\x1b^", 0x9F: "\x1b_"})
"""The controls of one character as the two that they stand for; those that begin and end nothing are dropped."""

SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"  # CSI: colours, cursor, keys
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"  # OSC, DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]?"
)
"""An escape sequence, whole or cut off. Linear: no part of it can match what another part matches."""

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")

STRING_END = re.compile(r"[\x07\x18\x1a\x1b]")
"""What may end a control string: BEL, CAN, SUB, and the Esc of ST or of the next sequence."""

WHOLE = re.compile(r"\x1b\[[0-?]+[ -/]*[@-~]|\x1b[]PX^_][^\x07\x18\x1a\x1b]*(?:\x07|\x1b+\\)")
"""A control sequence with parameters, or a control string with its end."""

BEGUN = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|[]PX^_][^\x07\x18\x1a\x1b]*\x1b*)?")
"""What may still become `WHOLE`."""

REPORT = re.compile(
    r"\x1b\[(?:"
    r"[?>=][\d;]*c"  # DA1, DA2, DA3
    r"|\?\d+(?:;\d+)?n"  # DSR, colour scheme
    r"|\??\d+;\d+(?:;\d+)?R"  # cursor
    r"|\?\d+u"  # Kitty keyboard
    r"|\??\d+;\d+\$y"  # DECRPM
    r"|[3-9];\d+;\d+t|48;\d+;\d+;\d+;\d+t"  # window
    r"|\?[\d;]+S"  # graphics
    r"|[>?][\d;]*m"  # key options
    r"|20[01]~"  # begin and end of a paste
    r"|<\d+;\d+;\d+[Mm])"
)
"""A report that nobody types the last letter of by chance, when all before it has come."""


def cleaned(pasted: str) -> str:
    """A pasted text without escape sequences and control characters; it keeps its line breaks and tabs."""
    return CONTROL.sub("", SEQUENCE.sub("", pasted))


def _undecodable(error: UnicodeError) -> tuple[str, int]:
    """A control of eight bits as itself; anything else that is no UTF-8 as the replacement character."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    first = error.object[error.start]
    if 0x80 <= first <= 0x9F:
        return chr(first), error.start + 1
    return "\N{REPLACEMENT CHARACTER}", error.end


UNDECODABLE = "battleboard.terminal"
"""How bytes that are no UTF-8 are decoded, for `codecs`."""
codecs.register_error(UNDECODABLE, _undecodable)
