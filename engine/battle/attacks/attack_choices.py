"""Attack choices: weapons and actions that a unit can attack with, openings for reactions included."""

from __future__ import annotations

from collections.abc import Collection

from engine.battle.command import Attack
from engine.battle.distances import is_adjacent
from engine.battle.event_builder import ready_action
from engine.battle.events import OpeningGiven
from engine.battle.gear import carried_weapon, in_hand, innate_weapons, weapon_in_hand
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.errors import Illegal, Unknown
from engine.rules.model import Action, Ruleset, Weapon, works_with

FITTING: Cache[tuple[Action, ...]] = Cache(256)
"""The attacks that work with each weapon."""
BESIDE = ("melee", "ranged")
"""Weapon kinds for a reaction against an adjacent enemy, where the ruleset names none: nothing is thrown."""


def opening_of(battle: Battle, command: Attack, action: str = "") -> Opening | None:
    """The opening that an attack would use; with that action, if one is named."""
    if command.is_free or command.square is not None:
        return None
    return battle.opening(command.unit, command.target, action or command.action)


def weapon_of_opening(battle: Battle, rules: Ruleset, held: Opening | OpeningGiven) -> str:
    """The id of the weapon with which an opening is used; "" where the unit has none that it may use."""
    return weapon_to_answer(rules, battle.unit(held.unit), kinds_of_opening(battle, rules, held))


def kinds_to_answer(
    battle: Battle, rules: Ruleset, unit: Unit, other: Unit, wanted: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The weapon kinds with which a unit may attack another out of turn: those `wanted`; empty for any.

    Where the ruleset wants none, a unit does not throw what it holds at an adjacent enemy.
    """
    held = weapon_in_hand(rules, unit)
    if wanted or held is None or held.kind in BESIDE or not is_adjacent(battle.field, unit, other):
        return wanted
    return BESIDE


def kinds_of_opening(battle: Battle, rules: Ruleset, held: Opening | OpeningGiven) -> tuple[str, ...]:
    """The weapon kinds with which an opening may be used; empty for any."""
    wanted = next((each.weapons for each in rules.turns.reactions if each.id == held.reaction), ())
    return kinds_to_answer(battle, rules, battle.unit(held.unit), battle.unit(held.against), wanted)


def weapon_to_answer(rules: Ruleset, unit: Unit, kinds: Collection[str]) -> str:
    """The id of the weapon that a unit answers with: the one in hand, else the first innate one of these kinds.

    "" where the unit has none of them; without kinds the one in hand.
    """
    if not kinds:
        return in_hand(rules, unit)
    known = (in_hand(rules, unit), *innate_weapons(rules, unit))
    held = (rules.gear.weapons[name] for name in known if name in rules.gear.weapons)
    return next((each.id for each in held if each.kind in kinds and attack_actions(rules, each, kinds)), "")


def weapon_of(rules: Ruleset, unit: Unit, weapon_id: str) -> Weapon:
    """The weapon a unit attacks with: the one named, or the one in hand, or its first innate one.

    Raises:
        Unknown: the unit does not carry it.
        Illegal: it carries nothing.
    """
    return rules.gear.weapons[carried_weapon(rules, unit, weapon_id)]


def attack_actions(rules: Ruleset, weapon: Weapon, kinds: Collection[str] = ()) -> tuple[Action, ...]:
    """The attack actions that work with a weapon, in the ruleset's order.

    With `kinds` only those that use it as a weapon of such a kind: a knife that is thrown is no melee weapon.
    """

    def fitting() -> tuple[Action, ...]:
        attacks = (action for action in rules.actions.values() if action.kind == "attack")
        return tuple(action for action in attacks if works_with(action, weapon, rules.gear.weapon_fields))

    found = FITTING.get((rules.actions, rules.gear.weapon_fields, weapon), None, fitting)
    return tuple(action for action in found if (action.used_as or weapon.kind) in kinds) if kinds else found


def attacks_in_hand(rules: Ruleset, unit: Unit, weapon_id: str = "") -> tuple[Action, ...]:
    """The attacks that a unit can make with a weapon of its own, or with what it has in hand."""
    held = rules.gear.weapons.get(weapon_id or in_hand(rules, unit))
    return attack_actions(rules, held) if held is not None else ()


def thrown_weapons(rules: Ruleset, unit: Unit, held: str = "") -> dict[str, Action]:
    """What a unit can throw, with the attack for it: what it holds first, then what else is made for throwing.

    `held` is the weapon that counts as in hand; "" for the unit's.
    """
    held, found = held or unit.gear.weapon, dict[str, Action]()
    for name in dict.fromkeys((held, *unit.gear.weapons)):
        weapon = rules.gear.weapons.get(name)
        actions = attack_actions(rules, weapon) if weapon else ()
        if weapon and weapon.kind != "thrown":
            actions = tuple(action for action in actions if action.used_as == "thrown") if name == held else ()
        if actions:
            found[name] = actions[0]
    return found


def attack_action(
    rules: Ruleset,
    unit: Unit,
    weapon: Weapon,
    action_id: str,
    kinds: Collection[str] = (),
    *,
    after_moves: bool = False,
) -> Action:
    """The attack action named, or the first that works with the weapon, `after_moves` one for then.

    The first of these weapon kinds, where there is one: a melee attack for a reaction in melee.

    Raises:
        Unknown: there is no such attack.
        Illegal: it does not work with this weapon, or none does.
    """
    fitting = attack_actions(rules, weapon)
    if not action_id:
        if not fitting:
            raise Illegal("weapon", f"{rules.name} has no attack with {weapon.label}.")
        fitting = attack_actions(rules, weapon, kinds) or fitting
        return next((action for action in fitting if action.after_moves == after_moves), fitting[0])
    if action_id not in rules.actions or rules.actions[action_id].kind != "attack":
        raise Unknown("attack", action_id, (action.id for action in rules.actions.values() if action.kind == "attack"))
    action = rules.actions[action_id]
    if action not in fitting:
        raise Illegal("weapon", f"{unit.name}'s {weapon.label} has no “{action.label}”.")
    return action


def is_ready(attacker: Unit, weapon: Weapon, rules: Ruleset) -> bool:
    """Whether a weapon need not be readied first: it is in hand or innate, or the ruleset has no action for that."""
    is_at_hand = weapon.id == attacker.gear.weapon or weapon.id in innate_weapons(rules, attacker)
    return is_at_hand or ready_action(rules) is None
