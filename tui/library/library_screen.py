"""Library screen: battles, encounters, maps, parties and characters; what is deleted here lies in the trash."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.text import visible
from engine.values import replace
from maps import BattleMap, load_map
from rulesets import DEFAULT
from tui.describe.styled_text import lines, plain, shortened
from tui.exports.export_files import write_export
from tui.exports.format_list import FORMATS
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import LIBRARY_KEYS
from tui.library.battle_files import battles, begin_battle, open_battle, read_scenario
from tui.library.battle_list import (
    BLANK_MAP,
    MOST_BATTLES,
    NEW_CHARACTER,
    NEW_PARTY,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    NewEntry,
    PartyEntry,
    entry_of,
    grouped,
    read_entry,
    scenery_of,
)
from tui.library.blank_maps import BLANK_NAME, BLANK_SIZE, begin_blank
from tui.library.character_files import (
    Party,
    character_files,
    character_heads,
    copy_character,
    read_character,
    read_parties,
)
from tui.library.character_forms import open_form
from tui.library.encounter_files import begin_encounter, encounter_files, encounter_heads
from tui.library.file_moves import (
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
from tui.library.importing import take_in
from tui.library.library_list import CHARACTERS, PARTIES, BattleList, section_of
from tui.library.list_panels import TextPanel
from tui.library.listings import SHIPPED, known_maps, known_rulesets
from tui.library.map_preview import Preview
from tui.library.new_encounter import side_of
from tui.library.new_encounter_screen import NewEncounterScreen
from tui.library.party_files import copy_party, party_path, party_rulesets, rename_party
from tui.library.party_screen import PartyScreen
from tui.library.previews import character_rows, party_rows
from tui.library.ruleset_files import read_ruleset
from tui.modals.choice import Choice
from tui.modals.help_screen import keys_text
from tui.modals.menu import Menu
from tui.modals.messages import Chosen, FileChanged, Left, SettingsChanged
from tui.modals.picker import fits
from tui.modals.settings_menu import choose_setting
from tui.modals.text_modal import TextModal
from tui.panels.key_footer import KeyFooter
from tui.panels.prompt import PromptBar
from tui.settings.folders import map_folders, party_file, ruleset_folders
from tui.settings.settings import USUAL, Settings

MOST_SEED = 60
NEW_WORDS = {
    BLANK_MAP: "{library.choose} makes an empty map of your own and opens it in the terrain editor.",
    NEW_PARTY: "{library.choose} makes a party: give it a name, then pick its characters from a list.",
    NEW_CHARACTER: "{library.choose} opens the form of a new character or stat block; it asks for the ruleset first.",
}


class LibraryScreen(Screen[None]):
    """The library: its entries, the selected one, and ruleset and seed of a new battle."""

    BINDINGS = LIBRARY_KEYS  # type: ignore[assignment]
    BINDING_GROUP_TITLE = "Library"
    HORIZONTAL_BREAKPOINTS = [(0, "-close"), (110, "-roomy")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    LibraryScreen BattleList { width: 34; height: 1fr; }
    LibraryScreen.-roomy BattleList { width: 56; }
    LibraryScreen #frame { width: 1fr; height: 1fr; border: round $panel-line; padding: 0 1; }
    LibraryScreen TextPanel { width: 1fr; height: 1fr; display: none; }
    LibraryScreen #told { height: 3; background: $bar-back; }
    """

    def __init__(self, session: Session | None = None, settings: Settings = USUAL, note: str = "") -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.entries: tuple[Entry, ...] = ()
        self.place = 0
        self.ruleset = DEFAULT
        self.seed: str | None = None
        self.note = note
        self.wanted = ""
        """Only what begins with these letters is listed; "" for everything."""
        self.is_by_name = False
        """Whether battles are sorted by name; else the last played comes first."""
        self._all: tuple[Entry, ...] = ()
        self._maps: dict[Path, BattleMap | str] = {}
        self._parties: Mapping[str, Party] = {}
        self._is_chosen = False
        """Whether a battle was opened that is not shown yet: a burst of keys must open only one."""

    def compose(self) -> ComposeResult:
        yield Static(
            plain(" battleboard   your battles, encounters, maps, parties and characters", "$muted"),
            id="title",
            markup=False,
        )
        with Horizontal(id="middle"):
            yield BattleList()
            with Vertical(id="frame"):
                yield Preview(ascii_only=self.settings.glyphs == "ascii", id="board")
            yield TextPanel(id="about")
        yield Static(id="told", markup=False)
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(Preview).focus()
        self.list_all()

    def on_screen_resume(self) -> None:
        self._is_chosen = False
        if self.is_mounted and self.entries:
            self.list_all()

    def on_resize(self) -> None:
        self.show_all()

    # What there is

    def list_all(self, chosen: Path | None = None) -> None:
        """Lists everything again; keeps the selection, or selects a battle's or a map's file."""
        entries: list[Entry] = []
        known = {entry.path: entry for entry in self._all if isinstance(entry, BattleEntry) and entry.fault}
        for path in battles()[:MOST_BATTLES]:
            is_open = self.session is not None and path.absolute() == self.session.journal.path
            if is_open and self.session is not None:
                entries.append(entry_of(self.session))
            else:
                entries.append(known.get(path, BattleEntry(path, path.stem)))
        found = encounter_files()
        for each in encounter_heads():
            about = (each.name, each.map, each.party, each.ruleset, each.opponents)
            entries.append(EncounterEntry(each.id, found[each.id], *about))
        for name, (file, where) in sorted(known_maps(map_folders()).items()):
            entries.append(MapEntry(name, file, where))
        entries.append(NewEntry(BLANK_MAP, "blank map …"))
        entries += self._list_parties()
        entries.append(NewEntry(NEW_PARTY, "new party …"))
        files = character_files()
        entries += [
            CharacterEntry(head.id, files[head.id], head.name, head.ruleset, head.is_opponent)
            for head in character_heads()
        ]
        entries.append(NewEntry(NEW_CHARACTER, "new character …"))
        self._all = tuple(entries)
        self._arrange(chosen)
        self.call_after_refresh(self._read_next)

    def _list_parties(self) -> list[PartyEntry]:
        try:
            self._parties = read_parties()
        except BattleboardError as error:
            self._parties = {}
            return [PartyEntry("", party_file().name, (), "", fault=str(error).partition("\n")[0])]
        rulesets = party_rulesets(self._parties)
        return [
            PartyEntry(id, party.name, party.characters, rulesets[id], party.is_default)
            for id, party in self._parties.items()
        ]

    def _arrange(self, chosen: Path | None = None) -> None:
        """Lists what is searched for, sorted; keeps the selection, or selects a file."""
        wanted = chosen or (self.entry and _file_of(self.entry))
        played = [entry for entry in self._all if isinstance(entry, BattleEntry)]
        if self.is_by_name:
            played.sort(key=lambda entry: entry.name.casefold())
        rest = [entry for entry in self._all if not isinstance(entry, BattleEntry)]
        self.entries = tuple(entry for entry in (*grouped(played), *rest) if fits(_words(entry), self.wanted))
        found = (place for place, one in enumerate(self.entries) if _file_of(one) == wanted)
        self.place = next(found, 0)
        self.show_all()

    def _read_next(self) -> None:
        """Reads one more battle, with keys handled in between."""
        for place, entry in enumerate(self._all):
            if isinstance(entry, BattleEntry) and not entry.is_known:
                found = read_entry(entry.path)
                self._all = (*self._all[:place], found, *self._all[place + 1 :])
                self._arrange()
                self.call_after_refresh(self._read_next)
                return

    @property
    def entry(self) -> Entry | None:
        """The selected entry."""
        return self.entries[self.place] if self.entries else None

    def _map(self, file: Path) -> BattleMap | str:
        """A map, or why it cannot be used."""
        if file not in self._maps:
            try:
                self._maps[file] = load_map(file)
            except BattleboardError as error:
                self._maps[file] = str(error).partition("\n")[0]
        return self._maps[file]

    def _map_called(self, name: str) -> BattleMap | str:
        """The map that an encounter names, by its id or a path."""
        known = next((entry.file for entry in self._all if isinstance(entry, MapEntry) and entry.id == name), None)
        return self._map(known or Path(name))

    # What is shown

    def show_all(self) -> None:
        if not self.query(BattleList):  # a late message while the screen closes
            return
        self.query_one(BattleList).shown = (self.entries, self.place)
        entry = self.entry
        shown = entry.scenery if isinstance(entry, BattleEntry) else None
        if isinstance(entry, MapEntry) and isinstance(found := self._map(entry.file), BattleMap):
            shown = scenery_of(found)
        if isinstance(entry, EncounterEntry) and isinstance(drawn := self._map_called(entry.map), BattleMap):
            shown = scenery_of(replace(drawn, placements=()))
        preview = self.query_one(Preview)
        if preview.shown != shown:
            preview.shown = shown
        is_person = isinstance(entry, CharacterEntry | PartyEntry)
        self.query_one("#frame").display, self.query_one(TextPanel).display = not is_person, is_person
        if is_person:
            self.call_after_refresh(self._show_about)
        rows = shortened(self.note or self._describe_selected(), self.size.width - 2, 3)
        self.query_one("#told", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show(names={"new": self._makes})

    def _show_about(self) -> None:
        """Shows the marked character's sheet, or the party's; after the list, as rules may have to be read."""
        entry, rows, problem = self.entry, tuple[Content, ...](), ""
        if not isinstance(entry, CharacterEntry | PartyEntry) or not self.query(TextPanel):
            return
        panel = self.query_one(TextPanel)
        try:
            if isinstance(entry, CharacterEntry):
                found = read_character(entry.id)
                width = max(1, panel.content_size.width)
                about = character_rows(found.character, read_ruleset(found.ruleset), self._parties.values(), width)
                rows = tuple(about)
            elif entry.fault:
                problem = entry.fault
            else:
                rows = tuple(party_rows(side_of(read_ruleset(entry.ruleset), self._parties[entry.id])))
        except BattleboardError as error:
            problem = str(error).partition("\n")[0]
        panel.shown = (entry.name, rows, (problem,) if problem else ())

    @property
    def _makes(self) -> str:
        """What the key for something new makes among the entries of this section."""
        section = section_of(self.entry) if self.entry else None
        return {PARTIES: "new party", CHARACTERS: "new character"}.get(section or 0, "new encounter")

    def _describe_selected(self) -> str:
        """Describes the selected entry and what Enter does."""
        entry = self.entry
        if isinstance(entry, BattleEntry):
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
            steps = f"{entry.steps} {'step' if entry.steps == 1 else 'steps'}"
            when = f"finished in round {entry.round}" if entry.is_finished else entry.stage
            sides = f"{', '.join(f'{side} {count}' for side, count in entry.sides)}; " if entry.sides else ""
            return f"{said}, {entry.ruleset}: {when}, {sides}{steps}, last played {entry.when}. {state}"
        if isinstance(entry, PartyEntry):
            if entry.fault:
                return f"{entry.fault} Nothing was changed."
            default = " New encounters and “add party” take it first." if entry.is_default else ""
            number = len(entry.characters)
            count = f"{number} {'character' if number == 1 else 'characters'}"
            changes = with_keys("{library.choose} changes who is in it.", LIBRARY_KEYS)
            return f"{entry.name}, party of {count}, {entry.ruleset or 'no ruleset'}. {changes}{default}"
        if isinstance(entry, CharacterEntry):
            kind = "stat block" if entry.is_opponent else "character"
            opens = with_keys("{library.choose} opens the form, {library.copy} copies it.", LIBRARY_KEYS)
            return f"{entry.name}, {kind} of {entry.ruleset} ({entry.file.name}). {opens}"
        if isinstance(entry, EncounterEntry):
            drawn = self._map_called(entry.map)
            if isinstance(drawn, str):
                return drawn
            who = f"the party {entry.party}" if entry.party else entry.ruleset
            about = f"{drawn.battlefield.name}, {who}, {entry.opponents} opponents"
            return with_keys(f"{entry.name}: {about}. {{library.choose}} sets it up on the board.", LIBRARY_KEYS)
        if isinstance(entry, NewEntry):
            return with_keys(NEW_WORDS[entry.id], LIBRARY_KEYS)
        if entry is None:
            return with_keys(f"Nothing begins with “{self.wanted}”. {{library.back}} shows everything.", LIBRARY_KEYS)
        found = self._map(entry.file)
        if isinstance(found, str):
            return found
        field, seed = found.battlefield, "random seed" if self.seed is None else f"seed {self.seed}"
        size = f"{field.columns}×{field.rows}, {len(found.placements)} units"
        keys = [with_keys(f"{{library.{name}}}", LIBRARY_KEYS) for name in ("choose", "ruleset", "seed")]
        begins = f"{keys[0]} starts a battle with ruleset {self.ruleset} ({keys[1]}) and {seed} ({keys[2]})."
        return f"{field.name}, {size}. {begins} {found.description}"

    def say(self, sentence: str) -> None:
        """Shows a sentence until the selection moves."""
        self.note = sentence
        self.show_all()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key while a question is open."""
        return not self.query_one(PromptBar).is_asking

    def action_move(self, step: int) -> None:
        if self.entries:
            self.place = min(max(self.place + step, 0), len(self.entries) - 1)
            self.say("")

    def action_other(self) -> None:
        """Selects the first entry of the next section."""
        sections = [section_of(entry) for entry in self.entries]
        if sections:
            here = sections[self.place]
            wanted = min((one for one in sections if one > here), default=sections[0])
            self.place = sections.index(wanted)
        self.say("")

    def action_choose(self) -> None:
        match self.entry:
            case BattleEntry(is_open=True):
                self.action_back()
            case BattleEntry(path=path):
                self._open(lambda: open_battle(path))
            case EncounterEntry(file=file):
                self._open(lambda: begin_encounter(file))
            case MapEntry(file=file):
                self._open(lambda: begin_battle(read_scenario(file, self.ruleset), self.seed))
            case PartyEntry(id=id, fault=""):
                self._open_party(self._parties[id])
            case CharacterEntry(id=name):
                self._edit_character(name)
            case NewEntry(id="blank-map"):
                self._ask_blank()
            case NewEntry(id="new-party"):
                self._open_party(None)
            case NewEntry(id="new-character"):
                self._choose_ruleset("Choose the ruleset of the character", self._new_character)

    def action_new(self) -> None:
        """Opens the new encounter, whose battle is shown in its set-up phase; a new party or character among them."""
        section = section_of(self.entry) if self.entry else None
        if section == PARTIES:
            self._open_party(None)
            return
        if section == CHARACTERS:
            self._choose_ruleset("Choose the ruleset of the character", self._new_character)
            return
        last = next((entry.map_id for entry in self._all if isinstance(entry, BattleEntry) and entry.map_id), "")

        def begun(session: Session | None) -> None:
            if session is not None:
                self.post_message(Chosen(session))

        self.app.push_screen(NewEncounterScreen(last, ascii_only=self.settings.glyphs == "ascii"), begun)

    def _ask_blank(self) -> None:
        """Asks for the size of an empty map, then for its name, and opens a battle on it in the terrain editor."""

        def sized(text: str) -> None:
            def named(name: str) -> None:
                self._open(lambda: begin_blank(text, name, self.ruleset), edits_terrain=True)

            if text:
                self.query_one(PromptBar).ask("Name of the map:", named, BLANK_NAME)

        self.query_one(PromptBar).ask("Columns and rows of the map, and the square:", sized, BLANK_SIZE)

    # Parties and characters

    def _open_party(self, party: Party | None) -> None:
        """Opens a party to be changed, or a new one."""
        if not any(isinstance(entry, CharacterEntry) and not entry.is_opponent for entry in self._all):
            makes = with_keys("{library.new} among the characters makes one", LIBRARY_KEYS)
            self.say(f"There are no characters yet: {makes}.")
            return

        def closed(saved: Party | None) -> None:
            self.list_all(party_path(saved.id) if saved else None)
            if saved:
                self.say(f"{saved.name} is saved in {party_file().name}.")

        self.app.push_screen(PartyScreen(party), closed)

    def _edit_character(self, name: str) -> None:
        try:
            found = read_character(name)
            rules = read_ruleset(found.ruleset)
        except BattleboardError as error:
            self.say(str(error).partition("\n")[0])
        else:
            open_form(self.app, found.character, rules, self._character_closed)

    def _new_character(self, ruleset: str) -> None:
        try:
            rules = read_ruleset(ruleset)
        except BattleboardError as error:
            self.say(str(error).partition("\n")[0])
        else:
            open_form(self.app, Character(""), rules, self._character_closed, is_new=True)

    def _character_closed(self, saved: Character | None) -> None:
        self.list_all(character_files().get(saved.file) if saved else None)

    # Names, copies, the trash

    def action_search(self) -> None:
        def answered(text: str) -> None:
            self.wanted, self.note = text, ""
            self._arrange()

        self.query_one(PromptBar).ask("Search (empty: show everything):", answered, self.wanted)

    def action_sort(self) -> None:
        self.is_by_name = not self.is_by_name
        self._arrange()
        self.say("Battles by name." if self.is_by_name else "Battles last played first.")

    def action_rename(self) -> None:
        """Asks for another name of the selected entry; its file follows."""
        match self.entry:
            case BattleEntry(path=file, name=called, is_open=True):
                self._ask_name(called, lambda name: self._rename_open(file, name))
            case BattleEntry(path=file, name=called):
                self._ask_change(called, lambda name: rename_battle(file, name))
            case EncounterEntry(file=file, name=called):
                self._ask_change(called, lambda name: rename_encounter(file, name))
            case MapEntry(name=called, where=where) if where == SHIPPED:
                copies = with_keys("{library.copy} copies it under another name", LIBRARY_KEYS)
                self.say(f"{called} comes with battleboard and keeps its name: {copies}.")
            case MapEntry(file=file) as entry:
                self._ask_change(self._title_of(entry), lambda name: rename_map(file, name))
            case PartyEntry(id=id, name=called, fault=""):
                self._ask_change(called, lambda name: party_path(rename_party(id, name).id))
            case CharacterEntry() as entry:
                self._rename_character(entry)
            case _:
                self.say("There is nothing to rename.")

    def _ask_name(self, value: str, answered: Callable[[str], None], label: str = "New name:") -> None:
        """Asks for a name; an empty one changes nothing."""
        self.query_one(PromptBar).ask(label, lambda name: answered(name) if name else None, value)

    def _ask_change(self, value: str, rename: Callable[[str], Path]) -> None:
        self._ask_name(value, lambda name: self._change(lambda: rename(name), f"Renamed to {name}."))

    def _rename_open(self, path: Path, name: str) -> None:
        self.post_message(FileChanged(lambda: rename_battle(path, name)))

    def _rename_character(self, entry: CharacterEntry) -> None:
        """Renames a character; its file does not follow while a battle that goes on knows it by that file."""
        fights = (one for one in self._all if isinstance(one, BattleEntry) and not one.is_finished)
        fight = next((one for one in fights if entry.id in one.characters), None)
        kept = f" Its file stays {entry.file.name}: the battle {fight.name} knows it by that." if fight else ""

        def answered(name: str) -> None:
            rename = lambda: rename_character(entry.file, name, moves=fight is None)  # noqa: E731
            self._change(rename, f"Renamed to {name}.{kept}")

        self._ask_name(entry.name, answered)

    def _title_of(self, entry: MapEntry) -> str:
        found = self._map(entry.file)
        return found.battlefield.name if isinstance(found, BattleMap) else entry.name

    def action_copy(self) -> None:
        """Asks for the name of a copy of the selected entry."""
        match self.entry:
            case BattleEntry(path=file, name=called):
                self._ask_copy(called, lambda name: copy_battle(file, name))
            case EncounterEntry(file=file, name=called):
                self._ask_copy(called, lambda name: copy_encounter(file, name))
            case MapEntry(file=file) as entry:
                self._ask_copy(self._title_of(entry), lambda name: copy_map(file, name))
            case PartyEntry(id=id, name=called, fault=""):
                self._ask_copy(called, lambda name: party_path(copy_party(id, name).id))
            case CharacterEntry(id=id, name=called):
                self._ask_copy(called, lambda name: copy_character(id, name))
            case _:
                self.say("There is nothing to copy.")

    def _ask_copy(self, name: str, copy: Callable[[str], Path]) -> None:
        def answered(name: str) -> None:
            self._change(lambda: copy(name), f"Copied to {name}.")

        self._ask_name(f"{name} 2", answered, "Name of the copy:")

    def action_trash(self) -> None:
        entry = self.entry
        if isinstance(entry, BattleEntry) and entry.is_open:
            self.say(f"{entry.name} is open on the board: open another battle, then move this one to the trash.")
        elif isinstance(entry, MapEntry) and entry.where == SHIPPED:
            self.say(f"{entry.name} comes with battleboard; only your own maps go to the trash.")
        elif isinstance(entry, PartyEntry) and entry.fault:
            self.say(f"{entry.fault} Nothing was changed.")
        elif isinstance(entry, BattleEntry | EncounterEntry | MapEntry | PartyEntry | CharacterEntry):
            words = with_keys(f"{entry.name} is in the trash. {{library.restore}} brings it back.", LIBRARY_KEYS)

            def throw() -> None:
                throw_away_party(entry.id) if isinstance(entry, PartyEntry) else throw_away(entry.file)

            self._change(throw, words)
        else:
            self.say("There is nothing to move to the trash.")

    def action_restore(self) -> None:
        try:
            back = restore_last()
        except BattleboardError as error:
            self.say(str(error))
        else:
            self.list_all(back)
            self.say(f"{back.stem} is back." if back else "The trash is empty.")

    def _change(self, change: Callable[[], Path | None], said: str) -> None:
        """Changes a file, lists everything again, and selects the file that the change gives."""
        place = self.place
        try:
            found = change()
        except BattleboardError as error:
            self.say(str(error).partition("\n")[0])
            return
        self._maps.clear()
        self.list_all(found)
        if found is None:
            self.place = min(place, len(self.entries) - 1)
        self.say(said)

    def _open(self, find: Callable[[], Session], *, is_replay: bool = False, edits_terrain: bool = False) -> None:
        if self._is_chosen:
            return
        try:
            session = find()
        except BattleboardError as error:
            self.say(str(error))
        else:
            self.note, self._is_chosen = "", True
            self.post_message(Chosen(session, is_replay, edits_terrain))

    def action_replay(self) -> None:
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
        elif entry.is_open and self.session is not None:
            self.post_message(Chosen(self.session, is_replay=True))
        else:
            self._open(lambda: open_battle(entry.path, read_only=True), is_replay=True)

    def action_ruleset(self) -> None:
        def chosen(ruleset: str) -> None:
            self.ruleset = ruleset
            self.say("")

        self._choose_ruleset("Choose a ruleset", chosen)

    def _choose_ruleset(self, title: str, chosen: Callable[[str], None]) -> None:
        known = sorted(known_rulesets(ruleset_folders()).items())
        notes = {
            name: ("current" if name == self.ruleset else "" if where == SHIPPED else where) for name, where in known
        }
        choices = [Choice(name, name, note) for name, note in notes.items()]
        self.app.push_screen(Menu(title, choices), lambda ruleset: chosen(ruleset) if ruleset else None)

    def action_seed(self) -> None:
        def answered(text: str) -> None:
            self.seed = text[:MOST_SEED] or None
            self.say("")

        self.query_one(PromptBar).ask("Dice seed of a new battle (empty: random seed):", answered, self.seed or "")

    def action_import(self) -> None:
        def answered(text: str) -> None:
            if not text:
                return
            try:
                taken = take_in(Path(text).expanduser())
            except (BattleboardError, RuntimeError) as error:  # "~nobody" has no home
                self.say(str(error).partition("\n")[0])
            else:
                self.list_all(taken.path)
                self.say(taken.words)

        self.query_one(PromptBar).ask("File to import:", answered)

    def action_export(self) -> None:
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
            return

        def chosen(manner: str | None) -> None:
            if manner:
                self._export(entry, manner)

        choices = [Choice(one.name, one.means) for one in FORMATS.values()]
        self.app.push_screen(Menu(f"Export {entry.path.stem}", choices), chosen)

    def _export(self, entry: BattleEntry, manner: str) -> None:
        try:
            if entry.is_open and self.session is not None:
                path = write_export(self.session, manner)
            else:
                session = open_battle(entry.path, read_only=True)
                try:
                    path = write_export(session, manner)
                finally:
                    session.close()
            self.say(f"Written to {visible(str(path))}.")
        except BattleboardError as error:
            self.say(str(error))

    def action_help(self) -> None:
        self.app.push_screen(TextModal("Help", lambda width: keys_text((("Library", self),), width)))

    def action_settings(self) -> None:
        choose_setting(self.app, self.settings, self._change_settings, has_panels=False)

    def _change_settings(self, settings: Settings, said: str) -> None:
        self.use_settings(settings)
        self.post_message(SettingsChanged(settings, self.say))
        self.say(said)

    def use_settings(self, settings: Settings) -> None:
        """Applies changed settings."""
        self.settings = settings
        self.query_one(Preview).use_ascii(settings.glyphs == "ascii")

    def action_back(self) -> None:
        if self.wanted:
            self.wanted = ""
            self._arrange()
        elif self.session is not None:
            self.post_message(Left())

    def action_quit(self) -> None:
        self.app.exit()


def _file_of(entry: Entry) -> object:
    return entry.file


def _words(entry: Entry) -> str:
    """What a search looks at."""
    match entry:
        case BattleEntry():
            return f"{entry.name} {entry.path.stem} {entry.ruleset} {entry.group}"
        case CharacterEntry() | PartyEntry():
            return f"{entry.name} {entry.id} {entry.ruleset}"
        case EncounterEntry():
            return f"{entry.name} {entry.id} {entry.map} {entry.party} {entry.ruleset}"
    return entry.name
