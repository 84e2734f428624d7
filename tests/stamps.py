"""Stamps of batches that tests save."""

from engine.battle.seats import GM_NAME
from engine.journal.batches import Stamp


def stamp(time: str = "now") -> Stamp:
    """What the Game Master did at some time."""
    return Stamp(time, GM_NAME)


NOW = stamp()
