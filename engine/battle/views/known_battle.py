"""The battle as far as others than the Game Master may know it: who and what is in it, and from what moment on.

What is not known is taken out of the battle itself, before anything is worked out from it: so nothing that is made of
it (a view, a ledger, a number beside a name) rests on what nobody may know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from engine.battle.state.battle import Battle, DiceState, TurnOrder
from engine.battle.state.units import Unit
from engine.battle.views.unit_letters import named_for
from engine.context import Cache
from engine.geometry.battlefield import Battlefield
from engine.values import replace

_bare_fields: Cache[Battlefield] = Cache(4)
"""One for each field, whatever the step: what is worked out of a field is kept with it."""


def is_hidden_turn(battle: Battle) -> bool:
    """Whether it is the turn of a unit that the GM has hidden."""
    if battle.is_finished:  # it is nobody's turn
        return False
    return battle.turns.active in battle.units and battle.units[battle.turns.active].is_hidden


def cut_to(battle: Battle, units: Mapping[str, Unit], own: Collection[str]) -> Battle:
    """The battle with these units alone, and without what the GM keeps for herself: notes, charges, policies, dice,
    start zones.

    Args:
        battle: the whole one.
        units: who is known.
        own: ids of those whose declared moves, held commands and groups are known.
    """
    turns = battle.turns
    return replace(
        battle,
        units=units,
        field=_without_zones(battle.field),
        gone={},
        badges={unit: badge for unit, badge in battle.badges.items() if unit in units},
        seen_as={
            seat: {unit: badge for unit, badge in seen.items() if unit in units}
            for seat, seen in battle.seen_as.items()
        },
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


def _without_zones(field: Battlefield) -> Battlefield:
    return _bare_fields.get((field,), None, lambda: replace(field, zones=())) if field.zones else field


def _of(ids: tuple[str, ...], known: Collection[str]) -> tuple[str, ...]:
    return tuple(unit for unit in ids if unit in known)


def table_battle(battle: Battle, hidden: Collection[str] = ()) -> Battle:
    """The battle as the whole table may know it: without the units that the GM has hidden, and without her secrets.

    Args:
        battle: the whole one.
        hidden: ids of further units to leave out.
    """
    battle = named_for(battle)
    units = {unit.id: unit for unit in battle.units.values() if not unit.is_hidden and unit.id not in hidden}
    return cut_to(battle, units, units)


def leads_to_hidden_turn(before: Battle | None, now: Battle) -> bool:
    """Whether the turn of a unit that the GM has hidden begins with a step: what it did is shown with a later one.

    Args:
        before: the whole battle before the step; None where there was none.
        now: the whole battle after it.
    """
    if now.is_set_up or not is_hidden_turn(now):
        return False
    return before is None or (before.turns.active, before.turns.round) != (now.turns.active, now.turns.round)


def for_players(moments: Iterable[Battle]) -> Iterator[Battle | None]:
    """Each of these states of a battle with what players may know of it; None while it is set up.

    The turn of a unit that the GM has hidden neither begins nor ends for them: the turn that they saw last lasts until
    somebody else has one. A step that leads to a hidden turn is not shown: all it did belongs to the end of the turn
    before, and is shown with the next turn that they see begin, or with the first thing that they see until then.
    What happens in the hidden turn, such as wounds, they see at once. Before the first turn that they see, and as
    long as nothing is seen, the battle is set up for them.
    """
    public = before = None
    turns = TurnOrder()
    for now in moments:
        if now.is_set_up:
            public = None
        elif not is_hidden_turn(now):
            public, turns = now, now.turns
        elif now is not before and before is not None and not leads_to_hidden_turn(before, now):
            is_first = public is None
            public = _without_its_turn(public, turns, before, now)
            turns = public.turns if is_first and public is not None else turns
        before = now
        yield public


OF_TURNS = ("active", "round", "started", "ended", "interrupted", "delayed", "closing")
"""Fields of the turn order that say how far a round has come."""


def _without_its_turn(public: Battle | None, turns: TurnOrder, before: Battle, now: Battle) -> Battle | None:
    """What is shown of a step in the turn of somebody hidden: what it changes of what is known, and nothing else.

    Args:
        public: what they saw before it; None for nothing yet.
        turns: the whole turn order in the last turn that they saw.
        before, now: the whole battle before and after it.
    """
    was, shown = table_battle(before), table_battle(now)
    if was == shown:
        return public
    if public is None:
        return _in_first_known_turn(shown)
    units = {unit: shown.units.get(unit) for unit in (*shown.units, *public.units)}
    units = {unit: public.units.get(unit) if new == was.units.get(unit) else new for unit, new in units.items()}
    same = {
        name: getattr(public, name) for name in Battle.__struct_fields__ if getattr(was, name) == getattr(shown, name)
    }
    so_far = replace(same.get("turns", shown.turns), **{name: getattr(turns, name) for name in OF_TURNS})
    kept = {unit: one for unit, one in units.items() if one is not None}
    return table_battle(replace(shown, **same | {"units": kept, "turns": so_far}))


def _in_first_known_turn(shown: Battle) -> Battle:
    """A battle in which somebody hidden acts first as if that had not been: the first who is known has the turn."""
    able = (unit for unit in shown.turns.order if not shown.units[unit].is_defeated)
    first = next(able, "")
    return replace(shown, turns=replace(shown.turns, active=first, started=(first,) if first else ()))
