"""Bursts in play: a throw comes down, perhaps astray, and everybody in its rings is struck."""

from __future__ import annotations

from collections.abc import Mapping

from engine.battle import events as ev
from engine.battle.attacks.blast_rings import Ring, grade_on, height_of_burst, those_in
from engine.battle.attacks.play import PlayDriver
from engine.battle.attacks.resolve import defended, strikes
from engine.battle.attacks.resolve_effects import Blow, NamingSource
from engine.battle.attacks.scatter import roll_landing, scatter_after, throw_of
from engine.battle.defence_choices import Choices
from engine.battle.distances import radius_in_squares
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import observe_again, with_facts
from engine.battle.state.battle import SMOKE, Battle, free_id
from engine.battle.state.units import Unit
from engine.dice.sources import DiceSource, Roll
from engine.geometry.battlefield import Height
from engine.geometry.blast.scatter_path import OFF_MAP
from engine.geometry.blast.smoke_clouds import MOST_RADIUS, Cloud
from engine.geometry.squares import Square
from engine.rules.formula_values import number, whole_up
from engine.rules.model import Value
from engine.rules.reaction_rules import BURST
from engine.rules.roll_odds import grade_of, roll_facts
from engine.values import replace


def go_off(draft: EventBuilder, thrown: Blow, rings: tuple[Ring, ...], dice: DiceSource, choices: Choices) -> None:
    """Rolls the landing square and attacks every unit in the blast, friend and foe, the inner rings first.

    Args:
        draft: where it is added; its ruleset says how a burst strikes.
        thrown: the attack and the result of its roll.
        rings: of the burst, from `blast_rings.rings_of`.
        dice: where further dice come from.
        choices: what those do whom it catches.
    """
    rules, situation = draft.rules, thrown.situation
    attacker, field = situation.attacker, draft.battle.field
    facts = roll_facts(
        rules, {**situation.facts, **thrown.ledger.band_facts}, thrown.ledger, thrown.rolled, thrown.dice
    )
    scatter = scatter_after(rules, facts, thrown.grade.id, thrown.grade.is_hit)
    down = roll_landing(field, throw_of(field, rules, attacker.at, situation.target.at), scatter, dice)
    draft.add(ev.BurstLanded(attacker.id, situation.weapon.label, down.at, down.rolls, down.stopped_by))
    if down.stopped_by == OFF_MAP:
        return
    burst_at(draft, thrown, rings, down.at, dice, choices, height_of_burst(situation, scatter, down.at))


def burst_at(
    draft: EventBuilder,
    thrown: Blow,
    rings: tuple[Ring, ...],
    at: Square,
    dice: DiceSource,
    choices: Choices,
    up: Height = 0,
) -> None:
    """Places the smoke of a blast and attacks every unit in its rings, the inner rings first.

    Args:
        draft, thrown, rings, dice, choices: as for `go_off`.
        at: where it bursts.
        up: how far above the ground.
    """
    rules, situation = draft.rules, thrown.situation
    if rules.space.burst is None:
        return
    struck_as, attacker = grade_of(rules, rules.space.burst.grade), situation.attacker
    _smoke(draft, at, situation.weapon.label, {**situation.facts, **thrown.ledger.band_facts})
    caught = those_in(draft.battle, rules, at, rings, up)
    shared: dict[str, Roll] = {}
    for place, (ring, unit) in enumerate(caught, 1):
        draft.add(ev.BurstCaught(attacker.id, unit.id, rings[ring].zone.label, rings[ring].share))
        struck = observe_again(_seen_from(draft.battle, attacker), rules, situation, unit.id)
        about = {**rings[ring].facts, "area_targets": len(caught), "area_target_number": place}
        struck = with_facts(rules, struck, about)
        named = NamingSource(dice, f", {unit.name}")
        grade = grade_on(rules, unit, thrown.grade, situation, struck_as)
        on_one = replace(thrown, situation=struck, grade=grade)
        PlayDriver(draft, named, choices, against=BURST, shared=shared).run(defended(on_one, strikes))


def _seen_from(battle: Battle, attacker: Unit) -> Battle:
    """The battle with the attacker where the attack comes from, which is not where it stands who laid a charge."""
    now = battle.unit(attacker.id)
    if (now.at, now.altitude) == (attacker.at, attacker.altitude):
        return battle
    return battle.with_unit(replace(now, at=attacker.at, altitude=attacker.altitude))


def _smoke(draft: EventBuilder, at: Square, weapon: str, facts: Mapping[str, Value]) -> None:
    """Lays the cloud of smoke that the burst makes, if it makes one."""
    rules, field = draft.rules, draft.battle.field
    radius = number(rules.space.burst.smoke, facts) if rules.space.burst else 0
    if not rules.space.burst or radius <= 0:
        return
    squares, rounds = (
        min(radius_in_squares(radius, field, rules), MOST_RADIUS),
        whole_up(rules.space.burst.smoke_rounds, facts),
    )
    taken = {cloud.id for cloud in draft.battle.scene.clouds}
    draft.add(
        ev.CloudSet(Cloud(free_id(SMOKE, taken), at, squares, rounds=rounds, metric=rules.distance.metric), weapon)
    )
