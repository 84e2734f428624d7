"""A battle's replay as a recording for asciinema: asciicast v2, one JSON array a line, no program runs in it.

https://docs.asciinema.org/manual/asciicast/v2/ describes the format: a header, then
[seconds, "o", what the terminal gets]; [seconds, "m", label] marks a round, to
which players jump with their bracket keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime

from rich.color import ColorSystem
from rich.segment import Segment
from textual._compositor import LayoutUpdate
from textual.geometry import Region
from textual.strip import Strip

from engine.errors import BattleboardError
from engine.journal.session import Session
from tui.board.picture import Run
from tui.describe.styled_text import wrap
from tui.exports.battle_titles import battle_title
from tui.exports.board_pictures import NOTHING_YET, STRONG, TEXT, BoardArtist, caption, crop_of, text_row
from tui.exports.frames import ReplayFrame, frames_of, is_sentence
from tui.exports.playback import LONGEST_S, step_seconds
from tui.terminal.frame_diff import Shown

LEAST_COLUMNS = 80
MEDIUM_CELLS = (112, 32)
"""Cells of a board up to which squares are drawn in medium size: a recording is watched in a window of usual size."""
TEXT_ROWS = 4
CLEAR, HIDE, SHOW = "\x1b[2J\x1b[H", "\x1b[?25l", "\x1b[?25h"


def write_cast(session: Session, side: str) -> str:
    """The recording.

    Raises:
        BattleboardError: the battle is still being set up.
    """
    header = session.journal.header
    frames = frames_of(session, side)
    first = next(iter(frames), None)
    if first is None:
        raise BattleboardError(NOTHING_YET)
    artist = BoardArtist(crop_of(frames, MEDIUM_CELLS))
    columns, rows = artist.size(first.view)
    size = max(LEAST_COLUMNS, columns), rows + 1 + TEXT_ROWS
    head = {
        "version": 2,
        "width": size[0],
        "height": size[1],
        "timestamp": int(datetime.fromisoformat(header.created).timestamp()),
        "title": battle_title(session),
        "env": {"TERM": "xterm-256color"},
    }
    lines = [head, *_events(frames, side, artist, size)]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _events(frames: list[ReplayFrame], side: str, artist: BoardArtist, size: tuple[int, int]) -> Iterator[list[object]]:
    """The recording's events: each frame as its difference from the one before."""
    screen, seconds, number = Shown(), 0.0, -1
    yield [0.0, "o", HIDE + CLEAR]
    for frame in frames:
        if frame.view.round != number:
            number = frame.view.round
            yield [_rounded(seconds), "m", f"Round {number}" if number else "Start"]
        drawn = _screen(frame, side, artist, size)
        strips: list[Iterable[Strip]] = [[Strip([Segment(text, style) for text, style in row])] for row in drawn]
        update = LayoutUpdate(strips, Region(0, 0, *size))
        if written := screen.written(update, ColorSystem.TRUECOLOR):
            yield [_rounded(seconds), "o", written]
        seconds += step_seconds(frame.done)
    yield [_rounded(seconds + LONGEST_S), "o", f"\x1b[m\x1b[{size[1]};1H{SHOW}"]


def _rounded(seconds: float) -> float:
    """Seconds as the recording has them: to the millisecond."""
    return round(seconds, 3)


def _screen(frame: ReplayFrame, side: str, artist: BoardArtist, size: tuple[int, int]) -> list[list[Run]]:
    """All rows of a frame: where one is, the board, what happened."""
    width, height = size
    where = f"{caption(frame, side)} · step {frame.number}"
    active = next((unit.name for unit in frame.view.units if unit.id == frame.view.active), "")
    said = wrap(" ".join(filter(is_sentence, frame.words)), width - 2)[:TEXT_ROWS]
    board = artist.rows(frame.view, frame.done, frame.view.active)
    rows = [text_row(f"{where}{f' · {active}' if active else ''}", width, STRONG)]
    for row in board:
        taken = sum(Segment(text).cell_length for text, _ in row)
        rows.append([*row, (" " * (width - taken), TEXT)])
    rows += [text_row(line, width) for line in said]
    return rows + [text_row("", width)] * (height - len(rows))
