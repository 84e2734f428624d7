"""Tour of the screen: steps that each name a key and wait for that action.

It has its own rows above the verdict. Esc clears what is shown, as ever; a second Esc ends the tour.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from textual.screen import Screen
from textual.widgets import Static

from engine.geometry.squares import Square
from tui.application.describe.text_layout import wrap
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import SHEET_KEYS
from tui.application.presenter.presenter import Presenter
from tui.view.modals.text_modal import TextModal
from tui.view.panels.styled_text import lines, plain

EVERY_S = 0.1
"""Seconds between checks of the step."""
ROWS = 2
ONCE_MORE = "{battle.cancel} once more ends the tour; any other key continues it."
OVER = "The tour is over. {battle.line} and the command “tour” start it again."


class TourState(Struct, frozen=True):
    """State at the start of a step, to compare with."""

    cursor: Square
    target: str
    overlay: str
    at: Square | None
    active: str
    commands: int
    is_asking: bool
    is_reading: bool


class TourStep(Struct, frozen=True):
    """A step; {battle.fire} in its text stands for the key."""

    says: str
    is_done: Callable[[TourState, TourState], bool]
    """Whether the step is done, from the states before and now."""
    is_lost: Callable[[TourState], bool] = lambda _: False
    """Whether the previous step must be repeated."""


STEPS = (
    TourStep(
        "This tour takes two minutes; {battle.cancel} twice ends it. Press {board.right}: the cursor moves, and the "
        "line below describes the square.",
        lambda before, now: now.cursor != before.cursor,
    ),
    TourStep(
        "Press {battle.next_target} to aim at the nearest enemy. The Shot panel lists every modifier and its reason.",
        lambda _, now: bool(now.target),
    ),
    TourStep(
        "Press {battle.receipt} for the details: the source of every number. {sheet.close} closes it.",
        lambda _, now: now.is_reading,
    ),
    TourStep(
        "Press {battle.fire} to attack. No dice are rolled until you confirm.",
        lambda _, now: now.is_asking and not now.is_reading,
    ),
    TourStep(
        "Press Enter to let the program roll, or type the dice you rolled at the table and press Enter.",
        lambda before, now: now.commands > before.commands and not now.is_asking,
        lambda now: not now.is_asking,
    ),
    TourStep(
        "Press {battle.undo} to undo the attack. Every command is saved at once, and you can undo all of them.",
        lambda before, now: now.commands < before.commands,
    ),
    TourStep(
        "Press {battle.move} to highlight the squares in reach.",
        lambda _, now: now.overlay == "reach",
    ),
    TourStep(
        "Move the cursor to a highlighted square with {board.left} {board.down} {board.up} {board.right}; the line "
        "below shows the cost of the path. Press {battle.move} again to move.",
        lambda before, now: now.at != before.at,
        lambda now: now.overlay != "reach",
    ),
    TourStep(
        "Press {battle.overlay}, then 2, to show what the unit sees. The same menu has range bands and scatter.",
        lambda _, now: now.overlay == "sight",
    ),
    TourStep(
        "Press {battle.end_turn} to end the turn; the next unit in the turn order acts.",
        lambda before, now: now.active != before.active,
    ),
    TourStep(
        "You have attacked, moved and ended a turn. {battle.help} lists every key, {battle.line} takes typed "
        "commands, {battle.settings} changes the theme. {battle.cancel} ends the tour.",
        lambda _, __: False,
    ),
)


class Tour:
    """A running tour on a screen."""

    def __init__(self, screen: Screen[None], presenter: Presenter) -> None:
        self.screen = screen
        self.presenter = presenter
        self.place = 0
        self.before = self._seen()
        self._timer = screen.set_interval(EVERY_S, self.update_step)
        self.show()

    def update_step(self) -> None:
        """Goes to the next step if this one is done, or to the previous one if it is lost."""
        now, step = self._seen(), STEPS[self.place]
        if step.is_done(self.before, now):
            self._go(1, now)
        elif step.is_lost(now):
            self._go(-1, now)

    def _go(self, steps: int, now: TourState) -> None:
        self.place, self.before = self.place + steps, now
        self.show()

    @property
    def is_last(self) -> bool:
        """Whether this is the last step."""
        return self.place == len(STEPS) - 1

    def show(self) -> None:
        """Shows the step."""
        bar = self.screen.query_one("#tour", Static)
        said = with_keys(STEPS[self.place].says, SHEET_KEYS)
        rows = wrap(f"Tour {self.place + 1}/{len(STEPS)}: {said}", self.screen.size.width - 2)
        bar.styles.height = max(ROWS, len(rows))
        bar.update(lines(plain(f" {row}") for row in rows))
        bar.display = True

    def end(self) -> None:
        """Stops and hides the tour."""
        self._timer.stop()
        self.screen.query_one("#tour").display = False

    def _seen(self) -> TourState:
        """The present state."""
        focus, session = self.presenter.focus, self.presenter.session
        unit = session.battle.units.get(session.battle.turns.active)
        return TourState(
            cursor=focus.cursor,
            target=focus.target,
            overlay=focus.overlay,
            at=unit.at if unit else None,
            active=session.battle.turns.active,
            commands=len(session.history.steps()),
            is_asking=self.presenter.display.is_asking,
            is_reading=isinstance(self.screen.app.screen, TextModal),
        )
