"""The GM's hand on the table: doors, numbers, conditions, positions, ledger. Allowed at any time, always recorded."""

from __future__ import annotations

from engine.battle import commands as cmd
from engine.battle import events as ev
from engine.battle.attacks.courses import vital_pools
from engine.battle.battle import Battle
from engine.battle.draft import Draft, ready_action, refuse_unless_affordable, refuse_unless_fits, refuse_unless_turn
from engine.battle.magazines import magazine
from engine.battle.reasons import BY_GM
from engine.battle.situation import action_facts, weapon_facts
from engine.battle.units import Unit
from engine.errors import Illegal, Unknown
from engine.field.battlefield import OffMap
from engine.field.silhouette import POSTURES, Body
from engine.field.squares import parse_square
from engine.rules.model import Ruleset
from engine.values import replace

BARRIER_STATES = ("open", "closed", "locked", "broken")


def decide_barrier(battle: Battle, wish: cmd.SetBarrier) -> tuple[ev.Event, ...]:
    """Opens, closes, locks or breaks what stands on an edge."""
    barrier = battle.field.barriers.get(wish.edge)
    if barrier is None:
        raise Illegal("edge", f"Nothing stands on the edge {wish.edge.name}.")
    if wish.state not in BARRIER_STATES:
        raise Unknown("state", wish.state, BARRIER_STATES)
    if not barrier.can_open and wish.state != "broken":
        raise Illegal("edge", f"The {barrier.kind} on {wish.edge.name} does not open; it can only be broken.")
    if barrier.state == wish.state:
        raise Illegal("edge", f"The {barrier.kind} on {wish.edge.name} is {wish.state} already.")
    if barrier.state == "locked" and wish.state == "open":
        raise Illegal("locked", f"The {barrier.kind} on {wish.edge.name} is locked; unlock or break it first.")
    return (ev.BarrierChanged(wish.edge, barrier.kind, barrier.state, wish.state),)


def decide_pool(battle: Battle, rules: Ruleset, wish: cmd.SetPool) -> tuple[ev.Event, ...]:
    """Sets one of a unit's numbers, and settles whether it is out of the fight."""
    unit = battle.unit(wish.unit)
    if wish.pool not in rules.units.pools:
        raise Unknown("number", wish.pool, rules.units.pools)
    if wish.value < 0:
        raise Illegal("pool", f"{unit.name}'s {rules.units.pools[wish.pool].label} cannot be below 0.")
    before = unit.pools.get(wish.pool, 0)
    if before == wish.value:
        raise Illegal("pool", f"{unit.name} has {before} {rules.units.pools[wish.pool].label} already.")
    draft = Draft(battle, rules)
    label = rules.units.pools[wish.pool].label
    draft.add(ev.PoolChanged(unit.id, wish.pool, label, before, wish.value, wish.note or BY_GM))
    draft.settle(unit.id)
    return draft.events


def decide_damage(battle: Battle, rules: Ruleset, wish: cmd.DamageUnits) -> tuple[ev.Event, ...]:
    """Takes points from several units, and settles who is out of the fight.

    Raises:
        Unknown: no such unit or pool.
        Illegal: nobody is named, or nobody has anything left there.
    """
    pool = wish.pool or vital_pools(rules)[0]
    if pool not in rules.units.pools:
        raise Unknown("number", pool, rules.units.pools)
    if wish.amount < 1:
        raise Illegal("pool", f"Damage is 1 or more, not {wish.amount}.")
    if not wish.units:
        raise Illegal("pool", "Say who takes the damage.")
    draft, label = Draft(battle, rules), rules.units.pools[pool].label
    units = [battle.unit(unit_id) for unit_id in dict.fromkeys(wish.units)]
    for unit in units:
        if before := unit.pools.get(pool, 0):
            draft.add(ev.PoolChanged(unit.id, pool, label, before, max(0, before - wish.amount), BY_GM))
    for unit in units:
        draft.settle(unit.id)
    if not draft.events:
        who = " and ".join(unit.name for unit in units)
        raise Illegal("pool", f"{who} {'has' if len(units) < 2 else 'have'} no {label} to lose.")
    return draft.events


def decide_budget(battle: Battle, rules: Ruleset, wish: cmd.SetBudget) -> tuple[ev.Event, ...]:
    """Sets what a unit has left to spend: an action is given back to it, or taken."""
    unit = battle.unit(wish.unit)
    if wish.budget not in rules.units.budgets:
        raise Unknown("budget", wish.budget, rules.units.budgets)
    label, before = rules.units.budgets[wish.budget].label, unit.turn.budget.get(wish.budget, 0)
    if wish.value < 0:
        raise Illegal("budget", f"{unit.name}'s {label} cannot be below 0.")
    if before == wish.value:
        raise Illegal("budget", f"{unit.name} has {before} {label} left already.")
    return (ev.BudgetChanged(unit.id, wish.budget, label, before, wish.value, BY_GM),)


def decide_condition(battle: Battle, rules: Ruleset, wish: cmd.SetCondition) -> tuple[ev.Event, ...]:
    unit = battle.unit(wish.unit)
    if wish.condition not in rules.units.conditions:
        raise Unknown("condition", wish.condition, rules.units.conditions)
    draft = Draft(battle, rules)
    about = wish.about
    match rules.units.conditions[wish.condition].about:
        case "unit" if about:
            battle.unit(about)
        case "weapon":
            about = about or unit.gear.weapon
            if about and about not in unit.gear.weapons:
                raise Unknown(f"weapon of {unit.name}", about, unit.gear.weapons)
        case "square":
            about = about or unit.at.name
            if parse_square(about) not in battle.field:
                raise OffMap(parse_square(about), battle.field)
        case "attack" if about:
            attacks = [action.id for action in rules.actions.values() if action.kind == "attack"]
            if about not in attacks:
                raise Unknown("attack", about, attacks)
        case "" if about:
            raise Illegal("condition", f"{rules.units.conditions[wish.condition].label} is about nothing.")
    draft.set_condition(unit.id, wish.condition, wish.is_on, BY_GM, wish.rounds, about)
    label = rules.units.conditions[wish.condition].label
    if not draft.events and wish.is_on and wish.rounds and unit.timers.get(wish.condition) != wish.rounds:
        draft.add(ev.ConditionBegan(unit.id, wish.condition, label, wish.rounds, about))
    if not draft.events:
        raise Illegal("condition", f"{unit.name} is {'' if wish.is_on else 'not '}{label} already.")
    changes = ev.ConditionBegan | ev.RoundsChanged
    return tuple(replace(event, by_gm=True) if isinstance(event, changes) else event for event in draft.events)


def decide_posture(battle: Battle, wish: cmd.SetPosture) -> tuple[ev.Event, ...]:
    unit = battle.unit(wish.unit)
    if wish.posture not in POSTURES:
        raise Unknown("posture", wish.posture, POSTURES)
    if unit.posture == wish.posture:
        raise Illegal("posture", f"{unit.name} is {wish.posture} already.")
    return (ev.PostureTaken(unit.id, wish.posture, by_gm=True),)


def decide_face(battle: Battle, wish: cmd.Face) -> tuple[ev.Event, ...]:
    """Turns a unit where it stands: freely in its own turn, by the GM's word at any other time."""
    unit = battle.unit(wish.unit)
    if unit.facing is wish.facing:
        raise Illegal("facing", f"{unit.name} faces that way already.")
    return (ev.UnitTurned(unit.id, wish.facing, is_wish=True, by_gm=battle.turns.active != unit.id),)


def decide_place(battle: Battle, wish: cmd.Place) -> tuple[ev.Event, ...]:
    """Puts a unit on a square, if it fits there."""
    unit = battle.unit(wish.unit)
    refuse_unless_fits(battle, unit, Body(wish.at, unit.size))
    if wish.at == unit.at:
        raise Illegal("place", f"{unit.name} stands on {wish.at.name} already.")
    return (ev.UnitPlaced(unit.id, unit.at, wish.at),)


def decide_ready(battle: Battle, rules: Ruleset, wish: cmd.Ready) -> tuple[ev.Event, ...]:
    """Takes a weapon in hand: where the ruleset has a price for it, in its turn and at that price, or with leave."""
    unit = battle.unit(wish.unit)
    if wish.weapon not in unit.gear.weapons:
        raise Unknown(f"weapon of {unit.name}", wish.weapon, unit.gear.weapons)
    if unit.gear.weapon == wish.weapon:
        raise Illegal("weapon", f"{unit.name} has the {rules.gear.weapons[wish.weapon].label} in hand already.")
    draft = Draft(battle, rules)
    action = ready_action(rules)
    if action is not None and not wish.is_free:
        refuse_unless_turn(battle, unit, rules)
        facts = {
            **action_facts(battle, rules, unit, action),
            **weapon_facts(rules, unit, rules.gear.weapons[wish.weapon]),
        }
        refuse_unless_affordable(unit, action, facts, rules)
        draft.pay(unit, action, facts)
    draft.add(ev.WeaponReadied(unit.id, wish.weapon, rules.gear.weapons[wish.weapon].label, wish.is_free))
    return draft.events


def decide_ammunition(battle: Battle, rules: Ruleset, wish: cmd.SetAmmunition) -> tuple[ev.Event, ...]:
    """Says how many rounds are in a weapon: none, up to a full magazine."""
    unit = battle.unit(wish.unit)
    weapon = wish.weapon or unit.gear.weapon
    if not weapon:
        raise Illegal("weapon", f"{unit.name} has nothing in hand.")
    if weapon not in unit.gear.weapons:
        raise Unknown(f"weapon of {unit.name}", weapon, unit.gear.weapons)
    label, full = rules.gear.weapons[weapon].label, magazine(rules, weapon, unit)
    if weapon not in unit.gear.rounds:
        raise Illegal("ammunition", f"The {label} counts no rounds.")
    if not 0 <= wish.rounds <= full:
        raise Illegal("ammunition", f"The {label} holds 0 to {full} rounds, not {wish.rounds}.")
    before = unit.gear.rounds[weapon]
    if before == wish.rounds:
        raise Illegal("ammunition", f"{unit.name}'s {label} has {before} rounds already.")
    return (ev.RoundsChanged(unit.id, weapon, before, wish.rounds, by_gm=True),)


def ready_refusal(battle: Battle, rules: Ruleset, unit: Unit, weapon: str) -> str:
    """Why a unit may not take a weapon in hand now, in a few words; "" when it may."""
    try:
        decide_ready(battle, rules, cmd.Ready(unit.id, weapon))
    except Illegal as reason:
        return reason.brief
    return ""


def decide_initiative_score(battle: Battle, wish: cmd.SetInitiative) -> tuple[ev.Event, ...]:
    """Gives a unit another score, and the order that follows from it."""
    unit = battle.unit(wish.unit)
    if not battle.turns.order:
        raise Illegal("order", "The order is not rolled yet.")
    if battle.turns.initiative.get(unit.id) == wish.score:
        raise Illegal("order", f"{unit.name} has initiative {wish.score} already.")
    scores = {**battle.turns.initiative, unit.id: wish.score}
    others = [unit_id for unit_id in battle.turns.order if unit_id != unit.id]
    order = sorted((*others, unit.id), key=lambda unit_id: -scores.get(unit_id, 0))
    return (ev.OrderSet(tuple(order), scores, by_gm=True),)


def decide_altitude(battle: Battle, wish: cmd.SetAltitude) -> tuple[ev.Event, ...]:
    """Lifts or lowers a unit."""
    unit = battle.unit(wish.unit)
    if wish.altitude < 0:
        raise Illegal("altitude", f"{unit.name} cannot be below the ground.")
    if wish.altitude == unit.altitude:
        raise Illegal("altitude", f"{unit.name} is at that height already.")
    refuse_unless_fits(battle, replace(unit, altitude=wish.altitude), Body(unit.at, unit.size))
    return (ev.AltitudeChanged(unit.id, unit.altitude, wish.altitude, by_gm=True),)


def decide_clear(battle: Battle, wish: cmd.ClearAdjustments) -> tuple[ev.Event, ...]:
    held = tuple(item.entry for item in battle.gm.adjustments if not wish.entries or item.entry in wish.entries)
    if not held:
        raise Illegal("ledger", "There is no change of the GM's to take back.")
    return (ev.AdjustmentsCleared(held),)
