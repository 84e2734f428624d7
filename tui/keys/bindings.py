"""Key bindings of the replay, the player view, the library, text modals and the reaction prompt. Data only."""

from __future__ import annotations

from dataclasses import replace

from textual.binding import Binding

from tui.keys.battle_keys import BATTLE_KEYS

LOOKING = (
    "next_target", "previous_target", "next_unit", "previous_unit", "find", "overlay", "panel", "receipt", "select",
    "log", "compare", "panel_shot", "panel_unit", "panel_order", "panel_log", "panel_map", "panel_notes", "panels",
    "picture", "settings", "library", "help", "quit",
)  # fmt: skip
"""Keys of the battle that change nothing."""

_REPLAY_KEYS = [
    Binding("space", "play", "play", id="replay.play", tooltip="play the battle, or pause; at the end: from the start"),
    Binding("full_stop", "go(1)", "step", id="replay.next", tooltip="show the next command"),
    Binding("comma,backspace", "go(-1)", "back", id="replay.back", tooltip="show the previous command"),
    Binding("right_square_bracket", "go_round(1)", "round", id="replay.next_round",
            tooltip="go to the start of the next round"),
    Binding("left_square_bracket", "go_round(-1)", "round back", id="replay.round_back", show=False,
            tooltip="go to the start of this round, then of the previous one"),
    Binding("greater_than_sign", "speed(1)", "faster", id="replay.faster", tooltip="play faster"),
    Binding("less_than_sign", "speed(-1)", "slower", id="replay.slower", show=False, tooltip="play slower"),
    Binding("g", "jump", "go to", id="replay.jump", tooltip="go to a step, a round or an event by its number"),
    Binding("escape", "end", "end", id="replay.end", tooltip="clear the overlay or the target; else end the replay"),
]  # fmt: skip
REPLAY_KEYS = [
    *(replace(binding, priority=True) for binding in _REPLAY_KEYS),
    *(
        replace(binding, show=binding.id == "battle.help")  # the footer has room for the replay's own
        for binding in BATTLE_KEYS
        if (binding.id or "").partition(".")[2] in LOOKING
    ),
    Binding("B", "branch", "branch", id="replay.branch", priority=True,
            tooltip="start a new battle from this step, in a new file; this battle does not change"),
]  # fmt: skip
"""Keys of the replay, with those of the battle that change nothing."""

_WATCH_KEYS = [
    Binding("O", "settings", "settings", id="watch.settings", tooltip="theme and symbols"),
    Binding(
        "f12",
        "picture",
        "picture",
        id="watch.picture",
        show=False,
        tooltip="write what the screen shows as a picture (SVG) into the folder you started in",
    ),
    Binding("question_mark", "help", "help", id="watch.help"),
    Binding("Q,escape", "leave", "quit", id="watch.quit"),
]
WATCH_KEYS = [replace(binding, priority=True) for binding in _WATCH_KEYS]
"""Keys of the player view."""

PAGE = 10
"""Rows that a page key moves in the library."""

_LIBRARY_KEYS = [
    Binding("enter", "choose", "open", id="library.choose",
            tooltip="continue the battle, start one with the encounter or on the map, change the party, open the "
                    "character's form"),
    Binding("n", "new", "new encounter", id="library.new",
            tooltip="tonight's fight: choose map, party and opponents, then set them up on the board; among parties a "
                    "new party, among characters a new character"),
    Binding("slash", "search", "search", id="library.search", tooltip="show only what begins with these letters"),
    Binding("f2", "rename", "rename", id="library.rename",
            tooltip="give the battle, encounter, map, party or character another name; its file follows"),
    Binding("c", "copy", "copy", id="library.copy",
            tooltip="copy the battle, encounter, map, party or character under another name"),
    Binding("delete", "trash", "trash", id="library.trash", tooltip="move the file, or the party, to the trash"),
    Binding("U", "restore", "bring back", id="library.restore", show=False,
            tooltip="bring back what was moved to the trash last"),
    Binding("o", "sort", "sort", id="library.sort", show=False,
            tooltip="sort the battles: last played, or by name"),
    Binding("up,k", "move(-1)", "up", id="library.up", show=False),
    Binding("down,j", "move(1)", "down", id="library.down", show=False),
    Binding("pageup", f"move({-PAGE})", "page up", id="library.page_up", show=False),
    Binding("pagedown", f"move({PAGE})", "page down", id="library.page_down", show=False),
    Binding("home", "move(-9999)", "first", id="library.first", show=False),
    Binding("end", "move(9999)", "last", id="library.last", show=False),
    Binding("question_mark", "help", "help", id="library.help"),
    Binding("tab", "other", "next section", id="library.other", show=False,
            tooltip="go to the next section: battles, encounters, maps, parties, characters"),
    Binding("r", "ruleset", "ruleset", id="library.ruleset", tooltip="choose the ruleset of a new battle"),
    Binding("s", "seed", "seed", id="library.seed", tooltip="set the dice seed of a new battle; empty: random seed"),
    Binding("F", "finish", "finish", id="library.finish", show=False,
            tooltip="finish the battle, then choose what of it the characters' files keep"),
    Binding("p", "replay", "replay", id="library.replay", tooltip="replay the battle step by step"),
    Binding("x", "export", "export", id="library.export",
            tooltip="export the battle into the folder you started in: a report, a web page, a picture, a recording"),
    Binding("i", "import", "import", id="library.import",
            tooltip="import an exported battle, or a map from another tool"),
    Binding("O", "settings", "settings", id="library.settings", tooltip="theme and symbols"),
    Binding("escape", "back", "back", id="library.back", show=False,
            tooltip="show everything again after a search; else back to the board"),
    Binding("Q", "quit", "quit", id="library.quit", tooltip="quit; every battle is saved, the demo is not"),
]  # fmt: skip
LIBRARY_KEYS = [replace(binding, priority=True) for binding in _LIBRARY_KEYS]
"""Keys of the library."""

ENCOUNTER_KEYS = [
    Binding("enter", "take", "take", id="encounter.take",
            tooltip="take what is marked; on an empty line of opponents: go to the set-up on the board"),
    Binding("exclamation_mark", "hide", "hidden", id="encounter.hide", tooltip="the opponents of this line are hidden"),
    Binding("backspace", "erase", "erase", id="encounter.erase",
            tooltip="erase what is typed; on an empty line remove the last line of the roster"),
    Binding("ctrl+u", "clear", "clear", id="encounter.clear", show=False, tooltip="drop what is typed"),
    Binding("delete", "remove", "remove line", id="encounter.remove", show=False,
            tooltip="remove the last line of the roster"),
    Binding("left_square_bracket", "distance(-1)", "nearer", id="encounter.nearer",
            tooltip="estimate the balance at a shorter distance"),
    Binding("right_square_bracket", "distance(1)", "farther", id="encounter.farther",
            tooltip="estimate the balance at a longer distance"),
    Binding("escape", "leave", "back", id="encounter.leave",
            tooltip="drop what is typed; else one step back, at last to the library"),
    Binding("question_mark", "help", "help", id="encounter.help"),
    Binding("up", "move(-1)", "up", id="encounter.up", show=False),
    Binding("down", "move(1)", "down", id="encounter.down", show=False),
    Binding("pageup", f"move({-PAGE})", "page up", id="encounter.page_up", show=False),
    Binding("pagedown", f"move({PAGE})", "page down", id="encounter.page_down", show=False),
    Binding("home", "move(-9999)", "first", id="encounter.first", show=False),
    Binding("end", "move(9999)", "last", id="encounter.last", show=False),
]  # fmt: skip
"""Keys of a new encounter; letters narrow its lists, so none is a command. The screen keeps them in order."""

PARTY_KEYS = [
    Binding("space", "pick", "pick", id="party.pick", tooltip="put the character into the party, or take it out"),
    Binding("enter", "save", "save", id="party.save", tooltip="save the party; a new one asks for its name"),
    Binding("f2", "name", "name", id="party.name", tooltip="give the party a name"),
    Binding("asterisk", "default", "default", id="party.default",
            tooltip="make it the party that new encounters and “add party” take first"),
    Binding("backspace", "erase", "erase", id="party.erase", show=False, tooltip="erase what is typed"),
    Binding("ctrl+u", "clear", "clear", id="party.clear", show=False, tooltip="drop what is typed"),
    Binding("escape", "leave", "leave", id="party.leave", tooltip="drop what is typed; else leave without saving"),
    Binding("question_mark", "help", "help", id="party.help"),
    Binding("up", "move(-1)", "up", id="party.up", show=False),
    Binding("down", "move(1)", "down", id="party.down", show=False),
    Binding("pageup", f"move({-PAGE})", "page up", id="party.page_up", show=False),
    Binding("pagedown", f"move({PAGE})", "page down", id="party.page_down", show=False),
    Binding("home", "move(-9999)", "first", id="party.first", show=False),
    Binding("end", "move(9999)", "last", id="party.last", show=False),
]  # fmt: skip
"""Keys of a party; letters narrow its list, so none is a command."""

SHEET_KEYS = [
    Binding("escape,question_mark", "close", "close", id="sheet.close", priority=True,
            tooltip="clear the search, or close"),
    Binding("ctrl+o", "library", "library", id="sheet.library", show=False, priority=True,
            tooltip="close, and open the library"),
    Binding("slash", "search", "search", id="sheet.search", priority=True, tooltip="search this text"),
    Binding("n,enter", "next(1)", "next", id="sheet.next", show=False, priority=True,
            tooltip="next match"),
    Binding("N", "next(-1)", "previous", id="sheet.previous", show=False, priority=True,
            tooltip="previous match"),
    Binding("e", "edit", "edit", id="sheet.edit", show=False, priority=True,
            tooltip="open the form of the unit's sheet: it changes this battle, the file, or both"),
    Binding("r", "more", "more", id="sheet.more", show=False, priority=True,
            tooltip="in the comparison of rulesets: every modifier; again: the card"),
    Binding("f12", "picture", "picture", id="sheet.picture", show=False, priority=True,
            tooltip="write what the screen shows as a picture (SVG) into the folder you started in"),
    Binding("j,down", "scroll(1)", "down", id="sheet.down", show=False, priority=True),
    Binding("k,up", "scroll(-1)", "up", id="sheet.up", show=False, priority=True),
]  # fmt: skip
"""Keys of a text modal."""

_FORM_KEYS = [
    Binding("up,k", "move(-1)", "up", id="form.up", show=False),
    Binding("down,j", "move(1)", "down", id="form.down", show=False),
    Binding("pageup", f"move({-PAGE})", "page up", id="form.page_up", show=False),
    Binding("pagedown", f"move({PAGE})", "page down", id="form.page_down", show=False),
    Binding("tab,right", "turn(1)", "page", id="form.next", tooltip="go to the next page of fields"),
    Binding("shift+tab,left", "turn(-1)", "page back", id="form.previous", show=False,
            tooltip="go to the previous page of fields"),
    Binding("enter,space", "edit", "edit", id="form.edit",
            tooltip="change the field; a digit does so too; again: keep it"),
    Binding("delete", "default", "default", id="form.default",
            tooltip="give the field the ruleset's default; remove a weapon"),
    Binding("U,u", "undo", "undo", id="form.undo", tooltip="undo the last change"),
    Binding("r", "rest", "rest", id="form.rest",
            tooltip="restore what battles have carried over: wounds, wear of armour, conditions, rounds"),
    Binding("s", "save", "save", id="form.save", tooltip="save the sheet"),
    Binding("slash", "find", "find", id="form.find", tooltip="go to a field by its name"),
    Binding("n", "note", "notes", id="form.notes", tooltip="write the notes"),
    Binding("question_mark", "help", "help", id="form.help"),
    Binding("ctrl+o", "library", "library", id="form.library", show=False, tooltip="leave the form for the library"),
    Binding("escape", "leave", "leave", id="form.leave", tooltip="drop what is typed; else leave the form"),
]  # fmt: skip
FORM_KEYS = [replace(binding, priority=True) for binding in _FORM_KEYS]
"""Keys of a character's form."""

_CARRY_KEYS = [
    Binding(
        "a",
        "all",
        "all",
        id="carry.all",
        tooltip="accept all changes except those to a file that has changed since; again: none",
    ),
    Binding("space", "accept", "this one", id="carry.toggle", tooltip="accept or reject this change"),
    Binding("enter", "write", "write", id="carry.write", tooltip="write the accepted changes into the files"),
    Binding("escape", "cancel", "none", id="carry.cancel", tooltip="change no file"),
]
CARRY_KEYS = [replace(binding, priority=True) for binding in _CARRY_KEYS]
"""Keys of the list of changes at the end of a battle."""

FIRE, ACT, PASS, ALWAYS, LATER, REPEAT = "fire", "act", "pass", "always", "later", "repeat"
"""Answers to a reaction prompt."""

_REACTION_KEYS = [
    Binding("x", f"answer('{FIRE}')", "attack", id="battle.interrupt", tooltip="the unit attacks now, out of turn"),
    Binding("a", f"answer('{ACT}')", "act", id="battle.act",
            tooltip="the unit takes another action now, where the reaction allows any"),
    Binding("n", f"answer('{PASS}')", "let pass", id="reaction.pass",
            tooltip="let the reaction pass: the stopped command continues"),
    Binding("A", f"answer('{ALWAYS}')", "always", id="battle.policy",
            tooltip="attack now, and automatically from now on"),
    Binding("escape", f"answer('{LATER}')", "later", id="battle.cancel",
            tooltip="look around first; the board asks again"),
    Binding("m", f"answer('{REPEAT}')", "repeat", id="battle.move", show=False, tooltip="repeat the question"),
    Binding("enter", f"answer('{REPEAT}')", "repeat", id="board.choose", show=False, tooltip="repeat the question"),
]  # fmt: skip
REACTION_KEYS = [replace(binding, priority=True) for binding in _REACTION_KEYS]
"""Keys of a reaction prompt."""
