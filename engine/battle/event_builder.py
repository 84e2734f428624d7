"""Event builder: collects events and applies them, so that later events see earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.battle import events as ev
from engine.battle.apply import apply
from engine.battle.facts import circumstances
from engine.battle.magazines import magazine
from engine.battle.state.battle import Battle
from engine.battle.state.reasons import Because, Reason
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.body import Body
from engine.geometry.squares import Direction, Edge, Square
from engine.rules.expressions import Expression
from engine.rules.formula_values import whole_up
from engine.rules.model import Action, Ruleset, Value
from engine.text import clause, count

NO_TURN_YET = "Nobody has a turn yet: “begin” rolls initiative."
"""Why nothing that takes a turn can be done in the set-up phase."""


class EventBuilder:
    """Collects events. Local to one decision; what leaves it is a tuple of immutable events."""

    def __init__(self, battle: Battle, rules: Ruleset, *, tells: bool = True) -> None:
        """No event yet; `tells` as in `Deciding`."""
        self.battle = battle
        self.rules = rules
        self.tells = tells
        self._events: list[ev.Event] = []

    @property
    def events(self) -> tuple[ev.Event, ...]:
        return tuple(self._events)

    def add(self, event: ev.Event) -> None:
        self._events.append(event)
        self.battle = apply(self.battle, event)

    def pay(self, unit: Unit, action: Action, facts: Mapping[str, Value]) -> None:
        """Takes an action's cost from the unit's budget; whether it reaches is asked by `refuse_unless_affordable`."""
        self.spend(unit, action, costs(action.cost, facts))

    def spend(self, unit: Unit, action: Action, spent: Mapping[str, int], target: str = "") -> None:
        """Takes so much from the unit's budget for an action."""
        resumes = action.kind == "other" and bool(unit.turn.drawn_by_attack)
        self.add(ev.ActionTaken(unit.id, action.id, action.label, spent, left_after(unit, spent), target, resumes))

    def end_changes(self) -> None:
        """The GM's changes to the ledger are over, but for those that are pinned."""
        if spent := tuple(held.entry for held in self.battle.gm.adjustments if not held.is_pinned):
            self.add(ev.AdjustmentsCleared(spent))

    def open_doors(self, edges: Iterable[Edge]) -> None:
        """Opens the doors on these edges."""
        for edge in edges:
            barrier = self.battle.field.barriers[edge]
            self.add(ev.BarrierChanged(edge, barrier.kind, barrier.state, "open"))

    def turn_to(self, unit: Unit, square: Square) -> None:
        """Turns a unit to face a square, if that changes its facing."""
        if square == unit.at:
            return
        facing = Direction.towards(unit.at, square)
        if facing is not unit.facing:
            self.add(ev.UnitTurned(unit.id, facing))

    def spend_rounds(self, unit: Unit, weapon: str, action: Action, facts: Mapping[str, Value]) -> None:
        """Takes an action's rounds from a weapon's magazine.

        Raises:
            Illegal: it holds too few.
        """
        refuse_unless_loaded(unit, weapon, action, facts, self.rules)
        needed, before = rounds_needed(unit, weapon, action, facts), unit.gear.rounds.get(weapon, 0)
        if needed:
            self.add(ev.RoundsChanged(unit.id, weapon, before, before - needed))

    def set_condition(
        self, unit_id: str, condition: str, is_on: bool, because: Because, rounds: int = 0, about: str = ""
    ) -> None:
        """Begins or ends a condition, if that changes anything; it may begin again, longer or about another unit.

        Args:
            unit_id, condition, is_on: whose, which, and whether it begins.
            because: why it ends.
            rounds: how many it lasts; 0 for until its own moment.
            about: as in `Unit.about`; "" for nothing.
        """
        unit = self.battle.unit(unit_id)
        is_timed = condition in unit.timers
        is_longer = is_timed and (not rounds or rounds > unit.timers[condition])
        is_more = is_longer or about != unit.about.get(condition, "")
        if (condition in unit.conditions) == is_on and not (is_on and is_more):
            return
        label = self.rules.units.conditions[condition].label
        if is_on:
            self.add(ev.ConditionBegan(unit_id, condition, label, rounds, about))
        else:
            self.add(ev.ConditionEnded(unit_id, condition, label, because))
        if self.rules.units.conditions[condition].magazine > 1:
            self._fit_rounds(unit_id)

    def _fit_rounds(self, unit_id: str) -> None:
        """Takes the rounds away that no longer fit, when a larger magazine comes off."""
        unit = self.battle.unit(unit_id)
        for weapon, rounds in unit.gear.rounds.items():
            full = magazine(self.rules, weapon, unit)
            if rounds > full:
                self.add(ev.RoundsChanged(unit_id, weapon, rounds, full))

    def settle(self, unit_id: str) -> None:
        """Notes whether the unit is out of the fight, or back in it."""
        unit = self.battle.unit(unit_id)
        facts = circumstances(self.battle, self.rules, unit)
        is_defeated = bool(unit.out or self.rules.units.defeated.evaluate(facts))
        if is_defeated != unit.is_defeated:
            why = self.rules.units.defeat_because
            if self.tells and is_defeated and why is not None and not unit.out:
                self.add(ev.EffectComputed(unit_id, self.rules.units.defeat_label, words=why.render(facts)))
            self.add(ev.UnitDefeated(unit_id) if is_defeated else ev.UnitRecovered(unit_id))
            if is_defeated:
                self.let_go_of(unit_id, Reason("unit-out", unit_id))
            if not is_defeated and self.battle.turns.order and unit_id not in self.battle.turns.order:
                self.add(ev.OrderSet((*self.battle.turns.order, unit_id), self.battle.turns.initiative))

    def let_go_of(self, unit_id: str, because: Reason) -> None:
        """Ends the conditions of others that are about a unit."""
        for other in self.battle.units.values():
            for condition, about in other.about.items():
                if about == unit_id and self.rules.units.conditions[condition].about == "unit":
                    self.set_condition(other.id, condition, False, because)

    def let_go_of_weapon(self, unit_id: str, weapon: str) -> None:
        """Ends a unit's own conditions that are about a weapon which it has lost."""
        for condition, about in self.battle.unit(unit_id).about.items():
            if about == weapon and self.rules.units.conditions[condition].about == "weapon":
                label = self.rules.gear.weapons[weapon].label
                self.set_condition(unit_id, condition, False, Reason("weapon-gone", label=label))

    def reload(self, unit: Unit) -> None:
        """Fills the magazine of the weapon in hand."""
        full = magazine(self.rules, unit.gear.weapon, unit)
        before = unit.gear.rounds.get(unit.gear.weapon, 0)
        if full and before < full:
            self.add(ev.RoundsChanged(unit.id, unit.gear.weapon, before, full))


def costs(prices: Mapping[str, Expression], facts: Mapping[str, Value]) -> dict[str, int]:
    """Price of an action, a reaction or a defence now, by budget; free ones are left out."""
    found = {budget: whole_up(formula, facts) for budget, formula in prices.items()}
    return {budget: amount for budget, amount in found.items() if amount}


def left_after(unit: Unit, spent: Mapping[str, int]) -> dict[str, int]:
    """The unit's budget when so much of it has been spent."""
    return {
        **unit.turn.budget,
        **{budget: unit.turn.budget.get(budget, 0) - amount for budget, amount in spent.items()},
    }


def is_left(unit: Unit, spent: Mapping[str, int]) -> bool:
    """Whether the unit's budget holds so much."""
    return all(unit.turn.budget.get(budget, 0) >= amount for budget, amount in spent.items())


def refuse_unless_affordable(unit: Unit, action: Action, facts: Mapping[str, Value], rules: Ruleset) -> None:
    """Raises Illegal when a requirement does not hold or the budget does not reach."""
    refuse_unless_met(unit, action, facts)
    refuse_unless_left(unit, action, costs(action.cost, facts), rules)


def refuse_unless_left(unit: Unit, action: Action, spent: Mapping[str, int], rules: Ruleset) -> None:
    """Raises Illegal when the unit's budget does not hold so much."""
    for budget, amount in spent.items():
        left = unit.turn.budget.get(budget, 0)
        if left < amount:
            rest = "none" if left <= 0 else str(left)
            why = f"it costs {rules.units.budgets[budget].counted(amount)}, {rest} left this turn"
            raise Illegal("budget", f"{unit.name} cannot take “{action.label}”: {why}.", why)


def refuse_unless_loaded(unit: Unit, weapon: str, action: Action, facts: Mapping[str, Value], rules: Ruleset) -> None:
    """Raises Illegal when the magazine holds fewer rounds than the action takes."""
    needed, left = rounds_needed(unit, weapon, action, facts), unit.gear.rounds.get(weapon, 0)
    if needed > left:
        named = rules.gear.weapons[weapon].label if weapon in rules.gear.weapons else "The weapon in hand"
        rest = f"{count(left, 'round')} left"
        why = f"it takes {needed}, {rest}"
        raise Illegal("ammunition", f"{named} has {rest}, “{action.label}” takes {needed}.", why)


def rounds_needed(unit: Unit, weapon: str, action: Action, facts: Mapping[str, Value]) -> int:
    """Rounds an action takes from a weapon that counts them; 0 from one that does not."""
    if action.ammo is None or (action.kind == "attack" and weapon not in unit.gear.rounds):
        return 0
    return whole_up(action.ammo, facts)


def ready_action(rules: Ruleset) -> Action | None:
    """Action that changes the weapon in hand; None where that is free."""
    return next((action for action in rules.actions.values() if action.kind == "ready"), None)


def face_action(rules: Ruleset) -> Action | None:
    """Action that turns a unit on the spot; None where that is free."""
    return next((action for action in rules.actions.values() if action.kind == "face"), None)


def refuse_unless_met(unit: Unit, action: Action, facts: Mapping[str, Value]) -> None:
    """Raises Illegal when one of the action's requirements does not hold, or for kneeling and lying in the air."""
    if unit.altitude > 0 and not action.target and any(effect.needs_ground for effect in action.effects):
        reason = "it is in the air"
        raise Illegal("requirement", f"{unit.name} cannot take “{action.label}”: {reason}.", reason)
    for requirement in action.requires:
        if not requirement.holds.evaluate(facts):
            reason = clause(requirement.reason.render(facts))
            raise Illegal("requirement", f"{unit.name} cannot take “{action.label}”: {reason}.", reason)


def acts_any_time(unit: Unit, rules: Ruleset) -> bool:
    """Whether a unit is in a state in which it may act out of its turn, as one that holds its action."""
    return not unit.is_defeated and any(rules.units.conditions[held].acts_out_of_turn for held in unit.conditions)


def refuse_if_finished(battle: Battle) -> None:
    """Raises Illegal after the battle."""
    if battle.is_finished:
        raise Illegal("finished", "The battle is finished. Undo reopens it.", "the battle is finished")


def refuse_in_set_up(battle: Battle) -> None:
    """Raises Illegal before the first turn."""
    if battle.is_set_up:
        raise Illegal("order", NO_TURN_YET)


def refuse_if_out(unit: Unit) -> None:
    """Raises Illegal when a unit is out of the fight."""
    if unit.is_defeated:
        raise Illegal("defeated", f"{unit.name} is out of the fight.")


def refuse_unless_turn(battle: Battle, unit: Unit, rules: Ruleset, action: Action | None = None) -> None:
    """Raises Illegal when the unit may not act now: it is not its turn, it holds no action, this one is no instant."""
    refuse_if_out(unit)
    if not battle.turns.active:
        raise Illegal("order", NO_TURN_YET)
    if battle.turns.is_passed_over(unit.id):
        why = "surprised, no turn this round"
        raise Illegal("surprised", f"{unit.name} cannot do that: {why}.", why)
    if action is not None and action.is_instant:
        return
    is_closing = unit.id in battle.turns.closing[:1]
    if action is not None and action.after_moves and not is_closing:
        raise Illegal("part", f"“{action.label}” comes after all moves.", "only after all moves")
    waits = action is not None and acts_any_time(unit, rules)
    if is_closing and battle.turns.active == unit.id and not waits and not (action and action.after_moves):
        only = "after all moves, only the attack joined to its move is left"
        raise Illegal("part", f"{unit.name} cannot do that: {only}.", only)
    if not acts_any_time(unit, rules):
        refuse_unless_active(battle, unit)


def refuse_unless_active(battle: Battle, unit: Unit) -> None:
    """Raises Illegal when it is somebody else's turn."""
    if battle.turns.active != unit.id:
        raise Illegal("turn", f"It is {battle.unit(battle.turns.active).name}'s turn, not {unit.name}'s.")


def spent_cover(battle: Battle, attacker: str, made: Iterable[ev.Event]) -> tuple[ev.Event, ...]:
    """Cover rulings that end when an attack is made: those for its targets that are not pinned."""
    struck = {event.target for event in made if isinstance(event, ev.AttackRolled | ev.BurstCaught)}
    spent = (held for held in battle.gm.covers if held.attacker == attacker and held.target in struck)
    return tuple(ev.CoverRulingEnded(held.attacker, held.target, True) for held in spent if not held.is_pinned)


def refuse_below_ground(unit: Unit, altitude: int) -> None:
    """Raises Illegal for an altitude below the ground of the unit's square."""
    if altitude < 0:
        raise Illegal("altitude", f"{unit.name} cannot be below the ground.")


def refuse_if_full(count: int, most: int, things: str) -> None:
    """Raises Illegal when the battle has as many things of a kind as it can hold."""
    if count >= most:
        raise Illegal("full", f"The battle already has {most} {things}, the most it can hold.")


def refuse_unless_fits(battle: Battle, unit: Unit, body: Body) -> None:
    """Raises Illegal when a body cannot stand there: off the map, on an obstacle, on another unit."""
    for square in body.squares:
        ground = battle.field.ground_at(square)
        if ground.blocks_movement and unit.altitude < max(ground.height, 1):
            raise Illegal("place", f"{unit.name} cannot stand on {square.name}: {ground.name}.")
        there = (other for other in battle.units.values() if square in other.squares and other.id != unit.id)
        other = next((one for one in there if not one.is_defeated and one.altitude == unit.altitude), None)
        if other is not None:
            raise Illegal("place", f"{unit.name} cannot stand on {square.name}: {other.name} is there.")
