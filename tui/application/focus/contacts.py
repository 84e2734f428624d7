"""Enemies of a unit: the order in which they are aimed at, the chance of its attack on each, who sees whom.

Each attack is worked out by itself, so that a screen can do it while no key is pressed.
"""

from __future__ import annotations

from collections.abc import Generator
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.attack_preview import AttackPreview
from engine.battle.attacks.attack_refusals import Impossible
from engine.battle.command import Attack
from engine.battle.distances import gap
from engine.battle.facts import sees
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.dice.dice_text import Number, signed
from engine.generators import result_of
from engine.rules.derived_facts import facts_read
from engine.rules.ledger import Entry
from engine.rules.model import Ruleset
from engine.rules.specialise import OF_THE_ATTACK
from engine.tactics.options import Option, attack_option
from engine.text import lower_first
from engine.values import replace

MOST_COSTS = 2
"""Entries of a ledger that are named of an attack, of those that count against it and of those that help it."""


class Aim(Struct, frozen=True):
    """An enemy that a unit could aim at."""

    unit: str
    is_hidden: bool
    is_seen: bool
    chance: Fraction | None
    """That the attack hits; None where it is not possible."""
    about: tuple[str, ...] = ()
    """How far it is, what counts most against the attack and what about this target helps it, the range band.

    "20 ft", "partial cover −10", "target stunned +20", "short".
    """

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """The place in the order of aim: first who can be hit, then others; in both those only the GM sees last."""
        return not (self.is_seen and self.chance), self.is_hidden, not self.is_seen


class Contacts(Struct, frozen=True):
    """The enemies that a unit sees and that see it, and its best attack; those that only the GM sees left out."""

    sees: tuple[str, ...]
    seen_by: tuple[str, ...]
    best: Aim | None


_aims: Cache[tuple[Aim, ...]] = Cache(16)
_contacts: Cache[Contacts] = Cache(16)


def enemies(battle: Battle, unit_id: str) -> list[Unit]:
    """Enemies still in the fight, nearest first; bystanders are none."""
    unit = battle.units.get(unit_id)
    if unit is None:
        return []

    def far(other: Unit) -> tuple[int, int, str]:
        columns, rows = gap(unit, other)
        return max(columns, rows), columns + rows, other.id

    return sorted(battle.foes(unit), key=far)


def has_enemies(battle: Battle, unit_id: str) -> bool:
    """Whether a unit has enemies still in the fight."""
    unit = battle.units.get(unit_id)
    return unit is not None and any(unit.is_enemy_of(foe) and not foe.is_defeated for foe in battle.units.values())


def known_aims(battle: Battle, rules: Ruleset, attack: Attack) -> tuple[Aim, ...] | None:
    """What `aims` found before."""
    return _aims.known((battle, rules), (attack.unit, attack.weapon, attack.action))


def aims(battle: Battle, rules: Ruleset, attack: Attack) -> Generator[None, None, tuple[Aim, ...]]:
    """The enemies in the order in which they are aimed at, one computed at a time; `attack` needs no target."""
    found: list[Aim] = []
    unit = battle.units[attack.unit]
    if (known := known_aims(battle, rules, attack)) is not None:
        return known
    for foe in enemies(battle, attack.unit):
        is_seen = sees(battle, unit, foe)
        chance, about = None, tuple[str, ...]()
        if is_seen:
            option = attack_option(battle, rules, replace(attack, target=foe.id), in_any_turn=True)
            chance, about = option.hit if option.is_allowed else None, _about(option, rules)
        found.append(Aim(foe.id, foe.is_hidden, is_seen, chance, about))
        yield
    ranked = tuple(sorted(found, key=lambda aim: aim.rank))
    return _aims.get((battle, rules), (attack.unit, attack.weapon, attack.action), lambda: ranked)


def aims_now(battle: Battle, rules: Ruleset, attack: Attack) -> tuple[Aim, ...]:
    """The same at once."""
    return result_of(aims(battle, rules, attack))


def known_contacts(battle: Battle, rules: Ruleset, unit_id: str) -> Contacts | None:
    """What `contacts` found before."""
    return _contacts.known((battle, rules), unit_id)


def contacts(battle: Battle, rules: Ruleset, unit_id: str) -> Generator[None, None, Contacts]:
    """Who sees whom, and the best of the attacks with what the unit holds."""
    unit = battle.units[unit_id]
    shots = [aim for aim in (yield from aims(battle, rules, Attack(unit_id, ""))) if not aim.is_hidden]
    seen = tuple(aim.unit for aim in shots if aim.is_seen)
    seen_by: list[str] = []
    for foe in enemies(battle, unit_id):
        if not (foe.is_hidden or unit.is_hidden) and sees(battle, foe, unit):
            seen_by.append(foe.id)
        yield
    best = max((aim for aim in shots if aim.chance), key=lambda aim: aim.chance or 0, default=None)
    found = Contacts(seen, tuple(seen_by), best)
    return _contacts.get((battle, rules), unit_id, lambda: found)


def _about(option: Option[Attack], rules: Ruleset) -> tuple[str, ...]:
    """Distance, the entries that cost most or help most, and range band; where it is not possible, why not."""
    if isinstance(option.refusal, Impossible):
        return option.refusal.situation.distance, lower_first(option.refusal.forbidden.label)
    if option.shot is None:
        return ()
    shot, ledger = option.shot, option.shot.ledger
    first = ledger.entries[0].step if ledger.entries else ""
    costs = [one for one in ledger.entries[::-1] if one.active and one.step != first and _loss(one) > 0]
    costs.sort(key=_loss, reverse=True)  # of those alike the last of the ledger: cover before a defence
    helps = [one for one in ledger.entries if one.active and one.step != first and _loss(one) < 0]
    helps = sorted((one for one in helps if _is_of_target(one, shot, rules)), key=_loss)
    entries = (f"{lower_first(one.label)} {signed(one.value)}" for one in costs[:MOST_COSTS] + helps[:MOST_COSTS])
    return tuple(filter(None, (shot.situation.distance, *entries, ledger.band_label)))


def _is_of_target(entry: Entry, shot: AttackPreview, rules: Ruleset) -> bool:
    """Whether a modifier counts because of the target or the way to it, not of the attacker and its attack alone."""
    formulas = next(((one.when, one.value) for one in rules.attack.modifiers if one.id == entry.id), ())
    facts = {**shot.situation.facts, **shot.ledger.band_facts}
    read = facts_read(rules.attack.facts, formulas, facts) - {one.id for one in rules.attack.facts}
    return any(name.partition(".")[0] not in OF_THE_ATTACK for name in read)


def _loss(entry: Entry) -> Number:
    """How much an entry of a ledger makes an attack worse; negative where it helps."""
    return entry.value if entry.of else -entry.value
