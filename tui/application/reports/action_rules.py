"""The rule book on turns: actions, conditions, automatic effects, reactions and defences."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dice.dice_text import number as number_text
from engine.rules.model import (
    SQUARE,
    Action,
    Condition,
)
from engine.rules.reaction_rules import TARGET, Defence, Reaction
from engine.rules.turn_rules import Trigger
from tui.application.reports.formula_words import RACERS
from tui.application.reports.rule_book import (
    DETAIL,
    RuleBook,
    added_words,
    cost_words,
    effect_lines,
    flat,
    is_formula,
    on_words,
    rule_lines,
)

TARGETS = {"enemy": "on an enemy", "ally": "on an ally", "any": "on any other unit", SQUARE: "on a square"}

KIND_WORDS = {
    "attack": "attack",
    "move": "move",
    "other": "action",
    "ready": "change of weapon",
    "face": "turn on the spot",
}

TRIGGERED = {
    "leaves reach": "when an enemy moves away from an adjacent square",
    "enters reach": "when an enemy moves to an adjacent square",
    "moves in sight": "when an enemy moves in sight",
    "attacks": "when an enemy attacks, adjacent or in sight",
    "acts": "when an enemy takes another action, adjacent or in sight",
    "defends": "when an enemy has defended, adjacent or in sight",
}

HAPPENS = {
    "round start": "at the start of the round",
    "round end": "at the end of the round",
    "own turn start": "at the start of the unit's turn",
    "own turn end": "at the end of the unit's turn",
    "moves": "after each move of the unit",
    "falls": "when the unit falls",
    "defeated": "when the unit drops",
}

UNTIL = {
    "own turn start": "until the start of its next turn",
    "own turn end": "until the end of its turn",
    "round end": "until the end of the round",
    "next action": "until its next action",
    "battle end": "until something ends it",
}


def action_lines(action: Action, book: RuleBook) -> list[str]:
    words = book.words
    details = [f"costs {cost_words(action.cost, book) or 'nothing'}"]
    if added := added_words(action.cost, book):
        details.append(f"adds {added}")
    if action.is_instant:
        details.append("allowed in any turn")
    if action.weapons:
        those = f" if {words.condition(action.fits)}" if action.fits else ""
        details.append(f"with {' or '.join(action.weapons)} weapons{those}")
    if action.is_at_round_end:
        details.append("declared now; all such moves happen together at the end of the round")
    if action.after_moves:
        details.append("after those moves, for units that declared one")
    if action.target:
        details.append(TARGETS[action.target])
    if action.ammo and action.ammo.text != "0":
        uses = f"uses {action.ammo} round{'' if action.ammo.text == '1' else 's'}"
        details.append(f"rounds used: {words.value(action.ammo)}" if is_formula(action.ammo) else uses)
    if action.cone:
        length = words.value(action.cone.length)
        details.append(
            f"hits every unit in sight in a cone of {action.cone.arc}°, {length} {book.rules.distance.ranges} long"
        )
    if action.distance:
        details.append(f"up to {words.value(action.distance)} {book.unit}")
    if action.altitude_bands is not None:
        details.append(f"a flyer changes at most {action.altitude_bands} altitude bands")
    own = [need for need in action.requires if not need.condition]  # those of a condition are said there
    details += [f"requires: {words.condition(need.holds)} (else: {words.template(need.reason)})" for need in own]
    details += book.formula(weapon_filter=action.fits, ammo=action.ammo, distance=action.distance, **action.cost)
    for need in own:
        details += book.formula(requires=need.holds)
    lines = rule_lines(f"{action.label} ({KIND_WORDS[action.kind]}, {action.id})", details, action.origin)
    return lines + flat(effect_lines(effect, book, DETAIL, action.origin) for effect in action.effects)


def trigger_lines(trigger: Trigger, book: RuleBook) -> list[str]:
    head = f"{trigger.label}: {HAPPENS[trigger.at]} {book.condition(trigger.when)}".rstrip()
    lines = rule_lines(head, book.formula(when=trigger.when), trigger.origin)
    return lines + flat(effect_lines(effect, book, DETAIL, trigger.origin) for effect in trigger.effects)


def condition_lines(condition: Condition, book: RuleBook) -> list[str]:
    mark = f" (shown as {condition.mark})" if condition.mark else ""
    details = [f"about one {condition.about}"] if condition.about else []
    if condition.holds:
        details.append(f"while any {book.rules.units.budgets[condition.holds].label} is left")
    if condition.ends_with:
        details.append(f"ends with “{book.rules.units.conditions[condition.ends_with].label}”")
    if condition.only_actions:
        labels = ", ".join(f"“{book.rules.actions[name].label}”" for name in condition.only_actions)
        details.append(f"leaves only {labels}")
    return rule_lines(f"{condition.label}{mark}: {UNTIL[condition.until]}", details, condition.origin)


def reaction_lines(reaction: Reaction, book: RuleBook) -> list[str]:
    actions = book.rules.actions
    details = [book.condition(reaction.when)] if book.condition(reaction.when) else []
    if reaction.except_actions:
        named = ", ".join(f"“{actions[one].label}”" for one in reaction.except_actions if one in actions)
        details.append(f"not provoked by {named}")
    named_attack = actions.get(reaction.attack)
    attack = f"“{named_attack.label}”" if named_attack else "the declared attack" if reaction.attack else "any attack"
    details.append(f"allows {attack}, costs {cost_words(reaction.cost, book) or 'nothing'}")
    if reaction.weapons:
        details.append(_weapon_words(reaction.weapons))
    if reaction.again is not None:
        details.append(f"again {book.condition(reaction.again)}")
    details += book.formula(when=reaction.when, again=reaction.again, **reaction.cost)
    lines = rule_lines(f"{reaction.label}: {TRIGGERED[reaction.trigger]}", details, reaction.origin)
    effects = (*reaction.race_between(*RACERS), *reaction.effects)
    return lines + flat(effect_lines(effect, book, DETAIL, reaction.origin) for effect in effects)


def _weapon_words(kinds: Sequence[str]) -> str:
    """The weapon with which one reacts: "with the melee weapon in hand, else with an innate weapon"."""
    return f"with the {' or '.join(kinds)} weapon in hand, else with an innate weapon"


def defence_lines(defence: Defence, book: RuleBook) -> list[str]:
    near = "" if defence.within is None else f" within {number_text(defence.within)} {book.unit}"
    who = "the target" if defence.by == TARGET else f"an ally of the target{near}"
    details = [book.condition(defence.when)] if book.condition(defence.when) else []
    details.append(f"costs {cost_words(defence.cost, book) or 'nothing'}")
    if defence.counter:
        how = "rolled before either attack takes effect" if defence.is_together else "after the defence"
        answer = book.rules.actions[defence.counter].label if defence.counter in book.rules.actions else defence.counter
        condition = book.condition(defence.counter_when)
        whom = " on anybody" if defence.counters_anyone else ""
        details.append(f"counter-attack{whom} with “{answer}”{f' {condition}' if condition else ''}, {how}")
        if defence.counter_weapons:
            details.append(_weapon_words(defence.counter_weapons))
    if defence.redirects:
        details.append("the ally takes the attack if the defence succeeds")
    details += book.formula(when=defence.when, counter_when=defence.counter_when, **defence.cost)
    on = "before the attack roll" if defence.is_before_roll else on_words(defence.on, book)
    lines = rule_lines(f"{defence.label}: by {who}, {on}", details, defence.origin)
    return lines + flat(effect_lines(effect, book, DETAIL, defence.origin) for effect in defence.effects)
