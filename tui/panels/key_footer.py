"""The keys at a screen's foot."""

from __future__ import annotations

from textual.widgets import Static

from tui.describe.styled_text import join, plain
from tui.keys.battle_keys import by_action

FIRST = ("next_target", "fire", "move", "act", "end_turn", "undo", "shade", "damage", "next_unit")
"""Keys of the battle that come first, where the others are left out."""
LAST = {"battle.line": "cmd", "battle.table": "GM", "battle.help": "help"}
"""Keys of the battle that are never left out, and what a narrow screen calls them."""
NARROW_WORDS = {**LAST, "battle.damage": "hp"}
NARROW = 100


class KeyFooter(Static):
    """One line with the keys that the screen shows, as many as there is room for.

    Not Textual's `Footer`, which has a widget for each key: one line is one cell run to write.
    """

    def __init__(self) -> None:
        super().__init__(id="keys", markup=False)

    def show(self, more: str = "") -> None:
        """Shows the keys as they are now, and more words behind them."""
        width = self.screen.size.width
        ranks = {f"battle.{name}": place for place, name in enumerate(FIRST)}
        wanted: list[tuple[str, str]] = []
        last: list[tuple[str, str]] = []
        shown = (
            one for one in by_action(self.screen) if one[1].show and (width < NARROW or one[1].id != "battle.panel")
        )
        for keys, binding in sorted(shown, key=lambda one: ranks.get(one[1].id or "", len(FIRST))):
            words = NARROW_WORDS.get(binding.id or "", "") if width < NARROW else ""
            (last if binding.id in LAST else wanted).append((keys[0], words or binding.description))
        last.sort(key=lambda entry: entry[1] == "help")
        room, told = width - len(more) + 1 - _cells(last), []
        for entry in wanted:
            if _cells([entry]) <= room:
                room -= _cells([entry])
                told.append(entry)
        parts = [
            part for key, words in (*told, *last) for part in (plain(f" {key}", "$ink"), plain(f" {words} ", "$muted"))
        ]
        self.update(join([*parts, plain(more, "$muted")]), layout=False)


def _cells(entries: list[tuple[str, str]]) -> int:
    return sum(len(key) + len(words) + 3 for key, words in entries)
