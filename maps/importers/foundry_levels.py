"""Levels of a Foundry scene: its own from version 14 on, or those of the Levels module; and how high its walls are.

Heights here are in the scene's own units, above its zero; None goes on for ever, up or down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.text import clean
from maps.importers.plan import MOST_NAME, Sketch, number

Span = tuple[float | None, float | None]
MOST_LEVELS = 100
MOST_TOLD = 6
"""Names of levels in a sentence."""
ALL: Span = (None, None)


class Level(Struct, frozen=True):
    """One floor of a scene."""

    id: str
    """What walls and lights name it by; "" for a level of the module, which has only heights."""
    name: str
    span: Span

    def holds(self, thing: Mapping[str, Any], span: Span) -> bool:
        """Whether a wall or light is on this level: as it says, else by the heights that it spans."""
        named = thing.get("levels")
        if self.id:
            return not isinstance(named, list) or not named or self.id in named
        (bottom, top), (low, high) = self.span, span
        return (high is None or bottom is None or high > bottom) and (low is None or top is None or low < top)


def levels_of(value: Mapping[str, Any]) -> list[Level]:
    """All levels of a scene; none where it has one only, or does not say."""
    found = [
        Level(str(one.get("_id", "")), _named(one.get("name"), span), span)
        for one in _dicts(value.get("levels"))
        for span in [_span(_dict(one.get("elevation")).get("bottom"), _dict(one.get("elevation")).get("top"))]
    ]
    if not found:
        rows = _dict(_dict(value.get("flags")).get("levels")).get("sceneLevels")
        rows = [row for row in rows if isinstance(row, list) and len(row) >= 2] if isinstance(rows, list) else []
        spans = [(_span(*row[:2]), row) for row in rows[:MOST_LEVELS]]
        found = [Level("", _named(row[2] if len(row) > 2 else "", span), span) for span, row in spans]
    return found if len(found) > 1 else []


def chosen(sketch: Sketch, value: Mapping[str, Any], wanted: str) -> Level | None:
    """The level to import: the one wanted, else the one that the scene opens with, or at height 0; the others are told.

    Raises:
        BattleboardError: there is no level of that name.
    """
    levels = levels_of(value)
    if not levels:
        if wanted:
            sketch.refuse(f"it has no levels, so there is no level {clean(wanted, MOST_NAME)!r}")
        return None
    if wanted:
        found = next((level for level in levels if level.name.casefold() == wanted.strip().casefold()), None)
        if found is None:
            sketch.refuse(f"it has no level {clean(wanted, MOST_NAME)!r}; it has {_levels_text(levels)}")
    else:
        first = value.get("initialLevel")
        found = next((level for level in levels if level.id and level.id == first), None)
        found = found or next((level for level in levels if not level.id and _is_ground(level)), levels[0])
    others = _levels_text([level for level in levels if level is not found])
    sketch.notes.append(f"The level imported is {found.name}. Not carried: {others}. --level NAME imports another.")
    return found


def wall_span(wall: Mapping[str, Any], levels: Sequence[Level]) -> Span:
    """From where to where a wall reaches: as its heights say, else as its levels do."""
    flags = _dict(wall.get("flags"))
    own, older = _dict(flags.get("wall-height")), _dict(flags.get("wallHeight"))
    span = _span(
        own.get("bottom", older.get("wallHeightBottom")),
        own.get("top", older.get("wallHeightTop")),
    )
    if span != ALL:
        return span
    named = wall.get("levels")
    on = [
        level.span for level in levels if level.id and (not isinstance(named, list) or not named or level.id in named)
    ]
    lows, highs = [low for low, _ in on], [high for _, high in on]
    return (
        None if None in lows or not on else min(low for low in lows if low is not None),
        None if None in highs or not on else max(high for high in highs if high is not None),
    )


def light_span(light: Mapping[str, Any]) -> Span:
    """From where to where a light reaches with the Levels module."""
    flags = _dict(_dict(light.get("flags")).get("levels"))
    return _span(light.get("elevation", flags.get("rangeBottom")), flags.get("rangeTop"))


def _is_ground(level: Level) -> bool:
    low, high = level.span
    return (low is None or low <= 0) and (high is None or high > 0)


def _span(bottom: Any, top: Any) -> Span:
    low, high = _height(bottom), _height(top)
    return low, None if low is not None and high is not None and high <= low else high


def _height(value: Any) -> float | None:
    """A height; the Levels module writes figures as text, and nothing for no end."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            return None
    return number(value)


def _levels_text(levels: Sequence[Level]) -> str:
    names = ", ".join(level.name for level in levels[:MOST_TOLD])
    return f"{names} and {len(levels) - MOST_TOLD} more" if len(levels) > MOST_TOLD else names


def _named(name: Any, span: Span) -> str:
    title = clean(name, MOST_NAME) if isinstance(name, str) else ""
    low, high = ("…" if end is None else f"{end:g}" for end in span)
    return title or f"{low} to {high}"


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _dicts(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value[:MOST_LEVELS] if isinstance(one, dict)] if isinstance(value, list) else []
