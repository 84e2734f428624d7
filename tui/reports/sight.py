"""The report on one line of sight: the trace itself, before any ruleset has a say."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from engine.field.battlefield import SKY, Battlefield, Height
from engine.field.metric import distance
from engine.field.sight import trace
from engine.field.trace import Blocker, Crossing, Trace
from engine.field.verdict import SIGN
from maps import BattleMap
from tui.reports.ends import End, find_end
from tui.reports.output import exact, table

LIGHT = {"dark": "darkness", "dim": "dim light", "bright": "bright light"}


@dataclass(frozen=True, slots=True)
class Sighting:
    """Who looks at whom, and what the tracer says."""

    field: Battlefield
    start: End
    end: End
    trace: Trace


def look(battle_map: BattleMap, start: str, end: str) -> Sighting:
    """The line from one unit or square of a map to another.

    Raises:
        Unknown, OffMap: see `ends.find_end`.
    """
    field = battle_map.battlefield
    observer, target = find_end(battle_map, start), find_end(battle_map, end)
    return Sighting(field, observer, target, trace(field, observer.body, target.body))


def sight_words(sighting: Sighting) -> list[str]:
    """The sentence, the distance, and everything that the line passes."""
    field, line = sighting.field, sighting.trace
    squares = _straight(field, line)
    lines = [
        f"{sighting.start.told} → {sighting.end.told}: {line.words}",
        f"{_told(field, squares)} in a straight line, {_count(line.columns_apart, 'column')} and "
        f"{_count(line.rows_apart, 'row')} apart; {LIGHT[line.light]} at the target.",
        "",
        "On the line from eye to eye:",
    ]
    rows = [("where", "what", "line at", "stands from", "to", "")]
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
        "visible": float(line.visible),
        "visible_exact": exact(line.visible),
        "covered": float(line.covered),
        "covered_exact": exact(line.covered),
        "clear": line.clear,
        "cover": blocker_json(line.cover),
        "first_blocker": blocker_json(line.first_blocker),
        "smoke_squares": line.smoke_squares,
        "smoke": round(float(line.smoke), 2),
        "light": line.light,
        "rise": field.in_units(line.rise),
        "crossings": [_crossing_json(crossing) for crossing in line.crossings],
        "words": line.words,
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
        "line_height": _height(blocker.line_height),
        "top": _height(blocker.top),
    }


def _crossing_json(crossing: Crossing) -> dict[str, Any]:
    return {
        "square": crossing.square.name,
        "edge": crossing.edge.name if crossing.edge else None,
        "name": crossing.name,
        "start": exact(crossing.start),
        "end": exact(crossing.end),
        "line_start": _height(crossing.line_start),
        "line_end": _height(crossing.line_end),
        "bottom": _height(crossing.bottom),
        "top": _height(crossing.top),
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
        f"{_tenths(crossing.top)} {SIGN[field.unit]}" if crossing.top < SKY else "the sky",
        ", ".join(effects),
    )


def _straight(field: Battlefield, line: Trace) -> Fraction:
    """The straight distance in squares, the rise included; a ruleset may count otherwise."""
    return distance("euclidean", line.columns_apart, line.rows_apart, Fraction(abs(line.rise), field.square_size))


def _told(field: Battlefield, squares: Fraction) -> str:
    return f"{_tenths(squares * field.square_size).removesuffix('.0')} {SIGN[field.unit]}"


def _tenths(height: Fraction | Height) -> str:
    return f"{float(Fraction(height, 100)):.1f}"


def _height(height: Fraction | Height) -> float | None:
    """A height in the map's unit; None for one that no map reaches."""
    return round(float(Fraction(height, 100)), 2) if -SKY < height < SKY else None


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
