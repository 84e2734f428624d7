"""A long evening: a large map with fifty units on it, and as many events of a fight as are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from engine.battle import command as cmd
from engine.battle.commands.unit_edits import SetPool
from engine.battle.events import Event
from engine.battle.moves.moves import movement_range
from engine.battle.setup import pools_of
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.journal.session import Session

RULESET = "occult-ops"
UNITS = 50
ROLES = ("gunman", "rifleman", "leader")

MAP = """format = 1
name = "Plain {side}"

[scale]
square = 5
unit = "feet"

[map]
squares = '''
{squares}
'''
"""
UNIT = """
[[unit]]
id = "fighter-{number}"
role = "{role}"
side = "{side}"
at = "{at}"
"""


def write_map(path: Path, side: int, seed: int = 1) -> Path:
    """A square map, as file: floor and scrub, crates, trees and walls here and there, and two sides face to face.

    Args:
        path: where it is written.
        side: squares along each side.
        seed: the same seed gives the same map.
    """
    chance = Random(seed)
    rows = [[_ground(chance) for _ in range(side)] for _ in range(side)]
    units = []
    for number in range(UNITS):
        column, row = side // 2 - 5 + 10 * (number % 2) + number // 2 % 3, side // 2 - 12 + number // 2
        rows[row][column] = "."
        role, team, at = ROLES[number % len(ROLES)], ("law", "gang")[number % 2], Square(column, row).name
        units.append(UNIT.format(number=number + 1, role=role, side=team, at=at))
    drawn = "\n".join("".join(row) for row in rows)
    path.write_text(MAP.format(side=side, squares=drawn) + "".join(units), encoding="utf-8")
    return path


def _ground(chance: Random) -> str:
    return chance.choices(".,~T#o", (72, 18, 3, 2, 2, 3))[0]


def play(session: Session, events: int, seed: int = 1) -> Iterator[int]:
    """Goes on with a fight: attacks, walks, turns, and a healing hand for whoever was hurt, so that it never ends.

    Args:
        session: the battle.
        events: how many events at least; a command may come to several.
        seed: the same seed gives the same fight.

    Yields:
        After each command, how many events it came to.
    """
    chance, told = Random(seed), 0
    while told < events:
        came = len(_command(session, chance))
        told += came
        yield came


def _command(session: Session, chance: Random) -> tuple[Event, ...]:
    battle, rules = session.battle, session.rules
    hurt = [unit for unit in battle.units.values() if unit.pools != pools_of(rules, unit)]
    if len(hurt) > 8:
        unit = chance.choice(hurt)
        full = pools_of(rules, unit)
        pool = next(pool for pool, now in unit.pools.items() if now != full[pool])
        return session.submit(SetPool(unit.id, pool, full[pool]))
    unit = battle.unit(battle.turns.active)
    enemies = [other for other in battle.units.values() if other.is_enemy_of(unit) and not other.is_defeated]
    if unit.gear.weapon in unit.gear.rounds and not unit.gear.rounds[unit.gear.weapon]:
        with suppress(BattleboardError):
            return session.submit(cmd.Act(unit.id, "reload"))
    with suppress(BattleboardError):
        if chance.random() < 0.6:
            return session.submit(cmd.Attack(unit.id, chance.choice(enemies).id))
        found = movement_range(battle, rules, unit, "")
        if goals := sorted(square for reach in found.reaches for square in reach.costs):
            return session.submit(cmd.Move(unit.id, found.path(chance.choice(goals))))
    return session.submit(cmd.EndTurn())
