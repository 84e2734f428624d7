"""The keys at a screen's foot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.binding import Binding
from textual.widgets import Static

from tui.view.keys.bound_keys import by_action
from tui.view.panels.styled_text import join, plain

FIRST = ("next_target", "fire", "move", "act", "end_turn", "undo", "overlay", "damage", "next_unit")
"""Keys of the battle that come first, where the others are left out."""
LAST = {"battle.line": "cmd", "battle.table": "GM", "battle.help": "help"}
"""Keys of the battle that are never left out, and what a narrow screen calls them."""
NARROW_WORDS = {**LAST, "battle.damage": "hp"}
NARROW = 100
WHILE_PLACING = {"overlay": "view", "find": "go to unit", "line": "command", "help": "help"}
"""Keys while a move or an aim is placed, beside those that do it and leave it."""
KEYS_OF_STATES: Mapping[str, Mapping[str, str]] = {
    "set-up": {
        "initiative": "begin",
        "move": "place",
        "table": "add, hide",
        "damage": "change",
        "undo": "undo",
        "overlay": "view",
        "help": "help",
        "line": "save NAME",
        "note": "note",
        "terrain": "ground",
        "library": "library",
    },
    "move": {"move": "move there", "cancel": "leave", "stand": "where to stand", **WHILE_PLACING},
    "fire": {"fire": "attack there", "cancel": "leave", **WHILE_PLACING},
    "act": {"act": "do it there", "cancel": "leave", **WHILE_PLACING},
    "finished": {
        "undo": "reopen",
        "table": "GM",
        "log": "log",
        "receipt": "details",
        "overlay": "view",
        "line": "command",
        "library": "library",
        "help": "help",
        "leave": "quit",
    },
    "read-only": {
        "target(1)": "aim",
        "receipt": "details",
        "overlay": "view",
        "log": "log",
        "line": "command",
        "library": "library",
        "help": "help",
        "leave": "quit",
    },
}
"""Keys that are shown while a move or an aim is placed or nobody fights, by action, and what they are called there."""
Entry = tuple[str, str]
"""A key and what it does."""


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
        width = self.screen.size.width
        known = {binding.action: (keys[0], binding) for keys, binding in by_action(self.screen)}
        last: list[Entry] = []
        if only is None:
            wanted, last = _usual(known, names or {}, width)
        else:
            wanted = [(known[action][0], name) for action, name in only.items()]
        room, shown = width - len(more) + 1 - _cells(last), []
        for entry in wanted:
            if _cells([entry]) <= room:
                room -= _cells([entry])
                shown.append(entry)
        parts = [
            part for key, words in (*shown, *last) for part in (plain(f" {key}", "$ink"), plain(f" {words} ", "$muted"))
        ]
        self.update(join([*parts, plain(more, "$muted")]), layout=False)


def _usual(
    known: Mapping[str, tuple[str, Binding]], names: Mapping[str, str], width: int
) -> tuple[list[Entry], list[Entry]]:
    """Key and words of the shown actions, those that come first in front; then those that are never left out."""
    ranks = {f"battle.{name}": place for place, name in enumerate(FIRST)}
    wanted: list[Entry] = []
    last: list[Entry] = []
    shown = (one for one in known.values() if one[1].show)
    for key, binding in sorted(shown, key=lambda one: ranks.get(one[1].id or "", len(FIRST))):
        narrow = NARROW_WORDS.get(binding.id or "", "") if width < NARROW else ""
        if words := names.get(binding.action, narrow or binding.description):
            (last if binding.id in LAST else wanted).append((key, words))
    last.sort(key=lambda entry: entry[1] == "help")
    return wanted, last


def _cells(entries: Sequence[Entry]) -> int:
    return sum(len(key) + len(words) + 3 for key, words in entries)
