"""The report on one act on somebody: what it costs, whether it may be taken, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.battle.commands.other_actions import ActOutcome, chance_of_success, outcomes_of_act, refusal
from engine.battle.distances import range_between
from engine.battle.event_builder import costs
from engine.battle.facts import facts_on
from engine.battle.wording import price_words
from engine.dice.dice_text import percent
from engine.errors import BattleboardError
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Action, Number, Ruleset
from tui.application.reports.endpoints import find_end
from tui.application.reports.odds_report import OddsQuery, fresh_turn, json_percent
from tui.application.reports.report_scene import Scene
from tui.application.reports.rules_report import action_words
from tui.application.terminal.output import exact, number, table


class ActAnswer(Struct, frozen=True):
    """What an act on somebody would be, in a turn that has just begun."""

    rules: Ruleset
    unit: str
    target: str
    action: Action
    distance: Number
    cost: Mapping[str, int]
    refusal: str
    """Why it cannot be taken, in a few words; "" when it can."""
    chance: Fraction | None
    """How likely it succeeds; None where nothing is rolled for it, or the ruleset does not say what success is."""
    outcomes: Sequence[ActOutcome] = ()
    """What its test may lead to, won or lost."""


def is_act(rules: Ruleset, action_id: str) -> bool:
    """Whether an id names an act on somebody that is no attack."""
    action = rules.actions.get(action_id)
    return action is not None and action.kind != "attack" and bool(action.target)


def weigh_act(scene: Scene, rules: Ruleset, question: OddsQuery) -> ActAnswer:
    """What an act on somebody would be, by a unit with what it has in hand.

    Raises:
        Unknown: no such unit.
        BattleboardError: one of the two is a square, or something is asked that only attacks have.
    """
    unit, target = find_end(scene.map, question.attacker), find_end(scene.map, question.target)
    action = rules.actions[question.action]
    for end in (unit, target):
        if end.unit is None:
            raise BattleboardError(f"{end.id} is a square; “{action.label}” needs two units.")
    if question.settings or question.weapon:
        raise BattleboardError(f"--set and --weapon are only for attacks, not for “{action.label}”.")
    battle = fresh_turn(scene, rules, unit.id)
    one, other = battle.unit(unit.id), battle.unit(target.id)
    facts = facts_on(battle, rules, one, action, other)
    distance = range_between(battle.field, rules, one, other)
    why = refusal(battle, rules, one, action, other.id)
    chance = chance_of_success(battle, rules, one, action, other.id)
    outcomes = outcomes_of_act(battle, rules, one, action, other.id, chance)
    return ActAnswer(rules, one.name, other.name, action, distance, costs(action.cost, facts), why, chance, outcomes)


def act_words(answer: ActAnswer) -> list[str]:
    """The act in a sentence, then the action as the ruleset has it."""
    far = f"{float(answer.distance):g} {UNIT_SIGNS[answer.rules.distance.ranges]}"
    may = f"Not allowed: {answer.refusal}." if answer.refusal else "Allowed."
    price = price_words(answer.cost, answer.rules) or "nothing"
    head = f"{answer.unit} → {answer.target}, {far}, {answer.action.label}: costs {price}. {may}"
    if answer.chance is not None:
        head += f" It succeeds {percent(answer.chance)} of the time."
    outcomes = table([(percent(each.chance), each.words) for each in answer.outcomes], right=(0,))
    return [head, *outcomes, "", *action_words(answer.action, answer.rules)]


def act_json(answer: ActAnswer) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "unit": answer.unit,
        "target": answer.target,
        "action": answer.action.id,
        "distance": number(answer.distance),
        "cost": dict(answer.cost),
        "refusal": answer.refusal,
        "chance": None if answer.chance is None else exact(answer.chance),
        "outcomes": [
            {
                "unit": each.name,
                "ids": list(each.ids),
                "labels": list(each.labels),
                "chance": exact(each.chance),
                "percent": json_percent(each.chance),
            }
            for each in answer.outcomes
        ],
    }
