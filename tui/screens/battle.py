"""The battle screen: the board, the panels, the verdict, and the conversation with the Game Master."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from engine.battle import commands as cmd
from engine.battle.attacking import Shot
from engine.battle.events import AttackRolled, Event
from engine.battle.narration import percent, tell, verdict, what_to_roll
from engine.battle.projection import project
from engine.battle.session import Session
from engine.dice.sources import NeedDice, parse_typed
from engine.errors import BattleboardError
from engine.field.squares import Square
from tui import focus as foci
from tui.board.view import BoardView
from tui.board.zooms import MEDIUM, SMALL
from tui.describe import square_words
from tui.focus import Focus
from tui.panels.receipt import receipt_text
from tui.panels.side import LogPanel, OrderPanel, ShotPanel, UnitPanel
from tui.prompt import PromptBar
from tui.screens.choices import action_choices, door_choices, weapon_choices
from tui.screens.help import help_text
from tui.screens.keys import BATTLE_KEYS, by_action
from tui.screens.menu import Choice, Menu
from tui.screens.sheet import Sheet
from tui.shading import overlay_of, shading_words
from tui.terminal import LEAST_COLUMNS, LEAST_ROWS
from tui.text import fit, join, lines, plain, wrap
from tui.typed import parse_adjustment, parse_change

PANELS = ("shot", "unit", "order", "log")
SLIM = 72
"""Narrower than this, the verdict takes a third row."""

RULERS = 3
"""Columns that the board keeps for its row numbers."""


class BattleScreen(Screen[None]):
    """One battle. Holds the session and the focus; everything shown follows from the two."""

    BINDING_GROUP_TITLE = "Battle"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]  # noqa: RUF012 - Textual's way
    BINDINGS = BATTLE_KEYS  # type: ignore[assignment]

    def __init__(self, session: Session, *, ascii_only: bool = False, is_kept: bool = True) -> None:
        super().__init__()
        self.session = session
        self.ascii_only = ascii_only
        self.is_kept = is_kept
        battle = session.battle
        start = battle.units[battle.active].at if battle.active else Square(0, 0)
        self.looked = Focus(unit=battle.active, cursor=start)
        self.shot: Shot | str | None = None
        self.note = ""
        self.panel = "shot"

    def compose(self) -> ComposeResult:
        yield Static(id="too-small", markup=False)
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield BoardView(id="board")
                with Horizontal(id="below"):
                    yield OrderPanel(id="order")
                    yield LogPanel(id="log")
            with Vertical(id="side"):
                yield ShotPanel(id="shot")
                yield UnitPanel(id="unit")
        yield Static(id="verdict", markup=False)
        yield PromptBar(id="prompt")
        yield Static(id="keys", markup=False)

    def on_mount(self) -> None:
        board = self.query_one(BoardView)
        board.use_ascii(self.ascii_only)
        board.focus()
        self.action_panel("shot")
        self.show_all()
        self.call_after_refresh(self._fit_zoom)

    def on_resize(self) -> None:
        columns, rows = self.size
        is_too_small = columns < LEAST_COLUMNS or rows < LEAST_ROWS
        self.set_class(is_too_small, "-too-small")
        self.set_class(columns < SLIM, "-slim")
        said = f"This terminal has {columns}×{rows} now; the board needs {LEAST_COLUMNS}×{LEAST_ROWS}. Nothing is lost."
        self.query_one("#too-small", Static).update(plain(said))
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def _fit_zoom(self) -> None:
        """The larger of the two usual zooms that shows the whole map, else the smaller one round the cursor."""
        board, field = self.query_one(BoardView), self.session.battle.field
        columns, rows = MEDIUM.canvas(field.columns, field.rows)
        fits = columns <= board.size.width - RULERS and rows < board.size.height
        board.zoom = MEDIUM if fits else SMALL
        board.centre_on(self.looked.cursor)

    # What is shown

    def show_all(self) -> None:
        """Everything follows from the session and the focus."""
        battle, rules = self.session.battle, self.session.rules
        self.looked = foci.settle(self.looked, battle)
        self.shot = foci.shot(self.looked, battle, rules)
        view = project(battle, rules)
        board = self.query_one(BoardView)
        board.view = view
        board.overlay = overlay_of(self.looked, self.shot, battle, rules)
        self.query_one(ShotPanel).shown = (self.shot, rules)
        self.query_one(OrderPanel).shown = (view, self.looked.unit, self.looked.target)
        self.query_one(LogPanel).shown = (self.session.history, rules)
        self._show_unit()
        self._show_title()
        self._show_verdict()
        self._show_keys()

    def show_cursor(self) -> None:
        """Only what follows the cursor."""
        battle, rules = self.session.battle, self.session.rules
        self.query_one(BoardView).overlay = overlay_of(self.looked, self.shot, battle, rules)
        self._show_unit()
        self._show_verdict()

    def _show_unit(self) -> None:
        view = self.query_one(BoardView).view
        here = view.at(self.looked.cursor) if view else None
        subject = here or (view.unit(self.looked.unit) if view and self.looked.unit else None)
        sign = "ft" if self.session.battle.field.unit == "feet" else "m"
        self.query_one(UnitPanel).shown = (subject, sign)

    def _show_title(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        state = "saved" if self.is_kept else "demo, not kept"
        if self.session.journal.read_only:
            state = "read-only"
        turn: list[Content] = []
        if battle.active:
            unit = battle.units[battle.active]
            left = [f"{unit.budget.get(key, 0)} {item.label}" for key, item in rules.budgets.items()]
            if unit.stride:
                left.append(f"{float(unit.stride):g} squares to walk")
            turn = [plain(f"Round {battle.round} · "), plain(unit.name, "bold"), plain(f" · {', '.join(left)}")]
        title = join([plain(f"{battle.field.name} · {rules.name}   ", "$muted"), *turn])
        if title.cell_length > self.size.width - len(state) - 6:
            title = join(turn)
        self.query_one("#title", Static).update(join([" ", title, plain(f"   ● {state}", "$muted")]))

    def _show_verdict(self) -> None:
        rows = wrap(self.verdict, max(20, self.size.width - 2))
        self.query_one("#verdict", Static).update(lines(plain(f" {row}", "bold") for row in rows))

    @property
    def verdict(self) -> str:
        """The one sentence: what just happened, else the shot, else what is under the cursor."""
        if self.note:
            return self.note
        battle, rules = self.session.battle, self.session.rules
        target = battle.units.get(self.looked.target)
        if target is not None and self.looked.cursor in target.squares:
            if isinstance(self.shot, Shot):
                return verdict(self.shot, rules)
            if self.shot:
                return self.shot
        return square_words(self.looked, battle, rules)

    def _show_keys(self) -> None:
        shown = [f"{keys[0]} {binding.description}" for keys, binding in by_action(self) if binding.show]
        text = "  ".join(shown)
        self.query_one("#keys", Static).update(plain(" " + fit(text, max(0, self.size.width - 2)), "$muted"))

    # Messages of the board

    def on_board_view_cursor_moved(self, message: BoardView.CursorMoved) -> None:
        if message.square == self.query_one(BoardView).cursor != self.looked.cursor:
            self.look(replace(self.looked, cursor=message.square), whole=False)

    def on_board_view_square_chosen(self, message: BoardView.SquareChosen) -> None:
        battle = self.session.battle
        here = battle.at(message.square)
        looked = replace(self.looked, cursor=message.square)
        subject = battle.units.get(looked.unit)
        if here is None or here.is_defeated:
            if self.looked.shading == "reach":
                self.action_move()
            return
        if subject is not None and here.side != subject.side:
            self.look(replace(looked, target=here.id))
        else:
            self.look(looked.on_unit(here.id))

    def look(self, focus: Focus, *, whole: bool = True) -> None:
        """Another focus; what was just said is let go."""
        self.looked, self.note = focus, ""
        self.show_all() if whole else self.show_cursor()

    # Commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """No command while a question is asked; before any, the focus catches up with the cursor.

        Keys come in bursts over a slow line: the cursor may have moved and its message not have come yet.
        """
        if self.query_one(PromptBar).is_asking:
            return False
        cursor = self.query_one(BoardView).cursor
        if cursor is not None and cursor != self.looked.cursor:
            self.look(replace(self.looked, cursor=cursor), whole=False)
        return True

    def submit(self, command: cmd.Command, typed: cmd.Typed = (), *, asks: bool = False) -> tuple[Event, ...]:
        """Commits a command and shows what it came to; a refusal is said and changes nothing."""
        try:
            events = self.session.submit(command, typed, asks=asks)
        except BattleboardError as reason:
            self.say(str(reason))
            return ()
        self.say_events(events)
        return events

    def say(self, sentence: str) -> None:
        """A sentence in the verdict's place until the next key."""
        self.note = sentence
        self.show_all()

    def say_events(self, events: tuple[Event, ...]) -> None:
        battle, rules = self.session.battle, self.session.rules
        told = [tell(event, battle, rules) for event in events]
        attack = next((i for i, event in enumerate(events) if isinstance(event, AttackRolled)), 0)
        self.say(" ".join(sentence for sentence in told[attack:] if sentence))

    def action_target(self, step: int) -> None:
        self.look(foci.next_target(self.looked, self.session.battle, step))
        self.query_one(BoardView).reveal(self.looked.cursor)

    def action_select(self) -> None:
        here = self.session.battle.at(self.looked.cursor)
        if here is None:
            self.say(f"Nobody stands on {self.looked.cursor.name}.")
            return
        self.look(self.looked.on_unit(here.id))

    def action_fire(self, is_free: bool = False) -> None:
        if not isinstance(self.shot, Shot):
            self.say(self.shot or "Pick a target first: t for the next enemy, or Enter on one.")
            return
        focus = self.looked
        wish = cmd.Attack(focus.unit, focus.target, focus.weapon, focus.action, is_free)
        refusal = self.shot.ledger.forbidden.because if self.shot.ledger.forbidden else self.shot.refusal
        if refusal and not (is_free and self.shot.ledger.is_possible):
            hint = " F attacks all the same, at no cost." if self.shot.ledger.is_possible else ""
            self.say(f"{refusal}{hint}")
            return
        rules = self.session.rules
        what = what_to_roll(rules, self.shot.ledger.target_number, self.shot.ledger.total)
        label = f"{what} ({percent(self.shot.odds.hit)}). Enter rolls, or type the die:"
        self._ask_dice(wish, (), label)

    def action_fire_free(self) -> None:
        self.action_fire(is_free=True)

    def _ask_dice(self, wish: cmd.Command, typed: cmd.Typed, label: str) -> None:
        """Asks for one roll after another; an empty first answer lets the seed roll them all."""

        def answered(text: str) -> None:
            if not text and not typed:
                self.submit(wish)
                return
            try:
                group = parse_typed(text)[:1] if text else ((),)
                self.session.submit(wish, (*typed, *group), asks=True)
            except NeedDice as need:
                question = f"{need.purpose}, {need.dice.text}. Enter rolls, or type the dice or their sum:"
                self._ask_dice(wish, (*typed, *group), question)
            except BattleboardError as reason:
                self.say(str(reason))
            else:
                self.say_events(self.session.history.done.events if self.session.history.done else ())

        self.query_one(PromptBar).ask(label, answered)

    def action_move(self) -> None:
        unit = self.session.battle.units.get(self.looked.unit)
        if unit is None:
            return
        if self.looked.shading != "reach":
            self.look(replace(self.looked, shading="reach"))
            self.query_one(BoardView).reveal(unit.at)
            return
        ways = overlay_of(self.looked, self.shot, self.session.battle, self.session.rules)
        if not ways.path:
            battle = self.session.battle
            if self.looked.cursor == unit.at:
                self.look(replace(self.looked, shading="plain"))
            elif battle.active != unit.id:
                self.say(f"It is {battle.units[battle.active].name}'s turn, not {unit.name}'s.")
            else:
                self.say(f"{unit.name} cannot reach {self.looked.cursor.name} this turn.")
            return
        if self.submit(cmd.Move(unit.id, ways.path)):
            self.looked = replace(self.looked, shading="plain")
            self.show_all()

    def action_end_turn(self) -> None:
        if self.submit(cmd.EndTurn()):
            battle = self.session.battle
            self.looked = Focus(unit=battle.active, cursor=battle.units[battle.active].at, shading=self.looked.shading)
            self.show_all()
            self.query_one(BoardView).reveal(self.looked.cursor)

    def action_initiative(self) -> None:
        self._ask_dice(cmd.RollInitiative(), (), "Roll the order anew. Enter rolls, or type the first die:")

    def action_undo(self) -> None:
        self._go(self.session.undo, "Taken back")

    def action_redo(self) -> None:
        self._go(self.session.redo, "Done again")

    def _go(self, step: Callable[[], tuple[Event, ...]], said: str) -> None:
        battle, rules = self.session.battle, self.session.rules
        try:
            events = step()
        except BattleboardError as reason:
            self.say(str(reason))
            return
        told = [sentence for event in events if (sentence := tell(event, battle, rules))]
        self.say(f"{said}: {told[0] if told else 'the last command.'}")

    def action_shade(self) -> None:
        position = foci.SHADINGS.index(self.looked.shading)
        self.look(replace(self.looked, shading=foci.SHADINGS[(position + 1) % len(foci.SHADINGS)]))
        if said := shading_words(self.looked, self.session.battle, self.session.rules):
            self.say(said)

    def action_act(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        unit = battle.units.get(self.looked.unit)
        if unit is None:
            return

        def chosen(action_id: str | None) -> None:
            if not action_id:
                return
            if rules.actions[action_id].kind == "attack":
                self.look(replace(self.looked, action=action_id))
            else:
                self.submit(cmd.Act(unit.id, action_id))

        self.app.push_screen(Menu(f"{unit.name} acts", action_choices(self.looked, battle, rules)), chosen)

    def action_weapon(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        unit = battle.units.get(self.looked.unit)
        if unit is None or not unit.weapons:
            self.say("No weapon to take.")
            return

        def chosen(weapon: str | None) -> None:
            if weapon:
                self.looked = replace(self.looked, weapon="", action="")
                self.submit(cmd.Ready(unit.id, weapon))

        self._choose(f"{unit.name} takes in hand", weapon_choices(unit, rules), chosen)

    def action_door(self) -> None:
        battle = self.session.battle
        unit = battle.units.get(self.looked.unit)
        choices = door_choices(battle, self.looked.cursor) or (door_choices(battle, unit.at) if unit else {})
        if not choices:
            self.say(f"No door on the sides of {self.looked.cursor.name}. Put the cursor beside one.")
            return

        def chosen(choice: str | None) -> None:
            if choice:
                self.submit(choices[choice])

        if len(choices) == 1:
            chosen(next(iter(choices)))
        else:
            self._choose("Doors", [Choice(label, label) for label in choices], chosen)

    def _choose(self, title: str, choices: list[Choice], chosen: Callable[[str | None], None]) -> None:
        self.app.push_screen(Menu(title, choices), chosen)

    def action_damage(self) -> None:
        battle, rules = self.session.battle, self.session.rules
        unit = battle.at(self.looked.cursor) or battle.units.get(self.looked.target)
        if unit is None:
            self.say("Put the cursor on a unit first.")
            return

        def answered(text: str) -> None:
            if not text:
                return
            try:
                command = parse_change(text, battle.unit(unit.id), rules)
            except BattleboardError as reason:
                self.say(str(reason))
                return
            self.submit(command)

        first = next(iter(rules.pools.values())).label
        self.query_one(PromptBar).ask(
            f"{unit.name}: -5 takes 5 {first}; or “name value”, a posture, a condition:", answered
        )

    def action_adjust(self) -> None:
        ledger = self.shot.ledger if isinstance(self.shot, Shot) else None

        def answered(text: str) -> None:
            if not text:
                return
            try:
                command = parse_adjustment(text, ledger, self.session.battle)
            except BattleboardError as reason:
                self.say(str(reason))
                return
            self.submit(command)

        self.query_one(PromptBar).ask("GM: “+10 why”, “3 off”, “3 -5 why”, “clear”; ! at the end pins it:", answered)

    def action_panel(self, name: str = "") -> None:
        self.panel = name or PANELS[(PANELS.index(self.panel) + 1) % len(PANELS)]
        for panel in PANELS:
            self.set_class(panel == self.panel, f"-show-{panel}")

    def action_help(self) -> None:
        groups = (("Battle", self), ("Board", self.query_one(BoardView)))
        self.app.push_screen(Sheet("Help", lambda width: help_text(groups, width)))

    def action_receipt(self) -> None:
        shot, rules = self.shot, self.session.rules
        if isinstance(shot, Shot):
            self.app.push_screen(Sheet("Receipt", lambda width: receipt_text(shot, rules, width)))
        else:
            self.say(shot or "Pick a target first: t for the next enemy, or Enter on one.")
