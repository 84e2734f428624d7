"""Keys: none does two things on one screen, and each has a name that the help can say."""

from __future__ import annotations

from collections import Counter

import pytest
from textual.binding import Binding

from tui.board.keys import BOARD_KEYS
from tui.screens.keys import BATTLE_KEYS, TERRAIN_KEYS


@pytest.mark.parametrize("keys", [BATTLE_KEYS, TERRAIN_KEYS], ids=["battle", "ground"])
def test_no_key_does_two_things_on_one_screen(keys: list[Binding]) -> None:
    counted = Counter(key for binding in (*keys, *BOARD_KEYS) for key in binding.key.split(","))
    assert [key for key, times in counted.items() if times > 1] == []
    ids = [binding.id for binding in (*keys, *BOARD_KEYS)]
    assert None not in ids and len(set(ids)) == len({binding.action for binding in (*keys, *BOARD_KEYS)})
