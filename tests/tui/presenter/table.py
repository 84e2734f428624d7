"""A presenter without a screen: its display keeps what was asked, and a test answers."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engine.battle.events import Event
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.generators import result_of
from engine.geometry.squares import Square, parse_square
from engine.journal.session import Session
from tui.application.describe.glyphs import UNICODE, GlyphSet
from tui.application.exports.end_card import EndCard
from tui.application.keys.battle_keys import BATTLE_KEYS
from tui.application.keys.bindings import LATER, REACTION_KEYS
from tui.application.keys.key import Key
from tui.application.library.finished_battles import Accepted, ChangedCharacter
from tui.application.presenter.display import Keys, Pieces, RowsBuilder
from tui.application.presenter.key_actions import ACTIONS
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import (
    Choice,
    MenuQuestion,
    Picked,
    key_place,
    keys_for,
    narrowed,
    numbers_for,
    split_count,
)
from tui.application.prompts.line_help import LineHelp
from tui.application.terminal.jobs import Job

Kind = TypeVar("Kind", bound=Event)
CHARACTERS = {"minus": "-", "plus": "+", "apostrophe": "'", "space": " ", "full_stop": ".", "slash": "/", "colon": ":"}
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def _action_of(key: str) -> tuple[str, tuple[Any, ...]]:
    """The action of a key on the board, with its parameters."""
    found = next(binding.action for binding in BATTLE_KEYS if key in binding.key.split(","))
    name, _, given = found.partition("(")
    return name, ast.literal_eval(f"({given.removesuffix(')')},)") if given else ()


def _answer_of(key: str, bindings: Sequence[Key]) -> str:
    """The answer that a key of a reaction gives."""
    found = next(binding.action for binding in bindings if key in binding.key.split(","))
    return found.partition("'")[2].removesuffix("')")


def said(row: str | Pieces) -> str:
    """The text of a row, in whatever styles."""
    return row if isinstance(row, str) else "".join(text for text, _ in row)


class TestDisplay:
    """A display that draws nothing."""

    __test__ = False
    text_width, sentence_rows = 100, 2
    glyphs: GlyphSet = UNICODE

    def __init__(self, width: int = 120) -> None:
        self.width = width
        self.cursor: Square | None = None
        self.shown: tuple[Square, Square] | None = None
        self.question = ""
        """What is asked; "" for nothing."""
        self.value = ""
        """What stands in the question's line already."""
        self.adds = False
        """Whether what is typed is added to it; else it replaces it."""
        self.takes_a_key = False
        """Whether it is a question for a key of a reaction."""
        self.menu: MenuQuestion | None = None
        self.text = ""
        """Title of the text that was opened last."""
        self.rows: list[str] = []
        """Its rows."""
        self._answered: Callable[[str], None] | None = None
        self._cancelled: Callable[[], None] | None = None
        self._chosen: Callable[[Picked], None] | None = None
        self._later: Callable[[], None] | None = None

    @property
    def is_asking(self) -> bool:
        return bool(self.question)

    def move_cursor(self, square: Square) -> None:
        self.cursor = square

    def show_all(self) -> None:
        """Draws nothing."""

    def show_cursor(self) -> None:
        """Draws nothing."""

    def show_later(self, show: Callable[[], None]) -> None:
        self._later = show

    def paint(self) -> None:
        """Shows what waits for the next frame."""
        if (show := self._later) is not None:
            self._later = None
            show()

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
        self.prompt, self.keys = prompt, keys
        self.question, self._answered, self._cancelled = label, answered, cancelled
        self.warning, self.back = warning, back
        self.value, self.adds, self.takes_a_key = value, help is not None or value.endswith(" "), False

    def ask_key(self, label: str, answered: Callable[[str], None]) -> None:
        self.question, self._answered, self._cancelled = label, answered, None
        self.takes_a_key = True

    def has_room_to_ask(self, label: str) -> bool:
        return len(label) <= self.width - 10

    def offer(self, menu: MenuQuestion, chosen: Callable[[Picked], None]) -> None:
        self.menu, self._chosen = menu, chosen

    def open_text(self, title: str, build: RowsBuilder, more: RowsBuilder | None = None) -> None:
        self.text, self.rows = title, [said(row).strip() for row in build(self.text_width)]
        self.details = [said(row).strip() for row in more(self.text_width)] if more else []

    def show_end_card(self, card: EndCard, export: Callable[[], Job[str]], carry_over: Callable[[], None]) -> None:
        self.end_card, self.end_export, self.carry_over = card, export, carry_over

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        self.changed, self.changes_chosen = changed, chosen

    def export(self, job: Job[str]) -> None:
        self.text = result_of(job)

    def cancel_export(self) -> bool:
        return False

    def edit_terrain(self) -> None:
        self.text = "terrain"

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Has no panels."""

    def show_battle(self, session: Session) -> None:
        self.battles = [*getattr(self, "battles", []), session]

    def begin_tour(self) -> None:
        """Has no tour."""

    def answer(self, text: str) -> None:
        """Types an answer, and Enter; or gives the answer of a reaction's key."""
        assert self._answered is not None, "nothing is asked"
        answered, self.question, self._answered = self._answered, "", None
        answered(text)

    def cancel(self) -> None:
        """Presses Esc at a question or menu."""
        if self.menu is not None:
            self.choose("")
            return
        if self.takes_a_key:
            self.answer(LATER)
            return
        cancelled, self.question, self._cancelled = self._cancelled, "", None
        if cancelled is not None:
            cancelled()

    def line(self, name: str) -> Choice:
        """The line of the menu with that id, or that begins with these words."""
        assert self.menu is not None, "no menu is open"
        choices = self.menu.choices
        found = [one for one in choices if one.id == name] or [one for one in choices if one.label.startswith(name)]
        assert found, [one.label for one in choices]
        return found[0]

    def choose(self, *names: str, key: str = "", typed: str = "") -> None:
        """Picks a line of each menu that opens; "" for none of them."""
        for name in names:
            found = self.line(name) if name else None
            assert self._chosen is not None and not (found and found.reason), found
            chosen, self.menu, self._chosen = self._chosen, None, None
            chosen(Picked(found.id if found else "", key, typed))


class Conversation:
    """A presenter and its display, to be played by the names of keys' actions."""

    def __init__(self, session: Session, width: int = 120) -> None:
        self.display = TestDisplay(width)
        self.presenter = Presenter(session, self.display)
        self.presenter.show_all()

    typed = ""
    """What `press` has typed into the question so far."""

    def do(self, action: str, *parameters: Any) -> None:
        """Does what the key of an action does."""
        if self.display.menu is not None and self.display.menu.is_passing:
            self.display.cancel()
        assert not self.display.is_asking and self.display.menu is None, self.display.question or self.display.menu
        ACTIONS[action](self.presenter, *parameters)

    @property
    def said(self) -> str:
        """The verdict line."""
        return self.presenter.verdict

    def answer(self, *texts: str) -> None:
        """Answers one question after another."""
        for text in texts:
            self.display.answer(text)

    def roll_the_rest(self) -> None:
        """Presses Enter until nothing is asked."""
        while self.display.is_asking:
            self.display.answer("")

    def choose(self, action: str, *names: str) -> None:
        """Opens a menu with the key of an action, and picks a line of it and of those that follow."""
        self.do(action)
        self.display.choose(*names)

    def line(self, text: str) -> None:
        """Types a command in words; a refused one before it is dropped."""
        if self.asked == ":":
            self.display.cancel()
        self.do("line")
        self.display.answer(text)

    def point(self, name: str) -> None:
        """Moves the cursor to a square."""
        self.display.cursor = parse_square(name)
        self.presenter.cursor_moved(self.display.cursor)

    def press(self, *keys: str) -> None:
        """Presses keys by Textual's names, with what the board, its questions and its menus do with them."""
        for key in keys:
            character = CHARACTERS.get(key, key)
            menu = self.display.menu
            if menu is not None and menu.narrows:
                number, letters = split_count(self.typed) if menu.counts else ("", self.typed)
                found = narrowed(menu.choices, letters)
                if key == "enter":
                    self.typed = ""
                    self.display.choose(found[0].id, typed=number)
                else:
                    self.typed += character
            elif menu is not None and menu.is_passing and character in numbers_for(menu.choices):
                self.display.choose(menu.choices[int(character) - 1].id)
            elif menu is not None and not menu.is_passing:
                assert key != "enter", "a menu's key chooses"
                place = key_place(character, keys_for(menu.choices, menu.more_keys), is_by_letter=menu.is_by_letter)
                assert place is not None, f"no item has the key {key}: {[one.label for one in menu.choices]}"
                self.display.choose(menu.choices[place].id)
            elif self.display.takes_a_key and self.display.is_asking:
                self.display.answer(_answer_of(key, REACTION_KEYS))
            elif self.display.is_asking:
                if key == "enter":
                    begun = self.display.value if self.display.adds or not self.typed else ""
                    self.typed, text = "", begun + self.typed
                    self.display.answer(text)
                else:
                    self.typed += character
            elif menu is not None and key in ("escape", "enter"):
                self.display.cancel()
            elif key == "escape":
                self.presenter.cancel()
            elif key in ARROWS:
                self.step(*ARROWS[key])
            else:
                name, parameters = _action_of(key)
                self.do(name, *parameters)

    def step(self, columns: int, rows: int = 0) -> None:
        """Moves the cursor by so many squares."""
        here = self.presenter.focus.cursor
        self.point(Square(here.column + columns, here.row + rows).name)

    @property
    def asked(self) -> str:
        """What is asked; "" for nothing."""
        return self.display.question

    @property
    def battle(self) -> Battle:
        return self.presenter.session.battle

    def unit(self, unit: str) -> Unit:
        return self.battle.units[unit]

    def last(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind that the last command came to."""
        done = self.presenter.session.history.done
        return [event for event in (done.events if done else ()) if isinstance(event, kind)]

    def every(self, kind: type[Kind]) -> list[Kind]:
        """The events of a kind in the whole battle."""
        steps = self.presenter.session.history.steps()
        return [event for step in steps for event in step.events if isinstance(event, kind)]
