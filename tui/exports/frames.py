"""Frames: what a battle's board shows after each step, for pictures and recordings.

For the players what the GM has hidden and noted is in none of them; for a side, what that side saw, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import repeat

from msgspec import Struct

from engine.battle.events import UnitsAdded
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import AFFECTED, HEALED, NOTHING_DONE, STRUCK, UNHURT, Aftermath, Mark, aftermath
from engine.battle.views.attack_outcomes import DEFENDED, HIT, MISS
from engine.battle.views.fog_of_war import SideObserver, in_sight, seat_view, side_names
from engine.battle.views.known_battle import for_players, is_hidden_turn, leads_to_hidden_turn, table_battle
from engine.battle.views.view import View, project
from engine.geometry.squares import Square
from engine.journal.history import Step
from engine.journal.session import Session
from engine.rules.model import Ruleset
from engine.values import replace
from tui.exports.format_list import PLAYERS
from tui.exports.log_cleanup import Sight, hidden_at, hidden_on_arrival, known_events, what_counts
from tui.exports.markdown_report import event_words
from tui.exports.side_words import ROUND, TURN, side_words
from tui.terminal.jobs import Job

KNOWN_TURN, HIDDEN_TURN_BEGINS, HIDDEN_TURN = "known", "hidden turn begins", "hidden"


class ReplayFrame(Struct, frozen=True):
    """What is seen after a step."""

    number: int
    """1 for the first step of the battle, or for the first in which a side sees something."""
    battle: Battle
    """The battle after the step, as far as it may be known."""
    project: Callable[[], View]
    """Works out `view`, which of most frames nobody asks for, and all of which together would fill the memory."""
    done: Aftermath
    """What the step did."""
    words: tuple[str, ...]
    """What happened in it, a sentence each; for a side rounds and turns begin with ROUND and TURN."""
    step: Step
    sight: Sight

    @property
    def view(self) -> View:
        """What is seen then; worked out each time."""
        return self.project()

    @property
    def round(self) -> int:
        return self.battle.turns.round


def frames_of(session: Session, side: str = "") -> Job[list[ReplayFrame]]:
    """A frame for each step that counts, the first one when the battle is set up; a part of the job is a step.

    For players steps in which they see nothing are none: their number and their time would tell of them. What leads to
    the turn of somebody hidden is in one frame with what they see next.

    Args:
        session: the battle.
        side: whose sight; PLAYERS for all that the GM has not hidden, "" for everything.
    """
    steps, rules = session.history.steps_with_battles(), session.rules
    turns = repeat(KNOWN_TURN) if not side else _turns(steps)
    if not side:
        seen = _of_gm(steps, rules)
    else:
        seen = _of_table(steps, rules) if side == PLAYERS else _of_side(steps, rules, side)
    found: list[ReplayFrame] = []
    shown: View | None = None
    """What the last of them shows, where it was worked out."""
    pending: list[tuple[Step, Seen]] = []
    """Steps to the turn of somebody hidden, and in it, that are not shown yet."""
    for number, (step, one, turn) in enumerate(zip(steps, seen, turns, strict=False), 1):
        yield Fraction(number, len(steps))
        if one is None or turn == HIDDEN_TURN_BEGINS:
            if turn != KNOWN_TURN:
                pending.append((step, one))
            continue
        parts = [(step, one)] if turn == HIDDEN_TURN else [*pending, (step, one)]
        frame, view = _frame(parts, one, rules, side, len(found) + 1 if side else number), None
        if side and found and not _is_seen(frame.done, frame.words):  # the board may be other than it was
            is_same = frame.project is found[-1].project
            if not is_same:
                shown, view = shown or found[-1].view, frame.view
            if is_same or view == shown:
                pending = [*pending, (step, one)] if turn == HIDDEN_TURN and pending else []
                continue
        if pending and turn == HIDDEN_TURN:
            frame = _frame([*pending, (step, one)], one, rules, side, frame.number)
        found.append(frame)
        shown, pending = view, []
    return found


def _frame(
    parts: Sequence[tuple[Step, Seen]],
    last: tuple[Battle, Callable[[], View], Sight],
    rules: Ruleset,
    side: str,
    number: int,
) -> ReplayFrame:
    """The frame of one step, or of several that are shown together, of which it shows the last."""
    battle, project, sight = last
    step = parts[-1][0]
    if len(parts) > 1:
        events = tuple(event for one, _ in parts for event in one.events)
        step = replace(step, events=events, previous=parts[0][0].previous)
        sights = [seen[2] for _, seen in parts if seen is not None]
        sight = replace(
            sight,
            known=frozenset[str]().union(*(one.known for one in sights)),
            squares=frozenset[Square]().union(*(one.squares for one in sights)),
            new=frozenset[str]().union(*(one.new for one in sights)),
        )
    done = _aftermath(step, rules, sight)
    if side in ("", PLAYERS):
        words = tuple(_table_words(step, sight if side else None, rules))
    else:
        words = tuple(side_words(step, sight, done, rules))
    return ReplayFrame(number, battle, project, done, words, step, sight)


def _turns(steps: Sequence[Step]) -> Iterator[str]:
    """After each step whose turn it is: of somebody whom players know, or of somebody hidden, and whether it begins."""
    battles = _as_arrived(steps)
    for before, now in zip((None, *battles), battles, strict=False):
        if now.is_set_up or not is_hidden_turn(now):
            yield KNOWN_TURN
        else:
            yield HIDDEN_TURN_BEGINS if leads_to_hidden_turn(before, now) else HIDDEN_TURN


def _is_seen(done: Aftermath, words: Sequence[str]) -> bool:
    """Whether a step does anything that is seen, by the board or in words."""
    return not done.is_empty or any(map(is_sentence, words))


def is_sentence(words: str) -> bool:
    """Whether words of a frame are of what happened, and not a heading."""
    return not words.startswith((ROUND, TURN))


def _table_words(step: Step, sight: Sight | None, rules: Ruleset) -> Iterator[str]:
    """What happened in a step: all of it, or what those know who have this sight."""
    came = (unit.id for event in step.events if isinstance(event, UnitsAdded) for unit in event.units)
    everybody = {*step.after.units, *(step.previous.after.units if step.previous else ()), *came}
    hidden = frozenset(everybody - sight.known) if sight else None
    ends = what_counts(step.events)
    for place, event in enumerate(known_events(step, hidden, rules)):
        if said := event_words(step, place, event, hidden, ends, rules):
            yield said


def _aftermath(step: Step, rules: Ruleset, sight: Sight) -> Aftermath:
    if step.previous is None:
        return NOTHING_DONE
    before = step.previous.after
    return aftermath(before, step.events, rules).seen_by(sight.own, sight.after, sight.squares)


Seen = tuple[Battle, Callable[[], View], Sight] | None
"""Of a frame its battle, how its view is worked out, and the sight; None while the battle is set up."""


def _of_gm(steps: Sequence[Step], rules: Ruleset) -> Iterator[Seen]:
    """Everything."""
    for step, squares in zip(steps, _whole_maps(steps), strict=True):
        before = step.previous.after.units if step.previous else {}
        after = frozenset(step.after.units)
        sight = Sight(after | before.keys(), after, after, squares, after - before.keys())
        yield None if step.after.is_set_up else (step.after, partial(project, step.after, rules), sight)


def _whole_maps(steps: Sequence[Step]) -> Iterator[frozenset[Square]]:
    """All squares of the map after each step."""
    size, squares = None, frozenset[Square]()
    for step in steps:
        field = step.after.field
        if size != (field.columns, field.rows):
            size, squares = (field.columns, field.rows), frozenset(field.squares())
        yield squares


def _of_table(steps: Sequence[Step], rules: Ruleset) -> Iterator[Seen]:
    """All that the GM has not hidden."""
    last, view = None, None
    for step, (public, new), squares in zip(steps, _public(steps), _whole_maps(steps), strict=True):
        if public is None:
            yield None
            continue
        hidden = hidden_at(step) | new
        after = frozenset(step.after.units) - hidden
        before = frozenset(step.previous.after.units if step.previous else ()) - hidden
        if view is None or public != last:
            last, view = public, partial(project, public, rules)
        yield public, view, Sight(before | after, after, after, squares, after - before)


def _of_side(steps: Sequence[Step], rules: Ruleset, side: str) -> Iterator[Seen]:
    """What a side saw."""
    names = side_names([step.after for step in steps], side)
    observer, known, squares, own = SideObserver(), frozenset[str](), frozenset[Square](), frozenset[str]()
    last, view = None, None
    for name, (public, _) in zip(names, _public(steps), strict=True):
        if public is None:
            known, squares, view = frozenset[str](), frozenset[Square](), None
            yield None
            continue
        before, seen_before = known, squares
        if view is None or (public, name) != last:
            observer.observe(public, name)
            known, squares = in_sight(public, name)
            own = frozenset(unit.id for unit in public.units.values() if unit.side == name)
            last, view = (public, name), partial(seat_view, public, rules, name, observer.memory)
        yield public, view, Sight(before | known, own, known, seen_before | squares, known - before)


def _public(steps: Sequence[Step]) -> Iterator[tuple[Battle | None, frozenset[str]]]:
    """What the table may know after each step, and who is hidden though it is not so yet; None in set-up."""
    for public, hidden in zip(for_players(_as_arrived(steps)), hidden_on_arrival(steps), strict=True):
        yield public and table_battle(public), hidden


def _as_arrived(steps: Sequence[Step]) -> list[Battle]:
    """The battle after each step, with those hidden already who are before anybody acts."""
    return [_with_hidden(step.after, hidden) for step, hidden in zip(steps, hidden_on_arrival(steps), strict=True)]


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
    at = {unit: frames[-1].battle.units[unit] for unit in frames[-1].sight.after}
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
