"""Player view: the board as one side sees it, read-only, following a battle played in another process."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.values import replace
from tui.board.board_view import BoardView
from tui.board.legend import legend
from tui.describe.styled_text import plain
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import WATCH_KEYS
from tui.modals.help_screen import help_text
from tui.modals.messages import Left, SettingsChanged
from tui.modals.settings_menu import choose_setting
from tui.modals.text_modal import TextModal
from tui.overlays.overlay_list import blast_tints
from tui.panels.key_footer import KeyFooter
from tui.panels.side_panels import OrderPanel, UnitPanel
from tui.screens.follow_file import FollowedFile
from tui.screens.title_bar import show_title
from tui.settings.settings import USUAL, Settings

SETTING_UP = "The Game Master is setting up."
EVERY_S = 1.0
"""Seconds between checks of the file."""
INTRODUCTION = (
    "This view shows what one side sees, and the terrain as that side has seen it. It follows the battle "
    "automatically; you cannot change anything here. It is for the Game Master's second screen, and does not "
    "protect the battle from a player who can run other programs under your account."
)


class PlayerViewScreen(Screen[None]):
    """Shows what a watched side sees."""

    BINDINGS = WATCH_KEYS  # type: ignore[assignment]
    BINDING_GROUP_TITLE = "Player view"
    HORIZONTAL_BREAKPOINTS = [(0, "-close"), (100, "-roomy")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    PlayerViewScreen #around { width: 36; height: 1fr; }
    PlayerViewScreen.-roomy #around { width: 48; }
    PlayerViewScreen #here { height: 9; }
    PlayerViewScreen #whose { height: 1fr; }
    """

    def __init__(self, watch: FollowedFile, settings: Settings = USUAL) -> None:
        super().__init__()
        self.seat = watch
        self.settings = settings
        self.note = ""
        self._is_looking = False
        self.board = BoardView(id="board")

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            yield self.board
            with Vertical(id="around"):
                yield UnitPanel(id="here")
                yield OrderPanel(id="whose")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(UnitPanel).border_title = plain("Unit")
        self.query_one(OrderPanel).border_title = plain("Turn order")
        self.board.use_ascii(self.settings.glyphs == "ascii")
        self.board.focus()
        self.watch(self.board, "overlay", self._show_unit, init=False)
        self.call_after_refresh(self.show_all)
        self.set_interval(EVERY_S, self._look_again)
        self._show_bars()

    def _look_again(self) -> None:
        """Reads the file if it has changed; one read at a time, as a long battle takes longer than the interval."""
        if not self._is_looking and self.seat.should_look():
            self._is_looking = True
            self.run_worker(self._look())

    async def _look(self) -> None:
        try:
            is_other = await self.seat.look()
        except BattleboardError as error:
            self.note = str(error)
            self._show_bars()
            return
        finally:
            self._is_looking = False
        if is_other or self.note:
            self.note = ""
            self.show_all()

    def show_all(self) -> None:
        view, before = self.seat.view, self.board.view
        is_first = before is None or (before.is_curtain and not view.is_curtain)
        self.board.view = view
        if is_first:
            self.board.on_resize()  # now there is a map to fit
            own = next((unit for unit in view.units if unit.side == self.seat.side), None)
            self.board.move_cursor(own.at if own else Square(0, 0))
        done = self.seat.aftermath
        self.board.overlay = replace(self.board.overlay, aftermath=done, tints=blast_tints(done))
        self.query_one(OrderPanel).shown = (view, "", "")
        self._show_unit()
        self._show_bars()

    def on_resize(self) -> None:
        self._show_bars()

    def _show_unit(self) -> None:
        view, cursor = self.board.view, self.board.cursor
        if view is not None and cursor is not None:
            here = view.at(cursor)
            self.query_one(UnitPanel).shown = (here, UNIT_SIGNS[view.field.unit]) if here else None

    def _show_bars(self) -> None:
        view = self.board.view
        whose = next((unit.name for unit in view.units if unit.is_active), "a unit out of sight") if view else ""
        turn = (
            f"Round {view.round} · {whose}" if view and view.round else "loading the battle …" if view is None else ""
        )
        turn = SETTING_UP if view is not None and view.is_curtain else turn
        said = self.note or (f"{turn}   {self.seat.title}" if turn else self.seat.title)
        words = "" if self.note else f"read-only, view of {self.seat.side}" if self.seat.side else "read-only"
        show_title(self.query_one("#title", Static), plain(said), "read-only", words, self.size.width)
        board = with_keys("  {board.left} {board.down} {board.up} {board.right} move  {board.zoom} zoom")
        self.query_one(KeyFooter).show(board)

    def action_help(self) -> None:
        groups, board = (("Player view", self), ("Board", self.board)), self.board
        signs = legend(board.glyphs)
        self.app.push_screen(TextModal("Help", lambda width: help_text(groups, signs, width, INTRODUCTION)))

    def action_settings(self) -> None:
        def change(settings: Settings, _: str) -> None:
            self.settings = settings
            self.board.use_ascii(settings.glyphs == "ascii")
            self.post_message(SettingsChanged(settings, refused))

        def refused(why: str) -> None:
            self.note = why
            self._show_bars()

        choose_setting(self.app, self.settings, change, has_panels=False)

    def action_leave(self) -> None:
        self.post_message(Left())
