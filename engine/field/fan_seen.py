"""One question, what blocks sight or what stops shots, asked of a whole fan: how much of a body is seen everywhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.field.fan_blockers import Blockers
from engine.field.fan_bracket import Swath, bounds
from engine.field.fan_rays import CORNER, STRAIGHT, Frames, Rays
from engine.field.fan_strips import Half, last, lines, passed
from engine.field.layers import Heights, Indexes, Layers

BLOCKS = (16, 24, 48, 96)
"""Strips in one go: few at first, since most rays on a closed map end soon."""

CHUNK = 8
"""Strips whose upper bounds are looked at together when a point is undecided."""

SPARSE = 0.5
"""When fewer than this share of the pairs is alive, only these are looked at."""

Flags = npt.NDArray[np.bool_]


class Looked(NamedTuple):
    """Heights of the body looked at: its feet over the ground, and its own."""

    altitude: float
    height: float
    eyes: float


class Seen(NamedTuple):
    """The answer, padded and flat as layers are; `unsure` are the squares that a single trace has to decide."""

    share: Heights
    clear: Flags
    unsure: set[int]


class Question(NamedTuple):
    """What is asked, of which observer: constants of one call."""

    field: Layers
    frames: Frames
    rays: Rays
    eye: float
    looked: Looked
    sure: tuple[Half, ...]
    """What hides from below and, where anything hangs, from above."""
    most: tuple[Half, ...]
    """The same with all that floats as if it reached the ground; the same objects where nothing floats or hangs."""


class Horizon(NamedTuple):
    """One half's brackets in one block. Columns are pairs, and a last one for pairs that are no longer looked at."""

    low: Heights
    """Before each strip and after the last: the lower bound ..."""
    high: Heights
    """... and the upper bound."""
    strip: Heights
    """Strips by columns: the most that each strip can hide by itself."""
    chunk: Heights
    """The maxima of every CHUNK strips."""


class Block(NamedTuple):
    first: int
    end: int
    column: Indexes | None
    """Where each pair has its column; None: in its own place."""
    horizons: tuple[Horizon, ...]


class Points(NamedTuple):
    """Body points by squares: what is known of them in one block."""

    cell: Indexes
    """By squares: number in the tables of rays ..."""
    frame: Indexes
    """... frame ..."""
    square: Indexes
    """... and index in the layers."""
    pair: Indexes
    """Numbered through all frames."""
    foot: Heights
    crown: Heights
    low: list[Heights]
    """For each half: the lower bound of the horizon, the point's own strip included ..."""
    low_most: list[Heights]
    """... with all that floats in its own strip ..."""
    high: list[Heights]
    """... and the upper bound."""


def seen(field: Layers, stops: Blockers, frames: Frames, rays: Rays, eye: float, looked: Looked) -> Seen:
    """What is seen of a body on each square, past everything that `stops`.

    Args:
        field: layers of the battlefield.
        stops: which things count.
        frames: round the observer.
        rays: at least as deep as the frames.
        eye: height of the observer's eye.
        looked: the body looked at.
    """
    answer = Seen(np.zeros(len(field.ground)), np.zeros(len(field.ground), np.bool_), set())
    answer.share[frames.origin], answer.clear[frames.origin] = 1, True
    if not len(frames.way):
        return answer
    ask = _question(field, stops, frames, rays, eye, looked)
    size = len(frames.way) * rays.pairs
    floors = ((field.ground[frames.origin] - eye) / 4, -np.inf)[: len(ask.sure)]
    carried = [(np.full(size, floor), np.full(size, floor)) for floor in floors]
    pairs: Indexes | None = None
    blocks: list[Block] = []
    first, deepest = 1, int(frames.depth.max())
    while first <= deepest:
        end = min(first + BLOCKS[min(len(blocks), len(BLOCKS) - 1)], deepest + 1)
        blocks.append(_block(ask, first, end, pairs, carried))
        _look(ask, blocks, pairs, answer)
        first = end
        alive = _alive(ask, blocks[-1], pairs)
        if not len(alive):
            break
        carried = [(one.low[-1, alive], one.high[-1, alive]) for one in blocks[-1].horizons]
        if pairs is not None:
            pairs = pairs[alive]
        elif len(alive) < SPARSE * size:
            pairs = alive
        else:
            carried = [(one.low[-1, :size], one.high[-1, :size]) for one in blocks[-1].horizons]
    return answer


def _question(field: Layers, stops: Blockers, frames: Frames, rays: Rays, eye: float, looked: Looked) -> Question:
    extent = field.width, len(field.ground)
    sure: tuple[Half, ...] = (Half(eye, stops.tops, stops.standing, *extent),)
    most = sure
    if stops.floats or stops.hanging is not None:
        most = (Half(eye, stops.reaching_tops, stops.reaching, *extent, stops.hanging),)
    if stops.hanging is not None:
        above = Half(-eye, None, stops.hanging, *extent)
        sure, most = (*sure, above), (*most, above)
    return Question(field, frames, rays, eye, looked, sure, most)


def _block(ask: Question, first: int, end: int, pairs: Indexes | None, carried: list[tuple[Heights, Heights]]) -> Block:
    """The brackets in the next strips."""
    swath = Swath(ask.rays, ask.frames, first, end, pairs)
    strips = end - first
    column: Indexes | None = None
    count = len(ask.frames.way) * ask.rays.pairs
    if pairs is not None:
        column = np.full(count, len(pairs))
        column[pairs] = np.arange(len(pairs))
        count = len(pairs)
    horizons = []
    for sure, most, (low_before, high_before) in zip(ask.sure, ask.most, carried, strict=True):
        low, strip = bounds(swath, sure, most)
        if most.strict is not None and first == 1:  # beside the observer's square lies no strip that would tell
            diagonal = ask.rays.pair[0, [0, 2]] + np.arange(len(ask.frames.way))[:, None] * ask.rays.pairs
            strip[0, diagonal] = np.inf
        lows, highs = np.empty((strips + 1, count + 1)), np.empty((strips + 1, count + 1))
        lows[:, -1] = highs[:, -1] = np.inf
        lows[0, :-1], highs[0, :-1] = low_before, high_before
        lows[1:, :-1], highs[1:, :-1] = low, strip
        np.maximum.accumulate(lows, axis=0, out=lows)
        np.maximum.accumulate(highs, axis=0, out=highs)
        if most.strict is not None:  # at a corner, what lies in the strip before may count by itself
            strip = np.maximum(strip, np.concatenate((highs[:1, :-1], strip[:-1])))
        chunk = np.maximum.reduceat(strip, np.arange(0, strips, CHUNK), axis=0)
        horizons.append(Horizon(lows, highs, strip, chunk))
    return Block(first, end, column, tuple(horizons))


def _alive(ask: Question, block: Block, pairs: Indexes | None) -> Indexes:
    """Columns of the pairs behind which something may still be seen."""
    frames, looked = ask.frames, ask.looked
    crown = ask.field.highest + looked.altitude + looked.height - ask.eye
    low = block.horizons[0].low[-1, :-1]
    alive = low < max(crown / (8 * block.end - 3), crown / (8 * int(frames.depth.max()) + 3))
    if len(block.horizons) > 1:
        alive &= low <= -block.horizons[1].low[-1, :-1]
    rows = ask.rays.rows[block.end]
    inside = (rows[None, :-1] <= frames.last[:, None]) & (rows[None, 1:] >= frames.first[:, None])
    inside &= frames.depth[:, None] >= block.end
    alive &= inside.ravel() if pairs is None else inside.ravel()[pairs]
    return np.flatnonzero(alive)


def _look(ask: Question, blocks: list[Block], pairs: Indexes | None, answer: Seen) -> None:
    """What is seen on the squares of the last block's strips."""
    block, rays = blocks[-1], ask.rays
    cell, frame = _cells(ask, block, pairs)
    if not len(cell):
        return
    points = _points(ask, block, cell, frame)
    lower, upper = np.maximum(points.low[0], points.foot), points.crown
    least, highest = np.maximum(points.high[0], points.foot), points.crown
    eye = (ask.field.ground[points.square] + ask.looked.altitude + ask.looked.eyes - ask.eye) / (
        8.0 * rays.cell_depth[cell]
    )
    free, is_open = points.low[0][0] <= eye, points.high[0][0] > eye
    if len(ask.sure) > 1:
        upper, highest = np.minimum(upper, -points.low[1]), np.minimum(highest, -points.high[1])
        free &= points.low[1][0] <= -eye
        is_open |= points.high[1][0] > -eye
    extent = points.crown - points.foot
    share = np.maximum(upper - lower, 0)
    undecided = share > np.maximum(highest - least, 0)
    undecided[0] |= free & is_open
    share /= extent
    which, place = np.nonzero(undecided)
    if len(which):
        _again(ask, blocks, points, which, place, share, free, eye, answer)
    total = share.sum(axis=0) / len(share)
    split = np.searchsorted(frame, int(np.searchsorted(ask.frames.way, 2)))
    level, upright = points.square[:split], points.square[split:]
    answer.share[level] = total[:split]
    answer.share[upright] += total[split:]
    answer.clear[level] = free[:split]
    answer.clear[upright] |= free[split:]


def _cells(ask: Question, block: Block, pairs: Indexes | None) -> tuple[Indexes, Indexes]:
    """Squares of the block's strips that may be seen: numbers in the tables, and frames; by frames."""
    rays, frames = ask.rays, ask.frames
    start, stop = block.first**2 - 1, block.end**2 - 1
    depth, row = rays.cell_depth[start:stop], rays.cell_row[start:stop]
    inside = (row >= frames.first[:, None]) & (row <= frames.last[:, None]) & (depth <= frames.depth[:, None])
    if pairs is not None:
        frame, number = np.divmod(pairs, rays.pairs)
        reached = np.zeros_like(inside)
        strips = np.arange(block.first, block.end)[:, None]
        for rows in (rays.rows[:, number], rays.rows[:, number + 1]):
            for plane in (rows[block.first : block.end], rows[block.first + 1 : block.end + 1]):
                kept = np.abs(plane) <= strips
                numbers = strips * (strips + 1) - 1 + plane - start
                reached[np.broadcast_to(frame, plane.shape)[kept], numbers[kept]] = True
        inside &= reached
    frame, cell = np.nonzero(inside)
    return cell + start, frame


def _points(ask: Question, block: Block, cell: Indexes, frame: Indexes) -> Points:
    """The brackets at body points, their own strips included."""
    field, rays, frames, looked = ask.field, ask.rays, ask.frames, ask.looked
    depth, row = rays.cell_depth[cell], rays.cell_row[cell]
    index = frames.origin + depth * frames.ahead[frame] + row * frames.aside[frame]
    ground = field.ground[index] - ask.eye
    deep = 8.0 * depth + np.array([ahead for ahead, _ in rays.offsets])[:, None]
    near = 8.0 * depth - 4
    foot, crown = (ground + looked.altitude) / deep, (ground + looked.altitude + looked.height) / deep
    pair = rays.pair[:, cell] + frame * rays.pairs
    column = pair if block.column is None else block.column[pair]
    place = (depth - block.first) * block.horizons[0].low.shape[1] + column
    entry = rays.entry[:, cell]
    low = [one.low.ravel()[place] for one in block.horizons]
    high = [one.high.ravel()[place] for one in block.horizons]
    low_most = low if ask.most is ask.sure else [one.copy() for one in low]
    _straight(ask, index, frames.way[frame], near, ground, entry, low, low_most, high)
    which, where = np.nonzero((entry != STRAIGHT) & (low[0] < crown))
    if len(which):
        across = 8.0 * row[where] + np.array([aside for _, aside in rays.offsets])[which]
        line = lines(frames, frame[where], deep[which, where], across)
        strip, out = depth[where], np.abs(row[where])
        at_corner = entry[which, where] == CORNER
        own = np.where(at_corner, ground[where] / near[where], ground[where] * line.out / ((8.0 * out - 4) * line.deep))
        for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
            horizon = last(sure, frames.origin, line, strip, out, at_corner)
            most_horizon = horizon if most is sure else last(most, frames.origin, line, strip, out, at_corner)
            if number == 0:
                horizon, most_horizon = np.maximum(horizon, own), np.maximum(most_horizon, own)
            for table, added in _tables(low, low_most, high, number, horizon, most_horizon):
                table[which, where] = np.maximum(table[which, where], added)
    diagonal = np.flatnonzero(np.abs(row) == depth)
    if len(diagonal):
        level = frames.way[frame[diagonal]] < 2
        mine = np.where(level, rays.is_level[:, cell[diagonal]], rays.is_upright[:, cell[diagonal]])
        point, number_ = np.nonzero(~mine)
        for table in (low[0], low_most[0], high[0]):
            table[point, diagonal[number_]] = np.inf
    return Points(cell, frame, index, pair, foot, crown, low, low_most, high)


def _tables(
    low: list[Heights], low_most: list[Heights], high: list[Heights], number: int, sure: Heights, most: Heights
) -> list[tuple[Heights, Heights]]:
    """Which tables of one half an own strip's horizons go into."""
    tables = [(low[number], sure), (high[number], most)]
    if low_most is not low:
        tables.append((low_most[number], most))
    return tables


def _straight(
    ask: Question,
    index: Indexes,
    way: Indexes,
    near: Heights,
    ground: Heights,
    entry: npt.NDArray[np.uint8],
    low: list[Heights],
    low_most: list[Heights],
    high: list[Heights],
) -> None:
    """Own strips that lines enter in the point's own row: an edge there, and own ground that is above the eye."""
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        own = np.full(len(ground), -np.inf)
        if number == 0 and ground.max() > 0:
            own = ground / near
        elif most.edges is None:
            continue
        found = [own if half.edges is None else np.maximum(own, half.edge(way, index) / near) for half in (sure, most)]
        for table, added in _tables(low, low_most, high, number, *found):
            np.maximum(table, np.where(entry == STRAIGHT, added, -np.inf), out=table)


def _again(
    ask: Question,
    blocks: list[Block],
    points: Points,
    which: Indexes,
    place: Indexes,
    share: Heights,
    free: Flags,
    eye: Heights,
    answer: Seen,
) -> None:
    """Decides the undecided points by the strips that can matter, and puts their shares and flags in place."""
    rays, frames = ask.rays, ask.frames
    cell = points.cell[place]
    depth = rays.cell_depth[cell]
    offsets = np.array(rays.offsets)[which]
    line = lines(frames, points.frame[place], 8.0 * depth + offsets[:, 0], 8.0 * rays.cell_row[cell] + offsets[:, 1])
    pair = points.pair[which, place]
    halves = []
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        exact = points.low[number][which, place]
        exact_most = points.low_most[number][which, place]
        for block in blocks:
            line_of, strip = _candidates(block, number, pair, depth, exact)
            if not len(line_of):
                continue
            chosen = line.chosen(line_of)
            found = passed(sure, frames.origin, chosen, strip)
            np.maximum.at(exact, line_of, found)
            if exact_most is not exact:
                found = found if most is sure else passed(most, frames.origin, chosen, strip)
                np.maximum.at(exact_most, line_of, found)
        halves.append((exact, exact_most))
    foot, crown = points.foot[which, place], points.crown[which, place]
    answers = []
    for kind in (0, 1) if ask.most is not ask.sure else (0,):
        bottom, top = np.maximum(halves[0][kind], foot), crown
        is_free = halves[0][kind] <= eye[place]
        if len(halves) > 1:
            top = np.minimum(top, -halves[1][kind])
            is_free &= halves[1][kind] <= -eye[place]
        answers.append((np.maximum(top - bottom, 0) / (crown - foot), is_free & (which == 0)))
    share[which, place] = answers[0][0]
    free[place[which == 0]] = answers[0][1][which == 0]
    if len(answers) > 1:
        differs = (answers[0][0] != answers[1][0]) | (answers[0][1] != answers[1][1])
        answer.unsure.update(points.square[place[differs]].tolist())


def _candidates(block: Block, number: int, pair: Indexes, depth: Indexes, exact: Heights) -> tuple[Indexes, Indexes]:
    """Strips of a block that can raise a point's horizon: indexes into the points, and strips."""
    horizon = block.horizons[number]
    column = pair if block.column is None else block.column[pair]
    behind = depth - block.first
    starts = np.arange(len(horizon.chunk)) * CHUNK
    chunk, point = np.nonzero((horizon.chunk[:, column] > exact) & (starts[:, None] < behind))
    strip = starts[chunk] + np.arange(CHUNK)[:, None]
    inside = np.minimum(strip, block.end - block.first - 1)
    step, at = np.nonzero((horizon.strip[inside, column[point]] > exact[point]) & (strip < behind[point]))
    return point[at], strip[step, at] + block.first
