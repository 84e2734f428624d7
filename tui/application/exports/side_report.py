"""What one side saw of a battle, in words: its report, built up from what it may know and never cut down.

Of its own units the log tells everything but the rolls against others; of others what is seen. Receipts hold the
others' numbers, so there are none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.battle.views.view import UnitView
from engine.journal.session import Session
from engine.text import side_name
from tui.application.describe.battle_start import SETTING_UP
from tui.application.exports.battle_titles import battle_title
from tui.application.exports.format_list import view_words
from tui.application.exports.frames import ReplayFrame
from tui.application.exports.markdown_report import (
    BLANKS,
    plain,
    rounds_words,
    without_empty,
)
from tui.application.exports.seat_card import frames_last_seen, rounds_seen


def side_markdown(session: Session, side: str, frames: Sequence[ReplayFrame]) -> str:
    """The report of what a side saw, which its frames have."""
    header, rules = session.journal.header, session.rules
    lines = [f"# {plain(battle_title(session))}", "", f"{plain(rules.name)}, begun {plain(header.created[:10])}."]
    if not frames:
        return "\n".join([*lines, "", SETTING_UP, ""])
    lines[-1] += f" {rounds_words(rounds_seen(frames))}, as {plain(side_name(side))} saw it."
    log = [_line(mark, words) for frame in frames for mark, words in frame.words]
    lines += ["", f"*{plain(view_words(side))}*"]
    lines += ["", "## Units", "", *_people(frames, side), ""]
    lines += without_empty([row for line in log for row in line.split("\n")])
    return BLANKS.sub("\n\n", "\n".join([*lines, "", f"*Written by battleboard {plain(header.version)}.*", ""]))


def _line(mark: str, words: str) -> str:
    return f"\n{mark}{plain(words)}\n" if mark else f"- {plain(words)}"


def _people(frames: Sequence[ReplayFrame], side: str) -> Iterator[str]:
    """A side's own units with the first number and what is no longer full, and the others that it met."""
    yield "| Name | Side | Left | When last seen |"
    yield "|---|---|---|---|"
    for unit in sorted(_last_seen(frames), key=lambda unit: unit.side != side):
        left = (
            f"{pool.label} {pool.now} of {pool.full}"
            for place, pool in enumerate(unit.pools)
            if unit.side == side and (place == 0 or pool.now != pool.full)
        )
        cells = (
            unit.name,
            side_name(unit.side),
            "; ".join(left),
            "out of the fight" if unit.is_defeated else f"on {unit.at.name}",
        )
        yield f"| {' | '.join(plain(cell) for cell in cells)} |"


def _last_seen(frames: Sequence[ReplayFrame]) -> list[UnitView]:
    """Everybody that was seen, in the order of first sight, as they were when they were seen last."""
    last = frames_last_seen(frames)
    views = {frame.number: frame.view for frame in last.values()}
    return [views[frame.number].unit(unit) for unit, frame in last.items()]
