"""Bursts: the rings that a weapon's burst has under a ruleset, the squares of each, and who is caught in which."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from msgspec import Struct

from engine.battle.attacks.scatter import Chances, ThrowScatter, number_of
from engine.battle.distances import radius_squares
from engine.battle.facts import Situation
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.blast.blast import burst_distance, reaches, zones
from engine.geometry.blast.square_set import Zone
from engine.geometry.body import middle_height
from engine.geometry.squares import Square
from engine.rules.formula_values import plain
from engine.rules.ledger import Ledger
from engine.rules.model import Grade, Ruleset, Value
from engine.rules.space_rules import BlastZone


class Ring(Struct, frozen=True):
    """A zone of a burst with its figures worked out: radius in squares of the map, share of the effect.

    `stated` is the radius in the ruleset's unit, as its table has it.
    """

    zone: BlastZone
    radius: Fraction
    share: Fraction
    stated: Fraction

    @property
    def facts(self) -> dict[str, Value]:
        """Facts that rules may ask of a unit in this ring."""
        return {"burst_share": plain(self.share), "burst_zone": self.zone.id}

    def names_radius(self, reach: str) -> bool:
        """Whether its label already names its radius, as "5 to 10 m" does for "10 m"."""
        return f" {reach} " in f" {self.zone.label.lower()} "


def rings(battlefield: Battlefield, rules: Ruleset, facts: Mapping[str, Value]) -> tuple[Ring, ...]:
    """The rings of the burst that an attack makes, the innermost first; none when its weapon does not burst.

    Args:
        battlefield: for the size of its squares.
        rules: the ruleset.
        facts: of the attack, with its range band.

    Raises:
        BattleboardError: a radius or share asks for a fact that is not there.
    """
    found = []
    for zone in rules.space.zones:
        radius = number_of(zone.radius, facts)
        if radius > 0:
            found.append(Ring(zone, radius_squares(battlefield, rules, radius), number_of(zone.share, facts), radius))
    return tuple(found)


def rings_of(battlefield: Battlefield, rules: Ruleset, situation: Situation, ledger: Ledger) -> tuple[Ring, ...]:
    """Blast rings of one attack; empty where the ruleset has no rule for blasts, and for a blow."""
    if rules.space.burst is None or situation.action.used_as == "melee":
        return ()
    return rings(battlefield, rules, {**situation.facts, **ledger.band_facts})


def burst(
    battlefield: Battlefield, rules: Ruleset, centre: Square, found: Iterable[Ring], up: Height = 0
) -> tuple[Zone, ...]:
    """The squares of each ring around a centre; `up` is how far above the ground it bursts, on a flyer."""
    height = middle_height(battlefield) + up if up else None
    return zones(battlefield, centre, [ring.radius for ring in found], metric=rules.distance.metric, height=height)


def ring_of(
    battlefield: Battlefield,
    rules: Ruleset,
    centre: Square,
    unit: Unit,
    found: tuple[Ring, ...],
    areas: tuple[Zone, ...],
    up: Height = 0,
) -> int | None:
    """Which ring of a burst a unit is in, by the nearest of its squares; None when the burst does not reach it.

    Args:
        battlefield: where it bursts.
        rules: the ruleset, for its metric.
        centre: the square of the burst.
        unit: one that flies is looked for at its own height.
        found: the rings, the innermost first.
        areas: their squares, from `burst`.
        up: how far above the ground it bursts.
    """
    if not unit.altitude:
        return next((i for i, area in enumerate(areas) if any(square in area for square in unit.squares)), None)
    middle = middle_height(battlefield)
    own = unit.altitude + middle
    nearest = [
        burst_distance(battlefield, rules.distance.metric, centre, square, middle + up, own)
        for square in unit.squares
        if square in battlefield and reaches(battlefield, centre, square, middle + up, own)
    ]
    return next((i for i, ring in enumerate(found) if nearest and min(nearest) <= ring.radius), None)


def those_in(
    battle: Battle, rules: Ruleset, centre: Square, found: tuple[Ring, ...], up: Height = 0
) -> tuple[tuple[int, Unit], ...]:
    """Units in the fight inside a blast, with the number of their ring, the inner rings first."""
    areas = burst(battle.field, rules, centre, found, up)
    there = []
    for unit in battle.units.values():
        number = None if unit.is_defeated else ring_of(battle.field, rules, centre, unit, found, areas, up)
        if number is not None and found[number].share:
            there.append((number, unit))
    return tuple(sorted(there, key=lambda one: one[0]))


def height_of_burst(situation: Situation, scatter: ThrowScatter | None, at: Square) -> Height:
    """Height above the ground of a blast: on a flyer, that of the flyer."""
    is_dropped = scatter is not None and scatter.at == "attacker" and scatter.dice is None
    holder = situation.attacker if is_dropped else situation.target
    return holder.altitude if at == holder.at else 0


def caught(
    battle: Battle, rules: Ruleset, chances: Chances, found: tuple[Ring, ...]
) -> dict[str, tuple[Fraction, ...]]:
    """For every unit in the fight the chance to be in each ring of the burst, the innermost first.

    Args:
        battle: now.
        rules: the ruleset.
        chances: of the burst's centre, from `landing_odds`.
        found: the rings, from `rings`.
    """
    fighting = [unit for unit in battle.units.values() if not unit.is_defeated]
    sums = {unit.id: [Fraction(0)] * len(found) for unit in fighting}
    for centre, chance in chances.items():
        areas = burst(battle.field, rules, centre, found)
        for unit in fighting:
            number_in = ring_of(battle.field, rules, centre, unit, found, areas)
            if number_in is not None:
                sums[unit.id][number_in] += chance
    return {unit_id: tuple(shares) for unit_id, shares in sums.items()}


def grade_on(rules: Ruleset, unit: Unit, rolled: Grade, situation: Situation, struck_as: Grade) -> Grade:
    """As what a burst strikes a unit: the one aimed at perhaps as the attack's roll says."""
    rule, is_aimed_at = rules.space.burst, unit.id == situation.target.id
    keeps = is_aimed_at and rolled.is_hit and rule is not None and rule.aimed_keeps_grade.evaluate(situation.facts)
    return rolled if keeps else struck_as
