"""A battle in a format of `format_list`: for readers, for friends, or whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.battle.views.fog_of_war import find_side
from engine.errors import BattleboardError
from engine.generators import result_of
from engine.journal.session import Session
from engine.values import replace
from tui.application.exports.battle_record import MOST_BYTES, record_of
from tui.application.exports.battle_titles import battle_title
from tui.application.exports.format_list import DRAWING, FORMATS, PLAYERS
from tui.application.exports.json_lines import write_jsonlines
from tui.application.exports.markdown_report import write_markdown
from tui.application.exports.toml_tables import write_tables
from tui.application.terminal.jobs import Job

if TYPE_CHECKING:
    from tui.application.exports.format_list import Writer
    from tui.application.exports.frames import ReplayFrame


def _markdown(session: Session, side: str) -> Job[str]:
    from tui.application.exports.frames import frames_of

    if _is_whole_report(side):
        return (yield from report(session, side))
    frames = yield from frames_of(session, side)
    return (yield from report(session, side, frames))


def _is_whole_report(side: str) -> bool:
    """Whether a report is of the whole battle, and not of what a side saw."""
    return side in ("", PLAYERS)


def report(session: Session, side: str, frames: Sequence[ReplayFrame] = ()) -> Job[str]:
    """The report in Markdown; that of a side is of its frames."""
    if not _is_whole_report(side):
        from tui.application.exports.side_report import side_markdown

        return side_markdown(session, side, frames)
    header, steps = replace(session.journal.header, title=battle_title(session)), session.history.steps_with_battles()
    return (yield from write_markdown(header, steps, session.rules, is_for_players=bool(side)))


def _toml(session: Session, side: str) -> Job[str]:
    record = record_of(session.journal)
    pieces = yield from _joined(write_tables(record), len(record.rows))
    return "\n".join(pieces)


def _jsonl(session: Session, side: str) -> Job[str]:
    record = record_of(session.journal)
    pieces = yield from _joined(write_jsonlines(record), len(record.rows))
    return "\n".join(pieces) + "\n"


def _joined(pieces: Iterable[str], rows: int) -> Job[list[str]]:
    """Pieces of a text, one for each row and a few for the beginning."""
    found: list[str] = []
    for piece in pieces:
        found.append(piece)
        yield Fraction(min(len(found), rows), max(rows, 1))
    return found


WRITERS: Mapping[str, Writer] = {
    "markdown": _markdown,
    "toml": _toml,
    "jsonl": _jsonl,
}
"""The formats that draw nothing."""


def exported(session: Session, name: str, side: str = "") -> str:
    """The battle in a format; as `export_job`, at once."""
    return result_of(export_job(session, name, side))


def export_job(session: Session, name: str, side: str = "") -> Job[str]:
    """The battle in a format, as it stands when the job begins, part by part.

    Args:
        session: the battle.
        name: the format, one of FORMATS.
        side: show only what this side saw; PLAYERS for all that the GM has not hidden, "" for everything.

    Raises:
        Unknown: there is no such side; the message names the nearest.
        NotABattle: the file was damaged after it was opened.
        BattleboardError: it is so large that nothing would read it again; the format cannot leave anything out; or it
            draws the board, and nothing that does has been handed in.
    """
    if side and not FORMATS[name].has_side:
        fitting = ", ".join(one.name for one in FORMATS.values() if one.has_side)
        raise BattleboardError(f"{name} holds the whole battle, not what one side saw. With a side: {fitting}.")
    writer = {**WRITERS, **DRAWING}.get(name)
    if writer is None:
        raise BattleboardError(f"{name} needs the board, which nothing draws here. Without it: {', '.join(WRITERS)}.")
    if side not in ("", PLAYERS):
        side = find_side(session.battle, side, (step.after for step in session.history.steps()))
    return _bounded(writer(session, side))


def _bounded(job: Job[str]) -> Job[str]:
    """The same text; raises BattleboardError where nothing would read it again."""
    text = yield from job
    if len(text.encode()) > MOST_BYTES:
        raise BattleboardError(f"The battle is too large for a text of {MOST_BYTES:,} bytes: copy its file instead.")
    return text
