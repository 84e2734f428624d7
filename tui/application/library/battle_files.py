"""Files of battles, maps and rulesets: find them, start a battle, open a battle.

Only this module reads the environment, the clock and the random seed; other code takes them as values.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from engine.battle.seats import GM_NAME
from engine.battle.setup import begin
from engine.battle.state.battle import Battle
from engine.errors import BattleboardError, Unknown, Unreadable
from engine.journal.batches import Stamp
from engine.journal.history import Moment
from engine.journal.journal_rows import APPLICATION_ID
from engine.journal.session import Beginning, Session
from engine.journal.store import Header, Journal, NotABattle
from engine.rules.model import Ruleset
from engine.text import clause, clean, slug, visible
from maps import BattleMap, find_map, load_map, maps_in, parse_map, shipped_maps
from rulesets import DEFAULT, parse_ruleset
from tui.application.exports.battle_check import checker
from tui.application.library.ruleset_files import read_ruleset
from tui.application.library.temporary_folders import temporary_folder
from tui.application.library.text_files import exists, top_keys
from tui.application.settings.folders import data_folder, encounters_folder, map_folders
from tui.application.terminal.capabilities import uncollected
from tui.application.terminal.version import version

DEMO_MAP = "frontier-trail"
DEMO_SEED = "demo-17"
"""With this seed Todd acts first."""

BATTLE = ".battle"
MAP = ".toml"
MOST_FILE = 200
MOST_FOUND = 300
SQLITE = b"SQLite format 3\0"
MARK_AT = 68
"""Offset of the application id in an SQLite file."""


class Scenario(Struct, frozen=True):
    """A map and a ruleset, read and checked."""

    map: BattleMap
    map_file: str
    rules: Ruleset


class Playable(Struct, frozen=True):
    """A file named on the command line: a battle's, a map's or an encounter's."""

    file: Path
    is_battle: bool
    is_encounter: bool = False


def now() -> str:
    """The present time, as headers and stamps have it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def stamp() -> Stamp:
    """The stamp of what the Game Master does now."""
    return Stamp(now(), GM_NAME)


def read_map(name: str) -> BattleMap:
    """Reads a map by its path, or by its id among the user's and the shipped ones.

    Raises:
        Unknown: there is none; the message names the nearest.
        Unreadable: it is not a map.
    """
    return load_map(map_file(name))


def read_scenario(file: str | Path, ruleset: str) -> Scenario:
    """Reads a map and a ruleset that fit each other.

    Raises:
        Unknown: there is no such map or ruleset, or the ruleset has no sheet for a role on the map, or no character.
        Unreadable: one of them is not what it should be.
    """
    found = map_file(file) if isinstance(file, str) else file
    battle_map, rules = load_map(found), read_ruleset(ruleset)
    if any(each.character_file or each.stats for each in battle_map.placements):
        from tui.application.library.character_files import with_characters  # late import, for a faster first paint

        battle_map = with_characters(battle_map, rules, str(found))
    begin(battle_map.placements, rules, "")
    return Scenario(battle_map, found.name, rules)


def begin_battle(
    scenario: Scenario,
    seed: str | None = None,
    folder: Path | None = None,
    beginning: Beginning | None = None,
    title: str = "",
) -> Session:
    """Starts a new battle in its own file, and rolls initiative unless it begins in its set-up phase.

    Args:
        scenario: the map and the rules.
        seed: of the dice; None for a random seed.
        folder: the data folder; None is the user's.
        beginning: how it begins in its set-up phase; None rolls initiative at once.
        title: what it is called; "" for the map's name.

    Raises:
        CannotSave: the disk refused; nothing is left behind.
    """
    title = title or scenario.map.battlefield.name
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
        battle_map = scenario.map
        return Session.start(battle_map.battlefield, battle_map.placements, scenario.rules, journal, stamp, beginning)
    except BaseException:
        journal.close()
        path.unlink(missing_ok=True)
        raise


def new_battle(file: str | Path, ruleset: str, seed: str | None = None, folder: Path | None = None) -> Session:
    """Starts a battle on a map with a ruleset, both by id or path. Raises as `read_scenario` and `begin_battle`."""
    return begin_battle(read_scenario(file, ruleset), seed, folder)


def open_battle(
    path: Path, read_only: bool = False, recovers: bool = True, each: Callable[[Moment], object] | None = None
) -> Session:
    """Opens a battle in its last state, with the map and the rules in its file.

    Args:
        path: the file.
        read_only: change nothing and take no lock; for a battle that another program has open.
        recovers: see `Journal.open`.
        each: called with the moment after every command, undo and redo.

    Raises:
        NotABattle: the file is missing, foreign, damaged, or says what cannot be; the message names it.
        NewerFormat, OpenElsewhere, CannotSave: see `journal`.
    """
    journal = Journal.open(path, read_only, recovers)
    try:
        header = journal.header.in_todays_language()
        field = parse_map(header.map_text, header.map_file).battlefield
        rules = parse_ruleset(header.ruleset_texts, header.ruleset_id)
        with uncollected():  # a long battle creates many lasting objects
            return Session.resume(field, rules, journal, stamp, _checked(checker(rules), each))
    except NotABattle:
        journal.close()
        raise
    except Exception as error:  # another program may have written the file
        journal.close()
        raise NotABattle(path, _found_inside(error)) from error
    except BaseException:
        journal.close()
        raise


def _checked(check: Callable[[Battle], None], each: Callable[[Moment], object] | None) -> Callable[[Moment], None]:
    def checked(moment: Moment) -> None:
        check(moment.battle)
        if each is not None:
            each(moment)

    return checked


def old_words(session: Session) -> str:
    """Notice about the file of a battle saved by an earlier version; "" for any other."""
    journal = session.journal
    if journal.read_only or not journal.is_old:
        return ""
    old = "An older version of battleboard saved this battle: your next command saves a copy; the old file stays as"
    return f"{old} {visible(journal.old_format_path.name)}."


def battles(folder: Path | None = None) -> list[Path]:
    """The battles in the data folder, latest first. It does not check whether they can be opened."""
    inside = (folder or data_folder()) / "battles"
    try:
        return sorted(inside.glob(f"*{BATTLE}"), key=lambda path: path.lstat().st_mtime, reverse=True)
    except OSError:
        return []


def last_battle() -> Path | None:
    """The battle changed last, without files that are not battles; None if there is none.

    Call it before a battle is opened, not while one is open: it reads the files.
    """
    return next((path for path in battles() if is_battle(path)), None)


def is_battle(path: Path) -> bool:
    """Whether a file starts as a battle. It may still be damaged further on."""
    if not path.is_file() or path.is_symlink():
        return False
    try:
        with path.open("rb") as file:
            head = file.read(MARK_AT + 4)
    except OSError:
        return False
    return head.startswith(SQLITE) and head[MARK_AT:] == APPLICATION_ID.to_bytes(4, "big")


def find_playable(name: str) -> Playable:
    """Finds an existing file, else a map by its id, an encounter or a battle by its name in the data folder.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    path = Path(name)
    if exists(path) and path.is_file():
        return Playable(path, is_battle=path.suffix != MAP, is_encounter=path.suffix == MAP and is_encounter(path))
    known = {id: path for maps in (shipped_maps(), *map(maps_in, map_folders())) for id, path in maps.items()}
    if name in known:
        return Playable(known[name], is_battle=False)
    encounters = maps_in(encounters_folder())
    if name in encounters:
        return Playable(encounters[name], is_battle=False, is_encounter=True)
    by_name = {path.stem: path for path in battles()}
    if name.removesuffix(BATTLE) in by_name:
        return Playable(by_name[name.removesuffix(BATTLE)], is_battle=True)
    if exists(path) and (len(path.parts) > 1 or path.suffix in (MAP, BATTLE)):
        raise BattleboardError(f"{name} is not a plain file; expected a map, an encounter or a battle.")
    raise Unknown("map, encounter or battle", name, (*known, *encounters, *by_name))


def is_encounter(path: Path) -> bool:
    """Whether a TOML file is an encounter: it names its map."""
    return "map" in top_keys(path)


def battle_file(name: str) -> Path | None:
    """Finds a battle by its path or its name in the data folder; None if there is none."""
    path = Path(name)
    if exists(path) and (path.suffix == BATTLE or is_battle(path)):
        return path
    return {path.stem: path for path in battles()}.get(name.removesuffix(BATTLE))


def the_battle(name: str) -> Path:
    """Finds the file of a battle by its path or its name in the data folder.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    path = battle_file(name) or (Path(name) if exists(Path(name)) else None)
    if path is None:
        raise Unknown("battle", name, (path.stem for path in battles()))
    return path


def demo_session(ruleset: str = DEFAULT, seed: str = DEMO_SEED) -> Session:
    """Starts the demo fight in a temporary folder, in memory if possible."""
    scenario = read_scenario(DEMO_MAP, ruleset)
    try:
        folder = temporary_folder("battleboard-demo-", _folder_in_memory())
    except OSError as error:
        raise BattleboardError(f"The demo cannot create its temporary folder: {error}.") from None
    return begin_battle(scenario, seed, folder)


def _folder_in_memory() -> str | None:
    """A folder in memory, without disk waits; None if there is none, or if the user has set a temporary folder."""
    if tempfile.tempdir or any(name in os.environ for name in ("TMPDIR", "TEMP", "TMP")):
        return None
    places = (os.environ.get("XDG_RUNTIME_DIR", ""), "/dev/shm")  # made with a name of its own there
    return next((place for place in places if place and os.access(place, os.W_OK | os.X_OK)), None)


def _found_inside(error: Exception) -> str:
    """Why a readable file is not a battle, in one line."""
    match error:
        case Unreadable():
            first = error.problems[0]
            return f"the map or the rules inside cannot be used ({error.file}, line {first.line}: {first.message})"
        case BattleboardError() | ValueError():
            return clean(clause(str(error)), MOST_FOUND)
        case MemoryError() | RecursionError():
            return "it needs more memory than there is"
    return "its events contradict each other"


def map_file(name: str) -> Path:
    """The file of a map, by its path, or by its id among the user's and the shipped ones."""
    try:
        return find_map(name, map_folders())
    except OSError as error:
        raise BattleboardError(f"{name} cannot be read: {error.strerror or error}.") from None


def free_path(folder: Path, title: str) -> Path:
    """A free file name for a battle: its title and the first free number."""
    number = 1
    while os.path.lexists(path := folder / f"{slug(title) or 'battle'}-{number}{BATTLE}"):
        number += 1
    return path
