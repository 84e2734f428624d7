"""Line of sight in one sentence: verdict, place, heights. Unit names are added by the caller."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Height
from engine.geometry.los.trace import Blocker, Trace
from engine.geometry.obstacles import GROUND
from engine.text import count, share_percent, verb

SIGN = {"feet": "ft", "metres": "m"}
MIDDLE = "centre"
"""The eye of somebody who does not lean."""

LIGHT_WORDS = {"dim": "dim light", "dark": "darkness"}


def sentence(battlefield: Battlefield, trace: Trace, hider: Blocker | None) -> str:
    """A line of sight in one sentence.

    Heights are in the map's unit with one decimal, over the ground that the thing stands on; where the ground itself
    blocks, over the map's zero.

    Args:
        battlefield: the one the trace was made on.
        trace: everything but the sentence.
        hider: what alone hides most of the target; None when nothing does.
    """
    circumstances = [f"smoke on {count(trace.smoke_squares, 'square')}"] if trace.smoke_squares else []
    circumstances = circumstances if not trace.ends_in_smoke else []
    circumstances += [LIGHT_WORDS[trace.light]] if trace.light in LIGHT_WORDS else []
    verdict = _verdict(battlefield, trace, hider)
    if not circumstances:
        return f"{verdict}."
    if trace.visible == 0:
        return f"{verdict}; {', '.join(circumstances)}."
    first = ", ".join(circumstances)
    no_cover = "" if trace.cover or trace.covered else ", no cover"
    return f"{first[0].upper()}{first[1:]}: {verdict[0].lower()}{verdict[1:]}{no_cover}."


def _verdict(battlefield: Battlefield, trace: Trace, hider: Blocker | None) -> str:
    """What is seen and what can be reached, from which eye, and what is in the way."""
    reachable = 1 - trace.covered
    leans = "" if trace.eye == MIDDLE else f" when the observer leans {trace.eye}"
    blocker = trace.first_blocker or hider
    verdict = f"{share_percent(trace.visible)} visible{leans}"
    if trace.ends_in_smoke:
        verdict = f"Blocked by {battlefield.smoke_opacity.blocked_words(trace.smoke, trace.smoke_squares)}"
    elif trace.visible == 1:
        verdict = f"Clear line of sight, {_extent(trace)}{leans and f',{leans}'}"
        if trace.cover and trace.covered:
            stops, covers = _verb(trace.cover, "stops", "stop"), _verb(trace.cover, "covers", "cover")
            covers = f"{stops} every shot" if reachable == 0 else f"{covers} {share_percent(trace.covered)}"
            verdict += f", but {thing_words(battlefield, trace.cover)} {covers}"
    elif trace.visible == 0 and blocker:
        verdict = _blocked(battlefield, blocker)
    elif trace.shows_head and hider:
        looks = "past" if hider.top >= SKY or hider.is_body else "over"
        verdict += f": the target looks {looks} {thing_words(battlefield, hider)} and shows its head"
    elif hider:
        is_cover = trace.cover and trace.cover.place == hider.place and reachable == trace.visible
        hides = "cover" if is_cover else "hide"
        hides = _verb(hider, f"{hides}s", hides) if hider.share == 1 - trace.visible else f"and others {hides}"
        verdict += f"; {thing_words(battlefield, hider)} {hides} {share_percent(1 - trace.visible)}"
    if reachable != trace.visible and trace.visible < 1:
        hit = f"shots can hit {share_percent(reachable)} of the body"
        verdict += f"; {hit if reachable else 'no shot can reach the target'}"
    if trace.is_one_way and not trace.ends_in_smoke:
        verdict += "; the return line is blocked"
    return verdict


def _extent(trace: Trace) -> str:
    """Columns and rows apart, since a distance needs a ruleset's metric."""
    longer, shorter = max(trace.columns_apart, trace.rows_apart), min(trace.columns_apart, trace.rows_apart)
    if longer == shorter > 0:
        return f"{count(longer, 'square')} diagonally"
    if not shorter:
        return count(longer, "square")
    return f"{count(trace.columns_apart, 'column')} and {count(trace.rows_apart, 'row')}"


def _blocked(battlefield: Battlefield, blocker: Blocker) -> str:
    """Where the line is blocked, and its height against that of the obstacle."""
    if blocker.is_body:
        return f"Blocked by {blocker.phrase}"
    base = _base(battlefield, blocker)
    line = blocker.line_height - base
    name = _name(battlefield, blocker)
    if blocker.edge is None:
        if blocker.name == GROUND and blocker.top == battlefield.elevation_at(blocker.square):
            passes, top = _height(battlefield, blocker.line_height, blocker.top), _height(battlefield, blocker.top)
            return f"Blocked at {blocker.place}: the line passes at {passes}, the ground rises to {top}"
        if battlefield.ground_at(blocker.square).height >= SKY:
            return f"Blocked by the {name} at {blocker.place}"
        passes, top = _height(battlefield, line, blocker.top - base), _height(battlefield, blocker.top - base)
        thing = f"the {name} {_verb(blocker, 'is', 'are')} {top} high"
        return f"Blocked at {blocker.place}: the line passes at {passes}, {thing}"
    barrier = battlefield.barriers[blocker.edge]
    limits = _limits(battlefield, barrier, blocker)
    if line < 0:
        return f"Blocked at {blocker.place}: the line passes {_height(battlefield, -line)} below the {name}"
    if not limits:
        return f"Blocked at the {name} on {blocker.place}"
    limit = barrier.top if barrier.sill is None else barrier.sill
    return f"Blocked at {blocker.place}: the line passes at {_height(battlefield, line, limit)}, the {name} {limits}"


def thing_words(battlefield: Battlefield, blocker: Blocker) -> str:
    """An obstacle with its place and, unless it reaches the sky, its height."""
    if blocker.is_body:
        return blocker.phrase
    name = _name(battlefield, blocker)
    if blocker.edge is not None:
        limits = _limits(battlefield, battlefield.barriers[blocker.edge], blocker)
        brief = limits.removeprefix("is ").removeprefix("are ")
        return f"the {name} on {blocker.place}" + (f" ({brief})" if brief else "")
    if blocker.name == GROUND and blocker.top == battlefield.elevation_at(blocker.square):
        return f"the ground at {blocker.place} (at {_height(battlefield, blocker.top)})"
    if battlefield.ground_at(blocker.square).height >= SKY:
        return f"the {name} at {blocker.place}"
    return f"the {name} at {blocker.place} ({_height(battlefield, blocker.top - _base(battlefield, blocker))} high)"


def _limits(battlefield: Battlefield, barrier: Barrier, blocker: Blocker) -> str:
    """Vertical extent of a barrier in words; "" when it fills everything up to the roof."""
    opens = _verb(blocker, "opens", "open")
    if barrier.sill is not None and barrier.lintel is not None:
        return f"{opens} from {_height(battlefield, barrier.sill)} to {_height(battlefield, barrier.lintel)}"
    if barrier.sill is not None:
        return f"{opens} above {_height(battlefield, barrier.sill)}"
    if barrier.lintel is not None:
        return f"{opens} below {_height(battlefield, barrier.lintel)}"
    if barrier.top >= SKY:
        begins = _verb(blocker, "begins", "begin")
        return f"{begins} at {_height(battlefield, barrier.bottom)}" if barrier.bottom > 0 else ""
    if barrier.bottom > 0:
        reaches = _verb(blocker, "reaches", "reach")
        return f"{reaches} from {_height(battlefield, barrier.bottom)} to {_height(battlefield, barrier.top)}"
    return f"{_verb(blocker, 'is', 'are')} {_height(battlefield, barrier.top)} high"


def _verb(blocker: Blocker, singular: str, plural: str) -> str:
    """The form of a verb that agrees with the obstacle; a body is singular."""
    return singular if blocker.is_body else verb(blocker.name, singular, plural)


def _name(battlefield: Battlefield, blocker: Blocker) -> str:
    """Name of an obstacle, with the state of a closed or locked door."""
    state = battlefield.barriers[blocker.edge].state if blocker.edge is not None else ""
    return f"{state} {blocker.name}" if state in ("closed", "locked") else blocker.name


def _base(battlefield: Battlefield, blocker: Blocker) -> Height:
    """Ground level from which the heights of an obstacle are measured."""
    return battlefield.barrier_base(blocker.edge) if blocker.edge else battlefield.elevation_at(blocker.square)


def _height(battlefield: Battlefield, height: Fraction | Height, limit: Height | None = None) -> str:
    """A height in the map's unit with one decimal, rounded away from `limit` so that it reads on its true side."""
    tenths = Fraction(height, 10)
    if limit is not None and height >= limit:
        rounded = ceil(tenths)
    else:
        rounded = floor(tenths if limit is not None else tenths + Fraction(1, 2))
    return f"{'-' if rounded < 0 else ''}{abs(rounded) // 10}.{abs(rounded) % 10} {SIGN[battlefield.unit]}"
