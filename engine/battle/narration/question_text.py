"""Words for what the table is asked: whether somebody defends, and how."""

from __future__ import annotations

from engine.battle.attacks.defence_flow import Answer, DefenceAsk
from engine.battle.narration.summary import summarise
from engine.battle.wording import price_words
from engine.dice.dice_text import percent
from engine.rules.model import Ruleset


def question_words(ask: DefenceAsk, rules: Ruleset) -> str:
    """What has come of the attack so far, and how many hits go to whom it strikes where they were another's."""
    shared = f"{ask.hits} {'hit goes' if ask.hits == 1 else 'hits go'} to {ask.struck.name}." if ask.hits else ""
    return " ".join(filter(None, (summarise(ask.happened, ask.battle, rules), shared)))


def option_words(answer: Answer, rules: Ruleset) -> tuple[str, str]:
    """Who defends how: "Bandit: Dodge"; and its price, and what it may come to: "1 reaction, stops it 50 %"."""
    stops = f"stops it {percent(answer.stops)}" if answer.stops else ""
    hits = f"hits {percent(answer.hits)}" if answer.hits is not None else ""
    hurts = f"hurt {percent(answer.hurts)}" if answer.hurts is not None else ""
    parts = (price_words(answer.cost, rules) or "free", stops, answer.because, hits, hurts)
    return f"{answer.name}: {answer.label}", ", ".join(filter(None, parts))
