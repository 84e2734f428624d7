"""Changes of party.toml: parties are made, changed, copied, moved to the trash. The comments in the file stay."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.battle.state.battle import free_id
from engine.errors import BattleboardError, Illegal
from engine.text import clean, slug, visible
from engine.values import replace
from maps import read_text
from tui.application.library.character_files import (
    MOST_NAME,
    MOST_PARTY,
    Party,
    character_heads,
    id_called,
    party_members,
    read_parties,
)
from tui.application.library.text_files import replace_file
from tui.application.settings.folders import party_file

DEFAULT = "default"
WHAT = "parties"
BLANK_LINES = re.compile(r"\n{3,}")
"""Blank lines that would pile up where parties come and go."""


def party_path(id: str) -> Path:
    """Where a party stands: the file, and behind it the id, by which a list tells it from others."""
    return party_file() / id


def party_called(name: str) -> Party:
    """The party of that id, of that name, or with that part of them.

    Raises:
        Unknown: there is none; the message names the nearest.
        Illegal: there are several.
        Unreadable, BattleboardError: as `read_parties`.
    """
    parties = read_parties()
    return parties[id_called("party", name, {id: party.name for id, party in parties.items()})]


def party_rulesets(parties: Mapping[str, Party]) -> dict[str, str]:
    """The ruleset of each party by its id, as far as the heads of its characters' files say; "" where they do not."""
    heads = {head.id: head.ruleset for head in character_heads()}
    return {id: next((heads[name] for name in party.characters if name in heads), "") for id, party in parties.items()}


def parties_of(character: str) -> tuple[str, ...]:
    """Names of the parties that a character's file is in; none where they cannot be read."""
    try:
        return tuple(party.name for party in read_parties().values() if character in party.characters)
    except BattleboardError:
        return ()


def save_party(party: Party) -> Party:
    """Writes a party into party.toml: a new one, without an id, or another state of one that is there.

    The first party, and one that says so, is the default.

    Raises:
        Illegal: it has no name, nobody is in it, or its characters are of several rulesets.
        Unknown: there is no such character; who was in it before may be missing.
        BattleboardError: a character or the file cannot be read, or the file cannot be written; nothing was changed.
    """
    before = read_parties()
    name = clean(party.name, MOST_NAME).strip()
    if not name:
        raise Illegal("party", "A party needs a name.")
    if not 0 < len(party.characters) <= MOST_PARTY:
        raise Illegal("party", f"A party has 1 to {MOST_PARTY} characters, not {len(party.characters)}.")
    were_missing = before[party.id].missing if party.id in before else ()
    party_members(replace(party, name=name, missing=were_missing).present)
    id = party.id or _free_id(name, before)
    document = _document()
    if not before or (party.is_default and not (id in before and before[id].is_default)):
        document[DEFAULT] = id
    if id not in document:
        import tomlkit

        document[id] = tomlkit.table()
    _write(document[id], name, party.characters)
    _save(document)
    return read_parties()[id]


def copy_party(id: str, name: str) -> Party:
    """Writes a party with the same characters, without missing ones, under another name.

    Raises as `party_called` and `save_party`.
    """
    return save_party(Party("", name, party_called(id).present.characters))


def rename_party(id: str, name: str) -> Party:
    """Gives a party another name; its id, by which encounters and battles know it, stays. Raises as `copy_party`."""
    return save_party(replace(party_called(id), name=name))


def take_out_party(id: str) -> str:
    """Takes a party out of party.toml; gives it as the text of such a file, for `put_back_party`.

    Raises:
        Unknown, BattleboardError: there is no such party, or the file cannot be read or written.
    """
    import tomlkit

    party_called(id)
    document = _document()
    taken = tomlkit.document()
    if document.get(DEFAULT) == id:
        taken[DEFAULT] = id
    taken[id] = document[id]
    text = tomlkit.dumps(taken)
    del document[id]
    if document.get(DEFAULT) == id:
        del document[DEFAULT]
    _save(document)
    return text


def put_back_party(text: str) -> Party:
    """Puts a party that was taken out back into party.toml, under a free id.

    Raises:
        BattleboardError: the text holds none, or the file cannot be read or written.
    """
    import tomlkit

    before, document = read_parties(), _document()
    try:
        taken = tomlkit.parse(text)
        was_default = taken.pop(DEFAULT, "") != ""
        ((wanted, table),) = taken.items()
    except ValueError:
        raise BattleboardError("The trash holds a party that cannot be read.") from None
    id = _free_id(wanted, before)
    document[id] = table
    if not before or was_default:
        document[DEFAULT] = id
    _save(document)
    return Party(id, str(table.get("name", id)), tuple(table.get("characters", ())))


def rename_member(before: str, after: str) -> None:
    """Names a character's file by its new name in every party. Raises as `save_party`."""
    if not party_file().exists():
        return
    document = _document()
    tables = [table for table in document.values() if isinstance(table, dict)]
    if any(before in table.get("characters", ()) for table in tables):
        for table in tables:
            members = table["characters"]
            for place, member in enumerate(members):
                if member == before:
                    members[place] = after
        _save(document)


def _free_id(name: str, taken: Mapping[str, Party]) -> str:
    """An id for a party of that name: "lantern", else "lantern-2"."""
    stem = slug(name)
    if not stem:
        raise Illegal("party", "The name of a party needs letters or digits.")
    if stem == DEFAULT:  # a key of the file
        stem = "party"
    return free_id(stem, taken, 2) if stem in taken else stem


def _document() -> Any:
    import tomlkit

    path = party_file()
    try:
        return tomlkit.parse(read_text(path, WHAT)) if path.exists() else tomlkit.document()
    except ValueError:
        raise BattleboardError(f"{visible(str(path))} cannot be changed: it is not TOML.") from None


def _save(document: Any) -> None:
    import tomlkit

    replace_file(party_file(), BLANK_LINES.sub("\n\n", tomlkit.dumps(document)).lstrip("\n"))


def _write(table: Any, name: str, characters: Sequence[str]) -> None:
    """Sets what is other in a party's table; comments beside members who stay are kept where their order allows."""
    if table.get("name", "") != name:
        table["name"] = name
    members = table.get("characters")
    if members is None:
        table["characters"] = list(characters)
        return
    for gone in [member for member in members if member not in characters]:
        members.remove(gone)
    for new in [member for member in characters if member not in members]:
        members.append(new)
    if list(members) != list(characters):
        table["characters"] = list(characters)
