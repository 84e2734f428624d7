"""Keys: none does two things on one screen, and each has a name that the help can say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from rulesets import load_ruleset, shipped_rulesets
from tui.application.keys.battle_keys import BATTLE_KEYS, KEY_NAMES, SECTIONS, TERRAIN_KEYS
from tui.application.keys.board_keys import BOARD_KEYS
from tui.application.keys.key import Key
from tui.application.presenter.key_actions import ACTIONS
from tui.view.modals.help_screen import _first_page, help_text
from tui.view.modals.text_modal import room
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.text_modals import menus_in_help


@pytest.mark.parametrize("keys", [BATTLE_KEYS, TERRAIN_KEYS], ids=["battle", "ground"])
def test_no_key_does_two_things_on_one_screen(keys: list[Key]) -> None:
    counted = Counter(key for binding in (*keys, *BOARD_KEYS) for key in binding.key.split(","))
    assert [key for key, times in counted.items() if times > 1] == []
    ids = [binding.id for binding in (*keys, *BOARD_KEYS)]
    assert all(ids) and len(set(ids)) == len({binding.action for binding in (*keys, *BOARD_KEYS)})


def test_every_key_of_the_battle_stands_in_one_section_of_the_help() -> None:
    names = [f"battle.{name}" for names in SECTIONS.values() for name in names]
    assert sorted(names) == sorted({*names}) == sorted(binding.id for binding in BATTLE_KEYS)
    assert [*SECTIONS][:3] == ["Turn", "GM tools", "Looking"]


def test_the_first_page_of_the_help_has_ten_lines_that_fit_80_columns() -> None:
    first = [str(row) for row in _first_page()]
    assert len(first) == 10 and all(len(row) <= room(80) for row in first)
    assert not [row for row in first if "{" in row]


def test_the_page_on_gm_tools_names_keys_that_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "gm.md").read_text(encoding="utf-8")
    battle, ground = page.split("## Terrain editor")
    before, order = battle.split("## The turn order")
    battle = before + order.partition("\n## ")[2]  # the order's list has keys of its own, and so has the menu of tools
    start, _, tools = battle.partition("<!-- table: tools")
    battle = start + tools.partition("<!-- end of table -->")[2]
    for text, bindings in ((battle, BATTLE_KEYS), (ground.split("## Groups")[0], TERRAIN_KEYS)):
        known = {KEY_NAMES.get(key, key) for binding in (*bindings, *BOARD_KEYS) for key in binding.key.split(",")}
        first = [
            row.split("|")[1].strip()
            for row in text.splitlines()
            if row.startswith(("| `", "| Enter", "| Space", "| Esc"))
        ]
        named = {key.strip("`") for cell in first for key in cell.split()}
        assert named and named <= known, named - known


def test_the_keys_of_the_help_have_the_words_replay_and_sees() -> None:
    tooltips = " ".join(binding.tooltip for binding in BATTLE_KEYS)
    assert "replay" in tooltips and "sees" in tooltips


def test_every_key_of_the_battle_has_its_action() -> None:
    for key in BATTLE_KEYS:
        name = key.action.partition("(")[0]
        assert hasattr(BattleScreen, f"action_{name}"), name
    assert all(hasattr(BattleScreen, f"action_{name}") for name in ACTIONS)


def test_the_help_finds_the_words_of_actions_and_gm_tools() -> None:
    menus = menus_in_help(load_ruleset(shipped_rulesets()["occult-ops"]))
    rows = help_text((), (), 72, menus=menus).plain.casefold().splitlines()
    for word, keys in {"grenade": "a g", "overwatch": "a o", "reload": "a r", "correct": "+ o"}.items():
        assert any(word in row and row.startswith(keys) for row in rows), word
