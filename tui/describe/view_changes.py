"""What changed for a seat, in sentences: made of its views and its aftermath, so it tells no more than they do."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle.views.aftermath import Aftermath
from engine.battle.views.view import UnitView, View


def view_changes(before: View, after: View) -> Iterator[str]:
    """A sentence for each change: rounds and turns, who is seen, moves, numbers, conditions, who is out.

    Args:
        before: what the seat saw.
        after: what it sees now, of the same battle.
    """
    if after.is_curtain or before.is_curtain:
        return
    known = {unit.id: unit for unit in before.units}
    now = {unit.id: unit for unit in after.units}
    for unit in after.units:
        if unit.id in known:
            yield from _of_unit(known[unit.id], unit)
        else:
            yield f"{unit.name} is in sight at {unit.at.name}."
    yield from (f"{unit.name} is out of sight." for unit in before.units if unit.id not in now)
    if after.round != before.round and after.round:
        yield f"Round {after.round}."
    if after.active != before.active and after.active in now:
        yield f"{now[after.active].name}'s turn."


def attack_sentences(done: Aftermath, view: View) -> Iterator[str]:
    """A sentence for each attack of the last command that a seat knows of: "Todd attacks Boss: miss."."""
    names = {unit.id: unit.name for unit in view.units}
    for shot in done.shots:
        if shot.attacker in names and shot.target in names:
            yield f"{names[shot.attacker]} attacks {names[shot.target]}: {'hit' if shot.is_hit else 'miss'}."


def _of_unit(before: UnitView, after: UnitView) -> Iterator[str]:
    if before.at != after.at:
        yield f"{after.name} moves {before.at.name} → {after.at.name}."
    if before.posture != after.posture:
        yield f"{after.name} is {after.posture}."
    numbers = {pool.id: pool.now for pool in before.pools}
    for pool in after.pools:
        if numbers.get(pool.id, pool.now) != pool.now:
            yield f"{after.name}: {pool.label} {numbers[pool.id]} → {pool.now}."
    if before.weapon != after.weapon:
        yield f"{after.name} has {after.weapon or 'nothing'} in hand."
    gained = [label for _, label in after.conditions if label not in {one for _, one in before.conditions}]
    yield from (f"{after.name}: {label}." for label in gained)
    if after.is_defeated != before.is_defeated:
        yield f"{after.name} is {'out of the fight' if after.is_defeated else 'back in the fight'}."
