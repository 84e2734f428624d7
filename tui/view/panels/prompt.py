"""Prompt bar: one question at a time, with a typed answer or one key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen, ScreenResultType
from textual.suggester import Suggester
from textual.widgets import Input, Static

from engine.text import cells
from tui.application.keys.bindings import REACTION_KEYS, REPEAT
from tui.application.prompts.line_help import LineHelp
from tui.view.keys.bound_keys import bind
from tui.view.panels.styled_text import join, plain

Answer = Callable[[str], None]


ROOM_TO_ANSWER = 10
"""Columns left for the typed answer; a longer one scrolls."""
HAS_KEYS = "-keys-below"
"""The class of a screen while the keys of a question stand below it: what is said above it has a row less."""
ANSWER_KEYS = "Enter answers, Esc cancels"


def cut(label: str, most_cells: int) -> str:
    """A question that is too long, cut after a whole word.

    >>> cut("Damage to all that are marked, as 5 or 5 and a pool:", 32)
    'Damage to all that are marked, …'
    """
    if cells(label) <= most_cells:
        return label
    words = label.split(" ")
    cuts = [f"{' '.join(words[:count])} …" for count in range(len(words) - 1, 0, -1)]
    return next((one for one in cuts if cells(one) <= most_cells), cuts[-1] if cuts else label)


class LineSuggester(Suggester):
    """Suggests what the help of the line does; the right arrow takes it."""

    def __init__(self, bar: PromptBar) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._bar = bar

    async def get_suggestion(self, value: str) -> str | None:
        """The first completion of the line."""
        help = self._bar.line_help
        return help.suggest(value) or None if help is not None else None


class PromptInput(Input):
    """Input of one line without a blinking cursor. It handles Enter and Escape in order with the other keys."""

    async def _on_key(self, event: events.Key) -> None:
        bar = self.query_ancestor(PromptBar)
        taken: dict[str, Callable[[], None]] = {"enter": partial(bar.answer, self.value.strip()), "escape": bar.escape}
        taken |= dict.fromkeys(("tab", "shift+tab", "up", "down"), partial(bar.help, event.key))
        if bar.back is not None and not self.value:
            taken |= dict.fromkeys(("up", "backspace"), bar.go_back)
        if event.key != "escape":
            bar.go_on()
        if event.key in taken:  # the question keeps the keys until it is answered
            event.stop()
            event.prevent_default()
            taken[event.key]()
        else:
            await super()._on_key(event)

    def watch_value(self, value: str) -> None:
        self.query_ancestor(PromptBar).follow(value)


class PromptLabel(Static):
    """Label of the question. For a question answered by one key it takes the keys; any other repeats the question."""

    BINDINGS = bind(REACTION_KEYS)

    def action_answer(self, answer: str) -> None:
        self.query_ancestor(PromptBar).answer(answer)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self.can_focus

    async def _on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        self.query_ancestor(PromptBar).answer(REPEAT)


class PromptScreen(Screen[ScreenResultType]):
    """A screen with a prompt, whose keys wait while a question is open."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key before the screen is composed, and none while a question is open."""
        return any(not bar.is_asking for bar in self.query(PromptBar))


class PromptBar(Vertical):
    """Bar for one question at a time; hidden otherwise."""

    DEFAULT_CSS = """
    PromptBar { height: auto; display: none; background: $prompt-back; }
    PromptBar Horizontal { height: 1; }
    PromptBar Static { width: auto; height: 1; text-style: bold; }
    PromptBar #answer-keys { width: 100%; text-style: none; background: $bar-back; }
    PromptBar PromptInput { width: 1fr; height: 1; border: none; padding: 0 1; background: $prompt-back; }
    """

    def __init__(self, id: str | None = None) -> None:
        super().__init__(id=id)
        self._answer: Answer | None = None
        self.line_help: LineHelp | None = None
        """Help with the line that is asked for; None where none is."""
        self._cancelled: Callable[[], None] | None = None
        self._typing: Answer | None = None
        """Gets the text at every key; None where nothing follows it."""
        self.back: Callable[[int], None] | None = None
        """Asks a question before this one again, -1 for the last; None where there is none."""
        self._warning = ""
        """What the first Esc says, for another to cancel; "" where the first one does."""
        self._is_warned = False
        self._label = ""
        """The question that is asked."""
        self._answered: str | None = None
        """The answer that is being taken: a question that begins with it has refused it."""

    def compose(self) -> ComposeResult:
        question = PromptInput(compact=True, select_on_focus=False, suggester=LineSuggester(self))
        question.cursor_blink = False
        with Horizontal():
            yield PromptLabel(markup=False)
            yield question
        yield Static(id="answer-keys", markup=False)

    @property
    def _room(self) -> int:
        """Columns for the question."""
        return self.app.size.width - ROOM_TO_ANSWER

    def has_room(self, label: str) -> bool:
        """Whether a question fits."""
        return cells(label) <= self._room

    def ask(
        self,
        label: str,
        answer: Answer,
        value: str = "",
        help: LineHelp | None = None,
        cancelled: Callable[[], None] | None = None,
        typing: Answer | None = None,
        warning: str = "",
        back: Callable[[int], None] | None = None,
        keys: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Shows a question; Enter calls `answer` with the typed text, Esc calls `cancelled`.

        Args:
            label: the question.
            answer: gets the typed text.
            value: what stands there at first. It is selected, so that typing replaces it and an arrow keeps it; but one
                adds to a line with help that was not refused, and to a value that ends in a blank.
            help: completes the line and recalls earlier ones.
            cancelled: called on Esc.
            typing: gets the text at every key.
            warning: what the first Esc says, for another to cancel; "" where the first one does.
            back: asks a question before this one again; Backspace in an empty line the last, -1.
            keys: that answer it, each with what it does, for a row below it; none where the question says them.
        """
        self._answer, self.line_help, self._cancelled, self._typing = answer, help, cancelled, None
        self._warning, self.back, self._is_warned = warning, back, False
        self._fill(value)
        is_refused = value == self._answered
        if value and (is_refused or (help is None and not value.endswith(" "))):
            self.query_one(PromptInput).select_all()
        self._typing, self._label = typing, label
        self._begin(f" {cut(label, self._room)} ", is_typed=True, keys=keys)

    def follow(self, value: str) -> None:
        """Passes on what is typed, where the question asks for that."""
        if self._typing is not None:
            self._typing(value)

    def ask_key(self, label: str, answer: Answer) -> None:
        """Shows a question that one of REACTION_KEYS answers; `answer` gets its name, and REPEAT of others."""
        self._answer, self.line_help, self._cancelled, self._typing = answer, None, None, None
        self.back = None
        self._begin(f" {label}", is_typed=False)

    def _begin(self, shown: str, *, is_typed: bool, keys: Sequence[tuple[str, str]] = ()) -> None:
        label, question = self.query_one(PromptLabel), self.query_one(PromptInput)
        label.update(plain(shown))
        label.can_focus, question.display = not is_typed, is_typed
        below = self.query_one("#answer-keys", Static)
        below.display = bool(keys)
        below.update(join([part for key, words in keys for part in (plain(f" {key}"), plain(f" {words} ", "$muted"))]))
        self.screen.set_class(bool(keys), HAS_KEYS)
        self._show(True)
        self.keep_keys()

    def help(self, key: str) -> None:
        """Completes the line, or recalls an earlier one; without either it says which keys answer."""
        if self.line_help is None:
            explained = f"{self._label} ({ANSWER_KEYS})"
            shown = explained if self.has_room(explained) else ANSWER_KEYS
            self.query_one(PromptLabel).update(plain(f" {shown}: "))
            return
        if key in ("tab", "shift+tab"):
            self._fill(self.line_help.complete(self.query_one(PromptInput).value))
            return
        if not (typed := self.line_help.typed):
            return
        self.line_help.back = max(0, min(len(typed), self.line_help.back + (1 if key == "up" else -1)))
        self._fill(typed[-self.line_help.back] if self.line_help.back else "")

    def escape(self) -> None:
        """Cancels the question, or says first what would be lost."""
        if self._warning and not self._is_warned:
            self._is_warned = True
            self.query_one(PromptLabel).update(plain(f" {cut(self._warning, self._room)} "))
        else:
            self.answer(None)

    def go_on(self) -> None:
        """Asks the question again after a warning."""
        if self._is_warned:
            self._is_warned = False
            self.query_one(PromptLabel).update(plain(f" {cut(self._label, self._room)} "))

    def go_back(self, question: int = -1) -> None:
        """Leaves the question for one before it, -1 for the last."""
        if (back := self.back) is not None:
            self.close()
            back(question)

    def _fill(self, value: str) -> None:
        question = self.query_one(PromptInput)
        question.value = value
        question.cursor_position = len(value)

    def _show(self, is_asking: bool) -> None:
        """Shows the question in place of the footer, or hides it."""
        self.display = is_asking
        self.screen.query_one("#keys").display = not is_asking

    @property
    def is_asking(self) -> bool:
        return self.display

    def allows(self, action: str) -> bool:
        """Whether the screen may run the action of a key: the receipt does not end a question that a key answers."""
        return not self.is_asking or (action == "receipt" and self.query_one(PromptLabel).can_focus)

    def keep_keys(self) -> None:
        """Gives the question the focus, whatever a click has focused.

        Done at once, not through the message queue: the answer may be in the same burst of keys.
        """
        label = self.query_one(PromptLabel)
        self.screen.set_focus(label if label.can_focus else self.query_one(PromptInput))

    def close(self) -> None:
        """Hides the question and gives the board the focus."""
        self._answer = self._typing = self.back = None
        self.screen.remove_class(HAS_KEYS)
        self._show(False)
        self.screen.set_focus(self.screen.query_one("#board"))

    def answer(self, text: str | None) -> None:
        """Handles the answer; None if cancelled."""
        answer, cancelled, self._answer, self._cancelled = self._answer, self._cancelled, None, None
        self.close()
        if answer is not None and text is not None:
            self._answered = text
            try:
                answer(text)
            finally:
                self._answered = None
        elif text is None and cancelled is not None:
            cancelled()
