"""Log sentences for attack events: rolls, blasts, effects."""

from __future__ import annotations

import re

from engine.battle import events as ev
from engine.battle.attacks.reactions import takes_any_action
from engine.battle.narration.log_context import LogContext
from engine.battle.narration.narrators import narrates
from engine.battle.narration.roll_text import CHECK, check_words, result_words
from engine.battle.wording import price_words
from engine.dice.dice_text import number, percent
from engine.dice.sources import NO_ROLL, describe
from engine.geometry.blast.scatter_path import OFF_MAP

OPERATION = re.compile(r" [+−×÷] |, rounded")
"""What stands in a calculation of more than one number."""


@narrates(ev.OpeningGiven)
def opening_given(event: ev.OpeningGiven, log: LogContext) -> str:
    price, because = price_words(event.cost, log.rules) or "free", log.because(event.because)
    other = " or take another action" if takes_any_action(log.rules, event.reaction) else ""
    return f"{log.name(event.unit)} may attack {log.name(event.against)}{other} now, {price}: {because}."


@narrates(ev.ReactionTaken)
def reaction_taken(event: ev.ReactionTaken, log: LogContext) -> str:
    return f"{log.name(event.unit)} attacks {log.name(event.against)} automatically: {log.because(event.because)}."


@narrates(ev.AttackRolled)
def attack_rolled(event: ev.AttackRolled, log: LogContext) -> str:
    target = event.square.name if event.square else log.name(event.target)
    what = f"{event.action_label}, {event.weapon_label}, {event.distance}"
    chance = "" if event.roll == NO_ROLL else f", {percent(event.chance)} to hit"
    return f"{log.name(event.unit)} → {target}, {what}{chance}: {result_words(event, log.rules)}."


@narrates(ev.DefenceTaken)
def defence_taken(event: ev.DefenceTaken, log: LogContext) -> str:
    price = price_words(event.spent, log.rules)
    by_itself = ", automatic" if event.is_by_itself else ""
    return f"{log.name(event.unit)}: {event.label}{by_itself}{f', {price}' if price else ''}."


@narrates(ev.BurstLanded)
def burst_landed(event: ev.BurstLanded, log: LogContext) -> str:
    rolled = f", {', '.join(describe(one) for one in event.rolls)}" if event.rolls else ""
    if event.stopped_by == OFF_MAP:
        return f"{event.weapon_label} leaves the map at {event.at.name} and is gone{rolled}."
    stopped = f", stopped by {event.stopped_by}" if event.stopped_by else ""
    return f"{event.weapon_label} goes off on {event.at.name}{rolled}{stopped}."


@narrates(ev.BurstCaught)
def burst_caught(event: ev.BurstCaught, log: LogContext) -> str:
    share = "" if event.share == 1 else f", {percent(event.share)} effect"
    return f"{log.name(event.target)} is in the area: {event.ring}{share}."


@narrates(ev.AttackTurned)
def attack_turned(event: ev.AttackTurned, log: LogContext) -> str:
    target, counts = log.name(event.target), f"{event.grade_label}, {event.because}"
    if not event.grade:
        return f"The attack goes to {target}: {event.because}."
    if any(grade.id == event.grade and not grade.is_hit for grade in log.rules.attack.grades):
        return f"The attack on {target} fails: {counts}."
    return f"The attack hits {target}: {counts}."


@narrates(ev.StrikeBegan)
def strike_began(event: ev.StrikeBegan, log: LogContext) -> str:
    if not event.strikes:
        return f"No {event.label.lower()} lands on {log.name(event.target)}."
    return f"{event.label} {event.number} of {event.strikes} on {log.name(event.target)}."


@narrates(ev.CoverWorn)
def cover_worn(event: ev.CoverWorn, log: LogContext) -> str:
    place = event.edge.name if event.edge else event.square.name
    return f"The {event.name} at {place}: cover damage {event.before} → {event.after}, {event.because}."


@narrates(ev.EffectRolled)
def effect_rolled(event: ev.EffectRolled, log: LogContext) -> str:
    return f"{check_words(event.label, event.roll, event.against)}."


@narrates(ev.EffectComputed)
def effect_computed(event: ev.EffectComputed, log: LogContext) -> str:
    words, amount = log.because(event.words), number(event.value)
    is_name = words.endswith(f" {amount}") and OPERATION.search(words) is None  # "weapon damage 15", not "15 = 15"
    value = f"{words} = {amount}" if words and event.value and not is_name else words or amount
    return f"{event.label}: {value}."


@narrates(ev.BurstLanded, is_brief=True)
def burst_landed_briefly(event: ev.BurstLanded, log: LogContext) -> str:
    """ "": the sentence of the roll includes it."""
    return ""


@narrates(ev.EffectRolled, is_brief=True)
def effect_rolled_briefly(event: ev.EffectRolled, log: LogContext) -> str:
    if CHECK.fullmatch(event.against):
        return effect_rolled(event, log)
    return f"{event.label} {event.roll.total}{f', {event.against}' if event.against else ''}."


@narrates(ev.EffectComputed, is_brief=True)
def effect_computed_briefly(event: ev.EffectComputed, log: LogContext) -> str:
    return effect_computed(event, log) if event.words else f"{event.label} {number(event.value)}."
