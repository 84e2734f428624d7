"""The verdict on a command with attacks: what came of it, then why, in two sentences. The log has all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from engine.battle import events as ev
from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.distances import counted_range, distance_squares, range_from
from engine.battle.narration.log_context import name_of
from engine.battle.narration.narrators import narrate
from engine.battle.narration.summary import left_alone, thinned
from engine.battle.state.battle import Battle
from engine.battle.views.attack_outcomes import (
    CRITICAL,
    DEFENDED,
    FUMBLE,
    HIT,
    MISS,
    NO_DAMAGE,
    AttackOutcome,
    attack_outcomes,
    hits_own_side,
    stopped_by,
)
from engine.dice.dice_text import number
from engine.dice.sources import NO_ROLL
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.geometry.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.text import lower_first, upper_first
from engine.values import replace

MOST_NAMED = 2
"""Units that a blast hurt that are named; more are counted."""
ASIDE = re.compile(r" \([^()]*\)")
"""What stands in brackets: the receipt has it."""
NAMES = {
    HIT: "hit on",
    NO_DAMAGE: "hit on",
    CRITICAL: "critical hit on",
    MISS: "miss at",
    DEFENDED: "attack on",
    FUMBLE: "fumble",
}
"""Names of attacks by their outcome."""
AFTER = (
    ev.ConditionBegan,
    ev.TurnGiven,
    ev.WeaponDropped,
    ev.WeaponBroken,
    ev.UnitPushed,
    ev.CloudSet,
)
"""What may come of an attack besides wounds."""


class _Loss(Struct, frozen=True):
    """What a unit lost: of its first vital pool, and what that had before and after."""

    amount: int
    before: int
    after: int
    label: str
    is_first: bool


def verdict_of(events: Sequence[ev.Event], battle: Battle, rules: Ruleset) -> str:
    """What came of a command's attacks and why: "Hit: Gus takes 7. Rolled 14 + 9 = 23 vs 17."; "" where none was made.

    The reason gives way to what weighs more: that a side is down or broken, or what else the attack brought about.
    """
    outcomes = attack_outcomes(events, rules)
    if not outcomes or outcomes[0].rolled is None:
        return ""
    losses = _losses(events, rules)
    landed = next((one for one in events if isinstance(one, ev.BurstLanded)), None)
    first = outcomes[0]
    if landed is not None or len({one.target for one in outcomes if one.is_hit}) > 1:
        said = _area(outcomes, landed, losses, battle, rules)
    else:
        said = _one(first, events, losses, battle, rules)
    fallen = left_alone(events, battle) or thinned(events, battle)
    counter = next((one for one in outcomes[1:] if one.rolled is not None and one.attacker == first.target), None)
    if fallen:
        return f"{said} {fallen.partition('. ')[0].removesuffix('.')}."
    if counter is not None:
        return f"{said} {_struck_back(counter, losses, battle)}"
    moves = (one for one in events if isinstance(one, ev.UnitMoved) and one.unit != first.attacker)
    if moved := next(filter(None, (narrate(one, battle, rules) for one in moves)), ""):
        return f"{said} {ASIDE.sub('', moved)}"
    if first.kind not in (FUMBLE, DEFENDED) and (after := _after(first, events, battle, rules)):
        return f"{said} {after}"
    return f"{said} {_cause(first, losses, battle, rules)}".rstrip()


def attack_name(events: Sequence[ev.Event], battle: Battle, rules: Ruleset) -> str:
    """A command's attack as a name for it: "Bo's miss at Gus", "Cal's fumble"; "" where none was made."""
    first = next(iter(attack_outcomes(events, rules)), None)
    if first is None or first.rolled is None:
        return ""
    words = NAMES[first.kind]
    at = f" {_aim(first.rolled, battle)}" if " " in words else ""
    return f"{name_of(first.attacker, battle)}'s {words}{at}"


def _losses(events: Sequence[ev.Event], rules: Ruleset) -> dict[str, _Loss]:
    """What each unit lost, of the first vital pool that lost anything."""
    vital = list(vital_pools(rules))
    lost = [one for one in events if isinstance(one, ev.PoolChanged) and one.pool in vital and one.after < one.before]
    found: dict[str, _Loss] = {}
    for event in sorted(lost, key=lambda one: vital.index(one.pool)):
        first = found.setdefault(event.unit, _Loss(0, event.before, event.after, event.label, event.pool == vital[0]))
        if first.label == event.label:
            amount = first.amount + event.before - event.after
            found[event.unit] = replace(first, amount=amount, after=event.after)
    return found


def _lost(loss: _Loss) -> str:
    """As "takes 7", "loses 12 wits"."""
    return f"takes {loss.amount}" if loss.is_first else f"loses {loss.amount} {loss.label}"


def _one(
    outcome: AttackOutcome, events: Sequence[ev.Event], losses: dict[str, _Loss], battle: Battle, rules: Ruleset
) -> str:
    """The verdict on an attack on one unit or square."""
    rolled = outcome.rolled
    assert rolled is not None
    who, whom = name_of(outcome.attacker, battle), _aim(rolled, battle)
    loss, kind = losses.get(outcome.target), outcome.kind
    if kind == FUMBLE:
        return f"Fumble: {_fumbled(outcome, events, battle, rules) or f'{who} misses {whom}.'}"
    if outcome.is_down:
        critical = "Critical: " if kind == CRITICAL else ""
        return f"{critical}{f'{loss.amount} damage, ' if critical and loss else ''}{whom} is down."
    if loss and hits_own_side(outcome, battle):
        return f"{who} hits {whom}: {loss.amount} damage, {loss.before} → {loss.after}."
    if kind == DEFENDED:
        label = next(
            (one.label for one in events if isinstance(one, ev.DefenceTaken) and one.unit == outcome.target), ""
        )
        return f"{whom} is not hit: {lower_first(label or outcome.grade_label)}."
    if kind == MISS:
        return f"Missed, but {whom} {_lost(loss)}." if loss else f"{who} misses {whom}."
    word = {CRITICAL: "Critical", HIT: "Hit", NO_DAMAGE: "Hit"}[kind]
    if loss:
        return f"{word}: {whom} {_lost(loss)}."
    if kind != NO_DAMAGE:
        return f"{word}: {whom}."
    stop = stopped_by(outcome, events, battle, rules)
    return f"{word}, but the {stop} takes all of it." if stop else f"{word}, but {whom} takes no damage."


def _struck_back(outcome: AttackOutcome, losses: dict[str, _Loss], battle: Battle) -> str:
    """The outcome of an attack in answer to another: "Ivy strikes back: Dot takes 3."."""
    who, whom, loss = name_of(outcome.attacker, battle), name_of(outcome.target, battle), losses.get(outcome.target)
    if not outcome.is_hit:
        return f"{who} strikes back and misses."
    end = f"{whom} is down" if outcome.is_down else f"{whom} {_lost(loss)}" if loss else "a hit without damage"
    return f"{who} strikes back: {end}."


def _fumbled(outcome: AttackOutcome, events: Sequence[ev.Event], battle: Battle, rules: Ruleset) -> str:
    """What a fumble brings about, in its own sentence."""
    start = next(place for place, one in enumerate(events) if one is outcome.rolled)
    said = (narrate(one, battle, rules, is_brief=True) for one in events[start + 1 :] if not _is_working(one))
    return next(filter(None, said), "")


def _is_working(event: ev.Event) -> bool:
    """Whether an event only says how another came about."""
    return isinstance(event, ev.EffectRolled | ev.EffectComputed | ev.StrikeBegan | ev.BurstCaught | ev.BurstLanded)


def _area(
    outcomes: Sequence[AttackOutcome],
    landed: ev.BurstLanded | None,
    losses: dict[str, _Loss],
    battle: Battle,
    rules: Ruleset,
) -> str:
    """The verdict on an attack on all in an area, or on several: where it came down, who dropped, who is hurt."""
    first = outcomes[0]
    rolled = first.rolled
    assert rolled is not None
    down = list(dict.fromkeys(one.target for one in outcomes if one.is_down))
    hurt = [unit for unit in losses if unit not in down]
    caught = len({one.target for one in outcomes if one.is_caught})
    nobody = f"{caught} caught, nobody is hurt" if caught else "nobody is hurt"
    side = battle.units[first.attacker].side if first.attacker in battle.units else ""
    parts = (_names(units, state, side, battle) for units, state in ((down, "down"), (hurt, "hurt")))
    harm = ", ".join(filter(None, parts)) or nobody
    if landed is None:
        return f"{rolled.weapon_label}: {harm}."
    if landed.stopped_by == OFF_MAP:
        return f"{landed.weapon_label} leaves the map at {landed.at.name}."
    begin = "Fumble: " if first.kind == FUMBLE else ""
    where = f"on {landed.at.name}" if first.is_hit else _astray(rolled, landed.at, battle, rules)
    if not (hurt or down or caught):
        return f"{begin}{landed.weapon_label} {where}." if first.is_hit else f"{begin}{landed.weapon_label}: {where}."
    return f"{begin}{where if begin else upper_first(where)}: {harm}."


def _astray(rolled: ev.AttackRolled, at: Square, battle: Battle, rules: Ruleset) -> str:
    """How far from where it was aimed something came down: "3 m off, on Q5"."""
    far = off_aim(rolled, at, battle, rules)
    return f"{number(far)} {UNIT_SIGNS[rules.distance.ranges]} off, on {at.name}" if far else f"as aimed, on {at.name}"


def off_aim(rolled: ev.AttackRolled, at: Square, battle: Battle, rules: Ruleset) -> int | Fraction | None:
    """How far a square is from what an attack was aimed at, in the unit of ranges; None where that is not known.

    Args:
        rolled: the attack.
        at: the square.
        battle: with its target where it stood.
        rules: the ruleset.
    """
    aimed, square = battle.units.get(rolled.target), rolled.square
    if square == at or (aimed is not None and at in aimed.squares):
        return 0
    if aimed is not None:
        return range_from(battle.field, rules, at, aimed)
    if square is None:
        return None
    apart = abs(square.column - at.column), abs(square.row - at.row)
    return counted_range(distance_squares(battle.field, rules, *apart, 0), battle.field, rules)


def _names(units: Sequence[str], state: str, side: str, battle: Battle) -> str:
    """As "Gus is down", "Dot and Ivy are hurt", "4 are hurt"; of many those of the attacker's `side` are named."""
    if not units:
        return ""
    if len(units) > MOST_NAMED:
        own = [name_of(unit, battle) for unit in units if unit in battle.units and battle.units[unit].side == side]
        among = f", {' and '.join(own[:MOST_NAMED])} among them" if own else ""
        return f"{len(units)} are {state}{among}"
    return f"{' and '.join(name_of(unit, battle) for unit in units)} {'is' if len(units) == 1 else 'are'} {state}"


def _after(first: AttackOutcome, events: Sequence[ev.Event], battle: Battle, rules: Ruleset) -> str:
    """What else came of it, in a sentence: the first such event that is no condition of the attacker's own."""
    begun = [one for one in events if isinstance(one, ev.ConditionBegan) and one.unit != first.attacker]
    alike = [name_of(one.unit, battle) for one in begun if one.condition == begun[0].condition]
    if len(alike) > 1 and narrate(begun[0], battle, rules):
        count = f"{len(alike)} are" if len(alike) > MOST_NAMED else f"{' and '.join(alike)} are"
        return f"{count} {begun[0].label}."
    what = (one for one in events if isinstance(one, AFTER))
    new = (one for one in what if not (isinstance(one, ev.ConditionBegan) and one.unit == first.attacker))
    return next(filter(None, (ASIDE.sub("", narrate(one, battle, rules, is_brief=True)) for one in new)), "")


def _cause(outcome: AttackOutcome, losses: dict[str, _Loss], battle: Battle, rules: Ruleset) -> str:
    """The dice, and the damage where the verdict does not say it: "Rolled 14 + 9 = 23 vs 17, 7 damage."."""
    rolled = outcome.rolled
    if rolled is None or rolled.roll == NO_ROLL:
        return ""
    dice = upper_first(ASIDE.sub("", rules.attack.test.result_text(rolled.roll, rolled)))
    loss = losses.get(outcome.target)
    return f"{dice}, {loss.amount} damage." if outcome.is_down and outcome.kind != CRITICAL and loss else f"{dice}."


def _aim(rolled: ev.AttackRolled, battle: Battle) -> str:
    return rolled.square.name if rolled.square else name_of(rolled.target, battle)
