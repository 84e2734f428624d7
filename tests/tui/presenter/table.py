"""A presenter without a screen: its display keeps what was asked, and a test answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.geometry.squares import Square
from engine.journal.session import Session
from tui.board.glyphs import UNICODE, GlyphSet
from tui.describe.styled_text import TextBuilder
from tui.modals.choice import MenuQuestion, Picked
from tui.panels.line_help import LineHelp
from tui.presenter.key_actions import ACTIONS
from tui.presenter.presenter import Presenter


class TestDisplay:
    """A display of 120 columns that draws nothing."""

    __test__ = False
    width, text_width, sentence_rows = 120, 100, 2
    glyphs: GlyphSet = UNICODE
    keys: Mapping[str, str] = {}

    def __init__(self) -> None:
        self.cursor: Square | None = None
        self.question = ""
        """What is asked; "" for nothing."""
        self.menu: MenuQuestion | None = None
        self.text = ""
        """Title of the text that was opened last."""
        self._answered: Callable[[str], None] | None = None
        self._cancelled: Callable[[], None] | None = None
        self._chosen: Callable[[Picked], None] | None = None

    @property
    def is_asking(self) -> bool:
        return bool(self.question)

    def move_cursor(self, square: Square) -> None:
        self.cursor = square

    def show_all(self) -> None:
        """Draws nothing."""

    def show_cursor(self) -> None:
        """Draws nothing."""

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        help: LineHelp | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        self.question, self._answered, self._cancelled = label, answered, cancelled

    def ask_key(self, label: str, answered: Callable[[str], None]) -> None:
        self.question, self._answered, self._cancelled = label, answered, None

    def has_room_to_ask(self, label: str) -> bool:
        return len(label) <= self.width - 10

    def offer(self, menu: MenuQuestion, chosen: Callable[[Picked], None]) -> None:
        self.menu, self._chosen = menu, chosen

    def open_text(self, title: str, build: TextBuilder) -> None:
        self.text = title

    def edit_terrain(self) -> None:
        self.text = "terrain"

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Has no panels."""

    def begin_tour(self) -> None:
        """Has no tour."""

    def answer(self, text: str) -> None:
        """Types an answer, and Enter."""
        assert self._answered is not None, "nothing is asked"
        answered, self.question, self._answered = self._answered, "", None
        answered(text)

    def cancel(self) -> None:
        """Presses Esc at a question."""
        cancelled, self.question, self._cancelled = self._cancelled, "", None
        if cancelled is not None:
            cancelled()

    def choose(self, label: str, key: str = "", typed: str = "") -> None:
        """Picks the line of the menu that begins with these words; "" for none of them."""
        assert self.menu is not None and self._chosen is not None, "no menu is open"
        found = next((one.id for one in self.menu.choices if label and one.label.startswith(label)), "")
        assert found or not label, [one.label for one in self.menu.choices]
        chosen, self.menu, self._chosen = self._chosen, None, None
        chosen(Picked(found, key, typed))


class Conversation:
    """A presenter and its display, to be played by the names of keys' actions."""

    def __init__(self, session: Session) -> None:
        self.display = TestDisplay()
        self.presenter = Presenter(session, self.display)
        self.presenter.show_all()

    def do(self, action: str, *parameters: Any) -> None:
        """Does what the key of an action does."""
        ACTIONS[action](self.presenter, *parameters)

    @property
    def said(self) -> str:
        """The verdict line."""
        return self.presenter.verdict
