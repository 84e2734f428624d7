"""What one side is shown of a battle, command by command, as commands come, are undone and are done again.

What leads to the turn of a unit that the GM has hidden is shown with the next thing that the side sees: when it was
done would tell that somebody hidden acts. What the side does not see is nothing at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice, takewhile
from typing import Generic, TypeVar

from engine.battle import events as ev
from engine.battle.views.side_moments import HIDDEN_TURN, HIDDEN_TURN_BEGINS, KNOWN_TURN, SideMoment
from engine.journal.history import Moment, Step
from engine.journal.row_kinds import REDO, UNDO
from engine.values import replace

Seen = TypeVar("Seen")
See = Callable[[Sequence[Step], SideMoment | None, SideMoment], Seen | None]
"""What is seen of some steps that are shown together, the latest last; None for nothing. Given the moments before and
after: the first has none before it. All but the last step led to turns of somebody hidden."""


class SideHistory(Generic[Seen]):
    """What a side has seen of each command."""

    def __init__(
        self, see: See[Seen], done: Iterable[tuple[Seen, ...]] = (), undone: Iterable[tuple[Seen, ...]] = ()
    ) -> None:
        """With what was seen of the commands before those that will be taken."""
        self.done = [*done]
        """What was seen of each command that counts, the latest last; () for nothing."""
        self.undone = [*undone]
        """The same of undone commands that can be done again, the next last."""
        self._see = see
        self._now: SideMoment | None = None
        self._last = 0
        """Number of the latest step that counts."""
        self._after: dict[int, SideMoment] = {}
        """What was known when a step was the latest, by its number."""

    def pass_over(self, moment: Moment, now: SideMoment) -> None:
        """Goes on to a moment of which nothing is shown.

        Args:
            moment: what was done.
            now: what the side knows after it.
        """
        latest = moment.step.previous if moment.kind == UNDO else moment.step
        self._now, self._last = now, 0 if latest is None else latest.number
        self._after[self._last] = now

    def take(self, moment: Moment, now: SideMoment) -> None:
        """Goes on to a moment, and keeps what the side sees of it.

        Args:
            moment: what was done.
            now: what the side knows after it.
        """
        if moment.kind == UNDO:
            self.undone.append(self.done.pop() if self.done else ())
            if self.done and now.turn == HIDDEN_TURN_BEGINS:  # what was shown stays shown
                self.done[-1] += self.undone[-1]
                self.undone[-1] = ()
        elif moment.kind == REDO:
            self.done.append(self.undone.pop() if self.undone else ())
        else:
            self._add(moment.step, now)
        self.pass_over(moment, now)

    def _add(self, step: Step, now: SideMoment) -> None:
        before, previous = self._now, step.previous
        if previous is not None and previous.number != self._last:  # it takes the place of the latest
            del self.done[-1:]
            if (known := self._after.get(previous.number)) is not None:
                before = replace(known, memory=now.memory)
        waiting, found = self._not_shown_yet(step), None
        if now.turn != HIDDEN_TURN_BEGINS:
            found = self._see([step] if now.turn == HIDDEN_TURN else [*waiting, step], before, now)
        if found is not None and waiting and now.turn == HIDDEN_TURN:
            found = self._see([*waiting, step], before, now)
        self.done.append(() if found is None else (found,))
        self.undone.clear()

    def _not_shown_yet(self, step: Step) -> list[Step]:
        """The steps before one that led to turns of somebody hidden and are not shown yet, the latest last.

        What somebody hidden did in such a turn is not among them: it is never shown, even if it is revealed later.
        """
        before = zip(islice(step.backwards(), 1, None), reversed(self.done), strict=False)
        unseen = takewhile(lambda one: not one[1] and self._turn_after(one[0]) != KNOWN_TURN, before)
        return [one for one, _ in unseen if self._turn_after(one) == HIDDEN_TURN_BEGINS][::-1]

    def _turn_after(self, step: Step) -> str:
        known = self._after.get(step.number)
        return KNOWN_TURN if known is None else known.turn


def hidden_at(step: Step) -> frozenset[str]:
    """Ids of those hidden from the players before or after a step, or in it, but for those whom it shows to them."""
    battles = (step.after, *((step.previous.after,) if step.previous else ()))
    hidden = {unit.id for battle in battles for unit in battle.units.values() if unit.is_hidden}
    for event in step.events:
        match event:
            case ev.UnitsAdded():  # it may have been removed again in a what-if
                hidden |= {unit.id for unit in event.units if unit.is_hidden}
            case ev.UnitHidden():
                hidden.add(event.unit)
    return frozenset(hidden - {event.unit for event in step.events if isinstance(event, ev.UnitShown)})
