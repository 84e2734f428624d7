"""Progress bar in a line of text."""

from __future__ import annotations

from fractions import Fraction

WIDTH = 10
DONE, LEFT = "■", "·"


def progress(share: Fraction) -> str:
    """A bar and the percentage; full only when all is done.

    >>> progress(Fraction(43, 100))
    '■■■■······ 43 %'
    """
    share = max(Fraction(0), min(Fraction(1), share))
    filled = int(share * WIDTH)
    return f"{DONE * filled}{LEFT * (WIDTH - filled)} {int(share * 100)} %"
