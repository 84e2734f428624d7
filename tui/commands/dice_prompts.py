"""Prompts for dice: the name of the roll and the question."""

from __future__ import annotations

from engine.battle.narration.preview_text import dice_to_type
from engine.dice.sources import RollAsk
from engine.rules.model import Ruleset


def rolls_named(ask: RollAsk) -> str:
    """Describes a roll: "damage, 2d6"; several dice "Damage, white die, then black die, 1d20 each"."""
    named = "".join(f", then {label}" for label in ask.further)
    return f"{ask.purpose}{named}, {ask.dice.text}{' each' if named else ''}"


def dice_question(ask: RollAsk, rules: Ruleset, *, is_first: bool) -> str:
    """Formats the question for a roll; Enter at the first roll lets the seed roll all."""
    if ask.further:
        whole, what = "them", "both dice" if len(ask.further) == 1 else "all dice"
    elif ask.dice.count == 1:
        whole, what = "it", "the die"
    else:
        is_apart = rules.attack.test.reads_each_die and ask.dice == rules.attack.test.dice
        whole, what = "it", dice_to_type(rules) if is_apart else "the dice or the total"
    return f"{rolls_named(ask)}: Enter rolls {'them all' if is_first else whole}, or type {what}:"
