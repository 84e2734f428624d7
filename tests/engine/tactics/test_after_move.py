"""Looking ahead: a unit where a way would leave it, without what others and the dice might do about it."""

from __future__ import annotations

import pytest

from engine.tactics.after_move import walked
from tests.rules.table import fight


@pytest.mark.parametrize("rules", ["aog", "cwn", "eva", "occult-ops"])
def test_it_is_as_after_the_move(rules: str) -> None:
    here = fight(rules, "a.......b", ".........", a="gunman", b="gunman")
    there = walked(here.battle, here.rules, "a", here.way("a", "C2"))
    here.walk("a", "C2")
    assert there.encode() == here.battle.encode()


def test_nobody_reacts_and_the_way_is_gone_to_its_end() -> None:
    here = fight("occult-ops", "...", "ab.", "...", a="gunman", b="brawler")
    way = here.way("a", "A1", "C1")
    there = walked(here.battle, here.rules, "a", way)
    assert there.unit("a").at == way[-1] and not there.openings


def test_who_may_not_go_just_stands_there() -> None:
    here = fight("occult-ops", "a........................b", a="gunman", b="gunman")
    way = here.way("b", "C1")
    there = walked(here.battle, here.rules, "b", way)
    assert there.unit("b").at == way[-1]
    assert there.unit("b").turn.moved == 0
