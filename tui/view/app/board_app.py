"""The Textual app: theme, output filters, screens, keys, settings."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar, TypedDict

from rich.console import RenderableType
from rich.text import Text
from textual import events, on
from textual.app import SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.command import CommandPalette
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input

from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.values import replace
from tui.application.keys.battle_keys import use_keys, with_keys
from tui.application.settings.folders import keys_file
from tui.application.settings.settings import USUAL, Settings, read_settings, settings_file, write_settings
from tui.application.terminal.capabilities import collect_again, has_few_signs, leave_out_present
from tui.application.terminal.output import complain, say, wrapped
from tui.view.app.lazy_screens import is_library, library, replay, show_form, side_seat
from tui.view.board.board_view import BoardView
from tui.view.board.colours_256 import has_256_colours, rounded_theme
from tui.view.board.sixteen_colours import has_sixteen_colours
from tui.view.board.themes import SIXTEEN, THEMES, VARIABLES
from tui.view.keys.bound_keys import by_action
from tui.view.modals.messages import Chosen, FileChanged, Left, OpenLibrary, SettingsChanged
from tui.view.screens.battle_screen import BattleScreen
from tui.view.terminal.driver import driver_class
from tui.view.terminal.frame_diff import Shown, applies, erases_in_colour
from tui.view.terminal.kept_answers import forget_closed
from tui.view.terminal.key_queue import OrderedKeys
from tui.view.terminal.output_gates import AsciiGate, OutputGate

if TYPE_CHECKING:
    from rulesets.characters import OwnSheet
    from tui.application.keys.keymap import Keymap
    from tui.view.screens.follow_file import FollowedFile


class OwnActions(TypedDict):
    """The user's settings and keys for the app."""

    settings: Settings
    keymap: Keymap
    notice: str


class SafeCommandPalette(CommandPalette):
    """Textual's command palette, without three faults of 8.2.8: a crash on a page key before its list is laid out,
    another on a key that closes it once more, and a command that runs as often as Enter is pressed before it closes."""

    def dismiss(self, result: None = None) -> AwaitComplete:
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def _select_or_command(self, event: Input.Submitted | Button.Pressed | None = None) -> None:
        if self.is_active:
            super()._select_or_command(event)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not self.is_active:
            event.prevent_default()

    def _action_command_list(self, action: str) -> None:
        with suppress(KeyError):
            super()._action_command_list(action)


class BoardApp(OrderedKeys):
    """The app for one battle at a time, played or replayed; without one, the library."""

    TITLE = "battleboard"
    CSS_PATH = "board.tcss"
    BINDINGS: ClassVar[list[Binding]] = [  # type: ignore[assignment]
        Binding("ctrl+l", "redraw", "redraw", id="app.redraw", show=False, priority=True,
                tooltip="redraw the screen, after another program has written over it"),
    ]  # fmt: skip
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        session: Session | None,
        *,
        ascii_only: bool = False,
        is_kept: bool = True,
        is_replay: bool = False,
        watch: FollowedFile | None = None,
        sheet: OwnSheet | None = None,
        settings: Settings = USUAL,
        keymap: Keymap | None = None,
        notice: str = "",
        has_tour: bool = False,
        is_start: bool = False,
    ) -> None:
        """Builds the app.

        Args:
            session: the battle; None for the library.
            ascii_only: use only ASCII signs, whatever the settings say.
            is_kept: whether the battle's file stays.
            is_replay: replay the battle.
            watch: the player view of a battle, in place of all that.
            sheet: the form of a character, in place of all that.
            settings: the user's settings.
            keymap: the changed keys, if any.
            notice: the first sentence on the screen.
            has_tour: whether the tour starts at once.
            is_start: whether the first sentence also names the key of the library.
        """
        # NO_COLOR means none at all here: Textual alone would turn colours into greys.
        super().__init__(driver_class=driver_class(), ansi_color="NO_COLOR" in os.environ)
        self.session = session
        self.is_kept = is_kept
        self.is_replay = is_replay
        self._watch = watch
        self._sheet = sheet
        self.settings = replace(settings, glyphs="ascii") if ascii_only or has_few_signs() else settings
        self._glyphs_kept = settings.glyphs
        self.notice = notice
        self.has_tour = has_tour
        self._is_start = is_start
        self.edits_terrain = False
        """Whether the terrain editor opens above the board at once."""
        self._own_keys = keymap or {}
        self.set_keymap({name: ",".join(keys) for name, keys in (keymap or {}).items()})
        self.animation_level = "none"
        self._shown = Shown(erases=erases_in_colour())
        self._is_behind = False
        """Whether a frame was drawn but not written yet."""
        self._left_out = (0, 0)
        """How many rulesets had been read, and which battle was open, when collections left out what there was."""
        self.last_words: list[str] = []
        """Messages about the files of closed battles, printed at the end."""
        self.farewell = ""
        """That the battle which was closed last is saved, and how to continue it; "" for one that is not played."""
        self.is_lost = 0
        """1 if the file of one of them was incomplete."""
        # The same ones every time: a line that has passed them is known to have.
        self._gates: list[LineFilter] = [OutputGate()]
        self._ascii_gates: list[LineFilter] = [*self._gates, AsciiGate()]
        for theme in (*THEMES, SIXTEEN):
            self.register_theme(rounded_theme(theme) if has_256_colours(self.console) else theme)
        self._use_theme()  # before it runs, else all styles are worked out twice

    @property
    def ascii_only(self) -> bool:
        """Whether everything is drawn with ASCII signs."""
        return self.settings.glyphs == "ascii"

    async def press(self, event: events.Event) -> None:
        """Handles a key, or another event from the terminal; any key ends what still moves."""
        board = getattr(self.screen, "board", None) if self.screen_stack else None
        if isinstance(board, BoardView) and isinstance(event, events.Key):
            board.end_beat()
        await super().press(event)

    @cached_property
    def _writes_differences(self) -> bool:
        return applies(self._driver)

    def _display(self, screen: Screen[Any], renderable: RenderableType | None) -> None:
        """Textual's output to the terminal; writes a frame as the difference from the last one."""
        is_heard = self.is_running and not self._closed and not self._batch_count  # else Textual writes nothing
        if renderable is not None and self._driver is not None and self._writes_differences:
            if is_heard and self._is_behind:  # what was not written is not drawn again: the whole screen, in one go
                renderable = screen._compositor.render_update(full=True, screen_stack=self._background_screens)
            if is_heard:
                renderable = self._shown.difference(renderable, self.console, isinstance(self.focused, Input))
            self._is_behind = not is_heard
        super()._display(screen, renderable)

    def pop_screen(self) -> AwaitComplete:
        from rulesets.loader import times_read  # not for the first paint

        forget_closed()
        if (present := (times_read(), id(self.session))) != self._left_out:
            self._left_out = present
            self.set_timer(SETTLED_S, leave_out_present)
        return super().pop_screen()

    def on_resize(self, event: events.Resize) -> None:
        """Redraws: a terminal that was resized twice has lost its contents at the same size."""
        self._shown.forget()
        if self.is_running and event.size == self.size:
            self.screen.refresh()

    def action_help_quit(self) -> None:
        """Ctrl+C: says on the board what cancels and what quits."""
        if isinstance(self.screen, BattleScreen) and not self.screen.is_asking:
            self.screen.presenter.say(with_keys("{battle.cancel} cancels, {battle.quit} quits."))

    def action_redraw(self) -> None:
        """Redraws the whole screen, after another program has written over it."""
        self._shown.forget()
        self.screen.refresh(layout=True)

    def on_load(self) -> None:
        use_keys(self._own_keys)  # for every task that this one begins

    def on_mount(self) -> None:
        self.set_timer(SETTLED_S, collect_again)
        self.app_resume_signal.subscribe(self, lambda _: self.action_redraw())
        if self._watch is not None:
            self.push_screen(side_seat(self._watch, self.settings))
        elif self._sheet is not None:
            show_form(self, self._sheet)
        elif self.session is None:
            self.push_screen(library(None, self.settings))
        else:
            self._show_board(self.session, self.is_replay, edits_terrain=self.edits_terrain)

    def _say_waiting(self, seconds: int) -> None:
        """Shows on the last row that saving waits; redraws everything afterwards."""
        if self._driver is not None and not self._exit:
            said = f" Waiting for another program that is reading the battle file: {seconds} s "[: self.size.width]
            self._driver.write(f"\x1b[{self.size.height}H\x1b[7m{said}\x1b[m\x1b[K")
            self._shown.forget()
            self.call_later(self.action_redraw)

    def _board(self, session: Session, is_replay: bool) -> BattleScreen:
        session.journal.on_wait = self._say_waiting
        if is_replay:
            return replay(session, self.settings)
        from tui.application.describe.battle_start import opening_words, set_up_words
        from tui.application.library.battle_files import old_words  # with all that begins a battle

        is_kept = self.is_kept or session is not self.session
        declared = "" if self.has_tour else opening_words(session, with_keys("{battle.initiative}"))
        notice = self.notice or old_words(session) or declared or set_up_words(session, with_keys(SET_UP))
        has_tour, self.notice, self.has_tour = self.has_tour, "", False
        if self._is_start:
            notice, self._is_start = f"{with_keys(STARTS)} {notice}".rstrip(), False
        return BattleScreen(session, self.settings, is_kept=is_kept, notice=notice, has_tour=has_tour)

    def _use_theme(self) -> None:
        self.theme = SIXTEEN.name if has_sixteen_colours(self.console) else self.settings.theme

    @on(SettingsChanged)
    def keep_settings(self, message: SettingsChanged) -> None:
        """Applies and saves the settings."""
        if self.settings.glyphs != message.settings.glyphs:  # else those of the command line are not for ever
            self._glyphs_kept = message.settings.glyphs
        self.settings = message.settings
        for screen in self.screen_stack:
            if isinstance(screen, BattleScreen) or is_library(screen):
                screen.use_settings(message.settings)
        self._use_theme()
        self.refresh_css(animate=False)
        try:
            write_settings(settings_file(), replace(message.settings, glyphs=self._glyphs_kept))
        except BattleboardError as reason:
            message.refused(str(reason))

    @on(Chosen)
    def show_chosen(self, message: Chosen) -> None:
        """Shows another battle and closes the open one; the same battle goes on top of the present screens.

        If it was chosen in the library, the library stays below it.
        """
        if message.session is not self.session:
            is_from_library = any(is_library(screen) for screen in self.screen_stack)
            self.close_battle()
            while len(self.screen_stack) > 1:
                self.pop_screen()
            self.session, self.is_kept = message.session, True
            if is_from_library:
                self.push_screen(library(None, self.settings))
        self._show_board(message.session, message.is_replay, edits_terrain=message.edits_terrain)

    def _show_board(self, session: Session, is_replay: bool, *, edits_terrain: bool) -> None:
        session.use_answers()  # for the tasks of the board, which begin here
        board = self._board(session, is_replay)
        self.push_screen(board)
        if edits_terrain:
            board.call_after_refresh(board.edit_terrain)

    @on(FileChanged)
    def change_file(self, message: FileChanged) -> None:
        """Closes the open battle, changes its file, and opens it again below the library."""
        if self.session is None:
            return
        path = self.session.journal.path
        self.session.close()
        from tui.application.library.battle_files import open_battle

        refusal = ""
        try:
            path = message.change()
        except BattleboardError as error:
            refusal = str(error)
        self.session = None
        session = open_battle(path)
        while len(self.screen_stack) > 1:
            self.pop_screen()
        self.session = session
        self.push_screen(self._board(session, is_replay=False))
        self.push_screen(library(session, self.settings, refusal or f"Renamed to {path.stem}."))

    @on(OpenLibrary)
    def show_library(self) -> None:
        self.push_screen(library(self.session, self.settings))

    def close_battle(self) -> None:
        """Closes the open battle, if any, and checks its file."""
        if self.session is not None:
            self.session.close()
            if self.is_kept:
                from tui.application.library.rescue import rescue, saved_message  # with all that begins a battle

                words, lost = rescue(self.session)
                self.last_words += filter(None, [words])
                self.is_lost |= lost
                self.farewell = saved_message(self.session) if self.session.journal.is_writer else ""
            self.session = None

    @on(Left)
    def leave(self) -> None:
        """Returns to the screen below, or exits. Closes a battle that was opened from the library."""
        if len(self.screen_stack) <= BOTTOM:
            self.exit()
            return
        below = self.screen_stack[-2]
        if is_library(below) and below.session is None:
            self.close_battle()
        self.pop_screen()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return dict(VARIABLES)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), *(self._ascii_gates if self.ascii_only else self._gates)]

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Lists the key actions by name; none of Textual's commands that write files."""
        nodes: tuple[Screen[Any] | Widget, ...] = (screen, screen.board) if isinstance(screen, BattleScreen) else ()
        if is_library(screen):
            nodes = (screen,)
        for node in nodes:
            for keys, binding in by_action(node):
                said = f"{binding.tooltip or binding.description} ({' '.join(keys)})"
                yield SystemCommand(binding.description.capitalize(), said, partial(node.run_action, binding.action))

    def action_command_palette(self) -> None:
        """Shows the palette, once."""
        if not isinstance(self.screen, CommandPalette):
            self.push_screen(SafeCommandPalette(id="--command-palette"))

    def panic(self, *renderables: RenderableType) -> None:
        """Handles a bug with its own rendering like all others."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """Handles a bug: one sentence for the user, the traceback (without battle data) for a report."""
        from tui.application.library.rescue import is_held
        from tui.application.terminal.bug_report import write_down

        bug = self._exception or sys.exception()
        where = write_down(bug) if bug else ""
        is_whole = self.session is not None and self.is_kept and is_held(self.session)
        saved = "; the battle is saved" if is_whole else ""
        self._exit_renderables.append(Text(f"battleboard stopped because of a bug{saved}. {where}"))
        self._close_messages_no_wait()

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        """Never opens a browser: the program may run on another user's machine."""


STARTS = "{battle.library} library, {battle.help} help."
SET_UP = (
    "{battle.move} moves the unit under the cursor to any square, {battle.table} adds or hides units, "
    "{battle.initiative} begins round 1."
)
SETTLED_S = 0.5
"""Seconds after which the first paint is over."""


BOTTOM = 2
"""Screens on the stack while one of ours is shown above Textual's own."""


def run_board(
    session: Session,
    *,
    ascii_only: bool = False,
    is_kept: bool = True,
    has_tour: bool = False,
    edits_terrain: bool = False,
) -> int:
    """Runs the board until the user leaves it, and returns the exit status.

    Args:
        session: the battle.
        ascii_only: draw with ASCII signs alone.
        is_kept: whether the battle's file stays afterwards.
        has_tour: whether the tour begins at once.
        edits_terrain: whether the terrain editor opens above the board at once.
    """
    app = BoardApp(session, ascii_only=ascii_only, is_kept=is_kept, has_tour=has_tour, is_start=True, **_chosen())
    app.edits_terrain = edits_terrain
    return _run(app)


def run_replay(session: Session, *, ascii_only: bool = False) -> int:
    """Runs the replay of a battle, as `run_board` does the board."""
    return _run(BoardApp(session, ascii_only=ascii_only, is_replay=True, **_chosen()))


def run_watch(watch: FollowedFile, *, ascii_only: bool = False) -> int:
    """Runs the players' view of a battle that is played elsewhere."""
    settings, _ = read_settings(settings_file())
    return _run(BoardApp(None, ascii_only=ascii_only, watch=watch, settings=settings))


def run_form(sheet: OwnSheet, *, ascii_only: bool = False) -> int:
    """Runs the form of a character until the user leaves it."""
    return _run(BoardApp(None, ascii_only=ascii_only, sheet=sheet, **_chosen()))


def run_library(*, ascii_only: bool = False) -> int:
    """Runs the library, and the battles that are opened from it, as `run_board` does the board."""
    return _run(BoardApp(None, ascii_only=ascii_only, **_chosen()))


def _chosen() -> OwnActions:
    """Reads the user's settings and keys, with a notice about refused entries."""
    settings, notice = read_settings(settings_file())
    keymap: Keymap = {}
    if os.path.lexists(keys_file()):
        from tui.application.keys.keymap import read_keymap, refused_words  # with all the keys that there are

        keymap, refused = read_keymap(keys_file())
        if refused is not None:
            notice = f"{notice} {refused_words(refused)}".strip()
    return {"settings": settings, "keymap": keymap, "notice": notice}


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    """Ends the program by SIGINT, which asyncio would take for the end of the app's own work: its status was 0."""
    raise KeyboardInterrupt


def _run(app: BoardApp) -> int:
    before = signal.signal(signal.SIGINT, _interrupt)
    try:
        app.run()
    finally:
        signal.signal(signal.SIGINT, before)
        app.close_battle()  # possibly another battle than at the start
        for words in app.last_words:
            complain(words)
    if app.farewell and not app.return_code and not app.is_lost:
        say("\n".join(wrapped(app.farewell, 0)))
    return app.return_code or app.is_lost
