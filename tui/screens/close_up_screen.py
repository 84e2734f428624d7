"""Cover close-up: the line of sight from above, point by point, and from the side."""

from __future__ import annotations

from textual.content import Content
from textual.screen import Screen

from engine.battle.facts import Situation
from engine.battle.state.battle import Battle
from tui.board.glyphs import GlyphSet
from tui.describe.close_up import COVERED, LEAST_HIGH, PARTLY, SEEN, closeup_rows, seen_between
from tui.describe.styled_text import lines, plain
from tui.modals.text_modal import TextModal

WIDEST = 180
INK = {SEEN: "$good", PARTLY: "$warn", COVERED: "$bad"}
OTHER_ROWS = 26
"""Rows besides the drawing from above."""


def show_closeup(screen: Screen[None], battle: Battle, glyphs: GlyphSet, situation: Situation) -> None:
    """Opens the close-up of an attack's line of sight."""
    seen = seen_between(battle.field, situation.trace, situation.attacker, situation.target)
    is_ascii = not glyphs.has_unicode

    def build(width: int) -> Content:
        high = max(LEAST_HIGH, screen.app.size.height - OTHER_ROWS)
        rows = closeup_rows(seen, width, high, is_ascii=is_ascii)
        inks, ink = [], ""
        for row in rows:  # an indented row continues the one above
            is_point = row[:1] in INK and row[1:2] == " "
            ink = INK[row[:1]] if is_point else ink if row.startswith("  ") and row[2:3].strip() else ""
            inks.append(ink)
        return lines(plain(row, ink) for row, ink in zip(rows, inks, strict=True))

    screen.app.push_screen(TextModal("Cover close-up", build, WIDEST))
