"""The formats of `export`, for the command line, the library and the board. Data only; `formats` writes them."""

from __future__ import annotations

from typing import NamedTuple


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
DEFAULT_FORMAT = "markdown"
