"""A real pseudo-terminal with an emulator behind it: the program runs as a user would run it."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyte

ROOT = Path(__file__).parent.parent.parent
PATIENCE_S = 20.0


class Terminal:
    """Runs `python -m tui ARGUMENTS` on a pty and keeps what its screen shows."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        columns: int = 120,
        rows: int = 40,
        program: Sequence[str] = ("-m", "tui"),
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.bytes_read = 0
        self.pid, self.master = pty.fork()
        if self.pid == 0:  # the child
            data = environment.get("BATTLEBOARD_DATA", "")
            os.chdir(data if Path(data).is_dir() and data else ROOT)  # exports without a path land there
            # NO_COLOR and the like of the machine that runs the tests must not matter.
            clean = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "TERM": "xterm-256color", "LANG": "C.UTF-8"}
            clean["PYTHONPATH"] = str(ROOT)
            os.execve(sys.executable, [sys.executable, *program, *arguments], {**clean, **environment})
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def send(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def ready(self) -> bool:
        """Whether the program has written something that was not read yet."""
        return bool(select.select([self.master], [], [], 0)[0])

    def read(self, quiet_s: float = 0.15) -> None:
        """Reads until nothing has come for a while, or the program is gone."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            ready, _, _ = select.select([self.master], [], [], quiet_s)
            if not ready:
                return
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                return
            if not chunk:
                return
            self.bytes_read += len(chunk)
            self._stream.feed(chunk)

    def wait_for(self, text: str) -> None:
        """Reads until the screen shows a text, wherever a row ends; fails with the screen when it never does."""
        end = time.monotonic() + PATIENCE_S
        while text not in self.text and text not in " ".join("".join(self.screen.display).split()):
            if time.monotonic() > end:
                raise AssertionError(f"{text!r} never came; the screen shows:\n{self.text}")
            self.read(0.05)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def kill(self) -> None:
        """SIGKILL. What the program had written reaches the screen all the same."""
        os.kill(self.pid, signal.SIGKILL)
        self.wait()

    def wait(self) -> int:
        """Exit status once it has ended; what it writes until then is read, lest it waits for that.

        Fails with the screen when it neither writes nor ends.
        """
        ended, known, end = 0, self.bytes_read, time.monotonic() + PATIENCE_S
        while not ended:
            if self.bytes_read > known:
                known, end = self.bytes_read, time.monotonic() + PATIENCE_S
            elif time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                raise AssertionError(f"it did not end; the screen shows:\n{self.text}")
            self.read(0.05)
            ended, status = os.waitpid(self.pid, os.WNOHANG)
        self.read(0.05)
        os.close(self.master)
        return os.waitstatus_to_exitcode(status)
