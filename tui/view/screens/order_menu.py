"""Turn order menu: delay, move up and down, groups with a shared place, surprise."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.battle.command import Command
from engine.battle.commands.decide import decide
from engine.battle.commands.order_commands import Delay, DissolveGroup, FormGroup, SetPlace, SetTurn
from engine.battle.views.view import project
from engine.errors import Illegal
from tui.application.commands.order import surprise
from tui.application.describe.order_blocks import Block, blocks
from tui.application.presenter.command_line import ask_line
from tui.application.presenter.focus_actions import initiative
from tui.application.presenter.presenter import Presenter
from tui.application.prompts.choice import Choice
from tui.view.modals.choosing import choose_one
from tui.view.modals.list_screen import ListScreen
from tui.view.modals.long_list import KEYS, LongList
from tui.view.panels.order_panel import ACTS, MARK, columns_of, declares_differ, group_row, signs_of, unit_row
from tui.view.panels.styled_text import plain

WIDTH = 56
HINT = (
    "d: delay until after … · K, J: up, down · n: start its turn\n"
    "Space: mark · g: group or dissolve · s: surprised · h: damage\n"
    "i: roll initiative · Esc: back"
)
DECLARED_HINT = (
    "K, J: up, down · n: start its turn\nSpace: mark · s: surprised · h: damage\ni: roll initiative · Esc: back"
)
"""Where the order is rolled for declared actions: nobody delays, and there are no groups."""


class OrderScreen(ListScreen[None]):
    """The turn order, changed with keys; every change is one command for undo."""

    DEFAULT_CSS = """
    OrderScreen OptionList { max-height: 14; }
    OrderScreen #said { color: $text; margin-top: 1; max-height: 4; }
    """

    def __init__(self, presenter: Presenter) -> None:
        super().__init__()
        self._presenter = presenter
        self._marked: set[str] = set()
        self._places: list[Block] = []

    def compose(self) -> ComposeResult:
        with self.framed() as box:
            box.border_title = plain("Turn order")
            yield LongList()
            yield Static("", id="said", markup=False)
            declares = self._presenter.session.rules.turns.initiative.declares
            yield Static(plain(DECLARED_HINT if declares else HINT), markup=False)

    def on_mount(self) -> None:
        self._show("")
        active = self._presenter.session.battle.turns.active
        self._go_to(active)

    @property
    def _under_bar(self) -> Block | None:
        place = self.query_one(OptionList).highlighted
        return self._places[place] if place is not None and place < len(self._places) else None

    def _show(self, said: str) -> None:
        """Rebuilds the list and keeps the selection."""
        presenter, options = self._presenter, self.query_one(OptionList)
        before = self._under_bar
        view = project(presenter.session.battle, presenter.session.rules)
        self._places, columns = blocks(view), columns_of(view, WIDTH)
        options.clear_options()
        declares, signs = declares_differ(view), signs_of(view)
        for name, units in self._places:
            ids = {unit.id for unit in units}
            sign = ACTS if view.active in ids else signs.get(units[0].id, "")
            mark = MARK if ids & self._marked else sign
            row = (
                group_row(name, units, mark, columns) if name else unit_row(units[0], mark, columns, declares=declares)
            )
            options.add_option(Option(row))
        if before is not None:
            self._go_to(before[1][0].id)
        self.query_one("#said", Static).update(plain(said))

    def _go_to(self, unit_id: str) -> None:
        options = self.query_one(OptionList)
        found = (place for place, (_, units) in enumerate(self._places) if unit_id in [unit.id for unit in units])
        options.highlighted = next(found, 0 if self._places else None)

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key in KEYS:
            self.query_one(LongList).move_bar(event.key)
            return
        actions: dict[str, Callable[[], None]] = {
            "escape": lambda: self._leave(),
            "K": lambda: self._move(-1),
            "J": lambda: self._move(1),
            "d": self._wait,
            "space": self._mark,
            "g": self._group,
            "s": self._surprise,
            "n": lambda: self._do(SetTurn(self._first)),
            "h": self._damage,
            "i": self._roll,
        }
        if event.key in actions or event.character in actions:
            actions[event.key if event.key in actions else str(event.character)]()

    def on_option_list_option_selected(self) -> None:
        self._mark()

    @property
    def _first(self) -> str:
        return self._under_bar[1][0].id if self._under_bar else ""

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The marked units, in order; without marks the selected ones."""
        marked = tuple(unit.id for _, units in self._places for unit in units if unit.id in self._marked)
        return marked or tuple(unit.id for unit in self._under_bar[1]) if self._under_bar else ()

    def _do(self, command: Command, note: str = "") -> None:
        """Commits a command and shows the outcome, with a note."""
        self._presenter.submit(command)
        self._marked.clear()
        self._show(f"{self._presenter.note} {note}".rstrip())

    def _move(self, step: int) -> None:
        """Moves a unit up (after the second above) or down (after the next below)."""
        here = next((place for place, block in enumerate(self._places) if block == self._under_bar), None)
        if here is None or not 0 <= here + step < len(self._places):
            return
        after = here + step if step > 0 else here - 2
        self._do(SetPlace(self._first, self._places[after][1][-1].id if after >= 0 else ""))

    def _wait(self) -> None:
        """Asks for the unit to act after, and delays."""
        first, battle = self._first, self._presenter.session.battle
        place = next((place for place, block in enumerate(self._places) if block == self._under_bar), -1)
        later = [block for block in self._places[place + 1 :] if not all(unit.is_defeated for unit in block[1])]
        if not first or not later:
            self._show("No unit acts after it in this round.")
            return
        choices = [
            Choice(next(unit.id for unit in reversed(units) if not unit.is_defeated), name or units[0].name)
            for name, units in later
        ]
        refused = [self._cannot_delay(first, choice.id) for choice in choices]
        if all(refused):
            self._show(refused[0])
            return

        def chosen(after: str | None) -> None:
            if after:
                self._do(Delay(first, after))

        choose_one(self.app, f"{battle.units[first].name} : delay until after …", choices, chosen)

    def _cannot_delay(self, unit: str, after: str) -> str:
        """Why a unit cannot delay its turn; "" if it can."""
        session = self._presenter.session
        try:
            decide(session.battle, Delay(unit, after), session.rules)
        except Illegal as reason:
            return str(reason)
        return ""

    def _mark(self) -> None:
        if self._under_bar:
            self._marked ^= {unit.id for unit in self._under_bar[1]}
            self._show("")

    def _group(self) -> None:
        """Groups the marked units; without marks, dissolves the selected group."""
        here = self._under_bar
        if not self._marked and here is not None and len(here[1]) > 1:
            self._do(DissolveGroup(here[1][0].id))
        elif len(self._marked) < 2:
            self._show("Mark two or more units with Space first. On a group, g dissolves it.")
        else:
            self._do(FormGroup(self._chosen))

    def _surprise(self) -> None:
        """Marks units as surprised; those that have acted are left out, and named."""
        found = surprise(self._chosen, self._presenter.session.battle, self._presenter.session.rules)
        self._do(found.command, found.note)

    def _damage(self) -> None:
        """Opens the command line to damage the marked units, else the selected ones."""
        units = " ".join(self._chosen)
        self._leave()
        self.app.call_after_refresh(ask_line, self._presenter, f"damage {units} ")

    def _roll(self) -> None:
        self._leave()
        self.app.call_after_refresh(initiative, self._presenter)

    def _leave(self) -> None:
        self._answer(None)
