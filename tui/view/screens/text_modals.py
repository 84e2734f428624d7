"""Text modals over the board: help, log, receipt and cover close-up."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from textual.screen import Screen

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.gear import stat_sources, stats_of
from engine.battle.narration.unit_states import marks_of
from engine.battle.views.view import project
from engine.journal.history import latest_first
from engine.rules.model import Ruleset
from engine.values import Value
from tui.application.commands.handbook import tool_rows
from tui.application.describe.attack_result import Result
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.overlay_list import OVERLAY_TINTS
from tui.application.presenter.action_rows import THROWS, menu_keys
from tui.application.presenter.gm_menu import SCREEN_LINES
from tui.application.presenter.presenter import NO_TARGET, Presenter
from tui.view.board.board_view import BoardView
from tui.view.board.legend import legend
from tui.view.modals.help_screen import help_text
from tui.view.modals.text_modal import TextModal
from tui.view.panels.receipt import receipt_text
from tui.view.panels.result_card import receipt_of, result_title
from tui.view.panels.side_panels import AttackPanel, UnitPanel
from tui.view.panels.unit_panel import unit_text
from tui.view.screens.close_up_screen import show_closeup
from tui.view.screens.logbook import Logbook
from tui.view.screens.sheet_editing import edit_sheet


def show_help(screen: Screen[None], board: BoardView, rules: Ruleset) -> None:
    groups, menus = (("Battle", screen), ("Board", board)), menus_in_help(rules)
    signs = legend(board.glyphs, marks_of(rules), OVERLAY_TINTS)
    screen.app.push_screen(TextModal("Help", lambda width: help_text(groups, signs, width, menus=menus)))


def menus_in_help(rules: Ruleset) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
    """The actions of a ruleset and the GM tools, each with its keys and what it does."""
    lettered = menu_keys((), rules)
    actions = [(f"{{battle.act}} {' '.join(key)}", rules.actions[one].label) for one, key in lettered.items()]
    if any(weapon.kind == "thrown" for weapon in rules.gear.weapons.values()):
        actions.append((f"{{battle.act}} {THROWS}", "Throw a grenade, or another weapon to throw"))
    tools = [(f"{{battle.table}} {key}", f"{label}: {said}") for key, label, said in tool_rows(SCREEN_LINES.values())]
    return [(f"Actions in {rules.name}", _in_order(actions)), ("Menu of GM tools", _in_order(tools))]


def _in_order(items: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Items of a menu by their keys, without the code marks of the handbook."""
    named = [(with_keys(keys), re.sub("`(.*?)`", r"“\1”", said)) for keys, said in items]
    return sorted(named, key=lambda item: item[0].casefold())


def show_log(screen: Screen[None], presenter: Presenter) -> None:
    session = presenter.session
    unit = session.battle.units.get(presenter.focus.unit)
    steps = list(latest_first(session.histories))[::-1]
    screen.app.push_screen(Logbook(steps, session.battle, session.rules, unit.name if unit else ""))


def show_covers(screen: Screen[None], presenter: Presenter) -> None:
    """Opens the cover close-up of the shot in focus."""
    shot = presenter.shot
    if isinstance(shot, AttackPreview):
        view = project(presenter.session.battle, presenter.session.rules)
        show_closeup(screen, view, presenter.display.glyphs, shot.situation)
    else:
        presenter.say(shot or with_keys(NO_TARGET))


def show_receipt(screen: Screen[None], presenter: Presenter) -> None:
    """Opens the receipt of what is aimed at; without it, or with the unit's panel alone, all numbers of the unit."""
    rules = presenter.session.rules
    is_about_unit = screen.query_one(UnitPanel).display and not screen.query_one(AttackPanel).display
    shot = None if is_about_unit else presenter.attack
    if isinstance(shot, Result):
        screen.app.push_screen(TextModal(result_title(shot), lambda width: receipt_of(shot, rules, width)))
    elif isinstance(shot, AttackPreview):
        is_ascii = not presenter.display.glyphs.has_unicode
        content = (shot, presenter.session.battle, rules)
        screen.app.push_screen(
            TextModal("Attack details", lambda width: receipt_text(*content, width, is_ascii=is_ascii))
        )
    elif isinstance(shot, str) and shot:
        presenter.say(shot)
    else:
        about = screen.query_one(UnitPanel).shown
        seen, sign, _ = about or (None, "", False)
        rows: list[tuple[str, Value, str]] = []
        if seen and seen.id in presenter.session.battle.units:
            unit = presenter.session.battle.units[seen.id]
            sources, stats = stat_sources(rules, unit), stats_of(rules, unit)
            rows = [(stat.label, stats[stat.id], sources[stat.id]) for stat in rules.units.stats.values()]
        edit = partial(edit_sheet, screen, presenter, seen.id) if seen else None
        title = (seen.full_name or seen.name) if seen else "Unit"
        screen.app.push_screen(TextModal(title, lambda width: unit_text(seen, sign, width, sheet=rows), edit=edit))
