"""Where to stand, on the board: three measures under one key, worked out little by little, and walked with `m`."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.tui.play import USUAL, app_for, play, said
from tui.application.focus.focus import WALKS, Focus
from tui.application.overlays.markings import SCALE
from tui.application.overlays.overlay_list import OVERLAYS, compute_overlay
from tui.application.overlays.positioning import MEASURES, legend, prospects
from tui.view.keys.bound_keys import by_action
from tui.view.screens.battle_screen import BattleScreen


@pytest.mark.slow
def test_one_key_goes_through_the_measures(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for measure, words in zip(MEASURES, ("Risk of being hit", "best attack", "minus risk"), strict=True):
            await pilot.press("W")
            assert screen.presenter.focus.overlay == measure
            assert words in said(screen)
            assert "W shows the next view, m the path to the cursor" in said(screen)
        await pilot.press("W")
        assert screen.presenter.focus.overlay == "plain"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_it_is_worked_out_between_keys_and_the_way_is_walked(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("W")
        found = prospects(screen.presenter.focus, screen.session.battle, screen.session.rules)
        before = len(found.known)
        while len(found.known) < before + 3:  # it goes on by itself, at whatever speed
            await pilot.pause(0.05)
        await pilot.press("right", "right", "up")
        assert said(screen).startswith("P9: risk ")
        assert "best attack" in said(screen)
        assert "Move to P9: 2 squares." in said(screen)
        await pilot.press("m")
        assert screen.session.battle.units["todd"].at.name == "N10", "the way was not drawn by this key"
        assert said(screen).startswith("Move to P9: 2 squares.")
        await pilot.press("m")
        assert screen.session.battle.units["todd"].at.name == "P9"
        assert screen.presenter.focus.overlay == "plain"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_somebody_whose_turn_it_is_not_is_looked_at_as_in_a_turn_of_its_own(tmp_path: Path) -> None:
    session = app_for(tmp_path).session
    focus = Focus(unit="bandit", cursor=session.battle.units["bandit"].at, overlay="exposure")
    found = prospects(focus, session.battle, session.rules)
    assert len(found.squares) > 20
    assert found.reach is None
    overlay = compute_overlay(focus, session.battle, session.rules)
    assert overlay.words.startswith("R10: risk")
    session.close()


@pytest.mark.slow
def test_the_cursor_comes_back_to_the_unit_from_where_it_cannot_go(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("T", "W")
        assert screen.presenter.focus.cursor == screen.session.battle.units["todd"].at
        await pilot.press("l", "W")
        assert screen.presenter.focus.cursor.name == "O10"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_no_key_has_two_meanings(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        keys = [key for node in (screen, screen.board) for names, _ in by_action(node) for key in names]
        assert len(keys) == len(set(keys))

    play(app_for(tmp_path), script, USUAL)


def test_the_overlays_to_walk_in_are_overlays() -> None:
    assert set(WALKS) == {"reach", *MEASURES}
    assert set(WALKS) <= OVERLAYS.keys()


def test_a_guess_is_of_a_square_near_by_until_the_square_itself_is_known(tmp_path: Path) -> None:
    session = app_for(tmp_path).session
    focus = Focus(unit="todd", cursor=session.battle.units["todd"].at, overlay="exposure")
    found = prospects(focus, session.battle, session.rules)
    found.evaluate_next()
    (first,) = found.known
    assert (first.column % 4, first.row % 4) == (0, 0)
    assert not found.is_whole
    exact = found.at(session.battle.units["todd"].at)
    assert found.guess(session.battle.units["todd"].at) == exact
    session.close()


@pytest.mark.long
def test_the_best_squares_are_listed_with_their_figures(tmp_path: Path) -> None:
    session = app_for(tmp_path).session
    for measure in MEASURES:
        focus = Focus(unit="todd", cursor=session.battle.units["todd"].at, overlay=measure)
        found = prospects(focus, session.battle, session.rules)
        for _ in range(6):
            found.evaluate_next()
        overlay = compute_overlay(focus, session.battle, session.rules)
        assert len(overlay.best) == 3
        best = overlay.words.partition(" Best: ")[2].removesuffix(".").split(", ")
        assert [words.split()[:2] for words in best] == [
            [str(place), square.name] for place, square in enumerate(overlay.best, 1)
        ]
        assert all(words.endswith(" %") for words in best)
        assert "1, 2, 3 the best squares" in legend(measure, dict.fromkeys(SCALE, ""))
    session.close()
