"""Rows of earlier versions are read in today's form; the golden battles hold whole ones."""

from __future__ import annotations

from typing import Any

import pytest

from engine.battle.codec import to_json
from engine.battle.record.history import read_event
from engine.battle.record.upcasters import GEAR, TURN, UPCASTERS, upcast
from engine.battle.units import Gear, Turn
from tests.rules.table import fight


def flat_unit() -> dict[str, Any]:
    """A unit as format 1 wrote it at first."""
    unit: dict[str, Any] = to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a"))
    gear, turn = unit.pop("gear"), unit.pop("turn")
    return unit | gear | {was: turn[now] for was, now in TURN.items()}


def test_gear_and_turn_that_stood_among_a_units_own_fields() -> None:
    row = {"units": [flat_unit()], "seed": "1"}
    event = read_event("BattleBegan", row)
    assert to_json(event)["units"] == [to_json(fight("occult-ops", "a.b", a="gunman", b="gunman").unit("a"))]
    assert read_event("BattleBegan", to_json(event)) == event


def test_every_field_that_moved_is_there() -> None:
    assert {*GEAR} == {*Gear.__struct_fields__}
    assert {*TURN.values()} == {*Turn.__struct_fields__}


@pytest.mark.parametrize("kind", UPCASTERS)
@pytest.mark.parametrize("units", [None, 5, "x", [5], [{"turn_start": 5}], {}])
def test_what_does_not_fit_is_left_for_the_reader_to_refuse(kind: str, units: Any) -> None:
    upcast(kind, {"units": units})
    with pytest.raises(ValueError):
        read_event(kind, {"units": units, "seed": "1"})
