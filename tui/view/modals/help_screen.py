"""Help text, generated from the key bindings."""

from __future__ import annotations

from collections.abc import Iterable

from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode

from tui.application.describe.text_layout import fit, wrap
from tui.application.keys.battle_keys import SECTION_OF, SECTIONS, with_keys
from tui.application.keys.bindings import SHEET_KEYS
from tui.view.keys.bound_keys import by_action
from tui.view.modals.text_modal import TITLE
from tui.view.panels.styled_text import join, lines, plain

KEYS, NAME = 13, 16

FIRST: tuple[tuple[str, str], ...] = (
    ("{battle.next_target}", "aim at an enemy: the Shot panel shows chance and modifiers"),
    ("{battle.fire}", "attack: Enter rolls, or type the dice you rolled"),
    ("{battle.move}", "show squares in reach; again: move to the cursor"),
    ("{battle.act}", "every other action; same letters in all rulesets"),
    ("{battle.end_turn}", "end the turn"),
    ("{battle.undo}", "undo: every command can be undone"),
    ("{battle.overlay}", "overlays: range bands, field of view, reach …"),
    ("{battle.damage} {battle.table}", "change the unit under the cursor; GM tools"),
    ("{battle.line}", "commands: “help”, “tour”, “rules cover” looks up a rule"),
    ("{sheet.search}", "search this page; below are the keys and the symbols"),
)
"""The first page of the help: keys and what they do."""
CLOSING = (
    "At a dice prompt a / rolls one roll and asks for the next, // rolls the rest. Capital letters on the board are "
    "the first side. Ctrl+P finds an action by name, Ctrl+L redraws the screen; {battle.panel_shot} to "
    "{battle.panel_notes} show a panel."
)


SYMBOLS = "Symbols: legend of the board's signs, marks and icons"


def help_text(
    groups: Iterable[tuple[str, DOMNode]],
    signs: Iterable[tuple[str, str]],
    width: int,
    introduction: str = "",
    menus: Iterable[tuple[str, Iterable[tuple[str, str]]]] = (),
) -> Content:
    """Renders the introduction, or the first page, the keys of each section, and the legend of the board's signs.

    `menus` are menus with the keys of their items and what these do; they stand before the legend.
    """
    first: list[Content | str] = [*wrap(with_keys(introduction), width)] if introduction else _first_page()
    rows = [*first, "", *_groups(groups, width)]
    rows += [
        *(plain(row, "$muted") for row in wrap(with_keys(CLOSING), width)),
        "",
    ]
    for title, items in menus:
        rows += [plain(title, TITLE), *(row for item in items for row in _item(*item, width)), ""]
    rows.append(plain(SYMBOLS, TITLE))
    rows += [row for sign, meaning in signs for row in _item(sign, meaning, width)]
    return lines(rows)


def _first_page() -> list[Content | str]:
    named = [(with_keys(keys, SHEET_KEYS), said) for keys, said in FIRST]
    return [join([plain(f"{fit(keys, 4)} ", "bold"), plain(said)]) for keys, said in named]


def keys_text(groups: Iterable[tuple[str, DOMNode]], width: int) -> Content:
    """Renders the keys of each group only."""
    return lines(_groups(groups, width))


def _groups(groups: Iterable[tuple[str, DOMNode]], width: int) -> list[Content | str]:
    rows: list[Content | str] = []
    sections: dict[str, list[Content | str]] = {}
    for title, node in groups:
        for keys, binding in by_action(node):
            section = SECTION_OF.get(binding.id or "", title)
            sections.setdefault(section, []).extend(_rows(" ".join(keys), binding, width))
    for title in sorted(sections, key=lambda title: (title not in SECTIONS, [*SECTIONS, title].index(title))):
        rows += [plain(title, TITLE), *sections[title], ""]
    return rows


def _item(keys: str, said: str, width: int) -> list[Content | str]:
    """An item of a menu: its keys and what it does; or a sign and what it means."""
    first, *others = wrap(said, width - KEYS - 1)
    return [join([plain(f"{fit(keys, KEYS)} ", "bold"), first]), *(plain(" " * (KEYS + 1) + row) for row in others)]


def _rows(keys: str, binding: Binding, width: int) -> list[Content | str]:
    said = wrap(binding.tooltip or "", width - KEYS - NAME - 2) or [""]
    name = f"{fit(binding.description, NAME)} "
    head = join([plain(f"{fit(keys, KEYS)} ", "bold"), name, plain(said[0], "$muted")])
    return [head, *(plain(" " * (KEYS + NAME + 2) + row, "$muted") for row in said[1:])]
