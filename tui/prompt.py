"""The line at the bottom: a verdict in one sentence, or a question with room to type the answer."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.widgets import Input, Static

from tui.text import plain

Answer = Callable[[str], None]


class Question(Input):
    """A one-line answer. Escape gives up; nothing blinks."""

    BINDINGS = [Binding("escape", "give_up", "Give up", id="prompt.give_up", show=False)]  # noqa: RUF012 - Textual's way

    def action_give_up(self) -> None:
        bar = self.query_ancestor(PromptBar)
        bar.close()


class PromptBar(Horizontal):
    """Asks one thing at a time; hidden while nothing is asked."""

    DEFAULT_CSS = """
    PromptBar { height: 1; display: none; background: $prompt-back; }
    PromptBar.-asking { display: block; }
    PromptBar Static { width: auto; max-width: 75%; height: 1; text-style: bold; }
    PromptBar Question { width: 1fr; height: 1; border: none; padding: 0 1; background: $prompt-back; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._answer: Answer | None = None

    def compose(self) -> ComposeResult:
        yield Static(markup=False)
        question = Question(compact=True, select_on_focus=False)
        question.cursor_blink = False
        yield question

    def ask(self, label: str, answer: Answer, value: str = "") -> None:
        """Shows the question; `answer` gets what is typed when Enter is pressed."""
        self._answer = answer
        self.query_one(Static).update(plain(f" {label} "))
        question = self.query_one(Question)
        question.value = value
        question.cursor_position = len(value)
        self.add_class("-asking")
        question.focus()

    @property
    def is_asking(self) -> bool:
        return self.has_class("-asking")

    def close(self) -> None:
        """Asks no more; the board has the keys again."""
        self._answer = None
        self.remove_class("-asking")
        self.screen.set_focus(self.screen.query_one("#board"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        answer, self._answer = self._answer, None
        self.close()
        if answer is not None:
            answer(event.value.strip())

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
