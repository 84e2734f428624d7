"""The library's sections as tables: columns of each, the cells of each entry, and what stands below a battle's preview.

Cells of what is not read yet are empty, and a column of empty cells is not shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from engine.text import count, side_name, upper_first
from engine.values import replace
from tui.application.library.battle_list import (
    CHARACTERS,
    CONTINUE,
    ENCOUNTERS,
    MAPS,
    PARTIES,
    SECTIONS,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    NewEntry,
    PartyEntry,
    section_of,
)
from tui.application.prompts.choice import Column
from tui.application.prompts.table_rows import Sorting, TableRow, ordered

NEW, DAMAGED = "new", "damaged"
"""Of a map or an encounter that no listed battle is on, and of what cannot be read."""
LEAST_NAME = 28
"""Cells to which a name is cut before a column goes."""
_PEOPLE = (
    Column("role", least=8),
    Column("hp", is_number=True),
    Column("main weapon", 1, least=12),
    Column("last battle", 2, least=12),
    Column("ruleset", 3),
)
COLUMNS: Mapping[int, Sequence[Column]] = {
    CONTINUE: (Column("sides"), Column("round", 1, is_number=True), Column("ruleset", 2), Column("last played", 3)),
    ENCOUNTERS: (Column("sides"), Column("party", 2, least=12), Column("round", 1, is_number=True)),
    MAPS: (Column("size", is_number=True), Column("", 2), Column("round", 1, is_number=True)),
    PARTIES: (Column("members"), *_PEOPLE[1:]),
    CHARACTERS: _PEOPLE,
}
"""By section, after that of the names."""


def columns_of(section: int) -> tuple[Column, ...]:
    """The columns of a section; the first has the section's name."""
    return Column(SECTIONS[section], least=LEAST_NAME), *COLUMNS[section]


class LastBattles(Struct, frozen=True):
    """The last battle of each map, encounter, party and character, by their ids."""

    maps: Mapping[str, BattleEntry]
    encounters: Mapping[str, BattleEntry]
    parties: Mapping[str, BattleEntry]
    characters: Mapping[str, BattleEntry]

    @classmethod
    def among(cls, entries: Iterable[Entry]) -> LastBattles:
        battles = sorted((one for one in entries if isinstance(one, BattleEntry)), key=lambda one: one.played)
        return cls(
            {one.map_id: one for one in battles},
            {one.encounter: one for one in battles},
            {one.party: one for one in battles},
            {id: one for one in battles for id in one.characters},
        )


def table_rows(entries: Sequence[Entry], everything: Sequence[Entry]) -> tuple[TableRow, ...]:
    """The row of each entry: its name, with what tells it from namesakes, and the cells of its section's columns.

    Args:
        entries: those that are listed.
        everything: all entries: those of other sections say which battle was the last.
    """
    names = Counter((section_of(entry), entry.name) for entry in everything)
    last, people = LastBattles.among(everything), [one for one in everything if isinstance(one, CharacterEntry)]
    return tuple(
        TableRow(
            str(entry.file),
            (_name(entry, is_namesake=names[section_of(entry), entry.name] > 1), *_cells(entry, last, people)),
        )
        for entry in entries
    )


def sorted_entries(entries: Sequence[Entry], sortings: Mapping[int, Sorting]) -> list[Entry]:
    """Entries with those of each section by the column that it is sorted by; lines that make something stay last."""
    found: list[Entry] = []
    for section, columns in enumerate(map(columns_of, range(len(SECTIONS)))):
        ours = [entry for entry in entries if section_of(entry) == section]
        makers = [entry for entry in ours if isinstance(entry, NewEntry)]
        others = [entry for entry in ours if not isinstance(entry, NewEntry)]
        if section in sortings:
            rows = table_rows(others, entries)
            rows = tuple(replace(row, id=str(place)) for place, row in enumerate(rows))
            others = [others[int(row.id)] for row in ordered(rows, columns, sortings[section])]
        found += [*others, *makers]
    return found


def standing(entry: BattleEntry) -> str:
    """How a battle stands: "Round 2, Anna's turn. Crew 4 of 4, gang 6 of 7."; "" before it is read."""
    if not entry.is_known or entry.fault:
        return ""
    turn = f", {entry.turn}'s turn" if entry.turn and not entry.is_finished else ""
    stage = "Set-up" if entry.stage == "set-up" else f"Round {entry.round}"
    stage = f"Finished in round {entry.round}" if entry.is_finished else f"{stage}{turn}"
    sides = ", ".join(f"{side_name(side)} {now} of {full}" for side, now, full in entry.sides)
    return " ".join(f"{upper_first(part)}." for part in (stage, sides) if part)


def _name(entry: Entry, *, is_namesake: bool) -> str:
    if not is_namesake:
        return entry.name
    if isinstance(entry, BattleEntry) and entry.is_known and not entry.fault:
        return entry.when if entry.group else f"{entry.when} {entry.name}"  # the heading above has the name
    return entry.name if isinstance(entry, BattleEntry | NewEntry) else f"{entry.name}, {entry.id}"


def _cells(entry: Entry, last: LastBattles, people: Sequence[CharacterEntry]) -> tuple[str, ...]:
    """The cells of an entry after its name; there may be fewer than columns."""
    match entry:
        case MapEntry():
            return entry.size, "yours" if entry.is_own else "", _stage(last.maps.get(entry.id))
        case NewEntry():
            return ()
        case _ if entry.fault:
            return (DAMAGED,)
        case BattleEntry():
            return (_sides(entry), _stage(entry), entry.ruleset, entry.when) if entry.is_known else ()
        case EncounterEntry():
            against = f"{entry.members} vs {entry.opponents}" if entry.members else count(entry.opponents, "opponent")
            return against, entry.party_name or entry.ruleset, _stage(last.encounters.get(entry.id))
        case PartyEntry():
            ours = [one.health for one in people if one.id in entry.characters]
            gone = f", {len(entry.missing)} missing" if entry.missing else ", default" if entry.is_default else ""
            health = _of(sum(now for now, _ in ours), sum(full for _, full in ours))
            return f"{len(entry.characters)}{gone}", health, "", _called(last.parties.get(entry.id)), entry.ruleset
        case CharacterEntry():
            battle = _called(last.characters.get(entry.id))
            return entry.role, _of(*entry.health), entry.weapon, battle, entry.ruleset


def _stage(battle: BattleEntry | None) -> str:
    return NEW if battle is None else "open" if battle.is_open else battle.stage


def _called(battle: BattleEntry | None) -> str:
    return battle.name if battle else ""


def _of(now: int, full: int) -> str:
    """ "12/15", and "15" where nothing is lacking; "" for what is not read."""
    return "" if not full else f"{now}/{full}" if now < full else f"{now}"


def _sides(entry: BattleEntry) -> str:
    """How many of each side are still in the fight: "4 vs 4 vs 2", "5 left"; "5 units" where none has begun."""
    numbers = [now for _, now, _ in entry.sides]
    if len(numbers) != 1:
        return " vs ".join(map(str, numbers))
    return f"{numbers[0]} left" if entry.round else count(numbers[0], "unit")
