"""Policies: which reactions and defences the GM is asked for, which are never taken, and which are taken by themselves.

What is taken by itself is the best that may be taken. Of several defences that is the one most likely to stop the
attack, of those alike the cheapest, then the ruleset's first; where no chance can be told, it counts as none. A
reaction attacks in the way most likely to hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.battle import events as ev
from engine.battle.battle import Battle
from engine.battle.commands import SetPolicy
from engine.battle.pinned import POLICIES, Policy
from engine.battle.wording import policy_words
from engine.errors import Illegal, Unknown
from engine.rules.model import Ruleset
from engine.values import replace


def policy_kinds(rules: Ruleset) -> Mapping[str, str]:
    """What may be asked for: the ruleset's reactions, then its defences, by id; of those with one label the first."""
    found: dict[str, str] = {}
    for kind, label in _labels(rules).items():
        if label not in found.values():
            found[kind] = label
    return found


def _labels(rules: Ruleset) -> dict[str, str]:
    reactions = {reaction.id: reaction.label for reaction in rules.turns.reactions}
    return reactions | {defence.id: defence.label for defence in rules.attack.defences}


def decide_policy(battle: Battle, rules: Ruleset, wish: SetPolicy) -> tuple[ev.Event, ...]:
    """Says whether a kind is asked for, or takes back what was said; all of one label are one kind."""
    labels = _labels(rules)
    if not labels:
        raise Illegal("policy", f"{rules.name} has neither reactions nor defences.")
    if wish.kind and wish.kind not in labels:
        raise Unknown("reaction or defence", wish.kind, policy_kinds(rules))
    if wish.unit:
        battle.unit(wish.unit)
    sides = {unit.side for unit in battle.units.values()}
    if wish.side and wish.side not in sides:
        raise Unknown("side", wish.side, sides)
    if wish.unit and wish.side:
        raise Illegal("policy", "A policy is for a unit or for a side, not for both.")
    label = labels.get(wish.kind, "")
    alike = [kind for kind, known in labels.items() if known == label] or [""]
    held = {policy.about: policy for policy in battle.gm.policies}
    about = [(kind, wish.unit, wish.side) for kind in alike]
    if not wish.how:
        ended = tuple(held[one] for one in about if one in held)
        if not ended:
            raise Illegal("policy", "Nothing was said about that.")
        return (ev.PolicyEnded(ended, label),)
    if wish.how not in POLICIES:
        raise Unknown("policy", wish.how, POLICIES)
    policies = tuple(Policy(wish.how, *one) for one in about)
    if all(held.get(policy.about) == policy for policy in policies):
        raise Illegal("policy", f"That is so already: {policy_words(policies[0], label, battle)}.")
    return (ev.PolicySet(policies, label),)


def policies_like(battle: Battle, rules: Ruleset, model: str, copies: Sequence[str]) -> Iterator[ev.PolicySet]:
    """What is said of one unit, said of others too."""
    labels = _labels(rules)
    for label in dict.fromkeys(labels.get(held.kind, "") for held in battle.gm.policies if held.unit == model):
        alike = [held for held in battle.gm.policies if held.unit == model and labels.get(held.kind, "") == label]
        for copy in copies:
            yield ev.PolicySet(tuple(replace(held, unit=copy) for held in alike), label)
