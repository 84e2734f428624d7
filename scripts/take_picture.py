"""Takes the README's picture of the board from the app itself: `uv run python scripts/take_picture.py`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from tui.app import BoardApp
from tui.battles import demo_session

PICTURE = Path(__file__).parent.parent / "docs" / "board.svg"
SIZE = (120, 40)
KEYS = ("t", "v", "1")


async def take(path: Path, keys: tuple[str, ...] = KEYS, size: tuple[int, int] = SIZE) -> None:
    """Plays some keys on the demo and writes what the screen shows as SVG."""
    app = BoardApp(demo_session())
    async with app.run_test(size=size) as pilot:
        await pilot.press(*keys)
        await pilot.pause()
        path.write_text(app.export_screenshot(title="battleboard", simplify=True), encoding="utf-8")


if __name__ == "__main__":
    columns_rows = sys.argv[3].split("x") if len(sys.argv) > 3 else SIZE
    asyncio.run(
        take(
            Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE,
            tuple(sys.argv[2].split()) if len(sys.argv) > 2 else KEYS,
            (int(columns_rows[0]), int(columns_rows[1])),
        )
    )
