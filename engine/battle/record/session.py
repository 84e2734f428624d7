"""A session: one battle being played. Commands are decided, committed to the journal, and only then shown.

The first step is the beginning itself, so undo stops there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import groupby

from engine.battle import commands as cmd
from engine.battle.battle import Battle
from engine.battle.decide import decide
from engine.battle.events import Event
from engine.battle.record.history import REDONE, UNDONE, History, event_rows, replay
from engine.battle.record.journal import Journal
from engine.battle.setup import begin
from engine.battle.units import Placement
from engine.field.battlefield import Battlefield
from engine.rules.model import Ruleset


class Session:
    """Holds the present history; the only place that writes to the journal."""

    def __init__(self, rules: Ruleset, history: History, journal: Journal, now: Callable[[], str]) -> None:
        self.rules = rules
        self.history = history
        self.journal = journal
        self._now = now

    @classmethod
    def start(
        cls,
        field: Battlefield,
        placements: Iterable[Placement],
        rules: Ruleset,
        journal: Journal,
        now: Callable[[], str],
    ) -> Session:
        """A new battle on a fresh journal; the order is rolled at once.

        Raises:
            Unknown: the ruleset has no sheet for a role on the map.
            CannotSave: the disk refused.
        """
        session = cls(rules, History(Battle(field)), journal, now)
        opening: tuple[Event, ...] = (begin(placements, rules, journal.header.seed),)
        ready = session.history.take(opening).battle
        if ready.units:
            opening += decide(ready, cmd.RollInitiative(), rules)
        session._commit(session.history.take(opening), event_rows(opening))
        return session

    @classmethod
    def resume(cls, field: Battlefield, rules: Ruleset, journal: Journal, now: Callable[[], str]) -> Session:
        """A battle as its journal left it.

        Raises:
            ValueError: the journal's events do not fit this program.
        """
        batches = groupby(journal.rows(), key=lambda row: row.batch)
        history = replay(Battle(field), ([(row.kind, row.body) for row in rows] for _, rows in batches))
        return cls(rules, history, journal, now)

    @property
    def battle(self) -> Battle:
        return self.history.battle

    def submit(
        self, command: cmd.Command, typed: cmd.Typed = (), *, asks: bool = False, asks_answers: bool = False
    ) -> tuple[Event, ...]:
        """Decides a command, commits its events, then changes the battle.

        Raises:
            Illegal, Unknown: nothing happened.
            NeedDice: nothing happened yet; submit again with these dice typed.
            NeedAnswer: nothing happened yet; submit again with the attack's `defence` said.
            CannotSave: the disk refused; nothing happened.
        """
        events = decide(self.battle, command, self.rules, typed, asks=asks, asks_answers=asks_answers)
        self._commit(self.history.take(events), event_rows(events))
        return events

    def undo(self) -> tuple[Event, ...]:
        """Takes the last command back; gives the events that no longer count.

        Raises:
            Illegal: nothing to take back.
            CannotSave: the disk refused.
        """
        taken_back = self.history.done
        self._commit(self.history.undo(), [(UNDONE, {"step": taken_back.number if taken_back else 0})])
        return taken_back.events if taken_back else ()

    def redo(self) -> tuple[Event, ...]:
        """Does the command last taken back again; gives its events."""
        self._commit(history := self.history.redo(), [(REDONE, {"step": history.done.number if history.done else 0})])
        return history.done.events if history.done else ()

    def close(self) -> None:
        self.journal.close()

    def _commit(self, history: History, rows: list[tuple[str, dict[str, object]]]) -> None:
        self.journal.append(rows, self._now())
        self.history = history
