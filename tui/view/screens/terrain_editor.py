"""Terrain editor: brush, rectangle, fill, walls along edges, heights. Every stroke is a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual.app import ComposeResult
from textual.containers import Container
from textual.geometry import Region
from textual.widgets import Static
from textual.worker import Worker, WorkerState

from engine.battle.commands.terrain_commands import Draw, SetEdges, SetElevation, SetLamp, refuse_reach
from engine.battle.events import Event
from engine.battle.narration import headline, summarise
from engine.battle.narration.unit_states import marks_of
from engine.battle.views.view import project
from engine.battle.wording import places
from engine.errors import BattleboardError
from engine.geometry.battlefield import Barrier, Battlefield, Lamp
from engine.geometry.squares import ORTHOGONAL, Direction, Square
from engine.geometry.straight_lines import straight_path
from engine.geometry.terrain_edits import alike_around, edges_along, rectangle
from engine.journal.session import Session
from engine.rules.ledger import UNIT_SIGNS
from engine.text import count, upper_first
from engine.values import replace
from maps.model import STEP
from tui.application.commands.terrain import parse_height, parse_light
from tui.application.describe.text_layout import fit, shortened
from tui.application.keys.battle_keys import TERRAIN_KEYS, with_keys
from tui.application.overlays.map_marks import lamp_rings, map_letters, zone_outlines
from tui.application.overlays.markings import NO_MARKINGS, Markings
from tui.application.presenter import brushes
from tui.application.presenter.brushes import Brush, BrushSet
from tui.application.presenter.save_map_prompt import ask_to_save
from tui.application.prompts.choice import Choice, MenuQuestion
from tui.application.prompts.open_prompt import ask_until_taken
from tui.application.settings.settings import PANELS, Settings
from tui.view.board.board_view import BoardView
from tui.view.board.drawing_board import DrawingBoard
from tui.view.board.legend import legend
from tui.view.keys.bound_keys import bind
from tui.view.modals.choosing import choose
from tui.view.modals.help_screen import help_text
from tui.view.modals.messages import OpenLibrary
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.layout import Layout, card_place, layout, place_widget
from tui.view.panels.palette_panel import BrushShown, PalettePanel
from tui.view.panels.prompt import PromptBar, PromptScreen
from tui.view.panels.styled_text import join, plain
from tui.view.screens.brush_rows import (
    MARK,
    PLAIN_MARK,
    brush_name,
    brush_note,
    brush_sign,
    brushes_shown,
    palette_shown,
)
from tui.view.screens.map_checking import CHECK, MapChecks
from tui.view.screens.title_bar import quiet, show_title, state_of, words_for
from tui.view.terminal.raw_widgets import Sentence

NO_STROKE_TO_UNDO = "No stroke is left to undo; {terrain.leave} and {battle.undo} undo the battle."
MEANT = "blast"
"""The tint of the squares that the next key changes."""
LAMP_LABEL = "Squares of bright light, of dim light, and perhaps the lamp's height:"
LAMP_HINT = "Type how many squares are bright, and up to how many it is dim: “4 8”, or “4 8 3” with its height."
VERBS = {brushes.EDGE: "goes around", brushes.LAMP: "hangs it over", brushes.ZONE: "adds"}
"""What Enter does with a brush; any other paints."""


class TerrainScreen(PromptScreen[None]):
    """The terrain editor."""

    BINDING_GROUP_TITLE = "Terrain editor"
    BINDINGS = bind(TERRAIN_KEYS)

    def __init__(
        self,
        session: Session,
        cursor: Square,
        like: BoardView,
        settings: Settings,
        used: BrushSet | None = None,
    ) -> None:
        """Builds the editor, with the brushes used before; None for those that a palette begins with."""
        super().__init__()
        self.session = session
        self.settings = replace(settings, hidden=PANELS, minimap=False)
        self.strokes = 0
        """Those of this visit that are not undone."""
        self._steps_before = session.history.steps_taken
        """The number of the battle's last step as the editor opened: undo and redo stop there."""
        self.board = DrawingBoard(project(session.battle, session.rules), id="board")
        self.board.set_reactive(BoardView.markings, replace(NO_MARKINGS, cursor=cursor))
        self.board.set_reactive(BoardView.glyphs, like.glyphs)
        self.palette = PalettePanel(id="palette")
        self.used = used or brushes.first_brushes(session.battle.field.unit)
        self.mark: Square | None = None
        self.stroke: tuple[Square, ...] = ()
        """Squares that the brush has passed; empty while it is up."""
        self._sides: tuple[Direction, ...] = ORTHOGONAL
        """Where a stroke of the mouse puts an edge."""
        self.note = ""
        self.layout_now: Layout | None = None
        self._field: Battlefield | None = None
        """What was shown last."""
        self._zones: Mapping[Square, str] = {}
        """The tints of the start zones' outlines."""
        self._brushes_shown: tuple[BrushShown, ...] = ()
        self._brush_words = ""
        """The present brush, and what there is to say of it."""
        self.checks = MapChecks(self, session)

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Container(id="middle"):
            yield self.board
            yield self.palette
        yield Sentence(id="verdict")
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.watch(self.board, "markings", self._follow, init=False)
        self.watch(self.board, "zoom", self.place_panels, init=False)
        self.board.focus()
        self.show_all()

    def on_resize(self) -> None:
        self.show_all()

    # What is shown

    def place_panels(self) -> None:
        """Lays out board and palette, if anything moves."""
        field, board = self.session.battle.field, self.board
        extent = field.columns, field.rows
        found = layout(*self.size, extent, self.settings, self.palette.id or "", zoom=board.chosen_zoom)
        if found != self.layout_now:
            self.layout_now = found
            for widget in (board, self.palette):
                place_widget(widget, found.places[widget.id or ""])
            board.use_zoom(found.zoom)

    def show_all(self) -> None:
        battle = self.session.battle
        self.place_panels()
        if self._field is not battle.field:
            self.checks.begin_later()
        if self._field is None or self._field.zones is not battle.field.zones:
            self._zones = zone_outlines(battle.field)
        self._field = battle.field
        self.board.view = project(battle, self.session.rules)
        letters = map_letters(battle.field, self.board.glyphs.lamp)
        if letters != self.board.markings.letters:
            self.board.markings = replace(self.board.markings, letters=letters)
        self._brushes_shown = brushes_shown(self.used, battle, self.board.glyphs, is_plain=self._is_plain)
        self._brush_words = ", ".join((brush_name(self.brush), *brushes.brush_facts(self.brush, battle)))
        self.strokes = self._count_strokes()
        self._show_title()
        self.query_one(KeyFooter).show()
        self._show_selection()

    def _show_title(self) -> None:
        field, state = self.session.battle.field, state_of(self.session)
        size = f"{field.columns}×{field.rows} · {field.square_size / 100:g} {UNIT_SIGNS[field.unit]}"
        changes = f" · {count(self.strokes, 'change')}" if self.strokes else ""
        name = plain(f" {field.name}  ", "bold")
        pieces = [plain(" MAP ", "bold reverse"), name, plain(f"{size}{changes}", quiet(state))]
        show_title(self.query_one("#title", Static), join(pieces), state, words_for(self.session), self.size.width)

    def _count_strokes(self) -> int:
        step, strokes = self.session.history.done, 0
        while step is not None and step.number > self._steps_before:
            step, strokes = step.previous, strokes + 1
        return strokes

    def _show_selection(self) -> None:
        """Tints the squares that the next key changes, and says what it does to them."""
        tinted = self.stroke or (self.selection if self.mark is not None else ())
        rings = lamp_rings(lamp) if (lamp := self._lamp_shown()) else {}
        tints = {**self._zones, **rings, **dict.fromkeys(tinted, MEANT)} if tinted or rings else self._zones
        if tints is not self.board.markings.tints:
            self.board.markings = replace(self.board.markings, tints=tints)
        mark = MARK if self.board.glyphs.has_unicode else PLAIN_MARK
        self.palette.shown = palette_shown(self._brushes_shown, self.session.battle.field, self.cursor, mark)
        self._say_what_now()

    def _lamp_shown(self) -> Lamp | None:
        """The lamp that would hang over the cursor, or the one that does."""
        if isinstance(self.brush.value, Lamp):
            return replace(self.brush.value, at=self.cursor)
        return next((lamp for lamp in self.session.battle.field.lamps if lamp.at == self.cursor), None)

    def _say_what_now(self) -> None:
        """The rows below the board: what was done, else what Enter does; then what the check has found."""
        width = self.size.width - 2
        undo = f"{with_keys('{terrain.undo}')} undo ({self.strokes}) · " if self.strokes else ""
        hint = f"{undo}{self.checks.words}"
        self.query_one(Sentence).show(shortened(self.note or self._what_now, width, 2), fit(hint, width).rstrip())

    @property
    def _what_now(self) -> str:
        """The brush, and what Enter does with it."""
        said, verb = f"Brush: {self._brush_words}.", VERBS.get(self.brush.kind, "paints")
        if self.stroke:
            ends = "Release ends it" if self.board.is_drawing else with_keys("{terrain.brush} lifts it")
            return f"{said} {ends}: {places(self.stroke)}."
        where = self.selection if self.brush.kind != brushes.LAMP else (self.cursor,)
        return f"{said} {with_keys('{board.choose}')} {verb} {places(where)}."

    @property
    def _is_plain(self) -> bool:
        """Whether signs are those of the map's file, not the board's."""
        return not self.board.glyphs.has_unicode or self.app.no_color

    def say(self, sentence: str) -> None:
        """Shows a sentence until the next key."""
        self.note = sentence
        self.show_all()

    @property
    def brush(self) -> Brush:
        return self.used.current

    @property
    def cursor(self) -> Square:
        return self.board.cursor or Square(0, 0)

    @property
    def selection(self) -> tuple[Square, ...]:
        """The squares that a key changes: from the marked corner to the cursor, else the cursor's only."""
        return rectangle(self.mark or self.cursor, self.cursor)

    def _follow(self, before: Markings, after: Markings) -> None:
        if before.cursor == after.cursor:
            return
        self.note = ""
        if self.stroke:
            self.stroke = tuple(dict.fromkeys((*self.stroke, *straight_path(self.stroke[-1], self.cursor))))
        self._show_selection()

    # The check

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.worker.group == CHECK and event.state is WorkerState.SUCCESS:
            self.checks.take(event.worker.result)
            self._say_what_now()

    def action_go(self) -> None:
        """Puts the cursor where the check found something, the next time on the next."""
        found = self.checks.next_finding()
        if found is None or found.at is None:
            self.say("The check has found nothing that has a place on the map.")
        else:
            self.board.move_cursor(found.at)
            self.say(f"{upper_first(found.words)}.")

    # The mouse

    def on_drawing_board_stroke_begun(self, message: DrawingBoard.StrokeBegun) -> None:
        if self.query_one(PromptBar).is_asking:
            self.query_one(PromptBar).keep_keys()
        elif self.mark is None and not self.stroke:
            self.stroke = straight_path(message.square, self.cursor)
            self._sides = (message.side,) if message.side else ORTHOGONAL
            self._show_selection()

    def on_drawing_board_stroke_ended(self, message: DrawingBoard.StrokeEnded) -> None:
        if self.query_one(PromptBar).is_asking:
            return
        squares, sides, self._sides = self.stroke or self.selection, self._sides, ORTHOGONAL
        if message.clears:
            self.draw(brushes.cleared(self.brush, self.session.battle.field, squares, sides))
        else:
            self._lay(squares, sides)

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        if self.query_one(PromptBar).is_asking:
            self.query_one(PromptBar).keep_keys()
        elif self.stroke:
            self.action_brush()
        else:
            self._lay(rectangle(self.mark or message.square, message.square))

    # Strokes

    def draw(self, parts: Sequence[brushes.Edit]) -> None:
        """Commits one stroke; a refusal is shown and changes nothing."""
        self.mark, self.stroke = None, ()
        try:
            events = self.session.submit(Draw(tuple(parts)))
        except BattleboardError as reason:
            self.say(str(reason))
        else:
            self.say(summarise(events, self.session.battle, self.session.rules))

    def _lay(self, squares: Sequence[Square], sides: Sequence[Direction] = ORTHOGONAL) -> None:
        self.draw(brushes.painted(self.brush, self.session.battle.field, squares, self.cursor, sides))

    def action_mark(self) -> None:
        self.mark = None if self.mark is not None else self.cursor
        self.say("")

    def action_brush(self) -> None:
        """Puts the brush down, or lifts it and paints its path."""
        if self.stroke:
            self._lay(self.stroke)
        else:
            self.mark, self.stroke = None, (self.cursor,)
            self.say("")

    def action_fill(self) -> None:
        self._lay(alike_around(self.session.battle.field, self.cursor))

    def action_bare(self) -> None:
        self.draw(brushes.cleared(self.brush, self.session.battle.field, self.selection))

    def action_side(self, side: str) -> None:
        """Puts the barrier on a side of the marked squares, or all around; removes it if it is there already."""
        field, barrier = self.session.battle.field, self.used.edge.value
        assert barrier is None or isinstance(barrier, Barrier)
        edges = edges_along(self.selection, [Direction[side]] if side else ORTHOGONAL)
        is_there = all(field.barriers.get(edge) == barrier for edge in edges)
        self.draw([SetEdges(edges, None if is_there else barrier)])

    def action_raise(self, steps: int) -> None:
        """Raises each square by a step of the map's unit."""
        field = self.session.battle.field
        self.draw(brushes.raised(field, self.selection, steps * STEP[field.unit]))

    def action_height(self) -> None:
        field, squares = self.session.battle.field, self.selection

        def answered(text: str) -> None:
            self.draw([SetElevation(squares, parse_height(text))])

        label = f"Height of the ground in {UNIT_SIGNS[field.unit]}, {places(squares)}:"
        ask_until_taken(self, self.say, label, answered)

    # Brushes

    def use(self, brush: Brush) -> None:
        """Takes a brush."""
        self.used = self.used.taking(brush)
        self.say("")

    def on_palette_panel_brush_chosen(self, message: PalettePanel.BrushChosen) -> None:
        if not self.query_one(PromptBar).is_asking:
            self.action_brush_of(message.number)

    def action_brush_of(self, number: int) -> None:
        """Takes one of those last used."""
        if number <= len(self.used.last):
            self.use(self.used.last[number - 1])

    def action_paint(self) -> None:
        def chosen(brush: Brush) -> None:
            self._ask_for_lamp(brush) if isinstance(brush.value, Lamp) else self.use(brush)

        self._choose_brush("Paint", brushes.brushes_to_paint(self.session.battle.field), chosen)

    def action_thin(self) -> None:
        self._choose_brush("Edges", brushes.brushes_for_edges(self.session.battle.field.unit), self.use)

    def _choose_brush(self, title: str, known: Sequence[Brush], chosen: Callable[[Brush], None]) -> None:
        """Opens a list of brushes, each with its sign."""
        glyphs, battle = self.board.glyphs, self.session.battle
        rows = [
            Choice(
                str(place),
                brush_name(brush),
                " ".join(one for one in brush_note(brush, battle) if one not in ("", brushes.EDGE)),
                sign=brush_sign(brush, glyphs, is_plain=self._is_plain)[0],
            )
            for place, brush in enumerate(known)
        ]
        self._offer(MenuQuestion(title, rows, narrows=True), lambda id: chosen(known[int(id)]) if id else None)

    def _ask_for_lamp(self, brush: Brush) -> None:
        """Asks how far a lamp shines; the answer is the brush."""

        def answered(text: str) -> None:
            found = parse_light(f"lamp {text}", self.cursor, self.session.battle.field, LAMP_HINT)
            if isinstance(found, SetLamp):
                refuse_reach(found.bright, found.dim)
                self.use(replace(brush, value=Lamp(Square(0, 0), found.bright, found.dim, found.height)))

        lamp = brush.value
        assert isinstance(lamp, Lamp)
        ask_until_taken(self, self.say, LAMP_LABEL, answered, f"{lamp.bright} {lamp.dim}")

    def action_pick(self) -> None:
        ground = self.session.battle.field.ground_at(self.cursor)
        self.use(Brush(brushes.GROUND, ground.name, ground))

    # The rest

    def ask(self, label: str, answered: Callable[[str], None], value: str = "") -> None:
        """Asks for a line; Enter calls `answered` with it."""
        self.query_one(PromptBar).ask(label, answered, value)

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
        """Opens a menu."""
        self._offer(MenuQuestion(title, choices), chosen)

    def _offer(self, menu: MenuQuestion, chosen: Callable[[str], None]) -> None:
        choose(self.app, menu, lambda picked: chosen(picked.id), self._card_place)

    def _card_place(self, rows: int) -> Region:
        return card_place(self.layout_now, rows, *self.size)

    def action_undo(self) -> None:
        done = self.session.history.done
        if done is None or done.number <= self._steps_before:
            self.say(with_keys(NO_STROKE_TO_UNDO))
        else:
            self._go(self.session.undo, "Undone")

    def action_redo(self) -> None:
        undone = self.session.history.undone
        if undone is None or undone.step.number <= self._steps_before:
            self.say("No stroke is left to redo.")
        else:
            self._go(self.session.redo, "Redone")

    def _go(self, step: Callable[[], tuple[Event, ...]], said: str) -> None:
        battle, rules = self.session.battle, self.session.rules
        self.mark, self.stroke = None, ()
        try:
            events = step()
        except BattleboardError as reason:
            self.say(str(reason))
        else:
            self.say(f"{said}: {headline(events, battle, rules) or 'the last command.'}")

    def action_save(self) -> None:
        ask_to_save(self)

    def action_library(self) -> None:
        self.post_message(OpenLibrary())

    def action_help(self) -> None:
        groups = (("Terrain editor", self), ("Board", self.board))
        signs = legend(self.board.glyphs, marks_of(self.session.rules))
        self.app.push_screen(TextModal("Help", lambda width: help_text(groups, signs, width, INTRODUCTION)))

    def action_leave(self) -> None:
        if self.mark is not None or self.stroke:
            self.mark, self.stroke = None, ()
            self.say("")
        else:
            self.dismiss()


INTRODUCTION = (
    "{board.choose} paints the cursor's square, or everything between a marked corner ({terrain.mark}) and the cursor. "
    "{terrain.brush} puts the brush down or lifts it. {terrain.north}, {terrain.east}, {terrain.south} and "
    "{terrain.west} put the last edge chosen on that side, {terrain.around} all around; the same key removes it again. "
    "The mouse paints with its left button, clears with the right one and pans with the middle one. Each stroke "
    "is saved before you see it, and {terrain.undo} undoes it."
)
