"""The keys of the screens that are not the battle's: the replay, a side's seat, the library, sheets. Data only."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import Binding

from tui.keys.battle_keys import BATTLE_KEYS

LOOKING = (
    "next_target", "previous_target", "shade", "panel", "receipt", "select", "log", "compare", "panel_shot",
    "panel_unit", "panel_order", "panel_log", "panel_map", "panels", "settings", "help", "cancel", "quit",
)  # fmt: skip
"""Keys of the battle that change nothing."""

_REPLAY_KEYS = [
    Binding("full_stop,space", "go(1)", "next step", id="replay.next", tooltip="what was done next"),
    Binding("comma,backspace", "go(-1)", "step back", id="replay.back", tooltip="what was done before"),
    Binding("right_square_bracket", "go_round(1)", "next round", id="replay.next_round",
            tooltip="the beginning of the next round"),
    Binding("left_square_bracket", "go_round(-1)", "round back", id="replay.round_back",
            tooltip="the beginning of this round, then of the one before"),
    Binding("g", "jump", "go to", id="replay.jump", tooltip="go to a step, a round or an event by its number"),
    Binding("B", "branch", "branch", id="replay.branch",
            tooltip="begin a battle of your own from here, in a file of its own; this one stays as it is"),
]  # fmt: skip
REPLAY_KEYS = [
    *(replace(binding, priority=True) for binding in _REPLAY_KEYS),
    *(binding for binding in BATTLE_KEYS if (binding.id or "").partition(".")[2] in LOOKING),
]
"""Of the replay: its own, and those of the battle that change nothing."""

_WATCH_KEYS = [
    Binding("O", "settings", "options", id="watch.settings", tooltip="theme and signs"),
    Binding("question_mark", "help", "help", id="watch.help"),
    Binding("Q,escape", "leave", "quit", id="watch.quit"),
]
WATCH_KEYS = [replace(binding, priority=True) for binding in _WATCH_KEYS]
"""Of a side's seat."""

PAGE = 10
"""Rows of the library that a page key goes."""

_LIBRARY_KEYS = [
    Binding("enter", "choose", "open", id="library.choose", tooltip="go on with the battle, or begin one on the map"),
    Binding("up,k", "move(-1)", "up", id="library.up", show=False),
    Binding("down,j", "move(1)", "down", id="library.down", show=False),
    Binding("pageup", f"move({-PAGE})", "page up", id="library.page_up", show=False),
    Binding("pagedown", f"move({PAGE})", "page down", id="library.page_down", show=False),
    Binding("home", "move(-9999)", "first", id="library.first", show=False),
    Binding("end", "move(9999)", "last", id="library.last", show=False),
    Binding("tab", "other", "maps", id="library.other", tooltip="from the battles to the maps, and back"),
    Binding("r", "ruleset", "rules", id="library.ruleset", tooltip="the rules of a new battle"),
    Binding("s", "seed", "seed", id="library.seed", tooltip="the seed of a new battle's dice; empty: made up"),
    Binding("p", "replay", "replay", id="library.replay", tooltip="go through the battle step by step"),
    Binding("i", "import", "import", id="library.import", tooltip="take in an exported battle, or another tool's map"),
    Binding("x", "export", "export", id="library.export",
            tooltip="write the battle as a report, as TOML or as JSON lines into the folder you started in"),
    Binding("O", "settings", "options", id="library.settings", tooltip="theme and signs"),
    Binding("question_mark", "help", "help", id="library.help"),
    Binding("escape", "back", "back", id="library.back", show=False, tooltip="back to the board you came from"),
    Binding("Q", "quit", "quit", id="library.quit", tooltip="everything is saved already"),
]  # fmt: skip
LIBRARY_KEYS = [replace(binding, priority=True) for binding in _LIBRARY_KEYS]
"""Of the library."""

SHEET_KEYS = [
    Binding("escape,question_mark", "close", "close", id="sheet.close", priority=True,
            tooltip="clear what is searched for, else close the sheet"),
    Binding("slash", "search", "search", id="sheet.search", priority=True, tooltip="search the sheet for words"),
    Binding("n,enter", "next(1)", "next", id="sheet.next", show=False, priority=True,
            tooltip="the next place of what is searched for"),
    Binding("N", "next(-1)", "place before", id="sheet.previous", show=False, priority=True,
            tooltip="the place before"),
    Binding("j,down", "scroll(1)", "down", id="sheet.down", show=False, priority=True),
    Binding("k,up", "scroll(-1)", "up", id="sheet.up", show=False, priority=True),
]  # fmt: skip
"""Of a sheet of text."""

FIRE, PASS, ALWAYS, LATER = "fire", "pass", "always", "later"
"""Answers to the question whether somebody reacts."""

_REACTION_KEYS = [
    Binding("x", f"answer('{FIRE}')", "attack", id="battle.interrupt", tooltip="the one who may react attacks at once"),
    Binding("n", f"answer('{PASS}')", "let pass", id="reaction.pass",
            tooltip="let the reaction pass: the command that was stopped continues"),
    Binding("A", f"answer('{ALWAYS}')", "always", id="battle.policy", tooltip="now and from now on, unasked"),
    Binding("escape", f"answer('{LATER}')", "later", id="battle.cancel", tooltip="look around first; asked again"),
]  # fmt: skip
REACTION_KEYS = [replace(binding, priority=True) for binding in _REACTION_KEYS]
"""Of the question whether somebody reacts."""
