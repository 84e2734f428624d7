"""The tour: each step waits for its act; a second Esc leaves it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.containers import VerticalScroll
from textual.pilot import Pilot
from textual.widgets import Static

from tests.tui.play import NARROW, USUAL, app_for, play, said, session_for
from tests.tui.presenter.table import Conversation
from tui.application.keys.battle_keys import with_keys
from tui.view.modals.text_modal import TextModal
from tui.view.screens.battle_screen import BattleScreen
from tui.view.screens.tour import EVERY_S, ONCE_MORE, OVER, STEPS

ACTS = (("right",), ("t",), ("r",), ("escape", "f"), ("enter",), ("U",), ("m",), ("up", "m"), ("v", "2"), ("e",))
"""What is pressed at each step but the last."""


def told(screen: BattleScreen) -> str:
    return " ".join(str(screen.query_one("#tour", Static).content).split())


def test_no_step_asks_for_what_a_unit_without_a_weapon_cannot_show(tmp_path: Path) -> None:
    talk = Conversation(session_for(tmp_path))
    talk.line("lose todd usp9")
    talk.press(*ACTS[8])
    assert talk.presenter.overlay.tints


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "size"), [("occult-ops", NARROW), ("cwn", USUAL)])
def test_the_tour_continues_with_every_act_and_not_before(tmp_path: Path, size: tuple[int, int], ruleset: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert len(ACTS) == len(STEPS) - 1
        for place, keys in enumerate(ACTS, start=1):
            await pilot.pause(2 * EVERY_S)
            assert told(screen).startswith(f"Tour {place}/{len(STEPS)}:")
            assert "{" not in told(screen)
            await pilot.press("1") if place not in (4, 5) else None
            await pilot.pause(2 * EVERY_S)
            assert told(screen).startswith(f"Tour {place}/{len(STEPS)}:"), "another key is not the act"
            await pilot.press(*keys)
            while screen.is_asking and keys == ("enter",):
                await pilot.press("enter")
        await pilot.pause(2 * EVERY_S)
        assert told(screen).startswith(f"Tour {len(STEPS)}/{len(STEPS)}:")
        if pilot.app.screen is not screen:  # cwn's card of who acts next
            await pilot.press("escape")
            await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert not screen.query_one("#tour").display
        assert said(screen) == with_keys(OVER)
        assert (screen.presenter.focus.overlay, screen.presenter.focus.target) == ("plain", "")

    play(app_for(tmp_path, ruleset=ruleset, has_tour=True), script, size)


@pytest.mark.long
def test_a_second_escape_leaves_the_tour_and_the_keys_are_as_ever(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.pause()
        assert screen.query_one("#tour").display
        await pilot.press("escape")
        assert screen.tour is not None and said(screen) == with_keys(ONCE_MORE)
        await pilot.press("right", "escape")
        assert screen.tour is not None and screen.query_one("#tour").display
        await pilot.press("escape")
        assert screen.tour is None
        await pilot.press("t", "escape")
        assert screen.presenter.focus.target == ""

    play(app_for(tmp_path, has_tour=True), script, NARROW)


@pytest.mark.long
def test_two_escapes_end_the_tour_while_a_target_is_aimed_at_and_another_key_continues_it(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "escape")
        assert (screen.presenter.focus.target, said(screen)) == ("", with_keys(ONCE_MORE))
        await pilot.press("t")
        assert screen.tour is not None and screen.presenter.focus.target
        await pilot.press("escape", "escape")
        assert screen.tour is None and said(screen) == with_keys(OVER)

    play(app_for(tmp_path, has_tour=True), script, NARROW)


@pytest.mark.slow
def test_a_question_that_is_given_up_takes_the_tour_a_step_back(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for keys in ACTS[:4]:
            await pilot.press(*keys)
            await pilot.pause(2 * EVERY_S)
        assert told(screen).startswith("Tour 5/")
        await pilot.press("escape")
        await pilot.pause(2 * EVERY_S)
        assert told(screen).startswith("Tour 4/")

    play(app_for(tmp_path, has_tour=True), script, NARROW)


@pytest.mark.long
def test_the_tour_names_the_keys_as_they_are(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("right")
        await pilot.pause(2 * EVERY_S)
        assert "Press f5 to aim" in told(screen)

    play(app_for(tmp_path, has_tour=True, keymap={"battle.next_target": ("f5",)}), script, USUAL)


@pytest.mark.slow
def test_the_tour_hides_nothing(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.pause()
        tour = screen.query_one("#tour").region
        for name in ("title", "board", "shot", "verdict", "keys"):
            assert not tour.overlaps(screen.query_one(f"#{name}").region)
        assert screen.query_one("#board").region.height >= 14

    play(app_for(tmp_path, has_tour=True), script, NARROW)


@pytest.mark.slow
@pytest.mark.parametrize("size", [NARROW, USUAL], ids=["80x24", "120x40"])
def test_look_of_the_tour(snap_compare: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    async def press(pilot: Pilot[None]) -> None:
        await pilot.pause()
        await pilot.press("right")
        await pilot.pause(2 * EVERY_S)

    assert snap_compare(app_for(tmp_path, has_tour=True), run_before=press, terminal_size=size)


@pytest.mark.slow
def test_escape_clears_the_overlay_and_the_tour_continues(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for keys in ACTS[:7]:
            await pilot.press(*keys)
            await pilot.pause(2 * EVERY_S)
        assert told(screen).startswith("Tour 8/") and screen.presenter.focus.overlay == "reach"
        await pilot.press("escape")
        await pilot.pause(2 * EVERY_S)
        assert told(screen).startswith("Tour 7/") and screen.presenter.focus.overlay == "plain"
        await pilot.press("escape")
        assert screen.tour is None and not screen.query_one("#tour").display
        assert (screen.presenter.focus.overlay, screen.presenter.focus.target, screen.board.markings.tints) == (
            "plain",
            "",
            {},
        )

    play(app_for(tmp_path, has_tour=True), script, NARROW)


@pytest.mark.slow
def test_the_tour_is_called_again_by_its_word(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("escape", "escape")
        assert said(screen) == "The tour is over. : and the command “tour” start it again."
        await pilot.press("right", "colon", *"tour", "enter")
        await pilot.pause()
        assert told(screen).startswith("Tour 1/") and screen.query_one("#tour").display
        await pilot.press("left")
        await pilot.pause(2 * EVERY_S)
        await pilot.press("colon", *"tour", "enter", "escape", "escape")
        assert screen.tour is None
        await pilot.press("question_mark", "slash", *"tour")
        sheet = pilot.app.screen
        assert isinstance(sheet, TextModal) and "1 of " in str(sheet.query_one(VerticalScroll).border_subtitle)

    play(app_for(tmp_path, has_tour=True), script, NARROW)
