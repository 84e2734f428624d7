"""Keys at random on a real terminal: nothing crashes the board, and the journal of every battle stays whole."""

from __future__ import annotations

import os
import random
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.errors import Illegal
from maps import shipped_maps
from rulesets import shipped_rulesets
from tests.endtoend.terminal import Terminal
from tui.application.library.battle_files import battles, open_battle

OFTEN = [
    "\r",
    "\r",
    "\r",
    "\x1b",
    "\x1b",
    "\t",
    "\x7f",
    "\x1b[A",
    "\x1b[B",
    "\x1b[C",
    "\x1b[D",
    "m",
    "t",
    "f",
    "e",
    "e",
]
SELDOM = [chr(code) for code in range(32, 127)] + ["\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x0f", "\x10", "ä", "𝔘"]
BURST = 25
SIZES = [(80, 24), (120, 40)]


def chunk(chance: random.Random) -> list[str]:
    """Keys that a cat on the keyboard would press, in one burst; it ends in an Esc, or nothing would ever close."""
    keys = [chance.choice(OFTEN if chance.random() < 0.6 else SELDOM) for _ in range(BURST)]
    return [*keys, "\x1b"]


def whole(path: Path) -> None:
    """A battle's file opens, and all that was done can be taken back to the beginning and done again."""
    with closing(open_battle(path, read_only=True)) as session:
        history, taken = session.history, 0
        with suppress(Illegal):
            while True:
                history, taken = history.undo(), taken + 1
        for _ in range(taken):
            history = history.redo()
        assert history.battle == session.battle


def mashed(folder: Path, map_id: str, ruleset: str, size: tuple[int, int], keys: int, seed: str) -> None:
    """Presses so many keys; a board that was left is opened again."""
    chance, environment = random.Random(seed), {"BATTLEBOARD_DATA": str(folder)}
    arguments = ["play", map_id, "--ruleset", ruleset, "--seed", seed]
    terminal, pressed, said = Terminal(arguments, environment, *size), 0, ""
    terminal.wait_for("Round 1")
    while pressed < keys:
        burst = chunk(chance)
        try:
            for key in burst:
                terminal.send(key)
                if key == "\x1b":
                    terminal.read(0.03)
        except OSError:
            pass
        pressed += len(burst)
        terminal.read(0.05)
        said = terminal.text
        ended, status = os.waitpid(terminal.pid, os.WNOHANG)
        if ended:
            assert os.waitstatus_to_exitcode(status) == 0, f"{seed}, after {burst}:\n{said}"
            os.close(terminal.master)
            terminal = Terminal(["play", str(battles(folder)[0])], environment, *size)
            terminal.wait_for("Round")
    terminal.kill()
    assert "Traceback" not in said
    for path in battles(folder):
        whole(path)


@pytest.mark.slow
def test_keys_at_random_break_nothing(tmp_path: Path) -> None:
    mashed(tmp_path, "warehouse", "volt", SIZES[0], 400, "short")


@pytest.mark.slow
@pytest.mark.parametrize("keys", ["Q+?e", "\x0f\r\x0f\rQ?", "\x0fQ?"])
def test_keys_typed_ahead_of_a_screen_or_after_the_last_break_nothing(tmp_path: Path, keys: str) -> None:
    terminal = Terminal(["play", "warehouse"], {"BATTLEBOARD_DATA": str(tmp_path)}, *SIZES[0])
    terminal.wait_for("Round 1")
    terminal.send(keys)
    assert terminal.wait() == 0, terminal.text


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_ten_thousand_keys_at_random_break_nothing(tmp_path: Path, number: int) -> None:
    maps, rulesets = sorted(shipped_maps()), sorted(shipped_rulesets())
    found = maps[number % len(maps)], rulesets[number % len(rulesets)]
    mashed(tmp_path, *found, SIZES[number // 5 % 2], 1000, f"mashed {number}")
