"""The formats of `export`, for the command line, the library and the board. Data only; `formats` writes them.

Those that draw the board are handed in by whoever can draw it (`add_writers`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from engine.text import side_name, visible

if TYPE_CHECKING:
    from engine.journal.session import Session
    from tui.application.terminal.jobs import Job

    Writer = Callable[[Session, str], Job[str]]
    """What writes a battle as a side saw it."""


class ExportFormat(NamedTuple):
    """One format."""

    name: str
    suffix: str
    means: str
    has_side: bool = True
    """Whether it can show only what one side saw; else it holds the whole battle."""


FORMATS = {
    one.name: one
    for one in (
        ExportFormat("markdown", ".md", "a report with rounds, dice and losses"),
        ExportFormat("html", ".html", "the report as one web page, with a picture of the board for each round"),
        ExportFormat("svg", ".svg", "a picture of the board as it stands"),
        ExportFormat("cast", ".cast", "the replay as a recording for asciinema (asciicast v2)"),
        ExportFormat("toml", ".toml", "the whole battle as TOML, for import", has_side=False),
        ExportFormat("jsonl", ".jsonl", "the whole battle as JSON lines, for import", has_side=False),
    )
}
DRAWING: dict[str, Writer] = {}
"""The writers that were handed in, by the format's name."""
DEFAULT_FORMAT = "markdown"
CANCELLED = "The export is cancelled: nothing was written."
PLAYERS = "*"
"""In place of a side, and no side is called so: all that the GM has not hidden."""


def add_writers(writers: Mapping[str, Writer]) -> None:
    """Hands in what writes the formats that draw the board."""
    DRAWING.update(writers)


def written_words(path: Path, name: str, side: str) -> str:
    """Where an export was written, and whose view it shows."""
    return f"Saved as {visible(str(path))}.{f' {view_words(side)}' if FORMATS[name].has_side else ''}"


def view_words(side: str) -> str:
    """Whose view an export shows, and what it leaves out.

    Args:
        side: what only this side saw; PLAYERS for all that is not hidden; "" for everything.
    """
    if not side:
        return "For you alone: it shows hidden units and notes."
    if side == PLAYERS:
        return (
            "The players' view. Left out: units while they are hidden, what is done to them, traps that have not gone "
            "off, the Game Master's notes and rolls."
        )
    return (
        f"What {side_name(side)} saw. Left out: units and events out of its sight, what the others have left, all "
        "modifiers."
    )
