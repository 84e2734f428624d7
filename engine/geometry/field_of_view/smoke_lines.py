"""Smoke on the lines from one square to the middles of all others, with the fan of rays.

Where all that two neighbouring rays pass in a strip is equally thick, so it is for every line between them; the other
strips are looked at line by line.
"""

from __future__ import annotations

import numpy as np

from engine.geometry.field_of_view.fan_rays import NOT_LEVEL, NOT_UPRIGHT, FanTables, Frames
from engine.geometry.field_of_view.horizon_bounds import Swath
from engine.geometry.field_of_view.strips import FanLines, lines
from engine.geometry.los.arrays import Heights, Indexes

BATCH = 500_000
"""Strips that are looked at together, about."""


def smoke_everywhere(smoke: Heights, frames: Frames, rays: FanTables) -> Heights:
    """Squares of smoke times density on the line to each square, as a padded layer; 0 where no frame reaches.

    Args:
        smoke: densities, padded.
        frames: round the observer.
        rays: at least as deep as the frames.
    """
    found = np.zeros(len(smoke))
    if not len(frames.way):
        return found
    depth = int(frames.depth.max())
    swath = Swath(rays, frames, 1, depth + 1, 0, None)
    sideways, forward = swath.squares(swath.planes), swath.forward()
    enters, leaves = smoke[sideways[:-1] + forward], smoke[sideways[1:] + forward]
    first = swath.left(enters)
    is_even = (first == swath.right(enters)) & (first == swath.left(leaves)) & (first == swath.right(leaves))
    before = np.zeros((depth + 1, first[0].size))
    np.cumsum(np.where(is_even, first, 0).reshape(depth, -1), axis=0, out=before[1:])
    uneven = ~is_even.reshape(depth, -1)
    counts = np.zeros((depth + 1, first[0].size), np.intp)
    np.cumsum(uneven, axis=0, out=counts[1:])
    pair_of, strips = np.nonzero(uneven.T)
    starts = np.searchsorted(pair_of, np.arange(first[0].size))
    cells = slice(0, (depth + 1) ** 2 - 1)
    ahead, row = rays.cell_depth[cells], rays.cell_row[cells]
    inside = (row >= frames.first[:, None]) & (row <= frames.last[:, None]) & (ahead <= frames.depth[:, None])
    inside &= rays.entry[0, cells] & np.where(frames.way[:, None] < 2, NOT_LEVEL, NOT_UPRIGHT) == 0
    frame, cell = np.nonzero(inside)
    ahead, row = ahead[cell], row[cell]
    index = frames.origin + ahead * frames.ahead[frame] + row * frames.aside[frame]
    pair = rays.pair[0, cell] + frame * rays.pairs
    total = before[ahead - 1, pair] + (smoke[frames.origin] + smoke[index]) / 2
    count = counts[ahead - 1, pair]
    line = lines(frames, frame, 8.0 * ahead, 8.0 * row)
    ends = np.cumsum(count)
    start = 0
    while start < len(count):
        done = ends[start - 1] if start else 0
        stop = max(start + 1, int(np.searchsorted(ends, done + BATCH)))
        own = count[start:stop]
        which = np.repeat(np.arange(start, stop), own)
        number = np.arange(len(which)) - np.repeat(ends[start:stop] - own - done, own)
        strip = strips[starts[pair[which]] + number] + 1
        total += np.bincount(which, _in_strips(smoke, frames.origin, line.chosen(which), strip), len(total))
        start = stop
    found[index] = total * np.sqrt(1 + (line.out / line.deep) ** 2)
    return found


def _in_strips(smoke: Heights, origin: int, line: FanLines, strip: Indexes) -> Heights:
    """Density times length in single strips, measured straight ahead, in squares."""
    near, far = 8.0 * strip - 4, 8.0 * strip + 4
    row = np.floor((line.out * near + 4 * line.deep) / (8 * line.deep))
    left = np.ceil((line.out * far + 4 * line.deep) / (8 * line.deep)) - 1
    turns = left > row
    index = origin + strip * line.ahead + row.astype(np.intp) * line.aside
    cross = np.where(turns, (8 * row + 4) * line.deep / np.where(turns, line.out, 1), far)
    thick: Heights = smoke[index] * (cross - near) + smoke[np.where(turns, index + line.aside, index)] * (far - cross)
    return thick / 8
