"""Numbers, prices and settings of a battle in words, for refusals and the log; sentences are in `narration`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import ASK, AUTO, OFF, CoverRuling, Policy
from engine.battle.state.units import Unit
from engine.dice.dice_text import number
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Number, Ruleset, Value
from engine.text import share_percent, side_name

POLICY_WORDS = {OFF: "never", ASK: "ask", AUTO: "automatic"}
COMPASS_WORDS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}
FEW = 4
"""Up to this many squares are named one by one."""


def squares(count: Fraction) -> str:
    """A number of squares, to the hundredth: "1 square", "2.33 squares"."""
    return f"{number(round(count, 2))} {'square' if count == 1 else 'squares'}"


def measured(distance: Number, rules: Ruleset) -> str:
    """A distance in the ruleset's unit: "20 ft", "1 square"."""
    unit = rules.distance.unit
    return squares(Fraction(distance)) if unit == "squares" else f"{number(distance)} {UNIT_SIGNS[unit]}"


def price_words(cost: Mapping[str, int], rules: Ruleset) -> str:
    """A price by budget: "1 attack action, 1 move action"; "" for nothing. Gains and internal budgets are left out."""
    known = rules.units.budgets
    return ", ".join(
        known[budget].counted(amount) if budget in known else f"{amount} {budget}"
        for budget, amount in _paid(cost, rules)
    )


def price_signs(cost: Mapping[str, int], rules: Ruleset) -> str:
    """A price for a narrow column, with the signs of the budgets: "1A1m", "2"; "" for nothing."""
    known = rules.units.budgets
    return "".join(f"{amount}{known[budget].sign if budget in known else ''}" for budget, amount in _paid(cost, rules))


def left_words(unit: Unit, rules: Ruleset, *, is_short: bool = False) -> list[str]:
    """What a unit has left this turn, what the ruleset names first first; in short "1 attack"."""
    if unit.is_defeated:
        return ["out of the fight"]
    spare = {key: unit.turn.budget.get(key, 0) for key in rules.units.budgets}
    shown = {key: item for key, item in rules.units.budgets.items() if not (item.counts or item.internal)}
    left = [item.counted(spare[key], is_short=is_short) for key, item in shown.items() if spare[key]]
    if unit.turn.stride:
        left.append(f"{squares(unit.turn.stride)} left")
    return left or ["nothing left"] * bool(rules.units.budgets)


def _paid(cost: Mapping[str, int], rules: Ruleset) -> list[tuple[str, int]]:
    """What is paid of each budget that the table sees."""
    internal = {one.id for one in rules.units.budgets.values() if one.internal}
    return [(budget, amount) for budget, amount in cost.items() if amount > 0 and budget not in internal]


def ruling_words(value: Value) -> str:
    """Value of a ruling: "yes", "no", a number or a word."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def policy_words(policy: Policy, label: str, battle: Battle) -> str:
    """A policy in a few words: "Dodge for Bandit: never"."""
    name = battle.called(policy.unit) or side_name(policy.side)
    whose = f" for {name}" if name else ""
    return f"{label or 'every reaction and defence'}{whose}: {POLICY_WORDS[policy.how]}"


def places(squares: Sequence[Square]) -> str:
    """Some squares in few words: "C3, C4", "12 squares from C3 to F5".

    >>> places([Square(2, 2)]), places([Square(column, 4) for column in range(9)])
    ('C3', '9 squares from A5 to I5')
    """
    if len(squares) <= FEW:
        return ", ".join(square.name for square in squares)
    first = Square(min(square.column for square in squares), min(square.row for square in squares))
    last = Square(max(square.column for square in squares), max(square.row for square in squares))
    return f"{len(squares)} squares from {first.name} to {last.name}"


def cover_words(ruling: CoverRuling) -> str:
    """The GM's cover override: "50 % covered (heavy)", "no cover"."""
    return f"{share_percent(ruling.covered)} covered ({ruling.material})" if ruling.covered else "no cover"


def group_name(units: Sequence[Unit]) -> str:
    """What a group is called: the words with which all names begin, else the first name; and how many they are.

    >>> from types import SimpleNamespace as Unit
    >>> group_name([Unit(name="Gun cop 1"), Unit(name="Gun cop 2"), Unit(name="Gun cop 3")])
    'Gun cop ×3'
    """
    words = [unit.name.split() for unit in units]
    same = 0
    while same < min(map(len, words)) and len({row[same] for row in words}) == 1:
        same += 1
    return f"{' '.join(words[0][:same]) or units[0].name} ×{len(units)}"
