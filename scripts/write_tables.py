"""Writes the generated tables of the docs: `uv run python scripts/write_tables.py`.

The GM tools and the commands of docs/gm.md are made from forms, the rows of docs/battles.md from their classes, the
signs and kinds of docs/maps.md from those that are built in.
"""

from __future__ import annotations

from pathlib import Path

from scripts.map_tables import edges_table, squares_table
from scripts.row_tables import rows_table, values_table
from tui.application.commands.handbook import commands_table, tools_table, with_tables
from tui.application.presenter.gm_menu import SCREEN_LINES

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {
    DOCS / "gm.md": {"tools": tools_table(SCREEN_LINES.values()), "commands": commands_table()},
    DOCS / "battles.md": {"rows": rows_table(), "values": values_table()},
    DOCS / "maps.md": {"squares": squares_table(), "edges": edges_table()},
}
"""Pages with their tables."""


def made(page: Path) -> str:
    """The text of a page with its tables as they are to be."""
    return with_tables(page.read_text("utf-8"), PAGES[page])


if __name__ == "__main__":
    for each in PAGES:
        each.write_text(made(each), "utf-8")
