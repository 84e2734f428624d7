"""Which heights of a target lie hidden on one line, put down to the things that hide them. Exact: no rounding anywhere.

A line to height z of the target passes height `eye + (z - eye) * at / length` on its way. A thing stops it when that
lies inside one of its solids somewhere on the passage; to touch a top, a bottom or a corner is not to be stopped.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from engine.geometry.battlefield import Height
from engine.geometry.lines import Line, LineStretch
from engine.geometry.obstacles import DEPTH, Solid, Surroundings, Thing
from engine.geometry.squares import Direction


class ShadowLine(Struct, frozen=True):
    """One line of the observer's, and the heights that matter on it: the observer's eye, and three of the target's."""

    line: Line
    eye: Height
    feet: Height
    crown: Height
    target_eye: Height

    def height(self, at: int) -> Fraction:
        """Height of the line from eye to eye, in hundredths above the map's zero; exact.

        Args:
            at: how far along the line, in its own measure: 0 at the observer, `line.length` at the target.
        """
        length = self.line.length or 1
        return Fraction((self.target_eye - self.eye) * at + self.eye * length, length)


class Shadow(NamedTuple):
    """Heights of the target, an open interval, that one thing hides or protects where the line passes it.

    What goes on below the feet or above the crown is cut off one hundredth beyond them.
    """

    low: Fraction | int
    high: Fraction | int
    thing: Thing
    sight: bool
    """Whether it hides from the observer."""
    shots: bool
    passage: int
    mutual: bool
    """Whether it hides where what is seen through one way counts as hiding: the same from both ends."""
    is_wall: bool
    """Whether it ends the line for every question, from both ends."""


def _is_wall(thing: Thing, surroundings: Surroundings) -> bool:
    """Whether it ends a line for every question, from both ends: from the ground up it is higher than both bodies, and
    than all that either looks over."""
    return thing.top > surroundings.highest and thing.is_opaque


def shadows(view: ShadowLine, surroundings: Surroundings, *, up_to_wall: bool = False) -> list[Shadow]:
    """Everything that hides or protects a part of the target on one line.

    Args:
        view: the line.
        surroundings: the obstacles near it.
        up_to_wall: whether nothing is looked for behind the first wall.

    Returns:
        In the order in which the line passes them; none for a line of length 0.
    """
    found: list[Shadow] = []
    if not view.line.length:
        return found
    heading = view.line.heading
    for index, passage in enumerate(view.line.passages):
        ways = passage.ways
        if len(ways) == 1:
            for thing in surroundings[ways[0][0]]:
                for low, high in _hidden(view, passage, thing.solids):
                    sight, wall = _hides(thing, heading), _is_wall(thing, surroundings)
                    found.append(Shadow(low, high, thing, sight, thing.stops_shots, index, thing.blocks_sight, wall))
        else:
            found.extend(_both_ways(view, passage, index, surroundings))
        if up_to_wall and found and found[-1].is_wall:
            break
    return found


def _hides(thing: Thing, heading: frozenset[Direction]) -> bool:
    """Whether a thing blocks sight along a line; one that can be seen through in that direction does not."""
    return thing.blocks_sight and thing.seen_through not in heading


def _both_ways(view: ShadowLine, passage: LineStretch, index: int, surroundings: Surroundings) -> Iterable[Shadow]:
    """What is hidden on both ways round; each part is put down to the thing that ends lower, or to both."""
    one, other = (
        [
            (low, high, thing)
            for place in way
            for thing in surroundings[place]
            for low, high in _hidden(view, passage, thing.solids)
        ]
        for way in passage.ways
    )
    heading = view.line.heading
    for low, high, thing in one:
        for other_low, other_high, other_thing in other:
            sight = _hides(thing, heading) and _hides(other_thing, heading)
            mutual = thing.blocks_sight and other_thing.blocks_sight
            shots = thing.stops_shots and other_thing.stops_shots
            bottom, top = max(low, other_low), min(high, other_high)
            wall = _is_wall(thing, surroundings) and _is_wall(other_thing, surroundings)
            if (mutual or shots) and bottom < top:
                if high == top:
                    yield Shadow(bottom, top, thing, sight, shots, index, mutual, wall)
                if other_high == top:
                    yield Shadow(bottom, top, other_thing, sight, shots, index, mutual, wall)


def _hidden(
    view: ShadowLine, passage: LineStretch, solids: Iterable[Solid]
) -> Iterable[tuple[Fraction | int, Fraction | int]]:
    """Heights of the target that solids hide; those wholly above or below the target are left out.

    Of what is above the eye the near end of the passage hides more, of what is below the eye the far end.
    """
    length, eye = view.line.length, view.eye
    feet, crown = view.feet - eye, view.crown - eye
    for bottom, top in solids:
        low: Fraction | int = view.feet - 1
        high: Fraction | int = view.crown + 1
        rise = top - eye
        at = passage.start if rise > 0 else passage.end
        reached = rise * length
        if reached <= feet * at:
            continue
        if reached < (crown + 1) * at:
            high = Fraction(reached + eye * at, at)
        if bottom > DEPTH:
            rise = bottom - eye
            at = passage.end if rise >= 0 else passage.start
            reached = rise * length
            if reached >= crown * at:
                continue
            if reached > (feet - 1) * at:
                low = Fraction(reached + eye * at, at)
        yield low, high


def hidden_height(column: Iterable[Shadow], view: ShadowLine) -> Fraction | int:
    """How much of one column is hidden between feet and crown, by all intervals together: in hundredths, exact."""
    reached: Fraction | int = view.feet
    total: Fraction | int = 0
    shadows = list(column)
    if all(shadow.low < reached for shadow in shadows):  # all of it stands on the ground
        highest = max((shadow.high for shadow in shadows), default=reached)
        return max(min(highest, view.crown) - reached, 0)
    for low, high in sorted((shadow.low, shadow.high) for shadow in shadows):
        if high > reached:
            end, start = min(high, view.crown), max(low, reached)
            if start < end:
                total += end - start
                reached = end
    return total
