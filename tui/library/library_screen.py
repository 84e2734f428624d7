"""Library screen: continue, replay, start, import and export battles. Nothing is deleted here."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Static

from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.text import visible
from maps import BattleMap, load_map
from rulesets import DEFAULT
from tui.describe.styled_text import fit, join, lines, plain, wrap
from tui.exports.formats import MANNERS, told
from tui.exports.restore import write_new
from tui.keys.battle_keys import with_keys
from tui.keys.bindings import LIBRARY_KEYS
from tui.library.battle_files import battles, begin_battle, open_battle, read_scenario
from tui.library.battle_list import MOST_BATTLES, BattleEntry, Entry, MapEntry, look_at, look_into, scenery_of
from tui.library.importing import take_in
from tui.library.listings import SHIPPED, known_maps, known_rulesets
from tui.library.map_preview import Preview
from tui.modals.choice import Choice
from tui.modals.help_screen import keys_text
from tui.modals.menu import Menu
from tui.modals.messages import Chosen, Left, SettingsChanged
from tui.modals.settings_menu import choose_setting
from tui.modals.text_modal import TextModal
from tui.panels.key_footer import KeyFooter
from tui.panels.panel import Panel
from tui.panels.prompt import PromptBar
from tui.settings.folders import map_folders, ruleset_folders
from tui.settings.settings import USUAL, Settings

HEADINGS = ("Continue", "New battle on")
ROOMY = 46
"""Cells from which on a row is written in full."""
MOST_SEED = 60
MANNER_WORDS = {
    "markdown": "a report to read",
    "toml": "the complete battle, as TOML",
    "jsonl": "the complete battle, as JSON lines",
}


class BattleList(Panel):
    """List of battles and maps with one selected."""

    TITLE = "Library"
    shown: var[tuple[tuple[Entry, ...], int]] = var(((), 0), init=False)

    def build(self, width: int, height: int) -> Content:
        return shelf_text(*self.shown, width, height)


class LibraryScreen(Screen[None]):
    """The library: its entries, the selected one, and ruleset and seed of a new battle."""

    BINDINGS = LIBRARY_KEYS  # type: ignore[assignment]
    BINDING_GROUP_TITLE = "Library"
    HORIZONTAL_BREAKPOINTS = [(0, "-close"), (110, "-roomy")]  # noqa: RUF012 - Textual's way
    DEFAULT_CSS = """
    LibraryScreen BattleList { width: 40; height: 1fr; }
    LibraryScreen.-roomy BattleList { width: 56; }
    LibraryScreen #frame { width: 1fr; height: 1fr; border: round $panel-line; padding: 0 1; }
    LibraryScreen #told { height: 3; background: $bar-back; }
    """

    def __init__(self, session: Session | None = None, settings: Settings = USUAL) -> None:
        super().__init__()
        self.session = session
        self.settings = settings
        self.entries: tuple[Entry, ...] = ()
        self.place = 0
        self.ruleset = DEFAULT
        self.seed: str | None = None
        self.note = ""
        self._maps: dict[str, BattleMap | str] = {}
        self._is_chosen = False
        """Whether a battle was opened that is not shown yet: a burst of keys must open only one."""

    def compose(self) -> ComposeResult:
        yield Static(plain(" battleboard   your battles, and maps for new battles", "$muted"), id="title", markup=False)
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
        before = self.entry
        entries: list[Entry] = []
        known = {entry.path: entry for entry in self.entries if isinstance(entry, BattleEntry) and entry.fault}
        for path in battles()[:MOST_BATTLES]:
            is_open = self.session is not None and path.absolute() == self.session.journal.path
            if is_open and self.session is not None:
                entries.append(look_at(self.session))
            else:
                entries.append(known.get(path, BattleEntry(path, path.stem)))
        for name, (file, where) in sorted(known_maps(map_folders()).items()):
            entries.append(MapEntry(name, file, where))
        self.entries = tuple(entries)
        wanted = chosen or (before and _file_of(before))
        self.place = next((place for place, one in enumerate(entries) if _file_of(one) == wanted), 0)
        self.show_all()
        self.call_after_refresh(self._look_on)

    def _look_on(self) -> None:
        """Reads one more battle, with keys handled in between."""
        for place, entry in enumerate(self.entries):
            if isinstance(entry, BattleEntry) and not entry.is_known:
                found = look_into(entry.path)
                self.entries = (*self.entries[:place], found, *self.entries[place + 1 :])
                self.show_all()
                self.call_after_refresh(self._look_on)
                return

    @property
    def entry(self) -> Entry | None:
        """The selected entry."""
        return self.entries[self.place] if self.entries else None

    def _map(self, entry: MapEntry) -> BattleMap | str:
        """A map, or why it cannot be used."""
        if entry.id not in self._maps:
            try:
                self._maps[entry.id] = load_map(entry.file)
            except BattleboardError as error:
                self._maps[entry.id] = str(error).partition("\n")[0]
        return self._maps[entry.id]

    # What is shown

    def show_all(self) -> None:
        if not self.query(BattleList):  # a late message while the screen closes
            return
        self.query_one(BattleList).shown = (self.entries, self.place)
        entry = self.entry
        shown = entry.scenery if isinstance(entry, BattleEntry) else None
        if isinstance(entry, MapEntry) and isinstance(found := self._map(entry), BattleMap):
            shown = scenery_of(found)
        preview = self.query_one(Preview)
        if preview.shown is not shown:
            preview.shown = shown
        rows = wrap(self.note or self._told(), self.size.width - 2)[:3]
        self.query_one("#told", Static).update(lines(plain(f" {row}", "bold") for row in rows))
        self.query_one(KeyFooter).show()

    def _told(self) -> str:
        """Describes the selected entry and what Enter does."""
        entry = self.entry
        if isinstance(entry, BattleEntry):
            name = entry.path.stem
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
            return f"{entry.title} ({name}), {entry.ruleset}: {when}, {steps}, last played {played}. {state}"
        if entry is None:
            return "No battles and no maps yet."
        found = self._map(entry)
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
        """Selects the first entry of the other kind."""
        is_map = isinstance(self.entry, MapEntry)
        wanted = BattleEntry if is_map else MapEntry
        self.place = next((place for place, one in enumerate(self.entries) if isinstance(one, wanted)), self.place)
        self.say("")

    def action_choose(self) -> None:
        entry = self.entry
        if isinstance(entry, BattleEntry):
            if entry.is_open:
                self.action_back()
            else:
                self._open(lambda: open_battle(entry.path))
        elif entry is not None:
            self._open(lambda: begin_battle(read_scenario(entry.file, self.ruleset), self.seed))

    def _open(self, find: Callable[[], Session], *, is_replay: bool = False) -> None:
        if self._is_chosen:
            return
        try:
            session = find()
        except BattleboardError as error:
            self.say(str(error))
        else:
            self.note, self._is_chosen = "", True
            self.post_message(Chosen(session, is_replay))

    def action_replay(self) -> None:
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Select a battle first.")
        elif entry.is_open and self.session is not None:
            self.post_message(Chosen(self.session, is_replay=True))
        else:
            self._open(lambda: open_battle(entry.path, read_only=True), is_replay=True)

    def action_ruleset(self) -> None:
        def chosen(ruleset: str | None) -> None:
            if ruleset:
                self.ruleset = ruleset
                self.say("")

        known = sorted(known_rulesets(ruleset_folders()).items())
        notes = {
            name: ("current" if name == self.ruleset else "" if where == SHIPPED else where) for name, where in known
        }
        choices = [Choice(name, name, note) for name, note in notes.items()]
        self.app.push_screen(Menu("Choose a ruleset", choices), chosen)

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

        choices = [Choice(name, words) for name, words in MANNER_WORDS.items()]
        self.app.push_screen(Menu(f"Export {entry.path.stem}", choices), chosen)

    def _export(self, entry: BattleEntry, manner: str) -> None:
        path = Path.cwd() / f"{entry.path.stem}{MANNERS[manner][1]}"
        number = 1
        while os.path.lexists(path):
            number += 1
            path = path.with_name(f"{entry.path.stem}-{number}{MANNERS[manner][1]}")
        try:
            if entry.is_open and self.session is not None:
                text = told(self.session, manner)
            else:
                session = open_battle(entry.path, read_only=True)
                try:
                    text = told(session, manner)
                finally:
                    session.close()
            self.say(f"Written to {visible(str(write_new(path, text)))}.")
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
        if self.session is not None:
            self.post_message(Left())

    def action_quit(self) -> None:
        self.app.exit()


def _file_of(entry: Entry) -> object:
    return entry.path if isinstance(entry, BattleEntry) else entry.file


def shelf_text(entries: tuple[Entry, ...], place: int, width: int, height: int) -> Content:
    """Renders the battles, then the maps, as many rows as fit around the selection."""
    rows: list[Content] = []
    bar = 0
    for kind, heading in zip((BattleEntry, MapEntry), HEADINGS, strict=True):
        rows.append(plain(heading, "bold $panel-title"))
        some = [(number, entry) for number, entry in enumerate(entries) if isinstance(entry, kind)]
        for number, entry in some:
            bar = len(rows) if number == place else bar
            rows.append(_row(entry, width, number == place))
        if not some:
            rows.append(plain("  no battles yet" if kind is BattleEntry else "  no maps", "$muted"))
    start = max(0, min(bar - height // 2, len(rows) - height))
    start = 0 if bar < height else start
    return lines(rows[start : start + height])


def _row(entry: Entry, width: int, is_chosen: bool) -> Content:
    style = "reverse" if is_chosen else ""
    mark = "▸ " if is_chosen else "  "
    if isinstance(entry, MapEntry):
        tail = "" if entry.where == SHIPPED else "yours"
        name = entry.id
    elif entry.fault:
        name, tail = entry.path.stem, "damaged"
    else:
        name = entry.title
        when = f", round {entry.round}" if width >= ROOMY else f" r{entry.round}"
        when = ", finished" if entry.is_finished else when
        tail = "open" if entry.is_open else f"{entry.ruleset}{when}" if entry.is_known else ""
    room = width - len(mark) - len(tail) - 1
    tone = "$bad" if tail == "damaged" else "$muted"
    return join([plain(f"{mark}{fit(name, room)} ", style), plain(tail, f"{tone} {style}".strip())])
