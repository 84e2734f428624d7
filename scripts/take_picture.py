"""Takes the README's picture and recording of the board from the app itself: `uv run python scripts/take_picture.py`.

The same byte for byte wherever they are taken: the demo with its own seed, in true colour whatever the terminal, with
nothing of the user's own. The picture shows a hit, with dice that are typed, and what it left on the board; the
recording how it came about. To look at another screen: a file, keys to press, columns and rows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from tui.view.app.board_app import BoardApp

PICTURE = Path(__file__).parent.parent / "docs" / "board.svg"
SIZE = "120x40"
KEYS = "t f 1 2 space slash space 5 space 6 enter"
RECORDING = PICTURE.with_suffix(".cast")
SHOWN = [("", 1.5), ("t", 2.5), ("a", 3), ("escape", 0.5), ("f", 1.5), ("1", 0.4), ("2", 0.6), ("enter", 1.5)]
SHOWN += [("5", 0.4), ("space", 0.2), ("6", 1), ("enter", 3.5), ("e", 1.5), ("v", 0.8), ("2", 1.1)]
"""The keys of the recording, each with the seconds for which the screen after it is shown: 20 in all."""
TRUE_COLOUR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
CHANGES_LOOKS = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TEXTUAL_", "TTY_", "COLUMNS", "LINES", "ESCDELAY")
"""How the names of variables begin that Textual and Rich read."""
IDLE_S = 0.5
"""Seconds for what a screen without a board works out after its keys."""


async def press(pilot: Pilot[None], key: str) -> None:
    """Presses a key, or none, and waits for what it begins."""
    from tui.view.screens.battle_screen import (
        BattleScreen,  # here, as Textual reads the environment when it is imported
    )

    await pilot.press(*filter(None, [key]))
    await pilot.pause()
    # a board under another screen begins nothing, so each key waits for what the one before it began
    while isinstance(screen := pilot.app.screen, BattleScreen) and not screen.spare.is_done:
        await pilot.pause(0.01)


async def picture(app: BoardApp, keys: str, size: str) -> str:
    """Plays some keys on an app and gives what the screen then shows as SVG."""
    from tui.view.screens.battle_screen import BattleScreen

    columns, _, rows = size.partition("x")
    async with app.run_test(size=(int(columns), int(rows))) as pilot:
        for key in ("", *keys.split()):
            await press(pilot, key)
        await pilot.pause(0 if isinstance(app.screen, BattleScreen) else IDLE_S)
        return app.export_screenshot(title="battleboard", simplify=True)


async def recording(app: BoardApp, size: str) -> str:
    """Plays the keys of the recording on an app and gives it as asciicast v2: of each screen what differs."""
    from rich.color import ColorSystem
    from textual._compositor import LayoutUpdate

    from tui.view.exports.asciicast import CLEAR, HIDE
    from tui.view.terminal.frame_diff import Shown

    columns, _, rows = size.partition("x")
    head = {"version": 2, "width": int(columns), "height": int(rows), "title": "battleboard"}
    lines: list[object] = [head, [0.0, "o", HIDE + CLEAR]]
    screen, seconds = Shown(), 0.0
    async with app.run_test(size=(int(columns), int(rows))) as pilot:
        for key, shown_s in SHOWN:
            await press(pilot, key)
            frame = app.screen._compositor.render_update(full=True)
            assert isinstance(frame, LayoutUpdate), "a whole screen"
            if written := screen.written(frame, ColorSystem.TRUECOLOR):
                lines.append([round(seconds, 1), "o", written])
            seconds += shown_s
    lines.append([round(seconds, 1), "o", ""])
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


async def take(path: Path, keys: str, size: str) -> None:
    """Writes a picture of the demo after some keys, or the recording where the file is named `.cast`."""
    from tui.application.library.battle_files import demo_session
    from tui.view.app.board_app import BoardApp

    app = BoardApp(demo_session())
    text = recording(app, size) if path.suffix == RECORDING.suffix else picture(app, keys, size)
    path.write_text(await text, encoding="utf-8")


def forget_looks() -> None:
    """Drops every variable that changes how a screen is drawn."""
    for name in [name for name in os.environ if name.startswith(CHANGES_LOOKS)]:
        del os.environ[name]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Takes a picture of the demo as SVG; without arguments the README's and its recording."
    )
    parser.add_argument("file", nargs="?", type=Path, help="where the picture is written; .cast: the recording")
    parser.add_argument("keys", nargs="?", default=KEYS, help="keys to press, such as “t v 1”")
    parser.add_argument("size", nargs="?", default=SIZE, help="columns and rows of the terminal, such as 80x24")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    forget_looks()
    with tempfile.TemporaryDirectory() as nothing_of_the_users:
        os.environ.update(TRUE_COLOUR, BATTLEBOARD_DATA=nothing_of_the_users)
        for file in [chosen.file] if chosen.file else [PICTURE, RECORDING]:
            asyncio.run(take(file, chosen.keys, chosen.size))


if __name__ == "__main__":
    main()
