"""Text laid out in terminal cells: cut, padded, broken into rows. Plain text in, plain text out."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

NUMBER_AND_UNIT = re.compile(r" (?=%)|(?<=\d) (?=(?:ft|m|squares?)\b)")
"""The blank between a number and its unit."""
LEAST_NAME = 3
"""Cells of a name before its number, or of its last word after initials, where it is cut."""
LEAST_OF_LAST = 2
"""Cells of the last word of a name; where a cut leaves less, the words before it are initials."""
MOST_INITIALS = 2
"""Words of a name that may become initials; more of them say nothing."""
ENDLESS = 10_000
"""Rows of a text that may be as long as it is."""

UNSEEN = frozenset({"Mn", "Me", "Mc"})
"""Categories of marks, which are drawn on the letter before them."""
JOINED = ((0x1160, 0x11FF), (0xD7B0, 0xD7FF), (0x1F3FB, 0x1F3FF))
"""Signs that become one with the sign before them: vowels and ends of Korean syllables, tones of skin."""
WIDE_SYMBOLS = ((0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D376))
"""Symbols that Unicode calls wide since version 16, which no Python before 3.14 knows."""


@lru_cache(4096)  # the same few are asked for again and again
def cell_len(text: str) -> int:
    """The cells that a text takes on the screen.

    As Rich, which draws it, has it: a test compares the two for every sign.

    >>> cell_len("Zoë → ×2"), cell_len("\\u5fcd\\u8005")
    (8, 4)
    """
    return len(text) if text.isascii() else sum(map(_sign_cells, text))


def _sign_cells(sign: str) -> int:
    place = ord(sign)
    if place < 0x300:
        return 1
    if unicodedata.category(sign) in UNSEEN or any(first <= place <= last for first, last in JOINED):
        return 0
    is_wide = unicodedata.east_asian_width(sign) in ("W", "F")
    return 2 if is_wide or any(first <= place <= last for first, last in WIDE_SYMBOLS) else 1


def _cut(text: str, width: int) -> str:
    """The beginning of a text that fits into `width` cells; a blank in place of half a wide sign."""
    if text.isascii():
        return text[:width]
    used = 0
    for place, sign in enumerate(text):
        size = cell_len(sign)
        if used + size > width:
            return text[:place] + " " * (width - used)
        used += size
    return text


def _sized(text: str, width: int) -> str:
    """A text in exactly `width` cells, cut or padded."""
    lacking = width - cell_len(text)
    return text + " " * lacking if lacking >= 0 else _cut(text, width)


def _chopped(text: str, width: int) -> list[str]:
    """A text in pieces of at most `width` cells; a mark stays with its letter."""
    pieces, begin, used = list[str](), 0, 0
    for place, sign in enumerate(text):
        size = cell_len(sign)
        if used + size > width:
            pieces.append(text[begin:place])
            begin, used = place, 0
        used += size
    return [*pieces, text[begin:]] if used else pieces


def fit(text: str, width: int) -> str:
    """Text in exactly `width` cells: cut with an ellipsis or padded."""
    if width <= 0:
        return ""
    if cell_len(text) > width:
        text = _sized(text, width - 1).rstrip() + "…"
    return _sized(text, width)


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
        *pieces, word = _chopped(whole, width) if cell_len(whole) > width else [whole]
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
