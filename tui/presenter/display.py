"""What the presenter asks of the screen that shows it: questions, menus, texts, and to be drawn again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from engine.geometry.squares import Square
from tui.board.glyphs import GlyphSet
from tui.describe.styled_text import TextBuilder
from tui.modals.choice import MenuQuestion, Picked
from tui.panels.line_help import LineHelp


class Display(Protocol):
    """A screen with a board, panels and one line for questions."""

    @property
    def width(self) -> int:
        """Columns of the terminal."""

    @property
    def text_width(self) -> int:
        """Columns of a text that is opened over the screen."""

    @property
    def sentence_rows(self) -> int:
        """Rows for what is said."""

    @property
    def glyphs(self) -> GlyphSet:
        """The board's signs."""

    @property
    def cursor(self) -> Square | None:
        """Where the board's cursor is; None before there is a board."""

    @property
    def is_asking(self) -> bool:
        """Whether a question waits for its answer."""

    @property
    def keys(self) -> Mapping[str, str]:
        """The first key of each action, as people read it."""

    def move_cursor(self, square: Square) -> None:
        """Puts the board's cursor on a square."""

    def show_all(self) -> None:
        """Draws everything again."""

    def show_cursor(self) -> None:
        """Draws again what follows the cursor."""

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        help: LineHelp | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Asks for a line; `answered` gets it when Enter is pressed, `cancelled` is called for Esc."""

    def ask_key(self, label: str, answered: Callable[[str], None]) -> None:
        """Asks for one key of a reaction."""

    def has_room_to_ask(self, label: str) -> bool:
        """Whether a question is shown whole."""

    def offer(self, menu: MenuQuestion, chosen: Callable[[Picked], None]) -> None:
        """Opens a menu; `chosen` gets what was picked."""

    def open_text(self, title: str, build: TextBuilder) -> None:
        """Opens a text over the screen, built for a width."""

    def edit_terrain(self) -> None:
        """Opens the terrain editor."""

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Shows or hides a panel from now on."""

    def begin_tour(self) -> None:
        """Begins the tour, from its first step."""
