"""Stamps of batches that tests save."""

from engine.journal.batches import GM_SEAT, Stamp


def stamp(time: str = "now") -> Stamp:
    """What the Game Master did at some time."""
    return Stamp(time, GM_SEAT)


NOW = stamp()
