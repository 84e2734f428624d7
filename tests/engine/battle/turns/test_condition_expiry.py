"""Conditions that last until their bearer's next action."""

from __future__ import annotations

import pytest

from engine.battle.command import Act, Attack, EndTurn
from engine.battle.commands.unit_actions import Face
from engine.battle.events import ConditionEnded
from engine.errors import Unreadable
from engine.geometry.squares import Direction
from rulesets import parse_ruleset
from tests.rules.table import Table, defends, fight, with_more
from tests.rulesets.texts import texts


def aimed() -> Table:
    table = fight("eva", "a.....b", a="rifleman", b="rifleman")
    table.do(Act("a", "aim"))
    return table


def test_it_holds_through_turns_and_what_is_no_action() -> None:
    table = aimed()
    table.do(Face("a", Direction.S))
    table.do(EndTurn())
    table.do(Attack("b", "a"), (90,))
    table.do(EndTurn())
    assert table.unit("a").conditions == ("aiming",)


def test_the_action_that_ends_it_sees_it_still() -> None:
    table = aimed()
    table.do(Attack("a", "b"), (90,))
    assert any(line.id == "aim" for line in table.attacked().entries)
    assert [event.condition for event in table.happened(ConditionEnded)] == ["aiming"]
    assert table.unit("a").conditions == ()


def test_the_action_that_begins_it_renews_it() -> None:
    table = aimed()
    table.turn_of("a")
    table.do(Act("a", "aim"))
    assert table.unit("a").conditions == ("aiming",)
    assert not table.happened(ConditionEnded)


def test_what_is_held_ends_with_what_it_holds_however_that_is_spent() -> None:
    """The GM's own word stands where there is nothing to spend."""
    table = fight("cwn", "a..b", a="gunman", b="gunman")
    table.do(Act("a", "hold"))
    table.do(EndTurn())
    assert table.unit("a").conditions == ("holding",)
    table.do(Attack("b", "a", is_free=True), defends("a", "total-defence"), (4,))
    assert table.unit("a").conditions == ("defending", "shockproof")
    table.condition("a", "holding")
    assert table.unit("a").conditions == ("defending", "holding", "shockproof")


def test_only_moves_say_how_many_altitude_bands_they_change() -> None:
    with pytest.raises(Unreadable, match="altitude_bands is only for actions of the kind 'move'"):
        parse_ruleset(texts("ammo = 1\n", "ammo = 1\naltitude_bands = 1\n"), "small")


def test_only_what_is_about_a_unit_ends_with_distance() -> None:
    more = '[condition.dizzy]\nlabel = "dizzy"\nuntil = "battle end"\nwhile_adjacent = true\nsource = "Here"\n'
    with pytest.raises(Unreadable, match='while_adjacent needs about = "unit"'):
        with_more("occult-ops", more)


def test_a_condition_ends_with_one_that_the_ruleset_has() -> None:
    more = '[condition.dizzy]\nlabel = "dizzy"\nuntil = "battle end"\nends_with = "dizzy"\nsource = "Here"\n'
    with pytest.raises(Unreadable, match="ends_with needs another condition of this ruleset"):
        with_more("occult-ops", more)


def test_what_is_internal_has_no_mark_on_the_board() -> None:
    more = '[condition.dizzy]\nlabel = "dizzy"\nmark = "z"\ninternal = true\nuntil = "battle end"\nsource = "Here"\n'
    with pytest.raises(Unreadable, match="an internal condition is not drawn"):
        with_more("occult-ops", more)
