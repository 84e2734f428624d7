"""What a rule means for the actor and target of now: whether it counts, how much, and why not."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview, consider
from engine.battle.command import Attack
from engine.battle.rulings_in_force import ruling_now
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.view import Gauge, project
from engine.battle.wording import price_words, ruling_words
from engine.dice.dice_text import percent, signed
from engine.errors import BattleboardError, brief
from engine.rules.expressions import Expression, compile_expression
from engine.rules.ledger import Entry
from engine.rules.model import Action, BandTable, Budget, Condition, Grade, Modifier, Pool, Restriction, Ruleset, Stat
from engine.rules.named_rules import NamedRule
from engine.rules.rulings import Ruling
from engine.rules.stats import FLAG
from engine.rules.syntax import ExpressionError
from engine.tactics.options import acts, moves
from engine.text import clause
from engine.values import replace
from tui.application.reports.formula_words import FormulaWords
from tui.application.reports.rule_book import value_text
from tui.application.reports.rule_lookup import condition_parts


class Here(Struct, frozen=True):
    """The battle of now, and who is looked at."""

    battle: Battle
    rules: Ruleset
    actor: str = ""
    """Id of the acting unit; "" for none."""
    attack: Attack | None = None
    """The attack in focus."""
    is_ascii: bool = True


MOST_REASON = 120
"""Cells of a reason why a rule does not apply; a longer one is left out."""


def here_rows(named: NamedRule, here: Here) -> list[str]:
    """What a rule means here, a sentence a row; empty where nothing of it depends on who acts."""
    rule, battle = named.rules[0], here.battle
    if isinstance(rule, Modifier | Restriction | BandTable | Grade):
        return _in_attack(named, here)
    if isinstance(rule, Ruling):
        now = ruling_now(battle, rule)
        return [f"{ruling_words(now)} in this battle"] if now != rule.value else []
    if isinstance(rule, Action):
        return _of_action(rule, here)
    if isinstance(rule, Condition | Pool | Budget | Stat):
        return [one for unit in _units(here) for one in _of_unit(rule, unit, battle, here.rules)]
    return []


def _units(here: Here) -> list[Unit]:
    """The actor, and the target of the attack in focus."""
    ids = [here.actor, here.attack.target if here.attack else ""]
    return [here.battle.units[one] for one in dict.fromkeys(ids) if one in here.battle.units]


def _in_attack(named: NamedRule, here: Here) -> list[str]:
    """What a line of the ledger, a range table or an outcome is worth in the attack in focus."""
    shot = _shot(here.attack, here)
    if not isinstance(shot, AttackPreview):
        return [shot or "Aim at somebody to see what it means there."]
    who = between(shot, is_ascii=here.is_ascii)
    entries = [entry for entry in shot.ledger.entries if belongs(entry.id, named)]
    if entries:
        return [f"{who}: {entry_words(entry)}" for entry in entries]
    grades = {grade.id: chance for grade, chance in shot.odds.grades}
    if named.ids and named.ids[0] in grades:
        return [f"{who}: {percent(grades[named.ids[0]])}"]
    reasons = [_why_not(rule.when, shot, here.rules) for rule in named.rules]
    reason = next((one for one in reasons if one), "")
    return [f"{who}: does not apply{f', {reason}' if reason else ''}"]


def belongs(entry: str, named: NamedRule) -> bool:
    """Whether a line of a ledger is that of a rule: its own, or a range band of its table."""
    return entry in named.ids or (named.kind == "range" and entry.partition(".")[0] in named.ids)


def entry_words(entry: Entry) -> str:
    """What a line of a ledger says: "−2, prone, out of melee range"."""
    worth = "no attack" if entry.forbids else signed(entry.value) if entry.value else "no effect"
    off = " (off)" * (not entry.active)
    return f"{worth}{off}, {clause(entry.because)}" if entry.because else f"{worth}{off}"


def between(shot: AttackPreview, *, is_ascii: bool) -> str:
    """Who attacks whom: "Anna ▸ gunman 3"."""
    target = shot.situation.target.name or shot.situation.target.at.name
    return f"{shot.situation.attacker.name} {'>' if is_ascii else '▸'} {target}"


def _shot(attack: Attack | None, here: Here) -> AttackPreview | str:
    """The attack, or why there is none."""
    if attack is None:
        return ""
    try:
        return consider(here.battle, here.rules, attack)
    except BattleboardError as reason:
        return str(reason)


def _why_not(formula: Expression, shot: AttackPreview, rules: Ruleset) -> str:
    """Which part of a condition does not hold, in words; "" where that is not said in a few."""
    facts = {**shot.situation.facts, **shot.ledger.band_facts}
    words = FormulaWords(rules, MOST_REASON)
    for part in condition_parts(formula.text):
        with suppress(ExpressionError, BattleboardError):
            known = {**facts, **formula.behind}
            if not compile_expression(part, known).evaluate(facts):
                said = words.condition(compile_expression(f"not ({part})", known))
                return said if len(said) <= MOST_REASON and "--formulas" not in said else ""
    return ""


def _of_action(action: Action, here: Here) -> list[str]:
    """Whether the actor may take an action now, for what price, and why not."""
    unit = here.battle.units.get(here.actor)
    if unit is None:
        return []
    battle, rules = here.battle, here.rules
    if action.kind == "attack":
        attack = here.attack or Attack(unit.id, "")
        shot = _shot(replace(attack, action=action.id), here) if attack.target or attack.square else ""
        if isinstance(shot, AttackPreview):
            who = between(shot, is_ascii=here.is_ascii)
            chance = f"{percent(shot.odds.hit)} to hit" if shot.ledger.is_possible else ""
            refused = clause(shot.refusal_brief or shot.refusal)
            return [f"{who}: {', '.join(filter(None, (f'not now, {refused}' if refused else '', chance)))}"]
        return [f"{unit.name}: {clause(shot)}"] if shot else ["Aim at somebody to see what it means there."]
    options: list[Any] = [one for one in moves(battle, rules, unit, with_range=False) if one.action.id == action.id]
    if not options:
        options = [*acts(battle, rules, unit, actions=(action.id,), targets=[""])]
    for option in options[:1]:
        if option.refusal:
            return [f"{unit.name}: not now, {clause(brief(option.refusal))}"]
        return [f"{unit.name}: possible now, {price_words(option.cost, rules) or 'free'}"]
    return []


def _of_unit(rule: Condition | Pool | Budget | Stat, unit: Unit, battle: Battle, rules: Ruleset) -> list[str]:
    """What a unit has of a condition, a pool, a budget or a stat."""
    seen = project(battle, rules).unit(unit.id)
    if isinstance(rule, Condition):
        left = unit.timers.get(rule.id, 0) if rule.id in unit.conditions else 0
        rounds = f", {left} rounds left" if left > 1 else ", 1 round left" if left else ""
        return [f"{unit.name}: {'yes' if rule.id in unit.conditions else 'no'}{rounds}"]
    if isinstance(rule, Stat):
        values = [value for label, value in seen.stats if label == rule.label] or [False] * (rule.kind == FLAG)
        return [f"{unit.name}: {value_text(value)}" for value in values]
    gauges: tuple[Gauge, ...] = seen.pools if isinstance(rule, Pool) else seen.budget
    return [f"{unit.name}: {one.now} of {one.full}" for one in gauges if one.id == rule.id]
