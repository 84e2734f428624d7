"""The report on one line of sight: the trace itself, before any ruleset has a say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from msgspec import Struct

from engine.geometry.battlefield import SKY, Battlefield, Height
from engine.geometry.los.profile import Profile, profile
from engine.geometry.los.sight import trace
from engine.geometry.los.sight_sentence import SIGN
from engine.geometry.los.trace import Blocker, BodyPoint, Crossing, TargetHalf, Trace
from engine.geometry.metric import distance
from engine.text import count, share_percent
from tui.application.describe.side_view import drawn, key
from tui.application.reports.endpoints import End, Stance, find_end, obstacles, stand
from tui.application.reports.profile_report import height, profile_json
from tui.application.reports.report_scene import Scene
from tui.application.terminal.output import exact, table, width, wrapped

WIDEST_VIEW = 100
AS_IT_IS = Stance()
LIGHT = {"dark": "darkness", "dim": "dim light", "bright": "bright light"}


class Sighting(Struct, frozen=True):
    """Who looks at whom, and what the tracer says."""

    field: Battlefield
    start: End
    end: End
    trace: Trace
    profile: Profile


def trace_ends(
    scene: Scene,
    start: str,
    end: str,
    observes: Stance = AS_IT_IS,
    stands: Stance = AS_IT_IS,
    points: int = 5,
) -> Sighting:
    """The line from one unit or square of a map or battle to another.

    Args:
        scene: where, and who is in the way.
        start: who looks.
        end: at whom.
        observes: where and how the observer is, other than on the map.
        stands: the same for the target.
        points: of the target's body: 1, 5 or 9.

    Raises:
        Unknown, NotASquare, OffMap: see `endpoints.find_end` and `endpoints.stand`.
    """
    battle_map, battle = scene.map, scene.battle
    field = battle_map.battlefield
    observer = stand(battle_map, find_end(battle_map, start, battle), observes)
    target = stand(battle_map, find_end(battle_map, end, battle), stands)
    others = obstacles(battle_map, (observer, target), battle)
    line = trace(field, observer.body, target.body, others, points)
    return Sighting(field, observer, target, line, profile(field, observer.body, target.body, line))


def sight_words(sighting: Sighting, *, with_profile: bool = False, is_ascii: bool = False) -> list[str]:
    """The sentence, the distance, and everything that the line passes; with a side view of it where that is asked."""
    field, line = sighting.field, sighting.trace
    squares = _straight(field, line)
    lines = [
        f"{sighting.start.phrase} → {sighting.end.phrase}: {line.words}",
        f"{_distance_text(field, squares)} in a straight line, {count(line.columns_apart, 'column')} and "
        f"{count(line.rows_apart, 'row')} apart; {LIGHT[line.light]} at the target.",
        *_halves(line),
        "",
    ]
    if with_profile:
        lines += [
            *drawn(sighting.profile, min(width(), WIDEST_VIEW), is_ascii=is_ascii),
            *wrapped(_key(sighting), 0),
            "",
        ]
    lines.append("On the line from eye to eye:")
    rows = [("where", "what", "line at", "bottom", "top", "")]
    rows += [_crossing_row(field, crossing) for crossing in line.crossings]
    return lines + table(rows, indent=2, right=(2, 3, 4))


def sight_json(sighting: Sighting) -> dict[str, Any]:
    """The same for scripts. Lengths and heights are in the map's unit; a top of null is the roof or the sky."""
    field, line = sighting.field, sighting.trace
    squares = _straight(field, line)
    return {
        "map": field.name,
        "from": sighting.start.id,
        "to": sighting.end.id,
        "from_square": sighting.start.at.name,
        "to_square": sighting.end.at.name,
        "squares": {"columns": line.columns_apart, "rows": line.rows_apart},
        "distance": {
            "value": round(float(squares * field.square_size / 100), 2),
            "unit": field.unit,
            "squares": round(float(squares), 2),
            "metric": "euclidean",
        },
        "can_see": line.can_see,
        **shares_json(line),
        "clear": line.clear,
        "cover": blocker_json(line.cover),
        "first_blocker": blocker_json(line.first_blocker),
        "left": _half_json(line.left),
        "right": _half_json(line.right),
        "points": [_point_json(point) for point in line.points],
        "smoke_squares": line.smoke_squares,
        "smoke": round(float(line.smoke), 2),
        "light": line.light,
        "rise": field.in_units(line.rise),
        "crossings": [_crossing_json(crossing) for crossing in line.crossings],
        "profile": profile_json(sighting.profile),
        "words": line.words,
    }


def shares_json(seen: Trace | TargetHalf | BodyPoint) -> dict[str, Any]:
    """How much is visible and covered, as numbers and exactly."""
    return {
        "visible": float(seen.visible),
        "visible_exact": exact(seen.visible),
        "covered": float(seen.covered),
        "covered_exact": exact(seen.covered),
    }


def blocker_json(blocker: Blocker | None) -> dict[str, Any] | None:
    """What stands in the way; None for nothing."""
    if blocker is None:
        return None
    return {
        "name": blocker.name,
        "place": blocker.place,
        "square": blocker.square.name,
        "edge": blocker.edge.name if blocker.edge else None,
        "material": blocker.cover,
        "share": float(blocker.share),
        "share_exact": exact(blocker.share),
        "line_height": height(blocker.line_height),
        "top": height(blocker.top),
    }


def _half_json(half: TargetHalf | None) -> dict[str, Any] | None:
    if half is None:
        return None
    return {
        **shares_json(half),
        "cover": blocker_json(half.cover),
    }


def _point_json(point: BodyPoint) -> dict[str, Any]:
    return {
        "name": point.name,
        "side": point.side,
        **shares_json(point),
        "behind": blocker_json(point.behind),
    }


def _halves(line: Trace) -> list[str]:
    """What covers either half of the target, in one line; nothing where all of it is open, or all is covered."""
    if line.left is None or line.right is None or not 0 < line.covered < 1:
        return []
    left, right = (_behind(half) for half in (line.left, line.right))
    if left == right:
        return [f"Both halves: {left}."]
    return [f"Left half: {left}; right half: {right}."]


def _behind(half: TargetHalf) -> str:
    """How much of a half is behind what; the foremost thing alone is named."""
    if half.cover is None:
        return "open"
    others = " and others" if half.cover.share < half.covered else ""
    return f"{share_percent(half.covered)} behind {half.cover.phrase}{others}"


def _key(sighting: Sighting) -> str:
    """What the letters of the side view stand for."""
    view = sighting.profile
    ends = [
        f"{sign} {what}"
        for sign, what, at in (
            ("X", "sight ends", view.sight_ends),
            ("x", "a shot ends", view.shot_ends if view.shot_ends != view.sight_ends else None),
        )
        if at is not None
    ]
    return "; ".join([key(sighting.trace, sighting.start.phrase, sighting.end.phrase), *ends])


def _crossing_json(crossing: Crossing) -> dict[str, Any]:
    return {
        "square": crossing.square.name,
        "edge": crossing.edge.name if crossing.edge else None,
        "name": crossing.name,
        "start": exact(crossing.start),
        "end": exact(crossing.end),
        "line_start": height(crossing.line_start),
        "line_end": height(crossing.line_end),
        "bottom": height(crossing.bottom),
        "top": height(crossing.top),
        "blocks_sight": crossing.blocks_sight,
        "stops_shots": crossing.stops_shots,
        "smoke": crossing.smoke,
    }


def _crossing_row(field: Battlefield, crossing: Crossing) -> tuple[str, str, str, str, str, str]:
    effects = [
        word
        for word, holds in (
            ("blocks sight", crossing.blocks_sight),
            ("stops shots", crossing.stops_shots),
            ("smoke", crossing.smoke == 1),
            ("thick smoke", crossing.smoke > 1),
        )
        if holds
    ]
    return (
        crossing.edge.name if crossing.edge else crossing.square.name,
        crossing.name,
        _tenths(crossing.line_start),
        _tenths(crossing.bottom),
        f"{_tenths(crossing.top)} {SIGN[field.unit]}" if crossing.top < SKY else "no limit",
        ", ".join(effects),
    )


def _straight(field: Battlefield, line: Trace) -> Fraction:
    """The straight distance in squares, the rise included; a ruleset may count otherwise."""
    return distance("euclidean", line.columns_apart, line.rows_apart, Fraction(abs(line.rise), field.square_size))


def _distance_text(field: Battlefield, squares: Fraction) -> str:
    return f"{_tenths(squares * field.square_size).removesuffix('.0')} {SIGN[field.unit]}"


def _tenths(height: Fraction | Height) -> str:
    return f"{float(Fraction(height, 100)):.1f}"
