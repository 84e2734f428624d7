"""Prompts about defences: who may take them, at what price and with what chance."""

from __future__ import annotations

from engine.answers import Given
from engine.battle.attacks.defence_flow import Answer, DefenceAsk
from engine.battle.events import AttackRolled
from engine.battle.narration.summary import summarise
from engine.battle.wording import price_words
from engine.dice.dice_text import percent
from engine.rules.model import Ruleset


def question_words(ask: DefenceAsk, rules: Ruleset, left: Given = ()) -> str:
    """The attack so far, or that it is not rolled yet, and how many hits a unit takes that were aimed at another.

    Args:
        ask: the question.
        rules: the ruleset.
        left: answers that wait for what comes after it, as dice that were typed for the attack.
    """
    shared = f"{ask.hits} {'hit goes' if ask.hits == 1 else 'hits go'} to {ask.struck.name}." if ask.hits else ""
    is_rolled = any(isinstance(event, AttackRolled) for event in ask.happened)
    dice = next((one.dice for one in left if one.dice and not one.q), ())
    waits = f"{' '.join(map(str, dice))} is typed for the attack" if dice else "the attack is not rolled yet"
    begun = "" if is_rolled else f"{ask.struck.name} is attacked; {waits}."
    return " ".join(filter(None, (summarise(ask.happened, ask.battle, rules, is_open=True), begun, shared)))


def option_words(answer: Answer, rules: Ruleset) -> tuple[str, str]:
    """A defence: "Bandit: Dodge"; and its price and chances: "1 reaction, stops it 50 %".

    Of one that attacks back, whose chances they are: "the attack then hits 19 %, its own attack hits 36 %".

    Where nothing is paid now, the ruleset's own words on it stand in place of "free", as "its action this turn".
    """
    stops = f"stops it {percent(answer.stops)}" if answer.stops else ""
    then = f"the attack then hits {percent(answer.leaves)}" if answer.leaves is not None else ""
    hits = f"its own attack hits {percent(answer.hits)}" if answer.hits is not None else ""
    hurts = f"wounds {percent(answer.hurts)}" if answer.hurts is not None else ""
    parts = (
        price_words(answer.cost, rules) or ("" if answer.because else "free"),
        stops,
        answer.because,
        then,
        hits,
        hurts,
    )
    on = f" on {answer.counters}" if answer.counters else ""
    return f"{answer.name}: {answer.label}{on}", ", ".join(filter(None, parts))


def option_in_brief(answer: Answer, rules: Ruleset) -> str:
    """A defence's price, and how likely the attack then hits, in a few words: "1 action · 55 % then"."""
    then = answer.leaves if answer.leaves is not None else 1 - answer.stops if answer.stops else None
    parts = (
        price_words(answer.cost, rules) or ("" if answer.because else "free"),
        "" if then is None else f"{percent(then)} then",
        answer.because,
        "" if answer.hits is None else f"its own attack hits {percent(answer.hits)}",
        "" if answer.hurts is None else f"wounds {percent(answer.hurts)}",
    )
    return " · ".join(filter(None, parts))
