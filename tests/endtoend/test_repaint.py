"""The board in a real pseudo-terminal, written as differences and as Textual writes it: the same screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.endtoend.terminal import Terminal
from tui.view.terminal.frame_diff import SWITCH

KEYS = ("jjllL", "t", "v2", "hk", "\x1b", "m", "jj", "\x1b", "z", "L", "?", "\x1b")


@pytest.mark.slow
def test_the_same_keys_show_the_same_screen_either_way(tmp_path: Path) -> None:
    screens, written = [], []
    for number, more in enumerate(({}, {SWITCH: "whole"})):
        environment = {"BATTLEBOARD_DATA": str(tmp_path / str(number)), **more}
        terminal = Terminal(["play", "warehouse", "--ruleset", "occult-ops", "--seed", "x"], environment)
        terminal.wait_for("4 Log")
        terminal.read(0.5)
        before = terminal.bytes_read
        for keys in KEYS:
            terminal.send(keys)
            terminal.read(0.4)
        screens.append(terminal.text)
        written.append(terminal.bytes_read - before)
        terminal.kill()
    assert screens[0] == screens[1]
    assert written[0] < written[1] / 2, "the switch in the environment leaves all to Textual"
