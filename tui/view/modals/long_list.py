"""Scrolling option list: the keys that move the selection and show every line."""

from __future__ import annotations

from textual.style import Style
from textual.widgets import OptionList
from textual.widgets.option_list import Option

KEYS = frozenset(("down", "j", "up", "k", "pagedown", "pageup", "home", "end"))


class LongList(OptionList, can_focus=False):
    """An option list without markup. It is never in focus: the screen passes its keys on."""

    def __init__(self, *lines: Option) -> None:
        super().__init__(*lines, markup=False)

    def get_visual_style(self, *component_classes: str, partial: bool = False) -> Style:
        """The style of a line; without colours the selected one is reversed, which no style sheet can say."""
        found = super().get_visual_style(*component_classes, partial=partial)
        is_selected = "option-list--option-highlighted" in component_classes
        return found + Style(reverse=True) if is_selected and self.app.no_color else found

    def move_bar(self, key: str) -> None:
        """Moves the selection by one of KEYS, past disabled lines.

        Pages, Home and End show those too, as does the last enabled line those after it.
        """
        match key:
            case "down" | "j":
                self.action_cursor_down()
            case "up" | "k":
                self.action_cursor_up()
            case _:
                self._turn(key)
                return
        chosen = self.highlighted
        if chosen is not None and all(one.disabled for one in self.options[chosen + 1 :]):
            below = sum(place > chosen for place, _ in self._lines)
            if below < self.scrollable_content_region.height:
                self.scroll_end(animate=False, force=True, immediate=True)

    def _turn(self, key: str) -> None:
        """Scrolls a page and selects an enabled line on it; if there is none, the selection stays."""
        height, lines, top = self.scrollable_content_region.height, self._lines, self.scroll_offset.y
        last = max(0, len(lines) - height)
        places = {"home": 0, "end": last, "pageup": max(0, top - height), "pagedown": min(last, top + height)}
        self.scroll_to(y=places[key], animate=False, force=True, immediate=True)
        shown = dict.fromkeys(place for place, _ in lines[places[key] : places[key] + height])
        free = [place for place in shown if not self.options[place].disabled]
        if free:
            self.highlighted = free[-1 if key in ("end", "pagedown") else 0]
