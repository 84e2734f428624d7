"""The verdict: outcome first, then the reason; what weighs more takes the reason's place."""

from __future__ import annotations

from engine.battle.command import Attack
from engine.battle.commands.unit_edits import SetPool
from engine.battle.views.verdict import verdict_of
from tests.rules.table import Table, fight


def said(table: Table) -> str:
    return verdict_of(table.events, table.battle, table.rules)


def shot(*dice: tuple[int, ...], hp: int = 14, others: str = "c") -> str:
    """What is said of a gunman's shot at a gunman."""
    drawn = f"a..b.{others}"
    table = fight("cwn", drawn, a="gunman", b="gunman", **dict.fromkeys(others, "gunman"))
    table.do(SetPool("b", "hp", hp))
    table.do(Attack("a", "b"), *dice)
    return said(table)


def test_a_hit_and_a_miss() -> None:
    assert shot((18,), (3,), (2,)) == "Hit: B takes 3. Rolled 18 + 6 = 24 vs 10."
    assert shot((2,)) == "A misses B. Rolled 2 + 6 = 8 vs 10."


def test_who_drops_stands_first_and_what_it_means_for_a_side_before_the_dice() -> None:
    assert shot((18,), (6,), (2,), hp=2, others="cd") == "B is down. Rolled 18 + 6 = 24 vs 10, 2 damage."
    assert shot((18,), (6,), (2,), hp=2) == "B is down. C is the last of the outlaws standing."


def test_a_fumble_says_what_it_brings_about() -> None:
    table = fight("occult-ops", "a...b", a="gunman", b="gunman")
    table.do(Attack("a", "b"), (97,), (17,))
    assert said(table) == "Fumble: A is prone. Rolled 97 vs 70."


def test_nothing_is_said_of_a_command_without_an_attack() -> None:
    table = fight("cwn", "a..b", a="gunman", b="gunman")
    assert said(table) == ""
