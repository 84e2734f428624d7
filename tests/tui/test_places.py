"""Letters where the board does not take them: each place keeps those that are not its own from doing anything."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

import pytest
from textual.pilot import Pilot

from tests.tui.play import app_for, play, said, typed
from tui.application.keys.battle_keys import BATTLE_KEYS
from tui.application.keys.board_keys import BOARD_KEYS
from tui.view.modals.card import Card
from tui.view.screens.battle_screen import OWN_KEYS, PLACING, BattleScreen

THROWER = (*typed(":give todd frag-grenade"), "enter", *typed(":ready todd frag-grenade free"), "enter")
GUNNER = (*typed(":give todd preacher"), "enter", *typed(":ready todd preacher free"), "enter")
PLACES = {
    "actions": ("t", "a"),
    "GM tools": ("plus",),
    "overlays": ("v",),
    "list of units": ("plus", "a"),
    "card as a list": ("t", "a", "slash"),
    "plan of a move": ("m",),
    "aim of a throw": (*THROWER, "t", "a", "g"),
    "aim of suppressing fire": ("aog", *GUNNER, "a", "v", "s"),
    "aim of overwatch": ("aog", "a", "o"),
    "dice": ("t", "f"),
    "command line": ("colon",),
}
"""The keys that lead to each place, after a ruleset where it is another."""


def own_letters(screen: BattleScreen) -> set[str]:
    """The letters that the place takes as keys."""
    shown = screen.app.screen
    if isinstance(shown, Card):
        return {*"".join(shown.keys).lower(), "j", "k"}
    if places := screen.presenter.places:
        own = (*PLACING, *OWN_KEYS[places])
        keys = (*(one for one in BATTLE_KEYS if one.action.partition("(")[0] in own), *BOARD_KEYS)
        return {key for one in keys for key in one.key.split(",") if len(key) == 1}
    return set()


@pytest.mark.parametrize("place", PLACES)
def test_a_letter_that_is_not_a_places_own_changes_nothing(tmp_path: Path, place: str) -> None:
    first, *others = PLACES[place]
    ruleset, keys = ("aog", others) if first == "aog" else ("occult-ops", [first, *others])

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(*keys)
        await pilot.pause()
        assert place.startswith(("plan", "aim")) == bool(screen.presenter.places)
        before, cursor, shown = screen.session.battle, screen.cursor, pilot.app.screen
        was = screen.is_asking, screen.presenter.places
        for letter in sorted({*ascii_lowercase} - own_letters(screen)):
            await pilot.press(letter)
            assert (screen.session.battle, screen.cursor) == (before, cursor), letter
            assert pilot.app.screen is shown, letter
            assert (screen.is_asking, screen.presenter.places) == was, letter

    play(app_for(tmp_path, ruleset=ruleset), script, (120, 40))


def test_what_is_not_an_aims_own_says_so(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("a", "o", "e")
        assert said(screen) == "e does nothing while you aim. Esc leaves."
        await pilot.press("backspace")
        assert said(screen) == "Backspace does nothing while you aim. Esc leaves."
        await pilot.press("escape")
        assert not screen.presenter.places

    play(app_for(tmp_path, ruleset="aog"), script, (80, 24))


def test_an_aim_is_outlined_and_esc_brings_back_what_was_in_focus(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(*THROWER, "t")
        focus = screen.presenter.focus
        await pilot.press("a", "g", "left", "left")
        markings = screen.board.markings
        assert markings.aim == screen.cursor != focus.cursor and markings.aim not in markings.outline
        assert len(markings.outline) > 8
        shot = screen.presenter.shot
        await pilot.press("enter")
        assert screen.is_asking and screen.board.markings.aim == markings.aim, "the first question keeps the aim"
        await pilot.press("escape")
        assert screen.presenter.places == "fire" and screen.presenter.shot == shot
        await pilot.press("escape")
        after = screen.presenter.focus
        assert (after.target, after.weapon, after.overlay) == (focus.target, focus.weapon, "plain")

    play(app_for(tmp_path), script, (120, 40))
