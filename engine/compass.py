"""The compass: a step of columns and rows for each of the eight directions, for geometry and for rules alike."""

from __future__ import annotations

from collections.abc import Mapping

COMPASS: Mapping[str, tuple[int, int]] = {
    "N": (0, -1),
    "NE": (1, -1),
    "E": (1, 0),
    "SE": (1, 1),
    "S": (0, 1),
    "SW": (-1, 1),
    "W": (-1, 0),
    "NW": (-1, -1),
}
"""Clockwise from north; east and south are positive."""
