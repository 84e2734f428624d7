"""History: what happened, command by command, and where undo and redo lead. A new command drops what was undone.

The battle after a step is kept for the latest steps and for some of the others; the rest follow from those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct

from engine.battle.apply import apply_all
from engine.battle.battle import Battle
from engine.battle.codec import from_json, to_json
from engine.battle.events import KINDS, Event
from engine.battle.record.upcasters import upcast
from engine.errors import Illegal
from engine.values import replace

UNDONE, REDONE = "Undone", "Redone"

KEPT = 64
"""So many of the latest steps keep the battle after them, and of those before, one in so many: the others would only
fill the memory."""


class Step(Struct, frozen=True):
    """The events of one command and the battle after them; a link in a chain to the beginning."""

    number: int
    """1 for the first step; undone and replaced steps do not free their numbers."""
    events: tuple[Event, ...]
    kept: Battle | None
    """The battle after them, for those steps that keep it; the first does."""
    previous: Step | None

    @property
    def after(self) -> Battle:
        """The battle after this step, worked out from the last one that is kept."""
        left: list[Step] = []
        for step in self.backwards():
            if step.kept is not None:
                return apply_all(step.kept, (event for one in reversed(left) for event in one.events))
            left.append(step)
        raise ValueError("the first step keeps its battle")

    def backwards(self) -> Iterator[Step]:
        """This step and those before it, the latest first."""
        step: Step | None = self
        while step is not None:
            yield step
            step = step.previous


class Undoable(Struct, frozen=True):
    """A step that was taken back, and those taken back before it."""

    step: Step
    further: Undoable | None


class History(Struct, frozen=True):
    """Start, the chain of steps done, the chain of steps undone."""

    start: Battle
    done: Step | None = None
    undone: Undoable | None = None
    steps_taken: int = 0

    @property
    def battle(self) -> Battle:
        """The battle now."""
        return self.done.after if self.done else self.start

    def steps(self) -> list[Step]:
        """The steps that count, oldest first."""
        return list(self.done.backwards())[::-1] if self.done else []

    def steps_kept_whole(self) -> list[Step]:
        """The same, each with the battle after it: for who goes through all of them."""
        found: list[Step] = []
        battle, previous = self.start, None
        for step in self.steps():
            battle = apply_all(battle, step.events) if step.kept is None else step.kept
            previous = Step(step.number, step.events, battle, previous)
            found.append(previous)
        return found

    def take(self, events: Iterable[Event]) -> History:
        """After one more command; what could be redone is gone."""
        events = tuple(events)
        number = self.steps_taken + 1
        step = Step(number, events, apply_all(self.battle, events), self.done)
        return replace(self, done=step if number % KEPT else _thinned(step), undone=None, steps_taken=number)

    def undo(self) -> History:
        """One command back.

        Raises:
            Illegal: nothing is left to take back.
        """
        if self.done is None or self.done.previous is None:
            raise Illegal("undo", "There is nothing to take back: this is how the battle began.")
        done = replace(self.done.previous, kept=self.done.previous.after)
        return replace(self, done=done, undone=Undoable(self.done, self.undone))

    def redo(self) -> History:
        """The command last taken back, done again.

        Raises:
            Illegal: nothing was taken back since the last command.
        """
        if self.undone is None:
            raise Illegal("redo", "There is nothing to do again.")
        return replace(self, done=self.undone.step, undone=self.undone.further)


def _thinned(newest: Step) -> Step:
    """The same chain, of whose older steps only every so many keep the battle after them."""
    recent = list(islice(newest.backwards(), 2 * KEPT))
    chain = recent[-1].previous
    for place, step in reversed(list(enumerate(recent))):
        is_kept = place < KEPT or step.number % KEPT == 0 or chain is None
        chain = Step(step.number, step.events, step.kept if is_kept else None, chain)
    return chain or newest


def event_rows(events: Iterable[Event]) -> list[tuple[str, dict[str, Any]]]:
    """Events as the journal keeps them: kind and JSON body.

    Raises:
        Illegal: a number or a text in them is so large that nothing would read it again.
    """
    rows = [(type(event).__name__, to_json(event)) for event in events]
    try:
        for kind, body in rows:
            read_event(kind, body)
    except ValueError as wrong:
        raise Illegal("bounds", f"That is more than a battle can hold ({wrong}).", "too large") from wrong
    return rows


def replay(
    start: Battle,
    batches: Iterable[Iterable[tuple[str, Mapping[str, Any]]]],
    check: Callable[[Battle], object] | None = None,
) -> History:
    """The history that a journal's rows tell, one batch for each command, undo or redo.

    Args:
        start: the battle before all of them.
        batches: the rows.
        check: gets the battle after each batch, and may refuse it.

    Raises:
        ValueError: a row is of a kind that is not known, or its body does not fit the kind.
    """
    history = History(start)
    for batch in batches:
        history = further(history, list(batch))
        if check is not None:
            check(history.battle)
    return history


def further(history: History, rows: Sequence[tuple[str, Mapping[str, Any]]]) -> History:
    """The history after one more batch of rows: a command's events, an undo or a redo.

    Raises:
        ValueError: a row is of a kind that is not known, or its body does not fit the kind.
        Illegal: there is nothing to take back, or to do again.
    """
    kind = rows[0][0]
    if kind == UNDONE:
        return history.undo()
    if kind == REDONE:
        return history.redo()
    return history.take(read_event(*row) for row in rows)


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """One event from its row.

    Raises:
        ValueError: not an event of ours.
    """
    if kind not in KINDS:
        raise ValueError(f"events of kind {kind!r} are not known")
    event: Event = from_json(KINDS[kind], dict(upcast(kind, body)))
    return event


def latest_first(histories: Sequence[History]) -> Iterator[Step]:
    """The steps of histories that followed one another, the latest first."""
    for history in reversed(histories):
        if history.done:
            yield from history.done.backwards()
