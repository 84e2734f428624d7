"""When a Textual app under test has done what a key asked for: seen on the event loop, without a fixed wait."""

from __future__ import annotations

import asyncio
import math
from asyncio import BaseEventLoop

SOON_S = 0.02
"""A timer that is due within this time is waited for, as Textual's own pause of 20 ms does."""


async def wait_for_idle(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Waits until the event loop has no callback to run and no timer due soon; `max_sleep` seconds at most.

    Replaces the function of that name in Textual, which sleeps 20 ms or more, twice for each key, and looks at the CPU
    time of the process: slow on a quiet machine, and on a busy one it calls an app idle that is not.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, BaseEventLoop)
    start = loop.time()
    while (now := loop.time()) < start + max_sleep:
        await asyncio.sleep(0)
        if loop._ready:  # type: ignore[attr-defined]
            continue
        timers = loop._scheduled  # type: ignore[attr-defined]
        due = min((timer.when() for timer in timers if not timer.cancelled()), default=math.inf)
        if due > now + SOON_S and now >= start + min_sleep:
            return
        await asyncio.sleep(max(0.0, min(due, now + SOON_S) - loop.time()))
