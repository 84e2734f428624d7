"""End card over the whole screen: who stands, what everybody did, the three shots; then carry over, export or go on."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from engine.errors import BattleboardError
from engine.text import count
from tui.application.exports.end_card import EndCard
from tui.application.exports.end_card_rows import card_rows
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import END_KEYS
from tui.application.terminal.jobs import Job
from tui.view.exports.export_work import ExportWork
from tui.view.keys.bound_keys import bind
from tui.view.panels.styled_text import join, lines, pieced, plain
from tui.view.terminal.idle_jobs import IdleJobs

FEW_ROWS = 30
"""Below so many rows of the terminal the card is short."""
HINT = "{end.carry} ends the battle and carries wounds and rounds over."
KEYS = "{end.carry} carry over  {end.export} export  {end.close} keep playing"
SEAT_KEYS = "{end.close} close"


class EndCardScreen(ModalScreen[bool]):
    """Shows the card; dismissed with True where the battle ends and is carried over."""

    BINDINGS = bind(END_KEYS)
    BINDING_GROUP_TITLE = "End card"
    DEFAULT_CSS = """
    EndCardScreen { align: center top; background: $panel-back; }
    EndCardScreen #end-title { dock: top; height: 1; background: $bar-back; color: $muted; padding: 0 1; }
    EndCardScreen VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; padding: 1 1 0 1;
        align-horizontal: center; }
    EndCardScreen #end-card { width: auto; height: auto; }
    EndCardScreen #end-said { dock: bottom; height: 3; background: $bar-back; padding: 0 1; }
    """

    def __init__(self, card: EndCard, export: Callable[[], Job[str]] | None = None) -> None:
        """`export` makes the job of the export; None for a seat, which can only close the card."""
        super().__init__()
        self._card = card
        self._export = export
        self._words = ""
        """What the export said last."""
        self._work = ExportWork(IdleJobs(self.set_interval, self.call_after_refresh), self._show_said, self.say)

    def compose(self) -> ComposeResult:
        yield Static(id="end-title", markup=False)
        with VerticalScroll():
            yield Static(id="end-card", markup=False)
        yield Static(id="end-said", markup=False)

    def on_mount(self) -> None:
        self.on_resize()
        self.query_one(VerticalScroll).focus()

    def on_resize(self) -> None:
        card, (columns, rows) = self._card, self.app.size
        rounds = f"  after {count(card.rounds, 'round')}"
        title = join([plain(f"{card.title}  "), plain(" THE END ", "bold $good reverse"), plain(rounds)])
        self.query_one("#end-title", Static).update(title)
        self.query_one("#end-card", Static).update(
            lines(pieced(row) for row in card_rows(card, columns, is_short=rows < FEW_ROWS))
        )
        self._show_said()

    def say(self, words: str) -> None:
        """Shows what an export came to."""
        self._words = words
        self._show_said()

    def _show_said(self) -> None:
        """The bottom rows: the winner, the hint or what the export says, and the keys."""
        said = self._work.words or self._words or ("" if self._export is None else with_keys(HINT, END_KEYS))
        keys = SEAT_KEYS if self._export is None else KEYS
        rows = [plain(self._card.headline, "bold"), plain(said, "$muted"), plain(with_keys(keys, END_KEYS))]
        self.query_one("#end-said", Static).update(lines(rows))

    def on_key(self, event: events.Key) -> None:
        """No key goes on to the board."""
        event.stop()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A seat can only close the card."""
        return self._export is not None or action not in ("carry_over", "export")

    def action_carry_over(self) -> None:
        self._close(is_over=True)

    def action_close(self) -> None:
        self._close(is_over=False)

    def _close(self, *, is_over: bool) -> None:
        if self.is_active:
            self.dismiss(is_over)

    def action_export(self) -> None:
        if self._export is None:
            return
        try:
            self._work.begin(self._export())
        except BattleboardError as reason:
            self.say(str(reason))
