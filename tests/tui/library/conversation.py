"""The library without a screen: its display keeps what was asked and opened, and a test presses keys."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from pathlib import Path

from engine.battle.state.characters import Character
from engine.generators import result_of
from engine.journal.session import Session
from engine.rules.model import Ruleset
from tui.application.keys.bindings import LIBRARY_KEYS
from tui.application.library.battle_list import Entry
from tui.application.library.character_files import Party
from tui.application.library.finished_battles import Accepted, ChangedCharacter
from tui.application.library.library_actions import ACTIONS
from tui.application.library.library_presenter import LibraryPresenter
from tui.application.prompts.choice import Choice, key_place, keys_for
from tui.application.terminal.jobs import Job
from tui.view.library.library_list import Shelf, shelf_text


class LibraryConversation:
    """A library and its display, played by keys in Textual's names; a text of several letters is typed."""

    def __init__(self, session: Session | None = None) -> None:
        self.question, self.value = "", ""
        """What is asked, "" for nothing, and what stands in its line."""
        self.choices: Sequence[Choice] = ()
        """The lines of the open menu."""
        self.battles: list[Session] = []
        """Battles that were to be shown; each is to be closed."""
        self.is_replay = self.edits_terrain = False
        """How the last of them was to be shown."""
        self.party: Party | None = None
        self.form: tuple[Character, Ruleset, bool] | None = None
        """The sheet, ruleset and newness of the form that was opened last."""
        self.last_map: str | None = None
        """The map that the new encounter would mark; None where it was not opened."""
        self.has_left = False
        self._is_selected = False
        self._answered: Callable[[str], None] | None = None
        self._typing: Callable[[str], None] | None = None
        self._cancelled: Callable[[], None] | None = None
        self.library = LibraryPresenter(self, session)
        self.library.list_all()

    @property
    def entry(self) -> Entry:
        """The marked entry."""
        assert self.library.entry is not None
        return self.library.entry

    @property
    def said(self) -> str:
        return self.library.sentence

    @property
    def shelf(self) -> str:
        """The list in 76 columns."""
        library = self.library
        shelf = Shelf(library.entries, library.rows, library.place, library.wanted, len(library.everything))
        return str(shelf_text(shelf, 76, 60))

    def find(self, kind: type[Entry], name: str = "") -> None:
        """Walks down to the first entry of a kind, or to that with the name."""
        self.press("home")
        while not (isinstance(self.entry, kind) and name in self.entry.name):
            before = self.library.place
            self.press("down")
            assert self.library.place != before, "there is none"

    def press(self, *keys: str) -> None:
        """Presses keys."""
        for key in keys:
            if self.choices:
                self._choose(key)
            elif self.question:
                self._type(key)
            else:
                binding = next(one for one in LIBRARY_KEYS if key in one.key.split(","))
                name, _, given = binding.action.partition("(")
                ACTIONS[name](self.library, *ast.literal_eval(f"({given.removesuffix(')')},)") if given else ())

    def _choose(self, key: str) -> None:
        choices, self.choices = self.choices, ()
        if key != "escape":
            place = 0 if key == "enter" else key_place(key, keys_for(choices))
            assert place is not None, [one.label for one in choices]
            self._chosen(choices[place].id)

    def _type(self, key: str) -> None:
        assert self._answered is not None
        if key in ("enter", "escape"):
            answered, cancelled, self.question, self._typing = self._answered, self._cancelled, "", None
            if key == "enter":
                answered(self.value.strip())
            elif cancelled is not None:
                cancelled()
            return
        self.value = ("" if self._is_selected else self.value) + key
        self._is_selected = False
        if self._typing is not None:
            self._typing(self.value)

    # The display

    def show_all(self) -> None:
        """Draws nothing."""

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        typing: Callable[[str], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        self.question, self.value, self._is_selected = label, value, bool(value)
        self._answered, self._typing, self._cancelled = answered, typing, cancelled

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
        self.choices, self._chosen = choices, chosen

    def open_party(self, party: Party | None, closed: Callable[[Party | None], None]) -> None:
        self.party, self.party_closed = party, closed

    def open_form(
        self, own: Character, rules: Ruleset, closed: Callable[[Character | None], None], *, is_new: bool = False
    ) -> None:
        self.form, self.form_closed = (own, rules, is_new), closed

    def new_encounter(self, last_map: str) -> None:
        self.last_map = last_map

    def read_on(self) -> None:
        self.library.read_next()

    def show_battle(self, session: Session, *, is_replay: bool = False, edits_terrain: bool = False) -> None:
        self.battles.append(session)
        self.is_replay, self.edits_terrain = is_replay, edits_terrain

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        self.changed, self.changes_chosen = changed, chosen

    def export(self, job: Job[str]) -> None:
        self.library.say(result_of(job))

    def cancel_export(self) -> bool:
        return False

    def change_open_file(self, change: Callable[[], Path]) -> None:
        self.change = change

    def leave(self) -> None:
        self.has_left = True
