"""Battle screen: composes board, panels and verdict, forwards keys, and displays the presenter's state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Region
from textual.screen import Screen
from textual.widgets import Static

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.views.view import project
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.session import Session
from engine.rules.ledger import UNIT_SIGNS
from engine.values import replace
from tui.application.describe.battle_start import asks_declarations
from tui.application.describe.glyphs import GlyphSet
from tui.application.describe.progress_bar import progress
from tui.application.describe.text_layout import shortened
from tui.application.exports.format_list import CANCELLED
from tui.application.keys.battle_keys import BATTLE_KEYS, with_keys
from tui.application.overlays.markings import Markings
from tui.application.overlays.overlay_list import outline, overlay_of
from tui.application.overlays.positioning import MEASURES, PositionScores, prospects
from tui.application.presenter.display import Keys, RowsBuilder
from tui.application.presenter.placing import ACTS, FIRES, MOVES
from tui.application.presenter.presenter import NOBODY_YET, Presenter
from tui.application.presenter.what_now import PLAYED, key_state, what_now
from tui.application.prompts.choice import NO_PASTE, MenuQuestion, Picked
from tui.application.prompts.line_help import LineHelp
from tui.application.settings.settings import PANELS, USUAL, Settings
from tui.application.terminal.capabilities import LEAST_COLUMNS, LEAST_ROWS
from tui.application.terminal.jobs import Job
from tui.view.board.board_view import BoardView
from tui.view.exports.export_work import ExportWork
from tui.view.keys.bound_keys import bind
from tui.view.modals.messages import Chosen, OpenLibrary, SettingsChanged
from tui.view.modals.text_modal import TextModal, room
from tui.view.panels.dice_panel import rolls_text
from tui.view.panels.key_footer import KEYS_OF_STATES, KeyFooter
from tui.view.panels.layout import BARS, TURNS, Layout, card_place, layout, place_widget
from tui.view.panels.mini_map import Overview
from tui.view.panels.prompt import HAS_KEYS, PromptBar
from tui.view.panels.side_panels import AttackPanel, LogPanel, MapPanel, NotesPanel, OrderPanel, UnitPanel
from tui.view.panels.styled_text import plain, styled
from tui.view.screens import panel_actions
from tui.view.screens.enemy_panels import EnemyPanels
from tui.view.screens.kept_zooms import keep_zoom, kept_zooms
from tui.view.screens.panel_actions import panel_words
from tui.view.screens.shot_odds import ShotOdds
from tui.view.screens.title_bar import battle_title, show_title, state_of, words_for
from tui.view.terminal.compositor import compose_sparingly, paint_now
from tui.view.terminal.idle_jobs import IdleJobs
from tui.view.terminal.raw_widgets import Sentence

if TYPE_CHECKING:
    from tui.application.exports.end_card import EndCard
    from tui.application.library.finished_battles import Accepted, ChangedCharacter
    from tui.application.presenter.brushes import BrushSet
    from tui.view.screens.tour import Tour

NO_KEY = "does nothing here. {battle.help} lists the keys, {battle.quit} quits."
UNDO_ELSEWHERE = ("ctrl+z", "super+z", "ctrl+shift+z", "ctrl+y")
UNDO_HERE = "{battle.undo} undoes the last command, {battle.redo} redoes it."
"""What the keys of other programs for undo and redo say."""
PLACING = (
    *("cancel", "walk_order", "leave_order", "find"),
    *("overlay", "panel", "panels", "say", "line", "help"),
)
"""Actions of keys while a move or an aim is placed, beside the board's own and those of OWN_KEYS."""
OWN_KEYS = {MOVES: ("move", "lift", "stand"), FIRES: ("fire",), ACTS: ("act",)}
"""The actions of the keys that only one way of placing has."""
WHILE_PLACING = "does nothing while you {verb}. {{battle.cancel}} leaves."
SLIM = 72
"""Below this width the verdict has three rows."""
SHOWN_EVERY = 16
"""Squares computed in the background between updates of the overlay."""


def _of_presenter(name: str) -> Callable[..., None]:
    """The action of a key that is the presenter's: its function in `ACTIONS`, loaded on the first use."""

    def act(screen: BattleScreen, *parameters: object) -> None:
        from tui.application.presenter.key_actions import ACTIONS

        ACTIONS[name](screen.presenter, *parameters)

    return act


class BattleScreen(Screen[None]):
    """The screen of one battle."""

    BINDINGS = bind(BATTLE_KEYS)
    BINDING_GROUP_TITLE = "Battle"

    def __init__(
        self,
        session: Session,
        settings: Settings = USUAL,
        *,
        is_kept: bool = True,
        notice: str = "",
        has_tour: bool = False,
    ) -> None:
        super().__init__()
        compose_sparingly(self)
        self.board = BoardView(id="board")
        self.order_panel, self.mini_map = OrderPanel(id="order"), MapPanel(id="map")
        self.shot_panel, self.unit_panel = AttackPanel(id="shot"), UnitPanel(id="unit")
        self.sentence, self.prompt = Sentence(id="verdict"), PromptBar(id="prompt")
        self.presenter = Presenter(session, self)
        self.settings = settings
        self.is_kept = is_kept
        self.presenter.note = notice
        self.has_tour = has_tour
        self.tour: Tour | None = None
        self.panel = self.panel_before = TURNS
        """The panel of the column that was asked for, or TURNS; "" for the board alone."""
        self._answered = ""
        """What the last Enter came to, until something else is said."""
        self._was_aimed = False
        self._placed = ""
        """What was placed when the keys were shown."""
        self.brushes: BrushSet | None = None
        """Those last used in the terrain editor."""
        self.layout_now: Layout | None = None
        self.spare = IdleJobs(self.set_interval, self.call_after_refresh)
        self._looking_on: PositionScores | None = None
        self.exports = ExportWork(self.spare, self._show_title, self.presenter.say)
        self.shot_odds = ShotOdds(self.presenter, self.spare, self._show_shot_panel)
        self.enemies = EnemyPanels(self.presenter, self.spare)

    def compose(self) -> ComposeResult:
        yield Static(id="too-small", markup=False)
        yield Static(id="title", markup=False)
        with Container(id="middle"):
            yield self.board
            yield self.order_panel
            yield LogPanel(id="log")
            yield self.shot_panel
            yield self.unit_panel
            yield self.mini_map
            yield NotesPanel(id="notes")
        yield Static(id="tour", markup=False)
        yield self.sentence
        yield self.prompt
        yield KeyFooter()

    # Keys

    action_target = _of_presenter("target")
    action_select = _of_presenter("select")
    action_find = _of_presenter("find")
    action_fire = _of_presenter("fire")
    action_fire_free = _of_presenter("fire_free")
    action_interrupt = _of_presenter("interrupt")
    action_share = _of_presenter("share")
    action_move = _of_presenter("move")
    action_lift = _of_presenter("lift")
    action_stand = _of_presenter("stand")
    action_act = _of_presenter("act")
    action_end_turn = _of_presenter("end_turn")
    action_undo = _of_presenter("undo")
    action_redo = _of_presenter("redo")
    action_overlay = _of_presenter("overlay")
    action_what_if = _of_presenter("what_if")
    action_door = _of_presenter("door")
    action_line = _of_presenter("line")
    action_say = _of_presenter("say")
    action_adjust = _of_presenter("adjust")
    action_ruling = _of_presenter("ruling")
    action_policy = _of_presenter("policy")
    action_damage = _of_presenter("damage")
    action_mark = _of_presenter("mark")
    action_table = _of_presenter("table")
    action_put = _of_presenter("put")
    action_cover = _of_presenter("cover")
    action_throw = _of_presenter("throw")
    action_note = _of_presenter("note")
    action_wreck = _of_presenter("wreck")
    action_smoke = _of_presenter("smoke")
    action_weapon = _of_presenter("weapon")
    action_initiative = _of_presenter("initiative")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No command while a question is open, but a reaction's receipt; while a move or an aim is placed those alone
        that help to place it; none on a board too small or gone."""
        is_here = self.is_mounted and self.prompt.allows(action) and not self.has_class("-too-small")
        places = self.presenter.places
        return is_here and (not places or action in PLACING or action in OWN_KEYS[places])

    def on_key(self, event: events.Key) -> None:
        """A key that nothing here takes."""
        if self.is_asking or self.has_class("-too-small"):
            return
        if self.presenter.places and (event.is_printable or event.key == "backspace"):
            refused = WHILE_PLACING.format(verb="aim" if self.presenter.is_aiming else "move")
            self.presenter.say(with_keys(f"{event.character if event.is_printable else 'Backspace'} {refused}"))
        elif event.key in UNDO_ELSEWHERE:
            self.presenter.say(with_keys(UNDO_HERE))
        elif event.is_printable:
            self.presenter.say(f"{event.character} {with_keys(NO_KEY)}")

    def on_paste(self, event: events.Paste) -> None:
        """A paste needs a caret: its letters must not run as keys."""
        if not self.is_asking:
            self.presenter.say(with_keys(NO_PASTE))

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        if self.is_asking:
            self.prompt.keep_keys()
            return
        if message.by_key and self._answered and self.presenter.note == self._answered:
            return  # one Enter too many after the last answer
        from tui.application.presenter.focus_actions import choose_square

        done = self.session.history.done
        choose_square(self.presenter, message.square)
        self._answered = self.presenter.note if self.session.history.done is not done else ""

    def on_board_view_zoom_chosen(self, message: BoardView.ZoomChosen) -> None:
        """Remembers the zoom for this battle and size."""
        if self.is_kept:
            try:
                keep_zoom(self.session.journal.path, message.size, message.zoom)
            except BattleboardError as reason:
                self.presenter.say(str(reason))

    def on_attack_panel_die_chosen(self, message: AttackPanel.DieChosen) -> None:
        """A click on a roll of the tray goes back to it."""
        self.prompt.go_back(message.die)

    def on_order_panel_unit_chosen(self, message: OrderPanel.UnitChosen) -> None:
        """A click on a row of the turn order is a click on the unit."""
        unit = self.session.battle.units.get(message.unit)
        if self.is_asking or unit is None:
            return
        self.move_cursor(unit.at)
        self.on_board_view_square_chosen(BoardView.SquareChosen(unit.at))

    def action_walk_order(self, step: int) -> None:
        from tui.application.presenter.focus_actions import walk_order

        walk_order(self.presenter, step)

    def action_leave_order(self, is_chosen: bool = False) -> None:
        """Gives the arrows back to the board, and perhaps chooses the unit under the cursor."""
        self.set_focus(self.board)
        if is_chosen:
            self.board.action_choose()

    # The presenter's display

    @property
    def session(self) -> Session:
        return self.presenter.session

    @property
    def width(self) -> int:
        return self.size.width

    @property
    def text_width(self) -> int:
        return room(self.size.width)

    @property
    def sentence_rows(self) -> int:
        return 3 if self.size.width < SLIM else 2

    @property
    def glyphs(self) -> GlyphSet:
        return self.board.glyphs

    @property
    def cursor(self) -> Square | None:
        return self.board.cursor

    @property
    def shown(self) -> tuple[Square, Square]:
        left, top, columns, rows = self.board.squares_shown
        return Square(left, top), Square(left + columns - 1, top + rows - 1)

    @property
    def is_asking(self) -> bool:
        return self.is_mounted and self.prompt.is_asking  # before that there is no bar

    def show_later(self, show: Callable[[], None]) -> None:
        self.spare.do("overlay", self._show_second(show))

    def _show_second(self, show: Callable[[], None]) -> Iterator[None]:
        show()
        paint_now(self, is_second=True)
        yield

    def move_cursor(self, square: Square) -> None:
        self.board.markings = replace(self.board.markings, cursor=square)

    def ask(
        self,
        label: str,
        answered: Callable[[str], None],
        value: str = "",
        help: LineHelp | None = None,
        cancelled: Callable[[], None] | None = None,
        warning: str = "",
        back: Callable[[int], None] | None = None,
        prompt: str = "",
        keys: Keys = (),
    ) -> None:
        self.prompt.ask(
            prompt or label,
            self._heard(answered),
            value,
            help,
            cancelled or self._show_verdict,
            warning=warning,
            back=back,
            keys=[(with_keys(key), words) for key, words in keys],
        )
        self._show_verdict()

    def _heard(self, answered: Callable[[str], None]) -> Callable[[str], None]:
        """Takes an answer, and remembers what it came to: another Enter is not meant for the board."""

        def heard(text: str) -> None:
            answered(text)
            self._answered = "" if self.is_asking else self.presenter.note

        return heard

    def ask_key(self, label: str, answered: Callable[[str], None]) -> None:
        self.prompt.ask_key(label, answered)

    def has_room_to_ask(self, label: str) -> bool:
        return self.prompt.has_room(label)

    def offer(self, menu: MenuQuestion, chosen: Callable[[Picked], None]) -> None:
        from tui.view.modals.choosing import choose

        plan, rules = self.presenter.plan, self.session.rules
        tray = plan.tray if plan is not None else None
        choose(
            self.app, menu, chosen, self._card_place, (lambda width: rolls_text(tray, rules, width)) if tray else None
        )

    def _card_place(self, rows: int) -> Region:
        """Where a card or a list of so many rows stands on the screen."""
        return card_place(self.layout_now, rows, *self.size)

    def open_text(self, title: str, build: RowsBuilder, more: RowsBuilder | None = None) -> None:
        details = None if more is None else lambda width: styled(more(width))
        self.app.push_screen(TextModal(title, lambda width: styled(build(width)), details=details))

    def show_end_card(self, card: EndCard, export: Callable[[], Job[str]], carry_over: Callable[[], None]) -> None:
        from tui.view.screens.end_card_screen import EndCardScreen

        self.app.push_screen(EndCardScreen(card, export), lambda is_over: carry_over() if is_over else None)

    def choose_changes(self, changed: Sequence[ChangedCharacter], chosen: Callable[[Accepted], None]) -> None:
        from tui.view.library.carry_over_screen import CarryOverScreen

        self.app.push_screen(CarryOverScreen(changed), lambda accepted: chosen(accepted or {}))

    def show_battle(self, session: Session) -> None:
        """Goes on in another battle; this one is closed."""
        self.post_message(Chosen(session))

    def export(self, job: Job[str]) -> None:
        self.exports.begin(job)

    def cancel_export(self) -> bool:
        return self.exports.cancel()

    def save_picture(self, name: str) -> None:
        """Writes a picture once the screen shows the board again, and says where."""
        self.call_after_refresh(self.action_picture, name)

    def action_picture(self, name: str = "") -> None:
        from tui.view.exports.screen_picture import save_picture

        self.presenter.say(save_picture(self.app, self.session.journal.path.stem, name))

    def edit_terrain(self) -> None:
        """Opens the terrain editor; the battle returns when it closes."""
        from tui.view.screens.terrain_editor import TerrainScreen

        def closed(_: None) -> None:
            self.brushes = editor.used
            self.move_cursor(editor.cursor)
            self.presenter.say("")

        editor = TerrainScreen(self.session, self.presenter.focus.cursor, self.board, self.settings, self.brushes)
        self.app.push_screen(editor, closed)

    def set_panel(self, name: str, is_shown: bool) -> None:
        """Shows or hides a panel, and remembers it."""
        self.change_settings(self.settings.with_panel(name, is_shown), panel_words(name, is_shown))

    # Keys that open a screen

    def action_terrain(self) -> None:
        self.edit_terrain()

    def action_order(self) -> None:
        from tui.view.screens.order_menu import OrderScreen

        if self.session.battle.turns.order:
            self.app.push_screen(OrderScreen(self.presenter))
        else:
            self.presenter.say(with_keys(NOBODY_YET))

    def action_help(self) -> None:
        from tui.view.screens.text_modals import show_help

        show_help(self, self.board, self.session.rules)

    def action_log(self) -> None:
        from tui.view.screens.text_modals import show_log

        show_log(self, self.presenter)

    def action_covers(self) -> None:
        from tui.view.screens.text_modals import show_covers

        show_covers(self, self.presenter)

    def action_receipt(self) -> None:
        from tui.view.screens.text_modals import show_receipt

        if isinstance(self.presenter.attack, AttackPreview):
            self.shot_odds.begin()
            for job in ("odds", "weigh"):  # a receipt is whole; nothing is added once it is open
                self.spare.finish(job)
        show_receipt(self, self.presenter)

    def on_mount(self) -> None:
        board = self.board
        self.watch(board, "markings", self._follow, init=False)
        self.watch(board, "squares_shown", self._window_changed, init=False)
        self.watch(board, "zoom", self._zoomed, init=False)
        board.use_ascii(self.settings.glyphs == "ascii")
        board.use_motion(self.settings.motion)
        if self.is_kept:
            board.remember_zooms(kept_zooms(self.session.journal.path))
        self.set_focus(board)
        self.presenter.show_all()
        if self.has_tour:
            self.call_after_refresh(self.begin_tour)
        elif self.session.journal.is_writer:
            self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        """Asks what is open: the declarations of a new battle, or the reactions of one that was closed meanwhile."""
        if asks_declarations(self.session):
            from tui.application.presenter.focus_actions import initiative

            initiative(self.presenter, is_opening=True)
        self.presenter.resume_held()

    def _follow(self, markings: Markings) -> None:
        if markings.cursor is not None:
            self.presenter.cursor_moved(markings.cursor)

    def _window_changed(self) -> None:
        self._show_map()
        self.presenter.window_changed()

    def _zoomed(self) -> None:
        self.place_panels()
        self._show_map()

    def begin_tour(self) -> None:
        from tui.view.screens.tour import Tour

        if self.tour is not None:
            self.tour.end()
        self.tour = Tour(self, self.presenter)
        self.place_panels()

    def action_cancel(self) -> None:
        """Cancels an export, else clears what is shown; a second time, or at its last step, ends the tour."""
        if self.cancel_export():
            self.presenter.say(CANCELLED)
            return
        if self.order_panel.has_focus:
            self.action_leave_order()
            return
        presenter, focus = self.presenter, self.presenter.focus
        is_clear = focus.overlay == "plain" and not focus.target and presenter.reactions.interrupted is None
        if self.tour is None:
            presenter.cancel()
            return
        from tui.view.screens.tour import ONCE_MORE, OVER

        if not self.tour.is_last and presenter.note != with_keys(ONCE_MORE):
            if not is_clear:
                presenter.cancel()
            presenter.say(with_keys(ONCE_MORE))
            return
        self.tour.end()
        self.tour = None
        self.place_panels()
        self.presenter.focus = replace(self.presenter.focus.plain, target="")
        self.presenter.say(with_keys(OVER))

    def on_resize(self) -> None:
        columns, rows = self.size
        is_too_small = columns < LEAST_COLUMNS or rows < LEAST_ROWS
        self.set_class(is_too_small, "-too-small")
        self.set_class(columns < SLIM, "-slim")
        if is_too_small and self.is_asking:
            self.prompt.answer(None)
        needed = f"the board needs {LEAST_COLUMNS}×{LEAST_ROWS}. Nothing is lost."
        said = plain(f"The terminal has {columns}×{rows} cells; {needed}")
        self.query_one("#too-small", Static).update(said, layout=False)
        if self.tour is not None:
            self.tour.show()
        self.place_panels()
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def _follow_aim(self) -> None:
        """Lays out the panels again where an aim or a result comes or goes, which the column shows first."""
        is_aimed = bool(self.presenter.attack)
        if is_aimed != self._was_aimed:
            self.panel = self.panel and TURNS
        self._was_aimed = is_aimed
        self.place_panels()

    def place_panels(self) -> None:
        """Lays out board and panels, if anything moves."""
        battle, tour = self.session.battle, self.query_one("#tour")
        columns, rows = self.size
        bars = BARS + self.sentence_rows - 2
        bars += int(tour.styles.height.value) if tour.display and tour.styles.height else 0
        found = layout(
            columns,
            rows,
            (battle.field.columns, battle.field.rows),
            self.settings,
            self.panel and (self.panel if self.presenter.plan is None else TURNS),
            len(battle.turns.order or battle.units),
            self.board.chosen_zoom,
            bars=bars,
            is_aimed=self._was_aimed,
            has_notes=bool(battle.gm.notes),
        )
        if found == self.layout_now:
            return
        self.layout_now = found
        for name in ("board", *PANELS):
            place_widget(self.query_one(f"#{name}"), found.places.get(name, Region()))
        for name in ("log", "notes"):
            self.query_one(f"#{name}").set_class(found.below > 0 and name in found.places, "-strip")
        self.board.use_zoom(found.zoom)
        self._show_unit()

    # What is shown

    def show_all(self) -> None:
        """Redraws everything."""
        battle, rules = self.session.battle, self.session.rules
        view = project(battle, rules)
        self.board.view = view
        self._follow_aim()
        self.place_panels()
        self._show_overlay()
        self._show_shot()
        self._show_order()
        self.query_one(LogPanel).shown = (self.session.histories, rules)
        self.query_one(NotesPanel).shown = view
        self._show_unit()
        self._show_map()
        self._continue_scores_soon()
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def show_cursor(self) -> None:
        """Redraws what depends on the cursor."""
        self._follow_aim()
        self._show_overlay()
        shown = self.shot_panel.shown
        if shown is None or shown[0] is not self.presenter.attack:
            self._show_shot()
        self._show_order()
        self._show_unit()
        self._show_map()
        self._show_verdict()
        if self.presenter.places != self._placed:
            self._show_keys()
        self._continue_scores_soon()

    def _show_overlay(self) -> None:
        presenter = self.presenter
        overlay = overlay_of(presenter.focus, presenter.shot, presenter.overlay, presenter.last.aftermath)
        if presenter.is_aiming and overlay.aftermath.is_empty:
            overlay = replace(overlay, aim=overlay.cursor, outline=outline(presenter.overlay.area))
        if presenter.marked:
            units = self.session.battle.units
            marked = {square: "edge" for one in presenter.marked for square in units[one].squares}
            overlay = replace(overlay, tints={**overlay.tints, **marked}, marked=frozenset(presenter.marked))
        self.board.markings = overlay

    def _continue_scores_soon(self) -> None:
        """Continues the background computation of a positioning overlay that is shown and not complete."""
        if self.presenter.focus.overlay not in MEASURES or self.presenter.focus.unit not in self.session.battle.units:
            self.spare.drop("stand")
            self._looking_on = None
            return
        found = prospects(self.presenter.focus, self.session.battle, self.session.rules)
        if found is not self._looking_on and not found.is_whole:
            self._looking_on = found
            self.spare.do("stand", self._continue_scores(found))

    def _continue_scores(self, found: PositionScores) -> Iterator[None]:
        while not found.is_whole:
            found.evaluate_next()
            if found.is_whole or len(found.known) % SHOWN_EVERY == 0:
                self.presenter.show_cursor()
                self._show_title()
            yield

    def _show_shot(self) -> None:
        """Shows the shot or the result at once, and its outcome odds after the screen is painted."""
        self._show_shot_panel()
        self.shot_odds.begin()

    def _show_shot_panel(self, forecast: AttackPreview | None = None, *, has_defence: bool = False) -> None:
        """Shows the shot as it is known by now, or the result with the odds that it had."""
        shown = self.presenter.attack, self.session.rules, forecast, key_state(self.session, self.title_state) in PLAYED
        self.shot_panel.shown = shown
        if has_defence:
            self._show_verdict()

    def _show_order(self) -> None:
        view, focus = self.board.view, self.presenter.focus
        if view is not None:
            here = view.at(focus.cursor)
            ids = focus.unit, focus.target, here.id if here else ""
            self.order_panel.shown = (view, *ids, self.presenter.marked)

    def _show_unit(self) -> None:
        view = self.board.view
        here = view.at(self.presenter.focus.cursor) if view else None
        subject = here or (view.unit(self.presenter.focus.unit) if view and self.presenter.focus.unit else None)
        shot, unit = self.shot_panel, self.unit_panel
        unit.shown = (subject, UNIT_SIGNS[self.session.battle.field.unit], bool(self.presenter.attack) and shot.display)
        self.enemies.show(view, unit, shot)

    @property
    def under_way(self) -> str:
        """Progress of background work and the key that stops it; "" if there is none."""
        if self.exports.words:
            return f"{self.exports.words}, {with_keys('{battle.cancel} cancels')}"
        if (found := self._looking_on) is None or found.is_whole:
            return ""
        return f"{progress(found.share)}, {with_keys('{battle.cancel} stops')}"

    @property
    def state(self) -> str:
        """Words for whether commands are saved."""
        return words_for(self.session) or ("saved" if self.is_kept else "demo, not saved")

    @property
    def title_state(self) -> str:
        """The title bar's state; "" if the battle is played and saved."""
        return state_of(self.session)

    def _show_title(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        state = self.title_state
        words = ", ".join(filter(None, (self.state if state or not self.under_way else "", self.under_way)))
        if (view := self.board.view) is not None:
            title = battle_title(view, battle, rules, state, self.size.width - len(words) - 6)
            show_title(self.query_one("#title", Static), title, state, words, self.size.width)

    def _show_keys(self) -> None:
        state, self._placed = key_state(self.session, self.title_state), self.presenter.places
        shown = self._placed if state in PLAYED and self._placed else state
        self.query_one(KeyFooter).show(only=KEYS_OF_STATES.get(shown))

    def _show_verdict(self) -> None:
        presenter, has_keys_below = self.presenter, self.has_class(HAS_KEYS)
        said = presenter.asked_words if has_keys_below else presenter.verdict
        count = self.sentence_rows - has_keys_below
        rows = shortened(said, self.size.width - 2, count, keeps_end=said == presenter.result)
        self.sentence.show(rows, what_now(presenter, self.board.view, key_state(self.session, self.title_state)))

    def action_compare(self) -> None:
        """Opens the comparison of the shot in focus under every ruleset."""
        from tui.view.screens.comparison import open_comparison  # late import, for a faster first paint

        open_comparison(self.app, self.presenter)

    def action_settings(self) -> None:
        from tui.view.modals.settings_menu import choose_setting

        choose_setting(self.app, self.settings, self.change_settings)

    def change_settings(self, settings: Settings, said: str) -> None:
        """Changes and saves the settings."""
        self.use_settings(settings)
        self.post_message(SettingsChanged(settings, self.presenter.say))
        self.presenter.say(said)

    def use_settings(self, settings: Settings) -> None:
        """Applies changed settings."""
        if settings == self.settings:
            return
        self.settings = settings
        self.board.use_ascii(settings.glyphs == "ascii")
        self.board.use_motion(settings.motion)
        self.place_panels()

    def action_library(self) -> None:
        self.post_message(OpenLibrary())

    def action_leave(self) -> None:
        """Quits; the library is another key."""
        self.app.exit()

    def action_panel(self, name: str = "") -> None:
        """Shows a panel in the column, or the next one."""
        panel_actions.show(self, name)

    def walk_rows(self) -> None:
        """Gives the arrows to the rows of the turn order."""
        order = self.order_panel
        order.can_focus = True
        self.set_focus(order)

    def show_panel(self, name: str) -> None:
        """Shows a panel in the column, or TURNS; "" for the board alone."""
        self.panel, self.panel_before = name, self.panel or self.panel_before
        self.place_panels()
        self._show_map()

    def action_panels(self) -> None:
        """Hides all panels, or shows them again."""
        panel_actions.hide_or_show_all(self)

    def _show_map(self) -> None:
        board = self.board
        if board.view is not None and self.mini_map.display:
            self.mini_map.shown = Overview(board.view, board.squares_shown, board.cursor)

    def action_resize(self, part: str, cells: int) -> None:
        """Resizes the panels beside or below the board, and remembers it."""
        panel_actions.resize(self, part, cells)
