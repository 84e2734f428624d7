"""Display protocol: what a screen offers the presenter: questions, menus, texts, and redrawing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from engine.geometry.squares import Square
from engine.journal.session import Session
from tui.application.describe.glyphs import GlyphSet
from tui.application.prompts.choice import MenuQuestion, Picked
from tui.application.prompts.line_help import LineHelp

if TYPE_CHECKING:
    from tui.application.exports.end_card import EndCard
    from tui.application.library.finished_battles import Accepted, ChangedCharacter
    from tui.application.terminal.jobs import Job

Pieces = tuple[tuple[str, str], ...]
"""A row in several styles: each piece and its style, "" for the usual one."""
Keys = Sequence[tuple[str, str]]
"""Keys, each with what it does."""
RowsBuilder = Callable[[int], Sequence[str | Pieces]]
"""What makes the rows of a text for so many columns."""


class Display(Protocol):
    """A screen with a board, panels and one prompt."""

    @property
    def width(self) -> int:
        """Columns of the terminal."""

    @property
    def text_width(self) -> int:
        """Columns of a text modal."""

    @property
    def sentence_rows(self) -> int:
        """Rows of the verdict."""

    @property
    def glyphs(self) -> GlyphSet:
        """The board's signs."""

    @property
    def cursor(self) -> Square | None:
        """The board's cursor; None before there is a board."""

    @property
    def shown(self) -> tuple[Square, Square] | None:
        """The first and the last square on the screen, which may be off the map; None for the whole map."""

    @property
    def is_asking(self) -> bool:
        """Whether a question is open."""

    def move_cursor(self, square: Square) -> None:
        """Moves the board's cursor."""

    def show_all(self) -> None:
        """Redraws everything."""

    def show_cursor(self) -> None:
        """Redraws what depends on the cursor."""

    def show_later(self, show: Callable[[], None]) -> None:
        """Calls `show` when the present change is painted, unless another takes its place before that."""

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        help: LineHelp | None = None,
        cancelled: Callable[[], None] | None = None,
        warning: str = "",
        back: Callable[[int], None] | None = None,
        prompt: str = "",
        keys: Keys = (),
    ) -> None:
        """Asks for a line; Enter calls `answered` with it, Esc calls `cancelled`.

        Where there is a `warning` the first Esc says it. Backspace in an empty line goes `back` to the question before,
        -1, and a click to any of them. With a `prompt` that stands before the line, the question in the row above and
        the `keys` below.
        """

    def ask_key(self, label: str, answered: Callable[[str], None]) -> None:
        """Asks a reaction prompt."""

    def has_room_to_ask(self, label: str) -> bool:
        """Whether a question fits."""

    def offer(self, menu: MenuQuestion, chosen: Callable[[Picked], None]) -> None:
        """Opens a menu; `chosen` gets the answer."""

    def open_text(self, title: str, build: RowsBuilder, more: RowsBuilder | None = None) -> None:
        """Opens a text modal; `build` makes its rows for a width, `more` those that Enter shows instead."""

    def show_end_card(self, card: EndCard, export: Callable[[], Job[str]], carry_over: Callable[[], None]) -> None:
        """Shows the end card: one key calls `carry_over`, another works on the job of `export`, Esc closes it."""

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        """Asks which changes of characters their files keep; `chosen` gets the accepted ones."""

    def export(self, job: Job[str]) -> None:
        """Works on an export between keys, and says its words at the end."""

    def cancel_export(self) -> bool:
        """Cancels the export that is under way; whether there is one."""

    def save_picture(self, name: str) -> None:
        """Writes a picture of the screen into a new file, and says where; "" for the battle's name."""

    def edit_terrain(self) -> None:
        """Opens the terrain editor."""

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Shows or hides a panel, and remembers it."""

    def begin_tour(self) -> None:
        """Starts the tour."""

    def show_battle(self, session: Session) -> None:
        """Goes on in another battle; the present one is closed."""
