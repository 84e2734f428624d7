"""Writes the tables of docs/gm.md that are made from the forms of commands: `uv run python scripts/write_tables.py`."""

from __future__ import annotations

from pathlib import Path

from tui.commands.handbook import commands_table, tools_table, with_tables
from tui.presenter.gm_menu import SCREEN_LINES

PAGE = Path(__file__).parent.parent / "docs" / "gm.md"


def made(text: str) -> str:
    """The page with its tables as they are to be."""
    return with_tables(text, {"tools": tools_table(SCREEN_LINES.values()), "commands": commands_table()})


if __name__ == "__main__":
    PAGE.write_text(made(PAGE.read_text("utf-8")), "utf-8")
