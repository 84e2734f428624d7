"""The table itself in words: who is on it, what is drawn, lit, noted and thrown there."""

from __future__ import annotations

from engine.battle.commands.gear import Give, SetAmmunition, TakeAway
from engine.battle.commands.notes import SetNote
from engine.battle.commands.order import SetTurn
from engine.battle.commands.roster import CopyUnit, RemoveUnit, RenameUnit, SetHidden, SetSide
from engine.battle.commands.terrain import Draw, SetEdges, SetElevation, SetGround
from engine.battle.table.gear import carried, givable
from engine.dice.sources import parse_typed
from engine.errors import Illegal, Unknown
from engine.field.battlefield import Ground
from engine.field.editing import edges_along, rectangle
from engine.field.squares import Direction, Square
from maps import palette
from maps.groups import load_groups
from tui.folders import group_file
from tui.typed_table import parse_cover, parse_height, parse_light, parse_recruits, parse_rounds, parse_throw
from tui.words.deeds import split_dice
from tui.words.naming import Words, expect, expect_square, names_of, no_more, skip, take, take_square, unit_names
from tui.words.order import read_members, read_units
from tui.words.spoken import Correction, Setting, SubmitCommand, Told, take_actor
from tui.wreckage import wreck_choices

SIDES = {side.name: side for side in (Direction.N, Direction.E, Direction.S, Direction.W)}
AROUND = "around"
ALL = "all:"
"""Before a note on the battle, where its first word could be a name."""
NOTHING = "nothing"


def read_add(words: Words, setting: Setting) -> SubmitCommand:
    """ "add rifleman outlaws D4", "add 3 rifleman outlaws D4 Bandit hidden"."""
    count, words = (words[0], words[1:]) if words and words[0].isdecimal() else ("", words)
    roles = names_of((role, role) for role in setting.rules.units.sheets)
    role, words = expect("role", words, roles)
    side, here, words = _side_and_square(words, setting)
    return SubmitCommand(parse_recruits(" ".join((count, *words)), role, side, here))


def read_group(words: Words, setting: Setting) -> SubmitCommand:
    """ "group patrol outlaws D4", "group patrol outlaws D4 hidden"; of units on the table "group goon-1 goon-2"."""
    if members := read_members(words, setting):
        return members
    groups = load_groups(group_file())
    key, words = expect("group", words, names_of((group.id, group.name) for group in groups.values()))
    side, here, words = _side_and_square(words, setting)
    is_hidden = [word.casefold() for word in words] == ["hidden"]
    no_more(words if not is_hidden else ())
    return SubmitCommand(groups[key].placed(side, here, is_hidden))


def read_copy(words: Words, setting: Setting) -> SubmitCommand:
    """ "copy bandit", "copy bandit D4 3"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    here, words = take_square(skip(words, "at", "on"), setting.battle) or (setting.battle.unit(unit).at, words)
    count = parse_rounds(words[0]) if words else 1
    no_more(words[1:])
    return SubmitCommand(CopyUnit(unit, here, count))


def read_remove(words: Words, setting: Setting) -> SubmitCommand:
    """ "remove bandit", "remove bandit cutter", "remove outlaws": units, or all of a side."""
    first, *others = read_units(words, setting) if words else [_unit_alone(words, setting)]
    return SubmitCommand(RemoveUnit(first, tuple(others)))


def read_name(words: Words, setting: Setting) -> SubmitCommand:
    """ "name bandit Cole"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    return SubmitCommand(RenameUnit(unit, " ".join(words)))


def read_side(words: Words, setting: Setting) -> SubmitCommand:
    """ "side bandit law", "side bandit law neutral"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    is_neutral = bool(words) and words[-1].casefold() == "neutral"
    words = words[:-1] if is_neutral else words
    side = " ".join(words) or setting.battle.unit(unit).side
    return SubmitCommand(SetSide(unit, side, is_neutral))


def read_hide(words: Words, setting: Setting) -> SubmitCommand:
    """ "hide bandit"."""
    return SubmitCommand(SetHidden(_unit_alone(words, setting)))


def read_reveal(words: Words, setting: Setting) -> SubmitCommand:
    """ "reveal bandit"."""
    return SubmitCommand(SetHidden(_unit_alone(words, setting), False))


def read_now(words: Words, setting: Setting) -> SubmitCommand:
    """ "now bandit": it is its turn."""
    return SubmitCommand(SetTurn(_unit_alone(words, setting)))


def read_rounds(words: Words, setting: Setting) -> SubmitCommand:
    """ "rounds bandit 5", "rounds bandit 5 rifle"."""
    unit, words = take_actor(words, setting)
    rounds = parse_rounds(words[0] if words else "")
    weapon, words = "", words[1:]
    if words:
        known = names_of((held, setting.rules.gear.weapons[held].label) for held in unit.gear.weapons)
        weapon, words = expect(f"weapon of {unit.name}", words, known)
    no_more(words)
    return SubmitCommand(SetAmmunition(unit.id, rounds, weapon))


def read_give(words: Words, setting: Setting) -> SubmitCommand | Told:
    """ "give bandit rifle", "give bandit plates": a weapon, armour in place of what it wears, or an accessory.

    "give" alone lists all of them.
    """
    unit, words = take_actor(words, setting)
    if not words:
        return _givable(setting)
    try:
        item, words = expect(
            f"weapon or armour of {setting.rules.name}", words, names_of(givable(setting.rules).items())
        )
    except Unknown as reason:
        raise Illegal("gear", f"{reason} “give” alone lists all that there is.") from None
    no_more(words)
    return SubmitCommand(Give(unit.id, item))


def _givable(setting: Setting) -> Told:
    """All that may be given, by kind, as it is typed."""
    rules = setting.rules
    kinds = (("Weapons", rules.gear.weapons), ("Armour", rules.gear.armour), ("Accessories", rules.gear.accessories))
    told = tuple(f"{label}: {', '.join(sorted(things))}." for label, things in kinds if things)
    return Told("What may be given", told, is_list=True)


def read_lose(words: Words, setting: Setting) -> SubmitCommand:
    """ "lose bandit rifle", "lose bandit plates"."""
    unit, words = take_actor(words, setting)
    item, words = expect(f"weapon or armour of {unit.name}", words, names_of(carried(setting.rules, unit).items()))
    no_more(words)
    return SubmitCommand(TakeAway(unit.id, item))


def read_light(words: Words, setting: Setting) -> SubmitCommand:
    """ "light dark", "light dim D4", "light dim D4 3"."""
    light, *rest = words or [""]
    found = take_square(skip(rest, "at", "on", "all"), setting.battle)
    if found is None:
        no_more(skip(rest, "all"))
        return SubmitCommand(parse_light(f"{light} all", Square(0, 0), setting.battle.field))
    return SubmitCommand(parse_light(" ".join((light, *found[1])), found[0], setting.battle.field))


def read_lamp(words: Words, setting: Setting) -> SubmitCommand:
    """ "lamp D4 2 6", "lamp D4 2 6 8" (bright, dim, height), "lamp D4 off"."""
    here, words = expect_square(words, setting.battle)
    return SubmitCommand(parse_light(f"lamp {' '.join(words)}", here, setting.battle.field))


def read_cover(words: Words, setting: Setting) -> SubmitCommand:
    """ "cover bandit none", "cover todd bandit 75 heavy!", "cover bandit seen": of a target, from whoever attacks."""
    names = unit_names(setting.battle)
    first, words = expect("unit", words, names)
    second = take(skip(words, "from"), names)
    if second is None:
        if not setting.actor:
            raise Illegal("words", "Say from whom, then who is covered: cover todd bandit half.")
        return SubmitCommand(parse_cover(" ".join(words), setting.actor, first))
    return SubmitCommand(parse_cover(" ".join(second[1]), first, second[0]))


def read_note(words: Words, setting: Setting) -> SubmitCommand:
    """ "note D4 a trap", "note bandit has the key", "note rain from round 4", "note all: rain", "note clear note-1"."""
    battle = setting.battle
    if len(words) == 2 and words[0].casefold() == "clear":
        return SubmitCommand(SetNote("", note=words[1]))
    if found := take_square(words, battle):
        return SubmitCommand(SetNote(" ".join(found[1]), found[0]))
    if named := take(words, unit_names(battle)):
        return SubmitCommand(SetNote(" ".join(named[1]), unit=named[0]))
    text = " ".join(words)
    return SubmitCommand(SetNote(text[len(ALL) :].strip() if text.casefold().startswith(ALL) else text))


def read_notes(words: Words, setting: Setting) -> Told:
    """ "notes": all of them, with their ids."""
    no_more(words)
    battle = setting.battle
    told = []
    for note in battle.gm.notes:
        place = battle.unit(note.unit).name if note.unit else note.at.name if note.at else "the battle"
        told.append(f"{note.id}, {place}: {note.text}")
    return Told("Notes", tuple(told) or ("There is no note.",), is_list=True)


def read_roll(words: Words, setting: Setting) -> SubmitCommand:
    """ "roll 3d6+2", "roll 3d6+2 wolves", "roll 2d6 dice 3 5"."""
    words, typed, asks = split_dice(words)
    return SubmitCommand(parse_throw(" ".join(words)), typed, asks)


def read_correct(words: Words, setting: Setting) -> Correction:
    """ "correct 45 / 4 6": the last command done again with these dice."""
    typed = parse_typed(" ".join(words))
    if not typed:
        raise Illegal("words", "Say what was rolled: correct 45 / 4 6.")
    return Correction(typed)


def read_wreck(words: Words, setting: Setting) -> SubmitCommand:
    """ "wreck D4", "wreck D4 N": what stands on the square, or on that side of it, is shot to pieces."""
    here, words = expect_square(words, setting.battle)
    choices = wreck_choices(setting.battle, here)
    wanted = f"{words[0].upper()} of {here.name}" if words else f"on {here.name}"
    no_more(words[1:])
    fitting = [wish for label, wish in choices.items() if label.endswith(wanted)]
    if not fitting and not words and len(choices) == 1:
        fitting = list(choices.values())
    if not fitting:
        there = f"There is {', '.join(choices)}." if choices else f"Nothing stands on {here.name} or its sides."
        raise Illegal("words", f"Nothing there can be shot to pieces. {there}")
    return SubmitCommand(fitting[0])


def read_paint(words: Words, setting: Setting) -> SubmitCommand:
    """ "paint D4 rubble", "paint D4 F7 wall", "paint D4 crate", "paint D4 nothing": ground, or a thing on it."""
    squares, words = _squares(words, setting)
    field = setting.battle.field
    names = names_of((name, name) for name in (*palette.TERRAINS, *palette.THINGS, NOTHING))
    name, words = expect("ground or thing", words, names)
    no_more(words)

    def ground(square: Square) -> Ground:
        there = field.ground_at(square)
        if name == NOTHING:
            return palette.bare(there, field.unit)
        is_thing = name in palette.THINGS
        return palette.thing(name, field.unit, there) if is_thing else palette.terrain(name, field.unit)

    found: dict[Ground, list[Square]] = {}
    for square in squares:
        found.setdefault(ground(square), []).append(square)
    return SubmitCommand(Draw(tuple(SetGround(tuple(alike), laid) for laid, alike in found.items())))


def read_wall(words: Words, setting: Setting) -> SubmitCommand:
    """ "wall D4 N", "wall D4 F7 around", "wall D4 N door", "wall D4 N nothing": something thin on edges."""
    squares, words = _squares(words, setting)
    side, words = expect("side", words, names_of((name, name) for name in (*SIDES, AROUND)))
    name = "wall"
    if words:
        name, words = expect("thin thing", words, names_of((one, one) for one in (*palette.EDGES, NOTHING)))
    no_more(words)
    edges = edges_along(squares, SIDES.values() if side == AROUND else [SIDES[side]])
    return SubmitCommand(SetEdges(edges, None if name == NOTHING else palette.thin(name, setting.battle.field.unit)))


def read_ground(words: Words, setting: Setting) -> SubmitCommand:
    """ "ground D4 10", "ground D4 F7 -5": how high the ground is, in the map's unit."""
    squares, words = _squares(words, setting)
    height = parse_height(words[0] if words else "")
    no_more(words[1:])
    return SubmitCommand(SetElevation(squares, height))


def _unit_alone(words: Words, setting: Setting) -> str:
    unit, words = expect("unit", words, unit_names(setting.battle))
    no_more(words)
    return unit


def _squares(words: Words, setting: Setting) -> tuple[tuple[Square, ...], Words]:
    """One square, or all between two corners."""
    first, words = expect_square(words, setting.battle)
    second = take_square(skip(words, "to"), setting.battle)
    return (rectangle(first, second[0]), second[1]) if second else ((first,), words)


def _side_and_square(words: Words, setting: Setting) -> tuple[str, Square, Words]:
    """A side, known or new, then a square; without one the square that is meant."""
    known = {unit.side for unit in setting.battle.units.values()}
    found = take(words, names_of((side, side) for side in known))
    if found is None:
        if not words:
            raise Unknown("side", "", known)
        found = words[0], words[1:]
    side, words = found
    square = take_square(skip(words, "at", "on"), setting.battle)
    if square is not None:
        return side, square[0], square[1]
    if setting.square is None:
        raise Illegal("words", "Say where: a square, as D4.")
    return side, setting.square, words
