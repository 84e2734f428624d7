"""What any map says is sound."""

from __future__ import annotations

import pytest
from hypothesis import given

from engine.geometry.battlefield import Battlefield
from maps import load_map, shipped_maps
from maps.field_check import fault
from tests.examples import examples
from tests.maps.test_writing import battlefields


@pytest.mark.parametrize("name", shipped_maps())
def test_shipped_maps_are_sound(name: str) -> None:
    assert fault(load_map(shipped_maps()[name]).battlefield) == ""


@pytest.mark.long
@examples(100)
@given(battlefields())
def test_whatever_a_map_may_say_is_sound(field: Battlefield) -> None:
    assert fault(field) == ""
