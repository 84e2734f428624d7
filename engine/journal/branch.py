"""What-if branch: a copy of a battle that is played like the battle, and then kept or dropped."""

from __future__ import annotations

from engine.battle.events import Event
from engine.battle.seats import GM_NAME
from engine.errors import Illegal
from engine.journal.batches import Row
from engine.journal.history import History, command_rows, event_rows
from engine.journal.session import Session
from engine.journal.submitted_commands import SubmittedCommand
from engine.values import replace

OTHER_DICE = "what if"


class Branch(Session):
    """Plays on from a session's present state without saving anything, with fresh dice."""

    def __init__(self, real: Session) -> None:
        start = replace(real.battle, dice=replace(real.battle.dice, seed=f"{real.battle.dice.seed} {OTHER_DICE}"))
        super().__init__(real.rules, History(start, seen_as=real.history.seen_as).take(()), real.journal, real._stamp)
        self.real = real

    @property
    def histories(self) -> tuple[History, ...]:
        return (*self.real.histories, self.history)

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that was done since it began and was not taken back."""
        return tuple(event for step in self.history.steps() for event in step.events)

    @property
    def command_count(self) -> int:
        """How many commands were done and not taken back."""
        return len(self.history.steps()) - 1

    def undo(self, asked_by: str = GM_NAME) -> tuple[Event, ...]:
        """As of any session; at its start it names the branch."""
        if not self.command_count:
            raise Illegal("undo", "Nothing to undo: this is the start of the branch.")
        return super().undo(asked_by)

    def keep(self) -> tuple[Event, ...]:
        """Keeps the branch as one step, which one undo removes; returns its events.

        Raises:
            Illegal: nothing was done.
            CannotSave: the disk refused; nothing happened.
        """
        events = self.events
        if not events:
            raise Illegal("rehearsal", "No commands to keep.")
        rows, commands = list[Row](), list[SubmittedCommand]()
        for step in self.history.steps():
            replayed = [replace(one, corrects=0) for one in step.commands]  # what it corrects is not in the file
            rows += [*command_rows(*replayed), *event_rows(step.events)]
            commands += replayed
        self.real._commit(self.real.history.take(events, *commands), rows)
        return events

    def close(self) -> None:
        """The file is the real session's."""

    def _commit(self, history: History, rows: list[Row], seat: str = GM_NAME) -> None:
        self.history = history
