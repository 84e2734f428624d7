"""What follows from a roll: a ruleset's effects, run in order over the facts, give changes for the battle to apply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.dice.expressions import parse_dice
from engine.dice.sources import DiceSource, Roll, roll
from engine.rules.model import Effect, Grade, Number, Ruleset, Value
from engine.rules.values import BrokenRule, number, plain, whole_down


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changes on a unit. `whom` is "attacker" or "target".

    kind "pool": pool `name` goes from `before` to `after`. "condition": `after` is 1 when it begins, 0 when it ends,
    and `rounds` how many rounds it lasts (0: until its own moment). "posture": takes posture `name`. "strike": the
    attack counts as the grade `name`. "push", "disarm", "rise", "sink": `amount` is how far, in the ruleset's unit, and
    `way` whither, from 1 for north, clockwise. "wear": `before` and `after` are what has been taken from the thing that
    covers the target. The other kinds say it all.

    `whom` "friends" means all of the attacker's side `within` that distance of it, "friend" the nearest of them,
    "enemies" its enemies so near, "bystander" the one of its side that is nearest to the target and so near to it.
    """

    kind: str
    whom: str
    name: str
    before: int
    after: int
    label: str
    source: str
    rounds: int = 0
    within: int | Fraction = 0
    amount: int | Fraction = 0
    way: int = 0


@dataclass(frozen=True, slots=True)
class NamedRoll:
    """Dice that an effect rolled, and what for."""

    name: str
    label: str
    roll: Roll


@dataclass(frozen=True, slots=True)
class Consequences:
    """Everything that effects came to, in order."""

    rolls: tuple[NamedRoll, ...]
    reckoned: tuple[tuple[str, Number | str], ...]
    """What `let` effects that are told came to, by label; nothing where that is nothing."""
    changes: tuple[Change, ...]
    values: Mapping[str, Value]
    """What `roll` and `let` effects named."""
    learned: Mapping[str, Value]
    """Facts that the changes made other than they were."""


def consequences(
    rules: Ruleset,
    effects: Iterable[Effect],
    facts: Mapping[str, Value],
    grade: Grade | None,
    dice: DiceSource,
    shared: dict[str, Roll] | None = None,
) -> Consequences:
    """Runs effects in order; each sees what the ones before it changed.

    Args:
        rules: the ruleset, for the starting values of pools.
        effects: those of the ruleset (after a roll) or of an action.
        facts: the situation with the roll's facts; the acting unit's are those of `attacker`.
        grade: what the roll came to; None for an action that is no attack.
        dice: where further dice come from.
        shared: rolls made for others already that serve all, by effect and strike; those made now are added.
    """
    known = dict(facts)
    number = known.get("strike_number", 1)
    if grade is not None:
        known |= {"grade": grade.id, "hit": grade.is_hit}
    rolls: list[NamedRoll] = []
    changes: list[Change] = []
    reckoned: list[tuple[str, Number | str]] = []
    values: dict[str, Value] = {}
    learned: dict[str, Value] = {}

    def know(effect: Effect, name: str, value: Value) -> None:
        """A fact has changed; an action that is no attack calls the acting unit `unit` as well."""
        known[f"{effect.whom}.{name}"] = learned[f"{effect.whom}.{name}"] = value
        if grade is None and effect.whom == "attacker":
            known[f"unit.{name}"] = value

    for effect in effects:
        if not _applies(effect, grade) or (effect.is_once and number != 1) or not effect.when.evaluate(known):
            continue
        value = effect.value.evaluate(known)
        match effect.kind:
            case "roll":
                held = f"{effect.id} {number}"
                rolled = shared.get(held) if shared is not None and effect.is_shared else None
                if rolled is None:
                    rolled = roll(parse_dice(str(value)), dice, effect.label)
                    rolls.append(NamedRoll(effect.name, effect.label, rolled))
                    if shared is not None and effect.is_shared:
                        shared[held] = rolled
                known[effect.name] = values[effect.name] = rolled.total
            case "let":
                known[effect.name] = values[effect.name] = value
                if effect.is_told and value:
                    reckoned.append((effect.label, value if isinstance(value, str) else plain(value)))
            case "lose" | "gain":
                change = _pool_change(effect, known)
                if change.before != change.after:
                    changes.append(change)
                    know(effect, effect.name, change.after)
            case "wear":
                change = _wear(effect, known)
                if change.before != change.after:
                    changes.append(change)
                    known["cover_wear"] = learned["cover_wear"] = change.after
            case _:
                changes.append(_other_change(effect, value, known))
                if effect.kind == "condition":
                    know(effect, effect.name, bool(value))
                elif effect.kind == "posture":
                    know(effect, "posture", effect.name)
    return Consequences(tuple(rolls), tuple(reckoned), tuple(changes), values, learned)


def _applies(effect: Effect, grade: Grade | None) -> bool:
    if grade is None or "always" in effect.on or grade.id in effect.on:
        return True
    return ("hit" if grade.is_hit else "miss") in effect.on


def _other_change(effect: Effect, value: Value, known: Mapping[str, Value]) -> Change:
    begins = int(bool(value))
    return Change(
        effect.kind,
        effect.whom,
        effect.name,
        1 - begins,
        begins,
        effect.label,
        effect.origin.source,
        whole_down(effect.rounds, known) if effect.rounds else 0,
        number(effect.within, known) if effect.within else 0,
        plain(value) if effect.kind in ("push", "disarm", "sink", "rise") and not isinstance(value, str) else 0,
        whole_down(effect.way, known) if effect.way else 0,
    )


def _wear(effect: Effect, known: Mapping[str, Value]) -> Change:
    before = known["cover_wear"]
    if not isinstance(before, int):
        raise BrokenRule("cover_wear", before)
    after = before + max(0, whole_down(effect.value, known))
    return Change("wear", "target", "", before, after, effect.label, effect.origin.source)


def _pool_change(effect: Effect, known: Mapping[str, Value]) -> Change:
    before = known[f"{effect.whom}.{effect.name}"]
    full = known.get(f"{effect.whom}.{effect.name}.full", before)
    if not isinstance(before, int) or not isinstance(full, int):
        raise BrokenRule(f"{effect.whom}.{effect.name}", str(before))
    amount = max(0, whole_down(effect.value, known))
    after = max(0, before - amount) if effect.kind == "lose" else max(before, min(full, before + amount))
    return Change("pool", effect.whom, effect.name, before, after, effect.label, effect.origin.source)
