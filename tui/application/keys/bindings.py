"""Keys of the replay, the player view, the library, text modals and the reaction prompt. Data only."""

from __future__ import annotations

from engine.values import replace
from tui.application.keys.battle_keys import BATTLE_KEYS
from tui.application.keys.key import Key

LOOKING = (
    "next_target", "previous_target", "next_unit", "previous_unit", "find", "overlay", "panel", "receipt", "select",
    "log", "compare", "panel_shot", "panel_unit", "panel_order", "panel_log", "panel_map", "panel_notes", "panels",
    "picture", "settings", "library", "help", "quit",
)  # fmt: skip
"""Keys of the battle that change nothing."""

_REPLAY_KEYS = [
    Key("space", "play", "play", id="replay.play", tooltip="play the battle, or pause; at the end: from the start"),
    Key("full_stop", "go(1)", "step", id="replay.next", tooltip="show the next command"),
    Key("comma,backspace", "go(-1)", "back", id="replay.back", tooltip="show the previous command"),
    Key("right_square_bracket", "go_round(1)", "round", id="replay.next_round",
        tooltip="go to the start of the next round"),
    Key("left_square_bracket", "go_round(-1)", "round back", id="replay.round_back", show=False,
        tooltip="go to the start of this round, then of the previous one"),
    Key("greater_than_sign", "speed(1)", "faster", id="replay.faster", tooltip="play faster"),
    Key("less_than_sign", "speed(-1)", "slower", id="replay.slower", show=False, tooltip="play slower"),
    Key("g", "jump", "go to", id="replay.jump", tooltip="go to a step, a round or an event by its number"),
    Key("escape", "end", "end", id="replay.end", tooltip="clear the overlay or the target; else end the replay"),
]  # fmt: skip
REPLAY_KEYS = [
    *(replace(binding, priority=True) for binding in _REPLAY_KEYS),
    *(
        replace(binding, show=binding.id == "battle.help")  # the footer has room for the replay's own
        for binding in BATTLE_KEYS
        if binding.id.partition(".")[2] in LOOKING
    ),
    Key("B", "branch", "branch", id="replay.branch", priority=True,
        tooltip="start a new battle from this step, in a new file; this battle does not change"),
]  # fmt: skip
"""Keys of the replay, with those of the battle that change nothing."""

_WATCH_KEYS = [
    Key("O", "settings", "settings", id="watch.settings", tooltip="theme and symbols"),
    Key(
        "f12",
        "picture",
        "picture",
        id="watch.picture",
        show=False,
        tooltip="write what the screen shows as a picture (SVG) into the folder you started in",
    ),
    Key("question_mark", "help", "help", id="watch.help"),
    Key("Q,escape", "leave", "quit", id="watch.quit"),
]
WATCH_KEYS = [replace(binding, priority=True) for binding in _WATCH_KEYS]
"""Keys of the player view."""

PAGE = 10
"""Rows that a page key moves in the library."""

_LIBRARY_KEYS = [
    Key("enter", "choose", "open", id="library.choose",
        tooltip="continue the battle, start one with the encounter or on the map, change the party, open the "
                    "character's form"),
    Key("n", "new", "new encounter", id="library.new",
        tooltip="tonight's fight: choose map, party and opponents, then set them up on the board; among parties a "
                    "new party, among characters a new character"),
    Key("slash", "search", "search", id="library.search", tooltip="show only what begins with these letters"),
    Key("f2", "rename", "rename", id="library.rename",
        tooltip="give the battle, encounter, map, party or character another name; its file follows"),
    Key("c", "copy", "copy", id="library.copy",
        tooltip="copy the battle, encounter, map, party or character under another name"),
    Key("delete", "trash", "trash", id="library.trash", tooltip="move the file, or the party, to the trash"),
    Key("U", "restore", "bring back", id="library.restore", show=False,
        tooltip="bring back what was moved to the trash last"),
    Key("o", "sort", "sort", id="library.sort", show=False,
        tooltip="sort the battles: last played, or by name"),
    Key("up,k", "move(-1)", "up", id="library.up", show=False),
    Key("down,j", "move(1)", "down", id="library.down", show=False),
    Key("pageup", f"move({-PAGE})", "page up", id="library.page_up", show=False),
    Key("pagedown", f"move({PAGE})", "page down", id="library.page_down", show=False),
    Key("home", "move(-9999)", "first", id="library.first", show=False),
    Key("end", "move(9999)", "last", id="library.last", show=False),
    Key("question_mark", "help", "help", id="library.help"),
    Key("tab", "other", "next section", id="library.other", show=False,
        tooltip="go to the next section: battles, encounters, maps, parties, characters"),
    Key("r", "ruleset", "ruleset", id="library.ruleset", tooltip="choose the ruleset of a new battle"),
    Key("s", "seed", "seed", id="library.seed", tooltip="set the dice seed of a new battle; empty: random seed"),
    Key("F", "finish", "finish", id="library.finish", show=False,
        tooltip="finish the battle, then choose what of it the characters' files keep"),
    Key("p", "replay", "replay", id="library.replay", tooltip="replay the battle step by step"),
    Key("x", "export", "export", id="library.export",
        tooltip="export the battle into the folder you started in: a report, a web page, a picture, a recording"),
    Key("i", "import", "import", id="library.import",
        tooltip="import an exported battle, or a map from another tool"),
    Key("O", "settings", "settings", id="library.settings", tooltip="theme and symbols"),
    Key("escape", "back", "back", id="library.back", show=False,
        tooltip="show everything again after a search; else back to the board"),
    Key("Q", "quit", "quit", id="library.quit", tooltip="quit; every battle is saved, the demo is not"),
]  # fmt: skip
LIBRARY_KEYS = [replace(binding, priority=True) for binding in _LIBRARY_KEYS]
"""Keys of the library."""

ENCOUNTER_KEYS = [
    Key("enter", "take", "take", id="encounter.take",
        tooltip="take what is marked; on an empty line of opponents: go to the set-up on the board"),
    Key("exclamation_mark", "hide", "hidden", id="encounter.hide", tooltip="the opponents of this line are hidden"),
    Key("backspace", "erase", "erase", id="encounter.erase",
        tooltip="erase what is typed; on an empty line remove the last line of the roster"),
    Key("ctrl+u", "clear", "clear", id="encounter.clear", show=False, tooltip="drop what is typed"),
    Key("delete", "remove", "remove line", id="encounter.remove", show=False,
        tooltip="remove the last line of the roster"),
    Key("left_square_bracket", "distance(-1)", "nearer", id="encounter.nearer",
        tooltip="estimate the balance at a shorter distance"),
    Key("right_square_bracket", "distance(1)", "farther", id="encounter.farther",
        tooltip="estimate the balance at a longer distance"),
    Key("tab", "detail", "stat block", id="encounter.detail", show=False,
        tooltip="show the marked opponent in place of the roster, or the roster again"),
    Key("escape", "leave", "back", id="encounter.leave",
        tooltip="drop what is typed; else one step back, at last to the library"),
    Key("question_mark", "help", "help", id="encounter.help"),
    Key("up", "move(-1)", "up", id="encounter.up", show=False),
    Key("down", "move(1)", "down", id="encounter.down", show=False),
    Key("pageup", f"move({-PAGE})", "page up", id="encounter.page_up", show=False),
    Key("pagedown", f"move({PAGE})", "page down", id="encounter.page_down", show=False),
    Key("home", "move(-9999)", "first", id="encounter.first", show=False),
    Key("end", "move(9999)", "last", id="encounter.last", show=False),
]  # fmt: skip
"""Keys of a new encounter; letters narrow its lists, so none is a command. The screen keeps them in order."""

PARTY_KEYS = [
    Key("space", "pick", "pick", id="party.pick", tooltip="put the character into the party, or take it out"),
    Key("enter", "save", "save", id="party.save", tooltip="save the party; a new one asks for its name"),
    Key("f2", "name", "name", id="party.name", tooltip="give the party a name"),
    Key("asterisk", "default", "default", id="party.default",
        tooltip="make it the party that new encounters and “add party” take first"),
    Key("backspace", "erase", "erase", id="party.erase", show=False, tooltip="erase what is typed"),
    Key("ctrl+u", "clear", "clear", id="party.clear", show=False, tooltip="drop what is typed"),
    Key("escape", "leave", "leave", id="party.leave", tooltip="drop what is typed; else leave without saving"),
    Key("question_mark", "help", "help", id="party.help"),
    Key("up", "move(-1)", "up", id="party.up", show=False),
    Key("down", "move(1)", "down", id="party.down", show=False),
    Key("pageup", f"move({-PAGE})", "page up", id="party.page_up", show=False),
    Key("pagedown", f"move({PAGE})", "page down", id="party.page_down", show=False),
    Key("home", "move(-9999)", "first", id="party.first", show=False),
    Key("end", "move(9999)", "last", id="party.last", show=False),
]  # fmt: skip
"""Keys of a party; letters narrow its list, so none is a command."""

SHEET_KEYS = [
    Key("escape,question_mark", "close", "close", id="sheet.close", priority=True,
        tooltip="clear the search, or close"),
    Key("ctrl+o", "library", "library", id="sheet.library", show=False, priority=True,
        tooltip="close, and open the library"),
    Key("slash", "search", "search", id="sheet.search", priority=True, tooltip="search this text"),
    Key("n", "next(1)", "next", id="sheet.next", show=False, priority=True,
        tooltip="next match"),
    Key("enter", "details", "details", id="sheet.details", show=False, priority=True,
        tooltip="next match; without a search formula, ruling and source of a rule, and back"),
    Key("N", "next(-1)", "previous", id="sheet.previous", show=False, priority=True,
        tooltip="previous match"),
    Key("e", "edit", "edit", id="sheet.edit", show=False, priority=True,
        tooltip="open the form of the unit's sheet: it changes this battle, the file, or both"),
    Key("r", "more", "more", id="sheet.more", show=False, priority=True,
        tooltip="in the comparison of rulesets: every modifier; again: the card"),
    Key("f12", "picture", "picture", id="sheet.picture", show=False, priority=True,
        tooltip="write what the screen shows as a picture (SVG) into the folder you started in"),
    Key("j,down", "scroll(1)", "down", id="sheet.down", show=False, priority=True),
    Key("k,up", "scroll(-1)", "up", id="sheet.up", show=False, priority=True),
]  # fmt: skip
"""Keys of a text modal."""

_FORM_KEYS = [
    Key("up,k", "move(-1)", "up", id="form.up", show=False),
    Key("down,j", "move(1)", "down", id="form.down", show=False),
    Key("pageup", f"move({-PAGE})", "page up", id="form.page_up", show=False),
    Key("pagedown", f"move({PAGE})", "page down", id="form.page_down", show=False),
    Key("tab,right", "turn(1)", "page", id="form.next", tooltip="go to the next page of fields"),
    Key("shift+tab,left", "turn(-1)", "page back", id="form.previous", show=False,
        tooltip="go to the previous page of fields"),
    Key("enter,space", "edit", "edit", id="form.edit",
        tooltip="change the field; a digit does so too; again: keep it"),
    Key("delete", "default", "default", id="form.default",
        tooltip="give the field the ruleset's default; remove a weapon"),
    Key("U,u", "undo", "undo", id="form.undo", tooltip="undo the last change"),
    Key("r", "rest", "rest", id="form.rest",
        tooltip="restore what battles have carried over: wounds, wear of armour, conditions, rounds"),
    Key("s", "save", "save", id="form.save", tooltip="save the sheet"),
    Key("slash", "find", "find", id="form.find", tooltip="go to a field by its name"),
    Key("n", "note", "notes", id="form.notes", tooltip="write the notes"),
    Key("question_mark", "help", "help", id="form.help"),
    Key("ctrl+o", "library", "library", id="form.library", show=False, tooltip="leave the form for the library"),
    Key("escape", "leave", "leave", id="form.leave", tooltip="drop what is typed; else leave the form"),
]  # fmt: skip
FORM_KEYS = [replace(binding, priority=True) for binding in _FORM_KEYS]
"""Keys of a character's form."""

_CARRY_KEYS = [
    Key(
        "a",
        "all",
        "all",
        id="carry.all",
        tooltip="accept all changes except those to a file that has changed since; again: none",
    ),
    Key("space", "accept", "this one", id="carry.toggle", tooltip="accept or reject this change"),
    Key("enter", "write", "write", id="carry.write", tooltip="write the accepted changes into the files"),
    Key("escape", "cancel", "none", id="carry.cancel", tooltip="change no file"),
]
_END_KEYS = [
    Key("enter", "carry_over", "carry over", id="end.carry",
        tooltip="end the battle, then choose which wounds, rounds and gear the characters' files keep"),
    Key("x", "export", "export", id="end.export", tooltip="save the battle as one web page that opens with this card"),
    Key("escape", "close", "keep playing", id="end.close", tooltip="close the card; nothing changes"),
]  # fmt: skip
END_KEYS = [replace(binding, priority=True) for binding in _END_KEYS]
"""Keys of the end card."""

CARRY_KEYS = [replace(binding, priority=True) for binding in _CARRY_KEYS]
"""Keys of the list of changes at the end of a battle."""

FIRE, ACT, PASS, ALWAYS, LATER, REPEAT = "fire", "act", "pass", "always", "later", "repeat"
"""Answers to a reaction prompt."""

_REACTION_KEYS = [
    Key("x", f"answer('{FIRE}')", "attack", id="battle.interrupt", tooltip="the unit attacks now, out of turn"),
    Key("a", f"answer('{ACT}')", "act", id="battle.act",
        tooltip="the unit takes another action now, where the reaction allows any"),
    Key("n", f"answer('{PASS}')", "let pass", id="reaction.pass",
        tooltip="let the reaction pass: the stopped command continues"),
    Key("A", f"answer('{ALWAYS}')", "always", id="battle.policy",
        tooltip="attack now, and automatically from now on"),
    Key("escape", f"answer('{LATER}')", "later", id="battle.cancel",
        tooltip="look around first; the board asks again"),
    Key("m", f"answer('{REPEAT}')", "repeat", id="battle.move", show=False, tooltip="repeat the question"),
    Key("enter", f"answer('{REPEAT}')", "repeat", id="board.choose", show=False, tooltip="repeat the question"),
]  # fmt: skip
REACTION_KEYS = [replace(binding, priority=True) for binding in _REACTION_KEYS]
"""Keys of a reaction prompt."""
