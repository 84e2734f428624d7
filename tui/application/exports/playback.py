"""Playback of a replay: how long a step is shown, and the speeds. The same for the screen and for a recording."""

from __future__ import annotations

from engine.battle.views.aftermath import Aftermath

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
USUAL_SPEED = SPEEDS.index(1.0)
QUIET_S, SHOWN_S, MARK_S, LONGEST_S = 0.8, 1.6, 0.6, 4.0
"""Seconds for a step with nothing to see on the board, for one with something, for each unit that it did something to,
and at most."""


def step_seconds(done: Aftermath, speed: float = 1.0) -> float:
    """Seconds for which a step is shown that did this.

    >>> step_seconds(Aftermath()), step_seconds(Aftermath(), 2.0)
    (0.8, 0.4)
    """
    seconds = QUIET_S if done.is_empty else min(SHOWN_S + MARK_S * len(done.marks), LONGEST_S)
    return seconds / speed


def speed_words(speed: float) -> str:
    """A speed for the title: "1×", "0.5×"."""
    return f"{speed:g}×"
