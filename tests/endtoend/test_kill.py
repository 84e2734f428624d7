"""SIGKILL in the middle of a fight: what the screen had shown is on the disk, and perhaps what was being drawn."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from engine.battle.state.battle import Battle
from engine.journal.batches import batches
from engine.journal.history import History, replay
from engine.journal.session import Session
from tests.endtoend.terminal import Terminal
from tui.application.library.battle_files import battles, open_battle
from tui.view.panels.log_panel import log_text

KEYS = ["t", "f\r", "f45\r9\r", "m", "k", "l", "m", "e", "U", "R", "i\r", "o", "d-1\r", "g+5 x\r", "e", "e"]

IN_FLIGHT = 12
"""Commands that may be on the disk and not on the screen yet: a burst of keys is committed before the next drawing."""


def log_rows(session: Session, history: History, width: int) -> list[str]:
    """The log of a history as one list of sentences, as a panel of that width says them."""
    steps = history.steps()[-IN_FLIGHT:]
    return str(log_text(reversed(steps), history.battle, session.rules, width, 10_000)).split("\n")


def log_on(terminal: Terminal) -> tuple[str, int]:
    """The words of the log panel, without the frame, and the width that they have."""
    rows = terminal.screen.display
    top = next(index for index, row in enumerate(rows) if "4 Log" in row)
    left = rows[top].index("4 Log") - 2
    right = rows[top].index("╮", left)
    words = [row[left:right].strip("│╰─╯ ") for row in rows[top + 1 : -3]]
    return " ".join(" ".join(words).split()), right - left - len("│ ")


def shows(screen: str, sentences: list[str]) -> bool:
    """Whether the log panel could be the tail of these sentences."""
    whole = " ".join(" ".join(sentences).split())
    return whole.endswith(screen)


def latest(session: Session) -> list[History]:
    """The history as the journal has it, and as it had been before each of the last things that it holds."""
    found = [batch.rows for batch in batches(session.journal.rows())]
    start = Battle(session.history.start.field)
    return [replay(start, found[:end]) for end in range(max(1, len(found) - IN_FLIGHT), len(found) + 1)]


def one_kill(folder: Path, number: int) -> None:
    chance = random.Random(number)
    environment = {"BATTLEBOARD_DATA": str(folder)}
    known = battles(folder)
    arguments = ["play", str(known[0])] if known else ["play", "warehouse", "--ruleset", "occult-ops", "--seed", "x"]
    terminal = Terminal(arguments, environment, 130, 40)
    terminal.wait_for("4 Log")
    terminal.read()
    for _ in range(chance.randint(3, 12)):
        terminal.send(chance.choice(KEYS))
        terminal.read(chance.uniform(0.0, 0.05))
    terminal.send(chance.choice(KEYS))
    time.sleep(chance.uniform(0.0, 0.06))
    terminal.read(0.0)
    terminal.kill()
    session = open_battle(battles(folder)[0])
    screen, width = log_on(terminal)
    assert screen, f"kill {number}: no log on the screen\n{terminal.text}"
    rows = [log_rows(session, history, width) for history in latest(session)]
    session.close()
    assert any(shows(screen, told) for told in rows), f"kill {number}\n{terminal.text}\n{rows[-1][-8:]}"


@pytest.mark.slow
def test_a_killed_fight_is_whole_again(tmp_path: Path) -> None:
    for number in range(4):
        one_kill(tmp_path, number)


@pytest.mark.slow
def test_a_hundred_killed_fights_are_whole_again(tmp_path: Path) -> None:
    for number in range(100):
        one_kill(tmp_path / str(number // 10), number)
