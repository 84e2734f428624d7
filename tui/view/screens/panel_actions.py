"""Keys of the panels on the battle screen: show one, hide all, resize, walk the rows of the turn order."""

from __future__ import annotations

from typing import Protocol

from textual.geometry import Size

from engine.values import replace
from tui.application.keys.battle_keys import with_keys
from tui.application.presenter.presenter import Presenter
from tui.application.settings.settings import MOST_HIGHER, MOST_WIDER, PANELS, TITLES, Settings
from tui.view.panels.layout import NARROW, TURNS, Layout

WHERE = {
    "map": " if the map does not fit on the board",
    "notes": " beside a wide log, if there are notes",
}
"""When a panel is shown."""
ROWS_WALKED = "Turn order: {board.up} and {board.down} go from unit to unit, {battle.cancel} goes back to the board."


class PanelScreen(Protocol):
    """What the keys of the panels need of the battle screen."""

    presenter: Presenter
    settings: Settings
    aside: tuple[str, ...]
    panel: str
    panel_before: str
    layout_now: Layout | None

    @property
    def size(self) -> Size: ...

    @property
    def panel_now(self) -> str: ...

    def show_panel(self, name: str) -> None: ...

    def place_panels(self) -> None: ...

    def walk_rows(self) -> None: ...

    def change_settings(self, settings: Settings, said: str) -> None: ...


def show(screen: PanelScreen, name: str) -> None:
    """Shows a panel, or the next one; on a narrow screen in place of the present one.

    The turn order takes the arrows, unless a refusal is shown: a stray die must neither hide it nor move the cursor.
    """
    is_refused = screen.presenter.note not in ("", screen.presenter.result)
    if screen.size.width < NARROW:
        now = "order" if screen.panel_now == TURNS else screen.panel_now or PANELS[-1]
        screen.show_panel(name or PANELS[(PANELS.index(now) + 1) % len(PANELS)])
    elif name:
        _bring(screen, name)
    else:
        off = off_words(screen.settings)
        screen.presenter.say(
            with_keys(f"This screen has room for all panels; {off}. {{battle.settings}} changes this.")
        )
    if name == "order" and not is_refused:
        screen.walk_rows()
        screen.presenter.say(with_keys(ROWS_WALKED))


def hide_or_show_all(screen: PanelScreen) -> None:
    """Hides all panels, or shows them again."""
    if screen.size.width < NARROW:
        screen.show_panel("" if screen.panel else screen.panel_before)
        return
    chosen = screen.settings.put_aside
    if set(screen.aside) - set(chosen) or set(screen.aside) == set(PANELS):
        screen.aside = () if set(chosen) == set(PANELS) else chosen
        said = "The panels are shown."
    else:
        screen.aside = PANELS
        said = f"Only the board is shown; {with_keys('{battle.panels}')} shows the panels."
    screen.place_panels()
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


def off_words(settings: Settings) -> str:
    """Lists the hidden panels."""
    off = [f"the {TITLES[name]}" for name in PANELS if name in settings.put_aside]
    return f"hidden: {', '.join(off)}" if off else "none is hidden"


def _bring(screen: PanelScreen, name: str) -> None:
    """Shows a panel without a change of the settings."""
    options = with_keys("{battle.settings}")
    if name in screen.aside:
        screen.aside = tuple(one for one in screen.aside if one != name)
        screen.place_panels()
        kept = f" {options} makes that permanent." if name in screen.settings.put_aside else ""
        screen.presenter.say(f"{panel_words(name, True)}{kept}")
    elif not screen.presenter.note:
        screen.presenter.say(f"{panel_words(name, True)} {options} hides it.")
