"""Help, generated from the key bindings, so that it cannot be wrong."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Static

from tui.board.view import BoardView
from tui.screens.keys import by_action
from tui.text import fit, join, lines, plain

INTRODUCTION = """\
Capitals are the first side, small letters the others. The unit whose turn it is acts; t aims at an enemy, and the shot
panel says every number that counts, why, and the exact chance. f attacks: Enter rolls, or type what the table's dice
show. Every command is saved before you see it, and U takes it back, all of it."""


class HelpScreen(ModalScreen[None]):
    """Every key of the board and the battle."""

    BINDINGS = [Binding("escape,question_mark,q,enter", "close", "Close", id="help.close")]  # noqa: RUF012

    DEFAULT_CSS = """
    HelpScreen { align: center middle; }
    HelpScreen VerticalScroll {
        width: 90%; max-width: 84; height: auto; max-height: 94%;
        border: round $panel-line; background: $panel-back; padding: 0 1;
    }
    """

    def __init__(self, behind: Screen[None]) -> None:
        super().__init__()
        self._behind = behind

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.border_title = plain("Help")
            box.border_subtitle = plain("Esc closes")
            yield Static(self.text(), markup=False)

    def text(self) -> Content:
        """The introduction, then each group of keys."""
        board = self._behind.query_one(BoardView)
        rows: list[Content | str] = [*INTRODUCTION.splitlines(), ""]
        for title, node in (("Battle", self._behind), ("Board", board)):
            rows.append(plain(title, "bold $panel-title"))
            rows += [_row(" ".join(keys), binding) for keys, binding in by_action(node)]
            rows.append("")
        rows.append(plain("ctrl+p finds any of these by name.", "$muted"))
        return lines(rows)

    def action_close(self) -> None:
        self.dismiss()


def _row(keys: str, binding: Binding) -> Content:
    said = binding.tooltip or ""
    return join([plain(f"{fit(keys, 14)} ", "bold"), plain(fit(binding.description, 16)), " ", plain(said, "$muted")])
