"""The GM's edits of units: numbers, conditions, posture, place, and who is out of the fight."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from functools import partial

from engine.battle.command import Command
from engine.battle.commands.gear_commands import SetStat
from engine.battle.commands.order_commands import SetInitiative
from engine.battle.commands.roster_commands import SetHidden, SetOut
from engine.battle.commands.several_edits import EditUnits
from engine.battle.commands.unit_edits import (
    DamageUnits,
    HealUnits,
    Place,
    SetAltitude,
    SetBudget,
    SetCondition,
    SetMarker,
    SetPool,
    SetPosture,
)
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Illegal, Unknown
from engine.geometry.body import POSTURES
from engine.rules.model import Ruleset
from engine.rules.stats import FLAG
from engine.text import clean
from tui.application.commands.actions import read_act, suggested_actions
from tui.application.commands.amounts import AMOUNT, changed, is_amount, named
from tui.application.commands.forms import Form, MenuLine
from tui.application.commands.gear import parse_stat
from tui.application.commands.naming import Missing, Words, expect, take_whole, unit_names
from tui.application.commands.results import Setting, did_you_mean
from tui.application.commands.vocabulary import action_names, read_units, several, take_actor, take_some, take_units

HOW_MUCH = dict.fromkeys(("amount",), "Type an amount after the unit: {said} 5.")
KILLED = "killed"
"""The default reason of `kill`."""
PRONE = "prone"
POSTURE_VERBS = {PRONE: "prone", "kneel": "kneeling", "stand": "standing"}
"""Commands that set a posture, with the posture."""
SPELLING = 0.75
"""How alike a name must be to count as misspelt."""
MOST_LISTED = 110
"""Most characters of the conditions that a refusal lists."""
TAKEN_OUT = "taken out"
"""The default reason of `out`."""
Change = SetPool | SetBudget | SetCondition | SetPosture | SetInitiative | SetAltitude | SetOut | SetStat


def parse_change(text: str, unit: Unit, rules: Ruleset) -> Change:
    """Parses a change to a unit.

    Its numbers: "-5" or "+3" for the first, "armour 45", "armour points -5". What it has left to spend: "move
    action 1". A stat of its sheet: "dexterity 9", "wrestling", "wrestling no". Its posture: "prone". Its
    conditions: "dodging" begins or ends one, "dodging off" ends it, "dodging 3" begins one, or extends it, for
    three rounds. Its place in the order: "initiative 15". Its height above the ground, in the map's unit: "altitude
    20". Whether it fights on: "out surrenders", "back".

    Raises:
        Illegal: it has another form.
        Unknown: there is no such pool, stat, posture or condition.
    """
    first, _, rest = clean(text, 100).partition(" ")
    if first.lower() == "out":
        return SetOut(unit.id, rest.strip() or TAKEN_OUT)
    if first.lower() == "back" and not rest:
        return SetOut(unit.id)
    name, _, amount = clean(text, 100).rpartition(" ")
    if not amount:
        raise Missing(
            "change",
            f"Type “-5”, “{[*rules.units.pools][-1]} 45”, a stat and a value, a posture, a condition with its rounds "
            "or “off”, “initiative 15”, “altitude 20” or “out”.",
        )
    if not is_amount(amount):
        name, amount = clean(text, 100), ""
    name = name.strip().lower()
    if name in POSTURES and not amount:
        return SetPosture(unit.id, name)
    if name in POSTURES:
        raise Illegal("words", f"“{name}” takes no number: set {unit.id} {name}.")
    if name in ("initiative", "altitude") and not amount:
        raise Missing("change", f"Type a value too: “{name} 12”.")
    if name == "initiative":
        return SetInitiative(unit.id, changed(0, amount))
    if name == "altitude":
        return SetAltitude(unit.id, max(0, changed(unit.altitude // 100, amount)) * 100)
    budgets = {word: one.id for one in rules.units.budgets.values() for word in (one.label.lower(), one.id.lower())}
    if amount and name in budgets:
        return _budget(unit, budgets[name], amount)
    exact = {word: one.id for one in rules.units.pools.values() for word in (one.label.lower(), one.id.lower())}
    if amount and name in exact:
        return SetPool(unit.id, exact[name], max(0, changed(unit.pools.get(exact[name], 0), amount)))
    is_off = not amount and name.endswith(" off")
    if condition := named(name.removesuffix(" off") if is_off else name, rules.units.conditions.values()):
        if is_off:
            return SetCondition(unit.id, condition, False)
        rounds = int(amount) if amount.isdecimal() else 0
        return SetCondition(unit.id, condition, bool(rounds) or condition not in unit.conditions, rounds)
    pool = named(name, rules.units.pools.values()) if name else next(iter(rules.units.pools))
    if pool is None:
        if amount and (budget := named(name, rules.units.budgets.values())):
            return _budget(unit, budget, amount)
        if amount and (stat := named(name, rules.units.stats.values())):
            return parse_stat(stat, amount, unit, rules)
        head, _, value = name.rpartition(" ")
        if not amount and head and (stat := named(head, rules.units.stats.values())):
            return parse_stat(stat, value, unit, rules)
        if not amount and (stat := named(name, rules.units.stats.values())):
            if rules.units.stats[stat].kind != FLAG:
                raise Missing("change", f"Type a value too: “{name} {rules.units.stats[stat].allowed}”.")
            return parse_stat(stat, "yes", unit, rules)
        tables = rules.units.budgets.values(), rules.units.conditions.values()
        shown = (one.id for table in tables for one in table if not one.internal)
        known = [*rules.units.pools, *POSTURES, *shown, *rules.units.stats]
        if get_close_matches(name, known, 1, SPELLING) or not rules.units.conditions:
            raise Unknown("pool, stat, posture or condition", name, known)
        raise Illegal("change", f"No pool, stat, posture or condition is called {name!r}. {_condition_words(rules)}")
    if not amount:
        raise Missing("pool", f"Type a value too: “{name} 12”, or a change: “{name} -5”.")
    return SetPool(unit.id, pool, max(0, changed(unit.pools.get(pool, 0), amount)))


def _condition_words(rules: Ruleset) -> str:
    """The labels of the ruleset's conditions, as many as fit two rows."""
    labels = [f"“{one.label}”" for one in rules.units.conditions.values() if not one.internal]
    count = len(labels)
    while count > 1 and len(", ".join(labels[:count])) > MOST_LISTED:
        count -= 1
    more = f" and {len(labels) - count} others" if count < len(labels) else ""
    return f"Conditions of {rules.name}: {', '.join(labels[:count])}{more}."


def _budget(unit: Unit, budget: str, amount: str) -> SetBudget:
    return SetBudget(unit.id, budget, max(0, changed(unit.turn.budget.get(budget, 0), amount)))


def read_set(words: Words, setting: Setting) -> Command:
    """ "set todd -5", "set todd armour 45", "set todd prone", "set todd dodging 3", "set todd ox initiative 15"."""
    units, words = take_units(words, setting)
    return parse_changes(" ".join(words), units, setting)


def parse_changes(text: str, units: Sequence[str], setting: Setting) -> Command:
    """Parses a change to one unit, or to several, as one command.

    A condition without rounds begins for all that do not have it; where all have it, it ends for all.

    Raises:
        as `parse_change`.
    """
    found = tuple(parse_change(text, setting.battle.unit(unit), setting.rules) for unit in units)
    if any(isinstance(one, SetCondition) and one.is_on for one in found):
        found = tuple(one for one in found if not isinstance(one, SetCondition) or one.is_on)
    return several(found)


def read_hp(words: Words, setting: Setting) -> Command:
    """ "hp todd 12": the first number that a unit has is that from now on; "hp todd -5", "hp todd +3" change it."""
    name, words = expect("unit", words, unit_names(setting.battle))
    if len(words) != 1 or not AMOUNT.fullmatch(words[0]):
        missing = f"Type a value or a change after the unit: hp {name} 12, hp {name} -5."
        raise (Illegal if words else Missing)("words", missing)
    return parse_change(words[0], setting.battle.unit(name), setting.rules)


def read_marker(words: Words, setting: Setting) -> Command:
    """ "marker todd on fire", "marker todd ada blinded 2", "marker all blinded off"; the same words again end it."""
    units, words = take_units(words, setting)
    return parse_marker(" ".join(words), units, setting.battle, setting.rules)


def parse_marker(text: str, units: Sequence[str], battle: Battle, rules: Ruleset) -> SetMarker:
    """Parses a marker on units: "on fire", "on fire 3" for so many rounds, "on fire off"; the same words again end it.

    Raises:
        Illegal: there are no words, or the ruleset has a condition of that name.
    """
    *words, last = text.split() or [""]
    is_off, rounds = last.casefold() == "off", int(last) if last.isascii() and last.isdecimal() else 0
    text = " ".join(words if words and (is_off or rounds) else [*words, last])
    if not text:
        raise Missing("words", f"Type the words after the units: marker {' '.join(units)} on fire 3.")
    if any(one.label.casefold() == text.casefold() for one in rules.units.conditions.values()):
        end = f" {rounds}" if rounds else " off" if is_off else ""
        meant = f"set {' '.join(units)} {text}{end}"
        raise Illegal(
            "marker", f"“{text}” is a condition of {rules.name}, which its rules read. {did_you_mean([meant])}"
        )
    known = {one.casefold(): one for unit in units for one in battle.unit(unit).markers}
    text = known.get(text.casefold(), text)
    is_on = bool(rounds) or not (is_off or all(text in battle.unit(unit).markers for unit in units))
    return SetMarker(tuple(units), text, is_on, rounds)


def write_marker(command: SetMarker, _setting: Setting) -> str:
    end = f" {command.rounds}" if command.rounds else "" if command.is_on else " off"
    return f"marker {' '.join(command.units)} {command.marker}{end}"


def read_posture(verb: str, words: Words, setting: Setting) -> Command:
    """ "prone todd", "kneel todd ada", "stand all": they take a posture, by the GM's hand.

    Without a unit “kneel” and “stand” are the ruleset's actions with their cost, and “prone” is the acting unit's.
    """
    if verb != PRONE and words[:1] in ([], ["free"]):
        if take_whole([verb], action_names(setting.rules)):
            return read_act([verb, *words], setting)
        if meant := suggested_actions(verb, setting):
            raise Illegal("words", f"Type the units after {verb}. {did_you_mean(meant)}")
    units = read_units(words, setting) if words else (take_actor(words, setting)[0].id,)
    return parse_changes(POSTURE_VERBS[verb], units, setting)


def read_kill(words: Words, setting: Setting) -> Command:
    """ "kill todd", "kill g*", "kill todd bleeds out": it is out of the fight."""
    units, words = take_some(words, setting)
    if other := take_whole(words, unit_names(setting.battle)):
        raise Illegal("words", f"One unit at a time: kill {units[0]}, then kill {other[0]}.")
    return several(SetOut(unit, " ".join(words) or KILLED) for unit in units)


def write_set(command: Command, setting: Setting) -> str:
    match command:
        case EditUnits(edits):
            return _write_several(edits, setting)
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


def _write_several(edits: Sequence[Command], setting: Setting) -> str:
    """The line of the same change to several units; "" if they are not the same."""
    if hidden := [edit for edit in edits if isinstance(edit, SetHidden)]:
        is_same = len(hidden) == len(edits) and len({edit.is_hidden for edit in hidden}) == 1
        return f"{'hide' if hidden[0].is_hidden else 'reveal'} {' '.join(edit.unit for edit in hidden)}" * is_same
    lines = [write_set(edit, setting) if isinstance(edit, Change) else "" for edit in edits]
    changes = {line.split(" ", 2)[2] if line else "" for line in lines}
    is_same = len(changes) == 1 and all(lines)
    return f"set {' '.join(line.split(' ', 2)[1] for line in lines)} {changes.pop()}" if is_same else ""


FORMS = (
    Form("set UNITS CONDITION [ROUNDS|off]|POSTURE|NUMBER|POOL NUMBER|BUDGET NUMBER|initiative NUMBER|altitude "
         "NUMBER|out [WHY]|back",
         "change a unit: set {unit} -5, set {unit} {condition} 3, set {unit} out surrenders; a number after a "
         "condition is its rounds; “off”, or the condition again, ends it",
         (SetPool, SetBudget, SetCondition, SetPosture, SetInitiative, SetAltitude, SetOut, EditUnits),
         read_set, write_set, key="battle.damage",
         like=("condition", "conditions", "effect", "posture", "stance", "stun", "standing")),
    Form("damage UNITS NUMBER [POOL]",
         "damage units or a whole side, in hit points or in another pool; armour does not "
         "count: damage {unit} {other} 5, damage {side} 1 {pool}", (DamageUnits,), also=("hurt",), asks=HOW_MUCH,
         like=("wound", "injure", "harm", "dmg", "minus"),
         menu=MenuLine("d", "{unit}: damage", "armour does not count; a unit at 0 may go out of the fight",
                       "Damage to {unit}, such as 5, or 5 and a pool:", is_for_several=True)),
    Form("heal UNITS NUMBER [POOL]", "heal units or a whole side, each up to its full value",
         (HealUnits,), asks=HOW_MUCH, like=("cure", "mend", "restore", "plus"),
         menu=MenuLine("e", "{unit}: heal", "up to its full value",
                       "Heal {unit}, such as 5, or 5 and a pool:", is_for_several=True)),
    Form("marker UNITS TEXT [ROUNDS|off]",
         "put a marker of your own on units, for some rounds or until you end it: marker {unit} on fire 3; no rule "
         "reads it",
         (SetMarker,), read_marker, write_marker, like=("tag", "label", "token", "effect", "timer", "reminder"),
         menu=MenuLine("w", "{unit}: marker", "words of your own, for some rounds or until you end it",
                       is_for_several=True)),
    Form("hp UNIT NUMBER",
         "set a unit's hit points, or the pool that the system has for them: hp {unit} 12, hp {unit} -5",
         (SetPool,), read_hp, like=("health", "hitpoints", "life", "pool")),
    Form("kill UNIT [WHY]", "put a unit out of the fight; “set {unit} back” brings it back", (SetOut,), read_kill,
         like=("dead", "die", "drop", "defeat", "slay")),
    *(Form(f"{verb} {'[UNITS]' if verb == PRONE else 'UNITS'}", f"set the posture of units by hand: {posture}",
           read=partial(read_posture, verb), like=("lie", "down", "drop") * (verb == PRONE))
      for verb, posture in POSTURE_VERBS.items()),
    Form("place [UNIT] SQUARE", "put a unit on a square, without a move", (Place,),
         like=("put", "teleport", "warp", "jump", "drag"), key="battle.put"),
)  # fmt: skip
