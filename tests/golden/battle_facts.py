"""A battle told as lines of plain facts, so that two states can be compared however the program keeps them.

Every line is one fact under a name that does not change: "ada pool hp" is "7", "D6 ground" is "dirt". This module alone
knows where the program keeps them now.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from fractions import Fraction

from engine.battle.state.battle import Battle
from engine.battle.state.units import Turn, Unit
from engine.battle.views.view import project
from engine.geometry.battlefield import LIGHTS, Barrier, Battlefield, Ground
from engine.geometry.squares import Edge, Square
from engine.rules.model import Ruleset

Facts = dict[str, str]
BRIGHT = "bright"


def facts(battle: Battle) -> Facts:
    """Everything that undo must give back, fact by fact; what is nothing is left out."""
    found = dict([*_of_table(battle), *_of_field(battle.field)])
    for unit in battle.units.values():
        found |= {f"{unit.id} {name}": value for name, value in _of_unit(unit) if value}
    return {name: value for name, value in found.items() if value}


def changes(before: Facts, after: Facts) -> list[str]:
    """What is other afterwards: "+ " for what is there now, "- " for what is gone, "  " for what has changed."""
    lines = [f"- {name}" for name in before if name not in after]
    lines += [f"+ {name}: {value}" for name, value in after.items() if name not in before]
    lines += [
        f"  {name}: {before[name]} → {value}"
        for name, value in after.items()
        if name in before and before[name] != value
    ]
    return lines


def view_facts(battle: Battle, rules: Ruleset) -> dict[str, Facts]:
    """What the Game Master sees of every unit."""
    view = project(battle, rules)
    return {
        unit.id: {
            "name": unit.name,
            "letter": unit.letter,
            "side": f"{unit.side}, number {unit.side_index}",
            "at": unit.at.name,
            "weapon": f"{unit.weapon}, {unit.rounds} of {unit.magazine} rounds",
            "numbers": _each((gauge.label, f"{gauge.now} of {gauge.full}") for gauge in unit.pools),
            "left to spend": _each((gauge.label, f"{gauge.now} of {gauge.full}") for gauge in unit.budget),
            "sheet": _each(unit.stats),
            "conditions": _each((held.words, held.mark) for held in unit.conditions),
            "order": f"{_said(unit.initiative)} {unit.declared}".strip(),
            "state": " ".join(
                word
                for word, holds in (("active", unit.is_active), ("out", unit.is_defeated), ("hidden", unit.is_hidden))
                if holds
            ),
        }
        for unit in view.units
    }


def _of_table(battle: Battle) -> Iterator[tuple[str, str]]:
    yield "seed", battle.dice.seed
    yield "dice drawn", _said(battle.dice.drawn)
    yield "round", _said(battle.turns.round)
    yield "active", battle.turns.active
    yield "order", " ".join(battle.turns.order)
    yield "scores", _each(battle.turns.initiative.items())
    yield "declared actions", _each(battle.turns.announced.items())
    yield "groups", _list(" ".join(group) for group in battle.turns.groups)
    yield "surprised", " ".join(battle.turns.surprised)
    yield "delayed", " ".join(battle.turns.delayed)
    yield "closing part", " ".join(battle.turns.closing)
    yield "gone", _each(battle.gone.items())
    yield "rulings", _each(battle.gm.rulings.items())
    yield "wind", f"{battle.scene.wind.towards.name} {battle.scene.wind.squares}" if battle.scene.wind else ""
    for place, turn in enumerate(battle.turns.interrupted, 1):
        kept = _turn(turn.turn) if turn.turn else "nothing kept"
        yield f"turn {place} that waits", f"{turn.unit}{' (extra)' * turn.is_extra}, {kept}"
    for held in battle.openings:
        told = f"{held.because} {held.reaction} {held.attack} {_each(held.cost.items())}"
        yield f"{held.unit} may attack {held.against}", " ".join(told.split())
    for way in battle.turns.declared:
        yield f"{way.unit} on its way", f"{way.action} {_path(way.path)} at {_said(way.altitude)}"
    for item in battle.scene.dropped:
        yield f"{item.at.name} {item.weapon} lies there", f"{_said(item.rounds)} rounds"
    for charge in battle.scene.charges:
        laid = f"{charge.weapon} of {charge.unit} at {charge.at.name}, reach {charge.reach}, by {charge.action}"
        yield f"charge {charge.id}", laid
    for worn in battle.scene.worn:
        yield f"{_edge(worn.edge) if worn.edge else worn.square.name} worn ({worn.square.name})", _said(worn.amount)
    for cloud in battle.scene.clouds:
        size = f"radius {cloud.radius} {cloud.metric}, density {cloud.density}, {cloud.rounds} rounds"
        yield f"cloud {cloud.id}", f"{cloud.centre.name} {size}"
    for note in battle.gm.notes:
        yield f"note {note.id}", f"{note.at.name if note.at else note.unit or 'the battle'}: {note.text}"
    for cover in battle.gm.covers:
        said = f"{cover.covered} {cover.material}{' pinned' * cover.is_pinned}"
        yield f"cover of {cover.target} from {cover.attacker}", said
    for policy in battle.gm.policies:
        yield f"policy {policy.kind or 'all'} of {policy.unit or policy.side or 'everybody'}", policy.how
    for change in battle.gm.adjustments:
        said = f"{_said(change.value)} {change.label}; {change.note}"
        yield f"adjustment {change.entry}", f"{said}{' off' * (not change.active)}{' pinned' * change.is_pinned}"


def _of_unit(unit: Unit) -> Iterator[tuple[str, str]]:
    yield "is", f"{unit.name}, {unit.role} of {unit.side}, size {unit.size}"
    yield "at", unit.at.name
    yield "stands", f"{unit.posture}, facing {unit.facing.name}, altitude {unit.altitude}"
    yield "carries", " ".join(unit.gear.weapons)
    yield "in hand", unit.gear.weapon
    yield from ((f"pool {pool}", _said(value)) for pool, value in unit.pools.items())
    yield from ((f"rounds {weapon}", _said(value)) for weapon, value in unit.gear.rounds.items())
    yield from ((f"budget {budget}", _said(value)) for budget, value in unit.turn.budget.items())
    for held in unit.conditions:
        about, left = unit.about.get(held, "nothing"), unit.timers.get(held, 0)
        yield f"condition {held}", f"about {about}, {left} rounds left"
    yield (
        "told of conditions it is not in",
        _each(
            (held, f"{unit.about.get(held, '')}/{unit.timers.get(held, '')}")
            for held in sorted({*unit.about, *unit.timers} - {*unit.conditions})
        ),
    )
    yield "turn", f"from {unit.turn.start.name}, moved {unit.turn.moved}, {unit.turn.attacks} attacks"
    yield (
        "stride",
        f"{unit.turn.stride} of {unit.turn.stride_action}" if unit.turn.stride_action or unit.turn.stride else "",
    )
    yield "trail", _path(unit.turn.trail)
    yield "actions taken", _each(unit.turn.tally.items())
    yield "has drawn", _list([*unit.turn.drawn_by_move, *(f"attack: {one}" for one in unit.turn.drawn_by_attack)])
    yield "odd diagonals", "yes" * unit.turn.odd_diagonals
    yield "out of the fight", "yes" * unit.is_defeated
    yield "out by the GM's word", unit.out
    yield "neutral", "yes" * unit.is_neutral
    yield "hidden", "yes" * unit.is_hidden
    yield "armour given", "" if unit.overrides.armour is None else unit.overrides.armour or "none"
    yield (
        "accessories given",
        "" if unit.overrides.accessories is None else " ".join(unit.overrides.accessories) or "none",
    )


def _of_field(field: Battlefield) -> Iterator[tuple[str, str]]:
    yield "map", f"{field.name}, {field.columns} by {field.rows}, squares of {field.square_size} {field.unit}"
    usual = field.legend[max(set(field.ground), key=field.ground.count)]
    yield "usual ground", _ground(usual)
    for place, square in enumerate(field.squares()):
        ground = field.ground_at(square)
        yield f"{square.name} ground", "" if ground == usual else _ground(ground)
        height, smoke, light = field.elevation_at(square), field.smoke_at(square), LIGHTS[field.light[place]]
        yield f"{square.name} height", _said(height) if height else ""
        yield f"{square.name} smoke", _said(smoke) if smoke else ""
        yield f"{square.name} light", light if light != BRIGHT else ""
    for edge, barrier in field.barriers.items():
        yield _edge(edge), _barrier(barrier)
    for lamp in field.lamps:
        yield f"{lamp.at.name} lamp", f"bright {lamp.bright}, dim {lamp.dim}, height {lamp.height}"


def _ground(ground: Ground) -> str:
    words = (
        ground.name,
        f"({ground.terrain})" * bool(ground.object),
        f"height {ground.height}" * bool(ground.height),
        "blocks sight" * ground.blocks_sight,
        "stops shots" * ground.stops_shots,
        "blocks movement" * ground.blocks_movement,
        "contains blast" * ground.contains_blast,
        f"{ground.cover} cover" * bool(ground.cover),
        f"costs {ground.move_cost}" * (ground.move_cost != 1),
    )
    return ", ".join(word for word in words if word)


def _barrier(barrier: Barrier) -> str:
    words = (
        barrier.kind,
        barrier.state,
        f"{barrier.bottom} to {barrier.top}",
        f"open from {barrier.sill} to {barrier.lintel}" * (barrier.sill is not None),
        "blocks sight" * barrier.blocks_sight,
        "stops shots" * barrier.stops_shots,
        "blocks movement" * barrier.blocks_movement,
        "contains blast" * barrier.contains_blast,
        f"{barrier.cover} cover" * bool(barrier.cover),
    )
    return ", ".join(word for word in words if word)


def _turn(turn: Turn) -> str:
    budget, tally = _each(turn.budget.items()), _each(turn.tally.items())
    moved = f"moved {turn.moved}, stride {turn.stride} {turn.stride_action}".rstrip()
    return f"budget {budget}; from {turn.start.name}, {moved}, {turn.attacks} attacks; {tally}; {_path(turn.trail)}"


def _edge(edge: Edge) -> str:
    return f"edge {Square(edge.column, edge.row).name} {edge.side}"


def _path(path: Iterable[Square]) -> str:
    return " ".join(square.name for square in path)


def _each(pairs: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{name} {_said(value)}" for name, value in pairs)


def _list(texts: Iterable[str]) -> str:
    return "; ".join(texts)


def _said(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "yes" if value else "no"
        case Enum():
            return value.name
        case Mapping():
            return _each(value.items())
        case Fraction():
            return str(value)
    return str(value)
