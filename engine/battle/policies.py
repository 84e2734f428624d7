"""Policies: reactions and defences that are never used, asked for, or automatic.

An automatic choice is the best one allowed. Of several defences that is the one most likely to stop the
attack, of those alike the cheapest, then the ruleset's first; where no chance can be told, it counts as none. A
reaction attacks in the way most likely to hit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.battle import events as ev
from engine.battle.state.battle import Battle
from engine.rules.model import Ruleset
from engine.values import replace


def policy_kinds(rules: Ruleset) -> Mapping[str, str]:
    """Kinds that a policy may name: the ruleset's reactions, then its defences, by id; one for each label."""
    found: dict[str, str] = {}
    for kind, label in policy_labels(rules).items():
        if label not in found.values():
            found[kind] = label
    return found


def policy_labels(rules: Ruleset) -> dict[str, str]:
    """Labels of all reactions and defences by id; several may have one label."""
    reactions = {reaction.id: reaction.label for reaction in rules.turns.reactions}
    return reactions | {defence.id: defence.label for defence in rules.attack.defences}


def policies_like(battle: Battle, rules: Ruleset, model: str, copies: Sequence[str]) -> Iterator[ev.PolicySet]:
    """Policies of one unit, copied to others."""
    labels = policy_labels(rules)
    for label in dict.fromkeys(labels.get(held.kind, "") for held in battle.gm.policies if held.unit == model):
        alike = [held for held in battle.gm.policies if held.unit == model and labels.get(held.kind, "") == label]
        for copy in copies:
            yield ev.PolicySet(tuple(replace(held, unit=copy) for held in alike), label)
