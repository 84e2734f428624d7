"""The app: theme, output gate, the battle screen. It owns services; screens own conversations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import partial

from textual.app import App, SystemCommand
from textual.filter import LineFilter
from textual.screen import Screen

from engine.battle.session import Session
from tui.screens.battle import BattleScreen
from tui.screens.keys import by_action
from tui.text import AsciiGate, OutputGate
from tui.themes import THEMES, VARIABLES


class BoardApp(App[None]):
    """The board for one battle."""

    TITLE = "battleboard"
    CSS_PATH = "board.tcss"
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, session: Session, *, ascii_only: bool = False, is_kept: bool = True) -> None:
        # NO_COLOR means none at all here: Textual alone would turn colours into greys.
        super().__init__(ansi_color="NO_COLOR" in os.environ)
        self.session = session
        self.ascii_only = ascii_only
        self.is_kept = is_kept
        self.animation_level = "none"

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.push_screen(BattleScreen(self.session, ascii_only=self.ascii_only, is_kept=self.is_kept))

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(VARIABLES)

    def get_line_filters(self) -> Sequence[LineFilter]:
        gates = [OutputGate(), AsciiGate()] if self.ascii_only else [OutputGate()]
        return [*super().get_line_filters(), *gates]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Every command of the battle by name; none of Textual's that write files."""
        if not isinstance(screen, BattleScreen):
            return
        for keys, binding in by_action(screen):
            said = f"{binding.tooltip or binding.description} ({' '.join(keys)})"
            yield SystemCommand(binding.description.capitalize(), said, partial(screen.run_action, binding.action))

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Never opens a browser: the program may run on somebody else's machine."""


def run_board(session: Session, *, ascii_only: bool = False, is_kept: bool = True) -> None:
    """Runs the board until the Game Master leaves it; `is_kept` is whether the battle's file stays afterwards."""
    BoardApp(session, ascii_only=ascii_only, is_kept=is_kept).run()
