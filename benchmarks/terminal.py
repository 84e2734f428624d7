"""A program on a pseudo-terminal of its own: how many bytes it writes for a key, and how long it takes."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

QUIET_S = 0.12
"""So long without a byte, and an answer is over."""


FIRST_PAINT = 2_000
"""Bytes that any full screen takes; what comes before are the modes that it sets."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a program wrote after a key: the bytes, and seconds from the key to the last of them, and to the first."""

    written: bytes
    seconds: float
    first: float = 0


class Terminal:
    """Runs a program on a pty with 256 colours. It answers no questions that programs put to terminals."""

    def __init__(self, words: Sequence[str], size: tuple[int, int], environment: Mapping[str, str]) -> None:
        columns, rows = size
        self._born = perf_counter()
        self.pid, self._master = pty.fork()
        if self.pid == 0:  # the child
            clean = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execvpe(words[0], [*words], {**clean, "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment})
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def begin(self, quiet: float = 0.8) -> Answer:
        """All that it writes until it waits for the first key, since it was born."""
        answer = self._listen(self._born, quiet, 30, FIRST_PAINT)
        if len(answer.written) < FIRST_PAINT:
            raise RuntimeError(f"the program showed no screen: {answer.written!r}")
        return answer

    def press(self, keys: str, quiet: float = QUIET_S) -> Answer:
        """Writes keys at once and listens until it is quiet."""
        start = perf_counter()
        os.write(self._master, keys.encode())
        return self._listen(start, quiet, 3)

    def write(self, keys: str) -> None:
        """Writes keys, and does not listen."""
        os.write(self._master, keys.encode())

    def read(self, most: int) -> bytes:
        """At most so many bytes that wait, now; none where none do."""
        ready, _, _ = select.select([self._master], [], [], 0)
        return os.read(self._master, most) if ready and most > 0 else b""

    def listen(self, seconds: float) -> Answer:
        """What it writes in so many seconds without a key."""
        return self._listen(perf_counter(), seconds, seconds)

    def _listen(self, start: float, quiet: float, first: float, least: int = 1) -> Answer:
        """Until `quiet` seconds after the last byte, or `first` seconds without so many bytes at least."""
        written, last, earliest = b"", start, start
        while True:
            ready, _, _ = select.select([self._master], [], [], quiet if len(written) >= least else first)
            if not ready:
                return Answer(written, last - start, earliest - start)
            try:
                chunk = os.read(self._master, 1 << 20)
            except OSError:  # it has ended
                return Answer(written, last - start, earliest - start)
            last = perf_counter()
            earliest = last if not written else earliest
            written += chunk

    def resident(self) -> float:
        """MiB of memory that it takes."""
        with open(f"/proc/{self.pid}/status") as status:  # noqa: PTH123
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmRSS"))

    def end(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self._master)
