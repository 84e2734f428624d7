"""A battle's replay as a recording for asciinema: asciicast v2, one JSON array a line, no program runs in it.

https://docs.asciinema.org/manual/asciicast/v2/ describes the format: a header, then
[seconds, "o", what the terminal gets]; [seconds, "m", label] marks a round, to
which players jump with their bracket keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction

from rich.color import ColorSystem
from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.application.describe.text_layout import wrap
from tui.application.exports.battle_titles import battle_title
from tui.application.exports.frames import ReplayFrame
from tui.application.exports.playback import LONGEST_S, step_seconds
from tui.application.overlays.markings import Beat, Markings, beat_of
from tui.application.terminal.jobs import Job
from tui.view.board.picture import Run
from tui.view.exports.board_pictures import NOTHING_YET, STRONG, TEXT, BoardArtist, caption, crop_of, marked, text_row
from tui.view.terminal.frame_diff import Shown

LEAST_COLUMNS = 80
MEDIUM_CELLS = (112, 32)
"""Cells of a board up to which squares are drawn in medium size: a recording is watched in a window of usual size."""
TEXT_ROWS = 4
CLEAR, HIDE, SHOW = "\x1b[2J\x1b[H", "\x1b[?25l", "\x1b[?25h"


def write_cast(session: Session, side: str, frames: Sequence[ReplayFrame]) -> Job[str]:
    """The recording; a part of the job is a frame.

    Args:
        session: the battle.
        side: whose sight it shows; as `frames_of`.
        frames: what is seen of it.

    Raises:
        BattleboardError: the battle is still being set up.
    """
    header = session.journal.header
    if not frames:
        raise BattleboardError(NOTHING_YET)
    artist = BoardArtist(crop_of(frames, MEDIUM_CELLS))
    columns, rows = artist.size(frames[0].view)
    size = max(LEAST_COLUMNS, columns), rows + 1 + TEXT_ROWS
    head = {
        "version": 2,
        "width": size[0],
        "height": size[1],
        "timestamp": int(datetime.fromisoformat(header.created).timestamp()),
        "title": battle_title(session),
        "env": {"TERM": "xterm-256color"},
    }
    lines: list[object] = [head, [0.0, "o", HIDE + CLEAR]]
    screen, seconds, number = Shown(), 0.0, -1
    for place, frame in enumerate(frames, 1):
        yield Fraction(place, len(frames))
        if frame.round != number:
            number = frame.round
            lines.append([_rounded(seconds), "m", f"Round {number}" if number else "Start"])
        for markings, shown_s in _pictures(frame):
            drawn = _screen(frame, markings, side, artist, size)
            strips: list[Iterable[Strip]] = [[Strip([Segment(text, style) for text, style in row])] for row in drawn]
            update = LayoutUpdate(strips, Region(0, 0, *size))
            if written := screen.written(update, ColorSystem.TRUECOLOR):
                lines.append([_rounded(seconds), "o", written])
            seconds += shown_s
    lines.append([_rounded(seconds + LONGEST_S), "o", f"\x1b[m\x1b[{size[1]};1H{SHOW}"])
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _rounded(seconds: float) -> float:
    """Seconds as the recording has them: to the millisecond."""
    return round(seconds, 3)


def _pictures(frame: ReplayFrame) -> Beat:
    """What was done as it happened, then what it left for as long as one looks at it."""
    whole, view = marked(frame.done, frame.view.active), frame.view
    down = {unit.id for unit in view.units if unit.is_defeated}
    return [*beat_of(whole, down), (whole, step_seconds(frame.done))]


def _screen(
    frame: ReplayFrame, markings: Markings, side: str, artist: BoardArtist, size: tuple[int, int]
) -> list[list[Run]]:
    """All rows of a picture: where one is, the board, what happened."""
    (width, height), view = size, frame.view
    where = f"{caption(view, side)} · step {frame.number}"
    active = next((unit.name for unit in view.units if unit.id == view.active), "")
    said = wrap(" ".join(frame.sentences), width - 2)[:TEXT_ROWS]
    board = artist.drawn(view, markings)
    rows = [text_row(f"{where}{f' · {active}' if active else ''}", width, STRONG)]
    for row in board:
        taken = sum(Segment(text).cell_length for text, _ in row)
        rows.append([*row, (" " * (width - taken), TEXT)])
    rows += [text_row(line, width) for line in said]
    return rows + [text_row("", width)] * (height - len(rows))
