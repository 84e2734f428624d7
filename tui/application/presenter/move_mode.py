"""Move mode: reach, path to the cursor, altitude, and positioning."""

from __future__ import annotations

from contextlib import suppress

from engine.battle.command import Move
from engine.battle.commands.unit_edits import Place, SetAltitude
from engine.battle.moves.movement_modes import MoveOptions, in_manner
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.errors import Illegal
from engine.geometry.movement.steps import footprint, obstacle_words, under_ground
from engine.geometry.squares import Square
from engine.values import replace
from tui.application.keys.battle_keys import with_keys
from tui.application.overlays.positioning import MEASURES, legend, prospects
from tui.application.overlays.reach import moves_to
from tui.application.presenter.presenter import NO_UNIT, Presenter


def go(presenter: Presenter) -> None:
    """Shows the reach of the unit in focus; if the reach is shown since the last event, moves to the cursor."""
    battle = presenter.session.battle
    if battle.is_set_up:
        set_up_move(presenter)
        return
    unit = battle.units.get(presenter.focus.unit)
    if unit is None:
        return
    if not presenter.is_move_planned:
        is_choosing = presenter.focus.overlay in MEASURES
        show_reach(presenter, "", presenter.focus.cursor if is_choosing else unit.at)
        if not presenter.can_move:
            refused = presenter.overlay.words
            presenter.focus = replace(presenter.focus, overlay="plain")
            presenter.say(f"{refused} {presenter.go_back_words}".rstrip())
            return
        presenter.plan_move(unit.id)
        if is_choosing:  # show the cost of the path, not the legend
            presenter.look_at(presenter.focus, whole=False)
        return
    path, altitude = presenter.path, presenter.focus.altitude
    if presenter.focus.cursor == unit.at and altitude not in (None, unit.altitude):
        path = (unit.at,)
    if path:
        command = Move(unit.id, path, presenter.focus.move, altitude)
        presenter.focus = presenter.focus.plain
        presenter.roll(command)
    elif presenter.focus.cursor == unit.at:
        presenter.look_at(presenter.focus.plain)
    else:
        presenter.say(_why_not(presenter, battle, unit))


def set_up_move(presenter: Presenter) -> None:
    """In the set-up phase: takes up the unit under the cursor, or the one in focus; then places it on the cursor."""
    battle, cursor = presenter.session.battle, presenter.focus.cursor
    if not presenter.is_move_planned:
        unit = battle.at(cursor) or battle.units.get(presenter.focus.unit)
        if unit is None:
            presenter.say(f"No unit on {cursor.name}.")
            return
        presenter.look_at(presenter.focus.on_unit(unit.id))
        presenter.show_overlay("reach")
        presenter.plan_move(unit.id)
        return
    unit = battle.units[presenter.focus.unit]
    presenter.focus = presenter.focus.plain
    if cursor == unit.at:
        presenter.look_at(presenter.focus)
    else:
        presenter.submit(Place(unit.id, cursor))


def lift(presenter: Presenter, step: int) -> None:
    """Plans a move one square's side higher or lower."""
    battle = presenter.session.battle
    unit = battle.units.get(presenter.focus.unit)
    if unit is None or not unit.can_fly:
        presenter.say(f"{unit.name} cannot fly." if unit else "No unit is selected.")
        return
    now = unit.altitude if presenter.focus.altitude is None else presenter.focus.altitude
    if step < 0 and not now:
        presenter.say(f"{unit.name} is on the ground{with_keys(': {battle.move} lands') if unit.altitude else ''}.")
        return
    if battle.is_set_up:
        presenter.submit(SetAltitude(unit.id, max(0, unit.altitude + step * battle.field.square_size)))
        return
    presenter.focus = replace(presenter.focus, altitude=max(0, now + step * battle.field.square_size))
    presenter.show_overlay("reach", presenter.focus.move)
    presenter.plan_move(unit.id)


def show_reach(presenter: Presenter, move: str, cursor: Square) -> None:
    """Tints the unit's reach, with a special move or the plain ones."""
    presenter.focus = replace(presenter.focus, cursor=cursor)
    presenter.show_overlay("reach", move)


def show_stands(presenter: Presenter) -> None:
    """Shows the next positioning overlay, after the last one none."""
    if presenter.focus.unit not in presenter.session.battle.units:
        presenter.say(with_keys(NO_UNIT))
        return
    turns = ("plain", *MEASURES, "plain")
    now = presenter.focus.overlay if presenter.focus.overlay in MEASURES else "plain"
    measure = turns[turns.index(now) + 1]
    focus = replace(presenter.focus, overlay=measure, altitude=None)
    battle, rules = presenter.session.battle, presenter.session.rules
    if measure in MEASURES and focus.cursor not in prospects(focus, battle, rules).squares:
        focus = replace(focus, cursor=battle.units[focus.unit].at)
    presenter.look_at(focus)
    if measure in MEASURES:
        presenter.note = legend(measure, presenter.display.glyphs.tints)
        presenter.show_cursor()


def _why_not(presenter: Presenter, battle: Battle, unit: Unit) -> str:
    """Why the unit cannot move to the cursor."""
    if battle.turns.active != unit.id:
        refused = f"It is {battle.units[battle.turns.active].name}'s turn, not {unit.name}'s."
        return f"{refused} {presenter.go_back_words}".rstrip()
    here = battle.at(presenter.focus.cursor)
    named = [action.label for action in moves_to(presenter.focus, battle, presenter.session.rules)]
    chosen = presenter.session.rules.actions.get(presenter.focus.move)
    plainly = " in one straight line" if chosen and chosen.is_straight else " this turn"
    why = f": {here.name} is there" if here and not here.is_defeated else " with this move" if named else plainly
    closed, is_too_low = _obstacle(presenter, battle, unit)
    if closed:
        why = f": {closed}{with_keys(' ({battle.rise} plans a climb)') if is_too_low else ''}"
    hint = f" {' or '.join(named)} is possible: {with_keys('{battle.act} chooses it.')}" if named else ""
    return f"{unit.name} cannot reach {presenter.focus.cursor.name}{why}.{hint}"


def _obstacle(presenter: Presenter, battle: Battle, unit: Unit) -> tuple[str, bool]:
    """Words on what stands at the cursor, or on ground higher than a flyer's flight as planned; whether the latter."""
    squares = tuple(footprint(presenter.focus.cursor, unit.size))
    with suppress(Illegal):
        manner = MoveOptions(altitude=presenter.focus.altitude)
        how, _ = in_manner(battle, presenter.session.rules, unit, manner)
        return obstacle_words(battle.field, squares, how), bool(under_ground(battle.field, squares, how))
    return "", False
