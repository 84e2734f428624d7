"""What the user has of their own is for nobody else's eyes, whatever the process's mask says."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tui.application.exports.restore import write_new
from tui.application.library.file_moves import _move
from tui.application.library.text_files import replace_file
from tui.application.settings.settings import USUAL, write_settings
from tui.application.terminal.bug_report import write_down


@pytest.fixture
def open_mask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_files_and_folders_are_private(tmp_path: Path, open_mask: None, monkeypatch: pytest.MonkeyPatch) -> None:
    own = tmp_path / "own"
    write_settings(own / "settings" / "settings.toml", USUAL)
    (own / "settings" / "settings.toml").chmod(0o644)  # as earlier versions left it
    write_settings(own / "settings" / "settings.toml", USUAL)
    for name in ("characters", "encounters", "maps"):
        replace_file(own / name / "one.toml", "x = 1\n")
        replace_file(own / name / "one.toml", "x = 2\n")
    write_new(own / "exports" / "deep" / "fight.svg", "<svg/>")
    _move(own / "maps" / "one.toml", own / "trash" / "one.toml")
    monkeypatch.setattr("tempfile.tempdir", str(own))
    said = write_down(ValueError("half a pair: \ud800"))
    assert "The bug report is in" in said
    found = list(own.rglob("*"))
    assert len(found) > 10
    for path in (own, *found):
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode == (0o700 if path.is_dir() else 0o600), path
