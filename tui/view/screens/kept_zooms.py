"""The zooms of a battle that are remembered, as sizes and zooms of the board."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from textual.geometry import Size

from tui.application.settings.zooms import read_zooms, write_zoom, zooms_file
from tui.view.board.zoom_levels import ZOOMS, Zoom


def kept_zooms(battle: Path) -> Mapping[Size, Zoom]:
    """The zooms that were chosen for a battle's file, by the size of the terminal."""
    by_name = {zoom.name: zoom for zoom in ZOOMS}
    found = {}
    for size, name in read_zooms(zooms_file(), battle).items():
        columns, _, rows = size.partition("x")
        if columns.isdecimal() and rows.isdecimal() and name in by_name:
            found[Size(int(columns), int(rows))] = by_name[name]
    return found


def keep_zoom(battle: Path, size: Size, zoom: Zoom) -> None:
    """Remembers a zoom that was chosen.

    Raises:
        BattleboardError: the disk refuses.
    """
    write_zoom(zooms_file(), battle, f"{size.width}x{size.height}", zoom.name)
