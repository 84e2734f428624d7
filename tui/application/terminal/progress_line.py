"""Progress of a long command, in one line of a terminal that is gone when the command has ended."""

from __future__ import annotations

import sys
from time import monotonic

from engine.dice.dice_text import percent
from tui.application.terminal.jobs import Job, Made
from tui.application.terminal.output import replace_line

SILENT_S, EVERY_S = 0.5, 0.25
"""Seconds before the first word, and between two."""


def with_progress_line(job: Job[Made]) -> Made:
    """What a job makes; on standard error, if that is a terminal, its progress and the key that cancels it.

    Raises:
        KeyboardInterrupt: it was cancelled.
    """
    shows, due, is_shown = sys.stderr is not None and sys.stderr.isatty(), monotonic() + SILENT_S, False
    try:
        while True:
            share = next(job)
            if shows and monotonic() >= due:
                replace_line(f"{percent(share)} done. Ctrl+C cancels.")
                due, is_shown = monotonic() + EVERY_S, True
    except StopIteration as ended:
        made: Made = ended.value
        return made
    finally:
        if is_shown:
            replace_line("")
