"""Cover close-up: the line of sight from above, point by point, and from the side."""

from __future__ import annotations

from textual.content import Content
from textual.screen import Screen

from engine.battle.facts import Situation
from engine.battle.views.view import View
from tui.application.describe.close_up import closeup_text, seen_between
from tui.application.describe.glyphs import GlyphSet
from tui.view.modals.text_modal import TextModal
from tui.view.panels.styled_text import lines, pieced

WIDEST = 180
FRAME = 2
"""Rows of the frame."""


def show_closeup(screen: Screen[None], view: View, glyphs: GlyphSet, situation: Situation) -> None:
    """Opens the close-up of an attack's line of sight, as high as the terminal."""
    seen = seen_between(view, situation.trace, situation.attacker, situation.target)

    def build(width: int) -> Content:
        height = screen.app.size.height * 94 // 100 - FRAME
        rows = closeup_text(seen, width, height, is_ascii=not glyphs.has_unicode)
        return lines(map(pieced, rows))

    screen.app.push_screen(TextModal("Cover close-up", build, WIDEST))
