"""Effects of a roll: run in order over the facts, they give changes for the battle to apply."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import takewhile

from msgspec import Struct

from engine.answers import Needs
from engine.dice.dice_expressions import Dice, DiceThrow
from engine.dice.sources import DiceSource, Roll, RollAsk, roll
from engine.rules.calculation import calculation, is_repeated
from engine.rules.effect_kinds import Chance, EffectChange
from engine.rules.expressions import Expression
from engine.rules.formula_values import number, plain, whole_down
from engine.rules.model import Effect, Grade, Number, Value
from engine.values import replace


class NamedRoll(Struct, frozen=True):
    """Dice that an effect rolled, with their label."""

    name: str
    label: str
    against: str
    """What the dice were up against, in words; "" where nothing says so."""
    roll: Roll


class LoggedValue(Struct, frozen=True):
    """A value of an effect that the log shows, with its label."""

    label: str
    value: Number | str
    calculation: str
    """How a number comes about, with the ids of facts in braces; "" where there is nothing to calculate."""


class Consequences(Struct, frozen=True):
    """Results of all effects, in order."""

    rolls: tuple[NamedRoll, ...]
    logged: tuple[LoggedValue, ...]
    """The `let` effects that the log shows."""
    changes: tuple[EffectChange, ...]
    values: Mapping[str, Value]
    """What `roll` and `let` effects named."""
    learned: Mapping[str, Value]
    """Facts that the changes made other than they were, and those that last."""


def consequences(
    effects: Iterable[Effect],
    facts: Mapping[str, Value],
    grade: Grade | None,
    dice: DiceSource,
    shared: dict[str, Roll] | None = None,
    for_all: DiceSource | None = None,
    *,
    tells: bool = True,
) -> Consequences:
    """Runs effects in order; each sees the changes of those before it.

    Args:
        effects: those of the ruleset (after a roll) or of an action.
        facts: the situation with the roll's facts; the acting unit's are those of `attacker`.
        grade: the outcome of the roll; None for an action that is not an attack.
        dice: where further dice come from.
        shared: rolls made for others already that serve all, by effect and strike; those made now are added.
        for_all: where dice of such rolls come from, where that is not `dice`.
        tells: whether there is a log that shows values.
    """
    known = dict(facts)
    number_now = known.get("strike_number", 1)
    if grade is not None:
        known |= {"grade": grade.id, "hit": grade.is_hit}
    rolls: list[NamedRoll] = []
    changes: list[EffectChange] = []
    logged: list[LoggedValue] = []
    seen: set[str] = set()
    unseen: dict[str, Expression] = {}
    values: dict[str, Value] = {}
    learned: dict[str, Value] = {}
    effects = tuple(effects)
    for place, effect in enumerate(effects):
        if not happens(effect, grade, known):
            continue
        outcome = effect.run(known)
        if isinstance(outcome, Chance):
            held = f"{effect.id} {number_now}"
            rolled = shared.get(held) if shared is not None and outcome.is_shared else None
            if rolled is None:
                against = outcome.because.render(known) if outcome.because else ""
                purpose = f"{effect.label}, {against}" if against else effect.label
                source = for_all if for_all is not None and outcome.is_shared else dice
                try:
                    rolled = roll(outcome.dice, source, purpose)
                except Needs as need:
                    if isinstance(need.ask, RollAsk):
                        further = thrown_with(effects, place, need.ask.dice)
                        need.ask = replace(need.ask, further=further)
                    need.rolled = tuple(rolls)
                    raise
                rolls.append(NamedRoll(outcome.name, effect.label, against, rolled))
                if shared is not None and outcome.is_shared:
                    shared[held] = rolled
            known[outcome.name] = values[outcome.name] = rolled.total
            seen.add(outcome.name)
            continue
        made = outcome.facts
        change = effect.change(known, made)
        if change is not None:
            if effect.within:
                nth = whole_down(effect.nth, known) if effect.nth else 1
                change = replace(change, within=number(effect.within, known), nth=nth)
            changes.append(change)
        if not effect.changes_units:
            values |= made
            learned |= made if effect.lasts else {}
            for name, value in made.items() if tells else ():
                if not outcome.is_shown:
                    unseen |= {name: effect.formula} if effect.formula is not None else {}
                elif value:
                    is_yes = effect.makes_critical and value == 1  # "Critical hit: yes", not "1"
                    line = _logged(effect, name, "yes" if is_yes else value, known, seen, unseen)
                    logged += [line] if line is not None else []
        else:
            learned |= made
            if grade is None and effect.whom == "attacker":  # an action that is no attack calls it `unit` as well
                known |= {f"unit.{name.removeprefix('attacker.')}": value for name, value in made.items()}
        known |= made
    return Consequences(tuple(rolls), tuple(logged), tuple(changes), values, learned)


def _logged(
    effect: Effect, name: str, value: Value, known: Mapping[str, Value], seen: set[str], unseen: dict[str, Expression]
) -> LoggedValue | None:
    """A value that the log shows, and perhaps how it comes about; from now on the reader has seen it.

    None for a number that is just one that the reader has seen, where the effect does not repeat it.
    """
    formula, how = effect.formula, ""
    if formula is not None and not isinstance(value, str | bool):
        if not effect.repeats and is_repeated(formula, known, seen, unseen):
            seen.add(name)
            unseen.pop(name, None)
            return None
        how = calculation(formula, known, seen, unseen)
        seen |= formula.names if formula.text in formula.names else set()
    seen.add(name)
    unseen.pop(name, None)
    return LoggedValue(effect.label, value if isinstance(value, str) else plain(value), how)


def thrown_with(effects: Sequence[Effect], place: int, dice: Dice) -> tuple[str, ...]:
    """What the rolls are called that follow the one at a place at once, a single die each, under the same conditions.

    What the labels begin with alike, up to a comma, is said once.
    """
    first = effects[place]
    named: set[str] = set()

    def is_alike(effect: Effect) -> bool:
        is_free = named.isdisjoint(effect.asks())
        named.update(effect.makes())
        return is_free and effect.is_thrown_with(first)

    if not isinstance(dice.root, DiceThrow) or (dice.count, dice.root.explosions, len(dice.root.rerolled)) != (1, 0, 0):
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
