"""Events: facts about a battle, in the past tense. They hold results (dice, damage, squares), never formulas.

An event's tag is what files call it, whatever its class is called. A family is a module, and its `__all__` lists its
events.
"""

from __future__ import annotations

from engine.battle.events import (
    attack_events,
    gm_events,
    move_events,
    roster_events,
    terrain_events,
    turn_events,
    unit_events,
)
from engine.battle.events.attack_events import *
from engine.battle.events.event import Event as Event
from engine.battle.events.gm_events import *
from engine.battle.events.move_events import *
from engine.battle.events.roster_events import *
from engine.battle.events.terrain_events import *
from engine.battle.events.turn_events import *
from engine.battle.events.unit_events import *

EVENTS: tuple[type[Event], ...] = tuple(
    vars(family)[name]
    for family in (attack_events, gm_events, move_events, roster_events, terrain_events, turn_events, unit_events)
    for name in family.__all__
)
"""Every event that there is."""
