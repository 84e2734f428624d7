"""Tables: which columns there is room for, how rows stand, what is picked out."""

from __future__ import annotations

from tui.application.prompts.choice import Column
from tui.application.prompts.table_rows import Sorting, TableRow, column_at, ordered, widths
from tui.view.panels.table import MATCH, row_text, table_text

COLUMNS = (Column("name"), Column("weapon", 1), Column("hp", is_number=True), Column("avg", 2, is_number=True))
ROWS = (
    TableRow("gang", ("Gang gunman", "light pistol", "8", "1.9")),
    TableRow("vet", ("Veteran gang gunman", "heavy pistol", "15", "3.1")),
    TableRow("dog", ("Guard dog", "bite", "10", "…")),
)


def rows(width: int, **more: object) -> list[str]:
    return [row.rstrip() for row in str(table_text(COLUMNS, ROWS, width, 10, **more)).split("\n")]  # type: ignore[arg-type]


def test_a_wide_table_has_all_its_columns() -> None:
    assert rows(50) == [
        "  name                 weapon        hp  avg",
        "─" * 50,
        "▸ Gang gunman          light pistol   8  1.9",
        "  Veteran gang gunman  heavy pistol  15  3.1",
        "  Guard dog            bite          10    …",
    ]


def test_columns_go_by_their_rank_and_then_the_name_is_cut_at_a_word() -> None:
    assert rows(40)[0] == "  name                 weapon        hp"
    assert rows(30)[0] == "  name                 hp"
    assert rows(20)[3] == "  Veteran gang…   15"


def test_a_column_that_says_nothing_is_not_there() -> None:
    bare = [TableRow(row.id, (*row.cells[:1], "", *row.cells[2:])) for row in ROWS]
    assert [place for place, _ in widths(COLUMNS, bare, 80)] == [0, 2, 3]


def test_a_click_sorts_numbers_from_the_largest_and_what_is_missing_stands_last() -> None:
    sorting = Sorting().clicked(3)
    assert [row.id for row in ordered(ROWS, COLUMNS, sorting)] == ["vet", "gang", "dog"]
    sorting = sorting.clicked(3)
    assert [row.id for row in ordered(ROWS, COLUMNS, sorting)] == ["gang", "vet", "dog"]
    assert [row.id for row in ordered(ROWS, COLUMNS, sorting.clicked(3))] == ["gang", "vet", "dog"]
    assert [row.id for row in ordered(ROWS, COLUMNS, Sorting().clicked(0))] == ["gang", "dog", "vet"]


def test_a_click_finds_its_column() -> None:
    shown = widths(COLUMNS, ROWS, 50)
    assert [column_at(shown, x) for x in (0, 2, 22, 23, 36, 37, 46)] == [None, 0, 0, 1, 1, 2, None]


def test_the_beginnings_of_words_are_picked_out() -> None:
    text = row_text(COLUMNS, widths(COLUMNS, ROWS, 50), ROWS[1], "GUN ve")
    assert [str(text[span.start : span.end]) for span in text.spans if span.style == MATCH] == ["Ve", "gun"]


def test_the_marked_row_is_in_sight() -> None:
    assert rows(20, place=2)[4].startswith("▸ Guard dog")
