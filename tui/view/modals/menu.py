"""Menu: a short list with one key for each item; a disabled item shows its reason."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from tui.application.describe.text_layout import fit
from tui.application.prompts.choice import GROUP, HINT, KEYS, UNFOLDS, Choice, key_place, keys_for, numbers_for
from tui.view.modals.long_list import KEYS as BAR_KEYS
from tui.view.modals.long_list import LongList
from tui.view.panels.styled_text import join, plain
from tui.view.terminal.key_queue import OrderedKeys

FOLDED = 44
"""Cells for the labels of items that are not shown."""
DICE = "0123456789 /"
NO_MORE: Mapping[str, str] = {}


class ListScreen(ModalScreen[ScreenResultType]):
    """A framed list over the board, with a hint below it."""

    DEFAULT_CSS = """
    ListScreen { align: center middle; }
    ListScreen Vertical {
        width: 90%; max-width: 76; height: auto; max-height: 90%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
    }
    ListScreen OptionList {
        height: auto; max-height: 75vh; border: none; background: $panel-back; padding: 0; scrollbar-size-vertical: 1;
    }
    ListScreen Static { height: auto; color: $muted; }
    """

    _is_answered = False

    def _answer(self, result: ScreenResultType) -> None:
        """Closes with a result, once; not below another screen, which Textual would close in its place."""
        if not self._is_answered and self.is_active:
            self._is_answered = True
            self.dismiss(result)


class Menu(ListScreen[str]):
    """Returns the chosen id, "" if cancelled."""

    DEFAULT_CSS = """
    Menu #question { color: $text; margin-bottom: 1; }
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        question: str = "",
        more_keys: Mapping[str, str] = NO_MORE,
        typed: str | None = None,
        hint: str = HINT,
        *,
        is_by_letter: bool = False,
        folds: bool = False,
        is_card: bool = False,
    ) -> None:
        """Builds a menu.

        Args:
            title: of the frame.
            choices: the items.
            question: the text above the items.
            more_keys: further keys that choose the selected item, with their labels; `pressed` holds the one that did.
            typed: dice typed early, for the roll after the choice; digits then count as dice and choose no item.
            hint: the key hint below the list.
            is_by_letter: whether letters choose in either case, `j` and `k` too.
            folds: whether the disabled items, which stand last, are one line until UNFOLDS is pressed.
            is_card: whether items have numbers alone, and any other key closes the menu and goes to what is below.
        """
        super().__init__()
        self._title = title
        self._question = question
        self._keys_hint = hint
        self._more_keys = more_keys
        self._keys = numbers_for(choices) if is_card else keys_for(choices, more_keys)
        self._is_card = is_card
        self.typed = typed or ""
        """Dice typed before the prompt for them."""
        self._keeps_dice = typed is not None
        self.pressed = ""
        """The further key that chose; "" for none."""
        self._is_by_letter = is_by_letter
        self._is_astray = False
        """Whether the last key was no key of the list, such as a stray die; its Enter is ignored."""
        self.choices = tuple(choices)
        enabled = sum(not choice.reason for choice in choices)
        self._shown = enabled if folds and 0 < enabled < len(choices) - 1 else len(choices)
        """How many items are shown; the others are one line."""

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = plain(self._title)
            if self._question:
                yield Static(plain(self._question, "bold"), id="question", markup=False)
            shown = [self._option(i, choice) for i, choice in enumerate(self.choices[: self._shown])]
            yield LongList(*shown, *self._folded())
            yield Static(plain(self._keys_hint), id="hint", markup=False)
            if self._more_keys:
                alike = {said: [key for key in self._more_keys if self._more_keys[key] == said]
                         for said in self._more_keys.values()}  # fmt: skip
                more = " · ".join(f"{', '.join(keys)}: {said}" for said, keys in alike.items())
                yield Static(plain(more), id="more", markup=False)

    def on_mount(self) -> None:
        self.query_one(LongList).action_first()

    def _option(self, index: int, choice: Choice) -> Option:
        key = self._keys[index] or " "
        is_same = index > 0 and choice.reason and choice.reason == self.choices[index - 1].reason
        tail = "as above" if is_same else choice.reason or choice.note
        label = choice.label.removeprefix(f"{key} ")  # "2 hits" with the key 2
        prompt = join([plain(f"{key} ", "bold"), plain(label), plain(f"  {tail}" if tail else "", "$muted")])
        return Option(prompt, id=choice.id, disabled=bool(choice.reason))

    def _folded(self) -> list[Option]:
        """The line for the items that are not shown; none if all are."""
        away = [one for one in self.choices[self._shown :] if not one.id.startswith(GROUP)]
        if not away:
            return []
        head = [plain(f"{UNFOLDS} ", "bold"), plain(f"show {len(away)} unavailable")]
        labels = ", ".join(one.label for one in away)
        return [Option(join([*head, plain(f": {fit(labels, FOLDED).rstrip()}", "$muted")]))]

    def _unfold(self) -> None:
        """Shows every item, with the reasons of those that are disabled."""
        options, start = self.query_one(LongList), self._shown
        if start < len(self.choices):
            self._shown = len(self.choices)
            options.remove_option_at_index(start)
            options.add_options(self._option(start + i, one) for i, one in enumerate(self.choices[start:]))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        options = self.query_one(LongList)
        if event.key == "escape":
            self._answer("")
        elif event.character == UNFOLDS and not self._is_card:
            self._unfold()
        elif event.key in BAR_KEYS and not (self._is_by_letter and self._place(event.character or "") is not None):
            options.move_bar(event.key)
        elif event.key == "enter":
            if options.highlighted is not None and not self._is_astray:
                self._take(options.highlighted)
            self._is_astray = False
        elif self._is_card and self._place(event.character or "") is None:
            self._answer("")
            if isinstance(self.app, OrderedKeys):
                self.app.press_again(event)
        elif event.character and event.character in self._more_keys:
            if options.highlighted is not None:
                self.pressed = event.character
                self._take(options.highlighted)
        elif self._keeps_dice and event.character and event.character in DICE:
            self._is_astray = True
            self.typed += event.character
            self._hint(f"{self._keys_hint} · {self.typed.strip()}: saved for the next roll")
        elif event.character and (event.character in KEYS or self._is_by_letter):
            place = self._place(event.character)
            self._is_astray = place is None
            if place is not None:
                self._choose(place)
            else:
                self._hint(f"No item has the key {event.character}: {self._keys_hint}", "bold $warn")

    def _place(self, character: str) -> int | None:
        return key_place(character, self._keys, is_by_letter=self._is_by_letter)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self._take(event.option_index)

    def _take(self, line: int) -> None:
        """Chooses the item of a line of the list; the line for those that are not shown shows them."""
        if line == self._shown < len(self.choices):
            self._unfold()
        else:
            self._choose(line)

    def _choose(self, index: int) -> None:
        chosen = self.choices[index]
        if chosen.reason:
            self._hint(f"{chosen.label}: {chosen.reason}.", "bold $warn")
        else:
            self._answer(chosen.id)

    def _hint(self, said: str, style: str = "") -> None:
        """Shows a sentence in place of the key hint."""
        self.query_one("#hint", Static).update(plain(said, style))
