"""Rows of a card: key, label and columns of each item, headings, and why an item is not possible. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from textual.content import Content

from engine.text import cells
from tui.application.describe.text_layout import fit, wrap
from tui.application.prompts.choice import LIST_KEY, UNFOLDS, Choice, MenuQuestion
from tui.view.panels.styled_text import join, lines, plain

HEAD = 3
"""Cells before a label: the mark, the key and a space."""
NUMBER, LAST = 5, 6
"""Cells of a column with the space before it, and of the last of all."""
MOST_COLUMNS, WITH_LAST = 3, 38
"""Columns that there is always room for, and the width of a row from which on there is room for all."""
GAP, LEAST_NOTE = 2, 3
"""Cells between a label and its note; those that a note needs."""
MARK = "▸"
FOLDED = "folded"
"""Id of the row for the items that are not shown."""


class CardRow(Struct, frozen=True):
    """A row of a card; a heading has no choice."""

    text: Content
    choice: Choice | None = None
    id: str = ""

    @property
    def is_taken(self) -> bool:
        """Whether it can be taken."""
        return bool(self.id) and not (self.choice and self.choice.reason)


def card_rows(menu: MenuQuestion, keys: Sequence[str], width: int, *, is_unfolded: bool) -> Iterator[CardRow]:
    """The rows of a card in so many cells, the headings between them.

    Args:
        menu: the items and their columns.
        keys: the key of each item.
        width: cells of a row.
        is_unfolded: whether the items that are not possible are shown.
    """
    able = [one for one in menu.choices if not one.reason]
    room = max(map(len, keys), default=1)
    is_folded = menu.folds and bool(able) and len(menu.choices) > len(able) + 1 and not is_unfolded
    heading, titles = "", columns_of(menu, width)
    if titles and not any(one.heading for one in able):
        yield CardRow(_heading("", titles, width))
    for key, one in zip(keys, menu.choices, strict=True):
        if one.reason and is_folded:
            continue
        if one.heading and one.heading != heading:
            heading = one.heading
            yield CardRow(_heading(heading, titles, width))
            titles = ()  # once
        yield CardRow(item_text(menu, one, key.ljust(room), width), one, one.id)
    if is_folded:
        left = sum(bool(one.reason) and not one.is_group for one in menu.choices)
        said = [plain(f"{' ' * HEAD}{left} not now · "), plain(UNFOLDS, "bold"), plain(" shows why", "$muted")]
        whole = join(said)
        yield CardRow(whole if whole.cell_length <= width else join(said[:2]), id=FOLDED)


def columns_of(menu: MenuQuestion, width: int) -> tuple[str, ...]:
    """Titles of the columns that there is room for."""
    return menu.columns if width >= WITH_LAST else menu.columns[:MOST_COLUMNS]


def item_text(menu: MenuQuestion, one: Choice, key: str, width: int) -> Content:
    """An item: what it does beside its key, its numbers, and below it why it is not possible, or what else counts."""
    mark = MARK if one.id == menu.usual else " "
    key = key or " "
    label, first = one.label.removeprefix(f"{key.strip()} "), HEAD - 1 + len(key)  # "2 hits" with the key 2
    if one.reason:
        row = fit(f"{' ' * (HEAD - 2)}{key} {label}", width)
        return lines(plain(row, "$muted") for row in (row, *_indented(one.reason, width)))
    head = plain(f"{mark}{key} ", "bold")
    rows: list[Content]
    if columns := len(columns_of(menu, width)):
        rows = [join([head, plain(_with_numbers(label, one.cells, columns, width - first))])]
    else:
        room = width - first - cells(label) - GAP
        below = menu.wraps and cells(one.note) > room
        note = "" if below else fit(one.note, room).rstrip() if room > LEAST_NOTE else ""
        between = " " * GAP * bool(note)
        rows = [join([head, plain(fit(label, width - first).rstrip()), plain(f"{between}{note}", "$muted")])]
        rows += [plain(row, "$muted") for row in (_indented(one.note, width) if below else ())]
    if one.below:
        rows.append(plain(f"{' ' * HEAD}{_with_numbers(one.below[0], one.below[1:], 1, width - HEAD)}", "$bad"))
    return lines(rows)


def about(one: Choice | None, menu: MenuQuestion, width: int) -> list[str]:
    """What the marked item does, where its row has no room for it."""
    if one is None:
        return []
    if menu.columns:
        return wrap(one.says, width - 2) if one.says else []
    is_whole = menu.wraps or cells(f"{one.label}{one.note}") <= width - HEAD - GAP * bool(one.note)
    return [] if is_whole else wrap(" · ".join(filter(None, (one.label, one.note))), width - 2)


def key_hints(menu: MenuQuestion) -> list[tuple[str, str]]:
    """The keys of a card beside those of its rows, with what each does."""
    found = [("↑↓ Enter", "take")]
    if menu.typed is None and not menu.is_passing:
        found.append((LIST_KEY, "list"))
    if menu.folds and any(one.reason for one in menu.choices):
        found.append((UNFOLDS, "why not"))
    return [*found, ("Esc", menu.escape)]


def _heading(label: str, titles: Sequence[str], width: int) -> Content:
    return plain(f"{' ' * HEAD}{_with_numbers(label, titles, len(titles), width - HEAD)}", "$muted")


def _with_numbers(label: str, numbers: Sequence[str], columns: int, width: int) -> str:
    """A label and its numbers, right-aligned in so many columns; of two in more columns the second has all the rest."""
    sizes = [NUMBER] * columns if columns <= MOST_COLUMNS else [*[NUMBER] * MOST_COLUMNS, LAST]
    if len(numbers) == 2 < columns:
        sizes = [NUMBER, sum(sizes) - NUMBER]
    tail = "".join(f"{number:>{size}}" for number, size in zip(numbers, sizes, strict=False))
    room = sum(sizes)
    tail = f"{tail:<{room}}" if tail[:1] in ("", " ") else f" {tail}"
    return f"{fit(label, width - len(tail))}{tail}".rstrip()


def _indented(text: str, width: int) -> list[str]:
    return [f"{' ' * (HEAD + 1)}{row}" for row in wrap(text, width - HEAD - 1)]
