"""Words for attacks before they are made: what to roll, how likely it hits, what it comes to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from engine.battle.attacks.attack_preview import AreaRisk, AttackPreview, DamageOdds
from engine.battle.attacks.explosives import caught_by, trodden
from engine.battle.attacks.reactions import ProvokedReaction
from engine.battle.narration.log_context import reason_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.dice.dice_text import percent
from engine.geometry.squares import Square
from engine.rules.model import Ruleset
from engine.text import sentence
from engine.values import replace


def dice_to_type(rules: Ruleset) -> str:
    """What a table types of an attack's roll: "the die", "the dice", "the white die, then the black"."""
    names = rules.attack.test.die_names
    if names:
        return f"the {names[0]} die{''.join(f', then the {name}' for name in names[1:])}"
    return "the die" if rules.attack.test.dice.count == 1 else "the dice"


def to_roll(shot: AttackPreview, rules: Ruleset) -> str:
    """What is rolled for an attack: "Roll 1d100 under 60", "Needs a natural 20", or that nothing is."""
    if not shot.situation.action.is_rolled:
        return "No roll to hit"
    what = rules.attack.test.needs(shot.ledger, shot.odds.hit)
    return f"Roll {what}" if what[0].isdigit() else f"{what[0].upper()}{what[1:]}"


def foretold(outlook: DamageOdds, *, is_brief: bool = False) -> str:
    """What an attack comes to: "hurt 44.4 % · out 3.9 % · damage 1.8"; a + where ways were left out.

    Briefly, in whole percents.
    """
    more = "+" if outlook.unsettled else ""

    def told(chance: Fraction) -> str:
        if not is_brief:
            return percent(chance)
        points = round(chance * 100)
        return "<1 %" if chance and not points else ">99 %" if chance < 1 and points == 100 else f"{points} %"

    mean = f"{max(0.1, float(outlook.expected)):.1f}".removesuffix(".0") if outlook.expected else "0"
    return f"hurt {told(outlook.hurt)}{more} · out {told(outlook.drop)}{more} · damage {mean}{more}"


def shared_words(shot: AttackPreview) -> str:
    """Who is given how many hits of an attack: "Hits: 1 to Cutter, the rest to Bandit. For Bandit:"."""
    given = ", ".join(f"{hits} to {unit.name}" for unit, hits in shot.share)
    return (
        f"Hits: {given}, the rest to {shot.situation.target.name}. For {shot.situation.target.name}:" if given else ""
    )


def imperilled(peril: AreaRisk, *, is_brief: bool = False) -> str:
    """What an attack on an area may do to one unit: "Nena, caught 62 %: hurt 40.1 % · out 12 % · damage 3.2"."""
    caught = "" if peril.caught == 1 else f", caught {percent(peril.caught)}"
    return f"{peril.unit.name}{caught}: {foretold(peril.outlook, is_brief=is_brief)}"


def verdict(shot: AttackPreview, rules: Ruleset) -> str:
    """A shot in one or two sentences: who, how far, what is in the way, what to roll, the chance."""
    situation, ledger = shot.situation, shot.ledger
    band = f", {ledger.band_label}" if ledger.band_label else ""
    head = f"{situation.target.name}, {situation.distance}{situation.on_map}{band}: "
    if ledger.forbidden:
        return f"{head}no attack. {sentence(ledger.forbidden.because)}"
    sight = situation.words if situation.weapon.kind != "melee" else ""
    caught = f" {catches(shot.caught)}" if shot.caught is not None else ""
    return f"{head}{sight}{' ' if sight else ''}{to_roll(shot, rules)}: {chance_to_hit(shot)}.{caught}"


def chance_to_hit(shot: AttackPreview) -> str:
    """The chance to hit, and what defences make of it: "36 % (22 % with Dodge)"."""
    beside = beside_chance(shot)
    return f"{percent(shot.odds.hit)}{f' ({beside})' if beside else ''}"


def beside_chance(shot: AttackPreview) -> str:
    """What defences make of the chance to hit: "22 % with Dodge"; "" where nobody can defend.

    Where that was not worked out, or on an area, which defences it leaves out: "before Dodge, Parry or Deflect".
    """
    if shot.defended is not None:
        return f"{percent(shot.defended.outlook.hit)} with {_any_of(shot.defended.labels)}"
    return f"before {_any_of(shot.defences)}" if shot.defences else ""


def _any_of(labels: Sequence[str]) -> str:
    """Some words as alternatives: "Dodge, Parry or Deflect"."""
    *others, last = labels
    return f"{', '.join(others)} or {last}" if others else last


def catches(caught: Sequence[Unit]) -> str:
    """Whom an attack on an area strikes, in one sentence."""
    return f"It catches {', '.join(unit.name for unit in caught)}." if caught else "It catches nobody."


def provoked_words(drawn: ProvokedReaction, battle: Battle) -> str:
    """A reaction that an act would draw: "Bandit: overwatch, as Todd moves in its sight at C3."."""
    return f"{battle.called(drawn.reactor)}: {reason_words(drawn.because, battle)}."


def set_off_words(battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square]) -> Iterator[str]:
    """A sentence for each charge that a way sets off: where, and whom it catches."""
    step, laid = trodden(battle, rules, unit, path)
    for held in laid:
        caught = caught_by(battle.with_unit(replace(unit, at=path[step])), rules, held)
        names = ", ".join(one.name for one in caught)
        yield f"{rules.gear.weapons[held.weapon].label} on {held.at.name} goes off and catches {names or 'nobody'}."
