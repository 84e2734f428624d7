"""What changed for a seat, in sentences: made of its views and its aftermath, so it tells no more than they do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from engine.battle.narration.unit_states import StateShown
from engine.battle.views.aftermath import HEALED, UNHURT, Aftermath, Shot
from engine.battle.views.attack_outcomes import HIT
from engine.battle.views.view import UnitView, View
from engine.text import upper_first
from engine.values import Stored

LOSSES = {HIT: "loses {}", HEALED: "regains {}", UNHURT: "is unharmed"}
"""What the board's mark on a unit says, in words."""


class Told(Stored, frozen=True):
    """A sentence, and what it begins."""

    sentence: str
    begins: Literal["", "round", "turn"] = ""


def view_changes(before: View, after: View) -> Iterator[Told]:
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
            yield from map(Told, _of_unit(known[unit.id], unit))
        else:
            yield Told(f"{upper_first(unit.name)} is in sight at {unit.at.name}.")
    yield from (Told(f"{upper_first(unit.name)} is out of sight.") for unit in before.units if unit.id not in now)
    if after.round != before.round and after.round:
        yield Told(f"Round {after.round}.", "round")
    if after.active != before.active and after.active in now:
        yield Told(f"{upper_first(now[after.active].name)}'s turn.", "turn")


def attack_sentences(done: Aftermath, view: View) -> Iterator[str]:
    """A sentence for each attack and blast of a command that a seat knows of, and for what others than its own lose.

    What its own units lose stands in their numbers, of which `view_changes` tells.
    """
    units = {unit.id: unit for unit in view.units}
    for shot in done.shots:
        if shot.attacker in units:
            target = units[shot.target].name if shot.target in units else ""
            yield f"{_attack(units[shot.attacker].name, target, shot)}: {'hit' if shot.is_hit else 'miss'}."
    if done.landed is not None:
        what = "blast goes off" if done.rings else "throw comes down"
        whose = f"{units[done.thrower].name}'s" if done.thrower in units else "A"
        yield f"{whose} {what} on {done.landed.name}."
    for mark in done.marks:
        if mark.kind in LOSSES and mark.unit in units and not units[mark.unit].pools:
            yield f"{units[mark.unit].name} {LOSSES[mark.kind].format(mark.amount)}."


def _attack(attacker: str, target: str, shot: Shot) -> str:
    """Who attacks whom; "" for a target that the seat does not see now.

    >>> _attack("Raven", "", Shot("raven", "", (), is_hit=False, reaction="overwatch"))
    'Raven fires from overwatch'
    """
    if not shot.reaction or shot.is_melee:
        return f"{attacker} attacks {target or 'somebody out of sight'}"
    return f"{attacker} fires from {shot.reaction}{f' at {target}' if target else ''}"


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
    was, now = ({_state(state): state for state in unit.conditions} for unit in (before, after))
    yield from (f"{after.name}: {words}." for words in now if words not in was)  # an adjective, a noun or a verb
    for words, state in was.items():
        only_says_more = not state.mark and state.detail  # the zone of an overwatch, the attack that it is set to
        if words not in now and not only_says_more:
            yield f"{after.name}: no longer “{words}”."
    if after.is_defeated != before.is_defeated:
        yield f"{after.name} is {'out of the fight' if after.is_defeated else 'back in the fight'}."


def _state(state: StateShown) -> str:
    """A state inside a sentence that has a colon already, without its rounds."""
    return f"{state.label}, {state.detail}" if state.detail else state.label
