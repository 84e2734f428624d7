"""State of a unit in words: what is shown beside its numbers, each with a mark of one cell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engine.battle.attacks.reactions import takes_any_action, zone_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import Reaction
from engine.text import count

HIDDEN_MARK, NOTE_MARK, OPENING_MARK, WAY_MARK, SURPRISED_MARK, DELAYED_MARK = "◌", "¶", "»", "›", "!", "↷"
MARKER_MARK = "◇"
ROUNDS_LEFT = re.compile(r", \d+ rounds? left$")
STATE_MARKS = {
    HIDDEN_MARK: "hidden from the players",
    NOTE_MARK: "GM's note",
    OPENING_MARK: "may react now",
    WAY_MARK: "beside a unit's state: moves at the end of the round",
    SURPRISED_MARK: "surprised",
    DELAYED_MARK: "delays its turn",
    MARKER_MARK: "GM's marker",
}
"""Marks that all rulesets have, and what they mean."""


def states(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[tuple[str, str]]:
    """Mark and words: what the GM alone sees, open reactions, declared moves, delays, conditions."""
    if unit.is_hidden:
        yield HIDDEN_MARK, "hidden from the players"
    yield from ((NOTE_MARK, note.text) for note in battle.gm.notes if note.unit == unit.id)
    openings = (held for held in battle.openings if held.unit == unit.id)
    for held in openings:
        other = " or take another action" if takes_any_action(rules, held.reaction) else ""
        yield OPENING_MARK, f"may attack {battle.unit(held.against).name}{other} now"
    ways = (way for way in battle.turns.declared if way.unit == unit.id)
    yield from ((WAY_MARK, f"moves to {way.path[-1].name} at the end of the round") for way in ways)
    if unit.id in battle.turns.surprised:
        yield SURPRISED_MARK, "surprised: no turn this round"
    if unit.id in battle.turns.delayed:
        yield DELAYED_MARK, "delays its turn"
    conditions = rules.units.conditions
    for condition in (held for held in unit.conditions if not conditions[held].internal):
        label, left = conditions[condition].label, unit.timers.get(condition, 0)
        attack = rules.actions.get(unit.about.get(condition, "")) if conditions[condition].about == "attack" else None
        words = _with_rounds(label, left)
        yield conditions[condition].mark, f"{words}: {attack.label}" if attack else words
    for marker, left in unit.markers.items():
        yield MARKER_MARK, _with_rounds(marker, left)
    by_condition = {f"reactor.{held}" for held in unit.conditions}
    watching = [one for one in rules.turns.reactions if by_condition & one.when.names]
    zones = {one.label: words for one in watching if (words := zone_words(battle, rules, unit, one))}
    yield from (("", f"{label}: {words}") for label, words in zones.items())


def _with_rounds(label: str, left: int) -> str:
    """A state with the rounds that it lasts: "stunned, 2 rounds left"; alone where it lasts until something ends it."""
    return f"{label}, {count(left, 'round')} left" if left else label


def without_rounds(label: str) -> str:
    """A state's words without the rounds that are left.

    >>> without_rounds("stunned, 2 rounds left"), without_rounds("prone")
    ('stunned', 'prone')
    """
    return ROUNDS_LEFT.sub("", label)


def is_detail(mark: str, words: str) -> bool:
    """Whether a state only says more about another: the zone of an overwatch, the attack that it is set to.

    >>> is_detail("", "overwatch: facing W"), is_detail("!", "surprised: no turn this round")
    (True, False)
    """
    return not mark and ": " in words


def zone_words(battle: Battle, rules: Ruleset, unit: Unit, reaction: Reaction) -> str:
    """Where the zone of a unit's reaction lies: "facing W", "towards D4", "around D4"; "" where it has none."""
    facts = zone_facts(battle, rules, unit, reaction)
    for condition, square in unit.about.items():
        if f"reactor.{condition}_bearing" in facts:
            return f"towards {square}"
        if f"reactor.{condition}_distance" in facts:
            return f"around {square}"
    return f"facing {unit.facing.name}" if "reactor.bearing" in facts else ""


def marks_of(rules: Ruleset) -> dict[str, str]:
    """All marks of a ruleset's units and what they mean: "◆" on overwatch, "!" surprised, exposed by a charge."""
    found = {mark: [words] for mark, words in STATE_MARKS.items()}
    for condition in rules.units.conditions.values():
        if condition.mark and not condition.internal:
            found.setdefault(condition.mark, []).append(condition.label)
    return {mark: ", ".join(dict.fromkeys(words)) for mark, words in found.items()}
