"""One question, what blocks sight or what stops shots, asked of a whole fan: how much of a body is seen everywhere."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.field.fan_blockers import Blockers
from engine.field.fan_bracket import Swath, bounds
from engine.field.fan_rays import CORNER, NOT_LEVEL, NOT_UPRIGHT, STRAIGHT, Frames, Rays
from engine.field.fan_strips import Half, Lines, last, lines, passed
from engine.field.layers import Heights, Indexes, Layers

FEWEST, MOST = 8, 32
"""Strips in one go: few at first, since most rays on a closed map end soon; then as many as there were before."""

CHUNK = 8
"""Strips whose upper bounds are looked at together when a point is undecided."""

SQUARES = 6000
"""Squares that are looked at together, so that the tables stay in the processor's cache ..."""

POINTS = 12000
"""... and undecided body points."""

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
    """One half's brackets in one block. Columns are pairs, and a last one for pairs that are no longer looked at.

    What is running has a line before each strip and one after the last.
    """

    low: Heights
    """The lower bound ..."""
    high: Heights
    """... and the upper bound, running."""
    second: Heights
    """The upper bound without the strip that it is from, running ..."""
    steepest: Heights
    """... and this strip; 0 for none."""
    strip: Heights
    """Strips by columns: the most that each strip can hide by itself."""
    chunk: Heights
    """Columns by chunks: the maxima of every CHUNK strips."""


class Carried(NamedTuple):
    """What a block begins with, by pairs: as in Horizon."""

    low: Heights
    high: Heights
    second: Heights
    steepest: Heights


class Block(NamedTuple):
    first: int
    end: int
    level: int
    """Of its rays; see Rays.level. Pairs of all levels are numbered through all frames."""
    column: Indexes | None
    """Where each pair of the level has its column; None: in its own place."""
    horizons: tuple[Horizon, ...]


class Targets(NamedTuple):
    """Squares that are looked at, with tables of their body points: as many lines as there are points."""

    cell: Indexes
    """Numbers in the tables of rays."""
    frame: Indexes
    square: Indexes
    """Indexes in the layers."""
    ground: Heights
    """Over the eye."""
    pair: Indexes
    """Of points: the pair of the finest level, numbered through all frames."""
    bracket: Indexes
    """Of points: place in the running tables of the block."""


class Points(NamedTuple):
    """Body points that are not hidden for certain, with what is known of them; one entry for each."""

    flat: Indexes
    """Place in the tables of body points."""
    place: Indexes
    """Number of the square among those looked at."""
    middles: int
    """How many of the points, the first ones, are centres."""
    deep: Heights
    foot: Heights
    crown: Heights


class Bracket(NamedTuple):
    """Bounds of one half's horizon at body points, their own strips included."""

    low: Heights
    low_most: Heights
    """The lower bound with all that floats in the own strip."""
    high: Heights


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
    blocks: list[Block] = []
    first, deepest = 1, int(frames.depth.max())
    end = min(1 + FEWEST, deepest + 1)
    level = rays.level(end)
    size = len(frames.way) * (rays.pairs >> level)
    none = np.full(size, -np.inf), np.zeros(size)
    floors = ((field.ground[frames.origin] - eye) / 4, -np.inf)[: len(ask.sure)]
    carried = [Carried(np.full(size, floor), np.full(size, floor), *none) for floor in floors]
    pairs: Indexes | None = None
    while True:
        blocks.append(_block(ask, first, end, level, pairs, carried))
        _look(ask, blocks, pairs, answer)
        alive = _alive(ask, blocks[-1], pairs)
        if end > deepest or not len(alive):
            return answer
        first, end = end, min(end + min(max(FEWEST, end - 1), MOST), deepest + 1)
        finer = level - rays.level(end)
        level -= finer
        if pairs is not None or len(alive) < SPARSE * size:
            pairs = alive if pairs is None else pairs[alive]
            pairs = np.add.outer(pairs << finer, np.arange(1 << finer)).ravel()
        else:
            alive = np.arange(size)
        size <<= finer
        carried = [Carried(*(table[-1, alive].repeat(1 << finer) for table in one[:4])) for one in blocks[-1].horizons]


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


def _block(ask: Question, first: int, end: int, level: int, pairs: Indexes | None, carried: list[Carried]) -> Block:
    """The brackets in the next strips."""
    swath = Swath(ask.rays, ask.frames, first, end, level, pairs)
    column: Indexes | None = None
    if pairs is not None:
        column = np.full(len(ask.frames.way) * (ask.rays.pairs >> level), len(pairs))
        column[pairs] = np.arange(len(pairs))
    horizons = []
    for sure, most, before in zip(ask.sure, ask.most, carried, strict=True):
        low, strip = bounds(swath, sure, most)
        if most.strict is not None:  # at a corner, what lies in the strip before may count by itself
            if first == 1:  # beside the observer's square lies no strip that would tell
                diagonal = ask.rays.pair[0, [0, 2]] + np.arange(len(ask.frames.way))[:, None] * ask.rays.pairs
                strip[0, diagonal >> level] = np.inf
            strip = np.maximum(strip, np.concatenate((before.high[None], strip[:-1])))
        horizons.append(_running(low, strip, before, first))
    return Block(first, end, level, column, tuple(horizons))


def _running(low: Heights, strip: Heights, before: Carried, first: int) -> Horizon:
    """The running tables of a block."""
    strips, count = strip.shape
    bounds = np.empty((2, strips + 1, count + 1))
    bounds[..., -1] = np.inf
    bounds[0, 0, :-1], bounds[1, 0, :-1] = before.low, before.high
    bounds[0, 1:, :-1], bounds[1, 1:, :-1] = low, strip
    _run(bounds)
    behind = np.empty((2, strips + 1, count + 1))
    behind[..., -1] = 0
    behind[0, 0, :-1], behind[1, 0, :-1] = before.second, before.steepest
    earlier = bounds[1, :-1, :-1]
    np.minimum(strip, earlier, out=behind[0, 1:, :-1])
    np.multiply(strip > earlier, np.arange(first, first + strips, dtype=np.float64)[:, None], out=behind[1, 1:, :-1])
    _run(behind)
    chunk = np.maximum.reduceat(strip, np.arange(0, strips, CHUNK), axis=0)
    return Horizon(*bounds, *behind, strip, np.ascontiguousarray(chunk.T))


def _run(tables: Heights) -> None:
    """Makes the second axis of tables a running maximum; line by line, which is quicker than accumulating columns."""
    for line in range(1, tables.shape[1]):
        np.maximum(tables[:, line], tables[:, line - 1], out=tables[:, line])


def _alive(ask: Question, block: Block, pairs: Indexes | None) -> Indexes:
    """Columns of the pairs behind which something may still be seen."""
    frames, looked = ask.frames, ask.looked
    crown = ask.field.highest + looked.altitude + looked.height - ask.eye
    low = block.horizons[0].low[-1, :-1]
    alive = low < max(crown / (8 * block.end - 3), crown / (8 * int(frames.depth.max()) + 3))
    if len(block.horizons) > 1:
        alive &= low <= -block.horizons[1].low[-1, :-1]
    rows = ask.rays.rows[block.end, :: 1 << block.level]
    inside = (rows[None, :-1] <= frames.last[:, None]) & (rows[None, 1:] >= frames.first[:, None])
    inside &= frames.depth[:, None] >= block.end
    alive &= inside.ravel() if pairs is None else inside.ravel()[pairs]
    return np.flatnonzero(alive)


def _look(ask: Question, blocks: list[Block], pairs: Indexes | None, answer: Seen) -> None:
    """What is seen on the squares of the last block's strips."""
    cells, frames_ = _cells(ask, blocks[-1], pairs)
    frames, rays = ask.frames, ask.rays
    for start in range(0, len(cells), SQUARES):
        cell, frame = cells[start : start + SQUARES], frames_[start : start + SQUARES]
        square = rays.cell_depth[cell] * frames.ahead[frame]
        square += rays.cell_row[cell] * frames.aside[frame]
        square += frames.origin
        targets = _targets(ask, blocks[-1], cell, frame, square)
        points = _open(ask, blocks[-1], targets)
        share, free = np.zeros(len(cell)), np.zeros(len(cell), np.bool_)
        if len(points.flat):
            brackets = _own_strips(ask, blocks[-1], targets, points)
            _shares(ask, blocks, targets, points, brackets, share, free, answer.unsure)
        split = int(np.searchsorted(frame, int(np.searchsorted(frames.way, 2))))
        answer.share[square[:split]] = share[:split]
        answer.share[square[split:]] += share[split:]
        answer.clear[square[:split]] = free[:split]
        answer.clear[square[split:]] |= free[split:]


def _cells(ask: Question, block: Block, pairs: Indexes | None) -> tuple[Indexes, Indexes]:
    """Squares of the block's strips that may be seen: numbers in the tables, and frames; by frames."""
    rays, frames = ask.rays, ask.frames
    start, stop = block.first**2 - 1, block.end**2 - 1
    depth, row = rays.cell_depth[start:stop], rays.cell_row[start:stop]
    if pairs is None:
        inside = (row >= frames.first[:, None]) & (row <= frames.last[:, None]) & (depth <= frames.depth[:, None])
    else:
        planes = rays.rows[block.first : block.end + 1, :: 1 << block.level]
        frame, number = np.divmod(pairs, planes.shape[1] - 1)
        inside = np.zeros((len(frames.way), stop - start), np.bool_)
        strips = np.arange(block.first, block.end)[:, None]
        edge = np.maximum(frames.first[frame], -strips), np.minimum(frames.last[frame], strips)
        numbers = strips * (strips + 1) - 1 - start + frame * (stop - start)
        deep = strips <= frames.depth[frame]
        for rows in (planes[:, number], planes[:, number + 1]):
            for plane in (rows[:-1], rows[1:]):
                kept = (plane >= edge[0]) & (plane <= edge[1]) & deep
                inside.ravel()[(numbers + plane)[kept]] = True
    found = np.flatnonzero(inside)
    frame = np.repeat(np.arange(len(inside)), np.count_nonzero(inside, axis=1))
    return found - frame * (stop - start) + start, frame


def _targets(ask: Question, block: Block, cell: Indexes, frame: Indexes, square: Indexes) -> Targets:
    pair = np.take(ask.rays.pair, cell, axis=1, mode="clip")
    pair += frame * ask.rays.pairs
    column = pair >> block.level
    bracket = column if block.column is None else block.column[column]
    bracket += (ask.rays.cell_depth[cell] - block.first) * block.horizons[0].low.shape[1]
    return Targets(cell, frame, square, ask.field.ground[square] - ask.eye, pair, bracket)


def _open(ask: Question, block: Block, targets: Targets) -> Points:
    """The body points on these squares that the lower bound does not hide altogether."""
    count, looked = len(targets.cell), ask.looked
    ahead = np.array([ahead for ahead, _ in ask.rays.offsets])[:, None]
    deep = 8.0 * ask.rays.cell_depth[targets.cell] + ahead
    crown = (targets.ground + (looked.altitude + looked.height)) / deep
    flat = np.flatnonzero(block.horizons[0].low.ravel()[targets.bracket] < crown)
    ends = np.searchsorted(flat, np.arange(len(ahead) + 1) * count)
    place = flat.copy()
    for number in range(1, len(ahead)):
        place[ends[number] : ends[number + 1]] -= number * count
    deep = deep.ravel()[flat]
    foot = targets.ground[place]
    foot += looked.altitude
    foot /= deep
    return Points(flat, place, int(ends[1]), deep, foot, crown.ravel()[flat])


def _own_strips(ask: Question, block: Block, targets: Targets, points: Points) -> list[Bracket]:
    """The brackets at body points, their own strips included."""
    rays, frames = ask.rays, ask.frames
    entry = np.take(rays.entry, targets.cell, axis=1, mode="clip").ravel()[points.flat]
    bracket = targets.bracket.ravel()[points.flat]
    brackets = []
    for horizon in block.horizons:
        low, high = horizon.low.ravel()[bracket], horizon.high.ravel()[bracket]
        brackets.append(Bracket(low, low if ask.most is ask.sure else low.copy(), high))
    has_edges = any(half.edges is not None for half in ask.most)
    if has_edges or targets.ground.max() > 0:
        straight = entry & 3 == STRAIGHT
        if not has_edges:
            straight &= points.foot > 0
        _straight(ask, targets, points, brackets, np.flatnonzero(straight))
    chosen = np.flatnonzero(entry & 3)
    if len(chosen):
        place = points.place[chosen]
        line = _lines(ask, targets, points, chosen)
        cell = targets.cell[place]
        strip, out = rays.cell_depth[cell], np.abs(rays.cell_row[cell])
        own = targets.ground[place]
        at_corner = entry[chosen] & 3 == CORNER
        own = np.where(at_corner, own / (8.0 * strip - 4), own * line.out / ((8.0 * out - 4) * line.deep))
        for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
            horizon = last(sure, frames.origin, line, strip, out, at_corner)
            most_horizon = horizon if most is sure else last(most, frames.origin, line, strip, out, at_corner)
            if number == 0:
                horizon, most_horizon = np.maximum(horizon, own), np.maximum(most_horizon, own)
            _raise(brackets[number], chosen, horizon, most_horizon)
    chosen = np.flatnonzero(entry >= NOT_LEVEL)
    foreign = np.where(frames.way[targets.frame[points.place[chosen]]] < 2, NOT_LEVEL, NOT_UPRIGHT)
    _raise(brackets[0], chosen[entry[chosen] & foreign > 0], np.inf, np.inf)
    return brackets


def _raise(bracket: Bracket, chosen: Indexes, sure: Heights | float, most: Heights | float) -> None:
    """Raises some points' bounds to what their own strips make."""
    bracket.low[chosen] = np.maximum(bracket.low[chosen], sure)
    bracket.high[chosen] = np.maximum(bracket.high[chosen], most)
    if bracket.low_most is not bracket.low:
        bracket.low_most[chosen] = np.maximum(bracket.low_most[chosen], most)


def _straight(ask: Question, targets: Targets, points: Points, brackets: list[Bracket], chosen: Indexes) -> None:
    """Own strips that lines enter in the point's own row: an edge there, and own ground that is above the eye."""
    place = points.place[chosen]
    near = 8.0 * ask.rays.cell_depth[targets.cell[place]] - 4
    way = ask.frames.way[targets.frame[place]]
    for number, (sure, most) in enumerate(zip(ask.sure, ask.most, strict=True)):
        own = np.full(len(chosen), -np.inf)
        if number == 0:
            own = targets.ground[place] / near
        elif most.edges is None:
            continue
        found = [
            own if half.edges is None else np.maximum(own, half.edge(way, targets.square[place]) / near)
            for half in (sure, most)
        ]
        _raise(brackets[number], chosen, *found)


def _lines(ask: Question, targets: Targets, points: Points, chosen: Indexes) -> Lines:
    """The lines to some body points."""
    aside = np.array([aside for _, aside in ask.rays.offsets])
    place = points.place[chosen]
    across = 8.0 * ask.rays.cell_row[targets.cell[place]]
    across += aside[points.flat[chosen] // len(targets.cell)]
    return lines(ask.frames, targets.frame[place], points.deep[chosen], across)


def _shares(
    ask: Question,
    blocks: list[Block],
    targets: Targets,
    points: Points,
    brackets: list[Bracket],
    share: Heights,
    free: Flags,
    unsure: set[int],
) -> None:
    """Puts shares and flags of the squares in place."""
    foot, crown, middles = points.foot, points.crown, points.middles
    eye = targets.ground[points.place[:middles]] + (ask.looked.altitude + ask.looked.eyes)
    eye /= points.deep[:middles]
    lower, least = np.maximum(brackets[0].low, foot), np.maximum(brackets[0].high, foot)
    upper, highest = crown, crown
    is_free = brackets[0].low[:middles] <= eye
    may_be_shut = brackets[0].high[:middles] > eye
    if len(brackets) > 1:
        upper, highest = np.minimum(crown, -brackets[1].low), np.minimum(crown, -brackets[1].high)
        is_free &= brackets[1].low[:middles] <= -eye
        may_be_shut |= brackets[1].high[:middles] > -eye
    part = np.maximum(upper - lower, 0)
    undecided = part > np.maximum(highest - least, 0)
    undecided[:middles] |= is_free & may_be_shut
    part /= crown - foot
    undecided = np.flatnonzero(undecided)
    for start in range(0, len(undecided), POINTS):
        chosen = undecided[start : start + POINTS]
        _again(ask, blocks, targets, points, brackets, chosen, eye, part, is_free, unsure)
    share += np.bincount(points.place, part, len(share))
    share /= len(ask.rays.offsets)
    free[points.place[:middles]] = is_free


def _again(
    ask: Question,
    blocks: list[Block],
    targets: Targets,
    points: Points,
    brackets: list[Bracket],
    chosen: Indexes,
    eye: Heights,
    part: Heights,
    is_free: Flags,
    unsure: set[int],
) -> None:
    """Decides the undecided points by the strips that can matter, and puts their shares and flags in place."""
    line = _lines(ask, targets, points, chosen)
    foot, crown = points.foot[chosen], points.crown[chosen]
    middles = int(np.searchsorted(chosen, len(eye)))
    eye = eye[chosen[:middles]]
    horizons = [_exact(ask, blocks, targets, points, brackets, chosen, line, number) for number in range(len(brackets))]
    answers = []
    for kind in (0, 1) if ask.most is not ask.sure else (0,):
        bottom, top = np.maximum(horizons[0][kind], foot), crown
        free = horizons[0][kind][:middles] <= eye
        if len(horizons) > 1:
            top = np.minimum(top, -horizons[1][kind])
            free &= horizons[1][kind][:middles] <= -eye
        answers.append((np.maximum(top - bottom, 0) / (crown - foot), free))
    part[chosen] = answers[0][0]
    is_free[chosen[:middles]] = answers[0][1]
    if len(answers) > 1:
        differs = answers[0][0] != answers[1][0]
        differs[:middles] |= answers[0][1] != answers[1][1]
        unsure.update(targets.square[points.place[chosen[differs]]].tolist())


def _exact(
    ask: Question,
    blocks: list[Block],
    targets: Targets,
    points: Points,
    brackets: list[Bracket],
    chosen: Indexes,
    line: Lines,
    number: int,
) -> tuple[Heights, Heights]:
    """The horizons of undecided points in one half: of what hides for certain, and of what may hide."""
    sure, most = ask.sure[number], ask.most[number]
    bracket, horizon = brackets[number], blocks[-1].horizons[number]
    exact = bracket.low[chosen]
    exact_most = exact if most is sure else bracket.low_most[chosen]
    origin = ask.frames.origin
    flat = points.flat[chosen]
    place = targets.bracket.ravel()[flat]
    steepest = horizon.steepest.ravel()[place].astype(np.intp)
    left = np.flatnonzero((steepest > 0) & (bracket.high[chosen] > exact))
    is_whole = len(left) == len(chosen)
    line_left, strip = (line, steepest) if is_whole else (line.chosen(left), steepest[left])
    found = passed(sure, origin, line_left, strip)
    exact[left] = np.maximum(exact[left], found)
    if most is not sure:
        exact_most[left] = np.maximum(exact_most[left], passed(most, origin, line_left, strip))
    left = left[horizon.second.ravel()[place[left]] > exact[left]]
    if not len(left):
        return exact, exact_most
    depth = ask.rays.cell_depth[targets.cell[points.place[chosen[left]]]]
    pair = targets.pair.ravel()[flat[left]]
    for block in blocks:
        which, strip = _candidates(block, number, pair, depth, exact[left], steepest[left])
        if not len(which):
            continue
        which = left[which]
        line_left = line.chosen(which)
        np.maximum.at(exact, which, passed(sure, origin, line_left, strip))
        if most is not sure:
            np.maximum.at(exact_most, which, passed(most, origin, line_left, strip))
    return exact, exact_most


def _candidates(
    block: Block, number: int, pair: Indexes, depth: Indexes, exact: Heights, steepest: Indexes
) -> tuple[Indexes, Indexes]:
    """Strips of a block, but the steepest, that can raise a point's horizon: indexes into the points, and strips."""
    horizon = block.horizons[number]
    column = pair >> block.level
    if block.column is not None:
        column = block.column[column]
    chunks = horizon.chunk.shape[1]
    behind = depth - block.first
    higher = np.take(horizon.chunk, column, axis=0, mode="clip") > exact[:, None]
    higher &= np.arange(chunks) * CHUNK < behind[:, None]
    point, chunk = np.divmod(np.flatnonzero(higher), chunks)
    strip = np.add.outer(np.arange(CHUNK), chunk * CHUNK)
    inside = np.minimum(strip, block.end - block.first - 1)
    higher = horizon.strip[inside, column[point]] > exact[point]
    higher &= strip < behind[point]
    higher &= strip != (steepest - block.first)[point]
    flat = np.flatnonzero(higher)
    return point[flat % len(point)], strip.ravel()[flat] + block.first
