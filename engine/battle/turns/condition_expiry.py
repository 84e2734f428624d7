"""Conditions that end: when their moment comes or their rounds are over, or by what happens (an aim with its bearer's
next action, a held action with what it held, a hold when the two are no longer adjacent, what ends with another)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.apply import apply_all
from engine.battle.distances import is_adjacent
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import action_facts
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.reasons import Reason
from engine.battle.state.units import Unit
from engine.rules.model import ABOUT_WHOM, NEXT_ACTION, Action, Condition, Ruleset
from engine.rules.origin import Origin

OTHER = "other"
DEFENDING = Action("", "", OTHER, {}, (), Origin(""))
"""A stand-in for the action of a unit that defends."""


class TakenAction(Struct, frozen=True):
    """An action that a unit took: its id, "" for a defence; whether it is free; which conditions it was held for."""

    action: str
    is_free: bool
    awaited: frozenset[str] = frozenset()


def expire(draft: EventBuilder, unit_ids: Iterable[str], moment: str, because: Reason) -> None:
    """Ends the conditions of those units that last until that moment."""
    for unit_id in unit_ids:
        for condition in draft.battle.unit(unit_id).conditions:
            is_timed = condition in draft.battle.unit(unit_id).timers
            if draft.rules.units.conditions[condition].until == moment and not is_timed:
                draft.set_condition(unit_id, condition, False, because)


def tick(draft: EventBuilder) -> None:
    """A round less of every condition and marker that lasts a number of rounds."""
    for unit in draft.battle.units.values():
        for condition, left in unit.timers.items():
            if left > 1:
                draft.add(ev.ConditionTicked(unit.id, condition, left - 1))
            else:
                draft.set_condition(unit.id, condition, False, Reason("rounds-over"))
        for marker, left in unit.markers.items():
            if left > 1:
                draft.add(ev.MarkerSet(unit.id, marker, left - 1, is_tick=True))
            elif left:
                draft.add(ev.MarkerCleared(unit.id, marker, Reason("rounds-over")))


def lapses(before: Battle, rules: Ruleset, happened: Iterable[ev.Event]) -> Iterator[ev.ConditionEnded]:
    """Conditions that these events end, of those that their units already had.

    What their bearers did sees the conditions still. An action that begins a condition renews it. A condition in which
    something is held ends when that is spent, one that lasts while adjacent when the two are no longer, and one that
    ends with another for the same reason as that one.
    """
    happened = tuple(happened)
    lapsed = tuple(_lapses(before, rules, happened))
    yield from lapsed
    conditions = rules.units.conditions.values()
    if not any(known.ends_with for known in conditions):
        return
    after = apply_all(before, (*happened, *lapsed))
    for event in (*happened, *lapsed):
        if not isinstance(event, ev.ConditionEnded) or event.unit not in after.units:
            continue
        held = after.units[event.unit].conditions
        for known in conditions:
            if known.ends_with == event.condition and known.id in held and known.ends_with not in held:
                yield ev.ConditionEnded(event.unit, known.id, known.label, event.because)


def _lapses(before: Battle, rules: Ruleset, happened: Sequence[ev.Event]) -> Iterator[ev.ConditionEnded]:
    """Those of `lapses` that end by themselves."""
    short = [known for known in rules.units.conditions.values() if known.until == NEXT_ACTION]
    if not short and not any(known.holds or known.while_adjacent for known in rules.units.conditions.values()):
        return
    after = apply_all(before, happened)
    yield from _spent(before, after, rules)
    yield from _parted(before, after, rules)
    taken_by: dict[str, list[TakenAction]] = {}
    given = (event for event in happened if isinstance(event, ev.OpeningGiven))
    openings: list[Opening | ev.OpeningGiven] = [*before.openings, *given]
    begun: set[tuple[str, str]] = set()
    for event in happened:
        if isinstance(event, ev.AttackRolled):
            taken_by.setdefault(event.unit, []).append(_attack(rules, event, openings))
        elif isinstance(event, ev.ActionTaken | ev.UnitMoved):
            taken_by.setdefault(event.unit, []).append(TakenAction(event.action, _is_free(rules, event.action)))
        elif isinstance(event, ev.DefenceTaken):
            taken_by.setdefault(event.unit, []).append(TakenAction("", not any(event.spent.values())))
        elif isinstance(event, ev.ConditionBegan):
            begun.add((event.unit, event.condition))
    for unit_id, actions in taken_by.items():
        was, still = before.units[unit_id].conditions, after.units[unit_id].conditions
        for condition in short:
            if condition.id not in was or condition.id not in still or (unit_id, condition.id) in begun:
                continue
            if any(_begins(rules, taken.action, condition.id) for taken in actions):
                continue
            unit = before.units[unit_id]
            if any(_ends(before, rules, condition, unit, taken) for taken in actions):
                yield ev.ConditionEnded(unit_id, condition.id, condition.label, Reason("has-acted"))


def _is_free(rules: Ruleset, action_id: str) -> bool:
    """Whether an action of one's own is one that costs nothing; attacks and moves are not."""
    action = rules.actions.get(action_id)
    return action is not None and not action.cost and action.kind == OTHER


def _attack(rules: Ruleset, event: ev.AttackRolled, openings: Iterable[Opening | ev.OpeningGiven]) -> TakenAction:
    """An attack: free where a reaction gives it for nothing.

    It then ends those conditions all the same that the reaction asks of its unit: they were held for this.
    """
    drawn = ((one, one.attack) for one in openings if (one.unit, one.against) == (event.unit, event.target))
    held = next((one for one, attack in drawn if attack in ("", event.action)), None)
    reaction = next((one for one in rules.turns.reactions if held is not None and one.id == held.reaction), None)
    if held is None or any(held.cost.values()):
        return TakenAction(event.action, is_free=False)
    if reaction is None:
        return TakenAction(event.action, is_free=True)
    asked = {name.partition(".")[2] for name in reaction.when.names if name.startswith("reactor.")}
    return TakenAction(
        event.action, is_free=True, awaited=frozenset({*asked, reaction.attack.removesuffix(ABOUT_WHOM)})
    )


def _ends(before: Battle, rules: Ruleset, condition: Condition, unit: Unit, taken: TakenAction) -> bool:
    """Whether what a unit did ends a condition that lasts until the next action."""
    if taken.action in condition.continues:
        return False
    if not taken.is_free or condition.id in taken.awaited:
        return True
    action = rules.actions[taken.action] if taken.action else DEFENDING
    return bool(condition.free_actions_end.evaluate(action_facts(before, rules, unit, action)))


def _spent(before: Battle, after: Battle, rules: Ruleset) -> Iterator[ev.ConditionEnded]:
    """The conditions in which something was held before, and nothing is any more."""
    for unit in after.units.values():
        had = before.units[unit.id].turn.budget if unit.id in before.units else {}
        for held in (rules.units.conditions[condition] for condition in unit.conditions):
            if had.get(held.holds, 0) and not unit.turn.budget.get(held.holds, 0):
                why = Reason("budget-spent", label=rules.units.budgets[held.holds].label)
                yield ev.ConditionEnded(unit.id, held.id, held.label, why)


def _parted(before: Battle, after: Battle, rules: Ruleset) -> Iterator[ev.ConditionEnded]:
    """Conditions that last while adjacent, of units that are no longer adjacent to the unit they are about.

    Whom the GM says to be held from afar is held from afar.
    """
    for unit in after.units.values():
        for condition, about in unit.about.items():
            held = rules.units.conditions[condition]
            if not held.while_adjacent or not {unit.id, about} <= before.units.keys() & after.units.keys():
                continue
            pairs = ((battle.field, battle.units[unit.id], battle.units[about]) for battle in (before, after))
            was, still = (is_adjacent(*pair) for pair in pairs)
            if was and not still:
                why = Reason("not-adjacent", about)
                yield ev.ConditionEnded(unit.id, condition, held.label, why)


def _begins(rules: Ruleset, action_id: str, condition: str) -> bool:
    """Whether an action begins that condition on the unit that takes it."""
    action = rules.actions.get(action_id)
    return action is not None and any(
        effect.begins == condition and effect.whom == "attacker" for effect in action.effects
    )
