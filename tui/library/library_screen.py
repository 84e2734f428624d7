"""The library on the screen: go on with a battle, look at one again, begin a new one on any map, take one in or give
one out. Nothing is deleted here.
"""

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

HEADINGS = ("Go on with", "Begin a battle on")
ROOMY = 46
"""Cells of a row from which on everything is written out."""
MOST_SEED = 60
MANNER_WORDS = {
    "markdown": "a report to read",
    "toml": "everything, as TOML",
    "jsonl": "everything, as JSON lines",
}


class BattleList(Panel):
    """The battles and the maps, with a bar on one of them."""

    TITLE = "Library"
    shown: var[tuple[tuple[Entry, ...], int]] = var(((), 0), init=False)

    def build(self, width: int, height: int) -> Content:
        return shelf_text(*self.shown, width, height)


class LibraryScreen(Screen[None]):
    """Holds what there is, where the bar is, and by which rules a new battle would be."""

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
        """Whether a battle was opened that is not shown yet: keys come in bursts, and one is enough."""

    def compose(self) -> ComposeResult:
        yield Static(plain(" battleboard   your battles, and maps for new ones", "$muted"), id="title", markup=False)
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
        """Lists everything anew; the bar stays where it was, or goes to a battle's file or a map's."""
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
        """Looks into one more battle; keys that came meanwhile are heard in between."""
        for place, entry in enumerate(self.entries):
            if isinstance(entry, BattleEntry) and not entry.is_known:
                found = look_into(entry.path)
                self.entries = (*self.entries[:place], found, *self.entries[place + 1 :])
                self.show_all()
                self.call_after_refresh(self._look_on)
                return

    @property
    def entry(self) -> Entry | None:
        """What the bar is on."""
        return self.entries[self.place] if self.entries else None

    def _map(self, entry: MapEntry) -> BattleMap | str:
        """The map, or why it cannot be used."""
        if entry.id not in self._maps:
            try:
                self._maps[entry.id] = load_map(entry.file)
            except BattleboardError as error:
                self._maps[entry.id] = str(error).partition("\n")[0]
        return self._maps[entry.id]

    # What is shown

    def show_all(self) -> None:
        if not self.query(BattleList):  # it is being left, and a message was still on its way
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
        """What the bar is on, and what Enter would do."""
        entry = self.entry
        if isinstance(entry, BattleEntry):
            name = entry.path.stem
            if entry.fault:
                return f"{name} cannot be opened as a battle: {entry.fault}. Nothing was changed."
            if not entry.is_known:
                return name
            state = (
                "It is open now: {library.choose} or {library.back} goes back to it."
                if entry.is_open
                else "{library.choose} goes on with it."
            )
            state = with_keys(state, LIBRARY_KEYS)
            played = entry.played[:16].replace("T", " ")
            steps = f"{entry.steps} {'step' if entry.steps == 1 else 'steps'}"
            return (
                f"{entry.title} ({name}), {entry.ruleset}: round {entry.round}, {steps}, last played {played}. {state}"
            )
        if entry is None:
            return "There is nothing yet."
        found = self._map(entry)
        if isinstance(found, str):
            return found
        field, seed = found.battlefield, "made up" if self.seed is None else self.seed
        size = f"{field.columns}×{field.rows}, {len(found.placements)} units"
        keys = [with_keys(f"{{library.{name}}}", LIBRARY_KEYS) for name in ("choose", "ruleset", "seed")]
        begins = f"{keys[0]} begins a battle under {self.ruleset} ({keys[1]}), seed {seed} ({keys[2]})."
        return f"{field.name}, {size}. {begins} {found.description}"

    def say(self, sentence: str) -> None:
        """A sentence in place of what the bar is on, until it moves."""
        self.note = sentence
        self.show_all()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No key while a question is asked."""
        return not self.query_one(PromptBar).is_asking

    def action_move(self, step: int) -> None:
        if self.entries:
            self.place = min(max(self.place + step, 0), len(self.entries) - 1)
            self.say("")

    def action_other(self) -> None:
        """To the first of the other kind."""
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
            self.say("Put the bar on a battle first.")
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
            name: ("chosen now" if name == self.ruleset else "" if where == SHIPPED else where) for name, where in known
        }
        choices = [Choice(name, name, note) for name, note in notes.items()]
        self.app.push_screen(Menu("By which rules", choices), chosen)

    def action_seed(self) -> None:
        def answered(text: str) -> None:
            self.seed = text[:MOST_SEED] or None
            self.say("")

        self.query_one(PromptBar).ask("Seed of a new battle's dice; nothing: made up:", answered, self.seed or "")

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

        self.query_one(PromptBar).ask("Import which file:", answered)

    def action_export(self) -> None:
        entry = self.entry
        if not isinstance(entry, BattleEntry):
            self.say("Put the bar on a battle first.")
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
        """The library looks otherwise, wherever that was chosen."""
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
    """The battles, then the maps, as many rows as fit around the bar."""
    rows: list[Content] = []
    bar = 0
    for kind, heading in zip((BattleEntry, MapEntry), HEADINGS, strict=True):
        rows.append(plain(heading, "bold $panel-title"))
        some = [(number, entry) for number, entry in enumerate(entries) if isinstance(entry, kind)]
        for number, entry in some:
            bar = len(rows) if number == place else bar
            rows.append(_row(entry, width, number == place))
        if not some:
            rows.append(plain("  no battle yet" if kind is BattleEntry else "  no map", "$muted"))
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
        tail = "open" if entry.is_open else f"{entry.ruleset}{when}" if entry.is_known else ""
    room = width - len(mark) - len(tail) - 1
    tone = "$bad" if tail == "damaged" else "$muted"
    return join([plain(f"{mark}{fit(name, room)} ", style), plain(tail, f"{tone} {style}".strip())])
