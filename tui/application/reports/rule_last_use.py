"""The last use of a rule in a battle: the attack whose ledger had it, the action taken, the condition begun."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import events as ev
from engine.battle.narration import narrate
from engine.battle.narration.log_context import name_of
from engine.battle.state.battle import Battle
from engine.journal.history import Step
from engine.rules.ledger import Entry
from engine.rules.model import Ruleset
from engine.rules.named_rules import NamedRule
from engine.text import clause
from tui.application.reports.rule_here import belongs, entry_words

IN_LEDGER = ("modifier", "refusal", "range")
NOT_USED = "not used yet"


def last_use(named: NamedRule, steps: Sequence[Step], battle: Battle, rules: Ruleset) -> str:
    """When a rule counted last: "Round 2, Anna at gunman 3: −2, a miss".

    Args:
        named: the rule.
        steps: what was done so far, oldest first.
        battle: now, for names.
        rules: the ruleset.
    """
    found, round_number = "", 0
    for step in steps:
        for event in step.events:
            if isinstance(event, ev.RoundBegan):
                round_number = event.round
            if said := _said(named, event, battle, rules):
                found = f"Round {round_number}, {said}" if round_number else said
    return found or NOT_USED


def _said(named: NamedRule, event: ev.Event, battle: Battle, rules: Ruleset) -> str:
    """What an event says of a rule; "" where it is not about it."""
    if isinstance(event, ev.AttackRolled):
        entry = _entry(named, event)
        is_its = entry is not None or (
            (named.kind == "action" and event.action in named.ids)
            or (named.kind == "outcome" and event.grade in named.ids)
        )
        if not is_its:
            return ""
        at = event.square.name if event.square else name_of(event.target, battle)
        worth = f"{entry_words(entry).partition(',')[0]}, " if entry else ""
        return f"{name_of(event.unit, battle)} at {at}: {worth}{_outcome(event)}"
    return clause(narrate(event, battle, rules)) if _is_about(named, event) else ""


def _entry(named: NamedRule, event: ev.AttackRolled) -> Entry | None:
    """The line of an attack's ledger that was a rule's and counted; those without effect only where it says no more."""
    if named.kind not in IN_LEDGER:
        return None
    own = [entry for entry in event.entries if belongs(entry.id, named) and entry.active]
    return next((entry for entry in own if entry.value), own[0] if own else None)


def _outcome(event: ev.AttackRolled) -> str:
    """What an attack came to: "a hit", "a miss", "Critical hit"."""
    label = event.grade_label
    return f"a {label.casefold()}" if label.casefold() in ("hit", "miss") else label


USES: Sequence[tuple[type[ev.Event], str, str]] = (
    (ev.ActionTaken, "action", "action"),
    (ev.UnitMoved, "action", "action"),
    (ev.PathDeclared, "action", "action"),
    (ev.ConditionBegan, "condition", "condition"),
    (ev.DefenceTaken, "defence", "defence"),
    (ev.OpeningGiven, "reaction", "reaction"),
    (ev.RulingSet, "ruling", "ruling"),
    (ev.PoolChanged, "pool", "pool"),
)
"""Events that use rules of a kind: the event, the kind, and the field with the rule's id."""


def _is_about(named: NamedRule, event: ev.Event) -> bool:
    """Whether an event other than an attack is a use of a rule."""
    if any(isinstance(event, of) and named.kind == kind and getattr(event, id) in named.ids for of, kind, id in USES):
        return True
    match event:
        case ev.BurstCaught():
            return named.kind == "blast ring" and event.ring == named.label
        case ev.EffectRolled() | ev.EffectComputed():
            return named.kind in ("effect", "automatic") and event.label == named.label
        case ev.BurstLanded():
            return named.kind == "scatter" and bool(event.rolls)
        case ev.InitiativeRolled():
            return named.label == "Initiative"
    return False
