"""A stage for secrets: a small battle without a file, and everything of it that is made for players.

What is made is compared byte by byte, with secret commands in between and without them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine.answers import Given
from engine.battle.command import Command
from engine.battle.state.battle import Battle
from engine.battle.state.units import Placement
from engine.battle.views.fog_of_war import sides_of
from engine.errors import BattleboardError
from engine.generators import result_of
from engine.journal.batches import JournalRow, Row, Stamp
from engine.journal.history import NEW, Moment, moment_between
from engine.journal.session import Beginning, Session
from engine.journal.store import Header
from engine.rules.model import Ruleset
from maps import parse_map
from tests.rules.table import SCALES, ruleset
from tests.stamps import NOW
from tui.application.exports import frames
from tui.application.exports.format_list import FORMATS, PLAYERS
from tui.application.exports.formats import exported
from tui.application.exports.seat_card import seat_card
from tui.application.exports.side_report import side_markdown
from tui.application.reports.seat_report import SeatReport, seat_json, seat_now

MAP = """
format = 1
name = "Hall and back room"
[scale]
square = {square}
unit = "{unit}"
[map]
squares = '''
################
#........#..#..#
#........#..#..#
#........+..+..#
#........#..#..#
#........#..#..#
################
'''
[[unit]]
id = "ada"
role = "gunman"
side = "law"
at = "B2"
[[unit]]
id = "ben"
role = "leader"
side = "law"
at = "B5"
[[unit]]
id = "bo"
role = "gunman"
side = "outlaws"
at = "H2"
[[unit]]
id = "cy"
role = "brawler"
side = "outlaws"
at = "H5"
[[unit]]
id = "lurker"
role = "gunman"
side = "outlaws"
at = "K2"
[[unit]]
id = "mole"
role = "gunman"
side = "outlaws"
at = "E4"
hidden = true
[[unit]]
id = "imp"
role = "brawler"
side = "outlaws"
at = "E6"
hidden = true
[[unit]]
id = "ghost"
role = "drone"
side = "third"
at = "G6"
hidden = true
"""
"""Law in the hall with two outlaws; one more in the back room, which nobody of the law sees; three whom the GM hides,
one of them on a side of its own."""

PLAYED = [name for name, one in FORMATS.items() if one.has_side]
"""The formats that may be made for players."""


class MemoryJournal:
    """What a session asks of its file, without one."""

    read_only = False

    def __init__(self, header: Header, rows: Sequence[JournalRow] = ()) -> None:
        self.header = header
        self.path = Path("hall-1.battle")
        self._rows = [*rows]

    def append(self, rows: Sequence[Row], stamp: Stamp) -> None:
        first = len(self._rows) + 1
        self._rows += [JournalRow(first + place, first, stamp, *row) for place, row in enumerate(rows)]

    def rows(self) -> Iterator[JournalRow]:
        return iter(self._rows)


class Stage:
    """A battle under way, and each moment of it."""

    def __init__(self, session: Session, moments: Sequence[Moment]) -> None:
        self.session = session
        self.moments = [*moments]

    @classmethod
    def begin(cls, rules: str, *placements: Placement) -> Stage:
        """A new battle in its set-up phase."""
        square, unit = SCALES[rules]
        found = parse_map(MAP.format(square=square, unit=unit), "hall.toml")
        header = Header("id", "0.1.0", "2026-01-01", found.battlefield.name, "hall.toml", "", rules, {}, "seed-7")
        journal: Any = MemoryJournal(header)
        session = Session.start(
            found.battlefield, (*found.placements, *placements), ruleset(rules), journal, lambda: NOW, Beginning()
        )
        assert session.history.done is not None
        return cls(session, [Moment(NEW, session.history.done, session.battle)])

    def copy(self) -> Stage:
        """The same battle, to be played on apart."""
        old: Any = self.session.journal
        journal: Any = MemoryJournal(old.header, [*old.rows()])
        session = Session(self.session.rules, self.session.history, journal, lambda: NOW)
        return Stage(session, self.moments)

    @property
    def battle(self) -> Battle:
        return self.session.battle

    @property
    def battles(self) -> list[Battle]:
        """The battle after each moment."""
        return [one.battle for one in self.moments]

    @property
    def rules(self) -> Ruleset:
        return self.session.rules

    def do(self, command: Command | str, answers: Given = ()) -> None:
        """Carries out a command, "undo" or "redo"."""
        before = self.session.history
        if isinstance(command, Command):
            self.session.submit(command, answers)
        else:
            (self.session.undo if command == "undo" else self.session.redo)()
        self.moments.append(moment_between(before, self.session.history))

    def sides(self) -> list[str]:
        return [] if self.battle.is_set_up else sides_of(self.battle)

    def files(self, side: str) -> dict[str, str]:
        """Every export that is made for players or for a side, by format."""
        found = {}
        for name in PLAYED:
            try:
                found[name] = exported(self.session, name, side)
            except BattleboardError as reason:
                found[name] = str(reason)
        return found

    def seen(self, side: str) -> dict[str, object]:
        """The reports, the end card, and what pictures and recordings are drawn of: equal values give equal files."""
        seen = result_of(frames.frames_of(self.session, side))
        is_report = side == PLAYERS
        report = exported(self.session, "markdown", side) if is_report else side_markdown(self.session, side, seen)
        card = seat_card("Battle", seen, side) if seen else None
        return {
            "markdown": report,
            "card": card,
            "frames": [(one.number, one.view, one.done, one.words) for one in seen],
        }

    def seat(self, side: str, before: SeatReport | None = None) -> SeatReport:
        """What a player of a side watches."""
        return seat_now(self.moments, self.rules, side, before)


def watched(seat: SeatReport) -> str:
    """What `watch --json` prints of a seat, and what its screen shows besides."""
    return json.dumps([seat_json(seat), seat.events, str(seat.aftermath)])


VIEWERS = (PLAYERS, "law", "outlaws")
