"""Differences between two states of a battle, unit by unit, in sentences."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.text import count, upper_first


def differences(before: Battle, after: Battle, rules: Ruleset) -> list[str]:
    """One sentence for each unit that changed, then for the turn and the ground; none where nothing changed."""
    lines: list[str] = []
    for unit in after.units.values():
        old = before.units.get(unit.id)
        if old is None:
            lines.append(f"{upper_first(unit.name)} joined on {unit.at.name}.")
        elif changes := [*_changes(old, unit, after, rules), *_moves_declared(unit, before, after, rules)]:
            lines.append(f"{upper_first(unit.name)}: {', '.join(changes)}.")
    lines += [
        f"{upper_first(unit.name)} left the battle." for unit in before.units.values() if unit.id not in after.units
    ]
    if (before.turns.round, before.turns.active) != (after.turns.round, after.turns.active) and after.turns.active:
        lines.append(f"Round {after.turns.round}, {after.unit(after.turns.active).name}'s turn.")
    ground = sum(_ground(before, square) != _ground(after, square) for square in after.field.squares())
    if ground:
        lines.append(f"The ground changed on {count(ground, 'square')}.")
    edges = before.field.barriers.keys() | after.field.barriers.keys()
    lines += [
        f"The {(after.field.barriers.get(edge) or before.field.barriers[edge]).kind} on {edge.name} changed."
        for edge in sorted(edges, key=lambda edge: edge.name)
        if before.field.barriers.get(edge) != after.field.barriers.get(edge)
    ]
    return lines


def _changes(old: Unit, new: Unit, battle: Battle, rules: Ruleset) -> Iterator[str]:
    if old.at != new.at:
        yield f"{old.at.name} → {new.at.name}"
    if old.altitude != new.altitude:
        sign = UNIT_SIGNS[battle.field.unit]
        yield f"altitude {old.altitude / 100:g} → {new.altitude / 100:g} {sign}"
    if old.posture != new.posture:
        yield new.posture
    for pool in rules.units.pools.values():
        one, other = old.pools.get(pool.id, 0), new.pools.get(pool.id, 0)
        if one != other:
            yield f"{pool.label} {one} → {other}"
    for weapon, rounds in new.gear.rounds.items():
        if old.gear.rounds.get(weapon, rounds) != rounds:
            yield f"{rules.gear.weapons[weapon].label} {old.gear.rounds[weapon]} → {rounds} rounds"
    if old.gear.weapon != new.gear.weapon:
        yield f"{rules.gear.weapons[new.gear.weapon].label} in hand" if new.gear.weapon else "nothing in hand"
    yield from (rules.units.conditions[held].label for held in new.conditions if held not in old.conditions)
    yield from (
        f"no longer {rules.units.conditions[held].label}" for held in old.conditions if held not in new.conditions
    )
    if old.is_defeated != new.is_defeated:
        yield "out of the fight" if new.is_defeated else "back in the fight"


def _moves_declared(unit: Unit, before: Battle, after: Battle, rules: Ruleset) -> Iterator[str]:
    """The move for the end of the round that a unit has declared since: "Move R10 → U10 at the end of the round"."""
    for move in after.turns.declared:
        if move.unit == unit.id and move not in before.turns.declared:
            path = f"{move.path[0].name} → {move.path[-1].name}"
            yield f"{rules.actions[move.action].label} {path} at the end of the round"


def _ground(battle: Battle, square: Square) -> tuple[object, ...]:
    field = battle.field
    return field.ground_at(square), field.elevation_at(square), field.smoke_at(square)
