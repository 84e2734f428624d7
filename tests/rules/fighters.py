"""How units fight that nobody plays: grenades from afar, blows at arm's length, the best shot, else a step nearer.

The policy knows no ruleset: it looks at odds, at what is refused, and at kinds of weapons.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.attack_refusals import attack_refusal
from engine.battle.command import Act, Attack, Command, Move
from engine.battle.commands.unit_actions import Ready
from engine.battle.distances import adjacent_enemies
from engine.battle.moves.moves import movement_range
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Square
from engine.rules.model import Weapon
from tests.rules.table import Table

WORTH_A_SHOT = 0.1
LOOKS_AT = 3
"""So many enemies, and so many attacks with a weapon, are thought about."""


def sensible(table: Table) -> Generator[Command, bool, None]:
    """What the active unit does in its turn: attack and move on, or come near enough for a throw first."""
    me = table.battle.turns.active
    steps_first = bool(_weapons(table, table.unit(me), "thrown")) and not any(_throws(table, me))
    if not steps_first:
        yield from _attacks(table, me)
    if (step := _step(table, me)) is not None and (yield step):
        steps_first = True
    if steps_first:
        yield from _attacks(table, me)


def _attacks(table: Table, me: str) -> Generator[Command, bool, None]:
    """Attacks as long as there is one worth making."""
    for _ in range(4):
        for wish in (*_throws(table, me), *_best(table, me)):
            unit = table.unit(me)
            if wish.weapon != unit.gear.weapon:
                yield Ready(me, wish.weapon)
            if (yield wish):
                break
        else:
            weapon = table.rules.gear.weapons.get(table.unit(me).gear.weapon)
            if weapon is None or table.unit(me).gear.rounds.get(weapon.id, 1) or not (yield Act(me, "reload")):
                return


def _throws(table: Table, me: str) -> Iterator[Attack]:
    """Throws at enemies with none of one's own side near them."""
    unit = table.unit(me)
    for weapon in _weapons(table, unit, "thrown"):
        for target in _enemies(table, unit):
            near = [other for other in table.battle.units.values() if _apart(other.at, target.at) <= 3]
            ours = any(other.side == unit.side and not other.is_defeated for other in near)
            wish = Attack(me, "", weapon.id, square=target.at)
            if not ours and _apart(unit.at, target.at) > 3 and target.altitude == 0 and _chance(table, wish):
                yield wish


def _best(table: Table, me: str) -> Iterator[Attack]:
    """Attacks on enemies, the likeliest first; blows before shots where an enemy is at arm's length."""
    unit = table.unit(me)
    kinds = ("melee", "ranged") if adjacent_enemies(table.battle, unit) else ("ranged", "melee")
    for kind in kinds:
        for weapon in _weapons(table, unit, kind):
            first, *others = attack_actions(table.rules, weapon)
            chances = {
                target.id: chance
                for target in _enemies(table, unit)[:LOOKS_AT]
                if (chance := _chance(table, Attack(me, target.id, weapon.id, first.id))) >= WORTH_A_SHOT
            }
            for target_id in sorted(chances, key=lambda target_id: -chances[target_id]):
                wishes = [Attack(me, target_id, weapon.id, action.id) for action in (first, *others[: LOOKS_AT - 1])]
                yield from sorted(wishes, key=lambda wish: -_chance(table, wish))


def _chance(table: Table, wish: Attack) -> float:
    """The chance to hit; 0 where it is impossible or not to be paid for."""
    battle, rules = table.battle, table.rules
    try:
        shot = consider(battle, rules, wish)
    except BattleboardError:
        return 0
    is_off = attack_refusal(battle, rules, shot.situation.attacker, shot.situation.weapon, shot.situation.action)
    return float(shot.odds.hit) if shot.ledger.is_possible and not is_off else 0


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
    held = (table.rules.gear.weapons[weapon] for weapon in unit.gear.weapons)
    return [weapon for weapon in held if weapon.kind == kind and unit.gear.rounds.get(weapon.id, 1)]


def _enemies(table: Table, unit: Unit) -> list[Unit]:
    """Enemies in the fight, the nearest first."""
    found = [other for other in table.battle.units.values() if unit.is_enemy_of(other) and not other.is_defeated]
    return sorted(found, key=lambda other: (_apart(unit.at, other.at), other.id))


def _apart(one: Square, other: Square) -> int:
    return max(abs(one.column - other.column), abs(one.row - other.row))
