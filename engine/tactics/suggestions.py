"""Suggestions: another attack now, or a step aside first. Computed one after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from engine.battle.apply import apply_all
from engine.battle.attacks.attack_preview import Change, attack_actions, consider, weapon_of
from engine.battle.command import Attack, Move
from engine.battle.commands.decide import decide
from engine.battle.moves.moves import movement_range
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset
from engine.values import replace


def changes(battle: Battle, rules: Ruleset, attack: Attack) -> Iterator[Change]:
    """Every change that the attacker could make now and still attack; the next is computed on demand."""
    unit = battle.unit(attack.unit)
    try:
        shot = consider(battle, rules, attack)
        weapon = weapon_of(rules, unit, attack.weapon, attack.action)
    except BattleboardError:
        return
    for action in attack_actions(rules, weapon):
        if action.id != shot.situation.action.id and action.cone is None:
            hit = _chance(battle, rules, replace(attack, action=action.id))
            if hit:
                yield Change(False, action.label, hit)
    for way, square in _steps(battle, rules, unit):
        there = _stepped(battle, rules, unit, square)
        if there is not None and (hit := _chance(there, rules, attack)):
            yield Change(True, way.name, hit)


def better(found: Iterable[Change], hit: Fraction) -> tuple[Change, ...]:
    """The best other way and the best step, of those that better a chance; the straight step where several are."""
    known = [change for change in found if change.hit > hit]
    ways = max((change for change in known if not change.is_step), key=lambda change: change.hit, default=None)
    steps = max(
        (change for change in known if change.is_step),
        key=lambda change: (change.hit, -len(change.label)),
        default=None,
    )
    return tuple(change for change in (ways, steps) if change is not None)


def _steps(battle: Battle, rules: Ruleset, unit: Unit) -> list[tuple[Direction, Square]]:
    """The neighbouring squares that the unit could walk to before it attacks."""
    try:
        found = movement_range(battle, rules, unit)
    except BattleboardError:
        return []
    ways = ((way, unit.at.step(way)) for way in Direction)
    return [(way, square) for way, square in ways if found.stride_to(square) is not None]


def _stepped(battle: Battle, rules: Ruleset, unit: Unit, square: Square) -> Battle | None:
    """The battle after a step, with all that it costs and changes; None where it does not lead there at once."""
    try:
        there = apply_all(battle, decide(battle, Move(unit.id, (unit.at, square)), rules))
    except BattleboardError:
        return None
    return there if there.unit(unit.id).at == square else None


def _chance(battle: Battle, rules: Ruleset, attack: Attack) -> Fraction:
    """How likely an attack hits; 0 where it may not be made."""
    try:
        shot = consider(battle, rules, attack)
    except BattleboardError:
        return Fraction(0)
    return shot.odds.hit if shot.ledger.is_possible and not shot.refusal else Fraction(0)
