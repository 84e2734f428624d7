"""What somebody saw happen: the part of a command's aftermath that is about units and squares in their sight."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from msgspec import Struct

from engine.battle.events import AttackRolled, Event, UnitMoved, UnitPushed
from engine.battle.state.battle import Battle
from engine.battle.views.aftermath import Aftermath
from engine.geometry.squares import Square
from engine.values import replace


class Sight(Struct, frozen=True):
    """Who and what is in sight before and after a command."""

    before: frozenset[str]
    """Ids of the units known before it."""
    after: frozenset[str]
    own: frozenset[str]
    """Ids of those whose whole way and whose aim is known."""
    squares: frozenset[Square] | None = None
    """The squares that are seen; None for all."""

    def sees(self, square: Square | None) -> bool:
        return square is not None and (self.squares is None or square in self.squares)

    @property
    def known(self) -> frozenset[str]:
        return self.before | self.after


def witnessed(found: Aftermath, before: Battle, after: Battle, events: Iterable[Event], sight: Sight) -> Aftermath:
    """What is seen of the aftermath of a command.

    A line of fire needs both of its ends: a target whose shooter is not known has its mark without the line.

    Args:
        found: all that the command did.
        before: the battle before it.
        after: the battle after it.
        events: of the command.
        sight: who and what is in sight.
    """
    stood = {*_squares(before, sight.before), *_squares(after, sight.after)}
    trail: dict[Square, None] = {}
    attackers: set[str] = set()
    for event in events:
        if isinstance(event, UnitMoved | UnitPushed) and event.unit in sight.known:
            is_own = event.unit in sight.own
            trail |= dict.fromkeys(square for square in event.path[:-1] if is_own or sight.sees(square))
        elif isinstance(event, AttackRolled):
            attackers.add(event.unit)
    is_thrown_in_sight = sight.squares is not None or attackers <= sight.known
    landed = found.landed if sight.sees(found.landed) and is_thrown_in_sight else None
    rings = (frozenset(square for square in ring if sight.sees(square)) for ring in found.rings)
    return replace(
        found,
        trail=tuple(trail),
        shots=tuple(shot for shot in found.shots if {shot.squares[0], shot.squares[-1]} <= stood),
        marks=tuple(mark for mark in found.marks if mark.unit in sight.after),
        aimed=found.aimed if landed and attackers <= sight.own else None,
        landed=landed,
        rings=tuple(rings) if landed else (),
    )


def _squares(battle: Battle, known: Collection[str]) -> Iterable[Square]:
    return (square for unit in known if unit in battle.units for square in battle.units[unit].squares)
