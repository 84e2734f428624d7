"""Library screen: battles, encounters, maps and characters; what is deleted here lies in the trash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from engine.battle.state.characters import Character
from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.text import visible
from engine.values import replace
from maps import BattleMap, load_map
from rulesets import DEFAULT
from tui.describe.styled_text import lines, plain, wrap
from tui.exports.export_files import write_export
from tui.exports.format_list import FORMATS
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import LIBRARY_KEYS
from tui.library.battle_files import battles, begin_battle, open_battle, read_scenario
from tui.library.battle_list import (
    BLANK_MAP,
    MOST_BATTLES,
    NEW_CHARACTER,
    BattleEntry,
    CharacterEntry,
    EncounterEntry,
    Entry,
    MapEntry,
    NewEntry,
    grouped,
    look_at,
    look_into,
    scenery_of,
)
from tui.library.blank_maps import BLANK_NAME, BLANK_SIZE, begin_blank
from tui.library.character_files import character_files, character_heads, read_character
from tui.library.character_forms import open_form
from tui.library.encounter_files import begin_encounter, encounter_files, encounter_heads
from tui.library.file_moves import (
    copy_battle,
    copy_text,
    rename_battle,
    rename_encounter,
    restore_last,
    throw_away,
)
from tui.library.importing import take_in
from tui.library.library_list import BattleList, section_of
from tui.library.listings import SHIPPED, known_maps, known_rulesets
from tui.library.map_preview import Preview
from tui.library.new_encounter_screen import NewEncounterScreen
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
from tui.settings.folders import characters_folder, encounters_folder, map_folders, ruleset_folders
from tui.settings.settings import USUAL, Settings

MOST_SEED = 60
NEW_WORDS = {
    BLANK_MAP: "{library.choose} makes an empty map of your own and opens it in the terrain editor.",
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
        self._is_chosen = False
        """Whether a battle was opened that is not shown yet: a burst of keys must open only one."""

    def compose(self) -> ComposeResult:
        yield Static(
            plain(" battleboard   your battles, encounters, maps and characters", "$muted"), id="title", markup=False
        )
        with Horizontal(id="middle"):
            yield BattleList()
            with Vertical(id="frame"):
                yield Preview(ascii_only=self.settings.glyphs == "ascii", id="board")
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
                entries.append(look_at(self.session))
            else:
                entries.append(known.get(path, BattleEntry(path, path.stem)))
        found = encounter_files()
        for each in encounter_heads():
            about = (each.name, each.map, each.party, each.ruleset, each.opponents)
            entries.append(EncounterEntry(each.id, found[each.id], *about))
        for name, (file, where) in sorted(known_maps(map_folders()).items()):
            entries.append(MapEntry(name, file, where))
        entries.append(NewEntry(BLANK_MAP, "blank map …"))
        files = character_files()
        entries += [
            CharacterEntry(head.id, files[head.id], head.name, head.ruleset, head.is_opponent)
            for head in character_heads()
        ]
        entries.append(NewEntry(NEW_CHARACTER, "new character …"))
        self._all = tuple(entries)
        self._arrange(chosen)
        self.call_after_refresh(self._look_on)

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

    def _look_on(self) -> None:
        """Reads one more battle, with keys handled in between."""
        for place, entry in enumerate(self._all):
            if isinstance(entry, BattleEntry) and not entry.is_known:
                found = look_into(entry.path)
                self._all = (*self._all[:place], found, *self._all[place + 1 :])
                self._arrange()
                self.call_after_refresh(self._look_on)
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
        rows = wrap(self.note or self._told(), self.size.width - 2)[:3]
        self.query_one("#told", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show()

    def _told(self) -> str:
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
            played = entry.played[:16].replace("T", " ")
            steps = f"{entry.steps} {'step' if entry.steps == 1 else 'steps'}"
            when = f"{'finished in ' if entry.is_finished else ''}round {entry.round}"
            return f"{said}, {entry.ruleset}: {when}, {steps}, last played {played}. {state}"
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
            case CharacterEntry(id=name):
                self._edit_character(name)
            case NewEntry(id="blank-map"):
                self._ask_blank()
            case NewEntry(id="new-character"):
                self._choose_ruleset("Choose the ruleset of the character", self._new_character)

    def action_new(self) -> None:
        """Opens the new encounter; its battle is shown in its set-up phase."""
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

    # Characters

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
        entry = self.entry
        if not isinstance(entry, BattleEntry | EncounterEntry):
            self.say("Only battles and encounters are renamed here.")
            return

        def answered(name: str) -> None:
            if not name:
                return
            rename = rename_encounter if isinstance(entry, EncounterEntry) else rename_battle
            if isinstance(entry, BattleEntry) and entry.is_open:
                self.post_message(FileChanged(lambda: rename(entry.file, name)))
            else:
                self._change(lambda: rename(entry.file, name), f"Renamed to {name}.")

        self.query_one(PromptBar).ask("New name:", answered, entry.name)

    def action_copy(self) -> None:
        match self.entry:
            case BattleEntry() as entry:
                self._change(lambda: copy_battle(entry.path, entry.name), "Copied.")
            case EncounterEntry(file=file):
                self._change(lambda: copy_text(file, encounters_folder()), "Copied.")
            case MapEntry(file=file):
                self._change(lambda: copy_text(file, map_folders()[0]), "Copied into your maps folder.")
            case CharacterEntry(file=file):
                self._change(lambda: copy_text(file, characters_folder()), "Copied.")
            case _:
                self.say("There is nothing to copy.")

    def action_trash(self) -> None:
        entry = self.entry
        if isinstance(entry, BattleEntry) and entry.is_open:
            self.say(f"{entry.name} is open on the board: open another battle, then move this one to the trash.")
        elif isinstance(entry, MapEntry) and entry.where == SHIPPED:
            self.say(f"{entry.name} comes with battleboard; only your own maps go to the trash.")
        elif isinstance(entry, BattleEntry | EncounterEntry | MapEntry | CharacterEntry):
            words = with_keys(f"{entry.name} is in the trash. {{library.restore}} brings it back.", LIBRARY_KEYS)
            self._change(lambda: throw_away(entry.file) and None, words)
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
        case CharacterEntry():
            return f"{entry.name} {entry.id} {entry.ruleset}"
        case EncounterEntry():
            return f"{entry.name} {entry.id} {entry.map} {entry.party} {entry.ruleset}"
    return entry.name
