"""What follows from a roll: a ruleset's effects, run in order over the facts, give changes for the battle to apply."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import takewhile

from msgspec import Struct

from engine.dice.expressions import Dice, Throw, parse_dice
from engine.dice.sources import DiceSource, NeedDice, Roll, roll
from engine.rules.model import Effect, Grade, Number, Ruleset, Value
from engine.rules.values import BrokenRule, number, plain, whole_down


class Change(Struct, frozen=True):
    """One thing that changes on a unit. `whom` is "attacker" or "target".

    kind "pool": pool or budget `name` goes from `before` to `after`. "condition": `after` is 1 when it begins, 0 when
    it ends, and `rounds` how many rounds it lasts (0: until its own moment). "posture": takes posture `name`. "strike":
    the attack counts as the grade `name`. "push", "disarm", "rise", "sink", "lay": `amount` is how far, in the
    ruleset's unit, and `way` whither, from 1 for north, clockwise. "wear": `before` and `after` are what has been taken
    from the thing that covers the target. The other kinds say it all.

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


class NamedRoll(Struct, frozen=True):
    """Dice that an effect rolled, and what for."""

    name: str
    label: str
    against: str
    """What the dice were up against, in words; "" where nothing says so."""
    roll: Roll


class Consequences(Struct, frozen=True):
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
    for_all: DiceSource | None = None,
) -> Consequences:
    """Runs effects in order; each sees what the ones before it changed.

    Args:
        rules: the ruleset, for the starting values of pools.
        effects: those of the ruleset (after a roll) or of an action.
        facts: the situation with the roll's facts; the acting unit's are those of `attacker`.
        grade: what the roll came to; None for an action that is no attack.
        dice: where further dice come from.
        shared: rolls made for others already that serve all, by effect and strike; those made now are added.
        for_all: where dice of such rolls come from, where that is not `dice`.
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
    effects = tuple(effects)
    for place, effect in enumerate(effects):
        if not happens(effect, grade, known):
            continue
        if effect.kind == "roll":
            held = f"{effect.id} {number}"
            rolled = shared.get(held) if shared is not None and effect.is_shared else None
            if rolled is None:
                against = effect.because.render(known) if effect.because else ""
                purpose = f"{effect.label}, {against}" if against else effect.label
                source = for_all if for_all is not None and effect.is_shared else dice
                try:
                    rolled = roll(dice_of(effect, known), source, purpose)
                except NeedDice as need:
                    raise NeedDice(
                        need.purpose, need.dice, need.typed, thrown_with(effects, place, need.dice)
                    ) from None
                rolls.append(NamedRoll(effect.name, effect.label, against, rolled))
                if shared is not None and effect.is_shared:
                    shared[held] = rolled
            known[effect.name] = values[effect.name] = rolled.total
            continue
        change, facts_now = comes_to(effect, known)
        if change is not None:
            changes.append(change)
        if effect.kind == "let":
            values |= facts_now
            value = facts_now[effect.name]
            if effect.is_told and value:
                reckoned.append((effect.label, value if isinstance(value, str) else plain(value)))
        else:
            learned |= facts_now
            if grade is None and effect.whom == "attacker":  # an action that is no attack calls it `unit` as well
                known |= {f"unit.{name.removeprefix('attacker.')}": value for name, value in facts_now.items()}
        known |= facts_now
    return Consequences(tuple(rolls), tuple(reckoned), tuple(changes), values, learned)


def thrown_with(effects: Sequence[Effect], place: int, dice: Dice) -> tuple[str, ...]:
    """What the rolls are called that follow the one at a place at once, a single die each, under the same conditions.

    What the labels begin with alike, up to a comma, is said once.
    """
    first = effects[place]
    named: set[str] = set()

    def is_alike(effect: Effect) -> bool:
        same = (effect.kind, effect.value, effect.on, effect.when) == ("roll", first.value, first.on, first.when)
        is_free = named.isdisjoint(effect.value.names | effect.when.names)
        named.add(effect.name)
        return same and is_free and effect.because is None and not effect.is_shared

    if not isinstance(dice.root, Throw) or (dice.count, dice.root.explosions, len(dice.root.rerolled)) != (1, 0, 0):
        return ()
    alike = tuple(takewhile(is_alike, effects[place:]))[1:]
    begins = f"{first.label.rpartition(', ')[0]}, "
    return tuple(effect.label.removeprefix(begins) for effect in alike)


def happens(effect: Effect, grade: Grade | None, known: Mapping[str, Value]) -> bool:
    """Whether an effect happens, once those before it have."""
    if not is_after(effect, grade) or (effect.is_once and known.get("strike_number", 1) != 1):
        return False
    return bool(effect.when.evaluate(known))


def is_after(effect: Effect, grade: Grade | None) -> bool:
    """Whether an effect is one of those that a grade has; an action that is no attack has all of its own."""
    return grade is None or comes_after(effect.on, grade.id, grade.is_hit)


def comes_after(on: Collection[str], grade: str, is_hit: bool) -> bool:
    """Whether what happens after these grades, or grades of these kinds, happens after one."""
    return not {"always", grade, "hit" if is_hit else "miss"}.isdisjoint(on)


def dice_of(effect: Effect, known: Mapping[str, Value]) -> Dice:
    """The dice that a `roll` rolls."""
    return parse_dice(str(effect.value.evaluate(known)))


def comes_to(effect: Effect, known: Mapping[str, Value]) -> tuple[Change | None, dict[str, Value]]:
    """What any effect but a `roll` comes to: the change if there is one, and the facts that are other than before."""
    match effect.kind:
        case "let":
            return None, {effect.name: effect.value.evaluate(known)}
        case "lose" | "gain":
            change = _pool_change(effect, known)
            return _unless_same(change, f"{effect.whom}.{effect.name}")
        case "wear":
            return _unless_same(_wear(effect, known), "cover_wear")
    return _other_change(effect, effect.value.evaluate(known), known), takes_on(effect, known)


def takes_on(effect: Effect, known: Mapping[str, Value]) -> dict[str, Value]:
    """The facts that a `condition` or a `posture` makes other than before; nothing for what changes no fact."""
    if effect.kind == "condition":
        return {f"{effect.whom}.{effect.name}": bool(effect.value.evaluate(known))}
    return {f"{effect.whom}.posture": effect.name} if effect.kind == "posture" else {}


def _unless_same(change: Change, name: str) -> tuple[Change | None, dict[str, Value]]:
    return (change, {name: change.after}) if change.before != change.after else (None, {})


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
        plain(value) if effect.kind in ("push", "disarm", "sink", "rise", "lay") and not isinstance(value, str) else 0,
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
    amount = max(0, whole_down(effect.value, known))
    if not isinstance(before, int):
        raise BrokenRule(f"{effect.whom}.{effect.name}", str(before))
    full = known.get(f"{effect.whom}.{effect.name}.full", before + amount)  # what one may spend has no most
    if not isinstance(full, int):
        raise BrokenRule(f"{effect.whom}.{effect.name}.full", str(full))
    after = max(0, before - amount) if effect.kind == "lose" else max(before, min(full, before + amount))
    return Change("pool", effect.whom, effect.name, before, after, effect.label, effect.origin.source)
