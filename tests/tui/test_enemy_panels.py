"""What the Shot panel says above the enemies while nothing is aimed at."""

from __future__ import annotations

import pytest

from engine.battle.command import Attack
from tests.rules.table import fight
from tui.view.panels.attack_panel import NO_TARGET
from tui.view.screens.enemy_panels import idle_words


@pytest.mark.parametrize("ruleset", ["occult-ops", "aog", "volt", "eva"])
def test_the_list_of_enemies_says_once_that_no_attack_is_left(ruleset: str) -> None:
    table = fight(ruleset, "a..b", a="gunman", b="gunman")
    assert idle_words(table.battle, table.rules, Attack("a", "")) == NO_TARGET
    table.do(Attack("a", "b"))
    weapon = table.rules.gear.weapons[table.unit("a").gear.weapon].label
    assert idle_words(table.battle, table.rules, Attack("a", "")).startswith(f"No attack with {weapon} left this turn")
