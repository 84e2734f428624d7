"""No sentence names a key that can be another: it takes the key from the keys as they are."""

from __future__ import annotations

import ast
import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.battle.commands.order_commands import SetTurn
from tests.tui.play import USUAL, app_for, play, said, session_for
from tui.application.keys.battle_keys import BATTLE_KEYS, key_name, use_keys
from tui.application.keys.board_keys import BOARD_KEYS
from tui.application.keys.keymap import key_action_ids
from tui.view.app.board_app import BoardApp
from tui.view.modals.text_modal import TextModal
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.follow_file import FollowedFile

ROOT = Path(__file__).parents[2]
DOES = (
    "aims|again|ask|asks|attacks|begins|changes|chooses|clears|closes|does|dissolves|draws|ends|fires|folds|gives|goes|"
    "hide|hides|lands|lay|laid|leaves|names|on one|for the next|opens|picks|puts|rolls|searches|shows|stops|takes|"
    "has chosen"
)
NAMED_KEY = re.compile(
    rf"(?<![\w{{.“'’-])(?:[a-zA-Z?/:+=_]|Esc|Enter|Tab|Space|Backspace) (?:{DOES})\b|\bEsc\b"
    r"|\b(?i:arrows?|hjkl|yubn)\b(?! and Enter)| [a-zA-Z?] zoom\b"
)
OWN_KEYS = {
    "prompt.py", "menu.py", "logbook.py", "order_menu.py", "what_if.py", "dice_prompts.py",
}  # fmt: skip
"""Modules of questions and lists: their keys are their own and cannot be changed (and the page of keys)."""
FOLDERS = (
    *(f"tui/application/{room}" for room in ("overlays", "commands", "describe", "library", "characters")),
    *(f"tui/view/{room}" for room in ("screens", "board", "panels", "library", "characters")),
    "engine",
)
FIXED = (
    "Enter rolls",
    "Backspace one die back  Esc cancels",
    "a / rolls",
    "// rolls",
    "Press Enter to let the program roll",
    "Ctrl+L redraws",
)
"""Keys of questions and of the program."""


def sentences(file: Path) -> Iterator[str]:
    """The texts of a module but for its docstrings."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    docs = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in docs:
            yield node.value


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_no_text_of_the_program_names_a_key_that_can_be_another(folder: str) -> None:
    found = []
    for file in sorted((ROOT / folder).rglob("*.py")):
        if file.name in OWN_KEYS:
            continue
        for text in sentences(file):
            for fixed in FIXED:
                text = text.replace(fixed, "")
            if " " in text and (match := NAMED_KEY.search(text)):
                found.append(f"{file.relative_to(ROOT)}: {match[0]!r} in {text!r}")
    assert found == []


MOVED = {name: (f"moved{number}",) for number, name in enumerate(key_action_ids())}
"""Every key is another."""


def old_keys() -> set[str]:
    keys = {key_name(key.strip()) for one in (*BATTLE_KEYS, *BOARD_KEYS) for key in one.key.split(",")}
    return {key for key in keys if not key.isdecimal()} - {"a", "/", "Enter"}


@pytest.mark.long
def test_help_and_the_screen_name_the_keys_as_they_are(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        use_keys(MOVED)  # here is another task than the app's
        told = []
        for action in ("interrupt", "fire", "cover", "put", "move", "say", "panel", "compare", "stand", "what_if"):
            await screen.run_action(action)
            await pilot.pause()
            told.append(said(screen))
            while pilot.app.screen is not screen:
                pilot.app.pop_screen()
                await pilot.pause()
        screen.presenter.look_at(screen.presenter.focus.on_unit("bandit"))
        screen.session.submit(SetTurn("bandit"))
        await screen.run_action("move")
        told.append(said(screen))
        assert not [text for text in told if NAMED_KEY.search(text)]
        await screen.run_action("panel('shot')")
        await pilot.pause()
        told = [str(panel.border_title) for panel in screen.query("#shot, #unit, #order, #log, #map")]
        hint, _, _ = str(screen.query_one("#shot").render()).partition("\n\n")  # below it are units with their letters
        told += [str(screen.query_one("#keys", Static).content), hint]
        await screen.run_action("help")
        await pilot.pause()
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal)
        before_menus, _, _ = str(sheet.query_one(Static).content).partition("Actions in ")  # whose letters are fixed
        told += before_menus.splitlines()
        for text in told:
            named = {word.strip(".,;:“”()") or word for word in text.split()}
            assert not named & old_keys(), text
        assert "moved" in " ".join(told)

    play(app_for(tmp_path, keymap=MOVED), script, USUAL)


@pytest.mark.slow
def test_a_side_at_its_screen_reads_the_keys_as_they_are(tmp_path: Path) -> None:
    session = session_for(tmp_path, "warehouse")
    session.close()
    app = BoardApp(None, watch=FollowedFile(session.journal.path, "crew"), keymap=MOVED)

    async def run() -> None:
        async with app.run_test(size=USUAL) as pilot:
            await pilot.pause()
            row = str(app.screen.query_one("#keys", Static).content)
            assert row.count("moved") == 8 and "move" in row and "zoom" in row
            assert not set(row.split()) & {"arrows", "z", "Q", "O", "?", "←", "→"}

    asyncio.run(run())


def test_the_page_of_rulesets_names_the_key_that_changes_a_condition() -> None:
    page = (ROOT / "docs" / "rulesets.md").read_text(encoding="utf-8")
    key = next(one.key for one in BATTLE_KEYS if one.id == "battle.damage")
    assert f"apply or remove it by hand with `{key}`" in page
