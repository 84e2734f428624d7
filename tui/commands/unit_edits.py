"""The GM's edits of units: numbers, conditions, posture, place, and who is out of the fight."""

from __future__ import annotations

from engine.battle.commands import Command
from engine.battle.commands.order import SetInitiative
from engine.battle.commands.roster import SetOut
from engine.battle.commands.unit_edits import (
    DamageUnits,
    Place,
    SetAltitude,
    SetBudget,
    SetCondition,
    SetPool,
    SetPosture,
)
from engine.battle.setup import pools_of
from engine.errors import Illegal
from tui.commands.forms import Form, MenuLine, read_values
from tui.commands.naming import Missing, Words, expect, take_whole, unit_names
from tui.commands.results import Setting
from tui.typed import AMOUNT, parse_change

HEAL = "heal UNIT NUMBER [POOL]"
HOW_MUCH = dict.fromkeys(("amount", "value"), "Type how much after the unit: {said} 5.")
KILLED = "killed"
"""Why a unit is out of the fight when that is said in one word."""


def read_set(words: Words, setting: Setting) -> Command:
    """ "set todd -5", "set todd armour 45", "set todd prone", "set todd dodging 3", "set todd initiative 15"."""
    unit, words = expect("unit", words, unit_names(setting.battle))
    return parse_change(" ".join(words), setting.battle.unit(unit), setting.rules)


def read_heal(words: Words, setting: Setting) -> Command:
    """ "heal todd 3", "heal todd 3 armour": so much back, but no more than there was at first."""
    found = read_values(HEAL, SetPool, words, setting, asks=HOW_MUCH)
    unit, pool = setting.battle.unit(found["unit"]), found.get("pool") or next(iter(setting.rules.units.pools))
    before, full = unit.pools.get(pool, 0), pools_of(setting.rules, unit)[pool]
    return SetPool(unit.id, pool, max(before, min(before + found["value"], full)))


def read_hp(words: Words, setting: Setting) -> Command:
    """ "hp todd 12": the first number that a unit has is that from now on; "hp todd -5", "hp todd +3" change it."""
    name, words = expect("unit", words, unit_names(setting.battle))
    if len(words) != 1 or not AMOUNT.fullmatch(words[0]):
        missing = f"Type a value or a change after the unit: hp {name} 12, hp {name} -5."
        raise (Illegal if words else Missing)("words", missing)
    return parse_change(words[0], setting.battle.unit(name), setting.rules)


def read_kill(words: Words, setting: Setting) -> Command:
    """ "kill todd", "kill todd bleeds out": it is out of the fight."""
    names = unit_names(setting.battle)
    unit, words = expect("unit", words, names)
    if other := take_whole(words, names):
        raise Illegal("words", f"One unit at a time: kill {unit}, then kill {other[0]}.")
    return SetOut(unit, " ".join(words) or KILLED)


def write_set(command: Command, setting: Setting) -> str:
    match command:
        case SetPool(unit, pool, value, note):
            return "" if note else f"set {unit} {pool} {value}"
        case SetBudget(unit, budget, value):
            return f"set {unit} {budget} {value}"
        case SetCondition(unit, condition, is_on, rounds, about):
            is_toggled = is_on and not rounds and condition in setting.battle.unit(unit).conditions
            end = f" {rounds}" if rounds else "" if is_on else " off"
            return "" if about or is_toggled else f"set {unit} {condition}{end}"
        case SetPosture(unit, posture):
            return f"set {unit} {posture}"
        case SetInitiative(unit, score):
            return f"set {unit} initiative {score}"
        case SetAltitude(unit, altitude):
            return "" if altitude % 100 else f"set {unit} altitude {altitude // 100}"
        case SetOut(unit, why):
            return f"set {unit} out {why}" if why else f"set {unit} back"
    raise TypeError(type(command).__name__)


FORMS = (
    Form("set UNIT CONDITION [ROUNDS|off]|POSTURE|NUMBER|POOL NUMBER|BUDGET NUMBER|initiative NUMBER|altitude "
         "NUMBER|out [WHY]|back",
         "change a unit by hand: set todd -5, set todd prone, set todd out surrenders; a number after a condition "
         "is its rounds; “off”, or the condition once more, ends it",
         (SetPool, SetBudget, SetCondition, SetPosture, SetInitiative, SetAltitude, SetOut), read_set, write_set),
    Form("damage UNITS NUMBER [POOL]",
         "take so much by hand from units or a whole side, of hit points or of another pool; armour does not "
         "count: damage ox raven 5, damage crew 1 fatigue", (DamageUnits,), also=("hurt",), asks=HOW_MUCH,
         menu=MenuLine("d", "{unit}: damage", "armour does not count; who is in the fight is settled",
                       "Damage to {unit}, as 5 or 5 and a pool:")),
    Form(HEAL, "give so much back, at most what it had at first", (SetPool,), read_heal,
         menu=MenuLine("e", "{unit}: heal", "at most what it had at first")),
    Form("hp UNIT NUMBER", "set a unit's hit points, or its system's own pool for them: hp todd 12, hp todd -5",
         (SetPool,), read_hp),
    Form("kill UNIT [WHY]", "put a unit out of the fight; “set todd back” brings it back", (SetOut,), read_kill),
    Form("place [UNIT] SQUARE", "put a unit there, as if picked up by hand", (Place,)),
)  # fmt: skip
