"""Panels on the screen: put where the layout says, hidden, shown and made larger by the Game Master."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.values import replace
from tui.keys.battle_keys import with_keys
from tui.panels.layout import BELOW, BESIDE, Layout
from tui.panels.mini_map import Overview
from tui.panels.side_panels import MapPanel
from tui.settings.settings import MOST_HIGHER, MOST_WIDER, PANELS, TITLES, Settings

if TYPE_CHECKING:
    from tui.screens.battle_screen import BattleScreen


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
    small, corner = screen.query_one("#map", MapPanel), screen.query_one("#corner", MapPanel)
    for panel in (small, corner):
        if panel.display:
            panel.shown = shown
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


def bring(screen: BattleScreen, name: str) -> None:
    """Shows a panel for now. What is chosen to be hidden the next time stays so."""
    options = with_keys("{battle.settings}")
    if name in screen.aside:
        screen.aside = tuple(one for one in screen.aside if one != name)
        screen.place_panels()
        kept = f" {options} keeps it so." if name in screen.settings.put_aside else ""
        screen.say(f"{panel_words(name, True)}{kept}")
    elif not screen.note:  # a die that nobody asked for: what was just refused is not talked over
        screen.say(f"{panel_words(name, True)} {options} hides it.")


def bare_or_back(screen: BattleScreen) -> None:
    """The board alone for now; or, when more than usual is put aside, the panels as they are chosen."""
    chosen = screen.settings.put_aside
    if set(screen.aside) - set(chosen) or set(screen.aside) == set(PANELS):
        screen.aside = () if set(chosen) == set(PANELS) else chosen
        said = "The panels are back."
    else:
        screen.aside = PANELS
        said = f"The board alone; {with_keys('{battle.panels}')} brings the panels back."
    screen.place_panels()
    screen.say(said)


def panel_words(name: str, is_shown: bool) -> str:
    """What became of a panel, as a sentence."""
    where = " where the large one does not fit" if name == "map" and is_shown else ""
    return f"{TITLES[name][0].upper()}{TITLES[name][1:]} is {'shown' if is_shown else 'hidden'}{where}."


def off_words(settings: Settings) -> str:
    """Which panels are put aside."""
    off = [TITLES[name] for name in PANELS if name in settings.put_aside]
    return f"put aside: {', '.join(off)}" if off else "all of them are on"


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
