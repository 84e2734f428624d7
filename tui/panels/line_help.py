"""Help with a line that is being typed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct


class LineHelp(Struct):
    """What helps with a line that is typed: Tab completes it, the arrows bring back what was typed before."""

    complete: Callable[[str], str]
    """The line with what Tab adds to it; it may show what else would fit."""
    suggest: Callable[[str], str]
    """The line that is shown dim behind what is typed; "" for none."""
    typed: Sequence[str]
    """Lines typed before, oldest first."""
    back: int = 0
    """How many lines back is shown; 0 for the new one."""
