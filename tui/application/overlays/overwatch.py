"""Overlay of kill zones: the squares in view where a unit on overwatch may answer what an enemy does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.battle.apply import apply_all
from engine.battle.attacks.kill_zones import has_kill_zone, kill_zone
from engine.battle.commands.decide import decide
from engine.battle.facts import bodies_in_the_way
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.context import Cache
from engine.errors import BattleboardError
from engine.geometry.squares import Direction, Square
from engine.rules.model import Ruleset
from engine.tactics.options import acts
from engine.values import replace
from tui.application.focus.focus import Focus
from tui.application.overlays.markings import Chip
from tui.application.overlays.overlay_tints import NO_TINTS, OverlayTints
from tui.application.overlays.visibility_counts import KINDS, MOST_TRACED, survey

TINT = "blocked"
AFTER: Cache[Battle | None] = Cache(8)
"""Battles after the last acts that were aimed, by direction."""
WATCHED: Cache[OverlayTints] = Cache(8)
"""The zones of the last units, for when only the cursor moves."""


def overwatched(focus: Focus, battle: Battle, rules: Ruleset, signs: Mapping[str, str]) -> OverlayTints:
    """Tints the squares where an enemy's overwatch covers the unit in focus."""
    unit = battle.units[focus.unit]
    watching = watchers(battle, rules, unit)
    if not watching:
        return OverlayTints(words=f"No enemy of {unit.name} is on overwatch.")
    names = ", ".join(one.name for one in watching)
    zones = _zones(focus, battle, rules, watching)
    return replace(zones, words=f"Under overwatch of {names}: {signs[TINT]}.", chips=())


def zone_in_focus(focus: Focus, battle: Battle, rules: Ruleset) -> OverlayTints:
    """Tints the kill zone of the unit under the cursor, else of the unit in focus; nothing without overwatch."""
    for unit in (battle.at(focus.cursor), battle.units.get(focus.unit)):
        if unit is not None and has_kill_zone(battle, rules, unit):
            return _zones(focus, battle, rules, (unit,))
    return NO_TINTS


def zone_aimed(focus: Focus, battle: Battle, rules: Ruleset, action: str) -> OverlayTints:
    """Tints the kill zone that the unit in focus would have after an act towards the cursor; none before dice."""
    unit = battle.units[focus.unit]
    if focus.cursor in unit.squares:
        return NO_TINTS
    facing = Direction.towards(unit.at, focus.cursor)
    after = AFTER.get((battle, rules), (unit.id, action, facing), lambda: _after(battle, rules, unit, action, focus))
    return NO_TINTS if after is None else zone_in_focus(replace(focus, cursor=unit.at), after, rules)


def _after(battle: Battle, rules: Ruleset, unit: Unit, action: str, focus: Focus) -> Battle | None:
    """The battle after an act towards the cursor, with the first attack it may declare; None where it may not be."""
    options = acts(battle, rules, unit, actions=[action], squares=[focus.cursor])
    act = next((one.command for one in options if one.is_allowed and one.command.square), None)
    if act is None:
        return None
    try:
        return apply_all(battle, decide(battle, act, rules, asks=True, asks_dice=True, tells=False))
    except BattleboardError:
        return None


def watchers(battle: Battle, rules: Ruleset, unit: Unit) -> tuple[Unit, ...]:
    """The enemies of a unit that are on overwatch."""
    return tuple(one for one in battle.units.values() if unit.is_enemy_of(one) and has_kill_zone(battle, rules, one))


def squares_watched(battle: Battle, rules: Ruleset, unit: Unit, squares: Iterable[Square]) -> frozenset[Square]:
    """Those of some squares that the unit would enter in the kill zone and the view of an enemy on overwatch."""
    squares = tuple(squares)
    if not squares or not (watching := watchers(battle, rules, unit)):
        return frozenset()
    columns, rows = [one.column for one in squares], [one.row for one in squares]
    within = Square(min(columns), min(rows)), Square(max(columns), max(rows))
    return frozenset().union(*(_seen_zone(battle, rules, one, within)[0] for one in watching)).intersection(squares)


def _zones(focus: Focus, battle: Battle, rules: Ruleset, watching: tuple[Unit, ...]) -> OverlayTints:
    """The kill zones of units, as far as they are on the screen, with a chip that says whose."""

    rest = tuple(one.id for one in watching), focus.shown
    if (known := WATCHED.known((battle, rules), rest)) is not None:
        return known
    zones = [_seen_zone(battle, rules, one, focus.shown, MOST_TRACED) for one in watching]
    squares = frozenset().union(*(zone for zone, _ in zones))
    chip = Chip(TINT, "overwatch", ", ".join(one.name for one in watching))
    if any(has_more for _, has_more in zones):
        return OverlayTints(dict.fromkeys(squares, TINT), chips=(chip,), has_more=True)
    return WATCHED.get((battle, rules), rest, lambda: OverlayTints(dict.fromkeys(squares, TINT), chips=(chip,)))


def _seen_zone(
    battle: Battle, rules: Ruleset, unit: Unit, within: tuple[Square, Square] | None, most: int | None = None
) -> tuple[frozenset[Square], bool]:
    """The squares of a kill zone in which the unit sees anything of a standing person, and whether some are left."""
    others = bodies_in_the_way(battle, [unit])
    found = survey(battle.field, unit.body(battle.field), within=within, obstacles=others, most=most)
    seen = (found.kinds > 0) & (found.kinds < len(KINDS))
    squares = (Square(int(column), int(row)) for row, column in zip(*seen.nonzero(), strict=True))
    return kill_zone(battle, rules, unit, (one for one in squares if one not in unit.squares)), found.has_more
