"""The tour: a few steps on the board, each says what to press and waits for that very act.

It has rows of its own above the verdict, so that it hides nothing. Esc clears what is shaded, and ends the tour where
nothing is.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from textual.screen import Screen
from textual.widgets import Static

from engine.geometry.squares import Square
from tui.describe.styled_text import lines, plain, wrap
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import SHEET_KEYS
from tui.modals.text_modal import TextModal
from tui.presenter.presenter import Presenter

EVERY_S = 0.1
"""How often the tour looks whether its step is done."""
ROWS = 2
OVER = "The tour is over; {battle.line} and the word “tour” begin it again."


class TourState(Struct, frozen=True):
    """What the tour compares with: how things stood when a step began."""

    cursor: Square
    target: str
    shading: str
    at: Square | None
    active: str
    commands: int
    is_asking: bool
    is_reading: bool


class TourStep(Struct, frozen=True):
    """One step; {battle.fire} stands for the key that does it."""

    says: str
    is_done: Callable[[TourState, TourState], bool]
    """From how it was, and how it is, whether the act was done."""
    is_lost: Callable[[TourState], bool] = lambda _: False
    """Whether the step before must be done again."""


STEPS = (
    TourStep(
        "A tour of two minutes; {battle.cancel} ends it. Press {board.right}: the cursor moves, and the line "
        "below says what is there.",
        lambda before, now: now.cursor != before.cursor,
    ),
    TourStep(
        "Press {battle.next_target} to aim at the nearest enemy. The shot panel has every number that counts, and why.",
        lambda _, now: bool(now.target),
    ),
    TourStep(
        "Press {battle.receipt} for the whole receipt: where each number comes from. {sheet.close} closes it.",
        lambda _, now: now.is_reading,
    ),
    TourStep(
        "Press {battle.fire} to attack. Nothing is rolled before you say so.",
        lambda _, now: now.is_asking and not now.is_reading,
    ),
    TourStep(
        "Press Enter and the program rolls; or type what the dice on the table show, then Enter.",
        lambda before, now: now.commands > before.commands and not now.is_asking,
        lambda now: not now.is_asking,
    ),
    TourStep(
        "Press {battle.undo}: the attack is taken back, all of it. Everything is saved at once and can be undone.",
        lambda before, now: now.commands < before.commands,
    ),
    TourStep(
        "Press {battle.move}: the shaded squares are those in reach.",
        lambda _, now: now.shading == "reach",
    ),
    TourStep(
        "Go to one of them with {board.left} {board.down} {board.up} {board.right}; the line below says what the way "
        "costs. {battle.move} again moves.",
        lambda before, now: now.at != before.at,
        lambda now: now.shading != "reach",
    ),
    TourStep(
        "Press {battle.shade}, then 1: the weapon's range bands lie on the ground. That list has sight and cover, too.",
        lambda _, now: now.shading == "range",
    ),
    TourStep(
        "Press {battle.end_turn} to end the turn; the next unit in the order acts.",
        lambda before, now: now.active != before.active,
    ),
    TourStep(
        "That is a turn. {battle.help} lists every key, {battle.line} takes plain words, {battle.settings} changes the "
        "look. {battle.cancel} ends the tour.",
        lambda _, __: False,
    ),
)


class Tour:
    """Where a tour stands on a screen."""

    def __init__(self, screen: Screen[None], presenter: Presenter) -> None:
        self.screen = screen
        self.presenter = presenter
        self.place = 0
        self.before = self._seen()
        self._timer = screen.set_interval(EVERY_S, self.look)
        self.show()

    def look(self) -> None:
        """Goes on when the step is done, and back when it can no longer be."""
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
        """Whether nothing is left to do."""
        return self.place == len(STEPS) - 1

    def show(self) -> None:
        """Says the step."""
        bar = self.screen.query_one("#tour", Static)
        said = with_keys(STEPS[self.place].says, SHEET_KEYS)
        rows = wrap(f"Tour {self.place + 1}/{len(STEPS)}: {said}", self.screen.size.width - 2)
        bar.styles.height = max(ROWS, len(rows))
        bar.update(lines(plain(f" {row}") for row in rows))
        bar.display = True

    def end(self) -> None:
        """Leaves the board to the Game Master."""
        self._timer.stop()
        self.screen.query_one("#tour").display = False

    def _seen(self) -> TourState:
        """How things stand now."""
        focus, session = self.presenter.focus, self.presenter.session
        unit = session.battle.units.get(session.battle.turns.active)
        return TourState(
            cursor=focus.cursor,
            target=focus.target,
            shading=focus.shading,
            at=unit.at if unit else None,
            active=session.battle.turns.active,
            commands=len(session.history.steps()),
            is_asking=self.presenter.display.is_asking,
            is_reading=isinstance(self.screen.app.screen, TextModal),
        )
