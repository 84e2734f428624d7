"""A battle as text, in one of three manners."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.exports.battle_record import MOST_BYTES, record_of
from tui.exports.json_lines import write_jsonlines
from tui.exports.markdown_report import write_markdown
from tui.exports.toml_tables import write_tables


def _markdown(session: Session) -> str:
    return write_markdown(session.journal.header, session.history.steps_kept_whole(), session.rules)


def _toml(session: Session) -> str:
    return "\n".join(write_tables(record_of(session.journal)))


def _jsonl(session: Session) -> str:
    return "\n".join(write_jsonlines(record_of(session.journal))) + "\n"


MANNERS: Mapping[str, tuple[Callable[[Session], str], str]] = {
    "markdown": (_markdown, ".md"),
    "toml": (_toml, ".toml"),
    "jsonl": (_jsonl, ".jsonl"),
}
"""How to write a battle, and how the file's name ends then."""


def told(session: Session, manner: str) -> str:
    """The battle in a manner of MANNERS.

    Raises:
        NotABattle: the file was damaged after it was opened.
        BattleboardError: it is so large that nothing would read it again.
    """
    text = MANNERS[manner][0](session)
    if len(text.encode()) > MOST_BYTES:
        raise BattleboardError(f"The battle is too large for a text of {MOST_BYTES:,} bytes: copy its file instead.")
    return text
