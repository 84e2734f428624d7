"""Replay session: a read-only session at one step of a battle's history.

A step is one command with all its events. A new battle can branch off any step, in a new file.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from pathlib import Path

from engine.answers import Given
from engine.battle import command as cmd
from engine.battle.events import Event
from engine.battle.seats import GAME_MASTER, GM_NAME, Seat
from engine.battle.views.aftermath import Aftermath
from engine.errors import Illegal
from engine.journal.batches import Batch, batches
from engine.journal.history import Step, aftermath_of
from engine.journal.row_kinds import REDO, UNDO
from engine.journal.session import Session
from engine.journal.store import Journal
from engine.text import clean
from engine.values import replace
from tui.application.exports.restore import keep_rows
from tui.application.library.battle_files import free_path, now, stamp
from tui.application.settings.folders import data_folder
from tui.application.terminal.version import version

MOST_TITLE = 80
PLACE = re.compile(r"(?P<kind>[re]?)\s*(?P<number>\d{1,9})")


class Replay(Session):
    """Session at one of the steps that were not undone, first at the start."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.rules, session.history, session.journal, stamp)
        self.steps = tuple(session.history.steps_with_battles())
        self.place = 0
        self.go(0)

    def go(self, place: int) -> tuple[Event, ...]:
        """Goes to a step, counted from 0, or to the nearest one; returns its events."""
        if not self.steps:
            return ()
        self.place = min(max(place, 0), len(self.steps) - 1)
        self.history = replace(self.history, done=self.step, undone=None)
        return self.step.events

    @property
    def step(self) -> Step:
        """The present step."""
        return self.steps[self.place]

    @property
    def aftermath(self) -> Aftermath:
        """What the present step did on the board; nothing for the start of the battle."""
        return aftermath_of(self.step, self.rules)

    @property
    def actor(self) -> str:
        """The id of the unit that the present step's command is about, else of the one whose turn it is."""
        units, submitted = self.battle.units, self.step.commands[:1]
        unit = getattr(submitted[0].command, "unit", "") if submitted else ""
        return unit if unit in units else self.battle.turns.active

    def in_round(self, number: int) -> int:
        """The index of the step where a round begins.

        Raises:
            Illegal: the battle had no such round.
        """
        found = next((place for place, step in enumerate(self.steps) if step.after.turns.round >= number), None)
        if found is None or number < 1:
            raise Illegal("replay", f"The battle has rounds 1 to {self.steps[-1].after.turns.round}.")
        return found

    def next_round(self, step: int) -> int:
        """The index of the step where the next round begins; backwards, this round or the previous one."""
        here = self.step.after.turns.round
        if step > 0:
            later = (place for place, one in enumerate(self.steps) if one.after.turns.round > here)
            return next(later, len(self.steps) - 1)
        start = self.in_round(here) if here else 0
        return start if start < self.place else self.in_round(here - 1) if here > 1 else 0

    def find(self, text: str) -> int:
        """Parses an index: "12" for a step, "r3" for a round, "e57" for an event as numbered in exports.

        Raises:
            Illegal: it names none.
        """
        match = PLACE.fullmatch(text.strip().lower())
        if match is None:
            raise Illegal("replay", "Type a step such as 12, a round such as r3, or an event such as e57.")
        number = int(match["number"])
        if match["kind"] == "r":
            return self.in_round(number)
        if match["kind"] == "e":
            return self._of_event(number)
        if not 1 <= number <= len(self.steps):
            raise Illegal("replay", f"The battle has steps 1 to {len(self.steps)}.")
        return number - 1

    def _of_event(self, seq: int) -> int:
        for batch, number in _steps_of(self.journal):
            if batch.first <= seq <= batch.last:
                for place, step in enumerate(self.steps):
                    if step.number == number:
                        return place
                raise Illegal("replay", f"Event {seq} was undone: it is not a step of this battle.")
        raise Illegal("replay", f"There is no event {seq}.")

    def submit(
        self,
        command: cmd.Command,
        answers: Given = (),
        *,
        asks: bool = False,
        asks_dice: bool = False,
        seat: Seat = GAME_MASTER,
    ) -> tuple[Event, ...]:
        raise Illegal("replay", "A replay takes no commands. Start a new battle from this step to play on.")

    def undo(self, asked_by: str = GM_NAME) -> tuple[Event, ...]:
        raise Illegal("replay", "This is a replay: step back instead of undo.")

    def redo(self, asked_by: str = GM_NAME) -> tuple[Event, ...]:
        raise Illegal("replay", "This is a replay: step forward instead of redo.")


def branch(replay: Replay) -> Path:
    """Writes a new battle with all commands up to the replay's step; returns its file.

    Args:
        replay: of a battle whose file is open.

    Raises:
        CannotSave: the disk refused; nothing is left behind.
    """
    batches: list[Batch] = []
    for batch, number in _steps_of(replay.journal):
        batches.append(batch)
        if number == replay.step.number:
            break
    title = clean(f"{replay.journal.header.title}, from step {replay.place + 1}", MOST_TITLE)
    header = replace(replay.journal.header, battle_id=str(uuid.uuid4()), version=version(), created=now(), title=title)
    return keep_rows(header, batches, free_path(data_folder() / "battles", title))


def _steps_of(journal: Journal) -> Iterator[tuple[Batch, int]]:
    """Yields the batch of each command with its step's number; of an undo or a redo with 0."""
    number = 0
    for batch in batches(journal.rows()):
        is_command = batch.rows[0][0] not in (UNDO, REDO)
        number += is_command
        yield batch, number if is_command else 0
