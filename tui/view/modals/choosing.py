"""Asks for one of several things: with a card, or with a list where there are many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual.app import App

from engine.values import replace
from tui.application.prompts.choice import Choice, MenuQuestion, Picked
from tui.view.modals.card import Card, Head
from tui.view.modals.list_screen import Place
from tui.view.modals.picker import Picker


def choose(
    app: App[None],
    menu: MenuQuestion,
    chosen: Callable[[Picked], None],
    place: Place | None = None,
    head: Head | None = None,
) -> None:
    """Opens a card or a list; `chosen` gets what was picked.

    Args:
        app: the app.
        menu: what can be chosen.
        chosen: gets an empty `Picked` where it was cancelled.
        place: where it stands; None for the middle of the screen.
        head: rows above the question of a card, for so many cells.
    """
    if menu.is_list:
        possible = [one for one in menu.choices if not one.reason]
        listed = Picker(replace(menu, choices=possible), place)
        app.push_screen(listed, lambda choice: chosen(Picked(choice or "", typed=listed.count)))
    else:
        app.push_screen(Card(menu, place, head), lambda picked: chosen(picked or Picked("")))


def choose_one(app: App[None], title: str, choices: Sequence[Choice], chosen: Callable[[str], None]) -> None:
    """Opens a card or a list in the middle of the screen; `chosen` gets an id, "" where it was cancelled."""
    choose(app, MenuQuestion(title, choices), lambda picked: chosen(picked.id))
