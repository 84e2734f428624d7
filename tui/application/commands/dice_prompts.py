"""Prompts for dice: the name of the roll and the question."""

from __future__ import annotations

from engine.battle.narration.preview_text import dice_to_type
from engine.dice.sources import RollAsk
from engine.rules.model import Ruleset
from engine.values import replace


def rolls_named(ask: RollAsk) -> str:
    """Describes a roll: "damage, 2d6"; several dice "Damage, white die, then black die, 1d20 each".

    Of an attack it says what is needed: "Todd attacks Bandit, 1d100, 25 or less".
    """
    named = "".join(f", then {label}" for label in ask.further)
    return f"{ask.purpose}{named}, {ask.needed or ask.dice.text}{' each' if named and not ask.needed else ''}"


def dice_questions(ask: RollAsk, rules: Ruleset, *, is_first: bool) -> tuple[str, ...]:
    """The question for a roll, the longest form first; Enter at the first roll lets the seed roll all."""
    if ask.further:
        whole, what = "them", "both dice" if len(ask.further) == 1 else "all dice"
    elif ask.dice.count == 1:
        whole, what = "it", "the die"
    else:
        is_apart = rules.attack.test.reads_each_die and ask.dice == rules.attack.test.dice
        whole, what = "it", dice_to_type(rules) if is_apart else "the dice or the total"
    named, keys = rolls_named(ask), f"Enter rolls {'them all' if is_first else whole}, or type {what}:"
    bare = rolls_named(replace(ask, needed=""))
    return f"{named}: {keys}", f"{named} (Enter rolls):", f"{bare}: {keys}", f"{bare} (Enter rolls):"
