"""The screens that take the board's place. Each is loaded when it is called up: so the board is there the sooner."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from textual.screen import Screen

from engine.battle.record.session import Session
from tui.settings import Settings

if TYPE_CHECKING:
    from tui.screens.replay import ReplayScreen
    from tui.screens.start import LibraryScreen
    from tui.screens.watch import WatchScreen
    from tui.watching import Watch


def library(session: Session | None, settings: Settings) -> LibraryScreen:
    """All battles and maps, over the battle that is open, if one is."""
    from tui.screens.start import LibraryScreen

    return LibraryScreen(session, settings)


def is_library(screen: Screen[object]) -> TypeGuard[LibraryScreen]:
    from tui.screens.start import LibraryScreen

    return isinstance(screen, LibraryScreen)


def replay(session: Session, settings: Settings) -> ReplayScreen:
    """A battle gone through step by step."""
    from tui.screens.replay import ReplayScreen

    return ReplayScreen(session, settings)


def side_seat(watch: Watch, settings: Settings) -> WatchScreen:
    """A battle from a side's seat."""
    from tui.screens.watch import WatchScreen

    return WatchScreen(watch, settings)
