"""State of a unit in words: what is shown beside its numbers, each with a mark of one cell."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle.attacks.reactions import takes_any_action, zone_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import Reaction
from engine.text import count

HIDDEN_MARK, NOTE_MARK, OPENING_MARK, WAY_MARK, SURPRISED_MARK, DELAYED_MARK = "◌", "¶", "»", "›", "!", "↷"
MARKER_MARK = "•"
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
    yield from ((conditions[held].mark, conditions[held].label) for held in unit.conditions)
    for marker, left in unit.markers.items():
        yield MARKER_MARK, f"{marker}, {count(left, 'round')} left" if left else marker
    by_condition = {f"reactor.{held}" for held in unit.conditions}
    watching = [one for one in rules.turns.reactions if by_condition & one.when.names]
    zones = {one.label: words for one in watching if (words := zone_words(battle, rules, unit, one))}
    yield from (("", f"{label}: {words}") for label, words in zones.items())


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
        if condition.mark:
            found.setdefault(condition.mark, []).append(condition.label)
    return {mark: ", ".join(dict.fromkeys(words)) for mark, words in found.items()}
