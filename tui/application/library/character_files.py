"""Files of characters and parties: the user's own sheets, by the name of the file or by a path.

party.toml:

default = "lantern"

[lantern]
name = "The Lantern crew"
characters = ["anna", "bo"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeVar

import tomli
from msgspec import Struct

from engine.battle.carry_over import SheetChange, carried, rest
from engine.battle.commands.roster_commands import MOST_SIDE, AddGroup, AddUnit
from engine.battle.moves.deployment import StartingPlace
from engine.errors import BattleboardError, Illegal, Unknown, Unreadable, near_miss, near_or_known
from engine.rules.model import Ruleset
from engine.text import cells, clause, clean, slug, visible
from engine.toml_reader import Reader, parse, quoted
from engine.values import replace
from maps import BattleMap, maps_in, read_text, unit_tables
from rulesets import load_ruleset, shipped_rulesets
from rulesets.character_imports import read_sheets_csv
from rulesets.characters import MOST_BYTES, OwnSheet, fresh, parse_character, read_own_stats, write_character
from rulesets.characters import MOST_NAME as MOST_CALLED
from rulesets.swnr_actors import RULESET as ACTORS_RULESET
from rulesets.swnr_actors import is_json, read_actor
from tui.application.library.ruleset_files import read_ruleset, ruleset_label
from tui.application.library.text_files import exists, free_file, head_text, replace_file, top_keys
from tui.application.settings.folders import characters_folder, party_file

Found = TypeVar("Found")
MOST_NAME = 60
MOST_PARTY = 50
WHAT = "a character"


class Party(Struct, frozen=True):
    """Characters who play together, by the names of their files."""

    id: str
    name: str
    characters: tuple[str, ...]
    is_default: bool = False
    missing: tuple[str, ...] = ()
    """Those of the characters who have no file."""

    @property
    def side(self) -> str:
        """The side it fights for: its name in one word, which is shown with blanks; its id where that is too long."""
        word = "-".join(self.name.split())
        return word if cells(word) <= MOST_SIDE else self.id

    @property
    def present(self) -> Party:
        """The party without those who have no file."""
        there = tuple(name for name in self.characters if name not in self.missing)
        return replace(self, characters=there, missing=())


class CharacterHead(Struct, frozen=True):
    """What a list says of a file before it is read whole."""

    id: str
    name: str
    ruleset: str
    is_opponent: bool


def character_files() -> Mapping[str, Path]:
    """The files in the characters folder by their names without the ending."""
    return maps_in(characters_folder())


def character_heads() -> Iterator[CharacterHead]:
    """What the files in the characters folder are; without those that cannot be read."""
    for name, path in character_files().items():
        try:
            top = tomli.loads(path.read_text(encoding="utf-8")) if path.stat().st_size <= MOST_BYTES else {}
        except (OSError, ValueError, RecursionError):
            continue
        ruleset, called = head_text(top, "ruleset"), head_text(top, "name")
        if ruleset and called:
            yield CharacterHead(name, called, ruleset, top.get("kind") == "opponent")


def is_character(path: Path) -> bool:
    """Whether a TOML file is to be read as a character: it is in their folder, or names a ruleset and no map."""
    if path.absolute().parent == characters_folder():
        return True
    keys = top_keys(path)
    return "ruleset" in keys and not keys & {"format", "map", "party"}


def id_called(what: str, name: str, known: Mapping[str, str]) -> str:
    """The id of what is meant by a name: an id, the name of one, or a part of the id or name that only one has.

    Args:
        what: the noun of messages.
        name: as it is typed.
        known: names by their ids.

    Raises:
        Unknown: there is none; the message names the nearest.
        Illegal: there are several.
    """
    wanted = " ".join(name.casefold().split())
    if name in known:
        return name
    whole = [id for id, title in known.items() if wanted in (id.casefold(), " ".join(title.casefold().split()))]
    found = whole or [id for id, title in known.items() if wanted and wanted in f"{id}\n{title}".casefold()]
    if len(found) > 1:
        raise Illegal(what, f"“{clean(name, MOST_NAME)}” is ambiguous: type more of {', '.join(sorted(found))}.")
    if not found:
        raise Unknown(what, name, known)
    return found[0]


def character_called(name: str) -> Path:
    """The file that is meant by the name of a file, a character's name or a part of it, or a path.

    Raises:
        Unknown: there is none; the message names the nearest.
        Illegal: several characters are called that.
    """
    try:
        return find_character(name)
    except Unknown:
        files = character_files()
        return files[
            id_called("character", name, dict.fromkeys(files, "") | {one.id: one.name for one in character_heads()})
        ]


def find_character(name: str) -> Path:
    """The file that a name or a path stands for: one in the characters folder, else a path.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    known = character_files()
    if name in known:
        return known[name]
    path = Path(name)
    if exists(path) and (path.is_file() or path.suffix or len(path.parts) > 1):
        return path
    raise Unknown("character", name, known)


def read_character(name: str, rules: Ruleset | None = None) -> OwnSheet:
    """Reads a character by the name of its file or by its path.

    Args:
        name: of the file, or a path.
        rules: the ruleset that it must be for; None for whichever the file names.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not a character of its ruleset; all problems at once.
        Illegal: it is for another ruleset.
        BattleboardError: it cannot be read.
    """
    path = find_character(name)
    text = read_text(path, WHAT)

    def rules_of(ruleset: str) -> Ruleset:
        return rules if rules is not None and ruleset == rules.id else read_ruleset(ruleset)

    found = parse_character(text, str(path), rules_of, _shipped)
    if rules is not None and found.ruleset != rules.id:
        whose = ruleset_label(found.ruleset)
        raise Illegal("character", f"{found.character.name} is a character of {whose}, not of {rules.name}.")
    in_folder = character_files().get(path.stem) == path
    return replace(found, character=replace(found.character, file=path.stem if in_folder else str(path.absolute())))


def has_own_stats(drawn: BattleMap) -> bool:
    """Whether units of a map's text name a character or change stats, so that `with_characters` reads them."""
    return bool(drawn.text) and any(each.character_file or each.stats for each in drawn.placements)


def with_characters(drawn: BattleMap, rules: Ruleset, file: str) -> BattleMap:
    """A map with the sheets of the characters that its units name.

    Args:
        drawn: the map.
        rules: the ruleset that it is played by.
        file: the map's, for messages.

    Raises:
        Unreadable: a character cannot be read, or the ruleset does not have a stat that a unit changes, or not with
            that value; all problems at once.
    """
    if not has_own_stats(drawn):
        return drawn
    placements, tables = [], unit_tables(drawn, file)
    for each, table in zip(drawn.placements, tables, strict=True):
        read_own_stats(table.table("stats"), rules.units.stats, rules, _shipped)
        read = partial(read_character, each.character_file, rules)
        if each.character_file and (sheet := read_named(table, "character", read)) is not None:
            own = sheet.character
            is_named = each.name != each.id.replace("-", " ").replace("_", " ").strip().capitalize()
            each = replace(each, character=own, name=each.name if is_named else own.name)
        placements.append(each)
    tables[0].document.check()
    return replace(drawn, placements=tuple(placements))


def check_map_units(drawn: BattleMap, rulesets: Iterable[Ruleset], file: str) -> None:
    """Checks what units of a map have of their own: one of the rulesets must know all of it.

    Raises:
        Unreadable: none does; with the problems under the ruleset that knows most of it.
    """
    refused: list[tuple[int, int, Unreadable]] = []
    named = [name for each in drawn.placements for name, _ in each.stats]
    for rules in rulesets:
        try:
            with_characters(drawn, rules, file)
        except Unreadable as error:
            near = sum(near_miss(name, rules.units.stats) is not None for name in named)
            refused.append((len(error.problems), -near, error))
        else:
            return
    if refused:
        raise min(refused, key=lambda one: one[:2])[2]


def read_named(reader: Reader, key: str, read: Callable[[], Found]) -> Found | None:
    """What is read of a file that a key names; None, and a note, where that cannot be read."""
    try:
        return read()
    except Unreadable as error:
        first = error.problems[0]
        reader.problem(key, f"{Path(error.file).name}, line {first.line}: {first.message}")
    except BattleboardError as error:
        reader.problem(key, clause(str(error)))
    return None


def save_character(sheet: OwnSheet, rules: Ruleset) -> OwnSheet:
    """Writes a character to its file, or a new one to a free file in the characters folder; gives it with its file.

    Comments of a file that is there stay.

    Raises:
        Illegal: it has no name.
        BattleboardError: the file cannot be read or written.
    """
    own = sheet.character
    if own.file:
        path = find_character(own.file)
        before = read_text(path, WHAT)
    else:
        if not slug(own.name):
            raise Illegal("character", "A character's name needs a letter or a digit.")
        path, before = free_file(characters_folder(), slug(own.name)), ""
    replace_file(path, write_character(sheet, rules, before))
    return sheet if own.file else replace(sheet, character=replace(own, file=path.stem))


def new_character(sheet: OwnSheet, rules: Ruleset, name: str, before: str = "") -> Path:
    """Writes a character under another name to a free file in the characters folder; gives the file's path.

    Args:
        sheet: what it has.
        rules: its ruleset.
        name: the new one.
        before: the text of a file whose comments it keeps; "" for none.

    Raises:
        Illegal: the name has no letter and no digit, is too long, or has a character that files may not have.
        BattleboardError: the file cannot be written.
    """
    if not slug(name):
        raise Illegal("character", "A character's name needs a letter or a digit.")
    if clean(name, MOST_CALLED) != name:
        raise Illegal("character", f"A character's name has at most {MOST_CALLED} characters, and plain ones alone.")
    named = replace(sheet, character=replace(sheet.character, name=name, file=""))
    return replace_file(free_file(characters_folder(), slug(name)), write_character(named, rules, before))


def copy_character(source: str, name: str) -> Path:
    """Copies a character with the comments in its file under another name; gives the path of the copy.

    Raises:
        Unknown, Unreadable, BattleboardError: as `read_character` and `new_character`.
    """
    path = character_called(source)
    sheet = read_character(str(path))
    return new_character(sheet, read_ruleset(sheet.ruleset), name, read_text(path, WHAT))


def rest_characters(names: Iterable[str]) -> tuple[tuple[str, tuple[SheetChange, ...]], ...]:
    """Restores in files what battles have carried over; gives each character's name and what was restored.

    Raises:
        Unknown, Unreadable, BattleboardError: as `read_character`, before any is written; or one cannot be written.
    """
    rested = []
    for path in dict.fromkeys(map(character_called, names)):
        sheet = read_character(str(path))
        rules, own = read_ruleset(sheet.ruleset), sheet.character
        changes = rest(rules, fresh(own, rules))
        rested.append((replace(sheet, character=carried(own, changes)), rules, changes))
    for sheet, rules, changes in rested:
        if changes:
            save_character(sheet, rules)
    return tuple((sheet.character.name, changes) for sheet, _, changes in rested)


def import_characters(path: Path, ruleset: str = "") -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Imports a Foundry actor (JSON) or a table (CSV) into the characters folder; all of it or nothing.

    Args:
        path: the file.
        ruleset: id or folder of the ruleset; "" for that of the file's format, which tables do not have.

    Returns:
        The files written, and what was not carried over.

    Raises:
        BattleboardError: the file cannot be read, is neither, or does not fit the ruleset; nothing was written.
    """
    text = read_text(path, "an actor or a table").removeprefix("\ufeff")
    shown, reads = visible(str(path)), read_sheets_csv
    if is_json(text):
        ruleset, reads = ruleset or ACTORS_RULESET, read_actor
    if not ruleset:
        raise BattleboardError(f"{shown} does not say its ruleset; name it with --ruleset ID.")
    rules = read_ruleset(ruleset)
    found = reads(text, shown, rules)
    for character in found.characters:
        if not slug(character.name):
            raise Illegal("character", f"{shown}: the name {character.name!r} needs a letter or a digit.")
    written: list[Path] = []
    try:
        for character in found.characters:
            written += [new_character(OwnSheet(rules.id, character), rules, character.name)]
    except BaseException:
        for file in written:
            file.unlink(missing_ok=True)
        raise
    return tuple(written), found.notes


def read_parties(file: Path | None = None, *, checks_members: bool = False) -> Mapping[str, Party]:
    """The parties of a file by id, the default first; none where there is no file.

    Args:
        file: None for the user's own.
        checks_members: whether a member without a file is a problem; else its party says who is missing.

    Raises:
        Unreadable: the file is not what it should be; all problems at once.
        BattleboardError: it cannot be read.
    """
    path = file or party_file()
    if not path.exists():
        return {}
    root = parse(read_text(path, "parties"), str(path)).root
    known = character_files()
    parties = {
        key: _read_party(root.table(key), key, known, checks_members=checks_members) for key in root if key != "default"
    }
    default = root.text("default", next(iter(parties), ""))
    if default and default not in parties:
        near = near_miss(default, parties)
        root.problem("default", f"no party is called {quoted(default)}" + (f"; did you mean {near!r}?" if near else ""))
    root.finish()
    root.document.check()
    found = {key: replace(party, is_default=key == default) for key, party in parties.items()}
    return dict(sorted(found.items(), key=lambda item: not item[1].is_default))


def party_members(party: Party, rules: Ruleset | None = None) -> tuple[OwnSheet, ...]:
    """The characters of a party, read.

    Raises:
        Illegal: somebody is missing, they are of several rulesets, or of another than `rules`.
        Unknown, Unreadable, BattleboardError: as `read_character`.
    """
    if party.missing:
        gone = " and ".join(f"{name}.toml" for name in party.missing)
        raise Illegal("party", f"The party {party.name} has a character without a file: {gone} is missing.")
    found = tuple(read_character(name, rules) for name in party.characters)
    rulesets = sorted({sheet.ruleset for sheet in found})
    if len(rulesets) > 1:
        several = " and ".join(rulesets)
        raise Illegal("party", f"The party {party.name} has characters of {several}; expected one ruleset.")
    return found


def add_party(party: Party, rules: Ruleset, side: str, place: StartingPlace) -> AddGroup:
    """The command that adds all characters of a party on a side. Raises as `party_members`."""
    own = [sheet.character for sheet in party_members(party, rules)]
    return AddGroup(
        tuple(AddUnit("", side, place.at, each.name, size=each.size, character=each, zone=place.zone) for each in own)
    )


def characters_for(rules: Ruleset) -> Mapping[str, str]:
    """Names of the characters and stat blocks for a ruleset, by the names of their files."""
    return {head.id: head.name for head in character_heads() if head.ruleset == rules.id}


def _read_party(reader: Reader, key: str, known: Mapping[str, Path], *, checks_members: bool) -> Party:
    names = reader.texts("characters")
    missing = tuple(name for name in names if name not in known and not exists(Path(name)))
    for place, name in enumerate(names):
        if name in missing and checks_members:
            hint = near_or_known(name, known, 12)
            reader.document.note((*reader.path, "characters", place), f"no character is called {quoted(name)}; {hint}")
        elif name in names[:place]:
            reader.document.note((*reader.path, "characters", place), f"{quoted(name)} is in the party twice")
    if reader.has("characters") and not 0 < len(names) <= MOST_PARTY:
        reader.problem("characters", f"the party has {len(names)} characters; expected 1 to {MOST_PARTY}")
    called = reader.text("name", key.replace("-", " ").capitalize(), most=MOST_NAME)
    reader.finish()
    return Party(key, called, names, missing=missing)


def _shipped() -> Iterator[Ruleset]:
    return (load_ruleset(folder) for folder in shipped_rulesets().values())
