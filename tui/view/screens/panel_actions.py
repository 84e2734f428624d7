"""Keys of the panels on the battle screen: show one, hide all, resize, walk the rows of the turn order."""

from __future__ import annotations

from typing import Protocol

from engine.values import replace
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.presenter import Presenter
from tui.application.settings.settings import MOST_HIGHER, MOST_WIDER, PANELS, TITLES, Settings
from tui.view.panels.layout import TURNS, Layout

WHERE = {
    "map": " if the map does not fit on the board",
    "notes": " beside a wide log, if there are notes",
}
"""When a panel is shown."""
ONLY_BOARD = "Only the board is shown; {battle.panels} shows the panels."
ROWS_WALKED = "Turn order: {board.up} and {board.down} go from unit to unit, {battle.cancel} goes back to the board."


class PanelScreen(Protocol):
    """What the keys of the panels need of the battle screen."""

    presenter: Presenter
    settings: Settings
    panel: str
    panel_before: str
    layout_now: Layout | None

    def show_panel(self, name: str) -> None: ...

    def place_panels(self) -> None: ...

    def walk_rows(self) -> None: ...

    def change_settings(self, settings: Settings, said: str) -> None: ...


def show(screen: PanelScreen, name: str) -> None:
    """Shows a panel in the column, or the next one.

    The turn order takes the arrows, unless a refusal is shown: a stray die must neither hide it nor move the cursor.
    """
    is_refused = screen.presenter.note not in ("", screen.presenter.result)
    now = "order" if screen.panel == TURNS else screen.panel or PANELS[-1]
    chosen = name or PANELS[(PANELS.index(now) + 1) % len(PANELS)]
    places = screen.layout_now.places if screen.layout_now else {}
    if name in ("log", "map", "notes") and name in places and name != screen.panel:
        if not is_refused:
            screen.presenter.say(f"The {TITLES[name]} is shown already.")
        return
    screen.show_panel(TURNS if chosen == "order" else chosen)
    if name == "order" and not is_refused:
        screen.walk_rows()
        screen.presenter.say(with_keys(ROWS_WALKED))


def hide_or_show_all(screen: PanelScreen) -> None:
    """Hides all panels, or shows them again."""
    screen.show_panel("" if screen.panel else screen.panel_before)
    said = "The panels are shown." if screen.panel else with_keys(ONLY_BOARD)
    screen.presenter.say(said)


def resize(screen: PanelScreen, part: str, cells: int) -> None:
    """Resizes the panels beside or below the board, and remembers it."""

    def size() -> int:
        return 0 if screen.layout_now is None else screen.layout_now.side if part == "side" else screen.layout_now.below

    settings, before = screen.settings, size()
    if not before:
        screen.presenter.say("No panel is shown there.")
        return
    if part == "side":
        then = replace(settings, side=max(-MOST_WIDER, min(MOST_WIDER, settings.side + cells)))
    else:
        then = replace(settings, below=max(-MOST_HIGHER, min(MOST_HIGHER, settings.below + cells)))
    screen.settings = then
    screen.place_panels()
    if size() == before:
        screen.settings = settings
        screen.presenter.say(f"The panels there cannot be {'larger' if cells > 0 else 'smaller'} on this terminal.")
        return
    now = f"{size()} {'columns' if part == 'side' else 'rows'}"
    screen.change_settings(then, f"The panels {'beside' if part == 'side' else 'below'} the board have {now}.")


def panel_words(name: str, is_shown: bool) -> str:
    """Describes whether a panel is shown."""
    where = WHERE.get(name, "") if is_shown else ""
    return f"The {TITLES[name]} is {'shown' if is_shown else 'hidden'}{where}."
