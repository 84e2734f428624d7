"""The end card of a seat: made of its frames alone, so that it has what that seat saw and nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from engine.values import replace
from tui.application.exports.end_card import EndCard, end_card, person_of
from tui.application.exports.frames import ReplayFrame


def seat_card(title: str, frames: Sequence[ReplayFrame], side: str) -> EndCard:
    """What a seat saw of a battle.

    Others are as they were when they were seen last; of them only those who were seen are counted.

    Args:
        title: the battle's.
        frames: those of the seat, one or more.
        side: the side that looks; PLAYERS has no units of its own.
    """
    met = frames_last_seen(frames)
    views = {frame.number: frame.view for frame in met.values()}
    people = [
        person_of(seen := views[frame.number].unit(unit), frame.battle, is_own=seen.side == side)
        for unit, frame in met.items()
    ]
    attacks = [replace(made, round=frame.round) for frame in frames for made in frame.attacks]
    last = frames[-1]
    return end_card(title, rounds_seen(frames), people, attacks, last.view.groups, is_over=last.battle.is_finished)


def frames_last_seen(frames: Sequence[ReplayFrame]) -> dict[str, ReplayFrame]:
    """The frame in which each unit was seen last, in the order of first sight."""
    last: dict[str, ReplayFrame] = {}
    for frame in frames:
        if not last.keys() >= frame.sight.after:
            last |= {unit.id: frame for unit in frame.view.units if unit.id not in last}
        last |= dict.fromkeys(frame.sight.after, frame)
    return last


def rounds_seen(frames: Sequence[ReplayFrame]) -> int:
    """How many rounds were played as far as a side saw: one that has just begun is none yet."""
    played = before = 0
    for frame in frames:
        if before > played and (frame.round > before or frame.sentences):
            played = before
        before = frame.round
    return played
