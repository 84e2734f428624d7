"""Roster commands: the GM adds, copies, renames, hides and removes units. Always allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import islice

from engine.battle import events as ev
from engine.battle.attacks.effect_analysis import vital_pools
from engine.battle.attacks.explosives import take_up
from engine.battle.command import Command, Deciding, Events
from engine.battle.event_builder import EventBuilder, refuse_if_full, refuse_unless_fits
from engine.battle.events.event import units_named
from engine.battle.moves.deployment import squares_around, squares_in, zone_called
from engine.battle.parameters import RoleId, UnitId
from engine.battle.policies import policies_like
from engine.battle.setup import enlist, full_budget
from engine.battle.state.battle import Battle, free_id
from engine.battle.state.characters import Character
from engine.battle.state.reasons import Reason
from engine.battle.state.units import Placement, Turn, Unit
from engine.battle.turns.turn_flow import decide_end_of_turn
from engine.battle.turns.turn_order import gathered
from engine.battle.unit_names import is_proper, is_secret, names_for, stem_of
from engine.bounds import MOST_SIZE, Count, Id, Size
from engine.errors import Illegal, Unknown
from engine.geometry.battlefield import Height, OffMap
from engine.geometry.body import POSTURES, Body
from engine.geometry.squares import SQUARE_NAME, Direction, Square
from engine.geometry.zones import StartZone
from engine.rules.model import Ruleset
from engine.text import clean, slug
from engine.values import replace

MOST_UNITS = 500
MOST_AT_ONCE = 50
MOST_NAME = 40
MOST_SIDE = 24
MOST_ID = 24
HIDDEN_ID = "~"
"""What ids of units end with that join hidden: so they never take the id that another would have without them."""
MOST_TURNS = 10
"""Extra turns that may wait for one unit; a removal passes over all of them."""


Ordered = dict[tuple[object, ...], Iterator[Square]]
"""The squares that are left for units that are alike, the best first; one that is not free for one is for none."""


class AddUnit(Command, frozen=True, tag="add-unit"):
    """The GM adds new units, from the sheet of a role or of a character.

    They stand on `at`, or where that is taken on the first free squares around it; several are numbered. Whoever is
    hidden there makes way for those whom players see: their squares must not tell of somebody hidden.
    """

    version = 2
    role: RoleId
    side: str
    at: Square
    name: str = ""
    """What it is called; "" for its role."""
    count: Count = 1
    facing: Direction | None = None
    """None for towards the nearest enemy; north where there is none."""
    posture: str = "standing"
    altitude: Height = 0
    size: Size = 1
    is_neutral: bool = False
    is_hidden: bool = False
    character: Character | None = None
    """Whose sheet it has, in place of that of the role."""
    zone: Id = ""
    """Id of the start zone that they fill, in place of `at`; those without room stand around its first square."""

    def decide(self, now: Deciding) -> Events:
        return AddGroup((self,)).decide(now)


class AddGroup(Command, frozen=True, tag="add-group"):
    """The GM adds a whole group at once; each member takes free squares around its `at`."""

    version = 2
    members: tuple[AddUnit, ...]

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        count = sum(member.count for member in self.members)
        _refuse_count(count if all(member.count > 0 for member in self.members) else 0)
        after, outside = battle, dict[str, int]()
        known = Ordered()
        totals, names = Counter[tuple[str, bool]](), dict[tuple[str, bool], Iterator[str]]()
        for member in self.members:
            totals[_called(member, rules)[0], member.is_hidden] += member.count
        for member in sorted(self.members, key=lambda member: member.is_hidden):  # the numbers of others come first
            if member.posture not in POSTURES:
                raise Unknown("posture", member.posture, POSTURES)
            if not 1 <= member.size <= MOST_SIZE:
                raise Illegal("roster", f"A unit is 1 to {MOST_SIZE} squares wide, not {member.size}.")
            side = _side(member.side)
            zone = zone_called(battle.field, member.zone) if member.zone else None
            full, is_typed = _called(member, rules)
            alike = full, member.is_hidden
            if alike not in names:  # members that are called alike are numbered together
                found = names_for(after, full, totals[alike], is_hidden=member.is_hidden, is_typed=is_typed)
                names[alike] = iter(found)
            for name in islice(names[alike], member.count):
                placement = Placement(
                    _free_id(after, name, is_hidden=member.is_hidden),
                    name,
                    member.role,
                    side,
                    zone.squares[0] if zone else member.at,
                    member.facing or Direction.N,
                    member.posture,
                    member.size,
                    member.altitude,
                    member.is_neutral,
                    member.is_hidden,
                    character=member.character,
                )
                unit = replace(enlist(placement, rules), full_name="" if is_typed else full)
                after = _with(after, rules, unit, zone, known, is_alone=count == 1 and zone is None)
                unit = after.unit(placement.id)
                if zone is not None and not set(unit.squares) <= set(zone.squares):
                    outside[zone.id] = outside.get(zone.id, 0) + 1
                if member.facing is None:
                    after = _turned(after, unit, is_deployed=zone is not None or battle.is_set_up)
        draft = now.draft()
        for event in (*_making_room(battle, after), *_joined(battle, after, rules, outside)):
            draft.add(event)
        for unit in after.units.values():
            if unit.id not in battle.units and unit.character:  # its sheet may have nothing left
                draft.settle(unit.id)
        return draft.events


class CopyUnit(Command, frozen=True, tag="copy-unit"):
    """The GM duplicates a unit, wounds, rounds and conditions included, around a square."""

    unit: UnitId
    at: Square
    count: Count = 1

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        model = battle.unit(self.unit)
        _refuse_count(self.count)
        after, known = battle, Ordered()
        full, is_typed = model.full_name or stem_of(model.name), not model.full_name
        for name in names_for(battle, full, self.count, is_hidden=model.is_hidden, is_typed=is_typed):
            conditions = tuple(held for held in model.conditions if held not in model.about)
            unit = replace(
                model,
                id=_free_id(after, name, is_hidden=model.is_hidden),
                name=name,
                at=self.at,
                turn=Turn(start=self.at),
                conditions=conditions,
                timers={held: left for held, left in model.timers.items() if held in conditions},
                about={},
            )
            after = _with(after, rules, unit, None, known, is_alone=False)
        draft = now.draft()
        for event in (*_making_room(battle, after), *_joined(battle, after, rules, {}, is_copy=True)):
            draft.add(event)
        copies = tuple(unit_id for unit_id in draft.battle.units if unit_id not in battle.units)
        if any(model.id in group for group in battle.turns.groups):
            members, order = (*battle.turns.group_of(model.id), *copies), draft.battle.turns.order
            scores = {
                **draft.battle.turns.initiative,
                **dict.fromkeys(copies, battle.turns.initiative.get(model.id, 0)),
            }
            draft.add(ev.GroupFormed(members, gathered(order, [members]), scores if order else {}))
        for event in policies_like(battle, rules, model.id, copies):
            draft.add(event)
        return draft.events


class RemoveUnit(Command, frozen=True, tag="remove-unit"):
    """The GM removes units from the battle; if it is the turn of one, that turn ends first."""

    ends_turns = True

    unit: UnitId
    others: tuple[UnitId, ...] = ()

    def decide(self, now: Deciding) -> Events:
        draft = now.draft()
        for unit_id in dict.fromkeys((self.unit, *self.others)):
            _remove(now, draft, draft.battle.unit(unit_id))
        return draft.events


class RenameUnit(Command, frozen=True, tag="rename-unit"):
    unit: UnitId
    name: str

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        name = clean(self.name, MOST_NAME).strip()
        if not name:
            raise Illegal("name", f"{unit.name} needs a name.")
        if name == unit.name:
            raise Illegal("name", f"{unit.name} already has that name.")
        if any(other.name.casefold() == name.casefold() for other in battle.units.values() if other.id != unit.id):
            raise Illegal("name", f"Another unit is already called {name}.")
        return (ev.UnitRenamed(unit.id, unit.name, name),)


class SetSide(Command, frozen=True, tag="set-side"):
    """The GM moves a unit to another side, or makes it neutral."""

    unit: UnitId
    side: str
    is_neutral: bool = False

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        side = _side(self.side)
        if (side, self.is_neutral) == (unit.side, unit.is_neutral):
            raise Illegal("side", f"{unit.name} is already on that side.")
        return (ev.SideChanged(unit.id, unit.side, side, self.is_neutral),)


class SetHidden(Command, frozen=True, tag="set-hidden"):
    """The GM hides a unit from the players, or shows it."""

    unit: UnitId
    is_hidden: bool = True

    def decide(self, now: Deciding) -> Events:
        battle = now.battle
        unit = battle.unit(self.unit)
        if unit.is_hidden == self.is_hidden:
            raise Illegal("hidden", f"{unit.name} is already {'hidden' if unit.is_hidden else 'shown'}.")
        return (ev.UnitHidden(unit.id) if self.is_hidden else ev.UnitShown(unit.id),)


class SetOut(Command, frozen=True, tag="set-out"):
    """The GM takes a unit out of the fight, with a reason; without one it returns to the fight."""

    unit: UnitId
    why: str = ""

    def decide(self, now: Deciding) -> Events:
        battle, rules = now.battle, now.rules
        unit, why = battle.unit(self.unit), clean(self.why, MOST_NAME)
        if unit.out == why and unit.is_defeated and not why:
            lost = rules.units.pools[vital_pools(rules)[0]].label
            how = f"“heal {unit.id} 5” gives it points back"
            raise Illegal("out", f"{unit.name} is out by its {lost}, not by the GM: {how}.", f"out by its {lost}")
        if unit.out == why:
            raise Illegal("out", f"{unit.name} {f'is already out: {why}' if why else 'was not taken out by the GM'}.")
        draft = now.draft()
        draft.add(ev.UnitOut(unit.id, why))
        draft.settle(unit.id)
        return draft.events


KINDS = (AddUnit, AddGroup, CopyUnit, RemoveUnit, RenameUnit, SetSide, SetHidden, SetOut)


def _refuse_count(count: int) -> None:
    """Raises Illegal when so many units cannot be added at once."""
    if not 1 <= count <= MOST_AT_ONCE:
        raise Illegal("roster", f"Add 1 to {MOST_AT_ONCE} units at once, not {count}.")


def _called(member: AddUnit, rules: Ruleset) -> tuple[str, bool]:
    """What new units are called in full, and whether it is more than the name of their sheet: that is not shortened."""
    own, sheet = member.character, rules.units.sheets.get(member.role)
    known = own.name if own else sheet.label if sheet else ""
    wanted = clean(member.name or (own.name if own else ""), MOST_NAME).strip()
    wanted = wanted or member.role.replace("-", " ").capitalize()
    is_name = own is not None and (not own.is_opponent or (member.count == 1 and is_proper(wanted)))
    return wanted, is_name or (bool(member.name) and wanted.casefold() != known.casefold())


def _side(name: str) -> str:
    """The name of a side, clean; raises Illegal for none."""
    side = clean(name, MOST_SIDE).strip()
    if not side:
        raise Illegal("side", "A unit needs a side.")
    return side


def _remove(now: Deciding, draft: EventBuilder, unit: Unit) -> None:
    battle = draft.battle
    others = [other for other in battle.turns.order if other != unit.id and not battle.unit(other).is_defeated]
    for _ in range(MOST_TURNS if others else 0):
        if draft.battle.turns.active != unit.id:
            break
        events = decide_end_of_turn(replace(now, battle=draft.battle))
        for place, event in enumerate(events):
            is_next = isinstance(event, ev.TurnTakenUp) or (isinstance(event, ev.TurnBegan) and not event.is_extra)
            if is_next and not any(unit.id in units_named(later) for later in events[place:]):
                _leave(draft, unit)
            draft.add(event)
    _leave(draft, unit)


def _leave(draft: EventBuilder, unit: Unit) -> None:
    """A unit leaves the battle, with all that it has laid, unless it has left."""
    if unit.id not in draft.battle.units:
        return
    draft.let_go_of(unit.id, Reason("unit-gone", unit.id))
    take_up(draft, unit.id)
    draft.add(ev.UnitRemoved(unit.id, unit.name))


def _with(
    battle: Battle, rules: Ruleset, unit: Unit, zone: StartZone | None, known: Ordered, *, is_alone: bool
) -> Battle:
    """With one more unit: a single one on its square where that is free, else on the first free square in its zone, or
    around its square. `known` keeps the squares of units that are alike."""
    taken = battle if unit.is_hidden else _without_hidden(battle)
    refuse_if_full(len(battle.units), MOST_UNITS, "units")
    if unit.at not in battle.field:
        raise OffMap(unit.at, battle.field)
    if is_alone and any(square not in battle.field for square in unit.squares):
        raise Illegal("place", f"{unit.name} does not fit on the map at {unit.at.name}.")
    if is_alone and not any(taken.on(square) for square in unit.squares):
        refuse_unless_fits(taken, unit, Body(unit.at, unit.size))
    else:
        alike = unit.role, unit.character, unit.size, unit.altitude, unit.at, zone and zone.id
        if alike not in known:
            known[alike] = _squares_for(battle, rules, unit, zone)
        square = next((at for at in known[alike] if _fits(taken, unit, at)), None)
        if square is None:
            raise _no_room(unit)
        unit = replace(unit, at=square, turn=replace(unit.turn, start=square))
    if battle.turns.round:
        unit = replace(unit, turn=replace(unit.turn, budget=full_budget(battle.with_unit(unit), rules, unit)))
    battle = battle.with_unit(unit)
    return battle if unit.is_hidden else _with_way_made(battle, rules, unit)


def _without_hidden(battle: Battle) -> Battle:
    return replace(battle, units={known: unit for known, unit in battle.units.items() if not unit.is_hidden})


def _with_way_made(battle: Battle, rules: Ruleset, unit: Unit) -> Battle:
    """With those whom the GM has hidden on the nearest free squares, where a unit has taken theirs."""
    for other in battle.units.values():
        is_there = other.altitude == unit.altitude and not set(other.squares).isdisjoint(unit.squares)
        if is_there and other.is_hidden and not other.is_defeated:
            around = squares_around(battle, rules, other, other.at)
            square = next((at for at in around if _fits(battle, other, at)), None)
            if square is None:
                raise _no_room(other)
            battle = battle.with_unit(replace(other, at=square))
    return battle


def _no_room(unit: Unit) -> Illegal:
    return Illegal("place", f"There is no room around {unit.at.name} for {unit.name}.")


def _squares_for(battle: Battle, rules: Ruleset, unit: Unit, zone: StartZone | None) -> Iterator[Square]:
    """The squares on which a unit may be put: those of its zone, then those around its square."""
    inside = squares_in(battle, rules, unit, zone) if zone else ()
    yield from inside
    centre = inside[0] if inside else unit.at  # the zone's own first square may be cut off from the rest
    yield from squares_around(battle, rules, unit, centre)


def _turned(battle: Battle, unit: Unit, *, is_deployed: bool) -> Battle:
    """With the unit turned to its nearest enemy; where it has none, to the middle of the map if it `is_deployed`."""

    def far(enemy: Unit) -> tuple[int, str]:
        return (enemy.at.column - unit.at.column) ** 2 + (enemy.at.row - unit.at.row) ** 2, enemy.id

    nearest = min(battle.known_foes(unit), key=far, default=unit)
    centre = Square(battle.field.columns // 2, battle.field.rows // 2)
    goal = centre if is_deployed and nearest.id == unit.id else nearest.at
    return battle if goal == unit.at else battle.with_unit(replace(unit, facing=Direction.towards(unit.at, goal)))


def _joined(
    before: Battle, after: Battle, rules: Ruleset, outside: Mapping[str, int], *, is_copy: bool = False
) -> tuple[ev.Event, ...]:
    """The event of those who joined; in an order that is rolled they come after the last one, by sides of their own.

    They follow, and have the score of, the last of their own side whom players know: another's would tell of somebody
    unseen.
    """
    added = tuple(unit for unit in after.units.values() if unit.id not in before.units)
    order, scores = list(before.turns.order), dict(before.turns.initiative)
    for unit in added if before.turns.order else ():
        known = [one for one in order if one in scores and (unit.is_hidden or not after.unit(one).is_hidden)]
        comrades = [one for one in known if after.unit(one).side == unit.side]
        last = comrades[-1] if comrades and rules.turns.initiative.is_by_side else order[-1]
        order.insert(order.index(last) + 1, unit.id)
        scores[unit.id] = scores[(comrades or known)[-1]] if known else 0
    return (ev.UnitsAdded(added, tuple(order), scores, is_copy, outside),)


def _fits(battle: Battle, unit: Unit, at: Square) -> bool:
    body = Body(at, unit.size)
    if any(square not in battle.field for square in body.squares):
        return False
    try:
        refuse_unless_fits(battle, unit, body)
    except Illegal:
        return False
    return True


def _making_room(before: Battle, after: Battle) -> tuple[ev.Event, ...]:
    """New squares and names for the hidden units whose squares and names those have now who join.

    Their new names have the next numbers that are free.
    """
    new = {unit.name.casefold() for unit in after.units.values() if unit.id not in before.units and not unit.is_hidden}
    taken = {unit.name.casefold() for unit in after.units.values()}
    found: list[ev.Event] = []
    for unit in before.units.values():
        if (square := after.unit(unit.id).at) != unit.at:
            found.append(ev.UnitPlaced(unit.id, unit.at, square))
        if is_secret(unit, before) and unit.name.casefold() in new:
            stem, number = stem_of(unit.name), 2
            while (name := f"{stem} {number}").casefold() in taken:
                number += 1
            taken.add(name.casefold())
            found.append(ev.UnitRenamed(unit.id, unit.name, name))
    return tuple(found)


def _free_id(battle: Battle, name: str, *, is_hidden: bool) -> str:
    """An unused id made from the name; never the name of a square. One that joins hidden has HIDDEN_ID behind it.

    A number is the first that is free among ids of that end, whatever the name's is: that one may tell of others.
    """
    end = HIDDEN_ID if is_hidden else ""
    taken = {known.casefold().removesuffix(end) for known in battle.units if known.endswith(end)}
    plain = slug(stem_of(name), MOST_ID) or "unit"
    if stem_of(name) != name:
        return f"{free_id(plain, taken, 2 if plain in taken else 1)}{end}"
    if plain not in taken and not SQUARE_NAME.fullmatch(plain):
        return f"{plain}{end}"
    return f"{free_id(plain, taken, 2)}{end}"
