"""The settings: what the menu offers, and what each choice makes of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.board.sixteen import has_sixteen_colours
from tui.screens.menu import Choice
from tui.settings import PANELS, TITLES, Settings

if TYPE_CHECKING:
    from tui.screens.battle import BattleScreen

THEMES = {
    "lamplight": "lamplight: dark and calm",
    "daylight": "daylight: light as paper",
    "contrast": "contrast: black and bright, safe for the colour-blind",
}
GLYPHS = {"unicode": "signs in Unicode", "ascii": "signs in plain ASCII"}
NOW = "now"


def choose_setting(screen: BattleScreen) -> None:
    """Offers the settings and applies the one that is chosen."""
    offered = settings_offered(screen.settings)
    fixed = _fixed_colours(screen)
    choices = [
        Choice(label, label, NOW if then == screen.settings else "", fixed if "theme" in label else "")
        for label, then in offered.items()
    ]

    def chosen(label: str | None) -> None:
        if label:
            screen.change_settings(offered[label], f"{label[0].upper()}{label[1:]}.")

    screen.choose("Settings", choices, chosen)


def settings_offered(settings: Settings) -> Mapping[str, Settings]:
    """The settings that each line of the menu leads to."""
    themes = {f"theme {label}": replace(settings, theme=name) for name, label in THEMES.items()}
    glyphs = {label: replace(settings, glyphs=name) for name, label in GLYPHS.items()}
    small = {f"small map {'off' if settings.minimap else 'on'}": settings.with_panel("map", not settings.minimap)}
    panels = {
        f"{'show' if name in settings.hidden else 'hide'} {TITLES[name]}": settings.with_panel(
            name, name in settings.hidden
        )
        for name in PANELS
        if name != "map"
    }
    shipped = {"panels as shipped": replace(settings, hidden=(), side=0, below=0, minimap=True)}
    return {**themes, **glyphs, **panels, **small, **shipped}


def _fixed_colours(screen: BattleScreen) -> str:
    """Why no theme can be chosen; "" when one can."""
    if screen.app.native_ansi_color:
        return "NO_COLOR is set"
    return "this terminal has 16 colours" if has_sixteen_colours(screen.app.console) else ""
