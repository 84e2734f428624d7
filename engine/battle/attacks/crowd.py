"""A crowd against a crowd: the ledgers of every attack that each of some units can make on each of others.

The lines between all of them are asked of the field together; each ledger is the one that `shots` has of that attack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.battle.attacks.shots import weigh
from engine.battle.battle import Battle
from engine.battle.commands import Attack
from engine.battle.situation import bodies_in_the_way, sight_line
from engine.battle.units import Unit
from engine.field.crowd.pairs import between
from engine.field.trace import Trace
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset

Pair = tuple[str, str]
"""Ids of an attacker, or of an observer, and of its target."""


def ledgers(
    battle: Battle, rules: Ruleset, attackers: Sequence[str], targets: Sequence[str], action: str = ""
) -> Mapping[Pair, Ledger]:
    """The ledger of every attack of some units, with what they have in hand, on others; nobody attacks itself.

    Args:
        battle: now.
        rules: the ruleset.
        attackers, targets: ids of units.
        action: id of an attack; "" for the first that works with the weapon.

    Raises:
        Unknown, Illegal: as `consider`.
    """
    lines = sight_lines(battle, rules, list(map(battle.unit, attackers)), list(map(battle.unit, targets)))
    return {
        (attacker, target): weigh(battle, rules, Attack(attacker, target, action=action), line=line)[1]
        for (attacker, target), line in lines.items()
    }


def sight_lines(
    battle: Battle, rules: Ruleset, observers: Sequence[Unit], targets: Sequence[Unit]
) -> Mapping[Pair, Trace]:
    """The line from each of some units to each of others but itself: as `sight_line` has it."""
    unit = battle.field.unit
    sides = [[each.body(unit) for each in crowd] for crowd in (observers, targets)]
    found = between(battle.field, *sides, obstacles=bodies_in_the_way(battle, rules))
    is_free = ((found.visible == 1) & (found.covered == 0) & found.clear).tolist()
    return {
        (observer.id, target.id): sight_line(battle, rules, observer, target, is_free=is_free[row][column])
        for row, observer in enumerate(observers)
        for column, target in enumerate(targets)
        if observer.id != target.id
    }
