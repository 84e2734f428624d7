"""Fog of war: what one side may know of a battle, built up from what its own units have seen. Never the other way.

A seat knows its own units whole; of others what shows while one of its units sees them; of the ground what it has seen,
as it was when it was last seen. Who is hidden by the GM is in no seat, not even in that of its own side.

Rulings: somebody in the dark is seen from the next square only, smoke ends sight as in FOG_SMOKE where the ruleset does
not say how it obscures, and a square is seen where somebody who stood on it would be.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from engine.battle.magazines import magazine
from engine.battle.rulings_in_force import ruling_now
from engine.battle.setup import enlist, pools_of
from engine.battle.state.battle import PLAYERS, Battle
from engine.battle.state.characters import Character
from engine.battle.state.units import Gear, Placement, Turn, Unit
from engine.battle.unit_names import known_as, number_in
from engine.battle.views.known_battle import cut_to
from engine.battle.views.seen_units import are_seen, eyes_of, seen_others, sight_on
from engine.battle.views.unit_letters import named_for, players_side, signs_of
from engine.battle.views.view import LastSeen, UnitView, UnknownTurn, View, project
from engine.battle.wording import group_name
from engine.context import Cache
from engine.errors import Unknown
from engine.geometry.battlefield import NOTHING, Barrier, Battlefield, Ground
from engine.geometry.body import Body, body
from engine.geometry.los.lighting import DARK, lit
from engine.geometry.squares import ORTHOGONAL, Edge, Square, edge_of
from engine.rules.model import Ruleset
from engine.rules.rulings import EXACT, FOES_KNOWN, NOT_SHOWN, SHOWN, UNKNOWN_TURNS
from engine.text import side_called
from engine.values import replace

STALE = 1
"""For how many rounds a view shows where somebody was seen last who is not there any more."""
FIELDS: Cache[Battlefield] = Cache(4)
"""The ground as sides remembered it last: it is the same for many moments."""


class Memory(Struct, frozen=True):
    """Everything that a side has seen until now."""

    ground: Mapping[Square, tuple[Ground, int, int, int]]
    """Each square that was seen: its ground, its height, smoke and light, as it was seen last."""
    barriers: Mapping[Edge, Barrier]
    met: Mapping[str, LastSeen] = {}
    """The others that were seen, by id, in the order in which they were met: each as it was seen last."""


NOTHING_SEEN = Memory({}, {})


def sides_of(battle: Battle) -> list[str]:
    """The sides that may have a seat: those of units that are not hidden."""
    return list(dict.fromkeys(unit.side for unit in battle.units.values() if not unit.is_hidden))


def find_side(battle: Battle, side: str, earlier: Iterable[Battle] = ()) -> str:
    """The side that is called that, as it is or as it is shown.

    Args:
        battle: as it stands now.
        side: the name.
        earlier: moments whose sides count too, where there is none of that name now.

    Raises:
        Unknown: there is none; the message names the nearest.
    """
    known = sides_of(battle)
    found = side_called(side, known)
    if not found:
        found = side_called(side, dict.fromkeys(one for moment in earlier for one in sides_of(moment)))
    if not found:
        raise Unknown("side", side, known)
    return found


def side_names(moments: Sequence[Battle], side: str) -> tuple[str, ...]:
    """The name of a side at each moment: a side that begins with a unit of another was that other one until then.

    So it remembers what was seen until then, whether the GM renames a side or parts it.
    """
    parts: list[list[str]] = []
    end = len(moments)
    while end:
        first = next((place for place in range(end) if own_units(moments[place], side)), 0)
        parts.insert(0, [side] * (end - first))
        members = own_units(moments[first], side)
        before = moments[first - 1].units if first else {}
        came = [before[unit.id].side for unit in members if unit.id in before]
        side, end = came[0] if came else side, first
    return tuple(name for part in parts for name in part)


def own_units(battle: Battle, side: str) -> list[Unit]:
    """The units of a side, without those that the GM has hidden."""
    return [unit for unit in battle.units.values() if unit.side == side and not unit.is_hidden]


class SideObserver:
    """What a side has seen, gathered while it looks at one moment after the other."""

    def __init__(self, memory: Memory = NOTHING_SEEN) -> None:
        self._ground, self._barriers, self._met = dict(memory.ground), dict(memory.barriers), dict(memory.met)
        self.memory = memory
        """Everything that was seen until now; the same object for as long as nothing else is."""
        self._last: Battle | None = None
        self._fresh: set[Square] = set()
        """Squares that are remembered as they are on the last field."""

    def observe(self, battle: Battle, side: str) -> None:
        """Looks round at a battle as it stands now, with the eyes of the side of that name."""
        last, field = self._last, battle.field
        if last is None or last.field is not field:
            self._fresh.clear()
        elif not _has_changed(last, battle):
            return
        has_new_ground = self._look_at_ground(battle, side)
        before = self.memory.met
        self._look_at_others(battle, side)
        self._last = battle
        if has_new_ground:
            self.memory = Memory(dict(self._ground), dict(self._barriers), dict(self._met))
        elif self._met != before:
            self.memory = replace(self.memory, met=dict(self._met))

    def pass_over(self, battle: Battle) -> None:
        """Goes on to a battle as it stood at a moment that is in the memory already."""
        self._last = battle

    def _look_at_ground(self, battle: Battle, side: str) -> bool:
        """Remembers the squares in sight and what stands on their edges; whether any of it is new."""
        field, is_new = battle.field, False
        squares = _seen_squares(battle, side) - self._fresh
        light = lit(field) if squares else ()
        for square in squares:
            place = field.index(square)
            found = field.ground_at(square), field.elevation[place], field.smoke[place], light[place]
            if self._ground.get(square) != found:
                self._ground[square], is_new = found, True
            for edge in (edge_of(square, direction) for direction in ORTHOGONAL):
                barrier = field.barriers.get(edge)
                if self._barriers.get(edge) == barrier:
                    continue
                is_new = True
                if barrier is None:
                    del self._barriers[edge]
                else:
                    self._barriers[edge] = barrier
        self._fresh |= squares
        return is_new

    def _look_at_others(self, battle: Battle, side: str) -> None:
        """Remembers who is in sight, and of the rest that it is gone from where it was, or walked on before it went."""
        seen, badges = seen_others(battle, side), signs_of(battle)
        for unit in seen:
            self._met[unit.id] = LastSeen(
                unit.id,
                unit.name,
                badges[unit.id][0],
                unit.side,
                0,
                unit.at,
                False,
                unit.size,
                unit.altitude,
                unit.is_defeated,
                battle.turns.round,
                number_in(badges[unit.id]),
            )
        in_sight = {unit.id for unit in seen}
        for one in [one for one in self._met.values() if one.id not in in_sight]:
            walked = _walked(self._last, battle, one.id)
            in_view = are_seen(battle, side, [shape for _, shape in walked])
            if squares := [at for (at, _), is_seen in zip(walked, in_view, strict=True) if is_seen]:
                one = replace(one, at=squares[-1], is_gone=False, round=battle.turns.round)
            is_gone = one.is_gone or any(are_seen(battle, side, [_lying(battle.field, one)]))
            self._met[one.id] = replace(one, is_gone=is_gone)


def _walked(last: Battle | None, battle: Battle, unit_id: str) -> list[tuple[Square, Body]]:
    """The squares of this turn's walk that a unit came to since an earlier moment, and its body on each."""
    unit, before = battle.units.get(unit_id), None if last is None else last.units.get(unit_id)
    if unit is None or before is None or before.at == unit.at or before.at not in unit.turn.trail:
        return []
    trail = unit.turn.trail
    start = max(place for place, square in enumerate(trail) if square == before.at)
    return [(at, replace(unit, at=at).body(battle.field)) for at in trail[start + 1 :]]


def _lying(field: Battlefield, last: LastSeen) -> Body:
    """The least that shows of somebody who stayed there: where that much would be seen, it is gone."""
    return body(last.at, field.unit, "prone", last.size, last.altitude, sight=field.sight)


def _has_changed(last: Battle, battle: Battle) -> bool:
    """Whether there is anything else to see of anybody on the same field."""
    if last.units is battle.units:
        return False
    if last.units.keys() != battle.units.keys():
        return True
    changed = ((last.units[unit.id], unit) for unit in battle.units.values() if last.units[unit.id] is not unit)
    return any(_presence(one) != _presence(other) for one, other in changed)


def _presence(unit: Unit) -> tuple[object, ...]:
    """All of a unit on which it depends who sees it and what it sees, and what is remembered of it."""
    return unit.at, unit.size, unit.posture, unit.altitude, unit.side, unit.is_hidden, unit.is_defeated, unit.name


def curtain(battle: Battle, rules: Ruleset) -> View:
    """What every player sees while a battle is set up: the map's title and its size."""
    blank = (0,) * (battle.field.columns * battle.field.rows)
    field = Battlefield(
        name=battle.field.name,
        columns=battle.field.columns,
        rows=battle.field.rows,
        unit=battle.field.unit,
        square_size=battle.field.square_size,
        legend=(NOTHING,),
        ground=blank,
        elevation=blank,
        smoke=blank,
        light=blank,
    )
    return View(field, rules.name, round=0, active="", order=(), units=(), is_curtain=True)


def memory_in(view: View, met: Iterable[LastSeen]) -> Memory:
    """Memory of a side, as its view shows it; `met` are the units of others as it saw them last."""
    field = view.field
    layers = zip(field.squares(), field.ground, field.elevation, field.smoke, field.light, strict=True)
    ground = {square: (field.legend[ground], *rest) for square, ground, *rest in layers}
    known = {square: what for square, what in ground.items() if what != (NOTHING, 0, 0, 0)}
    return Memory(known, field.barriers, {one.id: one for one in met})  # type: ignore[arg-type]  # `rest` is three numbers


def known_battle(battle: Battle, rules: Ruleset, side: str, memory: Memory) -> Battle:
    """The battle as a side knows it: previews, reach, options and overlays can be worked out from it.

    Its own units are whole. Those of others that it sees now are as they look from outside: who they are, where and how
    they stand, what they hold; for the rest each is as the sheet of its kind has it, fresh and unhurt. The ground is as
    the side remembers it. Seed, notes, policies and places in the order of whom it does not know are not in it.

    Args:
        battle: as it stands now, for those who may know of this moment (see `for_players`).
        rules: its rules.
        side: whose.
        memory: what it has seen, this moment included.
    """
    battle = named_by(battle, side, memory.met)
    own = {unit.id: unit for unit in own_units(battle, side)}
    others = {unit.id: unit for unit in seen_others(battle, side)}
    is_exact = foes_known(battle, rules) == EXACT
    met = {unit: from_outside(others[unit], rules, is_exact=is_exact) for unit in memory.met if unit in others}
    squares = _seen_squares(battle, side)
    cut = cut_to(battle, own | met, own)
    return replace(
        cut,
        field=FIELDS.get((battle.field, memory), squares, lambda: _field(battle.field, memory, squares)),
        scene=replace(
            cut.scene,
            own_smoke=(),
            clouds=(),
            dropped=tuple(item for item in battle.scene.dropped if item.at in squares),
            worn=(),
        ),
        gm=replace(cut.gm, adjustments=(), covers=()),
    )


def foes_known(battle: Battle, rules: Ruleset) -> str:
    """On which numbers of other sides' units a side's chances rest: EXACT, USUAL or NOTHING_KNOWN, as the GM rules."""
    return str(ruling_now(battle, rules.rulings[FOES_KNOWN]))


def from_outside(unit: Unit, rules: Ruleset, *, is_exact: bool = False) -> Unit:
    """A unit as others see it: with the sheet of its kind in place of its own, unhurt, and with what it holds in hand.

    One whose kind has no sheet is taken for the first kind that the ruleset has. Where its numbers are known exactly,
    it has its own stats, armour and conditions; not its losses, rounds and what else it carries.
    """
    role = unit.role if unit.role in rules.units.sheets else next(iter(rules.units.sheets))
    kind = enlist(
        Placement(unit.id, unit.name, role, unit.side, unit.at, unit.facing, unit.posture, unit.size, unit.altitude),
        rules,
    )
    if is_exact:
        sheet = unit.character
        own = None if sheet is None else Character("", sheet.stats, armour=sheet.armour, accessories=sheet.accessories)
        fitted = {condition: weapon for condition, weapon in unit.about.items() if weapon in rules.gear.weapons}
        kind = replace(kind, character=own, overrides=unit.overrides, conditions=unit.conditions, about=fitted)
        kind = replace(kind, pools=pools_of(rules, kind))
    held = unit.gear.weapon
    full = magazine(rules, held, kind) if held else 0
    gear = Gear(weapons=(held,) if held else (), weapon=held, rounds={held: full} if full else {})
    return replace(
        kind,
        gear=gear,
        is_defeated=unit.is_defeated,
        is_neutral=unit.is_neutral,
        turn=Turn(start=unit.at),
        out=unit.out,
    )


def seat_view(battle: Battle, rules: Ruleset, side: str, memory: Memory) -> View:
    """Present view of a side, on the ground that it remembers; `memory` includes this moment."""
    view = project(known_battle(battle, rules, side, memory), rules)
    named = named_by(battle, side, memory.met)
    order = list(dict.fromkeys((side, *(one.side for one in memory.met.values()))))
    units = (replace(one, side_index=order.index(one.side)) for one in view.units)
    in_sight = {one.id for one in view.units}
    return replace(
        view,
        units=tuple(one if one.side == side else _from_outside(one) for one in units),
        unknown_turns=tuple(_unknown_turns(named, rules, in_sight, memory.met)),
        last_seen=tuple(
            replace(_called_now(one, named), side_index=order.index(one.side))
            for one in memory.met.values()
            if one.id not in in_sight and (not one.is_gone or battle.turns.round - one.round <= STALE)
        ),
    )


def _called_now(one: LastSeen, named: Battle) -> LastSeen:
    """Somebody seen before with the name and the badge that the side has for it; as it was then, where it has left."""
    if one.id not in named.badges or one.id not in named.units or named.units[one.id].is_hidden:
        return one
    badge, before = signs_of(named)[one.id], f"{one.letter}{one.number or ''}"
    return replace(one, name=known_as(one.name, badge, before), letter=badge[0], number=number_in(badge))


def _unknown_turns(
    battle: Battle, rules: Ruleset, known: Collection[str], met: Collection[str]
) -> Iterator[UnknownTurn]:
    """What the turn order shows of units out of sight, by the GM's ruling: one place for each, or for a group.

    Args:
        battle: as the table knows it.
        rules: its rules.
        known: ids of the units that the side sees now.
        met: ids of those that it has seen.
    """
    how, turns = ruling_now(battle, rules.rulings[UNKNOWN_TURNS]), battle.turns
    if how == NOT_SHOWN:
        return
    after = ""
    found: list[UnknownTurn] = []
    for unit in reversed(turns.order):
        group = tuple(one for one in turns.group_of(unit) if not battle.units[one].is_hidden)
        if unit in known:
            after = unit
        elif unit in group[:1] and not any(one in known for one in group):
            name = group_name([battle.units[one] for one in group]) if len(group) > 1 else battle.units[unit].name
            is_active = turns.active in group and not battle.is_finished
            is_named = how == SHOWN
            met_before = unit if is_named and len(group) == 1 and unit in met else ""
            found.append(UnknownTurn(after, name if is_named else "", met_before, is_active))
    yield from reversed(found)


def in_sight(battle: Battle, side: str) -> tuple[frozenset[str], frozenset[Square]]:
    """Ids of a side's own units and of the others that it sees now, and the squares that it sees."""
    own = own_units(battle, side)
    known = frozenset(unit.id for unit in (*own, *seen_others(battle, side)))
    return known, _seen_squares(battle, side)


def named_by(battle: Battle, side: str, met: Iterable[str]) -> Battle:
    """The battle with the names and badges by which a side knows its units; `met` are others that it has seen."""
    order = [*own_units(battle, side), *(battle.units[one] for one in met if one in battle.units)]
    return named_for(battle, order, PLAYERS if side == players_side(battle) else "")


def _from_outside(unit: UnitView) -> UnitView:
    """Visible parts of a unit: no numbers, no stats, no plans."""
    bare = replace(unit, role="", rounds=0, magazine=0, pools=(), budget=(), stats=(), conditions=(), initiative=None)
    return replace(bare, declared="")


def _seen_squares(battle: Battle, side: str) -> frozenset[Square]:
    """Squares that some unit of the side sees now, and the walls beside them."""
    sight = sight_on(battle.field)
    field, known = sight.field, sight.squares
    found: set[Square] = set()
    for unit in eyes_of(battle, side):
        eye = unit.body(field)
        if eye not in known:
            known[eye] = _squares_seen(field, eye)
        found |= known[eye]
    return frozenset(found)


def _squares_seen(field: Battlefield, eye: Body) -> frozenset[Square]:
    import numpy as np  # here, as NumPy is not to delay what does without

    from engine.geometry.los.field_of_view import overlook

    found = overlook(field, eye, body(eye.at, field.unit, sight=field.sight))
    seen = (found.visible > 0) & (np.array(lit(field)).reshape(found.visible.shape) > DARK)
    for square in eye.squares:
        seen[max(square.row - 1, 0) : square.row + 2, max(square.column - 1, 0) : square.column + 2] = True
    kinds = np.array([ground.blocks_sight and ground.blocks_movement for ground in field.legend])
    walls = kinds[np.array(field.ground)].reshape(field.rows, field.columns)
    around = np.zeros((field.rows + 2, field.columns + 2), dtype=bool)
    for down, right in product(range(3), repeat=2):
        around[down : down + field.rows, right : right + field.columns] |= seen
    shown = seen | (walls & around[1:-1, 1:-1])
    return frozenset(Square(int(column), int(row)) for row, column in zip(*shown.nonzero(), strict=True))


def _field(field: Battlefield, memory: Memory, now: frozenset[Square]) -> Battlefield:
    """The ground as it is remembered; the rest is nothing. Smoke is where it is seen now, lamps are in the light."""
    order: dict[Ground, int] = {NOTHING: 0}
    ground, elevation, smoke, light = [], [], [], []
    for row in range(field.rows):
        for column in range(field.columns):
            square = Square(column, row)
            what, height, thick, bright = memory.ground.get(square, (NOTHING, 0, 0, 0))
            ground.append(order.setdefault(what, len(order)))
            elevation.append(height)
            smoke.append(thick if square in now else 0)
            light.append(bright)
    return replace(
        field,
        legend=tuple(order),
        ground=tuple(ground),
        elevation=tuple(elevation),
        smoke=tuple(smoke),
        light=tuple(light),
        barriers=memory.barriers,
        lamps=(),
        zones=(),
    )
