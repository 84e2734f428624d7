"""A curses program that shows given screens one after another, the next at each key, and writes what curses writes.

python -m benchmarks.peers.curses_screen FILE

The file is JSON: a list of screens; a screen is a list of lines; a line is a list of runs [text, ink, ground,
attributes] in colours of 256, -1 for the terminal's own. Only lines that changed are drawn again, and curses compares
their cells.
"""

from __future__ import annotations

import curses
import json
import sys
from contextlib import suppress
from pathlib import Path

ATTRIBUTES = {"bold": curses.A_BOLD, "underline": curses.A_UNDERLINE, "reverse": curses.A_REVERSE}


Run = tuple[str, int, int, list[str]]  # text, ink, background, attributes: JSON gives it as a list
Screen = list[list[Run]]  # each line in runs of one style


def main(path: str) -> None:
    screens = json.loads(Path(path).read_text(encoding="utf-8"))
    curses.wrapper(show, screens)


def show(window: curses.window, screens: list[Screen]) -> None:
    """Shows the first screen, and at each key the next."""
    curses.use_default_colors()
    curses.curs_set(0)
    window.idlok(True)
    window.leaveok(True)
    pairs: dict[tuple[int, int], int] = {(-1, -1): 0}
    shown: Screen = []
    for screen in screens:
        for y, line in enumerate(screen):
            if y < len(shown) and shown[y] == line:
                continue
            x = 0
            for text, ink, ground, attributes in line:
                pair = pairs.get((ink, ground))
                if pair is None:
                    pair = pairs[ink, ground] = len(pairs)
                    curses.init_pair(pair, ink, ground)
                look = curses.color_pair(pair)
                for name in attributes:
                    look |= ATTRIBUTES[name]
                with suppress(curses.error):  # the last cell of all
                    window.addstr(y, x, text, look)
                x += len(text)
        shown = screen
        window.refresh()
        window.getch()


if __name__ == "__main__":
    main(sys.argv[1])
