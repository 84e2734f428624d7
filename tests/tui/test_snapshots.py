"""Whole screens as pictures. Look at each before updating it: CONTRIBUTING says how."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.examples import sample
from tests.tui.play import NARROW, USUAL, app_for, settled

SCREENS = {
    "start": ("frontier-trail", "occult-ops", ()),
    "shot": ("frontier-trail", "occult-ops", ("t",)),
    "rolled": ("frontier-trail", "occult-ops", ("t", "f", "4", "5", "enter", "1", "0", "enter")),
    "asking": ("frontier-trail", "occult-ops", ("t", "f")),
    "ranges": ("frontier-trail", "cwn", ("t", "v", "1")),
    "reach": ("warehouse", "cwn", ("m", "left", "down", "left", "down")),
    "blocked": ("warehouse", "occult-ops", ("t", "t", "t")),
    "rooftops": ("rooftops", "cwn", ("t", "z")),
    "gm": ("frontier-trail", "occult-ops", ("t", "g", "5", "space", "o", "f", "f", "enter")),
    "actions": ("frontier-trail", "occult-ops", ("t", "a")),
    "receipt": ("frontier-trail", "occult-ops", ("t", "r")),
    "help": ("frontier-trail", "occult-ops", ("question_mark",)),
    "log": ("frontier-trail", "occult-ops", ("t", "4", "f", "enter")),
    "table": ("frontier-trail", "occult-ops", ("plus",)),
    "policies": ("frontier-trail", "eva", ("A",)),
    "covers": ("warehouse", "occult-ops", ("t", "t", "t", "slash")),
    "order": ("frontier-trail", "occult-ops", ("Y", "j", "space", "j", "space")),
    "end": ("frontier-trail", "occult-ops", ("t", "f", "2", "0", "enter", "1", "2", "enter", "plus", "F")),
    "ground": ("frontier-trail", "occult-ops", ("M", "l", "l", "m", "j", "j", "l", "l", "O", "up", "m", "up")),
}
"""Name, map, ruleset, keys."""


@pytest.mark.long
@pytest.mark.parametrize(
    "size", [pytest.param(NARROW, id="80x24"), pytest.param(USUAL, marks=pytest.mark.slow, id="120x40")]
)
@pytest.mark.parametrize("name", sample(SCREENS, 4))
def test_screen(snap_compare: Any, tmp_path: Path, name: str, size: tuple[int, int]) -> None:
    map_id, ruleset, keys = SCREENS[name]

    async def press(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press(*keys)
        await settled(pilot)

    assert snap_compare(app_for(tmp_path, map_id, ruleset), run_before=press, terminal_size=size)


@pytest.mark.slow
@pytest.mark.parametrize("look", ["ascii", "no-color"])
def test_plain_looks(snap_compare: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, look: str) -> None:
    if look == "no-color":
        monkeypatch.setenv("NO_COLOR", "1")

    async def press(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press("t", "v", "1")
        await settled(pilot)

    app = app_for(tmp_path, "warehouse", "cwn", ascii_only=look == "ascii")
    assert snap_compare(app, run_before=press, terminal_size=USUAL)
