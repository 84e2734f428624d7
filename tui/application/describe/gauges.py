"""Gauges: a bar, and those of a group in one line: \"torso, arms 4/2/3 · head 3(4)/2/3\"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle.views.view import Gauge
from tui.application.describe.styled_rows import StyledRow

HIGH, LOW = 2, 4
"""A meter is green over one half, red up to a quarter."""


def meter(now: int, full: int, cells: int) -> StyledRow:
    """A bar of so many cells, its filled and its empty part; one cell stays filled while anything is left."""
    filled = 0 if full <= 0 else max(1 if now > 0 else 0, min(cells, round(cells * now / full)))
    style = "$good" if now * HIGH > full else "$warn" if now * LOW > full else "$bad"
    return ("━" * filled, style), ("─" * (cells - filled), "$faint")


def together(gauges: Sequence[Gauge]) -> str:
    """Formats the gauges of one group: part by part, equal ones together, without parts that never had any.

    A reduced number has the full one in brackets.
    """
    parts: dict[str, list[Gauge]] = {}
    for gauge in gauges:
        parts.setdefault(gauge.part, []).append(gauge)
    alike: dict[str, list[str]] = {}
    for part, held in parts.items():
        if any(gauge.full or gauge.now for gauge in held):
            alike.setdefault("/".join(map(_number, held)), []).append(part)
    return " · ".join(f"{', '.join(names)} {gauge}" for gauge, names in alike.items())


def lines_of(gauges: Sequence[Gauge]) -> list[tuple[str, tuple[Gauge, ...]]]:
    """The gauges in order: single ones under \"\", a group at the place of its first gauge."""
    found: dict[str, tuple[str, tuple[Gauge, ...]]] = {}
    for gauge in gauges:
        key = gauge.group or f"\n{gauge.id}"
        found[key] = (gauge.group, (*found.get(key, ("", ()))[1], gauge))
    return list(found.values())


def _number(gauge: Gauge) -> str:
    return f"{gauge.now}" if gauge.now == gauge.full else f"{gauge.now}({gauge.full})"
