"""Every visible string of the screens that holds names or numbers is built here, as styled text that is never parsed.

Names come from files that others wrote; nothing here, and nothing that uses it, treats them as markup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from unicodedata import normalize

from rich.cells import cell_len, chop_cells, set_cell_size
from rich.segment import Segment
from textual.color import Color
from textual.content import Content, Span
from textual.filter import LineFilter

from engine.battle.views.view import UnitView
from engine.text import is_clean
from tui.board.glyphs import ASCII

NUMBER_AND_UNIT = re.compile(r" (?=%)|(?<=\d) (?=(?:ft|m|squares?)\b)")
"""The blank between a number and its unit."""
StyledText = Content
TextBuilder = Callable[[int], StyledText]
"""What builds a text for so many columns."""
LEAST_NAME = 3
"""Cells of a name before its number, or of its last word after initials, where it is cut."""
LEAST_OF_LAST = 2
"""Cells of the last word of a name; where a cut leaves less, the words before it are initials."""
MOST_INITIALS = 2
"""Words of a name that may become initials; more of them say nothing."""
ENDLESS = 10_000
"""Rows of a text that may be as long as it is."""


def plain(text: str, style: str = "") -> Content:
    """Text in one style; brackets and all stand for themselves."""
    return Content(text, [Span(0, len(text), style)] if style else None)


def side_style(unit: UnitView) -> str:
    """The style of a unit's letter: its side's colour, of which there are four."""
    return f"bold $side-{unit.side_index % 4}"


def join(parts: Iterable[Content | str]) -> Content:
    """Pieces one after another."""
    return Content("").join([part if isinstance(part, Content) else Content(part) for part in parts])


def pieced(pieces: Iterable[tuple[str, str]]) -> Content:
    """Texts and their styles, one after another."""
    text, spans = "", []
    for piece, style in pieces:
        if piece and style:
            spans.append(Span(len(text), len(text) + len(piece), style))
        text += piece
    return Content(text, spans)


def lines(rows: Iterable[Content | str]) -> Content:
    """Rows, one under another."""
    return Content("\n").join([row if isinstance(row, Content) else Content(row) for row in rows])


def fit(text: str, width: int) -> str:
    """Text in exactly `width` cells: cut with an ellipsis or padded."""
    if width <= 0:
        return ""
    if cell_len(text) > width:
        text = set_cell_size(text, width - 1).rstrip() + "…"
    return set_cell_size(text, width)


def fit_name(name: str, width: int) -> str:
    """A unit's name in exactly `width` cells: cut before its number, which tells it from others of the same name.

    Where a cut would leave nothing of its last word, the one or two words before that are initials, if there is room.

    >>> fit_name("Street gunman 2", 12), fit_name("Bartholomew", 6), fit_name("Bandit 2", 10)
    ('Street gu… 2', 'Barth…', 'Bandit 2  ')
    >>> fit_name("Veteran gunman 1", 8), fit_name("Veteran rifleman 1", 9), fit_name("Sergeant Miller", 8)
    ('V gun… 1', 'V rifl… 1', 'S Miller')
    >>> fit_name("Corp guard or city cop 1", 17)
    'Corp guard or… 1 '
    """
    kind, _, number = name.rpartition(" ")
    end = f" {number}" if number.isascii() and number.isdigit() else ""
    if cell_len(name) <= width or width < len(end) + LEAST_NAME:
        return fit(name, width)
    *before, last = (kind if end else name).split(" ")
    room = width - len(end)
    whole = " ".join((*before, last))
    has_last = room - 1 >= cell_len(whole) - cell_len(last) + LEAST_OF_LAST
    if not has_last and len(before) <= MOST_INITIALS and room - 1 >= 2 * len(before) + LEAST_NAME:
        whole = " ".join((*(word[:1] for word in before), last))
    return fit(fit(whole, room).rstrip() + end, width)


def wrap(text: str, width: int) -> list[str]:
    """Text broken at blanks into rows of at most `width` cells, 2 or more; overlong words are cut.

    A number and its unit stay together.

    >>> wrap("USP9, attack · 20 ft · short", 17)
    ['USP9, attack ·', '20 ft · short']
    """
    width = max(2, width)
    rows: list[str] = []
    row = ""
    for whole in NUMBER_AND_UNIT.sub("\N{NO-BREAK SPACE}", text).split(" "):
        *pieces, word = chop_cells(whole, width) if cell_len(whole) > width else [whole]
        if pieces:
            rows += [row, *pieces] if row else pieces
            row = ""
        longer = f"{row} {word}" if row else word
        if cell_len(longer) > width:
            rows.append(row)
            row = word
        else:
            row = longer
    if row:
        rows.append(row)
    return [row.replace("\N{NO-BREAK SPACE}", " ") for row in rows]


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


LEAST_WORDS = 4
"""Words of the beginning that stay of a text whose last sentence alone is too long."""


def shortened(text: str, width: int, most_rows: int, *, keeps_end: bool = False) -> list[str]:
    """A text in so many rows: its first sentence and its last ones; where that is too long, the beginning.

    With `keeps_end` it is then the beginning of the first sentence, so who does what, and the end.

    >>> shortened("Todd hits: 45. Damage 10. Soaked 3. Zed: hit points 8 → 1.", 24, 2)
    ['Todd hits: 45. … Zed:', 'hit points 8 → 1.']
    >>> shortened("No weapon is called so. There is: rifle, shotgun, knife.", 24, 2)
    ['No weapon is called so.', 'There is: rifle, …']
    >>> shortened("Redone: Anna hits Zed with a rolled 3 vs 50. Now round 2.", 20, 2, keeps_end=True)
    ['Redone: Anna hits', 'Zed … Now round 2.']
    """
    rows = wrap(text, width)
    if len(rows) <= most_rows:
        return rows
    first, *others = re.split(r"(?<=[.!?]) ", text)
    for place in range(1, len(others)):
        shorter = wrap(f"{first} … {' '.join(others[place:])}", width)
        if len(shorter) <= most_rows:
            return shorter
    if keeps_end:
        words = text.split(" ")
        heads = [(first.split(" ")[:count], others[-1]) for count in range(first.count(" "), 1, -1) if others]
        ends = [(words[:LEAST_WORDS], " ".join(words[place:])) for place in range(LEAST_WORDS, len(words))]
        for head, end in (*heads, *ends):
            shorter = wrap(f"{' '.join(head)} … {end}", width)
            if len(shorter) <= most_rows:
                return shorter
    *before, last = rows[:most_rows]
    while cell_len(f"{last} …") > width and " " in last:
        last = last.rpartition(" ")[0]
    return [*before, fit(f"{last} …", width).rstrip()]
