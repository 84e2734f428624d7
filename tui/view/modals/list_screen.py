"""A framed list over the screen: in the column beside the board, where there is one, else in the middle."""

from __future__ import annotations

from collections.abc import Callable

from textual.containers import Vertical
from textual.geometry import Region
from textual.screen import ModalScreen, ScreenResultType

Place = Callable[[int], Region]
"""Where a list of so many rows stands on the screen."""
BESIDE = "-beside"
"""The class of a list that stands in the column."""


class ListScreen(ModalScreen[ScreenResultType]):
    """A framed list, with a hint below it."""

    DEFAULT_CSS = """
    ListScreen { align: center middle; }
    ListScreen .box {
        width: 90%; max-width: 76; height: auto; max-height: 90%;
        border: round $panel-title; border-title-color: $panel-title; background: $panel-back; padding: 0 1;
    }
    ListScreen OptionList {
        height: auto; max-height: 75vh; border: none; background: $panel-back; padding: 0; scrollbar-size-vertical: 1;
    }
    ListScreen Static { height: auto; color: $muted; }
    ListScreen.-beside { align: left top; }
    ListScreen.-beside .box { max-width: 100%; max-height: 100%; padding: 0; }
    ListScreen.-beside OptionList { height: 1fr; max-height: 100%; scrollbar-size-vertical: 0; }
    ListScreen.-beside #hint { dock: bottom; height: 1; background: $bar-back; }
    """

    place: Place | None = None
    """Where it stands; None for the middle."""
    _is_answered = False

    def framed(self) -> Vertical:
        """The frame of the list."""
        return Vertical(classes="box")

    rows_needed = 0
    """Rows that the list and what stands around it take."""

    def on_resize(self) -> None:
        self.later(self.settle)  # once the screen below knows its size

    def later(self, callback: Callable[[], None]) -> None:
        """Calls something after the next frame, if the list is still there by then: a quick key may have closed it."""
        self.call_after_refresh(lambda: callback() if self.query(".box") else None)

    def settle(self) -> None:
        """Puts the frame where it belongs."""
        if self.place is None:
            return
        rows = self.rows_needed
        self.add_class(BESIDE)
        region, box = self.place(rows + 2), self.query_one(".box")
        box.styles.offset = region.x, region.y
        box.styles.width, box.styles.height = region.width, region.height

    def _answer(self, result: ScreenResultType) -> None:
        """Closes with a result, once; not below another screen, which Textual would close in its place."""
        if not self._is_answered and self.is_active:
            self._is_answered = True
            self.dismiss(result)
