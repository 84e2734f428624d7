"""Liveness: the effects that make a difference to a question, and the facts that each of them reads.

For one attack most of what rules ask is known beforehand: formulas are settled as far as that goes, effects that cannot
happen fall away, and of the others those are kept that the question rests on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

from engine.rules.effect_kinds import Certain
from engine.rules.effects import is_after
from engine.rules.model import Effect, Grade, Value
from engine.values import replace

MOST_SHARED = 512


class EffectStep(Struct, frozen=True, eq=False):
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
    """Cached results: by the facts it reads that all states share, then by the others."""


class EffectPlan(Struct, frozen=True):
    """The effects that make a difference, in order, and everything that they and those who asked for them ask for."""

    steps: tuple[EffectStep, ...]
    asked: frozenset[str]


def settled(
    effects: Sequence[Effect],
    grade: Grade | None,
    facts: Mapping[str, Value],
    left_open: Collection[str],
    *,
    is_first: bool = True,
) -> tuple[Effect, ...]:
    """The effects that can happen after a grade, their formulas settled as far as one attack settles them.

    Args:
        effects: in order.
        grade: the outcome of the roll; None for effects without a roll.
        facts: what is known before the first of them.
        left_open: names that may have any value then, whatever `facts` say.
        is_first: whether it is the first of several strikes.
    """
    known, is_open = dict(facts), set(left_open)
    found: list[Effect] = []
    for effect in effects:
        if not is_after(effect, grade) or (effect.is_once and not is_first):
            continue
        if effect.is_idle:
            continue
        now = effect.settled(known, is_open)
        if now is None:
            continue
        found.append(now)
        if now.is_early and now.is_fixed and isinstance(outcome := now.run(known), Certain):
            is_open -= now.makes()
            known |= outcome.facts
        else:
            is_open |= now.makes()
    return tuple(found)


def plan(effects: Sequence[Effect], wanted: Collection[str], held: Collection[str]) -> EffectPlan:
    """The effects that the wanted names rest on.

    Args:
        effects: those that can happen, in order, from `settled`.
        wanted: the names that matter in the end.
        held: names that may not be the same in all ways before any effect.
    """
    made = frozenset(held).union(*(effect.makes() for effect in effects))
    rolled = frozenset[str]().union(*(effect.makes() for effect in effects if effect.has_dice))
    effects = [part for effect in effects for part in effect.split_by_rolls(rolled)]
    made = made.union(*(effect.makes() for effect in effects))
    live, steps = set(wanted), []
    for effect in reversed(_early(effects)):
        own = effect.makes()
        if own.isdisjoint(live):
            continue
        reads, keep = _shared(effect.asks() & made), _shared(frozenset(live & made))
        is_made_anew = not effect.changes_units and effect.when.is_fixed
        touched = reads if is_made_anew else _shared(reads | own)
        (name,) = own
        steps.append(EffectStep(effect, tuple(sorted(reads)), name, touched, keep))
        if is_made_anew:
            live -= own
        live |= effect.asks()
    steps.reverse()
    return EffectPlan(
        tuple(replace(step, life=_life(steps, at)) for at, step in enumerate(steps)), _shared(frozenset(live))
    )


@lru_cache(maxsize=MOST_SHARED)
def _shared(names: frozenset[str]) -> frozenset[str]:
    """One set for all equal ones: a ruleset's many plans have few different ones, of some kilobytes each."""
    return names


def _early(effects: Sequence[Effect]) -> list[Effect]:
    """The same effects with each `let` as early as its facts are known, so that they die sooner.

    The value of a `let` does not depend on effects that neither write what it reads nor read what it writes.
    """
    found: list[Effect] = []
    for effect in effects:
        place = len(found)
        if effect.is_early:
            asked, made = effect.asks(), effect.makes()
            while place and asked.isdisjoint((before := found[place - 1]).makes()):
                if not made.isdisjoint(before.makes() | before.asks()):
                    break
                place -= 1
        found.insert(place, effect)
    return found


def _life(steps: Sequence[EffectStep], at: int) -> int:
    """How many steps after a roll are the last to ask for it; 0 for other effects."""
    name = steps[at].makes
    if not steps[at].effect.has_dice:
        return 0
    if name in steps[-1].keep:
        return len(steps) - at
    return max((place - at for place in range(at + 1, len(steps)) if name in steps[place].reads), default=0)
