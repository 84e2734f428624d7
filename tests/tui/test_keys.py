"""Keys: none does two things on one screen, and each has a name that the help can say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from textual.binding import Binding

from tui.board.board_keys import BOARD_KEYS
from tui.keys.battle_keys import BATTLE_KEYS, KEY_NAMES, TERRAIN_KEYS


@pytest.mark.parametrize("keys", [BATTLE_KEYS, TERRAIN_KEYS], ids=["battle", "ground"])
def test_no_key_does_two_things_on_one_screen(keys: list[Binding]) -> None:
    counted = Counter(key for binding in (*keys, *BOARD_KEYS) for key in binding.key.split(","))
    assert [key for key, times in counted.items() if times > 1] == []
    ids = [binding.id for binding in (*keys, *BOARD_KEYS)]
    assert None not in ids and len(set(ids)) == len({binding.action for binding in (*keys, *BOARD_KEYS)})


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
