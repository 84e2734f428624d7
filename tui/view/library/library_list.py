"""The list of the library: sections, headings of groups, the marked entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct
from rich.cells import cell_len
from textual.content import Content
from textual.reactive import var

from engine.text import count, side_name
from tui.application.describe.text_layout import fit
from tui.application.library.battle_list import (
    SECTIONS,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    PartyEntry,
    section_of,
)
from tui.application.library.listings import SHIPPED
from tui.view.panels.panel import Panel
from tui.view.panels.styled_text import join, lines, plain

ROOMY = 46
"""Cells from which on a row is written in full."""
EMPTY = ("no battles yet", "no encounters yet", "", "", "")


class Shelf(Struct, frozen=True):
    """The list as it is shown."""

    entries: tuple[Entry, ...] = ()
    place: int = 0
    """Of the marked entry."""
    wanted: str = ""
    """What is searched for; "" where everything is listed."""
    total: int = 0
    """How many entries there are, listed or not."""


class BattleList(Panel):
    """List of battles, encounters, maps, parties and characters with one selected."""

    TITLE = "Library"
    shown: var[Shelf] = var(Shelf(), init=False)

    def build(self, width: int, height: int) -> Content:
        shelf = self.shown
        if shelf.wanted:
            self.head(f"Search: {fit(shelf.wanted, width // 3).rstrip()}", f"{len(shelf.entries)} of {shelf.total}")
        else:
            self.head(self.TITLE)
        return shelf_text(shelf, width, height)


def shelf_text(shelf: Shelf, width: int, height: int) -> Content:
    """Renders the sections, as many rows as fit around the selection; of a search only those in which it is found."""
    entries, place = shelf.entries, shelf.place
    if shelf.wanted and not entries:
        return plain("  no match", "$muted")
    rows: list[Content] = []
    bar = 0
    names = Counter((section_of(entry), entry.name) for entry in entries)
    for section, heading in enumerate(SECTIONS):
        some = [(number, entry) for number, entry in enumerate(entries) if section_of(entry) == section]
        if shelf.wanted and not some:
            continue
        rows.append(plain(heading, "bold $panel-title"))
        group = ""
        for number, entry in some:
            if isinstance(entry, BattleEntry):
                if entry.group not in ("", group):
                    rows.append(plain(fit(f"  {entry.group}", width), "$muted"))
                group = entry.group
            bar = len(rows) if number == place else bar
            rows.append(_row(entry, width, number == place, is_namesake=names[section, entry.name] > 1))
        if not some and EMPTY[section]:
            rows.append(plain(f"  {EMPTY[section]}", "$muted"))
    start = max(0, min(bar - height // 2, len(rows) - height))
    start = 0 if bar < height else start
    return lines(rows[start : start + height])


def _row(entry: Entry, width: int, is_chosen: bool, *, is_namesake: bool) -> Content:
    """One row. Battles of the same name are told apart by when they were played, their round and their sides.

    Others of the same name are told apart by the names of their files.
    """
    style = "reverse" if is_chosen else ""
    mark = "▸ " if is_chosen else "  "
    name, ends = entry.name, [*_tail(entry, width)]
    if isinstance(entry, BattleEntry):
        if is_namesake and entry.is_known and not entry.fault:
            if entry.group:  # the heading above has the name
                name, ends = entry.when, [*ends, _sides(entry)]
            else:
                ends = [entry.when, _stage(entry, width), _sides(entry)]
        name = f"  {name}" if entry.group else name
    elif is_namesake:
        ends = [entry.id, *ends]
    tail = " · ".join(filter(None, ends))
    if width < ROOMY and len(mark) + cell_len(name) + 1 + len(tail) > width:  # the name would be cut
        tail = " ".join(filter(None, ends))
    room = width - len(mark) - len(tail) - 1
    tone = "$bad" if tail == "damaged" else "$muted"
    return join([plain(f"{mark}{fit(name, room)} ", style), plain(tail, f"{tone} {style}".strip())])


def _sides(entry: BattleEntry) -> str:
    """How many of each side are still in the fight: "4 vs 4 vs 2", "5 left"; "5 units" where none has begun."""
    numbers = [number for _, number in entry.sides]
    if len(numbers) != 1:
        return " vs ".join(map(str, numbers))
    return f"{numbers[0]} left" if entry.round else count(numbers[0], "unit")


def _stage(entry: BattleEntry, width: int) -> str:
    """How far a battle is, in as few letters as the width asks for."""
    if entry.is_open:
        return "open"
    is_short = width < ROOMY and entry.round and not entry.is_finished
    return f"r{entry.round}" if is_short else entry.stage


def _tail(entry: Entry, width: int) -> Iterator[str]:
    """What the end of a row says of its entry."""
    match entry:
        case BattleEntry() | PartyEntry() | CharacterEntry() | EncounterEntry() if entry.fault:
            yield "damaged"
        case BattleEntry() if entry.is_known:
            if entry.round and not entry.is_open and (width >= ROOMY or not entry.is_finished):
                yield entry.ruleset
            yield _stage(entry, width)
        case MapEntry() if entry.where != SHIPPED:
            yield "yours"
        case EncounterEntry():
            yield side_name(entry.party) or entry.ruleset
        case PartyEntry():
            if entry.missing:
                yield f"{len(entry.missing)} missing"
            has_room = len(f"▸  default {entry.ruleset}") + cell_len(entry.name) <= width
            if entry.is_default and has_room:  # the sentence below says it too
                yield "default"
            if width >= ROOMY:  # else the name needs the room, and the preview shows who is in it
                yield count(len(entry.characters), "character")
            yield entry.ruleset
        case CharacterEntry():
            if entry.is_opponent and width >= ROOMY:
                yield "opponent"
            yield entry.ruleset
