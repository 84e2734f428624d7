"""Dirty squares: those that a change of the view or the markings affects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest

from engine.battle.views.view import View
from engine.geometry.squares import Edge, Square
from tui.application.overlays.markings import Markings, TintGrid
from tui.view.board.layers import footprint

MOST_COMPARED = 20_000
"""Most tints that are compared one by one."""


def changed_squares(before: Markings, after: Markings, view: View) -> set[Square] | None:
    """Squares affected by a change of the markings without its cursor; None if they are too many."""
    changed = _tints_changed(before.tints, after.tints)
    if changed is None:
        return None
    if before.numbered != after.numbered:
        changed |= {*before.numbered, *after.numbered}
    if before.letters is not after.letters:
        changed |= {*before.letters, *after.letters}
    if before.flight != after.flight or before.stop != after.stop:
        changed |= {near for square in (*before.flight, *after.flight) for near in _around(square)}
    changed |= set(before.path) ^ set(after.path) | set(before.path[-1:]) ^ set(after.path[-1:])
    if (before.aim, before.outline) != (after.aim, after.outline):
        changed |= {*before.outline, *after.outline} | {one for one in (before.aim, after.aim) if one is not None}
    if before.stop != after.stop:
        changed |= {square for stop in (before.stop, after.stop) for square in _squares_of(stop)}
    if before.aftermath is not after.aftermath or before.chips != after.chips:
        return None
    chosen = {before.selected, before.target} ^ {after.selected, after.target}
    changed |= {square for unit in view.units if unit.id in chosen for square in footprint(unit)}
    return changed


def moved_squares(before: View, after: View) -> set[Square] | None:
    """Squares whose units differ between two views of one battlefield; None when the battlefield is another."""
    if before.field is not after.field:
        return None
    pairs = zip_longest(before.units, after.units)
    moved = {square for pair in pairs if pair[0] != pair[1] for unit in pair if unit for square in footprint(unit)}
    moved |= {note.at for note in set(before.notes) ^ set(after.notes) if note.at is not None}
    moved |= {one.at for one in set(before.last_seen) ^ set(after.last_seen)}
    moved |= set(before.charges) ^ set(after.charges)
    moved |= {square for path in set(before.declared_paths) ^ set(after.declared_paths) for square in path}
    large = (footprint(unit) for unit in after.units if unit.size > 1)  # its sign for a shared square stands elsewhere
    moved |= {square for squares in large if not moved.isdisjoint(squares) for square in squares}
    return moved | {square for square, _ in set(before.dropped) ^ set(after.dropped)}


def _around(square: Square) -> Iterable[Square]:
    """The square and its neighbours: a line from middle to middle crosses more than it counts."""
    return (Square(square.column + dx, square.row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1))


def _tints_changed(before: Mapping[Square, str], after: Mapping[Square, str]) -> set[Square] | None:
    if before is after:
        return set()
    if len(before) + len(after) > MOST_COMPARED:
        return None
    if isinstance(before, TintGrid) and isinstance(after, TintGrid):
        return before.differences(after)
    lost = {square for square in before if square not in after}
    return lost | {square for square, tint in after.items() if before.get(square) != tint}


def _squares_of(stop: Square | Edge | None) -> tuple[Square, ...]:
    if stop is None:
        return ()
    return stop.squares if isinstance(stop, Edge) else (stop,)
