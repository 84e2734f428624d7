"""A picture of what the screen shows, as SVG: Textual's screenshot, without the fonts that a viewer would load."""

from __future__ import annotations

import re

from textual.app import App

from engine.errors import BattleboardError
from engine.text import visible
from tui.application.exports.export_files import new_file
from tui.application.exports.restore import write_new

FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)


def save_picture(app: App[None], stem: str, name: str = "") -> str:
    """Writes a picture of the screen into a new file; says where, or why not.

    Args:
        app: what is shown.
        stem: the name where none was typed; the first free number is added if it is taken.
        name: the file that was typed; "" for none.
    """
    try:
        path = new_file(name, stem, ".svg")
        written = write_new(path, FONT.sub("", app.export_screenshot(title="battleboard", simplify=True)))
    except BattleboardError as reason:
        return str(reason)
    return f"Picture written to {visible(str(written))}."
