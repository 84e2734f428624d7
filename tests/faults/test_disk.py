"""A disk that is full or may not be written: the command is refused, what was saved stays, and later it goes on."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from engine.journal.store import Header, Journal
from tests.stamps import NOW

HEADER = Header("id", "0.1.0", "now", "A fight", "m.toml", "squares", "volt", {"rules.toml": "x"}, "7")
FULL = """
import resource, sys
from pathlib import Path
from engine.battle.seats import GM_NAME
from engine.journal.batches import Stamp
from engine.journal.store import CannotSave, Header, Journal

path = Path(sys.argv[1])
other = path.with_name("other.battle")
header = Header(*["x" * 30_000] * 7, {}, "7")
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
refused = 0
for room in range(0, 40_000, 1300):
    journal = Journal.open(path)
    kept = list(journal.rows())
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, hard))
    try:
        while True:
            kept += journal.append([("moved", {"room": room, "text": "x" * 3000})] * 2, Stamp("now", GM_NAME))
    except CannotSave:
        refused += 1
    assert journal.read_only
    assert list(journal.rows()) == kept
    journal.close()
    with Journal.open(path, read_only=True) as reader:
        assert list(reader.rows()) == kept
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        Journal.create(other, header)
    except CannotSave:
        refused += 1
    assert not other.exists()
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    with Journal.open(path) as journal:
        journal.append([("moved", {"room": "later"})], Stamp("now", GM_NAME))
        assert list(journal.rows())[:-1] == kept
print(refused)
"""
FREE_AGAIN = """
import os, resource, sys
from pathlib import Path
from engine.battle.seats import GM_NAME
from engine.journal.batches import Stamp
from engine.journal.store import CannotSave, Journal

path, stamp = Path(sys.argv[1]), Stamp("now", GM_NAME)
hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
with Journal.open(path) as journal:
    kept = list(journal.rows())
    for room in range(0, 20_000, 3900):
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + room, hard))
        said = []
        while len(said) < 2:  # it is tried again and again
            try:
                kept += journal.append([("moved", {"room": room, "text": "x" * 3000})] * 2, stamp)
            except CannotSave as error:
                said.append(str(error))
        assert journal.read_only and journal.may_try_again
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
        kept += journal.append([("moved", {"room": "later"})], stamp)
        assert not journal.read_only
        assert list(journal.rows()) == kept
with Journal.open(path) as journal:
    assert list(journal.rows()) == kept
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size, hard))
    while True:
        try:
            journal.append([("moved", {"text": "x" * 9000})], stamp)
        except CannotSave:
            break
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    path.unlink()
    try:
        journal.append([("moved", {})], stamp)
    except CannotSave as error:
        print(error)
"""
READ_ONLY = """
import os, sys, urllib.parse  # pathlib imports it late, when nobody may read where Python is
from pathlib import Path
from engine.journal.store import CannotSave, Header, Journal, NotABattle

if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)  # permissions do not bind the superuser
path = Path(sys.argv[1])
try:
    Journal.open(path)
except CannotSave as error:
    print(error)
with Journal.open(path, read_only=True) as journal:
    assert len(list(journal.rows())) == 1
try:
    Journal.create(path.with_name("other.battle"), journal.header)
except CannotSave as error:
    print(error)
try:
    Journal.open(path.parent / "open" / "locked.battle")
except CannotSave as error:
    print(error)
try:
    Journal.create(path.parent / "new" / "other.battle", journal.header)
except CannotSave as error:
    print(error)
try:
    Journal.open(path.with_name("secret.battle"), read_only=True)
except NotABattle as error:
    print(error)
"""


def run(script: str, path: Path) -> list[str]:
    """Run a script in a process of its own; the lines it printed."""
    done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@pytest.mark.long
def test_a_full_disk_refuses_the_command_and_keeps_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "fight.battle"
    with Journal.create(path, HEADER) as journal:
        journal.append([("moved", {})], NOW)
    assert run(FULL, path) == ["62"]
    with Journal.open(path) as journal:
        rooms = [row.body.get("room") for row in journal.rows()]
    assert rooms.count("later") == 31
    assert len(rooms) > 100
    assert list(tmp_path.iterdir()) == [path]


def test_a_disk_that_is_free_again_takes_the_next_command(tmp_path: Path) -> None:
    path = tmp_path / "fight.battle"
    with Journal.create(path, HEADER) as journal:
        journal.append([("moved", {})], NOW)
    (said,) = run(FREE_AGAIN, path)
    assert "it no longer exists" in said
    assert "it is saved to a new file when you quit" in said


def test_a_folder_that_may_not_be_written_opens_read_only() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ("fight.battle", "secret.battle"):
            with Journal.create(folder / file, HEADER) as journal:
                journal.append([("moved", {})], NOW)
        (folder / "open").mkdir()
        (folder / "open" / "locked.battle").write_bytes((folder / "fight.battle").read_bytes())
        (folder / "open" / "locked.battle").chmod(0o444)
        (folder / "open").chmod(0o777)
        (folder / "fight.battle").chmod(0o444)
        (folder / "secret.battle").chmod(0)
        folder.chmod(0o555)
        try:
            said = run(READ_ONLY, folder / "fight.battle")
        finally:
            folder.chmod(0o700)
        assert len(said) == 5
        assert "may only be read" in said[2]
        assert sorted(file.name for file in folder.iterdir()) == ["fight.battle", "open", "secret.battle"]
        assert [file.name for file in (folder / "open").iterdir()] == ["locked.battle"]
