"""Weapons of units of several squares: they fly off from their edge, and are picked up on any of their squares."""

from __future__ import annotations

import pytest

from engine.battle.cause import Cause
from engine.battle.command import Act
from engine.battle.effects.weapon_effects import FlightChange
from engine.battle.event_builder import EventBuilder
from engine.battle.events import WeaponDropped, WeaponTaken
from engine.battle.state.battle import Dropped
from engine.geometry.squares import parse_square
from engine.values import replace
from tests.rules.table import Table, fight


def large() -> Table:
    """B stands on C2, D2, C3 and D3."""
    table = fight("eva", "......", "..b...", "......", "......", "a.....", a="gunman", b="gunman")
    table.battle = table.battle.with_unit(replace(table.unit("b"), size=2))
    return table


@pytest.mark.parametrize(("direction", "lands"), [(1, "C1"), (2, "E1"), (3, "E2"), (4, "E4"), (5, "C4"), (7, "B2")])
def test_a_weapon_flies_from_the_edge_of_a_large_unit(direction: int, lands: str) -> None:
    table = large()
    effect = next(one for one in table.rules.attack.effects if one.id == "out-of-hand")
    draft = EventBuilder(table.battle, table.rules)
    change = FlightChange(effect, amount=1, direction=direction)
    effect.events(change, "b", draft, Cause({"attacker": "a", "target": "b"}, ""))
    (dropped,) = (event for event in draft.events if isinstance(event, WeaponDropped))
    assert dropped.at == parse_square(lands)


@pytest.mark.parametrize("lies", ["C2", "D2", "C3", "D3", "E3"])
def test_a_large_unit_picks_up_what_lies_on_any_of_its_squares(lies: str) -> None:
    table = large()
    other = Dropped("pistol", parse_square("A1"), 3)
    scene = replace(table.battle.scene, dropped=(Dropped("machine-gun", parse_square(lies), 7), other))
    table.battle = replace(table.battle, scene=scene)
    act = Act("b", "pick-up", is_free=True)
    if lies == "E3":
        assert "no weapon lies" in table.refusal(act)
        return
    table.do(act)
    assert [event.weapon for event in table.events if isinstance(event, WeaponTaken)] == ["machine-gun"]
    assert table.battle.scene.dropped == (other,)
    assert table.unit("b").gear.rounds["machine-gun"] == 7
