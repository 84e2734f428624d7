"""Text modal to read, scroll and search: the help, the details of a shot."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import SHEET_KEYS
from tui.view.keys.bound_keys import bind
from tui.view.panels.styled_text import plain

WIDEST, NARROWEST = 84, 40
FRAME = 8
"""Columns of the frame, the scrollbar and the padding."""
ABOVE = 2
"""Rows shown above a match."""


def room(columns: int, widest: int = WIDEST) -> int:
    """Columns of text for a terminal of so many columns."""
    return max(NARROWEST, min(widest, columns * 9 // 10) - FRAME)


DETAILS, SHORT = "formula, ruling, source", "in short"
"""What Enter shows, and what it goes back to."""

TITLE = "bold $panel-title"
"""The style of titles within a text."""


def places(text: str, words: str) -> list[int]:
    """Offsets of a search text, case-insensitive; none for an empty one.

    >>> places("Grenade, then a grenade", "grenade")
    [0, 16]
    """
    found: list[int] = []
    text, words = text.lower(), words.lower()
    at = text.find(words) if words else -1
    while at >= 0:
        found.append(at)
        at = text.find(words, at + len(words))
    return found


class TextModal(ModalScreen[None]):
    """Shows the text that `build` renders for a width in cells. Keys of the battle do nothing here."""

    BINDINGS = bind(SHEET_KEYS)

    MORE = ""
    """What another key does here, with the key; "" for nothing."""

    DEFAULT_CSS = """
    TextModal { align: center middle; }
    TextModal VerticalScroll {
        width: 90%; max-width: 84; height: auto; max-height: 94%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
        scrollbar-size-vertical: 1; scrollbar-color: $panel-line; scrollbar-background: $panel-back;
    }
    TextModal Horizontal { dock: bottom; height: 1; background: $prompt-back; display: none; }
    TextModal #sign { width: 3; padding: 0 1; text-style: bold; }
    TextModal Input { width: 1fr; height: 1; border: none; padding: 0; background: $prompt-back; display: none; }
    """

    def __init__(
        self,
        title: str,
        build: Callable[[int], Content],
        widest: int = WIDEST,
        edit: Callable[[], None] | None = None,
        details: Callable[[int], Content] | None = None,
    ) -> None:
        """`edit` opens what changes the text, `details` renders what Enter shows instead; None where there is none."""
        super().__init__()
        self._edit = edit
        self._details = details
        self._has_details = False
        """Whether the details are shown."""
        self._widest = widest
        self._title = title
        self._build = build
        self._text = Content()
        self._sought = ""
        self._place = 0
        """Index of the shown match."""
        self._found: list[int] = []

    def compose(self) -> ComposeResult:
        with VerticalScroll() as box:
            box.styles.max_width = self._widest
            box.border_title = plain(self._title)
            yield Static(markup=False)
        search = Input(placeholder="search for", compact=True)
        search.cursor_blink = False
        with Horizontal():
            yield Static(with_keys("{sheet.search}", SHEET_KEYS), id="sign", markup=False)
            yield search

    def on_mount(self) -> None:
        self.on_resize()

    def on_resize(self) -> None:
        """Renders the text again, with the matches marked."""
        build = self._details if self._has_details and self._details else self._build
        text = self._text = build(room(self.app.size.width, self._widest))
        self._found = places(text.plain, self._sought)
        self._place = min(self._place, max(0, len(self._found) - 1))
        for number, at in enumerate(self._found):
            style = "bold reverse" if number == self._place else "underline"
            text = text.stylize(style, at, at + len(self._sought))
        self.query_one(Static).update(text)
        self._rows = [text.plain.count("\n", 0, at) for at in self._found]
        edits = f"{self.MORE} · " if self.MORE else "{sheet.edit} edit · " if self._edit else ""
        if self._details is not None:
            edits = f"{{sheet.details}} {SHORT if self._has_details else DETAILS} · "
        keys = f"{edits}{{sheet.search}} search · {{sheet.close}} close"
        if self._sought:
            walk = f"{self._place + 1} of {len(self._found)} · {{sheet.next}} next · {{sheet.previous}} previous"
            keys = f"“{self._sought}”: {walk if self._found else 'not found'} · {{sheet.close}} clear"
        self.query_one(VerticalScroll).border_subtitle = plain(with_keys(keys, SHEET_KEYS))

    @property
    def _is_searching(self) -> bool:
        return bool(self.query_one(Input).display)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key of the modal while a search is typed."""
        return not self._is_searching

    def on_key(self, event: events.Key) -> None:
        """Enter confirms the search, Esc cancels it; Tab does nothing."""
        if not self._is_searching or event.key not in ("enter", "escape", "tab", "shift+tab"):
            return
        event.stop()
        if event.key in ("enter", "escape"):
            self.query_one(Horizontal).display = self.query_one(Input).display = False
            self.set_focus(self.query_one(VerticalScroll))
            if event.key == "escape":
                self._search("")

    def on_input_changed(self, event: Input.Changed) -> None:
        if self._is_searching:
            self._search(event.value.strip())

    def _search(self, words: str) -> None:
        """Marks the words and goes to the first that stand in a title, else to the first."""
        titles = [range(span.start, span.end) for span in self._text.spans if span.style == TITLE]
        found = enumerate(places(self._text.plain, words))
        titled = (number for number, at in found if any(at in title for title in titles))
        self._sought, self._place = words, next(titled, 0)
        self._jump()

    def _jump(self) -> None:
        """Marks the current match and scrolls to it."""
        self.on_resize()
        if self._found:
            row = self._rows[self._place]
            self.query_one(VerticalScroll).scroll_to(y=max(0, row - ABOVE), animate=False, force=True)

    async def action_library(self) -> None:
        """Closes, and goes to the library if the screen below has a key for that."""
        below = self.app.screen_stack[-2]
        self.dismiss()
        if hasattr(below, "action_library"):
            below.call_after_refresh(below.action_library)

    def action_edit(self) -> None:
        """Closes the text and opens what changes it."""
        if self._edit is not None:
            self.dismiss()
            self._edit()

    def action_more(self) -> None:
        """Nothing, but where there is more."""

    def action_picture(self) -> None:
        from tui.view.exports.screen_picture import save_picture

        said = save_picture(self.app, self._title.casefold())
        self.query_one(VerticalScroll).border_subtitle = plain(said)

    def action_search(self) -> None:
        search = self.query_one(Input)
        self.query_one(Horizontal).display = search.display = True
        search.value = ""
        self.set_focus(search)

    def action_details(self) -> None:
        """Goes to the next match of a search; else shows the details, or the text again."""
        if self._sought or self._details is None:
            self.action_next(1)
            return
        self._has_details = not self._has_details
        self.on_resize()
        self.query_one(VerticalScroll).scroll_home(animate=False)

    def action_next(self, step: int) -> None:
        """Goes to the next match, from the last to the first."""
        if self._found:
            self._place = (self._place + step) % len(self._found)
            self._jump()

    def action_close(self) -> None:
        """Clears the search, else closes the modal."""
        if self._sought:
            self._search("")
        else:
            self.dismiss()

    def action_scroll(self, rows: int) -> None:
        self.query_one(VerticalScroll).scroll_relative(y=rows, animate=False)
