"""The library as a list for the command line: battles and encounters; maps and characters have lists of their own."""

from __future__ import annotations

from tui.application.library.battle_files import battles
from tui.application.library.battle_list import read_entry
from tui.application.library.encounter_files import encounter_heads
from tui.application.library.listings import Listing

BATTLE, ENCOUNTER = "battle", "encounter"


def list_library() -> Listing:
    """Every battle, the last played first, then every encounter: what it is, its file's name, what it is called."""
    listing = Listing()
    for path in battles():
        entry = read_entry(path)
        if entry.fault:
            listing.errors.append(f"{path.stem}: {entry.fault}.")
            continue
        played = entry.played[:16].replace("T", " ")
        listing.rows.append((BATTLE, path.stem, entry.name, entry.ruleset, entry.stage, played))
        listing.descriptions.append(entry.group)
        listing.values.append(
            {
                "kind": BATTLE,
                "id": path.stem,
                "name": entry.name,
                "ruleset": entry.ruleset,
                "party": entry.party,
                "encounter": entry.encounter,
                "map": entry.map_id,
                "round": entry.round,
                "steps": entry.steps,
                "played": entry.played,
            }
        )
    for each in encounter_heads():
        listing.rows.append((ENCOUNTER, each.id, each.name, each.party or each.ruleset, each.map, f"{each.opponents}"))
        listing.descriptions.append("")
        listing.values.append(
            {
                "kind": ENCOUNTER,
                "id": each.id,
                "name": each.name,
                "ruleset": each.ruleset,
                "party": each.party,
                "map": each.map,
                "opponents": each.opponents,
            }
        )
    return listing
