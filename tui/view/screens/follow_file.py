"""Follows a battle file for the player view: reads it again when it has changed.

A child process reads the file, reduces it to what the side may know (`seat_report`), prints that and ends. This
process never holds any other data of the battle, and never opens its file.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from engine.battle.views.aftermath import Aftermath
from engine.battle.views.view import View
from engine.errors import BattleboardError
from tui.application.describe.view_changes import Told
from tui.application.exports.end_card import EndCard
from tui.application.reports.seat_report import SeatReport, seat_of

PATIENCE = 10
"""After a failed read, checks of the file before the next try."""


class FollowedFile:
    """What a side sees of a battle, as of the last read."""

    def __init__(self, path: Path, side: str = "") -> None:
        """Reads the file once.

        Args:
            path: the battle's file.
            side: whose seat it is; "" for the first side there is.

        Raises:
            BattleboardError: the battle cannot be opened, or there is no such side; the message names the nearest.
        """
        self._path, self._side = path, side
        self._answer = b""
        """The last child's answer, passed to the next child, which continues from it."""
        self._stamp: tuple[int, ...] = ()
        self._refused = 0
        self._seat: SeatReport
        asyncio.run(self.read_again())
        self._side = self._seat.side

    @property
    def side(self) -> str:
        return self._seat.side

    @property
    def view(self) -> View:
        """What the side sees."""
        return self._seat.view

    @property
    def aftermath(self) -> Aftermath:
        """What the side knows of what the last command did."""
        return self._seat.aftermath

    @property
    def told(self) -> tuple[Told, ...]:
        """What the side saw happen, a sentence each, the latest last."""
        return self._seat.told

    @property
    def card(self) -> EndCard | None:
        """The end card of what the side saw, once the battle is finished."""
        return self._seat.card

    @property
    def title(self) -> str:
        """The battlefield and the rules."""
        return f"{self.view.field.name} · {self.view.ruleset}"

    def should_read(self) -> bool:
        """Whether the file has changed since the last read, or the last read failed a while ago."""
        if self._refused:
            self._refused -= 1
            return not self._refused or self._stamp != self._stamp_now()
        return self._stamp != self._stamp_now()

    async def read_again(self) -> bool:
        """Reads again; returns whether the view has changed.

        Raises:
            BattleboardError: the file cannot be read now.
        """
        before, self._stamp = self._stamp, self._stamp_now()  # writes during the read count for the next one
        self._refused = PATIENCE
        try:
            answer = await self._read(self._answer if before[:1] == self._stamp[:1] else b"")
            seat = seat_of(answer.decode())
        except OSError as error:
            raise BattleboardError(f"The battle cannot be read: {error.strerror or error}.") from None
        except ValueError:
            raise BattleboardError("The battle cannot be read: the answer is not valid.") from None
        self._refused = 0
        is_other = not self._answer or _shown(seat) != _shown(self._seat)
        self._seat, self._answer = seat, answer
        return is_other

    async def _read(self, before: bytes) -> bytes:
        """Runs a child process that continues from an earlier answer, and returns its output."""
        words = ["watch", str(self._path.absolute()), f"--side={self._side}", "--reader"]
        pipe = asyncio.subprocess.PIPE
        child = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "tui", *words, stdin=pipe, stdout=pipe, stderr=pipe
        )
        try:
            answer, complaint = await child.communicate(before)
        except asyncio.CancelledError:
            child.kill()
            raise
        if child.returncode != 0:
            raise BattleboardError(complaint.decode(errors="replace").strip() or "The battle cannot be read.")
        return answer

    def _stamp_now(self) -> tuple[int, ...]:
        try:
            status = self._path.stat()
        except OSError:
            return ()
        return status.st_ino, status.st_size, status.st_mtime_ns


def _shown(seat: SeatReport) -> tuple[object, ...]:
    """What the screen shows of a seat."""
    return seat.view, seat.told, seat.aftermath, seat.card
