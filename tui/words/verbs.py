"""Every word that a typed line may begin with, in one table: for the board, without a screen, and for scripts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial

from engine.battle.commands.scene import ClearCharge, SetOff
from engine.errors import Illegal, Unknown
from engine.text import clean
from tui.words import answers, deeds, hand, order, policies, table
from tui.words.naming import LEAST_BEGINNING, Words, take_whole, unit_names
from tui.words.spoken import Setting, Spoken, Told, Verb

MOST_CHARACTERS = 400
NAMES_AND_WAYS = (
    "A UNIT, WEAPON, MOVE, ATTACK, ACTION, CONDITION or RULING is said by its id or name, in capitals or not; two "
    "letters of it, or of a word in it, are enough where no other has them. A SQUARE is a column and a row: D4. Where "
    "no unit is named, the one in focus or whose turn it is is meant.",
    "“dice 45 / 4 6” at the end says what the table rolled, one group for each roll; “dice” alone asks for each.",
    "Where somebody may attack at once, out of turn, “shoot” does it with both of them named; what has stopped for it "
    "goes on when the same is said again.",
)


def read_help(words: Words, setting: Setting) -> Told:
    """ "help", "help move"."""
    if words:
        verb = find_verb(words[0])
        return Told(verb.name, (_usage(verb), f"{verb.meaning}.", *_others(verb)))
    told = [line for verb in VERBS.values() for line in (_usage(verb), f"    {verb.meaning}")]
    return Told("Words", (*told, "", *NAMES_AND_WAYS))


def hear(text: str, setting: Setting) -> Spoken:
    """What a line asks for.

    Raises:
        Illegal: it is nothing that can be done, or says too little.
        Unknown, OffMap: it names what is not there; the message names the nearest.
    """
    words = clean(text, MOST_CHARACTERS).removeprefix(":").split()
    if words and words[0].startswith("=") and len(words[0]) > 1:
        words = ["=", words[0][1:], *words[1:]]
    if not words:
        raise Illegal("words", "Say what to do: help lists the words.")
    verb, rest = _said_first(words, setting) or (find_verb(words[0]), words[1:])
    return verb.read(rest, setting)


def find_verb(word: str) -> Verb:
    """The verb of that word.

    Raises:
        Unknown: there is none; the message names the nearest.
        Illegal: it is a part of another command, which the message names.
    """
    word = word.casefold()
    if word in BY_WORD:
        return BY_WORD[word]
    begun = {BY_WORD[name].name for name in BY_WORD if len(word) >= LEAST_BEGINNING and name.startswith(word)}
    if len(begun) != 1:
        if usages := [f"“{_usage(verb)}”" for verb in _VERBS if word in re.findall("[a-z]+", verb.form)]:
            raise Illegal("words", f"{word!r} is a part of {' or of '.join(usages[:2])}.")
        raise Unknown("command", word, VERBS)
    return VERBS[begun.pop()]


def _said_first(words: Words, setting: Setting) -> tuple[Verb, Words] | None:
    """The verb of a line and the words for it. It stands first, or after a unit; without one an action is an act.

    So is a line that is an action's whole name and begins with a verb, as "take cover".
    """
    named = take_whole(words, unit_names(setting.battle))
    rest = named[1] if named else words
    act = take_whole(rest, deeds.action_names(setting.rules))
    if act and len(rest) > 1 and not act[1]:
        return BY_WORD["act"], words
    if words[0].casefold() in BY_WORD:
        return BY_WORD[words[0].casefold()], words[1:]
    if named and rest and rest[0].casefold() in BY_WORD:
        return BY_WORD[rest[0].casefold()], [*words[: len(words) - len(rest)], *rest[1:]]
    return (BY_WORD["act"], words) if act else None


def _usage(verb: Verb) -> str:
    return f"{verb.name} {verb.form}".rstrip()


def _others(verb: Verb) -> tuple[str, ...]:
    return (f"Also: {', '.join(verb.also)}.",) if verb.also else ()


_VERBS = (
    Verb("move", "[UNIT] SQUARE … [by MOVE] [at HEIGHT]", "go there, through the squares named", deeds.read_move,
         ("go",)),
    Verb("shoot", "[UNIT] UNIT|SQUARE [ATTACK] [with WEAPON] [free] [defence DEFENCE [by UNIT]]",
         "attack somebody, or a square; at once where somebody may, out of turn", deeds.read_attack,
         ("attack", "shot", "fire", "throw", "hit")),
    Verb("act", "[UNIT] ACTION [on UNIT | at SQUARE] [with ATTACK] [free]",
         "any other action; its name alone does too", deeds.read_act),
    Verb("face", "[UNIT] DIRECTION", "turn, as NE; out of turn by the GM's word", deeds.read_face, ("turn",)),
    Verb("take", "[UNIT] WEAPON [free]", "take another weapon in hand", deeds.read_take, ("ready", "draw")),
    Verb("end", "", "end the turn", deeds.read_end, ("done", "next")),
    Verb("initiative", "[UNIT ACTION, …]", "roll the order anew, with what units declare", deeds.read_initiative),
    Verb("undo", "[NUMBER]", "take the last command back, or the last few", hand.read_undo, ("u",)),
    Verb("redo", "[NUMBER]", "do again what was taken back", hand.read_redo),
    Verb("set",
         "UNIT CONDITION [ROUNDS|off]|POSTURE|NUMBER|POOL NUMBER|BUDGET NUMBER|initiative NUMBER|altitude NUMBER"
         "|out [why]|back",
         "change a unit by hand: set todd -5, set todd prone, set todd out surrenders; a number after a condition is "
         "its rounds; “off”, or the condition once more, ends it", hand.read_set),
    Verb("damage", "UNIT … NUMBER [POOL] | SIDE NUMBER [POOL]",
         "take so much by hand from units or a whole side, of hit points or of another pool; armour does not count",
         hand.read_damage, ("hurt",)),
    Verb("stat", "UNIT STAT NUMBER|yes|no", "set any stat of a unit: stat todd dexterity 9, stat todd dexterity +2",
         hand.read_stat),
    Verb("heal", "UNIT NUMBER [POOL]", "give so much back, at most what it had at first", hand.read_heal),
    Verb("hp", "UNIT NUMBER", "set a unit's hit points, or its system's own pool for them: hp todd 12, hp todd -5",
         hand.read_hp),
    Verb("kill", "UNIT [why]", "put a unit out of the fight; “set todd back” brings it back", hand.read_kill),
    Verb("place", "[UNIT] SQUARE", "put a unit there, as if picked up by hand", hand.read_place),
    *(Verb(name, "SQUARE [DIRECTION]", f"{name} the door on a side of the square", partial(hand.read_door, name))
      for name in hand.STATES),
    Verb("smoke", "SQUARE RADIUS [ROUNDS] [thin] | clear [SQUARE]", "lay or clear smoke", hand.read_smoke),
    Verb("wind", "DIRECTION SQUARES | 0", "where the wind blows to, and how many squares a round", hand.read_wind),
    Verb("setoff", "SQUARE", "what was laid there goes off", partial(hand.read_charge, SetOff)),
    Verb("takeup", "SQUARE", "take up what was laid there", partial(hand.read_charge, ClearCharge)),
    Verb("gm", "NUMBER why | LINE off|on|NUMBER | clear", "change the ledger of the next attack; a last ! keeps it",
         hand.read_gm),
    Verb("add", "[NUMBER] ROLE SIDE SQUARE [name] [at HEIGHT] [hidden]", "put new units on the table", table.read_add),
    Verb("group", "GROUP SIDE SQUARE [hidden] | UNIT UNIT …",
         "put a whole group there; or let units share one place in the order", table.read_group),
    Verb("ungroup", "UNIT", "the members of its group have places of their own again", order.read_ungroup),
    Verb("delay", "[UNIT] after UNIT", "wait, and act later in the round", order.read_delay),
    Verb("surprise", "UNIT … | SIDE", "who loses the turn in this round", order.read_surprise),
    Verb("copy", "UNIT [SQUARE] [NUMBER]", "put the like of a unit there", table.read_copy),
    Verb("remove", "UNIT … | SIDE", "take units off the table", table.read_remove),
    Verb("name", "UNIT name", "call a unit otherwise", table.read_name, ("rename",)),
    Verb("side", "UNIT SIDE [neutral]", "let a unit fight for another side, or be nobody's enemy", table.read_side),
    Verb("hide", "UNIT", "hide a unit from the players", table.read_hide),
    Verb("reveal", "UNIT", "show a hidden unit to the players", table.read_reveal),
    Verb("now", "UNIT", "it is this one's turn", table.read_now),
    Verb("rounds", "[UNIT] NUMBER [WEAPON]", "how many rounds are in a weapon", table.read_rounds),
    Verb("give", "[UNIT] [ITEM]", "a weapon, full, or armour in place of what it wears; alone: all that there is",
         table.read_give),
    Verb("lose", "[UNIT] GEAR", "a weapon that it carries, or its armour, is taken away", table.read_lose),
    Verb("light", "dark|dim|bright [SQUARE [RADIUS]]", "how light it is there, or everywhere", table.read_light),
    Verb("lamp", "SQUARE BRIGHT DIM [HEIGHT] | SQUARE off", "hang a lamp there, or put it out", table.read_lamp),
    Verb("cover", "[UNIT] UNIT none|quarter|half|most|full|NUMBER|seen [light|medium|heavy]",
         "how well the second is covered from the first; a last ! keeps it", table.read_cover),
    Verb("note", "[UNIT|SQUARE|all:] text | clear NOTE", "a note that no player sees",
         table.read_note),
    Verb("notes", "", "all notes", table.read_notes),
    Verb("roll", "DICE what for", "dice for anything: roll 3d6+2 wolves", table.read_roll),
    Verb("correct", "DICE", "the last roll was another: correct 45 / 4 6", table.read_correct),
    Verb("wreck", "SQUARE [DIRECTION]", "shoot to pieces what stands there or on that side", table.read_wreck),
    Verb("paint", "SQUARE [SQUARE] GROUND|nothing", "what the ground is of, or what stands on it", table.read_paint),
    Verb("wall", "SQUARE [SQUARE] DIRECTION|around [THIN|nothing]", "something thin on edges", table.read_wall),
    Verb("ground", "SQUARE [SQUARE] HEIGHT", "how high the ground is", table.read_ground),
    Verb("policy", "[UNIT|SIDE] [REACTION|DEFENCE] off|ask|auto|usual",
         "which reactions and defences are asked for, never taken, taken by themselves; alone: a list",
         policies.read_policy, ("policies",)),
    Verb("ruling", "RULING VALUE", "decide a ruling otherwise, for this battle", hand.read_ruling),
    Verb("=", "[UNIT|SQUARE] [UNIT|SQUARE]", "say a unit, a square or a shot in words", answers.read_say, ("say",)),
    Verb("odds", "[UNIT] UNIT|SQUARE [ATTACK] [with WEAPON]", "the whole ledger and every chance", answers.read_odds,
         ("receipt",)),
    Verb("scatter", "[UNIT] SQUARE [with WEAPON] [hit PERCENT]",
         "where a throw could land, and on whom; with another chance to land as aimed", answers.read_scatter),
    Verb("sight", "[UNIT|SQUARE] UNIT|SQUARE", "the line between two, step by step", answers.read_sight),
    Verb("covers", "[UNIT] UNIT|SQUARE", "the line close up, and what covers each point of the body",
         answers.read_covers),
    Verb("view", "[UNIT]", "everything that a unit sees", answers.read_view, ("sees",)),
    Verb("reach", "[UNIT] [SQUARE]", "where a unit can go, or what the way there costs and draws", answers.read_reach),
    Verb("actions", "[UNIT]", "all that a unit may do now, and why not the rest", answers.read_actions),
    Verb("units", "", "everybody, a sentence each", answers.read_units),
    Verb("order", "[UNIT after|before UNIT | UNIT first|last|up|down]", "who acts when; or another place in it",
         order.read_places, ("who",)),
    Verb("map", "", "the map in plain signs", answers.read_map, ("look",)),
    Verb("log", "[NUMBER]", "what happened last", answers.read_log),
    Verb("rulings", "", "what the ruleset leaves to you, and how it is decided", answers.read_rulings),
    Verb("panel", "PANEL on|off", "show or hide a panel of the screen from now on", hand.read_panel),
    Verb("tour", "", "the tour of the screen, from its first step", hand.read_tour),
    Verb("help", "[WORD]", "these words", read_help, ("?",)),
)  # fmt: skip

VERBS: Mapping[str, Verb] = {verb.name: verb for verb in _VERBS}
BY_WORD: Mapping[str, Verb] = {word: verb for verb in _VERBS for word in (verb.name, *verb.also)}
