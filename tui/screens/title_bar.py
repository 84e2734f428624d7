"""Title bar. Its colour shows the set-up phase, or with its last words that commands are not saved."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from engine.journal.branch import Branch
from engine.journal.session import Session
from tui.describe.styled_text import join, plain

STATES = ("what-if", "replay", "read-only", "set-up")
"""CSS classes of the bar, each with its own colour; without one the battle is played and saved."""
WORDS = {"": "", "set-up": "", "what-if": "WHAT IF, not saved", "read-only": "read-only"}


def state_of(session: Session) -> str:
    """The state of a session out of STATES; "" for a battle that is played. Its screen knows about a replay."""
    if isinstance(session, Branch):
        return "what-if"
    if session.journal.read_only or not session.journal.is_in_place:
        return "read-only"
    return "set-up" if session.battle.is_set_up else ""


def words_for(session: Session) -> str:
    """Words for a session's state; "" for a battle that is played and saved."""
    state = state_of(session)
    return "FILE GONE, not saved" if state == "read-only" and not session.journal.is_in_place else WORDS[state]


def quiet(state: str) -> str:
    """The style of less important words in the title; none on a coloured bar."""
    return "" if state else "$muted"


def show_title(bar: Static, title: Content, state: str, words: str, width: int) -> None:
    """Shows a title and the uncut words for its state on a bar of `width` cells in the state's colour."""
    for name in STATES:
        bar.set_class(name == state, f"-{name}")
    end = f"   ● {words}" if words else ""
    room = max(1, width - 1 - len(end))
    shown = title if title.cell_length <= room else title.truncate(room, ellipsis=True)
    shown = join([" ", shown, plain(end, quiet(state))])
    bar.update(shown.truncate(width, pad=bool(state)), layout=False)  # blanks show where the bar is in reverse video
