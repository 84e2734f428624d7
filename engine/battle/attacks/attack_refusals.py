"""Attack refusals: why an attack may not be made now, and the permission to make it out of turn."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.battle.attacks.attack_choices import is_ready, kinds_of_opening, opening_of
from engine.battle.command import Attack
from engine.battle.event_builder import (
    costs,
    ready_action,
    refuse_if_out,
    refuse_unless_affordable,
    refuse_unless_left,
    refuse_unless_loaded,
    refuse_unless_met,
    refuse_unless_turn,
)
from engine.battle.facts import (
    BARE_SQUARE,
    Situation,
    action_facts,
    bare_square,
    observe,
    sight_line,
    weapon_facts,
)
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import price_words
from engine.errors import Illegal
from engine.rules.effects import is_after
from engine.rules.formula_values import number
from engine.rules.ledger import Entry, Ledger, with_band
from engine.rules.model import SQUARE, Action, Ruleset, Value, Weapon
from engine.rules.roll_odds import Odds
from engine.rules.specialise import OF_THE_ATTACK, asked_after_roll
from engine.text import lower_first
from engine.values import replace


class Impossible(Illegal):
    """An attack that an entry of its ledger forbids, in any turn."""

    def __init__(self, situation: Situation, forbidden: Entry) -> None:
        because = forbidden.because.rstrip(".")
        super().__init__("impossible", f"{forbidden.label}: {because}.", because)
        self.situation = situation
        self.forbidden = forbidden


class OutOfTurn(Struct, frozen=True):
    """Permission to attack out of turn: its price in place of the attack's own, and its reaction."""

    cost: Mapping[str, int]
    reaction: str = ""
    weapons: tuple[str, ...] = ()
    """Weapon kinds that it must be made with; empty for any."""


def out_of_turn(battle: Battle, rules: Ruleset, command: Attack, action: Action) -> OutOfTurn | None:
    """Permission to attack out of turn, from the GM or an open reaction; None for none."""
    if command.is_free:
        return OutOfTurn({})
    held = opening_of(battle, command, action.id)
    return OutOfTurn(held.cost, held.reaction, kinds_of_opening(battle, rules, held)) if held else None


def refuse(
    battle: Battle, rules: Ruleset, situation: Situation, forbidden: Entry | None, permission: OutOfTurn | None
) -> None:
    """Raises Illegal when an attack may not be made now.

    Args:
        battle, rules, situation: of the attack.
        forbidden: the entry that forbids it, from its ledger or as `prohibition` finds it without one.
        permission: to make it out of turn, at that price; None for none.
    """
    attacker = situation.attacker
    refuse_target(attacker, situation.target, situation.action)
    if forbidden is not None:
        raise Impossible(situation, forbidden)
    _refuse_unless_of_reaction(situation, permission)
    refuse_unless_in_hand(battle, rules, attacker, situation.weapon)
    if permission is None:
        refuse_unless_turn(battle, attacker, rules, situation.action)
        refuse_unless_affordable(attacker, situation.action, situation.facts, rules)
    else:
        refuse_if_out(attacker)
        refuse_unless_met(attacker, situation.action, situation.facts)
        refuse_unless_left(attacker, situation.action, permission.cost, rules)
    refuse_unless_loaded(attacker, situation.weapon.id, situation.action, situation.facts, rules)


def refuse_target(attacker: Unit, target: Unit, action: Action) -> None:
    """Raises Illegal when an attack may not be made on this target, wherever the two stand."""
    if attacker.id == target.id:
        raise Illegal("target", f"{attacker.name} cannot attack itself.")
    if action.target == SQUARE and target.id != BARE_SQUARE:
        raise Illegal("target", f"“{action.label}” needs a target square.", "aim it at a square")
    if target.is_defeated:
        raise Illegal("target", f"{target.name} is already out of the fight.")


def is_refused_without_line(
    battle: Battle,
    rules: Ruleset,
    attacker: Unit,
    weapon: Weapon,
    action: Action,
    facts: Mapping[str, Value],
    permission: OutOfTurn | None,
) -> bool:
    """Whether `refuse` is sure to refuse an attack by what `facts_without_line` has; False where it rests on more."""
    if not battle.gm.adjustments and any(
        rule.when.names <= facts.keys() and rule.when.compiled().run(facts) for rule in rules.attack.restrictions
    ):
        return True
    if permission is not None:
        return False
    known = replace(
        action,
        requires=tuple(each for each in action.requires if each.holds.names <= facts.keys()),
        cost={budget: price for budget, price in action.cost.items() if price.names <= facts.keys()},
        ammo=action.ammo if action.ammo is None or action.ammo.names <= facts.keys() else None,
    )
    try:
        refuse_unless_in_hand(battle, rules, attacker, weapon)
        refuse_unless_turn(battle, attacker, rules, action)
        refuse_unless_affordable(attacker, known, facts, rules)
        refuse_unless_loaded(attacker, weapon.id, known, facts, rules)
    except Illegal:
        return True
    return False


def refuse_unless_in_hand(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon) -> None:
    """Raises Illegal when a weapon must be readied first."""
    if not is_ready(unit, weapon, rules):
        first = readying_words(battle, rules, unit, weapon)
        raise Illegal(
            "weapon",
            f"{unit.name} carries the {weapon.label}, but not in hand: {first}.",
            f"the {weapon.label} is not in hand",
        )


def bursts(rules: Ruleset, facts: Mapping[str, Value]) -> bool:
    """Whether an attack makes a blast; its facts have the range band."""
    return rules.space.burst is not None and any(number(zone.radius, facts) > 0 for zone in rules.space.zones)


def refuse_wrong_aim(rules: Ruleset, situation: Situation) -> None:
    """Raises Illegal when an attack on one target that is no blast and no act at a square is aimed at a square."""
    is_blast = situation.action.used_as != "melee" and bursts(rules, with_band(rules, situation.facts))
    if situation.action.target != SQUARE and not is_blast:
        raise Illegal("target", f"{situation.weapon.label} has no blast: aim at a unit, not at a square.")


def refuse_if_pointless(rules: Ruleset, situation: Situation, ledger: Ledger, chances: Odds) -> None:
    """Raises Illegal for an attack that no roll makes a hit, and a miss of which does nothing to anybody else.

    What bursts or strays may still do something.
    """
    if chances.hit or not situation.action.is_rolled or _may_matter_anyway(rules, situation, ledger, chances):
        return
    raise Illegal(
        "impossible",
        f"No roll can hit {situation.target.name} with “{situation.action.label}” (0 %). "
        "Add “free” to the command to attack all the same.",
        "no roll can hit (0 %)",
    )


def _may_matter_anyway(rules: Ruleset, situation: Situation, ledger: Ledger, chances: Odds) -> bool:
    """Whether an attack may do something to others though it cannot hit: a miss that pins, a blast."""
    facts = {**situation.facts, **ledger.band_facts}
    if situation.target.id == BARE_SQUARE or facts["thrown"]:
        return True
    if bursts(rules, facts):
        return True
    made = asked_after_roll(rules).difference(facts).union(*(effect.makes() for effect in rules.attack.effects))
    reached = [grade for grade, chance in chances.grades if chance]
    return any(
        effect.changes_units and effect.whom != "attacker" and effect.when.settled(facts, made).can_hold
        for effect in rules.attack.effects
        if any(is_after(effect, grade) for grade in reached)
    )


def _refuse_unless_of_reaction(situation: Situation, permission: OutOfTurn | None) -> None:
    """Raises Illegal when a reaction is not made with this kind of weapon: a grenade in a melee interrupt."""
    used = situation.action.used_as or situation.weapon.kind
    if permission and permission.weapons and used not in permission.weapons:
        why = f"this reaction needs a {' or '.join(permission.weapons)} weapon"
        what = f"“{situation.action.label}” with the {situation.weapon.label}"
        raise Illegal("weapon", f"{situation.attacker.name} cannot react by {what}: {why}.", why)


def readying_words(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon) -> str:
    """What takes a carried weapon in hand: "first “Draw” (1 action)"; only where the ruleset has an action for it."""
    action = ready_action(rules)
    if action is None:
        return ""
    facts = {**action_facts(battle, rules, unit, action), **weapon_facts(rules, unit, weapon)}
    price = price_words(costs(action.cost, facts), rules)
    return f"first “{action.label}”{f' ({price})' if price else ''}"


def attack_refusal(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> Illegal | None:
    """Why a unit may not attack anybody so now; None when it depends on the target."""
    try:
        price_on_anybody(battle, rules, unit, weapon, action)
    except Illegal as reason:
        return reason
    return None


def price_on_anybody(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> dict[str, int]:
    """What an attack costs, by budget; empty for nothing, or where it depends on the target.

    Raises:
        Illegal: the unit may not attack anybody so now.
    """
    facts = facts_on_nobody(battle, rules, unit, weapon, action)
    on_anybody = tuple(each for each in action.requires if all(map(_is_of_attacker, each.holds.names)))
    action = replace(action, requires=on_anybody)
    refuse_unless_turn(battle, unit, rules, action)
    refuse_unless_affordable(unit, action, facts, rules)
    refuse_unless_loaded(unit, weapon.id, action, facts, rules)
    for restriction in rules.attack.restrictions:
        if all(map(_is_of_attacker, restriction.when.names)) and restriction.when.evaluate(facts):
            label, because = restriction.label, restriction.because.render(facts).rstrip(".")
            raise Illegal("impossible", f"{label}: {because}.", f"{lower_first(label)} ({because})")
    if not all(_is_of_attacker(name) for price in action.cost.values() for name in price.names):
        return {}
    return costs(action.cost, facts)


def facts_on_nobody(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> Mapping[str, Value]:
    """The facts of an attack without a target: those of the attacker, its weapon and the attack hold."""
    here = bare_square(unit.at)
    return observe(battle, rules, unit, here, weapon, action, sight_line(battle, unit, here)).facts


def _is_of_attacker(name: str) -> bool:
    """Whether a fact is the same for every target."""
    return name.partition(".")[0] in OF_THE_ATTACK and not name.endswith(("bearing", "_distance"))
