"""How units fight that nobody plays: grenades into crowds, blows at arm's length, the best shot, else a step nearer.

The policy knows no ruleset: it looks at odds, at what is refused, and at kinds of weapons.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from engine.battle.commands import Act, Attack, Command, Move, Ready
from engine.battle.moving import movement_range
from engine.battle.shots import attack_actions, consider
from engine.battle.situation import adjacent_enemies
from engine.battle.units import Unit
from engine.errors import BattleboardError
from engine.field.squares import Square
from engine.rules.model import Weapon
from tests.rules.table import Table

WORTH_A_SHOT = 0.1
CROWD = 2
"""Enemies near to each other, for a grenade."""
LOOKS_AT = 3
"""So many enemies, and so many attacks with a weapon, are thought about."""


def sensible(table: Table) -> Generator[Command, bool, None]:
    """What the active unit does in its turn: reload or change weapons where needed, attack, move, attack."""
    me = table.battle.active
    yield from _attacks(table, me)
    if (step := _step(table, me)) is not None and (yield step):
        yield from _attacks(table, me)


def _attacks(table: Table, me: str) -> Generator[Command, bool, None]:
    """Attacks as long as there is one worth making."""
    for _ in range(4):
        for wish in (*_throws(table, me), *_best(table, me)):
            unit = table.unit(me)
            if wish.weapon != unit.weapon:
                yield Ready(me, wish.weapon)
            if (yield wish):
                break
        else:
            weapon = table.rules.weapons.get(table.unit(me).weapon)
            if weapon is None or table.unit(me).rounds.get(weapon.id, 1) or not (yield Act(me, "reload")):
                return


def _throws(table: Table, me: str) -> Iterator[Attack]:
    """Throws into a crowd of enemies with none of one's own side near it."""
    unit = table.unit(me)
    for weapon in _weapons(table, unit, "thrown"):
        for target in _enemies(table, unit):
            near = [other for other in table.battle.units.values() if _apart(other.at, target.at) <= 3]
            theirs = sum(other.is_enemy_of(unit) and not other.is_defeated for other in near)
            ours = any(other.side == unit.side and not other.is_defeated for other in near)
            if theirs >= CROWD and not ours and _apart(unit.at, target.at) > 4 and target.altitude == 0:
                yield Attack(me, "", weapon.id, square=target.at)


def _best(table: Table, me: str) -> Iterator[Attack]:
    """Attacks on enemies, the likeliest first; blows before shots where an enemy is at arm's length."""
    unit = table.unit(me)
    kinds = ("melee", "ranged") if adjacent_enemies(table.battle, unit) else ("ranged", "melee")
    for kind in kinds:
        found: list[tuple[float, int, Attack]] = []
        for weapon in _weapons(table, unit, kind):
            for action in attack_actions(table.rules, weapon)[:LOOKS_AT]:
                for target in _enemies(table, unit)[:LOOKS_AT]:
                    wish = Attack(me, target.id, weapon.id, action.id)
                    try:
                        shot = consider(table.battle, table.rules, wish)
                    except BattleboardError:
                        continue
                    if shot.ledger.is_possible and shot.odds.hit >= WORTH_A_SHOT:
                        found.append((float(shot.odds.hit), -len(found), wish))
        yield from (wish for _, _, wish in sorted(found, key=lambda each: each[:2], reverse=True))


def _step(table: Table, me: str) -> Move | None:
    """A move to where the nearest enemy is nearer, beside it for those who have nothing to shoot with."""
    unit = table.unit(me)
    enemies = _enemies(table, unit)
    if not enemies:
        return None
    goal = enemies[0].at
    try:
        found = movement_range(table.battle, table.rules, unit)
    except BattleboardError:
        return None
    reached = sorted({square for reach in found.reaches for square in reach.costs}, key=lambda s: (s.row, s.column))
    best = min(reached, key=lambda square: _apart(square, goal), default=unit.at)
    if _apart(best, goal) >= _apart(unit.at, goal):
        return None
    return Move(me, found.path(best), altitude=unit.altitude or None)


def _weapons(table: Table, unit: Unit, kind: str) -> list[Weapon]:
    held = (table.rules.weapons[weapon] for weapon in unit.weapons)
    return [weapon for weapon in held if weapon.kind == kind and unit.rounds.get(weapon.id, 1)]


def _enemies(table: Table, unit: Unit) -> list[Unit]:
    """Enemies in the fight, the nearest first."""
    found = [other for other in table.battle.units.values() if unit.is_enemy_of(other) and not other.is_defeated]
    return sorted(found, key=lambda other: (_apart(unit.at, other.at), other.id))


def _apart(one: Square, other: Square) -> int:
    return max(abs(one.column - other.column), abs(one.row - other.row))
