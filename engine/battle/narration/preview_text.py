"""Preview of an attack in words: what to roll, chance to hit, damage odds, provoked reactions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, DamageOdds, DefendedDamageOdds, aim_of
from engine.battle.attacks.explosives import caught_by, trodden
from engine.battle.attacks.reactions import ProvokedReaction, missed_zones
from engine.battle.attacks.scatter import has_scatter
from engine.battle.attacks.split_hits import shared_chances
from engine.battle.narration.log_context import reason_words
from engine.battle.narration.unit_states import zone_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.dice.dice_text import percent
from engine.geometry.squares import Square
from engine.rules.model import Action, Ruleset
from engine.text import sentence, upper_first
from engine.values import replace

MOST_NAMED = 4
"""Units that a warning names."""
MOST_STATES_NAMED = 2
"""Changes of a target's state that a narrow panel names."""
RARE = Fraction(1, 100)
"""Changes of state less likely than this are in the details only."""


def dice_to_type(rules: Ruleset) -> str:
    """What to type for an attack roll: "the die", "the dice", "the white die, then the black"."""
    names = rules.attack.test.die_names
    if names:
        return f"the {names[0]} die{''.join(f', then the {name}' for name in names[1:])}"
    return "the die" if rules.attack.test.dice.count == 1 else "the dice"


def to_roll(shot: AttackPreview, rules: Ruleset) -> str:
    """The roll of an attack: "Roll 1d100 under 60", "Needs a natural 20", "No roll to hit"."""
    needed = roll_needed(shot, rules)
    return f"Roll {needed}" if needed[0].isdigit() else upper_first(needed)


def roll_needed(shot: AttackPreview, rules: Ruleset) -> str:
    """The same inside a sentence: "1d100 under 60", "needs a natural 20", "no roll to hit"."""
    if not shot.situation.action.is_rolled:
        return "no roll to hit"
    if not shot.odds.hit and has_scatter(rules, shot):
        return "scatters whatever the roll"
    return rules.attack.test.needs(shot.ledger, shot.odds.hit).words


def mean_words(damage: Fraction) -> str:
    """A mean damage to the tenth: "1.8", "0" for none at all, "0.1" for any less."""
    return f"{max(0.1, float(damage)):.1f}".removesuffix(".0") if damage else "0"


def damage_words(outlook: DamageOdds, *, is_brief: bool = False) -> str:
    """Damage odds in words: "wounds 44.4 % · drops 3.9 % · avg. damage 1.8"; "prone 60 % · no damage"."""
    return " · ".join(odds_parts(outlook, is_brief=is_brief))


def odds_parts(outlook: DamageOdds, *, is_brief: bool = False, has_average: bool = True) -> list[str]:
    """Each of the damage odds, then what else may come over the target; this alone where no damage is possible."""
    states = outcome_parts(outlook, is_brief=is_brief)
    if aim_of(outlook) is not None:
        return [*states, "no damage"]
    average = average_words(outlook, is_brief=is_brief) if has_average else ""
    return [*chance_parts(outlook, is_brief=is_brief), *filter(None, [average]), *states]


def outcome_parts(outlook: DamageOdds, *, is_brief: bool = False) -> list[str]:
    """Changes of the target's state with their chances, the likeliest first: "stunned 12 %", "prone 3 %".

    Those below 1 % are left out, unless the attack is made for nothing else; briefly, at most MOST_STATES_NAMED.
    """
    more = "+" if outlook.unsettled else ""
    of_target = [(one, share) for one, share in outlook.outcomes if one.whom == "target"]
    named = [(one, share) for one, share in of_target if share >= RARE] or (
        of_target[:1] if aim_of(outlook) is not None else []
    )
    return [f"{one.label} {percent(share)}{more}" for one, share in named[: MOST_STATES_NAMED if is_brief else None]]


def chance_parts(outlook: DamageOdds, *, is_brief: bool = False) -> list[str]:
    """The chances of wounds and to drop; a + where rare outcomes were left out.

    Where the ruleset has names for what pools lose, their chances: "Injury 40 % · Stun 4 % · drops 18 %"; where only
    some have one, these stand between: "wounds 44 % · fatigue 3 % · drops 3.9 %", briefly none below 0.5 %.
    """
    more = "+" if outlook.unsettled else ""
    wounds = [f"wounds {percent(outlook.hurt)}{more}"] if outlook.has_damage else []
    is_cut = is_brief and outlook.has_damage
    named = [f"{harm} {percent(share)}{more}" for harm, share in outlook.harms if not is_cut or round(share * 100)]
    return [*wounds, *named, f"drops {percent(outlook.drop)}{more}"]


def average_words(outlook: DamageOdds, *, is_brief: bool = False) -> str:
    """The average damage: "avg. damage 1.8", for a panel of 32 cells "dmg 1.8"; "" where no damage is counted."""
    if not outlook.has_damage:
        return ""
    return f"{'dmg' if is_brief else 'avg. damage'} {mean_words(outlook.expected)}{'+' if outlook.unsettled else ''}"


def wounding_misses(outlook: DamageOdds) -> str:
    """Why an attack wounds more often than it hits: some results of a miss wound too; "" where it does not."""
    return "misses may wound too" if outlook.hurt > outlook.hit else ""


def worn_words(outlook: DamageOdds) -> str:
    """What protects the target and wears off: "avg. loss: armour points 5.1"; "" for nothing."""
    lost = ", ".join(f"{label} {float(mean):.1f}" for label, mean in outlook.worn if mean)
    return f"avg. loss: {lost}" if lost else ""


def shared_words(shot: AttackPreview, rules: Ruleset) -> str:
    """Who is given how many hits of an attack, with the chance of one; "" where all are the target's.

    As "Hits: the first to Bandit, then 1 to Cutter (hit 25 %). For Bandit:".
    """
    shared = shared_chances(rules, shot)
    if not shared:
        return ""
    target = shot.situation.target.name
    given = ", ".join(f"{hits} to {unit.name} (hit {percent(hit)})" for unit, hits, hit in shared)
    return f"Hits: the first to {target}, then {given}. For {target}:"


def risk_words(risk: AreaRisk, *, is_brief: bool = False, is_instead: bool = False) -> str:
    """Damage odds of an area attack for one unit: "Nena, in the area 62 %: wounds 40 % · drops 12 %".

    `is_instead`: of an attack on another that may strike it in that one's place: "Nena, hit instead 35 %: …".
    """
    caught = "" if risk.caught == 1 else f", {'hit instead' if is_instead else 'in the area'} {percent(risk.caught)}"
    is_short = is_brief and aim_of(risk.outlook) is not None  # that nothing is said of damage is enough there
    parts = outcome_parts(risk.outlook, is_brief=True) if is_short else odds_parts(risk.outlook, is_brief=is_brief)
    return f"{risk.unit.name}{caught}: {' · '.join(parts)}"


def verdict(shot: AttackPreview, rules: Ruleset) -> str:
    """A shot in a few sentences: target, distance and chance to hit; line of sight; the roll."""
    situation, ledger = shot.situation, shot.ledger
    band = f", {ledger.band_label}" if ledger.band_label else ""
    warned = friend_words(shot)
    target = upper_first(situation.target.name)
    hidden = "Hidden from the players: " * situation.target.is_hidden
    head = f"{warned}{' ' if warned else ''}{hidden}{target}, {situation.distance}{situation.on_map}{band}: "
    if ledger.forbidden:
        return f"{head}no attack. {sentence(ledger.forbidden.because)}"
    sight = situation.words if situation.weapon.kind != "melee" else ""
    caught = catches(shot.caught) if shot.caught is not None else ""
    if not situation.action.is_rolled:
        return " ".join(filter(None, (f"{head}no roll to hit.", sight, caught)))
    of_what = " to land as aimed" if has_scatter(rules, shot) else " to hit"
    chance = f"{head}{chance_to_hit(shot, of_what)}."
    return " ".join(filter(None, (chance, sight, f"{to_roll(shot, rules)}.", caught)))


def friend_words(shot: AttackPreview, at_risk: Sequence[tuple[Unit, Fraction]] = ()) -> str:
    """The warning that an attack is aimed at a unit of the attacker's side, or may strike others; "" for any other.

    Args:
        shot: the attack.
        at_risk: units of that side, each with the chance to be in the attack's area.
    """
    attacker, target = shot.situation.attacker, shot.situation.target
    if not at_risk and attacker.side == target.side and attacker.id != target.id:
        at_risk = [(target, Fraction(1))]
    named = [f"{unit.name}{f' {percent(risk)}' if risk < 1 else ''}" for unit, risk in at_risk[:MOST_NAMED]]
    more = f" and {len(at_risk) - MOST_NAMED} more" if len(at_risk) > MOST_NAMED else ""
    return f"Warning: this may strike {attacker.name}'s own side: {', '.join(named)}{more}." if named else ""


def chance_to_hit(shot: AttackPreview, of_what: str = "") -> str:
    """The chance to hit before defences, then against them where that was computed.

    As "36 %, 22 % against Dodge"; with " to hit" as `of_what` "36 % to hit, 22 % against Dodge".
    """
    beside = beside_chance(shot)
    between = ", " if shot.defended is not None else " " * bool(beside)
    return f"{percent(shot.odds.hit)}{of_what}{between}{beside}"


def beside_chance(shot: AttackPreview) -> str:
    """The chance to hit against defences: "22 % against Dodge"; "" where nobody can defend.

    Where it was not computed, or on an area, the defences left out: "before Dodge, Parry or Deflect".
    """
    if shot.defended is not None:
        return f"{percent(shot.defended.outlook.hit)} against {answers_words(shot.defended)}"
    return f"before {_any_of(shot.defences)}" if shot.defences else ""


def answers_words(defended: DefendedDamageOdds) -> str:
    """What odds rest on: "Dodge or Parry"."""
    return _any_of(defended.labels)


def _any_of(labels: Sequence[str]) -> str:
    """Labels as alternatives: "Dodge, Parry or Deflect"."""
    *others, last = labels
    return f"{', '.join(others)} or {last}" if others else last


def catches(caught: Sequence[Unit]) -> str:
    """Units in the area of an attack, in one sentence."""
    return f"In the area: {', '.join(unit.name for unit in caught) or 'nobody'}."


def provoked_words(drawn: ProvokedReaction, battle: Battle) -> str:
    """A reaction that an action provokes: "Bandit: overwatch, as Todd moves in view at C3."."""
    return f"{battle.called(drawn.reactor)}: {reason_words(drawn.because, battle)}."


def outside_words(battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square], action: Action) -> str:
    """Whose zones a move passes outside: "outside Fox's overwatch (facing W)"; "" for none."""
    missed = {draw.reactor: draw.reaction for draw in missed_zones(battle, rules, unit, path, action)}
    zones = (
        f"{battle.called(reactor)}'s {reaction.label} ({zone_words(battle, rules, battle.unit(reactor), reaction)})"
        for reactor, reaction in missed.items()
    )
    return f"outside {', '.join(zones)}" if missed else ""


def set_off_words(battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square]) -> Iterator[str]:
    """A sentence for each charge that a path triggers: where, and whom it catches."""
    step, laid = trodden(battle, rules, unit, path)
    for held in laid:
        caught = caught_by(battle.with_unit(replace(unit, at=path[step])), rules, held)
        names = ", ".join(one.name for one in caught)
        yield f"{rules.gear.weapons[held.weapon].label} on {held.at.name} goes off and catches {names or 'nobody'}."
