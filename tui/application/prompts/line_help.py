"""Completion and history of a typed command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct


class LineHelp(Struct):
    """Help for a typed line: Tab completes it, the arrows recall earlier lines."""

    complete: Callable[[str], str]
    """The line with what Tab adds to it; it may show what else would fit."""
    suggest: Callable[[str], str]
    """The line that is shown dim behind what is typed; "" for none."""
    typed: Sequence[str]
    """Earlier lines, oldest first."""
    back: int = 0
    """Steps back in the history; 0 for the new line."""
