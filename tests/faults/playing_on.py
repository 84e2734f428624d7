"""A program to be killed: it plays a battle of format 1 on. Run as `python -m tests.faults.playing_on FILE`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tui.application.commands.runner import do
from tui.application.library.battle_files import open_battle

if __name__ == "__main__":
    session = open_battle(Path(sys.argv[1]))
    os.write(1, b"open\n")
    for number in range(50):
        do(session, f"note {number}")
        os.write(1, b"%d\n" % number)
