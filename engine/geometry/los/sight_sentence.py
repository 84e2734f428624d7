"""Line of sight in one sentence: verdict, place, heights. Unit names are added by the caller."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from engine.geometry.battlefield import SKY, Barrier, Battlefield, Height
from engine.geometry.body import Body
from engine.geometry.los.head import HeadShown
from engine.geometry.los.trace import EYE_NAMES, MIDDLE, Blocker, Trace
from engine.geometry.obstacles import GROUND
from engine.text import count, share_percent, verb

SIGN = {"feet": "ft", "metres": "m"}
LIGHT_WORDS = {"dim": "dim light", "dark": "darkness"}


def verdict_words(
    battlefield: Battlefield,
    trace: Trace,
    hider: Blocker | None,
    bodies: tuple[Body, Body],
    head: HeadShown | None = None,
) -> str:
    """A line of sight in one sentence, without its capital and its stop.

    Heights are in the map's unit with one decimal, over the ground that the thing stands on; where the ground itself
    blocks, over the map's zero.

    Args:
        battlefield: the one the trace was made on.
        trace: everything but the sentence.
        hider: what alone hides most of the target; None when nothing does.
        bodies: the observer and the target.
        head: why the head alone shows, where it does.
    """
    circumstances = [f"smoke on {count(trace.smoke_squares, 'square')}"] if trace.smoke_squares else []
    circumstances = circumstances if not trace.ends_in_smoke else []
    circumstances += [LIGHT_WORDS[trace.light]] if trace.light in LIGHT_WORDS else []
    verdict = _verdict(battlefield, trace, hider, bodies, head)
    if not circumstances:
        return verdict
    if trace.visible == 0:
        return f"{verdict}; {', '.join(circumstances)}"
    no_cover = "" if trace.cover or trace.covered else ", no cover"
    return f"{', '.join(circumstances)}: {verdict}{no_cover}"


def _verdict(
    battlefield: Battlefield,
    trace: Trace,
    hider: Blocker | None,
    bodies: tuple[Body, Body],
    head: HeadShown | None,
) -> str:
    """What is seen and what can be reached, from which eye, and what is in the way."""
    reachable = 1 - trace.covered
    leans = "" if trace.eye == MIDDLE else f" {_from_eye(trace.eye, *bodies)}"
    blocker = trace.first_blocker or hider
    verdict = f"{share_percent(trace.visible)} visible{leans}"
    if trace.ends_in_smoke:
        verdict = f"blocked by {battlefield.smoke_opacity.blocked_words(trace.smoke, trace.smoke_squares)}"
    elif trace.visible == 1:
        verdict = f"clear line of sight, {_extent(trace)}{leans and f',{leans}'}"
        if trace.cover and trace.covered:
            stops, covers = _verb(trace.cover, "stops", "stop"), _verb(trace.cover, "covers", "cover")
            covers = f"{stops} every shot" if reachable == 0 else f"{covers} {share_percent(trace.covered)}"
            verdict += f", but {thing_words(battlefield, trace.cover)} {covers}"
    elif trace.visible == 0 and blocker:
        verdict = _blocked(battlefield, blocker)
    elif head:
        verdict = f"{share_percent(trace.visible)} visible: {_head_words(battlefield, head, bodies)}"
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


def _from_eye(eye: str, observer: Body, target: Body) -> str:
    """Where an eye is that is not in the middle: leaning towards the target, or to a side.

    A direction that leads straight away from the target is not said: of somebody to the north one who is in the
    south-east corner of its square looks "from the east side".
    """
    sides = _towards(eye, observer, target)
    if sides == eye:
        return f"when the observer leans {eye}"
    return f"from {sides} of the observer's {_squares(observer)}"


def _towards(eye: str, looker: Body, other: Body) -> str:
    """The direction of a leaning eye, or "the east side" where it leans back as well, or "the back"."""
    (x, y), (other_x, other_y) = looker.points[0], other.points[0]
    ahead = {"west": x - other_x, "east": other_x - x, "north": y - other_y, "south": other_y - y}
    names, most = eye.split("-"), max(ahead.values())
    kept = [name for name in names if ahead[name] > -most]
    if len(kept) < 2 and sum(ahead[name] for name in names) == 0:
        kept = names  # square to the line
    return eye if len(kept) == 2 else f"the {kept[0]} side" if kept else "the back"


def _head_words(battlefield: Battlefield, head: HeadShown, bodies: tuple[Body, Body]) -> str:
    """Why a head shows: by what is the target's own, or the own things of both."""
    observer, target = bodies
    names = [
        f"the edge of {thing.place}" if _is_bare_ground(battlefield, thing) else thing_words(battlefield, thing)
        for thing in head.things
    ]
    over = f" {_over(battlefield, head.things)} {' and '.join(dict.fromkeys(names))}" if names else ""
    if head.how == "seen":
        return "only the target's head shows"
    if head.how == "rise":
        return f"both {f'rise{over}' if over else 'lean out'}, and the target shows its head"
    eye = EYE_NAMES[head.eye]
    if eye == MIDDLE:
        return f"the target looks{over or ' at the observer'} and shows its head"
    sides = _towards(eye, target, observer)
    leans = f"leans out {eye}" if sides == eye else f"looks out from {sides} of its {_squares(target)}"
    return f"the target {leans}{over} and shows its head"


def _over(battlefield: Battlefield, things: Sequence[Blocker]) -> str:
    """How one looks past own things: through one with an opening, else over."""
    barriers = [battlefield.barriers[thing.edge] for thing in things if thing.edge is not None]
    return "through" if len(things) == 1 and barriers and barriers[0].lintel is not None else "over"


def _squares(body: Body) -> str:
    return "square" if body.size == 1 else "squares"


def _is_bare_ground(battlefield: Battlefield, blocker: Blocker) -> bool:
    return blocker.edge is None and blocker.name == GROUND and blocker.top == battlefield.elevation_at(blocker.square)


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
        return f"blocked by {blocker.phrase}"
    base = _base(battlefield, blocker)
    line = blocker.line_height - base
    name = _name(battlefield, blocker)
    if blocker.edge is None:
        if _is_bare_ground(battlefield, blocker):
            passes, top = _height(battlefield, blocker.line_height, blocker.top), _height(battlefield, blocker.top)
            return f"blocked at {blocker.place}: the line passes at {passes}, the ground rises to {top}"
        if battlefield.ground_at(blocker.square).height >= SKY:
            return f"blocked by the {name} at {blocker.place}"
        passes, top = _height(battlefield, line, blocker.top - base), _height(battlefield, blocker.top - base)
        thing = f"the {name} {_verb(blocker, 'is', 'are')} {top} high"
        return f"blocked at {blocker.place}: the line passes at {passes}, {thing}"
    barrier = battlefield.barriers[blocker.edge]
    limits = _limits(battlefield, barrier, blocker)
    if line < 0 or not limits:
        return f"blocked at the {name} on {blocker.place}"
    limit = barrier.top if barrier.sill is None else barrier.sill
    return f"blocked at {blocker.place}: the line passes at {_height(battlefield, line, limit)}, the {name} {limits}"


def thing_words(battlefield: Battlefield, blocker: Blocker) -> str:
    """An obstacle with its place and, unless it reaches the sky, its height."""
    if blocker.is_body:
        return blocker.phrase
    name = _name(battlefield, blocker)
    if blocker.edge is not None:
        limits = _limits(battlefield, battlefield.barriers[blocker.edge], blocker, is_brief=True)
        return f"the {name} on {blocker.place}" + (f" ({limits})" if limits else "")
    if _is_bare_ground(battlefield, blocker):
        return f"the ground at {blocker.place} (at {_height(battlefield, blocker.top)})"
    if battlefield.ground_at(blocker.square).height >= SKY:
        return f"the {name} at {blocker.place}"
    return f"the {name} at {blocker.place} ({_height(battlefield, blocker.top - _base(battlefield, blocker))} high)"


def _limits(battlefield: Battlefield, barrier: Barrier, blocker: Blocker, *, is_brief: bool = False) -> str:
    """Vertical extent of a barrier in words; "" when it fills everything up to the roof.

    "is 2.6 m high", with `is_brief` without the verb "is"; "opens above 1.0 m".
    """
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
    high = f"{_height(battlefield, barrier.top)} high"
    return high if is_brief else f"{_verb(blocker, 'is', 'are')} {high}"


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
