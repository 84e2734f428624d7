"""Events of who is on the table: units added, taken away, named, hidden."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from engine.battle.events.event import Event, scores_without, without
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.bounds import MANY, SOME, Amount, Count, Id, ListOf, Text
from engine.values import replace

__all__ = [
    "LettersGiven",
    "SideChanged",
    "UnitHidden",
    "UnitOut",
    "UnitRemoved",
    "UnitRenamed",
    "UnitShown",
    "UnitsAdded",
]


class UnitsAdded(Event, frozen=True, tag="units-added"):
    """Units join the battle. `order` and `scores`: the turn order from now on."""

    version = 3
    units: Annotated[tuple[Unit, ...], SOME]
    order: ListOf[Id] = ()
    scores: Annotated[Mapping[Id, Amount], MANY] = {}
    is_copy: bool = False
    outside: Annotated[Mapping[Id, Count], MANY] = {}
    """How many of them found no room in their start zone and stand outside it, by the zone's id."""

    def apply(self, battle: Battle) -> Battle:
        units = {**battle.units, **{unit.id: unit for unit in self.units}}
        return replace(battle, units=units).with_order(self.order, self.scores)

    def redacted(self, hidden: frozenset[str], before: Battle) -> UnitsAdded | None:
        seen = tuple(unit for unit in self.units if unit.id not in hidden)
        if not seen:
            return None
        order, scores = without(self.order, hidden), scores_without(self.scores, hidden)
        outside = self.outside if len(seen) == len(self.units) else {}  # how many of whom it does not say
        return replace(self, units=seen, order=order, scores=scores, outside=outside)


class UnitRemoved(Event, frozen=True, tag="unit-removed"):
    """A unit was removed from the battle; `name` is its name."""

    unit: Id
    name: Text

    def apply(self, battle: Battle) -> Battle:
        """The battle without the unit, and without all that was about it."""
        turns, gm = battle.turns, battle.gm
        return replace(
            battle,
            units={known: unit for known, unit in battle.units.items() if known != self.unit},
            gone={**battle.gone, self.unit: battle.called(self.unit)},
            turns=replace(
                turns,
                order=self._left(turns.order),
                initiative={known: score for known, score in turns.initiative.items() if known != self.unit},
                announced={known: said for known, said in turns.announced.items() if known != self.unit},
                active="" if turns.active == self.unit else turns.active,
                interrupted=tuple(waiting for waiting in turns.interrupted if waiting.unit != self.unit),
                declared=tuple(path for path in turns.declared if path.unit != self.unit),
                closing=self._left(turns.closing),
                groups=tuple(left for group in turns.groups if len(left := self._left(group)) > 1),
                surprised=self._left(turns.surprised),
                delayed=self._left(turns.delayed),
                started=self._left(turns.started),
                ended=self._left(turns.ended),
            ),
            openings=tuple(held for held in battle.openings if self.unit not in (held.unit, held.against)),
            gm=replace(
                gm,
                covers=tuple(held for held in gm.covers if self.unit not in held.pair),
                policies=tuple(held for held in gm.policies if held.unit != self.unit),
                notes=tuple(note for note in gm.notes if note.unit != self.unit),
            ),
        )

    def _left(self, ids: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(known for known in ids if known != self.unit)


class UnitRenamed(Event, frozen=True, tag="unit-renamed"):
    unit: Id
    before: Text
    after: Text

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], name=self.after))


class SideChanged(Event, frozen=True, tag="side-changed"):
    """A unit fights for another side, or for none."""

    unit: Id
    before: Text
    after: Text
    is_neutral: bool = False

    def apply(self, battle: Battle) -> Battle:
        unit = battle.units[self.unit]
        return battle.with_unit(replace(unit, side=self.after, is_neutral=self.is_neutral))


class UnitHidden(Event, frozen=True, tag="unit-hidden"):
    """Players see a unit no longer."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], is_hidden=True))


class LettersGiven(Event, frozen=True, tag="letters-given"):
    """Units get their badges, by unit id, and players, by seat, theirs for whom they see for the first time."""

    is_for_gm = True
    version = 2

    badges: Annotated[Mapping[Id, Text], MANY] = {}
    seen_as: Annotated[Mapping[Id, Annotated[Mapping[Id, Text], MANY]], MANY] = {}

    def apply(self, battle: Battle) -> Battle:
        return replace(battle, badges={**battle.badges, **self.badges}, seen_as=with_seen(battle.seen_as, self.seen_as))


def with_seen(
    before: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]
) -> Mapping[str, Mapping[str, str]]:
    """The badges by which seats know units, with new ones."""
    return {**before, **{seat: {**before.get(seat, {}), **badges} for seat, badges in new.items()}}


class UnitOut(Event, frozen=True, tag="unit-out"):
    """The GM has taken a unit out of the fight, with a word why; "" when it takes part again."""

    unit: Id
    why: Text

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], out=self.why))


class UnitShown(Event, frozen=True, tag="unit-shown"):
    """Players see a unit again."""

    unit: Id

    def apply(self, battle: Battle) -> Battle:
        return battle.with_unit(replace(battle.units[self.unit], is_hidden=False))
