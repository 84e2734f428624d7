"""Messages from screens to the app: open a battle, open the library, change settings, leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from engine.journal.session import Session
from tui.application.settings.settings import Settings


@dataclass
class Chosen(Message):
    """Asks the app to show an open battle, to play it or to replay it."""

    session: Session
    is_replay: bool = False
    edits_terrain: bool = False
    """Whether the terrain editor opens above the board at once."""


@dataclass
class FileChanged(Message):
    """Asks the app to close the open battle, to change its file, and to open it again."""

    change: Callable[[], Path]
    """Gives the file's new path; raises BattleboardError where it cannot be changed."""


class OpenLibrary(Message):
    """Asks the app to show the library over the board."""


class Left(Message):
    """Asks the app to leave the screen."""


@dataclass
class SettingsChanged(Message):
    """The user changed the settings; the screen has applied them except the theme."""

    settings: Settings
    refused: Callable[[str], None]
    """Reports why the settings could not be saved."""
