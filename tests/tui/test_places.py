"""Letters where the board does not take them: each place keeps those that are not its own from doing anything."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

import pytest
from textual.pilot import Pilot

from tests.tui.play import app_for, play
from tui.application.keys.battle_keys import BATTLE_KEYS
from tui.application.keys.board_keys import BOARD_KEYS
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import PLACING, BattleScreen

PLACES = {
    "actions": ("t", "a"),
    "GM tools": ("plus",),
    "overlays": ("v",),
    "list of units": ("plus", "a"),
    "card as a list": ("t", "a", "slash"),
    "plan of a move": ("m",),
    "dice": ("t", "f"),
    "command line": ("colon",),
}
"""The keys that lead to each place."""


def own_letters(screen: BattleScreen) -> set[str]:
    """The letters that the place takes as keys."""
    shown = screen.app.screen
    if isinstance(shown, Card):
        return {*"".join(shown.keys).lower(), "j", "k"}
    if screen.presenter.is_move_planned:
        keys = (*(one for one in BATTLE_KEYS if one.action.partition("(")[0] in PLACING), *BOARD_KEYS)
        return {key for one in keys for key in one.key.split(",") if len(key) == 1}
    return set()


@pytest.mark.parametrize("place", PLACES)
def test_a_letter_that_is_not_a_places_own_changes_nothing(tmp_path: Path, place: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(*PLACES[place])
        await pilot.pause()
        before, cursor, shown = screen.session.battle, screen.cursor, pilot.app.screen
        was = screen.is_asking, screen.presenter.is_move_planned
        for letter in sorted({*ascii_lowercase} - own_letters(screen)):
            await pilot.press(letter)
            assert (screen.session.battle, screen.cursor) == (before, cursor), letter
            assert pilot.app.screen is shown, letter
            assert (screen.is_asking, screen.presenter.is_move_planned) == was, letter

    play(app_for(tmp_path), script, (120, 40))
