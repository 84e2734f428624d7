"""Commands of units: moves, attacks, other actions, facing, weapon changes, the end of the turn."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from engine.answers import Given, GivenAnswer
from engine.battle.attacks.attack_choices import attack_actions, attacks_in_hand, thrown_weapons, weapon_of
from engine.battle.attacks.split_hits import share_answers
from engine.battle.command import Act, Attack, Command, EndTurn, Move
from engine.battle.commands.other_actions import declarable, declared_attack, takes_square
from engine.battle.commands.unit_actions import Face, Ready
from engine.battle.commands.unit_edits import Place, SetAltitude
from engine.battle.defence_choices import defence_question, screen_question
from engine.battle.moves.movement_modes import MoveOptions
from engine.battle.moves.moves import plan_path
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import Height
from engine.geometry.squares import Square
from engine.rules.model import SQUARE, Action, Ruleset
from engine.values import replace
from tui.application.commands.forms import PARTS, Form
from tui.application.commands.naming import (
    LEAST_BEGINNING,
    TOWARDS,
    Missing,
    Names,
    Words,
    expect,
    expect_square,
    is_square,
    names_of,
    no_more,
    skip,
    take,
    take_last,
    take_square,
    take_unit,
    take_unit_or_square,
    take_whole,
    unit_names,
)
from tui.application.commands.results import Setting, SubmitCommand, suggestion
from tui.application.commands.vocabulary import action_names, take_actor, weapon_names
from tui.application.describe.throwers import throwers_words

NOBODY = "none"
LEAST_NAMING = 4
"""Least letters of a word that is looked for in the names of actions."""
OVERWATCH = "o"
"""The letter of overwatch in the menu of actions, in all rulesets."""
VERBS: Mapping[str, tuple[str, ...]] = {
    "a": ("aim", "aimed"),
    "b": ("burst", "bursts"),
    "c": ("charge", "rush"),
    "d": ("delay", "wait", "hold"),
    "e": ("disengage", "withdraw", "retreat"),
    "f": ("full auto", "full", "auto", "autofire"),
    "i": ("pick up", "pick", "grab", "loot"),
    "l": ("ammunition", "ammo", "load"),
    "n": ("kneel", "kneeling", "crouch", "duck"),
    "p": ("prone", "crawl"),
    "r": ("reload",),
    "t": ("defence", "dodge", "defend", "parry", "block"),
    "u": ("stand up", "stand", "rise", "standing"),
    "v": ("suppressive fire", "suppress", "suppressive", "suppression", "suppressing", "covering"),
    "w": ("grapple", "wrestle", "tackle", "clinch", "pin"),
    "x": ("called shot", "called", "headshot", "location"),
    "y": ("unjam", "jam"),
    "z": ("mine", "mines", "claymore"),
    "B": ("brace", "bipod"),
    "R": ("run", "sprint", "dash"),
}
"""Words for what a unit does, by the letter of the ruleset's action; the first names it in messages."""


def read_move(words: Words, setting: Setting) -> Command:
    """ "move todd F7", "move todd C3 F7 by run", "move hawk F7 at 20": through squares, by a move, at an altitude.

    In the set-up phase it places the unit on the last square, however far.
    """
    battle, rules = setting.battle, setting.rules
    has_goal = any(map(is_square, words[1:]))  # else “move g3” is a move to G3
    unit, words = take_actor(words, setting, has_sign=has_goal or not (words and is_square(words[0])))
    stops: list[Square] = []
    words = skip(words, *TOWARDS)
    while found := take_square(words, battle):
        stops.append(found[0])
        words = skip(found[1], "to", "via")
    action, altitude = "", None
    while words:
        said = words[0].casefold()
        if said == "at":
            altitude, words = _height(words[1:], battle.field.unit)
        elif not stops and is_square(words[-1]) and take(words, action_names(rules, "move")) is None:
            raise Unknown("unit", words[0], unit_names(battle))
        else:
            action, words = expect("move", skip(words, "by"), action_names(rules, "move"))
    if not stops:
        if altitude is None:
            expect_square(words, battle)
        stops = [unit.at]
    if battle.is_set_up and not action:
        return _set_up_move(unit, stops[-1], altitude)
    if stops == [unit.at]:
        return Move(unit.id, (unit.at,), action, altitude)
    way = plan_path(battle, rules, unit, stops, action, MoveOptions(altitude=altitude))
    return Move(unit.id, way.path, action, altitude)


def _set_up_move(unit: Unit, square: Square, altitude: Height | None) -> Command:
    """A move in the set-up phase: a unit is placed anywhere, or raised where it is."""
    if altitude is None:
        return Place(unit.id, square)
    if square != unit.at:
        raise Illegal("words", f"One thing at a time: move {unit.id} {square.name}, then move {unit.id} at the height.")
    return SetAltitude(unit.id, altitude)


def read_attack(words: Words, setting: Setting) -> SubmitCommand:
    """ "shoot bandit", "shoot todd bandit aimed with rifle", "shoot todd D4": who, whom or where, how, with what.

    After these "free" for an attack out of turn at no cost, "defence dodge" for what is done against it ("defence
    screen by ada" where an ally does it, "defence dodge for ada" where several are struck, "defence none for todd" for
    an attacker who keeps its roll), "share 2 to kid" for hits of a burst that go to others, "dice 45 / 4" for what the
    table rolled.
    """
    battle, rules = setting.battle, setting.rules
    names = unit_names(battle)
    first, words = _aim(words, setting, names)
    if words and (second := _aim_maybe(skip(words, *TOWARDS), setting, names)):
        if isinstance(first, Square):
            raise Illegal("words", f"{first.name} is a square and cannot attack: type a unit first.")
        attacker, aim, words = battle.unit(first), second[0], second[1]
    else:
        if not setting.actor:
            raise Illegal("words", f"Type the attacker and the target: {', '.join(names)}.")
        attacker, aim = battle.unit(setting.actor), first
    weapon = action = ""
    answers: Given = ()
    is_free = False
    while words:
        match words[0].casefold():
            case "with":
                weapon, words = expect(f"weapon of {attacker.name}", words[1:], weapon_names(rules, attacker))
            case "free":
                is_free, words = True, words[1:]
            case "defence" | "defense":
                said, words = _defence(words[1:], setting)
                struck, is_one_of_several = "" if isinstance(aim, Square) else aim, False
                if words and words[0].casefold() == "for":
                    struck, words = expect("unit", words[1:], names)
                    is_one_of_several = True
                defence = next((one for one in rules.attack.defences if one.id == said.partition(":")[0]), None)
                q = defence_question(struck, is_one_of_several=is_one_of_several)
                if defence is not None and defence.is_before_roll:
                    q = screen_question(struck)
                answers = (*answers, GivenAnswer(q, choose=said))
            case "share":
                share, words = _share(words[1:], setting)
                answers = (*answers, *share_answers((share,)))
            case _:
                fitting = attacks_in_hand(rules, attacker, weapon) or attack_actions(
                    rules, weapon_of(rules, attacker, weapon)
                )
                known = names_of((one.id, one.label) for one in fitting)
                words = skip(words, "by", "as")  # one that the weapon cannot make is refused as such
                found = take_whole(words, action_names(rules, "attack"))
                if words and found is None and take(words, known) is None:
                    _refuse_lacking(rules, attacker, weapon, words[0])
                action, words = found or expect(f"attack of {attacker.name}", words, known)
    target, square = ("", aim) if isinstance(aim, Square) else (aim, None)
    return SubmitCommand(Attack(attacker.id, target, weapon, action, is_free, square), answers)


def read_throw(words: Words, setting: Setting) -> SubmitCommand:
    """ "throw bandit", "grenade todd D4", "throw bandit with smoke grenade": an attack with what the unit can throw.

    Without a weapon it is the one in hand, else the first that it carries.
    """
    actor = setting.battle.units.get(setting.actor)
    if not words and actor and not thrown_weapons(setting.rules, actor):
        why = throwers_words(setting.battle, setting.rules, actor)
        raise Illegal("weapon", f"{actor.name} has nothing to throw; {why}.")
    heard = read_attack(words, setting)
    attack = heard.command
    assert isinstance(attack, Attack)
    unit = setting.battle.unit(attack.unit)
    known = thrown_weapons(setting.rules, unit)
    weapon = attack.weapon or next(iter(known), "")
    if weapon not in known:
        what = f"cannot throw the {setting.rules.gear.weapons[weapon].label}" if weapon else "has nothing to throw"
        raise Illegal("weapon", f"{unit.name} {what}; {throwers_words(setting.battle, setting.rules, unit)}.")
    return replace(heard, command=replace(attack, weapon=weapon, action=attack.action or known[weapon].id))


def read_overwatch(words: Words, setting: Setting) -> Command:
    """ "overwatch", "overwatch todd", "overwatch todd with burst 3": the first kind of overwatch of the ruleset."""
    rules = setting.rules
    known = [action for action in rules.actions.values() if action.kind == "other" and action.letter[:1] == OVERWATCH]
    if not known:
        raise Illegal("words", f"{rules.name} has no overwatch; “actions” lists what a unit may do.")
    act = next((action for action in known if not action.target), known[0])
    unit, words = take_actor(words, setting)
    return read_act([unit.id, act.id, *words], setting)


def read_act(words: Words, setting: Setting) -> Command:
    """ "act todd kneel", "act kneel", "act todd grapple on bandit", "act todd kill zone around a square at D4".

    "act todd push on bandit to D4" where an act on somebody may go in a direction, "act todd overwatch at D4" where one
    on nobody has one. After these "with burst 3" for the attack that the act declares, where it declares one, and
    "free" for what is done at no cost, in any unit's turn.
    """
    battle = setting.battle
    is_free, words = take_last("free", words)
    unit, words = take_actor(words, setting)
    action, words = expect("action", words, action_names(setting.rules, "other"))
    target, square, attack = "", None, ""
    about = setting.rules.actions[action]
    has_aim = bool(words) and words[0].casefold() != "with"
    if has_aim and (about.target == SQUARE or about.is_directed):
        square, words = expect_square(skip(words, "towards", *TOWARDS), battle)
    elif has_aim:
        target, words = expect("unit", skip(words, *TOWARDS), unit_names(battle))
        if words and takes_square(setting.rules.actions[action]):
            square, words = expect_square(skip(words, "towards", *TOWARDS), battle)
    if words and words[0].casefold() == "with":
        ways = declarable(setting.rules, unit, setting.rules.actions[action])
        if words[1:] and not ways:
            declared_attack(setting.rules, unit, setting.rules.actions[action], words[1])  # says why there is none
        attack, words = expect("attack", words[1:], names_of((way.id, way.label) for way in ways))
    no_more(words)
    return Act(unit.id, action, target, square, attack, is_free)


def _refuse_lacking(rules: Ruleset, unit: Unit, weapon: str, word: str) -> None:
    """Raises Illegal where a word begins the name of an attack of the ruleset that the weapon does not have."""
    meant = word.casefold().replace("-", " ")
    names = [name for called in action_names(rules, "attack").values() for name in called]
    if len(meant) >= LEAST_BEGINNING and any(name.replace("-", " ").startswith(meant) for name in names):
        raise Illegal("weapon", f"{unit.name}'s {weapon_of(rules, unit, weapon).label} has no {meant}.")


def verb_of(word: str) -> str:
    """What a word of VERBS asks for, such as "stand up" for "rise"; "" for other words."""
    return next((words[0] for words in VERBS.values() if word in words), "")


def actions_for(word: str, rules: Ruleset) -> list[Action]:
    """The actions of a ruleset that a word means: by their letter (VERBS), else by a word of their names or groups."""
    letters = [letter for letter, words in VERBS.items() if word in words]
    known = [action for action in rules.actions.values() if action.letter]
    if found := [action for action in known if action.letter[0] in letters]:
        return found
    named = re.compile(rf"\b{re.escape(word)}\b")
    if len(word) < LEAST_NAMING:
        return []
    return [action for action in known if named.search(f"{action.id} {action.label} {action.group}".casefold())]


def suggested_actions(word: str, setting: Setting) -> list[str]:
    """The lines of the actions that a word means, each with the board's keys."""
    acts = actions_for(word, setting.rules)
    return [suggestion(brief_line(act), f"{{battle.act}} {' '.join(act.letter)}", setting) for act in acts]


def brief_line(action: Action) -> str:
    """The line of an action of the unit that acts: "shoot UNIT short-burst", "move SQUARE by run", "act kneel"."""
    match action.kind:
        case "move":
            return f"move SQUARE by {action.id}"
        case "attack":
            return f"shoot {'SQUARE' if action.target == SQUARE else 'UNIT'} {action.id}"
    on = " at SQUARE" if action.target == SQUARE else " on UNIT" if action.target else ""
    return f"act {action.id}{on}"


def _aim(words: Words, setting: Setting, names: Names) -> tuple[str | Square, Words]:
    if found := _aim_maybe(words, setting, names):
        return found
    if not words:
        raise Missing("words", f"Type a target: {', '.join(names)}, or a square.")
    raise Unknown("unit or square", words[0], names)


def _aim_maybe(words: Words, setting: Setting, names: Names) -> tuple[str | Square, Words] | None:
    """Parses a unit or a square: a full name first, then a square, then an abbreviated name."""
    return take_unit_or_square(words, names, setting.battle) or _begun(words, setting, names)


def _begun(words: Words, setting: Setting, names: Names) -> tuple[str, Words] | None:
    """Parses an abbreviated name, or a letter on the board, unless the word is a keyword here."""
    is_own = bool(words) and (words[0].casefold() in PARTS or bool(take_whole(words, action_names(setting.rules))))
    return None if is_own else take_unit(words, names)


def _defence(words: Words, setting: Setting) -> tuple[str, Words]:
    """Parses a defence: its id and the rest of the words."""
    if words and words[0].casefold() in (NOBODY, "no"):
        return "", words[1:]
    known = names_of((defence.id, defence.label) for defence in setting.rules.attack.defences)
    defence, words = expect("defence", words, known)
    if words and words[0].casefold() == "by":
        ally, words = expect("unit", words[1:], unit_names(setting.battle))
        return f"{defence}:{ally}", words
    return defence, words


def _share(words: Words, setting: Setting) -> tuple[tuple[str, int], Words]:
    """Parses a split of hits: a unit, a number, and the rest of the words."""
    if not words or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) <= 3):
        raise (Illegal if words else Missing)(
            "words", "Type a number of hits and a unit after “share”: share 2 to kid."
        )
    unit, rest = expect("unit", skip(words[1:], *TOWARDS), unit_names(setting.battle))
    return (unit, int(words[0])), rest


def _height(words: Words, unit: str) -> tuple[Height, Words]:
    """Parses a height above the ground in hundredths of the map's unit, and the rest of the words."""
    said = words[0] if words else ""
    whole, dot, part = said.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(whole) <= 5) or (dot and not part.isdecimal()):
        raise (Illegal if words else Missing)("words", f"Type the height above the ground in {unit} after “at”: at 20.")
    return int(Fraction(said) * 100), words[1:]


def write_move(move: Move, setting: Setting) -> str:
    squares = " ".join(square.name for square in move.path[1:] or move.path)
    by = f" by {move.action}" if move.action else ""
    at = f" at {move.altitude / 100:g}" if move.altitude is not None else ""
    return f"move {move.unit} {squares}{by}{at}"


def write_attack(attack: Attack, setting: Setting) -> str:
    parts = [
        f"shoot {attack.unit} {attack.square.name if attack.square else attack.target}",
        f"with {attack.weapon}" * bool(attack.weapon),
        attack.action,
        "free" * attack.is_free,
    ]
    return " ".join(filter(None, parts))


def write_act(act: Act, setting: Setting) -> str:
    on = f"on {act.target}" if act.target else ""
    at = f"{'to' if on else 'at'} {act.square.name}" if act.square else ""
    parts = [f"act {act.unit} {act.action}", on, at, f"with {act.attack}" * bool(act.attack), "free" * act.is_free]
    return " ".join(filter(None, parts))


FORMS = (
    Form("move [UNIT] SQUARE … [by MOVE] [at HEIGHT]", "move to a square; squares before it are waypoints", (Move,),
         read_move,
         write_move, ("go",), rolls=True, like=("walk", "step", "advance"), key="battle.move"),
    Form("shoot [UNIT] UNIT|SQUARE [ATTACK] [with WEAPON] [free] [share NUMBER to UNIT] "
         "[defence DEFENCE [by UNIT] [for UNIT]]",
         "attack a unit or a square; also out of turn, if the unit may", (Attack,), read_attack, write_attack,
         ("attack", "shot", "fire", "hit"), rolls=True, key="battle.fire",
         like=("melee", "stab", "slash", "strike", "punch", "kick", "fight")),
    Form("throw [UNIT] UNIT|SQUARE [with WEAPON] [free]", "throw a grenade, or another weapon that is thrown",
         read=read_throw, also=("grenade",), rolls=True, like=("lob", "toss", "hurl")),
    Form("overwatch [UNIT] [with ATTACK]", "go on overwatch, where the ruleset has it", read=read_overwatch,
         rolls=True, like=("watch", "guard")),
    Form("act [UNIT] ACTION [on UNIT [to SQUARE] | at SQUARE] [with ATTACK] [free]",
         "take any other action; its name alone works too; an attack that it declares (overwatch) follows “with”; "
         "a push or overwatch may name a square for its direction",
         (Act,), read_act, write_act, rolls=True, like=("action",)),
    Form("face [UNIT] DIRECTION", "face a direction such as NE; out of turn it counts as a GM change", (Face,),
         also=("turn",), rolls=True, like=("rotate", "facing")),
    Form("take [UNIT] WEAPON [free]", "switch to another weapon", (Ready,), also=("ready", "draw"),
         like=("melee", "weapon", "wield", "equip", "switch"), key="battle.weapon"),
    Form("end", "end the turn", (EndTurn,), also=("done", "next"), rolls=True,
         like=("skip", "pass", "finished", "round"), key="battle.end_turn"),
)  # fmt: skip
