"""Takes the README's picture of the board from the app itself: `uv run python scripts/take_picture.py`.

The same picture byte for byte wherever it is taken: the demo with its own seed, in true colour whatever the terminal,
with nothing of the user's own. It shows a hit, with dice that are typed, and what it left on the board. To look at
another screen: a file, keys to press, columns and rows.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.view.app.board_app import BoardApp

PICTURE = Path(__file__).parent.parent / "docs" / "board.svg"
SIZE = "120x40"
KEYS = "t f 1 2 space slash space 5 space 6 enter"
TRUE_COLOUR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
CHANGES_LOOKS = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "TEXTUAL_", "TTY_", "COLUMNS", "LINES", "ESCDELAY")
"""How the names of variables begin that Textual and Rich read."""
IDLE_S = 0.5
"""Seconds for what a screen without a board works out after its keys."""


async def picture(app: BoardApp, keys: str, size: str) -> str:
    """Plays some keys on an app and gives what the screen then shows as SVG."""
    from tui.view.screens.battle_screen import (
        BattleScreen,  # here, as Textual reads the environment when it is imported
    )

    columns, _, rows = size.partition("x")
    async with app.run_test(size=(int(columns), int(rows))) as pilot:
        for key in ("", *keys.split()):
            await pilot.press(*filter(None, [key]))
            await pilot.pause()
            # a board under another screen begins nothing, so each key waits for what the one before it began
            while isinstance(app.screen, BattleScreen) and not app.screen.spare.is_done:
                await pilot.pause(0.01)
        await pilot.pause(0 if isinstance(app.screen, BattleScreen) else IDLE_S)
        return app.export_screenshot(title="battleboard", simplify=True)


async def take(path: Path, keys: str, size: str) -> None:
    """Writes a picture of the demo after some keys."""
    from tui.application.library.battle_files import demo_session
    from tui.view.app.board_app import BoardApp

    path.write_text(await picture(BoardApp(demo_session()), keys, size), encoding="utf-8")


def forget_looks() -> None:
    """Drops every variable that changes how a screen is drawn."""
    for name in [name for name in os.environ if name.startswith(CHANGES_LOOKS)]:
        del os.environ[name]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Takes a picture of the demo as SVG; without arguments the README's.")
    parser.add_argument("file", nargs="?", type=Path, default=PICTURE, help="where the picture is written")
    parser.add_argument("keys", nargs="?", default=KEYS, help="keys to press, such as “t v 1”")
    parser.add_argument("size", nargs="?", default=SIZE, help="columns and rows of the terminal, such as 80x24")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    forget_looks()
    with tempfile.TemporaryDirectory() as nothing_of_the_users:
        os.environ.update(TRUE_COLOUR, BATTLEBOARD_DATA=nothing_of_the_users)
        asyncio.run(take(chosen.file, chosen.keys, chosen.size))


if __name__ == "__main__":
    main()
