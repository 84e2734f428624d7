"""A correction is whole or was not made, wherever the program that makes it is killed."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle.commands.note_commands import ThrowDice
from engine.battle.events import DiceThrown
from engine.journal.batches import batches
from tests.examples import sample
from tui.application.library.battle_files import new_battle, open_battle


def thrown(path: Path) -> tuple[int, int]:
    """What the dice of a battle's last command show, and how many corrections its file holds."""
    with closing(open_battle(path, read_only=True)) as session:
        done = session.history.done
        assert done is not None
        (event,) = (event for event in done.events if isinstance(event, DiceThrown))
        kinds = [[kind for kind, _ in batch.rows] for batch in batches(session.journal.rows())]
    for batch in kinds[2:]:
        assert batch == ["command/throw-dice", "event/roll-corrected", "event/dice-thrown"]
    return event.roll.total, len(kinds) - 2


@pytest.mark.parametrize("delay", sample(range(0, 100, 5)))
def test_killed_while_correcting_the_roll_is_the_old_one_or_the_new(tmp_path: Path, delay: int) -> None:
    with closing(new_battle("frontier-trail", "occult-ops", "7", tmp_path)) as session:
        session.submit(ThrowDice("1d6"), typed_dice(((1,),)))
        path = session.journal.path
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.faults.correcting", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"0\n"
        time.sleep(delay / 1000)
        program.kill()
        done = [0, *(int(line) for line in program.stdout.read().splitlines(keepends=True) if line.endswith(b"\n"))][-1]
    shown, corrected = thrown(path)
    assert done <= corrected <= done + 1
    assert shown == 1 + corrected % 6
    with closing(open_battle(path)) as session:
        session.correct(typed_dice(((3,),)))
    assert thrown(path) == (3, corrected + 1)
