"""Actions that are neither attacks nor moves, alone or on a target, and whether a unit may take one now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.attack_choices import attack_actions
from engine.battle.attacks.contested_reactions import split_by_contest
from engine.battle.attacks.damage_odds import MOST_STATES
from engine.battle.attacks.firing_positions import refuse_if_closed, tell_positions
from engine.battle.attacks.reactions import drawn_by_act, give_openings, still_able
from engine.battle.attacks.resolve_effects import act, facts_of_act, log_before_question
from engine.battle.cause import ActOn
from engine.battle.command import Act, Deciding, held_command
from engine.battle.distances import distance_between, is_adjacent
from engine.battle.event_builder import (
    costs,
    refuse_if_out,
    refuse_unless_affordable,
    refuse_unless_loaded,
    refuse_unless_met,
    refuse_unless_turn,
)
from engine.battle.facts import action_facts, bare_square, facts_on
from engine.battle.gear import weapon_in_hand
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import BattleboardError, Illegal, Unknown
from engine.geometry.battlefield import OffMap
from engine.geometry.squares import Direction, Square
from engine.rules.joint_distribution import effect_outcomes
from engine.rules.liveness import settled
from engine.rules.model import SQUARE, Action, Effect, Ruleset, Value
from engine.rules.outcome_flags import flag_of
from engine.rules.reaction_rules import ACTS
from engine.values import replace

HAPPENS = "happens"
"""The fact that stands for whether a change happens."""


class ActOutcome(Struct, frozen=True):
    """What an act may lead to."""

    name: str
    """Of the unit that it happens to; "" for others than the acting unit and its target."""
    labels: tuple[str, ...]
    """Of the changes."""
    chance: Fraction
    ids: tuple[str, ...] = ()
    """What it changes besides numbers, as `StateChange.id`."""

    @property
    def words(self) -> str:
        """As "Bandit: damage, fatigue"."""
        return ": ".join(filter(None, (self.name, ", ".join(dict.fromkeys(self.labels)))))


def decide_act(now: Deciding, command: Act) -> tuple[ev.Event, ...]:
    """Takes an action that is neither an attack nor a move: pays for it and runs its effects.

    One that draws reactions is not taken yet: they are given their openings, and the same command then goes through.
    A unit that acts on another unit or a square turns to face it, as attackers do.
    """
    battle, rules, dice = now.battle, now.rules, now.dice
    unit = battle.unit(command.unit)
    action = rules.actions.get(command.action)
    if action is None or action.kind != "other":
        raise Unknown("action", command.action, (known.id for known in rules.actions.values() if known.kind == "other"))
    facts = facts_unless_refused(battle, rules, unit, action, command.target, command.square, is_free=command.is_free)
    attack = declared_attack(rules, unit, action, command.attack)
    draft = now.draft()
    drawn = () if command.is_free else drawn_by_act(battle, rules, unit, action, ACTS)
    early, late = split_by_contest(draft, unit, action, drawn, dice)
    if early:
        give_openings(draft, unit.id, early)
        draft.add(ev.CommandHeld(held_command(command)))
        return draft.events
    spent = {} if command.is_free else costs(action.cost, facts)
    draft.spend(unit, action, spent, command.target or (command.square.name if command.square else ""))
    if command.target:
        draft.turn_to(unit, battle.unit(command.target).at)
    elif command.square:
        draft.turn_to(unit, command.square)
    paid = len(draft.events)
    with log_before_question(draft, unit.id):
        act(draft, unit.id, action, dice, ActOn(command.target, command.square, attack))
    tell_positions(draft, paid)
    give_openings(draft, unit.id, still_able(draft.battle, late))
    return draft.events


def refusal(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    action: Action,
    target_id: str = "",
    square: Square | None = None,
    *,
    is_free: bool = False,
) -> str:
    """Why a unit may not take a move or other action now, in a few words; "" when it may.

    An act on somebody is asked without a target too: whether anybody could be its target, or what the nearest lacks.
    `is_free` is with the GM's leave.
    """
    if action.target not in ("", SQUARE) and not target_id:
        able = possible_targets(battle, rules, unit, action)
        reasons = [refusal(battle, rules, unit, action, other.id) for other in able]
        return "" if "" in reasons else next(iter(reasons), "no valid target")
    try:
        facts_unless_refused(battle, rules, unit, action, target_id, square, is_free=is_free)
    except Illegal as reason:
        return reason.brief
    return ""


def facts_unless_refused(
    battle: Battle,
    rules: Ruleset,
    unit: Unit,
    action: Action,
    target_id: str = "",
    square: Square | None = None,
    *,
    is_free: bool = False,
) -> dict[str, Value]:
    """Facts for an action that a unit may take now, by turn and budget or by the GM's leave.

    Raises:
        Illegal: it may not.
        OffMap: the square is not on the map.
    """
    if not is_free:
        refuse_unless_turn(battle, unit, rules, action)
    else:
        refuse_if_out(unit)
    facts = _facts(battle, rules, unit, action, target_id, square)
    if is_free:
        refuse_unless_met(unit, action, _facts_beside(battle, rules, unit, action, square) or facts)
    else:
        refuse_unless_affordable(unit, action, facts, rules)
        refuse_if_closed(battle, rules, unit, action)
    refuse_unless_loaded(unit, unit.gear.weapon, action, facts, rules)
    return facts


def chance_of_success(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target_id: str = "", square: Square | None = None
) -> Fraction | None:
    """How likely an act that rolls dice succeeds, exactly.

    Returns:
        None where the ruleset does not say what its success is, where it is on somebody who is not named, or where a
        rule breaks.
    """
    outcome = _success_of(action)
    if not outcome or (action.target and not target_id and square is None):
        return None
    try:
        facts = facts_of_act(battle, rules, unit, action, ActOn(target_id, square))
    except BattleboardError:
        return None
    return _chance_of(outcome, action.effects, facts)


def outcomes_of_act(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target_id: str, success: Fraction | None
) -> list[ActOutcome]:
    """What a test on somebody may lead to, won or lost, exactly: each change that rests on its dice.

    Changes to one unit that happen together are one outcome. `success` is as `chance_of_success` gives it; without it,
    or without a target, there are none.
    """
    if success is None or not target_id:
        return []
    try:
        facts = facts_of_act(battle, rules, unit, action, ActOn(target_id))
    except BattleboardError:
        return []
    names = {"attacker": unit.name, "target": battle.unit(target_id).name}
    open_changes = [each for each in settled(action.effects, None, facts, ()) if each.changes_units]
    ids = {each.id for each in open_changes if not each.when.is_fixed}
    together: dict[tuple[str, str], list[Effect]] = {}
    for effect in action.effects:
        if effect.id in ids:
            together.setdefault((effect.whom, effect.when.text), []).append(effect)
    found, chances = [], {_success_of(action): success}
    for (whom, when), changes in together.items():
        if when not in chances:
            place = action.effects.index(changes[0])
            flag = flag_of(changes[0], HAPPENS)
            chances[when] = _chance_of(HAPPENS, (*action.effects[:place], flag), facts) or Fraction(0)
        if chances[when]:
            labels, states = tuple(each.label for each in changes), (each.state_change for each in changes)
            changed = tuple(state.id for state in states if state is not None)
            found.append(ActOutcome(names.get(whom, ""), labels, chances[when], changed))
    return found


def _success_of(action: Action) -> str:
    """The fact that says whether the test of an act succeeds; "" where the ruleset does not say."""
    return next((effect.outcome for effect in action.effects if effect.outcome), "")


def _chance_of(fact: str, effects: Sequence[Effect], facts: Mapping[str, Value]) -> Fraction | None:
    """How likely effects leave a fact true; None where they do not know it, or a rule breaks."""
    try:
        found = effect_outcomes(effects, facts, (fact,), MOST_STATES)
    except BattleboardError:
        return None
    if fact not in found.names or found.lost:
        return None
    place = found.names.index(fact)
    return Fraction(sum(weight for state, weight in found.states.items() if state[place]), found.whole)


def declarable(rules: Ruleset, unit: Unit, action: Action) -> tuple[Action, ...]:
    """The attacks of which one is declared with an act: those that work with the weapon in the unit's hand."""
    weapon = weapon_in_hand(rules, unit)
    fitting = attack_actions(rules, weapon) if weapon and action.declares else ()
    return tuple(attack for attack in fitting if attack.id in action.declares)


def declared_attack(rules: Ruleset, unit: Unit, action: Action, attack_id: str) -> str:
    """Id of the attack that is declared with an act: the one named, or the only one there is; "" for no such act.

    Raises:
        Illegal: the act declares none, the unit holds no weapon for one, or one of several must be named.
        Unknown: the one named is none of them.
    """
    attacks = {attack.id: attack for attack in declarable(rules, unit, action)}
    if not action.declares:
        if attack_id:
            raise Illegal("attack", f"“{action.label}” declares no attack.")
        return ""
    if not attacks:
        raise Illegal("attack", f"“{action.label}” declares an attack, but {unit.name} holds no weapon for one.")
    if not attack_id and len(attacks) > 1:
        which = f"name one after “with”: {', '.join(attacks)}"
        raise Illegal("attack", f"“{action.label}” declares an attack: {which}.", "which attack?")
    if attack_id and attack_id not in attacks:
        raise Unknown("attack", attack_id, attacks)
    return attack_id or next(iter(attacks))


def possible_targets(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> list[Unit]:
    """Possible targets of an action, the nearest first; its other requirements are not checked."""
    if action.target in ("", SQUARE):
        return []
    found = [other for other in battle.units.values() if not _misfit(unit, action, other)]
    return sorted(found, key=lambda other: float(distance_between(battle.field, rules, unit, other)))


def _facts(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target_id: str, square: Square | None
) -> dict[str, Value]:
    """Facts for the act; raises Illegal when its target does not fit it."""
    if action.target == SQUARE:
        return _facts_at(battle, rules, unit, action, target_id, square)
    if square is not None and not takes_square(action):
        raise Illegal("target", f"“{action.label}” takes no square.")
    if square is not None and square not in battle.field:
        raise OffMap(square, battle.field)
    if not action.target:
        if target_id:
            raise Illegal("target", f"“{action.label}” takes no target.")
        return action_facts(battle, rules, unit, action)
    if not target_id:
        raise Illegal("target", f"“{action.label}” needs a target: name a unit.", "which target?")
    target = battle.unit(target_id)
    if why := _misfit(unit, action, target):
        raise Illegal("target", f"“{action.label}” cannot target {target.name}: {why}.", why)
    return facts_on(battle, rules, unit, action, target)


def takes_square(action: Action) -> bool:
    """Whether an act may name a square too: where it pushes its target, or where the unit turns to."""
    return action.is_directed or any(effect.takes_square for effect in action.effects)


def _facts_beside(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, square: Square | None
) -> dict[str, Value] | None:
    """Facts for an action at a square as if the unit stood next to it: with the GM's leave no unit must stand near."""
    if action.target != SQUARE or square is None:
        return None
    bare = bare_square(square)
    beside = (replace(unit, at=square.step(one), altitude=0) for one in Direction)
    near = next((one for one in beside if one.at in battle.field and is_adjacent(battle.field, one, bare)), unit)
    return facts_on(battle.with_unit(near), rules, near, action, bare)


def _facts_at(
    battle: Battle, rules: Ruleset, unit: Unit, action: Action, target_id: str, square: Square | None
) -> dict[str, Value]:
    """Facts for an action at a square, as for one on a stand-in."""
    if target_id or square is None:
        raise Illegal("target", f"“{action.label}” needs a target square.", "which square?")
    if square not in battle.field:
        raise OffMap(square, battle.field)
    if square in unit.squares:
        raise Illegal(
            "target",
            f"“{action.label}” cannot target {unit.name}'s own square.",
            "the cursor is on its own square",
        )
    return facts_on(battle, rules, unit, action, bare_square(square))


def _misfit(unit: Unit, action: Action, other: Unit) -> str:
    """Why a unit cannot be the target of an action, other requirements aside; "" when it can."""
    is_ally = other.side == unit.side
    if other.id == unit.id:
        return "it needs another unit"
    if action.target == "ally" and not is_ally:
        return "allies only"
    if action.target == "enemy" and is_ally:
        return "enemies only"
    if action.target == "enemy" and other.is_defeated:
        return "already out of the fight"
    return ""
