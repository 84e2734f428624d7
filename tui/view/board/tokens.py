"""Tokens: how a unit fills the cells of its squares: badge, name, bar of health, and marks for its state.

A unit's second sign tells two things at once: where it faces, and, by its shape, whether it stands, kneels, lies or
flies. In two cells its colour and a line under the letter tell how much health is left; with more room a bar does.
"""

from __future__ import annotations

from engine.battle.narration.unit_states import HIDDEN_MARK
from engine.battle.views.view import UnitView
from engine.text import cells
from tui.application.describe.glyphs import GlyphSet
from tui.view.board.ground import DrawingStyle, Sign

SIDES = 4
TWO_DIGITS = 10
BADLY_HURT, NEARLY_OUT = 2, 4
"""At most one part in so many of its first pool is left of a unit that is badly hurt, and of one that is nearly out."""
MOST_NAME = 6
MOST_ALTITUDE = 3
"""Cells of a bar that an altitude takes at most."""
NUMBERED = 4
"""Letters of a name that are left before its number."""
PLATE = " plate"
URGENT, LATER = "»!✚~≠§◆", 99
"""Marks that stand before others where there is not room for all; the place of the others among them."""


def health_ink(unit: UnitView) -> str:
    """The ink of its health: good, or low, or nearly none."""
    if not unit.pools or unit.is_defeated:
        return "bar-good"
    left = unit.pools[0]
    if left.now * NEARLY_OUT <= left.full:
        return "bar-bad"
    return "bar-warn" if left.now * BADLY_HURT <= left.full else "bar-good"


def is_wounded(unit: UnitView) -> bool:
    return bool(unit.pools) and not unit.is_defeated and health_ink(unit) != "bar-good"


def stance_of(unit: UnitView) -> str:
    if unit.altitude > 0:
        return "airborne"
    return unit.posture if unit.posture in ("kneeling", "prone") else "standing"


def facing_of(unit: UnitView, glyphs: GlyphSet) -> str:
    """The sign after the letter: facing and stance, or that it is out of the fight."""
    return glyphs.defeated if unit.is_defeated else glyphs.facing(stance_of(unit), unit.facing)


def marks_of(unit: UnitView, glyphs: GlyphSet, room: int) -> str:
    """The marks of its conditions, the most urgent first, as many as there is `room` for, in exactly so many cells."""
    found = dict.fromkeys(
        condition.mark for condition in unit.conditions if condition.mark and condition.mark != HIDDEN_MARK
    )
    marks = "" if unit.is_defeated else "".join(sorted(found, key=lambda mark: URGENT.find(mark) % LATER))
    if len(marks) > room > 1:
        marks = marks[: room - 1] + glyphs.more
    return spelt("".join(glyphs.states.get(mark, mark) for mark in marks), glyphs)[:room].ljust(room)


def altitude_of(unit: UnitView) -> str:
    """How high it flies: the letter of its band, else units of the map in three cells at most; "" on the ground."""
    if unit.altitude <= 0 or unit.altitude_band:
        return unit.altitude_band[:1]
    exact = f"{unit.altitude / 100:g}"
    return exact if len(exact) <= MOST_ALTITUDE else str(round(unit.altitude / 100))[:MOST_ALTITUDE]


def short_name(name: str, most: int = MOST_NAME) -> str:
    """A name in a few cells: its last word if that fits, of a numbered one the beginning and the number.

    >>> [short_name(name) for name in ("The Boss", "Rookie 2", "Watchman", "Gun nest")]
    ['Boss', 'Rook 2', 'Watchm', 'nest']
    """
    *before, last = name.split() or [""]
    if before and last.isdigit() and len(last) + 2 <= most:
        return f"{before[-1][: min(NUMBERED, most - len(last) - 1)]} {last}"
    return last if len(last) <= most else (last if not before else name)[:most].strip()


def side_ink(unit: UnitView) -> str:
    return f"side-{unit.side_index % SIDES}"


def token(
    unit: UnitView,
    manner: DrawingStyle,
    *,
    is_filled: bool,
    is_in_smoke: bool,
    is_marked: bool = False,
    is_shared: bool = False,
    indent: int = 0,
) -> list[list[Sign]]:
    """The cells of a unit over all its squares, line by line.

    Args:
        unit: who is drawn.
        manner: how.
        is_filled: whether it is filled where it has a single line.
        is_in_smoke: whether smoke lies on its square.
        is_marked: whether it is marked to be changed with others.
        is_shared: whether another one in the fight is on one of its squares: a sign in place of where it faces, or in
            the last cell of its first line.
        indent: cells on the left of every line that something on its west edge holds.
    """
    width, height = unit.size * manner.zoom.width, unit.size * manner.zoom.height
    if height == 1:
        letter, facing = _tight(unit, manner, is_filled)
        return [[letter, Sign(manner.glyphs.shared, facing.ink) if is_shared else facing]]
    lines = [_badge(unit, manner.glyphs, width, is_in_smoke, is_marked)]
    if is_shared:
        place = 0 if len(unit.badge) + 1 == width else -1
        lines[0][place] = Sign(manner.glyphs.shared, lines[0][place].ink)
    if height > 2:
        name = _within(short_name(unit.name, width - indent), width, indent, manner.glyphs)
        ink = f"{side_ink(unit)} name pale" if not unit.is_defeated else f"{side_ink(unit)} down"
        lines.append([Sign(glyph, ink + PLATE) for glyph in name])
    lines += [[Sign(" ", f"bar-rest{PLATE}")] * width for _ in range(height - len(lines) - 1)]
    return [*lines, _last_line(unit, manner, width, indent)]


def _tight(unit: UnitView, manner: DrawingStyle, is_filled: bool) -> list[Sign]:
    """Two cells; without a tint for who is hidden, the sign for that stands in place of where it faces.

    In a group its number does, from 10 on in both cells and underlined.
    """
    side, facing = side_ink(unit), facing_of(unit, manner.glyphs)
    if unit.number:
        return _numbered(unit, manner, is_filled)
    if unit.is_hidden and not unit.is_defeated and manner.palette.has_no_papers:
        facing = manner.glyphs.veil
    if unit.is_defeated:
        return [Sign(unit.letter, f"{side} down"), Sign(facing, f"{side} down")]
    under = " underline" if is_wounded(unit) else ""
    if is_filled:
        return [Sign(unit.letter, f"{side} reverse{under}"), Sign(facing, f"{side} reverse")]
    ground = " veil" if unit.is_hidden else PLATE
    ink = health_ink(unit) if is_wounded(unit) else side
    return [Sign(unit.letter, f"{side}{ground}{under}"), Sign(facing, ink + ground)]


def _numbered(unit: UnitView, manner: DrawingStyle, is_filled: bool) -> list[Sign]:
    """The badge of a unit of a group in two cells: its number has the colour of its health."""
    side = side_ink(unit)
    text, under = (f"{unit.number}", " underline") if unit.number >= TWO_DIGITS else (unit.badge, "")
    if unit.is_defeated:
        return [Sign(glyph, f"{side} down{under}") for glyph in text]
    if is_filled:
        return [Sign(text[0], f"{side} reverse{under}"), Sign(text[1], f"{_number_ink(unit)} reverse{under}")]
    ground = " veil" if unit.is_hidden else PLATE
    return [Sign(text[0], f"{side}{ground}{under}"), Sign(text[1], _number_ink(unit) + ground + under)]


def _number_ink(unit: UnitView) -> str:
    return health_ink(unit) if is_wounded(unit) else side_ink(unit)


def _badge(unit: UnitView, glyphs: GlyphSet, width: int, is_in_smoke: bool, is_marked: bool) -> list[Sign]:
    side = side_ink(unit)
    ink = f"{side} down{PLATE}" if unit.is_defeated else f"{side} veil" if unit.is_hidden else f"{side} reverse"
    kneels = glyphs.kneels if stance_of(unit) == "kneeling" and not unit.is_defeated else ""
    facing = glyphs.facing("standing", unit.facing) if kneels else facing_of(unit, glyphs)
    head = f" {unit.badge}{facing}"[:width]
    room = width - len(head)
    marks = kneels[:room] + marks_of(unit, glyphs, room - len(kneels)) if room > 0 else ""
    if is_in_smoke and room and not marks.strip() and not unit.is_defeated:
        marks = glyphs.smoke[0].rjust(room)
    text = head + marks
    if unit.is_hidden:
        text = f"{glyphs.veil}{text[1:-1]}{glyphs.veil}" if marks and not marks.strip() else glyphs.veil + text[1:]
    if is_marked:
        text = f"{text[:-1]}{glyphs.marked}" if unit.is_hidden and marks else f"{glyphs.marked}{text[1:]}"
    return [Sign(glyph, ink) for glyph in text]


def _within(text: str, width: int, indent: int, glyphs: GlyphSet) -> str:
    """A text in the middle of so many cells, after some that are held."""
    return " " * indent + spelt(text, glyphs).center(width - indent)


def _last_line(unit: UnitView, manner: DrawingStyle, width: int, indent: int) -> list[Sign]:
    """The bar of health, the altitude at its end; "out" for a unit out of the fight."""
    glyphs = manner.glyphs
    if unit.is_defeated:
        return [Sign(glyph, f"ruler{PLATE}") for glyph in _within("out", width, indent, glyphs)]
    full = glyphs.bar[0]
    rest = glyphs.bar[1] if manner.palette.has_no_papers or not glyphs.has_unicode else full
    signs = [Sign(" ", f"bar-rest{PLATE}")] * width
    if unit.pools:
        left = unit.pools[0]
        filled = max(1, -(-left.now * width // max(1, left.full))) if left.now > 0 else 0
        filled = min(width, filled)
        signs = [Sign(full, health_ink(unit) + PLATE)] * filled + [Sign(rest, f"bar-rest{PLATE}")] * (width - filled)
    altitude = altitude_of(unit) or _mark_below(unit, manner, width)
    return signs[: width - len(altitude)] + [Sign(glyph, f"path{PLATE}") for glyph in altitude]


def _mark_below(unit: UnitView, manner: DrawingStyle, width: int) -> str:
    """The most urgent mark of a unit of a group, at the end of its bar where the badge has no room for marks."""
    if not unit.number or len(unit.badge) + 2 < width:
        return ""
    kneels = manner.glyphs.kneels if stance_of(unit) == "kneeling" else ""
    return (marks_of(unit, manner.glyphs, 1).strip() or kneels)[:1]


def spelt(text: str, glyphs: GlyphSet) -> str:
    """The text with a question mark for each character that is not one cell wide or that the glyph set rules out."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() or (glyphs.has_unicode and cells(sign) == 1) else "?" for sign in text)
