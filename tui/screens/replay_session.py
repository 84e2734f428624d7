"""A battle looked at step by step: a session that stands somewhere in its own history and takes no command.

A step is one command with all its events. From any of them another battle may be begun, in a file of its own.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from engine.answers import Given
from engine.battle import command as cmd
from engine.battle.events import Event
from engine.errors import Illegal
from engine.journal.history import Step
from engine.journal.row_kinds import REDO, UNDO
from engine.journal.session import Session
from engine.journal.store import Journal, JournalRow
from engine.text import clean
from engine.values import replace
from tui.exports.battle_record import Batch
from tui.exports.restore import keep_rows
from tui.library.battle_files import free_path, now
from tui.settings.folders import data_folder
from tui.terminal.version import version

MOST_TITLE = 80
PLACE = re.compile(r"(?P<kind>[re]?)\s*(?P<number>\d{1,9})")


class Replay(Session):
    """Shows the steps that count, one at a time, the beginning first."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.rules, session.history, session.journal, now)
        self.steps = tuple(session.history.steps_kept_whole())
        self.place = 0
        self.go(0)

    def go(self, place: int) -> tuple[Event, ...]:
        """Goes to the step at a place, counted from 0, or to the nearest there is; gives its events."""
        if not self.steps:
            return ()
        self.place = min(max(place, 0), len(self.steps) - 1)
        self.history = replace(self.history, done=self.step, undone=None)
        return self.step.events

    @property
    def step(self) -> Step:
        """Where it stands."""
        return self.steps[self.place]

    def in_round(self, number: int) -> int:
        """The place where a round begins.

        Raises:
            Illegal: the battle had no such round.
        """
        found = next((place for place, step in enumerate(self.steps) if step.after.turns.round >= number), None)
        if found is None or number < 1:
            raise Illegal("replay", f"There are rounds 1 to {self.steps[-1].after.turns.round} only.")
        return found

    def next_round(self, step: int) -> int:
        """The place where the next round begins, or this one, or where that is here the one before."""
        here = self.step.after.turns.round
        if step > 0:
            later = (place for place, one in enumerate(self.steps) if one.after.turns.round > here)
            return next(later, len(self.steps) - 1)
        start = self.in_round(here) if here else 0
        return start if start < self.place else self.in_round(here - 1) if here > 1 else 0

    def find(self, text: str) -> int:
        """The place that a text names: "12" a step, "r3" a round, "e57" an event as exports number them.

        Raises:
            Illegal: it names none.
        """
        match = PLACE.fullmatch(text.strip().lower())
        if match is None:
            raise Illegal("replay", "Say a step as 12, a round as r3, an event as e57.")
        number = int(match["number"])
        if match["kind"] == "r":
            return self.in_round(number)
        if match["kind"] == "e":
            return self._of_event(number)
        if not 1 <= number <= len(self.steps):
            raise Illegal("replay", f"There are steps 1 to {len(self.steps)} only.")
        return number - 1

    def _of_event(self, seq: int) -> int:
        for rows, number in _steps_of(self.journal):
            if rows[0].seq <= seq <= rows[-1].seq:
                for place, step in enumerate(self.steps):
                    if step.number == number:
                        return place
                raise Illegal("replay", f"Event {seq} was taken back; it is no step of this battle.")
        raise Illegal("replay", f"There is no event {seq}.")

    def submit(
        self, command: cmd.Command, answers: Given = (), *, asks: bool = False, asks_dice: bool = False
    ) -> tuple[Event, ...]:
        raise Illegal("replay", "A replay takes no command. Begin a battle of your own from here to play on.")

    def undo(self) -> tuple[Event, ...]:
        raise Illegal("replay", "This is a replay: , goes a step back.")

    def redo(self) -> tuple[Event, ...]:
        raise Illegal("replay", "This is a replay: . goes a step on.")


def branch(replay: Replay) -> Path:
    """A new battle with everything up to where a replay stands; gives its file.

    Args:
        replay: of a battle whose file is open.

    Raises:
        CannotSave: the disk refused; nothing is left behind.
    """
    kept: list[Batch] = []
    for rows, number in _steps_of(replay.journal):
        kept.append(([(row.kind, row.body) for row in rows], rows[0].time))
        if number == replay.step.number:
            break
    title = clean(f"{replay.journal.header.title}, from step {replay.place + 1}", MOST_TITLE)
    header = replace(replay.journal.header, battle_id=str(uuid.uuid4()), version=version(), created=now(), title=title)
    return keep_rows(header, kept, free_path(data_folder() / "battles", title))


def _steps_of(journal: Journal) -> Iterator[tuple[list[JournalRow], int]]:
    """The rows of each command with its step's number; of an undo or a redo with 0."""
    number = 0
    for _, found in groupby(journal.rows(), key=lambda row: row.batch):
        rows = list(found)
        is_command = rows[0].kind not in (UNDO, REDO)
        number += is_command
        yield rows, number if is_command else 0
