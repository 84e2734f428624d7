"""A battle in a format of `format_list`: for readers, for friends, or whole."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.battle.views.fog_of_war import find_side
from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.values import replace
from tui.exports.battle_record import MOST_BYTES, record_of
from tui.exports.battle_titles import battle_title
from tui.exports.format_list import FORMATS, PLAYERS
from tui.exports.json_lines import write_jsonlines
from tui.exports.markdown_report import write_markdown
from tui.exports.toml_tables import write_tables


def _markdown(session: Session, side: str) -> str:
    if side not in ("", PLAYERS):
        from tui.exports.frames import frames_of
        from tui.exports.side_report import side_markdown

        return side_markdown(session, side, frames_of(session, side))
    header, steps = replace(session.journal.header, title=battle_title(session)), session.history.steps_with_battles()
    return write_markdown(header, steps, session.rules, is_for_players=bool(side))


def _html(session: Session, side: str) -> str:
    from tui.exports.frames import frames_of
    from tui.exports.html_page import write_html
    from tui.exports.side_report import side_markdown

    frames = frames_of(session, side)
    is_report = side in ("", PLAYERS)
    report = _markdown(session, side) if is_report else side_markdown(session, side, frames)
    return write_html(session, frames, report)


def _svg(session: Session, side: str) -> str:
    from tui.exports.board_pictures import last_picture

    return last_picture(session, side)


def _cast(session: Session, side: str) -> str:
    from tui.exports.asciicast import write_cast

    return write_cast(session, side)


def _toml(session: Session, side: str) -> str:
    return "\n".join(write_tables(record_of(session.journal)))


def _jsonl(session: Session, side: str) -> str:
    return "\n".join(write_jsonlines(record_of(session.journal))) + "\n"


WRITERS: Mapping[str, Callable[[Session, str], str]] = {
    "markdown": _markdown,
    "html": _html,
    "svg": _svg,
    "cast": _cast,
    "toml": _toml,
    "jsonl": _jsonl,
}


def exported(session: Session, name: str, side: str = "") -> str:
    """The battle in a format.

    Args:
        session: the battle.
        name: the format, one of FORMATS.
        side: show only what this side saw; PLAYERS for all that the GM has not hidden, "" for everything.

    Raises:
        Unknown: there is no such side; the message names the nearest.
        NotABattle: the file was damaged after it was opened.
        BattleboardError: it is so large that nothing would read it again; or the format cannot leave anything out.
    """
    if side and not FORMATS[name].has_side:
        fitting = ", ".join(one.name for one in FORMATS.values() if one.has_side)
        raise BattleboardError(f"{name} holds the whole battle, not what one side saw. With a side: {fitting}.")
    if side not in ("", PLAYERS):
        side = find_side(session.battle, side, (step.after for step in session.history.steps()))
    text = WRITERS[name](session, side)
    if len(text.encode()) > MOST_BYTES:
        raise BattleboardError(f"The battle is too large for a text of {MOST_BYTES:,} bytes: copy its file instead.")
    return text
