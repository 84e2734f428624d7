"""The program as a user starts it, in a real pseudo-terminal."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.endtoend.terminal import Terminal


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_demo_shows_a_fight_and_leaves_the_terminal_as_it_was(tmp_path: Path, size: tuple[int, int]) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)}, *size)
    terminal.wait_for("Todd")
    terminal.send("t")
    terminal.wait_for("HIT 59 %")
    terminal.send("f45\r10\r")
    terminal.wait_for("50 → 45")
    terminal.send("U")
    terminal.wait_for("Undone")
    terminal.send("Q")
    assert terminal.wait() == 0
    assert not [*tmp_path.iterdir()], "the demo keeps nothing"


@pytest.mark.slow
def test_a_battle_is_where_it_was_when_opened_again(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path)}
    terminal = Terminal(["play", "frontier-trail", "--seed", "demo-17"], environment)
    terminal.wait_for("Todd")
    terminal.send("t")
    terminal.wait_for("HIT 59 %")
    terminal.send("f45\r10\r")
    terminal.wait_for("50 → 45")
    terminal.kill()
    again = Terminal([], environment)
    again.wait_for("rolled 45")
    again.send("t")
    again.wait_for("45/50")
    again.send("Q")
    assert again.wait() == 0


@pytest.mark.slow
def test_two_programs_on_one_battle_are_kept_apart(tmp_path: Path) -> None:
    environment = {"BATTLEBOARD_DATA": str(tmp_path)}
    first = Terminal(["play", "frontier-trail"], environment)
    first.wait_for("4 Log")
    second = Terminal([], environment)
    second.wait_for("is open elsewhere")
    assert second.wait() == 1
    watching = Terminal(["--read-only"], environment)
    watching.wait_for("read-only")
    watching.send("e")
    watching.wait_for("nothing can be changed")
    watching.send("Q")
    assert watching.wait() == 0
    first.send("Q")
    assert first.wait() == 0


@pytest.mark.long
def test_a_terminal_that_is_too_small_is_refused_with_a_sentence(tmp_path: Path) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)}, 50, 12)
    terminal.wait_for("needs at least 60 columns")
    assert terminal.wait() == 1


def test_a_dumb_terminal_is_refused_with_a_sentence(tmp_path: Path) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path), "TERM": "dumb"})
    terminal.wait_for("place a cursor")
    assert terminal.wait() == 1


@pytest.mark.slow
def test_a_stray_byte_on_the_keyboard_does_nothing(tmp_path: Path) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)})
    terminal.wait_for("4 Log")
    os.write(terminal.master, b"\xff\xe4")
    terminal.send("t")
    terminal.wait_for("HIT 59 %")
    terminal.send("Q")
    assert terminal.wait() == 0


@pytest.mark.slow
def test_ascii_means_ascii_to_the_last_sign(tmp_path: Path) -> None:
    terminal = Terminal(["play", "rooftops", "--ruleset", "cwn", "--ascii"], {"BATTLEBOARD_DATA": str(tmp_path)})
    terminal.wait_for("4 Log")
    terminal.send("tvz?")
    terminal.read(0.4)
    assert terminal.text.isascii(), sorted({sign for sign in terminal.text if not sign.isascii()})
    terminal.kill()


@pytest.mark.slow
def test_the_mouse_draws_in_the_terrain_editor(tmp_path: Path) -> None:
    terminal = Terminal(["demo"], {"BATTLEBOARD_DATA": str(tmp_path)}, 80, 24)
    terminal.wait_for("Todd")
    terminal.send("M")
    terminal.wait_for("Palette")
    for press, move in ((0, 32), (2, 34)):  # codes of the left button and the right one, pressed and moved
        terminal.send(f"\x1b[<{press};20;5M\x1b[<{move};24;5M\x1b[<{move};24;6M\x1b[<{press};24;6m")
        terminal.wait_for("K3, L4, M4: wall" if press == 0 else "U undo (2)")
    terminal.send("UU")
    terminal.wait_for("Undone")
    terminal.wait_for("the map is sound")
    assert "undo (" not in terminal.text
    terminal.send("MQ")
    assert terminal.wait() == 0
