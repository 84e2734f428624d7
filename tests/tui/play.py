"""Playing on the screen in a test: a battle on a shipped map, keys, and what the screen then shows."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from engine.journal.session import Session
from maps import load_map, shipped_maps
from rulesets import load_ruleset, shipped_rulesets
from tui.application.library.battle_files import DEMO_SEED, begin_battle, read_scenario
from tui.view.app.board_app import BoardApp
from tui.view.modals.card import Card
from tui.view.panels.prompt import PromptBar, PromptLabel
from tui.view.screens.battle_screen import BattleScreen
from tui.view.terminal.raw_widgets import Sentence

__all__ = ["NARROW", "USUAL", "WIDE", "app_for", "load_map", "load_ruleset", "play", "screen_of", "shipped_rulesets"]

NARROW, USUAL, WIDE = (80, 24), (120, 40), (200, 60)
YARD = """\
format = 1
name = "Yard"

[scale]
square = 2
unit = "m"

[map]
squares = '''
....
'''

[[unit]]
id = "guard"
role = "gunman"
side = "guards"
at = "D1"
stats = { dexterity = 9 }

[[unit]]
id = "anna"
character = "anna"
side = "crew"
at = "A1"

[unit.stats]
wit = 12
"""
"""A map whose units change stats of occult-ops, one of them the character anna's."""


def session_for(folder: Path, map_id: str = "frontier-trail", ruleset: str = "occult-ops") -> Session:
    """A new battle in a folder, always the same one."""
    return begin_battle(read_scenario(shipped_maps()[map_id], ruleset), DEMO_SEED, folder)


def put_characters(folder: Path, **texts: str) -> Path:
    """Makes a data folder the user's, with these characters by the names of their files; gives their folder."""
    (characters := folder / "data" / "characters").mkdir(parents=True)
    for name, text in texts.items():
        (characters / f"{name}.toml").write_text(text)
    return characters


def app_for(folder: Path, map_id: str = "frontier-trail", ruleset: str = "occult-ops", **options: Any) -> BoardApp:
    return BoardApp(session_for(folder, map_id, ruleset), **options)


def play(app: BoardApp, script: Callable[[Pilot[None], BattleScreen], Awaitable[None]], size: tuple[int, int]) -> None:
    """Runs a script against the app in a terminal of that many columns and rows."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(pilot, screen_of(app))

    asyncio.run(run())


async def settled(pilot: Pilot[None]) -> None:
    """Waits until what the board works out in its spare time is there."""
    await pilot.pause()
    app = pilot.app
    assert isinstance(app, BoardApp)
    while not all(screen.spare.is_done for screen in app.screen_stack if isinstance(screen, BattleScreen | Card)):
        await pilot.pause(0.01)
    await pilot.pause()


def screen_of(app: BoardApp) -> BattleScreen:
    return next(screen for screen in app.screen_stack if isinstance(screen, BattleScreen))


def said(screen: BattleScreen) -> str:
    """The verdict line as shown, on one line."""
    return " ".join(" ".join(screen.query_one(Sentence).rows).split())


def asked(screen: BattleScreen) -> str:
    """The question that stands at the screen's foot; "" for none."""
    bar = screen.query_one(PromptBar)
    return str(bar.query_one(PromptLabel).render()).strip() if bar.is_asking else ""


def typed(text: str) -> list[str]:
    """Keys that type a text into a prompt."""
    names = {" ": "space", "+": "plus", "-": "minus", "!": "exclamation_mark", "/": "slash", "[": "left_square_bracket"}
    return [names.get(sign, sign) for sign in text]
