"""The panels of the library's lists: a list that letters narrow, and text beside a list."""

from __future__ import annotations

from msgspec import Struct
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.reactive import var

from tui.application.describe.text_layout import wrap
from tui.application.prompts.choice import Choice, Column, split_count
from tui.application.prompts.table_rows import Sorting, column_at, rows_of, widths
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, lines, plain
from tui.view.panels.table import table_text

NARROWS = "letters narrow the list"


class Listed(Struct, frozen=True):
    """A list as it is shown: its choices, the place of the marked one or -1, what is typed."""

    title: str = ""
    choices: tuple[Choice, ...] = ()
    place: int = 0
    typed: str = ""
    columns: tuple[Column, ...] = (Column("name"), Column(""))
    """Of a label and what `rows_of` puts beside it."""
    hint: str = NARROWS
    """What the letters do, as long as nothing is typed."""
    among: tuple[Choice, ...] = ()
    """Everything that could be listed."""
    sorting: Sorting = Sorting()
    counts: bool = False
    """Whether digits before the letters are how many."""

    @property
    def letters(self) -> str:
        """What is typed without how many, and whether they hide."""
        return split_count(self.typed)[1].removesuffix("!").rstrip() if self.counts else self.typed


class NarrowingList(Panel):
    """A table that letters narrow, with what is typed above it; a click on a title sorts it."""

    TITLE = "New encounter"
    shown: var[Listed] = var(Listed(), init=False)

    class Sorted(Message):
        """The title of a column was clicked."""

        def __init__(self, column: int) -> None:
            super().__init__()
            self.column = column

    def build(self, width: int, height: int) -> Content:
        listed, among = self.shown, self.shown.among or self.shown.choices
        self.head(listed.title, f"{len(listed.choices)} of {len(among)}" if among else "")
        rows = rows_of(listed.choices)
        if not rows:
            return lines([list_head(listed, width), "", plain(f"  Nothing with “{listed.letters}”.", "$muted")])
        table = table_text(
            listed.columns,
            rows,
            width,
            height - 1,
            place=listed.place,
            typed=listed.letters,
            sorting=listed.sorting,
            among=rows_of(among),
        )
        left = len(among) - len(rows)
        words = f"  {left} more without “{listed.letters}”"
        more: list[Content | str] = ["", plain(words, "$muted")] if left and listed.letters else []
        return lines([list_head(listed, width), table, *more])

    def on_click(self, event: Click) -> None:
        listed, offset = self.shown, event.get_content_offset(self)
        if offset is None or offset.y != 1 or not any(column.title for column in listed.columns):
            return
        shown = widths(listed.columns, rows_of(listed.among or listed.choices), self.content_size.width)
        column = column_at(shown, offset.x)
        if column is not None:
            self.post_message(self.Sorted(column))


def list_head(listed: Listed, width: int) -> Content:
    """The row above a list: what is typed, and what letters do."""
    typed = f"> {listed.typed}▏"
    room = width - len(typed) - 2
    hint = f"  {listed.hint}" if len(listed.hint) <= room else ""
    return join([plain(typed, "bold"), plain(hint, "$muted")])


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
