"""What keys open over the board to be read: the help, the whole log, the receipt and the close-up of a shot."""

from __future__ import annotations

from engine.battle.attacks.attack_preview import Shot
from engine.journal.history import latest_first
from tui.board.legend import legend
from tui.keys.battle_keys import with_keys
from tui.modals.help_screen import help_text
from tui.modals.text_modal import SheetScreen
from tui.panels.receipt import receipt_text
from tui.panels.side_panels import UnitPanel
from tui.panels.unit_panel import unit_text
from tui.screens.close_up_screen import show_closeup
from tui.screens.conversation import NO_TARGET, Conversation
from tui.screens.logbook import Logbook


def show_help(talk: Conversation) -> None:
    board = talk.board
    groups = (("Battle", talk), ("Board", board))
    talk.app.push_screen(SheetScreen("Help", lambda width: help_text(groups, legend(board.glyphs), width)))


def show_log(talk: Conversation) -> None:
    session = talk.session
    unit = session.battle.units.get(talk.looked.unit)
    steps = list(latest_first(session.told))[::-1]
    talk.app.push_screen(Logbook(steps, session.battle, session.rules, unit.name if unit else ""))


def show_covers(talk: Conversation) -> None:
    """The line of the shot in focus, close up."""
    shot = talk.shot
    if isinstance(shot, Shot):
        show_closeup(talk, shot.situation)
    else:
        talk.say(shot or with_keys(NO_TARGET))


def show_receipt(talk: Conversation) -> None:
    """The whole shot in focus; where nothing is aimed at, the whole unit that its panel is about."""
    shot, rules = talk.shot, talk.session.rules
    if isinstance(shot, Shot):
        is_ascii = not talk.board.glyphs.has_unicode
        told = (shot, talk.session.battle, rules)
        talk.app.push_screen(SheetScreen("Receipt", lambda width: receipt_text(*told, width, is_ascii=is_ascii)))
    elif shot:
        talk.say(shot)
    else:
        about = talk.query_one(UnitPanel).shown
        unit, sign = about or (None, "")
        talk.app.push_screen(SheetScreen(unit.name if unit else "Unit", lambda width: unit_text(unit, sign, width)))
