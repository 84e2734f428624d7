"""Presenter of the library: what is listed, marked and searched for, and what each key does. Without Textual.

The entries come from files; what acts on the screen (questions, menus, other screens) is the display's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from engine.battle.commands.order_commands import FinishBattle
from engine.battle.state.characters import Character
from engine.errors import BattleboardError, first_line
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import count, side_name
from engine.values import replace
from maps import BattleMap, load_map
from rulesets import DEFAULT
from tui.application.exports.export_files import write_export
from tui.application.exports.format_list import CANCELLED, FORMATS, PLAYERS
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import LIBRARY_KEYS
from tui.application.library.battle_files import battles, begin_battle, open_battle, read_scenario
from tui.application.library.battle_list import (
    BLANK_MAP,
    CHARACTERS,
    CONTINUE,
    MOST_BATTLES,
    NEW_CHARACTER,
    NEW_PARTY,
    PARTIES,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    NewEntry,
    PartyEntry,
    Scenery,
    entry_of,
    grouped,
    scenery_of,
    searched,
    section_of,
)
from tui.application.library.blank_maps import BLANK_NAME, BLANK_SIZE, begin_blank, parse_size
from tui.application.library.character_files import (
    Party,
    character_files,
    character_heads,
    read_character,
    read_parties,
)
from tui.application.library.encounter_files import begin_encounter, encounter_files, encounter_heads
from tui.application.library.entry_reading import as_before, read_whole
from tui.application.library.finished_battles import (
    NO_DIFFERENCE,
    Accepted,
    ChangedCharacter,
    changed_characters,
    write_accepted,
)
from tui.application.library.importing import take_in
from tui.application.library.library_rows import sorted_entries, standing, table_rows
from tui.application.library.listings import SHIPPED, known_maps, ruleset_notes
from tui.application.library.party_files import party_path, party_rulesets
from tui.application.library.ruleset_files import read_ruleset, ruleset_title
from tui.application.prompts.choice import Choice
from tui.application.prompts.open_prompt import ask_until_taken
from tui.application.prompts.table_rows import Sorting, TableRow
from tui.application.settings.folders import map_folders, party_file
from tui.application.terminal.jobs import Job

MOST_SEED = 60
WHOLE = "whole"
"""Id of the view of an export that leaves nothing out."""
NEW_WORDS = {
    BLANK_MAP: "{library.choose} makes an empty map of your own and opens it in the terrain editor.",
    NEW_PARTY: "{library.choose} makes a party: give it a name, then pick its characters from a list.",
    NEW_CHARACTER: "{library.choose} opens the form of a new character or stat block; it asks for the ruleset first.",
}


class LibraryDisplay(Protocol):
    """What the screen offers the presenter of the library."""

    def show_all(self) -> None:
        """Redraws everything."""

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        typing: Callable[[str], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        """Asks for a line: `typing` gets it at every key, Enter calls `answered` with it, Esc calls `cancelled`."""

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
        """Opens a menu; `chosen` gets the id that was chosen, and is not called for none."""

    def open_party(self, party: Party | None, closed: Callable[[Party | None], None]) -> None:
        """Opens a party, None for a new one; `closed` gets it as it was saved, None where it was not."""

    def open_form(
        self, own: Character, rules: Ruleset, closed: Callable[[Character | None], None], *, is_new: bool = False
    ) -> None:
        """Opens the form of a character; `closed` gets it as it was saved last, None where it was not."""

    def new_encounter(self, last_map: str) -> None:
        """Opens the new encounter; `last_map` is the id of the map that is marked first."""

    def read_on(self) -> None:
        """Calls `read_next` once more after the keys that wait."""

    def show_battle(self, session: Session, *, is_replay: bool = False, edits_terrain: bool = False) -> None:
        """Shows a battle in place of the library."""

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        """Asks which changes of characters their files keep; `chosen` gets the accepted ones."""

    def export(self, job: Job[str]) -> None:
        """Works on an export between keys, and says its words at the end."""

    def cancel_export(self) -> bool:
        """Cancels the export that is under way; whether there is one."""

    def change_open_file(self, change: Callable[[], Path]) -> None:
        """Changes the file of the open battle, which is closed for that and opened again."""

    def leave(self) -> None:
        """Goes back to the board."""


class LibraryPresenter:
    """The library's entries, the marked one, what is searched for, and ruleset and seed of a new battle."""

    def __init__(self, display: LibraryDisplay, session: Session | None = None, note: str = "") -> None:
        self.display = display
        self.session = session
        self.entries: tuple[Entry, ...] = ()
        """What is listed: everything, or what is searched for."""
        self.rows: tuple[TableRow, ...] = ()
        """The row of each."""
        self.place = 0
        self.ruleset = DEFAULT
        self.seed: str | None = None
        self.note = note
        """A sentence that is shown until the mark moves; "" for that of the marked entry."""
        self.wanted = ""
        """Only what begins with these letters is listed; "" for everything."""
        self.sortings: Mapping[int, Sorting] = {}
        """By section; a section that is not in it stands as it came, of battles the last played first."""
        self.is_chosen = False
        """Whether a battle was opened that is not shown yet: a burst of keys must open only one."""
        self.parties: Mapping[str, Party] = {}
        self.everything: tuple[Entry, ...] = ()
        """Every entry, listed or not."""
        self._maps: dict[Path, BattleMap | str] = {}

    # What there is

    def list_all(self, chosen: Path | None = None) -> None:
        """Lists everything again; keeps the selection, or selects a battle's or a map's file."""
        entries: list[Entry] = []
        parties = self._list_parties()
        known = {entry.path: entry for entry in self.everything if isinstance(entry, BattleEntry) and entry.fault}
        before = {entry.file: entry for entry in self.everything}
        for path in battles()[:MOST_BATTLES]:
            is_open = self.session is not None and path.absolute() == self.session.journal.path
            if is_open and self.session is not None:
                entries.append(self._named(entry_of(self.session)))
            else:
                entries.append(known.get(path, BattleEntry(path, path.stem)))
        heads = {head.id: head for head in encounter_heads()}
        for id, file in encounter_files().items():
            each = heads.get(id)
            about = (each.name, each.map, each.party, each.ruleset, each.opponents) if each else (id, "", "", "", 0)
            party = self.parties.get(about[2])
            who = (party.name, len(party.characters)) if party else (side_name(about[2]), 0)
            entries.append(as_before(EncounterEntry(id, file, *about, *who), before))
        for name, (file, where) in sorted(known_maps(map_folders()).items()):
            entries.append(as_before(MapEntry(name, file, where, is_own=where != SHIPPED), before))
        entries.append(NewEntry(BLANK_MAP, "blank map …"))
        entries += parties
        entries.append(NewEntry(NEW_PARTY, "new party …"))
        people = {head.id: head for head in character_heads()}
        for id, file in character_files().items():
            head = people.get(id)
            named = (head.name, head.ruleset, head.is_opponent) if head else (id, "", False)
            entries.append(as_before(CharacterEntry(id, file, *named), before))
        entries.append(NewEntry(NEW_CHARACTER, "new character …"))
        self.everything = tuple(entries)
        self._arrange(chosen)
        self.display.read_on()

    def _named(self, entry: BattleEntry) -> BattleEntry:
        """A battle with the name of its party."""
        party = self.parties.get(entry.party)
        return replace(entry, party_name=party.name) if party else entry

    def _list_parties(self) -> list[PartyEntry]:
        try:
            self.parties = read_parties()
        except BattleboardError as error:
            self.parties = {}
            return [PartyEntry("", party_file().name, (), "", fault=first_line(error))]
        rulesets = party_rulesets(self.parties)
        return [
            PartyEntry(id, party.name, party.characters, rulesets[id], party.is_default, party.missing)
            for id, party in self.parties.items()
        ]

    def _arrange(self, chosen: Path | None = None) -> None:
        """Lists what is searched for, sorted; keeps the selection, or selects a file. A search that hides it ends."""
        marked = chosen or (self.entry and self.entry.file)
        stand = sorted_entries(self.everything, self.sortings) if self.sortings else self.everything
        played = [entry for entry in stand if isinstance(entry, BattleEntry)]
        everything = (*grouped(played), *(entry for entry in stand if not isinstance(entry, BattleEntry)))
        self.entries = searched(everything, self.wanted)
        if chosen and chosen not in {entry.file for entry in self.entries}:
            self.entries, self.wanted = everything, ""
        self.rows = table_rows(self.entries, self.everything)
        self.place = next((place for place, one in enumerate(self.entries) if one.file == marked), 0)
        self.display.show_all()

    def read_next(self) -> None:
        """Reads one more battle, encounter, map or character, so that keys are handled in between.

        A battle is shown at once; what the rows of the others learn, when the last one of their kind is read.
        """
        unread = [
            (place, entry)
            for place, entry in enumerate(self.everything)
            if not isinstance(entry, PartyEntry | NewEntry) and not entry.is_known
        ]
        if not unread:
            return
        place, entry = unread[0]
        found = read_whole(entry)
        found = self._named(found) if isinstance(found, BattleEntry) else found
        self.everything = (*self.everything[:place], found, *self.everything[place + 1 :])
        is_last = not any(isinstance(other, type(entry)) for _, other in unread[1:])
        if isinstance(found, BattleEntry) or is_last or getattr(found, "fault", "") != getattr(entry, "fault", ""):
            self._arrange()
        self.display.read_on()

    @property
    def entry(self) -> Entry | None:
        """The selected entry."""
        return self.entries[self.place] if self.entries else None

    @property
    def makes(self) -> str:
        """What the key for something new makes among the entries of this section."""
        section = section_of(self.entry) if self.entry else None
        return {PARTIES: "new party", CHARACTERS: "new character"}.get(section or 0, "new encounter")

    def scenery(self) -> Scenery | None:
        """What the preview shows of the marked entry; None where it is not played on a map."""
        entry = self.entry
        if isinstance(entry, BattleEntry):
            return entry.scenery
        if isinstance(entry, MapEntry) and isinstance(found := self._map(entry.file), BattleMap):
            return scenery_of(found)
        if (
            isinstance(entry, EncounterEntry)
            and not entry.fault
            and isinstance(drawn := self._map_called(entry.map), BattleMap)
        ):
            return scenery_of(replace(drawn, placements=()))
        return None

    @property
    def standing(self) -> str:
        """How the marked battle stands, below its preview; "" for what is no battle."""
        return standing(self.entry) if isinstance(self.entry, BattleEntry) else ""

    def _map(self, file: Path) -> BattleMap | str:
        """A map, or why it cannot be used."""
        if file not in self._maps:
            try:
                self._maps[file] = load_map(file)
            except BattleboardError as error:
                self._maps[file] = first_line(error)
        return self._maps[file]

    def title_of(self, entry: MapEntry) -> str:
        """What a map is called; its file, where it cannot be read."""
        found = self._map(entry.file)
        return found.battlefield.name if isinstance(found, BattleMap) else entry.name

    def _map_called(self, name: str) -> BattleMap | str:
        """The map that an encounter names, by its id or a path."""
        known = next(
            (entry.file for entry in self.everything if isinstance(entry, MapEntry) and entry.id == name), None
        )
        return self._map(known or Path(name))

    # What is said

    def say(self, sentence: str) -> None:
        """Shows a sentence until the selection moves."""
        self.note = sentence
        self.display.show_all()

    @property
    def sentence(self) -> str:
        """The note, or the search and the selected entry, and what Enter does."""
        return self.note or f"{self._search_words()}{self._entry_words()}"

    def _search_words(self) -> str:
        if not self.wanted or not self.entries:
            return ""
        ends = with_keys("{library.back} shows everything.", LIBRARY_KEYS)
        return f"Search “{self.wanted}”: {len(self.entries)} of {len(self.everything)}; {ends} "

    def _entry_words(self) -> str:
        entry = self.entry
        if isinstance(entry, BattleEntry):
            return self._battle_words(entry)
        if isinstance(entry, PartyEntry):
            if entry.fault:
                return f"{entry.fault} Nothing was changed."
            default = " New encounters and “add party” take it first." if entry.is_default else ""
            members = count(len(entry.characters), "character")
            changes = with_keys("{library.choose} changes who is in it.", LIBRARY_KEYS)
            gone = f" {', '.join(f'{id}.toml' for id in entry.missing)} is missing." if entry.missing else ""
            return f"{entry.name}, party of {members}, {entry.ruleset or 'no ruleset'}.{gone} {changes}{default}"
        if isinstance(entry, CharacterEntry | EncounterEntry) and entry.fault:
            return f"{entry.fault} Nothing was changed."
        if isinstance(entry, CharacterEntry):
            kind = "stat block" if entry.is_opponent else "character"
            opens = with_keys("{library.choose} opens the form, {library.copy} copies it.", LIBRARY_KEYS)
            return f"{entry.name}, {kind} of {entry.ruleset} ({entry.file.name}). {opens}"
        if isinstance(entry, EncounterEntry):
            drawn = self._map_called(entry.map)
            if isinstance(drawn, str):
                return drawn
            party = self.parties.get(entry.party)
            who = f"the party {party.name if party else side_name(entry.party)}" if entry.party else entry.ruleset
            about = f"{drawn.battlefield.name}, {who}, {entry.opponents} opponents"
            return with_keys(f"{entry.name}: {about}. {{library.choose}} sets it up on the board.", LIBRARY_KEYS)
        if isinstance(entry, NewEntry):
            return with_keys(NEW_WORDS[entry.id], LIBRARY_KEYS)
        if isinstance(entry, MapEntry):
            return self._map_words(entry)
        return with_keys(f"No match for “{self.wanted}”. {{library.back}} shows everything.", LIBRARY_KEYS)

    def _battle_words(self, entry: BattleEntry) -> str:
        name = entry.path.stem
        said = entry.name if entry.name == name else f"{entry.name} ({name})"
        if entry.fault:
            return f"{name} cannot be opened as a battle: {entry.fault}. Nothing was changed."
        if not entry.is_known:
            return name
        state = (
            "It is open now: {library.choose} or {library.back} returns to it."
            if entry.is_open
            else "{library.choose} continues it."
        )
        state = with_keys(state, LIBRARY_KEYS)
        steps = count(entry.steps, "step")
        when = f"finished in round {entry.round}" if entry.is_finished else entry.stage
        return f"{said}, {entry.ruleset}: {when}, {steps}, last played {entry.when}. {state}"

    def _map_words(self, entry: MapEntry) -> str:
        found = self._map(entry.file)
        if isinstance(found, str):
            return found
        field, seed = found.battlefield, "random seed" if self.seed is None else f"seed {self.seed}"
        size = f"{field.columns}×{field.rows}, {len(found.placements)} units"
        keys = [with_keys(f"{{library.{name}}}", LIBRARY_KEYS) for name in ("choose", "ruleset", "seed")]
        begins = f"{keys[0]} starts a battle with ruleset {self.ruleset} ({keys[1]}) and {seed} ({keys[2]})."
        return f"{field.name}, {size}. {begins} {found.description}"

    # The mark

    def move(self, step: int) -> None:
        """Marks the entry so many rows below."""
        if self.entries:
            self.place = min(max(self.place + step, 0), len(self.entries) - 1)
            self.say("")

    def next_section(self) -> None:
        """Marks the first entry of the next section."""
        sections = [section_of(entry) for entry in self.entries]
        if sections:
            here = sections[self.place]
            wanted = min((one for one in sections if one > here), default=sections[0])
            self.place = sections.index(wanted)
        self.say("")

    def search(self) -> None:
        """Asks what to search for; the list follows every letter."""
        label = with_keys("Search ({library.choose} ends it, {library.back} shows everything):", LIBRARY_KEYS)
        self.display.ask(label, self._search, self.wanted, typing=self._search, cancelled=lambda: self._search(""))

    def _search(self, text: str) -> None:
        self.wanted, self.note = text.strip(), ""
        self._arrange()

    def sort(self) -> None:
        """Sorts battles by name, or the last played first."""
        by_name = Sorting(0)
        self.sort_section(CONTINUE, Sorting() if self.sortings.get(CONTINUE) == by_name else by_name)
        self.say("Battles by name." if CONTINUE in self.sortings else "Battles last played first.")

    def sort_section(self, section: int, sorting: Sorting) -> None:
        """Sorts a section by a column; by none the entries stand as they came."""
        others = {place: one for place, one in self.sortings.items() if place != section}
        self.sortings = others if sorting.column is None else {**others, section: sorting}
        self._arrange()

    def back(self) -> None:
        """Cancels an export that is under way, else shows everything again after a search; else goes to the board."""
        if self.display.cancel_export():
            self.say(CANCELLED)
        elif self.wanted:
            self._search("")
        elif self.session is not None:
            self.display.leave()

    # What is opened

    def choose(self) -> None:
        """Opens the marked entry, as its kind is opened."""
        match self.entry:
            case BattleEntry(is_open=True):
                self.display.leave()
            case BattleEntry(path=path):
                self._open(lambda: open_battle(path))
            case EncounterEntry(file=file):
                self._open(lambda: begin_encounter(file))
            case MapEntry(file=file):
                self._open(lambda: begin_battle(read_scenario(file, self.ruleset), self.seed))
            case PartyEntry(id=id, fault=""):
                self._open_party(self.parties[id])
            case CharacterEntry(id=name):
                self._edit_character(name)
            case NewEntry(id="blank-map"):
                self._ask_blank()
            case NewEntry(id="new-party"):
                self._open_party(None)
            case NewEntry(id="new-character"):
                self._choose_ruleset("Choose the ruleset of the character", self._new_character)

    def new(self) -> None:
        """Opens the new encounter, whose battle is shown in its set-up phase; a new party or character among them."""
        section = section_of(self.entry) if self.entry else None
        if section == PARTIES:
            self._open_party(None)
        elif section == CHARACTERS:
            self._choose_ruleset("Choose the ruleset of the character", self._new_character)
        else:
            played = (entry.map_id for entry in self.everything if isinstance(entry, BattleEntry) and entry.map_id)
            self.display.new_encounter(next(played, ""))

    def _open(self, find: Callable[[], Session], *, is_replay: bool = False, edits_terrain: bool = False) -> None:
        if self.is_chosen:
            return
        try:
            session = find()
        except BattleboardError as error:
            self.say(str(error))
        else:
            self.note, self.is_chosen = "", True
            self.display.show_battle(session, is_replay=is_replay, edits_terrain=edits_terrain)

    def replay(self) -> None:
        """Replays the marked battle."""
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
        elif entry.is_open and self.session is not None:
            self.display.show_battle(self.session, is_replay=True)
        else:
            self._open(lambda: open_battle(entry.path, read_only=True), is_replay=True)

    def finish(self) -> None:
        """Asks whether the marked battle is finished, ends it, and asks what of it the characters' files keep."""
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
        elif entry.is_open:
            self.say(with_keys(f"{entry.name} is open on the board: {{battle.line}} finish ends it there."))
        elif entry.fault:
            self.say(self._battle_words(entry))
        elif entry.is_finished:
            self._finish(entry)
        else:
            choices = [Choice("no", "do not finish it"), Choice("yes", "finish it", "then choose what the files keep")]
            self.display.choose(
                f"Finish {entry.name}?", choices, lambda choice: self._finish(entry) if choice == "yes" else None
            )

    def _finish(self, entry: BattleEntry) -> None:
        try:
            session = open_battle(entry.path)
        except BattleboardError as error:
            self.say(str(error))
            return
        try:
            if not session.battle.is_finished:
                session.submit(FinishBattle())
            rules, changed = session.rules, changed_characters(session.battle, session.rules)
        except BattleboardError as error:
            self.say(first_line(error))
            return
        finally:
            session.close()
        self.list_all(entry.path)
        if not changed:
            self.say(f"{entry.name} is finished. {NO_DIFFERENCE}")
            return

        def chosen(accepted: Accepted) -> None:
            self.say(" ".join(write_accepted(rules, changed, accepted)))

        self.display.choose_changes(changed, chosen)

    def _ask_blank(self) -> None:
        """Asks for the size of an empty map, then for its name, and opens a battle on it in the terrain editor."""

        def sized(text: str) -> None:
            def named(name: str) -> None:
                self._open(lambda: begin_blank(text, name, self.ruleset), edits_terrain=True)

            parse_size(text)
            self.display.ask("Name of the map:", named, BLANK_NAME)

        ask_until_taken(self.display, self.say, "Columns and rows of the map, and the square:", sized, BLANK_SIZE)

    def ask_ruleset(self) -> None:
        """Asks for the ruleset of a new battle."""

        def chosen(ruleset: str) -> None:
            self.ruleset = ruleset
            is_said = isinstance(self.entry, MapEntry)  # a map's own sentence names it
            self.say("" if is_said else f"New battles and characters begin with {ruleset_title(ruleset)}.")

        self._choose_ruleset("Choose a ruleset", chosen)

    def _choose_ruleset(self, title: str, chosen: Callable[[str], None]) -> None:
        """Asks for a ruleset; the current one stands first."""
        notes = sorted(ruleset_notes(self.ruleset).items(), key=lambda one: one[0] != self.ruleset)
        self.display.choose(title, [Choice(name, name, note) for name, note in notes], chosen)

    def ask_seed(self) -> None:
        """Asks for the dice seed of a new battle."""

        def answered(text: str) -> None:
            self.seed = text[:MOST_SEED] or None
            self.say("")

        self.display.ask("Dice seed of a new battle (empty: random seed):", answered, self.seed or "")

    # Parties and characters

    def _open_party(self, party: Party | None) -> None:
        """Opens a party to be changed, or a new one."""
        if not any(
            isinstance(entry, CharacterEntry) and not (entry.is_opponent or entry.fault) for entry in self.everything
        ):
            makes = with_keys("{library.new} among the characters makes one", LIBRARY_KEYS)
            self.say(f"There are no characters yet: {makes}.")
            return

        def closed(saved: Party | None) -> None:
            self.list_all(party_path(saved.id) if saved else None)
            if saved:
                begins = with_keys(
                    "{library.first}, then {library.new} begins an encounter; its second step takes the party.",
                    LIBRARY_KEYS,
                )
                self.say(f"{saved.name} is saved in {party_file().name}. {begins}")

        self.display.open_party(party, closed)

    def _edit_character(self, name: str) -> None:
        try:
            found = read_character(name)
            rules = read_ruleset(found.ruleset)
        except BattleboardError as error:
            self.say(first_line(error))
        else:
            self.display.open_form(found.character, rules, self._character_closed)

    def _new_character(self, ruleset: str) -> None:
        try:
            rules = read_ruleset(ruleset)
        except BattleboardError as error:
            self.say(first_line(error))
        else:
            self.display.open_form(Character(""), rules, self._character_closed, is_new=True)

    def _character_closed(self, saved: Character | None) -> None:
        self.note = ""
        self.list_all(character_files().get(saved.file) if saved else None)

    def change(self, change: Callable[[], Path | None], said: str) -> None:
        """Changes a file, lists everything again, and selects the file that the change gives.

        Raises:
            BattleboardError: nothing was changed.
        """
        place, found = self.place, change()
        self._maps.clear()
        self.list_all(found)
        if found is None:
            self.place = min(place, len(self.entries) - 1)
        self.say(said)

    # Other files

    def import_file(self) -> None:
        """Asks for a file to import."""

        def answered(text: str) -> None:
            taken = take_in(Path(os.path.expanduser(text)))  # noqa: PTH111 - "~nobody" stays as it is
            self.list_all(taken.path)
            self.say(taken.words)

        ask_until_taken(self.display, self.say, "File to import:", answered)

    def export(self) -> None:
        """Asks for a format, and writes the marked battle in it."""
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
            return
        choices = [Choice(one.name, one.means) for one in FORMATS.values()]
        self.display.choose(f"Export {entry.path.stem}", choices, lambda manner: self._ask_view(entry, manner))

    def _ask_view(self, entry: BattleEntry, manner: str) -> None:
        """Asks whose view the export shows, where the format can leave anything out."""
        if not FORMATS[manner].has_side:
            self._export(entry, manner, "")
            return
        choices = [
            Choice(WHOLE, "Game Master", "nothing is left out"),
            Choice(PLAYERS, "players", "without hidden units and your notes"),
            *(Choice(f"side {side}", side_name(side), f"what {side_name(side)} saw") for side, *_ in entry.sides),
        ]
        self.display.choose(
            "Export whose view?",
            choices,
            lambda view: self._export(entry, manner, "" if view == WHOLE else view.removeprefix("side ")),
        )

    def _export(self, entry: BattleEntry, manner: str, side: str) -> None:
        self.display.export(self._export_job(entry, manner, side))

    def _export_job(self, entry: BattleEntry, manner: str, side: str) -> Job[str]:
        if entry.is_open and self.session is not None:
            return (yield from write_export(self.session, manner, side=side))
        with closing(open_battle(entry.path, read_only=True)) as session:
            return (yield from write_export(session, manner, side=side))
