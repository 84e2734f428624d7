"""Screens: defences before an attack's roll, by allies of its target who may take it in the target's place.

All who step in make the same check; the attack goes to the one of those who succeed whose number is the least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.answers import Needs
from engine.battle import events as ev
from engine.battle.attacks.attack_preview import NO_ODDS, AttackPreview, adjusted_ledger
from engine.battle.attacks.damage_odds import MOST_STATES
from engine.battle.attacks.defence_flow import Answer, DefenceAsk
from engine.battle.attacks.defences import NO_DEFENCE, DefenceOption, defence_taken, defender_facts, defenders
from engine.battle.attacks.resolve_effects import NamingSource, add_consequences
from engine.battle.cause import Cause
from engine.battle.defence_choices import Choices, screen_question
from engine.battle.event_builder import EventBuilder, costs, is_left
from engine.battle.facts import BARE_SQUARE, observe_again
from engine.battle.state.gm_overrides import ASK, AUTO, OFF
from engine.dice.sources import DiceSource, Roll
from engine.errors import Illegal
from engine.rules.effects import consequences
from engine.rules.joint_distribution import effect_outcomes
from engine.rules.ledger import with_entries
from engine.rules.model import Value
from engine.rules.reaction_rules import REDIRECTED, Defence
from engine.rules.roll_odds import odds
from engine.values import replace

ALL = "all"
"""Whose answer it is when everybody who can steps in."""


def screened(draft: EventBuilder, shot: AttackPreview, dice: DiceSource, choices: Choices) -> AttackPreview:
    """The attack as it is rolled: on its target, or on the ally who takes it.

    Args:
        draft: the battle, with the attack paid for; what those who step in do is added.
        shot: the attack.
        dice: where dice of the checks come from.
        choices: who steps in.

    Raises:
        Needs: it is to be asked.
        Illegal: who was named cannot step in.
    """
    for defence in draft.rules.attack.defences:
        if defence.is_before_roll and shot.situation.target.id != BARE_SQUARE:
            taken = _chosen(draft, shot, defence, _able(draft, shot, defence), choices)
            if taken:
                return _after(draft, shot, defence, taken, dice)
    return shot


def _able(draft: EventBuilder, shot: AttackPreview, defence: Defence) -> list[DefenceOption]:
    """Those who may step in, the nearest first."""
    found = []
    for unit in defenders(draft.battle, draft.rules, shot.situation, defence):
        facts = _facts(draft, shot, unit.id)
        cost = costs(defence.cost, facts) if defence.when.evaluate(facts) else None
        if cost is not None and is_left(unit, cost) and draft.battle.gm.policy(unit, defence.id) != OFF:
            found.append(DefenceOption(defence, unit, cost))
    return found


def _facts(draft: EventBuilder, shot: AttackPreview, unit_id: str) -> dict[str, Value]:
    unit = draft.battle.unit(unit_id)
    return {**shot.situation.facts, **defender_facts(draft.battle, draft.rules, shot.situation, unit)}


def _chosen(
    draft: EventBuilder, shot: AttackPreview, defence: Defence, able: Sequence[DefenceOption], choices: Choices
) -> list[DefenceOption]:
    """Those of them who step in."""
    target = shot.situation.target
    q = screen_question(target.id, choices.drawn)
    choice = choices.take(q)
    if choice is not None and choice not in NO_DEFENCE:
        name, _, by = choice.partition(":")
        named = [option for option in able if name == defence.id and by in ("", ALL, option.unit.id)]
        if not named and name == defence.id:
            raise Illegal("defence", f"“{defence.label}” is not possible: nobody named screens {target.name} from it.")
        return named
    how = {option.id: draft.battle.gm.policy(option.unit, defence.id) for option in able}
    auto = [replace(option, is_by_itself=True) for option in able if how[option.id] == AUTO]
    asked = [option for option in able if how[option.id] == ASK]
    if asked and choice is None and choices.asks and not choices.is_declined(target.id):
        answers = [_answer(draft, shot, option) for option in asked]
        if len(asked) > 1:
            answers.append(replace(answers[0], id=f"{defence.id}:{ALL}", name="All of them", stops=Fraction(0)))
        raise Needs(DefenceAsk(q, draft.events, draft.battle, tuple(answers), target, False, 0, choices.drawn))
    return auto


def _answer(draft: EventBuilder, shot: AttackPreview, option: DefenceOption) -> Answer:
    defence, unit = option.defence, option.unit
    facts = _facts(draft, shot, unit.id)
    found = effect_outcomes(defence.effects, facts, (REDIRECTED,), MOST_STATES)
    place = found.names.index(REDIRECTED)
    takes = Fraction(sum(weight for state, weight in found.states.items() if state[place]), found.whole)
    return Answer(option.id, unit.id, unit.name, defence.id, defence.label, option.cost, takes, "")


def _after(
    draft: EventBuilder, shot: AttackPreview, defence: Defence, taken: Sequence[DefenceOption], dice: DiceSource
) -> AttackPreview:
    """The attack after the checks of those who step in, each of whom pays."""
    attacker, target = shot.situation.attacker, shot.situation.target
    shared: dict[str, Roll] = {}
    found: list[tuple[Value, int, str]] = []
    for place, option in enumerate(taken):
        unit = option.unit
        draft.add(defence_taken(attacker.id, option))
        source = NamingSource(dice, f" of {unit.name}")
        facts = _facts(draft, shot, unit.id)
        done = consequences(defence.effects, facts, None, source, shared, dice, tells=draft.tells)
        who = {"attacker": attacker.id, "target": target.id, "defender": unit.id}
        add_consequences(draft, done, Cause(who, defence.label))
        if done.values.get(REDIRECTED):
            found.append((_rank(defence, done.values), place, unit.id))
    if not found:
        return shot
    _, _, struck = min(found)
    draft.add(ev.AttackTurned(attacker.id, struck, "", "", defence.label))
    situation = observe_again(draft.battle, draft.rules, shot.situation, struck)
    ledger = adjusted_ledger(draft.battle, draft.rules, situation, tells=draft.tells)
    # it stands in the way of the attack, so nothing forbids that
    ledger = with_entries(draft.rules, situation.facts, ledger, [one for one in ledger.entries if not one.forbids])
    chances = odds(draft.rules, situation.facts, ledger) if draft.tells else NO_ODDS
    return replace(shot, situation=situation, ledger=ledger, odds=chances)


def _rank(defence: Defence, values: Mapping[str, Value]) -> Value:
    return values.get(defence.lowest, 0) if defence.lowest else 0
