"""Screens loaded on demand, for a faster start of the board."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from textual.screen import Screen

from engine.journal.session import Session
from tui.application.settings.settings import Settings

if TYPE_CHECKING:
    from textual.app import App

    from rulesets.characters import OwnSheet
    from tui.view.library.library_screen import LibraryScreen
    from tui.view.screens.follow_file import FollowedFile
    from tui.view.screens.player_view import PlayerViewScreen
    from tui.view.screens.replay_screen import ReplayScreen


def library(session: Session | None, settings: Settings, note: str = "") -> LibraryScreen:
    """The library, over the open battle, if any; `note` is its first sentence."""
    from tui.view.library.library_screen import LibraryScreen

    return LibraryScreen(session, settings, note)


def show_form(app: App[None], sheet: OwnSheet) -> None:
    """Shows the form of a character, and exits when it is left."""
    from tui.application.library.ruleset_files import read_ruleset
    from tui.view.library.character_forms import open_form

    own = sheet.character
    open_form(app, own, read_ruleset(sheet.ruleset), lambda _: app.exit(), is_new=not own.file)


def is_library(screen: Screen[object]) -> TypeGuard[LibraryScreen]:
    from tui.view.library.library_screen import LibraryScreen

    return isinstance(screen, LibraryScreen)


def replay(session: Session, settings: Settings) -> ReplayScreen:
    """The replay of a battle."""
    from tui.view.screens.replay_screen import ReplayScreen

    return ReplayScreen(session, settings)


def side_seat(watch: FollowedFile, settings: Settings) -> PlayerViewScreen:
    """The player view of a battle."""
    from tui.view.screens.player_view import PlayerViewScreen

    return PlayerViewScreen(watch, settings)
