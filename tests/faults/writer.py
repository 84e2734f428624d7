"""A program to be killed: it saves batches as fast as it can and says on its output what is saved.

Run as `python writer.py PATH SEED`. It prints "ready" before it touches the file, then the last seq of every batch that
`append` returned. Each event says how many its batch has and which of them it is.
"""

from __future__ import annotations

import os
import random
import sys
from pathlib import Path

from engine.battle.seats import GM_NAME
from engine.journal.batches import Stamp
from engine.journal.store import Header, Journal

HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "squares\n" * 2000, "volt", {"rules.toml": "x" * 9000}, "7")


def write_for_ever(path: Path, seed: int) -> None:
    """Save batches of one to four events, each of up to 3 kB, until the end comes."""
    say = random.Random(seed)
    os.write(1, b"ready\n")
    journal = Journal.open(path) if path.exists() else Journal.create(path, HEADER)
    os.write(1, b"0\n")
    while True:
        size = say.randint(1, 4)
        events = [("moved", {"of": size, "which": which, "text": "x" * say.randint(0, 3000)}) for which in range(size)]
        rows = journal.append(events, Stamp("now", GM_NAME))
        os.write(1, b"%d\n" % rows[-1].seq)


if __name__ == "__main__":
    write_for_ever(Path(sys.argv[1]), int(sys.argv[2]))
