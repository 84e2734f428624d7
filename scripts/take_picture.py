"""Takes the README's picture of the board from the app itself: `uv run python scripts/take_picture.py`.

The same picture byte for byte wherever it is taken: the demo with its own seed, in true colour whatever the terminal,
with nothing of the user's own. To look at another screen: a file, keys to press, columns and rows.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

PICTURE = Path(__file__).parent.parent / "docs" / "board.svg"
SIZE = "120x40"
KEYS = "t v 1"
TRUE_COLOUR = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
CHANGES_LOOKS = ("NO_COLOR", "FORCE_COLOR", "TEXTUAL_", "TTY_", "COLUMNS", "LINES", "ESCDELAY")
"""How the names of variables begin that Textual and Rich read."""


async def take(path: Path, keys: str, size: str) -> None:
    """Plays some keys on the demo and writes what the screen shows as SVG."""
    from tui.app.board_app import BoardApp  # here, as Textual reads the environment when it is imported
    from tui.library.battle_files import demo_session
    from tui.screens.battle_screen import BattleScreen

    columns, _, rows = size.partition("x")
    app = BoardApp(demo_session())
    async with app.run_test(size=(int(columns), int(rows))) as pilot:
        await pilot.press(*keys.split())
        await pilot.pause()
        board = next(screen for screen in app.screen_stack if isinstance(screen, BattleScreen))
        while not board.spare.is_done:
            await pilot.pause(0.01)
        await pilot.pause()
        path.write_text(app.export_screenshot(title="battleboard", simplify=True), encoding="utf-8")


def main(file: str = str(PICTURE), keys: str = KEYS, size: str = SIZE) -> None:
    for name in [name for name in os.environ if name.startswith(CHANGES_LOOKS)]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as nothing_of_the_users:
        os.environ.update(TRUE_COLOUR, BATTLEBOARD_DATA=nothing_of_the_users)
        asyncio.run(take(Path(file), keys, size))


if __name__ == "__main__":
    main(*sys.argv[1:])
