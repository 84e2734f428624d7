"""Which effects make a difference to a question, before any die is rolled, and what each of them asks for.

For one attack most of what rules ask is known beforehand: formulas are settled as far as that goes, effects that cannot
happen fall away, and of the others those are kept that the question rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.errors import BattleboardError
from engine.rules.effects import is_after
from engine.rules.model import NEARBY, Effect, Grade, Value
from engine.values import replace

TURNED = "turned into"
"""Under this name, which no formula can ask for, a way holds the grades that its attack has turned into."""


class Step(Struct, frozen=True, eq=False):
    """An effect that makes a difference."""

    effect: Effect
    reads: tuple[str, ...]
    """What it asks for that may not be the same in all ways."""
    makes: str
    """The name that it may change."""
    touched: frozenset[str]
    """What it hangs together with: what it asks for and, where that may stay as it was, what it makes."""
    keep: frozenset[str]
    """What matters after it."""
    life: int = 0
    """For a roll: how many of the following steps there are until the last that asks for it; 0 for other effects."""
    seen: dict[object, dict[Any, Any]] = {}
    """What it came to before: by what it asks for that all ways have in common, then by the rest of it."""


class Plan(Struct, frozen=True):
    """The effects that make a difference, in order, and everything that they and those who asked for them ask for."""

    steps: tuple[Step, ...]
    asked: frozenset[str]


def settled(
    effects: Sequence[Effect],
    grade: Grade,
    facts: Mapping[str, Value],
    left_open: Collection[str],
    *,
    is_first: bool = True,
) -> tuple[Effect, ...]:
    """The effects that can happen after a grade, their formulas settled as far as one attack settles them.

    Args:
        effects: in order.
        grade: which the roll came to.
        facts: what is known before the first of them.
        left_open: names that may have any value then, whatever `facts` say.
        is_first: whether it is the first of several strikes.
    """
    known, is_open = dict(facts), set(left_open)
    found: list[Effect] = []
    for effect in effects:
        if not is_after(effect, grade) or (effect.is_once and not is_first):
            continue
        if effect.kind == "let" and effect.value.text == effect.name:  # it tells what it came to, no more
            continue
        when = effect.when.settled(known, is_open)
        try:
            if when.is_fixed and not when.evaluate(known):
                continue
        except BattleboardError:  # it breaks in play as well
            pass
        value = effect.value.settled(known, is_open)
        is_other = when is not effect.when or value is not effect.value
        found.append(replace(effect, when=when, value=value) if is_other else effect)
        is_open |= makes(effect)
        if effect.kind == "let" and when.is_fixed and value.is_fixed:
            is_open.discard(effect.name)
            known[effect.name] = value.evaluate(known)
    return tuple(found)


def plan(effects: Sequence[Effect], wanted: Collection[str], held: Collection[str]) -> Plan:
    """The effects that the wanted names rest on.

    Args:
        effects: those that can happen, in order, from `settled`.
        wanted: the names that matter in the end.
        held: names that may not be the same in all ways before any effect.
    """
    made = frozenset(held).union(*map(makes, effects))
    live, steps = set(wanted), []
    for effect in reversed(_early(effects)):
        own = makes(effect)
        if own.isdisjoint(live):
            continue
        reads, keep = asks(effect) & made, frozenset(live & made)
        is_made_anew = effect.kind in ("roll", "let") and effect.when.is_fixed
        touched = reads if is_made_anew else reads | own
        (name,) = own
        steps.append(Step(effect, tuple(sorted(reads)), name, touched, keep))
        if is_made_anew:
            live -= own
        live |= asks(effect)
    steps.reverse()
    return Plan(tuple(replace(step, life=_life(steps, at)) for at, step in enumerate(steps)), frozenset(live))


def _early(effects: Sequence[Effect]) -> list[Effect]:
    """The same effects with every `let` as early as what it asks for is there, so that it is soon asked for no more.

    What a `let` comes to does not depend on effects that neither make what it asks for nor ask for what it makes.
    """
    found: list[Effect] = []
    for effect in effects:
        place = len(found)
        if effect.kind == "let":
            asked, made = asks(effect), makes(effect)
            while place and asked.isdisjoint(makes(found[place - 1])):
                if not made.isdisjoint(makes(found[place - 1]) | asks(found[place - 1])):
                    break
                place -= 1
        found.insert(place, effect)
    return found


def _life(steps: Sequence[Step], at: int) -> int:
    """How many steps after a roll are the last to ask for it; 0 for other effects."""
    name = steps[at].makes
    if steps[at].effect.kind != "roll":
        return 0
    if name in steps[-1].keep:
        return len(steps) - at
    return max((place - at for place in range(at + 1, len(steps)) if name in steps[place].reads), default=0)


def makes(effect: Effect) -> frozenset[str]:
    """The name that an effect may change, if any; a strike on those nearby may be one on the target."""
    whom = effect.whom
    match effect.kind:
        case "roll" | "let":
            return frozenset((effect.name,))
        case "lose" | "gain" | "condition":
            return frozenset((f"{whom}.{effect.name}",))
        case "posture":
            return frozenset((f"{whom}.posture",))
        case "wear":
            return frozenset(("cover_wear",))
        case "strike":
            return frozenset((TURNED,)) if whom == "target" or whom in NEARBY else frozenset()
    return frozenset()


def asks(effect: Effect) -> frozenset[str]:
    """The names that an effect asks for, as far as its facts rest on them."""
    asked = effect.when.names | effect.value.names
    if effect.kind in ("lose", "gain"):
        asked |= {f"{effect.whom}.{effect.name}", f"{effect.whom}.{effect.name}.full"}
    return asked | {"cover_wear"} if effect.kind == "wear" else asked
