"""Floods on the keyboard: the program stays in bounds and answers soon after they end."""

from __future__ import annotations

import fcntl
import os
import random
import select
import struct
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.endtoend.terminal import PATIENCE_S, Terminal
from tests.endtoend.test_terminal_faults import memory_mb, processor_s
from tests.tui.terminal.replies import READ, REPLIES

ANSWERED_WITHIN_S = 1.0
"""Of the processor, which a loaded machine does not stretch."""
MOST_MB = 30.0


LEAVES = b"Q\x11\x03"
"""Keys that may end the program, and may do so after any flood."""


def noise(count: int) -> bytes:
    return random.Random("noise").randbytes(count).translate(None, LEAVES)


def sequences(count: int) -> bytes:
    chance = random.Random("sequences")
    finals, starts = "ABCDHFPRSZcmnrtuxy~hl", ["\x1b[", "\x1b[?", "\x1b[>", "\x1bO", "\x1b", "\x1b]", "\x1bP"]
    known = [reply for reply in (*REPLIES.values(), *READ.values()) if len(reply) < 100]

    def one() -> str:
        if chance.random() < 0.3:
            return chance.choice(known)
        numbers = ";".join(str(chance.randint(0, 300)) for _ in range(chance.randint(0, 4)))
        return chance.choice(starts) + numbers + chance.choice(finals)

    return "".join(one() for _ in range(count)).encode()


def mouse(count: int) -> bytes:
    chance = random.Random("mouse")
    codes = [35, 35, 35, 64, 65, 0, 32]
    return "".join(
        f"\x1b[<{chance.choice(codes)};{chance.randint(1, 120)};{chance.randint(1, 40)}{chance.choice('Mm')}"
        for _ in range(count)
    ).encode()


FLOODS = {
    "Esc": b"\x1b" * 3_000,
    "noise": noise(1_000_000),
    "mouse": mouse(20_000),
    "sequences": sequences(5_000),
    "arrows": b"\x1b[B" * 20_000,
    "letters": b"temvpWzc" * 5_000,
    "unfinished DCS": b"\x1bP" + b"e" * 2_000,
    "unfinished OSC": b"\x1b]52;c;" + b"e" * 50_000,
    "unfinished SOS": b"\x1bX" + b"e" * 100_000,
    "long CSI": b"\x1b[" + b"1;" * 10_000 + b"m",
    "paste without end": b"\x1b[200~xyz" + b"e" * 300_000,
    "sizes": b"\x1b[48;40;120;800;1200t\x1b[48;30;100;600;1000t" * 2_500,
    "focus": b"\x1b[I\x1b[O" * 5_000 + b"\x1b[I",
}


def send_all(terminal: Terminal, flood: bytes) -> None:
    """Sends bytes as quickly as the program takes them, and reads what it writes meanwhile."""
    os.set_blocking(terminal.master, False)
    left = memoryview(flood)
    while left:
        readable, writable, _ = select.select([terminal.master], [terminal.master], [], 30)
        assert readable or writable, f"it takes nothing more; {len(left)} bytes are left"
        if readable:
            os.read(terminal.master, 65536)
        if writable:
            left = left[os.write(terminal.master, left[:4096]) :]
    os.set_blocking(terminal.master, True)


def wait_until_read(terminal: Terminal) -> None:
    """Waits until the program has read all that the terminal holds for it: the flood ends there."""
    slave = os.open(f"/proc/{terminal.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
    end, empty = time.monotonic() + PATIENCE_S, 0
    while empty < 3:
        assert time.monotonic() < end, "it reads nothing more"
        left = struct.unpack("i", fcntl.ioctl(slave, termios.FIONREAD, bytes(4)))[0]
        empty = 0 if left else empty + 1
        terminal.read(0.01)
    os.close(slave)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory and time of another process are read from /proc")
@pytest.mark.parametrize("name", FLOODS)
def test_after_a_flood_a_key_is_answered(tmp_path: Path, name: str) -> None:
    terminal = Terminal(["play", "warehouse", "--ruleset", "aog", "--seed", "7"], {"BATTLEBOARD_DATA": str(tmp_path)})
    terminal.wait_for("4 Log")
    terminal.send("?\x1bt\x1b")  # loads what a shot needs, which is no part of the answer
    terminal.read(1.0)
    before = memory_mb(terminal.pid)
    send_all(terminal, FLOODS[name])
    wait_until_read(terminal)
    if name.startswith("paste"):
        time.sleep(1.1)
    if name.startswith(("unfinished", "noise")):  # which may end in a string
        time.sleep(0.3)
    spent, start = processor_s(terminal.pid), time.monotonic()
    terminal.send("\x1b\x1b\x1b\x1b")
    time.sleep(0.2)
    terminal.send("?")
    terminal.screen.reset()
    terminal.send("\x0c")  # draws the whole screen
    terminal.wait_for("Help")
    spent = processor_s(terminal.pid) - spent
    grown = memory_mb(terminal.pid) - before
    print(f"{name}: {time.monotonic() - start:.2f} s, {spent:.2f} s of the processor, {grown:+.1f} MB")
    assert spent < ANSWERED_WITHIN_S
    assert grown < MOST_MB
    terminal.kill()
