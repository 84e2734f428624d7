"""What the Game Master types in one line, turned into commands: changes to the ledger, changes to a unit."""

from __future__ import annotations

import re
from fractions import Fraction

from engine.battle.battle import Battle
from engine.battle.commands import Adjust, ClearAdjustments, SetCondition, SetPool, SetPosture
from engine.battle.units import Unit
from engine.errors import Illegal, Unknown
from engine.field.silhouette import POSTURES
from engine.rules.ledger import Adjustment, Ledger
from engine.rules.model import Ruleset
from engine.text import clean

NOTE_CELLS = 60
SIGNED = re.compile(r"([+\-−])\s*(\d{1,4}(?:\.\d{1,2})?)")


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
        entry = f"gm-{sum(held.entry.startswith('gm-') for held in battle.adjustments) + 1}"
        return Adjust(Adjustment(entry, note or "GM", _value(added), True, note, is_pinned))
    line, _, rest = text.partition(" ")
    if not line.isdecimal() or ledger is None or not 1 <= int(line) <= len(ledger.entries):
        last = len(ledger.entries) if ledger else 0
        raise Illegal("gm", f"Type “+10 why”, “N off”, “N on”, “N -5 why” (N from 1 to {last}) or “clear”.")
    changed = ledger.entries[int(line) - 1]
    rest = rest.strip()
    if rest in ("off", "on"):
        return Adjust(Adjustment(changed.id, changed.label, None, rest == "on", "", is_pinned))
    if value := SIGNED.match(rest):
        note = clean(rest[value.end() :], NOTE_CELLS)
        return Adjust(Adjustment(changed.id, changed.label, _value(value), True, note, is_pinned))
    raise Illegal("gm", f"Line {line} can be “off”, “on”, or get a value such as “{line} -5 why”.")


def parse_change(text: str, unit: Unit, rules: Ruleset) -> SetPool | SetCondition | SetPosture:
    """A change to a unit.

    Its numbers: "-5" or "+3" for the first, "armour 45", "armour -5". Its posture: "prone". Its conditions: "dodging"
    begins or ends one, "dodging 3" begins one for three rounds.

    Raises:
        Illegal: not of that form.
        Unknown: the unit has no such number, and there is no such condition.
    """
    words = clean(text, 100).split()
    if not words or len(words) > 2:
        raise Illegal("change", "Type “-5”, “armour 45”, a posture, or a condition such as “dodging” or “dodging 3”.")
    if words[0] in POSTURES and len(words) == 1:
        return SetPosture(unit.id, words[0])
    if condition := _condition_named(words[0], rules):
        rounds = int(words[1]) if len(words) == 2 and words[1].isdecimal() and len(words[1]) < 4 else 0
        return SetCondition(unit.id, condition, bool(rounds) or condition not in unit.conditions, rounds)
    pool = next(iter(rules.pools))
    if len(words) == 2:
        pool = _pool_named(words[0], rules)
    elif not SIGNED.fullmatch(words[0]) and not words[0].isdecimal():
        raise Unknown("number, posture or condition", words[0], [*rules.pools, *POSTURES, *rules.conditions])
    amount = words[-1]
    now = unit.pools.get(pool, 0)
    if SIGNED.fullmatch(amount) and "." not in amount:
        change = int(amount.replace("−", "-"))
        return SetPool(unit.id, pool, max(0, now + change))
    if amount.isdecimal() and len(amount) <= 6:
        return SetPool(unit.id, pool, int(amount))
    raise Illegal("pool", f"{amount!r} is no number; type a change such as “-5” or a value such as “12”.")


def _condition_named(word: str, rules: Ruleset) -> str | None:
    return next(
        (
            condition.id
            for condition in rules.conditions.values()
            if word.lower() in (condition.id.lower(), condition.label.lower())
        ),
        None,
    )


def _pool_named(word: str, rules: Ruleset) -> str:
    fitting = [pool.id for pool in rules.pools.values() if word.lower() in (pool.id.lower(), pool.label.lower())] or [
        pool.id for pool in rules.pools.values() if pool.id.lower().startswith(word.lower())
    ]
    if not fitting:
        raise Unknown("number", word, rules.pools)
    return fitting[0]


def _value(match: re.Match[str]) -> int | Fraction:
    number = Fraction(match[2])
    number = -number if match[1] in "-−" else number
    return int(number) if number.denominator == 1 else number
