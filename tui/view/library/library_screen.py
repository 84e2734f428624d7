"""Library screen: battles, encounters, maps, parties and characters; what is deleted here lies in the trash."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from engine.battle.state.characters import Character
from engine.errors import BattleboardError, first_line
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.text import upper_first
from tui.application.describe.text_layout import shortened
from tui.application.keys.battle_keys import with_keys
from tui.application.keys.bindings import LIBRARY_KEYS
from tui.application.library.battle_list import SECTIONS, BattleEntry, CharacterEntry, Entry, MapEntry, PartyEntry
from tui.application.library.character_files import Party, read_character
from tui.application.library.finished_battles import Accepted, ChangedCharacter
from tui.application.library.library_actions import ACTIONS
from tui.application.library.library_presenter import LibraryPresenter
from tui.application.library.new_encounter import side_of
from tui.application.library.ruleset_files import read_ruleset
from tui.application.prompts.choice import Choice
from tui.application.prompts.table_rows import Sorting
from tui.application.settings.settings import USUAL, Settings
from tui.application.terminal.jobs import Job
from tui.view.exports.export_work import ExportWork
from tui.view.keys.bound_keys import bind
from tui.view.library.character_forms import open_form
from tui.view.library.library_list import BattleList, Shelf
from tui.view.library.list_panels import TextPanel
from tui.view.library.map_preview import Preview
from tui.view.library.new_encounter_screen import NewEncounterScreen
from tui.view.library.party_screen import PartyScreen
from tui.view.library.previews import character_rows, party_rows
from tui.view.modals.choosing import choose_one
from tui.view.modals.help_screen import keys_text
from tui.view.modals.messages import Chosen, FileChanged, Left, SettingsChanged
from tui.view.modals.settings_menu import choose_setting
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.prompt import PromptBar, PromptScreen
from tui.view.panels.styled_text import lines, plain
from tui.view.terminal.idle_jobs import IdleJobs

OF_A_BATTLE, OF_A_MAP = ("replay", "export"), ("ruleset", "seed")
"""Actions of the footer that only a battle, and only a map, has a use for."""


def _idle_keys(entry: Entry | None) -> tuple[str, ...]:
    """The actions that the footer leaves out for the selected entry."""
    of_a_battle = () if isinstance(entry, BattleEntry) else OF_A_BATTLE
    return (*of_a_battle, *(() if isinstance(entry, MapEntry) else OF_A_MAP))


def _of_presenter(name: str) -> Callable[..., None]:
    """The action of a key that is the presenter's: its function in `ACTIONS`."""

    def act(screen: LibraryScreen, *parameters: object) -> None:
        ACTIONS[name](screen.presenter, *parameters)

    return act


class LibraryScreen(PromptScreen[None]):
    """The library on the screen: its list, a preview of the marked entry, a sentence. It displays the presenter's."""

    BINDINGS = bind(LIBRARY_KEYS)
    BINDING_GROUP_TITLE = "Library"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-close"), (110, "-roomy"), (160, "-wide")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    LibraryScreen BattleList { width: 34; height: 1fr; }
    LibraryScreen.-roomy BattleList { width: 56; }
    LibraryScreen.-wide BattleList { width: 84; }
    LibraryScreen.-narrow #middle { layout: vertical; }
    LibraryScreen.-narrow BattleList { width: 100%; height: 2fr; }
    LibraryScreen #frame { width: 1fr; height: 1fr; border: round $panel-line; padding: 0 1; }
    LibraryScreen #board { height: 1fr; }
    LibraryScreen #standing { height: auto; max-height: 3; }
    LibraryScreen TextPanel { width: 1fr; height: 1fr; display: none; }
    LibraryScreen #sentence { height: auto; min-height: 3; background: $bar-back; }
    """

    def __init__(self, session: Session | None = None, settings: Settings = USUAL, note: str = "") -> None:
        super().__init__()
        self.settings = settings
        self.presenter = LibraryPresenter(self, session, note)
        spare = IdleJobs(self.set_interval, self.call_after_refresh)
        self._exports = ExportWork(spare, self._show_export, self.presenter.say)

    @property
    def session(self) -> Session | None:
        """The open battle below the library; None for none."""
        return self.presenter.session

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
                yield Static(id="standing", markup=False)
            yield TextPanel(id="about")
        yield Static(id="sentence", markup=False)
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        if self.query(Preview):  # the app may be closing already
            self.query_one(Preview).focus()
            self.presenter.list_all()

    def on_screen_resume(self) -> None:
        self.presenter.is_chosen = False
        if self.is_current and self.is_mounted and self.presenter.entries:  # else its battle may be closed by now
            self.presenter.list_all()

    def on_resize(self) -> None:
        self.show_all()

    def on_battle_list_section_sorted(self, event: BattleList.SectionSorted) -> None:
        sorting = self.presenter.sortings.get(event.section, Sorting())
        self.presenter.sort_section(event.section, sorting.clicked(event.column))

    def on_battle_list_entry_clicked(self, event: BattleList.EntryClicked) -> None:
        self.presenter.move(event.place - self.presenter.place)

    # What is shown

    def show_all(self) -> None:
        """Shows the list, the marked entry's preview and its sentence."""
        if not self.query(BattleList):  # a late message while the screen closes
            return
        library = self.presenter
        sortings = tuple(library.sortings.get(section, Sorting()) for section in range(len(SECTIONS)))
        self.query_one(BattleList).shown = Shelf(
            library.entries, library.rows, library.place, library.wanted, len(library.everything), sortings
        )
        self.query_one("#standing", Static).update(plain(library.standing))
        preview, shown = self.query_one(Preview), library.scenery()
        if preview.shown != shown:
            preview.shown = shown
        is_person = isinstance(library.entry, CharacterEntry | PartyEntry)
        self.query_one("#frame").display, self.query_one(TextPanel).display = not is_person, is_person
        if is_person:
            self.call_after_refresh(self._show_about)
        rows = shortened(library.sentence, self.size.width - 2, max(3, self.size.height // 4))
        self.query_one("#sentence", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show(names={"new": library.makes, **dict.fromkeys(_idle_keys(library.entry), "")})

    def _show_about(self) -> None:
        """Shows the marked character's sheet, or the party's; after the list, as rules may have to be read."""
        entry, rows, problem = self.presenter.entry, tuple[Content, ...](), ""
        if not isinstance(entry, CharacterEntry | PartyEntry) or not self.query(TextPanel):
            return
        panel, parties = self.query_one(TextPanel), self.presenter.parties
        try:
            if isinstance(entry, CharacterEntry):
                found = read_character(entry.id)
                rows = tuple(character_rows(found.character, read_ruleset(found.ruleset), parties.values()))
            elif entry.fault:
                problem = entry.fault
            else:
                party = parties[entry.id]
                problem = f"Missing: {', '.join(f'{name}.toml' for name in party.missing)}." if party.missing else ""
                if party.present.characters:
                    rows = tuple(party_rows(side_of(read_ruleset(entry.ruleset), party.present)))
        except BattleboardError as error:
            problem = first_line(error)
        panel.shown = (entry.name, rows, (problem,) if problem else ())

    # What the presenter asks for

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        typing: Callable[[str], None] | None = None,
        cancelled: Callable[[], None] | None = None,
    ) -> None:
        self.query_one(PromptBar).ask(label, answered, value, cancelled=cancelled, typing=typing)

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
        choose_one(self.app, title, choices, lambda choice: chosen(choice) if choice else None)

    def open_party(self, party: Party | None, closed: Callable[[Party | None], None]) -> None:
        self.app.push_screen(PartyScreen(party), closed)

    def open_form(
        self, own: Character, rules: Ruleset, closed: Callable[[Character | None], None], *, is_new: bool = False
    ) -> None:
        open_form(self.app, own, rules, closed, is_new=is_new)

    def new_encounter(self, last_map: str) -> None:
        self.app.push_screen(NewEncounterScreen(last_map, ascii_only=self.settings.glyphs == "ascii"))

    def read_on(self) -> None:
        self.call_after_refresh(self.presenter.read_next)

    def show_battle(self, session: Session, *, is_replay: bool = False, edits_terrain: bool = False) -> None:
        self.post_message(Chosen(session, is_replay, edits_terrain))

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        from tui.view.library.carry_over_screen import CarryOverScreen

        self.app.push_screen(CarryOverScreen(changed), lambda accepted: chosen(accepted or {}))

    def export(self, job: Job[str]) -> None:
        self._exports.begin(job)

    def cancel_export(self) -> bool:
        return self._exports.cancel()

    def _show_export(self) -> None:
        if words := self._exports.words:
            self.presenter.say(f"{upper_first(words)}. {with_keys('{library.back} cancels', LIBRARY_KEYS)}.")

    def change_open_file(self, change: Callable[[], Path]) -> None:
        self.post_message(FileChanged(change))

    def leave(self) -> None:
        self.post_message(Left())

    # Keys

    action_back = _of_presenter("back")
    action_choose = _of_presenter("choose")
    action_copy = _of_presenter("copy")
    action_export = _of_presenter("export")
    action_finish = _of_presenter("finish")
    action_import = _of_presenter("import")
    action_move = _of_presenter("move")
    action_new = _of_presenter("new")
    action_other = _of_presenter("other")
    action_rename = _of_presenter("rename")
    action_replay = _of_presenter("replay")
    action_restore = _of_presenter("restore")
    action_ruleset = _of_presenter("ruleset")
    action_search = _of_presenter("search")
    action_seed = _of_presenter("seed")
    action_sort = _of_presenter("sort")
    action_trash = _of_presenter("trash")

    def action_help(self) -> None:
        self.app.push_screen(TextModal("Help", lambda width: keys_text((("Library", self),), width)))

    def action_settings(self) -> None:
        choose_setting(self.app, self.settings, self._change_settings, has_panels=False)

    def _change_settings(self, settings: Settings, said: str) -> None:
        self.use_settings(settings)
        self.post_message(SettingsChanged(settings, self.presenter.say))
        self.presenter.say(said)

    def use_settings(self, settings: Settings) -> None:
        """Applies changed settings."""
        self.settings = settings
        self.query_one(Preview).use_ascii(settings.glyphs == "ascii")

    def action_quit(self) -> None:
        self.app.exit()
