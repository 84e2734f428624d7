"""Other actions: who may take them."""

from __future__ import annotations

import pytest

from engine.battle.command import Act
from engine.battle.commands.other_actions import refusal
from tests.rules.table import fight


@pytest.mark.parametrize("name", ["occult-ops", "cwn", "aog", "eva"])
def test_nobody_kneels_or_lies_down_in_the_air(name: str) -> None:
    for altitude, told in ((4.0, "it is in the air"), (0.0, "")):
        table = fight(name, "a..b", a="drone", b="gunman", altitudes={"a": altitude})
        for action in ("kneel", "go-prone"):
            why = refusal(table.battle, table.rules, table.unit("a"), table.rules.actions[action])
            assert why == told or (not told and why != "it is in the air")
            if told:
                assert table.refusal(Act("a", action)).endswith(": it is in the air.")
