"""A throw before it is made: what its burst would reach around the cursor, where it could come down; cones likewise."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import MappingProxyType

from engine.battle.areas import squares_swept
from engine.battle.battle import Battle
from engine.battle.bursts import Ring, burst, caught, ring_of, rings_of
from engine.battle.commands import Attack
from engine.battle.narration import catches, percent
from engine.battle.narration import number as told_number
from engine.battle.scattering import landing, strays, throw_of
from engine.battle.shots import Shot, consider
from engine.errors import BattleboardError
from engine.field.silhouette import body
from engine.field.squares import Square
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.rules.spatial import Cone
from engine.rules.values import number
from tui.board.overlay import SCALE
from tui.focus import Focus, attack_in
from tui.shadings.shading import PLAIN, Shading

STEPS = (Fraction(1, 100), Fraction(1, 40), Fraction(1, 16), Fraction(1, 5))
"""Chances from which the next shade of the scale begins."""
MOST_NAMED = 4


def blast(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """The rings of a burst on the cursor's square, with who would be in them."""
    shot = _throw(focus, battle, rules)
    if isinstance(shot, str):
        return Shading(words=shot)
    if shot.situation.action.cone is not None:
        return _cone(battle, rules, shot, shot.situation.action.cone)
    found = _rings(battle, rules, shot)
    if isinstance(found, str):
        return Shading(words=found)
    if not found:
        return Shading(words=f"{shot.situation.weapon.label} does not burst; w takes another weapon.")
    areas = burst(battle.field, rules, focus.cursor, found)
    tints = {square: "blast" if number == 0 else "edge" for number, area in enumerate(areas) for square in area}
    sign = UNIT_SIGNS[rules.unit]
    named = [f"{ring.zone.label.lower()} to {float(ring.told):g} {sign}" for ring in found]
    hit = []
    for unit in battle.units.values():
        number = None if unit.is_defeated else ring_of(battle.field, rules, focus.cursor, unit, found, areas)
        if number is not None:
            hit.append(f"{unit.name} ({number + 1})" if len(found) > 1 else unit.name)
    who = f" Caught{', by ring' if len(found) > 1 else ''}: {', '.join(hit)}." if hit else " Nobody is caught."
    return Shading(MappingProxyType(tints), f"A burst on {focus.cursor.name}: {', '.join(named)}.{who}")


def sweep(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """The cone of the attack in focus, towards its target or the cursor; nothing where there is none."""
    wish = attack_in(focus, battle, rules)
    try:
        shot = consider(battle, rules, wish) if wish else None
    except BattleboardError:
        return PLAIN
    area = shot.situation.action.cone if shot else None
    return _cone(battle, rules, shot, area) if shot and area else PLAIN


def _cone(battle: Battle, rules: Ruleset, shot: Shot, area: Cone) -> Shading:
    """The squares of a cone, those that the attacker sees apart from the others, with who is struck."""
    from engine.field.fan.overlook import overlook  # here, as NumPy is not to delay the first paint

    situation, field = shot.situation, battle.field
    zone = squares_swept(battle, rules, situation, area)
    standing = body(Square(0, 0), field.unit)
    seen = overlook(field, situation.attacker.body(field.unit), standing, reach=zone.side // 2).visible
    tints = {square: "blast" if seen[square.row, square.column] > 0 else "edge" for square in zone}
    length = told_number(number(area.length, situation.facts))
    words = f"{area.arc}° to {length} {UNIT_SIGNS[rules.unit]} towards {situation.target.name}"
    return Shading(MappingProxyType(tints), f"{words}. {catches(shot.caught or ())}")


def landings(focus: Focus, battle: Battle, rules: Ruleset) -> Shading:
    """The chance of each square to be where a throw at the cursor comes down, and who could be caught."""
    shot = _throw(focus, battle, rules)
    if isinstance(shot, str):
        return Shading(words=shot)
    if shot.ledger.forbidden:
        return Shading(words=f"No throw at {focus.cursor.name}: {shot.ledger.forbidden.because}")
    try:
        outcomes = strays(rules, shot)
    except BattleboardError as reason:
        return Shading(words=str(reason))
    throw = throw_of(battle.field, rules, shot.situation.attacker.at, focus.cursor)
    chances = landing(battle.field, throw, outcomes)
    tints = {square: SCALE[sum(chance >= step for step in STEPS)] for square, chance in chances.items() if chance}
    found = _rings(battle, rules, shot)
    if isinstance(found, str):
        return Shading(words=found)
    shares = caught(battle, rules, chances, found) if found else {}
    risks = sorted(((sum(parts), unit) for unit, parts in shares.items() if sum(parts)), reverse=True)
    named = [f"{battle.units[unit].name} {percent(Fraction(risk))}" for risk, unit in risks[:MOST_NAMED]]
    who = f" Caught: {', '.join(named)}{' …' if len(risks) > MOST_NAMED else ''}." if named else ""
    there = percent(chances.get(focus.cursor, Fraction(0)))
    return Shading(MappingProxyType(tints), f"Lands on {focus.cursor.name} with {there}.{who}")


def _rings(battle: Battle, rules: Ruleset, shot: Shot) -> tuple[Ring, ...] | str:
    """The rings of a shot's burst, or a sentence why they cannot be said."""
    try:
        return rings_of(battle.field, rules, shot.situation, shot.ledger)
    except BattleboardError as reason:
        return str(reason)


def _throw(focus: Focus, battle: Battle, rules: Ruleset) -> Shot | str:
    """The attack of the unit in focus on the cursor's square, or a sentence why there is none."""
    wish = attack_in(replace(focus, target="", shading="plain"), battle, rules)
    try:
        return consider(battle, rules, wish or Attack(focus.unit, "", focus.weapon, focus.action, square=focus.cursor))
    except BattleboardError as reason:
        return str(reason)
