"""Panels on the screen: put where the layout says, hidden, shown and made larger by the Game Master."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tui.panels.map import Overview
from tui.panels.side import MapPanel
from tui.screens.keys import KEY_NAMES, by_action
from tui.screens.layout import BELOW, BESIDE, Layout
from tui.settings import MOST_HIGHER, MOST_WIDER, PANELS

if TYPE_CHECKING:
    from tui.screens.battle import BattleScreen

TITLES = {"shot": "the shot", "unit": "the unit", "order": "the order", "log": "the log", "map": "the small map"}


def arrange(screen: BattleScreen, found: Layout) -> None:
    """Gives every panel the size of a layout."""
    for name in PANELS:
        screen.query_one(f"#{name}").display = name in found.shown
    for name, size, holds in (("side", found.side, BESIDE), ("below", found.below, BELOW)):
        box = screen.query_one(f"#{name}")
        box.display = any(panel in found.shown for panel in holds)
        if name == "side":
            box.styles.width = size
        else:
            box.styles.height = size
    screen.query_one("#unit").styles.height = found.unit or "1fr"
    screen.query_one("#order").styles.width = found.order or "1fr"
    corner = screen.query_one("#corner")
    corner.display = bool(found.corner[0])
    corner.styles.width, corner.styles.height = found.corner


def show_map(screen: BattleScreen) -> None:
    """The small maps follow the board; the one in the corner steps aside when the cursor goes below it."""
    board = screen.board
    if board.view is None:
        return
    shown = Overview(board.view, board.squares_shown, board.cursor)
    for small in screen.query(MapPanel):
        if small.display:
            small.shown = shown
    corner = screen.query_one("#corner", MapPanel)
    if corner.display and board.cursor is not None:
        window, here = shown.window, board.cursor
        across, down = (
            size // cell + 1
            for size, cell in zip(corner.outer_size, (board.zoom.width, board.zoom.height), strict=True)
        )
        is_near = here.row - window.y <= down
        if is_near and here.column >= window.right - across - 1:
            corner.set_class(True, "-left")
        elif is_near and here.column - window.x <= across:
            corner.set_class(False, "-left")


def hide_or_show(screen: BattleScreen, name: str) -> None:
    """Hides a panel that is shown, and the other way round."""
    settings, title = screen.settings, TITLES[name]
    if name == "map":
        is_shown = settings.minimap and "map" not in settings.hidden
        then = replace(settings, minimap=not is_shown, hidden=tuple(one for one in settings.hidden if one != "map"))
        where = "" if is_shown else ", where the large one does not fit"
        screen.change_settings(then, f"The small map is {'hidden' if is_shown else 'shown'}{where}.")
        return
    is_hidden = name in settings.hidden
    hidden = tuple(one for one in PANELS if (one in settings.hidden) != (one == name))
    said = "is shown again" if is_hidden else f"is hidden; {_key(screen, f'panel({name!r})')} shows it again"
    screen.change_settings(replace(settings, hidden=hidden), f"{title[0].upper()}{title[1:]} {said}.")


def hide_or_show_all(screen: BattleScreen) -> None:
    """The board alone; or, when something is hidden, all panels."""
    settings = screen.settings
    if settings.hidden:
        screen.change_settings(replace(settings, hidden=()), "All panels are shown.")
    else:
        said = f"The board alone; {_key(screen, 'panels')} brings the panels back."
        screen.change_settings(replace(settings, hidden=PANELS), said)


def resize_panels(screen: BattleScreen, part: str, cells: int) -> None:
    """Makes the panels beside or below the board larger or smaller; it is remembered."""
    settings, box = screen.settings, screen.query_one(f"#{part}")
    if not box.display:
        screen.say("There is no panel there now.")
        return
    before = box.styles.width if part == "side" else box.styles.height
    if part == "side":
        then = replace(settings, side=max(-MOST_WIDER, min(MOST_WIDER, settings.side + cells)))
    else:
        then = replace(settings, below=max(-MOST_HIGHER, min(MOST_HIGHER, settings.below + cells)))
    screen.settings = then
    screen.place_panels()
    after = box.styles.width if part == "side" else box.styles.height
    if before == after:
        screen.settings = settings
        screen.say(f"The panels there cannot be {'larger' if cells > 0 else 'smaller'} on this terminal.")
        return
    size = f"{after.value:g} {'columns' if part == 'side' else 'rows'}" if after else ""
    screen.change_settings(then, f"The panels {'beside' if part == 'side' else 'below'} the board have {size}.")


def _key(screen: BattleScreen, action: str) -> str:
    """The key of an action, as it is now."""
    return next((keys[0] for keys, one in by_action(screen) if one.action == action), KEY_NAMES.get(action, ""))
