"""The keys of the battle, and keys as people read them: the footer, the help and the palette are made from this."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextvars import ContextVar
from dataclasses import replace

from textual.binding import Binding
from textual.dom import DOMNode

from tui.board.board_keys import BOARD_KEYS

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
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "enter": "Enter",
    "home": "Home",
    "end": "End",
    "backspace": "Backspace",
    "escape": "Esc",
}


_KEYS = [
    Binding("t", "target(1)", "aim", id="battle.next_target",
            tooltip="aim at the next enemy: those in sight first, nearest first"),
    Binding("T", "target(-1)", "aim back", id="battle.previous_target", show=False,
            tooltip="aim at the enemy before"),
    Binding("f", "fire", "fire", id="battle.fire", tooltip="attack: Enter rolls, or type the table's dice"),
    Binding("F", "fire_free", "free attack", id="battle.fire_free", show=False,
            tooltip="attack out of turn and at no cost: an interrupt"),
    Binding("x", "interrupt", "interrupt", id="battle.interrupt", show=False,
            tooltip="attack at once with a unit that may: those marked »"),
    Binding("B", "share", "share hits", id="battle.share", show=False,
            tooltip="give hits of a burst to others near its target"),
    Binding("m", "move", "move", id="battle.move", tooltip="show where the unit can go; again: go to the cursor"),
    Binding("greater_than_sign", "lift(1)", "rise", id="battle.rise", show=False,
            tooltip="plan a flyer's move a square higher"),
    Binding("less_than_sign", "lift(-1)", "sink", id="battle.sink", show=False,
            tooltip="plan a flyer's move a square lower"),
    Binding("a", "act", "act", id="battle.act", tooltip="choose how to attack, or another action"),
    Binding("e", "end_turn", "end", id="battle.end_turn", tooltip="end the turn; the next unit's begins"),
    Binding("U,backspace", "undo", "undo", id="battle.undo", tooltip="take the last command back, all of it"),
    Binding("escape", "cancel", "leave", id="battle.cancel", show=False, tooltip="leave the move, clear the shading"),
    Binding("R", "redo", "redo", id="battle.redo", show=False, tooltip="do again what was taken back"),
    Binding("question_mark", "help", "help", id="battle.help"),
    Binding("v", "shade", "view", id="battle.shade",
            tooltip="show on the ground: range bands, sight, reach …, or nothing"),
    Binding("W", "stand", "where to stand", id="battle.stand", show=False,
            tooltip="the squares within reach by who could hit there, by its own best attack, by the difference"),
    Binding("I", "what_if", "what if", id="battle.what_if", show=False,
            tooltip="try it in a branch with other dice; again: compare, keep or drop it"),
    Binding("p", "panel", "panel", id="battle.panel", tooltip="the next panel, on a narrow screen"),
    Binding("o", "door", "open", id="battle.door", tooltip="open or close a door beside the cursor"),
    Binding("r", "receipt", "receipt", id="battle.receipt",
            tooltip="the whole shot: every entry with source, ruling and worth, and the line step by step; "
                    "with nothing aimed at, all numbers of the unit"),
    Binding("slash", "covers", "what covers", id="battle.covers", show=False,
            tooltip="the line close up: squares and edges on it, each point of the target's body, what covers it"),
    Binding("colon", "line", "words", id="battle.line",
            tooltip="type what to do or ask, in words: “move todd F7”, “odds todd bandit”, “help”"),
    Binding("equals_sign", "say", "in words", id="battle.say", show=False,
            tooltip="the unit or square under the cursor, and the shot at it, in words"),
    Binding("g", "adjust", "GM", id="battle.adjust", tooltip="add, change or switch off a line of the ledger"),
    Binding("G", "ruling", "rulings", id="battle.ruling", show=False,
            tooltip="decide one of the ruleset's rulings otherwise, for this battle"),
    Binding("A", "policy", "never, ask, always", id="battle.policy", show=False,
            tooltip="which reactions and defences are asked for, never taken, or taken by themselves"),
    Binding("d", "damage", "damage", id="battle.damage",
            tooltip="change a number, posture or condition of the unit under the cursor"),
    Binding("plus", "table", "table", id="battle.table",
            tooltip="add, copy, hide, name or take off units, say whose turn it is, light, notes, dice, the ground"),
    Binding("P", "put", "put", id="battle.put", show=False,
            tooltip="put the unit in focus on the cursor's square, as if picked up by hand"),
    Binding("V", "cover", "cover", id="battle.cover", show=False,
            tooltip="say how well the target is covered, whatever is seen"),
    Binding("D", "throw", "dice", id="battle.throw", show=False, tooltip="throw dice for anything: 3d6+2"),
    Binding("N", "note", "note", id="battle.note", show=False,
            tooltip="notes that no player sees: on a unit, a square or the battle"),
    Binding("X", "wreck", "wreck", id="battle.wreck", show=False,
            tooltip="shoot to pieces what stands on the cursor's square or its sides"),
    Binding("M", "terrain", "edit", id="battle.terrain", show=False,
            tooltip="edit the ground: brush, rectangle, fill, walls, heights; save it as a map"),
    Binding("S", "smoke", "smoke", id="battle.smoke", show=False,
            tooltip="lay or clear smoke around the cursor, or say the wind"),
    Binding("w", "weapon", "weapon", id="battle.weapon", tooltip="take another weapon in hand"),
    Binding("s", "select", "select", id="battle.select", show=False,
            tooltip="the unit under the cursor acts in the panels"),
    Binding("i", "initiative", "roll the order", id="battle.initiative", show=False,
            tooltip="roll initiative anew, or type it"),
    Binding("Y", "order", "the order", id="battle.order", show=False,
            tooltip="wait until after somebody, move units up and down, groups that share a place, surprise"),
    Binding("E", "log", "the whole log", id="battle.log", show=False,
            tooltip="everything that happened: open a row for its whole receipt, search, filter"),
    Binding("C", "compare", "compare", id="battle.compare", show=False,
            tooltip="the shot in focus under every ruleset"),
    Binding("O", "settings", "options", id="battle.settings", show=False,
            tooltip="how the board looks: theme, signs, panels, the small map"),
    Binding("1", "panel('shot')", "the shot", id="battle.panel_shot", show=False,
            tooltip="show it; on a narrow screen, alone. The options hide it, and the word “panel”"),
    Binding("2", "panel('unit')", "the unit", id="battle.panel_unit", show=False,
            tooltip="show it; on a narrow screen, alone. The options hide it, and the word “panel”"),
    Binding("3", "panel('order')", "the order", id="battle.panel_order", show=False,
            tooltip="show it; on a narrow screen, alone. The options hide it, and the word “panel”"),
    Binding("4", "panel('log')", "the log", id="battle.panel_log", show=False,
            tooltip="show it; on a narrow screen, alone. The options hide it, and the word “panel”"),
    Binding("5", "panel('map')", "the small map", id="battle.panel_map", show=False,
            tooltip="show it, where the map does not fit on the board; on a narrow screen, alone"),
    Binding("underscore", "panels", "the board alone", id="battle.panels", show=False,
            tooltip="hide all panels for now; again: bring them back"),
    Binding("right_square_bracket", "resize('side', 4)", "wider", id="battle.wider", show=False,
            tooltip="more room for the panels beside the board; it is remembered"),
    Binding("left_square_bracket", "resize('side', -4)", "narrower", id="battle.narrower", show=False,
            tooltip="less room for them"),
    Binding("right_curly_bracket", "resize('below', 2)", "higher", id="battle.higher", show=False,
            tooltip="more room for the panels below the board; it is remembered"),
    Binding("left_curly_bracket", "resize('below', -2)", "lower", id="battle.lower", show=False,
            tooltip="less room for them"),
    Binding("ctrl+o", "library", "library", id="battle.library", show=False,
            tooltip="your other battles, new ones, import and export"),
    Binding("Q", "leave", "quit", id="battle.quit", show=False, tooltip="everything is saved already"),
]  # fmt: skip

_TERRAIN_KEYS = [
    Binding("p", "paint", "paint", id="terrain.paint", tooltip="choose what the brush and the fill lay on the ground"),
    Binding("w", "thin", "wall", id="terrain.thin", tooltip="choose what is put on the sides of a square"),
    Binding("m", "mark", "mark", id="terrain.mark",
            tooltip="mark a corner: all between it and the cursor is meant; again: forget it"),
    Binding("space", "brush", "brush", id="terrain.brush", tooltip="put the brush down, and lift it: one stroke"),
    Binding("question_mark", "help", "help", id="terrain.help"),
    Binding("escape,M", "leave", "leave", id="terrain.leave",
            tooltip="forget the mark or the stroke, else go back to the battle"),
    Binding("f", "fill", "fill", id="terrain.fill", tooltip="fill all joined squares that are like the cursor's"),
    Binding("N", "side('N')", "north", id="terrain.north", show=False,
            tooltip="put a wall, or what was chosen, on the north side; again: take it away"),
    Binding("E", "side('E')", "east", id="terrain.east", show=False, tooltip="the same on the east side"),
    Binding("S", "side('S')", "south", id="terrain.south", show=False, tooltip="the same on the south side"),
    Binding("W", "side('W')", "west", id="terrain.west", show=False, tooltip="the same on the west side"),
    Binding("O", "side('')", "around", id="terrain.around", tooltip="the same all around"),
    Binding("x", "bare", "clear", id="terrain.bare", tooltip="take away what stands on the square"),
    Binding("plus", "raise(1)", "raise", id="terrain.raise", show=False, tooltip="raise the ground by a step"),
    Binding("minus", "raise(-1)", "lower", id="terrain.lower", show=False, tooltip="lower the ground by a step"),
    Binding("e", "height", "height", id="terrain.height", tooltip="type how high the ground is"),
    Binding("i", "pick", "pick", id="terrain.pick", show=False, tooltip="paint with what is under the cursor"),
    Binding("U,backspace", "undo", "undo", id="terrain.undo", tooltip="take the last stroke back"),
    Binding("R", "redo", "redo", id="terrain.redo", show=False, tooltip="do again what was taken back"),
    Binding("A", "save", "save as", id="terrain.save", tooltip="save the ground and the units as a map"),
]  # fmt: skip

TERRAIN_KEYS = [replace(binding, priority=True) for binding in _TERRAIN_KEYS]
"""Of the screen on which the ground is edited."""

BATTLE_KEYS = [replace(binding, priority=True) for binding in _KEYS]
"""With priority: the app acts on a key before it looks at the next, so that keys in a burst keep their order."""


def _first_keys(bindings: Iterable[Binding]) -> dict[str, str]:
    return {one.id or "": one.key.partition(",")[0] for one in bindings}


_SHIPPED = _first_keys((*BATTLE_KEYS, *BOARD_KEYS, *TERRAIN_KEYS))
_own: ContextVar[Mapping[str, str]] = ContextVar("keys")
"""The first key of each action that has others than shipped; each app has its own."""


def use_keys(changed: Mapping[str, tuple[str, ...]]) -> None:
    """From now on sentences of this app name these keys."""
    _own.set({name: keys[0] for name, keys in changed.items()})


def with_keys(text: str, more: Iterable[Binding] = ()) -> str:
    """A sentence with the keys that it names by what they do.

    Args:
        text: as "{battle.fire} attacks".
        more: where keys are found that are not the battle's, the board's or the terrain editor's.

    >>> with_keys("{battle.fire} attacks, {battle.undo} takes it back")
    'f attacks, U takes it back'
    """
    shipped = _SHIPPED | _first_keys(more) if more else _SHIPPED
    own = _own.get({})
    return re.sub(r"\{([\w.-]+)\}", lambda found: key_name(own.get(found[1], shipped.get(found[1], ""))), text)


def key_name(key: str) -> str:
    """A key as people read it."""
    return KEY_NAMES.get(key, key)


def by_action(node: DOMNode) -> list[tuple[list[str], Binding]]:
    """Each action of ours that a node offers, once, with all its keys, in the order they were bound.

    Keys are those that the Game Master has, where they were changed.
    """
    found: dict[str, tuple[list[str], Binding]] = {}
    changed = node.app._keymap
    for bindings in node._bindings.key_to_bindings.values():
        for binding in bindings:
            if binding.id is None:  # Textual's own
                continue
            keys, _ = found.setdefault(binding.action, ([], binding))
            if binding.id not in changed:
                keys.append(key_name(binding.key))
            elif not keys:
                keys += [key_name(key) for key in changed[binding.id].split(",")]
    return list(found.values())
