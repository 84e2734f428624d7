"""The formats that draw the board: a web page, a picture, a recording. Light: each is imported when it is written."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.journal.session import Session
    from tui.application.exports.format_list import Writer
    from tui.application.terminal.jobs import Job

THIRD = Fraction(1, 3)


def _html(session: Session, side: str) -> Job[str]:
    from tui.application.exports.battle_titles import battle_title
    from tui.application.exports.card_report import card_markdown, with_attacks
    from tui.application.exports.formats import report
    from tui.application.exports.frames import frames_of
    from tui.application.terminal.jobs import ALL, HALF, NOTHING, within
    from tui.view.exports.html_page import final_board, pictures_of, write_html

    frames = yield from within(frames_of(session, side), NOTHING, THIRD)
    text = yield from within(report(session, side, frames), THIRD, HALF)
    pictures = yield from within(pictures_of(frames), HALF, ALL)
    text = with_attacks(text, frames)
    return write_html(battle_title(session), pictures, text, card_markdown(session, side, frames), final_board(frames))


def _svg(session: Session, side: str) -> Job[str]:
    from tui.application.exports.frames import frames_of
    from tui.view.exports.board_pictures import last_picture

    return last_picture((yield from frames_of(session, side)), side)


def _cast(session: Session, side: str) -> Job[str]:
    from tui.application.exports.frames import frames_of
    from tui.application.terminal.jobs import ALL, HALF, NOTHING, within
    from tui.view.exports.asciicast import write_cast

    frames = yield from within(frames_of(session, side), NOTHING, HALF)
    return (yield from within(write_cast(session, side, frames), HALF, ALL))


DRAWN_FORMATS: Mapping[str, Writer] = {"html": _html, "svg": _svg, "cast": _cast}
