"""A battle with everything that text must carry: moves, typed dice, the GM's hand, undo and redo."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from engine.answers import typed_dice
from engine.battle import command as cmd
from engine.battle.commands.ruling_commands import Adjust
from engine.battle.commands.scene_commands import SetCloud
from engine.geometry.squares import parse_square
from engine.journal.session import Session
from engine.rules.ledger import Adjustment
from tui.application.library.battle_files import new_battle


def play(session: Session) -> None:
    """The same commands every time: an attack with typed dice, smoke, a note of the GM's; some of it taken back."""
    session.submit(Adjust(Adjustment("gm-1", "Sun in *his* eyes", 10, note="low <sun> [here](x)")))
    session.submit(cmd.Attack("todd", "bandit", "", ""), typed_dice(((45,), (10,))))
    session.submit(SetCloud(parse_square("K8"), 2, 2, 0))
    session.undo()
    session.redo()
    session.submit(cmd.EndTurn())
    session.submit(cmd.EndTurn())
    session.undo()
    session.undo()


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The battle's file, played once."""
    with closing(new_battle("frontier-trail", "occult-ops", "demo-17", tmp_path_factory.mktemp("played"))) as session:
        play(session)
        path = session.journal.path
    return path.read_bytes()


@pytest.fixture
def battle(data_folder: Path, played: bytes) -> Path:
    """A copy of it, closed, in the data folder."""
    path = data_folder / "battles" / "frontier-trail-1.battle"
    path.parent.mkdir(parents=True)
    path.write_bytes(played)
    return path
