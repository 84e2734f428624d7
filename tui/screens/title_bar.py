"""The title bar. Its colour says when what is done on the screen is not simply saved, and its last words say why."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from engine.journal.branch import Branch
from engine.journal.session import Session
from tui.describe.styled_text import join, plain

STATES = ("what-if", "replay", "read-only")
"""Classes of the bar, each with a colour of its own; without one the battle is played and saved."""
WORDS = {"": "", "what-if": "WHAT IF, not kept", "read-only": "read-only"}


def state_of(session: Session) -> str:
    """Which of STATES a session is in; "" for a battle that is played. A replay is one of its screen, not here."""
    if isinstance(session, Branch):
        return "what-if"
    return "read-only" if session.journal.read_only or not session.journal.is_in_place else ""


def words_for(session: Session) -> str:
    """What the title says of a session's state; "" for a battle that is played and saved."""
    state = state_of(session)
    return "FILE GONE, not saved" if state == "read-only" and not session.journal.is_in_place else WORDS[state]


def quiet(state: str) -> str:
    """The style of what is less important in the title: on a coloured bar there is none."""
    return "" if state else "$muted"


def show_title(bar: Static, title: Content, state: str, words: str, width: int) -> None:
    """Shows a title, with the words for its state whole at the end, on a bar of `width` cells in the state's colour."""
    for name in STATES:
        bar.set_class(name == state, f"-{name}")
    end = f"   ● {words}" if words else ""
    room = max(1, width - 1 - len(end))
    shown = title if title.cell_length <= room else title.truncate(room, ellipsis=True)
    shown = join([" ", shown, plain(end, quiet(state))])
    bar.update(shown.truncate(width, pad=bool(state)), layout=False)  # blanks show where the bar is in reverse video
