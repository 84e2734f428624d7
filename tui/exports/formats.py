"""A battle as text, in one of three manners."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

from engine.errors import BattleboardError
from engine.journal.session import Session
from engine.text import visible
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


def export_words(session: Session, manner: str) -> str:
    """Writes the battle into the folder the program was started in, and says where.

    Raises:
        BattleboardError: as `told`; the file cannot be written.
    """
    from tui.exports.restore import write_new

    text, end, stem, number = told(session, manner), MANNERS[manner][1], session.journal.path.stem, 1
    path = Path.cwd() / f"{stem}{end}"
    while os.path.lexists(path):
        number += 1
        path = path.with_name(f"{stem}-{number}{end}")
    return f"Written to {visible(str(write_new(path, text)))}."


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
