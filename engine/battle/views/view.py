"""View: the parts of a battle that a seat may see, ready to draw. The Game Master's seat sees everything.

Screens, words and JSON draw from a View and from nothing else, so that all of them say the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.battle.distances import height_in_unit
from engine.battle.facts import altitude_band, circumstances
from engine.battle.gear import accessories_of, armour_of, givable, stats_of, weapon_label
from engine.battle.magazines import magazine
from engine.battle.narration.unit_states import StateShown, states
from engine.battle.setup import budget_from, pools_of
from engine.battle.state.battle import Battle
from engine.battle.state.gm_overrides import Note
from engine.battle.state.units import OPPONENTS, Unit
from engine.battle.turns.turn_order import upcoming
from engine.battle.unit_names import number_in
from engine.battle.views.unit_letters import players_badge, signs_of
from engine.battle.wording import group_name
from engine.geometry.battlefield import Battlefield, Height
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset, Value
from engine.values import Stored


class Gauge(Stored, frozen=True):
    """A number that goes down and up: label, present value, full value."""

    id: str
    label: str
    now: int
    full: int
    group: str = ""
    part: str = ""
    """What it is shown under together with others, and what of that it is; "" by itself."""
    help: str = ""
    """What the number means, where its label does not say it."""
    is_count: bool = False
    """Whether it is what has been done, not what is left."""
    short: str = ""
    """The label where room is short; "" for the label itself."""


class UnitView(Stored, frozen=True):
    """A unit as it is drawn and described."""

    id: str
    name: str
    letter: str
    """One letter, capitals for the first side, small letters for the others; "?" when all are taken."""
    side: str
    side_index: int
    """0 for the first side on the map, 1 for the second …"""
    role: str
    at: Square
    size: int
    facing: Direction
    posture: str
    altitude: Height
    is_active: bool
    is_defeated: bool
    weapon: str
    """Label of the weapon in hand; "" for none."""
    rounds: int
    magazine: int
    """Rounds in a full magazine; 0 where none are counted."""
    pools: tuple[Gauge, ...]
    """The ruleset's pools, in its order."""
    budget: tuple[Gauge, ...]
    """What it has left to spend this turn."""
    stats: tuple[tuple[str, Value], ...]
    """(label, value) of what its sheet says, in the ruleset's order; what is nothing is left out."""
    conditions: tuple[StateShown, ...]
    """The states that it is in, conditions and markers among them."""
    initiative: int | None
    declared: str = ""
    """Label of what it declared when the order was rolled; "" where nothing is asked."""
    is_hidden: bool = False
    """Only the GM sees it."""
    listed: tuple[tuple[str, Value], ...] = ()
    """Those of the stats that lists of units show too."""
    altitude_band: str = ""
    """Label of the ruleset's altitude band that it flies in; "" on the ground, and where the ruleset has no bands."""
    number: int = 0
    """Its number in its group, as on its badge; 0 for none."""
    full_name: str = ""
    """As on its sheet; "" where that is its name."""
    players_badge: str = ""
    """In the Game Master's view the badge by which players know it, where that is another; "" otherwise."""

    @property
    def badge(self) -> str:
        """What it wears on the board: "T", in a group "g3"."""
        return f"{self.letter}{self.number or ''}"


class LastSeen(Stored, frozen=True):
    """Somebody of another side as a side saw it last."""

    id: str
    name: str
    letter: str
    side: str
    side_index: int
    """As in `UnitView`."""
    at: Square
    """Where it was."""
    is_gone: bool
    """Whether one of the side has seen since that it is not there any more."""
    size: int
    altitude: Height
    is_defeated: bool
    round: int
    """The round in which it was seen last."""
    number: int = 0
    """As in `UnitView`."""


class UnknownTurn(Stored, frozen=True):
    """A place in the turn order of somebody whom a side does not see, as far as the GM's ruling shows it."""

    before: str
    """Id of the known unit in the order before which it stands; "" at the end."""
    name: str
    """What the unit or its group is called; "" where the place alone is shown."""
    unit: str
    """Id of the unit where it is named and the side has seen it before; "" otherwise."""
    is_active: bool
    """Whether it is its turn."""


class View(Stored, frozen=True):
    """A battle as one seat sees it."""

    field: Battlefield
    ruleset: str
    """The ruleset's name."""
    round: int
    """0 before initiative is rolled."""
    active: str
    """Id of the unit whose turn it is; "" before the first, and once the battle is finished."""
    order: tuple[str, ...]
    """Unit ids as they act."""
    units: tuple[UnitView, ...]
    unknown_turns: tuple[UnknownTurn, ...] = ()
    """The turns of units out of sight that are shown, as they act; empty for the GM's seat."""
    waiting: tuple[str, ...] = ()
    """Unit ids whose turns wait for the active unit's turn to end, the first to come first."""
    upcoming: tuple[str, ...] = ()
    """Unit ids whose turns come after the active unit's, as far as that is settled."""
    acted: tuple[str, ...] = ()
    """Unit ids whose turn of this round is over, and whose part after simultaneous moves is as well."""
    dropped: tuple[tuple[Square, str], ...] = ()
    """Where weapons lie, and their labels."""
    declared_paths: tuple[tuple[Square, ...], ...] = ()
    """The paths of the moves that are made at the end of the round; each unit's square first."""
    charges: tuple[Square, ...] = ()
    """Where something was laid that waits to go off."""
    notes: tuple[Note, ...] = ()
    """The GM's notes."""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What groups that share a place in the order are called, and ids of their members as they act."""
    last_seen: tuple[LastSeen, ...] = ()
    """The others who are out of sight now, where the side saw them last; empty for the GM's seat."""
    is_finished: bool = False
    """Whether the battle is finished: it is nobody's turn."""
    is_curtain: bool = False
    """Whether the Game Master is setting up: players see the map's title and nothing else."""

    def unit(self, unit_id: str) -> UnitView:
        return next(unit for unit in self.units if unit.id == unit_id)

    def at(self, square: Square) -> UnitView | None:
        """The unit on a square: one still in the fight before one that is not, and of them whose turn it is."""
        here = [
            unit
            for unit in self.units
            if 0 <= square.column - unit.at.column < unit.size and 0 <= square.row - unit.at.row < unit.size
        ]
        return min(here, key=lambda unit: (unit.is_defeated, not unit.is_active), default=None)


def project(battle: Battle, rules: Ruleset) -> View:
    """The Game Master's view: everything. A unit keeps letter and colour, whether it is hidden or not."""
    units = tuple(battle.units.values())
    sides = list(dict.fromkeys(unit.side for unit in sorted(units, key=lambda unit: unit.side == OPPONENTS)))
    badges = signs_of(battle)
    return View(
        field=battle.field,
        ruleset=rules.name,
        round=battle.turns.round,
        active="" if battle.is_finished else battle.turns.active,
        is_finished=battle.is_finished,
        order=battle.turns.order,
        waiting=tuple(turn.unit for turn in reversed(battle.turns.interrupted)),
        upcoming=upcoming(battle, rules),
        acted=tuple(one for one in battle.turns.ended if one not in battle.turns.closing),
        units=tuple(
            _unit_view(battle, rules, unit, badges[unit.id], sides.index(unit.side)) for unit in battle.units.values()
        ),
        dropped=tuple((item.at, rules.gear.weapons[item.weapon].label) for item in battle.scene.dropped),
        declared_paths=tuple(move.path for move in battle.turns.declared),
        charges=tuple(held.at for held in battle.scene.charges),
        notes=battle.gm.notes,
        groups=tuple(
            (group_name([battle.units[one] for one in group]), battle.turns.group_of(group[0]))
            for group in battle.turns.groups
        ),
    )


def _worn(rules: Ruleset, unit: Unit) -> Iterator[tuple[str, Value]]:
    """Armour and accessories of a unit where they differ from its sheet."""
    if unit.overrides.armour is None and unit.overrides.accessories is None:
        return
    known = givable(rules)
    worn = [known[item] for item in (armour_of(rules, unit), *accessories_of(rules, unit)) if item]
    yield "wears", ", ".join(worn) or "nothing"


def derived_numbers(rules: Ruleset, facts: Mapping[str, Value]) -> Iterator[tuple[str, Value]]:
    """The numbers calculated from a unit's `circumstances`, without those that are 0 or empty."""
    rows = ((one.label, one.value.evaluate(facts)) for one in rules.units.derived.values() if one.show)
    yield from ((label, value) for label, value in rows if value)


def _flown_band(battle: Battle, rules: Ruleset, unit: Unit) -> str:
    if unit.altitude <= 0:
        return ""
    held = altitude_band(rules, height_in_unit(battle.field, rules, unit.altitude))
    return next((band.label for band in rules.space.altitudes if band.id == held), "")


def _unit_view(battle: Battle, rules: Ruleset, unit: Unit, badge: str, side_index: int) -> UnitView:
    full = pools_of(rules, unit)
    grouped = {pool.start.text for pool in rules.units.pools.values() if pool.group}  # the group's line tells these
    sheet, facts = stats_of(rules, unit), circumstances(battle, rules, unit)
    budget = budget_from(rules, facts)
    stats = {name: value for name, value in sheet.items() if f"unit.{name}" not in grouped}
    return UnitView(
        id=unit.id,
        name=unit.name,
        letter=badge[0],
        side=unit.side,
        side_index=side_index,
        role=unit.role,
        at=unit.at,
        size=unit.size,
        facing=unit.facing,
        posture=unit.posture,
        altitude=unit.altitude,
        altitude_band=_flown_band(battle, rules, unit),
        is_active=unit.id == battle.turns.active and not battle.is_finished,
        is_defeated=unit.is_defeated,
        weapon=weapon_label(rules, unit),
        rounds=unit.gear.rounds.get(unit.gear.weapon, 0),
        magazine=magazine(rules, unit.gear.weapon, unit),
        pools=tuple(
            Gauge(pool.id, pool.label, unit.pools.get(pool.id, 0), full[pool.id], pool.group, pool.part, pool.help)
            for pool in rules.units.pools.values()
            if pool.show.evaluate(facts)
        ),
        budget=tuple(
            Gauge(item.id, item.called(left), left, budget[item.id], is_count=item.counts, short=item.short)
            for item in rules.units.budgets.values()
            if not item.internal
            if (left := unit.turn.budget.get(item.id, 0)) or budget[item.id]
        ),
        stats=(
            *_worn(rules, unit),
            *(
                (
                    f"{rules.units.stats[name].label}{' (GM)' if unit.overrides.stat(name) is not None else ''}",
                    rules.units.stats[name].labelled(value),
                )
                for name, value in stats.items()
                if value or unit.overrides.stat(name) is not None
            ),
            *derived_numbers(rules, facts),
        ),
        listed=tuple(
            (one.label, one.labelled(sheet[one.id]))
            for one in rules.units.stats.values()
            if one.is_listed and sheet[one.id]
        ),
        conditions=tuple(states(battle, rules, unit)),
        initiative=battle.turns.initiative.get(unit.id),
        declared=battle.turns.announced.get(unit.id, ""),
        is_hidden=unit.is_hidden,
        number=number_in(badge),
        full_name=unit.sheet_name if unit.full_name else "",
        players_badge=players_badge(battle, unit.id),
    )
