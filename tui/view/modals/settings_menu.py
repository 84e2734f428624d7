"""Settings menu: its items, and the settings that each item leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual.app import App

from engine.values import replace
from tui.application.prompts.choice import Choice, with_keys_of_rows
from tui.application.settings.settings import MOTIONS, PANELS, TITLES, Settings
from tui.view.board.sixteen_colours import has_sixteen_colours
from tui.view.modals.choosing import choose_one

THEMES = {
    "lamplight": "lamplight: dark, calm",
    "daylight": "daylight: light, like paper",
    "contrast": "contrast: bright on black, safe for colour-blind players",
}
GLYPHS = {"unicode": "Unicode symbols", "ascii": "plain ASCII symbols"}
NOW = "now"


def choose_setting(
    app: App[None], settings: Settings, change: Callable[[Settings, str], None], *, has_panels: bool = True
) -> None:
    """Opens the settings menu; `change` gets the new settings and a sentence. `has_panels`: the screen has panels."""
    offered = settings_offered(settings, has_panels=has_panels)
    fixed = _fixed_colours(app)
    choices = [
        Choice(label, label, NOW if then == settings else "", fixed if "theme" in label else "")
        for label, then in offered.items()
    ]

    def chosen(label: str | None) -> None:
        if label:
            change(offered[label], f"{label[0].upper()}{label[1:]}.")

    choose_one(app, "Settings", with_keys_of_rows(choices), chosen)


def settings_offered(settings: Settings, *, has_panels: bool = True) -> Mapping[str, Settings]:
    """The settings that each menu item leads to."""
    themes = {f"theme {label}": replace(settings, theme=name) for name, label in THEMES.items()}
    glyphs = {label: replace(settings, glyphs=name) for name, label in GLYPHS.items()}
    motion = {f"motion {name}": replace(settings, motion=name) for name in MOTIONS if name != settings.motion}
    if not has_panels:
        return {**themes, **glyphs, **motion}
    small = {f"mini-map {'off' if settings.minimap else 'on'}": settings.with_panel("map", not settings.minimap)}
    panels = {
        f"{'show' if name in settings.hidden else 'hide'} the {TITLES[name]}": settings.with_panel(
            name, name in settings.hidden
        )
        for name in PANELS
        if name != "map"
    }
    shipped = {"default panels and sizes": replace(settings, hidden=(), side=0, below=0, minimap=True)}
    return {**themes, **glyphs, **panels, **small, **motion, **shipped}


def _fixed_colours(app: App[None]) -> str:
    """Why no theme can be chosen; "" if one can."""
    if app.native_ansi_color:
        return "NO_COLOR is set"
    return "this terminal has only 16 colours" if has_sixteen_colours(app.console) else ""
