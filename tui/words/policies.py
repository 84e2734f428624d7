"""Policies in words: which reactions and defences are asked for, never taken, or taken by themselves."""

from __future__ import annotations

from engine.battle.battle import Battle
from engine.battle.commands.rulings import SetPolicy
from engine.battle.pinned import ASK, POLICIES
from engine.battle.table.policies import TOLD, policy_kinds
from engine.errors import Unknown
from tui.reports.output import table
from tui.words.naming import Words, expect, names_of, no_more, skip, take, take_whole, unit_names
from tui.words.spoken import Setting, SubmitCommand, Told

USUAL = "usual"
ALL_KINDS = "every reaction and defence"
RULE = (
    "What is said of a unit counts before its side, and of either what is said of a kind before all kinds.",
    "By itself, the best is taken: of defences the one most likely to stop the attack, then the cheapest; a reaction "
    "attacks in the way most likely to hit.",
)


def read_policy(words: Words, setting: Setting) -> SubmitCommand | Told:
    """ "policy", "policy dodge auto", "policy bandit dodge off", "policy law auto", "policy bandit dodge usual"."""
    battle, rules = setting.battle, setting.rules
    if not words:
        return Told("Reactions and defences", tuple(policy_words(setting)))
    *said, how = words
    if how.casefold() not in (*POLICIES, USUAL):
        raise Unknown("policy", how, (*POLICIES, USUAL))
    kinds = names_of(policy_kinds(rules).items())
    units, sides = unit_names(battle), names_of((unit.side, unit.side) for unit in battle.units.values())
    left: Words = skip(said, "all", "everybody")
    unit = side = kind = ""
    if left and not ((whole := take_whole(left, kinds)) and not whole[1]):
        if found := take_whole(left, units) or (None if take_whole(left, sides) else take(left, units)):
            unit, left = found
        elif found := take(left, sides):
            side, left = found
    if left:
        kind, left = expect("reaction or defence", left, kinds)
    no_more(left)
    return SubmitCommand(SetPolicy("" if how.casefold() == USUAL else how.casefold(), kind, unit, side))


def policy_words(setting: Setting) -> list[str]:
    """Every kind with what holds of it, and the rule by which it holds."""
    kinds = policy_kinds(setting.rules)
    if not kinds:
        return [f"{setting.rules.name} has neither reactions nor defences."]
    rows = [(kind, label, policy_now(setting.battle, kind)) for kind, label in kinds.items()]
    return [*table([*rows, ("", ALL_KINDS, policy_now(setting.battle, ""))]), "", *RULE]


def policy_now(battle: Battle, kind: str) -> str:
    """What is said of a kind, "" for all of them: of everybody, then of sides and units."""
    said = {policy.about: policy.how for policy in battle.gm.policies if policy.kind == kind}
    for_all = said.pop((kind, "", ""), None)
    whose = [
        f"{battle.units[unit].name if unit in battle.units else side}: {TOLD[how]}"
        for (_, unit, side), how in said.items()
    ]
    usual = [TOLD[for_all or ASK]] if for_all or kind else []
    return "; ".join([*usual, *whose])
