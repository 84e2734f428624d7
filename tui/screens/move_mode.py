"""Going: the reach on the ground, the way to the cursor, altitude, and where to stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.battle.command import Move
from engine.battle.state.battle import Battle
from engine.battle.state.units import Unit
from engine.geometry.squares import Square
from engine.values import replace
from tui.keys.battle_keys import with_keys
from tui.overlays.positioning import MEASURES, legend, prospects
from tui.overlays.reach import moves_to

if TYPE_CHECKING:
    from tui.screens.conversation import Conversation


def go(talk: Conversation) -> None:
    """Shows where the unit in focus can go; where this key has drawn that since the last event, goes to the cursor."""
    battle = talk.session.battle
    unit = battle.units.get(talk.looked.unit)
    if unit is None:
        return
    if not talk.is_drawn:
        is_choosing = talk.looked.shading in MEASURES
        show_reach(talk, "", talk.looked.cursor if is_choosing else unit.at)
        talk.has_drawn(unit.id)
        if is_choosing:  # what the way there costs is said, not what is shaded
            talk.look(talk.looked, whole=False)
        return
    path, altitude = talk.way(), talk.looked.altitude
    if talk.looked.cursor == unit.at and altitude not in (None, unit.altitude):
        path = (unit.at,)
    if path:
        wish = Move(unit.id, path, talk.looked.move, altitude)
        talk.looked = replace(talk.looked, shading="plain", move="", altitude=None)
        talk.submit(wish)
    elif talk.looked.cursor == unit.at:
        talk.look(replace(talk.looked, shading="plain", move="", altitude=None))
    else:
        talk.say(_why_not(talk, battle, unit))


def lift(talk: Conversation, step: int) -> None:
    """Plans a move at another altitude, a square's side higher or lower."""
    battle = talk.session.battle
    unit = battle.units.get(talk.looked.unit)
    if unit is None or not unit.can_fly:
        talk.say(f"{unit.name} does not fly." if unit else "Nobody is chosen.")
        return
    now = unit.altitude if talk.looked.altitude is None else talk.looked.altitude
    if step < 0 and not now:
        talk.say(f"{unit.name} is on the ground{with_keys(' then: {battle.move} lands') if unit.altitude else ''}.")
        return
    talk.looked = replace(talk.looked, altitude=max(0, now + step * battle.field.square_size))
    talk.shade("reach", talk.looked.move)
    talk.has_drawn(unit.id)


def show_reach(talk: Conversation, move: str, cursor: Square) -> None:
    """Shades where the unit can go, with a move chosen by name or the plain ones."""
    talk.looked = replace(talk.looked, cursor=cursor)
    talk.shade("reach", move)


def show_stands(talk: Conversation) -> None:
    """The squares within reach by each measure in turn, then plain again."""
    if talk.looked.unit not in talk.session.battle.units:
        talk.say(with_keys("Nobody is chosen: {battle.select} takes the unit under the cursor."))
        return
    turns = ("plain", *MEASURES, "plain")
    now = talk.looked.shading if talk.looked.shading in MEASURES else "plain"
    measure = turns[turns.index(now) + 1]
    looked = replace(talk.looked, shading=measure, altitude=None)
    battle, rules = talk.session.battle, talk.session.rules
    if measure in MEASURES and looked.cursor not in prospects(looked, battle, rules).squares:
        looked = replace(looked, cursor=battle.units[looked.unit].at)
    talk.look(looked)
    if measure in MEASURES:
        talk.note = legend(measure, talk.board.glyphs.tints)
        talk.show_cursor()


def _why_not(talk: Conversation, battle: Battle, unit: Unit) -> str:
    """Why the unit does not go to the cursor."""
    if battle.turns.active != unit.id:
        return f"It is {battle.units[battle.turns.active].name}'s turn, not {unit.name}'s."
    here = battle.at(talk.looked.cursor)
    named = [action.label for action in moves_to(talk.looked, battle, talk.session.rules)]
    chosen = talk.session.rules.actions.get(talk.looked.move)
    plainly = " in one straight line" if chosen and chosen.is_straight else " this turn"
    why = f": {here.name} is there" if here and not here.is_defeated else " with this" if named else plainly
    hint = f" {' or '.join(named)} would do: {with_keys('{battle.act} takes it.')}" if named else ""
    return f"{unit.name} cannot reach {talk.looked.cursor.name}{why}.{hint}"
