"""The list of the library: sections, headings of groups, the marked entry."""

from __future__ import annotations

from collections.abc import Iterator

from textual.content import Content
from textual.reactive import var

from tui.describe.styled_text import fit, join, lines, plain
from tui.library.battle_list import BattleEntry, CharacterEntry, EncounterEntry, Entry, MapEntry, NewEntry
from tui.library.listings import SHIPPED
from tui.panels.panel import Panel

ROOMY = 46
"""Cells from which on a row is written in full."""
SECTIONS = ("Continue", "Encounters", "Maps", "Characters")
EMPTY = ("no battles yet", "no encounters yet", "", "")


class BattleList(Panel):
    """List of battles, encounters, maps and characters with one selected."""

    TITLE = "Library"
    shown: var[tuple[tuple[Entry, ...], int]] = var(((), 0), init=False)

    def build(self, width: int, height: int) -> Content:
        return shelf_text(*self.shown, width, height)


def section_of(entry: Entry) -> int:
    """The place of an entry's section among SECTIONS."""
    match entry:
        case BattleEntry():
            return 0
        case EncounterEntry():
            return 1
        case MapEntry() | NewEntry(id="blank-map"):
            return 2
    return 3


def shelf_text(entries: tuple[Entry, ...], place: int, width: int, height: int) -> Content:
    """Renders the sections, as many rows as fit around the selection."""
    rows: list[Content] = []
    bar = 0
    for section, heading in enumerate(SECTIONS):
        rows.append(plain(heading, "bold $panel-title"))
        some = [(number, entry) for number, entry in enumerate(entries) if section_of(entry) == section]
        group = ""
        for number, entry in some:
            if isinstance(entry, BattleEntry):
                if entry.group not in ("", group):
                    rows.append(plain(fit(f"  {entry.group}", width), "$muted"))
                group = entry.group
            bar = len(rows) if number == place else bar
            rows.append(_row(entry, width, number == place))
        if not some and EMPTY[section]:
            rows.append(plain(f"  {EMPTY[section]}", "$muted"))
    start = max(0, min(bar - height // 2, len(rows) - height))
    start = 0 if bar < height else start
    return lines(rows[start : start + height])


def _row(entry: Entry, width: int, is_chosen: bool) -> Content:
    style = "reverse" if is_chosen else ""
    mark = "▸ " if is_chosen else "  "
    is_grouped = isinstance(entry, BattleEntry) and entry.group
    name, tail = f"  {entry.name}" if is_grouped else entry.name, " ".join(_tail(entry, width))
    room = width - len(mark) - len(tail) - 1
    tone = "$bad" if tail == "damaged" else "$muted"
    return join([plain(f"{mark}{fit(name, room)} ", style), plain(tail, f"{tone} {style}".strip())])


def _tail(entry: Entry, width: int) -> Iterator[str]:
    """What the end of a row says of its entry."""
    match entry:
        case BattleEntry() if entry.fault:
            yield "damaged"
        case BattleEntry() if entry.is_open:
            yield "open"
        case BattleEntry() if entry.is_known:
            if entry.is_finished:
                yield f"{entry.ruleset}, finished"
            elif not entry.round:
                yield "set-up"
            else:
                yield f"{entry.ruleset}, round {entry.round}" if width >= ROOMY else f"{entry.ruleset} r{entry.round}"
        case MapEntry() if entry.where != SHIPPED:
            yield "yours"
        case EncounterEntry():
            yield entry.party or entry.ruleset
        case CharacterEntry():
            if entry.is_opponent and width >= ROOMY:
                yield "opponent,"
            yield entry.ruleset
