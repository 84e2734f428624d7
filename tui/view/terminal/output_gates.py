"""The last gates before the terminal: what could steer it is replaced, and on request all that is not ASCII."""

from __future__ import annotations

from collections.abc import Collection
from unicodedata import normalize

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from engine.text import is_clean
from tui.application.describe.glyphs import ASCII


class OutputGate(LineFilter):
    """The last gate before the terminal: characters that could steer it are replaced, whichever widget sent them."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Segments with forbidden characters shown as U+FFFD; control segments pass."""
        return [
            segment if segment.control or is_clean(segment.text) else Segment(_replaced(segment.text), segment.style)
            for segment in segments
        ]


def _replaced(text: str) -> str:
    return "".join(sign if is_clean(sign) else "\N{REPLACEMENT CHARACTER}" for sign in text)


class AsciiGate(LineFilter):
    """Plain ASCII, whatever the widgets draw: each sign becomes one that looks most like it.

    Those in `LONGER` become two where a blank can be spared: one of the next two that stand together on the line, else
    the one behind the sign.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Segments in ASCII, as wide as before."""
        if any(sign in segment.text for segment in segments if not segment.control for sign in LONGER):
            segments = _lengthened(segments)
        return [
            segment if segment.control or segment.text.isascii() else Segment(_ascii(segment.text), segment.style)
            for segment in segments
        ]


LONGER = {"…": "..", "→": "->"}
"""Signs with a form of two cells in ASCII."""
FILLING, UPRIGHT = " ─", "│┃║"
"""Signs of which one of several is not missed, and those that nothing is moved past."""


def _lengthened(segments: list[Segment]) -> list[Segment]:
    """Segments with the longer form of each sign that a blank can be spared for."""
    texts = [[*segment.text] for segment in segments]
    cells = [(one, place) for one, text in enumerate(texts) if not segments[one].control for place in range(len(text))]
    line = "".join(texts[one][place] for one, place in cells)
    spared: set[int] = set()
    for here, sign in enumerate(line):
        spare = _spare(line, here + 1, spared) if sign in LONGER else None
        if spare is not None:
            spared.add(spare)
            for (one, place), text in ((cells[here], LONGER[sign]), (cells[spare], "")):
                texts[one][place] = text
    return [Segment("".join(text), one.style, one.control) for text, one in zip(texts, segments, strict=True)]


def _spare(line: str, behind: int, spared: Collection[int]) -> int | None:
    """The place behind a sign of a blank or a piece of a line across that can go; None where there is none."""
    place = behind
    while place < len(line) and line[place] not in UPRIGHT:
        end = place
        while end < len(line) and line[end] == line[place] and line[end] in FILLING:
            end += 1
        left = [one for one in range(place, end) if one not in spared]
        if len(left) > 1 or (left and end == len(line)):
            return left[0]
        place = max(end, place + 1)
    return behind if line[behind : behind + 1] == " " and behind not in spared else None


ASCII_FOR = str.maketrans(
    {
        **dict.fromkeys("─═╌", "-"),
        **dict.fromkeys("│┃║┆╎", "|"),
        "━": "=",
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼", "+"),
        **dict.fromkeys("‘’", "'"),
        **dict.fromkeys("“”", '"'),
        **dict.fromkeys("–—−", "-"),
        **dict.fromkeys("■█▌▐▄▅▆▇▓", "#"),
        "░": ":",
        "▒": "%",
        **dict.fromkeys("▁▂▃▏", "_"),
        "▔": "-",
        "·": ".",
        "…": ".",
        "→": ">",
        "↑": "^",
        "↓": "v",
        "▸": ">",
        "▾": "v",
        "◂": "<",
        "≤": "<",
        "✓": "+",
        "←": "<",
        "◎": "@",
        "•": "*",
        "●": "*",
        **dict.fromkeys("×†", "x"),
        "÷": "/",
        "±": "~",
        "°": "o",
        **ASCII.states,
    }
)


def _ascii(text: str) -> str:
    found = []
    for sign in text.translate(ASCII_FOR):
        if not cell_len(sign):
            continue
        letter = normalize("NFKD", sign)[:1] if not sign.isascii() else sign
        found.append(letter if letter.isascii() else "?")
        found.append(" " * (cell_len(sign) - 1))
    return "".join(found)
