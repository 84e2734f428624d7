"""What a terminal answers does nothing on any screen: no command, no text, no change of what is shown."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from tests.endtoend.terminal import Terminal
from tests.tui.terminal.replies import REPLIES
from tui.application.library.battle_files import battles, open_battle

PLACES = {
    "board": ("play warehouse --ruleset aog --seed 7", "", "4 Log"),
    "prompt": ("play warehouse --ruleset aog --seed 7", ":", "4 Log"),
    "menu": ("play warehouse --ruleset aog --seed 7", "+", "4 Log"),
    "help": ("play warehouse --ruleset aog --seed 7", "?", "4 Log"),
    "library": ("play warehouse --ruleset aog --seed 7", "\x0f", "4 Log"),
    "form": ("characters edit Ann --ruleset aog", "", "Ann"),
}


def parts(reply: str) -> list[str]:
    """A reply whole, doubled, a character at a time, and with a pause in it, "", that ends it."""
    middle = max(2, len(reply) // 2)
    return [reply, "", reply * 2, *([reply] if len(reply) > 300 else reply), reply[:middle], "", reply[middle:]]


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_a_reply_does_nothing(tmp_path: Path, place: str) -> None:
    line, opening, sign = PLACES[place]
    environment = {"BATTLEBOARD_DATA": str(tmp_path), "HOME": str(tmp_path)}
    terminal = Terminal(line.split(), environment, 120, 40)
    terminal.wait_for(sign)
    closed = terminal.text
    terminal.send(opening)
    while opening and terminal.text == closed:
        terminal.read(0.5)
    terminal.read(0.5)
    before, saved = terminal.text, rows(tmp_path)
    for name, reply in REPLIES.items():
        for part in parts(reply):
            terminal.send(part)
            if not part:
                terminal.read(0.25)
        terminal.read(0.06)
        assert terminal.text == before, name
    assert rows(tmp_path) == saved
    terminal.kill()


def rows(folder: Path) -> list[int]:
    """Rows in each battle's file."""
    found = []
    for path in battles(folder):
        with closing(open_battle(path, read_only=True)) as session:
            found.append(len(list(session.journal.rows())))
    return found
