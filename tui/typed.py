"""What the Game Master types in one line, turned into commands: changes to the ledger, to a unit, to smoke and wind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from itertools import count

from engine.battle.battle import Battle
from engine.battle.commands.gear import SetStat
from engine.battle.commands.order import RollInitiative, SetInitiative
from engine.battle.commands.roster import SetOut
from engine.battle.commands.rulings import Adjust, ClearAdjustments, SetRuling
from engine.battle.commands.scene import ClearCloud, SetCloud, SetWind
from engine.battle.commands.unit_edits import SetAltitude, SetBudget, SetCondition, SetPool, SetPosture
from engine.battle.narration import dice_to_type
from engine.battle.situation import sheet_facts
from engine.battle.units import Unit
from engine.dice.sources import NeedDice
from engine.errors import Illegal, Unknown
from engine.field.burst.clouds import THICK, THIN
from engine.field.silhouette import POSTURES
from engine.field.squares import Direction, Square
from engine.rules.expressions import shown
from engine.rules.ledger import Adjustment, Ledger
from engine.rules.model import Action, Budget, Condition, Pool, Ruleset, Stat
from engine.rules.rulings import Ruling
from engine.text import clean
from tui.commands.naming import Missing

NOTE_CELLS = 60
GIVES_UP = "gives up"
"""Why a unit is out of the fight when nothing else is said."""
AMOUNT = re.compile(r"[+\-−]?\d{1,6}")
SIGNED = re.compile(r"([+\-−])\s*(\d{1,4}(?:\.\d{1,2})?)")


def rolls_named(need: NeedDice) -> str:
    """What is to be rolled: "damage, 2d6"; thrown together "Damage, white die, then black die, 1d20 each"."""
    named = "".join(f", then {label}" for label in need.further)
    return f"{need.purpose}{named}, {need.dice.text}{' each' if named else ''}"


def dice_question(need: NeedDice, rules: Ruleset, *, is_first: bool) -> str:
    """How the board asks for a roll; Enter at a command's first lets the seed roll all that it needs."""
    if need.further:
        whole, what = "them", "both dice" if len(need.further) == 1 else "all dice"
    elif need.dice.count == 1:
        whole, what = "it", "the die"
    else:
        is_apart = rules.attack.test.reads_each_die and need.dice == rules.attack.test.dice
        whole, what = "it", dice_to_type(rules) if is_apart else "the dice or the total"
    return f"{rolls_named(need)}: Enter rolls {'them all' if is_first else whole}, or type {what}:"


def parse_adjustment(text: str, ledger: Ledger | None, battle: Battle) -> Adjust | ClearAdjustments:
    """A change to the ledger of the next attack.

    "+10 high ground" adds a line, "3 off" switches line 3 off and "3 on" on again, "3 -5 note" gives it another value,
    "clear" takes all changes back. A "!" at the end pins it for later attacks too.

    Raises:
        Illegal: anything else, or a line that is not there.
    """
    text = clean(text, 200)
    if text == "clear":
        return ClearAdjustments()
    is_pinned = text.endswith("!")
    text = text.removesuffix("!").strip()
    if added := SIGNED.match(text):
        note = clean(text[added.end() :], NOTE_CELLS)
        taken = {held.entry for held in battle.gm.adjustments}
        entry = next(f"gm-{number}" for number in count(1) if f"gm-{number}" not in taken)
        return Adjust(Adjustment(entry, note or "GM", _value(added), True, note, is_pinned))
    line, _, rest = text.partition(" ")
    if not line.isdecimal() or ledger is None or not 1 <= int(line) <= len(ledger.entries):
        last = len(ledger.entries) if ledger else 0
        raise (Illegal if text else Missing)(
            "gm", f"Type “+10 why”, “N off”, “N on”, “N -5 why” (N from 1 to {last}) or “clear”."
        )
    changed = ledger.entries[int(line) - 1]
    rest = rest.strip()
    if rest in ("off", "on"):
        return Adjust(Adjustment(changed.id, changed.label, None, rest == "on", "", is_pinned))
    if value := SIGNED.match(rest):
        note = clean(rest[value.end() :], NOTE_CELLS)
        return Adjust(Adjustment(changed.id, changed.label, _value(value), True, note, is_pinned))
    raise Illegal("gm", f"Line {line} can be “off”, “on”, or get a value such as “{line} -5 why”.")


YES_OR_NO = {"yes": True, "on": True, "true": True, "no": False, "off": False, "false": False}
Change = SetPool | SetBudget | SetCondition | SetPosture | SetInitiative | SetAltitude | SetOut | SetStat


def parse_change(text: str, unit: Unit, rules: Ruleset) -> Change:
    """A change to a unit.

    Its numbers: "-5" or "+3" for the first, "armour 45", "armour points -5". What it has left to spend: "move action
    1". A stat of its sheet: "dexterity 9". Its posture: "prone". Its conditions: "dodging" begins or ends one, "dodging
    off" ends it, "dodging 3" begins one, or lets it go on, for three rounds. Its place in the order: "initiative 15".
    Its height above the ground, in the map's unit: "altitude 20". Whether it fights on: "out surrenders", "back".

    Raises:
        Illegal: not of that form.
        Unknown: the unit has no such number, and there is no such condition.
    """
    first, _, rest = clean(text, 100).partition(" ")
    if first.lower() == "out":
        return SetOut(unit.id, rest.strip() or GIVES_UP)
    if first.lower() == "back" and not rest:
        return SetOut(unit.id)
    name, _, amount = clean(text, 100).rpartition(" ")
    if not amount:
        raise Missing(
            "change",
            "Type “-5”, “armour 45”, a stat and its value, a posture, a condition, its rounds after it or “off”, "
            "“initiative 15”, “altitude 20” or “out”.",
        )
    if not _is_amount(amount):
        name, amount = clean(text, 100), ""
    name = name.strip().lower()
    if name in POSTURES and not amount:
        return SetPosture(unit.id, name)
    if name in ("initiative", "altitude") and not amount:
        raise Missing("change", f"Type a value after it: “{name} 12”.")
    if name == "initiative":
        return SetInitiative(unit.id, _changed(0, amount))
    if name == "altitude":
        return SetAltitude(unit.id, max(0, _changed(unit.altitude // 100, amount)) * 100)
    budgets = {word: one.id for one in rules.units.budgets.values() for word in (one.label.lower(), one.id.lower())}
    if amount and name in budgets:
        return _budget(unit, budgets[name], amount)
    exact = {word: one.id for one in rules.units.pools.values() for word in (one.label.lower(), one.id.lower())}
    if amount and name in exact:
        return SetPool(unit.id, exact[name], max(0, _changed(unit.pools.get(exact[name], 0), amount)))
    is_off = not amount and name.endswith(" off")
    if condition := _named(name.removesuffix(" off") if is_off else name, rules.units.conditions.values()):
        if is_off:
            return SetCondition(unit.id, condition, False)
        rounds = int(amount) if amount.isdecimal() else 0
        return SetCondition(unit.id, condition, bool(rounds) or condition not in unit.conditions, rounds)
    pool = _named(name, rules.units.pools.values()) if name else next(iter(rules.units.pools))
    if pool is None:
        if amount and (budget := _named(name, rules.units.budgets.values())):
            return _budget(unit, budget, amount)
        if amount and (stat := _named(name, rules.units.stats.values())):
            return parse_stat(stat, amount, unit, rules)
        raise Unknown(
            "number, posture or condition",
            name,
            [*rules.units.pools, *rules.units.budgets, *POSTURES, *rules.units.conditions],
        )
    if not amount:
        raise Missing("pool", f"Type a value after it: “{name} 12”, or a change: “{name} -5”.")
    return SetPool(unit.id, pool, max(0, _changed(unit.pools.get(pool, 0), amount)))


def parse_stat(stat: str, text: str, unit: Unit, rules: Ruleset) -> SetStat:
    """A stat as it is typed: a number or a change of it, yes or no, or a word.

    Raises:
        Illegal: it is of another kind than the stat.
    """
    before = sheet_facts(rules, unit.role, unit.overrides)[stat]
    label = rules.units.stats[stat].label
    if isinstance(before, bool):
        if text.lower() not in YES_OR_NO:
            raise Illegal("stat", f"{unit.name}'s {label} is yes or no: stat {unit.id} {stat} yes.")
        return SetStat(unit.id, stat, YES_OR_NO[text.lower()])
    if isinstance(before, str):
        return SetStat(unit.id, stat, text)
    if not _is_amount(text) or before != int(before):
        raise Illegal("stat", f"{unit.name}'s {label} is a number: stat {unit.id} {stat} {shown(before)}.")
    return SetStat(unit.id, stat, _changed(int(before), text))


def _budget(unit: Unit, budget: str, amount: str) -> SetBudget:
    return SetBudget(unit.id, budget, max(0, _changed(unit.turn.budget.get(budget, 0), amount)))


def parse_smoke(text: str, here: Square, battle: Battle) -> SetCloud | ClearCloud | SetWind:
    """Smoke around a square, or the wind.

    "3" is a cloud of radius 3 for as long as nobody clears it, "3 5" one for five rounds, "3 5 thin" a thin one; the
    cloud with that centre is changed. "clear" takes away the cloud on the square, or all where there is none. "wind E
    2" blows east by two squares a round, "wind 0" not at all.

    Raises:
        Illegal: not of that form.
    """
    words = clean(text, 60).lower().split()
    same = next((cloud.id for cloud in battle.scene.clouds if cloud.centre == here), "")
    match words:
        case ["clear"]:
            return ClearCloud(same)
        case ["wind", "0"]:
            return SetWind(Direction.N, 0)
        case ["wind", way, squares] if way.upper() in Direction.__members__ and squares.isdecimal():
            return SetWind(Direction[way.upper()], int(squares[:4]))
        case [radius, *rest] if radius.isdecimal() and len(rest) <= 2:
            density = THIN if "thin" in rest else THICK
            rounds = [word for word in rest if word not in ("thin", "thick")]
            if len(rounds) <= 1 and all(word.isdecimal() for word in rounds):
                return SetCloud(here, int(radius[:4]), density, int(rounds[0][:5]) if rounds else 0, same)
    is_begun = words in ([], ["wind"], *(["wind", way.name.lower()] for way in Direction))
    raise (Missing if is_begun else Illegal)(
        "smoke", "Type “3” (radius), “3 5” (for 5 rounds), “3 5 thin”, “clear”, “wind E 2” or “wind 0”."
    )


def parse_ruling(text: str, ruling: Ruling) -> SetRuling:
    """A value as it is typed: yes or no, a whole number, or a word.

    Raises:
        Illegal: it is not of that kind.
    """
    if not text:
        raise Missing("ruling", f"Type after it how “{ruling.label}” is decided.")
    if isinstance(ruling.value, str):
        return SetRuling(ruling.id, text)
    if isinstance(ruling.value, bool):
        if text.casefold() not in ("yes", "no"):
            raise Illegal("ruling", f"“{ruling.label}” is yes or no; {text} is neither.")
        return SetRuling(ruling.id, text.casefold() == "yes")
    sign = text.replace("−", "-")
    if not sign.removeprefix("-").isdecimal() or len(sign) > 9:
        raise Illegal("ruling", f"“{ruling.label}” is a whole number; {text} is none.")
    return SetRuling(ruling.id, int(sign))


def declared_example(battle: Battle, rules: Ruleset) -> str:
    """What could be typed, with units and acts that are there: "todd move, boss take cover"."""
    able = [unit.id for unit in battle.units.values() if not unit.is_defeated]
    first = {action.kind: action.label.lower() for action in reversed(tuple(rules.actions.values()))}
    acts = [first[kind] for kind in ("move", "other") if kind in first]
    return ", ".join(f"{unit} {act}" for unit, act in zip(able, acts, strict=False))


def parse_declared(text: str, battle: Battle, rules: Ruleset) -> RollInitiative:
    """What units declare before the order is rolled: "todd aimed shot, ada dodge"; nothing at all is none.

    Raises:
        Illegal: a unit without an action.
        Unknown: no such unit or action.
    """
    declared: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in clean(text, 400).lower().split(","))):
        unit = next((unit for unit in battle.units.values() if _begins(part, unit.id, unit.name)), None)
        if unit is None:
            raise Unknown("unit", part.split()[0], battle.units)
        name = next(part[len(word) :].strip() for word in (unit.id.lower(), unit.name.lower()) if _begins(part, word))
        if not name:
            raise Missing("declared", f"Type after {unit.name} what it does, as “{unit.id} move”.")
        action = _named(name, rules.actions.values())
        if action is None:
            raise Unknown("action", name, rules.actions)
        declared[unit.id] = action
    return RollInitiative(declared)


def _begins(text: str, *names: str) -> bool:
    return any(f"{text} ".startswith(f"{name.lower()} ") for name in names)


def _is_amount(text: str) -> bool:
    return bool(AMOUNT.fullmatch(text))


def _changed(now: int, amount: str) -> int:
    """A value, or what comes of a change with a sign."""
    number = int(amount.replace("−", "-"))
    return now + number if amount[0] in "+-−" else number


def _named(word: str, things: Iterable[Pool | Budget | Condition | Action | Stat]) -> str | None:
    """Id of the thing that a word means: its id, its label, or the beginning of its id."""
    known = list(things)
    exact = [thing.id for thing in known if word in (thing.id.lower(), thing.label.lower())]
    near = [thing.id for thing in known if word and thing.id.lower().startswith(word)]
    return next(iter((*exact, *near)), None)


def _value(match: re.Match[str]) -> int | Fraction:
    number = Fraction(match[2])
    number = -number if match[1] in "-−" else number
    return int(number) if number.denominator == 1 else number
