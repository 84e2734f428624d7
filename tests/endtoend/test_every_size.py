"""No size of a real terminal ends the program, neither at the start nor by a resize, whatever screen is open."""

from __future__ import annotations

import fcntl
import os
import struct
import termios
from pathlib import Path

import pytest

from tests.endtoend.terminal import Terminal
from tests.tui.every_screen import put_files
from tests.tui.test_every_size import CORNERS, EDGES, sizes

PLAYED = "play warehouse --ruleset aog --seed 7"
STARTS = {"board": PLAYED, "library": "", "form": "characters edit cleo", "demo": "demo --ascii"}
KEYS = {
    "board": "", "aim": "t", "move": "m", "prompt": ":move", "menu": "+", "picker": "+a", "help": "?", "receipt": "tr",
    "order": "Y", "log": "E", "terrain": "M", "library": "\x0f", "palette": "\x10", "settings": "O",
}  # fmt: skip


def started(folder: Path, line: str, size: tuple[int, int] = (120, 40)) -> Terminal:
    put_files(folder)
    environment = {"BATTLEBOARD_DATA": str(folder), "HOME": str(folder), "TMPDIR": str(folder)}
    return Terminal(line.split(), environment, *size)


def resize(terminal: Terminal, columns: int, rows: int) -> None:
    terminal.screen.resize(rows, columns)
    fcntl.ioctl(terminal.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", KEYS)
def test_no_resize_ends_the_program(tmp_path: Path, name: str) -> None:
    terminal = started(tmp_path, PLAYED)
    terminal.wait_for("4 Log")
    terminal.send(KEYS[name])
    terminal.read(0.5)
    for size in [*CORNERS, *EDGES, *CORNERS, *sizes(300, name)]:
        resize(terminal, *size)
        terminal.read(0.02)
        assert os.waitpid(terminal.pid, os.WNOHANG) == (0, 0), f"{size}:\n{terminal.text}"
    assert not list(tmp_path.glob("battleboard-bug-*"))
    resize(terminal, 120, 40)
    terminal.send("\x1b\x1b\x1b")
    terminal.read(0.5)
    terminal.kill()


@pytest.mark.slow
@pytest.mark.parametrize("name", STARTS)
def test_no_size_at_the_start_ends_in_anything_but_a_sentence(tmp_path: Path, name: str) -> None:
    for size in [*CORNERS, *EDGES, *sizes(24, f"start {name}")]:
        terminal = started(tmp_path, STARTS[name], size)
        terminal.read(0.5)
        ended, status = os.waitpid(terminal.pid, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) in (1, 2), size
            assert "Traceback" not in terminal.text
            os.close(terminal.master)
        else:
            terminal.kill()
    assert not list(tmp_path.glob("battleboard-bug-*"))
