"""What units do, in words: moves, attacks, other actions, and the order of turns."""

from __future__ import annotations

from fractions import Fraction

from engine.battle.acting import declarable
from engine.battle.attacks.shots import attack_actions, weapon_of
from engine.battle.commands import Act, Attack, EndTurn, Move, Typed
from engine.battle.commands.actions import Face, Ready
from engine.battle.commands.order import RollInitiative
from engine.battle.moves.modes import MoveOptions
from engine.battle.moves.moving import way_through
from engine.battle.units import Unit
from engine.dice.sources import parse_typed
from engine.errors import Illegal, Unknown
from engine.field.battlefield import Height
from engine.field.squares import Direction, Square
from engine.rules.model import SQUARE, Action, Ruleset
from tui.typed import parse_declared
from tui.words.naming import (
    Names,
    Words,
    expect,
    expect_square,
    names_of,
    no_more,
    skip,
    take,
    take_square,
    take_whole,
    unit_names,
)
from tui.words.spoken import Setting, SubmitCommand, take_actor

TOWARDS = ("to", "at", "on")
NOBODY = "none"
PARTS = frozenset({"with", "free", "defence", "defense", "share", "by", "as"})
"""Words with which a further part of an attack begins."""


def split_dice(words: Words) -> tuple[Words, Typed, bool]:
    """The words but "dice" and the dice typed after it, as "dice 45 / 4 6", and whether to ask for what is not typed.

    Other parts of an attack may follow the dice, as "defence none".

    Raises:
        Illegal: what follows is no dice.
    """
    folded = [word.casefold() for word in words]
    if "dice" not in folded:
        return words, (), False
    place = folded.index("dice")
    end = next((at for at in range(place + 1, len(words)) if folded[at] in PARTS), len(words))
    return [*words[:place], *words[end:]], parse_typed(" ".join(words[place + 1 : end])), place + 1 == end


def read_move(words: Words, setting: Setting) -> SubmitCommand:
    """ "move todd F7", "move todd C3 F7 by run", "move hawk F7 at 20": through squares, by a move, at an altitude."""
    battle, rules = setting.battle, setting.rules
    words, typed, asks = split_dice(words)
    unit, words = take_actor(words, setting)
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
        else:
            action, words = expect("move", skip(words, "by"), _actions(rules, "move"))
    if not stops:
        if altitude is None:
            expect_square(words, battle)
        stops = [unit.at]
    if stops == [unit.at]:
        return SubmitCommand(Move(unit.id, (unit.at,), action, altitude), typed, asks)
    way = way_through(battle, rules, unit, stops, action, MoveOptions(altitude=altitude))
    return SubmitCommand(Move(unit.id, way.path, action, altitude), typed, asks)


def read_attack(words: Words, setting: Setting) -> SubmitCommand:
    """ "shoot bandit", "shoot todd bandit aimed with rifle", "shoot todd D4": who, whom or where, how, with what.

    After these "free" for an attack out of turn at no cost, "defence dodge" for what is done against it ("defence
    screen by ada" where an ally does it, "defence dodge for ada" where several are struck), "share 2 to kid" for hits
    of a burst that go to others, "dice 45 / 4" for what the table rolled.
    """
    battle, rules = setting.battle, setting.rules
    words, typed, asks = split_dice(words)
    names = unit_names(battle)
    first, words = _aim(words, setting, names)
    if words and (second := _aim_maybe(skip(words, *TOWARDS), setting, names)):
        if isinstance(first, Square):
            raise Illegal("words", f"{first.name} cannot attack: say a unit first.")
        attacker, aim, words = battle.unit(first), second[0], second[1]
    else:
        if not setting.actor:
            raise Illegal("words", f"Say who attacks whom: {', '.join(names)}.")
        attacker, aim = battle.unit(setting.actor), first
    weapon = action = ""
    defence: str | None = None
    share: tuple[tuple[str, int], ...] = ()
    defences: tuple[tuple[str, str], ...] = ()
    is_free = False
    while words:
        match words[0].casefold():
            case "with":
                weapon, words = expect(f"weapon of {attacker.name}", words[1:], weapon_names(rules, attacker))
            case "free":
                is_free, words = True, words[1:]
            case "defence" | "defense":
                said, words = _defence(words[1:], setting)
                if words and words[0].casefold() == "for":
                    struck, words = expect("unit", words[1:], names)
                    defences = (*defences, (struck, said))
                else:
                    defence = said
            case "share":
                given, words = _share(words[1:], setting)
                share = (*share, given)
            case _:
                fitting = attack_actions(rules, weapon_of(rules, attacker, weapon))
                known = names_of((one.id, one.label) for one in fitting)
                action, words = expect(f"attack of {attacker.name}", skip(words, "by", "as"), known)
    target, square = ("", aim) if isinstance(aim, Square) else (aim, None)
    return SubmitCommand(
        Attack(attacker.id, target, weapon, action, is_free, square, defence, share, defences), typed, asks
    )


def read_act(words: Words, setting: Setting) -> SubmitCommand:
    """ "act todd kneel", "act kneel", "act todd grapple on bandit", "act todd kill zone around a square at D4".

    After these "with burst 3" for the attack that the act declares, where it declares one, and "free" for what is done
    at no cost, whoever's turn it is.
    """
    battle = setting.battle
    words, typed, asks = split_dice(words)
    is_free, words = _split_free(words)
    unit, words = take_actor(words, setting)
    action, words = expect("action", words, _actions(setting.rules, "other"))
    target, square, attack = "", None, ""
    if words and setting.rules.actions[action].target == SQUARE:
        square, words = expect_square(skip(words, *TOWARDS), battle)
    elif words and words[0].casefold() != "with":
        target, words = expect("unit", skip(words, *TOWARDS), unit_names(battle))
    if words and words[0].casefold() == "with":
        ways = declarable(setting.rules, unit, setting.rules.actions[action])
        attack, words = expect("attack", words[1:], names_of((way.id, way.label) for way in ways))
    no_more(words)
    return SubmitCommand(Act(unit.id, action, target, square, attack, is_free), typed, asks)


def read_face(words: Words, setting: Setting) -> SubmitCommand:
    """ "face todd NE"."""
    unit, words = take_actor(words, setting)
    ways = names_of((way.name, way.name) for way in Direction)
    way, words = expect("direction", skip(words, *TOWARDS), ways)
    no_more(words)
    return SubmitCommand(Face(unit.id, Direction[way]))


def read_take(words: Words, setting: Setting) -> SubmitCommand:
    """ "take todd rifle", "take todd rifle free": another weapon in hand, in its turn or by the GM's leave."""
    is_free, words = _split_free(words)
    unit, words = take_actor(words, setting)
    weapon, words = expect(f"weapon of {unit.name}", words, weapon_names(setting.rules, unit))
    no_more(words)
    return SubmitCommand(Ready(unit.id, weapon, is_free))


def read_end(words: Words, setting: Setting) -> SubmitCommand:
    """ "end": the turn."""
    words, typed, asks = split_dice(words)
    no_more(words)
    return SubmitCommand(EndTurn(), typed, asks)


def read_initiative(words: Words, setting: Setting) -> SubmitCommand:
    """ "initiative", and where the ruleset rolls for what units declare "initiative todd aimed shot, ada dodge"."""
    words, typed, asks = split_dice(words)
    if not setting.rules.turns.initiative.declares:
        no_more(words)
        return SubmitCommand(RollInitiative(), typed, asks)
    return SubmitCommand(parse_declared(" ".join(words), setting.battle, setting.rules), typed, asks)


def _split_free(words: Words) -> tuple[bool, Words]:
    """Whether a last "free" asks for the GM's leave, and the words before it."""
    is_free = bool(words) and words[-1].casefold() == "free"
    return is_free, words[:-1] if is_free else words


def weapon_names(rules: Ruleset, unit: Unit) -> Names:
    """What a unit's weapons are called."""
    return names_of((weapon, rules.gear.weapons[weapon].label) for weapon in unit.gear.weapons)


def action_names(rules: Ruleset) -> Names:
    """What every action of a ruleset is called."""
    return names_of((action.id, action.label) for action in rules.actions.values())


def _actions(rules: Ruleset, kind: str) -> Names:
    return names_of((action.id, action.label) for action in _of_kind(rules, kind))


def _of_kind(rules: Ruleset, kind: str) -> list[Action]:
    return [action for action in rules.actions.values() if action.kind == kind]


def _aim(words: Words, setting: Setting, names: Names) -> tuple[str | Square, Words]:
    if found := _aim_maybe(words, setting, names):
        return found
    if not words:
        raise Illegal("words", f"Say whom: {', '.join(names)}, or a square.")
    raise Unknown("unit or square", words[0], names)


def _aim_maybe(words: Words, setting: Setting, names: Names) -> tuple[str | Square, Words] | None:
    """A unit or a square; a name that is spelt out before a square, a square before a name that is only begun."""
    return take_whole(words, names) or take_square(words, setting.battle) or _begun(words, setting, names)


def _begun(words: Words, setting: Setting, names: Names) -> tuple[str, Words] | None:
    """A unit whose name the first word begins, unless it is a word with a meaning of its own here."""
    is_own = bool(words) and (words[0].casefold() in PARTS or bool(take_whole(words, action_names(setting.rules))))
    return None if is_own else take(words, names)


def _defence(words: Words, setting: Setting) -> tuple[str, Words]:
    """The answer as `Attack.defence` has it, and the words after it."""
    if words and words[0].casefold() in (NOBODY, "no"):
        return "", words[1:]
    known = names_of((defence.id, defence.label) for defence in setting.rules.attack.defences)
    defence, words = expect("defence", words, known)
    if words and words[0].casefold() == "by":
        ally, words = expect("unit", words[1:], unit_names(setting.battle))
        return f"{defence}:{ally}", words
    return defence, words


def _share(words: Words, setting: Setting) -> tuple[tuple[str, int], Words]:
    """Somebody and how many hits go to them, and the words after it."""
    if not words or not (words[0].isascii() and words[0].isdecimal() and len(words[0]) <= 3):
        raise Illegal("words", "Say after “share” how many hits and to whom: share 2 to kid.")
    unit, rest = expect("unit", skip(words[1:], *TOWARDS), unit_names(setting.battle))
    return (unit, int(words[0])), rest


def _height(words: Words, unit: str) -> tuple[Height, Words]:
    """A height above the ground in hundredths of the map's unit, and the words after it."""
    said = words[0] if words else ""
    whole, dot, part = said.partition(".")
    if not (whole.isascii() and whole.isdecimal() and len(whole) <= 5) or (dot and not part.isdecimal()):
        raise Illegal("words", f"Say after “at” how high above the ground, in {unit}: at 20.")
    return int(Fraction(said) * 100), words[1:]
