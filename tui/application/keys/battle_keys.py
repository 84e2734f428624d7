"""Keys of the battle and the terrain editor, and display names of keys, for footer, help and palette."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar

from engine.values import replace
from tui.application.keys.board_keys import BOARD_KEYS
from tui.application.keys.key import Key

KEY_NAMES = {
    "question_mark": "?",
    "greater_than_sign": ">",
    "less_than_sign": "<",
    "full_stop": ".",
    "comma": ",",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "tab": "Tab",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "ctrl+o": "Ctrl+O",
    "slash": "/",
    "colon": ":",
    "plus": "+",
    "minus": "-",
    "left_curly_bracket": "{",
    "right_curly_bracket": "}",
    "space": "Space",
    "equals_sign": "=",
    "underscore": "_",
    "shift+left": "Shift+←",
    "shift+down": "Shift+↓",
    "shift+up": "Shift+↑",
    "shift+right": "Shift+→",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "escape": "Esc",
    "delete": "Del",
    "f2": "F2",
    "f12": "F12",
    "apostrophe": "'",
    "exclamation_mark": "!",
    "asterisk": "*",
    "shift+tab": "Shift+Tab",
}


_KEYS = [
    Key("t", "target(1)", "aim", id="battle.next_target",
        tooltip="aim at the next enemy: those that can be hit first, nearest first"),
    Key("T", "target(-1)", "aim back", id="battle.previous_target", show=False,
        tooltip="aim at the previous enemy"),
    Key("f", "fire", "fire", id="battle.fire", tooltip="attack: Enter rolls, or type the dice you rolled"),
    Key("F", "fire_free", "free attack", id="battle.fire_free", show=False,
        tooltip="attack out of turn, at no cost"),
    Key("x", "interrupt", "interrupt", id="battle.interrupt", show=False,
        tooltip="attack out of turn with a unit marked »"),
    Key("B", "share", "split hits", id="battle.share", show=False,
        tooltip="give hits of a burst to other enemies near the target"),
    Key("m", "move", "move", id="battle.move", tooltip="show the squares in reach; again: move to the cursor"),
    Key("greater_than_sign", "lift(1)", "climb", id="battle.rise", show=False,
        tooltip="plan a flyer's move one square higher"),
    Key("less_than_sign", "lift(-1)", "descend", id="battle.sink", show=False,
        tooltip="plan a flyer's move one square lower"),
    Key("a", "act", "act", id="battle.act", tooltip="choose an attack or another action"),
    Key("e", "end_turn", "end", id="battle.end_turn", tooltip="end the turn; the next unit acts"),
    Key("U,u,backspace", "undo", "undo", id="battle.undo", tooltip="undo the last command"),
    Key("escape", "cancel", "back", id="battle.cancel", show=False, tooltip="cancel the move, clear the overlay"),
    Key("R", "redo", "redo", id="battle.redo", show=False, tooltip="redo what was undone"),
    Key("question_mark", "help", "help", id="battle.help"),
    Key("v", "overlay", "view", id="battle.overlay",
        tooltip="show an overlay: range bands, what a unit sees, field of view, reach …, or none"),
    Key("W", "stand", "where to stand", id="battle.stand", show=False,
        tooltip="rate the squares in reach: risk of being hit, the best attack, net"),
    Key("I", "what_if", "what if", id="battle.what_if", show=False,
        tooltip="try commands in a branch with fresh dice; again: compare, keep or drop it"),
    Key("p", "panel", "panel", id="battle.panel", tooltip="show the next panel beside the board"),
    Key("o", "door", "door", id="battle.door", tooltip="open or close a door next to the cursor"),
    Key("r", "receipt", "details", id="battle.receipt",
        tooltip="the whole shot: every modifier with its source, ruling and effect, and the line of sight step by "
                    "step; without a target, every stat of the unit"),
    Key("slash", "covers", "cover close-up", id="battle.covers", show=False,
        tooltip="the line of sight close up: squares and edges on it, and what covers each point of the target"),
    Key("colon", "line", "command", id="battle.line",
        tooltip="type a command: “move todd F7”, “odds todd bandit”, “help”"),
    Key("equals_sign", "say", "describe", id="battle.say", show=False,
        tooltip="describe the unit or square under the cursor, and the shot at it"),
    Key("g", "adjust", "modifier", id="battle.adjust",
        tooltip="add, change or switch off a modifier of the next attack"),
    Key("G", "ruling", "rulings", id="battle.ruling", show=False,
        tooltip="change a ruling of the ruleset for this battle"),
    Key("A", "policy", "reaction policy", id="battle.policy", show=False,
        tooltip="set reactions and defences to never, ask or automatic"),
    Key("d", "damage", "damage", id="battle.damage",
        tooltip="change hit points, stats, posture or a condition of the unit under the cursor"),
    Key("space", "mark", "mark", id="battle.mark", show=False,
        tooltip="mark or unmark the unit under the cursor; damage, conditions, moves and GM tools then change "
                    "all marked units together"),
    Key("plus", "table", "GM tools", id="battle.table",
        tooltip="add, duplicate, hide, rename or remove units; set the turn, light, notes, dice, terrain"),
    Key("P", "put", "place", id="battle.put", show=False,
        tooltip="put the unit in focus on the cursor's square; costs no movement"),
    Key("V", "cover", "cover", id="battle.cover", show=False,
        tooltip="set the cover of the target by hand"),
    Key("D", "throw", "dice", id="battle.throw", show=False, tooltip="roll any dice: 3d6+2"),
    Key("N", "note", "note", id="battle.note", show=False,
        tooltip="notes that players do not see: on a unit, a square or the battle"),
    Key("X", "wreck", "destroy", id="battle.wreck", show=False,
        tooltip="destroy what stands on the cursor's square or its sides"),
    Key("M", "terrain", "edit terrain", id="battle.terrain", show=False,
        tooltip="edit the terrain: brush, rectangle, fill, walls, heights; save it as a map"),
    Key("S", "smoke", "smoke", id="battle.smoke", show=False,
        tooltip="lay or clear smoke around the cursor, or set the wind"),
    Key("w", "weapon", "weapon", id="battle.weapon", tooltip="switch to another weapon"),
    Key("s", "select", "select", id="battle.select", show=False,
        tooltip="select the unit under the cursor"),
    Key("apostrophe", "find", "go to unit", id="battle.find", show=False,
        tooltip="put the cursor on a unit by its badge, such as g3, and select it"),
    Key("tab", "walk_order(1)", "next unit", id="battle.next_unit",
        tooltip="put the cursor on the next unit of the turn order"),
    Key("shift+tab", "walk_order(-1)", "unit before", id="battle.previous_unit", show=False,
        tooltip="put the cursor on the unit before it in the turn order"),
    Key("i", "initiative", "roll initiative", id="battle.initiative", show=False,
        tooltip="roll initiative again, or type the rolls"),
    Key("Y", "order", "turn order", id="battle.order", show=False,
        tooltip="delay, move units up or down, group units in one place, surprise"),
    Key("E", "log", "whole log", id="battle.log", show=False,
        tooltip="everything that happened: a row for each command with its receipt, search, filter"),
    Key("C", "compare", "compare", id="battle.compare", show=False,
        tooltip="the same shot under every ruleset"),
    Key("f12", "picture", "picture", id="battle.picture", show=False,
        tooltip="write what the screen shows as a picture (SVG) into the folder you started in"),
    Key("O", "settings", "settings", id="battle.settings", show=False,
        tooltip="theme, symbols, panels, mini-map, motion"),
    Key("1", "panel('shot')", "Shot panel", id="battle.panel_shot", show=False,
        tooltip="show this panel beside the board; hide it in the settings or with the command “panel”"),
    Key("2", "panel('unit')", "Unit panel", id="battle.panel_unit", show=False,
        tooltip="show this panel beside the board; hide it in the settings or with the command “panel”"),
    Key("3", "panel('order')", "Turn order", id="battle.panel_order", show=False,
        tooltip="show this panel beside the board; hide it in the settings or with the command “panel”"),
    Key("4", "panel('log')", "Log panel", id="battle.panel_log", show=False,
        tooltip="show this panel beside the board; hide it in the settings or with the command “panel”"),
    Key("5", "panel('map')", "mini-map", id="battle.panel_map", show=False,
        tooltip="show the mini-map if the map does not fit on the board; alone on a narrow screen"),
    Key("6", "panel('notes')", "notes", id="battle.panel_notes", show=False,
        tooltip="show your notes beside a wide log, or alone on a narrow screen"),
    Key("underscore", "panels", "board only", id="battle.panels", show=False,
        tooltip="hide all panels; again: show them"),
    Key("right_square_bracket", "resize('side', 4)", "wider", id="battle.wider", show=False,
        tooltip="make the panels beside the board wider; the width is saved"),
    Key("left_square_bracket", "resize('side', -4)", "narrower", id="battle.narrower", show=False,
        tooltip="make the panels beside the board narrower"),
    Key("right_curly_bracket", "resize('below', 2)", "higher", id="battle.higher", show=False,
        tooltip="make the panels below the board taller; the height is saved"),
    Key("left_curly_bracket", "resize('below', -2)", "lower", id="battle.lower", show=False,
        tooltip="make the panels below the board shorter"),
    Key("ctrl+o", "library", "library", id="battle.library", show=False,
        tooltip="your battles, encounters, maps and characters; a new encounter, replay, import and export"),
    Key("Q", "leave", "quit", id="battle.quit", show=False, tooltip="quit; every battle is saved, the demo is not"),
]  # fmt: skip

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "Turn": (
        "next_target", "previous_target", "fire", "fire_free", "interrupt", "share", "move", "rise", "sink", "act",
        "weapon", "door", "end_turn", "undo", "redo", "cancel",
    ),
    "GM tools": (
        "damage", "table", "mark", "put", "adjust", "cover", "smoke", "wreck", "note", "throw", "ruling", "policy",
        "order", "initiative", "terrain", "line", "what_if",
    ),
    "Looking": (
        "next_unit", "previous_unit", "find", "select", "say", "receipt", "covers", "overlay", "stand", "compare",
        "log", "panel", "panel_shot", "panel_unit", "panel_order", "panel_log", "panel_map", "panel_notes", "panels",
    ),
    "Program": ("help", "settings", "picture", "wider", "narrower", "higher", "lower", "library", "quit"),
}  # fmt: skip
"""The sections of the help, with the keys of the battle in them."""
SECTION_OF = {f"battle.{name}": title for title, names in SECTIONS.items() for name in names}

_TERRAIN_KEYS = [
    Key("p", "paint", "paint", id="terrain.paint",
        tooltip="choose the brush: ground, an object, a lamp, smoke or a start zone"),
    Key("w", "thin", "edges", id="terrain.thin", tooltip="choose what to put on the sides of squares"),
    *(
        Key(str(number), f"brush_of({number})", f"brush {number}", id=f"terrain.brush_{number}", show=False,
            tooltip="take one of the six brushes last used")
        for number in range(1, 7)
    ),
    Key("m", "mark", "corner", id="terrain.mark",
        tooltip="mark one corner of a rectangle, the cursor is the opposite one; again: remove the mark"),
    Key("space", "brush", "pen", id="terrain.brush", tooltip="put the brush down, or lift it: one stroke"),
    Key("question_mark", "help", "help", id="terrain.help"),
    Key("escape,M", "leave", "back", id="terrain.leave",
        tooltip="remove the mark or the stroke, or go back to the battle"),
    Key("f", "fill", "fill", id="terrain.fill",
        tooltip="fill every connected square of the same kind as the cursor's"),
    Key("N", "side('N')", "north", id="terrain.north", show=False,
        tooltip="put a wall, or what you chose, on the north side; again: remove it"),
    Key("E", "side('E')", "east", id="terrain.east", show=False, tooltip="the same on the east side"),
    Key("S", "side('S')", "south", id="terrain.south", show=False, tooltip="the same on the south side"),
    Key("W", "side('W')", "west", id="terrain.west", show=False, tooltip="the same on the west side"),
    Key("O", "side('')", "around", id="terrain.around", tooltip="the same all around"),
    Key("x", "bare", "clear", id="terrain.bare",
        tooltip="remove objects, lamps and smoke; with an edge or a start zone as the brush, of that"),
    Key("plus", "raise(1)", "raise", id="terrain.raise", show=False, tooltip="raise the ground by one step"),
    Key("minus", "raise(-1)", "lower", id="terrain.lower", show=False, tooltip="lower the ground by one step"),
    Key("e", "height", "height", id="terrain.height", tooltip="type the height of the ground"),
    Key("i", "pick", "pick", id="terrain.pick", show=False,
        tooltip="pick up what is under the cursor, to paint with it"),
    Key("U,u,backspace", "undo", "undo", id="terrain.undo", tooltip="undo the last stroke"),
    Key("R", "redo", "redo", id="terrain.redo", show=False, tooltip="redo what was undone"),
    Key("g", "go", "go to", id="terrain.go", show=False, tooltip="put the cursor where the check found something"),
    Key("A", "save", "save as", id="terrain.save", tooltip="save the terrain and the units as a map"),
    Key("ctrl+o", "library", "library", id="battle.library", show=False,
        tooltip="your battles, encounters, maps and characters"),
]  # fmt: skip

TERRAIN_KEYS = [replace(binding, priority=True) for binding in _TERRAIN_KEYS]
"""Keys of the terrain editor."""

BATTLE_KEYS = [replace(binding, priority=True) for binding in _KEYS]
"""Priority bindings: the app handles each key before it reads the next, so that keys in a burst keep their order."""


def _first_keys(bindings: Iterable[Key]) -> dict[str, str]:
    return {one.id: one.key.partition(",")[0] for one in bindings}


_SHIPPED = _first_keys((*BATTLE_KEYS, *BOARD_KEYS, *TERRAIN_KEYS))
_own: ContextVar[Mapping[str, str]] = ContextVar("keys")
"""The first key of each action whose keys the user changed, for the whole program."""


def use_keys(changed: Mapping[str, tuple[str, ...]]) -> None:
    """Sets the user's keys, which sentences name from now on."""
    _own.set({name: keys[0] for name, keys in changed.items()})


def with_keys(text: str, more: Iterable[Key] = ()) -> str:
    """Formats a sentence, with each action id replaced by its key.

    Args:
        text: as "{battle.fire} attacks".
        more: keys besides those of the battle, the board and the terrain editor.

    >>> with_keys("{battle.fire} attacks, {battle.undo} undoes it")
    'f attacks, U undoes it'
    """
    shipped = _SHIPPED | _first_keys(more) if more else _SHIPPED
    own = _own.get({})
    return re.sub(r"\{([\w.-]+)\}", lambda found: key_name(own.get(found[1], shipped.get(found[1], ""))), text)


def key_name(key: str) -> str:
    """The display name of a key."""
    return KEY_NAMES.get(key, key)
