"""The keys at a screen's foot."""

from __future__ import annotations

from collections.abc import Mapping

from textual.widgets import Static

from tui.describe.styled_text import plain
from tui.keys.battle_keys import by_action


class KeyFooter(Static):
    """One line with the keys that the screen shows, as many as there is room for.

    Not Textual's `Footer`, which has a widget for each key: one line is one cell run to write.
    """

    def __init__(self) -> None:
        super().__init__(id="keys", markup=False)

    def show(self, more: str = "", names: Mapping[str, str] | None = None) -> None:
        """Shows the keys as they are now.

        Args:
            more: words behind them.
            names: what actions are called here, where it is not their usual name; "" for one that is left out.
        """
        text, room = "", self.screen.size.width - len(more)
        for keys, binding in by_action(self.screen):
            name = (names or {}).get(binding.action, binding.description)
            longer = f"{text}  {keys[0]} {name}"
            if binding.show and name and len(longer) < room:
                text = longer
        self.update(plain(f"{text[1:]}{more}", "$muted"), layout=False)
