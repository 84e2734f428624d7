"""Attack preview: ledger, odds, weapon and action of a shot, and whether it is allowed now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.attack_choices import (
    attack_action,
    kinds_of_opening,
    opening_of,
    weapon_of,
    weapon_of_opening,
)
from engine.battle.attacks.attack_refusals import (
    Impossible,
    OutOfTurn,
    bursts,
    is_refused_without_line,
    out_of_turn,
    refuse,
    refuse_if_pointless,
    refuse_target,
    refuse_wrong_aim,
)
from engine.battle.attacks.swept_areas import swept
from engine.battle.command import Attack
from engine.battle.event_builder import (
    EventBuilder,
    acts_any_time,
    rounds_needed,
)
from engine.battle.facts import (
    Situation,
    bare_square,
    facts_without_line,
    observe,
    sight_line,
    with_facts,
)
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.wording import cover_words
from engine.errors import BattleboardError, Illegal
from engine.geometry.squares import Square
from engine.rules.derived_facts import facts_read
from engine.rules.expressions import Expression, shown
from engine.rules.ledger import GM, Entry, Ledger, itemise, prohibition, with_band, with_entries
from engine.rules.model import Action, Ruleset, Value, Weapon
from engine.rules.roll_odds import EntryWorth, Odds, odds, surely_may_hit
from engine.text import share_percent
from engine.values import replace

NO_ODDS = Odds(Fraction(0), ())
"""In place of odds that nobody reads."""
GM_COVER = "gm-cover"
"""Id of the ledger's line that tells the GM's word on cover; the lines that follow from it count the number."""


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
    """Damage odds of an attack on one target after the target's best defence."""

    outlook: DamageOdds
    labels: tuple[str, ...]
    """Labels of the defences; several where it rests on the roll which is taken."""


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
        refuse(battle, rules, situation, ledger.forbidden, permission)
        if permission is None and caught is None:
            refuse_if_pointless(rules, situation, ledger, chances)
    except Illegal as reason:
        refusal, brief = str(reason), reason.brief
    return AttackPreview(situation, ledger, chances, refusal, brief, caught, permission=permission)


def permitted(
    battle: Battle, rules: Ruleset, command: Attack, *, in_any_turn: bool = False, tells: bool = True
) -> AttackPreview:
    """Preview of an attack that may be made now; no ledger is made for one that is refused without it.

    Args:
        battle, rules, command: as for `consider`.
        in_any_turn: whether it only has to be possible, in any turn and with any budget left.
        tells: whether its ledger has reasons, and its odds are worked out though it may be made.

    Raises:
        Unknown: as `consider`.
        Illegal: it may not be made, for the first of all reasons.
        Impossible: its ledger would forbid it.
    """
    situation, caught = situation_of(battle, rules, command)
    if command.square is not None and caught is None:
        refuse_wrong_aim(rules, situation)
    permission = out_of_turn(battle, rules, command, situation.action)
    forbidden = _prohibition(battle, rules, situation)
    if not in_any_turn:
        refuse(battle, rules, situation, forbidden, permission)
    elif forbidden is not None:
        raise Impossible(situation, forbidden)
    ledger = adjusted_ledger(battle, rules, situation, tells=tells)
    if not tells and surely_may_hit(rules, situation.facts, ledger):
        return AttackPreview(situation, ledger, NO_ODDS, "", "", caught, permission=permission)
    chances = odds(rules, situation.facts, ledger)
    if permission is None and caught is None and not in_any_turn:
        refuse_if_pointless(rules, situation, ledger, chances)
    return AttackPreview(situation, ledger, chances, "", "", caught, permission=permission)


def pay_for_attack(draft: EventBuilder, shot: AttackPreview) -> None:
    """Takes an attack's cost from its attacker's budgets: its own, or that of the permission to make it out of turn."""
    attacker, action = shot.situation.attacker, shot.situation.action
    if shot.permission is None:
        draft.pay(attacker, action, shot.situation.facts)
    elif shot.permission.cost:
        draft.spend(attacker, action, shot.permission.cost)


def is_allowed(battle: Battle, rules: Ruleset, command: Attack) -> bool:
    """Whether an attack is allowed now; quicker than `consider`: no odds, and no line where it is refused without."""
    try:
        attacker, weapon, action = chosen_attack(battle, rules, command)
        permission = out_of_turn(battle, rules, command, action)
        if command.square is None:
            target = battle.unit(command.target)
            refuse_target(attacker, target, action)
            facts = facts_without_line(battle, rules, attacker, target, weapon, action)
            facts |= _reaction(battle, command, action)
            if is_refused_without_line(battle, rules, attacker, weapon, action, facts, permission):
                return False
        situation, _ = situation_of(battle, rules, command)
        refuse(battle, rules, situation, _prohibition(battle, rules, situation), permission)
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
    situation, caught = situation_of(battle, rules, command, square, changed)
    return situation, adjusted_ledger(battle, rules, situation), caught


def chosen_attack(battle: Battle, rules: Ruleset, command: Attack) -> tuple[Unit, Weapon, Action]:
    """Who attacks, with which weapon and by which action.

    Raises:
        Unknown, Illegal: as `consider`.
    """
    attacker, held = battle.unit(command.unit), opening_of(battle, command)
    chosen = command.action or (held.attack if held else "")
    named = command.weapon or (weapon_of_opening(battle, rules, held) if held else "")
    weapon = weapon_of(rules, attacker, named)
    is_closing = attacker.id in battle.turns.closing[:1] and not acts_any_time(attacker, rules)
    kinds = kinds_of_opening(battle, rules, held) if held else ()
    return attacker, weapon, attack_action(rules, attacker, weapon, chosen, kinds, after_moves=is_closing)


def situation_of(
    battle: Battle,
    rules: Ruleset,
    command: Attack,
    square: Square | None = None,
    changed: Mapping[str, Value] | None = None,
) -> tuple[Situation, tuple[Unit, ...] | None]:
    """Facts of an attack, and its targets where these are not its one target alone.

    Args:
        battle, rules, command, square, changed: as for `consider`.

    Raises:
        Unknown, Illegal: as `consider`.
    """
    attacker, weapon, action = chosen_attack(battle, rules, command)
    aimed = square if square is not None else command.square
    if command.square is not None and command.target:
        raise Illegal("target", "An attack targets a unit or a square, not both.")
    target = bare_square(aimed) if aimed is not None else battle.unit(command.target)
    line = sight_line(battle, attacker, target)
    drawn = _reaction(battle, command, action)
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
    return situation, caught


def _reaction(battle: Battle, command: Attack, action: Action) -> dict[str, Value]:
    """The fact that names the reaction that an attack is made with; nothing where it is made with none."""
    opening = opening_of(battle, command, action.id)
    return {"reaction": opening.reaction} if opening else {}


def _occupant(battle: Battle, square: Square, attacker: Unit) -> Unit | None:
    """Who in the fight stands on a square, but for the attacker; the lowest of several."""
    there = [one for one in battle.units.values() if square in one.squares and not one.is_defeated]
    return min((one for one in there if one.id != attacker.id), key=lambda one: one.altitude, default=None)


def _aims_at_occupant(rules: Ruleset, situation: Situation) -> bool:
    """Whether a burst that is aimed at this unit's square is aimed at the unit."""
    rule = rules.space.burst
    if rule is None or not rule.occupied.evaluate(situation.facts):
        return False
    return bursts(rules, with_band(rules, situation.facts))


def _prohibition(battle: Battle, rules: Ruleset, situation: Situation) -> Entry | None:
    """The entry of an attack's ledger that forbids it, without the ledger; None when it is possible."""
    found = prohibition(rules, situation.facts, battle.gm.adjustments)
    if found is None:
        return None
    bare = _with_stat_sources(rules, situation, Ledger((found,), "", "", 0))
    return bare.entries[0]


def adjusted_ledger(battle: Battle, rules: Ruleset, situation: Situation, *, tells: bool = True) -> Ledger:
    """The ledger of an attack with the GM's modifiers, and a line for a cover ruling; `tells` as in `itemise`."""
    ledger = itemise(rules, situation.facts, battle.gm.adjustments, tells=tells)
    ledger = _with_stat_sources(rules, situation, ledger) if tells else ledger
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
