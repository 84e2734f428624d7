"""Help, generated from the key bindings, so that it cannot be wrong."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode

from tui.describe.styled_text import fit, join, lines, plain, wrap
from tui.keys.battle_keys import by_action, with_keys

KEYS, NAME = 13, 16

INTRODUCTION = (
    "Capitals are the first side, small letters the others. The unit whose turn it is acts; {battle.next_target} aims "
    "at an enemy, and the shot panel says every number that counts, why, and the exact chance. {battle.fire} attacks: "
    "Enter rolls, or type what the table's dice show; a / rolls this one and asks for the rest, as for a player's own "
    "dodge, and // rolls what is left. Every command is saved before you see it, and {battle.undo} takes it back, all "
    "of it. {battle.line} takes commands in words: “help” lists them, “tour” begins the tour."
)
CLOSING = (
    "ctrl+p finds any of these by name, ctrl+l draws the screen again; "
    "{battle.panel_shot} to {battle.panel_map} pick a panel."
)


def help_text(
    groups: Iterable[tuple[str, DOMNode]],
    signs: Iterable[tuple[str, str]],
    width: int,
    introduction: str = INTRODUCTION,
) -> Content:
    """An introduction, the keys of each group, and what the board's signs mean."""
    rows: list[Content | str] = [*wrap(with_keys(introduction), width), "", *_groups(groups, width)]
    rows += [
        *(plain(row, "$muted") for row in wrap(with_keys(CLOSING), width)),
        "",
        plain("Signs", "bold $panel-title"),
    ]
    rows += [join([plain(f"{fit(sign, KEYS)} ", "bold"), meaning]) for sign, meaning in signs]
    return lines(rows)


def keys_text(groups: Iterable[tuple[str, DOMNode]], width: int) -> Content:
    """The keys of each group alone."""
    return lines(_groups(groups, width))


def _groups(groups: Iterable[tuple[str, DOMNode]], width: int) -> list[Content | str]:
    rows: list[Content | str] = []
    for title, node in groups:
        rows.append(plain(title, "bold $panel-title"))
        for keys, binding in by_action(node):
            rows += _rows(" ".join(keys), binding, width)
        rows.append("")
    return rows


def _rows(keys: str, binding: Binding, width: int) -> list[Content | str]:
    said = wrap(binding.tooltip or "", width - KEYS - NAME - 2) or [""]
    name = f"{fit(binding.description, NAME)} "
    head = join([plain(f"{fit(keys, KEYS)} ", "bold"), name, plain(said[0], "$muted")])
    return [head, *(plain(" " * (KEYS + NAME + 2) + row, "$muted") for row in said[1:])]
