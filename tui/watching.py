"""A battle watched from a side's seat while it is played elsewhere: its file is read again when it has grown.

Nothing is written, no lock is taken. What the seat may know the engine decides (`seat`); nothing else is given out.
"""

from __future__ import annotations

from itertools import groupby

from engine.battle.projection import View
from engine.battle.record.history import History, further
from engine.battle.record.session import Session
from engine.battle.seat import NOTHING_SEEN, check_side, remember, seat_view, sides_of
from engine.errors import BattleboardError


class Watch:
    """What a side has come to know of a battle so far."""

    def __init__(self, session: Session, side: str = "") -> None:
        """Begins to watch.

        Args:
            session: the battle, open read-only.
            side: whose seat it is; "" for the first side there is.

        Raises:
            Unknown: there is no such side; the message names the nearest.
            BattleboardError: there is nobody yet.
        """
        battle = session.battle
        if not (known := sides_of(battle)):
            raise BattleboardError("Nobody has come to this battle yet; there is no side to watch it from.")
        self.side = side or known[0]
        check_side(battle, self.side)
        self._session = session
        self._history = session.history
        self._seq = sum(1 for _ in session.journal.rows())
        self._memory = NOTHING_SEEN
        self._ahead = [step.after for step in session.history.steps()]

    @property
    def title(self) -> str:
        """The battlefield and the rules."""
        return f"{self._history.battle.field.name} · {self._session.rules.name}"

    @property
    def is_behind(self) -> bool:
        """Whether there is something left to be looked at."""
        return bool(self._ahead)

    def catch_up(self) -> None:
        """Looks at one more moment of what has happened."""
        if self._ahead:
            self._memory = remember(self._memory, self._ahead.pop(0), self.side)

    def look_again(self) -> bool:
        """Reads what the file has more than before; whether there was anything.

        Raises:
            NotABattle: the file was damaged meanwhile.
            OpenElsewhere: it is being written this very moment; ask again.
        """
        rows = [row for row in self._session.journal.rows() if row.seq > self._seq]
        for _, found in groupby(rows, key=lambda row: row.batch):
            batch = list(found)
            self._history = self._further(batch[0].kind, [(row.kind, row.body) for row in batch])
            self._seq = batch[-1].seq
            self._ahead.append(self._history.battle)
        return bool(rows)

    def _further(self, kind: str, rows: list[tuple[str, object]]) -> History:
        try:
            return further(self._history, rows)  # type: ignore[arg-type]
        except Exception as error:  # a file that somebody else may have written
            raise BattleboardError(f"The battle cannot be followed further: {kind} does not fit.") from error

    def view(self) -> View:
        """What the side sees now."""
        return seat_view(self._history.battle, self._session.rules, self.side, self._memory)
