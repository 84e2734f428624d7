"""State of a unit in words: what is shown beside its numbers, each with a mark of one cell."""

from __future__ import annotations

from collections.abc import Iterator

from engine.battle.attacks.reactions import takes_any_action, zone_facts
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.rules.model import Ruleset
from engine.rules.reaction_rules import Reaction
from engine.text import count
from engine.values import Stored

HIDDEN_MARK, NOTE_MARK, OPENING_MARK, WAY_MARK, SURPRISED_MARK, DELAYED_MARK = "◌", "¶", "»", "›", "!", "↷"
MARKER_MARK = "◇"
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


class StateShown(Stored, frozen=True):
    """A state of a unit as it is shown."""

    mark: str
    """One cell; "" for none."""
    label: str
    detail: str = ""
    """What more there is to say: where the zone of an overwatch lies, which attack it is set to; "" for nothing."""
    rounds: int = 0
    """How many are left; 0 where it lasts until something ends it."""

    @property
    def words(self) -> str:
        """Everything: "stunned, 2 rounds left", "overwatch: facing W"."""
        left = f", {count(self.rounds, 'round')} left" if self.rounds else ""
        return f"{self.label}{left}{f': {self.detail}' if self.detail else ''}"

    @property
    def name(self) -> str:
        """The same without the rounds, which change by themselves."""
        return f"{self.label}: {self.detail}" if self.detail else self.label


def states(battle: Battle, rules: Ruleset, unit: Unit) -> Iterator[StateShown]:
    """What the GM alone sees, open reactions, declared moves, delays, conditions."""
    if unit.is_hidden:
        yield StateShown(HIDDEN_MARK, "hidden from the players")
    yield from (StateShown(NOTE_MARK, note.text) for note in battle.gm.notes if note.unit == unit.id)
    for opening in (known for known in battle.openings if known.unit == unit.id):
        other = " or take another action" if takes_any_action(rules, opening.reaction) else ""
        yield StateShown(OPENING_MARK, f"may attack {battle.unit(opening.against).name}{other} now")
    ways = (way for way in battle.turns.declared if way.unit == unit.id)
    yield from (StateShown(WAY_MARK, f"moves to {way.path[-1].name} at the end of the round") for way in ways)
    if unit.id in battle.turns.surprised:
        yield StateShown(SURPRISED_MARK, "surprised", "no turn this round")
    if unit.id in battle.turns.delayed:
        yield StateShown(DELAYED_MARK, "delays its turn")
    for id in unit.conditions:
        condition = rules.units.conditions[id]
        if not condition.internal:
            attack = rules.actions.get(unit.about.get(id, "")) if condition.about == "attack" else None
            yield StateShown(condition.mark, condition.label, attack.label if attack else "", unit.timers.get(id, 0))
    yield from (StateShown(MARKER_MARK, marker, rounds=left) for marker, left in unit.markers.items())
    by_condition = {f"reactor.{id}" for id in unit.conditions}
    watching = [reaction for reaction in rules.turns.reactions if by_condition & reaction.when.names]
    zones = {reaction.label: zone for reaction in watching if (zone := zone_words(battle, rules, unit, reaction))}
    yield from (StateShown("", label, zone) for label, zone in zones.items())


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
