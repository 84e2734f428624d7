"""The reports on what there is: maps and rulesets that ship and those in the user's folders, and characters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from engine.errors import BattleboardError
from maps import load_map, maps_in, shipped_maps
from rulesets import find_ruleset, load_ruleset, shipped_rulesets
from tui.application.library.character_files import character_files, character_heads, read_character, read_parties
from tui.application.library.encounter_files import encounter_files, encounter_heads
from tui.application.library.party_files import party_rulesets
from tui.application.library.ruleset_files import ruleset_title
from tui.application.settings.folders import ruleset_folders
from tui.application.terminal.output import table, wrapped

SHIPPED = "shipped"


class Listing(Struct, frozen=True):
    """Rows for a table, the same for scripts, and what could not be read."""

    rows: list[tuple[str, ...]] = []
    descriptions: list[str] = []
    """One for each row; may be empty."""
    values: list[dict[str, Any]] = []
    errors: list[str] = []

    def words(self) -> list[str]:
        """The table, each row with its description below."""
        lines: list[str] = []
        for row, description in zip(table(self.rows), self.descriptions, strict=True):
            lines += [row, *wrapped(description, 4)]
        return lines


def list_maps(folders: Sequence[Path]) -> Listing:
    """Every map: id, name, size, units, description, where it is. The user's own hide shipped ones of the same id."""
    listing = Listing()
    for name, (file, where) in sorted(known_maps(folders).items()):
        try:
            found = load_map(file)
        except BattleboardError as error:
            listing.errors.append(str(error))
            continue
        battlefield = found.battlefield
        size = battlefield.in_units(battlefield.square_size)
        extent = f"{battlefield.columns}×{battlefield.rows} squares of {size:g} {battlefield.unit}"
        listing.rows.append((name, battlefield.name, extent, f"{len(found.placements)} units", where))
        listing.descriptions.append(found.description)
        listing.values.append(
            {
                "id": name,
                "name": battlefield.name,
                "description": found.description,
                "columns": battlefield.columns,
                "rows": battlefield.rows,
                "square": size,
                "unit": battlefield.unit,
                "units": [unit.id for unit in found.placements],
                "where": where,
            }
        )
    return listing


def known_maps(folders: Sequence[Path]) -> Mapping[str, tuple[Path, str]]:
    """The files of all maps by id, and where each is."""
    files: dict[str, tuple[Path, str]] = {name: (file, SHIPPED) for name, file in shipped_maps().items()}
    for folder in reversed(folders):
        files |= {name: (path, str(folder)) for name, path in maps_in(folder).items()}
    return files


def list_rulesets(folders: Sequence[Path]) -> Listing:
    """Every ruleset: id, name, summary, unit, where it is."""
    listing = Listing()
    for name, where in sorted(known_rulesets(folders).items()):
        try:
            rules = load_ruleset(find_ruleset(name, folders))
        except BattleboardError as error:
            listing.errors.append(str(error))
            continue
        listing.rows.append((name, rules.name, rules.distance.unit, where))
        listing.descriptions.append(rules.summary)
        listing.values.append(
            {"id": name, "name": rules.name, "summary": rules.summary, "unit": rules.distance.unit, "where": where}
        )
    return listing


def list_characters() -> Listing:
    """Every character and stat block of the user's: its file's name, name, ruleset, kind, parties."""
    listing = Listing()
    try:
        parties = read_parties()
    except BattleboardError as error:
        parties = {}
        listing.errors.append(str(error))
    heads = {head.id: head for head in character_heads()}
    for name, path in character_files().items():
        if name not in heads:
            try:
                read_character(name)
            except BattleboardError as error:
                listing.errors.append(str(error))
            else:
                listing.errors.append(f"{path} changed while it was read.")
            continue
        head = heads[name]
        kind = "opponent" if head.is_opponent else "character"
        inside = [party for party in parties.values() if name in party.characters]
        words = ", ".join(party.name for party in inside)
        listing.rows.append((name, head.name, head.ruleset, kind, words))
        listing.descriptions.append("")
        listing.values.append(
            {
                "id": name,
                "name": head.name,
                "ruleset": head.ruleset,
                "kind": kind,
                "parties": [party.id for party in inside],
                "where": str(path),
            }
        )
    return listing


def list_parties() -> Listing:
    """Every party, the default first: id, name, ruleset, its characters."""
    listing = Listing()
    try:
        parties = read_parties()
    except BattleboardError as error:
        listing.errors.append(str(error))
        return listing
    rulesets = party_rulesets(parties)
    for id, party in parties.items():
        default = "default" if party.is_default else ""
        members = ", ".join(f"{one} (missing)" if one in party.missing else one for one in party.characters)
        listing.rows.append((id, party.name, rulesets[id], default, members))
        listing.descriptions.append("")
        listing.values.append(to_builtins(party) | {"ruleset": rulesets[id]})
    return listing


def list_encounters() -> Listing:
    """Every encounter of the user's: name of the file, name, map, party or ruleset, opponents."""
    listing = Listing()
    heads = {head.id: head for head in encounter_heads()}
    for id, path in encounter_files().items():
        if id not in heads:
            listing.errors.append(f"{path} is not an encounter: “battleboard encounters check {id}” says why.")
            continue
        head = heads[id]
        listing.rows.append((id, head.name, head.map, head.party or head.ruleset, f"{head.opponents} opponents"))
        listing.descriptions.append("")
        listing.values.append(to_builtins(head))
    return listing


def ruleset_notes(current: str) -> Mapping[str, str]:
    """What a list says of each ruleset, by id: its name, where it is if it does not ship, whether it is current."""
    return {
        name: ", ".join(filter(None, (ruleset_title(name), where * (where != SHIPPED), "current" * (name == current))))
        for name, where in sorted(known_rulesets(ruleset_folders()).items())
    }


def known_rulesets(folders: Iterable[Path]) -> Mapping[str, str]:
    """Ids of the rulesets that ship and of the user's own, and where each is found first."""
    found = dict.fromkeys(shipped_rulesets(), SHIPPED)
    for folder in folders:
        try:
            inside = [path.name for path in folder.iterdir() if (path / "ruleset.toml").is_file()]
        except OSError:
            continue
        found |= dict.fromkeys(inside, str(folder))
    return found
