"""Side panel widgets; the functions of this package render their text."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.reactive import var

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.views.view import UnitView, View
from engine.journal.history import History, latest_first
from engine.rules.model import Ruleset
from tui.application.describe.attack_result import Result
from tui.application.describe.dice_tray import Tray
from tui.application.describe.order_blocks import next_units
from tui.application.describe.text_layout import fit, wrap
from tui.application.describe.view_changes import Told
from tui.application.focus.contacts import Aim
from tui.application.keys.battle_keys import with_keys
from tui.view.panels.attack_panel import NO_TARGET, shot_text, shot_title
from tui.view.panels.dice_panel import die_at, tray_text, tray_title
from tui.view.panels.log_panel import log_text
from tui.view.panels.mini_map import Overview, map_rows
from tui.view.panels.order_panel import order_rows, rows_out_of_sight, with_marks_legend
from tui.view.panels.panel import FRAME, Panel
from tui.view.panels.result_card import result_text, result_title
from tui.view.panels.styled_text import join, lines, plain
from tui.view.panels.unit_panel import ContactRow, unit_text

NO_NOTES = "No notes. {battle.note} writes one on the square or the unit under the cursor."
MOST_PLACE = 12
"""Most columns of where a note belongs."""


class AttackPanel(Panel):
    """The attack in focus, or the result of the last one."""

    KEY, TITLE = "battle.panel_shot", "Shot"
    shown: var[tuple[AttackPreview | Result | Tray | str | None, Ruleset, AttackPreview | None, bool] | None] = var(
        None, init=False
    )
    """What it shows; for a result its attack before the roll with its odds, once they are computed; and whether a
    result can be undone."""
    targets: var[tuple[tuple[UnitView, Aim | None], ...]] = var((), init=False)
    """While nothing is aimed at: the enemies in the order in which they are aimed at, with the aim at each once it is
    known."""

    idle: var[str] = var(NO_TARGET, init=False)
    """The sentence above them."""

    @dataclass
    class DieChosen(Message):
        """A click on a roll of the tray."""

        die: int
        """Which of them, from 0 on."""

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None or self.shown is None or not isinstance(tray := self.shown[0], Tray):
            return
        die = die_at(tray, self.shown[1], *self.content_size, place.y)
        if die is not None:
            self.post_message(self.DieChosen(die))

    def watch_targets(self) -> None:
        self.watch_shown()

    def watch_idle(self) -> None:
        self.watch_shown()

    def build(self, width: int, height: int) -> Content:
        if self.shown is None:
            return Content("")
        what, rules, forecast, can_undo = self.shown
        if isinstance(what, Tray):
            self.head(tray_title(what, width - FRAME))
            return tray_text(what, rules, width, height)
        self.head(result_title(what) if isinstance(what, Result) else shot_title(what))
        if isinstance(what, Result):
            return result_text(what, rules, width, height, forecast, can_undo=can_undo)
        return shot_text(what, rules, width, height, self.targets, self.idle)


class UnitPanel(Panel):
    """The unit under the cursor, else the acting unit."""

    KEY, TITLE = "battle.panel_unit", "Unit"
    shown: var[tuple[UnitView | None, str, bool] | None] = var(None, init=False)
    """The unit, the unit of heights, and whether the receipt is that of an attack in the panel beside it."""
    contacts: var[Sequence[ContactRow]] = var((), init=False)

    def watch_contacts(self) -> None:
        self.watch_shown()

    def build(self, width: int, height: int) -> Content:
        if self.shown is None:
            return Content("")
        unit, sign, is_aimed = self.shown
        has_keys = bool(self.KEY)
        return unit_text(unit, sign, width, height, has_keys=has_keys, is_aimed=is_aimed, contacts=self.contacts)


class OrderPanel(Panel):
    """The turn order; its rows can be clicked, and walked while it has the focus."""

    KEY, TITLE = "battle.panel_order", "Turn order"
    BINDINGS: ClassVar[list[Binding]] = [  # type: ignore[assignment]
        Binding("down,j", "screen.walk_order(1)", priority=True),
        Binding("up,k", "screen.walk_order(-1)", priority=True),
        Binding("enter", "screen.leave_order(True)", priority=True),
    ]
    shown: var[tuple[View, str, str, str, Collection[str]] | None] = var(None, init=False)
    """The view, and the ids of the unit in focus, its target, the unit under the cursor and the marked ones."""

    @dataclass
    class UnitChosen(Message):
        """A click on a unit's row."""

        unit: str

    def build_rows(self, width: int, height: int) -> list[Content]:
        if self.shown is None:
            return []
        view, selected, target, cursor, marked = self.shown
        then = next_units(view)
        self.head(self.TITLE, f"next {then[0].name}" if then else "")
        shown = order_rows(view, selected, target, width, height, cursor, marked)
        self.foot(rows_out_of_sight(view, width, [unit for _, unit in shown], cursor, marked, height, target))
        return with_marks_legend(view, [row for row, _ in shown], width, height)

    def on_blur(self) -> None:
        self.can_focus = False  # a click must not take the arrows from the board

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset(self)
        if place is None or self.shown is None:
            return
        view, selected, target, cursor, marked = self.shown
        rows = order_rows(view, selected, target, *self.content_size, cursor, marked)
        if place.y < len(rows):
            self.post_message(self.UnitChosen(rows[place.y][1]))


class MapPanel(Panel):
    """The mini-map."""

    KEY, TITLE = "battle.panel_map", "Mini-map"
    shown: var[Overview | None] = var(None, init=False)

    def build_rows(self, width: int, height: int) -> list[Content]:
        return map_rows(self.shown, width, height) if self.shown else []


class NotesPanel(Panel):
    """The GM's notes, with where they belong."""

    KEY, TITLE = "battle.panel_notes", "Notes · GM only"
    shown: var[View | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        if self.shown is None or not self.shown.notes:
            return lines(plain(row, "$muted") for row in wrap(with_keys(NO_NOTES), width))
        return lines(note_rows(self.shown, width)[:height])


def note_rows(view: View, width: int) -> list[Content]:
    """A row or more for each note: the square, the name of the unit, or a dash for one on the battle; then its text."""
    names = {unit.id: unit.name for unit in view.units}
    places = [note.at.name if note.at else names.get(note.unit, "–") for note in view.notes]
    first = min(MOST_PLACE, max(map(len, places), default=0)) + 1
    rows: list[Content] = []
    for place, note in zip(places, view.notes, strict=True):
        for number, row in enumerate(wrap(note.text, width - first)):
            rows.append(join([plain(fit("" if number else place, first - 1), "$muted"), " ", row]))
    return rows


class LogPanel(Panel):
    """The log."""

    KEY, TITLE = "battle.panel_log", "Log"
    shown: var[tuple[tuple[History, ...], Ruleset] | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        if self.shown is None:
            return Content("")
        steps, rules = self.shown
        return log_text(latest_first(steps), steps[-1].battle, rules, width, height)


TOLD_STYLES = {"": "", "round": "bold $panel-title", "turn": "$panel-title"}
"""Style of a sentence by what it begins."""


class FeedPanel(Panel):
    """What happened as one seat saw it, the latest last."""

    TITLE = "Events"
    shown: var[tuple[Told, ...]] = var((), init=False)

    def build(self, width: int, height: int) -> Content:
        if not self.shown:
            return plain("What this side sees happen is listed here.", "$muted")
        rows: list[Content] = []
        for told in self.shown:
            cut, style = wrap(told.sentence, width - 2), TOLD_STYLES[told.begins]
            rows += [plain(row if not place else f"  {row}", style) for place, row in enumerate(cut)]
        return lines(rows[-height:] if height else rows)
