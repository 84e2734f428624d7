"""What screens ask of the app: another battle, the library, another look, or to be left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from textual.message import Message

from engine.journal.session import Session
from tui.settings.settings import Settings


@dataclass
class Chosen(Message):
    """A battle that is open shall be shown: to be played, or to be looked at step by step."""

    session: Session
    is_replay: bool = False


class OpenLibrary(Message):
    """The library shall be shown over the board."""


class Left(Message):
    """The Game Master leaves the screen."""


@dataclass
class SettingsChanged(Message):
    """The Game Master chose how the board looks; the screen looks so already, but for its colours."""

    settings: Settings
    refused: Callable[[str], None]
    """Says why it could not be written down."""
