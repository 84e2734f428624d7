"""The rules that have a name at the table, each with its sentence: what `:rules` completes and looks up.

A name is a label that the board, a card, a receipt, a menu or the log shows: of a modifier, an action, a condition, a
roll. Steps of a calculation that no screen shows, and what is the rules' own bookkeeping, are no names unless the file
gives them a sentence. A stat has the first sentence of its help. Weapons, armour and sheets are gear and people with
figures, not rules: they have none. Rules of one kind with one label are one name: armour that wears at four places.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from msgspec import Struct

from engine.rules.effect_kinds import Effect
from engine.rules.model import Ruleset

NO_SENTENCE = "No sentence yet."
"""What stands for a sentence that a file does not have."""
BRACKETED = re.compile(r"\([^()]*\)")
NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


class NamedRule(Struct, frozen=True):
    """One name of a kind, with its sentence and the rules that have it."""

    kind: str
    """What it is, in a word of the field: "modifier", "action"."""
    label: str
    say: str
    """Its sentence; "" where the file has none."""
    rules: tuple[Any, ...]
    """The rules of that kind and label, in the order of the file; more than one only of equal names."""

    @property
    def name(self) -> str:
        """The label as one word, as it is typed: "into-melee"."""
        return rule_name(self.label)

    @property
    def sentence(self) -> str:
        """What it says at the table."""
        return self.say or NO_SENTENCE

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of its rules."""
        return tuple(one.id for one in self.rules if getattr(one, "id", ""))


def rule_name(label: str) -> str:
    """A label as one word to type.

    >>> rule_name("Target at 2 m or less"), rule_name("Near-full cover from (% of the body)")
    ('target-at-2-m-or-less', 'near-full-cover-from')
    """
    return NOT_IN_NAMES.sub("-", BRACKETED.sub("", label).casefold().replace("'", "")).strip("-")


def named_rules(rules: Ruleset) -> tuple[NamedRule, ...]:
    """Every name of a ruleset, kind by kind in the order of its rule book."""
    found: dict[tuple[str, str], NamedRule] = {}
    for kind, rule, label, say in _rows(rules):
        key = kind, rule_name(label)
        before = found.get(key, NamedRule(kind, label, "", ()))
        found[key] = NamedRule(kind, before.label, before.say or say, (*before.rules, rule))
    return tuple(found.values())


def _rows(rules: Ruleset) -> Iterator[tuple[str, Any, str, str]]:
    """Kind, rule, label and sentence of everything that has a name."""
    attack, units, space, turns = rules.attack, rules.units, rules.space, rules.turns
    parts: tuple[tuple[str, Iterable[Any]], ...] = (
        ("ruling", rules.rulings.values()),
        ("outcome", attack.grades),
        ("modifier", attack.modifiers),
        ("refusal", attack.restrictions),
        ("term", (fact for fact in attack.facts if fact.is_shown or fact.origin.say)),
        ("hits", (attack.strikes,) if attack.strikes else ()),
        ("effect", (effect for effect in attack.effects if is_seen(effect) or effect.origin.say)),
        ("automatic", turns.triggers),
        ("action", rules.actions.values()),
        ("scatter", space.scatters),
        ("blast ring", space.zones),
        ("movement", space.modes),
        ("altitude", space.altitudes),
        ("reaction", turns.reactions),
        ("defence", attack.defences),
        ("pool", units.pools.values()),
        ("value", units.derived.values()),
        ("each turn", (one for one in units.budgets.values() if not one.internal)),
        ("condition", (one for one in units.conditions.values() if not one.internal)),
    )
    single: tuple[tuple[str, Any], ...] = (
        ("Distance", rules.distance),
        ("Attack roll", attack.test),
        ("Melee", space.melee),
        ("Line of sight", space.sight),
        ("Blast", space.burst),
        ("Initiative", turns.initiative),
    )
    for label, rule in single:
        if rule is not None:
            yield "basics", rule, label, rule.origin.say
    for table in attack.bands:
        yield "range", table, table.label, table.say
    for kind, held in parts:
        for rule in held:
            yield kind, rule, rule.label, rule.origin.say
    for stat in units.stats.values():
        yield "stat", stat, stat.label, f"{stat.help.partition('. ')[0].rstrip('.')}." if stat.help else ""


def is_seen(effect: Effect) -> bool:
    """Whether the table sees an effect of an attack: dice, a number that the log shows, or a change of a unit."""
    return effect.changes_units or effect.has_dice or bool(getattr(effect, "is_shown", False))
