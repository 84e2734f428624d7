"""How a unit is written in the few cells of its square: letter, where it faces, and marks for its state.

A unit's second sign tells two things at once: where it faces, and, by its shape, whether it stands, kneels, lies or
flies. A condition takes that place from one that stands where there is no other; another's sign has its ink. An
underlined letter is badly hurt.
"""

from __future__ import annotations

from engine.battle.views.view import UnitView
from engine.text import cells
from tui.board.glyphs import GlyphSet

BADLY_HURT = 2
"""A unit with at most one part in so many of its first pool left is marked as wounded."""


def is_wounded(unit: UnitView) -> bool:
    return bool(unit.pools) and not unit.is_defeated and unit.pools[0].now * BADLY_HURT <= unit.pools[0].full


def stance_of(unit: UnitView) -> str:
    if unit.altitude > 0:
        return "airborne"
    return unit.posture if unit.posture in ("kneeling", "prone") else "standing"


def facing_of(unit: UnitView, glyphs: GlyphSet) -> str:
    """The sign after the letter where there is room for others: facing and stance, or that it is out of the fight."""
    return glyphs.defeated if unit.is_defeated else glyphs.facing(stance_of(unit), unit.facing)


def marks_of(unit: UnitView, glyphs: GlyphSet) -> str:
    """Signs of its state besides the stance, the most urgent first."""
    if unit.is_defeated:
        return ""
    return (glyphs.wounded if is_wounded(unit) else "") + _conditions(unit, glyphs)


def altitude_of(unit: UnitView, glyphs: GlyphSet) -> str:
    """How high it flies, in whole units of the map; "" on the ground."""
    return f"{glyphs.climbs}{unit.altitude // 100}" if unit.altitude > 0 else ""


def condition_of(unit: UnitView, glyphs: GlyphSet) -> str:
    """The mark of its first condition; "" for none."""
    return "" if unit.is_defeated else _conditions(unit, glyphs)[:1]


def _conditions(unit: UnitView, glyphs: GlyphSet) -> str:
    return spelt("".join(mark for mark, _ in unit.conditions), glyphs)


def in_lines(
    unit: UnitView, glyphs: GlyphSet, width: int, height: int, has_headline: bool
) -> tuple[str, tuple[str, ...]]:
    """The unit for a square with `height` lines of `width` cells, three or more, and perhaps a free line above them.

    Returns:
        The headline, "" when there is none, and the lines, all of exactly `width` cells.
    """
    marks, altitude = marks_of(unit, glyphs), altitude_of(unit, glyphs)
    first = unit.letter + facing_of(unit, glyphs)
    rest = width - len(first)
    is_crowded = len(marks) > rest
    if height == 1:
        shown = marks if marks or has_headline else altitude
        headline = altitude or (marks if is_crowded else unit.name)
    else:
        shown = f"{marks}{altitude}" if len(marks + altitude) <= rest else marks or altitude
        headline = marks if is_crowded else ""
    lines = [first + _cut(shown, rest, glyphs)]
    if height > 1:
        lines.append(_cut(unit.name, width, glyphs))
    lines += [" " * width] * (height - len(lines))
    return (_cut(headline, width, glyphs) if has_headline else ""), tuple(lines)


def _cut(text: str, width: int, glyphs: GlyphSet) -> str:
    """The start of a text in exactly so many cells."""
    return spelt(text, glyphs)[:width].ljust(width)


def spelt(text: str, glyphs: GlyphSet) -> str:
    """The text with a question mark for each character that is not one cell wide or that the glyph set rules out."""
    if text.isascii():
        return text
    return "".join(sign if sign.isascii() or (glyphs.has_unicode and cells(sign) == 1) else "?" for sign in text)
