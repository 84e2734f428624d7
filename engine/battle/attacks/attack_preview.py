"""Attack preview: ledger, odds, weapon and action of a shot, and whether it is allowed now."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.swept_areas import swept
from engine.battle.command import Attack
from engine.battle.distances import is_adjacent
from engine.battle.event_builder import (
    EventBuilder,
    acts_any_time,
    costs,
    ready_action,
    refuse_if_out,
    refuse_unless_affordable,
    refuse_unless_left,
    refuse_unless_loaded,
    refuse_unless_met,
    refuse_unless_turn,
    rounds_needed,
)
from engine.battle.events import OpeningGiven
from engine.battle.facts import (
    BARE_SQUARE,
    Situation,
    action_facts,
    bare_square,
    observe,
    sight_line,
    weapon_facts,
    with_facts,
)
from engine.battle.gear import carried_weapon, in_hand, innate_weapons, weapon_in_hand
from engine.battle.state.battle import Battle, Opening
from engine.battle.state.units import Unit
from engine.battle.wording import cover_words, price_words
from engine.context import Cache
from engine.errors import BattleboardError, Illegal, Unknown
from engine.geometry.squares import Square
from engine.rules.derived_facts import facts_read
from engine.rules.effects import is_after
from engine.rules.expressions import Expression, shown
from engine.rules.formula_values import number
from engine.rules.ledger import GM, Entry, Ledger, itemise, with_entries
from engine.rules.model import SQUARE, Action, Restriction, Ruleset, Value, Weapon, works_with
from engine.rules.roll_odds import EntryWorth, Odds, odds
from engine.rules.specialise import OF_THE_ATTACK, asked_after_roll, settled_by_attack
from engine.text import lower_first, share_percent
from engine.values import replace

GM_COVER = "gm-cover"
"""Id of the ledger's line that tells the GM's word on cover; the lines that follow from it count the number."""
BESIDE = ("melee", "ranged")
"""Weapon kinds for a reaction against an adjacent enemy, where the ruleset names none: nothing is thrown."""
FITTING: Cache[tuple[Action, ...]] = Cache(256)
"""The attacks that work with each weapon."""


class StateOutcome(Struct, frozen=True):
    """A change of a unit's state that an attack may lead to, besides numbers: a condition, a posture, a weapon lost."""

    id: str
    """Of the condition, else as `StateChange.id`."""
    label: str
    """In the words of a panel: "stunned", "disarmed"."""
    whom: str
    """ "target" or "attacker"."""


class DamageOdds(Struct, frozen=True):
    """Damage odds of an attack on its target, exact.

    Vital is a pool that the rule of defeat asks for, or any at all where it asks for none. Damage is what these lose,
    without those that are told apart, so no more than they hold. *Hurt* is a target that takes any. *Dropped* is one
    that is out of the fight. Defences that the target may yet choose, falls, and what strikes others are not in it.
    """

    hit: Fraction
    hurt: Fraction
    drop: Fraction
    expected: Fraction
    """Mean damage."""
    damage: tuple[tuple[int, Fraction], ...]
    """Every amount with its chance, none first; with `unsettled` they sum to one."""
    unsettled: Fraction = Fraction(0)
    """The chance of ways that were not followed, for there were too many: each chance above may be greater by it."""
    worn: tuple[tuple[str, Fraction], ...] = ()
    """The mean loss of each pool that protects and is not empty, by its label."""
    has_damage: bool = True
    """Whether `damage` is shown: no, where a pool that is a part of it has a name for what it is to lose any of it."""
    harms: tuple[tuple[str, Fraction], ...] = ()
    """What it is called to lose any of a pool, with its chance, where pools have a name for it."""
    outcomes: tuple[tuple[StateOutcome, Fraction], ...] = ()
    """What else it may change of the two, each with the chance that it does so at least once; the target's first, the
    likeliest of them first. 0 only for what would follow from some grade for certain. It counts too where the unit is
    in that condition already, and where the target drops."""


def aim_of(outlook: DamageOdds) -> StateOutcome | None:
    """The likeliest change of the target's state by an attack that can do no damage: what it is made for."""
    does_harm = outlook.hurt or outlook.drop or outlook.unsettled or any(share for _, share in outlook.harms)
    likeliest, _ = next(iter(outlook.outcomes), (None, 0))
    return likeliest if likeliest is not None and likeliest.whom == "target" and not does_harm else None


class DefendedDamageOdds(Struct, frozen=True):
    """Damage odds of an attack on one target after the attacker's best answer and the target's best defence."""

    outlook: DamageOdds
    labels: tuple[str, ...]
    """Labels of the defences; several where it rests on the roll which is taken."""
    answers: tuple[str, ...] = ()
    """Labels of the attacker's answers, which come before."""


class AreaRisk(Struct, frozen=True):
    """Damage odds for one unit of an attack on an area, or of one on another target that may strike it instead."""

    unit: Unit
    caught: Fraction
    """The chance that it is in a ring of the burst, or in the cone, or that it is struck."""
    outlook: DamageOdds
    """Damage odds, the chance to be caught included."""


class Change(Struct, frozen=True):
    """One change to an attack, the chance to hit with it, and its mean damage."""

    is_step: bool
    """Whether it is a step to another square first; else it is another action."""
    label: str
    """The step's direction, or the action's label."""
    hit: Fraction
    expected: Fraction | None = None
    """The mean damage (`DamageOdds.expected`), where it is known; what else would be better is then decided by it."""
    outcomes: tuple[tuple[StateOutcome, Fraction], ...] = ()
    """As `DamageOdds.outcomes`."""
    aim: tuple[StateOutcome, Fraction] | None = None
    """What the attack is made for where it does no damage, with its chance here; it is then decided by that."""


class AttackPreview(Struct, frozen=True):
    """Preview of one attack before any die is rolled, for panels, sentences and the command line."""

    situation: Situation
    ledger: Ledger
    odds: Odds
    refusal: str
    """Why it cannot be made now, one sentence; "" when it can. Odds and ledger stand either way."""
    refusal_brief: str
    """The same in a few words."""
    caught: tuple[Unit, ...] | None = None
    """Units that it attacks, the nearest first; None for its one target, or the units in a blast."""
    better: tuple[Change, ...] = ()
    """What would better it, where that was asked for (see `tactics.suggestions`): another way, a step."""
    worths: tuple[EntryWorth, ...] = ()
    """What each entry of the ledger is worth, where that was asked for."""
    outlook: DamageOdds | None = None
    """Damage odds for its one target, where asked for (see `area_odds.with_odds`) and computable."""
    defended: DefendedDamageOdds | None = None
    """The same where it is defended against; None where nobody can, or where that was not asked for."""
    area_risks: tuple[AreaRisk, ...] = ()
    """Damage odds for each unit that a blast or a cone may catch, where asked for."""
    struck_instead: tuple[AreaRisk, ...] = ()
    """Damage odds for each unit that an attack on one target may strike in its place, where asked for."""
    defences: tuple[str, ...] = ()
    """Labels of the defences that may still be taken and that no chance here has in it, where that was asked for."""
    share: tuple[tuple[Unit, int], ...] = ()
    """The hits that go to other units; the odds are for the hits that stay on the target."""
    permission: OutOfTurn | None = None
    """To make it out of turn; None for none."""

    @property
    def shared(self) -> int:
        """How many hits are given to others than the target."""
        return sum(hits for _, hits in self.share)


def rounds_words(situation: Situation) -> str:
    """The rounds that an attack takes from its weapon, where it takes several: "30 of 30 rounds"; else ""."""
    unit, weapon = situation.attacker, situation.weapon.id
    needed = rounds_needed(unit, weapon, situation.action, situation.facts)
    return f"{needed} of {unit.gear.rounds.get(weapon, 0)} rounds" if needed > 1 else ""


def consider(
    battle: Battle,
    rules: Ruleset,
    command: Attack,
    *,
    square: Square | None = None,
    changed: Mapping[str, Value] | None = None,
) -> AttackPreview:
    """Preview of an attack.

    Args:
        battle: now.
        rules: the ruleset.
        command: who attacks whom with what; `target` is ignored when `square` is given.
        square: a bare square to aim at in place of a unit.
        changed: facts set by hand, for "what if".

    Raises:
        Unknown: no such unit, weapon or action.
        Illegal: the unit has no weapon, or no attack fits it.
    """  # fmt: skip
    situation, ledger, caught = situation_and_ledger(battle, rules, command, square, changed)
    permission = out_of_turn(battle, rules, command, situation.action)
    chances = odds(rules, situation.facts, ledger)
    refusal = brief = ""
    try:
        refuse(battle, rules, situation, ledger, permission)
        if permission is None and caught is None:
            refuse_if_pointless(rules, situation, ledger, chances)
    except Illegal as reason:
        refusal, brief = str(reason), reason.brief
    return AttackPreview(situation, ledger, chances, refusal, brief, caught, permission=permission)


def pay_for_attack(draft: EventBuilder, shot: AttackPreview) -> None:
    """Takes an attack's cost from its attacker's budgets: its own, or that of the permission to make it out of turn."""
    attacker, action = shot.situation.attacker, shot.situation.action
    if shot.permission is None:
        draft.pay(attacker, action, shot.situation.facts)
    elif shot.permission.cost:
        draft.spend(attacker, action, shot.permission.cost)


def is_allowed(battle: Battle, rules: Ruleset, command: Attack) -> bool:
    """Whether an attack is allowed now; quicker than `consider`, as it computes no odds."""
    try:
        situation, ledger, _ = situation_and_ledger(battle, rules, command)
        refuse(battle, rules, situation, ledger, out_of_turn(battle, rules, command, situation.action))
    except BattleboardError:
        return False
    return True


def situation_and_ledger(
    battle: Battle,
    rules: Ruleset,
    command: Attack,
    square: Square | None = None,
    changed: Mapping[str, Value] | None = None,
) -> tuple[Situation, Ledger, tuple[Unit, ...] | None]:
    """Facts of an attack, its ledger, and its targets where these are not its one target alone.

    Args:
        battle, rules, command, square, changed: as for `consider`.

    Raises:
        Unknown, Illegal: as `consider`.
    """
    attacker = battle.unit(command.unit)
    aimed = square if square is not None else command.square
    if command.square is not None and command.target:
        raise Illegal("target", "An attack targets a unit or a square, not both.")
    target = bare_square(aimed) if aimed is not None else battle.unit(command.target)
    held = opening_of(battle, command)
    chosen = command.action or (held.attack if held else "")
    named = command.weapon or (weapon_of_opening(battle, rules, held) if held else "")
    weapon = weapon_of(rules, attacker, named)
    is_closing = attacker.id in battle.turns.closing[:1] and not acts_any_time(attacker, rules)
    kinds = kinds_of_opening(battle, rules, held) if held else ()
    action = attack_action(rules, attacker, weapon, chosen, kinds, after_moves=is_closing)
    line = sight_line(battle, attacker, target)
    opening = opening_of(battle, command, action.id)
    drawn = {"reaction": opening.reaction} if opening else {}
    situation = observe(battle, rules, attacker, target, weapon, action, line, drawn)
    if aimed is not None and action.cone is None and (there := _occupant(battle, aimed, attacker)) is not None:
        on_unit = observe(battle, rules, attacker, there, weapon, action, sight_line(battle, attacker, there))
        if _aims_at_occupant(rules, on_unit):
            situation, target = on_unit, there
    caught = swept(battle, rules, situation)
    if caught is not None:
        situation = with_facts(rules, situation, caught_facts(caught, target))
    if changed:
        situation = with_facts(rules, situation, changed)
    return situation, adjusted_ledger(battle, rules, situation), caught


def _occupant(battle: Battle, square: Square, attacker: Unit) -> Unit | None:
    """Who in the fight stands on a square, but for the attacker; the lowest of several."""
    there = [one for one in battle.units.values() if square in one.squares and not one.is_defeated]
    return min((one for one in there if one.id != attacker.id), key=lambda one: one.altitude, default=None)


def _aims_at_occupant(rules: Ruleset, situation: Situation) -> bool:
    """Whether a burst that is aimed at this unit's square is aimed at the unit."""
    rule = rules.space.burst
    if rule is None or not rule.occupied.evaluate(situation.facts):
        return False
    facts = {**situation.facts, **itemise(rules, situation.facts).band_facts}
    return any(number(zone.radius, facts) > 0 for zone in rules.space.zones)


def adjusted_ledger(battle: Battle, rules: Ruleset, situation: Situation) -> Ledger:
    """The ledger of an attack with the GM's modifiers, and a line for the GM's cover ruling."""
    ledger = _with_stat_sources(rules, situation, itemise(rules, situation.facts, battle.gm.adjustments))
    if not situation.action.is_rolled:
        ledger = with_entries(rules, situation.facts, ledger, [entry for entry in ledger.entries if entry.forbids])
    ruling = situation.ruling
    if ruling is None:
        return ledger
    measured = f"measured cover {share_percent(situation.trace.covered)}"
    line = Entry(GM_COVER, "", "Cover", 0, f"{cover_words(ruling)}; {measured}", "GM ruling", author=GM)
    return replace(ledger, entries=(*ledger.entries, line))


def _with_stat_sources(rules: Ruleset, situation: Situation, ledger: Ledger) -> Ledger:
    """The ledger with a note at every line that rests on a stat of a character, or on one set by the GM."""
    noted: dict[str, str] = {}
    for who, unit in (("attacker", situation.attacker), ("target", situation.target)):
        if own := unit.character:
            words = ((stat, f"{rules.units.stats[stat].label} {shown(value)}") for stat, value in own.stats)
            noted |= {f"{who}.{stat}": f"{word} from {own.name}'s sheet" for stat, word in words}
        for stat, value in unit.overrides.stats:
            noted[f"{who}.{stat}"] = f"{unit.name}'s {rules.units.stats[stat].label} {shown(value)}, set by the GM"
    if not noted:
        return ledger
    formulas: dict[str, tuple[Expression, ...]] = {one.id: (one.when, one.value) for one in rules.attack.modifiers}
    formulas |= {one.id: (one.when,) for one in rules.attack.restrictions}
    facts = {**situation.facts, **ledger.band_facts}
    starts = {
        f"{who}.{pool.id}": {name.replace("unit.", f"{who}.", 1) for name in pool.start.names}
        for who in ("attacker", "target")
        for pool in rules.units.pools.values()
    }
    entries = []
    for entry in ledger.entries:
        names = facts_read(rules.attack.facts, formulas.get(entry.id, ()), facts)
        names.update(*(starts[name] for name in names if name in starts))
        sources = (words for name, words in noted.items() if name in names)
        because = "; ".join(filter(None, (entry.because, *sources)))
        entries.append(replace(entry, because=because))
    return replace(ledger, entries=tuple(entries))


def caught_facts(caught: Sequence[Unit], target: Unit) -> dict[str, Value]:
    """How many an attack on an area strikes, and which of them a target is."""
    ids = [unit.id for unit in caught]
    return {"area_targets": len(ids), "area_target_number": ids.index(target.id) + 1 if target.id in ids else 0}


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


def refuse(battle: Battle, rules: Ruleset, situation: Situation, ledger: Ledger, permission: OutOfTurn | None) -> None:
    """Raises Illegal when an attack may not be made now; with permission it has that price and needs no turn."""
    attacker, target = situation.attacker, situation.target
    if attacker.id == target.id:
        raise Illegal("target", f"{attacker.name} cannot attack itself.")
    if situation.action.target == SQUARE and target.id != BARE_SQUARE:
        raise Illegal("target", f"“{situation.action.label}” needs a target square.", "aim it at a square")
    if target.is_defeated:
        raise Illegal("target", f"{target.name} is already out of the fight.")
    if ledger.forbidden:
        because = ledger.forbidden.because.rstrip(".")
        raise Illegal("impossible", f"{ledger.forbidden.label}: {because}.", because)
    _refuse_unless_of_reaction(situation, permission)
    if not is_ready(attacker, situation.weapon, rules):
        raise Illegal(
            "weapon",
            f"{attacker.name} carries the {situation.weapon.label}, but not in hand: "
            f"{readying_words(battle, rules, attacker, situation.weapon)}.",
            f"the {situation.weapon.label} is not in hand",
        )
    if permission is None:
        refuse_unless_turn(battle, attacker, rules, situation.action)
        refuse_unless_affordable(attacker, situation.action, situation.facts, rules)
    else:
        refuse_if_out(attacker)
        refuse_unless_met(attacker, situation.action, situation.facts)
        refuse_unless_left(attacker, situation.action, permission.cost, rules)
    refuse_unless_loaded(attacker, situation.weapon.id, situation.action, situation.facts, rules)


def refuse_if_pointless(rules: Ruleset, situation: Situation, ledger: Ledger, chances: Odds) -> None:
    """Raises Illegal for an attack that no roll makes a hit, and a miss of which does nothing to anybody else.

    What bursts or strays may still do something, and so may what its attacker can answer to its roll.
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
    """Whether an attack may do something to others though it cannot hit: a miss that pins, a blast, a second roll."""
    facts = {**situation.facts, **ledger.band_facts}
    if situation.target.id == BARE_SQUARE or facts["thrown"]:
        return True
    if rules.space.burst is not None and any(number(zone.radius, facts) > 0 for zone in rules.space.zones):
        return True
    answers = (each for each in rules.attack.defences if each.is_attackers)
    if any(settled_by_attack(each.when, facts).can_hold for each in answers):
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


def is_ready(attacker: Unit, weapon: Weapon, rules: Ruleset) -> bool:
    """Whether a weapon need not be readied first: it is in hand or innate, or the ruleset has no action for that."""
    is_at_hand = weapon.id == attacker.gear.weapon or weapon.id in innate_weapons(rules, attacker)
    return is_at_hand or ready_action(rules) is None


def attack_refusal(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> str:
    """Why a unit may not attack anybody so now, in a few words; "" when it depends on the target."""
    facts = facts_on_nobody(battle, rules, unit, weapon, action)
    action = replace(
        action, requires=tuple(each for each in action.requires if all(map(_is_of_attacker, each.holds.names)))
    )
    try:
        refuse_unless_turn(battle, unit, rules, action)
        refuse_unless_affordable(unit, action, facts, rules)
        refuse_unless_loaded(unit, weapon.id, action, facts, rules)
    except Illegal as reason:
        return reason.brief
    alone = (
        restriction for restriction in rules.attack.restrictions if all(map(_is_of_attacker, restriction.when.names))
    )
    return next((_refusal_text(restriction, facts) for restriction in alone if restriction.when.evaluate(facts)), "")


def facts_on_nobody(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> Mapping[str, Value]:
    """The facts of an attack without a target: those of the attacker, its weapon and the attack hold."""
    here = bare_square(unit.at)
    return observe(battle, rules, unit, here, weapon, action, sight_line(battle, unit, here)).facts


def price_on_anybody(battle: Battle, rules: Ruleset, unit: Unit, weapon: Weapon, action: Action) -> str:
    """What an attack costs in words: "1 action"; "" for nothing, or where it depends on the target."""
    if not all(_is_of_attacker(name) for price in action.cost.values() for name in price.names):
        return ""
    return price_words(costs(action.cost, facts_on_nobody(battle, rules, unit, weapon, action)), rules)


def _is_of_attacker(name: str) -> bool:
    """Whether a fact is the same for every target."""
    return name.partition(".")[0] in OF_THE_ATTACK and not name.endswith(("bearing", "_distance"))


def _refusal_text(restriction: Restriction, facts: Mapping[str, Value]) -> str:
    return f"{lower_first(restriction.label)} ({restriction.because.render(facts)})"
