"""A list that is longer than its box, on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from tests.examples import sample
from tests.tui.play import app_for, play, said, settled
from tui.application.prompts.choice import Choice, MenuQuestion
from tui.view.modals.card import Card
from tui.view.modals.long_list import LongList
from tui.view.screens.battle_screen import BattleScreen

MANY = 55


def shown(menu: Card) -> list[int]:
    """The places of the rows in sight; one that is not possible has its reason on a line below it."""
    options = menu.query_one(OptionList)
    top = options.scroll_offset.y
    return [place for place, _ in options._lines[top : top + options.content_size.height]]


@pytest.mark.long
@pytest.mark.parametrize("free", sample([(3, 30, 31), (0,), (MANY - 1,), tuple(range(MANY))]), ids=str)
def test_pages_home_and_end_show_every_line_of_a_long_menu(tmp_path: Path, free: tuple[int, ...]) -> None:
    """Those that cannot be chosen too; the bar is on one that can be, and in sight where there is one in sight."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        lines = [Choice(str(place), f"line {place}", reason="" if place in free else "no") for place in range(MANY)]
        menu = Card(MenuQuestion("Many", lines))
        await pilot.app.push_screen(menu)
        await pilot.pause()
        for first, onward in (("home", "pagedown"), ("end", "pageup")):
            await pilot.press(first)
            assert (0 if first == "home" else MANY - 1) in shown(menu)
            seen = set(shown(menu))
            for _ in range(2 * MANY // len(shown(menu)) + 1):
                await pilot.press(onward)
                seen |= set(shown(menu))
                bar = menu.query_one(OptionList).highlighted
                assert bar in free
                assert bar in shown(menu) or not set(free) & set(shown(menu))
            assert seen == set(range(MANY))

    play(app_for(tmp_path), script, (110, 34))


@pytest.mark.long
def test_the_arrows_show_the_disabled_lines_below_the_last_that_can_be_chosen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        lines = [Choice(str(place), f"line {place}", reason="no" * (place > MANY - 4)) for place in range(MANY)]
        menu = Card(MenuQuestion("Many", lines))
        await pilot.app.push_screen(menu)
        await pilot.pause()
        await pilot.press("up")
        assert menu.query_one(OptionList).highlighted == MANY - 4
        assert {MANY - 4, MANY - 1} <= set(shown(menu))

    play(app_for(tmp_path), script, (110, 34))


def test_all_gm_tools_are_in_sight_on_a_screen_of_forty_rows(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("+")
        options = screen.app.screen.query_one(OptionList)
        assert options.content_size.height >= options.virtual_size.height

    play(app_for(tmp_path), script, (120, 40))


def test_a_key_without_an_item_says_so(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        menu = Card(MenuQuestion("Few", [Choice("one", "one", key="o")]))
        await pilot.app.push_screen(menu)
        await pilot.press("g")
        assert str(menu.query_one("#hint", Static).content).strip().startswith("No row has the key g.  ↑↓ Enter take")

    play(app_for(tmp_path), script, (80, 24))


@pytest.mark.parametrize("key", ["a", "slash"])
def test_a_card_and_a_list_follow_the_column_when_the_terminal_changes(tmp_path: Path, key: str) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", *dict.fromkeys(("a", key)))
        for size in ((90, 28), (120, 40), (140, 45), (80, 24)):
            await pilot.resize_terminal(*size)
            await settled(pilot)
            box = screen.app.screen.query_one(".box").region
            assert screen.layout_now is not None
            assert (box.x, box.right) == (size[0] - screen.layout_now.side, size[0])
            assert not box.overlaps(screen.board.region)

    play(app_for(tmp_path), script, (120, 40))


@pytest.mark.parametrize("keys", [(), ("a",)])
def test_a_paste_where_there_is_no_caret_runs_no_key(tmp_path: Path, keys: tuple[str, ...]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", *keys)
        before, shown = screen.session.battle, pilot.app.screen
        pilot.app.post_message(events.Paste("me e x"))
        await pilot.pause()
        assert screen.session.battle is before and pilot.app.screen is shown
        told = str(shown.query_one("#hint", Static).content) if keys else said(screen)
        assert "Paste after :" in told

    play(app_for(tmp_path), script, (120, 40))


@pytest.mark.parametrize("size", [(200, 60), (80, 24)])
def test_the_gm_tools_stand_under_unit_square_and_battle_and_beside_each_other_where_there_is_room(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("plus", "full_stop")
        await pilot.pause()
        card = pilot.app.screen
        assert isinstance(card, Card)
        rows = [row for row in card._rows if row.choice is None]
        assert [row.text.plain.split()[0] for row in rows if row.text.plain.strip()][:3] == ["unit", "square", "battle"]
        assert len(card.choices) == len({*card.keys}) >= 23
        shown = [one for one in card.query(LongList) if one.display]
        assert len(shown) == (2 if size[0] == 200 else 1)
        assert card._marked is not None and card._marked.id == "add"
        if len(shown) == 2:
            assert shown[0].region.y == shown[1].region.y and shown[0].region.right <= shown[1].region.x
            await pilot.press("up")
            assert card._line is not None and card._line < card._split, "past the end of a column to the other"
            await pilot.press("down")
            assert card._marked.id == "add"
            await pilot.press("left")
            assert card._line < card._split
        await pilot.press("a")
        assert "Add which unit at N10?" in str(pilot.app.screen.query_one(".box").border_title)

    play(app_for(tmp_path), script, size)
