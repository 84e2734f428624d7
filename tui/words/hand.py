"""The Game Master's hand in words: what is set, placed, opened, laid and ruled without asking the rules."""

from __future__ import annotations

from engine.battle.commands.roster import SetOut
from engine.battle.commands.scene import ClearCharge, ClearCloud, SetOff
from engine.battle.commands.terrain import SetBarrier
from engine.battle.commands.unit_edits import DamageUnits, Place, SetPool
from engine.battle.setup import pools_of
from engine.battle.units import Unit
from engine.errors import Illegal
from engine.field.squares import Direction, Square, edge_of
from engine.values import replace
from tui.settings import TITLES
from tui.typed import AMOUNT, parse_adjustment, parse_change, parse_ruling, parse_smoke, parse_stat
from tui.words.naming import Words, expect, expect_square, names_of, no_more, skip, take_square, take_whole, unit_names
from tui.words.order import read_units
from tui.words.spoken import Setting, ShowPanel, SubmitCommand, TourWanted, Travel, take_actor

MOST_STEPS = 10_000
MOST_DIGITS = 6
KILLED = "killed"
"""Why a unit is out of the fight when that is said in one word."""
STATES = {"open": "open", "close": "closed", "lock": "locked", "unlock": "closed", "break": "broken"}
SIDES = (Direction.N, Direction.E, Direction.S, Direction.W)


def read_set(words: Words, setting: Setting) -> SubmitCommand:
    """ "set todd -5", "set todd armour 45", "set todd prone", "set todd dodging 3", "set todd initiative 15"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    return SubmitCommand(parse_change(" ".join(words), setting.battle.unit(unit), setting.rules))


def read_damage(words: Words, setting: Setting) -> SubmitCommand:
    """ "damage todd 5", "damage ox raven 5", "damage crew 1 fatigue": so much less, of everybody named."""
    if not words:
        expect("unit", words, unit_names(setting.battle))
    numbers = [place for place, word in enumerate(words) if word.isascii() and word.isdecimal()]
    at = numbers[-1] if numbers else len(words)  # "damage guard 2 5": the last is how much
    units = read_units(words[:at], setting)
    number, pool = _how_much(words[at:], setting, " ".join(("damage", *words[:at])))
    return SubmitCommand(DamageUnits(units, int(number), pool))


def read_stat(words: Words, setting: Setting) -> SubmitCommand:
    """ "stat todd dexterity 9", "stat todd dexterity +2", "stat todd npc yes": any stat that the ruleset declares."""
    name, words = expect("unit", words, unit_names(setting.battle))
    stat, words = expect("stat", words, names_of((one.id, one.label) for one in setting.rules.units.stats.values()))
    if not words:
        raise Illegal("words", f"Type a value after the stat: stat {name} {stat} 9.")
    return SubmitCommand(parse_stat(stat, " ".join(words), setting.battle.unit(name), setting.rules))


def read_heal(words: Words, setting: Setting) -> SubmitCommand:
    """ "heal todd 3", "heal todd 3 armour": so much back, but no more than there was at first."""
    unit, number, pool = _number(words, setting, "heal")
    wish = parse_change(f"{pool} +{number}".strip(), unit, setting.rules)
    if isinstance(wish, SetPool):
        full = pools_of(setting.rules, unit).get(wish.pool, wish.value)
        wish = replace(wish, value=max(unit.pools.get(wish.pool, 0), min(wish.value, full)))
    return SubmitCommand(wish)


def read_hp(words: Words, setting: Setting) -> SubmitCommand:
    """ "hp todd 12": the first number that a unit has is that from now on; "hp todd -5", "hp todd +3" change it."""
    name, words = expect("unit", words, unit_names(setting.battle))
    if len(words) != 1 or not AMOUNT.fullmatch(words[0]):
        raise Illegal("words", f"Type a value or a change after the unit: hp {name} 12, hp {name} -5.")
    return SubmitCommand(parse_change(words[0], setting.battle.unit(name), setting.rules))


def read_kill(words: Words, setting: Setting) -> SubmitCommand:
    """ "kill todd", "kill todd bleeds out": it is out of the fight."""
    names = unit_names(setting.battle)
    unit, words = expect("unit", words, names)
    if other := take_whole(words, names):
        raise Illegal("words", f"One unit at a time: kill {unit}, then kill {other[0]}.")
    return SubmitCommand(SetOut(unit, " ".join(words) or KILLED))


def _number(words: Words, setting: Setting, verb: str) -> tuple[Unit, str, str]:
    """The unit, how much, and the name of the number meant; "" for the first that the unit has."""
    name, words = expect("unit", words, unit_names(setting.battle))
    number, pool = _how_much(words, setting, f"{verb} {name}")
    return setting.battle.unit(name), number, pool


def _how_much(words: Words, setting: Setting, said: str) -> tuple[str, str]:
    """A number, and the pool that is named after it; "" for none."""
    if not words or not (words[0].isascii() and words[0].isdecimal()) or len(words[0]) > MOST_DIGITS:
        raise Illegal("words", f"Type how much after the unit: {said} 5.")
    number, words, pool = words[0], words[1:], ""
    if words:
        known = names_of((one.id, one.label) for one in setting.rules.units.pools.values())
        pool, words = expect("number", words, known)
        no_more(words)
    return number, pool


def read_place(words: Words, setting: Setting) -> SubmitCommand:
    """ "place todd F7": as if picked up by hand."""
    unit, words = take_actor(words, setting)
    square, words = expect_square(skip(words, "at", "on"), setting.battle)
    no_more(words)
    return SubmitCommand(Place(unit.id, square))


def read_smoke(words: Words, setting: Setting) -> SubmitCommand:
    """ "smoke D4 3", "smoke D4 3 5 thin" (radius, rounds), "smoke clear D4", "smoke clear"."""
    is_clearing = bool(words) and words[0].casefold() == "clear"
    found = take_square(words[is_clearing:], setting.battle)
    if is_clearing and found is None:
        no_more(words[1:])
        return SubmitCommand(ClearCloud())
    here, words = found or (_here(setting), words[is_clearing:])
    return SubmitCommand(parse_smoke("clear" if is_clearing else " ".join(words), here, setting.battle))


def read_wind(words: Words, setting: Setting) -> SubmitCommand:
    """ "wind E 2": two squares a round towards the east; "wind 0"."""
    return SubmitCommand(parse_smoke(f"wind {' '.join(words)}", Square(0, 0), setting.battle))


def read_charge(command: type[SetOff | ClearCharge], words: Words, setting: Setting) -> SubmitCommand:
    """ "setoff D4", "takeup D4": what was laid there."""
    square, words = expect_square(skip(words, "at", "on"), setting.battle)
    no_more(words)
    return SubmitCommand(command(square))


def read_door(verb: str, words: Words, setting: Setting) -> SubmitCommand:
    """ "open D4", "open D4 N": the door on that side of the square, or the only one that there is."""
    square, words = expect_square(words, setting.battle)
    known = {side: edge_of(square, side) for side in SIDES}
    doors = {
        side: edge
        for side, edge in known.items()
        if edge in setting.battle.field.barriers and setting.battle.field.barriers[edge].can_open
    }
    if words:
        way, words = expect("side", words, names_of((side.name, side.name) for side in SIDES))
        no_more(words)
        return SubmitCommand(SetBarrier(known[Direction[way]], STATES[verb]))
    if len(doors) != 1:
        which = f"doors {' and '.join(side.name for side in doors)}: say which, as {verb} {square.name} N"
        raise Illegal("words", f"{square.name} has {which if doors else 'no door on its sides'}.")
    return SubmitCommand(SetBarrier(next(iter(doors.values())), STATES[verb]))


def read_gm(words: Words, setting: Setting) -> SubmitCommand:
    """ "gm +10 high ground", "gm 3 off": a change to the next attack's ledger; a last ! keeps it."""
    return SubmitCommand(parse_adjustment(" ".join(words), setting.ledger, setting.battle))


def read_ruling(words: Words, setting: Setting) -> SubmitCommand:
    """ "ruling smoke-blinds yes": decided otherwise, for this battle."""
    rules = setting.rules
    known = names_of((ruling.id, ruling.label) for ruling in rules.rulings.values())
    name, words = expect(f"ruling of {rules.name}", words, known)
    return SubmitCommand(parse_ruling(" ".join(words), rules.rulings[name]))


def read_undo(words: Words, setting: Setting) -> Travel:
    """ "undo", "undo 3"."""
    return Travel(_times(words))


def read_redo(words: Words, setting: Setting) -> Travel:
    """ "redo", "redo 3"."""
    return Travel(-_times(words))


def read_panel(words: Words, setting: Setting) -> ShowPanel:
    """ "panel log off", "panel log on"."""
    name, words = expect("panel", words, names_of((name, title.removeprefix("the ")) for name, title in TITLES.items()))
    said, words = expect("state", words, names_of((said, said) for said in ("on", "off")))
    no_more(words)
    return ShowPanel(name, said == "on")


def read_tour(words: Words, setting: Setting) -> TourWanted:
    """ "tour"."""
    no_more(words)
    return TourWanted()


def _times(words: Words) -> int:
    if not words:
        return 1
    if len(words) > 1 or not (words[0].isascii() and words[0].isdecimal()) or not 0 < int(words[0][:6]) <= MOST_STEPS:
        raise Illegal("words", f"Say how many commands, from 1 to {MOST_STEPS}: undo 3.")
    return int(words[0])


def _here(setting: Setting) -> Square:
    if setting.square is not None:
        return setting.square
    if setting.actor:
        return setting.battle.unit(setting.actor).at
    raise Illegal("words", "Say where: a square, as D4.")
