"""What the process of the players' screen holds of a battle: what its side sees, and not one byte more."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.endtoend.terminal import ROOT, Terminal
from tui.application.commands.runner import do
from tui.application.library.battle_files import new_battle

SECRETS = {"the seed": "seed-4f1c9b77", "a note": "The vault opens at noon", "a hidden unit": "Viper Nine"}

pytestmark = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="needs /proc")


def memory_of(pid: int) -> bytes:
    """Everything that a process may write to: its heap, its stacks, what it has mapped for itself."""
    found = []
    with Path(f"/proc/{pid}/mem").open("rb") as memory:
        for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
            bounds, rights = line.split()[:2]
            if rights.startswith("rw"):
                start, end = (int(bound, 16) for bound in bounds.split("-"))
                try:
                    memory.seek(start)
                    found.append(memory.read(end - start))
                except OSError:
                    continue
    return b"".join(found)


def held(pid: int) -> list[str]:
    """The secrets that a process holds."""
    memory = memory_of(pid)
    assert b"Warehouse, night shift" in memory, "it is the memory that was searched"
    return [name for name, secret in SECRETS.items() if secret.encode() in memory]


@pytest.mark.slow
def test_the_players_screen_holds_no_secret_and_does_not_open_the_file(tmp_path: Path) -> None:
    with closing(new_battle("warehouse", "occult-ops", SECRETS["the seed"], tmp_path)) as session:
        path = session.journal.path
        do(session, "hide sergeant")
        do(session, f"rename sergeant {SECRETS['a hidden unit']}")
        while session.battle.turns.active == "sergeant":  # whose turn is no moment of the view
            do(session, "end")
        do(session, f"note ox {SECRETS['a note']}")
    environment = {"BATTLEBOARD_DATA": str(tmp_path)}
    watched = Terminal(["watch", str(path), "--side", "crew"], environment)
    try:
        watched.wait_for("view of crew")
        end = [sys.executable, "-m", "tui", "do", str(path), "rename raven Crow"]
        subprocess.run(end, cwd=ROOT, check=True, capture_output=True)
        watched.wait_for("Crow")
        assert held(watched.pid) == []
        opened = [link.readlink() for link in Path(f"/proc/{watched.pid}/fd").iterdir() if link.is_symlink()]
        assert path not in opened
    finally:
        watched.kill()
    gm = Terminal(["play", str(path), "--read-only"], environment)
    try:
        gm.wait_for("read-only")
        assert held(gm.pid) == list(SECRETS), "what is searched for is found where it is"
    finally:
        gm.kill()
