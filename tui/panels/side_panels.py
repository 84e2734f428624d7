"""Side panel widgets; the functions of this package render their text."""

from __future__ import annotations

from textual.content import Content
from textual.reactive import var

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.views.view import UnitView, View
from engine.journal.history import History, latest_first
from engine.rules.model import Ruleset
from tui.describe.styled_text import plain
from tui.keys.battle_keys import with_keys
from tui.panels.attack_panel import shot_text
from tui.panels.log_panel import log_text
from tui.panels.mini_map import Overview, map_text
from tui.panels.order_panel import order_text
from tui.panels.panel import Panel
from tui.panels.result_card import Result, result_text
from tui.panels.unit_panel import unit_text


class AttackPanel(Panel):
    """The attack in focus, or the result of the last one."""

    TITLE = "{battle.panel_shot} Shot"
    RESULT = "{battle.panel_shot} Result"
    shown: var[tuple[AttackPreview | Result | str | None, Ruleset] | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        if self.shown is None:
            return Content("")
        what, rules = self.shown
        self.border_title = plain(with_keys(self.RESULT if isinstance(what, Result) else self.TITLE))
        if isinstance(what, Result):
            return result_text(what, rules, width, height)
        return shot_text(what, rules, width, height)


class UnitPanel(Panel):
    """The unit under the cursor, else the acting unit."""

    TITLE = "{battle.panel_unit} Unit"
    shown: var[tuple[UnitView | None, str] | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        return unit_text(*self.shown, width, height) if self.shown else Content("")


class OrderPanel(Panel):
    """The turn order."""

    TITLE = "{battle.panel_order} Turn order"
    shown: var[tuple[View, str, str] | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        return order_text(*self.shown, width, height) if self.shown else Content("")


class MapPanel(Panel):
    """The mini-map."""

    TITLE = "{battle.panel_map} Mini-map"
    shown: var[Overview | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        return map_text(self.shown, width, height) if self.shown else Content("")


class LogPanel(Panel):
    """The log."""

    TITLE = "{battle.panel_log} Log"
    shown: var[tuple[tuple[History, ...], Ruleset] | None] = var(None, init=False)

    def build(self, width: int, height: int) -> Content:
        if self.shown is None:
            return Content("")
        told, rules = self.shown
        return log_text(latest_first(told), told[-1].battle, rules, width, height)
