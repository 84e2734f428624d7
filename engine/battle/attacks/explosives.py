"""Charges: weapons placed on a square that go off when a unit comes near, or on command."""

from __future__ import annotations

from collections.abc import Sequence

from engine.battle import events as ev
from engine.battle.attacks.blast_rings import Ring, rings_of, those_in
from engine.battle.attacks.blasts import burst_at
from engine.battle.attacks.resolve_effects import Blow
from engine.battle.defence_choices import NOBODY_ASKED
from engine.battle.distances import carried_to
from engine.battle.event_builder import EventBuilder
from engine.battle.facts import bare_square, observe, sight_line
from engine.battle.state.battle import Battle, Charge
from engine.battle.state.units import Unit
from engine.dice.sources import DiceSource
from engine.errors import Illegal
from engine.geometry.blast.blast import burst_distance, reaches
from engine.geometry.body import middle_height
from engine.geometry.squares import Square
from engine.rules.ledger import itemise
from engine.rules.model import Ruleset
from engine.rules.roll_odds import grade_of
from engine.rules.space_rules import BurstRule
from engine.values import replace


def decide_set_off(battle: Battle, rules: Ruleset, square: Square) -> tuple[ev.Event, ...]:
    """The GM lets everything go off that lies on a square."""
    return tuple(ev.ChargeSetOff(held, _label(rules, held), "") for held in _lying(battle, square))


def decide_clear_charge(battle: Battle, rules: Ruleset, square: Square) -> tuple[ev.Event, ...]:
    """The GM takes everything up that lies on a square."""
    return tuple(ev.ChargeTakenUp(held, _label(rules, held)) for held in _lying(battle, square))


def trodden(battle: Battle, rules: Ruleset, unit: Unit, path: Sequence[Square]) -> tuple[int, tuple[Charge, ...]]:
    """The first step of a path that triggers charges, from 1, and those charges; else the whole path and none.

    Flyers do not step on charges; it makes no difference who laid the charge.

    Args:
        battle: with what lies there.
        rules: for its metric.
        unit: who goes.
        path: the start first.
    """
    for step, square in enumerate(path[1:] if battle.scene.charges else (), 1):
        there = carried_to(battle.field, unit, square)
        if there.altitude:
            continue
        found = tuple(held for held in battle.scene.charges if held.reach and is_near(battle, rules, there, held))
        if found:
            return step, found
    return len(path), ()


def is_near(battle: Battle, rules: Ruleset, unit: Unit, charge: Charge) -> bool:
    """Whether a unit on the ground is so near to a charge that it sets it off; not through a wall."""
    field, up = battle.field, middle_height(battle.field)
    return any(
        burst_distance(field, rules.distance.metric, charge.at, square, up, up) <= charge.reach
        and reaches(field, charge.at, square, up, up)
        for square in unit.squares
        if square in field
    )


def tread(draft: EventBuilder, unit_id: str, path: Sequence[Square]) -> None:
    """Adds the charges that a unit triggers on this path."""
    unit = draft.battle.unit(unit_id)
    for held in trodden(draft.battle, draft.rules, unit, path)[1]:
        draft.add(ev.ChargeSetOff(held, _label(draft.rules, held), unit_id, is_step=True))


def explode(draft: EventBuilder, charge: Charge, dice: DiceSource) -> None:
    """A charge goes off: everybody in its rings is struck as by a burst of its weapon, seen from where it lies."""
    if draft.rules.space.burst is None:
        return
    blow, found = _explosion(draft.battle, draft.rules, charge, draft.rules.space.burst)
    draft.add(ev.BurstLanded(charge.unit, blow.situation.weapon.label, charge.at, (), ""))
    burst_at(draft, blow, found, charge.at, dice, NOBODY_ASKED)


def caught_by(battle: Battle, rules: Ruleset, charge: Charge) -> list[Unit]:
    """Units that a charge would catch now, the inner rings first."""
    if rules.space.burst is None:
        return []
    _, found = _explosion(battle, rules, charge, rules.space.burst)
    return [unit for _, unit in those_in(battle, rules, charge.at, found)]


def _explosion(battle: Battle, rules: Ruleset, charge: Charge, rule: BurstRule) -> tuple[Blow, tuple[Ring, ...]]:
    """Attack of a charge, as if its owner stood at its square, and the rings of its blast."""
    owner = replace(battle.unit(charge.unit), at=charge.at, altitude=0)
    from_there, bare = battle.with_unit(owner), bare_square(charge.at)
    weapon, action = rules.gear.weapons[charge.weapon], rules.actions[charge.action]
    situation = observe(from_there, rules, owner, bare, weapon, action, sight_line(from_there, owner, bare))
    ledger = itemise(rules, situation.facts, ())
    return Blow(situation, ledger, 0, grade_of(rules, rule.grade)), rings_of(battle.field, rules, situation, ledger)


def take_up(draft: EventBuilder, unit_id: str) -> None:
    """Everything that a unit has laid is gone with it."""
    for held in draft.battle.scene.charges:
        if held.unit == unit_id:
            draft.add(ev.ChargeTakenUp(held, _label(draft.rules, held)))


def _lying(battle: Battle, square: Square) -> list[Charge]:
    found = [held for held in battle.scene.charges if held.at == square]
    if not found:
        there = ", ".join(dict.fromkeys(held.at.name for held in battle.scene.charges))
        said = f"No charge on {square.name}. Charges are on: {there}." if there else "No charge is laid."
        raise Illegal("charge", said)
    return found


def _label(rules: Ruleset, charge: Charge) -> str:
    return rules.gear.weapons[charge.weapon].label
