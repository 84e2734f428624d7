"""A program to be killed: it corrects the last roll of a battle over and over, and says when each is done.

Run as `python -m tests.faults.correcting FILE`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from engine.answers import typed_dice
from tui.application.library.battle_files import open_battle

if __name__ == "__main__":
    session = open_battle(Path(sys.argv[1]))
    os.write(1, b"0\n")
    for number in range(1, 10_000):
        session.correct(typed_dice(((1 + number % 6,),)))
        os.write(1, b"%d\n" % number)
