"""The screens that take the board's place. Each is loaded when it is called up: so the board is there the sooner."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from textual.screen import Screen

from engine.journal.session import Session
from tui.settings.settings import Settings

if TYPE_CHECKING:
    from tui.library.library_screen import LibraryScreen
    from tui.screens.follow_file import FollowedFile
    from tui.screens.player_view import PlayerViewScreen
    from tui.screens.replay_screen import ReplayScreen


def library(session: Session | None, settings: Settings) -> LibraryScreen:
    """All battles and maps, over the battle that is open, if one is."""
    from tui.library.library_screen import LibraryScreen

    return LibraryScreen(session, settings)


def is_library(screen: Screen[object]) -> TypeGuard[LibraryScreen]:
    from tui.library.library_screen import LibraryScreen

    return isinstance(screen, LibraryScreen)


def replay(session: Session, settings: Settings) -> ReplayScreen:
    """A battle gone through step by step."""
    from tui.screens.replay_screen import ReplayScreen

    return ReplayScreen(session, settings)


def side_seat(watch: FollowedFile, settings: Settings) -> PlayerViewScreen:
    """A battle from a side's seat."""
    from tui.screens.player_view import PlayerViewScreen

    return PlayerViewScreen(watch, settings)
