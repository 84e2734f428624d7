"""Rulings: what a ruleset decided where its chapter is silent, and the GM may decide otherwise."""

from __future__ import annotations

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import SetRuling
from engine.battle.rulings import ruling_now
from engine.battle.wording import ruling_words
from engine.errors import Illegal, Unknown
from engine.rules.model import Ruleset


def decide_ruling(battle: Battle, rules: Ruleset, wish: SetRuling) -> tuple[ev.Event, ...]:
    """Decides a ruling otherwise: with a value of the same kind, and one of its choices where it has some."""
    ruling = rules.rulings.get(wish.ruling)
    if ruling is None:
        raise Unknown(f"ruling of {rules.name}", wish.ruling, rules.rulings)
    if type(wish.value) is not type(ruling.value):
        expected = {bool: "yes or no", int: "a whole number", str: "a word"}[type(ruling.value)]
        raise Illegal("ruling", f"“{ruling.label}” is {expected}, not {ruling_words(wish.value)}.")
    if ruling.choices and wish.value not in ruling.choices:
        choices = ", ".join(map(ruling_words, ruling.choices))
        raise Illegal("ruling", f"“{ruling.label}” is one of {choices}; {ruling_words(wish.value)} is none of them.")
    before = ruling_now(battle, ruling)
    if before == wish.value:
        raise Illegal("ruling", f"“{ruling.label}” is {ruling_words(before)} already.")
    return (ev.RulingSet(ruling.id, ruling.label, before, wish.value),)
