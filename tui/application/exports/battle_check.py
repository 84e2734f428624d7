"""Checks that a battle's state is possible: after each command of every battle that is read, from any source.

Numbers and texts have their bounds where they are decoded (`codec`); here names, squares and turns must
fit the rules, the map and each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from engine.battle.commands.roster_commands import MOST_UNITS
from engine.battle.gear import unknown_in
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.body import POSTURES
from engine.geometry.squares import NotASquare, Square, parse_square
from engine.rules.model import ATTACK, SQUARE, Ruleset
from maps.field_check import fault


def checker(rules: Ruleset) -> Callable[[Battle], None]:
    """What checks one state of a battle after the other, each as `check_battle` does."""
    before: Battle | None = None

    def check(battle: Battle) -> None:
        nonlocal before
        check_battle(battle, rules, before)
        before = battle

    return check


def check_battle(battle: Battle, rules: Ruleset, before: Battle | None = None) -> None:
    """Raises ValueError, with what is wrong, when a battle is not one that these rules could have led to.

    Args:
        battle: the battle.
        rules: its rules.
        before: one that was found sound; what the two share is not looked at again.
    """
    if before is not None and before.field is not battle.field:
        before = None  # what stands on squares is to be looked at anew, and there are few such commands
    old = before.units if before is not None else {}
    for unit_id, unit in battle.units.items():
        unknown = None if old.get(unit_id) is unit else next(_unknown_to(unit, rules, battle), None)
        if unknown is not None:  # it may be empty
            raise ValueError(f"unit {unit_id!r} has {unknown!r}, which is unknown to its rules or map")
    if wrong := next(_faults(battle, rules, before), ""):
        raise ValueError(wrong)
    if before is None and (wrong := fault(battle.field)):
        raise ValueError(wrong)


def _unknown_to(unit: Unit, rules: Ruleset, battle: Battle) -> Iterator[str]:
    """What a unit has that is not there."""
    yield from _not_in(rules.gear.weapons, unit.gear.weapons, filter(None, [unit.gear.weapon]), unit.gear.rounds)
    yield from _not_in(rules.units.pools, unit.pools)
    yield from _not_in(rules.units.budgets, unit.turn.budget)
    yield from _not_in(rules.units.conditions, unit.conditions, unit.timers, unit.about)
    yield from _not_in(rules.actions, filter(None, [unit.turn.stride_action]), unit.turn.tally)
    yield from _not_in(POSTURES, [unit.posture])
    if unit.character:
        yield from (name for _, name, _ in unknown_in(unit.character, rules))
    else:
        yield from _not_in(rules.units.sheets, [unit.role])
    for stat, value in unit.overrides.stats:
        known = rules.units.stats.get(stat)
        if known is None or not known.accepts(value):
            yield stat or "a stat without a name"
    yield from _not_in(rules.gear.armour, filter(None, [unit.overrides.armour]))
    yield from _not_in(rules.gear.accessories, unit.overrides.accessories or ())
    yield from (
        square.name for square in (*unit.squares, unit.turn.start, *unit.turn.trail) if square not in battle.field
    )
    for condition, about in unit.about.items():
        match rules.units.conditions[condition].about:
            case "unit":  # `_faults` looks for that one
                continue
            case kind if kind == SQUARE:
                is_known = _is_square(about, battle)
            case kind:
                is_known = about in (rules.actions if kind == ATTACK else rules.gear.weapons)
        if not is_known:
            yield about


def _units_about(unit: Unit, rules: Ruleset) -> Iterator[str]:
    """Ids of the units that conditions of a unit are about."""
    return (about for condition, about in unit.about.items() if rules.units.conditions[condition].about == "unit")


def _not_in(known: Iterable[str], *named: Iterable[str]) -> Iterator[str]:
    return (name or "no name" for names in named for name in names if name not in known)


Names = Callable[[Any], Iterable[str]]
WHO_IS_NAMED: Mapping[str, Names] = {
    "turns.order": iter,
    "turns.closing": iter,
    "turns.surprised": iter,
    "turns.delayed": iter,
    "turns.started": iter,
    "turns.ended": iter,
    "turns.initiative": iter,
    "turns.interrupted": lambda waiting: (one.unit for one in waiting),
    "turns.declared": lambda moves: (move.unit for move in moves),
    "openings": lambda held: (unit for one in held for unit in (one.unit, one.against)),
    "gm.covers": lambda held: (unit for one in held for unit in (one.attacker, one.target)),
    "turns.groups": lambda groups: (unit for group in groups for unit in group),
    "scene.charges": lambda charges: (laid.unit for laid in charges),
    "gm.notes": lambda notes: (note.unit for note in notes if note.unit),
    "gm.policies": lambda policies: (held.unit for held in policies if held.unit),
}
"""The lists of a battle that name units, and whom they name. Notes and policies may be nobody's."""
LISTS: Mapping[str, Callable[[Battle], Any]] = {
    name: attrgetter(name) for name in (*WHO_IS_NAMED, "gm.rulings", "scene.dropped", "scene.clouds", "scene.worn")
}
"""All that is looked at anew only when it is not the same as before."""


def _news(battle: Battle, before: Battle | None) -> dict[str, Any]:
    """Those of a battle's lists that hold anything and are not the ones of a battle before."""
    lists = ((name, get, get(battle)) for name, get in LISTS.items())
    return {name: held for name, get, held in lists if held and (before is None or get(before) is not held)}


def _unknown_units(battle: Battle, rules: Ruleset, before: Battle | None) -> set[str]:
    """Ids that are named and are no unit's. While nobody comes or goes, only what is new is looked at."""
    old = before if before is not None and before.units.keys() == battle.units.keys() else None
    named = {battle.turns.active} - {""}
    for name, held in _news(battle, old).items():
        if name in WHO_IS_NAMED:
            named.update(WHO_IS_NAMED[name](held))
    for unit_id, unit in battle.units.items():
        if unit.about and (old is None or old.units[unit_id] is not unit):
            named.update(_units_about(unit, rules))
    return named - battle.units.keys()


def _faults(battle: Battle, rules: Ruleset, before: Battle | None) -> Iterator[str]:
    """What is wrong with everything but the units and the field; what a sound battle on it shares is passed over."""
    if len(battle.units) > MOST_UNITS:
        yield f"it has {len(battle.units)} units, more than {MOST_UNITS}"
    if "" in battle.units:
        yield "it has a unit without an id"
    news = _news(battle, before)
    if "turns.order" in news and len(set(battle.turns.order)) != len(battle.turns.order):
        yield "a unit has two places in the turn order"
    yield from _turn_faults(battle)
    if unknown := _unknown_units(battle, rules, before):
        yield f"it names {min(unknown)!r}, who is not there"
    if not news:
        return

    def new(name: str) -> Any:
        return news.get(name, ())

    yield from (
        f"it decides {name!r}, which is unknown to its rules" for name in _not_in(rules.rulings, new("gm.rulings"))
    )
    yield from (
        f"{held.target!r} is covered by more than 100 %" for held in new("gm.covers") if not 0 <= held.covered <= 1
    )
    for named, square in _squares(new):
        if square not in battle.field:
            yield f"{named} is on {square.name}, which is not on its map"
    weapons = [item.weapon for name in ("scene.charges", "scene.dropped") for item in new(name)]
    actions = [item.action for name in ("scene.charges", "turns.declared") for item in new(name)]
    actions += [held.attack for held in new("openings") if held.attack]
    unknown_things = [name for name in weapons if name not in rules.gear.weapons]
    for name in (*unknown_things, *(name for name in actions if name not in rules.actions)):
        yield f"it uses {name!r}, which is unknown to its rules"


def _turn_faults(battle: Battle) -> Iterator[str]:
    """What is wrong with whose turn it is."""
    if (
        battle.turns.active
        and battle.turns.active not in battle.turns.closing
        and battle.turns.current_place not in battle.turns.order
    ):
        yield f"it is the turn of {battle.turns.current_place!r}, which has no place in the turn order"
    if not battle.turns.active and (battle.turns.interrupted or battle.turns.closing):
        yield "turns are waiting, but no unit is active"
    if battle.turns.active and not battle.turns.round:
        yield "a unit is active, but no round has begun"


def _squares(new: Callable[[str], Any]) -> Iterator[tuple[str, Square]]:
    """Everything else that is new and somewhere, by what a sentence calls it; `new` gives a list of the battle's."""
    yield from (("a note", note.at) for note in new("gm.notes") if note.at is not None)
    yield from ((repr(laid.id), laid.at) for laid in new("scene.charges"))
    yield from ((repr(item.weapon), item.at) for item in new("scene.dropped"))
    yield from (("a cloud", cloud.centre) for cloud in new("scene.clouds"))
    yield from (("a path", square) for move in new("turns.declared") for square in move.path)
    yield from (("wear", worn.square) for worn in new("scene.worn"))


def _is_square(name: str, battle: Battle) -> bool:
    """Whether that is a square of the battle's field."""
    try:
        return parse_square(name) in battle.field
    except NotASquare:
        return False
