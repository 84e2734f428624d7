"""The README's picture: always in true colour, and always the same."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.endtoend.terminal import ROOT
from tui.view.board.themes import LAMPLIGHT

TERMINALS = {
    "sixteen colours": {"TERM": "xterm"},
    "no colour": {"TERM": "dumb", "NO_COLOR": "1", "TEXTUAL_COLOR_SYSTEM": "standard", "COLUMNS": "70"},
}


def taken(path: Path, environment: dict[str, str], *arguments: str) -> str:
    """The picture that the script writes when it is run in an environment."""
    clean = {name: value for name, value in os.environ.items() if name not in ("TERM", "COLORTERM", "NO_COLOR")}
    script = [sys.executable, str(ROOT / "scripts" / "take_picture.py"), str(path), *arguments]
    subprocess.run(script, cwd=ROOT, env={**clean, "PYTHONPATH": str(ROOT), **environment}, check=True)
    return path.read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_picture_is_the_same_in_true_colour_whatever_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "data" / "maps"
    folder.mkdir(parents=True)
    (folder / "frontier-trail.toml").write_text("the user's own", encoding="utf-8")
    monkeypatch.setenv("BATTLEBOARD_DATA", str(folder.parent))
    pictures = {name: taken(tmp_path / "picture.svg", terminal) for name, terminal in TERMINALS.items()}
    assert len(set(pictures.values())) == 1, "byte for byte"
    committed = (ROOT / "docs" / "board.svg").read_text(encoding="utf-8")
    assert pictures["no colour"] == committed, "run scripts/take_picture.py, and look at the picture"
    assert "HIT" in committed and "−11" in committed, "a hit, and the loss beside the target"
    colours = set(re.findall(r"#[0-9a-f]{6}", pictures["sixteen colours"]))
    assert {LAMPLIGHT.variables[name] for name in ("side-0", "side-1", "ink", "panel-title", "panel-line")} <= colours
    assert len(colours) > 40, "the ground's mixed colours"


@pytest.mark.slow
def test_the_recording_is_the_one_that_is_committed_and_lasts_twenty_seconds(tmp_path: Path) -> None:
    recording = taken(tmp_path / "board.cast", {"TERM": "xterm"})
    assert recording == (ROOT / "docs" / "board.cast").read_text(encoding="utf-8"), "run scripts/take_picture.py"
    head, *events = map(json.loads, recording.splitlines())
    assert (head["width"], head["height"]) == (120, 40) and events[-1][0] == 20
    assert any("HIT" in text for _, _, text in events)


def test_the_script_has_a_help_and_writes_no_file_for_an_option(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "take_picture.py"), "--help"]
    said = subprocess.run(script, cwd=tmp_path, env={**os.environ}, check=True, capture_output=True, text=True)
    assert "keys to press" in said.stdout and not [*tmp_path.iterdir()]


@pytest.mark.slow
def test_other_keys_and_sizes_show_other_screens(tmp_path: Path) -> None:
    picture = taken(tmp_path / "picture.svg", {"TERM": "xterm"}, "question_mark", "80x24")
    assert "Help" in picture
    assert "-line-22" in picture and "-line-30" not in picture, "24 rows"


@pytest.mark.slow
def test_contact_sheets_have_a_page_for_each_look(tmp_path: Path) -> None:
    script = [sys.executable, str(ROOT / "scripts" / "contact_sheets.py"), str(tmp_path), "80x24-08-blast"]
    subprocess.run(script, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, check=True)
    pages = sorted(path.stem.removesuffix("-80x24") for path in tmp_path.glob("*.html"))
    assert pages == ["16-colours", "256-colours", "ascii", "contrast", "daylight", "lamplight", "no-colour"]
    pictures = [path.read_text(encoding="utf-8") for path in tmp_path.glob("*-08-blast.svg")]
    assert len(set(pictures)) == len(pages) and all("ASTRAY" in picture for picture in pictures)
