"""Folders that go away with the program."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tui.application.library import temporary_folders


def test_without_locks_nothing_is_taken_away_and_a_folder_is_made_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where there are neither locks of that kind nor numbers of users."""
    monkeypatch.setattr(temporary_folders, "fcntl", None)
    monkeypatch.delattr(os, "getuid")
    other = tmp_path / "battleboard-demo-1"
    other.mkdir()
    made = temporary_folders.temporary_folder("battleboard-demo-", str(tmp_path))
    assert made.is_dir()
    assert other.is_dir()
