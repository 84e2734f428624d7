"""Places in the order: who waits for whom, what the GM puts elsewhere, groups that share a place, who is surprised."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.draft import Draft
from engine.battle.turns.commands import Delay, DissolveGroup, FormGroup, SetPlace, Surprise
from engine.battle.turns.ordering import gathered
from engine.battle.turns.passing import decide_end_of_turn, next_turn
from engine.battle.units import Unit
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.rules.model import SURPRISED, Ruleset


def decide_delay(battle: Battle, rules: Ruleset, wish: Delay, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Puts a turn off that has not been made use of; from then on the unit has that place."""
    unit, other = _in_order(battle, wish.unit), _in_order(battle, wish.after)
    if rules.turns.initiative.declares:
        said = "the order is rolled for what everybody declares; to wait is an act of its own"
        raise Illegal("order", f"Under {rules.name} {said}.")
    if battle.turns.closing or battle.turns.interrupted:
        raise Illegal("order", "Nobody can wait now: a turn out of the order is being taken.")
    block = battle.turns.group_of(unit.id)
    is_active = battle.turns.active == unit.id
    if is_active and (unit.turn.attacks or unit.turn.moved or unit.turn.tally):
        raise Illegal("order", f"{unit.name} has acted in its turn already: who waits, waits before that.")
    if is_active and unit.id != block[0]:
        raise Illegal("order", f"{unit.name}'s group has begun to act.")
    if not is_active and battle.turns.has_come(unit.id):
        raise Illegal("order", f"{unit.name} has had its turn in this round.")
    if battle.turns.order.index(other.id) < battle.turns.order.index(unit.id):
        raise Illegal("order", f"{other.name} is not to come after {unit.name} in this round.")
    draft = Draft(battle, rules)
    draft.add(_moved(battle, rules, unit, other, is_delay=True))
    if is_active:
        draft.add(ev.TurnDelayed(unit.id))
        next_turn(draft, draft.battle.turns.order[battle.turns.order.index(unit.id) :], dice)
    return draft.events


def decide_place_in_order(battle: Battle, rules: Ruleset, wish: SetPlace) -> tuple[ev.Event, ...]:
    """Gives a unit, or its whole group, another place, whoever's turn it is."""
    unit = _in_order(battle, wish.unit)
    other = _in_order(battle, wish.after) if wish.after else None
    if battle.turns.whose_place in battle.turns.group_of(unit.id):
        raise Illegal("order", f"The round has come to {unit.name}: a delay puts its turn off.")
    return (_moved(battle, rules, unit, other, is_delay=False),)


def decide_group(battle: Battle, rules: Ruleset, wish: FormGroup) -> tuple[ev.Event, ...]:
    """Makes a group; its members act one after the other from the place of the first of them."""
    members = tuple(dict.fromkeys(wish.members))
    units = [battle.unit(unit_id) for unit_id in members]
    if len(units) < 2:
        raise Illegal("group", "A group has two members or more.")
    if rules.turns.initiative.declares:
        raise Illegal("group", f"Under {rules.name} everybody declares and rolls alone: there are no groups.")
    for other in units:
        if other.side != units[0].side:
            raise Illegal("group", f"{other.name} is of {other.side}, {units[0].name} of {units[0].side}.")
    if any(set(group) == set(members) for group in battle.turns.groups):
        raise Illegal("group", "They are a group already.")
    if not battle.turns.order:
        return (ev.GroupFormed(members, (), {}),)
    for unit in units:
        _in_order(battle, unit.id)
    come = [unit for unit in units if battle.turns.has_come(unit.id)]
    if come and len(come) < len(units) and [unit.id for unit in come] != [battle.turns.active]:
        late = next(unit for unit in units if unit not in come)
        why = f"{come[0].name} has had its turn in this round, {late.name} has not"
        raise Illegal("group", f"{why}: make the group when the round is over.")
    ordered = tuple(unit_id for unit_id in battle.turns.order if unit_id in members)
    score = battle.turns.initiative.get(ordered[0], 0)
    scores = {**battle.turns.initiative, **dict.fromkeys(ordered, score)}
    return (ev.GroupFormed(ordered, gathered(battle.turns.order, [ordered]), scores),)


def decide_dissolve(battle: Battle, wish: DissolveGroup) -> tuple[ev.Event, ...]:
    """Ends a group; its members keep their places."""
    group = battle.turns.group_of(battle.unit(wish.unit).id)
    if len(group) < 2:
        raise Illegal("group", f"{battle.unit(wish.unit).name} is in no group.")
    return (ev.GroupDissolved(group),)


def decide_surprise(battle: Battle, rules: Ruleset, wish: Surprise, dice: DiceSource) -> tuple[ev.Event, ...]:
    """Takes units their turn in this round; with the ruleset's own condition, where it has one for that."""
    units = [_in_order(battle, unit_id) for unit_id in dict.fromkeys(wish.units)]
    if not units:
        raise Illegal("surprise", "Say who is surprised.")
    own = rules.units.conditions.get(SURPRISED)
    for unit in units:
        if unit.id != battle.turns.active and battle.turns.has_come(unit.id):
            raise Illegal("surprise", f"{unit.name} has had its turn in this round.")
        if unit.id == battle.turns.active and (
            unit.turn.attacks or unit.turn.moved or unit.turn.tally or battle.turns.interrupted
        ):
            raise Illegal("surprise", f"{unit.name} is acting already.")
        if unit.id in battle.turns.surprised or (own is not None and own.id in unit.conditions):
            raise Illegal("surprise", f"{unit.name} is surprised already.")
    draft = Draft(battle, rules)
    if own is None:
        draft.add(ev.UnitsSurprised(tuple(unit.id for unit in units)))
    for unit in units if own else ():
        draft.set_condition(unit.id, SURPRISED, True, "")
    if any(unit.id == battle.turns.active for unit in units):
        for event in decide_end_of_turn(draft.battle, rules, dice):
            draft.add(event)
    return draft.events


def _in_order(battle: Battle, unit_id: str) -> Unit:
    unit = battle.unit(unit_id)
    if not battle.turns.order:
        raise Illegal("order", "The order is not rolled yet.")
    if unit.is_defeated:
        raise Illegal("defeated", f"{unit.name} is out of the fight.")
    if unit.id not in battle.turns.order:
        raise Illegal("order", f"{unit.name} has no place in the order yet.")
    return unit


def _moved(battle: Battle, rules: Ruleset, unit: Unit, other: Unit | None, *, is_delay: bool) -> ev.PlaceTaken:
    """A unit's, or its group's, new place: after another's, or first."""
    block = battle.turns.group_of(unit.id)
    if other is not None and other.id in block:
        who = f"{other.name} is in its group" if other.id != unit.id else "nobody comes after themselves"
        raise Illegal("order", f"{unit.name} cannot come after {other.name}: {who}.")
    beside = other or battle.unit(next((one for one in battle.turns.order if one not in block), unit.id))
    if rules.turns.initiative.is_by_side and beside.side != unit.side:
        which = f"{unit.name}'s place is among {unit.side}"
        raise Illegal("order", f"Under {rules.name} sides act one after the other: {which}.")
    rest = [unit_id for unit_id in battle.turns.order if unit_id not in block]
    place = max(rest.index(one) for one in battle.turns.group_of(other.id)) + 1 if other else 0
    order = (*rest[:place], *block, *rest[place:])
    if order == battle.turns.order:
        raise Illegal("order", f"{unit.name} has that place already.")
    scores = {**battle.turns.initiative, **dict.fromkeys(block, battle.turns.initiative.get(beside.id, 0))}
    return ev.PlaceTaken(unit.id, other.id if other else "", order, scores, is_delay)
