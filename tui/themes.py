"""Colours as data: themes for the whole app, with the board's colours among their variables."""

from __future__ import annotations

from textual.theme import Theme

GAME_COLOURS = {
    "side-0": "#56b6ff",
    "side-1": "#ff6f61",
    "side-2": "#ffd35c",
    "side-3": "#c49bff",
    "void": "#0d1014",
    "night": "#05070d",
    "ground-floor": "#1d2126",
    "ground-stone": "#202329",
    "ground-earth": "#262119",
    "ground-green": "#18251b",
    "ground-water": "#14283a",
    "ground-deep": "#0e1d33",
    "ground-snow": "#2f343b",
    "ground-pit": "#0b0c0f",
    "mark-water": "#5aa7d6",
    "mark-deep": "#3f83c4",
    "mark-green": "#7fb37a",
    "mark-earth": "#c2a06b",
    "tint-band-0": "#1f7f60",
    "tint-band-1": "#61762a",
    "tint-band-2": "#835f26",
    "tint-band-3": "#803c2a",
    "tint-band-4": "#5e3158",
    "tint-reach-1": "#23669e",
    "tint-reach-2": "#41488f",
    "tint-scale-0": "#27415e",
    "tint-scale-1": "#3d5a78",
    "tint-scale-2": "#8a7a3a",
    "tint-scale-3": "#b8862f",
    "tint-scale-4": "#e0702c",
    "tint-seen": "#3f7f4a",
    "tint-part": "#8f7a2c",
    "tint-little": "#8a4a2a",
    "tint-unseen": "#000000",
    "tint-blast": "#c24a26",
    "tint-edge": "#8a5a2a",
    "tint-blocked": "#6b2c34",
    "solid": "#4b535f",
    "wall": "#a9b4c2",
    "door": "#e0a94a",
    "window": "#7fc6e8",
    "low": "#8a93a0",
    "object": "#c08a4a",
    "stone": "#9aa3ad",
    "leaf": "#6fae5f",
    "smoke": "#9aa0a8",
    "line": "#f4f6f8",
    "stop": "#ff3b4e",
    "path": "#9fe0ff",
    "cursor": "#fff2b8",
    "ruler": "#66707d",
    "ruler-cursor": "#fff2b8",
}
"""Every colour the board asks for, as the first theme has it."""

SCREEN_COLOURS = {
    "ink": "#d7dce2",
    "muted": "#8a94a0",
    "faint": "#59626d",
    "good": "#8fce6a",
    "warn": "#e9b44c",
    "bad": "#ff6f7a",
    "panel-back": "#0d1014",
    "panel-line": "#343d48",
    "panel-title": "#8fc7e8",
    "bar-back": "#171d24",
    "prompt-back": "#222b36",
}
"""Every colour that bars, panels and sentences ask for."""

VARIABLES = {**GAME_COLOURS, **SCREEN_COLOURS}
"""For the app's `get_theme_variable_defaults`: with these any of Textual's own themes works, too."""

LAMPLIGHT = Theme(
    name="lamplight",
    dark=True,
    primary="#56b6ff",
    secondary="#8fa3b8",
    accent="#fff2b8",
    warning="#e0a94a",
    error="#ff5b66",
    success="#8fce6a",
    foreground="#d7dce2",
    background="#0d1014",
    surface="#151a20",
    panel="#1c232b",
    variables={
        **VARIABLES,
        "block-cursor-background": "#fff2b8",
        "block-cursor-foreground": "#0d1014",
        "footer-key-foreground": "#fff2b8",
    },
)
"""Dark and calm, for a dim room."""

THEMES = (LAMPLIGHT,)
