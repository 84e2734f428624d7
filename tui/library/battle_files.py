"""The library of battles: where a GM's battles, maps and rulesets are kept, and how a battle is begun or opened.

Here the environment, the clock and the chance that makes a seed come in; everything behind takes them as values.
"""

from __future__ import annotations

import os
import re
import secrets
import tempfile
import unicodedata
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError, Unknown, Unreadable
from engine.journal.journal_rows import APPLICATION_ID
from engine.journal.session import Session
from engine.journal.store import Header, Journal, NotABattle
from engine.rules.model import Ruleset
from engine.text import clean, visible
from maps import BattleMap, find_map, load_map, maps_in, parse_map, shipped_maps
from rulesets import DEFAULT, find_ruleset, load_ruleset, parse_ruleset
from tui.exports.battle_check import checker
from tui.library.temporary_folders import temporary_folder
from tui.settings.folders import data_folder, map_folders, ruleset_folders
from tui.terminal.capabilities import uncollected
from tui.terminal.version import version

if TYPE_CHECKING:
    from rulesets.coverage import CoverageRow

DEMO_MAP = "frontier-trail"
DEMO_SEED = "demo-17"
"""With this seed Todd acts first."""

BATTLE = ".battle"
MAP = ".toml"
MOST_SLUG = 40
MOST_FILE = 200
MOST_FOUND = 300
SQLITE = b"SQLite format 3\0"
MARK_AT = 68
"""Where an SQLite file keeps the id of the program that it belongs to."""


class Scenario(Struct, frozen=True):
    """A map and the rules it is to be played under, read and checked."""

    map: BattleMap
    map_file: str
    rules: Ruleset


class Playable(Struct, frozen=True):
    """What a word on the command line stands for: a battle's file or a map's."""

    file: Path
    is_battle: bool


def now() -> str:
    """The time, as battles note it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def read_map(name: str) -> BattleMap:
    """The map of a path, or of an id among the user's and the shipped ones.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not a map.
    """
    return load_map(_map_file(name))


def read_ruleset(name: str) -> Ruleset:
    """The ruleset of an id or a folder's path.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not a ruleset.
    """
    try:
        return load_ruleset(find_ruleset(name, ruleset_folders()))
    except (OSError, RuntimeError) as error:  # "~nobody" has no home
        raise BattleboardError(f"{name} cannot be read: {error}.") from None


def read_coverage_of(name: str) -> tuple[CoverageRow, ...]:
    """What a ruleset covers, of an id or a folder's path; raises as `read_ruleset` and `read_coverage` do."""
    from rulesets.coverage import read_coverage

    rules = read_ruleset(name)
    return read_coverage(find_ruleset(name, ruleset_folders()), rules)


def read_scenario(map_file: str | Path, ruleset: str) -> Scenario:
    """A map and a ruleset that fit each other.

    Raises:
        Unknown: there is no such map or ruleset, or the ruleset has no sheet for a role on the map.
        Unreadable: one of them is not what it should be.
    """
    found = _map_file(map_file) if isinstance(map_file, str) else map_file
    battle_map, rules = load_map(found), read_ruleset(ruleset)
    begin(battle_map.placements, rules, "")
    return Scenario(battle_map, found.name, rules)


def begin_battle(scenario: Scenario, seed: str | None = None, folder: Path | None = None) -> Session:
    """A new battle in its own file, the order rolled.

    Args:
        scenario: the map and the rules.
        seed: of the dice; None makes one up.
        folder: the data folder; None is the user's.

    Raises:
        CannotSave: the disk refused; nothing is left behind.
    """
    title = scenario.map.battlefield.name
    path = free_path((folder or data_folder()) / "battles", title)
    header = Header(
        battle_id=str(uuid.uuid4()),
        version=version(),
        created=now(),
        title=title,
        map_file=clean(scenario.map_file, MOST_FILE),
        map_text=scenario.map.text,
        ruleset_id=scenario.rules.id,
        ruleset_texts=scenario.rules.texts,
        seed=secrets.token_hex(8) if seed is None else seed,
    )
    journal = Journal.create(path, header)
    try:
        return Session.start(scenario.map.battlefield, scenario.map.placements, scenario.rules, journal, now)
    except BaseException:
        journal.close()
        path.unlink(missing_ok=True)
        raise


def new_battle(map_file: str | Path, ruleset: str, seed: str | None = None, folder: Path | None = None) -> Session:
    """A new battle on a map under a ruleset, both by id or path. Raises as `read_scenario` and `begin_battle`."""
    return begin_battle(read_scenario(map_file, ruleset), seed, folder)


def open_battle(
    path: Path, read_only: bool = False, recovers: bool = True, each: Callable[[Battle], object] | None = None
) -> Session:
    """A battle as it was left, with the map and the rules that are in its file.

    Args:
        path: the file.
        read_only: change nothing and take no lock; for a battle that is open elsewhere.
        recovers: see `Journal.open`.
        each: gets the battle after every command, undo and redo.

    Raises:
        NotABattle: the file is missing, foreign, damaged, or says what cannot be; the message names it.
        NewerFormat, OpenElsewhere, CannotSave: see `journal`.
    """
    journal = Journal.open(path, read_only, recovers)
    try:
        header = journal.header.in_todays_language()
        field = parse_map(header.map_text, header.map_file).battlefield
        rules = parse_ruleset(header.ruleset_texts, header.ruleset_id)
        with uncollected():  # a long battle is many objects at once, and every one of them stays
            return Session.resume(field, rules, journal, now, checker(rules, each))
    except NotABattle:
        journal.close()
        raise
    except Exception as error:  # a file that somebody else may have written
        journal.close()
        raise NotABattle(path, _found_inside(error)) from error
    except BaseException:
        journal.close()
        raise


def old_words(session: Session) -> str:
    """What becomes of the file of a battle that an earlier version saved, once it is played on; "" for any other."""
    journal = session.journal
    if journal.read_only or not journal.is_old:
        return ""
    goes_on = "Saved by an earlier battleboard: your next change goes into a copy of this name; the old file stays as"
    return f"{goes_on} {visible(journal.kept_as.name)}."


def battles(folder: Path | None = None) -> list[Path]:
    """The battles in the data folder, the one last changed first. Whether they can be opened is not looked at."""
    inside = (folder or data_folder()) / "battles"
    try:
        return sorted(inside.glob(f"*{BATTLE}"), key=lambda path: path.lstat().st_mtime, reverse=True)
    except OSError:
        return []


def last_battle() -> Path | None:
    """The battle changed last, leaving out files that are plainly none; None when there is none.

    To be asked before a battle is opened, not while one is: it looks into the files.
    """
    return next((path for path in battles() if is_battle(path)), None)


def is_battle(path: Path) -> bool:
    """Whether a file begins as a battle does. It may still be damaged further on."""
    if not path.is_file() or path.is_symlink():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(MARK_AT + 4)
    except OSError:
        return False
    return head.startswith(SQLITE) and head[MARK_AT:] == APPLICATION_ID.to_bytes(4, "big")


def find_playable(name: str) -> Playable:
    """What a word stands for: a file that exists, else a map's id, else the name of a battle in the data folder.

    Raises:
        Unknown: nothing; the message names the nearest.
    """
    path = Path(name)
    if _lies(path) and path.is_file():
        return Playable(path, is_battle=path.suffix != MAP)
    known = {id: path for maps in (shipped_maps(), *map(maps_in, map_folders())) for id, path in maps.items()}
    if name in known:
        return Playable(known[name], is_battle=False)
    kept = {path.stem: path for path in battles()}
    if name.removesuffix(BATTLE) in kept:
        return Playable(kept[name.removesuffix(BATTLE)], is_battle=True)
    if _lies(path) and (len(path.parts) > 1 or path.suffix in (MAP, BATTLE)):
        raise BattleboardError(f"{name} is not a plain file; expected a map or a battle.")
    raise Unknown("map or battle", name, (*known, *kept))


def battle_file(name: str) -> Path | None:
    """The battle that a word stands for, by its path or its name in the data folder; None where it stands for none."""
    path = Path(name)
    if _lies(path) and (path.suffix == BATTLE or is_battle(path)):
        return path
    return {path.stem: path for path in battles()}.get(name.removesuffix(BATTLE))


def the_battle(name: str) -> Path:
    """The file of a battle by its path or its name in the data folder.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    path = battle_file(name) or (Path(name) if _lies(Path(name)) else None)
    if path is None:
        raise Unknown("battle", name, (path.stem for path in battles()))
    return path


def demo_session(ruleset: str = DEFAULT, seed: str = DEMO_SEED) -> Session:
    """The demo fight in a temporary folder that goes away with the program; in memory, where there is a place."""
    scenario = read_scenario(DEMO_MAP, ruleset)
    try:
        folder = temporary_folder("battleboard-demo-", _folder_in_memory())
    except OSError as error:
        raise BattleboardError(f"There is no place for the demo: {error}.") from None
    return begin_battle(scenario, seed, folder)


def _folder_in_memory() -> str | None:
    """A folder that lies in memory, where nothing waits for a disk; None for none, or where the user has chosen."""
    if tempfile.tempdir or any(name in os.environ for name in ("TMPDIR", "TEMP", "TMP")):
        return None
    places = (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm")  # made with a name of its own there
    return next((place for place in places if place and os.access(place, os.W_OK | os.X_OK)), None)


def _found_inside(error: Exception) -> str:
    """What keeps a sound file from being a battle, in one line."""
    match error:
        case Unreadable():
            first = error.problems[0]
            return f"the map or the rules inside cannot be used ({error.file}, line {first.line}: {first.message})"
        case BattleboardError() | ValueError():
            return clean(str(error).rstrip("."), MOST_FOUND)
        case MemoryError() | RecursionError():
            return "it asks for more memory than there is"
    return "its events do not fit each other"


def _map_file(name: str) -> Path:
    try:
        return find_map(name, map_folders())
    except OSError as error:
        raise BattleboardError(f"{name} cannot be read: {error.strerror or error}.") from None


def _lies(path: Path) -> bool:
    """Whether there is anything at a path; one that no file can have holds nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def free_path(folder: Path, title: str) -> Path:
    """A battle's file that is not there yet: its name is of the title and the first number that is free."""
    number = 1
    while os.path.lexists(path := folder / f"{slug(title)}-{number}{BATTLE}"):
        number += 1
    return path


def slug(title: str) -> str:
    """A title as a plain file name, without an ending."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:MOST_SLUG].strip("-") or "battle"
