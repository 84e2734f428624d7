"""Keys of one's own: read from a file, refused clearly, shown everywhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from engine.errors import Unreadable
from tests.tui.play import NARROW, USUAL, app_for, play, said
from tui.__main__ import main
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.keymap import SCREENS, key_action_ids, parse_keymap, read_keymap, refused_words
from tui.application.reports.key_report import keys_markdown, keys_toml
from tui.application.settings.folders import keys_file
from tui.view.screens.battle_screen import BattleScreen

DOCUMENT = Path(__file__).parents[3] / "docs" / "keys.md"


@pytest.mark.parametrize("screen", SCREENS)
def test_no_shipped_key_has_two_meanings_on_one_screen(screen: str) -> None:
    held: dict[str, str] = {}
    for binding in SCREENS[screen]:
        for key in binding.key.split(","):
            name = binding.id or ""
            assert held.setdefault(key, name) == name, f"{key}: {held[key]} and {name}"


def test_keys_are_changed_by_name_in_either_form() -> None:
    text = '"battle.fire" = "F5"\n[board]\nleft = ["left", "Ctrl+A"]\nright = "q"\n'
    keymap, refused = parse_keymap(text, "keys.toml")
    assert refused is None, str(refused)
    assert keymap == {"battle.fire": ("f5",), "board.left": ("left", "ctrl+a"), "board.right": ("q",)}


def test_the_name_of_an_earlier_version_is_read() -> None:
    assert parse_keymap('"battle.shade" = "F5"\n', "keys.toml") == ({"battle.overlay": ("f5",)}, None)


def test_two_keys_can_change_places() -> None:
    keymap, refused = parse_keymap('"battle.fire" = "t"\n"battle.next_target" = "f"\n', "keys.toml")
    assert (keymap, refused) == ({"battle.fire": ("t",), "battle.next_target": ("f",)}, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '"battle.fire" = "t"\n',
            "keys.toml:1:17: 't' already belongs to battle.next_target (aim); battle.fire keeps f",
        ),
        ('"battle.fire" = "h"\n', "keys.toml:1:17: 'h' already belongs to board.left (left); battle.fire keeps f"),
        ('"battle.fier" = "F5"\n', "keys.toml:1:1: there is no key action 'battle.fier'; did you mean 'battle.fire'?"),
        ('"zzz" = "F5"\n', "keys.toml:1:1: there is no key action 'zzz'; “battleboard keys” lists the names"),
        ('"battle.fire" = "hop"\n', "keys.toml:1:17: 'hop' is not a key; expected one such as"),
        ('"battle.fire" = 5\n', 'keys.toml:1:17: 5 is not a key; expected one such as "f"'),
        ('"battle.fire" = []\n', "keys.toml:1:17: the list is empty"),
        ('"battle.fire" = "ctrl+q"\n', "keys.toml:1:17: 'ctrl+q' is reserved by the program"),
        ('"battle.fire" = "ctrl+m"\n', "keys.toml:1:17: terminals send 'ctrl+m' as Enter"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line_and_the_rest_holds(text: str, message: str) -> None:
    keymap, refused = parse_keymap(text + '"battle.move" = "F6"\n', "keys.toml")
    assert keymap == {"battle.move": ("f6",)}
    assert message in str(refused)


def test_of_two_entries_for_one_key_the_later_gives_way() -> None:
    keymap, refused = parse_keymap('"battle.fire" = "F5"\n"battle.move" = "F5"\n', "keys.toml")
    assert keymap == {"battle.fire": ("f5",)}
    assert "keys.toml:2:17: 'f5' already belongs to battle.fire (fire); battle.move keeps m" in str(refused)


def test_a_key_that_is_refused_takes_its_shipped_place_back() -> None:
    """t moves to a key that cannot be, so what wanted t cannot have it either."""
    keymap, refused = parse_keymap('"battle.next_target" = "m"\n"battle.fire" = "t"\n', "keys.toml")
    assert keymap == {}
    assert isinstance(refused, Unreadable) and len(refused.problems) == 2


def test_a_file_that_is_no_toml_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "keys.toml"
    path.write_text("battle.fire = f\n", encoding="utf-8")
    keymap, refused = read_keymap(path)
    assert keymap == {} and refused is not None
    assert "keys.toml:1:15: this is not TOML" in refused_words(refused)
    assert read_keymap(tmp_path / "none.toml") == ({}, None)


@pytest.mark.slow
def test_changed_keys_work_and_are_shown(tmp_path: Path) -> None:
    keymap = {"battle.fire": ("t",), "battle.next_target": ("f5", "plus"), "board.left": ("q",)}

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert "f5 aim  t fire" in str(screen.query_one("#keys", Static).content)
        before = screen.board.cursor
        await pilot.press("q")
        assert before is not None and screen.board.cursor == before._replace(column=before.column - 1)
        await pilot.press("h")
        assert screen.board.cursor == before._replace(column=before.column - 1)
        await pilot.press("f5", "t", "enter")
        assert screen.session.battle.units["todd"].turn.attacks == 1
        await pilot.press("question_mark")
        shown = str(pilot.app.screen.query_one(Static).content)
        assert "f5 + " in shown

    play(app_for(tmp_path, keymap=keymap), script, USUAL)


@pytest.mark.slow
def test_sentences_name_the_keys_that_hold(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("f")
        assert "Choose a target first: f5 aims at the next enemy, Enter at the one under the cursor." in said(screen)
        await pilot.press("right", "C")
        assert "Choose a target first: f5 aims at the next enemy, Enter at the one under the cursor." in said(screen)

    play(app_for(tmp_path, keymap={"battle.next_target": ("f5",)}), script, NARROW)
    app_for(tmp_path / "usual")
    assert with_keys("{battle.next_target} {terrain.mark} {board.choose}") == "t m Enter"


def test_the_list_says_every_key_and_what_was_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["keys"]) == 0
    printed = capsys.readouterr().out
    assert all(one.id in printed for one in key_action_ids().values())
    keys_file().parent.mkdir(parents=True, exist_ok=True)
    keys_file().write_text('"battle.fire" = "F5"\n"battle.move" = "t"\n', encoding="utf-8")
    assert main(["keys", "--json"]) == 1
    printed, complaint = capsys.readouterr()
    found = {one["id"]: one for one in json.loads(printed)}
    assert (found["battle.fire"]["keys"], found["battle.fire"]["shipped"]) == (["f5"], ["f"])
    assert found["battle.move"]["keys"] == ["m"]
    assert "keys.toml:2:17: 't' already belongs to battle.next_target" in complaint


def test_the_file_to_start_from_is_what_ships() -> None:
    text = "\n".join(keys_toml({})).replace('\n#"', '\n"')
    keymap, refused = parse_keymap(text, "keys.toml")
    assert refused is None
    assert keymap == {one.id: one.keys for one in key_action_ids().values() if one.keys}


def test_the_page_of_keys_is_what_the_bindings_say() -> None:
    """When this fails: `uv run battleboard keys --markdown > docs/keys.md`."""
    assert DOCUMENT.read_text(encoding="utf-8") == keys_markdown()
