"""Memory of a long sitting: what the board keeps for speed is bounded, and what was closed is gone."""

from __future__ import annotations

import os
import random
import select
import sys
from pathlib import Path

import pytest

from tests.endtoend.terminal import PATIENCE_S, Terminal
from tests.endtoend.test_random_keys import BURST, OFTEN, SELDOM

FIRST, KEYS = 2_000, 20_000
MOST_MIB = 15
SIZE = (130, 40)
SCREENS = [*"?rE/MOGADNSYWwadgvi:", "+", "\x0f", "\x0f\t", "\x10"]
"""Keys that open a screen, a menu or a prompt of the board; each loads modules of its own."""
NEVER = {"Q"}
"""Leaves the board."""


def drained(terminal: Terminal, quiet_s: float) -> bytes:
    """What it writes until it is quiet, without the emulator, which would take longer than the board."""
    written = b""
    while select.select([terminal.master], [], [], quiet_s)[0]:
        written += os.read(terminal.master, 65536)
    return written


def resident_mib(terminal: Terminal) -> float:
    status = Path(f"/proc/{terminal.pid}/status").read_text()
    return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS"))


def opened_once(terminal: Terminal) -> int:
    """Opens each screen once; the comparison, which reads every ruleset, to its end. Returns the number of keys."""
    terminal.send("tC")
    terminal.wait_for("The same shot")
    for _ in range(round(PATIENCE_S)):
        terminal.read(1)
        if "to go" not in terminal.text:
            break
    terminal.send("\x1b")
    drained(terminal, 0.3)
    for keys in SCREENS:
        for key in (*keys, "\x1b", "\x1b"):
            terminal.send(key)
            drained(terminal, 0.2)
    return 3 + sum(len(keys) + 2 for keys in SCREENS)


def pressed(terminal: Terminal, chance: random.Random, keys: int) -> None:
    """Presses so many keys, in bursts that end in an Esc."""
    seldom = [key for key in SELDOM if key not in NEVER]
    for _ in range(keys // (BURST + 1)):
        for key in (*(chance.choice(OFTEN if chance.random() < 0.6 else seldom) for _ in range(BURST)), "\x1b"):
            terminal.send(key)
            if key == "\x1b":
                drained(terminal, 0.03)
    drained(terminal, 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the memory of another process is read from /proc")
@pytest.mark.parametrize("seed", [1, 2])
def test_twenty_thousand_random_keys_take_little_memory(tmp_path: Path, seed: int) -> None:
    """Measured after 2,000 keys, by when each screen was open once."""
    arguments = ["play", "warehouse", "--ruleset", "cwn", "--seed", "memory"]
    terminal = Terminal(arguments, {"BATTLEBOARD_DATA": str(tmp_path)}, *SIZE)
    terminal.wait_for("Round 1")
    chance = random.Random(seed)
    pressed(terminal, chance, FIRST - opened_once(terminal))
    before = resident_mib(terminal)
    pressed(terminal, chance, KEYS - FIRST)
    grown = resident_mib(terminal) - before
    terminal.kill()
    print(f"{before:.1f} MiB after {FIRST} keys, {grown:+.1f} after {KEYS}")
    assert grown <= MOST_MIB
