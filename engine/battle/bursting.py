"""Bursts in play: a throw comes down, perhaps astray, and everybody in its rings is struck."""

from __future__ import annotations

from dataclasses import dataclass

from engine.battle import events as ev
from engine.battle.bursts import Ring, burst, ring_of
from engine.battle.draft import Draft
from engine.battle.following import follow
from engine.battle.scattering import scattered, stray_of, throw_of
from engine.battle.setup import full_facts
from engine.battle.situation import Situation, observe, sight_line, with_facts
from engine.dice.sources import DiceSource, Roll
from engine.rules.checks import roll_facts
from engine.rules.effects import consequences
from engine.rules.ledger import Ledger
from engine.rules.model import Grade
from engine.rules.values import plain


@dataclass(frozen=True, slots=True)
class Thrown:
    """An attack with what bursts, rolled: what it came to, and the rings of its burst."""

    situation: Situation
    ledger: Ledger
    rolled: int
    grade: Grade
    rings: tuple[Ring, ...]


def go_off(draft: Draft, thrown: Thrown, dice: DiceSource) -> None:
    """Rolls where it comes down, and strikes everybody whom it catches there, friend and foe, those inside first."""
    rules, situation = draft.rules, thrown.situation
    attacker, field = situation.attacker, draft.battle.field
    facts = roll_facts(rules, {**situation.facts, "band": thrown.ledger.band}, thrown.ledger, thrown.rolled)
    stray = stray_of(rules, facts, thrown.grade.id, thrown.grade.is_hit)
    down = scattered(field, throw_of(field, rules, attacker.at, situation.target.at), stray, dice)
    draft.add(ev.BurstLanded(attacker.id, situation.weapon.label, down.at, down.rolls, down.stopped_by))
    holder = attacker if stray is not None and stray.at == "attacker" and stray.dice is None else situation.target
    up = holder.altitude if down.at == holder.at else 0  # on a flyer it bursts where the flyer is
    areas = burst(field, rules, down.at, thrown.rings, up)
    caught = []
    for unit in draft.battle.units.values():
        number = None if unit.is_defeated else ring_of(field, rules, down.at, unit, thrown.rings, areas, up)
        if number is not None:
            caught.append((number, unit.id))
    shared: dict[str, Roll] = {}
    for number, unit_id in sorted(caught, key=lambda one: one[0]):
        _strike(draft, thrown, thrown.rings[number], unit_id, dice, shared)


def _strike(draft: Draft, thrown: Thrown, ring: Ring, unit_id: str, dice: DiceSource, shared: dict[str, Roll]) -> None:
    rules, before = draft.rules, thrown.situation
    if rules.burst is None:
        return
    struck_as = next(grade for grade in rules.grades if grade.id == rules.burst.grade)
    attacker, target = draft.battle.unit(before.attacker.id), draft.battle.unit(unit_id)
    draft.add(ev.BurstCaught(attacker.id, unit_id, ring.zone.label, ring.share))
    line = sight_line(draft.battle, rules, attacker, target)
    situation = observe(draft.battle, rules, attacker, target, before.weapon, before.action, line)
    situation = with_facts(situation, {"burst_share": plain(ring.share)})
    facts = roll_facts(rules, situation.facts, thrown.ledger, thrown.rolled)
    facts |= full_facts(rules, attacker, "attacker") | full_facts(rules, target, "target")
    found = consequences(rules, rules.effects, facts, struck_as, dice, shared)
    follow(draft, found, {"attacker": attacker.id, "target": unit_id}, struck_as.label, before.weapon.id)
