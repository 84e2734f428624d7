"""The panels of the library's lists: a list that letters narrow, and text beside a list."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content
from textual.reactive import var

from tui.application.describe.text_layout import fit, wrap
from tui.application.prompts.choice import Choice
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, lines, plain

NARROWS = "letters narrow the list"


class Listed(Struct, frozen=True):
    """A list as it is shown: its choices, the place of the marked one or -1, what is typed."""

    title: str = ""
    choices: tuple[Choice, ...] = ()
    place: int = 0
    typed: str = ""
    columns: str = ""
    """What stands at the end of the rows."""
    hint: str = NARROWS
    """What the letters do, as long as nothing is typed."""


class NarrowingList(Panel):
    """A list that letters narrow, with what is typed above it."""

    TITLE = "New encounter"
    shown: var[Listed] = var(Listed(), init=False)

    def build(self, width: int, height: int) -> Content:
        listed = self.shown
        self.border_title = plain(listed.title)
        head = list_head(listed, width)
        rows = [_row(choice, place == listed.place, width) for place, choice in enumerate(listed.choices)]
        room = max(1, height - 1)
        start = max(0, min(listed.place - room // 2, len(rows) - room))
        return lines([head, *rows[start : start + room]])


def list_head(listed: Listed, width: int) -> Content:
    """The row above a list: what is typed, else what letters do; then the columns."""
    typed = f"{listed.typed}▏" if listed.typed else "" if listed.columns else listed.hint
    typed = typed if listed.choices else f"{listed.typed}▏ no match"
    columns = listed.columns if len(typed) + len(listed.columns) < width else ""
    return join([plain(fit(typed, width - len(columns)), "bold"), plain(columns, "$muted")])


def _row(choice: Choice, is_marked: bool, width: int) -> Content:
    style = "reverse" if is_marked else ""
    room = max(1, width - 3 - len(choice.note))
    name = plain(f"{'▸' if is_marked else ' '} {fit(choice.label, room)} ", style)
    return join([name, plain(choice.note, f"$muted {style}".strip())])


class TextPanel(Panel):
    """Rows of text below a title, wrapped; the last ones stand at the bottom."""

    shown: var[tuple[str, tuple[Content, ...], tuple[str, ...]]] = var(("", (), ()), init=False)

    def build(self, width: int, height: int) -> Content:
        title, rows, foot = self.shown
        self.border_title = plain(title)
        below = [row for text in foot for row in wrap(text, width)]
        room = max(0, height - len(below))
        above = [part for row in rows for part in row.wrap(max(1, width))][:room]
        return lines([*above, *[plain("")] * (room - len(above)), *(plain(row, "bold") for row in below)][:height])
