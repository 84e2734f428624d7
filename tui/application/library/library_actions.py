"""What each key of the library does; here names, copies and the trash of its entries, the rest is the presenter's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from engine.errors import BattleboardError, first_line
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import LIBRARY_KEYS
from tui.application.library.battle_list import BattleEntry, CharacterEntry, EncounterEntry, MapEntry, PartyEntry
from tui.application.library.character_files import copy_character
from tui.application.library.file_moves import (
    copy_battle,
    copy_encounter,
    copy_map,
    rename_battle,
    rename_character,
    rename_encounter,
    rename_map,
    restore_last,
    throw_away,
    throw_away_party,
)
from tui.application.library.library_presenter import LibraryPresenter
from tui.application.library.listings import SHIPPED
from tui.application.library.party_files import copy_party, parties_of, party_path, rename_party
from tui.application.prompts.open_prompt import ask_until_taken


def rename(library: LibraryPresenter) -> None:
    """Asks for another name of the selected entry; its file follows."""
    match library.entry:
        case BattleEntry(path=file, name=called, is_open=True):
            _ask_name(library, called, lambda name: library.display.change_open_file(lambda: rename_battle(file, name)))
        case BattleEntry(path=file, name=called):
            _ask_change(library, called, lambda name: rename_battle(file, name))
        case EncounterEntry(file=file, name=called):
            _ask_change(library, called, lambda name: rename_encounter(file, name))
        case MapEntry(name=called, where=where) if where == SHIPPED:
            copies = with_keys("{library.copy} copies it under another name", LIBRARY_KEYS)
            library.say(f"{called} comes with battleboard and keeps its name: {copies}.")
        case MapEntry(file=file) as entry:
            _ask_change(library, library.title_of(entry), lambda name: rename_map(file, name))
        case PartyEntry(id=id, name=called, fault=""):
            _ask_change(library, called, lambda name: party_path(rename_party(id, name).id))
        case CharacterEntry() as entry:
            _rename_character(library, entry)
        case _:
            library.say("There is nothing to rename.")


def _ask_name(library: LibraryPresenter, value: str, answered: Callable[[str], None], label: str = "New name:") -> None:
    """Asks for a name; an empty one changes nothing."""
    ask_until_taken(library.display, library.say, label, answered, value)


def _ask_change(library: LibraryPresenter, value: str, rename: Callable[[str], Path]) -> None:
    _ask_name(library, value, lambda name: library.change(lambda: rename(name), f"Renamed to {name}."))


def _rename_character(library: LibraryPresenter, entry: CharacterEntry) -> None:
    """Renames a character; its file keeps its name while an unfinished battle refers to it."""
    fights = (one for one in library.everything if isinstance(one, BattleEntry) and not one.is_finished)
    fight = next((one for one in fights if entry.id in one.characters), None)
    stays = f" The file keeps its name {entry.file.name}: the battle {fight.name} refers to it." if fight else ""

    def answered(name: str) -> None:
        rename = lambda: rename_character(entry.file, name, moves=fight is None)  # noqa: E731
        library.change(rename, f"Renamed to {name}.{stays}")

    _ask_name(library, entry.name, answered)


def copy(library: LibraryPresenter) -> None:
    """Asks for the name of a copy of the selected entry."""
    match library.entry:
        case BattleEntry(path=file, name=called):
            _ask_copy(library, called, lambda name: copy_battle(file, name))
        case EncounterEntry(file=file, name=called):
            _ask_copy(library, called, lambda name: copy_encounter(file, name))
        case MapEntry(file=file) as entry:
            _ask_copy(library, library.title_of(entry), lambda name: copy_map(file, name))
        case PartyEntry(id=id, name=called, fault=""):
            _ask_copy(library, called, lambda name: party_path(copy_party(id, name).id))
        case CharacterEntry(id=id, name=called):
            _ask_copy(library, called, lambda name: copy_character(id, name))
        case _:
            library.say("There is nothing to copy.")


def _ask_copy(library: LibraryPresenter, name: str, copy: Callable[[str], Path]) -> None:
    def answered(name: str) -> None:
        library.change(lambda: copy(name), f"Copied to {name}.")

    _ask_name(library, f"{name} 2", answered, "Name of the copy:")


def move_to_trash(library: LibraryPresenter) -> None:
    """Moves the marked entry to the trash."""
    entry = library.entry
    if isinstance(entry, BattleEntry) and entry.is_open:
        library.say(f"{entry.name} is open on the board: open another battle, then move this one to the trash.")
    elif isinstance(entry, MapEntry) and entry.where == SHIPPED:
        library.say(f"{entry.name} comes with battleboard; only your own maps go to the trash.")
    elif isinstance(entry, PartyEntry) and entry.fault:
        library.say(f"{entry.fault} Nothing was changed.")
    elif isinstance(entry, BattleEntry | EncounterEntry | MapEntry | PartyEntry | CharacterEntry):
        inside = parties_of(entry.id) if isinstance(entry, CharacterEntry) else ()
        lacks = f" Missing now in {', '.join(inside)}." if inside else ""
        words = with_keys(f"{entry.name} is in the trash.{lacks} {{library.restore}} brings it back.", LIBRARY_KEYS)

        def throw() -> None:
            throw_away_party(entry.id) if isinstance(entry, PartyEntry) else throw_away(entry.file)

        try:
            library.change(throw, words)
        except BattleboardError as error:
            library.say(first_line(error))
    else:
        library.say("There is nothing to move to the trash.")


def restore(library: LibraryPresenter) -> None:
    """Brings back what was moved to the trash last."""
    try:
        back = restore_last()
    except BattleboardError as error:
        library.say(str(error))
    else:
        library.list_all(back)
        name = library.entry.name if back and library.entry and library.entry.file == back else back and back.stem
        library.say(f"{name} is back." if back else "The trash is empty.")


ACTIONS: Mapping[str, Callable[..., None]] = {
    "back": LibraryPresenter.back,
    "choose": LibraryPresenter.choose,
    "copy": copy,
    "export": LibraryPresenter.export,
    "finish": LibraryPresenter.finish,
    "import": LibraryPresenter.import_file,
    "move": LibraryPresenter.move,
    "new": LibraryPresenter.new,
    "other": LibraryPresenter.next_section,
    "rename": rename,
    "replay": LibraryPresenter.replay,
    "restore": restore,
    "ruleset": LibraryPresenter.ask_ruleset,
    "search": LibraryPresenter.search,
    "seed": LibraryPresenter.ask_seed,
    "sort": LibraryPresenter.sort,
    "trash": move_to_trash,
}
"""By the action of a key of LIBRARY_KEYS; what acts on the screen alone is a method of the screen."""
