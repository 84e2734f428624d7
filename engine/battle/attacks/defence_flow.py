"""Defences: actions against an attack whose roll is known, before its effects.

A defence is paid for, its effects run, and the roll is graded again with their results. One for each attack, or for
each whom a cone or a burst strikes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from msgspec import Struct

from engine.answers import Ask, GivenAnswer, Needs
from engine.battle import events as ev
from engine.battle.attacks.area_odds import with_odds
from engine.battle.attacks.attack_preview import NO_ODDS, AttackPreview, consider
from engine.battle.attacks.defence_odds import (
    NO,
    chance_to_stop,
    chance_with,
    likely_option,
)
from engine.battle.attacks.defences import (
    NO_DEFENCE,
    DefenceOption,
    counter_attack_command,
    counters_on_others,
    defence_taken,
    facts_of_defence,
    grade_after,
    is_after_grade,
    learned_of_defence,
    ledger_after,
    options,
    pay_for_defence,
    situation_after,
    why_no_defence,
)
from engine.battle.attacks.resolve_effects import Blow, NamingSource, add_consequences
from engine.battle.cause import Cause
from engine.battle.defence_choices import Choices, defence_question
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import Situation
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import ASK, AUTO, POLICIES
from engine.battle.state.units import Unit
from engine.dice.distributions import single_dice
from engine.dice.sources import DiceSource
from engine.errors import Illegal, Unknown
from engine.rules.effects import consequences
from engine.rules.ledger import Ledger
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import AIMED, REDIRECTED
from engine.rules.roll_odds import judge, odds
from engine.values import replace


class Answer(Struct, frozen=True):
    """One possible answer: who defends how, the price, and the chance to stop the attack."""

    id: str
    unit: str
    """Id of the one who would defend."""
    name: str
    kind: str
    """Id of the defence."""
    label: str
    """Of the defence."""
    cost: Mapping[str, int]
    stops: Fraction
    """0 where that is not known."""
    because: str
    """What it is good for against this attack, in the ruleset's words."""
    hits: Fraction | None = None
    """How likely the attack that it answers with hits; None where that is not known."""
    hurts: Fraction | None = None
    """And hurts; None where that is not known."""
    leaves: Fraction | None = None
    """How likely the attack hits when this is taken before its roll; None after the roll, and where it is not known."""
    counters: str = ""
    """Name of the unit that it attacks in answer; "" for the attacker."""


class DefenceAsk(Ask, frozen=True):
    """Question whether a unit defends against an attack, and how; "" is no."""

    happened: tuple[ev.Event, ...]
    """The events of the command so far."""
    battle: Battle
    """As it is after that."""
    options: tuple[Answer, ...]
    struck: Unit
    """Whom the attack strikes."""
    is_one_of_several: bool
    """Whether it is one of those whom a cone or a burst strikes; else it is the attack's one target."""
    hits: int
    """How many hits that were meant for another go to it; 0 where it is not that."""
    drawn: str = ""
    """Name of the attack, where it is an automatic reaction and not the command's own attack."""
    is_before_roll: bool = False
    """Whether the attack is not rolled yet."""

    @property
    def owner(self) -> str:
        """Whom the attack strikes, for allies who may step in as well."""
        return self.struck.id

    def answer(self, option: str) -> GivenAnswer:
        return GivenAnswer(self.q, choose="" if option in NO_DEFENCE else option)


def chosen(
    draft: EventBuilder,
    before: Battle,
    blow: Blow,
    choices: Choices,
    against: str = AIMED,
    hits: int = 0,
    said: str | None = None,
    own: int = 0,
) -> DefenceOption | None:
    """The defence that is taken; None for none.

    Args:
        draft: with the attack's roll.
        before: the battle before the attack.
        blow: the attack and the result of its roll.
        choices: what was said, the id of a defence, of an ally's with ":" and the ally's id. Where nobody said, what is
            taken automatically is taken.
        against: what sort of attack it is, SHARED or one of AGAINST; of a cone or a burst each is asked whom it
            strikes.
        hits: how many hits that were meant for another go to whom it strikes.
        said: what was chosen before the roll; None where nobody was asked then.
        own: how many of the target's hits are its own, where others are given away; 0 for all.

    Raises:
        Needs: it is to be asked.
        Unknown: there is no such defence.
        Illegal: nobody can take it against this attack.
    """
    situation = blow.situation
    is_one_of_several = against != AIMED
    q = defence_question(situation.target.id, choices.drawn, is_one_of_several=is_one_of_several)
    choice = choices.take(q) if said is None else said
    if choice in NO_DEFENCE or (choice is None and not choices.asks and not draft.battle.gm.policies):
        return None
    found = options(draft, blow, against)
    if choice is None:
        by_policy = {how: [option for option in found if _policy(draft, option) == how] for how in POLICIES}
        if by_policy[AUTO]:
            best = likely_option(draft, before, blow, by_policy[AUTO], against, hits or own)
            return replace(best, is_by_itself=True)
        found = tuple(by_policy[ASK])
        if not found or not choices.asks:
            return None
        answers = tuple(_answer(draft, before, blow, option, against, hits or own) for option in found)
        struck = draft.battle.unit(situation.target.id)
        raise Needs(DefenceAsk(q, draft.events, draft.battle, answers, struck, is_one_of_several, hits, choices.drawn))
    known = {one.id: one for one in draft.rules.attack.defences}
    name = choice.partition(":")[0]
    if name not in known:
        raise Unknown("defence", choice, known)
    ids = ((option, (option.id, option.defence.id, f"{name}:{option.unit.id}")) for option in found)
    taken = next((option for option, known_as in ids if choice in known_as), None)
    if taken is None and is_after_grade(known[name], blow):
        reason = why_no_defence(draft, blow, known[name], choice.partition(":")[2], against)
        raise Illegal("defence", f"“{known[name].label}” is not possible: {reason}.")
    return taken


class DeclaredDefence(Struct, frozen=True):
    """What was declared against an attack before its roll."""

    shot: AttackPreview
    """The attack, after what was declared."""
    option: DefenceOption | None = None
    """The defence that is paid for, whose own attack is rolled together with this one; None for none."""
    said: str | None = None
    """Id of another defence that was said already, "" for none; None where nobody was asked."""


def declare(
    draft: EventBuilder, before: Battle, shot: AttackPreview, choices: Choices, dice: DiceSource
) -> DeclaredDefence:
    """Takes the defence that the target declares before the attack is rolled: one whose answer is rolled with it.

    Args:
        draft: the battle, with the attack paid for; the defence is added.
        before: the battle before the attack.
        shot: the attack.
        choices: who defends.
        dice: where further dice come from.

    Raises:
        Needs: it is to be asked.
        Illegal: it was said, and is not possible.
    """
    rules, struck = draft.rules, shot.situation.target
    together = {defence.id for defence in rules.attack.defences if defence.is_together}
    if not together:
        return DeclaredDefence(shot)
    q = defence_question(struck.id, choices.drawn)
    choice = choices.take(q)
    blow = _unrolled(rules, shot.situation, shot.ledger)
    if choice is not None and choice.partition(":")[0] not in together:
        return DeclaredDefence(shot, said=choice)
    found = [one for one in options(draft, blow) if one.defence.is_together]
    if choice is not None:
        others = (other for one in found for other in counters_on_others(draft, blow, one))
        option = next((other for other in others if other.id == choice), None)
        option = option or chosen(draft, before, blow, choices, said=choice)
    else:
        asked = [one for one in found if _policy(draft, one) == ASK]
        if asked and choices.asks:
            asked += [other for one in asked for other in counters_on_others(draft, blow, one)]
            answers = _answers_before_roll(draft, before, shot, blow, asked)
            raise Needs(DefenceAsk(q, draft.events, draft.battle, answers, struck, False, 0, choices.drawn, True))
        option = next((replace(one, is_by_itself=True) for one in found if _policy(draft, one) == AUTO), None)
    if option is None:
        return DeclaredDefence(shot)
    after, _ = _take(draft, before, blow, option, dice, AIMED)
    chances = odds(rules, after.situation.facts, after.ledger) if draft.tells else NO_ODDS
    return DeclaredDefence(replace(shot, situation=after.situation, ledger=after.ledger, odds=chances), option)


def _answers_before_roll(
    draft: EventBuilder, before: Battle, shot: AttackPreview, blow: Blow, found: Sequence[DefenceOption]
) -> tuple[Answer, ...]:
    """The answers to the question for a defence before the attack's roll."""
    attacking = draft.battle.unit(shot.situation.attacker.id)
    turn = replace(attacking.turn, attacks=attacking.turn.attacks + 1)
    soon = EventBuilder(draft.battle.with_unit(replace(attacking, turn=turn)), draft.rules)
    return tuple(
        replace(
            _answer(soon, before, blow, option, AIMED),
            stops=Fraction(0),
            leaves=chance_with(before, draft.rules, shot, option.defence),
        )
        for option in found
    )


def _unrolled(rules: Ruleset, situation: Situation, ledger: Ledger) -> Blow:
    """An attack before its roll; nothing that is asked of it then depends on the lowest dice that it has."""
    dice = (1,) * len(single_dice(rules.attack.test.dice) or ())
    rolled = rules.attack.test.dice.lowest
    return Blow(situation, ledger, rolled, judge(rules, situation.facts, ledger, rolled, dice), dice)


def defend(
    draft: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, dice: DiceSource, against: str = AIMED
) -> Blow:
    """Takes a defence: pays for it, runs its effects, and grades the roll again.

    Args:
        draft: where it is added.
        before: the battle before the attack; what it was made of stays as it was then.
        blow: the attack.
        option: from `options`.
        dice: where further dice come from.
        against: what sort of attack it is.
    """
    rules = draft.rules
    now, is_redirected = _take(draft, before, blow, option, dice, against)
    now = replace(now, grade=grade_after(rules, blow, now.situation, now.ledger, against))
    if is_redirected or now.grade != blow.grade:
        turned = (now.situation.attacker.id, now.situation.target.id, now.grade.id, now.grade.label)
        draft.add(ev.AttackTurned(*turned, option.defence.label))
    return now


def _take(
    draft: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, dice: DiceSource, against: str
) -> tuple[Blow, bool]:
    """An attack after a defence that was paid for, its grade not judged again; and whether another is struck."""
    rules, defence, unit = draft.rules, option.defence, option.unit
    draft.add(defence_taken(blow.situation.attacker.id, option))
    source = NamingSource(dice, f" of {unit.name}")
    found = consequences(defence.effects, facts_of_defence(draft, blow, unit), None, source, tells=draft.tells)
    add_consequences(draft, found, Cause({**blow.who, "defender": unit.id}, defence.label))
    learned = learned_of_defence(rules, option, found.values)
    is_redirected = defence.redirects and bool(found.values.get(REDIRECTED))
    situation = situation_after(draft, before, blow.situation, unit if is_redirected else None, learned)
    return replace(
        blow, situation=situation, ledger=ledger_after(draft.battle, rules, blow, situation, against)
    ), is_redirected


def _policy(draft: EventBuilder, option: DefenceOption) -> str:
    return draft.battle.gm.policy(option.unit, option.defence.id)


def _answer(
    draft: EventBuilder, before: Battle, blow: Blow, option: DefenceOption, against: str, own: int = 0
) -> Answer:
    unit, defence = option.unit, option.defence
    hits, hurts = _counter(draft, blow, option) if defence.counter else (None, None)
    return Answer(
        id=option.id,
        unit=unit.id,
        name=unit.name,
        kind=defence.id,
        label=defence.label,
        cost=option.cost,
        stops=chance_to_stop(draft, before, blow, option, against, own) or NO,
        because=defence.because.render(facts_of_defence(draft, blow, unit)) if defence.because else "",
        hits=hits,
        hurts=hurts,
        counters=draft.battle.unit(option.counters).name if option.counters else "",
    )


def _counter(draft: EventBuilder, blow: Blow, option: DefenceOption) -> tuple[Fraction, Fraction | None]:
    """How likely the attack that a defence answers with hits and hurts."""
    battle, rules = pay_for_defence(draft, blow, option).battle, draft.rules
    shot = consider(battle, rules, counter_attack_command(rules, option.unit, blow, option.defence, option.counters))
    outlook = with_odds(battle, rules, shot).outlook
    return shot.odds.hit, outlook.hurt if outlook else None
