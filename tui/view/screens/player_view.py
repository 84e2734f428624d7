"""Player view: the board as one side sees it, read-only, following a battle played in another process."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from engine.battle.views.view import UnitView, View
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.text import side_name
from engine.values import replace
from tui.application.describe.battle_start import SETTING_UP
from tui.application.exports.end_card import EndCard
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import WATCH_KEYS
from tui.application.overlays.overlay_list import blast_tints
from tui.application.settings.settings import USUAL, Settings
from tui.view.board.board_view import BoardView
from tui.view.board.legend import legend
from tui.view.keys.bound_keys import bind
from tui.view.modals.help_screen import help_text
from tui.view.modals.messages import Left, SettingsChanged
from tui.view.modals.settings_menu import choose_setting
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.layout import block, usual_zoom
from tui.view.panels.panel import Panel
from tui.view.panels.side_panels import FeedPanel, OrderPanel, UnitPanel
from tui.view.panels.styled_text import plain
from tui.view.screens.end_card_screen import EndCardScreen
from tui.view.screens.follow_file import FollowedFile
from tui.view.screens.title_bar import show_title, turn_words

BARS = 2
"""Rows of title and footer."""
LEAST_BESIDE, LEAST_BELOW = 34, 8
"""Columns of the panels, and rows left below a map that hold the unit."""
MOST_BESIDE, LEAST_ORDER, LEAST_FEED, BANNER = 64, (5, 16), 7, 1
"""Most columns of the panels; least and most rows of the turn order; least rows of the events beside a map."""
UNIT_ROWS, LEAST_UNIT, LEAST_EVENTS = 8, 6, 4
"""Rows of the unit beside a map, fewer where the events need them; least rows below a map that hold the events."""
EVERY_S = 1.0
"""Seconds between checks of the file."""
INTRODUCTION = (
    "This view shows what one side sees, and the terrain as that side has seen it. It follows the battle "
    "automatically; you cannot change anything here. It is for the Game Master's second screen, and does not "
    "protect the battle from a player who can run other programs under your account."
)


def keyless(panel: Panel) -> Panel:
    """A panel without a key in its title, as this screen shows all of them."""
    panel.KEY = ""
    return panel


def acting_in(view: View) -> UnitView | None:
    """The acting unit, where the seat sees it."""
    return next((unit for unit in view.units if unit.is_active), None)


class PlayerViewScreen(Screen[None]):
    """Shows what a watched side sees."""

    BINDINGS = bind(WATCH_KEYS)
    BINDING_GROUP_TITLE = "Player view"
    DEFAULT_CSS = """
    PlayerViewScreen #around { width: 36; height: 1fr; }
    PlayerViewScreen #banner { height: 1; background: $bar-back; }
    PlayerViewScreen #feed, PlayerViewScreen #under, PlayerViewScreen #below { height: 1fr; }
    """

    def __init__(self, watch: FollowedFile, settings: Settings = USUAL) -> None:
        super().__init__()
        self.seat = watch
        self.settings = settings
        self.note = ""
        self._is_looking = False
        self._card: EndCard | None = None
        """The end card that was shown."""
        self.board = BoardView(id="board")

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield self.board
                yield keyless(UnitPanel(id="under"))
                yield FeedPanel(id="below")
            with Vertical(id="around"):
                yield Static(id="banner", markup=False)
                yield keyless(OrderPanel(id="whose"))
                yield keyless(UnitPanel(id="here"))
                yield FeedPanel(id="feed")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.board.use_ascii(self.settings.glyphs == "ascii")
        self.board.use_motion(self.settings.motion)
        self.board.focus()
        self.watch(self.board, "markings", self._show_unit, init=False)
        self.watch(self.board, "zoom", self._place_panels, init=False)
        self.call_after_refresh(self.show_all)
        self.set_interval(EVERY_S, self._read_changes)
        self._show_bars()

    def _read_changes(self) -> None:
        """Reads the file if it has changed; one read at a time, as a long battle takes longer than the interval."""
        if not self._is_looking and self.seat.should_read():
            self._is_looking = True
            self.run_worker(self._read())

    async def _read(self) -> None:
        try:
            is_other = await self.seat.read_again()
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
        view, before, done = self.seat.view, self.board.view, self.seat.aftermath
        is_first = before is None or (before.is_curtain and not view.is_curtain)
        acted = acting_in(before) if before is not None else None
        is_following = acted is not None and self.board.cursor == acted.at
        self.board.view = view
        self._place_panels()
        if is_first:
            self.board.on_resize()  # now there is a map to fit
            own = next((unit for unit in view.units if unit.side == self.seat.side), None)
            self.board.move_cursor(own.at if own else Square(0, 0))
        elif is_following and (acting := acting_in(view)) is not None:
            self.board.move_cursor(acting.at)
        for feed in self.query(FeedPanel):
            feed.shown = self.seat.told
        self.board.markings = replace(self.board.markings, aftermath=done, tints=blast_tints(done))
        self._show_unit()
        self._show_bars()
        self._show_card()

    def _show_card(self) -> None:
        """Opens the end card when the battle is finished, and closes it when that is undone."""
        if self.seat.card == self._card:
            return
        self._card = self.seat.card
        if isinstance(self.app.screen, EndCardScreen):
            self.app.screen.dismiss(False)
        if self._card is not None:
            self.app.push_screen(EndCardScreen(self._card))

    def on_resize(self) -> None:
        self._place_panels()
        self._show_bars()

    def _place_panels(self) -> None:
        """Gives the panels what the map leaves over, the turn order a row for each unit.

        Below a low map stands the unit, or the events where there is not room for that.
        """
        view, (columns, rows) = self.board.view, self.size
        if view is None:
            return
        extent = view.field.columns, view.field.rows
        self.board.use_zoom(usual_zoom(columns - LEAST_BESIDE, rows - BARS, extent, columns * rows))
        width, height = block(self.board.zoom, extent)
        self.query_one("#around").styles.width = max(LEAST_BESIDE, min(columns - width, MOST_BESIDE))
        left = rows - BARS - height
        is_under = left >= LEAST_BELOW
        has_events = not is_under and left >= LEAST_EVENTS
        unit, order = self.query_one("#here"), self.query_one("#whose")
        self.query_one("#under").display, unit.display = is_under, not is_under
        self.query_one("#below").display, self.query_one("#feed").display = has_events, not has_events
        self.board.styles.height = height if is_under or has_events else "1fr"
        least, most = LEAST_ORDER
        wanted, beside = (
            min(len(view.units) + len(view.unknown_turns) + len(view.last_seen) + 2, most),
            rows - BARS - BANNER,
        )
        if is_under:
            room = rows // 2 - least
        elif has_events:
            room, unit.styles.height = beside - LEAST_UNIT, "1fr"
        else:
            of_unit = UNIT_ROWS if beside - wanted - UNIT_ROWS >= LEAST_FEED else LEAST_UNIT
            room, unit.styles.height = beside - of_unit - LEAST_FEED, of_unit
        order.styles.height = max(least, min(wanted, room))

    def _show_unit(self) -> None:
        view, cursor = self.board.view, self.board.cursor
        if view is not None:
            here = view.at(cursor) if cursor is not None else None
            self.query_one(OrderPanel).shown = (view, "", "", here.id if here else "", ())
        if view is not None and cursor is not None:
            here = view.at(cursor)
            for panel in self.query(UnitPanel):
                panel.shown = (here, UNIT_SIGNS[view.field.unit], False) if here else None

    def _show_bars(self) -> None:
        view = self.board.view
        turn = "loading the battle …" if view is None else ""
        turn = SETTING_UP if view is not None and view.is_curtain else turn
        banner = turn_words(view, "") if view is not None and view.round else plain(turn)
        self.query_one("#banner", Static).update(banner, layout=False)
        said = self.note or (f"{turn}   {self.seat.title}" if turn else self.seat.title)
        whose = f", view of {side_name(self.seat.side)}" if self.seat.side else ""
        words = "" if self.note else f"read-only{whose}"
        show_title(self.query_one("#title", Static), plain(said), "read-only", words, self.size.width)
        board = with_keys("  {board.left} {board.down} {board.up} {board.right} move  {board.zoom} zoom")
        self.query_one(KeyFooter).show(board)

    def action_help(self) -> None:
        groups, board = (("Player view", self), ("Board", self.board)), self.board
        marks = {
            condition.mark: condition.name
            for unit in self.seat.view.units
            for condition in unit.conditions
            if condition.mark
        }
        signs = legend(board.glyphs, marks)
        self.app.push_screen(TextModal("Help", lambda width: help_text(groups, signs, width, INTRODUCTION)))

    def action_settings(self) -> None:
        def change(settings: Settings, _: str) -> None:
            self.settings = settings
            self.board.use_ascii(settings.glyphs == "ascii")
            self.board.use_motion(settings.motion)
            self.post_message(SettingsChanged(settings, refused))

        def refused(why: str) -> None:
            self.note = why
            self._show_bars()

        choose_setting(self.app, self.settings, change, has_panels=False)

    def action_picture(self) -> None:
        from tui.view.exports.screen_picture import save_picture

        self.note = save_picture(self.app, f"view of {self.seat.side}".strip())
        self._show_bars()

    def action_leave(self) -> None:
        self.post_message(Left())
