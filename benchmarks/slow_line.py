"""S7: how soon a key is answered on a line that carries 8,000 bytes a second, with two keys a second.

Pictures that could not be sent yet must be replaced by later ones and never queue up, else each key waits longer.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator, Sequence
from statistics import quantiles
from time import perf_counter, sleep

import pyte

from benchmarks.evening import RULESET
from benchmarks.measure import Row
from benchmarks.terminal import Terminal

SIZE = (120, 40)
RATE, BURST_S = 8_000, 0.1
"""Bytes a second, and for how long a line that was idle may go faster."""
KEYS, EVERY_S, AFTER_S = 200, 0.5, 3.0
WALK = "l" * 12 + "j" * 4 + "h" * 12 + "k" * 4
STATUS = SIZE[1] - 3
"""The row that names the square under the cursor."""
MAPS = (("rooftops", ()), ("rooftops", ("v", "4")), ("warehouse", ("v", "2")))
"""Maps, and keys for an overlay that is made anew with each move of the cursor, or stays."""


def rows() -> Iterator[Row]:
    """The 95th percentile of the seconds from a key to the picture that shows it, for each of MAPS."""
    for name, before in MAPS:
        taken, written = _walk(name, before)
        late = quantiles(taken, n=20)[-1]
        shown = f"the overlay {before[-1]}" if before else "no overlay"
        what = f"a key on a line of 8 kB/s, {name}, {shown}, {len(taken)} of {KEYS} shown by themselves"
        yield Row("S7", what, f"{late * 1000:.0f} ms", f"{written / KEYS:.0f} bytes a key", late, 1.0, "s")


def _walk(name: str, before: Sequence[str]) -> tuple[list[float], int]:
    """Seconds from each key to the picture that shows it alone, and the bytes that all pictures took."""
    with tempfile.TemporaryDirectory() as folder:
        words = [sys.executable, "-m", "tui", "play", name, "--ruleset", RULESET, "--seed", "x"]
        program = Terminal(words, SIZE, {"BATTLEBOARD_DATA": folder})
        screen = pyte.Screen(*SIZE)
        stream = pyte.ByteStream(screen)
        stream.feed(program.begin().written)
        for key in (*before, "l", "h"):
            stream.feed(program.press(key, 0.6).written)
        taken: list[float] = []
        begun = last = perf_counter()
        sent, pressed, room, written, was = 0, begun, 0.0, 0, screen.display[STATUS]
        while perf_counter() < begun + KEYS * EVERY_S + AFTER_S:
            now = perf_counter()
            if sent < KEYS and now >= begun + sent * EVERY_S:
                program.write(WALK[sent % len(WALK)])
                sent, pressed = sent + 1, now
            room, last = min(RATE * BURST_S, room + (now - last) * RATE), now
            chunk = program.read(int(room))
            room, written = room - len(chunk), written + len(chunk)
            stream.feed(chunk)
            if chunk and screen.display[STATUS] != was:
                was = screen.display[STATUS]
                taken.append(perf_counter() - pressed)
            sleep(0.002)
        program.end()
        return taken, written
