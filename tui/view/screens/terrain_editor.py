"""Terrain editor: brush, rectangle, fill, walls along edges, heights. Every stroke is a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from engine.battle.commands.terrain_commands import Draw, SetEdges, SetElevation, SetGround
from engine.battle.events import Event
from engine.battle.narration import headline, summarise
from engine.battle.narration.unit_states import marks_of
from engine.battle.views.view import project
from engine.battle.wording import places
from engine.errors import BattleboardError
from engine.geometry.battlefield import Barrier, Ground
from engine.geometry.squares import ORTHOGONAL, Direction, Square
from engine.geometry.straight_lines import straight_path
from engine.geometry.terrain_edits import alike_around, edges_along, rectangle
from engine.journal.session import Session
from engine.rules.ledger import UNIT_SIGNS
from engine.values import replace
from maps import palette
from maps.model import STEP
from tui.application.commands.terrain import parse_height
from tui.application.describe.text_layout import wrap
from tui.application.focus.focus import Focus
from tui.application.focus.square_text import square_words
from tui.application.keys.battle_keys import TERRAIN_KEYS, with_keys
from tui.application.overlays.markings import NO_MARKINGS, Markings
from tui.application.presenter.save_map_prompt import ask_to_save
from tui.application.prompts.choice import Choice
from tui.application.prompts.open_prompt import ask_until_taken
from tui.view.board.board_view import BoardView
from tui.view.board.legend import legend
from tui.view.keys.bound_keys import bind
from tui.view.modals.choosing import choose_one
from tui.view.modals.help_screen import help_text
from tui.view.modals.messages import OpenLibrary
from tui.view.modals.text_modal import TextModal
from tui.view.panels.key_footer import KeyFooter
from tui.view.panels.prompt import PromptBar, PromptScreen
from tui.view.panels.styled_text import join, plain
from tui.view.screens.title_bar import quiet, show_title, state_of, words_for
from tui.view.terminal.raw_widgets import Sentence

NO_STROKE_TO_UNDO = "No stroke is left to undo; {terrain.leave} and {battle.undo} undo the battle."
MEANT = "blast"
"""The tint of the squares that the next key changes."""


class TerrainScreen(PromptScreen[None]):
    """The terrain editor."""

    BINDING_GROUP_TITLE = "Terrain editor"
    BINDINGS = bind(TERRAIN_KEYS)

    def __init__(self, session: Session, cursor: Square, like: BoardView) -> None:
        super().__init__()
        self.session = session
        self._steps_before = session.history.steps_taken
        """The number of the battle's last step as the editor opened: undo and redo stop there."""
        self.board = BoardView(project(session.battle, session.rules), id="board")
        self.board.set_reactive(BoardView.markings, replace(NO_MARKINGS, cursor=cursor))
        self.board.set_reactive(BoardView.glyphs, like.glyphs)
        unit = session.battle.field.unit
        self.ground: Ground = palette.terrain("rubble", unit)
        self.thing = ""
        """The object to paint on the present ground; "" to paint `ground`."""
        self.thin: Barrier | None = palette.thin("wall", unit)
        self.mark: Square | None = None
        self.stroke: tuple[Square, ...] = ()
        """Squares that the brush has passed; empty while it is up."""
        self.note = ""

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        yield self.board
        yield Sentence(id="verdict")
        yield Static(id="tools", markup=False)
        yield PromptBar(id="prompt")
        yield KeyFooter()

    def on_mount(self) -> None:
        self.watch(self.board, "markings", self._follow, init=False)
        self.board.focus()
        self.show_all()

    def on_resize(self) -> None:
        self.show_all()

    # What is shown

    def show_all(self) -> None:
        battle = self.session.battle
        self.board.view = project(battle, self.session.rules)
        state = state_of(self.session)
        title = join([plain("Terrain editor", "bold"), plain(f" · {battle.field.name}", quiet(state))])
        show_title(self.query_one("#title", Static), title, state, words_for(self.session), self.size.width)
        self.query_one(KeyFooter).show()
        self._show_selection()

    def _show_selection(self) -> None:
        """Tints and lists the squares that the next key changes."""
        tinted = self.stroke or (self.selection if self.mark is not None else ())
        self.board.markings = replace(self.board.markings, tints=dict.fromkeys(tinted, MEANT))
        tools = (
            with_keys("{terrain.paint} paint: ")
            + self._paint_words
            + with_keys(" · {terrain.thin} edges: ")
            + (self.thin.kind if self.thin else "nothing")
        )
        if self.stroke:
            tools += f" · brush down: {places(self.stroke)}"
        elif self.mark is not None:
            tools += f" · marked: {places(self.selection)}"
        here = square_words(Focus(cursor=self.cursor), self.session.battle, self.session.rules)
        self.query_one(Sentence).rows = tuple(wrap(self.note or here, self.size.width - 2)[:1])
        self.query_one("#tools", Static).update(plain(f" {tools}"), layout=False)

    @property
    def _paint_words(self) -> str:
        if self.thing:
            return self.thing
        return f"{self.ground.object} on {self.ground.terrain}" if self.ground.object else self.ground.terrain

    def say(self, sentence: str) -> None:
        """Shows a sentence until the next key."""
        self.note = sentence
        self.show_all()

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

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        if self.query_one(PromptBar).is_asking:
            self.query_one(PromptBar).keep_keys()
        elif self.stroke:
            self.action_brush()
        else:
            self._lay(rectangle(self.mark or message.square, message.square))

    # Strokes

    def draw(self, parts: Sequence[SetGround | SetElevation | SetEdges]) -> None:
        """Commits one stroke; a refusal is shown and changes nothing."""
        self.mark, self.stroke = None, ()
        try:
            events = self.session.submit(Draw(tuple(parts)))
        except BattleboardError as reason:
            self.say(str(reason))
        else:
            self.say(summarise(events, self.session.battle, self.session.rules))

    def _lay(self, squares: Sequence[Square]) -> None:
        """Paints squares; an object keeps the ground below it."""
        field = self.session.battle.field
        if not self.thing:
            self.draw([SetGround(tuple(squares), self.ground)])
            return
        self._each(squares, lambda square: palette.thing(self.thing, field.unit, field.ground_at(square)))

    def _each(self, squares: Sequence[Square], ground_of: Callable[[Square], Ground]) -> None:
        """Commits a stroke with a ground for each square."""
        found: dict[Ground, list[Square]] = {}
        for square in squares:
            found.setdefault(ground_of(square), []).append(square)
        self.draw([SetGround(tuple(alike), ground) for ground, alike in found.items()])

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
        field = self.session.battle.field
        self._each(self.selection, lambda square: palette.bare(field.ground_at(square), field.unit))

    def action_side(self, side: str) -> None:
        """Puts the barrier on a side of the marked squares, or all around; removes it if it is there already."""
        field = self.session.battle.field
        edges = edges_along(self.selection, [Direction[side]] if side else ORTHOGONAL)
        is_there = all(field.barriers.get(edge) == self.thin for edge in edges)
        self.draw([SetEdges(edges, None if is_there else self.thin)])

    def action_raise(self, steps: int) -> None:
        """Raises each square by a step of the map's unit."""
        field = self.session.battle.field
        step = steps * STEP[field.unit]
        found: dict[int, list[Square]] = {}
        for square in self.selection:
            found.setdefault(field.elevation_at(square) + step, []).append(square)
        self.draw([SetElevation(tuple(alike), height) for height, alike in found.items()])

    def action_height(self) -> None:
        field, squares = self.session.battle.field, self.selection

        def answered(text: str) -> None:
            self.draw([SetElevation(squares, parse_height(text))])

        label = f"Height of the ground in {UNIT_SIGNS[field.unit]}, {places(squares)}:"
        ask_until_taken(self, self.say, label, answered)

    # Paint

    def action_paint(self) -> None:
        field = self.session.battle.field
        own = palette.own_grounds(field)

        def chosen(choice: str | None) -> None:
            if choice == "terrain":
                self.choose("Choose the ground", [Choice(name, name) for name in palette.TERRAINS], terrain)
            elif choice == "thing":
                self.choose("Choose the object", [Choice(name, name) for name in palette.THINGS], thing)
            elif choice:
                self.ground, self.thing = own[int(choice)], ""
                self.say("")

        def terrain(name: str | None) -> None:
            if name:
                self.ground, self.thing = palette.terrain(name, field.unit), ""
                self.say("")

        def thing(name: str | None) -> None:
            if name:
                self.thing = name
                self.say("")

        listed = [
            Choice(str(place), ground.name, f"on {ground.terrain}" if ground.object else "")
            for place, ground in enumerate(own)
        ]
        more = [Choice("terrain", "other ground …"), Choice("thing", "objects …")]
        self.choose("Choose what to paint", [*more, *listed], chosen)

    def action_thin(self) -> None:
        unit = self.session.battle.field.unit

        def chosen(name: str | None) -> None:
            if name:
                self.thin = None if name == "nothing" else palette.thin(name, unit)
                self.say("")

        self.choose("Choose what to put on edges", [Choice(name, name) for name in (*palette.EDGES, "nothing")], chosen)

    def action_pick(self) -> None:
        self.ground, self.thing = self.session.battle.field.ground_at(self.cursor), ""
        self.say("")

    # The rest

    def ask(self, label: str, answered: Callable[[str], None], value: str = "") -> None:
        """Asks for a line; Enter calls `answered` with it."""
        self.query_one(PromptBar).ask(label, answered, value)

    def choose(self, title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
        """Opens a menu."""
        choose_one(self.app, title, choices, chosen)

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
    "{terrain.west} put a wall on that side, {terrain.around} all around; the same key removes it again. Each stroke "
    "is saved before you see it, and {terrain.undo} undoes it."
)
