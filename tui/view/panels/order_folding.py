"""Rows of a turn order folded where there is no room for all: neighbours of one group are one row, "gunmen 1–4"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from msgspec import Struct

from engine.battle.unit_names import stem_of
from engine.battle.views.view import UnitView
from engine.text import plural

LEAST = 2
"""Units that a folded row stands for at least."""


class OrderPlace(Struct, frozen=True):
    """What has a row: a unit, a group that acts together, or neighbours of one group."""

    name: str
    """"" for a unit."""
    units: tuple[UnitView, ...]
    is_folded: bool = False


def folded(places: Sequence[OrderPlace], height: int, alone: Collection[str]) -> list[OrderPlace]:
    """The places with neighbours of one group folded, the longest run first, until they fit or none is left.

    Args:
        places: one for each row, in order.
        height: rows; 0 for any number.
        alone: ids of the units that keep a row of their own.
    """
    runs = [
        list(members)
        for key, members in groupby(range(len(places)), key=lambda place: _group_of(places[place], alone))
        if key
    ]
    more = len(places) - height if height else 0
    chosen: dict[int, int] = {}
    for run in sorted(runs, key=len, reverse=True):
        if more <= 0 or len(run) < LEAST:
            break
        chosen[run[0]] = len(run)
        more -= len(run) - 1
    found, place = list[OrderPlace](), 0
    while place < len(places):
        count = chosen.get(place, 1)
        units = tuple(unit for one in places[place : place + count] for unit in one.units)
        found.append(places[place] if count == 1 else OrderPlace(run_name(units), units, is_folded=True))
        place += count
    return found


def _group_of(place: OrderPlace, alone: Collection[str]) -> tuple[str, str, str] | None:
    """What the neighbours that may be folded have in common; None for a place that stays as it is."""
    unit = place.units[0]
    if place.name or not unit.number or unit.id in alone:
        return None
    return unit.side, unit.letter, stem_of(unit.name)


def run_name(units: Sequence[UnitView]) -> str:
    """What some units of a group are called together: "gunmen 1–4", "gunmen 1, 3–4"."""
    return f"{plural(stem_of(units[0].name))} {', '.join(_spans(sorted(unit.number for unit in units)))}"


def _spans(numbers: Iterable[int]) -> list[str]:
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    return [f"{span[0]}–{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans]


def standing_words(units: Sequence[UnitView], *, is_short: bool = False) -> str:
    """How many of some units are still in the fight: "3 of 4 stand", in short "3 of 4"."""
    return f"{sum(not unit.is_defeated for unit in units)} of {len(units)}{'' if is_short else ' stand'}"
