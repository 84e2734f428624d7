"""Applying events: the only way a battle changes. Total, pure, and blind to rulesets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import reduce
from typing import TypeVar

from engine.battle import events as ev
from engine.battle.apply_gm import apply_to_table
from engine.battle.state.battle import Battle, Declared, Dropped, Interrupted, Opening, Worn
from engine.battle.state.units import Turn, Unit
from engine.geometry.squares import diagonal_steps
from engine.rules.ledger import Adjustment
from engine.values import replace

Key = TypeVar("Key")
Item = TypeVar("Item")


def apply_all(battle: Battle, happened: Iterable[ev.Event]) -> Battle:
    """The battle after a row of events."""
    return reduce(apply, happened, battle)


def apply(battle: Battle, event: ev.Event) -> Battle:
    """The battle after one event; the argument is not changed."""
    match event:
        case ev.BattleBegan():
            units = {unit.id: unit for unit in event.units}
            return replace(battle, units=units, dice=replace(battle.dice, seed=event.seed), party=event.party)
        case ev.BattleFinished():
            return replace(battle, is_finished=True)
        case ev.InitiativeRolled() if event.declared:
            return replace(
                battle, turns=replace(battle.turns, announced={**battle.turns.announced, event.who: event.declared})
            )
        case (
            ev.InitiativeRolled()
            | ev.TieRolled()
            | ev.EffectRolled()
            | ev.EffectComputed()
            | ev.AttackTurned()
            | ev.StrikeBegan()
            | ev.BurstLanded()
            | ev.BurstCaught()
            | ev.UnitFell()
            | ev.ReactionTaken()
            | ev.LastTurnCame()
        ):
            return battle
        case ev.DiceDrawn():
            return replace(battle, dice=replace(battle.dice, drawn=event.position))
        case ev.OrderSet():
            scores = event.scores
            return replace(battle, turns=replace(battle.turns, order=event.order, initiative=scores))
        case ev.PlaceTaken() | ev.GroupFormed() | ev.GroupDissolved() | ev.UnitsSurprised():
            return _reordered(battle, event)
        case ev.TurnDelayed():
            return replace(
                battle, turns=replace(battle.turns, delayed=(*battle.turns.delayed, event.unit), held=()), openings=()
            )
        case ev.TurnTakenUp():
            waiting = tuple(unit_id for unit_id in battle.turns.delayed if unit_id != event.unit)
            return replace(battle, turns=replace(battle.turns, active=event.unit, delayed=waiting))
        case ev.UnitDefeated():
            openings = tuple(one for one in battle.openings if event.unit not in (one.unit, one.against))
            battle = _let_go(replace(battle, openings=openings), event.unit)
            return battle.with_unit(replace(battle.units[event.unit], is_defeated=True))
        case ev.RoundBegan():
            for unit_id, budget in event.budgets.items():
                unit = battle.units[unit_id]
                battle = battle.with_unit(replace(unit, turn=replace(unit.turn, budget=budget)))
            fresh = replace(
                battle,
                turns=replace(battle.turns, interrupted=(), declared=(), closing=(), surprised=(), delayed=(), held=()),
                openings=(),
            )
            return replace(fresh, turns=replace(fresh.turns, round=event.round))
        case ev.PathDeclared():
            way = Declared(event.unit, event.action, event.path, event.altitude)
            return _resume(
                replace(battle, turns=replace(battle.turns, declared=(*battle.turns.declared, way))), event.unit
            )
        case ev.PathEnded():
            left = tuple(way for way in battle.turns.declared if way.unit != event.unit)
            return replace(battle, turns=replace(battle.turns, declared=left))
        case ev.ClosingBegan():
            turns = replace(battle.turns, closing=event.units, active=event.units[0], held=())
            return replace(battle, turns=turns, openings=())
        case ev.TurnBegan() | ev.TurnEnded():
            return _turn(battle, event)
        case ev.CommandHeld():
            battle = _let_go(battle, event.held.unit)
            return replace(battle, turns=replace(battle.turns, held=(*battle.turns.held, event.held)))
        case ev.TurnWaits():
            return replace(
                battle,
                turns=replace(
                    battle.turns, interrupted=(*battle.turns.interrupted, Interrupted(event.unit, is_extra=True))
                ),
            )
        case ev.TurnResumed():
            return _resumed(battle)
        case ev.TurnDropped():
            return replace(battle, turns=replace(battle.turns, interrupted=battle.turns.interrupted[:-1]))
        case ev.BarrierChanged():
            battle = replace(battle, field=battle.field.with_state(event.edge, event.after))
            return battle.with_clouds(battle.scene.clouds)
        case ev.RulingSet():
            gm = replace(battle.gm, rulings={**battle.gm.rulings, event.ruling: event.after})
            sight = battle.field.sight.ruled(event.ruling, event.after)
            if sight is battle.field.sight:
                return replace(battle, gm=gm)
            return replace(battle, gm=gm, field=replace(battle.field, sight=sight))
        case ev.Adjusted():
            return replace(
                battle, gm=replace(battle.gm, adjustments=_adjusted(battle.gm.adjustments, event.adjustment))
            )
        case ev.AdjustmentsCleared():
            held = tuple(item for item in battle.gm.adjustments if item.entry not in event.entries)
            return replace(battle, gm=replace(battle.gm, adjustments=held))
        case ev.AttackRolled():
            used = battle.opening(event.unit, event.target, event.action)
            battle = replace(battle, openings=tuple(held for held in battle.openings if held != used))
            unit = battle.units[event.unit]
            return _resume(
                battle.with_unit(
                    replace(unit, turn=replace(unit.turn, attacks=unit.turn.attacks + 1, drawn_by_attack=()))
                ),
                unit.id,
            )
        case ev.OpeningGiven():
            return _opened(battle, event)
        case ev.CoverWorn():
            place = event.edge or event.square
            others = tuple(worn for worn in battle.scene.worn if worn.place != place)
            return replace(
                battle, scene=replace(battle.scene, worn=(*others, Worn(event.square, event.edge, event.after)))
            )
        case ev.WeaponDropped() | ev.WeaponBroken() | ev.WeaponTakenAway():
            return _lose_weapon(battle, event)
        case ev.WeaponTaken():
            return _take_weapon(battle, event)
        case ev.ChargeLaid():
            return replace(battle, scene=replace(battle.scene, charges=(*battle.scene.charges, event.charge)))
        case ev.ChargeSetOff() | ev.ChargeTakenUp():
            return replace(
                battle,
                scene=replace(
                    battle.scene, charges=tuple(one for one in battle.scene.charges if one.id != event.charge.id)
                ),
            )
        case ev.CloudSet():
            other_clouds = (held for held in battle.scene.clouds if held.id != event.cloud.id)
            return battle.with_clouds((*other_clouds, event.cloud))
        case ev.CloudCleared():
            return battle.with_clouds(tuple(held for held in battle.scene.clouds if held.id != event.cloud.id))
        case ev.CloudsDrifted():
            return battle.with_clouds(event.after)
        case ev.WindSet():
            return replace(battle, scene=replace(battle.scene, wind=event.wind))
        case _:
            changed = apply_to_table(battle, event)
            return _unit_event(battle, event) if changed is None else changed


def _unit_event(battle: Battle, event: ev.Event) -> Battle:
    unit = battle.units[event.unit]  # type: ignore[union-attr]
    match event:
        case ev.ActionTaken():
            tally = {**unit.turn.tally, event.action: unit.turn.tally.get(event.action, 0) + 1}
            unit = replace(unit, turn=replace(unit.turn, budget=event.budget, tally=tally))
            battle = _affordable(battle, unit)
            if event.goes_on:
                battle, unit = _resume(battle, unit.id), replace(unit, turn=replace(unit.turn, drawn_by_attack=()))
        case ev.DefenceTaken():
            unit = replace(unit, turn=replace(unit.turn, budget=event.budget))
        case ev.UnitMoved():
            battle = _resume(battle, unit.id)
            turn = replace(
                unit.turn,
                drawn_by_move=() if event.is_begun else unit.turn.drawn_by_move,
                moved=unit.turn.moved + event.cost,
                odd_diagonals=unit.turn.odd_diagonals != bool(diagonal_steps(event.path) % 2),
                trail=(*(unit.turn.trail or event.path[:1]), *event.path[1:]),
                stride=event.stride,
                stride_action=event.action,
            )
            altitude = unit.altitude if event.altitude is None else event.altitude
            unit = replace(unit, at=event.path[-1], altitude=altitude, facing=event.facing, turn=turn)
        case ev.UnitPushed():
            altitude = unit.altitude if event.altitude is None else event.altitude
            unit = replace(unit, at=event.path[-1], altitude=altitude, turn=replace(unit.turn, trail=()))
        case ev.StrideForfeited():
            unit = replace(unit, turn=replace(unit.turn, stride=Fraction(0), stride_action=""))
        case ev.UnitPlaced():
            unit = replace(unit, at=event.after, turn=replace(unit.turn, start=event.after, trail=()))
        case ev.AltitudeChanged():
            unit = replace(unit, altitude=event.after)
        case ev.UnitTurned():
            unit = replace(unit, facing=event.facing)
        case ev.PostureTaken():
            unit = replace(unit, posture=event.posture)
        case ev.WeaponReadied():
            unit = replace(unit, gear=replace(unit.gear, weapon=event.weapon))
        case ev.PoolChanged():
            unit = replace(unit, pools={**unit.pools, event.pool: event.after})
        case ev.BudgetChanged():
            unit = replace(unit, turn=replace(unit.turn, budget={**unit.turn.budget, event.budget: event.after}))
        case ev.RoundsChanged():
            unit = replace(unit, gear=replace(unit.gear, rounds={**unit.gear.rounds, event.weapon: event.after}))
        case ev.ConditionBegan():
            timers = {**unit.timers, event.condition: event.rounds} if event.rounds else unit.timers
            about = {**unit.about, event.condition: event.about} if event.about else unit.about
            conditions = tuple(sorted({*unit.conditions, event.condition}))
            unit = replace(unit, conditions=conditions, timers=timers, about=about)
        case ev.ConditionTicked():
            unit = replace(unit, timers={**unit.timers, event.condition: event.left})
        case ev.ConditionEnded():
            other_conditions = tuple(held for held in unit.conditions if held != event.condition)
            timers, about = without_item(unit.timers, event.condition), without_item(unit.about, event.condition)
            unit = replace(unit, conditions=other_conditions, timers=timers, about=about)
        case ev.UnitRecovered():
            unit = replace(unit, is_defeated=False)
        case _:
            raise TypeError(f"{type(event).__name__} cannot be applied")
    return battle.with_unit(unit)


def _reordered(battle: Battle, event: ev.PlaceTaken | ev.GroupFormed | ev.GroupDissolved | ev.UnitsSurprised) -> Battle:
    match event:
        case ev.UnitsSurprised():
            return replace(battle, turns=replace(battle.turns, surprised=(*battle.turns.surprised, *event.units)))
        case ev.GroupDissolved():
            return replace(
                battle,
                turns=replace(
                    battle.turns, groups=tuple(one for one in battle.turns.groups if set(one) != set(event.members))
                ),
            )
        case ev.GroupFormed():
            left = (tuple(one for one in group if one not in event.members) for group in battle.turns.groups)
            battle = replace(
                battle,
                turns=replace(battle.turns, groups=(*(group for group in left if len(group) > 1), event.members)),
            )
    if not event.order:
        return battle
    return replace(battle, turns=replace(battle.turns, order=event.order, initiative=event.scores))


def _turn(battle: Battle, event: ev.TurnBegan | ev.TurnEnded) -> Battle:
    unit = battle.units[event.unit]
    if isinstance(event, ev.TurnEnded):
        battle = replace(battle, openings=(), turns=replace(battle.turns, held=()))
        return battle.with_unit(replace(unit, turn=replace(unit.turn, stride=Fraction(0), stride_action="")))
    if event.is_extra:
        waiting_turns = tuple(_with_rest_of_turn(waiting, unit) for waiting in battle.turns.interrupted)
        own = () if battle.turns.active == event.unit else (Interrupted(battle.turns.active),)
        battle = replace(battle, turns=replace(battle.turns, interrupted=(*waiting_turns, *own)))
    unit = replace(unit, turn=Turn(event.budget, unit.at))
    return replace(battle.with_unit(unit), turns=replace(battle.with_unit(unit).turns, active=event.unit))


def _opened(battle: Battle, event: ev.OpeningGiven) -> Battle:
    """With a new open reaction; the same action does not provoke it again."""
    opening = Opening(event.unit, event.against, event.because, event.reaction, event.attack, dict(event.cost))
    battle = replace(battle, openings=(*battle.openings, opening))
    if not event.reaction:
        return battle
    actor, name = battle.units[event.against], f"{event.reaction} {event.unit}"
    if event.is_by_move:
        return battle.with_unit(
            replace(actor, turn=replace(actor.turn, drawn_by_move=(*actor.turn.drawn_by_move, name)))
        )
    return battle.with_unit(
        replace(actor, turn=replace(actor.turn, drawn_by_attack=(*actor.turn.drawn_by_attack, name)))
    )


def _affordable(battle: Battle, unit: Unit) -> Battle:
    """Without the rights to react for which a unit has too little left."""
    budget = unit.turn.budget
    held = tuple(
        one
        for one in battle.openings
        if one.unit != unit.id or all(budget.get(name, 0) >= amount for name, amount in one.cost.items())
    )
    return battle if held == battle.openings else replace(battle, openings=held)


def _resume(battle: Battle, unit_id: str) -> Battle:
    """A unit resumes its interrupted command: reactions that were not used by then expire."""
    battle = _let_go(battle, unit_id)
    held = tuple(one for one in battle.openings if not one.reaction or one.against != unit_id)
    return battle if held == battle.openings else replace(battle, openings=held)


def _let_go(battle: Battle, unit_id: str) -> Battle:
    """A unit's command waits no more."""
    if battle.turns.held_by(unit_id) is None:
        return battle
    held = tuple(one for one in battle.turns.held if one.unit != unit_id)
    return replace(battle, turns=replace(battle.turns, held=held))


def _lose_weapon(battle: Battle, event: ev.WeaponDropped | ev.WeaponBroken | ev.WeaponTakenAway) -> Battle:
    unit = battle.units[event.unit]
    weapons = tuple(held for held in unit.gear.weapons if held != event.weapon)
    rounds = without_item(unit.gear.rounds, event.weapon)
    in_hand = "" if unit.gear.weapon == event.weapon else unit.gear.weapon
    battle = battle.with_unit(replace(unit, gear=replace(unit.gear, weapons=weapons, weapon=in_hand, rounds=rounds)))
    if not isinstance(event, ev.WeaponDropped):
        return battle
    return replace(
        battle,
        scene=replace(battle.scene, dropped=(*battle.scene.dropped, Dropped(event.weapon, event.at, event.rounds))),
    )


def _take_weapon(battle: Battle, event: ev.WeaponTaken) -> Battle:
    unit = battle.units[event.unit]
    taken = Dropped(event.weapon, unit.at, event.rounds)
    rounds = unit.gear.rounds if event.rounds is None else {**unit.gear.rounds, event.weapon: event.rounds}
    weapons = tuple(dict.fromkeys((event.weapon, *unit.gear.weapons)))
    battle = battle.with_unit(
        replace(unit, gear=replace(unit.gear, weapons=weapons, weapon=event.weapon, rounds=rounds))
    )
    last = len(battle.scene.dropped) - 1 - battle.scene.dropped[::-1].index(taken)
    return replace(
        battle, scene=replace(battle.scene, dropped=battle.scene.dropped[:last] + battle.scene.dropped[last + 1 :])
    )


def _with_rest_of_turn(waiting: Interrupted, unit: Unit) -> Interrupted:
    """The interrupted command, with the rest of its turn where its unit is about to take an extra one."""
    if waiting.unit != unit.id or waiting.is_extra or waiting.turn is not None:
        return waiting
    return replace(waiting, turn=unit.turn)


def _resumed(battle: Battle) -> Battle:
    """The interrupted turn on top of the stack continues with what was left of it."""
    *rest, waiting = battle.turns.interrupted
    battle = replace(battle, turns=replace(battle.turns, active=waiting.unit, interrupted=tuple(rest)))
    if waiting.turn is None:
        return battle
    return battle.with_unit(replace(battle.units[waiting.unit], turn=waiting.turn))


def _adjusted(held: tuple[Adjustment, ...], new: Adjustment) -> tuple[Adjustment, ...]:
    """The GM's modifiers plus a new one; without a value it keeps the earlier value for that entry."""
    before = next((item for item in held if item.entry == new.entry), None)
    if before is not None and new.value is None:
        new = replace(new, value=before.value, label=before.label, note=new.note or before.note)
    return (*(item for item in held if item.entry != new.entry), new)


def without_item(mapping: Mapping[Key, Item], key: Key) -> Mapping[Key, Item]:
    """The same mapping without one item."""
    return {held: item for held, item in mapping.items() if held != key}
