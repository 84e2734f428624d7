"""The battle as far as others than the Game Master may know it: who and what is in it, and from what moment on.

What is not known is taken out of the battle itself, before anything is worked out from it: so nothing that is made of
it (a view, a ledger, a number beside a name) rests on what nobody may know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.battle.state.battle import Battle, DiceState, TurnOrder
from engine.battle.state.units import Unit
from engine.battle.views.unit_letters import digits_for
from engine.values import replace


def is_hidden_turn(battle: Battle) -> bool:
    """Whether it is the turn of a unit that the GM has hidden."""
    if battle.is_finished:  # it is nobody's turn
        return False
    return battle.turns.active in battle.units and battle.units[battle.turns.active].is_hidden


def cut_to(battle: Battle, units: Mapping[str, Unit], own: Collection[str]) -> Battle:
    """The battle with these units alone, and without what the GM keeps for herself: notes, charges, policies, dice.

    Args:
        battle: the whole one.
        units: who is known.
        own: ids of those whose declared moves, held commands and groups are known.
    """
    turns = battle.turns
    return replace(
        battle,
        units=units,
        gone={},
        letters={unit: letter for unit, letter in battle.letters.items() if unit in units},
        digits={unit: digit for unit, digit in battle.digits.items() if unit in units},
        dice=DiceState(),
        turns=TurnOrder(
            round=turns.round,
            order=_of(turns.order, units),
            initiative={unit: score for unit, score in turns.initiative.items() if unit in units},
            announced={unit: said for unit, said in turns.announced.items() if unit in units},
            groups=tuple(left for group in turns.groups if len(left := _of(group, own)) > 1),
            active=turns.active if turns.active in units else "",
            interrupted=tuple(held for held in turns.interrupted if held.unit in units),
            started=_of(turns.started, units),
            ended=_of(turns.ended, units),
            surprised=_of(turns.surprised, units),
            delayed=_of(turns.delayed, units),
            declared=tuple(move for move in turns.declared if move.unit in own),
            closing=_of(turns.closing, units),
            held=tuple(held for held in turns.held if held.unit in own),
        ),
        openings=tuple(held for held in battle.openings if {held.unit, held.against} <= units.keys()),
        scene=replace(battle.scene, charges=()),
        gm=replace(
            battle.gm,
            notes=(),
            policies=(),
            covers=tuple(held for held in battle.gm.covers if {held.attacker, held.target} - {""} <= units.keys()),
        ),
    )


def _of(ids: tuple[str, ...], known: Collection[str]) -> tuple[str, ...]:
    return tuple(unit for unit in ids if unit in known)


def table_battle(battle: Battle, hidden: Collection[str] = ()) -> Battle:
    """The battle as the whole table may know it: without the units that the GM has hidden, and without her secrets.

    Args:
        battle: the whole one.
        hidden: ids of further units to leave out.
    """
    units = {unit.id: unit for unit in battle.units.values() if not unit.is_hidden and unit.id not in hidden}
    cut = cut_to(battle, units, units)
    if not battle.letters and not battle.digits:  # written before units kept their letters
        return cut
    unseen = [unit for unit in units.values() if unit.id not in cut.letters]
    return replace(cut, digits=digits_for(unseen, replace(cut, digits={})))


def as_told(moments: Iterable[Battle]) -> Iterator[Battle | None]:
    """Each of these states of a battle as players are told of it; None while it is set up.

    The turn of a unit that the GM has hidden neither begins nor ends for them: the turn that they saw last lasts until
    somebody else has one, and with it the order, and what the begin of a turn or a round brings. What else changes
    meanwhile, such as wounds, they are told at once.
    """
    told = before = None
    for now in moments:
        if now.is_set_up:
            told = None
        elif not is_hidden_turn(now):
            told = now
        elif told is None or before is None:
            told = replace(now, turns=replace(now.turns, active="", round=0))
        elif now is not before:
            told = _without_its_turn(told, before, now)
        before = now
        yield told


def _without_its_turn(told: Battle, before: Battle, now: Battle) -> Battle:
    """What is told of a step to the turn of somebody hidden, or in it.

    Args:
        told: what was told before it.
        before, now: the whole battle before and after it.
    """
    is_turned = (before.turns.active, before.turns.round) != (now.turns.active, now.turns.round)
    was, shown = table_battle(before), table_battle(now)
    units = {}
    for unit in shown.units.values():
        old, last = was.units.get(unit.id), told.units.get(unit.id)
        if old is None or last is None:
            units[unit.id] = unit
        elif unit == old:
            units[unit.id] = last
        else:
            units[unit.id] = _before_its_turn(last, unit) if is_turned else unit
    if is_turned or (was.field, was.scene) == (shown.field, shown.scene):
        shown = replace(shown, field=told.field, scene=told.scene)
    if is_turned or was.turns == shown.turns:
        shown = replace(shown, turns=told.turns)
    if is_turned or was.openings == shown.openings:
        shown = replace(shown, openings=told.openings)
    turns = replace(shown.turns, active=told.turns.active, round=told.turns.round)
    return table_battle(replace(shown, units=units, turns=turns))


def _before_its_turn(last: Unit, unit: Unit) -> Unit:
    """A unit as it is now, but for what the begin and the end of turns change in it."""
    return replace(
        unit,
        turn=last.turn,
        conditions=last.conditions,
        timers=last.timers,
        about=last.about,
        markers=last.markers,
    )
