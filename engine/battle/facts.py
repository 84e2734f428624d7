"""Facts: named values from a battle and an attack or action. The only place where facts are made."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from engine.battle.distances import (
    aside,
    beside,
    carried_to,
    counted_range,
    distance_between,
    distance_squares,
    feet,
    gap,
    height_in_unit,
    is_adjacent,
    is_in_leap,
    map_distance,
    range_side,
)
from engine.battle.gear import stats_of, weapon_in_hand
from engine.battle.magazines import magazine
from engine.battle.rulings_in_force import ruling_facts
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import CoverRuling
from engine.battle.state.units import Gear, Turn, Unit
from engine.battle.wording import cover_words
from engine.context import Cache, Recent
from engine.geometry.battlefield import LIGHTS, Battlefield
from engine.geometry.body import Body
from engine.geometry.facings import degrees_between
from engine.geometry.los.lighting import lit
from engine.geometry.los.sight import trace
from engine.geometry.los.trace import Blocker, Trace
from engine.geometry.metric import distance as metric_distance
from engine.geometry.squares import Direction, Square, parse_square
from engine.geometry.straight_lines import is_straight
from engine.rules.derived_facts import situation_facts
from engine.rules.formula_values import plain
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import SQUARE, Action, Number, Ruleset, Value, Weapon
from engine.rules.origin import Origin
from engine.rules.specialise import may_ask
from engine.values import replace

BARE_HANDS = Weapon("", "nothing in hand", "", {}, Origin(""))
"""A stand-in for the weapon of a unit that holds none."""
LINES_KEPT = 256
LINES: Cache[Trace] = Cache(LINES_KEPT)
"""The lines that were asked for last: between the same two they are asked for with every attack that is weighed."""
NEAR: Cache[Recent[Sequence[Unit]]] = Cache(3)
"""Who is next to whom, in the battles that were looked at last."""
UNITS: Cache[Recent[Mapping[str, Value]]] = Cache(3)
"""The facts of units, for the battles that were looked at last: they are the same in every attack that is weighed."""
UNITS_KEPT = 1000
"""Of one battle, under every prefix."""
OWN: Cache[Mapping[str, Value]] = Cache(256)
"""What of the facts of units rests on nobody else."""
SIDES: Cache[Recent[Mapping[str, Value]]] = Cache(3)
"""What of an attack's facts comes from its attacker alone, from its target, and from the two, in the same battles."""
WEAPONS: Cache[Mapping[str, Value]] = Cache(256)
"""The facts of weapons in somebody's hands."""
ACTIONS: Cache[Mapping[str, Value]] = Cache(128)
"""The facts of actions that do not depend on the unit."""
NOTHING: Mapping[str, Value] = {}
BARE_SQUARE = ""
"""Id and role of the stand-in for an empty target square; no unit on a map can have it."""


class Situation(Struct, frozen=True):
    """The facts of one attack, and the trace they rest on."""

    facts: Mapping[str, Value]
    """Never changed in place; a plain dict, for what asks for all of them copies it twenty times as fast as a proxy."""
    trace: Trace
    attacker: Unit
    target: Unit
    weapon: Weapon
    action: Action
    distance: str
    """As it is shown: "20 ft"."""
    on_map: str = ""
    """The same in the map's unit, where the ruleset counts in another: " (6.1 m)"."""
    ruling: CoverRuling | None = None
    """The GM's word on how well the target is covered, in place of what is seen."""

    @property
    def words(self) -> str:
        """The line in one sentence, the GM's word on it included."""
        return str(self.facts["sight"])


def observe(
    battle: Battle,
    rules: Ruleset,
    attacker: Unit,
    target: Unit,
    weapon: Weapon,
    action: Action,
    line: Trace,
    changed: Mapping[str, Value] = NOTHING,
) -> Situation:
    """Every fact that a rule about an attack, or another action on a unit, may read (ATTACK_FACTS and its own).

    Those `changed` are as they are given.
    """
    field, cover = battle.field, line.cover
    facts = facts_without_line(battle, rules, attacker, target, weapon, action)
    facts |= {
        "visible": plain(line.visible),
        "covered": plain(line.covered),
        "square_covered": plain(_line_to_square(battle, rules, attacker, target, line, facts).covered),
        "clear": line.clear,
        "sight": line.words,
        "cover": cover.phrase if cover else "",
        "cover_material": cover.cover if cover else "",
        "cover_window": cover is not None and _is_window(field, cover),
        "cover_damage": battle.scene.wear(cover.edge or cover.square) if cover else 0,
        "smoke": plain(line.smoke),
        "smoke_squares": line.smoke_squares,
        "light": line.light,
        "burst_share": 1,
        "burst_zone": "",
        "area_targets": 1,
        "area_target_number": 1,
    }
    ruling = battle.gm.cover_ruling(attacker.id, target.id)
    if ruling is not None:
        facts |= _ruled(ruling, line)
    facts |= changed
    facts |= situation_facts(rules, facts, changed)
    sign = UNIT_SIGNS[rules.distance.ranges]
    distance, squares = facts["distance"], facts["distance_squares"]
    assert not isinstance(distance, str) and not isinstance(squares, str)
    distance_words, on_map = f"{_shown(distance)} {sign}", map_distance(squares, field, rules)
    return Situation(facts, line, attacker, target, weapon, action, distance_words, on_map, ruling)


def facts_without_line(
    battle: Battle, rules: Ruleset, attacker: Unit, target: Unit, weapon: Weapon, action: Action
) -> dict[str, Value]:
    """The facts of an attack that are known before its line is traced, and before it is known whom it strikes."""
    sides = SIDES.get((battle, rules), None, lambda: Recent(UNITS_KEPT))
    return {
        **sides.get((attacker, weapon, action), "", lambda: _of_attacker(battle, rules, attacker, weapon, action)),
        **sides.get((target,), "", lambda: _of_target(battle, rules, target)),
        **sides.get((attacker, target), "", lambda: _of_pair(battle, rules, attacker, target)),
    }


def _of_attacker(battle: Battle, rules: Ruleset, attacker: Unit, weapon: Weapon, action: Action) -> dict[str, Value]:
    """Facts of an attack that are the same for every target."""
    kind = action.used_as or weapon.kind
    return {
        "round": battle.turns.round,
        "square": range_side(battle.field, rules),
        "indoors": battle.field.is_indoors,
        "ranged": kind in ("ranged", "thrown"),
        "melee": kind == "melee",
        "thrown": kind == "thrown",
        "outcome_changed": False,
        "reaction": "",
        "attack_number": attacker.turn.attacks + 1,
        **ruling_facts(battle, rules),
        **_facts_of_action(rules, attacker, action),
        **weapon_facts(rules, attacker, weapon),
        **unit_facts(battle, rules, attacker, "attacker"),
        **rules.attack.defence_facts,
    }


def _of_target(battle: Battle, rules: Ruleset, target: Unit) -> dict[str, Value]:
    """Facts of an attack that are the same for every attacker."""
    return {
        "empty_target": target.id == BARE_SQUARE,
        **unit_facts(battle, rules, target, "target"),
        **weapon_facts(rules, target, weapon_in_hand(rules, target), "target_weapon"),
    }


def _of_pair(battle: Battle, rules: Ruleset, attacker: Unit, target: Unit) -> dict[str, Value]:
    """Facts of an attack on one unit by another that are the same with every weapon."""
    field = battle.field
    rise = feet(field, target) - feet(field, attacker)
    squares = distance_squares(field, rules, *gap(attacker, target), rise)
    return {
        "distance": counted_range(squares, field, rules),
        "distance_squares": plain(squares),
        "adjacent": is_adjacent(field, attacker, target),
        "within_two_squares": is_in_leap(field, attacker, target),
        "height_difference": plain(height_in_unit(field, rules, rise)),
        "hostile": target.is_enemy_of(attacker) and target.id != BARE_SQUARE,
        "allies_near_target": sum(
            near.side == attacker.side and near.id != attacker.id for near in _near(battle, target)
        ),
        **pair_facts(battle, rules, attacker, target, "attacker"),
        **pair_facts(battle, rules, target, attacker, "target"),
    }


def _line_to_square(
    battle: Battle, rules: Ruleset, attacker: Unit, target: Unit, line: Trace, facts: Mapping[str, Value]
) -> Trace:
    """The line to somebody who stands where the target is; the target's own, unless it kneels or lies there.

    The target's own, too, where no rule can ask for the other in this attack, as in one that is no throw.
    """
    if target.posture == "standing" or target.altitude or target.size > 1:
        return line
    if not may_ask(rules, "square_covered", facts):
        return line
    return sight_line(battle, attacker, bare_square(target.at))


def _is_window(field: Battlefield, cover: Blocker) -> bool:
    """Whether the cover is a wall with an opening in it."""
    barrier = field.barriers.get(cover.edge) if cover.edge else None
    return barrier is not None and (barrier.sill is not None or barrier.lintel is not None)


def _ruled(ruling: CoverRuling, line: Trace) -> dict[str, Value]:
    """Changes by the GM's cover ruling: a target without cover is fully visible, whatever stands between."""
    return {
        "covered": plain(ruling.covered),
        "visible": plain(max(line.visible, 1 - ruling.covered)),
        "clear": line.clear or not ruling.covered,
        "cover": "cover set by the GM" if ruling.covered else "",
        "cover_material": ruling.material,
        "cover_window": False,
        "cover_damage": 0,
        "sight": f"Set by the GM: {cover_words(ruling)}. Measured: {line.verdict}.",
    }


def observe_again(
    battle: Battle, rules: Ruleset, before: Situation, target_id: str, changed: Mapping[str, Value] = NOTHING
) -> Situation:
    """The same attack on another unit, or on the same one, at this moment; the result of a defence stays."""
    attacker, target = battle.unit(before.attacker.id), battle.unit(target_id)
    line = sight_line(battle, attacker, target)
    changed = {**answered_facts(rules, before), **changed}
    return observe(battle, rules, attacker, target, before.weapon, before.action, line, changed)


def answered_facts(rules: Ruleset, situation: Situation) -> dict[str, Value]:
    """What the answers to the roll of an attack have made known about it, and the reaction that it is made with.

    Nothing where there was none.
    """
    blank = {**rules.attack.defence_facts, "reaction": ""}
    known = {name: situation.facts[name] for name in blank}
    return {} if known == blank else known


def with_facts(rules: Ruleset, situation: Situation, changed: Mapping[str, Value]) -> Situation:
    """The same situation with some facts set; the ruleset's own facts are computed again, except those set."""
    facts = {**situation.facts, **changed}
    return replace(situation, facts=facts | situation_facts(rules, facts, changed))


def weapon_facts(rules: Ruleset, unit: Unit, weapon: Weapon | None, prefix: str = "weapon") -> Mapping[str, Value]:
    """Facts of a weapon in a unit's hand, under a prefix; of empty hands without one."""
    layers = (rules.gear.weapons, rules.gear.weapon_fields, rules.units.conditions, unit, weapon)
    return WEAPONS.get(layers, prefix, lambda: _weapon_facts(rules, unit, weapon, prefix))


def _weapon_facts(rules: Ruleset, unit: Unit, weapon: Weapon | None, prefix: str) -> dict[str, Value]:
    fields: dict[str, Value] = {**rules.gear.weapon_fields, "id": "", "kind": "", "rounds": 0, "capacity": 0}
    if weapon is not None:
        fields |= {**weapon.fields, "id": weapon.id, "kind": weapon.kind, "rounds": unit.gear.rounds.get(weapon.id, 0)}
        fields["capacity"] = magazine(rules, weapon.id, unit)
    return {f"{prefix}.{name}": value for name, value in fields.items()}


def unit_facts(battle: Battle, rules: Ruleset, unit: Unit, prefix: str) -> Mapping[str, Value]:
    """Facts of one unit under a prefix: its own, and the ruleset's stats, pools, budgets and conditions."""
    units = UNITS.get((battle, rules), None, lambda: Recent(UNITS_KEPT))

    def prefixed() -> dict[str, Value]:
        return _under(prefix, units.get((unit,), "", lambda: _facts_among_others(battle, rules, unit)))

    return units.get((unit,), prefix, prefixed)


def _under(prefix: str, facts: Mapping[str, Value]) -> dict[str, Value]:
    """Facts with a prefix before their names."""
    return dict(zip(_names_under(prefix, tuple(facts)), facts.values(), strict=True))


@lru_cache(32)
def _names_under(prefix: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{prefix}.{name}" for name in names)


def _facts_among_others(battle: Battle, rules: Ruleset, unit: Unit) -> dict[str, Value]:
    facts = _facts_alone(battle, rules, unit)
    facts["melee_enemies"] = sum(_keeps_in_melee(battle, rules, enemy) for enemy in _enemies_near(battle, unit))
    return facts


def _keeps_in_melee(battle: Battle, rules: Ruleset, enemy: Unit) -> bool:
    """Whether an adjacent enemy holds a unit in melee."""
    if rules.space.melee is None:
        return True
    facts = _facts_about_no_unit(battle, rules) | _under("unit", _facts_alone(battle, rules, enemy))
    return bool(rules.space.melee.when.evaluate({**facts, **weapon_facts(rules, enemy, weapon_in_hand(rules, enemy))}))


def _facts_alone(battle: Battle, rules: Ruleset, unit: Unit) -> dict[str, Value]:
    """All facts of a unit but how many enemies keep it in melee, which asks for the facts of those."""
    near, enemies = _near(battle, unit), _enemies_near(battle, unit)
    declared = next((move for move in battle.turns.declared if move.unit == unit.id), None)
    goal = beside(battle, carried_to(battle.field, unit, declared.path[-1])) if declared else []
    in_it = Counter(_about(battle, unit))
    return {
        **OWN.get((battle.field, rules, unit), None, lambda: _own_facts(battle.field, rules, unit)),
        "in_melee": bool(enemies),
        "enemies_adjacent": len(enemies),
        "standing_enemies_adjacent": sum(enemy.posture != "prone" for enemy in enemies),
        "allies_adjacent": sum(other.side == unit.side for other in near),
        "on_turn": battle.turns.active == unit.id,
        "turn_started": unit.id in battle.turns.started,
        "turn_skipped": battle.turns.is_passed_over(unit.id),
        "move_pending": declared is not None,
        "enemies_at_goal": sum(unit.is_enemy_of(other) for other in goal),
        "charges_laid": sum(held.unit == unit.id for held in battle.scene.charges),
        "weapon_at_feet": any(item.weapon not in unit.gear.weapons for item in battle.scene.lying_under(unit)),
        **{f"{held.id}_by": in_it[held.id] for held in rules.units.conditions.values() if held.about == "unit"},
    }


def _own_facts(field: Battlefield, rules: Ruleset, unit: Unit) -> dict[str, Value]:
    """Facts of a unit that are the same whatever others do."""
    displaced = metric_distance(
        rules.distance.metric, abs(unit.at.column - unit.turn.start.column), abs(unit.at.row - unit.turn.start.row)
    )
    altitude = height_in_unit(field, rules, unit.altitude)
    levels = lit(field)
    lights = [levels[field.index(square)] for square in unit.squares if square in field]
    facts: dict[str, Value] = {
        "id": unit.id,
        "name": unit.name,
        "role": unit.role,
        "side": unit.side,
        "posture": unit.posture,
        "size": unit.size,
        "altitude": plain(altitude),
        "altitude_band": altitude_band(rules, altitude),
        "moved": plain(unit.turn.moved),
        "moved_straight": is_straight(unit.turn.trail),
        "squares_from_start": plain(displaced),
        "attacks": unit.turn.attacks,
        "light": LIGHTS[max(lights, default=0)],
        "defeated": unit.is_defeated,
        "has_acted": bool(unit.turn.tally),
    }
    facts |= stats_of(rules, unit)
    facts |= {pool: unit.pools.get(pool, 0) for pool in rules.units.pools}
    facts |= {budget: unit.turn.budget.get(budget, 0) for budget in rules.units.budgets}
    facts |= {condition: condition in unit.conditions for condition in rules.units.conditions}
    facts |= {f"{held.id}_on": unit.about.get(held.id, "") for held in rules.units.conditions.values() if held.about}
    facts |= {f"{condition}_left": unit.timers.get(condition, 0) for condition in rules.units.conditions}
    return facts


def _near(battle: Battle, unit: Unit) -> Sequence[Unit]:
    """Others next to a unit, as `beside` has them."""
    return NEAR.get((battle,), None, lambda: Recent(UNITS_KEPT)).get((unit,), None, lambda: beside(battle, unit))


def _enemies_near(battle: Battle, unit: Unit) -> list[Unit]:
    return [other for other in _near(battle, unit) if unit.is_enemy_of(other)]


def pair_facts(battle: Battle, rules: Ruleset, unit: Unit, other: Unit, prefix: str) -> dict[str, Value]:
    """Facts of one of two who have to do with each other, under a prefix: where the other is, seen from it.

    Of each condition that is about a square: how far the other is off the line to that square, and off the square.
    """
    field = battle.field
    facts: dict[str, Value] = {f"{prefix}.bearing": aside(unit, other)}
    about = [condition for condition, held in rules.units.conditions.items() if held.about == SQUARE]
    apart = distance_between(field, rules, unit, other) if about else 0
    for condition in about:
        degrees, far = 0, apart
        if condition in unit.about:
            place = bare_square(parse_square(unit.about[condition]))
            degrees = degrees_between(unit.body(field), place.body(field), other.body(field))
            far = distance_between(field, rules, place, other)
        facts[f"{prefix}.{condition}_bearing"], facts[f"{prefix}.{condition}_distance"] = degrees, far
    return facts


def _about(battle: Battle, unit: Unit) -> Iterator[str]:
    """The conditions of those in the fight that are about a unit."""
    for other in battle.units.values():
        if other.about and not other.is_defeated:
            yield from (condition for condition, about in other.about.items() if about == unit.id)


def circumstances(battle: Battle, rules: Ruleset, unit: Unit) -> dict[str, Value]:
    """Every fact that a rule about one unit may ask for: its own, its weapon in hand, the round, a square's side."""
    facts = _facts_about_no_unit(battle, rules) | dict(unit_facts(battle, rules, unit, "unit"))
    return {**facts, **weapon_facts(rules, unit, weapon_in_hand(rules, unit))}


def _facts_about_no_unit(battle: Battle, rules: Ruleset) -> dict[str, Value]:
    return {"round": battle.turns.round, "square": range_side(battle.field, rules), **ruling_facts(battle, rules)}


def action_facts(battle: Battle, rules: Ruleset, unit: Unit, action: Action) -> dict[str, Value]:
    """Facts for an action without a target: the unit's under `unit.` and, for effects, under `attacker.`."""
    facts = _facts_of_action(rules, unit, action)
    return {**facts, **circumstances(battle, rules, unit), **unit_facts(battle, rules, unit, "attacker")}


def facts_on(battle: Battle, rules: Ruleset, unit: Unit, action: Action, target: Unit) -> dict[str, Value]:
    """Facts for an action on a unit: those of an attack with the weapon in hand, and its own under `unit.`."""
    weapon = weapon_in_hand(rules, unit) or BARE_HANDS
    seen = observe(battle, rules, unit, target, weapon, action, sight_line(battle, unit, target))
    return circumstances(battle, rules, unit) | dict(seen.facts)


def _facts_of_action(rules: Ruleset, unit: Unit, action: Action) -> dict[str, Value]:
    """Facts of an action that a unit takes, under `action.`, with the flags that other actions set."""
    own = ACTIONS.get((rules.actions, action), None, lambda: _own_facts_of_action(rules, action))
    return {**own, "action.times_taken": unit.turn.tally.get(action.id, 0)}


def _own_facts_of_action(rules: Ruleset, action: Action) -> dict[str, Value]:
    flags = {name: _blank(value) for other in rules.actions.values() for name, value in other.flags.items()}
    facts: dict[str, Value] = {"action.id": action.id, "action.kind": action.kind}
    return facts | {f"action.{name}": value for name, value in (flags | dict(action.flags)).items()}


@lru_cache(LINES_KEPT)
def bare_square(square: Square) -> Unit:
    """A stand-in target for an empty square: a body to aim at, without any defence.

    Always the same one for a square, so that the line to it is known the next time.
    """
    place = (square, Direction.N, "standing", 1, 0)
    return Unit(BARE_SQUARE, square.name, BARE_SQUARE, "", *place, Gear(), {}, Turn(start=square), is_neutral=True)


def bodies_in_the_way(battle: Battle, but: Collection[Unit] = ()) -> list[Body]:
    """Whose bodies hide and protect others: those of a size, but for some; nobody's where the rules do not let them.

    Those who are out of the fight lie too low to count.
    """
    least = battle.field.sight.bodies
    if not least:
        return []
    left_out = [unit.id for unit in but]
    return [
        unit.body(battle.field)
        for unit in battle.units.values()
        if unit.size >= least and not unit.is_defeated and unit.id not in left_out
    ]


def sight_line(battle: Battle, observer: Unit, target: Unit) -> Trace:
    """The trace from one unit to another, past the bodies of others where they are in the way."""
    field, others = battle.field, tuple(bodies_in_the_way(battle, (observer, target)))
    eye, seen = observer.body(field), target.body(field)
    names = tuple(body.name for body in others)  # a sentence names who stands in the way; bodies are alike without it
    return LINES.get((field,), (eye, seen, others, names), lambda: trace(field, eye, seen, others))


def has_numpy() -> bool:
    """Whether NumPy is loaded, which sight of many pairs needs: until then lines are traced, as loading takes long."""
    return "numpy" in sys.modules


def sees(battle: Battle, observer: Unit, target: Unit) -> bool:
    """Whether one unit sees anything of another: as `sight_line` says, without the evidence, and sooner."""
    if not has_numpy():
        return sight_line(battle, observer, target).can_see
    from engine.geometry.los.field_of_view import between

    field, others = battle.field, bodies_in_the_way(battle, (observer, target))
    found = between(field, [observer.body(field)], [target.body(field)], others)
    return bool(found.visible[0, 0] > 0)


def altitude_band(rules: Ruleset, altitude: Number) -> str:
    """Id of the ruleset's band for a height above the ground in its unit; "" where none holds it."""
    for band in rules.space.altitudes:
        if band.start <= altitude and (band.upto is None or altitude <= band.upto):
            return band.id
    return ""


def _blank(value: Value) -> Value:
    if isinstance(value, bool):
        return False
    return "" if isinstance(value, str) else 0


def _shown(number: int | Fraction) -> str:
    return str(number) if isinstance(number, int) else f"{float(number):.1f}"
