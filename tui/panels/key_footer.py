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

    def show(
        self, more: str = "", names: Mapping[str, str] | None = None, only: Mapping[str, str] | None = None
    ) -> None:
        """Shows the keys as they are now.

        Args:
            more: words behind them.
            names: what actions are called here, where it is not their usual name; "" for one that is left out.
            only: the actions that are shown, in this order, with what they are called; None for the usual ones.
        """
        known = {binding.action: (keys[0], binding) for keys, binding in by_action(self.screen)}
        usual = {action: binding.description for action, (_, binding) in known.items() if binding.show}
        text, room = "", self.screen.size.width - len(more)
        for action, name in (
            only or usual | {key: name for key, name in (names or {}).items() if key in usual}
        ).items():
            longer = f"{text}  {known[action][0]} {name}"
            if name and len(longer) < room:
                text = longer
        self.update(plain(f"{text[1:]}{more}", "$muted"), layout=False)
