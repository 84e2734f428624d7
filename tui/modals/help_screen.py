"""Help text, generated from the key bindings."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode

from tui.describe.styled_text import fit, join, lines, plain, wrap
from tui.keys.battle_keys import by_action, with_keys

KEYS, NAME = 13, 16

INTRODUCTION = (
    "Capital letters are the first side, lower-case letters the others. {battle.next_target} aims the acting unit "
    "at an enemy; the Shot panel lists every modifier, its reason and the exact chance to hit. {battle.fire} attacks: "
    "Enter rolls, or type the dice you rolled; / rolls one roll and asks for the next, // rolls the rest. Every "
    "command is saved before you see its result, and {battle.undo} undoes it. "
    "{battle.line} takes typed commands: “help” lists them, “tour” starts the tour."
)
CLOSING = (
    "Ctrl+P finds an action by name, Ctrl+L redraws the screen; {battle.panel_shot} to {battle.panel_map} show a panel."
)


def help_text(
    groups: Iterable[tuple[str, DOMNode]],
    signs: Iterable[tuple[str, str]],
    width: int,
    introduction: str = INTRODUCTION,
) -> Content:
    """Renders the introduction, the keys of each group, and the legend of the board's signs."""
    rows: list[Content | str] = [*wrap(with_keys(introduction), width), "", *_groups(groups, width)]
    rows += [
        *(plain(row, "$muted") for row in wrap(with_keys(CLOSING), width)),
        "",
        plain("Symbols", "bold $panel-title"),
    ]
    rows += [join([plain(f"{fit(sign, KEYS)} ", "bold"), meaning]) for sign, meaning in signs]
    return lines(rows)


def keys_text(groups: Iterable[tuple[str, DOMNode]], width: int) -> Content:
    """Renders the keys of each group only."""
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
