"""Frames: what a battle's board shows after each step, for pictures and recordings.

For the players what the GM has hidden and noted is in none of them; for a side, what that side saw, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import AFFECTED, HEALED, NOTHING_DONE, STRUCK, UNHURT, Aftermath, Mark, aftermath
from engine.battle.views.attack_outcomes import DEFENDED, HIT, MISS
from engine.battle.views.fog_of_war import NOTHING_SEEN, follow, in_sight, side_names
from engine.battle.views.view import View, project
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.values import replace
from tui.exports.format_list import PLAYERS
from tui.exports.log_cleanup import hidden_on_arrival
from tui.exports.markdown_report import hidden_at


class Sight(Struct, frozen=True):
    """Who and what is in sight after a step."""

    known: frozenset[str]
    """Ids of the units known before it or after it."""
    own: frozenset[str]
    """Ids of those whose whole path is known."""
    after: frozenset[str]
    """Ids of the units known after it."""
    squares: frozenset[Square]
    """The squares in sight before it or after it."""
    new: frozenset[str] = frozenset()
    """Ids of the units known after it and not before it."""


class ReplayFrame(Struct, frozen=True):
    """What is seen after a step."""

    number: int
    """1 for the first step of the battle; steps in which nothing is seen are left out."""
    view: View
    done: Aftermath
    """What the step did."""
    step: Step
    sight: Sight


def frames_of(session: Session, side: str = "") -> list[ReplayFrame]:
    """A frame for each step that counts, the first one when the battle is set up.

    Args:
        session: the battle.
        side: whose sight; PLAYERS for all that the GM has not hidden, "" for everything.
    """
    steps, rules = session.history.steps_with_battles(), session.rules
    if not side:
        seen = _of_gm(steps, rules)
    else:
        seen = _of_table(steps, rules) if side == PLAYERS else _of_side(steps, rules, side)
    return [
        ReplayFrame(number, view, _aftermath(step, rules, sight), step, sight)
        for number, (step, (view, sight)) in enumerate(zip(steps, seen, strict=True), 1)
        if not step.after.is_set_up
    ]


def _aftermath(step: Step, rules: Ruleset, sight: Sight) -> Aftermath:
    if step.previous is None:
        return NOTHING_DONE
    before = step.previous.after
    return aftermath(before, step.events, rules).seen_by(sight.own, sight.after, sight.squares)


def _of_gm(steps: Sequence[Step], rules: Ruleset) -> Iterator[tuple[View, Sight]]:
    """Everything."""
    for step in steps:
        before = step.previous.after.units if step.previous else {}
        after = frozenset(step.after.units)
        squares = frozenset(step.after.field.squares())
        yield project(step.after, rules), Sight(after | before.keys(), after, after, squares, after - before.keys())


def _of_table(steps: Sequence[Step], rules: Ruleset) -> Iterator[tuple[View, Sight]]:
    """All that the GM has not hidden."""
    for step, new in zip(steps, hidden_on_arrival(steps), strict=True):
        hidden = hidden_at(step) | new
        view, now = project(step.after, rules), {unit.id for unit in step.after.units.values() if unit.is_hidden}
        now |= new
        shown = replace(
            view,
            units=tuple(unit for unit in view.units if unit.id not in now),
            order=tuple(unit for unit in view.order if unit not in now),
            upcoming=tuple(unit for unit in view.upcoming if unit not in now),
            waiting=tuple(unit for unit in view.waiting if unit not in now),
            active="" if view.active in now else view.active,
            charges=(),
            notes=(),
        )
        after = frozenset(step.after.units) - hidden
        before = frozenset(step.previous.after.units if step.previous else ()) - hidden
        acting = step.previous.after.turns.active if step.previous else ""
        squares = frozenset[Square]() if acting in hidden else frozenset(step.after.field.squares())
        yield shown, Sight(before | after, after, after, squares, after - before)


def _of_side(steps: Sequence[Step], rules: Ruleset, side: str) -> Iterator[tuple[View, Sight]]:
    """What a side saw."""
    arrivals = hidden_on_arrival(steps)
    moments: list[Battle] = []
    names = side_names([step.after for step in steps], side)
    memory, known, squares = NOTHING_SEEN, frozenset[str](), frozenset[Square]()
    for place, step in enumerate(steps):
        battle = _with_hidden(step.after, arrivals[place])
        moments.append(battle)
        view, memory = follow(moments, rules, names, memory, place)
        before, seen_before = known, squares
        known, squares = in_sight(battle, names[place])
        own = frozenset(unit.id for unit in battle.units.values() if unit.side == names[place] and not unit.is_hidden)
        yield view, Sight(before | known, own, known, seen_before | squares, known - before)


def _with_hidden(battle: Battle, hidden: frozenset[str]) -> Battle:
    """A battle with those hidden already who are before anybody acts."""
    if not hidden:
        return battle
    units = {key: replace(unit, is_hidden=True) if key in hidden else unit for key, unit in battle.units.items()}
    return replace(battle, units=units)


def merged(frames: Sequence[ReplayFrame]) -> Aftermath:
    """What several steps did together: all paths and lines, and what each unit lost in all, where it is at the end."""
    if not frames:
        return NOTHING_DONE
    at = {unit.id: unit for unit in frames[-1].view.units}
    lost: dict[str, int] = {}
    kinds: dict[str, str] = {}
    labels = {(mark.unit, mark.kind): mark.label for frame in frames for mark in frame.done.marks if mark.label}
    for mark in (mark for frame in frames for mark in frame.done.marks):
        if mark.kind in (HIT, HEALED):
            lost[mark.unit] = lost.get(mark.unit, 0) + (mark.amount if mark.kind == HIT else -mark.amount)
        is_kept = mark.kind in (MISS, DEFENDED, UNHURT, STRUCK, AFFECTED)
        kinds[mark.unit] = mark.kind if is_kept else kinds.get(mark.unit, MISS)
    marks = []
    for unit, kind in kinds.items():
        if unit in at:
            amount = lost.get(unit, 0)
            kind = HIT if amount > 0 else HEALED if amount < 0 else kind
            label = labels.get((unit, kind), "")
            marks.append(Mark(unit, at[unit].at, at[unit].size, kind, abs(amount), label=label))
    last = next((frame.done for frame in reversed(frames) if frame.done.landed), NOTHING_DONE)
    return Aftermath(
        walks=tuple(walk for frame in frames for walk in frame.done.walks),
        shots=tuple(dict.fromkeys(shot for frame in frames for shot in frame.done.shots)),
        marks=tuple(marks),
        landed=last.landed,
        rings=last.rings,
        edges=tuple(dict.fromkeys(edge for frame in frames for edge in frame.done.edges)),
        wrecks=tuple(dict.fromkeys(square for frame in frames for square in frame.done.wrecks)),
    )
