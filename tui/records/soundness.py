"""Whether a battle's state can be: what every battle that is read is asked after each command, whoever wrote its file.

Numbers and texts have their bounds where they are decoded (`engine.codec`); here names, squares and turns must fit the
rules, the map and each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from engine.battle.battle import Battle
from engine.battle.table.roster import MOST_UNITS
from engine.battle.units import Unit
from engine.field.silhouette import POSTURES
from engine.field.squares import NotASquare, Square, parse_square
from engine.rules.model import ATTACK, SQUARE, Ruleset
from maps.soundness import fault


def checker(rules: Ruleset, then: Callable[[Battle], object] | None = None) -> Callable[[Battle], None]:
    """What checks one state of a battle after the other, each as `check_battle` does, and hands it on."""
    before: Battle | None = None

    def check(battle: Battle) -> None:
        nonlocal before
        check_battle(battle, rules, before)
        before = battle
        if then is not None:
            then(battle)

    return check


def check_battle(battle: Battle, rules: Ruleset, before: Battle | None = None) -> None:
    """Raises ValueError, with what is wrong, when a battle is not one that these rules could have led to.

    Args:
        battle: the battle.
        rules: its rules.
        before: one that was found sound; what the two share is not looked at again.
    """
    old = before.units if before is not None and before.field is battle.field else {}
    for unit_id, unit in battle.units.items():
        if old.get(unit_id) is not unit and (wrong := next(_unknown_to(unit, rules, battle), "")):
            raise ValueError(f"unit {unit_id!r} has {wrong!r}, which its rules and map know nothing of")
    if wrong := next(_faults(battle, rules), ""):
        raise ValueError(wrong)
    if (before is None or before.field is not battle.field) and (wrong := fault(battle.field)):
        raise ValueError(wrong)


def _unknown_to(unit: Unit, rules: Ruleset, battle: Battle) -> Iterator[str]:
    """What a unit has that is not there."""
    yield from _not_in(rules.weapons, (*unit.weapons, unit.weapon), unit.rounds)
    yield from _not_in(rules.pools, unit.pools)
    yield from _not_in(rules.budgets, unit.budget)
    yield from _not_in(rules.conditions, unit.conditions, unit.timers, unit.about)
    yield from _not_in(rules.actions, (unit.stride_action,), unit.tally)
    yield from (posture for posture in (unit.posture,) if posture not in POSTURES)
    yield from (role for role in (unit.role,) if role not in rules.sheets)
    yield from _not_in(rules.armour, (unit.armour or "",))
    yield from _not_in(rules.accessories, unit.accessories or ())
    yield from (square.name for square in (*unit.squares, unit.turn_start, *unit.trail) if square not in battle.field)
    for condition, about in unit.about.items():
        match rules.conditions[condition].about:
            case "unit":  # `_faults` looks for that one
                continue
            case kind if kind == SQUARE:
                is_known = _is_square(about, battle)
            case kind:
                is_known = about in (rules.actions if kind == ATTACK else rules.weapons)
        if not is_known:
            yield about


def _units_about(unit: Unit, rules: Ruleset) -> Iterator[str]:
    """Ids of the units that conditions of a unit are about."""
    return (about for condition, about in unit.about.items() if rules.conditions[condition].about == "unit")


def _not_in(known: Iterable[str], *named: Iterable[str]) -> Iterator[str]:
    return (name for names in named for name in names if name and name not in known)


def _faults(battle: Battle, rules: Ruleset) -> Iterator[str]:
    """What is wrong with everything but the units and the field."""
    if len(battle.units) > MOST_UNITS:
        yield f"it has {len(battle.units)} units, more than {MOST_UNITS}"
    if "" in battle.units:
        yield "it has a unit without an id"
    yield from _turn_faults(battle)
    acts = {*battle.order, *battle.closing, *battle.surprised, *battle.delayed, *battle.initiative}
    acts |= {waiting.unit for waiting in battle.interrupted} | {way.unit for way in battle.declared}
    acts |= {unit for held in battle.openings for unit in (held.unit, held.against)}
    acts |= {unit for held in battle.covers for unit in (held.attacker, held.target)}
    acts |= {unit for group in battle.groups for unit in group} | {laid.unit for laid in battle.charges}
    acts |= {about for unit in battle.units.values() if unit.about for about in _units_about(unit, rules)}
    acts |= {battle.active, *(note.unit for note in battle.notes), *(held.unit for held in battle.policies)} - {""}
    if unknown := acts - battle.units.keys():
        yield f"it names {min(unknown)!r}, who is not there"
    yield from (
        f"it decides {name!r}, which its rules know nothing of" for name in _not_in(rules.rulings, battle.rulings)
    )
    yield from (
        f"{held.target!r} is covered by more than all of it" for held in battle.covers if not 0 <= held.covered <= 1
    )
    for named, square in _squares(battle):
        if square not in battle.field:
            yield f"{named} is on {square.name}, which its map knows nothing of"
    weapons = [(laid.weapon, laid.at) for laid in battle.charges] + [(item.weapon, item.at) for item in battle.dropped]
    actions = [laid.action for laid in battle.charges] + [way.action for way in battle.declared]
    actions += [held.attack for held in battle.openings if held.attack]
    for name in (*(name for name, _ in weapons if name not in rules.weapons), *set(actions) - {*rules.actions}):
        yield f"it uses {name!r}, which its rules know nothing of"


def _turn_faults(battle: Battle) -> Iterator[str]:
    """What is wrong with the order and with whose turn it is."""
    if len(set(battle.order)) != len(battle.order):
        yield "somebody has two places in its order"
    if battle.active and battle.active not in battle.closing and battle.whose_place not in battle.order:
        yield f"it is the turn of {battle.whose_place!r}, who has no place in its order"
    if not battle.active and (battle.interrupted or battle.closing):
        yield "turns wait in it, and it is nobody's turn"
    if battle.active and not battle.round:
        yield "it is somebody's turn, and no round has begun"


def _squares(battle: Battle) -> Iterator[tuple[str, Square]]:
    """Everything else that is somewhere, by what a sentence calls it."""
    yield from (("a note", note.at) for note in battle.notes if note.at is not None)
    yield from ((repr(laid.id), laid.at) for laid in battle.charges)
    yield from ((repr(item.weapon), item.at) for item in battle.dropped)
    yield from (("a cloud", cloud.centre) for cloud in battle.clouds)
    yield from (("a path", square) for way in battle.declared for square in way.path)
    yield from (("wear", worn.square) for worn in battle.worn)


def _is_square(name: str, battle: Battle) -> bool:
    """Whether that is a square of the battle's field."""
    try:
        return parse_square(name) in battle.field
    except NotASquare:
        return False
