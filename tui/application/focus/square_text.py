"""Descriptions of squares, planned paths, and attacks after a move."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from engine.battle.attacks.attack_preview import consider
from engine.battle.attacks.open_defences import with_open_defences
from engine.battle.command import Attack
from engine.battle.distances import carried_to, counted_range, distance_squares, map_distance
from engine.battle.facts import bare_square, sight_line
from engine.battle.moves.movement_modes import MoveOptions, in_manner
from engine.battle.moves.moves import Range
from engine.battle.narration.preview_text import chance_to_hit, outside_words, provoked_words, set_off_words
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.battle.views.unit_letters import players_badge
from engine.battle.wording import squares
from engine.dice.dice_text import number
from engine.errors import BattleboardError
from engine.geometry.los.lighting import light_at
from engine.geometry.squares import ORTHOGONAL, Square, edge_of
from engine.rules.ledger import UNIT_SIGNS
from engine.rules.model import Ruleset
from engine.tactics.after_move import walked
from engine.text import clause, sentence
from engine.values import replace
from tui.application.focus.focus import Focus


def square_words(focus: Focus, battle: Battle, rules: Ruleset) -> str:
    """Describes the square under the cursor, and the line of sight from the unit in focus."""
    square = focus.cursor
    if square not in battle.field:
        return ""
    here = battle.on(square)
    found, ground = ", ".join((*_units(battle, here), *_things(battle, rules, square))), _ground(battle, square)
    notes = _notes(battle, square, here)
    head = " ".join((f"{square.name}: {found}{' on ' if found else ''}{', '.join(ground)}.", *notes))
    unit = battle.units.get(focus.unit)
    if unit is None or square in unit.squares:
        return head
    field = battle.field
    target = here[0] if here else bare_square(square)
    line = sight_line(battle, unit, target)
    apart = distance_squares(field, rules, line.columns_apart, line.rows_apart, line.rise)
    distance_text, sign = number(counted_range(apart, field, rules)), UNIT_SIGNS[rules.distance.ranges]
    far = f"{distance_text} {sign}{map_distance(apart, field, rules)}"
    return f"{head} {far} from {unit.name}. {line.words}"


def path_words(reach: Range, path: tuple[Square, ...], focus: Focus, battle: Battle, rules: Ruleset) -> str:
    """Describes the cost of a planned path and the reactions that it provokes."""
    goal = path[-1]
    index = reach.stride_to(goal)
    if index is None:
        return square_words(focus, battle, rules)
    unit = battle.units[focus.unit]
    _, lift = in_manner(battle, rules, unit, MoveOptions(altitude=focus.altitude))
    action, cost = reach.strides[index].action, reach.reaches[index].costs[goal] + lift
    mover = unit if focus.altitude is None else replace(unit, altitude=focus.altitude)
    said = [provoked_words(draw, battle) for draw in reach.reactions[index].along(path)]
    drawn = " ".join([*said, *set_off_words(battle, rules, mover, path)])
    height = _height(carried_to(battle.field, mover, goal), battle) if mover.altitude else ""
    if outside := outside_words(battle, rules, mover, path, action):
        drawn = f"{drawn} {sentence(outside)}" if drawn else f"Provokes no reactions: {outside}."
    return f"{action.label} to {goal.name}{height}: {squares(cost)}. {drawn or 'Provokes no reactions.'}"


def _height(there: Unit, battle: Battle) -> str:
    """Describes a flyer's altitude where it ends."""
    return f", {there.altitude / 100:g} {UNIT_SIGNS[battle.field.unit]} up" if there.altitude else ", where it lands"


def aim_words(focus: Focus, battle: Battle, rules: Ruleset, way: tuple[Square, ...]) -> str:
    """Describes the attack in focus after a move; "" without a target."""
    if focus.target not in battle.units:
        return ""
    there = walked(battle, rules, focus.unit, way, focus.move, focus.altitude)
    target = battle.units[focus.target].name
    try:
        attack = Attack(focus.unit, focus.target, focus.weapon, focus.action)
        shot = with_open_defences(there, rules, consider(there, rules, attack))
    except BattleboardError as reason:
        return f"After the move: {reason}"
    if not shot.ledger.is_possible:
        return f"{target} after the move: no attack."
    refusal = f", but {shot.refusal_brief}" if shot.refusal_brief else ""
    return f"{target} after the move: {chance_to_hit(shot)}{refusal}."


def _units(battle: Battle, here: Collection[Unit]) -> list[str]:
    sign = UNIT_SIGNS[battle.field.unit]
    return [
        f"{_called(battle, unit)}{f' {unit.altitude / 100:g} {sign} up' if unit.altitude else ''}"
        for unit in (battle.units.values() if len(here) > 1 else here)  # in their own order
        if unit in here
    ]


def _called(battle: Battle, unit: Unit) -> str:
    """A unit's name, with what players call it where that is another number: "gunman 3 (players: 1)"."""
    known, badge = players_badge(battle, unit.id), battle.badges.get(unit.id, "")
    return f"{unit.name} (players: {known[1:] if known[:1] == badge[:1] else known})" if known else unit.name


def _things(battle: Battle, rules: Ruleset, square: Square) -> list[str]:
    lying = [f"{rules.gear.weapons[item.weapon].label} on the ground" for item in battle.scene.lying_at(square)]
    laid = (held for held in battle.scene.charges if held.at == square)
    return lying + [f"{rules.gear.weapons[held.weapon].label}, laid by {battle.called(held.unit)}" for held in laid]


def _notes(battle: Battle, square: Square, here: Iterable[Unit]) -> list[str]:
    """The GM's notes on a square and on the units there."""
    ids = {unit.id for unit in here}
    return [f"¶ {clause(note.text)}." for note in battle.gm.notes if note.at == square or note.unit in ids]


def _ground(battle: Battle, square: Square) -> list[str]:
    field = battle.field
    ground = field.ground_at(square)
    sign = UNIT_SIGNS[field.unit]
    said = [ground.terrain]
    if ground.object:
        said.append(f"{ground.object} {ground.height / 100:g} {sign} high" if ground.height < 10_000 else ground.object)
        if ground.cover:
            said.append(f"{ground.cover} material")
    if field.elevation_at(square):
        said.append(f"ground at {number(Fraction(field.elevation_at(square), 100))} {sign}")
    if ground.move_cost > 1:
        said.append("difficult terrain")
    if field.smoke_at(square):
        said.append("smoke" if field.smoke_at(square) == 1 else "thick smoke")
    if light_at(field, square) != "bright":
        said.append(light_at(field, square))
    for side in ORTHOGONAL:
        barrier = field.barriers.get(edge_of(square, side))
        if barrier is not None and barrier.kind != "wall":
            state = f"{barrier.state} " if barrier.state else ""
            said.append(f"{state}{barrier.kind} {side.name}")
    return said
