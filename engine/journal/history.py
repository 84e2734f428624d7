"""History: steps of commands and events, with undo and redo. A new command drops what was undone.

The battle after a step is kept for the latest steps and for some of the others; the rest follow from those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from engine.battle.apply import apply_all
from engine.battle.events import Event, LettersGiven
from engine.battle.events.roster_events import with_seen
from engine.battle.state.battle import Battle
from engine.battle.state.codec import from_json, to_json
from engine.battle.views.aftermath import NOTHING_DONE, Aftermath, aftermath
from engine.errors import Illegal
from engine.journal.batches import Row
from engine.journal.row_kinds import COMMAND, EVENTS, REDO, UNDO, kind_of
from engine.journal.submitted_commands import SubmittedCommand, UndoRedoBody, read_command, write_command
from engine.rules.model import Ruleset
from engine.values import replace

KEPT = 64
"""So many of the latest steps keep the battle after them, and of those before, one in so many: the others would only
fill the memory."""


class Step(Struct, frozen=True):
    """The events of one command and the battle after them; a link in a chain to the beginning."""

    number: int
    """1 for the first step; undone and replaced steps do not free their numbers."""
    batch: int
    """The number of its first row in the journal."""
    commands: tuple[SubmittedCommand, ...]
    """None for the beginning, and where only what happened was kept; several for a what-if that was kept."""
    events: tuple[Event, ...]
    kept: Battle | None
    """The battle after them, for those steps that keep it; the first does."""
    previous: Step | None

    @property
    def after(self) -> Battle:
        """The battle after this step, worked out from the last one that is kept."""
        if self.kept is not None:
            return self.kept
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


def aftermath_of(step: Step, rules: Ruleset) -> Aftermath:
    """What a step did; nothing for the start of the battle."""
    if step.previous is None:
        return NOTHING_DONE
    return aftermath(step.previous.after, step.events, rules)


NEW = "new"
"""The kind of a moment at which a step was made; the other kinds are UNDO and REDO."""


class Moment(Struct, frozen=True):
    """One change of a battle: a new step, an undo or a redo."""

    kind: str
    """NEW, UNDO or REDO."""
    step: Step
    """The step that was made, undone or redone."""
    battle: Battle
    """The battle after it."""


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
    rows: int = 0
    """How many rows of a journal have led here."""
    seen_as: Mapping[str, Mapping[str, str]] = {}
    """Every badge by which a seat has known a unit, also in steps that were undone."""

    @property
    def battle(self) -> Battle:
        """The battle now."""
        return self.done.after if self.done else self.start

    def steps(self) -> list[Step]:
        """The steps that count, oldest first."""
        return list(self.done.backwards())[::-1] if self.done else []

    def steps_undone(self) -> list[Step]:
        """The steps taken back that can be done again, the next first."""
        found: list[Step] = []
        undone = self.undone
        while undone is not None:
            found.append(undone.step)
            undone = undone.further
        return found

    def steps_with_battles(self) -> list[Step]:
        """The same, each with the battle after it: for who goes through all of them."""
        found: list[Step] = []
        battle, previous = self.start, None
        for step in self.steps():
            battle = apply_all(battle, step.events) if step.kept is None else step.kept
            previous = replace(step, kept=battle, previous=previous)
            found.append(previous)
        return found

    def take(self, events: Iterable[Event], *commands: SubmittedCommand) -> History:
        """After one more step, of a command or several; redo is cleared.

        Raises:
            Illegal, ValueError: the command takes the place of another than the last.
        """
        last = self.done
        if any(command.corrects for command in commands[1:]):
            raise ValueError("only the first command of a step can correct another")
        if commands and commands[0].corrects:
            if last is None or last.batch != commands[0].corrects:
                raise ValueError(f"row {commands[0].corrects} is corrected, but it is not the last step")
            last = self.undo().done
        events = tuple(events)
        number = self.steps_taken + 1
        before = last.after if last else self.start
        step = Step(number, self.rows + 1, commands, events, apply_all(before, events), last)
        rows = self.rows + len(commands) + len(events)
        seen_as = self.seen_as
        for event in events:
            if isinstance(event, LettersGiven):
                seen_as = with_seen(seen_as, event.seen_as)
        done = step if number % KEPT else _thinned(step)
        return replace(self, done=done, undone=None, steps_taken=number, rows=rows, seen_as=seen_as)

    def undo(self) -> History:
        """One command back.

        Raises:
            Illegal: nothing is left to take back.
        """
        if self.done is None or self.done.previous is None:
            raise Illegal("undo", "Nothing to undo: this is the start of the battle.")
        done = replace(self.done.previous, kept=self.done.previous.after)
        return replace(self, done=done, undone=Undoable(self.done, self.undone), rows=self.rows + 1)

    def redo(self) -> History:
        """The command last taken back, done again.

        Raises:
            Illegal: nothing was taken back since the last command.
        """
        if self.undone is None:
            raise Illegal("redo", "Nothing to redo.")
        return replace(self, done=self.undone.step, undone=self.undone.further, rows=self.rows + 1)


def _thinned(newest: Step) -> Step:
    """The same chain, of whose older steps only every so many keep the battle after them."""
    recent = list(islice(newest.backwards(), 2 * KEPT))
    chain = recent[-1].previous
    for place, step in reversed(list(enumerate(recent))):
        is_kept = place < KEPT or step.number % KEPT == 0 or chain is None
        chain = replace(step, kept=step.kept if is_kept else None, previous=chain)
    return chain or newest


def event_rows(events: Iterable[Event]) -> list[Row]:
    """Events as the journal keeps them.

    Raises:
        Illegal: a number or a text in them is so large that nothing would read it again.
    """
    return _readable([(kind_of(event), _fields(event)) for event in events], read_event)


def command_rows(*commands: SubmittedCommand) -> list[Row]:
    """Commands as the journal keeps them; raises as `event_rows`."""
    return _readable([write_command(command) for command in commands], read_command)


def _readable(rows: list[Row], read: Callable[[str, Mapping[str, Any]], object]) -> list[Row]:
    try:
        for row in rows:
            read(*row)
    except ValueError as wrong:
        raise Illegal("bounds", f"Too large for a battle to hold ({wrong}).", "too large") from wrong
    return rows


def _fields(event: Event) -> dict[str, Any]:
    return {name: to_json(item) for name, item in asdict(event).items()}


def moment_between(before: History, after: History) -> Moment:
    """The change from a history to the next, which has one step, undo or redo more.

    Raises:
        ValueError: it has none more.
    """
    if after.done is not None and after.steps_taken > before.steps_taken:
        return Moment(NEW, after.done, after.battle)
    if before.done is not None and after.undone is not None and after.undone.further is before.undone:
        return Moment(UNDO, before.done, after.battle)
    if after.done is not None and before.undone is not None and before.undone.further is after.undone:
        return Moment(REDO, after.done, after.battle)
    raise ValueError("the two histories are not one change apart")


def replay(start: Battle, batches: Iterable[Iterable[Row]], each: Callable[[Moment], object] | None = None) -> History:
    """The history that a journal's rows tell, one batch for each command, undo or redo.

    Args:
        start: the battle before all of them.
        batches: the rows.
        each: gets the moment after each batch, and may refuse it.

    Raises:
        ValueError: a row is of a kind that is not known, or its body does not fit the kind.
    """
    history = History(start)
    for batch in batches:
        before, history = history, further(history, list(batch))
        if each is not None:
            each(moment_between(before, history))
    return history


def further(history: History, rows: Sequence[Row]) -> History:
    """The history after one more batch of rows: commands and events, an undo or a redo. Nothing is decided.

    Raises:
        ValueError: a row is of a kind that is not known, or its body does not fit the kind.
        Illegal: there is nothing to take back, or to do again.
    """
    kind, body = rows[0]
    if kind in (UNDO, REDO):
        travel = read_travel(body)
        if len(rows) > 1:
            raise ValueError(f"{kind} must be the only row of its batch")
        after = history.undo() if kind == UNDO else history.redo()
        moved = history.done if kind == UNDO else after.done
        if travel.batch and moved and travel.batch != moved.batch:
            raise ValueError(f"{kind} names row {travel.batch}, but its step begins at row {moved.batch}")
        return after
    commands = (read_command(*row) for row in rows if row[0].startswith(COMMAND))
    return history.take((read_event(*row) for row in rows if not row[0].startswith(COMMAND)), *commands)


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """One event from its row.

    Raises:
        ValueError: not an event of ours.
    """
    if kind not in EVENTS:
        raise ValueError(f"unknown event kind {kind!r}")
    event: Event = from_json(EVENTS[kind], dict(body))
    return event


def read_travel(body: Mapping[str, Any]) -> UndoRedoBody:
    """Body of an undo or a redo row. Raises ValueError."""
    return from_json(UndoRedoBody, dict(body))


def latest_first(histories: Sequence[History]) -> Iterator[Step]:
    """The steps of histories that followed one another, the latest first."""
    for history in reversed(histories):
        if history.done:
            yield from history.done.backwards()
