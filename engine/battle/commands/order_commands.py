"""Turn order commands: initiative, delay, places, groups, surprise."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events as ev
from engine.battle.command import OWN, Command, Deciding, Events
from engine.battle.event_builder import NO_TURN_YET, refuse_if_out
from engine.battle.parameters import UnitId
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.turns.turn_flow import decide_end_of_turn, decide_initiative, decide_turn, follow_on
from engine.battle.turns.turn_order import gathered, may_be_next, to_act
from engine.bounds import Whole
from engine.errors import Illegal
from engine.rules.model import SURPRISED, Ruleset
from engine.text import side_name
from engine.values import replace


class RollInitiative(Command, frozen=True, tag="roll-initiative"):
    """Roll the turn order again and begin a round with its first unit."""

    ends_turns = True

    declared: Mapping[str, str] = {}
    """Action ids by unit id, where the ruleset rolls for what units declare. The others attack with what they hold."""

    def decide(self, now: Deciding) -> Events:
        return decide_initiative(now, self.declared)


class SetTurn(Command, frozen=True, tag="set-turn"):
    """A unit's turn of this round begins now: the active unit's turn continues after it.

    A player chooses who of the own side acts next, where the rules leave it to the side; all else is the GM's. With
    `again`, a unit that has had its turn takes an extra one.
    """

    ends_turns = True
    version = 2
    may = OWN

    unit: UnitId
    again: bool = False

    def ordered(self, battle: Battle) -> tuple[str, ...]:
        return (self.unit, battle.turns.active)

    def needs_leave(self, battle: Battle, rules: Ruleset) -> bool:
        return self.again or self.unit not in may_be_next(battle, rules)

    def decide(self, now: Deciding) -> Events:
        return decide_turn(now, self.unit, is_again=self.again)


class SetInitiative(Command, frozen=True, tag="set-initiative"):
    """The GM sets a unit's initiative: among units with that score, it acts last."""

    unit: UnitId
    score: Whole

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        if not battle.turns.order:
            raise Illegal("order", NO_TURN_YET)
        if battle.turns.initiative.get(unit.id) == self.score:
            raise Illegal("order", f"{unit.name} already has initiative {self.score}.")
        scores = {**battle.turns.initiative, unit.id: self.score}
        others = [unit_id for unit_id in battle.turns.order if unit_id != unit.id]
        lower = (place for place, one in enumerate(others) if scores.get(one, 0) < self.score)
        place = next(lower, len(others))
        return (ev.OrderSet((*others[:place], unit.id, *others[place:]), scores, by_gm=True),)


class Delay(Command, frozen=True, tag="delay"):
    """A unit that has not acted yet delays its turn until after a later unit."""

    ends_turns = True
    may = OWN

    unit: UnitId
    after: UnitId

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit, draft = battle.unit(self.unit), now.draft()
        draft.add(delayed(battle, rules, self.unit, self.after))
        if has_turn(battle, unit):
            draft.add(ev.TurnDelayed(unit.id))
        if battle.turns.active == unit.id:
            follow_on(draft, now.dice)
        return draft.events


def delayed(battle: Battle, rules: Ruleset, unit_id: str, after: str) -> ev.PlaceTaken:
    """The place in the order of a unit that delays its turn until after that of another.

    Raises:
        Illegal: it cannot delay so.
    """
    unit, other = _in_order(battle, unit_id), _in_order(battle, after)
    if rules.turns.initiative.declares:
        why = f"{rules.name} rolls initiative for declared actions"
        raise Illegal("order", f"{why}: {_instead_of_delay(rules)}.", why)
    turns = battle.turns
    if turns.closing or not turns.is_own_turn:
        raise Illegal("order", "Nobody can delay during an interrupt.")
    is_on = has_turn(battle, unit)
    if is_on and unit.turn.is_used:
        raise Illegal("order", f"{unit.name} cannot delay: it has already acted this turn.")
    if unit.id in turns.started and not is_on:
        raise Illegal("order", f"{unit.name} cannot delay: its turn this round is over.")
    if any(one in turns.started for one in turns.group_of(unit.id) if one != unit.id):
        raise Illegal("order", f"{unit.name} cannot delay: its group has already acted.")
    later = to_act(battle, rules)
    if other.id != unit.id and other.id not in later[later.index(unit.id) if unit.id in later else 0 :]:
        raise Illegal("order", f"{unit.name} cannot delay: {other.name} does not act after it this round.")
    return _moved(battle, rules, unit, other, is_delay=True)


def _instead_of_delay(rules: Ruleset) -> str:
    """How a unit acts later where nobody delays: by the actions after which it may act out of its turn."""
    waits = [
        f"“{action.label}”"
        for action in rules.actions.values()
        if any(one.begins and rules.units.conditions[one.begins].acts_out_of_turn for one in action.effects)
    ]
    return f"on its turn a unit takes {' or '.join(waits)} instead" if waits else "nobody delays"


class SetPlace(Command, frozen=True, tag="set-place"):
    """The GM gives a unit another place in the order: after another, or first where none is named."""

    unit: UnitId
    after: UnitId = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit = _in_order(battle, self.unit)
        other = _in_order(battle, self.after) if self.after else None
        if any(has_turn(battle, battle.unit(one)) for one in battle.turns.group_of(unit.id)):
            raise Illegal("order", f"It is {unit.name}'s turn: use delay instead.")
        return (_moved(battle, rules, unit, other, is_delay=False),)


class FormGroup(Command, frozen=True, tag="form-group"):
    """The GM groups units of a side: they share one place in the turn order and one roll."""

    members: tuple[UnitId, ...]

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        members = tuple(dict.fromkeys(self.members))
        units = [battle.unit(unit_id) for unit_id in members]
        if len(units) < 2:
            raise Illegal("group", "A group needs two members or more.")
        if rules.turns.initiative.declares:
            raise Illegal("group", f"{rules.name} has no groups: every unit declares and rolls alone.")
        for other in units:
            if other.side != units[0].side:
                raise Illegal(
                    "group",
                    f"A group has one side: {other.name} belongs to {side_name(other.side)}, {units[0].name} to "
                    f"{side_name(units[0].side)}.",
                )
        if any(set(group) == set(members) for group in battle.turns.groups):
            raise Illegal("group", "They are already a group.")
        if not battle.turns.order:
            return (ev.GroupFormed(members, (), {}),)
        for unit in units:
            _in_order(battle, unit.id)
        come = [unit for unit in units if unit.id in battle.turns.started]
        if come and len(come) < len(units) and [unit.id for unit in come] != [battle.turns.active]:
            late = next(unit for unit in units if unit not in come)
            why = f"{come[0].name} has had its turn this round, {late.name} has not"
            raise Illegal("group", f"{why}: form the group after this round.")
        ordered = tuple(unit_id for unit_id in battle.turns.order if unit_id in members)
        score = battle.turns.initiative.get(ordered[0], 0)
        scores = {**battle.turns.initiative, **dict.fromkeys(ordered, score)}
        return (ev.GroupFormed(ordered, gathered(battle.turns.order, [ordered]), scores),)


class DissolveGroup(Command, frozen=True, tag="dissolve-group"):
    """Dissolve a unit's group: its members have places of their own again."""

    unit: UnitId

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        group = battle.turns.group_of(battle.unit(self.unit).id)
        if len(group) < 2:
            raise Illegal("group", f"{battle.unit(self.unit).name} is in no group.")
        return (ev.GroupDissolved(group),)


class Surprise(Command, frozen=True, tag="surprise"):
    """The GM marks units as surprised: they lose their turn this round."""

    ends_turns = True

    units: tuple[UnitId, ...]

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        units = [_in_order(battle, unit_id) for unit_id in dict.fromkeys(self.units)]
        if not units:
            raise Illegal("surprise", "Name the units that are surprised.")
        own = rules.units.conditions.get(SURPRISED)
        for unit in units:
            if why := why_not_surprised(battle, rules, unit):
                raise Illegal("surprise", f"{unit.name} {why}.")
        draft = now.draft()
        if own is None:
            draft.add(ev.UnitsSurprised(tuple(unit.id for unit in units)))
        for unit in units if own else ():
            draft.set_condition(unit.id, SURPRISED, True, "")
        if any(unit.id == battle.turns.active for unit in units):
            for event in decide_end_of_turn(replace(now, battle=draft.battle)):
                draft.add(event)
        return draft.events


def why_not_surprised(battle: Battle, rules: Ruleset, unit: Unit) -> str:
    """Why a unit cannot be surprised in this round, as "has had its turn this round"; "" when it can."""
    own = rules.units.conditions.get(SURPRISED)
    if unit.is_defeated:
        return "is out of the fight"
    is_on = has_turn(battle, unit)
    if is_on and unit.turn.is_used:
        return "has already begun to act"
    if not is_on and unit.id in (battle.turns.active, *battle.turns.started):
        return "has had its turn this round"
    if unit.id in battle.turns.surprised or (own is not None and own.id in unit.conditions):
        return "is already surprised"
    return ""


class FinishBattle(Command, frozen=True, tag="finish-battle"):
    """The GM ends the battle."""

    def decide(self, now: Deciding) -> Events:
        return (ev.BattleFinished(),)


KINDS = (FinishBattle, RollInitiative, SetTurn, SetInitiative, Delay, SetPlace, FormGroup, DissolveGroup, Surprise)


def has_turn(battle: Battle, unit: Unit) -> bool:
    """Whether a unit has its turn of this round now, or continues it after an interrupt."""
    turns = battle.turns
    return turns.is_waiting(unit.id) or (turns.active == unit.id and turns.is_own_turn)


def _in_order(battle: Battle, unit_id: str) -> Unit:
    unit = battle.unit(unit_id)
    if not battle.turns.order:
        raise Illegal("order", NO_TURN_YET)
    refuse_if_out(unit)
    if unit.id not in battle.turns.order:
        raise Illegal("order", f"{unit.name} is not in the turn order yet.")
    return unit


def _moved(battle: Battle, rules: Ruleset, unit: Unit, other: Unit | None, *, is_delay: bool) -> ev.PlaceTaken:
    """A unit's, or its group's, new place: after another's, or first."""
    block = battle.turns.group_of(unit.id)
    if other is not None and other.id in block:
        who = f"{other.name} is in its group" if other.id != unit.id else "it is the same unit"
        raise Illegal("order", f"{unit.name} cannot act after {other.name}: {who}.")
    beside = other or battle.unit(next((one for one in battle.turns.order if one not in block), unit.id))
    if rules.turns.initiative.is_by_side and beside.side != unit.side:
        why = f"in {rules.name} each side takes its turns together"
        raise Illegal("order", f"{unit.name} must act with {side_name(unit.side)}: {why}.")
    rest = [unit_id for unit_id in battle.turns.order if unit_id not in block]
    place = max(rest.index(one) for one in battle.turns.group_of(other.id)) + 1 if other else 0
    order = (*rest[:place], *block, *rest[place:])
    if order == battle.turns.order:
        raise Illegal("order", f"{unit.name} already has that place.")
    scores = {**battle.turns.initiative, **dict.fromkeys(block, battle.turns.initiative.get(beside.id, 0))}
    return ev.PlaceTaken(unit.id, other.id if other else "", order, scores, is_delay)
