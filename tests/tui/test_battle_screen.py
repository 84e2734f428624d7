"""What a Game Master does at the board, key by key."""

from __future__ import annotations

import asyncio
import gc
import json
import weakref
from itertools import cycle
from pathlib import Path

import pytest
from textual import events
from textual.command import CommandPalette
from textual.containers import Vertical
from textual.pilot import Pilot
from textual.widgets import Input, OptionList, Static

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.unit_edits import Place
from engine.context import Context
from engine.geometry.squares import parse_square
from maps import shipped_maps
from rulesets import shipped_rulesets
from tests.examples import sample
from tests.tui.play import NARROW, USUAL, app_for, asked, play, said, session_for, settled, typed
from tui.application.library.battle_files import DEMO_SEED, begin_battle, read_scenario
from tui.application.presenter.command_line import hear_line
from tui.application.prompts.choice import Choice, MenuQuestion, Picked, keys_for
from tui.view.app.board_app import BoardApp
from tui.view.board.board_view import BoardView
from tui.view.modals.card import Card
from tui.view.modals.messages import Chosen
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.prompt import PromptBar, PromptInput
from tui.view.screens.battle_screen import BattleScreen
from tui.view.terminal.raw_widgets import Sentence


@pytest.mark.long
def test_a_shot_is_settled_in_three_keys(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter")
        assert screen.session.battle.units["todd"].turn.attacks == 1
        assert said(screen) == "Hit, but the armour takes all of it. Rolled 42 vs 60."

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_long_question_keeps_what_it_is_about_and_what_to_do(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f")
        assert said(screen) == "Todd → Bandit: 1d100 under 60, 59 %."
        assert asked(screen) == "to hit 1d100, under 60 >"

    play(app_for(tmp_path), script, (60, 24))


@pytest.mark.slow
def test_an_action_is_chosen_from_the_menu_by_one_key(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "a")
        assert isinstance(screen.presenter.shot, AttackPreview)
        assert screen.presenter.shot.situation.action.id == "aimed"
        assert screen.presenter.shot.ledger.target_number == 75
        await pilot.press("a")
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        await pilot.press(keys_for(menu.choices)[[choice.id for choice in menu.choices].index("kneel")])
        assert screen.session.battle.units["todd"].posture == "kneeling"

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_what_is_not_allowed_in_a_menu_cannot_be_chosen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "a", "r")
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        hint = menu.query_one("#hint", Static)
        assert str(hint.content).startswith(" Reload: the magazine is full, 15 of 15. ")
        shown = menu.query_one(OptionList).option_count
        await pilot.press("full_stop")
        assert menu.query_one(OptionList).option_count > len(menu.choices) > shown
        await pilot.press("full_stop")
        assert menu.query_one(OptionList).option_count == shown
        await pilot.press("escape")
        assert screen.presenter.focus.action == ""

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.long
@pytest.mark.parametrize("burst", sample(["?qq", "tf45\r10\re", "a\r\r", "ta111", "a\x1b\x1b", "tr\x1b\x1bq"]))
def test_keys_in_a_burst_break_nothing(tmp_path: Path, burst: str) -> None:
    """Over a slow line keys arrive together, before a menu or sheet that they open is there to take them."""
    names = {"\r": ("enter", "\r"), "\x1b": ("escape", None), "?": ("question_mark", "?")}

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for sign in burst:
            pilot.app.post_message(events.Key(*names.get(sign, (sign, sign))))
        await pilot.pause(0.2)
        await pilot.press("escape", "escape", "t")
        assert pilot.app.screen is screen
        assert screen.presenter.focus.target

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_one_panel_at_a_time_on_a_narrow_screen_and_all_on_a_usual_one(tmp_path: Path) -> None:
    async def narrow(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key, *panels in (("1", "shot"), ("2", "unit"), ("3", "unit", "order"), ("4", "log")):
            await pilot.press(key)
            await pilot.pause()
            shown = [name for name in ("shot", "unit", "order", "log") if screen.query_one(f"#{name}").region]
            assert shown == panels

    async def usual(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        await pilot.pause()
        assert all(screen.query_one(f"#{name}").region for name in ("shot", "unit", "order", "log"))

    play(app_for(tmp_path / "one"), narrow, NARROW)
    play(app_for(tmp_path / "two"), usual, USUAL)


@pytest.mark.slow
def test_overlays_zooms_and_sheets_can_be_drawn_on_every_map_and_under_every_ruleset(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press(
            "t", "v", "1", "v", "m", "z", "z", "z", "r", "escape", "question_mark", "escape", "ctrl+p", "escape"
        )
        assert pilot.app.screen is screen

    for map_id, ruleset in zip(cycle(shipped_maps()), shipped_rulesets(), strict=False):
        play(app_for(tmp_path / map_id / ruleset, map_id, ruleset), script, USUAL)


def test_the_command_palette_that_is_closed_twice_closes_nothing_else(tmp_path: Path) -> None:
    """A command is chosen by a message, and the key after it may come first."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("ctrl+p")
        palette = pilot.app.screen
        assert isinstance(palette, CommandPalette)
        palette.dismiss()
        palette.dismiss()
        await pilot.pause()
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_a_command_of_the_palette_runs_once_however_often_enter_is_pressed(tmp_path: Path) -> None:
    """Each Enter that came before the palette had closed ran it again, and Esc closed the wrong one of two lists."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("ctrl+p")
        palette = pilot.app.screen
        assert isinstance(palette, CommandPalette)
        await pilot.pause(0.3)
        palette.query_one(OptionList).action_first()
        for _ in range(3):
            palette._action_command_list("select")
        palette.query_one(Input).post_message(Input.Submitted(palette.query_one(Input), ""))
        await pilot.pause(0.3)
        assert [type(one) for one in pilot.app.screen_stack[-2:]] == [BattleScreen, Card]
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        pilot.app.push_screen(Card(MenuQuestion("Another", [Choice("one", "One")])))
        menu._answer(Picked(""))
        await pilot.pause()
        assert [type(one) for one in pilot.app.screen_stack[-2:]] == [Card, Card]
        await pilot.press("escape", "escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, NARROW)


def answers_kept(answers: Context) -> int:
    return sum(len(recent._answers) for recent in answers._kinds.values())


@pytest.mark.long
def test_a_battle_that_was_closed_is_not_kept(tmp_path: Path) -> None:
    """Tasks of screens that stay open hold the context in which they were begun; the next battle has its own."""

    async def script(pilot: Pilot[None], app: BoardApp) -> None:
        await pilot.press("t")
        await settled(pilot)
        assert app.session is not None
        assert app.session._answers is not None
        answers, session, board = app.session._answers, weakref.ref(app.session), weakref.ref(app.screen)
        before = answers_kept(answers)
        app.post_message(Chosen(session_for(tmp_path / "next")))
        while app.screen is board() or not isinstance(app.screen, BattleScreen):
            await pilot.pause()
        await settled(pilot)
        await pilot.press("t", "escape")
        await pilot.pause()
        gc.unfreeze()
        gc.collect()
        assert answers_kept(answers) < before / 10  # a job of the old board may still have run
        assert session() is None
        assert board() is None

    async def run() -> None:
        app = app_for(tmp_path / "first")
        async with app.run_test(size=NARROW) as pilot:
            await pilot.pause()
            await script(pilot, app)

    asyncio.run(run())


@pytest.mark.slow
def test_who_may_attack_now_and_why_is_said_first_where_room_is_short(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        screen.presenter.submit(Place("bandit", parse_square("O10")))
        screen.presenter.submit(Place("cutter", parse_square("O11")))
        await pilot.press(":", *typed("move L10"), "enter")
        shown = " ".join(str(row) for row in screen.query_one(Sentence).rows)
        assert "Bandit may attack Todd now" in shown and "Cutter may attack Todd now" in shown

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.long
def test_a_die_typed_ahead_of_the_question_who_defends_is_kept_for_its_roll(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t")
        assert isinstance(screen.presenter.shot, AttackPreview)
        just = int(screen.presenter.shot.ledger.target_number - screen.presenter.shot.ledger.total)
        await pilot.press("f", *typed(str(just)), "enter", "1", "2", "enter")
        menu = pilot.app.screen
        assert isinstance(menu, Card)
        assert str(menu.query_one("#hint", Static).content).startswith(" 12: saved for the next roll  ↑↓ Enter")
        await pilot.press("n")
        bar = screen.query_one(PromptBar)
        assert bar.is_asking and bar.query_one(PromptInput).value == "12 "

    play(app_for(tmp_path, ruleset="cwn"), script, NARROW)


@pytest.mark.long
def test_the_whole_log_has_the_receipt_of_every_attack(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        log = pilot.app.screen.query_one(OptionList)

        def shown() -> str:
            return "\n".join(str(option.prompt) for option in log.options)

        def rows() -> str:
            return str(pilot.app.screen.query_one(Vertical).border_title)

        def receipt() -> str:
            return str(pilot.app.screen.query_one("#receipt", Static).content)

        assert "1 of 2" in rows() and "Base to hit: 20 ft" in receipt()
        await pilot.press("f", "f", "home")
        await pilot.pause()
        assert "Turn order: Todd" in receipt()
        await pilot.press("f", "f", "slash", *"begins", "enter")
        await pilot.pause()
        assert "1 of 2" in rows() and "Base to hit" not in shown()
        await pilot.press("slash", "escape")
        assert "1 of 2 · hits" in rows()
        await pilot.press("escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
@pytest.mark.parametrize(("onward", "back"), [("down", "up"), ("pagedown", "pageup")])
def test_every_line_of_a_receipt_of_the_log_is_reached(tmp_path: Path, onward: str, back: str) -> None:
    """Where there is no room beside or below the list, Tab shows the receipt in its place."""

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "enter", "E")
        await pilot.pause()
        await pilot.press("tab")
        await pilot.pause()
        detail = pilot.app.screen.query_one("#detail")
        height, last = detail.scrollable_content_region.height, detail.virtual_size.height
        assert last > height, "the receipt is longer than the screen"
        for key, end in ((onward, last - height), (back, 0)):
            for _ in range(last):
                await pilot.press(key)
            await pilot.pause()
            assert detail.scroll_offset.y == end

    play(app_for(tmp_path), script, (80, 18))


def test_a_long_refusal_keeps_its_beginning_and_a_long_result_its_end(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        hear_line(screen.presenter, "give guard zzzz")
        await pilot.pause()
        nothing = "No weapon or armour of Ashes of Gaia is called 'zzzz'."
        assert said(screen) == f"{nothing} … “give” alone lists all gear."
        hear_line(screen.presenter, "set guard zzzz")
        await pilot.pause()
        assert said(screen).startswith("No pool, stat, posture or condition is called 'zzzz'. Conditions of ")
        assert said(screen).endswith((" others.", "…"))
        screen.presenter.result = (
            f"Owl strikes {'and strikes ' * 9}. {'More. ' * 40}At last {'and ever ' * 14} this is the end."
        )
        screen.presenter.say(screen.presenter.result)
        await pilot.pause()
        assert said(screen).endswith("the end.")

    play(app_for(tmp_path, "rooftops", "aog"), script, (110, 34))


@pytest.mark.long
def test_a_question_keeps_the_keys_and_its_target(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("t", "f", "tab")
        await pilot.click(BoardView, offset=(20, 5))
        assert screen.presenter.focus.target == "bandit"
        await pilot.press("4", "5", "enter", "1", "0", "enter")
        assert screen.session.battle.units["bandit"].pools["armour"] == 45

    play(app_for(tmp_path), script, USUAL)


@pytest.mark.slow
def test_nothing_is_done_where_it_cannot_be_seen(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        before = screen.session.battle.encode()
        await pilot.resize_terminal(50, 12)
        await pilot.press("e", "t", "f", "enter")
        assert screen.session.battle.encode() == before
        await pilot.resize_terminal(80, 24)
        await pilot.press("e")
        assert screen.session.battle.encode() != before

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(40, 12), (1, 1)])
def test_sheets_and_menus_live_through_any_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        for key in ("question_mark", "r", "a"):
            await pilot.press("t", key)
            await pilot.resize_terminal(*size)
            await pilot.resize_terminal(120, 40)
            await pilot.press("escape")
        assert pilot.app.screen is screen

    play(app_for(tmp_path), script, USUAL)


NAMES = ["[/] Orc [@click=app.quit]x[/]", "[b]Bold[/b", "$panel-title", "忍者", "\\[/", "[link=http://x]y"]


@pytest.mark.long
@pytest.mark.parametrize("name", sample(NAMES))
def test_names_are_shown_as_they_are_and_do_nothing(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "maps"
    folder.mkdir()
    text = shipped_maps()["frontier-trail"].read_text(encoding="utf-8")
    changed = text.replace('name = "Todd"', f"name = {json.dumps(name, ensure_ascii=False)}")
    if changed == text:
        changed = text.replace('id = "todd"', f'id = "todd"\nname = {json.dumps(name, ensure_ascii=False)}')
    (folder / "own.toml").write_text(changed, encoding="utf-8")
    session = begin_battle(read_scenario(folder / "own.toml", "occult-ops"), DEMO_SEED, tmp_path)
    app = BoardApp(session)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert session.battle.units["todd"].name == name
        await pilot.press("2", "2", "t", "r", "escape", "f", "enter", "a", "escape", "w", "escape")
        await pilot.click("#order", offset=(6, 1))
        assert pilot.app.screen is screen
        assert name[:3] in said(screen)

    play(app, script, USUAL)


@pytest.mark.long
def test_the_wind_stands_in_the_title_and_a_flyer_on_the_ground_does_not_sink(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("S", *typed("wind W 2"), "enter")
        assert "wind W 2" in str(screen.query_one("#title", Static).content)
        screen.presenter.submit(SetInitiative("moth", 99))
        while screen.session.battle.turns.active != "moth":
            await pilot.press("e")
        await pilot.press("greater_than_sign")
        assert "m here changes only the altitude" in said(screen)
        await pilot.press("l")
        await pilot.pause()
        assert "4 m up" in said(screen)
        await pilot.press(*["less_than_sign"] * 4)
        assert said(screen) == "Moth is on the ground: m lands."

    play(app_for(tmp_path, "warehouse"), script, NARROW)


@pytest.mark.slow
def test_the_footer_of_a_narrow_screen_keeps_the_line_the_gm_tools_and_the_help(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        shown = str(screen.query_one("#keys", Static).content).strip()
        assert shown == "t aim  f fire  m move  a act  e end  U undo  v view  d hp  : cmd  + GM  ? help"
        await pilot.resize_terminal(60, 20)
        await pilot.pause()
        shown = str(screen.query_one("#keys", Static).content).rstrip()
        assert shown.endswith(": cmd  + GM  ? help") and len(shown) <= 60

    play(app_for(tmp_path), script, NARROW)


@pytest.mark.slow
def test_a_board_that_is_not_there_any_more_takes_no_command(tmp_path: Path) -> None:
    app = app_for(tmp_path)
    gone = BattleScreen(app.session)

    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        assert screen.check_action("end_turn", ())
        assert not gone.check_action("end_turn", ())

    play(app, script, USUAL)


@pytest.mark.long
def test_while_a_move_is_planned_only_its_keys_do_something(tmp_path: Path) -> None:
    async def script(pilot: Pilot[None], screen: BattleScreen) -> None:
        await pilot.press("m", "l")
        presenter, battle, focus = screen.presenter, screen.session.battle, screen.presenter.focus
        assert presenter.is_move_planned
        assert " m move there  Esc leave" in str(screen.query_one(KeyFooter).render())
        for key in "abdefginoqrstuwxyABCDEFGIMNOPQRSTUVXY":
            await pilot.press(key)
            assert said(screen).startswith(f"{key} does nothing while you move."), key
            assert (screen.session.battle, presenter.focus) == (battle, focus), key
            assert screen.app.screen is screen and not screen.is_asking
        await pilot.press("backspace")
        assert said(screen).startswith("Backspace does nothing") and screen.session.battle is battle
        await pilot.press("L", "v", "escape", "escape")
        assert not presenter.is_move_planned
        await pilot.press("ctrl+c")
        assert said(screen) == "Esc cancels, Q quits."

    play(app_for(tmp_path), script, USUAL)
