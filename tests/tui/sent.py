"""The screen as its cells are sent to the terminal: each sign with the SGR codes of its ink, ground and attributes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from rich.cells import cell_len
from rich.color import ColorSystem
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from tui.view.app.board_app import BoardApp
from tui.view.terminal.sgr import Look, look_of


class Sent(NamedTuple):
    """One cell."""

    sign: str
    look: Look


def sent_rows(app: BoardApp) -> list[list[Sent]]:
    """All rows of the screen, cell by cell, past every filter and rounded to the colours that the terminal has."""
    system = app.console._color_system or ColorSystem.TRUECOLOR
    rows: list[list[Sent]] = []
    for strip in app.screen._compositor.render_strips():
        row: list[Sent] = []
        for text, style, control in strip:
            look = look_of(Strip.render_ansi(style, system) if style is not None else "")
            for sign in "" if control else text:
                row += [Sent(sign, look), *[Sent("", look)] * (cell_len(sign) - 1)]
        rows.append(row)
    return rows


def part(rows: list[list[Sent]], region: Region) -> list[list[Sent]]:
    """The cells of a part of the screen."""
    return [row[region.x : region.right] for row in rows[region.y : region.bottom]]


def sent_by(app: BoardApp, widget: Widget) -> list[list[Sent]]:
    """The cells of a widget."""
    return part(sent_rows(app), widget.region)


def text_of(cells: Iterable[Sent]) -> str:
    return "".join(cell.sign for cell in cells)
